/**
 * Stripe's connector against a server that we did not write: localstripe, which has the state of Stripe's payments. What it
 * lacks, the page above all, is added by scripts/counterparty/stripe-page.mjs; each test says who answered.
 */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { networkInterfaces } from "node:os";
import { beforeEach, test } from "node:test";
import { reasonToSkip, startLocalstripe } from "../../scripts/counterparty/programs.mjs";
import { StripePage } from "../../scripts/counterparty/stripe-page.mjs";
import { assertProblem, attempts, choose, eventually, inquireNow, open, stateOf, standing, untilWebhooks } from "./payer.mjs";
import { comeBack, notify, operate, reported, sentTo, startWith, till } from "./stub.mjs";

const skip = reasonToSkip("stripe");
const KEY = "sk_test_of_localstripe";
const SECRET = "whsec_of_localstripe";
const PAID = "4242424242424242";

/** localstripe with the page in front of it. */
class Counterparty extends StripePage {
  async listen() {
    this.localstripe = await startLocalstripe();
    this.target = this.localstripe.origin;
    return super.listen();
  }

  async close() {
    await super.close();
    await this.localstripe.stop();
  }
}

const stripe = new Counterparty();

const gateway = (endpoint, members = {}) => ({
  code: "stripe", name: { en: "Card", ar: "بطاقة" }, connector: "stripe", pg_name: "stripe", operation: "purchase", currencies: ["KWD"],
  default_currency: "KWD", sandbox: true, tokenization: true, auto_debit: true, multiple_attempts: true, operations: ["refund"],
  credentials: { secret_key: KEY, webhook_secret: SECRET }, endpoint, ...members,
});

if (!skip) {
  startWith(stripe, (origin) => [
    gateway(origin),
    gateway(origin, { code: "held", operation: "authorize", tokenization: false, auto_debit: false, operations: ["capture", "refund", "void"] }),
  ]);
  beforeEach(() => stripe.sendEvents(`${till.url}/b/gw/v1/account/${till.merchant.merchant_id}/stripe/`, SECRET));
}

/** What localstripe itself says, without what is in front of it. */
async function asked(path, form) {
  const init = form && { method: "POST", body: new URLSearchParams(form) };
  const response = await fetch(stripe.target + path, { ...init, headers: { authorization: `Bearer ${KEY}` } });
  return response.json();
}
const intentOf = async ({ reference }) => {
  const { data } = await asked("/v1/payment_intents?limit=100");
  return data.find(({ metadata }) => metadata.charge === reference);
};

/** The payer chooses a card on the page; returns the answer of the page. */
const onPage = (page, choice) => fetch(page, { method: "POST", redirect: "manual", body: new URLSearchParams({ choice }) });

/** A payment that succeeded on the page. */
async function paid(pg_code = "stripe", fields = {}) {
  const payment = await sentTo(pg_code, fields);
  const answer = await onPage(payment.page, PAID);
  assert.equal(answer.status, 303, await answer.text());
  await comeBack(answer.headers.get("location"));
  return payment;
}

