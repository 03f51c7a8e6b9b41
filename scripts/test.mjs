/**
 * `make test`: every kind of test (`testing/steps.mjs`). Arguments choose steps by name; `SKIP_BROWSER=1` leaves out those that
 * need Chromium, and says so. A step that fails does not stop the others. At the end are what failed, how long each step took
 * (saved in target/test-times.json), and the counts of all test runners.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { at, die, duration } from "./project.mjs";
import { endGroups } from "./testing/groups.mjs";
import { Job } from "./testing/job.mjs";
import { STEPS } from "./testing/steps.mjs";

const TIMES = at("target", "test-times.json");
/** Of how many runs the times are saved. */
const RUNS_SAVED = 20;

/** What became of each step: `{ name, outcome, seconds, count, faults, times, job }`; `unsteady` are faults before its repetition. */
const results = [];

/** Why a step is not run, if it is not. */
function hindrance(name, chosen) {
  const { needs, after = [] } = STEPS[name];
  if (needs === "browser" && process.env.SKIP_BROWSER) return "SKIP_BROWSER is set";
  const missing = after.filter((other) => chosen.includes(other) && results.find(({ name: done }) => done === other)?.outcome === "failed");
  return missing.length > 0 ? `${missing.join(" and ")} failed` : undefined;
}

async function runStep(name, chosen, isShared) {
  const print = (line) => console.log(isShared ? `${name} | ${line}` : line);
  const reason = hindrance(name, chosen);
  if (reason) {
    console.log(`== ${name} is left out: ${reason}`);
    results.push({ name, outcome: `left out: ${reason}`, seconds: 0, count: { passed: 0, failed: 0, skipped: 1 }, faults: [], times: [] });
    return;
  }
  console.log(`== ${name}: ${STEPS[name].says}`);
  const job = new Job({ print, isShared });
  const started = Date.now();
  try {
    await STEPS[name].run(job);
  } catch (error) {
    print(error.message);
    if (job.count.failed === 0) job.count.failed = 1;
    if (job.faults.length === 0) job.faults.push(error.message);
  }
  const { count, faults, times } = job;
  const outcome = count.failed > 0 ? "failed" : "passed";
  results.push({ name, outcome, seconds: (Date.now() - started) / 1000, count, faults, times, job });
  console.log(`== ${name} ${count.failed > 0 ? "failed after" : "took"} ${duration(Date.now() - started)}`);
}

/** Resolves when the steps that a step comes after are done. */
async function runLane(names, chosen, isShared, done) {
  for (const name of names) {
    await Promise.all((STEPS[name].after ?? []).map((other) => done.get(other)?.promise));
    await runStep(name, chosen, isShared);
    done.get(name).resolve();
  }
}

async function runAll(chosen) {
  const done = new Map(chosen.map((name) => {
    let resolve;
    const promise = new Promise((settle) => (resolve = settle));
    return [name, { promise, resolve }];
  }));
  const of = (lane) => chosen.filter((name) => STEPS[name].lane === lane);
  await runLane(of(undefined), chosen, false, done);
  const lanes = [of("cargo"), of("node")].filter((names) => names.length > 0);
  await Promise.all(lanes.map((names) => runLane(names, chosen, lanes.length > 1, done)));
  if (lanes.length > 1) await repeatFailed();
}

/** What waits for answers and fails while two lanes keep the machine busy is run again by itself, and that counts; both are said. */
async function repeatFailed() {
  for (const result of results.filter(({ name, job }) => STEPS[name].again && job?.failed.length > 0)) {
    const { name, job, faults, count } = result;
    result.unsteady = [...faults];
    console.log(`== ${name}, by itself, after: ${faults.join(", ")}`);
    const started = Date.now();
    await STEPS[name].again(job);
    result.outcome = count.failed > 0 ? "failed" : "passed";
    result.seconds += (Date.now() - started) / 1000;
  }
}

/** The times of this run, and of those before it. */
function keepTimes(seconds) {
  const runs = existsSync(TIMES) ? JSON.parse(readFileSync(TIMES, "utf8")) : [];
  const steps = results.map(({ name, outcome, unsteady, seconds: took, times }) => ({ name, outcome, unsteady, seconds: took, files: times }));
  mkdirSync(at("target"), { recursive: true });
  writeFileSync(TIMES, `${JSON.stringify([...runs, { at: new Date().toISOString(), seconds, steps }].slice(-RUNS_SAVED), undefined, 1)}\n`);
}

function printTable() {
  console.log(`\n${"step".padEnd(14)}${"took".padStart(14)}${"passed".padStart(9)}${"failed".padStart(9)}${"skipped".padStart(9)}`);
  for (const { name, outcome, unsteady = [], seconds, count } of results) {
    const counts = Object.values(count).map((number) => String(number).padStart(9)).join("");
    const marks = [outcome === "passed" ? "" : `  ${outcome}`, unsteady.length === 0 ? "" : `  unsteady: ${unsteady.length} failed at first`].join("");
    console.log(`${name.padEnd(14)}${duration(seconds * 1000).padStart(14)}${counts}${marks}`);
  }
}

async function main(words) {
  const chosen = words.length > 0 ? words : Object.keys(STEPS).filter((name) => !STEPS[name].isPart);
  const unknown = chosen.find((name) => !(name in STEPS));
  if (unknown) throw new Error(`no step is called ${unknown}; there are ${Object.keys(STEPS).join(", ")}`);
  const started = Date.now();
  await runAll(chosen);
  const took = Date.now() - started;
  keepTimes(took / 1000);
  printTable();
  console.log(`\ntook ${duration(took)}`);
  const sum = (outcome) => results.reduce((all, { count }) => all + count[outcome], 0);
  // Last, where it is seen first.
  for (const { name, faults, unsteady = [] } of results) {
    for (const fault of unsteady) console.log(`failed next to the other lane: ${name}: ${fault}`);
    for (const fault of faults) console.log(`failed: ${name}: ${fault}`);
  }
  console.log(`${sum("passed")} passed, ${sum("failed")} failed, ${sum("skipped")} skipped`);
  process.exitCode = sum("failed") === 0 ? 0 : 1;
}

for (const [signal, code] of [["SIGINT", 130], ["SIGTERM", 143], ["SIGHUP", 129]]) {
  process.once(signal, () => endGroups().then(() => process.exit(code)));
}
main(process.argv.slice(2)).catch((error) => endGroups().then(() => die(error)));
