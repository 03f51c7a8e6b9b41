/**
 * PUT and PATCH of a payment transaction over HTTP: merged fields, states, tags, races, another merchant's
 * ids.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "./harness.mjs";
import { assertProblem, atTheBank, payWith } from "./payer.mjs";

/** @type {import("./harness.mjs").Till} */
let till;

before(async () => {
  till = await start();
  await till.createMerchant();
});
after(() => till.stop());

const path = (sessionId) => `/b/checkout/v1/pymt-txn/${sessionId}/`;

function send(method, sessionId, body, headers = {}) {
  return till.call(path(sessionId), {
    method,
    headers: { ...till.privateKey(), "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

test("a patch is answered with the whole transaction, and retrieve shows the same", async () => {
  const { body: made } = await till.create({ order_no: "A", customer_first_name: "Noura" });
  const patched = await send("PATCH", made.session_id, { amount: "11.500", vendor_name: "Till" });
  assert.equal(patched.status, 200);
  const { payment_methods, billing, ...fields } = patched.body;
  const { payment_methods: before, billing: _, ...others } = made;
  assert.deepEqual(fields, { ...others, amount: "11.500", vendor_name: "Till" });
  assert.deepEqual([payment_methods[0].amount, billing.amount.value, billing.sub_total.value], ["11.750", "11.750", "11.500"]);
  assert.notEqual(before[0].amount, payment_methods[0].amount);
  assert.deepEqual((await till.retrieve(made.session_id)).body, patched.body);
});

test("a put without the trailing slash replaces everything", async () => {
  const { body: made } = await till.create({ order_no: "A", customer_first_name: "Noura" });
  const headers = till.privateKey();
  const body = { type: "e_commerce", amount: "2", currency_code: "KWD", pg_codes: ["knet"] };
  const answer = await till.call(path(made.session_id).slice(0, -1), { method: "PUT", headers, json: body });
  assert.equal(answer.status, 200);
  assert.equal(answer.body.amount, "2.000");
  assert.equal(answer.body.order_no, undefined);
});

test("every wrong field is named, and nothing is changed", async () => {
  const { body: made } = await till.create();
  const refused = await send("PATCH", made.session_id, { amount: "1.0001", language: "fr", customer_email: 7, type: "payment_request" });
  assertProblem(refused, 400, "invalid_fields");
  assert.deepEqual(Object.keys(refused.body.errors).sort(), ["amount", "customer_email", "language"]);
  assert.deepEqual((await till.retrieve(made.session_id)).body, made);
});

test("bodies that are no JSON object, too large or of another type are refused", async () => {
  const { body: made } = await till.create();
  for (const method of ["PUT", "PATCH"]) {
    assertProblem(await send(method, made.session_id, "[]"), 400, "malformed_body");
    assertProblem(await send(method, made.session_id, ""), 400, "malformed_body");
    assertProblem(await send(method, made.session_id, `{"vendor_name":"${"x".repeat(1 << 20)}"}`), 413, "body_too_large");
    assertProblem(await send(method, made.session_id, "a=b", { "content-type": "text/plain" }), 415, "unsupported_media_type");
  }
});

test("a tag guards against a lost update", async () => {
  const { body: made } = await till.create();
  const tag = (await till.retrieve(made.session_id)).headers.get("etag");
  assert.match(tag, /^"[0-9a-f]{32}-[0-9a-f]{16}"$/);
  const first = await send("PATCH", made.session_id, { order_no: "1" }, { "if-match": tag });
  assert.equal(first.status, 200);
  assertProblem(await send("PATCH", made.session_id, { order_no: "2" }, { "if-match": tag }), 412, "precondition_failed");
  assert.equal((await send("PATCH", made.session_id, { order_no: "2" }, { "if-match": first.headers.get("etag") })).status, 200);
});

test("of twenty updates with one tag exactly one is stored", async () => {
  const created = await till.create();
  const sessionId = created.body.session_id;
  const tag = created.headers.get("etag");
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, number) => send("PATCH", sessionId, { order_no: `N${number}` }, { "if-match": tag })),
  );
  const statuses = answers.map(({ status }) => status).sort();
  assert.deepEqual(statuses, [200, ...Array(19).fill(412)]);
  const rows = await till.rows("SELECT COUNT(*) AS number FROM txn_event WHERE session_id = ? AND kind = 'updated'", sessionId);
  assert.equal(rows[0].number, 1);
});

test("updates of different fields at once are all kept", async () => {
  const { body: made } = await till.create();
  const fields = { order_no: "A", vendor_name: "B", product_type: "C" };
  const answers = await Promise.all(
    Object.entries(fields).map(([name, value]) => send("PATCH", made.session_id, { [name]: value })),
  );
  assert.deepEqual(answers.map(({ status }) => status), [200, 200, 200]);
  const { order_no, vendor_name, product_type } = (await till.retrieve(made.session_id)).body;
  assert.deepEqual({ order_no, vendor_name, product_type }, fields);
});

test("an attempt at the bank keeps its amount; a paid transaction keeps everything", async () => {
  const payment = await atTheBank(till);
  assertProblem(await send("PATCH", payment.session_id, { amount: "99" }), 409, "attempt_in_progress");
  assert.equal((await send("PATCH", payment.session_id, { vendor_name: "Till" })).status, 200);
  await payWith(till, payment.page, "visa-approve");
  assertProblem(await send("PATCH", payment.session_id, { vendor_name: "Other" }), 400, "not_updatable");
});

test("another merchant's transaction answers like one that does not exist", async () => {
  const { body: made } = await till.create();
  const mine = till.privateKey();
  await till.createMerchant(undefined, "other");
  const body = { order_no: "stolen" };
  const theirs = await send("PATCH", made.session_id, body);
  const nobody = await send("PATCH", `00${"f".repeat(38)}`, body);
  const plain = ({ body: { request_id, ...rest } }) => rest;
  assert.equal(theirs.status, 404);
  assert.deepEqual(plain(theirs), plain(nobody));
  const { body: stored } = await till.call(path(made.session_id), { headers: mine });
  assert.equal(stored.order_no, undefined);
});