/** A server that records what it gets: `[headers, body]`. */
async function receiver() {
  const received = [];
  const server = createServer(async (incoming, response) => {
    const chunks = await incoming.toArray();
    received.push([incoming.headers, Buffer.concat(chunks).toString("utf8")]);
    response.end();
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${server.address().port}/`, received, close: () => server.close() };
}

test("a payment on the page is the payment that localstripe has", { skip }, async () => {
  const payment = await paid();
  assert.deepEqual(await standing(till, payment), ["paid", "success"]);
  const intent = await intentOf(payment);
  assert.deepEqual([intent.status, intent.amount, intent.currency, intent.capture_method], ["succeeded", 10_250, "kwd", "automatic"]);
  const [{ body }] = await untilWebhooks(till, payment);
  const { payment_id, track_id, transaction_id, card_number } = reported(body);
  assert.deepEqual([payment_id, track_id, transaction_id, card_number], [intent.id, payment.reference, intent.latest_charge.id, "************4242"]);
});

test("a card that localstripe declines leaves the page open, and another one pays it", { skip }, async () => {
  const payment = await sentTo("stripe");
  assert.equal((await onPage(payment.page, "4000000000000002")).status, 200);
  await inquireNow(till, payment);
  assert.equal(await stateOf(till, payment), "pending");
  await comeBack((await onPage(payment.page, PAID)).headers.get("location"));
  assert.deepEqual(await standing(till, payment), ["paid", "success"]);
});

test("a payer whom the bank asks is paid for after the answer, and not before", { skip }, async () => {
  const payment = await sentTo("stripe");
  assert.equal((await onPage(payment.page, "4000002760003184")).status, 200);
  assert.equal((await intentOf(payment)).status, "requires_action");
  await inquireNow(till, payment);
  assert.equal(await stateOf(till, payment), "pending");
  await comeBack((await onPage(payment.page, "confirm")).headers.get("location"));
  assert.deepEqual(await standing(till, payment), ["paid", "success"]);
});

test("an event that localstripe signs ends a payment whose payer did not come back", { skip }, async () => {
  const payment = await sentTo("stripe");
  await onPage(payment.page, PAID);
  await eventually("the event arrived", async () => (await stateOf(till, payment)) === "paid", 15_000);
  assert.deepEqual(await standing(till, payment), ["paid", "success"]);
});

test("an event that localstripe signs with another secret is refused, and changes nothing", { skip }, async () => {
  const { url, received, close } = await receiver();
  await stripe.sendEvents(url, "whsec_of_another");
  const payment = await sentTo("stripe");
  await onPage(payment.page, PAID);
  const events = () => received.filter(([, body]) => body.includes(payment.reference));
  const [[headers, body]] = await eventually("the event was sent", () => events().length > 0 && events(), 15_000);
  close();
  assertProblem(await notify("stripe", body, { "stripe-signature": headers["stripe-signature"] }), 401, "signature_invalid");
  assert.equal(await stateOf(till, payment), "pending");
});

test("a purchase is refunded in parts at localstripe, and each refund is found by its mark", { skip }, async () => {
  const payment = await paid();
  for (const amount of ["4.000", "1.250"]) {
    const { status, body, text } = await operate(payment, "refund", { amount });
    assert.deepEqual([status, body.result, body.txn?.amount], [200, "success", amount], text);
  }
  const { id } = await intentOf(payment);
  const { data } = await asked(`/v1/refunds?payment_intent=${id}`);
  assert.deepEqual(data.map(({ amount }) => amount).toSorted((one, other) => one - other), [1_250, 4_000]);
  const children = await till.rows("SELECT reference FROM child WHERE parent_id = ?1", payment.session_id);
  assert.deepEqual(data.map(({ metadata }) => metadata.refund).toSorted(), children.map(({ reference }) => reference).toSorted());
  const sent = stripe.exchanges.filter(({ method, path }) => method === "POST" && path === "/v1/refunds");
  assert.ok(sent.length > 1 && sent.every(({ by, without }) => by === "counterparty" && without.length === 0), "as the connector wrote them");
});

test("what is held is captured in part at localstripe, which releases the rest", { skip }, async () => {
  const payment = await paid("held");
  assert.deepEqual(await standing(till, payment), ["authorized", "success"]);
  assert.equal((await intentOf(payment)).status, "requires_capture");
  const { status, body, text } = await operate(payment, "capture", { amount: "6.000" });
  assert.deepEqual([status, body.result, body.txn?.amount], [200, "success", "6.000"], text);
  const intent = await intentOf(payment);
  assert.deepEqual([intent.status, intent.latest_charge.captured, intent.latest_charge.amount_refunded], ["succeeded", true, 4_250]);
});

test("what is held is released at localstripe", { skip }, async () => {
  const payment = await paid("held");
  const { status, body, text } = await operate(payment, "void");
  assert.deepEqual([status, body.result], [200, "success"], text);
  const intent = await intentOf(payment);
  assert.equal(intent.status, "canceled");
  assert.equal(intent.metadata.void, body.reference_number);
});

test("a payment that localstripe made in another amount is held for a person", { skip }, async () => {
  const payment = await sentTo("stripe");
  const session = stripe.sessionOf(payment.reference);
  session.amount_total = 10_240;
  await comeBack((await onPage(payment.page, PAID)).headers.get("location"));
  assert.equal(await stateOf(till, payment), "pending");
  const list = (await till.operator("/attention/")).body.filter(({ session_id }) => session_id === payment.session_id);
  assert.deepEqual(list.map(({ reason }) => reason), ["amount_mismatch"]);
});

const AGREEMENT = { id: "RENT-1", type: "recurring", amount_variability: "variable", cycle_interval_days: 30, expiry_date: "2031-12-31", frequency: "monthly", total_cycles: 12 };
const DEBIT = { payment_type: "auto_debit", customer_id: "c-1", agreement: AGREEMENT };

/** The payer pays on the page with a card that is saved; returns its token. */
async function saved() {
  const payment = await sentTo("stripe", DEBIT);
  await comeBack((await onPage(payment.page, PAID)).headers.get("location"));
  const [{ body }] = await untilWebhooks(till, payment);
  return body.token.token;
}
const chargeByMerchant = ({ session_id }, token) =>
  till.call("/b/pbl/v2/payment/auto-debit/", { method: "POST", headers: till.privateKey(), json: { session_id, token } });
const chargeByPayer = ({ session_id }, token) =>
  till.call("/b/checkout/api/sdk/v1/submit-token/", { method: "POST", json: { session_id, token } });

test("a saved card is charged at localstripe by the payer and by the merchant", { skip }, async () => {
  const token = await saved();
  const byPayer = await open(till, { pg_codes: ["stripe"], customer_id: "c-1" });
  const byMerchant = await open(till, { pg_codes: ["stripe"], ...DEBIT });
  for (const [payment, answer] of [[byPayer, await chargeByPayer(byPayer, token)], [byMerchant, await chargeByMerchant(byMerchant, token)]]) {
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(await standing(till, payment), ["paid", "success"], answer.text);
    const [{ reference }] = await attempts(till, payment);
    const intent = await intentOf({ reference });
    assert.deepEqual([intent.status, intent.amount], ["succeeded", 10_250]);
    assert.ok(intent.customer.startsWith("cus_"));
  }
});

test("a saved card for which the bank wants the payer is declined without the payer, and cannot be completed later", { skip }, async () => {
  const saving = await sentTo("stripe", DEBIT);
  await onPage(saving.page, "4000002760003184");
  await comeBack((await onPage(saving.page, "confirm")).headers.get("location"));
  const [{ body: saved }] = await untilWebhooks(till, saving);
  const payment = await open(till, { pg_codes: ["stripe"], ...DEBIT });
  assert.equal((await chargeByMerchant(payment, saved.token.token)).body.result, "failed");
  const [{ body }] = await untilWebhooks(till, payment);
  assert.deepEqual([body.result, reported(body).decline_reason], ["failed", "authentication_required"]);
  const [{ reference }] = await attempts(till, payment);
  assert.equal((await intentOf({ reference })).status, "canceled");
});

test("a payer who chooses another method can no longer pay on the page", { skip }, async () => {
  const payment = await sentTo("stripe", { pg_codes: ["stripe", "held"] });
  const other = await choose(till, payment, "held");
  assert.equal(other.status, 303, other.text);
  assert.equal((await onPage(payment.page, PAID)).status, 200);
  assert.equal(await intentOf(payment), undefined);
  assert.deepEqual(await standing(till, payment), ["pending", "canceled", "redirected"]);
});

test("localstripe decides about every payment, and no field is removed that it knows", { skip }, async () => {
  const money = stripe.exchanges.filter(({ method, path }) => method === "POST" && /^\/v1\/(payment_intents|refunds)/.test(path));
  assert.ok(money.length > 5);
  for (const { path, by, without } of money) {
    assert.equal(by, "counterparty", path);
    const known = without.filter((name) => !/^(return_url|description|cancellation_reason|metadata\[capture\])$/.test(name));
    assert.deepEqual(known, [], path);
  }
});

test("localstripe can be reached from this machine only", { skip }, async (t) => {
  const { port } = new URL(stripe.target);
  const others = Object.values(networkInterfaces()).flat().filter(({ internal, family }) => !internal && family === "IPv4");
  if (others.length === 0) return t.skip("this machine has no other address");
  for (const { address } of others) await assert.rejects(fetch(`http://${address}:${port}/v1/payment_intents`), address);
  assert.equal((await fetch(`http://127.0.0.1:${port}/v1/payment_intents`)).status, 401);
});
