/**
 * Requests that must not move money are refused with their own code, and no money moves: not here, and not at
 * the bank.
 */
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { after, before, test } from "node:test";
import { start } from "./harness.mjs";
import { assertProblem, atTheBank, attempts, open, payWith, standing, untilWebhooks } from "./payer.mjs";
import { appleToken, payByWallet } from "./wallets.mjs";

/** @type {import("./harness.mjs").Till} */
let till;

before(async () => {
  till = await start();
  await till.createMerchant();
});
after(() => till.stop());

const operate = ({ session_id }, operation, fields = {}) =>
  till.call("/b/pbl/v2/operation/", { method: "POST", headers: till.privateKey(), json: { session_id, operation, ...fields } });
const debit = ({ session_id }, token) =>
  till.call("/b/pbl/v2/payment/auto-debit/", { method: "POST", headers: till.privateKey(), json: { session_id, token } });

/** The signature of the sandbox bank under the key of an account. */
const sign = (body, key) => createHmac("sha256", key).update(body).digest("hex");

async function paid(fields = {}) {
  const payment = await atTheBank(till, { amount: "10.000", ...fields });
  await payWith(till, payment.page, "visa-approve");
  return payment;
}

/** The payer saves a card; returns its token. */
async function saved(customer_id, card = "visa-approve") {
  const payment = await atTheBank(till, { payment_type: "save_card", amount: "0", customer_id, pg_code: "credit-card" });
  await payWith(till, payment.page, card);
  return (await untilWebhooks(till, payment))[0].body.token.token;
}

/** All records of a payment, here and at the bank. */
async function everything() {
  const tables = {
    txn: "SELECT session_id, version, state, settled, paid FROM txn ORDER BY session_id",
    txn_event: "SELECT session_id, number, kind FROM txn_event ORDER BY session_id, number",
    attempt: "SELECT reference, stage, total, inquiries FROM attempt ORDER BY reference",
    child: "SELECT reference, stage, amount FROM child ORDER BY reference",
    card: "SELECT * FROM card ORDER BY token",
    delivery: "SELECT id FROM delivery ORDER BY id",
    sandbox_charge: "SELECT id, status FROM sandbox_charge ORDER BY id",
    sandbox_operation: "SELECT id, status, amount FROM sandbox_operation ORDER BY id",
  };
  const rows = await Promise.all(Object.values(tables).map((sql) => till.rows(sql)));
  return Object.fromEntries(Object.keys(tables).map((table, index) => [table, rows[index]]));
}

/** Asserts that a request is refused with this code, and that nothing moved. */
async function assertNothingMoves(status, code, request) {
  const was = await everything();
  assertProblem(await request(), status, code);
  assert.deepEqual(await everything(), was);
}

test("a refund of more than was paid", async () => {
  const payment = await paid();
  await assertNothingMoves(400, "operation_amount", () => operate(payment, "refund", { amount: "10.001" }));
  await operate(payment, "refund", { amount: "6.000" });
  await assertNothingMoves(400, "operation_amount", () => operate(payment, "refund", { amount: "4.001" }));
});

test("a capture of more than is held", async () => {
  const payment = await paid({ pg_code: "mpgs" });
  await operate(payment, "capture", { amount: "6.000" });
  await assertNothingMoves(400, "operation_amount", () => operate(payment, "capture", { amount: "5.000" }));
});

test("a void after a capture, and after a void", async () => {
  const captured = await paid({ pg_code: "mpgs" });
  await operate(captured, "capture", { amount: "0.001" });
  await assertNothingMoves(400, "operation_refused", () => operate(captured, "void"));
  const voided = await paid({ pg_code: "mpgs" });
  await operate(voided, "void");
  await assertNothingMoves(400, "operation_refused", () => operate(voided, "void"));
  await assertNothingMoves(400, "operation_refused", () => operate(voided, "capture"));
});

test("a refund of what was never paid, is only held, or was given up", async () => {
  const unpaid = await open(till, { pg_codes: ["knet"] });
  await assertNothingMoves(400, "operation_not_allowed", () => operate(unpaid, "refund"));
  const held = await paid({ pg_code: "mpgs" });
  await assertNothingMoves(400, "operation_refused", () => operate(held, "refund", { amount: "1.000" }));
  const canceled = await open(till, { pg_codes: ["knet"] });
  await operate(canceled, "cancel");
  await assertNothingMoves(400, "operation_not_allowed", () => operate(canceled, "refund"));
});

test("the token of another customer, and one that never was", async () => {
  const token = await saved("c-1");
  const payment = await open(till, { customer_id: "c-2", pg_codes: ["credit-card"] });
  await assertNothingMoves(400, "card_unknown", () => debit(payment, token));
  await assertNothingMoves(400, "card_unknown", () => debit(payment, "card_00000000000000000000000000000000"));
});

test("a card that has expired", async () => {
  const token = await saved("c-3", "visa-expired");
  const payment = await open(till, { customer_id: "c-3", pg_codes: ["credit-card"] });
  await assertNothingMoves(400, "card_expired", () => debit(payment, token));
});

test("a wallet through a gateway that does not take it", async () => {
  const payment = await open(till, { pg_codes: ["knet", "credit-card"] });
  const payload = JSON.parse(appleToken("visa-approve"));
  const pay = (fields) =>
    till.call("/b/pbl/v2/payment/apple-pay/", {
      method: "POST", headers: till.privateKey(), json: { session_id: payment.session_id, payload, ...fields },
    });
  await assertNothingMoves(400, "instrument_not_offered", () => pay({ pg_code: "knet" }));
  const without = await open(till, { pg_codes: ["knet"] });
  await assertNothingMoves(400, "instrument_not_offered", () => payByWallet(till, without, { wallet: "google-pay" }));
});

test("a callback that is repeated, and one that is forged", async () => {
  const payment = await paid({ pg_code: "knet" });
  const [{ reference }] = await attempts(till, payment);
  const [{ response }] = await till.rows("SELECT response FROM attempt WHERE reference = ?1", reference);
  const [{ account }] = await till.rows("SELECT account FROM sandbox_charge WHERE reference = ?1", reference);
  const send = (body, key) => till.call(`/b/gw/v1/callback/${reference}/`, {
    method: "POST", headers: { "content-type": "application/json", "sandbox-signature": sign(body, key) }, body,
  });
  const was = await everything();
  for (let time = 0; time < 3; time += 1) assert.equal((await send(response, account)).status, 200);
  assert.deepEqual(await everything(), was);
  const another = await atTheBank(till, { pg_code: "knet" });
  const [{ reference: open_reference }] = await attempts(till, another);
  const forged = response.replaceAll(reference, open_reference);
  const forge = (key) => till.call(`/b/gw/v1/callback/${open_reference}/`, {
    method: "POST", headers: { "content-type": "application/json", "sandbox-signature": sign(forged, key) }, body: forged,
  });
  await assertNothingMoves(401, "signature_invalid", () => forge("a key that nobody gave"));
  // A true report about another payment, replayed at the address of this one.
  const replay = () => till.call(`/b/gw/v1/callback/${open_reference}/`, {
    method: "POST", headers: { "content-type": "application/json", "sandbox-signature": sign(response, account) }, body: response,
  });
  assert.equal((await replay()).status, 200);
  assert.equal((await standing(till, another))[0], "pending", "it is held, and pays nothing");
});
