/**
 * Saved cards over HTTP: saved at the sandbox bank, notified, listed, deleted; and no card number anywhere.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "./harness.mjs";
import { assertProblem, atTheBank, payWith, untilWebhooks } from "./payer.mjs";

/** @type {import("./harness.mjs").Till} */
let till;

before(async () => {
  till = await start();
  await till.createMerchant();
});
after(() => till.stop());

const SAVE_CARD = { payment_type: "save_card", amount: "0", pg_code: "credit-card" };
const AGREEMENT = {
  type: "recurring", amount_variability: "variable", cycle_interval_days: 30, expiry_date: "2031-12-31", frequency: "monthly", total_cycles: 12,
};
const list = (json, headers = till.privateKey()) => till.call("/b/pbl/v2/card/", { method: "POST", headers, json });
const of = (customer_id) => ({ type: "sandbox", customer_id });
const remove = (token, query, headers = till.privateKey()) => till.call(`/b/pbl/v2/card/${token}/${query}`, { method: "DELETE", headers });

/** Pays with a card that is saved; returns the object `token` of the notification. */
async function keep(fields, card = "visa-approve") {
  const payment = await atTheBank(till, { ...SAVE_CARD, ...fields });
  await payWith(till, payment.page, card);
  const [{ body }] = await untilWebhooks(till, payment);
  return body.token;
}

const underAgreement = (id, customer_id) => ({ payment_type: "auto_debit", amount: "10.250", customer_id, agreement: { ...AGREEMENT, id } });

test("a saved card is shown, listed and deleted", async () => {
  const token = await keep({ customer_id: "c-1" });
  assert.match(token.token, /^card_00[0-9a-f]{32}$/);
  assert.deepEqual(
    [token.number, token.brand, token.expiry_month, token.expiry_year, token.agreements, token.auto_debit_enabled],
    ["**** 1111", "VISA", "01", "39", [], "true"],
  );
  const listed = await list(of("c-1"));
  assert.deepEqual([listed.status, listed.body], [200, [token]]);
  assertProblem(await remove(token.token, "?customer_id=c-2&type=sandbox"), 404, "not_found");
  assertProblem(await remove(token.token, "?customer_id=c-1&type=production"), 404, "not_found");
  assert.deepEqual(Object.keys(assertProblem(await remove(token.token, ""), 400, "invalid_fields")), ["customer_id", "type"]);
  const gone = await remove(token.token, "?customer_id=c-1&type=sandbox");
  assert.deepEqual([gone.status, gone.text], [204, ""]);
  assert.deepEqual((await list(of("c-1"))).body, []);
});

test("the card of an agreement is locked until another takes its place", async () => {
  const first = await keep(underAgreement("RENT-1", "c-3"));
  assert.deepEqual([first.agreements, first.auto_debit_enabled], [["RENT-1"], "true"]);
  assertProblem(await remove(first.token, "?customer_id=c-3&type=sandbox"), 400, "card_locked");
  const second = await keep(underAgreement("RENT-1", "c-3"), "mastercard-approve");
  assert.notEqual(second.token, first.token);
  const { body } = await list({ ...of("c-3"), agreement_id: "RENT-1" });
  assert.deepEqual(body.map((card) => card.token), [second.token]);
  assert.deepEqual((await list(of("c-3"))).body.map((card) => [card.token, card.is_preferred]), [[second.token, true], [first.token, false]]);
  assert.equal((await remove(first.token, "?customer_id=c-3&type=sandbox")).status, 204);
  assertProblem(await remove(second.token, "?customer_id=c-3&type=sandbox"), 400, "card_locked");
});

test("an expired and an expiring card are shown as such", async () => {
  const over = await keep({ customer_id: "c-4" }, "visa-expired");
  assert.deepEqual([over.is_expired, over.will_expire_soon, over.expiry_year], [true, false, "20"]);
  const soon = await keep({ customer_id: "c-4" }, "visa-expiring");
  assert.equal(soon.is_expired, false);
});

test("cards are for private keys only, and every wrong field is named", async () => {
  assertProblem(await list(of("c-1"), { authorization: `Api-Key ${till.merchant.public_key}` }), 401, "private_key_required");
  assert.deepEqual(Object.keys(assertProblem(await list({ type: "test", pg_codes: "x", agreement_id: 7 }), 400, "invalid_fields")), [
    "type", "customer_id", "pg_codes", "agreement_id",
  ]);
  const got = await till.call("/b/pbl/v2/card/", { headers: till.privateKey() });
  assertProblem(got, 405, "method_not_allowed");
});

test("no number of a card and no token of the bank is in any table of Till", async () => {
  await keep({ customer_id: "c-5" });
  const tables = await till.rows("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sandbox%' AND name NOT LIKE '\\_cf%' ESCAPE '\\' AND name NOT LIKE 'sqlite%'");
  assert.ok(tables.some(({ name }) => name === "card"));
  for (const { name } of tables) {
    const text = JSON.stringify(await till.rows(`SELECT * FROM ${name}`));
    assert.doesNotMatch(text, /(?<![0-9A-Za-z_])[45][0-9]{15}(?![0-9A-Za-z])/, name);
    assert.doesNotMatch(text, /tok_/, name);
  }
});
