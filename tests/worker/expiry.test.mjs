/**
 * The end of the time to pay: seen at once, stored by the sweep, never while an attempt is open, and no
 * obstacle to a late success.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { json } from "./bank.mjs";
import { JSON_ONLY, bank, startForTests, till } from "./banks.mjs";
import {
  assertProblem, attempts, choose, deliverNow, events, inquireNow, open, openPage, pollStatus, standing, stateOf, untilWebhooks, webhooks,
} from "./payer.mjs";

startForTests();

/** Lets the time to pay of a transaction be over. */
async function expire({ session_id }) {
  // The database accepts no change without its event.
  await till.rows(
    "INSERT INTO txn_event (session_id, number, at, kind, state) SELECT session_id, version + 1, created_at, 'expiry_moved', state FROM txn WHERE session_id = ?1",
    session_id,
  );
  await till.rows("UPDATE txn SET version = version + 1, expires_at = created_at + 1 WHERE session_id = ?1", session_id);
  await till.rows("UPDATE attempt SET inquire_at = 0 WHERE session_id = ?1 AND inquire_at IS NOT NULL", session_id);
}

/** A payer at the bank whose time is over. */
async function lateAtTheBank(pg_code = "bank") {
  const payment = await open(till, { pg_codes: [pg_code, "cash"] });
  assert.equal((await choose(till, payment, pg_code)).status, 303);
  const [{ reference }] = await attempts(till, payment);
  await expire(payment);
  return { ...payment, reference };
}

test("a transaction of three seconds is expired after them for every reader, before anything is stored", async () => {
  const payment = await open(till, { pg_codes: ["bank"], expiration_time: "00:00:03" });
  assert.equal(await stateOf(till, payment), "created");
  await new Promise((resolve) => setTimeout(resolve, 3_050));
  assert.equal(await stateOf(till, payment), "expired");
  assert.deepEqual(await pollStatus(till, payment), { state: "expired", status: "expired" });
  assertProblem(await choose(till, payment, "bank", JSON_ONLY), 400, "not_payable");
  assert.deepEqual(await events(till, payment), ["created"]);
  await till.scheduled();
  assert.deepEqual(await events(till, payment), ["created", "expired"]);
  assert.deepEqual(await attempts(till, payment), []);
});

test("opening the page after the end stores it", async () => {
  const payment = await open(till, { pg_codes: ["bank"] });
  await expire(payment);
  const page = await openPage(till, payment);
  assert.match(page.text, /data-status="expired"/);
  assert.equal((await events(till, payment)).at(-1), "expired");
  await till.scheduled();
  assert.equal((await events(till, payment)).filter((kind) => kind === "expired").length, 1);
});

test("an attempt at the bank keeps its transaction pending until the bank has withdrawn it", async () => {
  const payment = await lateAtTheBank();
  assert.deepEqual(await standing(till, payment), ["pending", "redirected"]);
  assertProblem(await choose(till, payment, "bank", JSON_ONLY), 400, "not_payable");
  assertProblem(await choose(till, payment, "cash", JSON_ONLY), 400, "not_payable");
  await till.scheduled();
  assert.equal(bank.charges.get(payment.reference).status, "canceled");
  await till.scheduled();
  assert.deepEqual(await standing(till, payment), ["expired", "canceled"]);
});

test("a payer who had paid before the end is found when the end comes", async () => {
  const payment = await lateAtTheBank();
  bank.end(payment.reference);
  await till.scheduled();
  assert.deepEqual(await standing(till, payment), ["paid", "success"]);
});

test("a bank that does not say whether it has withdrawn keeps the transaction pending", async () => {
  const payment = await lateAtTheBank();
  bank.instead.cancel = bank.instead.inquire = () => json(500, {});
  await till.scheduled();
  await till.scheduled();
  assert.deepEqual(await standing(till, payment), ["pending", "unknown"]);
  bank.instead = {};
  bank.end(payment.reference);
  await inquireNow(till, payment);
  assert.deepEqual(await standing(till, payment), ["paid", "success"]);
});

test("an unknown attempt keeps its transaction from expiring", async () => {
  bank.instead.open = () => json(500, {});
  const payment = await lateAtTheBank();
  bank.instead.inquire = () => json(500, {});
  await till.scheduled();
  assert.deepEqual(await standing(till, payment), ["pending", "unknown"]);
  assert.match((await openPage(till, payment)).text, /data-status="pending"/);
});

test("an approval after the end makes an expired transaction paid, and notifies the merchant", async () => {
  const payment = await lateAtTheBank();
  await till.scheduled();
  await till.scheduled();
  assert.deepEqual(await standing(till, payment), ["expired", "canceled"]);
  await deliverNow(till, payment);
  const before = (await webhooks(till, payment)).length;
  const answer = await bank.callBack(payment.reference, bank.end(payment.reference, "approved"));
  assert.equal(answer.status, 200);
  assert.deepEqual(await standing(till, payment), ["paid", "success"]);
  const { body } = (await untilWebhooks(till, payment, before + 1)).at(-1);
  assert.deepEqual([body.result, body.state, body.settled_amount], ["success", "paid", "10.250"]);
  assert.match((await openPage(till, payment)).text, /data-status="paid"/);
});

test("a decline that comes after the end leaves the transaction expired", async () => {
  const payment = await lateAtTheBank();
  await bank.callBack(payment.reference, bank.end(payment.reference, "declined"));
  await till.scheduled();
  assert.deepEqual(await standing(till, payment), ["expired", "failed"]);
  assertProblem(await choose(till, payment, "cash", JSON_ONLY), 400, "not_payable");
});

test("an end at a gateway that permits one attempt", async () => {
  const payment = await lateAtTheBank("once");
  await till.scheduled();
  assert.deepEqual(await standing(till, payment), ["expired", "canceled"]);
  await till.scheduled();
  assert.deepEqual(await standing(till, payment), ["expired", "canceled"]);
});

test("paid transactions never expire", async () => {
  const payment = await open(till, { pg_codes: ["cash"] });
  await choose(till, payment, "cash");
  await expire(payment);
  await till.scheduled();
  assert.equal(await stateOf(till, payment), "cod");
});

test("the period of the plugin counts where the transaction names none", async () => {
  const mine = till.merchant;
  await till.createMerchant(bank.settings({ plugins: { e_commerce: { expiration_time: "00:30:00" } } }));
  const { body } = await till.create({ pg_codes: ["bank"] });
  till.merchant = mine;
  assert.equal(body.expiration_time, "00:30:00");
});

test("attempts without an outcome do not hold up the end of other transactions", async () => {
  bank.instead.open = bank.instead.inquire = bank.instead.cancel = () => json(500, {});
  const stuck = await Promise.all(Array.from({ length: 41 }, () => open(till, { pg_codes: ["bank"] })));
  for (const payment of stuck) await choose(till, payment, "bank");
  const payment = await open(till, { pg_codes: ["bank"] });
  for (const each of [...stuck, payment]) await expire(each);
  await till.scheduled();
  assert.equal(await stateOf(till, payment), "expired");
  assert.deepEqual(await standing(till, stuck[40]), ["pending", "unknown"]);
});
