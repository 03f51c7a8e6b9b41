/** Payments that the bank charges in another currency than the transaction's, over HTTP and D1. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertProblem, atTheBank, attempts, open, openPage, payWith, setAnswer, stateOf, untilWebhooks } from "./payer.mjs";
import { demoSettings, start } from "./harness.mjs";

/** @type {import("./harness.mjs").Till} */
let till;

/** The demo merchant, whose gateway that charges in dinar has a fee of two percent. */
function settings(change = () => {}) {
  const document = demoSettings();
  Object.assign(document.gateways[0].fees[0], { fixed: "0", percent: "2" });
  change(document);
  return document;
}

before(async () => {
  till = await start();
  await till.createMerchant(settings());
});
after(() => till.stop());

const configure = (change) =>
  till.operator(`/merchants/${till.merchant.merchant_id}/settings/`, { method: "PUT", json: settings(change) });

const dollars = { amount: "100.00", currency_code: "USD" };

test("100.00 USD are charged as 31.365 KWD, stored, notified and shown in both currencies", async () => {
  const payment = await atTheBank(till, dollars);
  const { body: created } = await till.retrieve(payment.session_id);
  const [method] = created.payment_methods;
  assert.deepEqual([method.amount, method.currency_code, method.fee], ["31.365", "KWD", "0.615"]);
  assert.match(await (await till.fetch(payment.page)).text(), /31\.365/, "the bank's page shows what it charges");
  await payWith(till, payment.page, "visa-approve");
  const [{ body }] = await untilWebhooks(till, payment);
  assert.deepEqual(body.amount_details, {
    amount: "30.750", currency_code: "KWD", exchange_rate: "0.3075", fee: "0.615", total: "31.365",
  });
  const { amount, currency_code, settled_amount, paid_amount, fee, state } = body;
  assert.deepEqual({ amount, currency_code, settled_amount, paid_amount, fee, state }, {
    ...dollars, settled_amount: "100.00", paid_amount: "102.00", fee: "0.615", state: "paid",
  });
  const [row] = await attempts(till, payment);
  assert.deepEqual(
    [row.principal, row.principal_currency, row.amount, row.fee, row.total, row.currency, row.exchange_rate],
    [10_000, "USD", 30_750, 615, 31_365, "KWD", "0.3075"],
  );
});

test("a rate that changes while the payer is at the bank changes the next offer only", async () => {
  const payment = await atTheBank(till, dollars);
  assert.equal((await configure((document) => { document.exchange_rates[0].rate = "0.5"; })).status, 200);
  try {
    await payWith(till, payment.page, "visa-approve");
    const [{ body }] = await untilWebhooks(till, payment);
    assert.deepEqual([body.state, body.amount_details.exchange_rate, body.amount_details.total], ["paid", "0.3075", "31.365"]);
    const [method] = (await till.create({ pg_codes: ["knet"], ...dollars })).body.payment_methods;
    assert.deepEqual([method.amount, method.fee], ["51.000", "1.000"]);
  } finally {
    await configure();
  }
});

test("without its exchange a transaction is invalided when it is opened, and none is created any more", async () => {
  const payment = await open(till, { pg_codes: ["knet"], ...dollars });
  await configure((document) => { delete document.gateways[0].exchanges; });
  try {
    assert.equal((await openPage(till, payment)).status, 200);
    assert.equal(await stateOf(till, payment), "invalided");
    const problem = assertProblem(await till.create({ pg_codes: ["knet"], ...dollars }), 400, "invalid_fields");
    assert.deepEqual(problem, { pg_codes: ["must hold at least one gateway that takes USD"] });
  } finally {
    await configure();
  }
});

test("a settings document whose gateway lacks a rate is refused, both currencies named", async () => {
  const errors = assertProblem(await configure((document) => { document.exchange_rates.shift(); }), 400, "invalid_fields");
  assert.match(JSON.stringify(errors), /from USD to KWD/);
});

test("an attempt keeps its currencies and its rate together", async () => {
  const payment = await atTheBank(till, { amount: "10.000", currency_code: "KWD" });
  const [row] = await attempts(till, payment);
  assert.deepEqual([row.exchange_rate, row.currency, row.principal_currency], [null, "KWD", "KWD"]);
  await setAnswer(till, payment.inbox, "200");
  await payWith(till, payment.page, "visa-approve");
  const [{ body }] = await untilWebhooks(till, payment);
  assert.equal("exchange_rate" in body.amount_details, false);
});
