/**
 * Builds the modules of browsers and the Worker. wrangler calls it (`[build]` in wrangler.toml), and so do the make
 * targets.
 *
 * It decides whether anything has to be built at all. Each half has a stamp of its inputs and outputs and is
 * skipped while both are unchanged. `TILL_PROFILE` is `development` or `production`; without it `wrangler
 * deploy` makes a production build and everything else one for development. Only the latter has the Cargo
 * feature `development`. `TILL_SANDBOX=off` leaves the sandbox out, `TILL_CONNECTORS=knet,stripe` every other connector of
 * a real gateway.
 *
 * | build | folder | optimised | who uses it |
 * |---|---|---|---|
 * | development | `build` | no | `make dev`, most tests |
 * | production | `build-production`; `build` as well if wrangler asks for it | yes | deployments, `make size`, the tests of what is deployed |
 * | `bench` | `build-bench` | yes | measurements: as production, with the feature `development` |
 * | `contract` | `build-contract` | no | tests: runs the store's contract |
 * | `without-sandbox` | `build-without-sandbox` | no | tests: neither sandbox nor connectors |
 *
 * An argument names one of the last three, or `page` for the modules of browsers alone, which is what compiling the Worker's crate
 * natively needs.
 */
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { execFileSync } from "node:child_process";
import {
  ELEMENT, ENV, MANIFEST, NODE_BIN, ROOT, SDK_MODULE, Stop, TOOLS, TOOLS_BIN, WASM_FEATURES, at, die, duration,
  filesUnder, fingerprint, run, sha256, workerFiles,
} from "./project.mjs";
import { bundleCheckout, bundleDesk, bundleFirst, bundlePage, bundleSdk, bundleWorker } from "./bundle.mjs";
import { writeInventory } from "./inventory.mjs";
import { writeReference } from "./reference.mjs";
import { shortenImports } from "./imports.mjs";

const WASM = "wasm32-unknown-unknown";
const PKG = at("www", "pkg");
const STAMPS = join(TOOLS, "stamps");
const LOCK = join(TOOLS, "build.lock");
const WASM_OPT = join(NODE_BIN, "wasm-opt");

/** `development` or `production`. */
function profile() {
  const { TILL_PROFILE, WRANGLER_COMMAND } = process.env;
  const named = TILL_PROFILE || (["deploy", "versions upload"].includes(WRANGLER_COMMAND) ? "production" : "development");
  if (named !== "development" && named !== "production") {
    throw new Stop("TILL_PROFILE must be development or production");
  }
  return named;
}

/** Whether the sandbox is a part of the Worker: `on`, which is usual, or `off`. */
function hasSandbox() {
  const word = process.env.TILL_SANDBOX || "on";
  if (word !== "on" && word !== "off") throw new Stop("TILL_SANDBOX must be on or off");
  return word === "on";
}

/** The connectors that a build can leave out: those that are a feature of the Worker. */
const CONNECTORS = [...readFileSync(at("edge-worker", "Cargo.toml"), "utf8").matchAll(/^(\w+) = \["checkout-core\/\1"\]$/gm)].map(([, name]) => name);

/** The connectors of real gateways that are a part of the Worker: all of them, or those of a list. */
function connectors() {
  const named = process.env.TILL_CONNECTORS;
  if (named === undefined || named === "all") return CONNECTORS;
  const words = named.split(",").map((word) => word.trim()).filter((word) => word !== "");
  const unknown = words.find((word) => !CONNECTORS.includes(word));
  if (unknown !== undefined) throw new Stop(`TILL_CONNECTORS must be all, or some of ${CONNECTORS.join(",")}, not ${unknown}`);
  return words;
}

/** The arguments that name features to cargo. The desk is always a part of it; the sandbox and all connectors are the default ones. */
function featureFlags(features, withSandbox = true, withConnectors = CONNECTORS) {
  const named = [...features, "desk", ...(withSandbox ? ["sandbox"] : []), ...withConnectors];
  return ["--no-default-features", ...named.flatMap((feature) => ["--features", feature])];
}

