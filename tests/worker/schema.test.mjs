/**
 * What the database of a running Worker refuses, whatever code writes: the last line of defence after the
 * core.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { Log, LogLevel, Miniflare } from "miniflare";
import { at, filesUnder } from "../../scripts/project.mjs";
import { start } from "./harness.mjs";
import { atTheBank, attempts, choose, open, payWith, standing } from "./payer.mjs";

/** @type {import("./harness.mjs").Till} */
let till;
let paid, waiting, cash;

before(async () => {
  till = await start();
  await till.createMerchant();
  paid = await atTheBank(till);
  await payWith(till, paid.page, "visa-approve");
  waiting = await atTheBank(till);
  cash = await open(till, { pg_codes: ["cash"] });
  await choose(till, cash, "cash");
});
after(() => till.stop());

const refused = (sql, pattern, ...values) =>
  assert.rejects(till.rows(sql, ...values), ({ message }) => pattern.test(message) || assert.fail(message));

test("no state goes back, whatever the statement says", async () => {
  for (const state of ["created", "pending", "attempted", "failed", "expired", "canceled", "authorized", "cod", "refunded", "invalided"]) {
    await refused("UPDATE txn SET state = ?2, version = version + 1 WHERE session_id = ?1", /illegal move/, paid.session_id, state);
  }
  assert.deepEqual(await standing(till, paid), ["paid", "success"]);
});

test("no result of an attempt is taken back", async () => {
  for (const stage of ["sending", "redirected", "unknown", "failed", "canceled", "error", "cod"]) {
    await refused("UPDATE attempt SET stage = ?2 WHERE session_id = ?1", /illegal move/, paid.session_id, stage);
  }
});

test("a transaction changes only with the next version, and a version only with its event", async () => {
  await refused("UPDATE txn SET amount = 1 WHERE session_id = ?1", /counts up by one/, paid.session_id);
  await refused("UPDATE txn SET version = version - 1 WHERE session_id = ?1", /counts up by one/, paid.session_id);
});

test("events are neither changed nor erased nor written twice", async () => {
  await refused("UPDATE txn_event SET kind = 'x' WHERE session_id = ?1", /append-only/, paid.session_id);
  await refused("DELETE FROM txn_event WHERE session_id = ?1", /append-only/, paid.session_id);
  await refused("INSERT INTO txn_event (session_id, number, at, kind, state) VALUES (?1, 1, 0, 'x', 'paid')", /UNIQUE/, paid.session_id);
  await refused("INSERT INTO txn_event (session_id, number, at, kind, state) VALUES ('nobody', 1, 0, 'x', 'paid')", /FOREIGN KEY/);
});

test("the audit is neither changed nor erased", async () => {
  await refused("UPDATE audit SET action = 'x'", /append-only/);
  await refused("DELETE FROM audit", /append-only/);
});

test("what an attempt costs is frozen", async () => {
  for (const column of ["amount", "fee", "total", "principal"]) {
    await refused(`UPDATE attempt SET ${column} = ${column} + 1 WHERE session_id = ?1`, /frozen/, waiting.session_id);
  }
  await refused("UPDATE attempt SET currency = 'USD' WHERE session_id = ?1", /frozen/, waiting.session_id);
  await refused("UPDATE attempt SET exchange_rate = '0.3' WHERE session_id = ?1", /frozen/, waiting.session_id);
});

test("a transaction has one open attempt at most", async () => {
  const [attempt] = await attempts(till, waiting);
  const copied = Object.keys(attempt).map((name) => ({ reference: "'SECONDSECOND'", number: "2" })[name] ?? name);
  await refused(`INSERT INTO attempt SELECT ${copied.join(", ")} FROM attempt WHERE session_id = ?1`, /UNIQUE/, waiting.session_id);
});

test("amounts are whole and never negative", async () => {
  await refused("UPDATE txn SET amount = 0.5, version = version + 1 WHERE session_id = ?1", /cannot store REAL/, waiting.session_id);
  await refused("UPDATE txn SET amount = -1, version = version + 1 WHERE session_id = ?1", /CHECK/, waiting.session_id);
  for (const [table, column] of [["txn", "amount"], ["txn", "settled"], ["attempt", "total"], ["txn_event", "at"], ["delivery", "due_at"]]) {
    const types = await till.rows(`SELECT DISTINCT typeof(${column}) AS type FROM ${table} WHERE ${column} IS NOT NULL`);
    assert.deepEqual(types, [{ type: "integer" }], `${table}.${column}`);
  }
});

