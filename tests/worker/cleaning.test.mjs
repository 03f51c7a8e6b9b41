/**
 * What is stored for a time only is deleted as fast as creates store it: a run of the cron handler deletes in slices, and what
 * is left over is deleted by runs of the queue's consumer, one after the other, until nothing is over.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "./harness.mjs";
import { eventually } from "./payer.mjs";

const MINUTE = 60_000;
/** Longer than anything is stored that a repeated request is answered by. */
const OLD = 8 * 86_400_000;
/** Creates with an idempotency key in a minute, at 6.7 a second: each stores an answer. */
const OF_A_MINUTE = 402;
/** The most rows of one kind that a run deletes. */
const OF_A_RUN = 20_000;

/** @type {import("./harness.mjs").Till} */
let till;
let made = 0;

before(async () => {
  till = await start({ queues: {} });
  await till.createMerchant();
});
after(() => till.stop());

/** Stores answers whose time is over, as creates left them. */
async function store(count, merchant = "cleaned") {
  made += 1;
  await till.rows(
    "INSERT INTO answer (merchant_id, operation, key, fingerprint, status, body, stored_at) " +
      "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < CAST(?1 AS INTEGER)) " +
      "SELECT ?2, 'create', ?3 || i, 'f', 201, '{}', CAST(?4 AS INTEGER) - i FROM n",
    String(count), merchant, `${made}-`, String(Date.now() - OLD),
  );
}

const left = async () => (await till.rows("SELECT COUNT(*) AS count FROM answer WHERE merchant_id = 'cleaned'"))[0].count;

test("a run a minute keeps up with 6.7 creates a second, and catches up on half an hour without one", async () => {
  await store(30 * OF_A_MINUTE);
  for (let minute = 0; minute < 5; minute += 1) {
    await store(OF_A_MINUTE);
    const began = Date.now();
    await till.scheduled();
    assert.ok(Date.now() - began < MINUTE / 2, "a run ends before the next begins");
    assert.equal(await left(), 0);
  }
});

test("what one run leaves over is deleted by the consumer, without another run of the cron handler", async () => {
  await store(3 * OF_A_RUN + 500);
  const fresh = await till.create({}, { "idempotency-key": "of-today" });
  assert.equal(fresh.status, 201, fresh.text);
  await till.scheduled();
  await eventually("nothing is over", async () => (await left()) === 0, 40_000);
  const again = await till.create({}, { "idempotency-key": "of-today" });
  assert.equal(again.body.session_id, fresh.body.session_id, "what is not over stays");
});
