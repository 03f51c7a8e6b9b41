/** Capture, refund, void, cancel, expire and delete over HTTP: `POST /b/pbl/v2/operation/`. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { demoSettings, start } from "./harness.mjs";
import { assertProblem, atTheBank, eventually, inbox, open, payWith, stateOf, untilWebhooks } from "./payer.mjs";

let till;
before(async () => {
  till = await start();
  await till.createMerchant();
});
after(() => till.stop());

/** An operation on a payment. */
const operate = (payment, operation, fields = {}, headers = {}) =>
  till.call("/b/pbl/v2/operation/", {
    method: "POST",
    headers: { ...till.privateKey(), ...headers },
    json: { session_id: payment.session_id, operation, ...fields },
  });

/** One dinar on top of every payment. */
const FEE = { currency: "KWD", fixed: "1.000", percent: "0", description: { en: "Fee", ar: "رسوم" } };

/** A payment that succeeded. */
async function paid(fields = {}) {
  const payment = await atTheBank(till, fields);
  await payWith(till, payment.page, "visa-approve");
  return payment;
}

const held = (fields = {}) => paid({ pg_code: "mpgs", amount: "100.000", ...fields });
const childrenOf = ({ session_id }) => till.rows("SELECT * FROM child WHERE parent_id = ?1 ORDER BY number", session_id);

/** Makes the sweep ask about the operations of a payment now. */
async function askNow({ session_id }) {
  await till.rows("UPDATE child SET inquire_at = 0 WHERE parent_id = ?1 AND inquire_at IS NOT NULL", session_id);
  await till.scheduled();
}

function assertRefused(answer, code, operation, status = 400) {
  assertProblem(answer, status, code);
  assert.deepEqual([answer.body.operation, answer.body.result], [operation, "failed"], answer.text);
}

test("example A: a purchase is refunded in parts, and never more than was settled", async () => {
  const payment = await paid({ amount: "10.000", pg_code: "knet" });
  const first = await operate(payment, "refund", { amount: "9.000" });
  assert.equal(first.status, 200, first.text);
  const { txn, reference_number, signature, timestamp_utc, ...rest } = first.body;
  assert.deepEqual([txn.amount, txn.currency_code, txn.state], ["9.000", "KWD", "refunded"]);
  assert.match(txn.session_id, /^[0-9a-f]{40}$/);
  assert.notEqual(txn.session_id, payment.session_id);
  assert.match(signature, /^[0-9a-f]{64}$/);
  assert.match(timestamp_utc, /Z$/);
  assert.deepEqual(
    [rest.amount, rest.session_id, rest.operation, rest.pg_code, rest.source, rest.success, rest.result, rest.is_sandbox],
    ["9.000", payment.session_id, "refund", "knet", "input", true, "success", true],
  );
  assertRefused(await operate(payment, "refund", { amount: "2.000" }), "operation_amount", "refund");
  const left = await operate(payment, "refund");
  assert.deepEqual([left.status, left.body.txn.amount], [200, "1.000"], left.text);
  assertRefused(await operate(payment, "refund"), "operation_refused", "refund");
  assert.notEqual(left.body.reference_number, reference_number);
  assert.equal(await stateOf(till, payment), "paid");
  assertRefused(await operate(payment, "capture"), "operation_not_allowed", "capture");
  assertRefused(await operate(payment, "void"), "operation_not_allowed", "void");
});

test("example B: an authorization is captured twice, cannot be voided then, and what was captured is refunded", async () => {
  const payment = await held();
  assertRefused(await operate(payment, "refund"), "operation_refused", "refund");
  const first = await operate(payment, "capture", { amount: 40 });
  assert.deepEqual([first.status, first.body.txn?.state, first.body.txn?.amount], [200, "paid", "40.000"], first.text);
  assertRefused(await operate(payment, "void"), "operation_refused", "void");
  assertRefused(await operate(payment, "capture", { amount: "60.001" }), "operation_amount", "capture");
  const rest = await operate(payment, "capture");
  assert.deepEqual([rest.status, rest.body.txn.amount], [200, "60.000"]);
  const back = await operate(payment, "refund", { amount: "30.000" });
  assert.deepEqual([back.status, back.body.txn.state], [200, "refunded"]);
  assertRefused(await operate(payment, "refund", { amount: "70.001" }), "operation_amount", "refund");
  assert.equal(await stateOf(till, payment), "authorized");
});

