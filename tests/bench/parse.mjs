/**
 * How long reading and checking one create request takes, with the first fields and with every field:
 * natively, and in wasm in V8, which workerd runs too.
 */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { execFileSync } from "node:child_process";
import { COMPILER_FLAGS, ENV, NODE_BIN, ROOT, Stop, WORKER_OPTIMISATION, run } from "../../scripts/project.mjs";
import { median } from "./load.mjs";

const WASM = "wasm32-unknown-unknown";
const BATCHES = 9;
const TIMES = 20_000;

const targetDirectory = () =>
  JSON.parse(
    execFileSync("cargo", ["metadata", "--format-version", "1", "--no-deps"], { cwd: ROOT, env: ENV, maxBuffer: 1 << 26 }),
  ).target_directory;

/** Nanoseconds natively: `{first, full}`. */
export async function timeNatively() {
  const figures = await run("cargo", ["run", "--quiet", "--release", "-p", "parse-bench"], { quiet: true });
  const [first, full] = figures.trim().split(/\s+/).map(Number);
  return { first, full };
}

/**
 * The same in wasm, compiled and optimised as the Worker is: the median of nine batches after one to warm up.
 */
export async function timeInWasm() {
  await run("cargo", ["build", "--quiet", "--release", "--target", WASM, "--lib", "-p", "parse-bench"], {
    env: { RUSTFLAGS: COMPILER_FLAGS.join(" ") },
  });
  const folder = join(targetDirectory(), "till-bench");
  mkdirSync(folder, { recursive: true });
  const optimised = join(folder, "parse.wasm");
  const compiled = join(targetDirectory(), WASM, "release", "parse_bench.wasm");
  await run(join(NODE_BIN, "wasm-opt"), [...WORKER_OPTIMISATION, compiled, "-o", optimised], { quiet: true });
  const { instance } = await WebAssembly.instantiate(readFileSync(optimised), {});
  const batch = (exported) => {
    const started = performance.now();
    if (instance.exports[exported](TIMES) !== TIMES) throw new Stop("the measured request is not accepted");
    return ((performance.now() - started) * 1e6) / TIMES;
  };
  const time = (exported) => {
    batch(exported);
    return Math.round(median(Array.from({ length: BATCHES }, () => batch(exported))));
  };
  return { first: time("run_first"), full: time("run_full") };
}
