/** Tap in the conformance suite. */
import { KEY, TapStub } from "../../tap-stub.mjs";
import { NO_DISPUTES, apple, byGoogle, google, holding, purchasing } from "./gateway.mjs";

const webhook = ({ stub }, reference) => {
  const [body, headers] = stub.webhook(reference);
  return { path: `/b/gw/v1/callback/${reference}/`, body, headers: { "content-type": "application/json", ...headers } };
};

export const tap = {
  name: "tap",
  against: "a stub written from Tap's reference of version 2",
  Stub: TapStub,
  gateways(origin) {
    const shop = purchasing("tap", origin, { secret_key: KEY });
    return [shop, holding(shop)];
  },
  pay: ({ stub }, { reference }) => stub.pay(reference),
  leave: ({ stub }, { reference }) => stub.leave(reference),
  reports: false,
  callback: (world, { reference }) => webhook(world, reference),
  charges: ({ method, path }) => method === "POST" && path === "/v2/charges/",
  wallets: { "apple-pay": () => apple("made-up"), "google-pay": (behaviour) => google({ protocolVersion: "ECv2", behaviour }) },
  decline: async (world) => (await byGoogle(world, "decline")).payment,
  async challenge(world) {
    const { payment } = await byGoogle(world, "challenge");
    return { payment, complete: () => world.stub.pay(payment.reference) };
  },
  savesByPaying: true,
  capturesOnce: true,
  closesPage: false,
  notes: { "capture in parts": "one part; Till refuses a second", "late callback": "also a payment after the end, whose page stays open", "save a card": "with a payment" },
  cannot: { dispute: NO_DISPUTES },
};
