/** A paused merchant: nothing begins, whatever path is used, and everything in progress is still settled. */
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { demoSettings, start } from "./harness.mjs";
import { assertProblem, atTheBank, attempts, choose, finish, open, openPage, payWith, pollStatus, standing, stateOf, untilWebhooks } from "./payer.mjs";
import { TOKENS, payByWallet } from "./wallets.mjs";

/** @type {import("./harness.mjs").Till} */
let till;

before(async () => {
  till = await start();
  await till.createMerchant();
});
beforeEach(() => pause(false));
after(() => till.stop());

async function pause(is_paused) {
  const answer = await till.operator(`/merchants/${till.merchant.merchant_id}/settings/`, { method: "PUT", json: { ...demoSettings(), is_paused } });
  assert.equal(answer.status, 200, answer.text);
}

const SDK = "/b/checkout/api/sdk/v1";
const post = (path, json, headers = {}) => till.call(path, { method: "POST", json, headers });
const bearer = () => till.privateKey();

test("creating answers 423 in every form, and a stored answer is still replayed", async () => {
  const headers = { "idempotency-key": "before-the-pause" };
  const first = await till.create({}, headers);
  await pause(true);
  const before = (await till.rows("SELECT COUNT(*) AS number FROM txn"))[0].number;
  assertProblem(await till.create(), 423, "paused");
  assertProblem(await till.create({ amount: "-1" }), 423, "paused");
  assertProblem(await till.create({ pg_codes: ["credit-card"], payment_instrument: { instrument_type: "apple_pay", payload: JSON.parse(TOKENS["apple-pay"]("visa-approve")) } }), 423, "paused");
  const again = await till.create({}, headers);
  assert.deepEqual([again.status, again.text, again.headers.get("idempotent-replayed")], [201, first.text, "true"]);
  assertProblem(await till.create({}, { authorization: `Api-Key ${till.merchant.public_key}` }), 401, "private_key_required");
  assert.equal((await till.rows("SELECT COUNT(*) AS number FROM txn"))[0].number, before);
});

test("no way of paying begins an attempt", async () => {
  const saving = await atTheBank(till, { pg_code: "credit-card", payment_type: "save_card", amount: "0", customer_id: "c-1" });
  await payWith(till, saving.page, "visa-approve");
  const [{ body: { token: { token } } }] = await untilWebhooks(till, saving);
  const payment = await open(till, { amount: "10.000", pg_codes: ["knet", "credit-card", "cash"], customer_id: "c-1" });
  const { session_id } = payment;
  await pause(true);
  const native = [
    ...await Promise.all(Object.keys(TOKENS).map((wallet) => payByWallet(till, payment, { wallet, more: ',"pg_code":"credit-card"' }))),
    await post("/b/pbl/v2/payment/cash/", { session_id }, bearer()),
    await post("/b/pbl/v2/payment/auto-debit/", { session_id, token }, bearer()),
    await post("/b/pbl/v2/auto-debit/", { session_id, token }, bearer()),
  ];
  for (const answer of native) {
    assertProblem(answer, 423, "paused");
    assert.deepEqual([answer.body.operation, answer.body.result], ["payment", "failed"]);
  }
  assertProblem(await post(`${SDK}/submit/${session_id}/`, { pg_code: "knet", customer_additional_phone: "12345" }), 423, "paused");
  assertProblem(await post(`${SDK}/submit-token/`, { session_id, token }), 423, "paused");
  for (const [path, field, wallet] of [["apay", "apple_pay", "apple-pay"], ["gpay", "google_pay", "google-pay"]]) {
    const body = `{"code":"credit-card","session_id":"${session_id}","${field}_payload":${TOKENS[wallet]("visa-approve")}}`;
    assertProblem(await till.call(`${SDK}/${path}/pay/`, { method: "POST", headers: { "content-type": "application/json" }, body }), 423, "paused");
  }
  assertProblem(await choose(till, payment, "knet", { accept: "application/json" }), 423, "paused");
  assertProblem(await choose(till, payment, "cash", { accept: "application/json" }), 423, "paused");
  assert.deepEqual(await attempts(till, payment), []);
  assert.deepEqual(await stateOf(till, payment), "created");
  await pause(false);
  const bank = await choose(till, payment, "knet");
  await payWith(till, bank.headers.get("location"), "visa-approve");
  assert.equal(await stateOf(till, payment), "paid");
});

for (const [language, title] of [["en", "Payments are paused"], ["ar", "الدفع متوقف مؤقتًا"]]) {
  test(`the page says so in ${language} instead of offering to pay, and offers again afterwards`, async () => {
    const payment = await open(till, { language });
    assert.match((await openPage(till, payment)).text, /id="pay-button"/);
    await pause(true);
    const shown = await openPage(till, payment);
    assert.equal(shown.status, 200);
    assert.ok(shown.text.includes(title) && !shown.text.includes('id="pay-button"') && !shown.text.includes('name="pg_code"'));
    assert.equal((await pollStatus(till, payment)).status, "paused");
    const refused = await choose(till, payment, "knet");
    assert.equal(refused.status, 423);
    assert.ok(refused.text.includes(title) && !refused.text.includes('id="pay-button"'));
    const sdk = (await till.call(`${SDK}/pymt-txn/submit/${payment.session_id}/`)).body;
    assert.deepEqual([sdk.payment_methods, sdk.payment_services, sdk.cards], [[], [], []]);
    await pause(false);
    assert.match((await openPage(till, payment)).text, /id="pay-button"/);
    assert.equal((await pollStatus(till, payment)).status, "payable");
  });
}

test("what is under way is still settled: the return, the webhook, an inquiry, a refund", async () => {
  const payment = await atTheBank(till, { pg_code: "credit-card" });
  await pause(true);
  assert.equal((await pollStatus(till, payment)).status, "paused");
  await finish(till, payment.page, { action: "pay", card: "visa-approve" });
  assert.deepEqual(await standing(till, payment), ["paid", "success"]);
  const [{ body }] = await untilWebhooks(till, payment);
  assert.equal(body.result, "success");
  assert.equal((await pollStatus(till, payment)).status, "paid");
  assert.match((await openPage(till, payment)).text, /data-status="paid"/);
  const { session_id } = payment;
  const asked = await post("/b/pbl/v2/inquiry/", { session_id }, bearer());
  assert.equal(asked.status, 200, asked.text);
  const refund = await post("/b/pbl/v2/operation/", { session_id, operation: "refund", amount: "1.000" }, bearer());
  assert.deepEqual([refund.status, refund.body.result], [200, "success"], refund.text);
  assert.equal((await till.retrieve(session_id)).status, 200);
});

test("a callback and a cancellation are taken", async () => {
  const late = await atTheBank(till, { pg_code: "knet" });
  const idle = await open(till);
  await pause(true);
  assert.equal((await post(`${SDK}/cancel/${idle.session_id}/`, { operation: "cancel" })).status, 200);
  assert.equal(await stateOf(till, idle), "canceled");
  await till.scheduled();
  assert.equal(await stateOf(till, late), "pending");
});

test("a pause that is no flag is refused by name", async () => {
  const path = `/merchants/${till.merchant.merchant_id}/settings/`;
  const answer = await till.operator(path, { method: "PUT", json: { ...demoSettings(), is_paused: "yes" } });
  assert.deepEqual(Object.keys(assertProblem(answer, 400, "invalid_fields")), ["is_paused"]);
});
