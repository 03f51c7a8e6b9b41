/** Tabby end to end over HTTP: eligibility, its page, captures, refunds, voids and webhooks, against a stub of its API. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { CODE, KEY, SECRET, TabbyStub } from "./tabby-stub.mjs";
import { assertProblem, attempts, choose, events, eventually, inquireNow, open, standing, untilWebhooks } from "./payer.mjs";
import { LOST, comeBack, notify, operate, reported, sentTo, startWith, till } from "./stub.mjs";

const tabby = new TabbyStub();

const gateway = (endpoint, members = {}) => ({
  code: "tabby", name: { en: "Pay later with Tabby", ar: "ادفع لاحقًا عبر تابي" }, connector: "tabby", pg_name: "tabby", operation: "purchase", currencies: ["KWD"],
  default_currency: "KWD", sandbox: true, operations: ["refund"],
  credentials: { secret_key: KEY, merchant_code: CODE, country: "KW", webhook_secret: SECRET }, endpoint, ...members,
});
const gateways = (endpoint) => [gateway(endpoint), gateway(endpoint, { code: "held", operation: "authorize", operations: ["capture", "refund", "void"] })];
startWith(tabby, gateways);

const PAYER = { customer_first_name: "Noura", customer_last_name: "Al-Sabah", customer_email: "noura@example.com", customer_phone: "+96590000001" };
const sent = (code = "tabby", fields = {}) => sentTo(code, { ...PAYER, ...fields });

/** Tabby is asked after its webhook was answered. */
const untilPaid = (payment) => eventually("paid", async () => (await standing(till, payment)).join() === "paid,success");

/** A payment that was paid on the page, whose payer came back. */
async function paid(code = "tabby", fields = {}) {
  const payment = await sent(code, fields);
  await comeBack(tabby.pay(payment.reference));
  return payment;
}

test("the payer pays on Tabby's page and comes back, the payment is captured, and the merchant learns of it once", async () => {
  const payment = await sent();
  const { amount, currency, buyer, order, urls } = tabby.paymentOf(payment.reference);
  assert.match(payment.page, /^https:\/\/checkout\.tabby\.ai\/\?sessionId=/);
  assert.deepEqual([amount, currency, buyer.phone, buyer.name, urls.success], ["10.250", "KWD", "+96590000001", "Noura Al-Sabah", payment.returns]);
  assert.deepEqual(order.items.map(({ quantity, unit_price }) => [quantity, unit_price]), [[1, "10.250"]]);
  await comeBack(tabby.pay(payment.reference));
  assert.deepEqual(await standing(till, payment), ["paid", "success"]);
  const { id, status, captures } = tabby.paymentOf(payment.reference);
  assert.deepEqual([status, captures.length, captures[0].reference_id], ["CLOSED", 1, payment.reference]);
  const [{ body }] = await untilWebhooks(till, payment);
  assert.deepEqual([body.result, body.state, body.amount], ["success", "paid", "10.250"]);
  const { payment_id, track_id, transaction_id } = reported(body);
  assert.deepEqual([payment_id, track_id, transaction_id], [id, payment.reference, captures[0].id]);
  assert.deepEqual(tabby.refused(), []);
});

test("a payer who leaves the page, and one whom Tabby declines there, can choose again", async () => {
  const left = await sent();
  await comeBack(tabby.leave(left.reference));
  assert.deepEqual((await standing(till, left))[1], "canceled");
  const declined = await sent();
  await comeBack(tabby.reject(declined.reference));
  assert.deepEqual(await standing(till, declined), ["attempted", "failed"]);
  assert.equal((await choose(till, declined, "tabby")).status, 303);
});

test("a payer whom Tabby does not take is not sent anywhere, and the merchant learns why", async () => {
  for (const [fields, reason] of [
    [{ customer_phone: "+96590000002" }, "other"], [{ amount: "5000.010" }, "limit_exceeded"], [{ amount: "0.090" }, "not_permitted"],
  ]) {
    const payment = await open(till, { pg_codes: ["tabby"], ...PAYER, ...fields });
    await choose(till, payment, "tabby");
    assert.deepEqual(await standing(till, payment), ["attempted", "failed"]);
    const [{ body }] = await untilWebhooks(till, payment);
    assert.equal(reported(body).decline_reason, reason);
  }
});

