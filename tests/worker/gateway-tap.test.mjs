/** Tap end to end over HTTP: its page, Google Pay, saved cards, operations and webhooks, against a stub. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertProblem, attempts, choose, eventually, inquireNow, open, post, standing, untilWebhooks, webhooks } from "./payer.mjs";
import { LOST, comeBack, operate, reported, sentTo, startWith, till } from "./stub.mjs";
import { KEY, TapStub } from "./tap-stub.mjs";
import { payByWallet } from "./wallets.mjs";

const tap = new TapStub();
const gateway = (endpoint, members = {}) => ({
  code: "tap", name: { en: "Card", ar: "بطاقة" }, connector: "tap", pg_name: "tap", operation: "purchase", currencies: ["KWD"], sandbox: true,
  tokenization: true, auto_debit: true, wallets: ["google_pay"],
  google_pay: { environment: "TEST", gateway: "tappayments", gateway_merchant_id: "599424", merchant_id: "12345678901234567890", merchant_name: "Shop" },
  credentials: { secret_key: KEY }, endpoint, ...members,
});
startWith(tap, (endpoint) => [
  gateway(endpoint),
  gateway(endpoint, { code: "knet-at-tap", credentials: { secret_key: KEY, source: "src_kw.knet", merchant_id: "599424" }, wallets: [], google_pay: undefined, tokenization: false, auto_debit: false }),
  gateway(endpoint, { code: "held", operation: "authorize", wallets: [], google_pay: undefined, tokenization: false, auto_debit: false }),
]);

const google = (behaviour) => JSON.stringify({
  apiVersion: 2, apiVersionMinor: 0, paymentMethodData: { type: "CARD", tokenizationData: { type: "PAYMENT_GATEWAY", token: JSON.stringify({ protocolVersion: "ECv2", behaviour }) } },
});
const requestsOf = (reference) => tap.requests.filter(({ body }) => body.includes(reference)).map(({ path, body }) => [path, JSON.parse(body)]);
/** Tap posts at the address that it was given with the charge or the refund. */
const notify = (reference, [body, headers] = tap.webhook(reference)) =>
  till.call(`/b/gw/v1/callback/${reference}/`, { method: "POST", headers: { "content-type": "application/json", ...headers }, body });

async function paid(pg_code = "tap", fields = {}) {
  const payment = await sentTo(pg_code, fields);
  await comeBack(tap.pay(payment.reference));
  return payment;
}

test("the payer pays on Tap's page and comes back, and the merchant learns of it once", async () => {
  const payment = await sentTo("tap", { language: "ar" });
  const [[path, body]] = requestsOf(payment.reference);
  assert.deepEqual([path, body.amount, body.currency, body.source.id, body.redirect.url], ["/v2/charges/", 10.25, "KWD", "src_all", payment.returns]);
  assert.equal(new URL(await comeBack(tap.pay(payment.reference))).pathname, "/sandbox/shop/");
  assert.deepEqual(await standing(till, payment), ["paid", "success"]);
  const received = await untilWebhooks(till, payment);
  const { result, amount } = received[0].body;
  assert.deepEqual([received.length, result, amount], [1, "success", "10.250"]);
  const data = reported(received[0].body);
  assert.deepEqual([data.auth_code, data.result, data.track_id], ["157811", "CAPTURED", payment.reference]);
});

test("a gateway with a source opens the page of that method, for its merchant", async () => {
  const payment = await sentTo("knet-at-tap");
  const [[, { source, merchant }]] = requestsOf(payment.reference);
  assert.deepEqual([source.id, merchant.id], ["src_kw.knet", "599424"]);
});

test("a payer who gives up, and a card that is declined, do not pay, and the merchant learns why", async () => {
  const left = await sentTo("tap");
  await comeBack(tap.leave(left.reference));
  assert.deepEqual(await standing(till, left), ["attempted", "canceled"]);
  const declined = await sentTo("tap");
  await comeBack(tap.pay(declined.reference, "DECLINED"));
  assert.deepEqual(await standing(till, declined), ["attempted", "failed"]);
  const [{ body }] = await untilWebhooks(till, declined);
  assert.deepEqual([reported(body).decline_reason, reported(body).decline_code], ["insufficient_funds", "505"]);
});

test("a signed webhook leads to the outcome, and one that is not signed so is refused", async () => {
  const payment = await sentTo("tap");
  tap.pay(payment.reference);
  const [body, headers] = tap.webhook(payment.reference);
  for (const [given, signature] of [
    [body, "0".repeat(64)], [body, undefined], [body.replace('"amount":10.25', '"amount":1'), headers.hashstring], tap.webhook(payment.reference, "sk_test_of_a_thief").map((one) => one.hashstring ?? one),
  ]) {
    assertProblem(await notify(payment.reference, [given, signature ? { hashstring: signature } : {}]), 401, "signature_invalid");
  }
  assert.equal((await standing(till, payment))[1], "redirected");
  for (let time = 0; time < 2; time += 1) assert.equal((await notify(payment.reference)).status, 200);
  await eventually("paid", async () => (await standing(till, payment))[0] === "paid");
});

