/**
 * Every currency of ISO 4217 over HTTP: its decimals are accepted, one more is not, and what was accepted is
 * shown unchanged.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { readFileSync } from "node:fs";
import { at } from "../../scripts/project.mjs";
import { demoSettings, start } from "./harness.mjs";
import { assertProblem } from "./payer.mjs";

/** The decimals of every currency that has a minor unit. */
const CURRENCIES = JSON.parse(readFileSync(at("tests", "vectors", "currencies.json"), "utf8"));
const CODES = Object.keys(CURRENCIES);

/** @type {import("./harness.mjs").Till} */
let till;

before(async () => {
  till = await start();
  const { exchange_rates: _, ...settings } = demoSettings();
  const plain = settings.gateways.find(({ code }) => code === "single");
  for (const member of ["exchanges", "charge_default_currency", "fees"]) delete plain[member];
  await till.createMerchant({ ...settings, currencies: CODES, gateways: [{ ...plain, currencies: CODES, default_currency: undefined }] });
});
after(() => till.stop());

const create = (amount, currency_code, more = {}) => till.create({ amount, currency_code, pg_codes: ["single"], ...more });

for (const [code, decimals] of Object.entries(CURRENCIES)) {
  test(`${code} has ${decimals} decimals`, async () => {
    const amount = decimals === 0 ? "1234567" : `1234567.${"123456".slice(0, decimals)}`;
    const made = await create(amount, code);
    assert.equal(made.status, 201, made.text);
    const number = await till.create(`{"type":"e_commerce","amount":${amount},"currency_code":"${code}","pg_codes":["single"]}`);
    assert.deepEqual([number.body.amount, number.body.currency_code], [amount, code]);
    const { body } = await till.retrieve(made.body.session_id);
    assert.deepEqual([body.amount, body.currency_code], [amount, code]);
    assert.deepEqual([body.payment_methods[0].amount, body.payment_methods[0].currency_code], [amount, code]);
    const patched = await till.call(`/b/checkout/v1/pymt-txn/${made.body.session_id}/`, { method: "PATCH", headers: till.privateKey(), json: { order_no: code } });
    assert.equal(patched.body.amount, amount);
    const page = await till.call(`/b/checkout/redirect/start/?session_id=${made.body.session_id}`);
    assert.ok(page.text.includes(code), code);

    const finer = decimals === 0 ? `${amount}.0` : `${amount}0`;
    const padded = await create(finer, code);
    assert.deepEqual([padded.status, padded.body.amount], [201, amount], padded.text);
    const refused = await create(finer.replace(/0$/, "5"), code);
    assert.match(assertProblem(refused, 400, "invalid_fields").amount[0], /decimal place/);
  });
}

test("what is no currency with a minor unit is refused by name", async () => {
  for (const code of ["XAU", "XAG", "XPT", "XPD", "XDR", "XSU", "XUA", "XBA", "XXX", "XTS", "kwd", "KW", "KWDX", "BTC", " KWD", "ＫＷＤ", "KW\u0414", "414"]) {
    const errors = assertProblem(await create("1", code), 400, "invalid_fields");
    assert.deepEqual(Object.keys(errors), ["currency_code"], code);
  }
});
