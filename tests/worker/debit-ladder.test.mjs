/** Auto debits that are declined and tried again by the merchant's schedule, in the merchant's time. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { demoSettings, start } from "./harness.mjs";
import { assertProblem, atTheBank, attempts, goToTheBank, open, openPage, payWith, standing, untilWebhooks } from "./payer.mjs";

/** @type {import("./harness.mjs").Till} */
let till;

before(async () => {
  till = await start();
});
after(() => till.stop());

const RETRIES = { auto_debit: { retries: { insufficient_funds: [24, 48] } } };
const under = (id, customer_id) => ({
  payment_type: "auto_debit", amount: "10.250", customer_id, pg_codes: ["credit-card"], agreement: { id, type: "other" },
});
const debit = ({ session_id }, token) =>
  till.call("/b/pbl/v2/payment/auto-debit/", { method: "POST", headers: till.privateKey(), json: { session_id, token } });

/** The payer pays with a test card; returns the token under which it is saved. */
async function keep(fields, card) {
  const payment = await atTheBank(till, { ...fields, pg_code: "credit-card" });
  await payWith(till, payment.page, card);
  const [{ body }] = await untilWebhooks(till, payment);
  return body.token.token;
}

async function hours(count) {
  const moved = await till.operator(`/merchants/${till.merchant.merchant_id}/clock/`, { method: "POST", json: { advance: String(count * 3_600) } });
  assert.equal(moved.status, 200, moved.text);
}

const stages = async (payment) => (await attempts(till, payment)).map(({ stage }) => stage);
const ladders = () => till.rows("SELECT tries, reason FROM debit_ladder");

test("a debit without funds is tried again by the schedule, and the agreement is paused at its end", async () => {
  await till.createMerchant(RETRIES);
  const token = await keep(under("RENT-1", "c-1"), "visa-no-debit");
  const payment = await open(till, under("RENT-1", "c-1"));
  const { body } = await debit(payment, token);
  assert.deepEqual([body.result, body.state], ["failed", "attempted"]);
  assert.deepEqual(await ladders(), [{ tries: 1, reason: "insufficient_funds" }]);
  await hours(23);
  assert.deepEqual(await stages(payment), ["failed"]);
  await hours(1);
  assert.deepEqual(await stages(payment), ["failed", "failed"]);
  await hours(47);
  assert.equal((await stages(payment)).length, 2);
  await hours(1);
  assert.deepEqual(await stages(payment), ["failed", "failed", "failed"]);
  assert.deepEqual(await ladders(), []);
  const webhooks = await untilWebhooks(till, payment, 3);
  assert.deepEqual(webhooks.map((webhook) => webhook.body.result), ["failed", "failed", "failed"]);
  const other = await open(till, under("RENT-1", "c-1"));
  assertProblem(await debit(other, token), 400, "agreement_paused");
  assert.deepEqual(await attempts(till, other), []);
  await hours(24 * 20);
  assert.equal((await stages(payment)).length, 3, "nothing is tried any more");
  // A payment of the payer under the agreement resumes it.
  const renewed = await keep(under("RENT-1", "c-1"), "visa-approve");
  const next = await debit(await open(till, under("RENT-1", "c-1")), renewed);
  assert.equal(next.body.result, "success", next.text);
});

test("the payer pays another way by the same link, and nothing is debited any more", async () => {
  await till.createMerchant(RETRIES);
  const token = await keep(under("RENT-2", "c-2"), "visa-no-debit");
  const payment = await open(till, { ...under("RENT-2", "c-2"), expiration_time: "01:00:00" });
  assert.equal((await debit(payment, token)).body.result, "failed");
  // The ladder holds the transaction open for longer than it was made for.
  await hours(20);
  assert.equal((await openPage(till, payment)).status, 200);
  await payWith(till, await goToTheBank(till, payment, "credit-card"), "visa-approve");
  assert.deepEqual(await standing(till, payment), ["paid", "failed", "success"]);
  await hours(24 * 10);
  assert.deepEqual(await stages(payment), ["failed", "success"]);
  assert.deepEqual(await ladders(), []);
});

test("runs at the same moment debit once", async () => {
  await till.createMerchant(RETRIES);
  const token = await keep(under("RENT-3", "c-3"), "visa-no-debit");
  const payment = await open(till, under("RENT-3", "c-3"));
  await debit(payment, token);
  await Promise.all([hours(24), hours(24), hours(24), hours(24)]).catch(() => {});
  await hours(1);
  assert.equal((await stages(payment)).length, 2);
});

test("a schedule is refused for what may never be tried again", async () => {
  const refused = async (retries) => {
    const settings = { ...demoSettings(), auto_debit: { retries } };
    const answer = await till.operator("/merchants/", { method: "POST", json: { merchant_id: "ladder", settings } });
    return assertProblem(answer, 400, "invalid_fields").settings.auto_debit.retries;
  };
  assert.deepEqual(Object.keys(await refused({ lost_or_stolen: [24] })), ["lost_or_stolen"]);
  assert.deepEqual(Object.keys((await refused({ do_not_honor: [0, 1] })).do_not_honor), ["0"]);
  assert.deepEqual(Object.keys(await refused({ do_not_honor: Array(11).fill(1) })), ["do_not_honor"]);
});
