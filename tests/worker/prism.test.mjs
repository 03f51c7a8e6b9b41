/**
 * Adyen's connector against Prism, which we did not write, over Adyen's own description of Checkout: what the description
 * does not permit is refused with 422, and what it permits is answered with Adyen's examples. The state that Prism lacks is
 * added by scripts/counterparty/adyen-page.mjs.
 */
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { AdyenPage } from "../../scripts/counterparty/adyen-page.mjs";
import { reasonToSkip, startPrism } from "../../scripts/counterparty/programs.mjs";
import { attempts, choose, eventually, open, standing, untilWebhooks } from "./payer.mjs";
import { comeBack, operate, sentTo, startWith, till } from "./stub.mjs";
import { payByWallet } from "./wallets.mjs";

const skip = reasonToSkip("adyen");
const ACCOUNT = "ShopECOM";
const KEY = "AQE_key_of_prism";
const HMAC_KEY = "44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056";

/** Prism with the state in front of it. */
class Counterparty extends AdyenPage {
  async listen() {
    this.prism = await startPrism();
    this.target = this.prism.origin;
    return super.listen();
  }

  async close() {
    await super.close();
    await this.prism.stop();
  }
}

const adyen = new Counterparty();
const gateway = (endpoint, members = {}) => ({
  code: "adyen", name: { en: "Card", ar: "بطاقة" }, connector: "adyen", pg_name: "adyen", operation: "purchase", currencies: ["KWD"], sandbox: true,
  tokenization: true, auto_debit: true, wallets: ["apple_pay", "google_pay"], apple_pay: { merchant_id: "merchant.com.example", shop_name: "Shop" },
  google_pay: { environment: "TEST", gateway: "adyen", gateway_merchant_id: ACCOUNT, merchant_id: "12345678901234567890", merchant_name: "Shop" },
  credentials: { api_key: KEY, merchant_account: ACCOUNT, hmac_key: HMAC_KEY }, endpoint, ...members,
});

if (!skip) {
  startWith(adyen, (origin) => [
    gateway(origin),
    gateway(origin, { code: "held", operation: "authorize", tokenization: false, auto_debit: false, wallets: [], google_pay: undefined, apple_pay: undefined }),
    // Nothing is between the Worker and Prism here: the answers are Adyen's examples as they are.
    gateway(adyen.target, { code: "examples", tokenization: false, auto_debit: false, apple_pay: undefined, wallets: ["google_pay"] }),
  ]);
  beforeEach(() => adyen.sendEvents(`${till.url}/b/gw/v1/account/${till.merchant.merchant_id}/adyen/`, HMAC_KEY, ACCOUNT));
}

/** A person's choice on the page of a link. */
const onPage = (page, choice) => fetch(page, { method: "POST", redirect: "manual", body: new URLSearchParams({ choice }) });
const until = (payment, ...wanted) =>
  eventually(`${wanted}`, async () => JSON.stringify(await standing(till, payment)) === JSON.stringify(wanted), 10_000);
const PAYER = {
  customer_first_name: "Noura", customer_last_name: "Al-Sabah", customer_email: "noura@example.com", customer_phone: "+96550000000", language: "ar",
  billing_address: { country: "KW", city: "Kuwait City", line1: "Block 1", line2: "Street 2", postcode: "13001" },
};

async function paid(pg_code = "adyen", fields = {}) {
  adyen.sendEvents(`${till.url}/b/gw/v1/account/${till.merchant.merchant_id}/${pg_code}/`, HMAC_KEY, ACCOUNT);
  const payment = await sentTo(pg_code, fields);
  await comeBack((await onPage(payment.page, "pay")).headers.get("location"));
  await until(payment, pg_code === "held" ? "authorized" : "paid", "success");
  return payment;
}
const childOf = async (reference) => (await till.rows("SELECT stage FROM child WHERE reference = ?1", reference))[0].stage;

test("a link that the description permits is paid, and its webhook is accepted", { skip }, async () => {
  for (const fields of [{}, PAYER]) {
    const payment = await paid("adyen", fields);
    const link = adyen.linkOf(payment.reference);
    assert.deepEqual([link.amount, link.merchantAccount], [{ currency: "KWD", value: 10_250 }, ACCOUNT]);
  }
  assert.deepEqual(adyen.reported.map(({ status }) => status), [200, 200]);
});

test("a refused card leaves the link open, and a payer who leaves closes it", { skip }, async () => {
  const payment = await sentTo("adyen", { pg_codes: ["adyen", "held"] });
  assert.equal((await onPage(payment.page, "refuse")).status, 200);
  await eventually("the webhook arrived", () => adyen.reported.length > 2, 10_000);
  assert.deepEqual(await standing(till, payment), ["pending", "redirected"]);
  assert.equal((await choose(till, payment, "held")).status, 303);
  assert.equal(adyen.linkOf(payment.reference).status, "expired");
  assert.deepEqual(await standing(till, payment), ["pending", "canceled", "redirected"]);
});

test("refunds, captures and cancellations that the description permits are done when their webhooks come", { skip }, async () => {
  const purchase = await paid();
  const cases = [[purchase, "refund", { amount: "4.000" }], [await paid("held"), "capture", { amount: "6.000" }], [await paid("held"), "void", {}]];
  for (const [payment, operation, fields] of cases) {
    const { pg_code } = (await attempts(till, payment))[0];
    adyen.sendEvents(`${till.url}/b/gw/v1/account/${till.merchant.merchant_id}/${pg_code}/`, HMAC_KEY, ACCOUNT);
    const { status, body, text } = await operate(payment, operation, fields);
    assert.deepEqual([status, body.result], [200, "queued"], text);
    await eventually(operation, async () => (await childOf(body.reference_number)) === "done", 10_000);
  }
});

