/**
 * `make bench-million`: what a million stored transactions cost. Two Workers run side by side, one with an
 * empty database and one that is filled by SQL with transactions like those of a shop: most of one merchant,
 * a tenth of another, one in two paid, one in a hundred open. Rounds alternate as in `make bench`; the result
 * is the median of the rounds' ratios of times. Nothing is left on disk: the database is in memory. How many:
 * TRANSACTIONS=100000.
 */
import { die, duration } from "../../scripts/project.mjs";
import { median, quantile, round } from "./load.mjs";
import { start } from "./workers.mjs";

const TRANSACTIONS = Number(process.env.TRANSACTIONS) || 1_000_000;
const ROUNDS = Number(process.env.ROUNDS) || 9;
const BATCH = 20_000;
const REQUESTS = 300;
/** How many times as long as with an empty database retrieving may take at most. */
const TARGET = 1.2;
const CREATE = "/b/checkout/v1/pymt-txn/";
const METHODS = "/b/pbl/v2/payment-methods/";
const DAY = 86_400_000;

const get = (path) => ({ method: "GET", path, status: 200 });

/** How session ids of the filled rows are written: 40 hex digits that begin with the shard. */
const SESSION_ID = "printf('00%038x', n * 7919)";

const ofPaid = (value) => `CASE WHEN n % 2 = 0 THEN ${value} END`;

/** Inserts the rows `first` to `last` in the shape of `sample`, a row of each table as Till stored it. */
async function fill(database, sample, first, last, now) {
  const numbers = `WITH RECURSIVE numbers (n) AS (SELECT ${first} UNION ALL SELECT n + 1 FROM numbers WHERE n < ${last})`;
  const differ = {
    session_id: SESSION_ID,
    merchant_id: "CASE WHEN n % 10 = 0 THEN 'other' ELSE 'demo' END",
    version: "1",
    state: "CASE WHEN n % 100 = 1 THEN 'created' WHEN n % 2 = 0 THEN 'paid' ELSE 'expired' END",
    created_at: `${now} - n * 1000`,
    expires_at: `${now} + ${DAY} - CASE WHEN n % 100 = 1 THEN 0 ELSE n * 1000 END`,
    settled_by: "CASE WHEN n % 2 = 0 THEN 'knet' END",
    settled: ofPaid(sample.txn.amount), settled_currency: ofPaid("'KWD'"), paid: ofPaid(sample.txn.amount), paid_currency: ofPaid("'KWD'"), paid_at: ofPaid(`${now} - n * 1000`),
    details: `json_set(?, '$.order_no', 'ORDER-' || n, '$.customer_id', 'customer-' || (n % 50000))`,
  };
  await insert(database, numbers, "txn", sample.txn, differ);
  await insert(database, numbers, "txn_event", sample.txn_event, { session_id: SESSION_ID, at: `${now} - n * 1000` });
  await insert(database, numbers, "attempt", sample.attempt, {
    reference: "printf('R%015d', n)", session_id: SESSION_ID, merchant_id: differ.merchant_id,
    stage: "CASE WHEN n % 2 = 0 THEN 'success' ELSE 'failed' END", opened_at: `${now} - n * 1000`, inquire_at: "NULL",
  });
  await insert(database, numbers, "delivery", sample.delivery, {
    id: "printf('%032x', n)", session_id: SESSION_ID, merchant_id: differ.merchant_id, reference: "printf('R%015d', n)",
    state: "'delivered'", due_at: `${now} - n * 1000`, body: "'{}'",
  });
}

/**
 * One statement; a column gets its expression of `differ` (`?` in it is the sample's value), otherwise the
 * sample's value.
 */
function insert(database, numbers, table, sample, differ) {
  const names = Object.keys(sample);
  const values = [];
  const column = (name) => {
    const expression = differ[name] ?? "?";
    if (expression.includes("?")) values.push(sample[name]);
    return expression;
  };
  const selected = names.map(column).join(", ");
  return database.prepare(`INSERT INTO ${table} (${names.join(", ")}) ${numbers} SELECT ${selected} FROM numbers`).bind(...values).run();
}

