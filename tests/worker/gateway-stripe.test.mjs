/** Stripe end to end over HTTP: pages, Google Pay, operations and events, against a stub of its API. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Webhook } from "standardwebhooks";
import { staff, textOf } from "./desk.mjs";
import { KEY, SECRET, StripeStub } from "./stripe-stub.mjs";
import {
  assertProblem, attempts, choose, events, inquireNow, open, openPage, standing, stateOf, untilWebhooks,
} from "./payer.mjs";
import { LOST, comeBack, notify, operate, reported, sentTo, startWith, till } from "./stub.mjs";
import { payByWallet } from "./wallets.mjs";

const stripe = new StripeStub();

const gateway = (endpoint, members = {}) => ({
  code: "stripe", name: { en: "Card", ar: "بطاقة" }, connector: "stripe", pg_name: "stripe", operation: "purchase", currencies: ["KWD"],
  default_currency: "KWD", sandbox: true, wallets: ["google_pay"],
  google_pay: { environment: "TEST", gateway: "stripe", gateway_merchant_id: "pk_test_made_up", merchant_id: "12345678901234567890", merchant_name: "Shop" },
  operations: ["refund"], credentials: { secret_key: KEY, webhook_secret: SECRET }, endpoint, ...members,
});
const gateways = (endpoint) => [
  gateway(endpoint),
  gateway(endpoint, { code: "held", operation: "authorize", operations: ["capture", "refund", "void"], wallets: [], google_pay: undefined }),
];
startWith(stripe, gateways);

/** The payload of Google Pay with a token of Stripe. */
const google = (token) => JSON.stringify({
  apiVersion: 2, apiVersionMinor: 0,
  paymentMethodData: { type: "CARD", tokenizationData: { type: "PAYMENT_GATEWAY", token: JSON.stringify({ id: token, object: "token" }) } },
});
const payGoogle = (payment, token = "tok_visa") => payByWallet(till, payment, { wallet: "google-pay", payload: google(token) });
const googlePayment = (fields = {}) => open(till, { pg_codes: ["stripe"], ...fields });

/** A payment that succeeded on the page. */
async function paid(pg_code = "stripe", fields = {}) {
  const payment = await sentTo(pg_code, fields);
  await comeBack(stripe.pay(payment.reference));
  return payment;
}

test("the payer pays on Stripe's page and comes back, and the merchant learns of it once", async () => {
  const payment = await sentTo("stripe");
  const session = stripe.sessionOf(payment.reference);
  assert.equal(payment.page, session.url);
  assert.deepEqual([session.amount_total, session.currency, session.success_url], [10_250, "kwd", payment.returns]);
  assert.deepEqual(session.adaptive_pricing, { enabled: false }, "the payer pays in the currency of the order");
  const landed = await comeBack(stripe.pay(payment.reference));
  assert.equal(new URL(landed).pathname, "/sandbox/shop/");
  assert.deepEqual(await standing(till, payment), ["paid", "success"]);
  const [{ body }] = await untilWebhooks(till, payment);
  const [intent] = stripe.chargesOf(payment.reference);
  assert.deepEqual([body.result, body.state, body.amount, body.currency_code], ["success", "paid", "10.250", "KWD"]);
  const { payment_id, track_id, transaction_id, auth_code } = reported(body);
  assert.deepEqual([payment_id, track_id, transaction_id, auth_code], [intent.id, payment.reference, intent.latest_charge.id, "123456"]);
  assert.deepEqual(stripe.refused(), []);
});

test("a payer who leaves the page can choose again, and the page is closed", async () => {
  const payment = await sentTo("stripe");
  await comeBack(stripe.sessionOf(payment.reference).cancel_url);
  assert.deepEqual([stripe.sessionOf(payment.reference).status, (await attempts(till, payment))[0].stage], ["expired", "canceled"]);
  const again = await choose(till, payment, "stripe");
  assert.equal(again.status, 303, again.text);
  assert.deepEqual(await standing(till, payment), ["pending", "canceled", "redirected"]);
});

for (const [token, reason, english, arabic] of [
  ["tok_funds", "insufficient_funds", "There is not enough money on the card", "الرصيد في البطاقة غير كافٍ"],
  ["tok_code", "wrong_security_code", "The security code was wrong", "رمز الأمان غير صحيح"],
]) {
  test(`a card that is declined (${reason}) says why to the merchant and to the payer in both languages`, async () => {
    for (const [language, sentence] of [["en", english], ["ar", arabic]]) {
      const payment = await googlePayment({ language });
      await payGoogle(payment, token);
      assert.deepEqual(await standing(till, payment), ["attempted", "failed"]);
      const [{ body }] = await untilWebhooks(till, payment);
      assert.deepEqual([body.result, reported(body).decline_reason], ["failed", reason]);
      assert.ok((await openPage(till, payment)).text.includes(sentence));
    }
  });
}