const APPLE = JSON.stringify({
  paymentData: { version: "EC_v1", data: "AA==", signature: "AA==", header: { ephemeralPublicKey: "AA==", publicKeyHash: "AA==", transactionId: "00" } },
  paymentMethod: { displayName: "Visa 1111", network: "Visa", type: "debit" }, transactionIdentifier: "00",
});
const GOOGLE = JSON.stringify({
  apiVersion: 2, apiVersionMinor: 0,
  paymentMethodData: { type: "CARD", tokenizationData: { type: "PAYMENT_GATEWAY", token: JSON.stringify({ signature: "s", protocolVersion: "ECv2", signedMessage: "{}" }) } },
});

test("payments with both wallets are permitted by the description, and approved by its example", { skip }, async () => {
  for (const [wallet, payload] of [["apple-pay", APPLE], ["google-pay", GOOGLE]]) {
    const payment = await open(till, { pg_codes: ["adyen"], ...PAYER });
    const { status, text } = await payByWallet(till, payment, { wallet, payload });
    assert.equal(status, 200, text);
    assert.deepEqual(await standing(till, payment), ["paid", "success"], text);
  }
});

test("a saved card is charged by the payer and by the merchant as the description permits", { skip }, async () => {
  const agreement = { id: "RENT-1", type: "recurring", amount_variability: "variable", cycle_interval_days: 30, expiry_date: "2031-12-31", frequency: "monthly", total_cycles: 12 };
  const debit = { pg_codes: ["adyen"], payment_type: "auto_debit", customer_id: "c-10", agreement };
  const saving = await paid("adyen", debit);
  const received = await untilWebhooks(till, saving, 2);
  const { token } = received.at(-1).body.token;
  const byMerchant = await open(till, debit);
  const charged = await till.call("/b/pbl/v2/payment/auto-debit/", { method: "POST", headers: till.privateKey(), json: { session_id: byMerchant.session_id, token } });
  assert.equal(charged.body.result, "success", charged.text);
  const byPayer = await open(till, { pg_codes: ["adyen"], customer_id: "c-10" });
  await till.call("/b/checkout/api/sdk/v1/submit-token/", { method: "POST", json: { session_id: byPayer.session_id, token } });
  assert.deepEqual(await standing(till, byPayer), ["paid", "success"]);
});

test("Adyen's examples, which are about other payments, are taken for none of ours", { skip }, async () => {
  const onLink = await open(till, { pg_codes: ["examples"] });
  await choose(till, onLink, "examples");
  assert.equal((await standing(till, onLink))[0], "pending");
  const byWallet = await open(till, { pg_codes: ["examples"] });
  await payByWallet(till, byWallet, { wallet: "google-pay", payload: GOOGLE });
  assert.equal((await standing(till, byWallet))[0], "pending");
});

test("a session of Apple Pay is requested as the description permits, and the example, which is cut short, is no session", { skip }, async () => {
  const { session_id } = await open(till, { pg_codes: ["adyen"] });
  const answer = await till.call("/b/checkout/api/sdk/v1/apay/validate-session/", { method: "POST", json: { session_id, code: "adyen" } });
  assert.notEqual(answer.status, 200, answer.text);
  assert.deepEqual(adyen.exchanges.at(-1), { method: "POST", path: "/applePay/sessions", by: "counterparty", without: [], status: 200 });
});

test("the credentials are checked by a request that the description permits", { skip }, async () => {
  const { merchant_id } = till.merchant;
  for (const code of ["adyen", "examples"]) {
    const { body, text } = await till.operator(`/merchants/${merchant_id}/gateways/${code}/check/`, { method: "POST" });
    assert.equal(body.result, "accepted", text);
  }
});

test("no request of ours was refused, and every kind of request was judged", { skip }, async () => {
  const judged = adyen.exchanges.filter(({ by }) => by === "counterparty");
  assert.deepEqual(judged.filter(({ status }) => status >= 400), []);
  const kinds = new Set(judged.map(({ method, path }) => `${method} ${path.replace(/\/(PL)?[0-9A-F]{16}/, "/{id}")}`));
  assert.deepEqual([...kinds].toSorted(), [
    "GET /paymentLinks/{id}", "PATCH /paymentLinks/{id}", "POST /applePay/sessions", "POST /paymentLinks", "POST /paymentMethods", "POST /payments", "POST /payments/{id}/cancels",
    "POST /payments/{id}/captures", "POST /payments/{id}/refunds",
  ]);
});

test("Prism refuses what the description does not permit", { skip }, async () => {
  const link = { merchantAccount: ACCOUNT, reference: "R-1", amount: { currency: "KWD", value: 10_250 } };
  const send = async (body, headers = { "x-api-key": KEY }, path = "/paymentLinks") =>
    (await fetch(adyen.target + path, { method: "POST", headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) })).status;
  assert.equal(await send(link), 201);
  for (const wrong of [{ ...link, amount: { currency: "KWD", value: "10250" } }, { ...link, reference: undefined }, { ...link, amount: { value: 1 } }, { ...link, merchantAccount: 1 }]) {
    assert.equal(await send(wrong), 422, JSON.stringify(wrong));
  }
  assert.equal(await send(link, {}), 401);
  assert.equal(await send({ merchantAccount: ACCOUNT, amount: { currency: "KWD", value: "6000" } }, undefined, "/payments/8AA8F7B8C8D9E0F1/captures"), 422);
});
