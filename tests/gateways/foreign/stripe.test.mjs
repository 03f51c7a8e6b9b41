/**
 * Stripe's own client against our stub of Stripe. The connector runs against the same stub
 * (`tests/worker/gateway-stripe.test.mjs`).
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import Stripe from "stripe";
import { KEY, SECRET, StripeStub } from "../../worker/stripe-stub.mjs";

const stub = new StripeStub();
/** @type {Stripe} */
let stripe;

before(async () => {
  await stub.listen();
  const { hostname, port } = new URL(stub.origin);
  stripe = new Stripe(KEY, { apiVersion: "2023-08-16", host: hostname, port, protocol: "http", telemetry: false, maxNetworkRetries: 0 });
});
after(() => stub.close());

const held = async (charge) => {
  const method = await stripe.paymentMethods.create({ type: "card", card: { token: "tok_visa" } });
  const order = { amount: 10_250, currency: "kwd", capture_method: "manual", confirm: true, payment_method: method.id, payment_method_types: ["card"], metadata: { charge }, expand: ["latest_charge"] };
  return stripe.paymentIntents.create(order, { idempotencyKey: charge });
};

test("Stripe's client opens a page, reads it paid, and closes another", async () => {
  const order = (reference) => ({
    mode: "payment", client_reference_id: reference, success_url: "https://shop.example/ok", cancel_url: "https://shop.example/back", expires_at: Math.floor(stub.now() / 1000) + 3600,
    line_items: [{ quantity: 1, price_data: { currency: "kwd", unit_amount: 10_250, product_data: { name: "Order" } } }], payment_method_types: ["card"], adaptive_pricing: { enabled: false },
    payment_intent_data: { metadata: { charge: reference } },
  });
  const page = await stripe.checkout.sessions.create(order("CLIENT-PAGE"));
  assert.equal(page.status, "open");
  stub.pay("CLIENT-PAGE");
  const { status, payment_status, payment_intent } = await stripe.checkout.sessions.retrieve(page.id, { expand: ["payment_intent.latest_charge"] });
  assert.deepEqual([status, payment_status, payment_intent.latest_charge.amount_captured], ["complete", "paid", 10_250]);
  const left = await stripe.checkout.sessions.create(order("CLIENT-LEFT"));
  assert.equal((await stripe.checkout.sessions.expire(left.id)).status, "expired");
});

test("Stripe's client holds once for one key, captures a part, refunds, voids, and lists", async () => {
  const [first, second] = [await held("CLIENT-HELD"), await stripe.paymentIntents.list({ limit: 1 })];
  assert.deepEqual([first.status, first.latest_charge.captured, second.data[0].id], ["requires_capture", false, first.id]);
  const captured = await stripe.paymentIntents.capture(first.id, { amount_to_capture: 6_000 });
  assert.deepEqual([captured.status, captured.amount_received], ["succeeded", 6_000]);
  const refund = await stripe.refunds.create({ payment_intent: first.id, amount: 1_000 });
  assert.deepEqual([refund.status, (await stripe.refunds.retrieve(refund.id)).amount], ["succeeded", 1_000]);
  const released = await held("CLIENT-VOID");
  assert.equal((await stripe.paymentIntents.cancel(released.id)).status, "canceled");
  assert.deepEqual(stub.ledger("CLIENT-HELD"), { charges: [10_250], captured: 6_000, refunded: 1_000, voided: 0 });
  assert.equal(stub.ledger("CLIENT-VOID").voided, 10_250);
  const all = [];
  for await (const intent of stripe.paymentIntents.list({ limit: 1 })) all.push(intent.id);
  assert.equal(all.length, stub.intents.size);
});

test("Stripe's client reads a decline, a wrong key and an unknown object as what they are", async () => {
  const kind = (work) => work.then(() => undefined, (error) => [error.type, error.decline_code]);
  const { id: method } = await stripe.paymentMethods.create({ type: "card", card: { token: "tok_funds" } });
  const order = { amount: 10_250, currency: "kwd", confirm: true, payment_method: method, payment_method_types: ["card"], metadata: { charge: "CLIENT-NO" } };
  assert.deepEqual(await kind(stripe.paymentIntents.create(order)), ["StripeCardError", "insufficient_funds"]);
  assert.deepEqual(await kind(stripe.paymentIntents.retrieve("pi_unknown")), ["StripeInvalidRequestError", undefined]);
  const { hostname, port } = new URL(stub.origin);
  const stranger = new Stripe("sk_test_wrong", { apiVersion: "2023-08-16", host: hostname, port, protocol: "http" });
  assert.deepEqual(await kind(stranger.paymentIntents.list()), ["StripeAuthenticationError", undefined]);
});

test("Stripe's client takes the events of the stub", async () => {
  const intent = await held("CLIENT-EVENT");
  const [payload, headers] = stub.event("payment_intent.amount_capturable_updated", stub.intents.get(intent.id));
  const event = stripe.webhooks.constructEvent(payload, headers["stripe-signature"], SECRET);
  assert.deepEqual([event.type, event.data.object.id], ["payment_intent.amount_capturable_updated", intent.id]);
});
