/**
 * The store in D1 does what every store must do: the list of `checkout_core::testing::contract` on workerd,
 * and what the database refuses even to hand-written SQL. Needs the Worker built with the feature `contract`
 * (`node scripts/build.mjs contract`).
 */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import { Log, LogLevel, Miniflare } from "miniflare";
import { request } from "undici";
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

  // Twice, because a store in use already has rows, and the isolate has cached settings of the first run.
  for (const seed of [1, 2]) {
    it(`does what every store must, run ${seed}`, async () => {
      // On a connection of its own: a runtime that computed for seconds without a pause counts them as idle, and closes it.
      const { statusCode, body } = await request(new URL(`/contract?${seed}`, origin), { reset: true });
      assert.equal(statusCode, 200);
      const findings = await body.json();
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
    ["an erased version of settings", "DELETE FROM settings_version", /append-only/],
    ["a fraction of a minor unit", "UPDATE txn SET amount = 0.5, version = version + 1", /cannot store REAL value in INTEGER column/],
    ["a state that nobody knows", "UPDATE txn SET state = 'lost', version = version + 1", /illegal move|CHECK constraint failed/],
    ["a settings document without a new version", "UPDATE merchant SET document = '{}'", /counts up by one/],
  ];
  for (const [what, sql, message] of refused) {
    it(`refuses ${what}, no matter who writes it`, async () => {
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
    ["an order, a customer and a state", "order_no=A-1&customer_id=c&state=paid", "SEARCH t USING INDEX txn_by_order (merchant_id=? AND order_no=? AND created_at>? AND (created_at,session_id)<(?,?))"],
    ["its maker", "made_by=user:7&state=paid&paid_from=2026-01-01", "SEARCH t USING INDEX txn_by_maker (merchant_id=? AND made_by=? AND created_at>? AND (created_at,session_id)<(?,?))"],
    ["a period of payment", "paid_from=2026-01-01&paid_to=2026-02-01&created_from=2025-01-01", "SEARCH t USING INDEX txn_by_payment (merchant_id=? AND paid_at>? AND (paid_at,session_id)<(?,?))"],
    ["what only rows say", "type=e_commerce&pg_code=knet&currency=KWD&amount=1&has_refund=true&state=paid,expired", "SEARCH t USING INDEX txn_of_merchant (merchant_id=? AND created_at>? AND (created_at,session_id)<(?,?))"],
    ["a search", "search=1019&state=paid", "SEARCH p USING PRIMARY KEY (merchant_id=? AND kind=? AND digest=? AND created_at>? AND (created_at,session_id)<(?,?))"],
    ["a search for an amount", "search=12.500+KWD", "SEARCH t USING INDEX txn_by_amount (merchant_id=? AND currency=? AND amount=? AND created_at>? AND (created_at,session_id)<(?,?))"],
    ["everything", "order_no=A-1&customer_id=c&made_by=key:abcd1234&state=paid&paid_from=2026-01-01&created_from=2026-01-01&type=e_commerce&pg_code=knet&currency=KWD&amount=1&has_refund=false", "SEARCH t USING INDEX txn_by_order (merchant_id=? AND order_no=? AND created_at>? AND (created_at,session_id)<(?,?))"],
  ];
  for (const [what, query, search] of listings) {
    it(`reads a listing by ${what} from its index, and never a whole table`, async () => {
      const answer = await fetch(new URL(`/contract/plan?${query}`, origin));
      assert.equal(answer.status, 200, await answer.clone().text());
      const steps = await answer.json();
      assert.ok(steps.includes(search), steps.join("\n"));
      // The lists of states are tables to the database, too.
      const scans = steps.filter((step) => /^SCAN /.test(step) && !/^SCAN (stored|json_each) VIRTUAL TABLE|^SCAN (w|page|found)$/.test(step));
      assert.deepEqual(scans, []);
      // Only few rows are sorted: those that were found by state, at most a page for each, and those to which a name leads.
      const sorts = steps.filter((step) => step.includes("TEMP B-TREE"));
      assert.equal(sorts.length, search.includes("txn_by_state") ? 1 : query.startsWith("search=") ? 2 : 0, steps.join("\n"));
    });
  }

  /** The steps in which the database runs a statement. */
  async function stepsOf(sql) {
    const numbered = [...sql.matchAll(/\?(\d+)/g)].map(([, number]) => Number(number));
    const count = numbered.length > 0 ? Math.max(...numbered) : sql.split("?").length - 1;
    const { results } = await db.prepare(`EXPLAIN QUERY PLAN ${sql}`).bind(...Array(count).fill(null)).all();
    return results.map(({ detail }) => detail);
  }

  async function statements() {
    const { session_id } = await db.prepare("SELECT session_id FROM txn LIMIT 1").first();
    const made = await (await fetch(new URL(`/contract/statements?${session_id}`, origin))).json();
    return made.filter((sql) => !sql.startsWith("EXPLAIN"));
  }

  it("reads no whole table in any statement that it makes", async () => {
    // What is read from end to end is short: lists of a request, what was found before, the operators, and rows that wait
    // for a person.
    const short = [
      /^SCAN (json_each|stored|listed|r|w) VIRTUAL TABLE/, /^SCAN a USING INDEX attention_untold(_to_operators)?$/, /^SCAN (found|lane|turn|page|w|\(subquery-\d+\))$/, /^SCAN \d+ CONSTANT ROWS?$/, /^SCAN CONSTANT ROW$/,
      "SCAN merchant USING INDEX merchant_with_moved_clock", "SCAN attention USING INDEX attention_open", "SCAN operator",
      "SCAN m USING INDEX merchant_with_retention", "SCAN m USING INDEX merchant_with_alerts", "SCAN attention USING INDEX attention_of_gateways",
      "SCAN attempt USING INDEX attempt_unknown", "SCAN delivery USING COVERING INDEX delivery_due",
    ];
    const isShort = (step) => short.some((form) => (form instanceof RegExp ? form.test(step) : form === step));
    const made = await statements();
    assert.ok(made.length >= 60, `${made.length} statements`);
    // An insert names the tables that refer to its own; they are read only after a reference was broken.
    for (const sql of made.filter((sql) => !sql.startsWith("INSERT"))) {
      const long = (await stepsOf(sql)).filter((step) => (/^SCAN /.test(step) && !isShort(step)) || step.includes("AUTOMATIC"));
      assert.deepEqual(long, [], sql);
    }
  });

  const MOVED = "AND merchant_id NOT IN (SELECT id FROM merchant WHERE clock_offset > 0)";
  const searches = [
    ["expiries", (sql) => /FROM lane JOIN txn t/.test(sql), "SEARCH x USING INDEX txn_to_expire_of_merchant (merchant_id=? AND expires_at<?)"],
    ["unknown outcomes", (sql) => sql.includes("x.stage IN ('sending', 'unknown')"), "SEARCH x USING INDEX attempt_unknown (merchant_id=? AND pg_code=? AND inquire_at>? AND inquire_at<?)"],
    ["pages that wait", (sql) => sql.includes("x.stage = 'redirected'"), "SEARCH x USING INDEX attempt_waiting (merchant_id=? AND pg_code=? AND inquire_at>? AND inquire_at<?)"],
    ["payments that ended", (sql) => sql.includes("x.stage IN ('failed', 'canceled', 'error')"), "SEARCH x USING INDEX attempt_closed (merchant_id=? AND pg_code=? AND inquire_at>? AND inquire_at<?)"],
    ["operations", (sql) => /FROM lane JOIN child a/.test(sql), "SEARCH x USING INDEX child_to_inquire (merchant_id=? AND pg_code=? AND inquire_at>? AND inquire_at<?)"],
    ["notifications", (sql) => /FROM lane JOIN delivery a/.test(sql), "SEARCH x USING INDEX delivery_due (merchant_id=? AND receiver=? AND due_at<?)"],
    ["reconciliations", (sql) => /FROM reconciliation WHERE due_at/.test(sql) && sql.includes(MOVED), "SEARCH reconciliation USING INDEX reconciliation_due (due_at<?)"],
    ["reconciliations of a merchant", (sql) => /FROM reconciliation WHERE due_at/.test(sql) && !sql.includes(MOVED), "SEARCH reconciliation USING INDEX reconciliation_due_of_merchant (merchant_id=? AND due_at<?)"],
    ["held money", (sql) => /FROM capture_deadline WHERE remind_at/.test(sql) && sql.includes(MOVED), "SEARCH capture_deadline USING INDEX capture_to_remind (remind_at<?)"],
    ["held money of a merchant", (sql) => /FROM capture_deadline WHERE remind_at/.test(sql) && !sql.includes(MOVED), "SEARCH capture_deadline USING INDEX capture_to_remind_of_merchant (merchant_id=? AND remind_at<?)"],
    ["what is said of an agreement that someone resumes", (sql) => sql.startsWith("UPDATE attention SET how = 'resumed', closed_at = CAST(? AS INTEGER) WHERE") && sql.includes("AND g.id = ?"), "SEARCH attention USING INDEX attention_of_pause (session_id=?)"],
    ["successes that no list has settled", (sql) => sql.includes("a.reconciled_at IS NULL"), "SEARCH a USING INDEX attempt_to_reconcile (merchant_id=? AND pg_code=? AND opened_at>? AND opened_at<?)"],
    ["attempts of a list", (sql) => sql.includes("WHERE a.reference IN (SELECT value"), "SEARCH a USING INDEX sqlite_autoindex_attempt_1 (reference=?)"],
    ["operations of a list", (sql) => sql.includes("FROM child WHERE parent_id IN"), "SEARCH child USING INDEX sqlite_autoindex_child_3 (parent_id=?)"],
    ["payments to be counted", (sql) => sql.includes("GROUP BY stored.value"), "SEARCH t USING COVERING INDEX txn_by_state (merchant_id=? AND state=? AND created_at>?)"],
    ["attempts to be counted", (sql) => sql.includes("INDEXED BY attempt_by_opening"), "SEARCH attempt USING COVERING INDEX attempt_by_opening (opened_at>?)"],
    ["cards that a key has sealed", (sql) => sql.includes("FROM card WHERE sealed_by"), "SEARCH card USING INDEX card_by_seal (sealed_by=? AND token>?)"],
    ["operations of a payment", (sql) => sql.includes("FROM child WHERE parent_id = ?"), "SEARCH child USING INDEX sqlite_autoindex_child_3 (parent_id=?)"],
    ["the operation of a tracking key", (sql) => sql.includes("FROM child WHERE merchant_id = ? AND tracking_key"), "SEARCH child USING INDEX child_by_tracking_key (merchant_id=? AND tracking_key=?)"],
    ["cards of a customer", (sql) => sql.includes("FROM card c WHERE c.merchant_id = ? AND c.customer_id"), "SEARCH c USING INDEX card_of_customer (merchant_id=? AND customer_id=? AND is_sandbox=?)"],
    ["the card of a token", (sql) => sql.includes("FROM card c WHERE c.merchant_id = ? AND c.token"), "SEARCH c USING PRIMARY KEY (token=?)"],
    ["the operator of a key", (sql) => sql.startsWith("SELECT hash") && sql.includes("FROM operator WHERE prefix = ?"), "SEARCH operator USING INDEX sqlite_autoindex_operator_1 (prefix=?)"],
    ["the audit of a merchant", (sql) => sql.includes("FROM audit a") && sql.endsWith("a.id < CAST(? AS INTEGER) AND a.merchant_id = ? ORDER BY a.id DESC LIMIT CAST(? AS INTEGER)"), "SEARCH a USING INDEX audit_of_merchant (merchant_id=? AND rowid<?)"],
    ["whether a page was recorded a while ago", (sql) => sql.startsWith("INSERT INTO audit") && sql.includes("WHERE NOT EXISTS"), "SEARCH audit USING INDEX audit_of_moment (merchant_id=? AND at>?)"],
    ["who made the versions of settings", (sql) => sql.includes("FROM settings_version v LEFT JOIN audit"), "SEARCH a USING INDEX audit_of_version (merchant_id=? AND version=?) LEFT-JOIN"],
    ["the transaction that a key names", (sql) => sql.startsWith("SELECT c.hash") && sql.includes("LEFT JOIN txn t") && !sql.includes("c.kind = "), "SEARCH t USING INDEX sqlite_autoindex_txn_1 (session_id=?) LEFT-JOIN"],
    ["the transaction that a user names", (sql) => sql.startsWith("SELECT c.id, c.username") && sql.includes("LEFT JOIN txn t") && sql.endsWith("c.folded = ?"), "SEARCH t USING INDEX sqlite_autoindex_txn_1 (session_id=?) LEFT-JOIN"],
    ["what a payer tried", (sql) => sql.startsWith("SELECT session_id, opened_at") && sql.includes("AND payer = ?"), "SEARCH attempt USING INDEX attempt_of_payer (merchant_id=? AND payer=? AND opened_at>?)"],
    ["what a payer tried until an attempt opens", (sql) => sql.startsWith("INSERT INTO txn_event") && sql.includes("AND payer = ?"), "SEARCH attempt USING INDEX attempt_of_payer (merchant_id=? AND payer=? AND opened_at>?)"],
    ["payers that no longer count", (sql) => sql.startsWith("UPDATE attempt SET payer = NULL"), "SEARCH attempt USING INDEX attempt_payer_by_age (opened_at<?)"],
    ["calls of days that are over", (sql) => sql.startsWith("DELETE FROM call_count"), "SEARCH call_count USING PRIMARY KEY (day<?)"],
    ["payments of days", (sql) => sql.startsWith("SELECT listed.key"), "SEARCH r USING COVERING INDEX txn_by_payment (merchant_id=? AND paid_at>? AND paid_at<?)"],
    ["refunds of days", (sql) => sql.startsWith("SELECT listed.key"), "SEARCH r USING INDEX child_refunded (merchant_id=? AND known_at>? AND known_at<?)"],
    ["failed attempts of days", (sql) => sql.startsWith("SELECT listed.key"), "SEARCH r USING COVERING INDEX attempt_failed (merchant_id=? AND known_at>? AND known_at<?)"],
    ["merchants after one", (sql) => sql.startsWith("SELECT id, document ->> '$.name.en'"), "SEARCH merchant USING PRIMARY KEY (id>?)"],
    ["the card that the gateway knows", (sql) => sql.includes("FROM card c WHERE c.merchant_id = ? AND c.fingerprint"), "SEARCH c USING INDEX card_of_gateway (merchant_id=? AND fingerprint=?)"],
  ];
  for (const [what, isIt, search] of searches) {
    it(`finds ${what} in the index that is there for it`, async () => {
      const found = (await statements()).filter(isIt);
      assert.equal(found.length, 1, found.join("\n"));
      const steps = await stepsOf(found[0]);
      assert.ok(steps.includes(search), steps.join("\n"));
    });
  }

  it("keeps an audit row of everything that an operator does", async () => {
    const { results } = await db.prepare("SELECT DISTINCT action FROM audit ORDER BY action").all();
    assert.deepEqual(results.map(({ action }) => action), [
      "add_key", "add_merchant", "add_operator", "add_own_key", "add_user", "add_webhook_secret", "change_user", "choose_password", "delete_image", "delete_payment_template", "enable_own_receiver", "invite_own_user",
      "move_clock", "new_device", "replace_apple_domain_file", "replace_settings", "reseal", "resend_own_deliveries", "reset_own_factor", "resolve_attention", "restore_version", "resume_agreement", "revoke_key", "revoke_operator", "save_payment_template", "set_factor", "show_personal_data", "upload_image",
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
