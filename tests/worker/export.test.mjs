/** An export is the listing of the same filters as a table: compared row by row, as a CSV reader of others reads it. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { parse } from "csv-parse/sync";
import { staff, textOf } from "./desk.mjs";
import { start } from "./harness.mjs";
import { assertProblem, atTheBank, payWith } from "./payer.mjs";

const LIST = "/b/checkout/v1/pymt-txn/";
const EXPORT = `${LIST}export/`;
const ZONE = "Asia/Kuwait";
const LOCAL = new Intl.DateTimeFormat("sv-SE", { timeZone: ZONE, dateStyle: "short", timeStyle: "medium" });

/** @type {import("./harness.mjs").Till} */
let till;
let payment, hostile;

/** Texts that spreadsheets run. */
const FORMULAS = { order_no: "=1+1", customer_first_name: "@SUM(A1)", customer_last_name: "نور, \"N\"", customer_phone: "+96550001234", customer_id: "-2+3" };

before(async () => {
  till = await start();
  await till.createMerchant({ time_zone: ZONE });
  hostile = (await till.create(FORMULAS)).body;
  payment = await atTheBank(till, { pg_code: "credit-card", amount: "12.345", order_no: "E-1", customer_email: "e@example.com" });
  await payWith(till, payment.page, "visa-approve");
  const refund = { session_id: payment.session_id, operation: "refund", amount: "1.250", reason: "goods_returned", note: "=cmd|' /C calc'!A0" };
  const answer = await till.call("/b/pbl/v2/operation/", { method: "POST", headers: { ...till.privateKey(), "tracking-key": "track-1" }, json: refund });
  assert.equal(answer.status, 200, answer.text);
  for (let number = 0; number < 30; number += 1) await till.create({ order_no: `MANY-${number}`, amount: "3.000" });
});
after(() => till.stop());

const ask = (query, merchant = till.merchant) => till.call(`${EXPORT}?${new URLSearchParams(query)}`, { headers: till.privateKey(merchant) });
const read = (text) => parse(text, { bom: true, columns: true, record_delimiter: "\r\n" });
async function rows(query = {}) {
  const answer = await ask(query);
  assert.equal(answer.status, 200, answer.text);
  return read(answer.text);
}

/** Every payment of the listing of the same filters. */
async function listed(query) {
  const found = [];
  for (let cursor = ""; cursor !== null; ) {
    const { body } = await till.call(`${LIST}?${new URLSearchParams({ ...query, limit: "7", cursor })}`, { headers: till.privateKey() });
    found.push(...body.results);
    cursor = body.next;
  }
  return found;
}

test("the file says what it is", async () => {
  const answer = await ask({});
  assert.match(answer.headers.get("content-type"), /^text\/csv; charset=utf-8/);
  assert.equal(answer.headers.get("content-disposition"), 'attachment; filename="payments.csv"');
  const bytes = new Uint8Array(await (await fetch(new URL(EXPORT, till.url), { headers: till.privateKey() })).arrayBuffer());
  assert.deepEqual([...bytes.slice(0, 3)], [0xef, 0xbb, 0xbf]);
  assert.deepEqual(new TextDecoder().decode(bytes).replaceAll("\r\n", "").match(/[\r\n]/), null, "every line ends with CRLF");
});