test("example C: a void releases everything, fee included, and nothing follows", async () => {
  const owner = till.merchant;
  const gateways = demoSettings().gateways.map((gateway) => (gateway.code === "mpgs" ? { ...gateway, fees: [FEE] } : gateway));
  await till.createMerchant({ gateways });
  const payment = await held({ amount: "50.000" });
  const done = await operate(payment, "void", { amount: "1.000" });
  assert.deepEqual([done.status, done.body.txn?.state, done.body.txn?.amount, done.body.amount], [200, "voided", "51.000", "51.000"], done.text);
  const { body } = await till.call("/b/pbl/v2/inquiry/", { method: "POST", headers: till.privateKey(), json: { session_id: payment.session_id } });
  assert.deepEqual([body.state, body.amount, body.voided_amount, body.paid_amount], ["authorized", "50.000", "51.000", undefined]);
  assertRefused(await operate(payment, "capture"), "operation_refused", "capture");
  assertRefused(await operate(payment, "void"), "operation_refused", "void");
  assertRefused(await operate(payment, "refund"), "operation_refused", "refund");
  assert.equal(await stateOf(till, payment), "authorized");
  till.merchant = owner;
});

test("what is not paid cannot be refunded, and a payment in another currency neither", async () => {
  const unpaid = await open(till);
  assertRefused(await operate(unpaid, "refund"), "operation_not_allowed", "refund");
  const foreign = await paid({ amount: "100.00", currency_code: "USD", pg_code: "knet" });
  assertRefused(await operate(foreign, "refund"), "operation_foreign_currency", "refund");
  assert.deepEqual(await childrenOf(foreign), []);
});

test("one tracking key is one operation, also for two requests at once, and a refused one leaves it free", async () => {
  const payment = await paid({ amount: "10.000" });
  const headers = { "tracking-key": "track-1" };
  assertRefused(await operate(payment, "refund", { amount: "11.000" }, headers), "operation_amount", "refund");
  const both = await Promise.all([operate(payment, "refund", { amount: "3.000" }, headers), operate(payment, "refund", { amount: "3.000" }, headers)]);
  assert.deepEqual(both.map(({ status }) => status), [200, 200], both.map(({ text }) => text).join("\n"));
  assert.equal(both[0].body.reference_number, both[1].body.reference_number);
  const again = await operate(payment, "refund", { amount: "9.000" }, headers);
  assert.deepEqual([again.body.reference_number, again.body.amount, again.body.result], [both[0].body.reference_number, "3.000", "success"]);
  assert.equal((await childrenOf(payment)).length, 1);
  assertProblem(await operate(payment, "refund", {}, { "tracking-key": "x".repeat(256) }), 400, "tracking_key_malformed");
});

test("a queued refund reserves its amount, and the bank's later word settles it", async () => {
  const payment = await paid({ amount: "10.000", pg_code: "queued" });
  const queued = await operate(payment, "refund", { amount: "6.000" });
  assert.deepEqual([queued.status, queued.body.result, queued.body.txn?.state, queued.body.success], [200, "queued", "refund_queued", true], queued.text);
  assertRefused(await operate(payment, "refund", { amount: "5.000" }), "operation_amount", "refund");
  await till.rows("UPDATE sandbox_operation SET due_at = 0 WHERE due_at IS NOT NULL");
  await till.scheduled();
  const received = await untilWebhooks(till, payment, 3);
  const ended = received.at(-1).body;
  assert.deepEqual([ended.operation, ended.result, ended.txn.state, ended.source], ["refund", "success", "refunded", "pg"]);
});

test("a queued refund that the bank refuses later gives its amount back", async () => {
  const payment = await paid({ amount: "10.000" });
  const queued = await operate(payment, "refund", { amount: "6.113" });
  assert.equal(queued.status, 200, queued.text);
  assert.equal(queued.body.txn.state, "refund_queued");
  await till.rows("UPDATE sandbox_operation SET due_at = 0 WHERE due_at IS NOT NULL");
  await till.scheduled();
  await eventually("the refund is rejected", async () => (await childrenOf(payment))[0].stage === "rejected");
  const whole = await operate(payment, "refund");
  assert.deepEqual([whole.status, whole.body.txn?.amount], [200, "10.000"], whole.text);
});

