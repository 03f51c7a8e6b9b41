/**
 * Metrics for Prometheus: what they count, who may read them, and that they are what Prometheus accepts. The rules of
 * docs/alerts.yml name metrics that exist. Data points of Workers Analytics Engine are written where a dataset is bound.
 */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { at } from "../../scripts/project.mjs";
import { OPERATOR_TOKEN, start } from "./harness.mjs";
import { assertProblem, atTheBank, choose, eventually, open, payWith } from "./payer.mjs";

const ALERTS = at("docs", "alerts.yml");
/** The tool of Prometheus: Debian has it in the package `prometheus`. */
const PROMTOOL = [process.env.PROMTOOL, at(".tools", "promtool", "usr", "bin", "promtool"), "/usr/bin/promtool"].find((path) => path && existsSync(path));
const judged = { skip: PROMTOOL ? false : "promtool is not installed (Debian package prometheus, or PROMTOOL)" };

/** @type {import("./harness.mjs").Till} */
let till;
let persist;

before(async () => {
  persist = mkdtempSync(join(tmpdir(), "till-metrics-"));
  till = await start({ persist });
  await till.createMerchant();
});
after(async () => {
  await till.stop();
  rmSync(persist, { recursive: true, force: true });
});

const read = (headers = { authorization: `Bearer ${OPERATOR_TOKEN}` }) => till.call("/metrics", { headers });

