/**
 * `make bench`: the throughput of Till compared with a plain JavaScript Worker, and how long reading a
 * request and each connector takes, and what a cold start takes.
 *
 * Both Workers run on workerd side by side, each with its own D1 that starts empty. Rounds alternate, and so
 * does which Worker goes first, so that a slow moment of the machine affects both; the result is the median
 * of the rounds' ratios. The processor time of a request is that of the whole runtime, the database included.
 *
 * `AGAINST=edge-worker/build-other` compares with another build of Till instead, and measures nothing else. With the folder of
 * the same build it shows the noise: equal builds differ by it. `ONLY=create,wallet` measures some kinds.
 */
import { die, duration } from "../../scripts/project.mjs";
import { timeColdStarts } from "./cold.mjs";
import { nanosecondsOf } from "./cpu.mjs";
import { CONNECTIONS, median, quantile, round } from "./load.mjs";
import { timeConnectors } from "./connectors.mjs";
import { timeInWasm, timeNatively } from "./parse.mjs";
import { AGAINST, record, requests, start, startBaseline } from "./workers.mjs";

const ROUNDS = Number(process.env.ROUNDS) || 7;
/** In this order: each PATCH takes a transaction that was not changed before, and there are as many as were created. */
const KINDS = {
  create: { target: 0.9 }, "create-full": { target: 0.85 }, retrieve: { target: 0.9 }, patch: { target: 0.85 }, methods: { target: 0.9 }, wallet: { target: 0.9 },
};
const ONLY = process.env.ONLY?.split(",") ?? Object.keys(KINDS);
/**
 * A round is as many requests as the slower of the two answers in this many seconds, but not more than the
 * most.
 */
const ROUND_SECONDS = Number(process.env.ROUND_SECONDS) || 1.5;
const MOST = 1500;
/** Requests of the first round of each, which only decides the size of the other rounds. */
const WARM_UP = 500;
/** The target of all ratios. */
const AIM = 0.95;
/** The most microseconds of reading and checking a request of the first fields in wasm. */
const PARSE_TARGET = 10;
/** The most microseconds of building a charge and reading its answer with a connector in wasm. */
const CHARGE_TARGET = 60;

const number = (value, decimals = 0) => value.toFixed(decimals);

/** Measures one kind of request. `ids` has for each subject the session ids that it made. */
async function measure(kind, subjects, ids) {
  // What is retrieved and changed later is of one kind.
  if (kind.startsWith("create")) for (const subject of subjects) ids.set(subject, []);
  const results = new Map(subjects.map((subject) => [subject, { perSecond: [], latencies: [], cpu: [] }]));
  const once = (subject, count) => {
    const mine = ids.get(subject);
    const next = (turn) => requests[kind](kind === "patch" ? mine.pop() : mine[turn % mine.length]);
    const see = kind.startsWith("create") ? (body) => mine.push(JSON.parse(body).session_id) : undefined;
    return round(subject, count, next, see);
  };
  const warm = [];
  for (const subject of subjects) warm.push((await once(subject, WARM_UP)).perSecond);
  const most = kind === "patch" ? Math.min(MOST, Math.floor(ids.get(subjects[0]).length / ROUNDS)) : MOST;
  const count = Math.round(Math.min(most, Math.min(...warm) * ROUND_SECONDS));
  for (let turn = 0; turn < ROUNDS; turn += 1) {
    const order = turn % 2 === 0 ? subjects : subjects.toReversed();
    for (const subject of order) {
      const before = nanosecondsOf(subject.pid);
      const { perSecond, latencies } = await once(subject, count);
      results.get(subject).cpu.push((nanosecondsOf(subject.pid) - before) / count);
      results.get(subject).perSecond.push(perSecond);
      results.get(subject).latencies.push(...latencies);
    }
  }
  console.log(`${kind}: ${ROUNDS} rounds of ${count} requests each`);
  const [till, baseline] = subjects.map((subject) => results.get(subject));
  return {
    kind, till, baseline,
    ratios: till.perSecond.map((value, turn) => value / baseline.perSecond[turn]),
    ofCpu: till.cpu.map((value, turn) => value / baseline.cpu[turn]),
  };
}

/** Throws if the two did not store the same number of rows: then they did not do the same work. */
async function checkRows(subjects) {
  const tables = ["txn", "txn_event", "attempt", "answer", "delivery"];
  const counts = await Promise.all(
    subjects.map(async (subject) => {
      const database = await subject.database();
      const sql = `SELECT ${tables.map((table) => `(SELECT count(*) FROM ${table}) AS ${table}`).join(", ")}`;
      return JSON.stringify(await database.prepare(sql).first());
    }),
  );
  if (counts[0] !== counts[1]) throw new Error(`Till stored ${counts[0]}, the baseline ${counts[1]}`);
}