test("a refund without a certain answer is queued, reserved and chased, never failed", async () => {
  const payment = await paid({ amount: "10.000" });
  for (const amount of ["2.117", "3.119"]) {
    const answer = await operate(payment, "refund", { amount });
    assert.deepEqual([answer.status, answer.body.result], [200, "queued"], answer.text);
  }
  assertRefused(await operate(payment, "refund", { amount: "5.000" }), "operation_amount", "refund");
  await eventually("the bank is asked", async () => {
    await askNow(payment);
    return (await childrenOf(payment)).every(({ stage }) => stage === "done" || stage === "refused");
  }, 15000);
});

test("a refusal of the bank keeps no child transaction, and says the bank's words", async () => {
  const payment = await paid({ amount: "10.000" });
  const refused = await operate(payment, "refund", { amount: "1.111" }, { "tracking-key": "refused-1" });
  assertRefused(refused, "operation_declined", "refund");
  const after = await operate(payment, "refund", { amount: "1.000" }, { "tracking-key": "refused-1" });
  assert.equal(after.status, 200, after.text);
});

test("refunds at once never return more than there is", async () => {
  const payment = await paid({ amount: "10.000" });
  const answers = await Promise.all(Array.from({ length: 6 }, () => operate(payment, "refund", { amount: "4.000" })));
  const good = answers.filter(({ status }) => status === 200);
  assert.ok(good.length <= 2 && good.length >= 1, answers.map(({ text }) => text).join("\n"));
  assert.ok(answers.every(({ status }) => [200, 400, 409].includes(status)));
  const [{ sum }] = await till.rows("SELECT COALESCE(SUM(amount), 0) AS sum FROM child WHERE parent_id = ?1 AND stage = 'done'", payment.session_id);
  assert.equal(sum, good.length * 4000);
});

/**
 * What is left of an authorization of 100.000 after two operations at once, of which at most one was done.
 */
async function assertOneWon(payment, answers) {
  const done = answers.filter(({ status }) => status === 200);
  assert.equal(done.length, 1, answers.map(({ text }) => text).join("\n"));
  for (const lost of answers.filter(({ status }) => status !== 200)) {
    assert.ok([400, 409].includes(lost.status), lost.text);
    assert.equal(lost.body.result, "failed");
  }
  const children = await childrenOf(payment);
  assert.deepEqual(children.filter(({ stage }) => stage === "done").map(({ operation }) => operation), [done[0].body.operation]);
  assert.ok(children.every(({ stage }) => ["done", "refused"].includes(stage)));
  const [{ count, sum }] = await till.rows(
    `SELECT COUNT(*) AS count, SUM(o.amount) AS sum FROM sandbox_operation o JOIN sandbox_charge c ON c.id = o.charge_id
     JOIN attempt a ON a.reference = c.reference WHERE a.session_id = ?1 AND o.status = 'done'`,
    payment.session_id,
  );
  assert.deepEqual([count, sum], [1, 100_000], "the bank did one of them, whole");
}

test("capture and void at once: one of them is done, here and at the bank", async () => {
  for (const operations of [["capture", "void"], ["void", "capture"], ["void", "void"]]) {
    const payment = await held();
    await assertOneWon(payment, await Promise.all(operations.map((operation) => operate(payment, operation))));
  }
});

test("refund and void at once: what was captured is refunded and never released, what was not is released and never refunded", async () => {
  const captured = await held();
  assert.equal((await operate(captured, "capture")).status, 200);
  const [refunded, released] = await Promise.all(["refund", "void"].map((operation) => operate(captured, operation)));
  assert.deepEqual([refunded.status, refunded.body.amount], [200, "100.000"], refunded.text);
  assert.ok([400, 409].includes(released.status), released.text);
  assert.deepEqual((await childrenOf(captured)).map(({ operation, stage }) => [operation, stage]), [["capture", "done"], ["refund", "done"]]);
  const heldOnly = await held();
  await assertOneWon(heldOnly, await Promise.all(["refund", "void"].map((operation) => operate(heldOnly, operation))));
});

