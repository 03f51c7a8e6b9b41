/**
 * The steps of `make test`. What has no lane is done first and by itself; then the lanes are done side by side, each step after the
 * one before it in its lane. The lane of cargo gives way to the one of node, whose tests wait for answers.
 */
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { TOOLS_BIN, at, filesUnder, findChromedriver, findChromium, findHeadlessShell } from "../project.mjs";

const WASM = "wasm32-unknown-unknown";

/**
 * The files that measure how long something takes: one at a time, and before the others, while the lane of cargo has what
 * they leave.
 */
const TIMED = [
  "worker/backlog", "worker/desk-enumeration", "worker/hanging", "worker/news", "worker/patience", "worker/queue", "worker/reliability", "browser/return",
].map((name) => at("tests", `${name}.test.mjs`));

/** The file that compiles: in the lane of cargo, which has one lock for each folder of what is compiled. */
const COMPILING = at("tests", "dev", "gateway.test.mjs");

/** The files that run what the documents say. */
const COMMANDS = ["commands", "shops"].map((name) => at("tests", "dev", `${name}.test.mjs`));

const testFiles = (folder) => {
  const files = filesUnder(at("tests", folder)).filter((file) => file.endsWith(".test.mjs") && !TIMED.includes(file));
  if (files.length === 0) throw new Error(`tests/${folder} has no *.test.mjs`);
  return files;
};

const timedFiles = () => TIMED.filter((file) => !file.includes("/browser/") || (findChromium() && !process.env.SKIP_BROWSER));

/** The files that need the browser as payers have it: with its wallets, and with its pages of errors. The others use its engine. */
const WHOLE_BROWSER = ["gateways", "payment", "wallets"].map((name) => at("tests", "browser", `${name}.test.mjs`));

const engine = () => ({ CHROMIUM: findHeadlessShell() });
const browser = () => ({ CHROMIUM: findChromium(), CHROMEDRIVER: findChromedriver() });

/** Warnings are faults. */
const clippy = (job, args) => job.cargo(["clippy", "--locked", ...args, "--", "-D", "warnings"]);

const build = (job, word, profile = "development") =>
  job.node([at("scripts", "build.mjs"), ...(word ? [word] : [])], { env: { TILL_PROFILE: profile } });

/** The crates that are compiled into modules. */
const MODULES = ["checkout-core", "edge-worker", "sandbox-bank", "checkout-web"].flatMap((name) => ["-p", name]);

/**
 * Each step: `says` what it is; its `lane`; `after`, the steps without whose success it cannot be done; `needs: "browser"` marks
 * those that `SKIP_BROWSER` leaves out; `isPart` those that only a name chooses. `run` gets the job, which runs programs and counts;
 * so does `again`, which runs what failed when no other step keeps the machine busy.
 */