test("every transaction has its events from 1 to its version, and a settled one what was settled", async () => {
  const broken = await till.rows(
    `SELECT t.session_id FROM txn t JOIN txn_event e ON e.session_id = t.session_id
     GROUP BY t.session_id HAVING COUNT(*) <> t.version OR MIN(e.number) <> 1 OR MAX(e.number) <> t.version`,
  );
  assert.deepEqual(broken, []);
  const settled = await till.rows("SELECT state, settled_by, settled, paid FROM txn WHERE settled IS NOT NULL ORDER BY state");
  assert.deepEqual(settled, [
    { state: "cod", settled_by: "cash", settled: 10250, paid: null },
    { state: "paid", settled_by: "knet", settled: 10250, paid: 10500 },
  ]);
});

test("a database from before there were several operators is taken over: its settings are the first version of their history", async () => {
  const miniflare = new Miniflare({
    modules: true, script: "export default {}", compatibilityDate: "2026-04-26", host: "127.0.0.1", d1Databases: { DB: "before" },
    log: new Log(LogLevel.ERROR), telemetry: { enabled: false }, cf: false,
  });
  try {
    const db = await miniflare.getD1Database("DB");
    const run = (sql, ...values) => db.prepare(sql).bind(...values).run();
    const files = filesUnder(at("edge-worker", "migrations")).sort();
    const last = files.findIndex((file) => file.endsWith("0022_operators.sql"));
    for (const file of files.slice(0, last)) await db.prepare(readFileSync(file, "utf8")).run();
    await run("INSERT INTO merchant (id, version, document, hmac_key, signing_secrets, created_at, updated_at) VALUES ('old', 1, '{}', 'h', '[]', 5, 5)");
    await run("INSERT INTO api_key (prefix, merchant_id, kind, hash, last4, created_at) VALUES ('aaaaaaaa', 'old', 'private', '00', '1234', 5)");
    await run("UPDATE merchant SET document = '{\"a\":1}', version = 2, updated_at = 6 WHERE id = 'old'");
    for (const file of files.slice(last)) await db.prepare(readFileSync(file, "utf8")).run();
    const read = async (sql) => (await db.prepare(sql).all()).results;
    assert.deepEqual(await read("SELECT * FROM settings_version"), [{ merchant_id: "old", version: 2, document: '{"a":1}', at: 6 }]);
    assert.deepEqual(await read("SELECT action, subject, version, actor FROM audit ORDER BY id"), [
      { action: "merchant_added", subject: "1", version: 1, actor: null },
      { action: "key_added", subject: "aaaaaaaa", version: null, actor: null },
      { action: "settings_replaced", subject: "2", version: 2, actor: null },
    ]);
    // The Worker of the version before goes on: what it changes has a row and a version.
    await run("UPDATE merchant SET document = '{\"a\":2}', version = version + 1, updated_at = 7 WHERE id = 'old'");
    await run("UPDATE api_key SET revoked_at = 8 WHERE prefix = 'aaaaaaaa'");
    assert.deepEqual((await read("SELECT version FROM settings_version ORDER BY version")).map(({ version }) => version), [2, 3]);
    assert.deepEqual(await read("SELECT action, subject, actor FROM audit WHERE id > 3 ORDER BY id"), [
      { action: "replace_settings", subject: "old", actor: null }, { action: "revoke_key", subject: "aaaaaaaa", actor: null },
    ]);
    await assert.rejects(run("UPDATE audit SET action = 'x'"), /append-only/);
  } finally {
    await miniflare.dispose();
  }
});

test("a stored row with a state that no move leads to is read, listed and shown like any other", async () => {
  const { session_id } = (await till.create()).body;
  const columns = (await till.rows("SELECT name FROM pragma_table_info('txn')")).map(({ name }) => name);
  const refunded = session_id.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
  const values = columns.map((name) => ({ session_id: "?2", state: "'refunded'" })[name] ?? name);
  await till.rows(`INSERT INTO txn (${columns.join(", ")}) SELECT ${values.join(", ")} FROM txn WHERE session_id = ?1`, session_id, refunded);
  assert.equal((await till.retrieve(refunded)).body.state, "refunded");
  const listed = await till.call("/b/checkout/v1/pymt-txn/?state=refunded", { headers: till.privateKey() });
  assert.deepEqual(listed.body.results.map((one) => [one.session_id, one.state]), [[refunded, "refunded"]]);
  assert.equal((await till.call(`/b/checkout/redirect/start/?session_id=${refunded}`)).status, 200);
});
