/**
 * Installs what is missing: `dev` (enough to build and serve), `test` (Chromium, the lints and the counterparties as well),
 * `tools` (`test` and wasm-pack). What is installed at the pinned version is not changed, so a second call
 * takes no time. After the first word come the gateways whose counterparty is needed: `stripe`, `adyen`.
 */
import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  CARGO_TOOLS, Stop, TOOLS, TOOLS_BIN, at, die, duration, findChromedriver, findChromium, findProgram, run, sha256,
} from "./project.mjs";
import { missing as missingOfReceiver } from "../clients/receivers/run.mjs";
import { install, isInstalled, missing } from "./counterparty/programs.mjs";
import { install as installClients } from "./foreign/clients.mjs";
import { install as installSchemathesis } from "./fuzz/schemathesis.mjs";
import { install as installStandardWebhooks } from "./webhooks/standardwebhooks.mjs";

const WASM = "wasm32-unknown-unknown";

/** Standard output of a program, or undefined when it is missing or fails. */
function ask(program, ...args) {
  try {
    return execFileSync(program, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return undefined;
  }
}

async function step(what, usually, work) {
  console.log(`set-up: ${what} (usually ${usually})`);
  const started = Date.now();
  await work();
  console.log(`set-up: done in ${duration(Date.now() - started)}`);
}

function checkVersions() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major < 20 || (major === 20 && minor < 3)) {
    throw new Stop(`node must be 20.3 or newer, this is ${process.versions.node}`);
  }
  const rustc = /^rustc 1\.(\d+)/.exec(ask("rustc", "--version") ?? "");
  if (!rustc || Number(rustc[1]) < 91) throw new Stop("rustc must be 1.91 or newer: rustup update stable");
}

async function rustParts(wanted) {
  const components = ["clippy", "rustfmt"].filter(
    (name) => wanted !== "dev" && ask("cargo", name === "clippy" ? "clippy" : "fmt", "--version") === undefined,
  );
  if (components.length > 0) {
    needRustup(`the components ${components.join(" and ")}`);
    await step(`adding ${components.join(" and ")}`, "seconds", () => run("rustup", ["component", "add", ...components], { quiet: true }));
  }
  const library = ask("rustc", "--print", "target-libdir", "--target", WASM);
  if (library === undefined || !existsSync(library)) {
    needRustup(`the target ${WASM}`);
    await step(`adding the target ${WASM}`, "seconds", () => run("rustup", ["target", "add", WASM], { quiet: true }));
  }
}

function needRustup(what) {
  if (!findProgram("rustup")) throw new Stop(`${what} of Rust must be installed, and rustup, which could do it, is missing`);
}

/** Tools that only run here gain little from optimisation, which takes long: one pass is enough. */
async function cargoTools(names) {
  const missing = names.filter((name) => {
    const { version } = CARGO_TOOLS[name];
    return !(ask(join(TOOLS_BIN, name), "--version") ?? "").split(/\s+/).includes(version);
  });
  if (missing.length === 0) return;
  const crates = missing.map((name) => `${CARGO_TOOLS[name].crate}@${CARGO_TOOLS[name].version}`);
  const target = join(TOOLS, "target");
  await step(`building ${crates.join(" and ")}`, "one to four minutes, once", () =>
    run("cargo", ["install", "--locked", "--root", TOOLS, ...crates], {
      env: {
        CARGO_TARGET_DIR: target,
        CARGO_PROFILE_RELEASE_OPT_LEVEL: "1",
        CARGO_PROFILE_RELEASE_LTO: "off",
        CARGO_PROFILE_RELEASE_CODEGEN_UNITS: "16",
      },
    }),
  );
  rmSync(target, { recursive: true, force: true });
}

async function packages() {
  const mark = at("node_modules", ".till-lock");
  const lock = sha256(readFileSync(at("package-lock.json")));
  if (existsSync(mark) && readFileSync(mark, "utf8") === lock) return;
  // npm would empty the folder to which a link leads, which others may use.
  if (lstatSync(at("node_modules"), { throwIfNoEntry: false })?.isSymbolicLink()) {
    throw new Stop("node_modules is a link to a folder that does not fit package-lock.json: remove the link, and call this again");
  }
  // None of the packages needs an install script.
  await step("installing the npm packages", "half a minute", () =>
    run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { quiet: true }),
  );
  writeFileSync(mark, lock);
}

