/** Mastercard Gateway end to end over HTTP: hosted checkout, Google Pay, operations and notifications, against a stub. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { MERCHANT, MpgsStub, PASSWORD, SECRET } from "./mpgs-stub.mjs";
import { assertProblem, attempts, choose, events, eventually, inquireNow, open, openPage, post, standing, untilWebhooks } from "./payer.mjs";
import { LOST, comeBack, operate, reported, sentTo, startWith, till } from "./stub.mjs";
import { payByWallet } from "./wallets.mjs";

const mpgs = new MpgsStub();
const gateway = (endpoint, members = {}) => ({
  code: "cards", name: { en: "Card", ar: "بطاقة" }, connector: "mpgs", pg_name: "mpgs", operation: "purchase", currencies: ["KWD"], sandbox: true,
  wallets: ["google_pay"],
  google_pay: { environment: "TEST", gateway: "mpgs", gateway_merchant_id: MERCHANT, merchant_id: "12345678901234567890", merchant_name: "Shop" },
  credentials: { merchant_id: MERCHANT, password: PASSWORD, notification_secret: SECRET }, endpoint, ...members,
});
startWith(mpgs, (endpoint) => [
  gateway(endpoint),
  gateway(endpoint, { code: "saving", wallets: [], google_pay: undefined, tokenization: true, auto_debit: true }),
  gateway(endpoint, { code: "held", operation: "authorize", wallets: [], google_pay: undefined }),
]);

const google = (token) => JSON.stringify({
  apiVersion: 2, apiVersionMinor: 0, paymentMethodData: { type: "CARD", tokenizationData: { type: "PAYMENT_GATEWAY", token: JSON.stringify(token) } },
});
const payGoogle = (payment, token = { protocolVersion: "ECv2" }) => payByWallet(till, payment, { wallet: "google-pay", payload: google(token) });
/** The gateway notifies at the address that it was given with the order. */
const notify = (reference, headers, body = { order: { id: reference }, transaction: { id: "1", type: "PAYMENT" } }) =>
  till.call(`/b/gw/v1/callback/${reference}/`, { method: "POST", headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) });

async function paid(pg_code = "cards") {
  const payment = await sentTo(pg_code);
  await comeBack(mpgs.pay(payment.reference));
  return payment;
}

test("the payer pays on the bank's page and comes back, and the merchant learns of it once", async () => {
  const payment = await sentTo("cards", { language: "ar" });
  const page = mpgs.page(payment.reference);
  assert.deepEqual([payment.page, page.returns, page.locale], [page.url, payment.returns, "ar"]);
  const landed = await comeBack(mpgs.pay(payment.reference));
  assert.equal(new URL(landed).pathname, "/sandbox/shop/");
  assert.deepEqual(await standing(till, payment), ["paid", "success"]);
  const received = await untilWebhooks(till, payment);
  const { result, amount, pg_params } = received[0].body;
  assert.deepEqual([received.length, result, amount], [1, "success", "10.250"]);
  const data = reported({ pg_params });
  assert.deepEqual([data.auth_code, data.card_number, data.full_card_expiry, data.track_id], ["B24047", "512345******0008", "01/39", payment.reference]);
});

test("the bank gets the billing address that the merchant gives, with its own code of the country", async () => {
  const billing_address = { line1: "Gulf Road", line2: "Block 2", city: "Kuwait City", country: "KW", postal_code: "13001" };
  const opened = async (fields) => {
    const { reference } = await sentTo("cards", fields);
    return mpgs.requests.map(({ body }) => body && JSON.parse(body)).find((body) => body && body.order?.id === reference);
  };
  const { billing } = await opened({ billing_address });
  assert.deepEqual(billing, { address: { street: "Gulf Road", street2: "Block 2", city: "Kuwait City", postcodeZip: "13001", country: "KWT" } });
  assert.equal((await opened({})).billing, undefined);
});

test("a card without enough money says why to the merchant and to the payer in both languages", async () => {
  for (const [language, sentence] of [["en", "There is not enough money on the card"], ["ar", "الرصيد في البطاقة غير كافٍ"]]) {
    const payment = await open(till, { pg_codes: ["cards"], language });
    await payGoogle(payment, { declined: "INSUFFICIENT_FUNDS" });
    assert.deepEqual(await standing(till, payment), ["attempted", "failed"]);
    const [{ body }] = await untilWebhooks(till, payment);
    assert.deepEqual([body.result, reported(body).decline_reason], ["failed", "insufficient_funds"]);
    assert.ok((await openPage(till, payment)).text.includes(sentence));
  }
});