/** Builds one half unless its stamp says that inputs and outputs are unchanged. */
async function unlessUnchanged(name, { inputs, words, outputs, build }) {
  const path = join(STAMPS, `${name}.json`);
  const before = fingerprint(inputs(), words);
  const stamp = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
  const present = outputs();
  if (stamp.inputs === before && present.every(existsSync) && stamp.outputs === fingerprint(present)) {
    console.log(`${name}: unchanged`);
    return;
  }
  rmSync(path, { force: true });
  const started = Date.now();
  console.log(`${name}: building (a minute or two the first time, seconds after a small change)`);
  await build();
  // The fingerprint from before the build: so the next call sees an edit that is made meanwhile.
  writeFileSync(path, JSON.stringify({ inputs: before, outputs: fingerprint(outputs()) }));
  console.log(`${name}: built in ${duration(Date.now() - started)}`);
}

const shared = () => [
  ...filesUnder(at("core", "src")),
  ...[
    "Cargo.toml", "Cargo.lock", "package-lock.json", "core/Cargo.toml", "scripts/build.mjs", "scripts/bundle.mjs",
    "scripts/imports.mjs", "scripts/inventory.mjs", "scripts/project.mjs",
  ].map((file) => at(file)),
];

const workerInputs = () => [
  ...shared(),
  ...filesUnder(at("edge-worker"), Object.values(WORKERS).map(({ folder }) => folder)),
  ...filesUnder(at("www"), ["docs", "openapi.json", "sdk"]),
];

/** Builds the crate of a browser with one of its features, in as few bytes as it can be; answers the paths of the module and its glue. */
async function browserModule(feature, flags) {
  const env = { ...compilerFlags(), ...SMALL };
  await run("cargo", ["build", "--quiet", "--release", "--target", WASM, "-p", "checkout-web", "--no-default-features", "--features", feature], { env });
  const staging = join(targetDirectory(), `till-${feature}`);
  rmSync(staging, { recursive: true, force: true });
  mkdirSync(staging, { recursive: true });
  await run(join(TOOLS_BIN, "wasm-bindgen"), [
    "--target", "web", "--remove-producers-section", ...flags, "--out-dir", staging,
    join(targetDirectory(), WASM, "release", "checkout_web.wasm"),
  ]);
  const wasm = join(staging, "optimised.wasm");
  await run(WASM_OPT, [
    "-Oz", "--low-memory-unused", "--one-caller-inline-max-function-size", "15", "--converge", ...WASM_FEATURES,
    "--strip-debug", "--strip-producers", "--strip-target-features", join(staging, "checkout_web_bg.wasm"), "-o", wasm,
  ]);
  const glue = join(staging, "checkout_web.js");
  shortenImports(wasm, glue);
  return { wasm, glue };
}

async function buildPageModule() {
  const { wasm, glue } = await browserModule("page", ["--no-typescript"]);
  const script = await bundlePage(glue);
  const first = await bundleFirst();
  const desk = await bundleDesk();

  rmSync(PKG, { recursive: true, force: true });
  mkdirSync(PKG, { recursive: true });
  writeFileSync(
    MANIFEST,
    `${JSON.stringify({ script: place(script, "js"), wasm: place(readFileSync(wasm), "wasm"), first: place(first, "txt"), desk: place(desk, "js") }, undefined, 2)}\n`,
  );
}

/**
 * The module for the pages of shops, with its types: what the package has as `till-checkout/wasm`. Only the name of its first file
 * stays; the others change with their bytes.
 */
async function buildSdkModule() {
  const { wasm, glue } = await browserModule("sdk", []);
  const bytes = readFileSync(wasm);
  const name = `till-${sha256(bytes).slice(0, 8)}.wasm`;
  const scripts = await bundleSdk(glue, name);

  rmSync(SDK_MODULE, { recursive: true, force: true });
  mkdirSync(SDK_MODULE, { recursive: true });
  for (const [file, text] of Object.entries(scripts)) writeFileSync(join(SDK_MODULE, file), text);
  writeFileSync(join(SDK_MODULE, name), bytes);
  // Compilers know `Symbol.dispose` only with newer libraries than the package asks for.
  const types = readFileSync(glue.replace(/js$/, "d.ts"), "utf8").replaceAll(/^ *\[Symbol\.dispose\].*\n/gm, "");
  writeFileSync(join(SDK_MODULE, "module.d.ts"), types);
  copyFileSync(at("clients", "checkout", "src", "wasm", "index.d.ts"), join(SDK_MODULE, "index.d.ts"));
}

