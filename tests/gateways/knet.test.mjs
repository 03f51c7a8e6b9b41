// The vectors of the KNET connector against other implementations of AES: that of Node, and that of the openssl command if
// there is one. It reads what the connector writes, as KNET would, and writes what the connector reads.
// Run with: node --test tests/gateways/knet.test.mjs

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createCipheriv, createDecipheriv } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const KEY = "Q7w2Er9TyU4iOp1Z";
const read = (name) => JSON.parse(readFileSync(new URL(`../vectors/gateways/${name}`, import.meta.url), "utf8"));
const requests = read("knet.json");
const answers = read("knet-answers.json");

// The vector is the key.
const decrypt = (digits) => {
  const cipher = createDecipheriv("aes-128-cbc", KEY, KEY);
  return cipher.update(digits, "hex", "utf8") + cipher.final("utf8");
};
const encrypt = (text) => {
  const cipher = createCipheriv("aes-128-cbc", KEY, KEY);
  return cipher.update(text, "utf8", "hex") + cipher.final("hex");
};

test("KNET finds the order in every address of its page", () => {
  const pages = requests.filter((request) => request.method === "GET");
  assert.equal(pages.length, 5);
  for (const { name, url } of pages) {
    const page = new URL(url);
    assert.equal(page.pathname, "/kpg/PaymentHTTP.htm", name);
    assert.deepEqual(
      [...page.searchParams.keys()],
      ["param", "trandata", "tranportalId", "responseURL", "errorURL"],
      name,
    );
    const fields = decrypt(page.searchParams.get("trandata"))
      .split("&")
      .map((pair) => pair.split("="));
    const order = Object.fromEntries(fields);
    assert.deepEqual(
      fields.map(([field]) => field).join(),
      "id,password,action,langid,currencycode,amt,responseURL,errorURL,trackid,udf1,udf2,udf3,udf4,udf5",
      name,
    );
    assert.ok(fields.every((pair) => pair.length === 2), name);
    assert.equal(order.id, page.searchParams.get("tranportalId"), name);
    assert.equal(order.responseURL, page.searchParams.get("responseURL"), name);
    assert.equal(order.errorURL, page.searchParams.get("errorURL"), name);
    assert.deepEqual([order.action, order.currencycode, order.password], ["1", "414", "Exm9pl"], name);
    assert.match(order.amt, /^\d+\.\d{3}$/, name);
    assert.match(order.trackid, /^[A-Z0-9]{12,20}$/, name);
    assert.equal(order.udf1, order.trackid, name);
    for (const address of [order.responseURL, order.errorURL]) {
      assert.match(address, /^https:\/\/[^?&=#%+]{1,247}$/, name);
    }
    assert.ok(!url.includes("Exm9pl"), name);
    assert.ok(url.length <= 2000, name);
  }
});

test("every request to the pipe is fragments of XML in the order of the public integrations", () => {
  const piped = requests.filter((request) => request.method === "POST");
  assert.equal(piped.length, 7);
  for (const { name, url, headers, body } of piped) {
    assert.match(url, /^https:\/\/kpay(test)?\.com\.kw\/kpg\/tranPipe\.htm\?param=tranInit$/, name);
    assert.equal(headers["content-type"], "application/xml", name);
    const fragments = body.replace(/^<request>(.*)<\/request>$/, "$1");
    const elements = [...fragments.matchAll(/<(\w+)>([^<>]*)<\/\1>/g)];
    assert.equal(elements.map(([whole]) => whole).join(""), fragments, name);
    assert.equal(elements.map(([, field]) => field).join(), "id,password,action,amt,transid,udf5,trackid", name);
    const sent = Object.fromEntries(elements.map(([, field, text]) => [field, text]));
    assert.equal(sent.udf5, "TrackID", name);
    assert.equal(sent.transid, sent.trackid, name);
    assert.match(sent.amt, /^\d+\.\d{3}$/, name);
    assert.ok(["2", "8"].includes(sent.action), name);
  }
});

test("every answer of the vectors is what Node encrypts and decrypts", () => {
  for (const { name, text, trandata } of answers) {
    assert.equal(encrypt(text), trandata, name);
    assert.equal(decrypt(trandata.toUpperCase()), text, name);
  }
});

test("openssl agrees", (context) => {
  if (spawnSync("openssl", ["version"]).status !== 0) return context.skip("there is no openssl here");
  const key = Buffer.from(KEY).toString("hex");
  const run = (mode, input) =>
    spawnSync("openssl", ["enc", mode, "-aes-128-cbc", "-K", key, "-iv", key], { input }).stdout;
  for (const { name, text, trandata } of answers) {
    assert.equal(run("-e", text).toString("hex"), trandata, name);
  }
  for (const { name, url } of requests.filter((request) => request.method === "GET")) {
    const digits = new URL(url).searchParams.get("trandata");
    assert.equal(run("-d", Buffer.from(digits, "hex")).toString(), decrypt(digits), name);
  }
});

// Why a report is only the occasion to ask: who sees one can turn a decline into a payment without the key.
test("a report can be changed without the key, at the price of one garbled block", () => {
  const { text, trandata } = answers.find(({ name }) => name === "not captured");
  const bytes = Buffer.from(trandata, "hex");
  const from = (Math.floor(text.indexOf("result=") / 16) + 1) * 16;
  const wanted = Buffer.from("&result=CAPTURED");
  for (let place = 0; place < 16; place += 1) {
    bytes[from - 16 + place] ^= text.charCodeAt(from + place) ^ wanted[place];
  }
  const cipher = createDecipheriv("aes-128-cbc", KEY, KEY);
  const changed = Buffer.concat([cipher.update(bytes), cipher.final()]);
  assert.ok(changed.includes("&result=CAPTURED"));
  assert.ok(changed.includes("&trackid=7H3K9M2P4Q5R&udf1=7H3K9M2P4Q5R&"));
  assert.ok(changed.some((byte) => byte < 0x20 || byte > 0x7e), "the garbled block shows");
});
