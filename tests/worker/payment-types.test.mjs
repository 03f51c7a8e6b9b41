/** auto_debit and save_card at the sandbox bank, and what a merchant's settings add to create, over HTTP. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { demoSettings, start } from "./harness.mjs";
import { assertProblem, atTheBank, attempts, choose, events, open, openPage, payWith, standing, untilWebhooks } from "./payer.mjs";

/** @type {import("./harness.mjs").Till} */
let till;

before(async () => {
  till = await start();
  await till.createMerchant();
});
after(() => till.stop());

const AGREEMENT = {
  id: "RENT-1", type: "recurring", amount_variability: "fixed", cycle_interval_days: 30, expiry_date: "2031-12-31", frequency: "monthly",
  total_cycles: 12,
};
const SAVE_CARD = { payment_type: "save_card", amount: "0", customer_id: "c-1", pg_codes: ["credit-card"] };
const AUTO_DEBIT = { payment_type: "auto_debit", customer_id: "c-1", agreement: AGREEMENT, pg_codes: ["credit-card"] };
const toBank = (fields, pg_code) => atTheBank(till, { ...fields, pg_code });

test("a card is saved on the bank's page without a charge, and the merchant is notified", async () => {
  for (const pg_code of ["credit-card", "mpgs"]) {
    const payment = await toBank({ ...SAVE_CARD, pg_codes: [pg_code] }, pg_code);
    const bank = await till.call(payment.page);
    assert.match(bank.text, /Save a card with/);
    assert.doesNotMatch(bank.text, /\b(KWD|Amount)\b/);
    await payWith(till, payment.page, "visa-approve");
    const [{ body }] = await untilWebhooks(till, payment);
    const { payment_type, operation, state, result, amount, settled_amount, paid_amount, fee, amount_details, customer_id } = body;
    assert.deepEqual(
      { payment_type, operation, state, result, amount, settled_amount, paid_amount, fee, amount_details, customer_id },
      {
        payment_type: "save_card", operation: "payment", state: "paid", result: "success", amount: "0.000", settled_amount: "0.000",
        paid_amount: undefined, fee: undefined, customer_id: "c-1",
        amount_details: { amount: "0.000", currency_code: "KWD", fee: "0.000", total: "0.000" },
      },
    );
    const [attempt] = await attempts(till, payment);
    assert.deepEqual([attempt.operation, attempt.total, attempt.stage], ["verify", 0, "success"]);
    const [charge] = await till.rows("SELECT * FROM sandbox_charge WHERE reference = ?1", attempt.reference);
    assert.deepEqual([charge.operation, charge.amount, charge.status], ["verify", 0, "approved"]);
    assert.deepEqual(await events(till, payment), ["created", "attempt_opened", "attempt_noted", "purchase_succeeded"]);
    const { body: shown } = await till.retrieve(payment.session_id);
    assert.deepEqual([shown.state, shown.settled_pg_code, shown.payment_type], ["paid", pg_code, "save_card"]);
  }
});

