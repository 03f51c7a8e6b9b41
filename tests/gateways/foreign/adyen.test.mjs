/**
 * Adyen's own client against our stub of Adyen: its paths, bodies and models. Only the connection is not
 * the client's, which takes https alone. The connector runs against the same stub (`tests/worker/gateway-adyen.test.mjs`).
 */
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { ACCOUNT, AdyenStub, HMAC_KEY, KEY } from "../../worker/adyen-stub.mjs";

const { CheckoutAPI, Client, Types, hmacValidator: HmacValidator } = createRequire(import.meta.url)("@adyen/api-library");
const stub = new AdyenStub();
const amount = { currency: "KWD", value: 10_250 };
/** @type {import("@adyen/api-library").CheckoutAPI} */
let checkout;

/** Sends what the client made to our address. */
const httpClient = {
  async request(endpoint, body, { apiKey }, _, { idempotencyKey, method = "POST" } = {}) {
    const headers = { "content-type": "application/json", "x-api-key": apiKey, ...(idempotencyKey ? { "idempotency-key": idempotencyKey } : {}) };
    const answer = await fetch(endpoint.replace("https://checkout-test.adyen.com", stub.origin), { method, headers, body: method === "GET" ? undefined : body });
    const text = await answer.text();
    if (!answer.ok) throw Object.assign(new Error(text), { statusCode: answer.status });
    return text;
  },
};

before(async () => {
  await stub.listen();
  const client = new Client({ apiKey: KEY, environment: "TEST" }, httpClient);
  checkout = new CheckoutAPI(client);
});
after(() => stub.close());

test("Adyen's client makes a link, reads it, and lets it expire", async () => {
  const order = { merchantAccount: ACCOUNT, reference: "CLIENT-LINK", amount, returnUrl: "https://shop.example/" };
  const link = await checkout.PaymentLinksApi.paymentLinks(order);
  assert.deepEqual([link.status, link.reference, link.amount.value], ["active", "CLIENT-LINK", 10_250]);
  assert.equal((await checkout.PaymentLinksApi.getPaymentLink(link.id)).url, link.url);
  const expired = await checkout.PaymentLinksApi.updatePaymentLink(link.id, { status: Types.checkout.UpdatePaymentLinkRequest.StatusEnum.Expired });
  assert.equal(expired.status, "expired");
});

const pay = (reference, token, members = {}) => checkout.PaymentsApi.payments(
  { merchantAccount: ACCOUNT, reference, amount, returnUrl: "https://shop.example/", paymentMethod: { type: "googlepay", googlePayToken: JSON.stringify(token) }, ...members },
  { idempotencyKey: `${reference}-payment` },
);

test("Adyen's client pays once for one key, and reads a refusal and a redirection", async () => {
  const [first, second] = [await pay("CLIENT-PAID", {}), await pay("CLIENT-PAID", {})];
  assert.deepEqual([first.resultCode, first.pspReference === second.pspReference], ["Authorised", true]);
  assert.deepEqual(stub.ledger("CLIENT-PAID").charges, [10_250]);
  const refused = await pay("CLIENT-REFUSED", { refusalReasonCode: "12", refusalReason: "Not enough balance" });
  assert.deepEqual([refused.resultCode, refused.refusalReasonCode], ["Refused", "12"]);
  const sent = await pay("CLIENT-3DS", { isChallenged: true });
  assert.deepEqual([sent.resultCode, sent.action.type], ["RedirectShopper", "redirect"]);
  const redirectResult = new URL(stub.authenticate("CLIENT-3DS")).searchParams.get("redirectResult");
  assert.equal((await checkout.PaymentsApi.paymentsDetails({ details: { redirectResult } })).resultCode, "Authorised");
});

test("Adyen's client captures, refunds and cancels, and its validator takes the webhooks of the stub", async () => {
  const held = await pay("CLIENT-HELD", {}, { additionalData: { manualCapture: "true" } });
  const modify = checkout.ModificationsApi;
  const capture = await modify.captureAuthorisedPayment(held.pspReference, { merchantAccount: ACCOUNT, reference: "CLIENT-C", amount });
  assert.deepEqual([capture.status, capture.paymentPspReference], ["received", held.pspReference]);
  const refund = await modify.refundCapturedPayment(held.pspReference, { merchantAccount: ACCOUNT, reference: "CLIENT-R", amount: { ...amount, value: 4_000 } });
  assert.equal(refund.status, "received");
  assert.deepEqual(stub.ledger("CLIENT-HELD"), { charges: [10_250], captured: 10_250, refunded: 4_000, voided: 0 });
  const other = await pay("CLIENT-VOID", {}, { additionalData: { manualCapture: "true" } });
  assert.equal((await modify.cancelAuthorisedPaymentByPspReference(other.pspReference, { merchantAccount: ACCOUNT, reference: "CLIENT-V" })).status, "received");
  assert.equal(stub.ledger("CLIENT-VOID").voided, 10_250);
  const { notificationItems } = JSON.parse(stub.webhook("CAPTURE", "CLIENT-C"));
  assert.ok(new HmacValidator().validateHMAC(notificationItems[0].NotificationRequestItem, HMAC_KEY));
});
