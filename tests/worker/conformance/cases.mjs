/**
 * What every gateway must be able to do, written once: each case gets a `World`. A case that a gateway cannot do proves that it is
 * refused, or not offered.
 */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { assertProblem, attempts, choose, events, eventually, standing, untilWebhooks, webhooks } from "../payer.mjs";
import { reported } from "../stub.mjs";
import { byGoogle } from "./adapters/gateway.mjs";
import { notOffered } from "./refusals.mjs";

const AMOUNT = 10_250;
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const AGREEMENT = { id: "RENT-1", type: "recurring", amount_variability: "variable", cycle_interval_days: 30, expiry_date: "2031-12-31", frequency: "monthly", total_cycles: 12 };

/** The payment is paid, at once or when the gateway has been asked. */
async function isPaid(world, payment) {
  await eventually("paid", async () => (await standing(world, payment))[0] === "paid");
  assert.deepEqual(world.stub.ledger(payment.reference).charges, [AMOUNT]);
}

async function approve(world) {
  const payment = await world.paid();
  await isPaid(world, payment);
  const { body } = (await webhooks(world, payment)).at(-1);
  assert.deepEqual([body.result, body.state, body.amount, body.currency_code, reported(body).track_id], ["success", "paid", "10.250", "KWD", payment.reference]);
}

async function decline(world) {
  const payment = await world.adapter.decline(world);
  assert.deepEqual(await standing(world, payment), ["attempted", "failed"]);
  const [{ body }] = await untilWebhooks(world, payment);
  const [name, value] = world.adapter.reason ?? ["decline_reason", "insufficient_funds"];
  assert.deepEqual([body.result, reported(body)[name]], ["failed", value]);
}

async function challenge(world) {
  const { payment, complete } = await world.adapter.challenge(world);
  for (let time = 0; time < 2; time += 1) {
    assert.equal((await standing(world, payment))[0], "pending");
    assert.deepEqual(world.stub.ledger(payment.reference).charges, []);
    await world.inquireNow(payment);
  }
  await world.comeBack(complete());
  if ((await standing(world, payment))[0] !== "paid") await world.reported(payment);
  await isPaid(world, payment);
  assert.equal((await attempts(world, payment)).length, 1);
}

/** A charge without a page, to which the gateway does not answer. */
async function unanswered(world, fault) {
  world.proxy.once(fault, world.adapter.charges);
  const { payment, answer } = await byGoogle(world, "approve");
  world.proxy.heal();
  assert.deepEqual([answer.status, answer.body.status], [200, "pending"], answer.text);
  return payment;
}

async function timeoutBefore(world) {
  const payment = await unanswered(world, "silence before");
  assert.deepEqual(await standing(world, payment), ["pending", "unknown"]);
  assert.deepEqual(world.stub.ledger(payment.reference).charges, []);
  if (world.adapter.needsPerson) return personSaysNo(world, payment);
  await world.later(2 * MINUTE);
  assert.deepEqual(await standing(world, payment), ["attempted", "error"]);
  const again = await choose(world, payment, "shop");
  assert.equal(again.status, 303, again.text);
  const next = await world.known({ ...payment, page: again.headers.get("location") });
  await world.comeBack(world.adapter.pay(world, next));
  await isPaid(world, next);
}

/** Nothing was charged, which only a person can find out at the gateway. */
async function personSaysNo(world, payment) {
  // The question that comes late is not the last one.
  for (const seconds of [73 * HOUR, 10 * MINUTE]) await world.later(seconds);
  assert.deepEqual((await standing(world, payment))[1], "unknown");
  const entry = (await world.attention()).find(({ session_id }) => session_id === payment.session_id);
  assert.equal(entry?.reason, "outcome_unknown");
  const resolved = await world.resolve(entry, "not_charged");
  assert.equal(resolved.status, 200, resolved.text);
  assert.equal((await standing(world, payment))[1], "failed");
}

async function timeoutAfter(world) {
  const payment = await unanswered(world, "silence after");
  assert.deepEqual(world.stub.ledger(payment.reference).charges, [AMOUNT]);
  // The gateway is asked at once, and may have said by now that it did it.
  assert.ok(["unknown", "success"].includes((await standing(world, payment))[1]), "the answer was lost, and nothing failed");
  await world.later(2 * MINUTE);
  await world.reported(payment);
  await isPaid(world, payment);
}

