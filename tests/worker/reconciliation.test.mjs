/** Reconciliation over HTTP: what is recorded compared with the list of the bank, in both directions. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, test } from "node:test";
import { OutsideBank, json } from "./bank.mjs";
import { demoSettings, start } from "./harness.mjs";
import { assertProblem, atTheBank, attempts, choose, open, payWith, standing, untilWebhooks } from "./payer.mjs";

/** @type {import("./harness.mjs").Till} */
let till;

before(async () => {
  till = await start();
});
after(() => till.stop());

/** A merchant that has its own accounts at the bank. */
async function newMerchant() {
  const { gateways } = demoSettings();
  const key = randomBytes(12).toString("hex");
  for (const gateway of gateways) {
    if (gateway.credentials?.api_key) gateway.credentials.api_key = `${gateway.code}-${key}`;
  }
  await till.createMerchant({ gateways });
}

const pathOf = (merchant = till.merchant) => `/merchants/${merchant.merchant_id}/reconciliations/`;
const list = async () => (await till.operator(pathOf())).body;
const again = (body) => till.operator(pathOf(), { method: "POST", json: body });
const move = (advance) =>
  till.operator(`/merchants/${till.merchant.merchant_id}/clock/`, { method: "POST", json: { advance } });
const listed = async () => {
  const { body } = await till.operator("/attention/");
  return body.filter(({ merchant_id }) => merchant_id === till.merchant.merchant_id);
};

/** A payment that the sandbox bank approved, with its reference. */
async function paid() {
  const payment = await atTheBank(till);
  await payWith(till, payment.page, "visa-approve");
  assert.deepEqual(await standing(till, payment), ["paid", "success"]);
  const [{ reference }] = await attempts(till, payment);
  return { ...payment, reference };
}

test("payments and refunds that both sides know are reconciled without a difference", async () => {
  await newMerchant();
  const first = await paid();
  await paid();
  const refunded = await till.fetch("/b/pbl/v2/operation/", {
    method: "POST", headers: till.privateKey(), json: { session_id: first.session_id, operation: "refund", amount: "4.000" },
  });
  assert.equal(refunded.status, 200, refunded.text);
  const { body } = await move("02:00:00");
  assert.equal(body.reconciled, 1);
  const [{ pg_code, running, failures, last }] = await list();
  assert.deepEqual([pg_code, running, failures], ["knet", false, 0]);
  assert.deepEqual([last.charges, last.asked, last.differences], [2, 0, 0]);
  assert.deepEqual(await listed(), []);
  const settled = await till.rows(
    "SELECT count(*) AS n FROM attempt WHERE merchant_id = ?1 AND reconciled_at IS NOT NULL", till.merchant.merchant_id);
  assert.equal(settled[0].n, 2);
});

test("a list of several pages is compared to its end", async () => {
  await newMerchant();
  const { reference } = await paid();
  // A hundred and twenty more charges of the same account, all declined: they are listed and change nothing.
  await till.rows(
    "INSERT INTO sandbox_charge (id, account, reference, amount, currency, operation, language, merchant, return_url, callback_url, " +
      "status, created_at, ended_at) SELECT 'ch_x' || n.value, c.account, 'EXTRA' || n.value || c.reference, c.amount, c.currency, c.operation, " +
      "c.language, c.merchant, c.return_url, c.callback_url, 'declined', c.created_at, c.created_at " +
      "FROM sandbox_charge c, (WITH RECURSIVE n(value) AS (SELECT 100 UNION ALL SELECT value + 1 FROM n WHERE value < 219) SELECT value FROM n) n " +
      "WHERE c.reference = ?1 RETURNING id", reference);
  await move("02:00:00");
  const [{ last }] = await list();
  assert.deepEqual([last.charges, last.asked, last.differences], [121, 0, 0]);
});

test("a charge that nothing asked for, another refund and a lost charge are on the attention list", async () => {
  await newMerchant();
  const [refundedThere, lost] = [await paid(), await paid()];
  await till.rows(
    "INSERT INTO sandbox_charge (id, account, reference, amount, currency, operation, language, merchant, return_url, callback_url, " +
      "status, created_at, ended_at) SELECT 'ch_elsewhere' || reference, account, 'ELSEWHERE' || reference, amount, currency, operation, language, " +
      "merchant, return_url, callback_url, 'approved', created_at, created_at FROM sandbox_charge WHERE reference = ?1 RETURNING id",
    refundedThere.reference);
  await till.rows(
    "INSERT INTO sandbox_operation (id, charge_id, account, reference, operation, amount, callback_url, status, ends_as, created_at, ended_at) " +
      "SELECT 'op_' || id, id, account, 'PORTAL' || reference, 'refund', 1000, callback_url, 'done', 'done', created_at, created_at " +
      "FROM sandbox_charge WHERE reference = ?1 RETURNING id", refundedThere.reference);
  await till.rows("DELETE FROM sandbox_charge WHERE reference = ?1 RETURNING id", lost.reference);
  await move("02:00:00");
  const entries = (await listed()).map(({ reference_number, reason, session_id, detail }) => ({ reference_number, reason, session_id, detail }));
  const of = (reason) => entries.find((entry) => entry.reason === reason);
  assert.equal(entries.length, 3, JSON.stringify(entries));
  assert.deepEqual(of("unknown_charge"), {
    reference_number: `ELSEWHERE${refundedThere.reference}`, reason: "unknown_charge", session_id: null,
    detail: `the gateway lists a charge of 10.500 KWD under the reference ELSEWHERE${refundedThere.reference}, which nothing here asked for`,
  });
  assert.deepEqual(of("operations_mismatch"), {
    reference_number: refundedThere.reference, reason: "operations_mismatch", session_id: refundedThere.session_id,
    detail: "refunded 1.000 KWD at the gateway, 0.000 KWD here",
  });
  assert.deepEqual(of("charge_missing"), {
    reference_number: lost.reference, reason: "charge_missing", session_id: lost.session_id,
    detail: "the payment succeeded here, and the gateway knows no charge of this reference",
  });
  assert.deepEqual(await standing(till, lost), ["paid", "success"]);
  const id = `${lost.reference}.charge_missing`;
  assertProblem(await till.operator(`/attention/${id}/resolve/`, { method: "POST", json: { action: "not_charged" } }), 400, "not_resolvable");
  const dismissed = await till.operator(`/attention/${id}/resolve/`, { method: "POST", json: { action: "dismiss" } });
  assert.deepEqual(dismissed.body, { id, closed: true });
  await move("02:00:00");
  assert.equal((await listed()).length, 2);
});

