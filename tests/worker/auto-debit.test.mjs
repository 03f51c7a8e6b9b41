/** Auto debit, its agreements in time, and saved cards over HTTP, at the sandbox bank. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "./harness.mjs";
import { assertProblem, atTheBank, attempts, finish, open, payWith, post, standing, untilWebhooks } from "./payer.mjs";

/** @type {import("./harness.mjs").Till} */
let till;

before(async () => {
  till = await start();
  await till.createMerchant();
});
after(() => till.stop());

const AGREEMENT = {
  type: "recurring", amount_variability: "variable", cycle_interval_days: 30, expiry_date: "2031-12-31", frequency: "monthly", total_cycles: 12,
};
const PATH = "/b/pbl/v2/payment/auto-debit/";
const under = (id, customer_id) => ({
  payment_type: "auto_debit", amount: "10.250", customer_id, pg_codes: ["credit-card"], agreement: { ...AGREEMENT, id },
});
const charge = ({ session_id }, token, more = {}, path = PATH, headers = {}) =>
  till.call(path, { method: "POST", headers: { ...till.privateKey(), ...headers }, json: { session_id, token, ...more } });
const submit = ({ session_id }, token) =>
  till.call("/b/checkout/api/sdk/v1/submit-token/", { method: "POST", json: { session_id, token } });

/** The payer pays with a test card; returns the token under which it is saved. */
async function keep(fields, card = "visa-approve") {
  const payment = await atTheBank(till, { ...fields, pg_code: "credit-card" });
  await payWith(till, payment.page, card);
  const [{ body }] = await untilWebhooks(till, payment);
  return body.token.token;
}

test("the merchant charges the card of an agreement, by both addresses, and is notified by webhook too", async () => {
  const token = await keep(under("RENT-1", "c-1"));
  for (const [path, settled] of [[PATH, "number"], ["/b/pbl/v2/auto-debit/", "string"]]) {
    const payment = await open(till, under("RENT-1", "c-1"));
    const { status, body } = await charge(payment, token, {}, path);
    assert.deepEqual([status, body.result, body.state, body.token.token, body.token.agreements], [200, "success", "paid", token, ["RENT-1"]]);
    assert.equal(typeof body.settled_amount, settled);
    const [{ body: notified }] = await untilWebhooks(till, payment);
    assert.deepEqual([notified.result, notified.token.token, notified.reference_number], ["success", token, body.reference_number]);
    assertProblem(await charge(payment, token), 400, "not_payable");
  }
  const [{ cycles }] = await till.rows("SELECT cycles FROM agreement WHERE id = 'RENT-1'");
  assert.equal(cycles, 2);
});

test("two charges of one session at once are one charge", async () => {
  const token = await keep(under("RENT-2", "c-2"));
  const payment = await open(till, under("RENT-2", "c-2"));
  const answers = await Promise.all([1, 2, 3].map(() => charge(payment, token)));
  const done = answers.filter(({ status }) => status === 200);
  assert.equal(done.length, 1);
  for (const { status, body } of answers.filter((answer) => answer.status !== 200)) {
    assert.ok((status === 409 && body.code === "attempt_in_progress") || (status === 400 && body.code === "not_payable"), body.code);
    assert.deepEqual([body.operation, body.result], ["payment", "failed"]);
  }
  assert.equal((await attempts(till, payment)).length, 1);
});

test("the same charge twice under one key is one charge, also at once and at the other address", async () => {
  const token = await keep(under("RENT-8", "c-8"));
  const payment = await open(till, under("RENT-8", "c-8"));
  const key = { "idempotency-key": `d-${payment.session_id}` };
  const send = (path) => charge(payment, token, {}, path, key);
  const [one, two] = await Promise.all([send(), send()]);
  const again = await send();
  assert.deepEqual([again.status, again.body.result, again.headers.get("idempotent-replayed")], [200, "success", "true"], again.text);
  for (const answer of [one, two]) {
    if (answer.status === 200) assert.equal(answer.text, again.text);
    else assertProblem(answer, 409, "attempt_in_progress");
  }
  const older = await send("/b/pbl/v2/auto-debit/");
  assert.deepEqual([older.status, older.body.reference_number], [200, again.body.reference_number], older.text);
  assert.equal((await attempts(till, payment)).length, 1);
  assertProblem(await charge(payment, token, { pg_code: "knet" }, PATH, key), 422, "idempotency_key_reused");
});

test("an attempt that waits on the bank's page is withdrawn before the merchant charges the card", async () => {
  const token = await keep(under("RENT-10", "c-10"));
  const payment = await atTheBank(till, { ...under("RENT-10", "c-10"), pg_code: "credit-card" });
  assert.equal((await charge(payment, token)).body.result, "success");
  assert.deepEqual((await attempts(till, payment)).map(({ stage }) => stage), ["canceled", "success"]);
});

test("a card with 3-D Secure asks the payer, and not the merchant", async () => {
  const customer = { customer_id: "c-3", pg_codes: ["credit-card"] };
  const saving = await atTheBank(till, { ...customer, payment_type: "save_card", amount: "0", pg_code: "credit-card" });
  await post(till, saving.page, { action: "pay", card: "visa-3ds" });
  await finish(till, saving.page, { action: "confirm" });
  const [{ body: saved }] = await untilWebhooks(till, saving);
  const token = saved.token.token;
  const byMerchant = await open(till, customer);
  assert.equal((await charge(byMerchant, token)).body.result, "success");
  const byPayer = await open(till, customer);
  const { body } = await submit(byPayer, token);
  const [{ page_url, reference }] = await attempts(till, byPayer);
  assert.deepEqual(
    [body.status, body.method, body.challenge_occurred, body.redirect_url, body.reference_number], ["3DS", "redirect", true, page_url, reference],
  );
  await finish(till, body.redirect_url, { action: "confirm" });
  assert.deepEqual(await standing(till, byPayer), ["paid", "success"]);
});