test("a decline code that no table has is one short line in the log, whatever it contains, and a known one is none", async () => {
  for (const token of ["tok_funds", "tok_hostile"]) {
    const payment = await googlePayment();
    await payGoogle(payment, token);
    assert.deepEqual(await standing(till, payment), ["attempted", "failed"]);
  }
  const lines = till.log.filter((line) => line.includes("decline_unmapped"));
  const code = `new????event?:?answered???code?:?${"x".repeat(31)}`;
  assert.deepEqual(lines.map((line) => JSON.parse(line)), [{ code, connector: "stripe", event: "decline_unmapped", pg_code: "stripe" }]);
});

for (const by of LOST) {
  test(`a charge whose answer is lost by ${by} is pending, and the next inquiry finds it`, async () => {
    stripe.lost = { by, of: ({ method, path }) => method === "POST" && path === "/v1/payment_intents" };
    const payment = await googlePayment();
    await payGoogle(payment);
    assert.deepEqual(await standing(till, payment), ["pending", "unknown"]);
    stripe.lost = undefined;
    await inquireNow(till, payment);
    assert.deepEqual(await standing(till, payment), ["paid", "success"]);
    const [{ reference }] = await attempts(till, payment);
    assert.equal(stripe.chargesOf(reference).length, 1);
  });

  test(`a page whose address is lost by ${by} is pending, and is found if it was paid`, async () => {
    stripe.lost = { by, of: ({ method, path }) => method === "POST" && path === "/v1/checkout/sessions" };
    const payment = await open(till, { pg_codes: ["stripe"] });
    await choose(till, payment, "stripe");
    assert.deepEqual(await standing(till, payment), ["pending", "unknown"]);
    stripe.lost = undefined;
    const [{ reference }] = await attempts(till, payment);
    stripe.pay(reference);
    await inquireNow(till, payment);
    assert.deepEqual(await standing(till, payment), ["paid", "success"]);
    assert.equal(stripe.chargesOf(reference).length, 1);
  });
}

test("a purchase is refunded in parts, and a refund whose answer is lost is found and not repeated", async () => {
  const payment = await paid();
  const first = await operate(payment, "refund", { amount: "4.000" });
  assert.deepEqual([first.status, first.body.result, first.body.txn?.amount], [200, "success", "4.000"], first.text);
  stripe.lost = { by: "a closed connection", of: ({ method, path }) => method === "POST" && path === "/v1/refunds" };
  const second = await operate(payment, "refund", { amount: "1.000" });
  assert.notEqual(second.body.result, "failed", second.text);
  stripe.lost = undefined;
  await till.rows("UPDATE child SET inquire_at = 0 WHERE parent_id = ?1 AND inquire_at IS NOT NULL", payment.session_id);
  await till.scheduled();
  const children = await till.rows("SELECT stage FROM child WHERE parent_id = ?1 ORDER BY number", payment.session_id);
  assert.deepEqual(children.map(({ stage }) => stage), ["done", "done"]);
  const [intent] = stripe.chargesOf(payment.reference);
  const amounts = [...stripe.refunds.values()].filter((refund) => refund.payment_intent === intent.id).map(({ amount }) => amount);
  assert.deepEqual(amounts, [4_000, 1_000]);
});

test("a refund that fails after it succeeded stays done and is on the attention list once", async () => {
  const payment = await paid();
  const { body: { reference_number: reference } } = await operate(payment, "refund", { amount: "4.000" });
  const refund = [...stripe.refunds.values()].find(({ metadata }) => metadata.refund === reference);
  const failed = { ...refund, status: "failed", failure_reason: "lost_or_stolen_card" };
  for (const [kind, object] of [["refund.updated", refund], ["refund.failed", failed], ["charge.refund.updated", failed]]) {
    assert.equal((await notify("stripe", ...stripe.event(kind, object))).status, 200);
  }
  await till.scheduled();
  const entries = await till.rows("SELECT reason, detail FROM attention WHERE reference = ?1", reference);
  assert.deepEqual(entries.map(({ reason }) => reason), ["taken_back"]);
  assert.match(entries[0].detail, /4\.000/);
  const [{ stage }] = await till.rows("SELECT stage FROM child WHERE reference = ?1", reference);
  assert.equal(stage, "done");
});

