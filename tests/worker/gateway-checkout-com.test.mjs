/** Checkout.com end to end over HTTP: pages, wallets, saved cards, operations by their actions and webhooks, against a stub. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { CheckoutComStub, KEY, PREFIX, PUBLIC_KEY, SECRET } from "./checkout-com-stub.mjs";
import { assertProblem, attempts, events, eventually, inquireNow, open, openPage, standing, untilWebhooks } from "./payer.mjs";
import { LOST, comeBack, notify, operate, reported, sentTo, startWith, till } from "./stub.mjs";
import { payByWallet } from "./wallets.mjs";

const stub = new CheckoutComStub();
const gateway = (origin, members = {}) => ({
  code: "checkout", name: { en: "Card", ar: "بطاقة" }, connector: "checkout_com", pg_name: "checkout_com", operation: "purchase", currencies: ["KWD"], sandbox: true,
  wallets: ["google_pay"],
  google_pay: { environment: "TEST", gateway: "checkoutltd", gateway_merchant_id: PUBLIC_KEY, merchant_id: "12345678901234567890", merchant_name: "Shop" },
  credentials: { secret_key: KEY, public_key: PUBLIC_KEY, prefix: PREFIX, webhook_secret: SECRET }, endpoint: origin, ...members,
});
const credentials = { secret_key: KEY, prefix: PREFIX };
const gateways = (origin) => [
  gateway(origin),
  gateway(origin, { code: "knet", pg_name: "knet", wallets: [], google_pay: undefined, credentials: { ...credentials, payment_methods: "knet" } }),
  gateway(origin, { code: "held", operation: "authorize", wallets: [], google_pay: undefined }),
];
startWith(stub, gateways);

const google = (token) => JSON.stringify({
  apiVersion: 2, apiVersionMinor: 0, paymentMethodData: { type: "CARD", tokenizationData: { type: "PAYMENT_GATEWAY", token: JSON.stringify(token) } },
});
const payGoogle = (payment, token = { protocolVersion: "ECv2" }) => payByWallet(till, payment, { wallet: "google-pay", payload: google(token) });

async function paid(pg_code = "checkout") {
  const payment = await sentTo(pg_code);
  await comeBack(stub.pay(payment.reference));
  return payment;
}

const stageOf = async (reference) => (await till.rows("SELECT stage FROM child WHERE reference = ?1", reference))[0]?.stage;
/** The gateway is asked after its event was answered. */
const isDone = (reference) => eventually("done", async () => (await stageOf(reference)) === "done");
const accepted = async (pg_code, [body, headers]) => assert.equal((await notify(pg_code, body, headers)).status, 200);

test("the payer pays on the page, and the merchant is notified once", async () => {
  const payment = await sentTo("checkout");
  const { request, id } = stub.pageOf(payment.reference);
  assert.equal(payment.page, `${stub.origin}/page/${id}`);
  assert.deepEqual([request.amount, request.currency, request.success_url, request.billing.address.country.length], [10_250, "KWD", payment.returns, 2]);
  await comeBack(stub.pay(payment.reference));
  assert.deepEqual(await standing(till, payment), ["paid", "success"]);
  for (let time = 0; time < 2; time += 1) await accepted("checkout", stub.event("payment_approved", payment.reference));
  const received = await untilWebhooks(till, payment, 1);
  assert.deepEqual(received.map(({ body: { result, amount } }) => [result, amount]), [["success", "10.250"]]);
  assert.equal(reported(received[0].body).track_id, payment.reference);
  assert.deepEqual(stub.refused(), []);
});

test("a payer whose card is declined on the page can try again there, and comes back to another method", async () => {
  const payment = await sentTo("checkout", { pg_codes: ["checkout", "held"] });
  await comeBack(stub.pay(payment.reference, undefined, "funds"));
  assert.equal((await standing(till, payment))[0], "pending");
  await comeBack(stub.pay(payment.reference));
  assert.deepEqual(await standing(till, payment), ["paid", "success"]);
});

test("a page that expired after a decline says why", async () => {
  const payment = await sentTo("checkout");
  stub.pay(payment.reference, undefined, "funds");
  stub.pageOf(payment.reference).closesAt = 0;
  await comeBack(payment.returns);
  assert.deepEqual(await standing(till, payment), ["attempted", "failed"]);
  const [{ body }] = await untilWebhooks(till, payment);
  assert.deepEqual([body.result, reported(body).decline_reason], ["failed", "insufficient_funds"]);
});

test("a gateway can be limited to one method of the account", async () => {
  const payment = await sentTo("knet");
  assert.deepEqual(stub.pageOf(payment.reference).request.allow_payment_methods, ["knet"]);
  await comeBack(stub.pay(payment.reference));
  assert.deepEqual(await standing(till, payment), ["paid", "success"]);
});

