/** Checkout.com in the conformance suite. */
import { CheckoutComStub, KEY, PREFIX, PUBLIC_KEY, SECRET } from "../../checkout-com-stub.mjs";
import { apple, byGoogle, google, holding, purchasing } from "./gateway.mjs";

const TOKENS = { approve: { protocolVersion: "ECv2" }, decline: { plan: "funds" }, challenge: { plan: "challenge" } };
const WORDS = { needs_answer: ["dispute_evidence_required", "evidence_required"], lost: ["dispute_lost", "lost"] };
const EVENTS = { capture: "payment_captured", refund: "payment_refunded", void: "payment_voided" };

const webhook = ({ stub, merchant }, type, reference, pg_code, [body, headers] = stub.event(type, reference)) =>
  ({ path: `/b/gw/v1/account/${merchant.merchant_id}/${pg_code}/`, body, headers: { "content-type": "application/json", ...headers } });

export const checkoutCom = {
  name: "checkout_com",
  against: "a stub written from Checkout.com's public reference, which two of its official clients can be run against",
  Stub: CheckoutComStub,
  gateways(origin) {
    const shop = purchasing("checkout_com", origin, { secret_key: KEY, public_key: PUBLIC_KEY, prefix: PREFIX, webhook_secret: SECRET });
    return [shop, holding(shop)];
  },
  pay: ({ stub }, { reference, page }) => stub.pay(reference, page),
  leave: ({ stub }, { reference }) => stub.pageOf(reference).request.cancel_url,
  reports: false,
  callback: (world, { reference, pg_code = "shop" }) => webhook(world, "payment_approved", reference, pg_code),
  finish: (world, { pg_code = "shop" }, operation, reference) => webhook(world, EVENTS[operation], reference, pg_code),
  dispute(world, { reference, pg_code = "shop" }, word) {
    const [type, status] = WORDS[word];
    const dispute = world.stub.dispute(reference, { id: `dsp_${reference}`, status });
    return webhook(world, type, reference, pg_code, world.stub.disputeEvent(type, dispute));
  },
  asksAboutDisputes: true,
  charges: ({ method, path }) => method === "POST" && path === "/payments",
  wallets: { "apple-pay": () => apple("made-up"), "google-pay": (outcome) => google(TOKENS[outcome]) },
  decline: async (world) => (await byGoogle(world, "decline")).payment,
  async challenge(world) {
    const { payment } = await byGoogle(world, "challenge");
    return { payment, complete: () => world.stub.authenticate(payment.reference) };
  },
  closesPage: false,
  notes: { "late callback": "also a payment after the end, whose page stays open" },
  cannot: {},
};
