/** An account of the stand-in for wrangler, and `make deploy` with it. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ENV, at } from "../../scripts/project.mjs";
import { OPERATOR_TOKEN, RECEIPT_KEY, SEAL_KEY } from "../worker/harness.mjs";

const STAND_IN = at("tests", "dev", "wrangler-stand-in.mjs");
export const PUBLIC_URL = "https://pay.example.com";
const folders = [];
export const folder = () => {
  const path = mkdtempSync(join(tmpdir(), "till-deploy-"));
  folders.push(path);
  return path;
};
// One process runs several files of tests.
process.once("exit", () => {
  for (const path of folders) rmSync(path, { recursive: true, force: true });
});

/** An account of the stand-in, and what a machine stores of an installation there. */
export class Account {
  constructor(state = {}) {
    this.folder = folder();
    this.stored = join(this.folder, "deploy");
    this.write("account.json", state);
  }

  write(name, value) {
    writeFileSync(join(this.folder, name), JSON.stringify(value));
  }

  get state() {
    return JSON.parse(readFileSync(join(this.folder, "account.json"), "utf8"));
  }

  get calls() {
    const path = join(this.folder, "calls.json");
    return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n").map((line) => JSON.parse(line)) : [];
  }

  of(file, name = "till") {
    return JSON.parse(readFileSync(join(this.stored, name, `${file}.json`), "utf8"));
  }

  /** The secrets of the Till that answers, as an earlier run stored them. */
  know(name = "till") {
    mkdirSync(join(this.stored, name), { recursive: true });
    writeFileSync(join(this.stored, name, "secrets.json"), JSON.stringify({ OPERATOR_TOKEN, SEAL_KEY, RECEIPT_KEY }));
  }

  /** Runs `make deploy` to its end: its code, and what it printed. */
  deploy(env = {}, args = []) {
    const child = spawn(process.execPath, [at("scripts", "deploy.mjs"), ...args], {
      env: { ...ENV, WRANGLER: STAND_IN, STAND_IN: this.folder, TILL_DEPLOY: this.stored, WAIT_SECONDS: "3", PUBLIC_URL, CLOUDFLARE_ACCOUNT_ID: "", ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let printed = "";
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (printed += text));
    return new Promise((resolve) => child.once("close", (code, signal) => resolve({ code: signal ?? code, printed })));
  }
}

/** The link that was printed. */
export const linkOf = ({ printed }) => /^The first payment: {2}(\S+)$/m.exec(printed)?.[1];
/** What an account must have after a whole run: each thing once. */
export function assertComplete(account, name = "till") {
  const { databases, namespaces, queues, workers } = account.state;
  assert.deepEqual(databases.map((one) => [one.name, one.isMigrated]), [[name, true]]);
  assert.deepEqual(namespaces.map(({ title }) => title), [`${name}-files`]);
  assert.deepEqual(queues.toSorted(), [`${name}-dead`, `${name}-doorbells`, `${name}-due`]);
  assert.deepEqual(Object.keys(workers), [name]);
  assert.deepEqual(workers[name].secrets, account.of("secrets", name));
  assert.ok(workers[name].deployments > 0);
}
