/** KNET in the conformance suite. */
import { KnetStub, TERMINAL, encrypt } from "../../knet-stub.mjs";
import { purchasing } from "./gateway.mjs";

const ON_ITS_PAGE = "only KNET's page charges; no request of Till does";

export const knet = {
  name: "knet",
  against: "a stub written from public integrations, with Node's AES",
  Stub: KnetStub,
  gateways: (origin) => [purchasing("knet", origin, TERMINAL, { tokenization: false, auto_debit: false, wallets: [] })],
  pay({ stub }, { page, returns }) {
    stub.finish(page);
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
  cannot: {
    "timeout before the charge": ON_ITS_PAGE, "timeout after the charge": ON_ITS_PAGE,
    "capture in parts": "it holds no money", void: "it holds no money",
    "save a card": "it saves no cards", "saved card, with the payer": "it saves no cards", "saved card, without the payer": "it saves no cards",
    "Apple Pay": "it takes no wallets", "Google Pay": "it takes no wallets",
    reconciliation: "it has no list; each payment is asked about",
  },
};
