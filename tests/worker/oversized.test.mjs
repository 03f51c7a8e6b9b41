/**
 * Requests that are too large, too slow, or built to exhaust a parser: each is refused by name, and none is
 * stored.
 */
import assert from "node:assert/strict";
import { connect } from "node:net";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { start } from "./harness.mjs";
import { assertProblem } from "./payer.mjs";

const CREATE = "/b/checkout/v1/pymt-txn/";
const MIB = 1_048_576;
const REQUIRED = { amount: "1.000", currency_code: "KWD", pg_codes: ["knet"], type: "e_commerce" };

/** @type {import("./harness.mjs").Till} */
let till;

before(async () => {
  till = await start();
  await till.createMerchant();
});
after(() => till.stop());

const send = (body, headers = {}, path = CREATE) =>
  till.call(path, { method: "POST", headers: { ...till.privateKey(), ...headers }, body, duplex: "half" });

const multipart = (text) => send(text, { "content-type": "multipart/form-data; boundary=b" });

const part = (name, value, more = "") => `--b\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;

const REQUIRED_PARTS = Object.entries(REQUIRED).map(([name, value]) => part(name, String(value))).join("");

const count = async () => (await till.rows("SELECT COUNT(*) AS number FROM txn"))[0].number;

/**
 * A request whose bytes are written by hand; returns what came back until the connection closed or `wait` is
 * over.
 */
async function raw(chunks, pause = 0, wait = 3000) {
  const socket = connect(till.port, "127.0.0.1");
  let answer = "";
  socket.setEncoding("latin1").on("data", (text) => (answer += text)).on("error", () => {});
  const isClosed = new Promise((resolve) => socket.on("close", resolve));
  for (const chunk of chunks) {
    socket.write(chunk);
    if (pause > 0) await sleep(pause);
  }
  const end = Date.now() + wait;
  while (Date.now() < end && !/\r\n\r\n[^]+/.test(answer)) await sleep(10);
  socket.destroy();
  await isClosed;
  return answer;
}

const head = (...lines) =>
  [`POST ${CREATE} HTTP/1.1`, "host: till", `authorization: Api-Key ${till.merchant.private_key}`, "content-type: application/json", ...lines, "", ""].join("\r\n");

test("a body of one MiB, or of four where a file may be in it, is refused by its announced length", async () => {
  for (const [path, type, bytes = MIB] of [
    [CREATE, "application/json"], [CREATE, "application/x-www-form-urlencoded"], [CREATE, "multipart/form-data; boundary=b", 4 * MIB],
    ["/b/pbl/v2/payment-methods/", "application/json"], ["/b/checkout/redirect/pay/", "application/x-www-form-urlencoded"],
    ["/b/checkout/reports/", "application/json"],
  ]) {
    assertProblem(await send("x".repeat(bytes), { "content-type": type, accept: "application/json" }, path), 413, "body_too_large");
  }
});

test("a body of one MiB without a length is refused while it comes", async () => {
  const stream = new ReadableStream({
    pull(controller) {
      this.sent = (this.sent ?? 0) + 65_536;
      controller.enqueue(new Uint8Array(65_536).fill(0x20));
      if (this.sent >= MIB) controller.close();
    },
  });
  const before = await count();
  assertProblem(await send(stream, { "content-type": "application/json" }), 413, "body_too_large");
  assert.equal(await count(), before);
});

test("the last byte that is allowed is taken, and one more is not", async () => {
  const fill = (bytes) => JSON.stringify(REQUIRED).padEnd(bytes, " ");
  assert.equal((await send(fill(262_144), { "content-type": "application/json" })).status, 201);
  assertProblem(await send(fill(262_145), { "content-type": "application/json" }), 413, "body_too_large");
});

test("a body that comes in single bytes is read whole", async () => {
  const body = JSON.stringify(REQUIRED);
  const chunks = Array.from(body, (byte) => `1\r\n${byte}\r\n`);
  const answer = await raw([head("transfer-encoding: chunked"), ...chunks, "0\r\n\r\n"], 2);
  assert.match(answer, /^HTTP\/1\.1 201 /);
});

test("a body that never ends is not stored, and holds nobody else up", async () => {
  const before = await count();
  const slow = raw([head("content-length: 200"), "{"], 0, 1500);
  assert.equal((await till.create()).status, 201);
  await slow;
  assert.equal((await till.create()).status, 201);
  assert.equal(await count(), before + 2);
});

test("headers without end are refused before they reach anybody", async () => {
  const answer = await raw([head(`x-long: ${"a".repeat(300_000)}`, "content-length: 2"), "{}"]);
  assert.doesNotMatch(answer, /^HTTP\/1\.1 (2|500)/);
  assert.equal((await till.create()).status, 201);
});

test("headers as long as they get through are read or refused by name", async () => {
  const long = "a".repeat(8000);
  for (const [name, code, status] of [["authorization", "credentials_invalid", 401], ["idempotency-key", "idempotency_key_malformed", 400]]) {
    assertProblem(await till.create({}, { [name]: long }), status, code);
  }
  assert.equal((await till.create({}, { "x-request-id": long })).headers.get("x-request-id").length, 16);
  assert.equal((await till.create({}, { accept: long, cookie: long, "user-agent": long })).status, 201);
  assertProblem(await till.create({}, { "content-type": long }), 415, "unsupported_media_type");
  const { body } = await till.create();
  const patched = await till.call(`${CREATE}${body.session_id}/`, { method: "PATCH", headers: { ...till.privateKey(), "if-match": `"${long}"` }, json: {} });
  assertProblem(patched, 412, "precondition_failed");
});

test("a multipart body of ten thousand parts is refused", async () => {
  assertProblem(await multipart(`${Array.from({ length: 10_000 }, () => "--b\r\n\r\n\r\n").join("")}--b--`), 400, "malformed_body");
  const few = Array.from({ length: 3000 }, (_, place) => part(`p${place}`, "")).join("");
  assertProblem(await multipart(`${few}--b--`), 400, "malformed_body");
});

test("a multipart body without its boundary, with half a boundary, or cut short is malformed", async () => {
  const whole = `${REQUIRED_PARTS}--b--\r\n`;
  assert.equal((await multipart(whole)).status, 201);
  for (const type of ["multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=c"]) {
    const answer = await send(whole, { "content-type": type });
    assertProblem(answer, 400, "malformed_body");
  }
  for (const body of ["", "--b", "--b--", whole.slice(0, -8), whole.slice(1)]) {
    const answer = await multipart(body);
    assert.ok(["malformed_body", "invalid_fields"].includes(answer.body.code), `${answer.status} ${answer.text}`);
    assert.equal(answer.status, 400);
  }
});

test("a multipart body within a multipart body is a text like any other", async () => {
  const inner = `--c\r\ncontent-disposition: form-data; name="amount"\r\n\r\n9.000\r\n--c--`;
  const nested = `--b\r\ncontent-disposition: form-data; name="order_no"\r\ncontent-type: multipart/mixed; boundary=c\r\n\r\n${inner}\r\n`;
  const answer = await multipart(`${REQUIRED_PARTS}${nested}--b--\r\n`);
  assertProblem(answer, 400, "invalid_fields");
  assert.deepEqual(Object.keys(answer.body.errors), ["order_no"]);
});

test("a file in a field of text is named, and one in a part that nobody knows is ignored, whatever its name", async () => {
  for (const [name, status] of [["order_no", 400], ["extra[", 201], ["a".repeat(200_000), 201], ["a.".repeat(100_000), 201], ["__proto__", 201], ["é\u202e", 201], ["constructor.prototype", 201]]) {
    const answer = await multipart(`${REQUIRED_PARTS}${part(name, "x", '; filename="x.exe"')}--b--\r\n`);
    assert.equal(answer.status, status, `${name.slice(0, 20)}: ${answer.text.slice(0, 200)}`);
    if (status === 400) assertProblem(answer, 400, "invalid_fields");
  }
});

test("a form of a hundred thousand separators has no field", async () => {
  const type = { "content-type": "application/x-www-form-urlencoded" };
  const answer = await send("&".repeat(100_000), type);
  assertProblem(answer, 400, "invalid_fields");
  const filled = await send(`${"&".repeat(100_000)}${new URLSearchParams({ ...REQUIRED, pg_codes: "knet" })}`, type);
  assert.equal(filled.status, 201);
  assertProblem(await send("=&".repeat(100_000), type), 400, "malformed_body");
  assertProblem(await send(`extra${"[a]".repeat(60_000)}=1&${"extra[a]=1&".repeat(200)}`, type), 400, "invalid_fields");
  assertProblem(await send("a=%".repeat(80_000), type), 400, "invalid_fields");
  assertProblem(await send(`${"a.".repeat(100_000)}=1`, type), 400, "invalid_fields");
});

test("a query without end is refused by name, or is that of one payment", async () => {
  const { body } = await till.create();
  const long = "a".repeat(8000);
  for (const [path, status] of [
    [`${CREATE}?order_no=${long}`, 400], [`${CREATE}?cursor=${long}`, 400], [`${CREATE}${body.session_id}/?x=${long}`, 200],
    [`/b/checkout/redirect/start/?session_id=${long}`, 404], [`${CREATE}${long}/`, 404], [`${CREATE}?${"&".repeat(8000)}`, 200],
  ]) {
    assert.equal((await till.call(path, { headers: { ...till.privateKey(), accept: "application/json" } })).status, status, path.slice(0, 60));
  }
});