/**
 * The element for pages of merchants, its words and the script of the demo shop, at addresses that stay. It takes a moment, so they are written
 * each time.
 */
async function writeElement() {
  mkdirSync(at("www", "sdk", "v1"), { recursive: true });
  const element = Object.entries(ELEMENT).map(([name, { source }]) => [name, at("clients", "checkout", "src", source)]);
  for (const [name, source] of [...element, ["demo-shop.js", at("edge-worker", "src", "demo", "shop.js")]]) {
    const bytes = await bundleCheckout(source);
    const path = at("www", "sdk", "v1", name);
    if (!existsSync(path) || !readFileSync(path).equals(bytes)) writeFileSync(path, bytes);
  }
}

/** Writes one asset under a name that changes with its bytes; answers its path and its integrity. */
function place(bytes, ending) {
  const name = `till-${sha256(bytes).slice(0, 8)}.${ending}`;
  writeFileSync(join(PKG, name), bytes);
  return { path: `/pkg/${name}`, integrity: `sha256-${sha256(bytes, "base64")}` };
}

/** The page's module is sent to phones: its bytes count more than its speed. */
const SMALL = { CARGO_PROFILE_RELEASE_OPT_LEVEL: "z" };

/**
 * Compiled sooner; the module is twice as large, and slower. These change the release profile, and are no
 * profile of their own, because cargo would then compile every macro and build script again.
 */
const QUICKLY = {
  CARGO_PROFILE_RELEASE_CODEGEN_UNITS: "16",
  CARGO_PROFILE_RELEASE_INCREMENTAL: "true",
  CARGO_PROFILE_RELEASE_LTO: "off",
  CARGO_PROFILE_RELEASE_OPT_LEVEL: "1",
};

/** Builds a Worker into its folder. */
async function buildWorker({ folder, features, isOptimised }) {
  const args = ["build", "--quiet", "--release", "--target", WASM, "-p", "edge-worker", ...features];
  await run("cargo", args, { env: { ...compilerFlags(), ...(isOptimised ? {} : QUICKLY) } });
  const staging = join(targetDirectory(), "till-worker", folder);
  rmSync(staging, { recursive: true, force: true });
  mkdirSync(staging, { recursive: true });
  await run(join(TOOLS_BIN, "wasm-bindgen"), [
    "--target", "module", "--no-typescript", "--omit-default-module-path", "--experimental-reset-state-function",
    ...(isOptimised ? ["--remove-name-section", "--remove-producers-section"] : []), "--out-name", "index", "--out-dir", staging, join(targetDirectory(), WASM, "release", "edge_worker.wasm"),
  ]);
  const { script, wasm } = workerFiles(folder);
  rmSync(dirname(script), { recursive: true, force: true });
  mkdirSync(dirname(script), { recursive: true });
  await bundleWorker(join(staging, "index.js"), script);
  copyFileSync(join(staging, "index_bg.wasm"), wasm);
}

/** Flags that remove the folder names of this machine from the messages in modules. */
function compilerFlags() {
  const home = process.env.CARGO_HOME || join(homedir(), ".cargo");
  const flags = [process.env.RUSTFLAGS, `--remap-path-prefix=${home}=cargo`, `--remap-path-prefix=${ROOT}=till`];
  return { RUSTFLAGS: flags.filter(Boolean).join(" ") };
}

let target;
/** cargo's target folder; `CARGO_TARGET_DIR` and cargo's own configuration may move it. */
function targetDirectory() {
  target ??= JSON.parse(
    execFileSync("cargo", ["metadata", "--format-version", "1", "--no-deps"], { cwd: ROOT, env: ENV, maxBuffer: 1 << 26 }),
  ).target_directory;
  return target;
}