/** The metrics of a Worker that has none in its memory: `name{labels}` to the value. */
async function measured() {
  await till.restart();
  const { status, text } = await read();
  assert.equal(status, 200, till.log.findLast((line) => line.includes('"failed"')));
  const samples = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return { text, values: Object.fromEntries(samples.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ") + 1))])) };
}

test("payments, attempts, webhooks and the runs of the cron handler are counted", async () => {
  const paid = await atTheBank(till);
  await payWith(till, paid.page, "visa-approve");
  const declined = await atTheBank(till);
  await payWith(till, declined.page, "mastercard-decline");
  await open(till);
  const cash = await open(till, { pg_codes: ["cash"] });
  await choose(till, cash, "cash");
  await till.scheduled();
  await till.scheduled();
  const old = await open(till);
  const rows = await till.rows("SELECT COUNT(*) AS count FROM txn");
  assert.equal(rows[0].count, 5);
  // Of long ago: it does not count.
  await till.rows("UPDATE txn SET created_at = created_at - 90000000, version = version + 1 WHERE session_id = ?1", old.session_id);
  await till.rows("UPDATE delivery SET state = 'due', due_at = ?1 WHERE session_id = ?2", String(Date.now() - 600_000), paid.session_id);
  const { values } = await measured();
  assert.deepEqual(
    ["paid", "attempted", "created", "cod", "failed"].map((state) => values[`till_payments{state="${state}"}`]),
    [1, 1, 1, 1, 0],
  );
  assert.equal(values['till_attempts{gateway="kpay",sandbox="true",stage="success"}'], 1);
  assert.equal(values['till_attempts{gateway="kpay",sandbox="true",stage="failed"}'], 1);
  assert.equal(values['till_attempts{gateway="cod",sandbox="true",stage="cod"}'], 1);
  assert.ok(values.till_deliveries_waiting >= 1);
  assert.ok(values.till_deliveries_overdue_seconds >= 600 && values.till_deliveries_overdue_seconds < 700);
  assert.deepEqual([values.till_attempts_unknown, values.till_attempts_unknown_oldest_seconds], [0, 0]);
  assert.equal(values.till_sweep_runs_total, 2);
  assert.ok(Math.abs(values.till_sweep_last_ended_timestamp_seconds - Date.now() / 1000) < 60);
  assert.equal(values['till_attention_open{reason="second_success"}'], 0);
});

test("an outcome that nobody knows has an age, and an entry of the attention list a reason", async () => {
  const payment = await atTheBank(till);
  await till.rows("UPDATE attempt SET stage = 'unknown', unknown_since = ?1 WHERE session_id = ?2", String(Date.now() - 3_600_000), payment.session_id);
  const held = await atTheBank(till, { pg_code: "credit-card" });
  await payWith(till, held.page, "visa-wrong-amount");
  const { values } = await measured();
  assert.ok(values.till_attempts_unknown >= 1);
  assert.ok(values.till_attempts_unknown_oldest_seconds >= 3600 && values.till_attempts_unknown_oldest_seconds < 3700);
  assert.equal(values['till_attention_open{reason="amount_mismatch"}'], 1);
});

test("a measurement is shown again for a while, so that a scraper in a hurry costs little", async () => {
  const { text } = await measured();
  await open(till);
  assert.equal((await read()).text, text);
});

test("only the operator reads metrics", async () => {
  assertProblem(await read({}), 401, "credentials_missing");
  for (const authorization of ["Bearer nonsense", `Api-Key ${till.merchant.private_key}`, `Api-Key ${till.merchant.public_key}`]) {
    assertProblem(await read({ authorization }), 401, "credentials_invalid");
  }
  const { headers, text } = await read();
  assert.equal(headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8");
  for (const secret of [till.merchant.merchant_id, OPERATOR_TOKEN]) assert.ok(!text.includes(secret));
});

test("every metric has help and a type before its samples, and each sample once", async () => {
  const { text, values } = await measured();
  let family;
  for (const line of text.trimEnd().split("\n")) {
    const [, kind, name] = line.match(/^# (HELP|TYPE) (\w+) \S/) ?? [];
    if (kind === "HELP") family = name;
    else if (kind === "TYPE") assert.equal(name, family);
    else assert.match(line, new RegExp(`^${family}(\\{([a-z]+="[^"\\n]*",?)+\\})? [0-9]+$`));
  }
  assert.equal(text.split("\n").filter((line) => line !== "" && !line.startsWith("#")).length, Object.keys(values).length);
  assert.ok(text.endsWith("\n"));
});

test("promtool accepts the metrics and finds nothing to improve", judged, async () => {
  const { text } = await measured();
  const { status, stdout, stderr } = spawnSync(PROMTOOL, ["check", "metrics"], { input: text, encoding: "utf8" });
  assert.deepEqual([status, stdout, stderr], [0, "", ""]);
});

test("promtool accepts the rules of the alerts", judged, () => {
  assert.match(execFileSync(PROMTOOL, ["check", "rules", ALERTS], { encoding: "utf8" }), /SUCCESS: [89] rules found|SUCCESS: \d+ rules found/);
});

test("the rules name metrics that exist, and the guide explains every rule and every metric", async () => {
  const { text } = await measured();
  const rules = readFileSync(ALERTS, "utf8");
  const guide = readFileSync(at("docs", "operating", "monitoring.md"), "utf8");
  const names = [...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name);
  assert.ok(names.length >= 10);
  const used = [...new Set(rules.match(/till_\w+/g))];
  assert.deepEqual(used.filter((name) => !names.includes(name)), []);
  assert.deepEqual(names.filter((name) => !guide.includes(`\`${name}\``)), []);
  const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
  assert.deepEqual([...guide.matchAll(/^\| `(Till\w+)` \|/gm)].map(([, name]) => name), alerts);
});

test("each request writes a data point where a dataset is bound, and none names anybody", async () => {
  const other = await start({ dataset: 'console.log(JSON.stringify({ event: "point", ...point }))' });
  await other.createMerchant();
  const { body } = await other.create();
  await other.retrieve(body.session_id);
  assert.equal((await other.call("/b/nothing/")).status, 404);
  const points = await eventually("four points", () => {
    const found = other.log.filter((line) => line.includes('"event":"point"')).map((line) => JSON.parse(line));
    return found.length >= 4 && found;
  });
  assert.deepEqual(points.map(({ indexes, blobs }) => [...indexes, ...blobs]), [
    ["add_merchant", "add_merchant", "2xx"], ["create_transaction", "create_transaction", "2xx"], ["retrieve_transaction", "retrieve_transaction", "2xx"],
    ["nothing", "nothing", "4xx"],
  ]);
  for (const { doubles } of points) assert.ok(doubles.length === 1 && doubles[0] >= 0 && doubles[0] < 10_000);
  await other.stop();
});

test("a dataset that fails does not fail the request", async () => {
  const other = await start({ dataset: 'throw new Error("no dataset today")' });
  await other.createMerchant();
  assert.equal((await other.create()).status, 201);
  await other.stop();
});
