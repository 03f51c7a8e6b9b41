/** Tabby in the conformance suite. */
import { CODE, KEY, SECRET, TabbyStub } from "../../tabby-stub.mjs";
import { NO_DISPUTES, PAYER, holding, purchasing } from "./gateway.mjs";

const ON_ITS_PAGE = "only Tabby's page charges; no request of Till does";
const CREDENTIALS = { secret_key: KEY, merchant_code: CODE, country: "KW", webhook_secret: SECRET };

export const tabby = {
  name: "tabby",
  against: "a stub written from Tabby's description and guides",
  Stub: TabbyStub,
  gateways(origin) {
    const shop = purchasing("tabby", origin, CREDENTIALS, { wallets: [] });
    return [shop, holding(shop)];
  },
  payer: PAYER,
  pay: ({ stub }, { reference }) => stub.pay(reference),
  leave: ({ stub }, { reference }) => stub.leave(reference),
  reports: false,
  callback({ stub, merchant }, { reference, pg_code = "shop" }) {
    const [body, headers] = stub.webhook(reference);
    return { path: `/b/gw/v1/account/${merchant.merchant_id}/${pg_code}/`, body, headers: { "content-type": "application/json", ...headers } };
  },
  charges: () => false,
  wallets: {},
  async decline(world) {
    const payment = await world.sentTo("shop");
    await world.comeBack(world.stub.reject(payment.reference));
    return payment;
  },
  reason: ["decline_reason", "do_not_honor"],
  async challenge(world) {
    const payment = await world.sentTo("shop");
    return { payment, complete: () => world.stub.pay(payment.reference) };
  },
  capturesOnce: true,
  closesPage: false,
  asksForPage: true,
  notes: {
    approval: "captured by the inquiry that finds it held", "3-D Secure, then approval": "the code on Tabby's page",
    "late callback": "also a payment after the end, whose page stays open", "capture in parts": "one part; Till refuses a second",
  },
  cannot: {
    "timeout before the charge": ON_ITS_PAGE, "timeout after the charge": ON_ITS_PAGE,
    "save a card": "it saves no cards", "saved card, with the payer": "it saves no cards", "saved card, without the payer": "it saves no cards",
    "Apple Pay": "it takes no wallets", "Google Pay": "it takes no wallets",
    reconciliation: "its list has no order by change",
    dispute: NO_DISPUTES,
  },
};
