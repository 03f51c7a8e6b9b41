/** Where things are in this project, and how a script here runs another program. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { delimiter, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");

/** An absolute path inside the project. */
export const at = (...parts) => join(ROOT, ...parts);

export const TOOLS = at(".tools");
export const TOOLS_BIN = join(TOOLS, "bin");
export const NODE_BIN = at("node_modules", ".bin");
/** The files of a built Worker, by its folder in edge-worker. */
export const workerFiles = (folder = "build") =>
  ({ script: at("edge-worker", folder, "index.js"), wasm: at("edge-worker", folder, "index_bg.wasm") });
export const MANIFEST = at("www", "pkg", "manifest.json");
/** The files of the element for the pages of shops: under which name each is served, from which source of the package, and why. */
export const ELEMENT = {
  "till-checkout.js": { source: "element.js", purpose: "The element <till-checkout>" },
  "en.js": { source: "en.js", purpose: "The words in English of the element <till-checkout>" },
  "ar.js": { source: "ar.js", purpose: "The words in Arabic of the element <till-checkout>" },
};
/** The module for the pages of shops. */
export const SDK_MODULE = at("www", "sdk", "v1", "wasm");

/**
 * What rustc may emit for the target; wasm-opt needs these flags, because a release build no longer states
 * them everywhere.
 */
export const WASM_FEATURES = [
  "--enable-bulk-memory", "--enable-exception-handling", "--enable-mutable-globals", "--enable-multivalue",
  "--enable-nontrapping-float-to-int", "--enable-reference-types", "--enable-sign-ext",
];

/**
 * The pinned command line tools that cargo installs. `wasm-bindgen` equals the library in Cargo.toml.
 */
export const CARGO_TOOLS = {
  "wasm-bindgen": { crate: "wasm-bindgen-cli", version: "0.2.129" },
  "wasm-pack": { crate: "wasm-pack", version: "0.15.1" },
};

export const CHROMIUM_ARGS = [
  "--headless=new",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-dev-shm-usage",
];

/** The environment of every program that is started here: wrangler neither asks nor reports. */
export const ENV = {
  ...process.env,
  CI: "true",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  NO_UPDATE_NOTIFIER: "1",
  WRANGLER_HIDE_BANNER: "true",
  WRANGLER_SEND_METRICS: "false",
};

/** An error whose message is enough for a reader: no stack is printed. */
export class Stop extends Error {}

/** Ends the script; a `Stop` is printed in one line, anything else with its stack. */
export function die(error) {
  console.error(error instanceof Stop ? error.message : error);
  process.exit(1);
}

/** The programs that `run` has started: a script that is asked to end also ends them. */
export const running = new Set();

/**
 * Runs a program to its end; `quiet` hides its output unless it fails. Throws `Stop` when it cannot start or ends with another
 * code than 0.
 */
export function run(program, args = [], { cwd = ROOT, env = {}, quiet = false } = {}) {
  return new Promise((resolve, reject) => {
    const output = quiet ? "pipe" : "inherit";
    const child = spawn(program, args, { cwd, env: { ...ENV, ...env }, stdio: ["ignore", output, output] });
    running.add(child);
    const collected = [];
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8").on("data", (text) => collected.push(text));
    child.on("error", (error) => reject(new Stop(`${program} did not start: ${error.message}`)));
    child.on("close", (code, signal) => {
      running.delete(child);
      if (code === 0) return resolve(collected.join(""));
      process.stderr.write(collected.join(""));
      return reject(new Stop(howItEnded(program, args, signal ?? code)));
    });
  });
}

export const howItEnded = (program, args, how) => `${relative(ROOT, program) || program} ${args[0] ?? ""} ended with ${how}`;

/** The first of `names` on the search path, or undefined. */
export function findProgram(...names) {
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    for (const name of names) {
      const path = join(folder, name);
      if (folder !== "" && existsSync(path)) return path;
    }
  }
  return undefined;
}

/** Chromium and its driver: `CHROMIUM` and `CHROMEDRIVER` are used before the search path. */
export const findChromium = () =>
  process.env.CHROMIUM || findProgram("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");
/**
 * Chromium without its windows, if it is installed: the same engine at half the work, for tests that do not need more.
 * A `CHROMIUM` that is named is used for everything.
 */
export const findHeadlessShell = () => process.env.CHROMIUM || findProgram("chromium-headless-shell") || findChromium();
/** Firefox: `FIREFOX` is used before the search path. Its tests are left out where there is none. */
export const findFirefox = () => process.env.FIREFOX || findProgram("firefox-esr", "firefox");
export const findChromedriver = () => process.env.CHROMEDRIVER || findProgram("chromedriver");

export const sha256 = (bytes, encoding = "hex") => createHash("sha256").update(bytes).digest(encoding);

/** Every file under `path` (a file or a folder), sorted, without the files and folders named in `without`. */
export function filesUnder(path, without = []) {
  const kind = statSync(path, { throwIfNoEntry: false });
  if (kind === undefined) return [];
  if (!kind.isDirectory()) return [path];
  const names = readdirSync(path).filter((name) => !without.includes(name));
  return names.sort().flatMap((name) => filesUnder(join(path, name), without));
}

/** One hash over names and contents of `paths` and over the given words. */
export function fingerprint(paths, words = []) {
  const hash = createHash("sha256");
  for (const word of words) hash.update(`${word}\0`);
  for (const path of paths) hash.update(`${relative(ROOT, path)}\0`).update(readFileSync(path)).update("\0");
  return hash.digest("hex");
}

/** "7 s", "2 min 5 s". */
export function duration(milliseconds) {
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