/** A row of each table as Till stores it: a paid transaction. Computed columns are left out. */
async function samples(till, database) {
  const { session_id } = await till.send("create");
  const form = new URLSearchParams({ session_id, pg_code: "cash" });
  await fetch(`${till.url}/b/checkout/redirect/pay/`, { method: "POST", body: form, redirect: "manual", headers: { accept: "application/json" } });
  const found = {};
  for (const table of ["txn", "txn_event", "attempt", "delivery"]) {
    const row = await database.prepare(`SELECT * FROM ${table} WHERE session_id = ?1`).bind(session_id).first();
    if (row === null) throw new Error(`no row of ${table}`);
    const { order_no: _, customer_id: __, ...stored } = row;
    found[table] = table === "txn" ? stored : row;
  }
  return { session_id, found };
}

async function prepare(name, count) {
  const till = await start("till");
  await till.makeMerchant();
  const database = await till.database();
  const { session_id, found } = await samples(till, database);
  const columns = (await database.prepare("SELECT name FROM pragma_table_info('merchant')").all()).results.map(({ name: column }) => column);
  const others = columns.map((column) => (column === "id" ? "'other'" : column)).join(", ");
  await database.prepare(`INSERT INTO merchant (${columns.join(", ")}) SELECT ${others} FROM merchant WHERE id = 'demo'`).run();
  const now = Date.now();
  for (let first = 1; first <= count; first += BATCH) {
    await fill(database, found, first, Math.min(first + BATCH - 1, count), now);
  }
  await database.prepare("ANALYZE").run().catch(() => {});
  return { name, till, database, session_id, count };
}

const idOf = (n) => `00${(n * 7919).toString(16).padStart(38, "0")}`;

/** A row of the demo merchant; the rows are spread over all. */
const some = (count, turn) => {
  const n = ((turn * 104_729) % count) + 1;
  return n % 10 === 0 ? n - 1 : n;
};

/** The cursor of the page after `depth` pages. */
async function deepCursor(subject, depth) {
  let cursor = "";
  for (let page = 0; page < depth; page += 1) {
    const { next } = await subject.till.call("GET", `${CREATE}?limit=100${cursor}`);
    if (next === null) break;
    cursor = `&cursor=${next}`;
  }
  return cursor;
}

/** The requests: the path for the empty database, which has one row, and for the filled one. */
async function questions(filled) {
  const deep = await deepCursor(filled, 50);
  const last = Math.max(1, filled.count - 5000);
  const of = (empty, other) => (subject, turn) => (subject.count === 0 ? empty(subject) : other(turn));
  const listing = (filter) => of(() => get(`${CREATE}?limit=20${filter(0)}`), (turn) => get(`${CREATE}?limit=20${filter(turn)}`));
  const n = (turn) => some(filled.count, turn);
  const body = (customer_id) => ({ method: "POST", path: METHODS, status: 200, body: JSON.stringify({ plugin: "e_commerce", customer_id }) });
  return {
    retrieve: of(({ session_id }) => get(`${CREATE}${session_id}/`), (turn) => get(`${CREATE}${idOf(n(turn))}/`)),
    "list, first page": listing(() => ""),
    "list, page 51": of(() => get(`${CREATE}?limit=20`), () => get(`${CREATE}?limit=20${deep}`)),
    "list, long ago": listing(() => `&created_to=${new Date(Date.now() - last * 1000).toISOString()}`),
    "list, by order_no": listing((turn) => `&order_no=ORDER-${n(turn)}`),
    "list, by customer_id": listing((turn) => `&customer_id=customer-${n(turn) % 50_000}`),
    "list, by state": listing(() => "&state=pending"),
    "payment methods of a customer": of(() => body("customer-1"), (turn) => body(`customer-${n(turn) % 50_000}`)),
  };
}