test("what is not signed of a webhook is not believed", async () => {
  const [paidFor, other] = [await paid(), await sentTo("tap")];
  const [body, headers] = tap.webhook(paidFor.reference);
  // The signature covers no reference of ours: a webhook about one charge is sent to the address of another.
  const forged = body.replaceAll(paidFor.reference, other.reference);
  assert.equal((await notify(other.reference, [forged, headers])).status, 200);
  await inquireNow(till, other);
  assert.equal((await standing(till, other))[0], "pending");
});

for (const by of LOST) {
  test(`a charge whose answer was lost by ${by} is found on the list`, async () => {
    const payment = await open(till, { pg_codes: ["tap"] });
    tap.lost = { by, of: ({ path }) => path === "/v2/charges/" };
    const { body } = await payByWallet(till, payment, { wallet: "google-pay", payload: google("approve") });
    assert.ok(["pending", "success"].includes(body.result), JSON.stringify(body));
    tap.lost = undefined;
    await inquireNow(till, payment);
    assert.deepEqual(await standing(till, payment), ["paid", "success"]);
    const [{ reference }] = await attempts(till, payment);
    assert.deepEqual(tap.ledger(reference).charges, [10_250]);
  });
}

test("what is held is captured in part once, and its refund is one of the capture", async () => {
  const payment = await paid("held");
  assert.deepEqual(await standing(till, payment), ["authorized", "success"]);
  assert.equal((await operate(payment, "capture", { amount: "6.000" })).status, 200);
  tap.refundsLater = true;
  const refund = await operate(payment, "refund", { amount: "2.000" });
  tap.refundsLater = false;
  assert.equal(refund.status, 200, refund.text);
  assert.deepEqual([refund.body.result, tap.ledger(payment.reference)], ["queued", { charges: [10_250], captured: 6000, refunded: 2000, voided: 0 }]);
  assert.equal((await notify(refund.body.reference_number)).status, 200);
  await eventually("the refund", async () => (await till.retrieve(payment.session_id)).body.refunded_amount === "2.000");
});

test("what is held is voided", async () => {
  const payment = await paid("held");
  const done = await operate(payment, "void");
  assert.deepEqual([done.status, done.body.result], [200, "success"], done.text);
  assert.equal(tap.ledger(payment.reference).voided, 10_250);
});

test("a card is saved with a payment and charged with and without the payer", async () => {
  const opened = await open(till, { pg_codes: ["tap"], customer_id: "customer-1", customer_phone: "+96550001234" });
  const sent = await post(till, "/b/checkout/redirect/pay/", { session_id: opened.session_id, pg_code: "tap", save_card: "true" });
  assert.equal(sent.status, 303, sent.text);
  const [{ reference }] = await attempts(till, opened);
  await comeBack(tap.pay(reference));
  const { body: { token: { token } } } = await eventually("the card", async () => (await webhooks(till, opened)).find(({ body }) => body.token));
  const call = (path, payment) => till.call(path, { method: "POST", headers: till.privateKey(), json: { session_id: payment.session_id, token } });
  const byPayer = await open(till, { pg_codes: ["tap"], customer_id: "customer-1" });
  const withPayer = await call("/b/checkout/api/sdk/v1/submit-token/", byPayer);
  assert.equal(withPayer.body.status, "success", withPayer.text);
  const byMerchant = await open(till, { pg_codes: ["tap"], customer_id: "customer-1" });
  const without = await call("/b/pbl/v2/payment/auto-debit/", byMerchant);
  assert.deepEqual([without.status, without.body.result], [200, "success"], without.text);
  for (const [payment, isOfPayer] of [[byPayer, true], [byMerchant, false]]) {
    const [{ reference: own }] = await attempts(till, payment);
    const [, body] = requestsOf(own).find(([path]) => path === "/v2/charges/");
    assert.deepEqual([body.customer_initiated, body.threeDSecure, body.payment_agreement !== undefined], [isOfPayer, isOfPayer, !isOfPayer]);
  }
});

test("a payer whose number is not known pays, and the card is not saved", async () => {
  const opened = await open(till, { pg_codes: ["tap"], customer_id: "customer-2", customer_phone: "" });
  const sent = await post(till, "/b/checkout/redirect/pay/", { session_id: opened.session_id, pg_code: "tap", save_card: "true" });
  assert.equal(sent.status, 303, sent.text);
  const [{ reference }] = await attempts(till, opened);
  assert.equal(requestsOf(reference)[0][1].save_card, false);
  await comeBack(tap.pay(reference));
  assert.deepEqual(await standing(till, opened), ["paid", "success"]);
});

test("Tap refused none of all these requests", () => {
  assert.deepEqual(tap.refused().filter(({ text }) => !text.includes("not found")).map(({ path, text }) => [path, text]), []);
});
