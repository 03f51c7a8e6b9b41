/** Why money was returned, captured or released: who asked, the reason and the note, in the answer, the webhook, and read afterwards. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "./harness.mjs";
import { assertProblem, atTheBank, eventually, payWith, webhooks } from "./payer.mjs";

/** @type {import("./harness.mjs").Till} */
let till;
let shop;
before(async () => {
  till = await start();
  shop = await till.createMerchant();
});
after(() => till.stop());

async function paid(fields = {}) {
  const payment = await atTheBank(till, { amount: "10.000", ...fields });
  await payWith(till, payment.page, "visa-approve");
  return payment;
}
const operate = ({ session_id }, operation, fields = {}, headers = {}) =>
  till.call("/b/pbl/v2/operation/", { method: "POST", headers: { ...till.privateKey(), ...headers }, json: { session_id, operation, ...fields } });
const read = ({ session_id }, rest = "", headers = till.privateKey()) =>
  till.call(`/b/checkout/v1/pymt-txn/${session_id}/operations/${rest}`, { headers });

test("a refund has its reason and its note in the answer, in the webhook, and afterwards", async () => {
  const payment = await paid();
  const why = { reason: "goods_returned", note: "صندوق مكسور, “one of two”" };
  const done = await operate(payment, "refund", { amount: "4.000", ...why });
  assert.deepEqual([done.status, done.body.reason, done.body.note], [200, why.reason, why.note], done.text);
  const sent = await eventually("the webhook of the refund", async () => (await webhooks(till, payment)).find(({ body }) => body.operation === "refund"));
  assert.deepEqual([sent.body.reason, sent.body.note], [why.reason, why.note]);
  const { status, body } = await read(payment);
  assert.equal(status, 200);
  const [one] = body.results;
  assert.equal(body.results.length, 1);
  assert.deepEqual(
    [one.operation, one.amount, one.currency_code, one.result, one.state, one.reason, one.note, one.by.kind, one.session_id, one.pg_code],
    ["refund", "4.000", "KWD", "success", "refunded", why.reason, why.note, "key", done.body.txn.session_id, "knet"],
  );
  assert.deepEqual((await read(payment, `${done.body.reference_number}/`)).body, one);
});

test("what is not said is null, and each operation is there in order", async () => {
  const [taken, released] = [await paid({ pg_code: "mpgs" }), await paid({ pg_code: "mpgs" })];
  for (const fields of [{ amount: "6.000", reason: "delivered" }, { amount: "1.000", note: "the rest later" }]) {
    assert.equal((await operate(taken, "capture", fields)).status, 200);
  }
  assert.equal((await operate(released, "void", { reason: "not_delivered", note: "not in stock" })).status, 200);
  const listed = async (payment) => (await read(payment)).body.results.map(({ operation, reason, note }) => [operation, reason, note]);
  assert.deepEqual(await listed(taken), [["capture", "delivered", null], ["capture", null, "the rest later"]]);
  assert.deepEqual(await listed(released), [["void", "not_delivered", "not in stock"]]);
});

test("a reason that is not in the list and a note that is too long are named, and nothing is done", async () => {
  const payment = await paid();
  const { errors } = (await operate(payment, "refund", { reason: "because", note: "x".repeat(501) })).body;
  assert.match(String(errors.reason), /requested_by_customer/);
  assert.match(String(errors.note), /500/);
  for (const [name, value] of [["reason", 1], ["reason", []], ["reason", "Duplicate"], ["note", 1], ["note", {}], ["note", "two\nlines"]]) {
    const answer = await operate(payment, "refund", { [name]: value });
    assertProblem(answer, 400, "invalid_fields");
    assert.deepEqual(Object.keys(answer.body.errors), [name]);
  }
  assert.deepEqual((await read(payment)).body.results, []);
  const done = await operate(payment, "refund", { reason: null, note: "x".repeat(500) });
  assert.equal(done.status, 200, done.text);
});

test("the same key with another note is another request", async () => {
  const payment = await paid();
  const first = await operate(payment, "refund", { amount: "1.000", note: "one" }, { "idempotency-key": "note-1" });
  assert.equal(first.status, 200, first.text);
  const again = await operate(payment, "refund", { amount: "1.000", note: "one" }, { "idempotency-key": "note-1" });
  assert.equal(again.body.reference_number, first.body.reference_number);
  assertProblem(await operate(payment, "refund", { amount: "1.000", note: "two" }, { "idempotency-key": "note-1" }), 422, "idempotency_key_reused");
  assert.equal((await read(payment)).body.results.length, 1);
});

test("an operation is read under its own transaction only, and by its merchant only", async () => {
  const [payment, other] = [await paid(), await paid()];
  const { body } = await operate(payment, "refund", { amount: "1.000" });
  assertProblem(await read(other, `${body.reference_number}/`), 404, "not_found");
  assertProblem(await read(payment, `${(await read(payment)).body.results[0].reference_number.replace(/^./, "Z")}/`), 404, "not_found");
  const stranger = await till.createMerchant();
  assertProblem(await read(payment, "", { authorization: `Api-Key ${stranger.private_key}` }), 404, "not_found");
  assert.equal((await read(payment, "", { authorization: `Api-Key ${shop.private_key}` })).status, 200);
});
