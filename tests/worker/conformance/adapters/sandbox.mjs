/** The sandbox's bank in the conformance suite, at an address of its own. */
import { KEY, SandboxStub } from "../../sandbox-stub.mjs";
import { appleToken, googleToken } from "../../wallets.mjs";
import { NO_DISPUTES, byGoogle, holding, purchasing } from "./gateway.mjs";

const CARDS = { approve: "visa-approve", decline: "mastercard-decline", challenge: "visa-3ds" };

export const sandbox = {
  name: "sandbox",
  against: "a stub written from docs/sandbox.md",
  Stub: SandboxStub,
  gateways(origin) {
    const shop = purchasing("sandbox", origin, { api_key: KEY });
    return [shop, holding(shop)];
  },
  pay: ({ stub }, { reference }) => stub.pay(reference),
  leave: ({ stub }, { reference }) => stub.leave(reference),
  reports: false,
  callback: ({ stub }, { reference }) => stub.callback(reference),
  charges: ({ method, path }) => method === "POST" && path === "/v1/charges",
  wallets: { "apple-pay": (outcome) => appleToken(CARDS[outcome]), "google-pay": (outcome) => googleToken(CARDS[outcome]) },
  async decline(world) {
    const payment = await world.sentTo("shop");
    await world.comeBack(world.stub.pay(payment.reference, CARDS.decline));
    return payment;
  },
  reason: ["pg_message", "insufficient funds"],
  async challenge(world) {
    const { payment } = await byGoogle(world, "challenge");
    return { payment, complete: () => world.stub.pay(payment.reference) };
  },
  capturesOnce: false,
  closesPage: true,
  notes: { "decline, with its reason": "in `pg_message` only" },
  cannot: { dispute: NO_DISPUTES },
};