test("what is held is captured in part, once", async () => {
  const payment = await paid("held");
  assert.deepEqual(await standing(till, payment), ["authorized", "success"]);
  const captured = await operate(payment, "capture", { amount: "6.000" });
  assert.deepEqual([captured.status, captured.body.result, captured.body.txn?.amount], [200, "success", "6.000"], captured.text);
  const [intent] = stripe.chargesOf(payment.reference);
  assert.deepEqual([intent.status, intent.amount_received], ["succeeded", 6_000]);
  const asked = stripe.requests.length;
  const again = await operate(payment, "capture", { amount: "1.000" });
  assertProblem(again, 400, "operation_refused");
  assert.match(again.body.detail, /captures once/);
  assertProblem(await operate(payment, "void"), 400, "operation_refused");
  assert.equal(stripe.requests.length, asked, "Stripe is not asked");
});

test("an event with a wrong signature is refused and changes nothing", async () => {
  const payment = await sentTo("stripe");
  stripe.pay(payment.reference);
  const known = await events(till, payment);
  const { intent_data, ...session } = stripe.sessionOf(payment.reference);
  const [payload, headers] = stripe.event("checkout.session.completed", session);
  const [, wrong] = stripe.event("checkout.session.completed", session, "whsec_of_someone_else");
  for (const [body, given] of [[payload, wrong], [payload, {}], [`${payload} `, headers]]) {
    assertProblem(await notify("stripe", body, given), 401, "signature_invalid");
  }
  assert.deepEqual(await events(till, payment), known);
  assert.equal(await stateOf(till, payment), "pending");
  for (let time = 0; time < 2; time += 1) assert.equal((await notify("stripe", payload, headers)).status, 200);
  await till.scheduled();
  assert.deepEqual(await standing(till, payment), ["paid", "success"]);
  assert.equal((await untilWebhooks(till, payment)).length, 1);
});

test("an event about a charge of another merchant changes nothing there", async () => {
  const owner = till.merchant;
  const payment = await sentTo("stripe");
  stripe.pay(payment.reference);
  const { intent_data, ...session } = stripe.sessionOf(payment.reference);
  const known = await events(till, payment);
  const other = await till.createMerchant({ gateways: gateways(stripe.origin) });
  till.merchant = owner;
  const answer = await notify("stripe", ...stripe.event("checkout.session.completed", session), other);
  assert.equal(answer.status, 200, answer.text);
  await till.scheduled();
  assert.deepEqual(await events(till, payment), known);
  assert.deepEqual(await standing(till, payment), ["pending", "redirected"]);
});

/** The event of a dispute as it is at the moment, signed by Stripe's own library. */
const disputeEvent = (kind, dispute, secret) => stripe.event(`charge.dispute.${kind}`, dispute, secret);
const accepted = async (event, merchant) => {
  const answer = await notify("stripe", ...event, merchant);
  assert.deepEqual([answer.status, answer.body], [200, { received: true }], answer.text);
};
/** What a person is to look at, as the merchant reads it. */
async function disputed({ session_id }, state = "open") {
  const { body } = await till.call(`/b/checkout/v1/attention/?state=${state}`, { headers: till.privateKey() });
  return body.results.filter((entry) => entry.session_id === session_id && entry.reason === "disputed").map(({ id, detail }) => ({ id, detail }));
}
/** The disputes in the webhooks of a payment, each signed as a receiver checks it. */
async function sentDisputes(payment, count) {
  const received = await untilWebhooks(till, payment, count);
  for (const { text, headers } of received) new Webhook(till.merchant.webhook_signing_secret).verify(text, headers);
  const bySequence = received.map(({ body }) => body).sort((first, second) => first.sequence - second.sequence);
  return bySequence.map(({ state, result, dispute }) => [state, result, dispute?.status]);
}
const PAID = ["paid", "success"];

