/** The attention list: what waits for a person, and what that person may decide. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "./harness.mjs";
import { assertProblem, atTheBank, attempts, choose, deliverNow, payWith, standing, untilWebhooks, webhooks } from "./payer.mjs";

/** @type {import("./harness.mjs").Till} */
let till;

before(async () => {
  till = await start();
  await till.createMerchant();
});
after(() => till.stop());

const list = async ({ session_id }) => (await till.operator("/attention/")).body.filter((entry) => entry.session_id === session_id);
const resolve = (id, json) => till.operator(`/attention/${id}/resolve/`, { method: "POST", json });

/** A payment that the bank approved with another amount. */
async function held() {
  const payment = await atTheBank(till);
  await payWith(till, payment.page, "visa-wrong-amount");
  const [entry] = await list(payment);
  return { ...payment, entry };
}

test("an entry says what is wrong with which attempt, since when", async () => {
  const payment = await held();
  const [{ reference }] = await attempts(till, payment);
  const { id, detail, since, ...rest } = payment.entry;
  assert.deepEqual(rest, {
    merchant_id: till.merchant.merchant_id, session_id: payment.session_id, reference_number: reference, reason: "amount_mismatch",
  });
  assert.equal(id, `${reference}.amount_mismatch`);
  assert.ok(detail.includes("10.500") && detail.includes("10.499"), detail);
  assert.match(since, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
});

test("a held payment that the person found approved is paid, and notified to the merchant", async () => {
  const payment = await held();
  const { status, body } = await resolve(payment.entry.id, { action: "approved" });
  assert.deepEqual([status, body], [200, { id: payment.entry.id, closed: true, result: "success" }]);
  assert.deepEqual(await standing(till, payment), ["paid", "success"]);
  assert.deepEqual(await list(payment), []);
  await deliverNow(till, payment);
  const { result, state, settled_amount, paid_amount } = (await webhooks(till, payment)).at(-1).body;
  assert.deepEqual([result, state, settled_amount, paid_amount], ["success", "paid", "10.250", "10.500"]);
});

test("a held payment that was not charged has failed, and the payer may try again", async () => {
  const payment = await held();
  assert.equal((await resolve(payment.entry.id, { action: "not_charged" })).body.result, "failed");
  assert.deepEqual(await standing(till, payment), ["attempted", "failed"]);
  assert.equal((await choose(till, payment, "knet")).status, 303);
});

test("a held payment cannot be dismissed: it would stay open forever", async () => {
  const payment = await held();
  assertProblem(await resolve(payment.entry.id, { action: "dismiss" }), 400, "not_resolvable");
  assert.equal((await list(payment)).length, 1);
});

test("asking the bank again leaves the entry open while the answer does not fit", async () => {
  const payment = await held();
  const { body } = await resolve(payment.entry.id, { action: "inquire" });
  assert.deepEqual([body.closed, body.result], [false, "pending"]);
  assert.equal((await list(payment)).length, 1);
});

test("asking the bank again settles when its answer fits", async () => {
  const payment = await held();
  await till.rows("UPDATE sandbox_charge SET card = 'visa-approve' WHERE reference = ?1", payment.entry.reference_number);
  const { body } = await resolve(payment.entry.id, { action: "inquire" });
  assert.deepEqual([body.closed, body.result], [true, "success"]);
  assert.deepEqual(await standing(till, payment), ["paid", "success"]);
});

test("a decision is made once, also by five people at once", async () => {
  const payment = await held();
  const answers = await Promise.all(
    ["approved", "not_charged", "approved", "not_charged", "approved"].map((action) => resolve(payment.entry.id, { action })),
  );
  assert.ok(answers.every(({ status }) => [200, 400, 409].includes(status)), answers.map(({ text }) => text).join("\n"));
  const kinds = (await till.rows("SELECT kind FROM txn_event WHERE session_id = ?1", payment.session_id)).map(({ kind }) => kind);
  assert.equal(kinds.filter((kind) => kind === "purchase_succeeded").length <= 1, true);
  assert.deepEqual(await list(payment), []);
  const [, stage] = await standing(till, payment);
  const later = await resolve(payment.entry.id, { action: stage === "success" ? "not_charged" : "approved" });
  assertProblem(later, 400, "not_resolvable");
  assert.deepEqual((await standing(till, payment))[1], stage);
});

test("what was settled cannot be decided another way", async () => {
  const payment = await held();
  await resolve(payment.entry.id, { action: "approved" });
  assertProblem(await resolve(payment.entry.id, { action: "not_charged" }), 400, "not_resolvable");
  assert.deepEqual(await standing(till, payment), ["paid", "success"]);
});

test("a notification that was given up is dismissed", async () => {
  const payment = await atTheBank(till);
  await payWith(till, payment.page, "visa-approve");
  await untilWebhooks(till, payment);
  const { entry_id } = await flagGivenUp(payment);
  assert.equal((await list(payment)).length, 1);
  const { body } = await resolve(entry_id, { action: "dismiss" });
  assert.deepEqual([body.closed, body.result], [true, "success"]);
  assert.deepEqual(await list(payment), []);
  assert.equal((await resolve(entry_id, { action: "dismiss" })).body.closed, false);
});

async function flagGivenUp({ session_id }) {
  const [{ reference }] = await attempts(till, { session_id });
  await till.rows(
    "INSERT INTO attention (reference, reason, merchant_id, session_id, detail, at) VALUES (?1, 'delivery_given_up', ?2, ?3, 'x', 1)",
    reference, till.merchant.merchant_id, session_id,
  );
  return { entry_id: `${reference}.delivery_given_up` };
}

test("actions and entries that do not exist are refused", async () => {
  const payment = await held();
  const words = ["must be one of dismiss, inquire, approved, not_charged"];
  assert.deepEqual(assertProblem(await resolve(payment.entry.id, {}), 400, "invalid_fields"), { action: ["is required"] });
  assert.deepEqual(assertProblem(await resolve(payment.entry.id, { action: "pay" }), 400, "invalid_fields"), { action: words });
  assert.deepEqual(assertProblem(await resolve(payment.entry.id, { action: 1 }), 400, "invalid_fields"), { action: ["must be a string"] });
  for (const id of ["x", "ABCDEFGHJKMN.amount_mismatch", `${payment.entry.reference_number}.no_reason`, payment.entry.reference_number, ".", "a.b.c"]) {
    assertProblem(await resolve(id, { action: "inquire" }), 404, "not_found");
  }
});

test("an entry that this attempt does not have is not found, and decides nothing", async () => {
  const payment = await held();
  const { status } = await resolve(`${payment.entry.reference_number}.outcome_unknown`, { action: "approved" });
  assert.equal(status, 404);
  assert.deepEqual(await standing(till, payment), ["pending", "unknown"]);
});