async function browser() {
  if (process.env.SKIP_BROWSER) return;
  const chromium = findChromium();
  const driver = findChromedriver();
  // Tests run in half the time with it; they do without.
  const hasEngine = Boolean(process.env.CHROMIUM || findProgram("chromium-headless-shell"));
  const isArabicThere = findProgram("fc-list") === undefined || (ask("fc-list", ":lang=ar") ?? "") !== "";
  if (chromium && driver && hasEngine && isArabicThere) return;
  const wanted = ["chromium", "chromium-driver", "chromium-headless-shell", "fonts-noto-core"];
  if (!hasApt()) {
    if (chromium && driver) return;
    throw new Stop(
      "the browser tests need Chromium and chromedriver. Install them (Debian: apt-get install " +
        `${wanted.join(" ")}), or name them by CHROMIUM=/path CHROMEDRIVER=/path, or leave those tests out by SKIP_BROWSER=1`,
    );
  }
  try {
    await debianPackages("Chromium", wanted);
  } catch (error) {
    if (!chromium || !driver) throw error;
    console.log(`set-up: left out, and the tests do without: the headless shell of Chromium, or a font with Arabic letters: ${error.message}`);
  }
}

/** Whether packages of Debian can be installed. */
const hasApt = () => process.getuid?.() === 0 && findProgram("apt-get") !== undefined;

function debianPackages(what, names) {
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  return step(`installing ${what} by apt`, "one to three minutes, once", async () => {
    await run("apt-get", ["update"], { quiet: true, env });
    await run("apt-get", ["install", "-y", "--no-install-recommends", ...names], { quiet: true, env });
  });
}

/** What the receiver in Java needs to read JSON, where there is Java. */
async function jackson() {
  const absent = missingOfReceiver("java");
  if (absent.length === 0 || absent.includes("javac") || absent.includes("java")) return;
  try {
    if (!hasApt()) throw new Stop("apt-get as root could install it");
    await debianPackages("Jackson", ["libjackson2-databind-java"]);
  } catch (error) {
    console.log(`set-up: left out, and its test is skipped: the receiver in Java needs ${absent.join(" and ")}: ${error.message}`);
  }
}

/** What each counterparty is, and how long it takes to install. */
const COUNTERPARTIES = { stripe: ["localstripe by pip", "seconds"], adyen: ["Prism by npm", "seconds"] };

/** The counterparties of gateways. What is in the way of one is a reason to stop only if it was asked for by name. */
async function counterparties(names, isAskedFor) {
  for (const name of names) {
    if (isInstalled[name]()) continue;
    const reason = missing[name]();
    if (reason && isAskedFor) throw new Stop(reason);
    if (reason) console.log(`set-up: left out, and its tests are skipped: ${reason}`);
    else await step(`installing ${COUNTERPARTIES[name][0]}`, COUNTERPARTIES[name][1], install[name]);
  }
}

async function main(wanted = "dev", ...gateways) {
  if (!["dev", "test", "tools"].includes(wanted)) throw new Stop("setup takes dev, test or tools");
  const named = gateways.filter((name) => name in COUNTERPARTIES);
  checkVersions();
  await rustParts(wanted);
  await cargoTools(["wasm-bindgen", ...(wanted === "tools" ? ["wasm-pack"] : [])]);
  await packages();
  if (wanted !== "dev") {
    await browser();
    await jackson();
  }
  await counterparties(named, true);
  if (wanted === "dev") return;
  await counterparties(Object.keys(COUNTERPARTIES), false);
  for (const installTool of [installSchemathesis, installStandardWebhooks, installClients]) {
    const reason = await installTool();
    if (reason) console.log(`set-up: left out, and its test is skipped: ${reason}`);
  }
}

main(...process.argv.slice(2)).catch(die);