test("the merchant cancels by session id and by order number, also cash on delivery, and is notified", async () => {
  const payment = await open(till, { order_no: "cancel-1" });
  const canceled = await operate({}, "cancel", { order_no: "cancel-1" });
  assert.deepEqual([canceled.status, canceled.body.operation, canceled.body.result], [200, "cancel", "success"], canceled.text);
  assert.equal(await stateOf(till, payment), "canceled");
  const [notified] = await untilWebhooks(till, payment);
  assert.equal(notified.body.state, "canceled");
  assert.equal((await operate(payment, "cancel")).status, 200, "a second time changes nothing");
  const cash = await open(till, { pg_codes: ["cash"] });
  const acknowledged = await till.call("/b/pbl/v2/payment/cash/", { method: "POST", headers: till.privateKey(), json: { session_id: cash.session_id } });
  assert.deepEqual([acknowledged.status, acknowledged.body.result, acknowledged.body.state], [200, "cod", "cod"], acknowledged.text);
  await untilWebhooks(till, cash);
  const taken = await operate(cash, "cancel");
  assert.deepEqual([taken.status, taken.body.operation, taken.body.result], [200, "cancel", "success"], taken.text);
  assert.equal(await stateOf(till, cash), "canceled");
  const ofCash = await untilWebhooks(till, cash, 2);
  assert.deepEqual(ofCash.map(({ body }) => body.state), ["cod", "canceled"]);
  const bought = await paid();
  assertRefused(await operate(bought, "cancel"), "not_cancelable", "cancel");
});

test("the merchant expires what is not paid", async () => {
  const payment = await atTheBank(till);
  const expired = await operate(payment, "expire");
  assert.equal(expired.status, 200, expired.text);
  assert.equal(await stateOf(till, payment), "expired");
  assert.equal((await operate(payment, "expire")).status, 200);
  assertRefused(await operate(await paid(), "expire"), "operation_not_allowed", "expire");
});

test("what is deleted is hidden everywhere and nothing of it is erased; the operator shows it again", async () => {
  const payment = await paid({ order_no: "delete-1" });
  assert.equal((await operate(payment, "delete")).status, 200);
  assertProblem(await till.retrieve(payment.session_id), 404, "not_found");
  const listed = await till.call("/b/checkout/v1/pymt-txn/?order_no=delete-1", { headers: till.privateKey() });
  assert.deepEqual(listed.body.results, []);
  assertProblem(await operate(payment, "refund"), 400, "invalid_fields");
  assert.equal((await till.call(`/b/checkout/redirect/start/?session_id=${payment.session_id}`)).status, 404);
  const [{ count }] = await till.rows("SELECT COUNT(*) AS count FROM attempt WHERE session_id = ?1", payment.session_id);
  assert.equal(count, 1);
  const restore = () => till.operator(`/transactions/${payment.session_id}/restore/`, { method: "POST" });
  assert.equal((await restore()).status, 204);
  assertProblem(await restore(), 404, "not_found");
  assert.equal(await stateOf(till, payment), "paid");
  assert.equal((await operate(payment, "refund")).status, 200);
  const [{ audited }] = await till.rows("SELECT COUNT(*) AS audited FROM audit WHERE action = 'restore_transaction' AND subject = ?1", payment.session_id);
  assert.equal(audited, 1);
});

test("both addresses of the settings are notified of an operation, signed and under names of their own", async () => {
  const owner = till.merchant;
  const { plugins } = (await till.operator(`/merchants/${owner.merchant_id}/`)).body.settings;
  await till.createMerchant({
    operations_webhook_url: `${till.url}/sandbox/inbox/of-operations/`,
    plugins: { ...plugins, e_commerce: { webhook_url: `${till.url}/sandbox/inbox/of-plugin/` } },
  });
  const payment = await paid({ webhook_url: null });
  assert.equal((await operate(payment, "refund")).status, 200);
  const [own, plugin] = await eventually("both are notified", async () => {
    const notified = await Promise.all(["of-operations", "of-plugin"].map((name) => inbox(till, name)));
    return notified.every((received) => received.some(({ body }) => JSON.parse(body).operation === "refund")) && notified.map(([newest]) => newest);
  });
  assert.equal(own.body, plugin.body);
  assert.notEqual(own.headers["webhook-id"], plugin.headers["webhook-id"]);
  till.merchant = owner;
});

test("hostile bodies are refused by field, and nothing is done", async () => {
  const payment = await paid();
  const send = (body, headers = {}) => till.call("/b/pbl/v2/operation/", { method: "POST", headers: { "content-type": "application/json", ...till.privateKey(), ...headers }, body });
  for (const body of ["", "[]", "null", "{", '"refund"', "[".repeat(5000)]) assertProblem(await send(body), 400, "malformed_body");
  const wrong = await send(JSON.stringify({ operation: "destroy", amount: "ten", extra: [1], session_id: 7 }));
  assertProblem(wrong, 400, "invalid_fields");
  assert.deepEqual(Object.keys(wrong.body.errors).sort(), ["extra", "operation", "session_id"]);
  const none = await send(JSON.stringify({ operation: "refund" }));
  assert.deepEqual(Object.keys(none.body.errors).sort(), ["order_no", "session_id"]);
  for (const amount of ["0", "-1", "1e3", "1.0001", "99999999999999999999", {}, [], true, 1e40]) {
    const answer = await operate(payment, "refund", { amount });
    assert.equal(answer.status, 400, `${JSON.stringify(amount)}: ${answer.text}`);
  }
  assertProblem(await send("{}", { "content-type": "text/plain" }), 415, "unsupported_media_type");
  assertProblem(await send(`{"x":"${"a".repeat(70000)}"}`), 413, "body_too_large");
  assertProblem(await till.call("/b/pbl/v2/operation/", { headers: till.privateKey() }), 405, "method_not_allowed");
  assert.deepEqual(await childrenOf(payment), []);
});

