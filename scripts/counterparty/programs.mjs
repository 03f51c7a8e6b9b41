/**
 * The counterparties that other people wrote, as separate processes on loopback: localstripe instead of Stripe, and Prism
 * over Adyen's own description instead of Adyen. This file installs them into `.tools` and starts them.
 */
import { spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ENV, ROOT, Stop, TOOLS, at, findProgram, run, sha256 } from "../project.mjs";

const HERE = at("scripts", "counterparty");
const REQUIREMENTS = join(HERE, "localstripe.txt");
const VENV = join(TOOLS, "localstripe");
const PYTHON = join(VENV, "bin", "python");
const PRISM = join(TOOLS, "prism");
const PRISM_CLI = join(PRISM, "node_modules", "@stoplight", "prism-cli", "dist", "index.js");
const LOCK = join(HERE, "prism", "package-lock.json");
const MARK = ".till-mark";

/** Where the official descriptions of gateways are: they are read, and never a part of this project. */
export const SPECS = resolve(process.env.TILL_SPECS || join(ROOT, "..", "shared", "specs"));
/** Adyen's description of Checkout. */
export const CHECKOUT = join(SPECS, "adyen", "CheckoutService-v72.json");

const NO_PYTHON =
  "localstripe, the counterparty of the connector stripe, needs Python 3 with venv (Debian: apt-get install python3 python3-venv)";
const NO_DESCRIPTION =
  `Adyen's description of Checkout is not at ${CHECKOUT}. Get CheckoutService-v72.json from the folder json of ` +
  "https://github.com/Adyen/adyen-openapi, put it into the folder adyen of any folder, and name that one: TILL_SPECS=/that/folder";

/** What is in the way of each counterparty on this machine, or undefined. */
export const missing = {
  stripe: () => (findProgram("python3") ? undefined : NO_PYTHON),
  adyen: () => (existsSync(CHECKOUT) ? undefined : NO_DESCRIPTION),
};

const isMarked = (folder, wanted) => {
  const mark = join(folder, MARK);
  return existsSync(mark) && readFileSync(mark, "utf8") === wanted;
};

/** Whether a counterparty is installed, at the pinned versions. */
export const isInstalled = {
  stripe: () => isMarked(VENV, sha256(readFileSync(REQUIREMENTS))),
  adyen: () => isMarked(PRISM, sha256(readFileSync(LOCK))),
};

/** Why a test with a counterparty cannot run here, or false. */
export function reasonToSkip(name) {
  const reason = missing[name]();
  if (reason) return reason;
  return isInstalled[name]() ? false : `the counterparty of ${name} is not installed: make setup`;
}

/** Installs a counterparty; throws `Stop` if that is impossible here. */
export const install = {
  async stripe() {
    rmSync(VENV, { recursive: true, force: true });
    await makeVenv(VENV, NO_PYTHON);
    await run(PYTHON, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", REQUIREMENTS], { quiet: true });
    writeFileSync(join(VENV, MARK), sha256(readFileSync(REQUIREMENTS)));
  },
  async adyen() {
    rmSync(PRISM, { recursive: true, force: true });
    mkdirSync(PRISM, { recursive: true });
    for (const file of ["package.json", "package-lock.json"]) copyFileSync(join(HERE, "prism", file), join(PRISM, file));
    await run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: PRISM, quiet: true });
    writeFileSync(join(PRISM, MARK), sha256(readFileSync(LOCK)));
  },
};

/** Makes an environment of Python. Debian has the module for that in a separate package. */
export async function makeVenv(folder, otherwise) {
  const make = () => run("python3", ["-m", "venv", folder], { quiet: true });
  const isRoot = process.getuid?.() === 0 && findProgram("apt-get") !== undefined;
  try {
    await make();
  } catch {
    if (!isRoot) throw new Stop(otherwise);
    rmSync(folder, { recursive: true, force: true });
    await run("apt-get", ["update"], { quiet: true });
    await run("apt-get", ["install", "-y", "--no-install-recommends", "python3-venv"], { quiet: true, env: { DEBIAN_FRONTEND: "noninteractive" } });
    await make();
  }
}

/** A loopback port that was free a moment ago. */
function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** Starts a program and waits until it answers; it ends with this process at the latest. */
async function start(name, port, program, args, path) {
  const child = spawn(program, args, { cwd: TOOLS, env: ENV, stdio: ["ignore", "pipe", "pipe"] });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => output.push(text));
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  const ended = new Promise((resolve) => {
    child.once("error", resolve).once("exit", () => {
      process.off("exit", kill);
      resolve();
    });
  });
  const origin = `http://127.0.0.1:${port}`;
  for (const until = Date.now() + 60_000; Date.now() < until && child.exitCode === null; await sleep(100)) {
    if (!(await fetch(origin + path).catch(() => undefined))) continue;
    // What it prints from now on is not read, and must not fill the pipe.
    output.length = 0;
    child.stdout.removeAllListeners("data").resume();
    child.stderr.removeAllListeners("data").resume();
    return { origin, pid: child.pid, ended, stop: () => (child.kill("SIGTERM"), ended) };
  }
  kill();
  throw new Stop(`${name} did not start:\n${output.join("")}`);
}

/**
 * Starts localstripe with an empty store.
 *
 * @returns {Promise<{ origin: string, pid: number, ended: Promise<void>, stop: () => Promise<void> }>}
 */
export async function startLocalstripe() {
  const port = await freePort();
  const args = [join(HERE, "loopback.py"), "localstripe", "--from-scratch", "--port", String(port)];
  return start("localstripe", port, PYTHON, args, "/v1/payment_intents");
}

/** Starts Prism over Adyen's description: what the description does not permit is refused. */
export async function startPrism() {
  const port = await freePort();
  const args = [PRISM_CLI, "mock", "--errors", "-h", "127.0.0.1", "-p", String(port), CHECKOUT];
  return start("Prism", port, process.execPath, args, "/");
}
