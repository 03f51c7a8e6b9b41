/**
 * `make reliability`: every kind of trial in turn, with sizes far above those of `make test`. Writes
 * `target/reliability.json`, prints one table, and ends with an error if any rule was violated.
 *
 * `KINDS=races,kills` chooses; `ROUNDS`, `SECONDS` and `SEED` are passed to every kind; `SKIP_BROWSER=1`
 * leaves out what needs Chromium, and says so. `tests/reliability/README.md` says what a kind is.
 */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { Stop, at, die, duration } from "../../scripts/project.mjs";

const REPORT = at("target", "reliability.json");
const LONGEST = 40 * 60_000;

const trial = (name) => async (options) => (await import(`./${name}.mjs`)).run(options);

/** The kinds in the order in which they run, each with the size that its run has here. */
const KINDS = {
  json: { run: trial("json") },
  mutations: { rounds: 4000, run: trial("mutations") },
  races: { rounds: 100, run: trial("races") },
  agreements: { rounds: 100, run: trial("agreements") },
  prices: { rounds: 100, run: trial("prices") },
  kills: { rounds: 100, run: trial("kills") },
  backlog: { rounds: 2000, run: trial("backlog") },
  deliveries: { rounds: 2000, run: trial("deliveries") },
  gateways: { rounds: 200, run: trial("gateways") },
  soak: { seconds: 300, run: trial("soak") },
  payers: { rounds: 200, needs: "tests/browser/return.test.mjs", needsBrowser: true, run: trial("payers") },
};

function positive(name) {
  const text = process.env[name];
  if (text === undefined || text === "") return undefined;
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1) throw new Stop(`${name} must be a whole number from 1`);
  return number;
}

function chosen() {
  const names = (process.env.KINDS ?? Object.keys(KINDS).join(",")).split(",").filter((name) => name !== "");
  const unknown = names.find((name) => !(name in KINDS));
  if (unknown) throw new Stop(`no kind is called ${unknown}; there are ${Object.keys(KINDS).join(", ")}`);
  return names;
}

/** A kind that throws, or that never ends, counts as a violation: the text says what happened. */
async function runOne(name, seed) {
  const { run, rounds, seconds, needs, needsBrowser } = KINDS[name];
  if (needsBrowser && process.env.SKIP_BROWSER) return { name, counts: {}, violations: [], skipped: "SKIP_BROWSER" };
  if (needs && !existsSync(at(needs))) return { name, counts: {}, violations: [], skipped: `the lack of ${needs}` };
  const started = performance.now();
  const onNote = (text) => console.log(`  ${text}`);
  let timer;
  const limit = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not ended after ${duration(LONGEST)}`)), LONGEST);
  });
  const options = { rounds: positive("ROUNDS") ?? rounds, seconds: positive("SECONDS") ?? seconds, seed, onNote };
  const outcome = await Promise.race([run(options), limit]).catch((error) => ({ counts: {}, violations: [`${error.stack ?? error}`] }));
  clearTimeout(timer);
  return { name, counts: outcome.counts, violations: outcome.violations, seconds: Math.round((performance.now() - started) / 100) / 10 };
}

function print(kinds) {
  const rows = kinds.flatMap(({ name, counts, violations, skipped }) => [
    [name, skipped ? `skipped by ${skipped}` : "violations", skipped ? "" : String(violations.length)],
    ...Object.entries(counts).map(([what, count]) => ["", what, String(count)]),
  ]);
  const widths = [0, 1, 2].map((place) => Math.max(...rows.map((row) => row[place].length)));
  console.log("");
  for (const [name, what, count] of rows) console.log(`${name.padEnd(widths[0])}  ${what.padEnd(widths[1])}  ${count.padStart(widths[2])}`.trimEnd());
}

async function main() {
  const names = chosen();
  const seed = positive("SEED") ?? (Date.now() % 1_000_000) + 1;
  const started = performance.now();
  const kinds = [];
  for (const name of names) {
    console.log(`== ${name} (SEED=${seed})`);
    const done = await runOne(name, seed);
    kinds.push(done);
    for (const violation of done.violations.slice(0, 20)) console.error(`  violated: ${violation}`);
    console.log(`== ${name}: ${done.violations.length} violations${done.skipped ? ", skipped" : ` in ${done.seconds} s`}`);
    mkdirSync(at("target"), { recursive: true });
    writeFileSync(REPORT, `${JSON.stringify({ seed, kinds }, undefined, 2)}\n`);
  }
  print(kinds);
  console.log(`\ntook ${duration(performance.now() - started)}, figures in target/reliability.json`);
  // Connections that a trial left hanging on purpose must not keep this process alive.
  process.exit(kinds.some(({ violations }) => violations.length > 0) ? 1 : 0);
}

main().catch(die);
