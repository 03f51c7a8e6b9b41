/**
 * How long reading and checking one create request takes, with the first fields and with every field:
 * natively, and in wasm.
 */
import { run } from "../../scripts/project.mjs";
import { exportsOf, timeOf } from "./wasm.mjs";

const TIMES = 20_000;

/** Nanoseconds natively: `{first, full}`. */
export async function timeNatively() {
  const figures = await run("cargo", ["run", "--quiet", "--release", "-p", "parse-bench"], { quiet: true });
  const [first, full] = figures.trim().split(/\s+/).map(Number);
  return { first, full };
}

/** The same in wasm. */
export async function timeInWasm() {
  const { run_first, run_full } = await exportsOf("parse-bench");
  return { first: timeOf(run_first, TIMES), full: timeOf(run_full, TIMES) };
}