test("a card without enough money says why to the merchant and to the payer in both languages", async () => {
  for (const [language, sentence] of [["en", "There is not enough money on the card"], ["ar", "الرصيد في البطاقة غير كافٍ"]]) {
    const payment = await open(till, { pg_codes: ["checkout"], language });
    await payGoogle(payment, { plan: "funds" });
    assert.deepEqual(await standing(till, payment), ["attempted", "failed"]);
    const [{ body }] = await untilWebhooks(till, payment);
    assert.deepEqual([body.result, reported(body).decline_reason], ["failed", "insufficient_funds"]);
    assert.ok((await openPage(till, payment)).text.includes(sentence));
  }
});

test("a card number that Google Pay gives goes to the bank's page, and the payment is known when the payer comes back", async () => {
  const payment = await open(till, { pg_codes: ["checkout"] });
  const answer = await payGoogle(payment, { plan: "challenge" });
  assert.ok(answer.body.redirect_url.startsWith(`${stub.origin}/sessions-interceptor/sid_`), answer.text);
  const [{ reference }] = await attempts(till, payment);
  await comeBack(stub.authenticate(reference));
  assert.deepEqual(await standing(till, payment), ["paid", "success"]);
});

for (const by of LOST) {
  test(`a charge whose answer is lost by ${by} is found by its reference`, async () => {
    stub.lost = { by, of: ({ method, path }) => method === "POST" && path === "/payments" };
    const payment = await open(till, { pg_codes: ["checkout"] });
    await payGoogle(payment);
    stub.lost = undefined;
    await inquireNow(till, payment);
    assert.deepEqual(await standing(till, payment), ["paid", "success"]);
    const [{ reference }] = await attempts(till, payment);
    assert.deepEqual(stub.ledger(reference).charges, [10_250]);
  });
}

test("an operation is queued until its action is decided", async () => {
  const payment = await paid();
  stub.isSlow = true;
  const asked = await operate(payment, "refund", { amount: "4.000" });
  assert.deepEqual([asked.status, asked.body.result], [200, "queued"], asked.text);
  const { reference_number: refund } = asked.body;
  await accepted("checkout", stub.event("payment_refund_pending", refund));
  assert.equal(await stageOf(refund), "queued");
  stub.settle();
  stub.isSlow = false;
  await accepted("checkout", stub.event("payment_refunded", refund));
  await isDone(refund);
});

test("a refund that the bank declines is rejected, and one that it takes back later is for a person", async () => {
  const payment = await paid();
  stub.declines.add("Refund");
  const { body: { reference_number: refund } } = await operate(payment, "refund", { amount: "4.000" });
  await accepted("checkout", stub.event("payment_refund_declined", refund));
  stub.declines.clear();
  assert.equal(await stageOf(refund), "rejected");
  const { body: { reference_number: second } } = await operate(payment, "refund", { amount: "4.000" });
  await accepted("checkout", stub.event("payment_refunded", second));
  await isDone(second);
  await accepted("checkout", stub.event("payment_refund_declined", second, { response_summary: "Insufficient balance" }));
  const [entry] = await till.rows("SELECT reason, detail FROM attention WHERE reference = ?1", second);
  assert.deepEqual([await stageOf(second), entry.reason], ["done", "taken_back"]);
});

test("the collection of a payment that fails later is for a person", async () => {
  const payment = await paid();
  await accepted("checkout", stub.event("payment_capture_declined", payment.reference, { response_summary: "Acquirer error" }));
  const [entry] = await till.rows("SELECT reason, detail FROM attention WHERE reference = ?1", payment.reference);
  assert.equal(entry.reason, "taken_back");
  assert.match(entry.detail, /Acquirer error/);
  assert.deepEqual(await standing(till, payment), ["paid", "success"]);
});