async function duplicateCallback(world) {
  const payment = await world.sentTo("shop");
  world.adapter.pay(world, payment);
  const answers = await Promise.all([world.callBack(payment), world.callBack(payment)]);
  await isPaid(world, payment);
  const known = await events(world, payment);
  answers.push(await world.callBack(payment));
  for (const answer of answers) assert.equal(answer.status, 200, answer.text);
  await world.scheduled();
  assert.deepEqual(await events(world, payment), known);
}

async function lateCallback(world) {
  const expiration_time = "00:05:00";
  // The gateway cannot be reached when the time is over, and reports afterwards.
  const paid = await world.sentTo("shop", { expiration_time });
  world.adapter.pay(world, paid);
  world.proxy.choose = () => "reset before";
  await world.later(10 * MINUTE);
  assert.equal((await standing(world, paid))[0], "pending");
  world.proxy.heal();
  assert.equal((await world.callBack(paid)).status, 200);
  await isPaid(world, paid);
  // The payer is late.
  const late = await world.sentTo("shop", { expiration_time });
  const never = await world.sentTo("shop", { expiration_time });
  await world.later(10 * MINUTE);
  if (world.adapter.closesPage) {
    assert.throws(() => world.adapter.pay(world, late), /is (expired|canceled)/);
  } else {
    world.adapter.pay(world, late);
    assert.equal((await world.callBack(late)).status, 200);
    await isPaid(world, late);
  }
  await world.later(3 * HOUR);
  await world.later(MINUTE);
  assert.equal((await standing(world, never))[0], "expired");
}

async function captureInParts(world) {
  const payment = await world.paid("held");
  assert.deepEqual(await standing(world, payment), ["authorized", "success"]);
  const part = await world.operate(payment, "capture", { amount: "6.000" });
  assert.equal(part.status, 200, part.text);
  const rest = await world.operate(payment, "capture");
  const stages = (await world.children(payment)).map(({ stage }) => stage);
  if (world.adapter.capturesOnce) {
    // While a queued capture is open the second is too early, and afterwards nothing is left to capture.
    assertProblem(rest, 400, "operation_refused");
    assert.deepEqual(stages, ["done"]);
  } else {
    assert.equal(rest.status, 200, rest.text);
    assert.deepEqual(stages, ["done", "done"]);
  }
  assert.equal(world.stub.ledger(payment.reference).captured, world.adapter.capturesOnce ? 6000 : AMOUNT);
}

async function refundInParts(world) {
  const payment = await world.paid();
  for (const fields of [{ amount: "4.000" }, {}]) {
    const done = await world.operate(payment, "refund", fields);
    assert.equal(done.status, 200, done.text);
  }
  assert.deepEqual((await world.children(payment)).map(({ stage, amount }) => [stage, amount]), [["done", 4000], ["done", 6250]]);
  assert.equal(world.stub.ledger(payment.reference).refunded, AMOUNT);
  assertProblem(await world.operate(payment, "refund", { amount: "0.010" }), 400, "operation_refused");
}

async function refundWhole(world) {
  const payment = await world.paid();
  const done = await world.operate(payment, "refund");
  assert.equal(done.status, 200, done.text);
  assert.equal((await world.retrieve(payment.session_id)).body.refunded_amount, "10.250");
  assert.equal(world.stub.ledger(payment.reference).refunded, AMOUNT);
}

async function voidHeld(world) {
  const payment = await world.paid("held");
  const done = await world.operate(payment, "void");
  assert.equal(done.status, 200, done.text);
  assert.deepEqual((await world.children(payment)).map(({ operation, stage }) => [operation, stage]), [["void", "done"]]);
  assert.equal(world.stub.ledger(payment.reference).voided, AMOUNT);
  assert.notEqual((await world.operate(payment, "capture")).status, 200);
}

