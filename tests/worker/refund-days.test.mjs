/**
 * How much one person refunds in a day: over all payments, however many requests come at once, by the API and at the desk; above it a
 * refund is refused, or another person approves it where refunds are approved.
 */
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { formsOf, staff, textOf } from "./desk.mjs";
import { demoSettings, start } from "./harness.mjs";
import { DAY, KUWAIT, wellWithin } from "./moments.mjs";
import { assertProblem, atTheBank, payWith } from "./payer.mjs";

const PASSWORD = "correct horse battery";
const MAY = ["payment.refund", "Can approve", "Can view e-commerce payments"];

/** @type {import("./harness.mjs").Till} */
let till;
let limited, asking;
before(async () => {
  till = await start();
  asking = await till.createMerchant({ ...demoSettings(), approvals: { operations: ["refund"], above: { KWD: "100" }, a_day: { KWD: "10.000" } } });
  limited = await till.createMerchant({ ...demoSettings(), approvals: { a_day: { KWD: "10.000" }, keys: true } });
});
// The merchants are in Kuwait.
beforeEach(() => wellWithin(DAY, KUWAIT));
after(() => till.stop());

/** A merchant of this test, to which `till` turns. */
function use(merchant) {
  till.merchant = merchant;
  return merchant;
}
const keyOf = (merchant) => ({ authorization: `Api-Key ${merchant.private_key}` });
let number = 0;
/** A new user of a merchant: the header of its requests. */
async function person(merchant) {
  const username = `person-${(number += 1)}@${merchant.merchant_id}`;
  const json = { username, password: PASSWORD, permissions: MAY };
  const made = await till.call("/b/access/v1/users/", { method: "POST", headers: keyOf(merchant), json });
  assert.equal(made.status, 201, made.text);
  return { authorization: `Basic ${Buffer.from(`${username}:${PASSWORD}`).toString("base64")}` };
}
async function paid(amount = "10.000") {
  const made = await atTheBank(till, { pg_code: "credit-card", amount });
  await payWith(till, made.page, "visa-approve");
  return made.session_id;
}
const many = async (count) => {
  const made = [];
  for (let place = 0; place < count; place += 1) made.push(await paid());
  return made;
};
const refund = (session_id, amount, headers, more = {}) =>
  till.call("/b/pbl/v2/operation/", { method: "POST", headers, json: { operation: "refund", session_id, amount, ...more } });

test("refunds of many payments at once never exceed the day of who asks", async () => {
  use(limited);
  const who = await person(limited);
  const payments = await many(6);
  const answers = await Promise.all(payments.map((session_id) => refund(session_id, "4.000", who)));
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 200, 403, 403, 403, 403]);
  const refused = answers.find(({ status }) => status === 403);
  assertProblem(refused, 403, "refund_limit");
  assert.equal(refused.body.detail, "2.000 KWD is left today of the 10.000 KWD that you may refund in a day");
  const again = payments[answers.indexOf(refused)];
  assertProblem(await refund(again, "2.001", who), 403, "refund_limit");
  assert.equal((await refund(again, "2.000", who)).status, 200, "all that is left");
  assertProblem(await refund(again, "0.001", who), 403, "refund_limit");
  assert.equal((await refund(again, "3.000", await person(limited))).status, 200, "another person has a day of their own");
  const stored = await till.rows("SELECT made_by, SUM(amount) AS sum FROM child WHERE merchant_id = ?1 AND stage = 'done' GROUP BY made_by ORDER BY sum DESC", limited.merchant_id);
  assert.deepEqual(stored.map(({ sum }) => Number(sum)), [10_000, 3_000]);
});

test("a key has the limit where the settings bind keys", async () => {
  use(limited);
  const [first, second] = await many(2);
  const answers = await Promise.all([refund(first, "6.000", keyOf(limited)), refund(second, "6.000", keyOf(limited))]);
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 403]);
});

