/** `make size`: what is sent over the network, gzip at level 9, against the limits, and lines of source. KB is 1,000 bytes. */
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { printLines } from "./lines.mjs";
import { ELEMENT, MANIFEST, SDK_MODULE, at, die, run, workerFiles } from "./project.mjs";
import { start } from "../tests/worker/harness.mjs";
import { MOST, MOST_OF_ELEMENT, MOST_OF_MODULE, MOST_WITH_CARDS, weigh } from "../tests/worker/weight.mjs";

const KB = 1000;
const BUILD = "build-production";
/** The platform accepts a Worker of 3 MB; some of it is left for what is to come. */
const LIMITS = { worker: 2_600 * KB, module: 68 * KB, element: MOST_OF_ELEMENT, sdk: MOST_OF_MODULE };

const measure = (name, bytes, limit) => ({ name, raw: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length, limit });

/** One line for several files, which are sent separately. */
const sum = (name, parts, limit) => ({
  name,
  raw: parts.reduce((all, { raw }) => all + raw, 0),
  gzip: parts.reduce((all, { gzip }) => all + gzip, 0),
  limit,
});

/** Builds the Worker and measures it. */
async function worker(name, sandbox) {
  await run(process.execPath, [at("scripts", "build.mjs")], { env: { TILL_PROFILE: "production", TILL_SANDBOX: sandbox } });
  const { script, wasm } = workerFiles(BUILD);
  const parts = [measure("  index.js", readFileSync(script)), measure("  index_bg.wasm", readFileSync(wasm))];
  return [sum(name, parts, LIMITS.worker), ...parts];
}

function pageModule() {
  const { script, wasm } = JSON.parse(readFileSync(MANIFEST, "utf8"));
  const parts = [
    measure("  script", readFileSync(at("www", script.path))),
    measure("  wasm", readFileSync(at("www", wasm.path))),
  ];
  return [sum("page script + wasm", parts, LIMITS.module), ...parts];
}

/** What the page of a shop fetches to show the element: its script, and the words of a language, of which the heavier counts. */
function element() {
  const [script, ...words] = Object.keys(ELEMENT).map((name) => measure(`  ${name}`, readFileSync(at("www", "sdk", "v1", name))));
  const most = words.reduce((most, each) => (each.gzip > most.gzip ? each : most));
  return [sum("element <till-checkout>", [script, most], LIMITS.element), script, most];
}

/** What the page of a shop fetches to use `till-checkout/wasm`. */
function sdkModule() {
  const files = readdirSync(SDK_MODULE).filter((file) => !file.endsWith(".d.ts"));
  return sum("module of the package", files.map((file) => measure(file, readFileSync(join(SDK_MODULE, file)))), LIMITS.sdk);
}

const PUBLIC = "https://pay.example.com";

function print(rows) {
  const number = (value) => value.toLocaleString("en").padStart(9);
  console.log(`${"".padEnd(24)}${"raw".padStart(9)} ${"gzip".padStart(9)} ${"limit".padStart(9)}`);
  for (const { name, raw, gzip, limit } of rows) {
    const verdict = limit === undefined ? "" : ` ${number(limit)}  ${gzip > limit ? "OVER" : "ok"}`;
    console.log(`${name.padEnd(24)}${number(raw)} ${number(gzip)}${verdict}`);
  }
}

async function main() {
  const workers = [...(await worker("Worker without sandbox", "off")), ...(await worker("Worker", "on"))];
  // A production build accepts only https for its own origin; the requests still go to the local port.
  const till = await start({ build: BUILD, bindings: { PUBLIC_URL: PUBLIC } });
  try {
    // The heaviest comes first.
    const weighed = await weigh(till);
    const pages = [MOST, MOST_WITH_CARDS].map((most) => weighed.find(({ limit }) => limit === most));
    const rows = [...workers, ...pages.map((page) => ({ ...page, name: `page HTML + CSS (${page.name})` })), ...pageModule(), ...element(), sdkModule()];
    print(rows);
    printLines();
    if (rows.some(({ gzip, limit }) => limit !== undefined && gzip > limit)) process.exitCode = 1;
  } finally {
    await till.stop();
  }
}

main().catch(die);
