/**
 * Edges of JSON over HTTP: `vectors/json.json` in create, PUT and PATCH, and bodies of every kind to every
 * other address that reads JSON. What is refused has a name, and is not stored; nothing is ever answered with
 * 5xx.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { readFileSync } from "node:fs";
import { at } from "../../scripts/project.mjs";
import { OPERATOR_TOKEN, demoSettings, start } from "./harness.mjs";
import { assertProblem } from "./payer.mjs";

const CREATE = "/b/checkout/v1/pymt-txn/";
const BASE = '"type":"e_commerce","amount":"10.250","currency_code":"KWD","pg_codes":["knet"]';
const VECTORS = JSON.parse(readFileSync(at("tests", "vectors", "json.json"), "utf8"));
const OPERATOR = { authorization: `Bearer ${OPERATOR_TOKEN}` };

/** @type {import("./harness.mjs").Till} */
let till;

before(async () => {
  till = await start();
  await till.createMerchant();
});
after(() => till.stop());

const expand = (members) =>
  members.replace(/⟦(.*?)\*(\d+)⟧/g, (_, text, count) => text.repeat(Number(count)));

function bytesOf({ members, body, hex }) {
  if (members !== undefined) return Buffer.from(`{${BASE},${expand(members)}}`);
  return hex === undefined ? Buffer.from(body) : Buffer.from(hex, "hex");
}

const send = (method, path, body, headers = till.privateKey()) =>
  till.call(path, { method, headers: { ...headers, "content-type": "application/json" }, body });

const count = async () => (await till.rows("SELECT COUNT(*) AS number FROM txn"))[0].number;

/** The errors of a problem as paths and messages. */
function flat(errors, path = "") {
  if (Array.isArray(errors)) return errors.map((message) => [path, message]);
  return Object.entries(errors).flatMap(([name, inner]) => flat(inner, path === "" ? name : `${path}.${name}`));
}

function check({ name, code, violations, shows = {} }, answer, operation, ok) {
  const what = `${operation}: ${name}`;
  if (code) {
    assertProblem(answer, 400, code);
  } else if (violations) {
    assert.deepEqual(flat(assertProblem(answer, 400, "invalid_fields")), violations, what);
  } else {
    assert.equal(answer.status, ok, `${what}: ${answer.text.slice(0, 300)}`);
    for (const [field, raw] of Object.entries(shows)) {
      const isThere = answer.text.includes(`"${field}":`);
      assert.ok(raw === "absent" ? !isThere : answer.text.includes(`"${field}":${raw}`), `${what}: ${field}`);
    }
  }
}

test("every vector gets its verdict from create, PUT and PATCH, and what is refused is not stored", async () => {
  const { body: stored } = await till.create({ order_no: "stored" });
  const path = `${CREATE}${stored.session_id}/`;
  for (const vector of VECTORS) {
    const isTaken = !vector.code && !vector.violations;
    const bytes = bytesOf(vector);
    const before = await count();
    check(vector, await send("POST", CREATE, bytes), "create", 201);
    assert.equal(await count(), before + (isTaken ? 1 : 0), vector.name);
    const [{ version }] = await till.rows("SELECT version FROM txn WHERE session_id = ?1", stored.session_id);
    for (const method of ["PUT", "PATCH"]) check(vector, await send(method, path, bytes), method, 200);
    const [after] = await till.rows("SELECT version FROM txn WHERE session_id = ?1", stored.session_id);
    assert.equal(after.version > version, isTaken, vector.name);
  }
});

test("what was taken is retrieved and listed as it was written", async () => {
  const extra = '{"a": 1e999, "b": -0, "b": 0.10, "\\u0000": "\\ud83d\\ude00"}';
  const { body } = await till.create(`{${BASE}, "order_no": "as-written", "extra": ${extra}}`);
  const retrieved = await till.retrieve(body.session_id);
  assert.ok(retrieved.text.includes(`"extra":${extra}`), retrieved.text);
  const listed = await till.call(`${CREATE}?order_no=as-written`, { headers: till.privateKey() });
  assert.equal(listed.status, 200);
});

/** The bodies that must not make any address fail. */
const HOSTILE = [
  ...VECTORS.filter(({ members }) => members === undefined).map(bytesOf),
  `{"x":${"[".repeat(5000)}${"]".repeat(5000)}}`,
  `${"[".repeat(8000)}`,
  '{"plugin":"e_commerce","plugin":["x"]}',
  '{"plugin":1e999,"currencies":[1e999,-0,"\\ud800"],"customer_id":"\\udc00"}',
  '{"\\ud800":1}',
  '{"merchant_id":1e999,"settings":1e999}',
  '{"merchant_id":"x","settings":{"plugins":{"' + "a.".repeat(5000) + '":1}}}',
  '{"merchant_id":"\\ud800","settings":{"name":{"en":"\\ud800"}}}',
  '{"kind":"private","kind":1}',
  '{"action":-0}',
].map((body) => Buffer.from(body));

test("the payment methods, the operator's addresses and the page's name what is wrong with any body", async () => {
  const merchant = `/b/operator/v1/merchants/${till.merchant.merchant_id}`;
  const { body: made } = await till.create();
  const addresses = [
    ["POST", "/b/pbl/v2/payment-methods/", till.privateKey()],
    ["POST", "/b/operator/v1/merchants/", OPERATOR],
    ["PUT", `${merchant}/settings/`, OPERATOR],
    ["POST", `${merchant}/keys/`, OPERATOR],
  ];
  const before = await till.rows("SELECT (SELECT COUNT(*) FROM merchant) AS merchants, (SELECT COUNT(*) FROM api_key) AS keys");
  for (const [method, path, headers] of addresses) {
    for (const body of HOSTILE) {
      const answer = await send(method, path, body, headers);
      const code = answer.body.code;
      const what = `${method} ${path} ${body.toString().slice(0, 80)}: ${answer.text.slice(0, 200)}`;
      assert.ok(["malformed_body", "invalid_fields"].includes(code), what);
      assertProblem(answer, 400, code);
    }
  }
  assert.deepEqual(await till.rows("SELECT (SELECT COUNT(*) FROM merchant) AS merchants, (SELECT COUNT(*) FROM api_key) AS keys"), before);
  const form = { "content-type": "application/x-www-form-urlencoded" };
  for (const body of [...HOSTILE, "session_id=%ff%fe", "pg_code=%00", `session_id=${made.session_id}&pg_code=%ed%a0%80`].map(Buffer.from)) {
    for (const accept of ["application/json", "text/html"]) {
      const answer = await till.call("/b/checkout/redirect/pay/", { method: "POST", headers: { ...form, accept }, body });
      assert.ok(answer.status >= 400 && answer.status < 500, `${answer.status} ${body.toString().slice(0, 80)}`);
    }
    const report = await till.call("/b/checkout/reports/", { method: "POST", body });
    assert.ok([204, 413].includes(report.status), `${report.status}`);
  }
  assert.deepEqual(await till.rows("SELECT reference FROM attempt WHERE session_id = ?1", made.session_id), []);
});

test("settings with a key given twice keep the last", async () => {
  const { merchant_id } = await till.createMerchant();
  const settings = JSON.stringify(demoSettings());
  const twice = `{"country":"XX",${settings.slice(1)}`;
  const answer = await send("PUT", `/b/operator/v1/merchants/${merchant_id}/settings/`, twice, OPERATOR);
  assert.equal(answer.status, 200, answer.text);
  const read = await till.operator(`/merchants/${merchant_id}/`);
  assert.equal(read.body.settings.country, demoSettings().country);
});
