/** A crate compiled as the Worker is, and how long its functions take in V8, which workerd runs too. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { execFileSync } from "node:child_process";
import { ENV, ROOT, Stop, run } from "../../scripts/project.mjs";
import { median } from "./load.mjs";

const WASM = "wasm32-unknown-unknown";
const BATCHES = 9;

const targetDirectory = () =>
  JSON.parse(
    execFileSync("cargo", ["metadata", "--format-version", "1", "--no-deps"], { cwd: ROOT, env: ENV, maxBuffer: 1 << 26 }),
  ).target_directory;

/** The functions that the module of a package exports. */
export async function exportsOf(name) {
  await run("cargo", ["build", "--quiet", "--release", "--target", WASM, "--lib", "-p", name]);
  const compiled = join(targetDirectory(), WASM, "release", `${name.replaceAll("-", "_")}.wasm`);
  const { instance } = await WebAssembly.instantiate(readFileSync(compiled), {});
  return instance.exports;
}

/** Nanoseconds that one time takes: the median of nine batches after one to warm up. `repeat` says how often it worked. */
export function timeOf(repeat, times) {
  const batch = () => {
    const started = performance.now();
    if (repeat(times) !== times) throw new Stop("what is measured does not work");
    return ((performance.now() - started) * 1e6) / times;
  };
  batch();
  return Math.round(median(Array.from({ length: BATCHES }, batch)));
}