test("yesterday does not count, and today begins at midnight of the merchant", async () => {
  use(limited);
  const who = await person(limited);
  const [first, second] = await many(2);
  assert.equal((await refund(first, "10.000", who)).status, 200);
  assertProblem(await refund(second, "1.000", who), 403, "refund_limit");
  const midnight = Math.floor((Date.now() + KUWAIT) / DAY) * DAY - KUWAIT;
  await till.rows("UPDATE child SET opened_at = ?2 WHERE parent_id = ?1", first, midnight);
  assertProblem(await refund(second, "1.000", who), 403, "refund_limit");
  await till.rows("UPDATE child SET opened_at = ?2 WHERE parent_id = ?1", first, midnight - 1);
  assert.equal((await refund(second, "1.000", who)).status, 200);
});

test("above the limit another person approves, and what waits counts", async () => {
  use(asking);
  const who = await person(asking);
  const [first, second, third] = await many(3);
  assert.equal((await refund(first, "8.000", who)).status, 200);
  const asked = await refund(second, "5.000", who);
  assert.deepEqual([asked.status, asked.body.state], [202, "asked"]);
  assert.equal((await refund(third, "2.000", who)).status, 202, "what waits counts");
  const rejected = await till.call(`/b/checkout/v1/approvals/${asked.body.id}/reject/`, { method: "POST", headers: await person(asking), json: { note: "no" } });
  assert.equal(rejected.status, 200, rejected.text);
  assert.equal((await refund(second, "0.001", who)).status, 202, "2.000 waits still");
});

test("the desk says what is left of the day, and refuses more in words", async () => {
  use(limited);
  const visitor = await staff(till, "refunder", { permissions: MAY });
  const session_id = await paid("50.000");
  await visitor.get(`/payments/${session_id}/`);
  assert.match(textOf(visitor.page), /Today you may still refund KWD 10.000 of KWD 10.000 by yourself\./);
  assert.doesNotMatch(textOf(visitor.page), /More waits for the approval/);
  const send = (amount) => {
    const [form] = formsOf(visitor.page).filter(({ fields }) => fields.some(([name, value]) => name === "operation" && value === "refund"));
    return visitor.post(`/payments/${session_id}/operate/`, { ...Object.fromEntries(form.fields), amount });
  };
  const refused = await send("10.001");
  assert.equal(refused.status, 403);
  assert.match(textOf(refused.text), /Nothing was done.*10\.000 KWD is left today of the 10\.000 KWD/);
  assert.equal((await send("7.500")).status, 303);
  visitor.headers["accept-language"] = "ar";
  await visitor.get(`/payments/${session_id}/`);
  assert.match(textOf(visitor.page), /2\.500/);

  use(asking);
  const asker = await staff(till, "asker", { permissions: MAY });
  await asker.get(`/payments/${await paid()}/`);
  assert.match(textOf(asker.page), /by yourself\. More waits for the approval of another person\./);
});

test("a limit is refused that is no amount of its currency, and an approval policy without anything", async () => {
  const put = (approvals) => till.operator(`/merchants/${limited.merchant_id}/settings/`, { method: "PUT", json: { ...demoSettings(), approvals } });
  for (const [approvals, path] of [
    [{ a_day: { KWD: "1.0001" } }, "approvals.a_day.KWD"], [{ a_day: { XXX: "1" } }, "approvals.a_day.XXX"], [{ a_day: 5 }, "approvals.a_day"],
    [{ a_day: {} }, "approvals.operations"], [{ daily: { KWD: "1" } }, "approvals.daily"],
  ]) {
    const refused = await put(approvals);
    assertProblem(refused, 400, "invalid_fields");
    const found = path.split(".").reduce((errors, name) => errors?.[name], refused.body.errors);
    assert.ok(Array.isArray(found), `${path}: ${JSON.stringify(refused.body.errors)}`);
  }
});