for (const by of LOST) {
  test(`a charge whose answer is lost by ${by} is pending, and the next inquiry finds it`, async () => {
    mpgs.lost = { by, of: ({ method }) => method === "PUT" };
    const payment = await open(till, { pg_codes: ["cards"] });
    await payGoogle(payment);
    assert.deepEqual(await standing(till, payment), ["pending", "unknown"]);
    mpgs.lost = undefined;
    await inquireNow(till, payment);
    assert.deepEqual(await standing(till, payment), ["paid", "success"]);
    const [{ reference }] = await attempts(till, payment);
    assert.equal(mpgs.taken(reference), 1);
  });

  test(`an inquiry that is lost by ${by} leaves the payment pending until the next`, async () => {
    const payment = await sentTo("cards");
    mpgs.lost = { by, of: ({ method }) => method === "GET" };
    await comeBack(mpgs.pay(payment.reference));
    assert.deepEqual(await standing(till, payment), ["pending", "unknown"]);
    mpgs.lost = undefined;
    await inquireNow(till, payment);
    assert.deepEqual(await standing(till, payment), ["paid", "success"]);
  });
}

test("a payment is paid although the question about its card stays without an answer", async () => {
  const payment = await open(till, { pg_codes: ["saving"], customer_id: "customer-1" });
  const sent = await post(till, "/b/checkout/redirect/pay/", { session_id: payment.session_id, pg_code: "saving", save_card: "true" });
  assert.equal(sent.status, 303, sent.text);
  const [{ reference }] = await attempts(till, payment);
  mpgs.lost = { by: "a closed connection", of: ({ path }) => path.endsWith("/token") };
  await comeBack(mpgs.pay(reference));
  mpgs.lost = undefined;
  assert.deepEqual(await standing(till, payment), ["paid", "success"]);
  assert.ok(mpgs.requests.some(({ path }) => path.endsWith("/token")), "it was asked");
});

test("a payer who pays at the second try on the bank's page has paid", async () => {
  const payment = await sentTo("cards");
  mpgs.pay(payment.reference, "DECLINED");
  await inquireNow(till, payment);
  assert.deepEqual(await standing(till, payment), ["pending", "redirected"]);
  await comeBack(mpgs.pay(payment.reference));
  assert.deepEqual(await standing(till, payment), ["paid", "success"]);
});

test("what is held is captured in parts, and what was captured is refunded", async () => {
  const payment = await paid("held");
  assert.deepEqual(await standing(till, payment), ["authorized", "success"]);
  for (const [operation, amount] of [["capture", "6.000"], ["capture", "2.000"], ["refund", "3.000"]]) {
    const done = await operate(payment, operation, { amount });
    assert.deepEqual([done.status, done.body.result, done.body.txn?.amount], [200, "success", amount], done.text);
  }
  const moved = mpgs.orders.get(payment.reference).transactions.map(({ type, amount }) => `${type} ${amount}`);
  assert.deepEqual(moved, ["AUTHORIZATION 10.250", "CAPTURE 6.000", "CAPTURE 2.000", "REFUND 3.000"]);
});

test("a refund whose answer is lost is found and done once", async () => {
  const payment = await paid();
  mpgs.lost = { by: "a closed connection", of: ({ body }) => body.includes("REFUND") };
  const lost = await operate(payment, "refund", { amount: "1.000" });
  assert.notEqual(lost.body.result, "failed", lost.text);
  mpgs.lost = undefined;
  await till.rows("UPDATE child SET inquire_at = 0 WHERE parent_id = ?1 AND inquire_at IS NOT NULL", payment.session_id);
  await till.scheduled();
  const [{ stage }] = await till.rows("SELECT stage FROM child WHERE parent_id = ?1", payment.session_id);
  assert.equal(stage, "done");
  assert.equal(mpgs.orders.get(payment.reference).transactions.filter(({ type }) => type === "REFUND").length, 1);
});

test("a notification without the secret changes nothing, and a genuine one settles once", async () => {
  const payment = await sentTo("cards");
  mpgs.pay(payment.reference);
  const known = await events(till, payment);
  for (const headers of [{}, { "x-notification-secret": "0".repeat(32) }]) {
    assertProblem(await notify(payment.reference, headers), 401, "signature_invalid");
  }
  assert.deepEqual(await events(till, payment), known);
  for (let time = 0; time < 2; time += 1) assert.equal((await notify(payment.reference, { "x-notification-secret": SECRET })).status, 200);
  await eventually("paid", async () => (await standing(till, payment))[1] === "success");
  assert.equal((await untilWebhooks(till, payment)).length, 1);
});

test("a page that cannot be opened lets the payer choose again", async () => {
  mpgs.lost = { by: "500", of: ({ path }) => path.endsWith("/session") };
  const payment = await open(till, { pg_codes: ["cards"] });
  await choose(till, payment, "cards");
  assert.deepEqual(await standing(till, payment), ["attempted", "error"]);
  mpgs.lost = undefined;
  assert.equal((await choose(till, payment, "cards")).status, 303);
});
