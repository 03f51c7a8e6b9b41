/** Inquiries of merchants over HTTP: what is answered, who is notified, how often gateways are asked. */
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { OutsideBank, never } from "./bank.mjs";
import { start } from "./harness.mjs";
import { assertProblem, attempts, choose, open, untilWebhooks, webhooks } from "./payer.mjs";

const PATH = "/b/pbl/v2/inquiry/";
const OTHER = "https://books.example.com/payments";

/** @type {import("./harness.mjs").Till} */
let till;
/** @type {OutsideBank} */
let bank;
let other;

before(async () => {
  till = await start();
  bank = new OutsideBank(till);
  other = await till.createMerchant(bank.settings());
  await till.createMerchant(bank.settings());
  till.outbound.on("POST", OTHER, () => new Response("", { status: 200 }));
});
beforeEach(() => {
  bank.instead = {};
});
after(() => till.stop());

const ask = (json, { path = PATH, headers } = {}) =>
  till.call(path, { method: "POST", headers: headers ?? till.privateKey(), json });

/** A transaction whose payer is at the bank. */
async function atTheBank(fields = {}) {
  const payment = await open(till, { pg_codes: ["bank"], ...fields });
  assert.equal((await choose(till, payment, "bank")).status, 303);
  const [{ reference }] = await attempts(till, payment);
  return { ...payment, reference };
}

test("an inquiry finds the success that the bank did not notify, signed as a notification is", async () => {
  const payment = await atTheBank();
  const waiting = await ask({ session_id: payment.session_id });
  assert.equal(waiting.status, 200, waiting.text);
  assert.deepEqual([waiting.body.result, waiting.body.state], ["pending", "pending"]);
  bank.end(payment.reference);
  const found = await ask({ session_id: payment.session_id }, { path: PATH.slice(0, -1) });
  assert.equal(found.status, 200, found.text);
  assert.deepEqual([found.body.result, found.body.state, found.body.reference_number], ["success", "paid", payment.reference]);
  assert.match(found.body.signature, /^[0-9a-f]{64}$/);
  const [notified] = await untilWebhooks(till, payment);
  assert.equal(notified.body.signature, found.body.signature);
  const asked = bank.inquired(payment.reference);
  assert.equal((await ask({ order_no: "A-1", session_id: payment.session_id })).body.state, "paid");
  assert.equal(bank.inquired(payment.reference), asked, "what is paid is answered from what is stored");
});

test("a notification that is asked for goes out after the answer, each time as a new one", async () => {
  const payment = await atTheBank();
  bank.end(payment.reference);
  await ask({ session_id: payment.session_id });
  await untilWebhooks(till, payment);
  for (const count of [2, 3]) {
    const answer = await ask({ session_id: payment.session_id, notify_webhook_url: true });
    assert.equal(answer.status, 200, answer.text);
    const notified = await untilWebhooks(till, payment, count);
    assert.equal(new Set(notified.map(({ headers }) => headers["webhook-id"])).size, count);
  }
  const before = till.outbound.to(OTHER).length;
  const answer = await ask({ session_id: payment.session_id, webhook_url: OTHER });
  const sent = await till.outbound.waitFor(OTHER, before + 1);
  assert.equal(sent.at(-1).body, answer.text, "the other address gets the bytes of the answer");
  assert.equal((await webhooks(till, payment)).length, 3, "and the usual one nothing");
});

test("a gateway that never answers leaves what is stored", async () => {
  const payment = await atTheBank();
  bank.instead.inquire = () => new Response("", { status: 503 });
  const answer = await ask({ session_id: payment.session_id });
  assert.deepEqual([answer.status, answer.body.result], [200, "pending"]);
  bank.instead.inquire = never;
  const started = Date.now();
  const silent = await ask({ session_id: payment.session_id });
  assert.deepEqual([silent.status, silent.body.result, silent.body.state], [200, "pending", "pending"]);
  assert.ok(Date.now() - started < 20_000);
});

test("a throttled merchant's inquiry is answered from what is stored for ten minutes", async () => {
  const free = till.merchant;
  await till.createMerchant(bank.settings({ inquiry: { throttle: true } }));
  const payment = await atTheBank();
  bank.end(payment.reference);
  const asked = bank.inquired(payment.reference);
  const early = await ask({ session_id: payment.session_id });
  assert.deepEqual([early.status, early.body.result], [200, "pending"]);
  assert.equal(bank.inquired(payment.reference), asked);
  // The database accepts no change without its event.
  await till.rows(
    "INSERT INTO txn_event (session_id, number, at, kind, state) SELECT session_id, version + 1, created_at, 'aged', state FROM txn WHERE session_id = ?1",
    payment.session_id,
  );
  await till.rows("UPDATE txn SET version = version + 1, created_at = created_at - 600000 WHERE session_id = ?1", payment.session_id);
  const [one, two] = await Promise.all([ask({ session_id: payment.session_id }), ask({ session_id: payment.session_id })]);
  assert.deepEqual([one.status, two.status], [200, 200]);
  assert.equal(bank.inquired(payment.reference), asked + 1, "of two at once one asks");
  assert.equal((await ask({ session_id: payment.session_id })).body.state, "paid");
  till.merchant = free;
});

test("nothing is answered about what was never tried, and every wrong field is named", async () => {
  const { session_id } = await open(till, { pg_codes: ["bank"] });
  const refused = await ask({ session_id });
  assertProblem(refused, 400, "not_inquirable");
  assert.deepEqual([refused.body.operation, refused.body.result], ["inquiry", "failed"]);
  const wrong = await ask({ session_id: {}, order_no: [], notify_webhook_url: 2, webhook_url: "http://169.254.169.254/" });
  assertProblem(wrong, 400, "invalid_fields");
  assert.deepEqual(Object.keys(wrong.body.errors), ["session_id", "order_no", "notify_webhook_url", "webhook_url"]);
  assertProblem(await ask({}), 400, "invalid_fields");
  assertProblem(await ask([]), 400, "malformed_body");
  assertProblem(await ask({ session_id, x: "x".repeat(20_000) }), 413, "body_too_large");
  for (const session of ["", "'; DROP TABLE txn; --", "\u0000", "é".repeat(64)]) {
    const answer = await ask({ session_id: session, order_no: "no such order" });
    assert.ok([400, 404].includes(answer.status), answer.text);
  }
  const form = await till.call(PATH, { method: "POST", headers: till.privateKey(), body: new URLSearchParams({ session_id }) });
  assertProblem(form, 400, "not_inquirable");
  const got = await till.call(PATH, { headers: till.privateKey() });
  assertProblem(got, 405, "method_not_allowed");
});

test("another merchant's transaction is not found, by id or by order number, and not asked about", async () => {
  const payment = await atTheBank({ order_no: "ONLY-MINE" });
  const asked = bank.inquired(payment.reference);
  const headers = till.privateKey(other);
  assertProblem(await ask({ session_id: payment.session_id }, { headers }), 404, "not_found");
  assertProblem(await ask({ order_no: "ONLY-MINE", webhook_url: OTHER }, { headers }), 404, "not_found");
  assert.equal(bank.inquired(payment.reference), asked);
  const mine = await ask({ order_no: "ONLY-MINE" });
  assert.equal(mine.body.session_id, payment.session_id);
});