test("a charge that failed here and was taken there is paid by the list, and notified to the merchant", async () => {
  await newMerchant();
  const payment = await atTheBank(till);
  await payWith(till, payment.page, "mastercard-decline");
  assert.deepEqual(await standing(till, payment), ["attempted", "failed"]);
  const [{ reference }] = await attempts(till, payment);
  // The attempt is not inquired about any more.
  await till.rows("UPDATE attempt SET inquire_at = NULL WHERE reference = ?1 RETURNING reference", reference);
  await till.rows(
    "UPDATE sandbox_charge SET status = 'approved', card = 'visa-approve', ended_at = ended_at + 1 WHERE reference = ?1 RETURNING id", reference);
  await move("02:00:00");
  assert.deepEqual(await standing(till, payment), ["paid", "success"]);
  assert.deepEqual(await listed(), []);
  await move("00:01:00");
  const [failure, success] = (await untilWebhooks(till, payment, 2)).map(({ body }) => [body.result, body.state]);
  assert.deepEqual([failure, success], [["failed", "attempted"], ["success", "paid"]]);
});

test("a bank that lists nonsense or nothing is asked again, and the operator sees it", async () => {
  const bank = new OutsideBank(till);
  await till.createMerchant(bank.settings());
  const payment = await open(till, { pg_codes: ["bank"] });
  await choose(till, payment, "bank");
  const [{ reference }] = await attempts(till, payment);
  await bank.callBack(reference, bank.end(reference));
  assert.deepEqual(await standing(till, payment), ["paid", "success"]);
  const from = new Date(Date.now() - 86_400_000).toISOString();
  for (const answer of [
    () => json(200, { charges: "all" }),
    () => json(200, { charges: [{ reference: 7 }] }),
    () => json(200, { charges: [bank.charges.get(reference)], next: "a cursor & more" }),
    () => json(500, {}),
    () => json(404, { message: "no list" }),
  ]) {
    bank.instead.inquire = (sent, usual) => (sent.url.includes("?") ? answer() : usual());
    const { status, body, text } = await again({ pg_code: "bank", from });
    assert.equal(status, 200, text);
    assert.deepEqual([body.running, body.failures, body.last], [true, 1, null], answer.toString());
  }
  // A page that names itself as the next one would never end.
  bank.instead.inquire = (sent, usual) =>
    sent.url.includes("?") ? json(200, { charges: [bank.charges.get(reference)], next: "again" }) : usual();
  const { body } = await again({ pg_code: "bank", from });
  assert.deepEqual([body.running, body.failures, body.last.charges, body.last.differences], [false, 0, 2, 0]);
  bank.instead = {};
  assert.deepEqual(await listed(), []);
});

test("two operators at once compare the same period once each, or one learns of the other", async () => {
  await newMerchant();
  await paid();
  const from = new Date(Date.now() - 86_400_000).toISOString();
  const answers = await Promise.all(Array.from({ length: 4 }, () => again({ pg_code: "knet", from })));
  assert.ok(answers.some(({ status }) => status === 200), "one of them did it");
  assert.ok(answers.every(({ status }) => status === 200 || status === 409), answers.map(({ text }) => text).join("\n"));
  assert.deepEqual(await listed(), []);
});

test("a wrong request names what is wrong, and a stranger learns nothing", async () => {
  await newMerchant();
  const errors = assertProblem(await again({ pg_code: "nothing", from: "yesterday" }), 400, "invalid_fields");
  assert.deepEqual(Object.keys(errors), ["pg_code", "from"]);
  for (const body of ["[]", "{", ""]) {
    assertProblem(
      await till.operator(pathOf(), { method: "POST", body, headers: { "content-type": "application/json" } }), 400, "malformed_body");
  }
  assertProblem(await till.operator(pathOf({ merchant_id: "nobody" })), 404, "not_found");
  assertProblem(await till.call(`/b/operator/v1${pathOf()}`), 401, "credentials_missing");
});
