/** KNET in the conformance suite. */
import { KnetStub, TERMINAL, encrypt } from "../../knet-stub.mjs";
import { NO_DISPUTES, purchasing } from "./gateway.mjs";

const ON_ITS_PAGE = "only KNET's page charges; no request of Till does";

export const knet = {
  name: "knet",
  against: "a stub written from public integrations, with Node's AES",
  Stub: KnetStub,
  gateways: (origin) => [purchasing("knet", origin, TERMINAL, { wallets: [] })],
  pay({ stub }, { page, returns }) {
    stub.finish(page);
    return returns;
  },
  leave({ stub }, { page, returns }) {
    stub.finish(page, "CANCELED", "");
    return returns;
  },
  reports: false,
  callback: ({ stub }, { reference }) =>
    ({ path: `/b/gw/v1/callback/${reference}/`, body: new URLSearchParams({ trandata: encrypt(stub.reports.get(reference)) }), headers: {} }),
  charges: () => false,
  wallets: {},
  async decline(world) {
    const payment = await world.sentTo("shop");
    world.stub.finish(payment.page, "NOT CAPTURED", "51");
    await world.comeBack(payment.returns);
    return payment;
  },
  async challenge(world) {
    const payment = await world.sentTo("shop");
    world.stub.chooseCard(payment.page);
    return { payment, complete: () => knet.pay(world, payment) };
  },
  closesPage: false,
  /** A refund that was not answered is in KNET's portal, or it is not. */
  async moved(world, { reference_number }) {
    const [refund] = await world.rows("SELECT attempt FROM child WHERE reference = ?1", reference_number);
    if (!refund) return undefined;
    const [{ done }] = await world.rows("SELECT COALESCE(SUM(amount), 0) AS done FROM child WHERE attempt = ?1 AND stage = 'done'", refund.attempt);
    return world.stub.ledger(refund.attempt).refunded > done;
  },
  // A refund has no key by which KNET would know that it comes again.
  cannotRepeat: ({ body }) => body.includes("<action>2</action>"),
  notes: { "3-D Secure, then approval": "the PIN on KNET's page", "late callback": "also a payment after the end, whose page stays open" },
  cannot: {
    "timeout before the charge": ON_ITS_PAGE, "timeout after the charge": ON_ITS_PAGE,
    "capture in parts": "it holds no money", void: "it holds no money",
    "save a card": "it saves no cards", "saved card, with the payer": "it saves no cards", "saved card, without the payer": "it saves no cards",
    "Apple Pay": "it takes no wallets", "Google Pay": "it takes no wallets",
    reconciliation: "it has no list",
    dispute: NO_DISPUTES,
  },
};
