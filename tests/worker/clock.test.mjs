/**
 * The test clock over HTTP: an operator moves a merchant's time, and what is due at the new time has happened
 * when the answer comes.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { demoSettings, start } from "./harness.mjs";
import {
  assertProblem, atTheBank, attempts, eventually, finish, inbox, open, payWith, setAnswer, standing, stateOf, untilWebhooks,
} from "./payer.mjs";

/** @type {import("./harness.mjs").Till} */
let till;

before(async () => {
  till = await start();
});
after(() => till.stop());

const clockOf = (merchant = till.merchant) => `/merchants/${merchant.merchant_id}/clock/`;
const post = (json, merchant) => till.operator(clockOf(merchant), { method: "POST", json });

/** Moves the clock; returns what happened. */
async function move(body, merchant) {
  const moved = await post(body, merchant);
  assert.equal(moved.status, 200, moved.text);
  return moved.body;
}

const seconds = (count) => ({ advance: String(count) });
const DAY = 86_400;

/** A moment of the Worker's answers, in milliseconds. */
const millis = (text) => Date.parse(text);

test("a transaction expires without waiting, and everything of the merchant has its time", async () => {
  await till.createMerchant();
  const payment = await open(till, {});
  const moved = await move({ advance: "1 00:00:01" });
  assert.deepEqual([moved.inquired, moved.expired, moved.delivered, moved.advanced_seconds], [0, 1, 0, DAY + 1]);
  assert.equal(await stateOf(till, payment), "expired");
  const shown = await till.operator(clockOf());
  assert.equal(shown.status, 200);
  const ahead = millis(shown.body.now) - Date.now();
  assert.ok(Math.abs(ahead - (DAY + 1) * 1000) < 5000, `${ahead} ms ahead`);
  const later = await till.create({});
  assert.ok(millis(later.body.due_datetime) - Date.now() > DAY * 1000 - 5000, later.body.due_datetime);
  const [{ action, before, after }] = await till.rows("SELECT action, before, after FROM audit WHERE merchant_id = ?1 ORDER BY id DESC LIMIT 1", till.merchant.merchant_id);
  assert.deepEqual([action, before, after], ["move_clock", '{"advanced_seconds":0}', `{"advanced_seconds":${DAY + 1}}`]);
  await move({ to: new Date(millis(shown.body.now) + 2 * DAY * 1000).toISOString() });
  assert.equal((await till.retrieve(later.body.session_id)).body.state, "expired");
});

test("two merchants live in different times, and the cron treats each by its own", async () => {
  const ahead = await till.createMerchant();
  await move(seconds(10 * DAY), ahead);
  const behind = await till.createMerchant();
  const theirs = await open(till, {});
  till.merchant = ahead;
  const mine = await open(till, {});
  await till.scheduled();
  assert.equal(await stateOf(till, mine), "created");
  await move(seconds(2 * DAY), ahead);
  assert.equal(await stateOf(till, mine), "expired");
  till.merchant = behind;
  assert.equal(await stateOf(till, theirs), "created");
  await till.scheduled();
  assert.equal(await stateOf(till, theirs), "created");
});

test("the schedule of a notification is walked by the clock up to the end", async () => {
  await till.createMerchant();
  const payment = await atTheBank(till);
  await setAnswer(till, payment.inbox, "500");
  await payWith(till, payment.page, "visa-approve");
  const row = async () => (await till.rows("SELECT * FROM delivery WHERE session_id = ?1", payment.session_id))[0];
  await eventually("the first try has failed", async () => (await row()).failed_tries === 1);
  // 1, 5, 30 minutes, 2, 5, 10, 14, 20, 24 hours, each less than a fifth longer or shorter.
  for (const [index, wait] of [60, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400].entries()) {
    assert.equal((await move(seconds(Math.floor(wait * 0.79)))).delivered, 0, `too early for try ${index + 2}`);
    assert.equal((await move(seconds(Math.ceil(wait * 0.42)))).delivered, 1, `try ${index + 2}`);
    assert.equal((await row()).failed_tries, index + 2);
  }
  assert.equal((await row()).state, "given_up");
  const received = await inbox(till, payment.inbox);
  assert.equal(received.length, 10);
  for (const { headers } of received) {
    assert.ok(Math.abs(Number(headers["webhook-timestamp"]) - Date.now() / 1000) < 60, "signed in real time");
  }
  const { body } = await till.operator("/attention/");
  const [{ reference }] = await attempts(till, payment);
  assert.ok(body.some(({ id }) => id === `${reference}.delivery_given_up`));
  assert.equal((await move(seconds(30 * DAY))).delivered, 0, "nothing comes after the end");
});

