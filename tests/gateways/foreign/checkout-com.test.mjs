/**
 * Official clients of Checkout.com against our stub of it: what they send is taken, and what they read is
 * what happened. It is written from the same public reference as the connector, and apart from it.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { CLIENTS, reasonToSkip } from "../../../scripts/foreign/clients.mjs";
import { CheckoutComStub, KEY, PUBLIC_KEY } from "../../worker/checkout-com-stub.mjs";
import { python } from "./python.mjs";

const { npm, pypi } = CLIENTS["checkout-com"];
const stub = new CheckoutComStub();
const PAGE_URLS = { success_url: "https://shop.example/ok", failure_url: "https://shop.example/no", cancel_url: "https://shop.example/back" };

before(() => stub.listen());
after(() => stub.close());

/** A client as a merchant makes it, at our address. */
async function client() {
  const { Checkout } = await npm.load("checkout-sdk-node");
  return new Checkout(KEY, { pk: PUBLIC_KEY, host: stub.origin });
}

async function authorized(cko, reference, amount = 10_250) {
  const { token } = await cko.tokens.request({ type: "googlepay", token_data: { protocolVersion: "ECv1", signature: "s", signedMessage: "m" } });
  return cko.payments.request({ source: { type: "token", token }, amount, currency: "KWD", reference, capture: false });
}

test("the client of npm opens a page, and reads who paid on it", { skip: reasonToSkip(npm) }, async () => {
  const cko = await client();
  const page = await cko.hostedPayments.create({ amount: 10_250, currency: "KWD", reference: "NODE-PAGE", billing: { address: { country: "KW" } }, ...PAGE_URLS });
  assert.ok(page._links.redirect.href.startsWith(stub.origin));
  assert.equal((await cko.hostedPayments.get(page.id)).status, "Payment Pending");
  stub.pay("NODE-PAGE");
  const { status, payment_id } = await cko.hostedPayments.get(page.id);
  assert.equal(status, "Payment Received");
  const payment = await cko.payments.get(payment_id);
  assert.deepEqual([payment.status, payment.reference, payment.amount, payment.approved], ["Captured", "NODE-PAGE", 10_250, true]);
});

test("the client of npm holds, captures in parts, refunds and voids, and reads each action", { skip: reasonToSkip(npm) }, async () => {
  const cko = await client();
  const held = await authorized(cko, "NODE-HELD");
  assert.deepEqual([held.status, held.approved, held.response_code, held.requiresRedirect], ["Authorized", true, "10000", false]);
  for (const amount of [4_000, 6_250]) assert.match((await cko.payments.capture(held.id, { amount, capture_type: "NonFinal", reference: `C-${amount}` })).action_id, /^act_\w{26}$/);
  assert.equal((await cko.payments.refund(held.id, { amount: 1_000, reference: "R-1" })).reference, "R-1");
  const actions = await cko.payments.getActions(held.id);
  assert.deepEqual(actions.map(({ type, amount, approved }) => [type, amount, approved]), [["Refund", 1_000, true], ["Capture", 6_250, true], ["Capture", 4_000, true], ["Authorization", 10_250, true]]);
  assert.deepEqual(stub.ledger("NODE-HELD"), { charges: [10_250], captured: 10_250, refunded: 1_000, voided: 0 });
  const released = await authorized(cko, "NODE-VOID");
  await cko.payments.void(released.id, { reference: "V-1" });
  assert.equal((await cko.payments.get(released.id)).status, "Voided");
});

test("the client of npm gets one payment for one key, finds it by its reference and by search, and sees the bank's page", { skip: reasonToSkip(npm) }, async () => {
  const cko = await client();
  const { token } = await cko.tokens.request({ type: "googlepay", token_data: { plan: "challenge" } });
  const order = () => ({ source: { type: "token", token }, amount: 500, currency: "USD", reference: "NODE-3DS", "3ds": { enabled: true }, success_url: "https://shop.example/ok" });
  const first = await cko.payments.request(order(), "key-1");
  const second = await cko.payments.request(order(), "key-1");
  assert.deepEqual([first.id === second.id, first.requiresRedirect, first.redirectLink.startsWith(stub.origin)], [true, true, true]);
  const session = new URL(stub.authenticate("NODE-3DS")).searchParams.get("cko-session-id");
  const { id, status, actions } = await cko.payments.get(session);
  assert.deepEqual([id, status, actions.at(-1).type], [first.id, "Captured", "Authorization"]);
  const listed = await cko.payments.getPaymentList({ reference: "NODE-3DS" });
  assert.deepEqual([listed.total_count, listed.data[0].id], [1, first.id]);
  const found = await cko.payments.search({ limit: 10, from: new Date(stub.now() - 60_000).toISOString(), to: new Date(stub.now() + 60_000).toISOString() });
  assert.ok(found.data.some((payment) => payment.id === first.id));
});

test("the client of npm finds the disputes of a payment, and reads one", { skip: reasonToSkip(npm) }, async () => {
  const cko = await client();
  const payment = await authorized(cko, "NODE-DISPUTE");
  const first = stub.dispute("NODE-DISPUTE");
  const second = stub.dispute("NODE-DISPUTE", { status: "won" });
  const listed = await cko.disputes.get({ payment_id: payment.id, limit: 20 });
  assert.deepEqual([listed.total_count, listed.data.map(({ id, status, payment_reference }) => [id, status, payment_reference])], [2, [[second, "won", "NODE-DISPUTE"], [first, "evidence_required", "NODE-DISPUTE"]]]);
  const { status, amount, payment: of } = await cko.disputes.getDetails(first);
  assert.deepEqual([status, amount, of.id], ["evidence_required", 10_250, payment.id]);
});

test("the client of npm reads a refusal as one", { skip: reasonToSkip(npm) }, async () => {
  const cko = await client();
  const refusal = async (work) => (await work.then(() => undefined, (error) => [error.name, error.http_code]));
  const payment = await authorized(cko, "NODE-NO");
  assert.deepEqual(await refusal(authorized(cko, "NODE-ODD", 10_255)), ["ValidationError", 422]);
  assert.deepEqual(await refusal(cko.payments.refund(payment.id, { amount: 10 })), ["ActionNotAllowed", 403]);
  assert.deepEqual(await refusal(cko.payments.get("pay_aaaaaaaaaaaaaaaaaaaaaaaaaa")), ["NotFoundError", 404]);
});

test("the client of PyPI reads the same, and its books are those of the stub", { skip: reasonToSkip(pypi) }, async () => {
  const read = await python("checkout-com", "checkout_com.py", stub.origin, KEY, PUBLIC_KEY);
  assert.deepEqual(read, {
    page: "Payment Pending", held: "Authorized", actions: [["Refund", 1_000], ["Capture", 4_000], ["Authorization", 10_250]], status: "Partially Refunded", listed: 1, odd: ["request_invalid", ["amount_invalid"]],
  });
  assert.deepEqual(stub.ledger("PYTHON-HELD"), { charges: [10_250], captured: 4_000, refunded: 1_000, voided: 0 });
});