test("sixteen refunds at once under one idempotency key give back once", async () => {
  const payment = await paid({ amount: "10.000", pg_code: "knet" });
  const answers = await Promise.all(Array.from({ length: 16 }, () => operate(payment, "refund", { amount: "1" }, { "idempotency-key": "once" })));
  for (const answer of answers) assert.equal(answer.status, 200, answer.text);
  const children = await childrenOf(payment);
  assert.deepEqual(children.map(({ amount, stage }) => [amount, stage]), [[1000, "done"]]);
  assert.deepEqual([...new Set(answers.map(({ body }) => body.reference_number))], [children[0].reference]);
  const replayed = answers.filter(({ headers }) => headers.get("idempotent-replayed") === "true");
  assert.equal(replayed.length, 15);
  const again = await operate(payment, "refund", { amount: "1" }, { "tracking-key": "once" });
  assert.equal(again.body.reference_number, children[0].reference, "the other header names the same");
  assertProblem(await operate(payment, "refund", { amount: "1" }, { "tracking-key": "once", "idempotency-key": "twice" }), 400, "keys_disagree");
  assertRefused(await operate(payment, "refund", { amount: "2" }, { "idempotency-key": "once" }), "idempotency_key_reused", "refund", 422);
  const blank = await operate(payment, "refund", { amount: "" }, {});
  assert.deepEqual([blank.status, blank.body.errors], [400, { amount: ["must not be blank"] }]);
  assert.equal((await childrenOf(payment)).length, 1);
});

test("all that is left at once under one key is given back once and refused to nobody", async () => {
  const payment = await paid({ amount: "10.000", pg_code: "knet" });
  const answers = await Promise.all(Array.from({ length: 8 }, () => operate(payment, "refund", {}, { "idempotency-key": "all" })));
  assert.deepEqual(answers.map(({ status }) => status), Array(8).fill(200), answers.map(({ text }) => text).join("\n"));
  assert.equal((await childrenOf(payment)).length, 1);
});

test("a transaction is found at its location, and unchanged it is not sent again", async () => {
  const created = await till.create({ pg_codes: ["knet", "mpgs"] });
  const location = created.headers.get("location");
  assert.equal(location, `${till.url}/b/checkout/v1/pymt-txn/${created.body.session_id}/`);
  const path = new URL(location).pathname;
  const get = (headers = {}) => till.call(path, { headers: { ...till.privateKey(), ...headers } });
  const first = await get();
  assert.equal(first.headers.get("etag"), created.headers.get("etag"), "the answer to create has the tag of what it made");
  const tag = first.headers.get("etag");
  const known = await get({ "if-none-match": tag });
  assert.deepEqual([known.status, known.text, known.headers.get("etag")], [304, "", tag]);
  assert.equal((await get({ "if-none-match": `"x", W/${tag}` })).status, 304);

  const payment = await paid({ amount: "10.000", pg_code: "knet" });
  const of = `/b/checkout/v1/pymt-txn/${payment.session_id}/`;
  const before = await till.call(of, { headers: till.privateKey() });
  assert.equal(before.body.paid_amount, "10.250");
  assert.equal((await operate(payment, "refund", { amount: "4.000" })).status, 200);
  const after = await till.call(of, { headers: { ...till.privateKey(), "if-none-match": before.headers.get("etag") } });
  assert.equal(after.status, 200, "what was given back is never hidden");
  assert.deepEqual([after.body.refunded_amount, after.body.transactions.map(({ state }) => state)], ["4.000", ["refunded"]]);
  const listed = await till.call("/b/checkout/v1/pymt-txn/?limit=1", { headers: till.privateKey() });
  assert.deepEqual(listed.body.results, [after.body]);
});
