/** Adyen in the conformance suite. */
import { ACCOUNT, AdyenStub, HMAC_KEY, KEY } from "../../adyen-stub.mjs";
import { apple, byGoogle, google, holding, purchasing } from "./gateway.mjs";

const TOKENS = { approve: { protocolVersion: "ECv2" }, decline: { refusalReasonCode: "12", refusalReason: "Not enough balance" }, challenge: { isChallenged: true } };
const DISPUTES = { needs_answer: ["NOTIFICATION_OF_CHARGEBACK", "2026-11-24T10:00:00+01:00", "Undefended"], lost: ["SECOND_CHARGEBACK", "2026-11-26T10:00:00+01:00", "Lost"] };
const EVENTS = { capture: "CAPTURE", refund: "REFUND", void: "CANCELLATION" };

const webhook = ({ stub, merchant }, eventCode, reference, pg_code, body = stub.webhook(eventCode, reference)) => ({
  path: `/b/gw/v1/account/${merchant.merchant_id}/${pg_code}/`, body, headers: { "content-type": "application/json" },
});

export const adyen = {
  name: "adyen",
  against: "a stub written from Adyen's Checkout reference of version 72; webhooks signed by Adyen's own library",
  Stub: AdyenStub,
  gateways(origin) {
    const shop = purchasing("adyen", `${origin}/v72`, { api_key: KEY, merchant_account: ACCOUNT, hmac_key: HMAC_KEY });
    return [shop, holding(shop)];
  },
  pay: ({ stub }, { reference }) => stub.pay(reference),
  reports: true,
  callback: (world, { reference, pg_code = "shop" }) => webhook(world, "AUTHORISATION", reference, pg_code),
  finish: (world, { pg_code = "shop" }, operation, reference) => webhook(world, EVENTS[operation], reference, pg_code),
  dispute(world, { reference, pg_code = "shop" }, word) {
    const [eventCode, date, status] = DISPUTES[word];
    return webhook(world, eventCode, reference, pg_code, world.stub.disputeWebhook(eventCode, reference, date, status));
  },
  charges: ({ method, path }) => method === "POST" && path === "/v72/payments",
  wallets: { "apple-pay": () => apple("made-up"), "google-pay": (outcome) => google(TOKENS[outcome]) },
  decline: async (world) => (await byGoogle(world, "decline")).payment,
  async challenge(world) {
    const { payment } = await byGoogle(world, "challenge");
    return { payment, complete: () => world.stub.authenticate(payment.reference) };
  },
  capturesOnce: true,
  closesPage: true,
  needsPerson: true,
  moved: async ({ stub }, { reference_number }) => stub.ledger(reference_number).charges.length > 0 || (stub.modifications.get(reference_number) ?? []).some(({ success }) => success),
  notes: {
    "timeout before the charge": "a person decides after 72 hours", "timeout after the charge": "by webhook", "capture in parts": "one part; Till refuses a second",
    "inquiry by the merchant": "once the webhook came", dispute: "signed and dated: nothing is asked",
  },
  cannot: { reconciliation: "it has no list" },
};
