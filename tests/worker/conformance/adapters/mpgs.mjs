/** Mastercard Gateway in the conformance suite. */
import { MERCHANT, MpgsStub, PASSWORD, REPORTING, SECRET } from "../../mpgs-stub.mjs";
import { NO_DISPUTES, apple, byGoogle, google, holding, purchasing } from "./gateway.mjs";

const TOKENS = { approve: { protocolVersion: "ECv2" }, decline: { declined: "INSUFFICIENT_FUNDS" } };

export const mpgs = {
  name: "mpgs",
  against: "a stub written from the public reference of version 100",
  Stub: MpgsStub,
  gateways(origin) {
    const shop = purchasing("mpgs", origin, { merchant_id: MERCHANT, password: PASSWORD, notification_secret: SECRET, reporting_password: REPORTING });
    return [shop, holding(shop)];
  },
  pay: ({ stub }, { reference }) => stub.pay(reference),
  leave: ({ stub }, { reference }) => stub.leave(reference),
  reports: false,
  callback: (_, { reference }) => ({
    path: `/b/gw/v1/callback/${reference}/`, body: JSON.stringify({ order: { id: reference }, transaction: { id: "1", type: "PAYMENT" } }),
    headers: { "content-type": "application/json", "x-notification-secret": SECRET },
  }),
  charges: ({ method }) => method === "PUT",
  wallets: { "apple-pay": () => apple("made-up"), "google-pay": (outcome) => google(TOKENS[outcome]) },
  decline: async (world) => (await byGoogle(world, "decline")).payment,
  async challenge(world) {
    const payment = await world.sentTo("shop");
    world.stub.startAuthentication(payment.reference);
    return { payment, complete: () => world.stub.pay(payment.reference) };
  },
  capturesOnce: false,
  closesPage: false,
  notes: { "3-D Secure, then approval": "on the bank's page", "late callback": "also a payment after the end, whose page stays open" },
  cannot: { dispute: NO_DISPUTES },
};
