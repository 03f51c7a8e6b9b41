/**
 * `make test`: every kind of test in order, stopping at the first step that fails. The last line adds up the
 * counts of all test runners. Arguments choose steps by name; `SKIP_BROWSER=1` leaves out those that need
 * Chromium, and says so.
 */
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { TOOLS_BIN, at, die, duration, filesUnder, findChromedriver, findChromium, run } from "./project.mjs";

const WASM = "wasm32-unknown-unknown";
const total = { passed: 0, failed: 0, skipped: 0 };

const cargo = (args, options) => run("cargo", args, options);
const node = (args, options) => run(process.execPath, args, options);

/** Adds up the closing lines of libtest and of wasm-bindgen's runner. */
function countRust(line) {
  const found = /^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored/.exec(line);
  if (found) add(found[1], found[2], found[3]);
}

/** Adds up the closing lines of node's spec reporter. */
function countNode(line) {
  const found = /^ℹ (pass|fail|cancelled|skipped|todo) (\d+)$/.exec(line);
  if (found === null) return;
  const [, word, count] = found;
  if (word === "pass") add(count, 0, 0);
  else if (word === "fail" || word === "cancelled") add(0, count, 0);
  else add(0, 0, count);
}

function add(passed, failed, skipped) {
  total.passed += Number(passed);
  total.failed += Number(failed);
  total.skipped += Number(skipped);
}

/** The node tests of one folder, one file at a time: each starts its own runtime or browser. */
async function nodeTests(folder, env = {}) {
  const files = filesUnder(at("tests", folder)).filter((file) => file.endsWith(".test.mjs"));
  if (files.length === 0) throw new Error(`tests/${folder} has no *.test.mjs`);
  await node(["--test", "--test-reporter=spec", "--test-concurrency=1", ...files], { env, onLine: countNode });
}

/**
 * The core and the simulated bank alone, with the versions of the workspace: a build of the workspace would unify features and hide
 * std.
 */
async function noStd() {
  copyFileSync(at("Cargo.lock"), at("tests", "no-std", "Cargo.lock"));
  const env = { CARGO_TARGET_DIR: at("target", "no-std") };
  await cargo(["build", "--target", WASM], { cwd: at("tests", "no-std"), env });
}

/** Warnings are faults. */
const clippy = (args) => cargo(["clippy", "--locked", ...args, "--", "-D", "warnings"]);

const browserEnv = () => ({ CHROMIUM: findChromium(), CHROMEDRIVER: findChromedriver() });

/** The steps, in order. `needs: "browser"` marks those that `SKIP_BROWSER` leaves out. */
const STEPS = {
  fmt: {
    says: "formatting",
    run: async () => {
      await cargo(["fmt", "--all", "--check"]);
      // `connectors!` declares the modules of connectors, and rustfmt looks into no macro.
      const connectors = filesUnder(at("core", "src", "gateway")).filter((file) => file.endsWith(".rs"));
      await run("rustfmt", ["--check", "--edition", "2024", ...connectors]);
    },
  },
  page: { says: "the page's module", run: () => node([at("scripts", "build.mjs"), "page"]), isPart: true },
  build: {
    says: "building the page's module, the Worker, the Worker that tests the store, one without the sandbox, and one for production",
    run: async () => {
      await node([at("scripts", "build.mjs")], { env: { TILL_PROFILE: "development" } });
      await node([at("scripts", "build.mjs"), "contract"], { env: { TILL_PROFILE: "development" } });
      await node([at("scripts", "build.mjs"), "without-sandbox"], { env: { TILL_PROFILE: "development" } });
      await node([at("scripts", "build.mjs"), "production"], { env: { TILL_PROFILE: "production" } });
    },
  },
  "clippy-host": {
    says: "clippy, host",
    run: async () => {
      await clippy(["--workspace", "--all-targets"]);
      await clippy(["-p", "edge-worker", "--no-default-features", "--all-targets"]);
      await clippy(["-p", "edge-worker", "--features", "development", "--all-targets"]);
    },
  },
  "clippy-wasm": {
    says: `clippy, ${WASM}`,
    run: async () => {
      const crates = ["checkout-core", "checkout-scan", "edge-worker", "sandbox-bank", "size-class-allocator", "checkout-web"].flatMap((name) => ["-p", name]);
      await clippy([...crates, "--target", WASM]);
      await clippy(["-p", "edge-worker", "--no-default-features", "--target", WASM]);
    },
  },
  "no-std": { says: "the core and the simulated bank without std", run: noStd },
  native: { says: "native tests", run: () => cargo(["test", "--locked", "--workspace"], { onLine: countRust }) },
  gateways: { says: "connectors against published descriptions and official libraries", run: () => nodeTests("gateways") },
  worker: { says: "the Worker on workerd", run: () => nodeTests("worker") },
  dev: { says: "make dev itself", run: () => nodeTests("dev") },
  "web-units": {
    says: "the page's module in Chromium",
    needs: "browser",
    run: () =>
      cargo(["test", "--locked", "-p", "checkout-web", "--target", WASM, "--lib", "--tests"], {
        env: {
          ...browserEnv(),
          CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER: join(TOOLS_BIN, "wasm-bindgen-test-runner"),
          WASM_BINDGEN_TEST_ONLY_WEB: "1",
        },
        onLine: countRust,
      }),
  },
  browser: { says: "whole payments in Chromium", needs: "browser", run: () => nodeTests("browser", browserEnv()) },
  docs: {
    says: "documentation",
    run: async () => {
      await cargo(["doc", "--locked", "--workspace", "--no-deps", "--quiet"], { env: { RUSTDOCFLAGS: "-D warnings" } });
      await node([at("scripts", "check-docs.mjs")]);
    },
  },
};

async function main(chosen) {
  const names = chosen.length > 0 ? chosen : Object.keys(STEPS).filter((name) => !STEPS[name].isPart);
  const unknown = names.find((name) => !(name in STEPS));
  if (unknown) throw new Error(`no step is called ${unknown}; there are ${Object.keys(STEPS).join(", ")}`);
  const started = Date.now();
  for (const [index, name] of names.entries()) {
    const { says, needs, run: work } = STEPS[name];
    console.log(`\n== ${index + 1}/${names.length} ${name}: ${says}`);
    if (needs === "browser" && process.env.SKIP_BROWSER) {
      console.log(`skipped by SKIP_BROWSER: ${says}`);
      add(0, 0, 1);
      continue;
    }
    const stepStarted = Date.now();
    const failedBefore = total.failed;
    try {
      await work();
    } catch (error) {
      console.error(error.message);
      if (total.failed === failedBefore) add(0, 1, 0);
      console.log(`== ${name} failed after ${duration(Date.now() - stepStarted)}`);
      break;
    }
    console.log(`== ${name} took ${duration(Date.now() - stepStarted)}`);
  }
  console.log(`\ntook ${duration(Date.now() - started)}`);
  console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
  process.exitCode = total.failed === 0 ? 0 : 1;
}

main(process.argv.slice(2)).catch(die);
