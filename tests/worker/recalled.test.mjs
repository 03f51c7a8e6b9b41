/**
 * What the isolate remembers of a key and of settings counts only while the database says the same: what another Worker
 * changes there, here by SQL, counts at the very next request.
 */
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { start } from "./harness.mjs";
import { assertProblem } from "./payer.mjs";

let till;
before(async () => {
  till = await start();
});
after(() => till.stop());

const merchant = () => till.merchant.merchant_id;
const prefix = () => till.merchant.private_key.split(".")[0];
const count = async () => (await till.rows("SELECT COUNT(*) AS n FROM txn WHERE merchant_id = ?1", merchant()))[0].n;
/** Changes a column of the key, as another Worker does. */
const changeKey = (column, value) => till.rows(`UPDATE api_key SET ${column} = ?1 WHERE prefix = ?2 AND merchant_id = ?3`, value, prefix(), merchant());
/** Changes the settings, as another Worker does. */
const changeSettings = (sql, ...values) => till.rows(`UPDATE merchant SET ${sql}, version = version + 1 WHERE id = ?1`, merchant(), ...values);

/** A merchant whose key and settings the isolate remembers: a create asks the database once. */
beforeEach(async () => {
  await till.createMerchant();
  for (let call = 0; call < 3; call += 1) assert.equal((await till.create()).status, 201);
  const id = `remembered-${merchant()}`;
  await till.create({}, { "x-request-id": id });
  assert.equal(await till.roundTrips(id), 1);
});

test("a revoked key stops at the very next request, in a thousand calls of every kind", async () => {
  const known = { "idempotency-key": "known" };
  const { body: { session_id } } = await till.create({}, known);
  const stored = await count();
  await changeKey("revoked_at", String(Date.now()));
  const path = `/b/checkout/v1/pymt-txn/${session_id}/`;
  const headers = till.privateKey();
  const kinds = [
    () => till.create(),
    () => till.create({}, known),
    () => till.create({ amount: "-1" }),
    () => till.create("no JSON"),
    () => till.call(path, { headers }),
    () => till.call(path, { method: "PATCH", headers, json: { order_no: "A-2" } }),
    () => till.call("/b/checkout/v1/pymt-txn/", { headers }),
    () => till.call("/b/pbl/v2/payment-methods/", { method: "POST", headers, json: {} }),
  ];
  for (let call = 0; call < 1_000; call += kinds.length) {
    const answers = await Promise.all(kinds.map((ask) => ask()));
    for (const answer of answers) assertProblem(answer, 401, "credentials_invalid");
  }
  assert.equal(await count(), stored);
  assert.equal((await till.rows("SELECT version FROM txn WHERE session_id = ?1", session_id))[0].version, 1);
});

test("a key that has expired since, or may less since, does so at the very next request", async () => {
  await changeKey("scope", "Can view e-commerce payments");
  assertProblem(await till.create(), 403, "permission_missing");
  assert.equal((await till.call("/b/pbl/v2/inquiry/", { method: "POST", headers: till.privateKey(), json: {} })).body.code, "permission_missing");
  await changeKey("scope", null);
  assert.equal((await till.create()).status, 201);
  await changeKey("expires_at", String(Date.now() - 1));
  assertProblem(await till.create(), 401, "credentials_invalid");
});

test("a merchant that is paused, and its clock, count at the very next request", async () => {
  await changeSettings("document = json_set(document, '$.is_paused', json('true'))");
  const stored = await count();
  assertProblem(await till.create(), 423, "paused");
  assert.equal(await count(), stored);
  await changeSettings("document = json_set(document, '$.is_paused', json('false'))");
  assert.equal((await till.create()).status, 201);
  await changeSettings("clock_offset = CAST(?2 AS INTEGER)", String(86_400_000));
  const { body: { session_id } } = await till.create();
  const [{ created_at }] = await till.rows("SELECT created_at FROM txn WHERE session_id = ?1", session_id);
  assert.ok(created_at > Date.now() + 86_000_000, String(created_at));
});

test("each call is counted once, also one that is answered again", async () => {
  const calls = async () => (await till.rows("SELECT SUM(calls) AS n FROM call_count WHERE caller LIKE ?1", `key ${merchant()} %`))[0].n;
  const before = await calls();
  for (let call = 0; call < 200; call += 1) {
    if (call % 50 === 25) await changeSettings("updated_at = updated_at + 1");
    assert.equal((await till.create()).status, 201);
  }
  for (let wait = 0; wait < 50 && (await calls()) < before + 200; wait += 1) await new Promise((done) => setTimeout(done, 20));
  assert.ok((await calls()) - before <= 200 && (await calls()) - before > 100, `${before} ${await calls()}`);
});