export const STEPS = {
  fmt: {
    says: "formatting",
    run: async (job) => {
      await job.cargo(["fmt", "--all", "--check"]);
      // `connectors!` declares the modules of connectors, and rustfmt looks into no macro.
      const connectors = filesUnder(at("core", "src", "gateway")).filter((file) => file.endsWith(".rs"));
      await job.run("rustfmt", ["--check", "--edition", "2024", ...connectors]);
    },
  },
  page: { says: "the modules of browsers", run: (job) => build(job, "page"), isPart: true },
  build: { says: "the modules of browsers and the Worker for development", run: (job) => build(job) },
  builds: {
    says: "the Worker that tests the store, the one without the sandbox, and the one that is deployed",
    lane: "cargo",
    run: async (job) => {
      await build(job, "contract");
      await build(job, "without-sandbox");
      await build(job, undefined, "production");
    },
  },
  native: { says: "native tests", lane: "cargo", run: (job) => job.cargo(["test", "--locked", "--workspace", "--no-fail-fast"]) },
  "clippy-host": {
    says: "clippy with every feature, and the Worker without any, host",
    lane: "cargo",
    run: async (job) => {
      await clippy(job, ["--workspace", "--all-targets", "--features", "edge-worker/development,edge-worker/contract"]);
      await clippy(job, ["-p", "edge-worker", "--no-default-features", "--all-targets"]);
    },
  },
  "clippy-wasm": {
    says: `clippy with every feature, and the modules of browsers with one each, ${WASM}`,
    lane: "cargo",
    run: async (job) => {
      await clippy(job, [...MODULES, "--features", "edge-worker/development,edge-worker/contract", "--target", WASM]);
      for (const feature of ["page", "sdk"]) await clippy(job, ["-p", "checkout-web", "--no-default-features", "--features", feature, "--target", WASM]);
    },
  },
  /** A build of the workspace would unify features and hide std. The versions are those of the workspace. */
  "no-std": {
    says: "the core and the simulated bank without std",
    lane: "cargo",
    run: async (job) => {
      copyFileSync(at("Cargo.lock"), at("tests", "no-std", "Cargo.lock"));
      await job.cargo(["build", "--target", WASM], { cwd: at("tests", "no-std"), env: { CARGO_TARGET_DIR: at("target", "no-std") } });
    },
  },
  "web-units": {
    says: "the modules of browsers in Chromium",
    lane: "cargo",
    needs: "browser",
    run: (job) =>
      job.cargo(["test", "--locked", "-p", "checkout-web", "--target", WASM, "--lib", "--tests"], {
        env: {
          ...browser(),
          CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER: join(TOOLS_BIN, "wasm-bindgen-test-runner"),
          WASM_BINDGEN_TEST_ONLY_WEB: "1",
        },
      }),
  },
  "new-gateway": { says: "make gateway and its guide", lane: "cargo", run: (job) => job.files([COMPILING]) },
  docs: {
    says: "documentation",
    lane: "cargo",
    run: async (job) => {
      await job.cargo(["doc", "--locked", "--workspace", "--no-deps", "--quiet"], { env: { RUSTDOCFLAGS: "-D warnings" } });
      await job.node([at("scripts", "check-docs.mjs")]);
    },
  },
  gateways: {
    says: "connectors against published descriptions and official libraries",
    lane: "node",
    run: (job) => job.files(testFiles("gateways")),
  },
  timed: {
    says: "what measures time, one file at a time",
    lane: "node",
    after: ["build"],
    run: (job) => job.files(timedFiles(), { atOnce: 1, env: engine() }),
    again: (job) => job.again({ atOnce: 1 }),
  },
  browser: {
    says: "whole payments in Chromium",
    lane: "node",
    needs: "browser",
    after: ["build"],
    run: async (job) => {
      const files = testFiles("browser");
      await job.files(files.filter((file) => !WHOLE_BROWSER.includes(file)), { env: engine() });
      await job.files(WHOLE_BROWSER, { env: browser() });
    },
    again: (job) => job.again({ atOnce: 1 }),
  },
  worker: {
    says: "the Worker on workerd",
    lane: "node",
    after: ["build", "builds"],
    run: (job) => job.files(testFiles("worker")),
    again: (job) => job.again({ atOnce: 1 }),
  },
  wild: {
    says: "requests as clients out there write them",
    lane: "node",
    after: ["build"],
    run: (job) => job.files(testFiles("wild")),
  },
  dev: {
    says: "make dev itself",
    lane: "node",
    after: ["build"],
    run: (job) => job.files(testFiles("dev").filter((file) => file !== COMPILING && !COMMANDS.includes(file))),
  },
  commands: {
    says: "every block of commands of the documents, in a clean clone",
    lane: "node",
    after: ["build"],
    run: (job) => job.files(COMMANDS),
  },
  smoke: {
    says: "the Worker for development, and one file on it",
    lane: "node",
    run: async (job) => {
      await build(job);
      await job.files([at("tests", "worker", "payment.test.mjs")]);
    },
    isPart: true,
  },
};