test("a dispute is asked for, goes to the merchant signed, and is shown in the API and at the desk until it is lost", async () => {
  const clerk = await staff(till, "disputes");
  const payment = await paid();
  const dispute = stripe.dispute(payment.reference);
  await accepted(disputeEvent("created", dispute));
  await accepted(disputeEvent("created", dispute));
  assert.deepEqual(await sentDisputes(payment, 2), [[...PAID, undefined], [...PAID, "needs_answer"]], "twice the same is once");
  const { body } = await till.call("/b/pbl/v2/inquiry/", { method: "POST", headers: till.privateKey(), json: { session_id: payment.session_id } });
  const known = { amount: "10.250", currency_code: "KWD", id: dispute.id, reason: "product_not_received" };
  assert.deepEqual(body.dispute, { ...known, answer_until: "2027-01-06T18:00:00Z", status: "needs_answer" });
  const [{ id, detail }] = await disputed(payment);
  assert.equal(id, `${payment.reference}.disputed`);
  assert.match(detail, /waits for an answer: 10\.250 KWD, reason product_not_received, to be answered until 2027-01-06T18:00:00Z/);
  const screens = [`/payments/${payment.session_id}/`, "/attention/"];
  for (const screen of screens) {
    const { text } = await clerk.get(screen);
    assert.match(textOf(text), /waits for an answer: 10\.250 KWD, reason product_not_received/, screen);
  }

  // The merchant answers at Stripe, and resolves the entry here: it opens again when the dispute goes on.
  const resolved = await till.call(`/b/checkout/v1/attention/${id}/resolve/`, { method: "POST", headers: till.privateKey(), json: { note: "answered" } });
  assert.equal(resolved.status, 200, resolved.text);
  await accepted(disputeEvent("updated", stripe.dispute(payment.reference, { id: dispute.id, status: "under_review" })));
  await accepted(disputeEvent("closed", stripe.dispute(payment.reference, { id: dispute.id, status: "lost" })));
  const statuses = [undefined, "needs_answer", "under_review", "lost"].map((status) => [...PAID, status]);
  assert.deepEqual(await sentDisputes(payment, 4), statuses);
  assert.match((await disputed(payment))[0].detail, /was lost: 10\.250 KWD/);
  for (const screen of screens) assert.match(textOf((await clerk.get(screen)).text), /the dispute about the payment was lost: 10\.250 KWD/, screen);
  assert.deepEqual(await standing(till, payment), PAID, "the payment stays as it is");
});

test("events of a dispute that come out of order leave it as Stripe says that it is", async () => {
  const payment = await paid();
  const created = stripe.dispute(payment.reference);
  const updated = stripe.dispute(payment.reference, { id: created.id, status: "under_review" });
  const closed = stripe.dispute(payment.reference, { id: created.id, status: "won" });
  for (const [kind, dispute] of [["closed", closed], ["created", created], ["updated", updated], ["closed", closed]]) await accepted(disputeEvent(kind, dispute));
  assert.deepEqual(await sentDisputes(payment, 2), [[...PAID, undefined], [...PAID, "won"]]);
  assert.match((await disputed(payment))[0].detail, /was won/);
  assert.equal(stripe.requests.filter(({ path, query }) => path === "/v1/disputes" && query.get("payment_intent") === created.payment_intent).length, 4);
});

test("a dispute that Stripe does not show, does not sign, or that is of others changes nothing", async () => {
  const payment = await paid();
  const dispute = stripe.dispute(payment.reference);
  const [payload, headers] = disputeEvent("created", dispute);
  const [, forged] = disputeEvent("created", dispute, "whsec_of_someone_else");
  const known = await events(till, payment);
  for (const [body, given] of [[payload, forged], [payload, {}], [payload.replace("needs_response", "lost"), headers]]) {
    assertProblem(await notify("stripe", body, given), 401, "signature_invalid");
  }
  // Another merchant of this installation uses the same account of Stripe.
  const owner = till.merchant;
  const other = await till.createMerchant({ gateways: gateways(stripe.origin) });
  till.merchant = owner;
  await accepted([payload, headers], other);
  // A payment that the account took elsewhere has none of our references.
  const [intent] = stripe.chargesOf(payment.reference);
  const elsewhere = { ...intent, id: "pi_elsewhere", metadata: {} };
  stripe.intents.set(elsewhere.id, elsewhere);
  await accepted(disputeEvent("created", stripe.dispute(payment.reference, { id: "du_elsewhere", payment_intent: elsewhere.id })));
  // Until its list has the dispute, Stripe sends the event again.
  stripe.disputes.delete(dispute.id);
  assertProblem(await notify("stripe", payload, headers), 503, "unavailable");
  assert.deepEqual([await events(till, payment), await disputed(payment)], [known, []]);
  stripe.disputes.set(dispute.id, dispute);
  await accepted([payload, headers]);
  assert.equal((await disputed(payment)).length, 1);
});