test("the page of a card to be saved speaks of saving in both languages, and shows no amount", async () => {
  for (const [language, heading, verb, free] of [
    ["en", "Save a card with", "Save card", "Nothing will be charged"], ["ar", "حفظ بطاقة لدى", "حفظ البطاقة", "لن يُخصم أي مبلغ"],
  ]) {
    const payment = await open(till, { ...SAVE_CARD, language });
    const { text } = await openPage(till, payment);
    for (const words of [heading, verb, free, 'data-payment-type="save_card"']) assert.ok(text.includes(words), words);
    assert.doesNotMatch(text, />KWD|data-part="/);
    const sent = await choose(till, payment, "credit-card");
    assert.equal(sent.status, 303, sent.text);
    await payWith(till, sent.headers.get("location"), "visa-approve");
    const done = await openPage(till, payment);
    assert.doesNotMatch(done.text, />KWD/);
    assert.match(done.text, language === "en" ? /Card saved/ : /تم حفظ البطاقة/);
  }
});

test("every card of the sandbox does with a verification what it does with a payment", async () => {
  for (const [card, state, stage] of [
    ["mastercard-decline", "attempted", "failed"], ["visa-duplicate", "paid", "success"], ["visa-late", "pending", "unknown"],
    // The bank would have charged: the outcome is held.
    ["visa-wrong-amount", "pending", "unknown"],
  ]) {
    const payment = await toBank(SAVE_CARD, "credit-card");
    await payWith(till, payment.page, card);
    assert.deepEqual(await standing(till, payment), [state, stage], card);
  }
});

test("an auto_debit is paid on the page, and its type, agreement and criteria are notified", async () => {
  const payment = await toBank(AUTO_DEBIT, "credit-card");
  await payWith(till, payment.page, "visa-approve");
  const [{ body }] = await untilWebhooks(till, payment);
  assert.deepEqual(
    [body.payment_type, body.state, body.settled_amount, body.paid_amount, body.agreement, body.card_acceptance_criteria],
    ["auto_debit", "paid", "10.250", "10.455", AGREEMENT, { min_expiry_time: 30 }],
  );
});

test("what a payment type needs is named at create and at update", async () => {
  const saves = (type) => [`must be the code of a gateway that saves cards when payment_type is ${type}`];
  const required = (type) => [`is required when payment_type is ${type}`];
  const create = async (fields) => assertProblem(await till.create(fields), 400, "invalid_fields");
  assert.deepEqual(await create({ payment_type: "auto_debit", pg_codes: ["knet", "credit-card", "cash"] }), {
    pg_codes: { 0: saves("auto_debit"), 2: saves("auto_debit") }, agreement: required("auto_debit"), customer_id: required("auto_debit"),
  });
  assert.deepEqual(await create({ ...SAVE_CARD, amount: "10.250", customer_id: null }), {
    amount: ["must be 0 when payment_type is save_card"], customer_id: required("save_card"), webhook_url: required("save_card"),
  });
  const payment = await open(till, { pg_codes: ["knet"] });
  const path = `/b/checkout/v1/pymt-txn/${payment.session_id}/`;
  const authorization = `Api-Key ${till.merchant.private_key}`;
  const patch = (json) => till.call(path, { method: "PATCH", headers: { authorization }, json });
  assert.deepEqual(assertProblem(await patch({ payment_type: "save_card", amount: 0 }), 400, "invalid_fields"), {
    pg_codes: { 0: saves("save_card") }, customer_id: required("save_card"),
  });
  const changed = await patch({ ...SAVE_CARD });
  assert.deepEqual([changed.status, changed.body.payment_type, changed.body.amount], [200, "save_card", "0.000"]);
  await choose(till, payment, "credit-card");
  assertProblem(await patch({ payment_type: "one_off", amount: "1.000" }), 409, "attempt_in_progress");
});

test("fields that would charge or name a user are refused by name, and fields of optional scope are ignored", async () => {
  const errors = assertProblem(await till.create({ payment_instrument: { instrument_type: "token" }, initiator_id: 7 }), 400, "invalid_fields");
  assert.deepEqual(Object.keys(errors).sort(), ["initiator_id", "payment_instrument"]);
  const taken = await till.create({ loyalty: { enabled: true }, preload_checkout_page: true });
  assert.equal(taken.status, 201, taken.text);
});

test("custom fields, units and agreements are those that the merchant configured", async () => {
  const mine = till.merchant;
  const plugins = { ...demoSettings().plugins };
  plugins.e_commerce = {
    custom_fields: [
      { key: "branch", label: { en: "Branch", ar: "الفرع" }, type: "text", required: true, options: ["main", "mall"] },
      { key: "guests", label: { en: "Guests", ar: "الضيوف" }, type: "number" },
    ],
  };
  await till.createMerchant({ plugins, units: ["salmiya"], agreements: { unscheduled: { ids: ["TOPUP"] } } });
  const wrong = { extra: { guests: "many" }, unit_code: "hawalli", agreement: { type: "unscheduled", id: "X", frequency: "daily" } };
  const permitted = (list) => [`must be one of those permitted at the merchant: ${list}`];
  assert.deepEqual(assertProblem(await till.create(wrong), 400, "invalid_fields"), {
    extra: { branch: ["is required"], guests: ["must be a number"] },
    unit_code: permitted("salmiya"),
    agreement: { id: permitted("TOPUP"), frequency: permitted("irregular") },
  });
  const right = { extra: { branch: "mall", guests: 2.5, free: [1] }, unit_code: "salmiya" };
  const created = await till.create(right);
  assert.equal(created.status, 201, created.text);
  assert.deepEqual([created.body.extra, created.body.unit_code], [right.extra, undefined]);
  till.merchant = mine;
});

test("billing adds up the first method, and a form's flags and numbers are read", async () => {
  const authorization = `Api-Key ${till.merchant.private_key}`;
  const form = new URLSearchParams({
    type: "e_commerce", amount: "10.25", currency_code: "KWD", pg_codes: "knet", capture_delivery_address: "1",
    capture_delivery_location: "false", transaction_log_id: "42", "extra.gift": "1",
  });
  const created = await till.call("/b/checkout/v1/pymt-txn/", { method: "POST", headers: { authorization }, body: form });
  assert.equal(created.status, 201, created.text);
  const { billing, capture_delivery_address, capture_delivery_location, transaction_log_id } = created.body;
  assert.deepEqual([capture_delivery_address, capture_delivery_location, transaction_log_id], [true, false, 42]);
  const sum = (value, label) => ({ currency_code: "KWD", display: `KWD ${value}`, label, value });
  assert.deepEqual(billing, { amount: sum("10.500", "Total"), fee: sum("0.250", "KNET fee"), sub_total: sum("10.250", "Amount") });
});
