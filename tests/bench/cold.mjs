/**
 * A cold start: how long the Worker's module takes to compile and to become an instance, each time in a new process because
 * the engine remembers modules; and how long a fresh workerd takes to its first answer, next to one with the plain Worker.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { workerFiles } from "../../scripts/project.mjs";
import { median } from "./load.mjs";
import { serve } from "./workers.mjs";

const TIMES = Number(process.env.STARTS) || 15;

/** Milliseconds to compile a module and to make an instance of it. What it imports does nothing. */
function compileAndInstantiate(path) {
  const bytes = readFileSync(path);
  const began = performance.now();
  const module = new WebAssembly.Module(bytes);
  const compiled = performance.now();
  const imports = {};
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    imports[from] ??= {};
    imports[from][name] = kind === "tag" ? new WebAssembly.Tag({ parameters: ["externref"] }) : () => undefined;
  }
  const prepared = performance.now();
  new WebAssembly.Instance(module, imports);
  return { compile: compiled - began, instantiate: performance.now() - prepared };
}

/** Milliseconds from nothing to the first answer. It may be that tables are missing: the Worker ran. */
async function untilFirstAnswer(name) {
  const began = performance.now();
  const { miniflare, url } = await serve(name, { health: { steps: [], answer: { checkout_url: "" } } });
  try {
    const response = await fetch(`${url}/healthz`, { headers: { "x-kind": "health" } });
    await response.text();
    return performance.now() - began;
  } finally {
    await miniflare.dispose();
  }
}

/** The figures of cold starts in milliseconds: `[[what, all times], …]`. */
export async function timeColdStarts() {
  const { wasm } = workerFiles("build-bench");
  const modules = Array.from({ length: TIMES }, () =>
    JSON.parse(execFileSync(process.execPath, [fileURLToPath(import.meta.url), wasm], { encoding: "utf8" })));
  const answers = { till: [], baseline: [] };
  for (let turn = 0; turn < TIMES; turn += 1) {
    for (const name of Object.keys(answers)) answers[name].push(await untilFirstAnswer(name));
  }
  return [
    ["compile the module", modules.map(({ compile }) => compile)],
    ["make an instance", modules.map(({ instantiate }) => instantiate)],
    ["first answer of a fresh workerd, Till", answers.till],
    ["first answer of a fresh workerd, baseline", answers.baseline],
    ["of those, Till more than the baseline", answers.till.map((value, turn) => value - answers.baseline[turn])],
  ].map(([what, times]) => ({ what, median: median(times), least: Math.min(...times), most: Math.max(...times) }));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(JSON.stringify(compileAndInstantiate(process.argv[2])));
}
