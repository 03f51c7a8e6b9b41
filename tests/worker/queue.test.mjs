/**
 * The queues that carry doorbells: their consumer delivers what was just caused, the cron handler rings for what no doorbell
 * rang for, and what cannot be handled is given to a person once.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { OutboundResponse, start } from "./harness.mjs";
import { choose, eventually, open } from "./payer.mjs";
import { payByWallet } from "./wallets.mjs";

/** @type {import("./harness.mjs").Till} */
let till;
let hosts = 0;

before(async () => {
  till = await start({ queues: { maxRetries: 2 } });
  await till.createMerchant();
});
after(() => till.stop());

const answer = (status, headers = {}) => new OutboundResponse("x", { status, headers });

/** A receiver with its own host, which answers by `handler`. */
function receiver(handler = () => answer(200)) {
  const url = `https://queue-${++hosts}.example.com/hook`;
  till.outbound.on("POST", url, handler);
  return url;
}

/** A payment that its merchant's server makes: no browser waits for its webhook. */
async function paid(webhook_url) {
  const payment = await open(till, { pg_codes: ["credit-card"], webhook_url });
  assert.equal((await payByWallet(till, payment)).status, 200);
  return payment;
}

/** A payment whose webhook is due since five minutes and was rung for by nobody. */
async function overlooked(webhook_url) {
  const payment = await open(till, { pg_codes: ["cash"], webhook_url });
  await choose(till, payment, "cash");
  await till.rows("UPDATE delivery SET due_at = ?2 WHERE session_id = ?1", payment.session_id, Date.now() - 300_000);
  return payment;
}

const deliveryOf = async ({ session_id }) => (await till.rows("SELECT * FROM delivery WHERE session_id = ?1", session_id))[0];
const isDelivered = (payment) => eventually("the webhook is delivered", async () => (await deliveryOf(payment)).state === "delivered");
const flagged = async ({ session_id }) => (await till.operator("/attention/")).body.filter((entry) => entry.session_id === session_id).map(({ reason }) => reason);

test("what a merchant's server caused is delivered by the consumer, once", async () => {
  const url = receiver();
  const before = till.log.length;
  const payment = await paid(url);
  await isDelivered(payment);
  assert.equal(till.outbound.to(url).length, 1);
  // The run of a consumer says what it did; a request that delivers by itself does not.
  await eventually("the consumer says so", () => till.log.slice(before).some((line) => line.includes('"swept"') && line.includes('"delivered":1')));
});

test("a doorbell that rings again, or is no doorbell, has no effect", async () => {
  const url = receiver();
  const payment = await paid(url);
  await isDelivered(payment);
  const { id } = await deliveryOf(payment);
  const bell = `delivery\n${id}`;
  await till.ring("DOORBELLS", bell, bell, bell, "nonsense", "delivery\nevt_0", "");
  await till.ring("DUE_DOORBELLS", bell);
  const next = receiver();
  await isDelivered(await paid(next));
  assert.equal(till.outbound.to(url).length, 1);
});

test("a message that fails is planned by the schedule, and a doorbell that comes too early does not send it", async () => {
  const url = receiver(() => answer(500));
  const payment = await paid(url);
  await eventually("the try is recorded", async () => (await deliveryOf(payment)).failed_tries === 1);
  const { id, state, due_at, lease_until } = await deliveryOf(payment);
  assert.deepEqual([state, lease_until], ["due", 0]);
  assert.ok(due_at > Date.now() + 40_000);
  await till.ring("DUE_DOORBELLS", `delivery\n${id}`);
  await isDelivered(await paid(receiver()));
  assert.equal(till.outbound.to(url).length, 1);
});

test("the cron handler rings for what no doorbell rang for, after a grace, and not again before the message had time", async () => {
  let status = 503;
  const url = receiver(() => answer(status));
  const fresh = await open(till, { pg_codes: ["cash"], webhook_url: receiver() });
  await choose(till, fresh, "cash");
  const payment = await overlooked(url);
  await till.scheduled();
  await till.outbound.waitFor(url);
  assert.equal((await deliveryOf(fresh)).state, "due", "two minutes are left for its own doorbell");
  await eventually("the try is recorded", async () => (await deliveryOf(payment)).failed_tries === 1);
  status = 200;
  await till.rows("UPDATE delivery SET due_at = ?2 WHERE session_id = ?1", payment.session_id, Date.now() - 300_000);
  await till.scheduled();
  await isDelivered(await paid(receiver()));
  assert.equal(till.outbound.to(url).length, 1, "its last doorbell is not old enough");
  await till.rows("UPDATE doorbell SET rung_at = rung_at - 300001");
  await till.scheduled();
  await isDelivered(payment);
});

test("transactions expire, and gateways are asked, by doorbells of the cron handler", async () => {
  const over = await open(till);
  await till.rows("UPDATE txn SET expires_at = ?2, version = version + 1 WHERE session_id = ?1", over.session_id, Date.now() - 1000);
  const asked = await open(till, { pg_codes: ["knet"] });
  await choose(till, asked, "knet");
  await till.rows("UPDATE attempt SET inquire_at = ?2 WHERE session_id = ?1", asked.session_id, Date.now() - 1000);
  await till.scheduled();
  const row = async (table, { session_id }) => (await till.rows(`SELECT * FROM ${table} WHERE session_id = ?1`, session_id))[0];
  await eventually("it is expired", async () => (await row("txn", over)).state === "expired");
  await eventually("it was asked", async () => (await row("attempt", asked)).inquire_at > Date.now());
});

test("a row that cannot be read holds up nothing, and is given to a person once", async () => {
  const [bad, fine] = [await overlooked(receiver()), await overlooked(receiver())];
  await till.rows("UPDATE delivery SET kind = 'nonsense' WHERE session_id = ?1", bad.session_id);
  await till.scheduled();
  await isDelivered(fine);
  await eventually("it is on the list", async () => (await flagged(bad)).length === 1);
  assert.deepEqual(await flagged(bad), ["not_processed"]);
  await till.rows("UPDATE doorbell SET rung_at = rung_at - 300001");
  await till.rows("UPDATE delivery SET lease_until = 0");
  await till.scheduled();
  await sleep(1500);
  assert.deepEqual(await flagged(bad), ["not_processed"]);
  await till.rows("UPDATE delivery SET kind = 'payment_webhook' WHERE session_id = ?1", bad.session_id);
  await till.rows("UPDATE delivery SET lease_until = 0 WHERE session_id = ?1", bad.session_id);
  await till.rows("DELETE FROM doorbell");
  await till.scheduled();
  await isDelivered(bad);
});

test("a receiver that hangs delays no other one", async () => {
  const hanging = receiver(() => new Promise(() => {}));
  for (let count = 0; count < 4; count += 1) await paid(hanging);
  const started = Date.now();
  await isDelivered(await paid(receiver()));
  assert.ok(Date.now() - started < 5_000, `${Date.now() - started} ms`);
});

test("one queue without the other is refused", async () => {
  const half = await start({ queueProducers: { DOORBELLS: "till-doorbells" } });
  try {
    assert.equal((await half.fetch("/healthz")).status, 503);
    assert.ok(half.log.some((line) => line.includes("DUE_DOORBELLS")));
  } finally {
    await half.stop();
  }
});