test("what is wrong with a card is refused by name, and nothing is charged", async () => {
  const customer = { customer_id: "c-4", pg_codes: ["credit-card"] };
  const save = { payment_type: "save_card", amount: "0", customer_id: "c-4" };
  const [over, soon] = [await keep(save, "visa-expired"), await keep(save, "visa-expiring")];
  const refused = async (fields, token, code) => {
    const payment = await open(till, fields);
    assertProblem(await charge(payment, token), 400, code);
    assert.deepEqual(await attempts(till, payment), []);
  };
  await refused(customer, over, "card_expired");
  await refused({ ...customer, card_acceptance_criteria: { min_expiry_time: 60 } }, soon, "card_expires_soon");
  await refused({ ...customer, customer_id: "c-5" }, soon, "card_unknown");
  await refused({ ...customer, pg_codes: ["mpgs"] }, soon, "card_unknown");
  await refused({ ...customer, pg_codes: ["knet"] }, soon, "auto_debit_unsupported");
  await refused(customer, "card_00000000000000000000000000000000", "card_unknown");
  await refused(under("RENT-9", "c-4"), soon, "card_expires_soon");
  const payment = await open(till, customer);
  assert.deepEqual(Object.keys(assertProblem(await charge(payment, soon, { cvv: "123" }), 400, "invalid_fields")), ["cvv"]);
  assert.deepEqual(Object.keys(assertProblem(await charge({}, undefined), 400, "invalid_fields")), ["session_id", "token"]);
});

test("the payer pays with a card that the SDK offers, and confirms at the bank where it asks", async () => {
  const token = await keep(under("RENT-6", "c-6"));
  const payment = await open(till, { customer_id: "c-6", pg_codes: ["knet", "credit-card"] });
  const offered = (await till.call(`/b/checkout/api/sdk/v1/pymt-txn/submit/${payment.session_id}/`)).body.cards;
  assert.deepEqual([offered.length, offered[0].token, offered[0].customer_id], [1, token, ""]);
  assertProblem(await till.call(offered[0].delete_url, { method: "DELETE" }), 400, "card_locked");
  const { status, body } = await submit(payment, token);
  assert.deepEqual([status, body.status, body.form_of_payment], [200, "success", "token_pay"]);
  assert.deepEqual(await standing(till, payment), ["paid", "success"]);
  const [{ body: notified }] = await untilWebhooks(till, payment);
  assert.equal(notified.token.token, token);
});

test("a create with the token of a saved card is charged in the same call", async () => {
  const customer = { customer_id: "c-15", pg_codes: ["credit-card"] };
  const saving = await atTheBank(till, { ...customer, payment_type: "save_card", amount: "0", pg_code: "credit-card" });
  await payWith(till, saving.page, "visa-approve");
  const [{ body: saved }] = await untilWebhooks(till, saving);
  const token = saved.token.token;
  const create = (fields, payload) =>
    till.create({ ...customer, ...fields, payment_instrument: { instrument_type: "token", payload } });
  const paid = await create({}, { token });
  assert.deepEqual([paid.status, paid.body.result, paid.body.state, paid.body.token.token], [201, "success", "paid", token], paid.text);
  const stranger = await create({ customer_id: "c-16" }, { token });
  assertProblem(stranger, 400, "card_unknown");
  const errors = assertProblem(await create({}, { token, cvv: "123" }), 400, "invalid_fields");
  assert.deepEqual(Object.keys(errors.payment_instrument.payload), ["cvv"]);
});

test("the terms of an agreement are kept by the merchant's clock where the settings enforce them", async () => {
  const owner = till.merchant;
  const strict = await till.createMerchant({ agreements: { enforce: true } });
  const days = async (count) => {
    const moved = await till.operator(`/merchants/${strict.merchant_id}/clock/`, { method: "POST", json: { advance: String(count * 86_400) } });
    assert.equal(moved.status, 200, moved.text);
  };
  const terms = (id, more = {}) => {
    const order = under(id, "c-17");
    return { ...order, agreement: { ...order.agreement, ...more } };
  };
  const inDays = (count) => new Date(Date.now() + count * 86_400_000).toISOString().slice(0, 10);
  const [cycles, over] = [
    await keep(terms("TWICE", { total_cycles: 2, max_amount_per_cycle: "10.250" })),
    await keep(terms("SHORT", { expiry_date: inDays(40), cycle_interval_days: 1 }), "mastercard-approve"),
  ];
  const debit = async (id, token, fields = {}) => charge(await open(till, { ...terms(id), ...fields }), token);
  const refused = async (code, ...of) => assertProblem(await debit(...of), 400, code);
  const paid = async (...of) => {
    const { status, body, text } = await debit(...of);
    assert.deepEqual([status, body.result], [200, "success"], text);
  };
  await refused("agreement_too_early", "TWICE", cycles);
  await days(29);
  await refused("agreement_too_early", "TWICE", cycles);
  await paid("SHORT", over);
  await days(1);
  await refused("agreement_amount_too_large", "TWICE", cycles, { amount: "10.251" });
  await paid("TWICE", cycles);
  await refused("agreement_too_early", "TWICE", cycles);
  await days(12);
  // What a later order says about the agreement does not extend it.
  await refused("agreement_over", "SHORT", over);
  await days(18);
  await paid("TWICE", cycles);
  await days(30);
  await refused("agreement_cycles_done", "TWICE", cycles);
  till.merchant = owner;
});