test("each filter's table has the rows of its listing, in the same order", async () => {
  const filters = [
    {}, { state: "paid" }, { state: "created" }, { order_no: "E-1" }, { search: "e@example.com" }, { search: "3.000 KWD" }, { has_refund: "true" }, { currency: "KWD", amount: "3.000" },
    { type: "e_commerce", pg_code: "credit-card" }, { created_from: "2100-01-01" }, { customer_id: "-2+3" },
  ];
  for (const query of filters) {
    const what = JSON.stringify(query);
    const [table, list] = [await rows(query), await listed(query)];
    const payments = table.filter(({ kind }) => kind === "payment");
    assert.deepEqual(payments.map(({ session_id }) => session_id), list.map(({ session_id }) => session_id), what);
    for (const [place, row] of payments.entries()) {
      const { state, amount, currency_code, created_at, order_no = "", type } = list[place];
      const seen = [row.state, row.amount, row.currency, row.created_utc, row.order_no.replace(/^'/, ""), row.type];
      assert.deepEqual(seen, [state, amount, currency_code, created_at, order_no ?? "", type], what);
      assert.equal(row[`created_local (${ZONE})`], LOCAL.format(new Date(row.created_utc)), what);
    }
  }
});

test("a refund is a row of its own behind its payment, with a negative amount", async () => {
  const table = await rows({ order_no: "E-1" });
  assert.deepEqual(table.map(({ kind, amount, session_id }) => [kind, amount, session_id]), [["payment", "12.345", payment.session_id], ["refund", "-1.250", payment.session_id]]);
  const [one, refund] = table;
  assert.match(one.card, /^\*{4} \d{4}$/);
  assert.deepEqual([refund.reason, refund.tracking_key, refund.order_no, one.customer_email], ["goods_returned", "track-1", "E-1", "e@example.com"]);
  const [{ reference }] = await till.rows("SELECT reference FROM child WHERE parent_id = ?1", payment.session_id);
  assert.equal(refund.reference_number, reference);
});

test("no cell is a formula", async () => {
  const [row] = await rows({ order_no: "=1+1" });
  assert.deepEqual([row.session_id, row.order_no, row.customer_name, row.customer_phone, row.customer_id], [hostile.session_id, "'=1+1", "'@SUM(A1) نور, \"N\"", "'+96550001234", "'-2+3"]);
  const table = await rows();
  assert.ok(table.some(({ note }) => note.startsWith("'=cmd")));
  for (const each of table) for (const [name, cell] of Object.entries(each)) assert.ok(!/^[=+@\t\r-]/.test(cell) || name === "amount", `${name}: ${cell}`);
});

test("what it does not know it refuses by name, pages too, and another merchant's rows are not there", async () => {
  const answer = await ask({ cursor: "x", limit: "5", colour: "red", state: "lost" });
  assertProblem(answer, 400, "invalid_fields");
  assert.deepEqual(Object.keys(answer.body.errors).sort(), ["colour", "cursor", "limit", "state"]);
  const other = await till.createMerchant();
  assert.deepEqual(read((await ask({}, other)).text), []);
});

test("at the desk the table is that of the list, for those who may", async () => {
  const merchant = await till.createMerchant({ time_zone: ZONE });
  await till.create({ order_no: "D-1" });
  await till.create({ order_no: "D-2" });
  const owner = await staff(till, "exporter", { is_superuser: true }, merchant);
  await owner.get("/payments/?order_no=D-1&state=created");
  const answer = await owner.submit("/payments/export/");
  assert.equal(answer.status, 200, textOf(answer.text));
  assert.deepEqual(read(answer.text).map(({ order_no }) => order_no), ["D-1"]);
  const audit = await till.call("/b/access/v1/audit/?limit=5", { headers: till.privateKey(merchant) });
  const [{ action, actor, after: query }] = audit.body.results;
  assert.deepEqual([action, actor.kind, query], ["export_transactions", "user", `order_no=D-1&state=created&time_zone=${encodeURIComponent(ZONE)}`]);
  await owner.get("/payments/");
  const wrong = await owner.submit("/payments/export/", { colour: "red" });
  assert.equal(wrong.status, 400);
  assert.match(textOf(wrong.text), /colour/);
  const viewer = await staff(till, "viewer", { permissions: ["Can view e-commerce payments", "Can view payment requests"] }, merchant);
  const page = await viewer.get("/payments/");
  assert.ok(!page.text.includes("/payments/export/"));
});

test("at the desk the local times are those of the screen, as the days of the filters are, and the audit says where", async () => {
  const merchant = await till.createMerchant({ time_zone: ZONE });
  const { body } = await till.create({ order_no: "ZONED" });
  // 22:30 of the fourth in New York is 06:30 of the fifth in Kuwait, and 03:30 of the fifth in UTC.
  const made = new Date("2026-03-05T03:30:00Z");
  await till.rows("UPDATE txn SET created_at = ?2, version = version + 1 WHERE session_id = ?1", body.session_id, made.getTime());
  const owner = await staff(till, "abroad", { is_superuser: true }, merchant);
  await owner.get("/me/");
  assert.equal((await owner.submit("/me/preferences/", { language: "", time_zone: "America/New_York" })).status, 303);
  const day = (date) => owner.get(`/payments/?created_from=${date}&created_to=${date}`);
  assert.doesNotMatch((await day("2026-03-05")).text, /ZONED|\/payments\/export\//);
  assert.match((await day("2026-03-04")).text, /ZONED/);
  const [row, ...others] = read((await owner.submit("/payments/export/")).text);
  assert.deepEqual([row.order_no, row.created_utc, row["created_local (America/New_York)"], others.length], ["ZONED", "2026-03-05T03:30:00Z", "2026-03-04 22:30:00", 0]);
  const { body: audit } = await till.call("/b/access/v1/audit/?limit=5", { headers: till.privateKey(merchant) });
  const { after: query } = audit.results.find(({ action }) => action === "export_transactions");
  assert.deepEqual(Object.fromEntries(new URLSearchParams(query)), { created_from: "2026-03-04", created_to: "2026-03-04", time_zone: "America/New_York" });
});

test("a search is exported, and the audit does not say for whom", async () => {
  const merchant = await till.createMerchant();
  await rows({ search: "e@example.com", customer_id: "c-exported", state: "paid" });
  const { body } = await till.call("/b/access/v1/audit/?limit=5", { headers: till.privateKey(merchant) });
  assert.equal(body.results[0].after, new URLSearchParams({ search: "…", customer_id: "…", state: "paid" }).toString());
  assert.ok(!JSON.stringify(body).includes("e%40example.com") && !JSON.stringify(body).includes("c-exported"));
});

/** So many payments more of a merchant, like the one that it has; `prefix` begins their ids. */
async function copies({ session_id }, count, prefix) {
  const columns = await till.rows("SELECT name FROM pragma_table_info('txn') WHERE name <> 'session_id'");
  const others = columns.map(({ name }) => `"${name}"`).join(", ");
  await till.rows(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
     INSERT INTO txn (session_id, ${others}) SELECT '${prefix}' || printf('%036x', n.i), ${others} FROM txn, n WHERE session_id = ?1`, session_id,
  );
}

test("a long table comes in parts, each row once and in the order of the list; who leaves early ends it", async () => {
  const merchant = await till.createMerchant();
  const { body } = await till.create({ order_no: "PARTS" });
  await copies(body, 24_998, "0000");
  const url = new URL(`${EXPORT}?order_no=PARTS`, till.url);
  const early = await fetch(url, { headers: till.privateKey(merchant) });
  const reader = early.body.getReader();
  const { value } = await reader.read();
  const lines = new TextDecoder().decode(value).split("\r\n").length;
  assert.ok(lines <= 1_002, `${lines} lines at once`);
  await reader.cancel();
  const whole = await fetch(url, { headers: till.privateKey(merchant) });
  assert.equal(whole.headers.get("content-length"), null);
  const table = read(await whole.text());
  const ids = await till.rows("SELECT session_id FROM txn WHERE order_no = 'PARTS' AND merchant_id = ?1 ORDER BY created_at DESC, session_id DESC", merchant.merchant_id);
  assert.equal(table.length, 24_999);
  assert.deepEqual(table.map(({ session_id }) => session_id), ids.map(({ session_id }) => session_id));
  assert.ok(table.every(({ order_no, state, amount }) => order_no === "PARTS" && state === "created" && amount === body.amount));
});

test("a table that cannot be finished says so in its last row", async () => {
  const merchant = await till.createMerchant();
  const { body } = await till.create({ order_no: "BROKEN" });
  await copies(body, 1_500, "0002");
  // A row of the second page that cannot be read.
  await till.rows("UPDATE txn SET currency = 'ZZZ', version = version + 1 WHERE session_id = '0002' || printf('%036x', 1)");
  const table = read((await ask({ order_no: "BROKEN" }, merchant)).text);
  assert.deepEqual([table.length, table.at(-1).kind, table.at(-2).kind], [1_001, "incomplete", "payment"]);
  assert.ok(table.slice(0, -1).every(({ kind }) => kind === "payment"));
});

test("a table that would be too long is refused with its limit", async () => {
  const merchant = await till.createMerchant();
  const { body } = await till.create({ order_no: "LONG" });
  // As many payments as an export has rows, and one more.
  await copies(body, 100_000, "0001");
  const answer = await ask({}, merchant);
  assertProblem(answer, 400, "too_many_rows");
  assert.match(answer.body.detail, /100000 rows: narrow the period/);
});
