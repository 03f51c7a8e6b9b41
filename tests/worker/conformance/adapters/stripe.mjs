/** Stripe in the conformance suite. */
import { KEY, SECRET, StripeStub } from "../../stripe-stub.mjs";
import { byGoogle, google, holding, purchasing } from "./gateway.mjs";

const WORDS = { needs_answer: ["created", "needs_response"], lost: ["closed", "lost"] };
const TOKENS = { approve: "tok_visa", decline: "tok_funds", challenge: "tok_3ds" };

export const stripe = {
  name: "stripe",
  against: "a stub written from Stripe's API reference of 2023-08-16; events signed by Stripe's own library",
  Stub: StripeStub,
  gateways(origin) {
    const shop = purchasing("stripe", origin, { secret_key: KEY, webhook_secret: SECRET }, { wallets: ["google_pay"] });
    return [shop, holding(shop)];
  },
  pay: ({ stub }, { reference }) => stub.pay(reference),
  leave: ({ stub }, { reference }) => stub.sessionOf(reference).cancel_url,
  reports: false,
  callback({ stub, merchant }, { reference, pg_code = "shop" }) {
    const [body, headers] = stub.event("checkout.session.completed", stub.sessionOf(reference));
    return { path: `/b/gw/v1/account/${merchant.merchant_id}/${pg_code}/`, body, headers: { "content-type": "application/json", ...headers } };
  },
  dispute({ stub, merchant }, { reference, pg_code = "shop" }, word) {
    const [kind, status] = WORDS[word];
    const [body, headers] = stub.event(`charge.dispute.${kind}`, stub.dispute(reference, { id: `du_${reference}`, status }));
    return { path: `/b/gw/v1/account/${merchant.merchant_id}/${pg_code}/`, body, headers: { "content-type": "application/json", ...headers } };
  },
  asksAboutDisputes: true,
  charges: ({ method, path }) => method === "POST" && path === "/v1/payment_intents",
  wallets: { "google-pay": (outcome) => google({ id: TOKENS[outcome], object: "token" }) },
  decline: async (world) => (await byGoogle(world, "decline")).payment,
  async challenge(world) {
    const { payment } = await byGoogle(world, "challenge");
    return { payment, complete: () => world.stub.authenticate(payment.reference) };
  },
  capturesOnce: true,
  closesPage: true,
  notes: { "capture in parts": "one part; Till refuses a second" },
  cannot: { "Apple Pay": "Stripe documents no way to use a token of our pages; it offers Apple Pay on its own page" },
};
