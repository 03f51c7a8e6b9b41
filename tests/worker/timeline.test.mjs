/**
 * What happened to a payment transaction, over HTTP: who changed it, what the gateway answered, what was captured and returned,
 * each try of each webhook, and what the staff asked. What a receiver saw by itself is the judge of the webhooks.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "./harness.mjs";
import { assertProblem, atTheBank, choose, deliverNow, eventually, open, openPage, payWith, setAnswer, untilWebhooks } from "./payer.mjs";

const PASSWORD = "correct horse battery";

/** @type {import("./harness.mjs").Till} */
let till;
let shop;
before(async () => {
  till = await start();
  shop = await till.createMerchant();
});
after(() => till.stop());

const basic = (username) => ({ authorization: `Basic ${Buffer.from(`${username}:${PASSWORD}`).toString("base64")}` });
const prefix = () => shop.private_key.split(".")[0];

async function user(name, permissions) {
  const json = { username: `${name}@${shop.merchant_id}`, password: PASSWORD, permissions };
  const answer = await till.call("/b/access/v1/users/", { method: "POST", headers: till.privateKey(), json });
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}

async function timeline({ session_id }, headers = till.privateKey()) {
  const answer = await till.call(`/b/checkout/v1/pymt-txn/${session_id}/events/`, { headers });
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}

const eventsOf = ({ results }) => results.flatMap(({ event }) => (event ? [event] : [])).reverse();
const post = (path, json, headers = till.privateKey()) => till.call(path, { method: "POST", headers, json });

test("a payment shows what happened to it, in order, and who did it", async () => {
  const teller = await user("teller", ["payment.refund", "payment.inquiry"]);
  const payment = await open(till, { amount: "10.000", pg_codes: ["knet"] });
  await till.call(`/b/checkout/v1/pymt-txn/${payment.session_id}/`, { method: "PATCH", headers: till.privateKey(), json: { amount: "12.000" } });
  await openPage(till, payment);
  const page = (await choose(till, payment, "knet")).headers.get("location");
  const asked = await post("/b/pbl/v2/inquiry/", { session_id: payment.session_id }, basic(teller.username));
  assert.equal(asked.status, 200, asked.text);
  await payWith(till, page, "visa-approve");
  await untilWebhooks(till, payment);
  const refunded = await post("/b/pbl/v2/operation/", { session_id: payment.session_id, operation: "refund", amount: "5.000" }, basic(teller.username));
  assert.equal(refunded.status, 200, refunded.text);
  const found = await timeline(payment);
  const key = { kind: "key", id: prefix() };
  const by = { kind: "user", id: String(teller.id), name: teller.username };
  const events = eventsOf(found);
  const seen = events.map(({ kind, state, by: who, result }) => [kind, state, who, result]);
  assert.deepEqual(seen, [
    ["created", "created", key, undefined],
    ["updated", "created", key, undefined],
    ["page_opened", "pending", undefined, undefined],
    ["attempt_opened", "pending", undefined, "pending"],
    ["attempt_noted", "pending", undefined, "pending"],
    ["inquired", "pending", by, undefined],
    ["purchase_succeeded", "paid", undefined, "success"],
    ["operation_opened", "paid", by, "queued"],
    ["refunded", "paid", undefined, "success"],
  ]);
  assert.deepEqual(events.map(({ sequence }) => sequence), events.map((_, place) => place + 1));
  const [attempt] = found.attempts;
  assert.deepEqual([attempt.pg_code, attempt.amount, attempt.result, attempt.is_sandbox], ["knet", "12.000", "success", true]);
  assert.equal(attempt.reference_number, events.find(({ kind }) => kind === "purchase_succeeded").reference_number);
  assert.equal(typeof attempt.gateway_response, "object");
  const [operation] = found.operations;
  assert.deepEqual([operation.operation, operation.amount, operation.result, operation.state, operation.by], ["refund", "5.000", "success", "refunded", by]);
  const sorted = found.results.map(({ at }) => at);
  assert.deepEqual(sorted, [...sorted].sort().reverse());
});