async function inquiry(world) {
  const ask = (payment) => world.post("/b/pbl/v2/inquiry/", { session_id: payment.session_id });
  const payment = await world.sentTo("shop");
  assert.equal((await ask(payment)).body.result, "pending");
  world.adapter.pay(world, payment);
  const found = await ask(payment);
  assert.equal(found.body.result, world.adapter.reports ? "pending" : "success", found.text);
  await world.reported(payment);
  const { body } = await ask(payment);
  assert.deepEqual([body.result, body.state, body.reference_number], ["success", "paid", payment.reference]);
}

/** The disputes in the webhooks of a payment are these, in the order in which they happened. */
async function areSent(world, payment, statuses) {
  await world.scheduled();
  const sent = await eventually("the webhooks", async () => {
    const received = (await webhooks(world, payment)).map(({ body }) => body).sort((first, second) => first.sequence - second.sequence);
    const found = received.flatMap(({ dispute }) => dispute?.status ?? []);
    return found.length >= statuses.length && found;
  });
  assert.deepEqual(sent, statuses);
}

/** What a report says about a dispute is believed only if the gateway certainly says so, whatever the order of reports. */
async function dispute(world) {
  const { adapter } = world;
  const disputed = async ({ session_id }) => (await world.attention()).filter((entry) => entry.session_id === session_id && entry.reason === "disputed");
  const accepted = async (sent) => assert.equal((await world.send(sent)).status, 200);
  const payment = await world.paid();
  await isPaid(world, payment);
  const waits = adapter.dispute(world, payment, "needs_answer");
  assert.match(waits.body, new RegExp(AMOUNT));
  assertProblem(await world.send({ ...waits, body: waits.body.replace(AMOUNT, "1") }), 401, "signature_invalid");
  if (adapter.asksAboutDisputes) {
    world.proxy.choose = () => "reset before";
    assertProblem(await world.send(waits), 503, "unavailable");
    world.proxy.heal();
  }
  await areSent(world, payment, []);
  assert.deepEqual(await disputed(payment), []);
  for (let time = 0; time < 2; time += 1) await accepted(waits);
  await areSent(world, payment, ["needs_answer"]);
  const lost = adapter.dispute(world, payment, "lost");
  for (const sent of [lost, waits, lost]) await accepted(sent);
  await areSent(world, payment, ["needs_answer", "lost"]);
  assert.equal((await disputed(payment)).length, 1);
  // The end of a dispute is reported before its beginning.
  const late = await world.paid();
  await isPaid(world, late);
  const early = adapter.dispute(world, late, "needs_answer");
  for (const sent of [adapter.dispute(world, late, "lost"), early]) await accepted(sent);
  await areSent(world, late, ["lost"]);
  for (const one of [payment, late]) assert.deepEqual(await standing(world, one), ["paid", "success"]);
}

async function saveCard(world) {
  const card = await world.savedCard("customer-1");
  assert.match(card.token, /^card_00[0-9a-f]{32}$/);
  assert.match(card.number, /^\*{4} \d{4}$/);
}

async function withPayer(world) {
  const { token } = await world.savedCard("customer-2");
  const payment = await world.open({ customer_id: "customer-2" });
  const { status, body, text } = await world.post("/b/checkout/api/sdk/v1/submit-token/", { session_id: payment.session_id, token });
  assert.deepEqual([status, body.status], [200, "success"], text);
  await isPaid(world, await world.known(payment));
}

async function withoutPayer(world) {
  const order = { payment_type: "auto_debit", amount: "10.250", agreement: AGREEMENT, customer_id: "customer-3" };
  const { token } = await world.savedCard("customer-3", order);
  const payment = await world.open(order);
  const { status, body, text } = await world.post("/b/pbl/v2/payment/auto-debit/", { session_id: payment.session_id, token });
  assert.deepEqual([status, body.result, body.state], [200, "success", "paid"], text);
  await isPaid(world, await world.known(payment));
}

const byWallet = (wallet) => async (world) => {
  const payment = await world.open();
  const { status, body, text } = await world.payByWallet(payment, wallet, world.adapter.wallets[wallet]("approve"));
  assert.deepEqual([status, body.result, body.state], [200, "success", "paid"], text);
  await isPaid(world, await world.known(payment));
};