test("a bank that does not say is asked up to 72 hours, and then a person is", async () => {
  // Its list would report the outcome of the payment.
  await till.createMerchant({ gateways: demoSettings().gateways.map((gateway) => ({ ...gateway, reconciled: false })) });
  const payment = await atTheBank(till);
  await payWith(till, payment.page, "visa-timeout");
  assert.deepEqual(await standing(till, payment), ["pending", "unknown"]);
  await till.rows("UPDATE sandbox_charge SET silent_inquiries = 1000 WHERE reference = ?1", (await attempts(till, payment))[0].reference);
  for (const wait of [60, 60, 60, 60, 60, 300, 600, 600]) {
    assert.equal((await move(seconds(wait))).inquired, 1, `after ${wait} s`);
  }
  const [{ reference }] = await attempts(till, payment);
  const listed = async () => (await till.operator("/attention/")).body.some(({ id }) => id === `${reference}.outcome_unknown`);
  assert.equal(await listed(), false);
  assert.equal((await move(seconds(3 * DAY))).inquired, 1);
  assert.equal(await listed(), false, "a question that comes late is not the last one");
  await move(seconds(600));
  assert.equal(await listed(), true);
  assert.deepEqual(await standing(till, payment), ["pending", "unknown"]);
  assert.equal((await move(seconds(DAY))).inquired, 0, "it is left to the person");
});

test("what the simulated bank is late with comes by the merchant's time, and only its own", async () => {
  const other = await till.createMerchant();
  const theirs = await atTheBank(till);
  const mine = await till.createMerchant();
  const payment = await atTheBank(till);
  for (const { page } of [theirs, payment]) await finish(till, page, { action: "pay", card: "visa-late" });
  assert.deepEqual(await standing(till, payment), ["pending", "unknown"]);
  await move(seconds(21), mine);
  assert.deepEqual(await standing(till, payment), ["paid", "success"]);
  const { body } = (await untilWebhooks(till, payment, 2)).at(-1);
  assert.equal(body.state, "paid");
  const ahead = Date.parse(body.timestamp_utc) - Date.now();
  assert.ok(ahead > 10_000, `the webhook has the merchant's time: ${body.timestamp_utc}`);
  till.merchant = other;
  assert.deepEqual(await standing(till, theirs), ["pending", "unknown"]);
});

test("a queued refund settles when the clock says so", async () => {
  await till.createMerchant();
  const payment = await atTheBank(till, { pg_code: "queued" });
  await payWith(till, payment.page, "visa-approve");
  const refund = await till.call("/b/pbl/v2/operation/", {
    method: "POST", headers: till.privateKey(), json: { operation: "refund", session_id: payment.session_id, amount: "1.000" },
  });
  assert.equal(refund.status, 200, refund.text);
  const stage = async () => (await till.rows("SELECT stage FROM child WHERE parent_id = ?1", payment.session_id))[0].stage;
  assert.equal(await stage(), "queued");
  await move(seconds(DAY));
  assert.equal(await stage(), "done");
});

test("a merchant with a gateway that is not simulated lives in real time", async () => {
  const settings = demoSettings();
  settings.gateways[0].sandbox = false;
  const real = await till.createMerchant(settings);
  assertProblem(await post(seconds(60)), 400, "clock_not_movable");
  assert.equal((await till.operator(clockOf())).body.advanced_seconds, 0);
  const test = await till.createMerchant();
  await move(seconds(60), test);
  const put = await till.operator(`/merchants/${test.merchant_id}/settings/`, { method: "PUT", json: settings });
  assert.deepEqual(Object.keys(assertProblem(put, 400, "invalid_fields")), ["gateways"]);
  assert.notEqual(real.merchant_id, test.merchant_id);
});

test("hostile bodies move nothing and name what is wrong", async () => {
  const merchant = await till.createMerchant();
  for (const body of [
    {}, { advance: null }, { advance: 60 }, { advance: "" }, { advance: "-60" }, { advance: "0" }, { advance: "P1Y" }, { advance: "P367D" },
    { advance: "9".repeat(1000) }, { advance: { days: 1 } }, { to: 1 }, { to: "tomorrow" }, { to: "1970-01-01T00:00:00Z" },
    { to: "9999-12-31T23:59:59Z" }, { advance: "60", to: "2030-01-01T00:00:00Z" }, { advance: ["60"] },
  ]) {
    assertProblem(await post(body), 400, "invalid_fields");
  }
  for (const body of ["", "[]", "null", "{", "\u0000", '"60"']) {
    const answer = await till.operator(clockOf(), { method: "POST", body, headers: { "content-type": "application/json" } });
    assertProblem(answer, 400, "malformed_body");
  }
  assertProblem(await till.operator("/merchants/nobody-at-all/clock/"), 404, "not_found");
  assertProblem(await till.operator("/merchants/nobody-at-all/clock/", { method: "POST", json: seconds(60) }), 404, "not_found");
  assertProblem(await till.operator(clockOf(), { method: "PUT", json: seconds(60) }), 405, "method_not_allowed");
  assertProblem(await till.call(`/b/operator/v1${clockOf()}`, { method: "POST", json: seconds(60), headers: till.privateKey() }), 401, "credentials_invalid");
  assert.equal((await till.operator(clockOf(merchant))).body.advanced_seconds, 0);
});

test("of two moves at once each counts, or the loser learns of it", async () => {
  await till.createMerchant();
  const answers = await Promise.all([1, 2, 3].map(() => post(seconds(3600))));
  const moved = answers.filter(({ status }) => status === 200).length;
  for (const answer of answers.filter(({ status }) => status !== 200)) assertProblem(answer, 409, "conflict");
  assert.ok(moved >= 1);
  assert.equal((await till.operator(clockOf())).body.advanced_seconds, moved * 3600);
});