test("a dispute is asked for, shown to a person and sent to the merchant, and so is each change of it, whatever the order of events", async () => {
  const payment = await paid();
  const dispute = stub.dispute(payment.reference);
  const entry = async () => (await till.rows("SELECT reason, detail, closed_at FROM attention WHERE reference = ?1", payment.reference))[0];
  const sent = async (count) => (await untilWebhooks(till, payment, count)).map(({ body }) => body.dispute?.status);
  for (let time = 0; time < 2; time += 1) await accepted("checkout", stub.disputeEvent("dispute_evidence_required", dispute));
  assert.deepEqual(await sent(2), [undefined, "needs_answer"], "twice the same is once");
  assert.deepEqual((await entry()).reason, "disputed");
  assert.match((await entry()).detail, /dispute_needs_answer.*10\.250 KWD.*fraudulent 10\.4.*2027-01-06T18:00:00Z/);
  await till.rows("UPDATE attention SET closed_at = 1, how = 'dismiss' WHERE reference = ?1", payment.reference);
  // The event is older than what the gateway says.
  stub.dispute(payment.reference, { id: dispute, status: "won", evidence_required_by: undefined });
  await accepted("checkout", stub.disputeEvent("dispute_evidence_submitted", dispute));
  await accepted("checkout", stub.disputeEvent("dispute_won", dispute));
  await accepted("checkout", stub.disputeEvent("dispute_evidence_required", dispute));
  const webhooks = await untilWebhooks(till, payment, 3);
  const { body } = webhooks.at(-1);
  assert.deepEqual(body.dispute, { amount: "10.250", currency_code: "KWD", id: dispute, reason: "fraudulent 10.4", status: "won" });
  assert.deepEqual([body.state, body.result, webhooks.length], ["paid", "success", 3]);
  const { detail, closed_at } = await entry();
  assert.deepEqual([closed_at, /dispute_won/.test(detail)], [null, true]);
  assert.deepEqual(await standing(till, payment), ["paid", "success"]);
});

test("a dispute that comes before the outcome is known makes the payment known first", async () => {
  const payment = await sentTo("checkout");
  stub.pay(payment.reference);
  await accepted("checkout", stub.disputeEvent("dispute_received", stub.dispute(payment.reference)));
  assert.deepEqual(await standing(till, payment), ["paid", "success"]);
  const sent = (await untilWebhooks(till, payment, 2)).map(({ body }) => [body.sequence, body.state, body.dispute?.status]);
  assert.deepEqual(sent.sort(([first], [second]) => first - second).map(([, ...rest]) => rest), [["paid", undefined], ["paid", "needs_answer"]]);
});

test("a dispute that the gateway does not show is not believed, and the gateway reports again", async () => {
  const payment = await paid();
  const dispute = stub.dispute(payment.reference);
  const event = stub.disputeEvent("dispute_lost", dispute);
  stub.disputes.clear();
  assertProblem(await notify("checkout", ...event), 503, "unavailable");
  stub.dispute(payment.reference, { id: dispute, payment_reference: "order 5023" });
  await accepted("checkout", event);
  assert.deepEqual(await till.rows("SELECT reason FROM attention WHERE reference = ?1", payment.reference), []);
  const [body] = event;
  assert.equal((await notify("checkout", body, { "cko-signature": "00" })).status, 401);
});

test("what is held is captured in parts and the rest is released", async () => {
  const payment = await paid("held");
  assert.deepEqual(await standing(till, payment), ["authorized", "success"]);
  assert.deepEqual(stub.pageOf(payment.reference).request.allow_payment_methods, ["card"]);
  const { body: { reference_number: part } } = await operate(payment, "capture", { amount: "6.000" });
  await accepted("held", stub.event("payment_captured", part));
  await isDone(part);
  assert.deepEqual(stub.ledger(payment.reference), { charges: [10_250], captured: 6_000, refunded: 0, voided: 0 });
  const { body: { reference_number: rest } } = await operate(payment, "capture");
  await accepted("held", stub.event("payment_captured", rest));
  await isDone(rest);
  assert.equal(stub.ledger(payment.reference).captured, 10_250);
});

test("a webhook with a wrong signature or a changed amount is refused and changes nothing", async () => {
  const payment = await sentTo("checkout");
  stub.pay(payment.reference);
  const known = await events(till, payment);
  const [body, headers] = stub.event("payment_approved", payment.reference);
  const [, wrong] = stub.event("payment_approved", payment.reference, {}, "another key");
  for (const [text, given] of [[body, wrong], [body, {}], [body.replace("10250", "1"), headers], ["{}", headers]]) {
    assertProblem(await notify("checkout", text, given), 401, "signature_invalid");
  }
  assert.deepEqual(await events(till, payment), known);
  await accepted("checkout", [body, headers]);
  await eventually("paid", async () => (await standing(till, payment))[0] === "paid");
});

test("a webhook about a charge of another merchant changes nothing there", async () => {
  const owner = till.merchant;
  const payment = await sentTo("checkout");
  stub.pay(payment.reference);
  const known = await events(till, payment);
  const other = await till.createMerchant({ gateways: gateways(stub.origin) });
  till.merchant = owner;
  const [body, headers] = stub.event("payment_approved", payment.reference);
  assert.equal((await notify("checkout", body, headers, other)).status, 200);
  assert.deepEqual(await events(till, payment), known);
});

test("the credentials are checked without charging", async () => {
  const path = `/merchants/${till.merchant.merchant_id}/gateways/checkout/check/`;
  const checked = await till.operator(path, { method: "POST", json: {} });
  assert.deepEqual([checked.status, checked.body.result], [200, "accepted"], checked.text);
});