async function throughput() {
  const recording = await record();
  const subjects = [await start("till"), AGAINST ? await start("other") : await startBaseline(recording)];
  try {
    await subjects[0].makeMerchant();
    if (AGAINST) await subjects[1].makeMerchant();
    const ids = new Map();
    const results = [];
    for (const kind of Object.keys(KINDS)) {
      if (ONLY.includes(kind)) results.push({ ...(await measure(kind, subjects, ids)), trips: roundTrips(recording.plan[kind]) });
    }
    await checkRows(subjects);
    if (!AGAINST) describe(recording.plan);
    return results;
  } finally {
    await Promise.all(subjects.map((subject) => subject.stop()));
  }
}

/** How often the database was asked. */
const roundTrips = ({ steps }) => steps.filter(({ statements }) => statements !== undefined).length;

/** The results of both, one line per kind. */
function describe(plan) {
  for (const [kind, { steps, answer }] of Object.entries(plan)) {
    const calls = steps.map(({ call, statements = [], request }) => {
      if (request) return `a request of ${request.body.length} bytes to the bank`;
      const values = statements.map((statement) => statement.values.length).join(" + ");
      return `${call} of ${statements.length} with ${values} values`;
    });
    console.log(`${kind}: ${calls.join(", then ")}; ${JSON.stringify(answer).length} characters answered`);
  }
}

function print(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  for (const row of rows) {
    const cells = row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column])));
    console.log(cells.join("  ").trimEnd());
  }
}

const verdictOfRatio = (ratio, target) =>
  ratio >= target ? (ratio >= AIM ? "met, and the aim" : "met") : `missed by ${number(target - ratio, 3)}`;

const spreadOf = (values, decimals) => `${number(Math.min(...values), decimals)}..${number(Math.max(...values), decimals)}`;

function throughputRows({ kind, till, baseline, ratios, ofCpu, trips }) {
  const of = (name, { perSecond, latencies, cpu }, asked) => [
    `${kind}, ${name}`, number(median(perSecond)), spreadOf(perSecond), number(quantile(latencies, 0.5), 1),
    number(quantile(latencies, 0.99), 1), number(median(cpu) / 1000), asked, "", "",
  ];
  const ratio = median(ratios);
  const { target } = KINDS[kind];
  const judged = AGAINST ? ["", ""] : [`>= ${number(target, 2)}`, verdictOfRatio(ratio, target)];
  return [
    of("Till", till, String(trips)),
    of(AGAINST ? "other" : "baseline", baseline, ""),
    [`${kind}, ratio`, number(ratio, 3), spreadOf(ratios, 3), "", "", number(median(ofCpu), 3), "", ...judged],
  ];
}

const microseconds = (nanoseconds) => number(nanoseconds / 1000, 2);

/** A row of a time that has a limit, both in microseconds. */
function limitedRow(what, nanoseconds, limit) {
  const over = nanoseconds / 1000 - limit;
  const verdict = over <= 0 ? "met" : `missed by ${number(over, 2)} µs`;
  return [what, microseconds(nanoseconds), "", "", "", "", "", `<= ${limit}`, verdict];
}

function parseRows(native, wasm) {
  return [
    ["read and check, native, µs", microseconds(native.first)],
    limitedRow("read and check, wasm, µs", wasm.first, PARSE_TARGET),
    ["the same of every field, native, µs", microseconds(native.full)],
    ["the same of every field, wasm, µs", microseconds(wasm.full)],
  ];
}

const connectorRows = (times) =>
  times.map(([name, nanoseconds]) => limitedRow(`charge through ${name}, wasm, µs`, nanoseconds, CHARGE_TARGET));

const coldRows = (starts) =>
  starts.map(({ what, median: middle, least, most }) => [`${what}, ms`, number(middle, 1), `${number(least, 1)}..${number(most, 1)}`]);

const HEAD = ["", "median", "min..max", "p50 ms", "p99 ms", "CPU µs", "round trips", "target", ""];

/** Whether the baseline's own rounds differ so much that the machine had other things to do. */
const wasBusy = ({ baseline: { perSecond } }) => Math.max(...perSecond) > 2 * Math.min(...perSecond);

/** What is measured without load. */
async function apart() {
  console.log("compiling what is timed alone (a minute the first time)");
  const [native, wasm, connectors] = [await timeNatively(), await timeInWasm(), await timeConnectors()];
  console.log("starting fresh runtimes");
  return [...parseRows(native, wasm), ...connectorRows(connectors), ...coldRows(await timeColdStarts())];
}

async function main() {
  const started = Date.now();
  const others = AGAINST ? [] : await apart();
  console.log(`measuring two Workers in turn, ${ROUNDS} rounds each, ${CONNECTIONS} connections (some minutes)`);
  const results = await throughput();
  console.log();
  print([HEAD, ...results.flatMap(throughputRows), ...others]);
  const aim = AGAINST ? "" : ` All ratios aim at ${AIM}.`;
  console.log(`\nRates are requests a second.${aim} Took ${duration(Date.now() - started)}.`);
  if (results.some(wasBusy)) console.log("The machine was busy meanwhile: measure again on a quiet one.");
}

main().catch(die);
