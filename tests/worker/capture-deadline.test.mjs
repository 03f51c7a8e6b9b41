/** Held money has to be captured in time: a person is reminded, by the list, the desk and an e-mail, until it is captured. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { staff, textOf } from "./desk.mjs";
import { start } from "./harness.mjs";
import { assertProblem, atTheBank, eventually, payWith, standing } from "./payer.mjs";

const LIST = "/b/checkout/v1/attention/";
const HOUR = 3_600;
const DAY = 24 * HOUR;

let till;
before(async () => {
  till = await start();
});
after(() => till.stop());

const list = async (query = "") => (await till.call(`${LIST}${query}`, { headers: till.privateKey() })).body.results;
const operate = async ({ session_id }, operation, amount) => {
  const answer = await till.call("/b/pbl/v2/operation/", { method: "POST", headers: till.privateKey(), json: { session_id, operation, amount } });
  assert.equal(answer.status, 200, answer.text);
};

async function later(seconds) {
  const moved = await till.operator(`/merchants/${till.merchant.merchant_id}/clock/`, { method: "POST", json: { advance: String(seconds) } });
  assert.equal(moved.status, 200, moved.text);
}

/** A payment whose money is held. */
async function held() {
  const payment = await atTheBank(till, { pg_code: "mpgs" });
  await payWith(till, payment.page, "visa-approve");
  assert.deepEqual(await standing(till, payment), ["authorized", "success"]);
  const [row] = await till.rows("SELECT d.capture_by, d.remind_at, a.opened_at FROM capture_deadline d JOIN attempt a ON a.reference = d.reference WHERE d.session_id = ?1", payment.session_id);
  return { ...payment, ...row };
}

test("a person is reminded when a quarter of the time is left, and a capture closes the entry at once", async () => {
  const shop = await till.createMerchant({ alerts: { emails: ["ops@example.com"] } });
  const payment = await held();
  assert.equal(payment.capture_by - payment.opened_at, 7 * DAY * 1_000);
  assert.equal(payment.capture_by - payment.remind_at, 42 * HOUR * 1_000);
  const owner = await staff(till, "owner");
  const at = `/payments/${payment.session_id}/`;
  const until = new RegExp(`The amount is held until .*: capture it before then`);
  assert.match(textOf((await owner.get(at)).text), until);
  assert.ok(owner.page.includes(`<time datetime="${new Date(payment.capture_by).toISOString().replace(/\.\d+Z$/, "")}`), "in the time of the reader, and exactly in the document");
  await later(5 * DAY);
  assert.deepEqual(await list(), []);
  await later(7 * HOUR);
  const [entry, ...others] = await list();
  assert.deepEqual([others.length, entry.reason, entry.topic, entry.session_id, entry.state], [0, "capture_due", "payment", payment.session_id, "open"]);
  assert.match(entry.advice, /^Capture the amount, or void it/);
  assert.equal(Date.parse(entry.detail.replace("capture before ", "")), Math.trunc(payment.capture_by / 1_000) * 1_000, entry.detail);
  const seen = textOf((await owner.get("/attention/")).text);
  for (const part of ["Held money has to be captured soon", "Capture before"]) assert.ok(seen.includes(part), seen);
  assert.ok(!owner.page.includes(`${at}inquire/`), "there is nothing to ask");
  await till.scheduled();
  const mail = await eventually("an e-mail", async () =>
    (await till.call(`/sandbox/messages/${shop.merchant_id}/`, { headers: { accept: "application/json" } })).body.find(({ id }) => id.startsWith("alert_")));
  assert.ok(mail.text.includes("Held money has to be captured soon") && mail.text.includes(payment.session_id), mail.text);
  await operate(payment, "capture", "4.000");
  assert.equal((await list()).length, 1, "a part is not all");
  await operate(payment, "capture");
  assert.deepEqual(await list(), []);
  const [closed] = await list("?state=resolved");
  assert.deepEqual([closed.id, closed.note], [entry.id, null]);
  assert.ok(Date.parse(closed.resolved_at) <= Date.now());
  assert.ok(!textOf((await owner.get(at)).text).includes("The amount is held until"));
});

test("what is captured or voided in time is not on the list, and each other merchant's time is its own", async () => {
  const first = await till.createMerchant();
  const waiting = await held();
  await till.createMerchant();
  for (const operation of ["capture", "void"]) await operate(await held(), operation);
  assert.deepEqual(await till.rows("SELECT session_id FROM capture_deadline WHERE merchant_id = ?1", till.merchant.merchant_id), []);
  await later(6 * DAY);
  await till.scheduled();
  assert.deepEqual(await list(), []);
  assert.deepEqual((await till.call(LIST, { headers: till.privateKey(first) })).body.results, [], "its time did not pass");
  const [{ remind_at }] = await till.rows("SELECT remind_at FROM capture_deadline WHERE session_id = ?1", waiting.session_id);
  assert.equal(remind_at, waiting.remind_at);
});

test("in real time the cron handler reminds, once", async () => {
  await till.createMerchant();
  const payment = await held();
  await till.rows("UPDATE capture_deadline SET remind_at = ?2 WHERE session_id = ?1", payment.session_id, Date.now() - 1_000);
  for (let run = 0; run < 2; run += 1) await till.scheduled();
  assert.deepEqual((await list()).map(({ reason, session_id }) => [reason, session_id]), [["capture_due", payment.session_id]]);
  const [{ id }] = await list();
  const json = { note: "the goods go out next week" };
  assert.equal((await till.call(`${LIST}${id}/resolve/`, { method: "POST", headers: till.privateKey(), json })).status, 200);
  await till.scheduled();
  assert.deepEqual(await list(), [], "what someone dealt with stays closed");
  await operate(payment, "void");
  assertProblem(await till.call(`${LIST}${id}/resolve/`, { method: "POST", headers: till.privateKey(), json }), 409, "already_resolved");
});

test("after the deadline the payment says that it is over", async () => {
  await till.createMerchant();
  const payment = await held();
  await later(8 * DAY);
  const owner = await staff(till, "late");
  assert.match(textOf((await owner.get(`/payments/${payment.session_id}/`)).text), /The time to capture ended on/);
  assert.deepEqual((await list()).map(({ reason }) => reason), ["capture_due"]);
});