/** A charge whose answer is lost, and about which the gateway is not asked any more: until then it answers nothing at all. */
async function lostCharge(world) {
  let isCharged = false;
  world.proxy.choose = (request) => {
    if (isCharged) return "503 before";
    isCharged = world.adapter.charges(request);
    return isCharged ? "reset after" : "none";
  };
  const { payment } = await byGoogle(world, "approve");
  // The sweeps of the other connectors ask too, and each that has begun plans the next.
  for (let quiet = 0; quiet < 3; quiet += 1) {
    await sleep(100);
    const planned = await world.rows("UPDATE attempt SET inquire_at = NULL WHERE reference = ?1 AND inquire_at IS NOT NULL RETURNING reference", payment.reference);
    if (planned.length > 0) quiet = 0;
  }
  world.proxy.heal();
  assert.equal((await standing(world, payment))[1], "unknown");
  return payment;
}

/** Lists are in the gateway's time, which is the real one: the merchant's clock must not have been moved before. */
async function reconciliation(world) {
  const from = new Date(Date.now() - HOUR * 1000).toISOString();
  const paid = await world.paid();
  const lost = await lostCharge(world);
  // Some lists are asked for by whole seconds: what happened in this second is in the next one.
  await sleep(1050 - (Date.now() % 1000));
  const begun = await world.operator("/reconciliations/", { method: "POST", json: { pg_code: "shop", from } });
  assert.equal(begun.status, 200, begun.text);
  const compared = await eventually("the comparison", async () => {
    await world.scheduled();
    const { body } = await world.operator("/reconciliations/");
    return body.find(({ pg_code, running, last }) => pg_code === "shop" && !running && last);
  });
  assert.ok(compared.last.charges >= 2, JSON.stringify(compared));
  assert.deepEqual([compared.failures, compared.last.differences], [0, 0]);
  for (const payment of [paid, lost]) await isPaid(world, payment);
  assert.deepEqual(await world.attention(), []);
}

/** The payment methods listing offers what the other cases prove, and nothing that is refused. */
async function listing(world) {
  const { cannot } = world.adapter;
  const { status, body, text } = await world.post("/b/pbl/v2/payment-methods/", { plugin: "e_commerce" });
  assert.equal(status, 200, text);
  const wallets = [["Apple Pay", "ApplePay"], ["Google Pay", "GooglePay"]].filter(([name]) => !cannot[name]).map(([, word]) => word);
  const shown = body.payment_methods.map(({ code, wallets, operation, operations, is_tokenizable, auto_debit_enabled }) =>
    ({ code, wallets, operation, operations, is_tokenizable, auto_debit_enabled }));
  const shop = {
    code: "shop", wallets, operation: "purchase", operations: ["refund"],
    is_tokenizable: !cannot["save a card"], auto_debit_enabled: !cannot["saved card, without the payer"],
  };
  const held = { code: "held", wallets: [], operation: "authorize", operations: ["capture", "refund", "void"], is_tokenizable: false, auto_debit_enabled: false };
  assert.deepEqual(shown, cannot.void ? [shop] : [shop, held]);
}

const WORK = {
  "payment methods listing": listing,
  reconciliation,
  approval: approve,
  "decline, with its reason": decline,
  "3-D Secure, then approval": challenge,
  "timeout before the charge": timeoutBefore,
  "timeout after the charge": timeoutAfter,
  "duplicate callback": duplicateCallback,
  "late callback": lateCallback,
  "capture in parts": captureInParts,
  "refund in parts": refundInParts,
  "refund of everything": refundWhole,
  void: voidHeld,
  "inquiry by the merchant": inquiry,
  dispute,
  "save a card": saveCard,
  "saved card, with the payer": withPayer,
  "saved card, without the payer": withoutPayer,
  "Apple Pay": byWallet("apple-pay"),
  "Google Pay": byWallet("google-pay"),
};

/** The cases by their names, in order. Each ends with an audit, and returns whether it was proven, or proven to be refused. */
export const CASES = Object.fromEntries(Object.entries(WORK).map(([name, work]) => [name, async (world) => {
  const isRefused = name in world.adapter.cannot;
  await (isRefused ? notOffered(world, name) : work(world));
  await world.audit();
  return isRefused ? "refused" : "proven";
}]));