test("each try of a webhook is there, as its receiver saw it", async () => {
  const payment = await atTheBank(till);
  await setAnswer(till, payment.inbox, "500");
  await payWith(till, payment.page, "visa-approve");
  await untilWebhooks(till, payment);
  const sent = async () => (await timeline(payment)).results.flatMap(({ webhook }) => (webhook ? [webhook] : []));
  await eventually("the failed try is recorded", async () => (await sent())[0]?.tried);
  await setAnswer(till, payment.inbox, "200");
  await deliverNow(till, payment);
  const received = await untilWebhooks(till, payment, 2);
  const tries = await eventually("both tries", async () => { const found = await sent(); return found.length === 2 && found; });
  assert.deepEqual(tries.map(({ tried }) => [tried.number, tried.status]), [[2, 200], [1, 500]]);
  assert.deepEqual(new Set(tries.map(({ id }) => id)), new Set(received.map(({ headers }) => headers["webhook-id"])));
  assert.deepEqual(new Set(tries.map(({ kind, state, url }) => `${kind} ${state} ${url}`)), new Set([`payment_webhook delivered ${till.url}/sandbox/inbox/${payment.inbox}/`]));
});

test("the staff of the installation are seen as such, and not who they are", async () => {
  const payment = await atTheBank(till);
  await payWith(till, payment.page, "visa-approve");
  const path = `/merchants/${shop.merchant_id}`;
  const asked = await till.operator(`${path}/inquiry/`, { method: "POST", json: { session_id: payment.session_id } });
  assert.equal(asked.status, 200, asked.text);
  const notified = eventsOf(await timeline(payment)).filter(({ by }) => by?.kind === "operator");
  assert.ok(notified.length > 0);
  for (const { by } of notified) assert.deepEqual(by, { kind: "operator" });
});

test("a canceled payment names who canceled it, and the payer is nobody", async () => {
  const [byKey, byPayer] = [await open(till), await open(till)];
  await post("/b/pbl/v2/operation/", { session_id: byKey.session_id, operation: "cancel" });
  await till.call(`/b/checkout/api/sdk/v1/cancel/${byPayer.session_id}/`, { method: "POST", json: { operation: "cancel" } });
  const last = async (payment) => { const { kind, by } = eventsOf(await timeline(payment)).at(-1); return [kind, by?.kind]; };
  assert.deepEqual(await last(byKey), ["canceled", "key"]);
  assert.deepEqual(await last(byPayer), ["canceled", undefined]);
});

test("a debit by the merchant's server names its key", async () => {
  const payment = await open(till, { pg_codes: ["cash"] });
  assert.equal((await post("/b/pbl/v2/payment/cash/", { session_id: payment.session_id })).status, 200);
  const opened = eventsOf(await timeline(payment)).find(({ kind }) => kind === "cash_acknowledged" || kind === "attempt_opened");
  assert.deepEqual(opened.by, { kind: "key", id: prefix() });
});

test("a transaction that was restored names the operator's side", async () => {
  const payment = await open(till);
  await post("/b/pbl/v2/operation/", { session_id: payment.session_id, operation: "delete" });
  assertProblem(await till.call(`/b/checkout/v1/pymt-txn/${payment.session_id}/events/`, { headers: till.privateKey() }), 404, "not_found");
  const restored = await till.operator(`/transactions/${payment.session_id}/restore/`, { method: "POST", json: {} });
  assert.ok(restored.status < 300, restored.text);
  const events = eventsOf(await timeline(payment));
  assert.deepEqual(events.slice(-2).map(({ kind, by }) => [kind, by?.kind]), [["deleted", "key"], ["restored", "operator"]]);
});

test("only who may see the payment reads it; another merchant's is like one that does not exist", async () => {
  const payment = await open(till);
  const path = `/b/checkout/v1/pymt-txn/${payment.session_id}/events/`;
  const blind = await user("blind", ["Can view payment requests"]);
  assertProblem(await till.call(path, { headers: basic(blind.username) }), 403, "permission_missing");
  const stranger = await till.createMerchant();
  const headers = { authorization: `Api-Key ${stranger.private_key}` };
  const theirs = await till.call(path, { headers });
  const nobodys = await till.call(path.replace(payment.session_id, "0".repeat(40)), { headers });
  assertProblem(theirs, 404, "not_found");
  assert.deepEqual({ ...theirs.body, request_id: 0 }, { ...nobodys.body, request_id: 0 });
});
