/**
 * A backup is taken and restored as docs/operating/backup.md says, with the commands of wrangler: everything goes on in the
 * restored database, its schema is the same, and what was charged between the backup and the loss is found.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { at } from "../../scripts/project.mjs";
import { Till, start } from "./harness.mjs";
import { standing } from "./payer.mjs";
import { Trade } from "./trade.mjs";

const run = promisify(execFile);
const WRANGLER = at("node_modules", "wrangler", "bin", "wrangler.js");
/** Where wrangler has local databases and namespaces, in the folder of its configuration. */
const STATE = join(".wrangler", "state", "v3");

let root;
/** @type {import("./harness.mjs").Till} */
let till;
/** @type {Trade} */
let trade;

/** A folder with a configuration for wrangler whose local state a Worker of the tests uses. */
function installation(name) {
  const folder = join(root, name);
  mkdirSync(join(folder, STATE), { recursive: true });
  const database = { binding: "DB", database_name: "till", database_id: "till" };
  writeFileSync(join(folder, "wrangler.json"), JSON.stringify({ name: "till", compatibility_date: "2026-04-26", d1_databases: [database] }));
  return folder;
}

const wrangler = (folder, ...words) =>
  run(process.execPath, [WRANGLER, ...words], {
    cwd: folder, env: { ...process.env, WRANGLER_SEND_METRICS: "false", CI: "1", NO_COLOR: "1" }, maxBuffer: 67_108_864, timeout: 120_000,
  });

/** A statement without its comments, which the way through a file may change. */
const bare = (sql) => sql?.replaceAll(/--[^\n]*/g, "").replaceAll(/\s+/g, " ").replaceAll(" ,", ",").trim();

/** Every table, index and trigger, by name. */
async function schema() {
  const found = await till.rows("SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE '\\_cf%' ESCAPE '\\' ORDER BY type, name");
  return found.map(({ type, name, sql }) => ({ type, name, sql: bare(sql) }));
}

/** The rows of every table. */
async function contents() {
  const tables = (await schema()).filter(({ type, name }) => type === "table" && name !== "sqlite_sequence");
  const found = {};
  for (const { name } of tables) found[name] = (await till.rows(`SELECT * FROM "${name}"`)).map((row) => JSON.stringify(row)).sort();
  return found;
}

before(async () => {
  root = mkdtempSync(join(tmpdir(), "till-backup-"));
  till = await start({ sockets: true, persist: join(installation("first"), STATE) });
  trade = await new Trade(till).begin();
});
after(async () => {
  await till.stop();
  await trade.stub.close();
  rmSync(root, { recursive: true, force: true });
});

test("a restored backup has everything, and what was charged after it is found at the gateway", async () => {
  const paid = await trade.all();
  const merchant = trade.merchant;
  const waiting = await trade.begun({ customer_first_name: "O'Neill \"نور\" \\n; -- '", extra: { note: "one\r\ntwo;\nEND; 'three'" } });
  const unpaid = await trade.begun();
  const [shape, rows] = [await schema(), await contents()];
  assert.ok(shape.filter(({ type }) => type === "trigger").length > 20 && shape.filter(({ type }) => type === "index").length > 20);

  // The backup.
  await till.stop();
  const file = join(root, "till-backup.sql");
  await wrangler(join(root, "first"), "d1", "export", "till", "--local", "--output", file);
  assert.match(readFileSync(file, "utf8"), /CREATE TRIGGER txn_state_is_legal/);

  // Business goes on: a payment of the backup is charged, and one that the backup does not have.
  await till.restart();
  await trade.finish(waiting);
  const lost = await trade.pay();
  const { session_id: refundedLater } = paid;
  await trade.refund({ session_id: refundedLater }, "2.000");

  // The database is lost. The backup goes into an empty one; files are a copy of their own.
  await till.stop();
  const second = installation("second");
  await wrangler(second, "d1", "execute", "till", "--local", "--yes", "--file", file);
  cpSync(join(root, "first", STATE, "kv"), join(second, STATE, "kv"), { recursive: true });
  // At the same address, which merchants, payers and gateways know.
  till = await new Till({ sockets: true, persist: join(second, STATE) }, till.port).restart();
  trade.moveTo(till);
  assert.deepEqual(await schema(), shape);
  assert.deepEqual(await contents(), rows);

  // What the backup has goes on, and what it does not have is unknown.
  assert.deepEqual(await standing(till, paid), ["paid", "success"]);
  assert.deepEqual(await standing(till, waiting), ["pending", "redirected"]);
  assert.equal((await till.retrieve(lost.session_id)).status, 404);
  await trade.refund(paid, "1.000");
  await trade.all();
  await trade.finish(unpaid);

  // The gateways know what happened since.
  const answer = await till.operator(`/merchants/${merchant.merchant_id}/reconciliations/`, {
    method: "POST", json: { pg_code: "shop", from: new Date(Date.now() - 7_200_000).toISOString() },
  });
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.body.running, false, answer.text);
  await till.scheduled();
  await trade.notified(waiting);
  const { body: attention } = await till.operator("/attention/");
  const entries = attention.map(({ reason, reference_number }) => [reason, reference_number]).sort();
  const [{ reference }] = await till.rows("SELECT reference FROM attempt WHERE session_id = ?1", paid.session_id);
  assert.deepEqual(entries, [["operations_mismatch", reference], ["unknown_charge", lost.reference]].sort());
});

test("a restored database refuses what the first one refused", async () => {
  for (const [sql, message] of [
    ["UPDATE txn SET state = 'created', version = version + 1 WHERE state = 'paid'", /illegal move of txn\.state/],
    ["UPDATE attempt SET fee = fee + 1, total = total + 1", /frozen/],
    ["DELETE FROM audit", /append-only/],
    ["INSERT INTO txn_event (session_id, number, at, kind, state) VALUES ('x', 1, 1, 'paid', 'paid')", /FOREIGN KEY/],
  ]) {
    await assert.rejects(till.rows(sql), ({ message: found }) => message.test(found) || assert.fail(found));
  }
});
