/**
 * The store in D1 does what every store must do: the list of `checkout_core::testing::contract` on workerd, and what
 * the database refuses even to hand-written SQL. Needs the Worker built with the feature `contract`
 * (`node scripts/build.mjs contract`).
 */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import { Log, LogLevel, Miniflare } from "miniflare";
import { at, filesUnder } from "../../scripts/project.mjs";

const BUILD = at("edge-worker", "build-contract");
const SCRIPT = `${BUILD}/index.js`;
const skip = existsSync(SCRIPT) ? false : "the Worker is not built with the feature contract";

describe("the store in D1", { skip }, () => {
  let miniflare, origin, db;

  before(async () => {
    miniflare = new Miniflare({
      name: "till",
      modulesRoot: BUILD,
      scriptPath: SCRIPT,
      modules: [
        { type: "ESModule", path: SCRIPT },
        { type: "CompiledWasm", path: `${BUILD}/index_bg.wasm` },
      ],
      compatibilityDate: "2026-04-26",
      host: "127.0.0.1",
      d1Databases: { DB: "contract" },
      log: new Log(LogLevel.ERROR),
      telemetry: { enabled: false },
      cf: false,
    });
    origin = await miniflare.ready;
    db = await miniflare.getD1Database("DB");
    const migrations = filesUnder(at("edge-worker", "migrations")).sort();
    for (const file of migrations) await db.prepare(readFileSync(file, "utf8")).run();
  });

  after(() => miniflare?.dispose());

  // Twice, because a store in use already holds rows, and the isolate keeps settings of the first run.
  for (const seed of [1, 2]) {
    it(`does what every store must, run ${seed}`, async () => {
      const answer = await fetch(new URL(`/contract?${seed}`, origin));
      assert.equal(answer.status, 200);
      const findings = await answer.json();
      assert.ok(findings.length >= 40, `${findings.length} checks`);
      assert.deepEqual(findings.filter(({ problem }) => problem !== null), []);
    });
  }

  const refused = [
    ["an illegal move of a transaction", "UPDATE txn SET state = 'created', version = version + 1 WHERE state = 'paid'", /illegal move of txn\.state/],
    ["an illegal move of an attempt", "UPDATE attempt SET stage = 'failed' WHERE stage = 'success'", /illegal move of attempt\.stage/],
    ["a version that skips a number", "UPDATE txn SET version = version + 2", /counts up by one/],
    ["another amount of an attempt", "UPDATE attempt SET fee = fee + 1, total = total + 1", /frozen/],
    ["a changed event", "UPDATE txn_event SET kind = 'paid'", /append-only/],
    ["an erased event", "DELETE FROM txn_event", /append-only/],
    ["a changed audit row", "UPDATE audit SET action = 'nothing'", /append-only/],
    ["an erased audit row", "DELETE FROM audit", /append-only/],
    ["a fraction of a minor unit", "UPDATE txn SET amount = 0.5, version = version + 1", /cannot store REAL value in INTEGER column/],
    ["a state that nobody knows", "UPDATE txn SET state = 'lost', version = version + 1", /illegal move|CHECK constraint failed/],
    ["a settings document without a new version", "UPDATE merchant SET document = '{}'", /counts up by one/],
  ];
  for (const [what, sql, message] of refused) {
    it(`refuses ${what}, whoever writes it`, async () => {
      await assert.rejects(db.prepare(sql).run(), ({ message: found }) => message.test(found) || assert.fail(found));
    });
  }

  const listings = [
    ["nothing", "", "SEARCH t USING INDEX txn_of_merchant (merchant_id=? AND created_at>? AND (created_at,session_id)<(?,?))"],
    ["a period and a page", "limit=100&created_from=2026-01-01&created_to=2026-02-01", "SEARCH t USING INDEX txn_of_merchant (merchant_id=? AND created_at>? AND (created_at,session_id)<(?,?))"],
    ["a state", "state=paid", "SEARCH t USING COVERING INDEX txn_by_state (merchant_id=? AND state=? AND created_at>? AND (created_at,session_id)<(?,?))"],
    ["states", "state=expired,paid", "SEARCH t USING COVERING INDEX txn_by_state (merchant_id=? AND state=? AND created_at>? AND (created_at,session_id)<(?,?))"],
    ["an order number", "order_no=A-1&state=paid", "SEARCH t USING INDEX txn_by_order (merchant_id=? AND order_no=? AND created_at>? AND (created_at,session_id)<(?,?))"],
    ["a customer", "customer_id=c", "SEARCH t USING INDEX txn_by_customer (merchant_id=? AND customer_id=? AND created_at>? AND (created_at,session_id)<(?,?))"],
    ["everything", "order_no=A-1&customer_id=c&state=paid", "SEARCH t USING INDEX txn_by_order (merchant_id=? AND order_no=? AND created_at>? AND (created_at,session_id)<(?,?))"],
  ];
  for (const [what, query, search] of listings) {
    it(`reads a listing by ${what} from its index, and never a whole table`, async () => {
      const answer = await fetch(new URL(`/contract/plan?${query}`, origin));
      assert.equal(answer.status, 200, await answer.clone().text());
      const steps = await answer.json();
      assert.ok(steps.includes(search), steps.join("\n"));
      // The lists of states are tables to the database, too.
      const scans = steps.filter((step) => /^SCAN /.test(step) && !/^SCAN (stored|json_each) VIRTUAL TABLE/.test(step));
      assert.deepEqual(scans, []);
      // Only the few rows that were found by state are sorted: at most a page for each state.
      const sorts = steps.filter((step) => step.includes("TEMP B-TREE"));
      assert.equal(sorts.length, search.includes("txn_by_state") ? 1 : 0, steps.join("\n"));
    });
  }

  it("keeps an audit row of everything that an operator does", async () => {
    const { results } = await db.prepare("SELECT DISTINCT action FROM audit ORDER BY action").all();
    assert.deepEqual(results.map(({ action }) => action), [
      "attention_closed", "clock_moved", "key_added", "key_revoked", "merchant_added", "settings_replaced",
    ]);
  });

  it("stores every number as a whole number", async () => {
    for (const [table, columns] of [
      ["txn", ["version", "amount", "created_at", "expires_at"]],
      ["attempt", ["number", "principal", "amount", "fee", "total", "opened_at"]],
      ["delivery", ["due_at", "lease_until", "failed_tries"]],
    ]) {
      const types = columns.map((column) => `typeof(${column})`).join(" || ' ' || ");
      const { results } = await db.prepare(`SELECT DISTINCT ${types} AS types FROM ${table}`).all();
      assert.deepEqual(results, [{ types: columns.map(() => "integer").join(" ") }], table);
    }
  });

  it("numbers the events of a transaction without gaps, up to its version", async () => {
    const { results } = await db.prepare(
      `SELECT t.session_id FROM txn t JOIN txn_event e ON e.session_id = t.session_id
       GROUP BY t.session_id HAVING COUNT(*) <> t.version OR MIN(e.number) <> 1 OR MAX(e.number) <> t.version`,
    ).all();
    assert.deepEqual(results, []);
  });
});