/** Rounds of one request at both in turn: medians in milliseconds, and the ratio of times. */
async function measure(question, subjects) {
  const times = new Map(subjects.map((subject) => [subject, { per: [], latencies: [] }]));
  const once = (subject, count) => round(subject.till, count, (turn) => question(subject, turn));
  for (const subject of subjects) await once(subject, 50);
  for (let turn = 0; turn < ROUNDS; turn += 1) {
    for (const subject of turn % 2 === 0 ? subjects : subjects.toReversed()) {
      const { perSecond, latencies } = await once(subject, REQUESTS);
      times.get(subject).per.push(1000 / perSecond);
      times.get(subject).latencies.push(...latencies);
    }
  }
  const [empty, filled] = subjects.map((subject) => times.get(subject));
  return { empty, filled, ratios: filled.per.map((value, turn) => value / empty.per[turn]) };
}

/** What the sweep and the listings read: a step that reads a whole table is named. */
async function timeDue(subject) {
  const now = Date.now();
  const due = {
    "expiry": "SELECT t.session_id FROM txn t WHERE t.state IN ('created', 'pending', 'attempted') AND t.expires_at <= ?1 LIMIT 50",
    "inquiries": "SELECT reference FROM attempt WHERE stage IN ('sending', 'redirected', 'unknown') AND inquire_at <= ?1 ORDER BY inquire_at LIMIT 50",
    "deliveries": "SELECT id FROM delivery WHERE state = 'due' AND due_at <= ?1 LIMIT 50",
    "old answers": "SELECT key FROM answer WHERE stored_at <= ?1 LIMIT 50",
  };
  const rows = [];
  for (const [name, sql] of Object.entries(due)) {
    const { results } = await subject.database.prepare(`EXPLAIN QUERY PLAN ${sql}`).bind(now).all();
    const plan = results.map(({ detail }) => detail).join("; ");
    const started = performance.now();
    await subject.database.prepare(sql).bind(now).all();
    rows.push([name, `${(performance.now() - started).toFixed(1)} ms`, plan]);
  }
  return rows;
}

async function main() {
  const started = Date.now();
  const empty = await prepare("empty", 0);
  console.log(`filling a database with ${TRANSACTIONS} transactions (some minutes)`);
  const filled = await prepare("filled", TRANSACTIONS);
  console.log(`filled in ${duration(Date.now() - started)}`);
  try {
    let isMissed = false;
    for (const [name, question] of Object.entries(await questions(filled))) {
      const { empty: one, filled: other, ratios } = await measure(question, [empty, filled]);
      const ratio = median(ratios);
      const target = name === "retrieve" ? `, target <= ${TARGET}: ${ratio <= TARGET ? "met" : "missed"}` : "";
      isMissed ||= name === "retrieve" && ratio > TARGET;
      const p99 = (times) => quantile(times.latencies, 0.99).toFixed(1);
      const spread = `${Math.min(...ratios).toFixed(2)}..${Math.max(...ratios).toFixed(2)}`;
      console.log(`${name}: ${median(one.per).toFixed(2)} ms empty, ${median(other.per).toFixed(2)} ms filled, ratio ${ratio.toFixed(3)} (${spread}), p99 ${p99(one)} and ${p99(other)} ms${target}`);
    }
    for (const row of await timeDue(filled)) console.log(`due ${row.join(": ")}`);
    const sweep = await sweepOnce(filled);
    console.log(`one sweep: ${sweep} ms`);
    console.log(`Took ${duration(Date.now() - started)}.`);
    process.exitCode = isMissed ? 1 : 0;
  } finally {
    await Promise.all([empty, filled].map(({ till }) => till.stop()));
  }
}

/** How long one run of the cron handler takes, in milliseconds. */
async function sweepOnce({ till }) {
  const started = performance.now();
  const worker = await till.miniflare.getWorker();
  await worker.scheduled({ cron: "* * * * *" });
  return (performance.now() - started).toFixed(0);
}

main().catch(die);
