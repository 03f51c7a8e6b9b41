/** Tamara in the conformance suite. */
import { KEY, SECRET, TamaraStub } from "../../tamara-stub.mjs";
import { NO_DISPUTES, PAYER, holding, purchasing } from "./gateway.mjs";

const ON_ITS_PAGE = "only Tamara's page charges; no request of Till does";
const CREDENTIALS = { api_token: KEY, notification_token: SECRET, country: "KW" };

export const tamara = {
  name: "tamara",
  against: "a stub written from Tamara's reference and its official PHP library",
  Stub: TamaraStub,
  gateways(origin) {
    const shop = purchasing("tamara", origin, CREDENTIALS, { wallets: [] });
    return [shop, holding(shop)];
  },
  payer: PAYER,
  pay: ({ stub }, { reference }) => stub.pay(reference),
  leave: ({ stub }, { reference }) => stub.leave(reference),
  reports: false,
  callback({ stub }, { reference }) {
    const [body, headers] = stub.notification(reference);
    const token = headers.authorization.slice("Bearer ".length);
    return { path: `/b/gw/v1/callback/${reference}/?tamaraToken=${token}`, body, headers: { "content-type": "application/json", ...headers } };
  },
  charges: () => false,
  wallets: {},
  async decline(world) {
    const payment = await world.sentTo("shop");
    await world.comeBack(world.stub.decline(payment.reference));
    return payment;
  },
  reason: ["decline_reason", "do_not_honor"],
  async challenge(world) {
    const payment = await world.sentTo("shop");
    return { payment, complete: () => world.stub.pay(payment.reference) };
  },
  closesPage: false,
  asksForPage: true,
  // Tamara has no key by which it would know a capture or a refund that comes again.
  cannotRepeat: ({ method, path }) => method === "POST" && path.startsWith("/payments/"),
  notes: {
    approval: "authorised and captured by the inquiry that finds it approved", "3-D Secure, then approval": "the code on Tamara's page",
    "late callback": "also a payment after the end, whose page stays open",
  },
  cannot: {
    "timeout before the charge": ON_ITS_PAGE, "timeout after the charge": ON_ITS_PAGE,
    "save a card": "it saves no cards", "saved card, with the payer": "it saves no cards", "saved card, without the payer": "it saves no cards",
    "Apple Pay": "it takes no wallets", "Google Pay": "it takes no wallets",
    reconciliation: "it has no list",
    dispute: NO_DISPUTES,
  },
};