test("a payer who does not come back is found by the webhook, which is only a reason to ask", async () => {
  const payment = await sent();
  tabby.pay(payment.reference);
  const [body, headers] = tabby.webhook(payment.reference);
  for (const given of [{}, { "x-webhook-secret": "another" }]) assertProblem(await notify("tabby", body, given), 401, "signature_invalid");
  assert.deepEqual((await standing(till, payment))[1], "redirected");
  assert.equal((await notify("tabby", body, headers)).status, 200);
  await untilPaid(payment);
  const known = await events(till, payment);
  assert.equal((await notify("tabby", body, headers)).status, 200);
  assert.deepEqual(await events(till, payment), known);
  // What a webhook says is not believed: nobody has paid this one.
  const unpaid = await sent();
  const lie = tabby.webhook(unpaid.reference)[0].replace('"created"', '"closed"');
  assert.equal((await notify("tabby", lie, headers)).status, 200);
  assert.deepEqual(await standing(till, unpaid), ["pending", "redirected"]);
});

for (const by of LOST) {
  test(`a capture whose answer is lost by ${by} is found by the next inquiry, and made once`, async () => {
    const payment = await sent();
    tabby.lost = { by, of: ({ path }) => path.endsWith("/captures") };
    await comeBack(tabby.pay(payment.reference));
    assert.deepEqual(await standing(till, payment), ["pending", "unknown"]);
    tabby.lost = undefined;
    await inquireNow(till, payment);
    assert.deepEqual(await standing(till, payment), ["paid", "success"]);
    assert.equal(tabby.paymentOf(payment.reference).captures.length, 1);
  });

  test(`a page whose address is lost by ${by} is pending, and was never paid`, async () => {
    tabby.lost = { by, of: ({ method, path }) => method === "POST" && path === "/api/v2/checkout" };
    const payment = await open(till, { pg_codes: ["tabby"], ...PAYER });
    await choose(till, payment, "tabby");
    assert.deepEqual(await standing(till, payment), ["pending", "unknown"]);
    tabby.lost = undefined;
    const [{ reference }] = await attempts(till, payment);
    await till.rows("UPDATE attempt SET opened_at = opened_at - 120000 WHERE reference = ?1", reference);
    await inquireNow(till, payment);
    assert.deepEqual(await standing(till, payment), ["attempted", "error"]);
  });

  test(`a refund whose answer is lost by ${by} is made once, and found`, async () => {
    const payment = await paid();
    tabby.lost = { by, of: ({ path }) => path.endsWith("/refunds") };
    const asked = await operate(payment, "refund", { amount: "4.000" });
    assert.deepEqual([asked.status, asked.body.result], [200, "queued"], asked.text);
    tabby.lost = undefined;
    await till.rows("UPDATE child SET inquire_at = 0 WHERE reference = ?1", asked.body.reference_number);
    await till.scheduled();
    const [{ stage }] = await till.rows("SELECT stage FROM child WHERE reference = ?1", asked.body.reference_number);
    assert.deepEqual([stage, tabby.paymentOf(payment.reference).refunds.length], ["done", 1]);
  });
}

test("what is held is captured in part once, which releases the rest, and is refunded in parts", async () => {
  const payment = await paid("held");
  assert.deepEqual(await standing(till, payment), ["authorized", "success"]);
  const part = await operate(payment, "capture", { amount: "6.000" });
  assert.equal(part.status, 200, part.text);
  assert.deepEqual([tabby.paymentOf(payment.reference).status, tabby.ledger(payment.reference).captured], ["CLOSED", 6000]);
  assertProblem(await operate(payment, "capture"), 400, "operation_refused");
  for (const fields of [{ amount: "4.000" }, {}]) assert.equal((await operate(payment, "refund", fields)).status, 200);
  assert.equal(tabby.ledger(payment.reference).refunded, 6000);
  assert.deepEqual(tabby.refused(), []);
});

test("what is held is released by a void", async () => {
  const payment = await paid("held");
  assert.equal((await operate(payment, "void")).status, 200);
  assert.deepEqual(tabby.ledger(payment.reference), { charges: [10_250], captured: 0, refunded: 0, voided: 10_250 });
});

test("the credentials are checked, with the merchant code, without charging", async () => {
  const check = (code) => till.operator(`/merchants/${till.merchant.merchant_id}/gateways/${code}/check/`, { method: "POST" });
  assert.equal((await check("tabby")).body.result, "accepted");
});