/** One build at a time: a second one waits for the first and then finds nothing to do. */
async function locked(work) {
  mkdirSync(STAMPS, { recursive: true });
  for (let tries = 1; !takeLock(); tries += 1) {
    if (tries === 2) console.log("waiting for another build to end");
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const free = () => rmSync(LOCK, { force: true });
  const leave = (code) => { free(); process.exit(code); };
  process.once("SIGINT", () => leave(130));
  process.once("SIGTERM", () => leave(143));
  try {
    await work();
  } finally {
    free();
  }
}

function takeLock() {
  try {
    writeFileSync(LOCK, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
  try {
    const owner = Number(readFileSync(LOCK, "utf8"));
    const justMade = Date.now() - statSync(LOCK).mtimeMs < 1000;
    if (owner > 0) process.kill(owner, 0);
    else if (!justMade) rmSync(LOCK, { force: true });
  } catch (error) {
    // Its owner ended without removing it.
    if (error.code === "ESRCH") rmSync(LOCK, { force: true });
  }
  return false;
}

/** Every Worker, by the word that builds it. */
const WORKERS = {
  development: { folder: "build", features: () => chosenFeatures(["development"]) },
  production: { folder: "build-production", features: () => chosenFeatures([]), isOptimised: true },
  bench: { folder: "build-bench", features: () => featureFlags(["development"]), isOptimised: true },
  contract: { folder: "build-contract", features: () => featureFlags(["development", "contract"]) },
  "without-sandbox": { folder: "build-without-sandbox", features: () => featureFlags(["development"], false, []) },
};

const chosenFeatures = (features) => featureFlags(features, hasSandbox(), connectors());

async function main(word = profile()) {
  if (word !== "page" && !(word in WORKERS)) throw new Stop(`there is nothing to build that is called ${word}`);
  // A word that means nothing is said before anything is built.
  const worker = word === "page" ? undefined : { ...WORKERS[word], features: WORKERS[word].features() };
  const compiler = execFileSync("rustc", ["--version"], { encoding: "utf8" }).trim();
  for (const tool of [WASM_OPT, join(NODE_BIN, "esbuild"), join(TOOLS_BIN, "wasm-bindgen")]) {
    if (!existsSync(tool)) throw new Stop(`${basename(tool)} is not installed: call make setup once`);
  }
  chmodSync(WASM_OPT, 0o755);
  await locked(async () => {
    await buildPages(compiler, worker === undefined);
    if (worker === undefined) return;
    await unlessUnchanged(`worker (${word})`, {
      inputs: workerInputs,
      words: [compiler, ...worker.features],
      outputs: () => Object.values(workerFiles(worker.folder)),
      build: () => buildWorker(worker),
    });
    if (word === "production" && process.env.WRANGLER_COMMAND) deployable();
  });
}

/** Puts the production build where wrangler deploys from. */
function deployable() {
  const [built, deployed] = [workerFiles(WORKERS.production.folder), workerFiles(WORKERS.development.folder)];
  mkdirSync(dirname(deployed.script), { recursive: true });
  for (const kind of Object.keys(built)) copyFileSync(built[kind], deployed[kind]);
}

/** What the Worker serves as files; `isModuleOnly`: the modules of browsers and what belongs to them. */
async function buildPages(compiler, isModuleOnly) {
  await unlessUnchanged("page module", {
    inputs: () => [
      ...shared(), ...filesUnder(at("checkout-web", "src")), at("checkout-web", "Cargo.toml"), at("www", "boot.js"),
      ...["wallet.js", "first.js", "desk.js"].map((file) => at("www", file)),
    ],
    words: [compiler],
    outputs: () => filesUnder(PKG),
    build: buildPageModule,
  });
  await unlessUnchanged("sdk module", {
    inputs: () => [
      ...shared(), ...filesUnder(at("checkout-web", "src")), at("checkout-web", "Cargo.toml"),
      ...filesUnder(at("clients", "checkout", "src", "wasm")),
    ],
    words: [compiler],
    outputs: () => filesUnder(SDK_MODULE),
    build: buildSdkModule,
  });
  await writeElement();
  writeInventory();
  if (isModuleOnly) return;
  await unlessUnchanged("reference", {
    inputs: () => [
      at("www", "openapi.json"), at("README.md"), at("scripts", "reference.mjs"), at("scripts", "docs", "blocks.mjs"),
      ...filesUnder(at("scripts", "reference")),
    ],
    words: [],
    outputs: () => ["index.html", "start.html"].map((name) => at("www", "docs", name)),
    build: writeReference,
  });
}

main(process.argv[2]).catch(die);
