/** Runs tests/wild/operations.sh: a call of every operation, one after the other, each with the status that is written before it. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { at } from "../../scripts/project.mjs";
import { OPERATOR_TOKEN, start } from "./harness.mjs";
import { routes } from "./routes.mjs";

/** What payers' browsers and gateways call, which it does not call. */
const NOT_CALLED = [
  "GET /b/checkout/redirect/start/",
  "POST /b/checkout/redirect/pay/",
  "GET /b/checkout/redirect/status/{}/",
  "GET /b/gw/v1/return/{}/",
  "POST /b/gw/v1/return/{}/",
  "GET /b/gw/v1/return/{}/{}/",
  "GET /b/gw/v1/forward/{}/{}/",
  "POST /b/gw/v1/return/{}/{}/",
  "GET /b/gw/v1/callback/{}/",
  "POST /b/gw/v1/callback/{}/",
  "POST /b/gw/v1/account/{}/{}/",
  "GET /b/gw/v1/messages/{}/{}/",
  "POST /b/gw/v1/messages/{}/{}/",
  "POST /b/checkout/reports/",
];
/** How long all lines together may take. */
const TIME_LIMIT = 90_000;

let till;
let folder;
before(async () => {
  till = await start();
  const merchant = await till.createMerchant();
  folder = mkdtempSync(join(tmpdir(), "till-curl-"));
  mkdirSync(join(folder, ".dev"));
  cpSync(at("scripts"), join(folder, "scripts"), { recursive: true });
  const demo = { base_url: till.url, operator_token: OPERATOR_TOKEN, ...merchant };
  writeFileSync(join(folder, ".dev", "demo.json"), JSON.stringify(demo));
});
after(async () => {
  rmSync(folder, { recursive: true, force: true });
  await till.stop();
});

/** The blocks of the file, with the statuses that their calls are answered with. */
function blocks() {
  const text = readFileSync(at("tests", "wild", "operations.sh"), "utf8");
  return [...text.matchAll(/^#@([ \d]*)\n([^]*?)(?=^#@|(?![^]))/gm)].map(([, statuses, lines]) => ({
    statuses: statuses.trim().split(/\s+/).filter(Boolean),
    lines,
  }));
}

/** Runs a bash script in the folder; returns its error output and its exit code. */
function run(script) {
  return new Promise((resolve, reject) => {
    const shell = spawn("bash", ["-euo", "pipefail", "-c", script], { cwd: folder, stdio: ["ignore", "ignore", "pipe"], timeout: TIME_LIMIT });
    let errors = "";
    shell.stderr.setEncoding("utf8").on("data", (text) => (errors += text));
    shell.on("error", reject).on("close", (code) => resolve({ code, errors }));
  });
}

/** Every call of curl prints to the error output its request and the status of the answer. */
const SPY = `curl() { command curl "$@" -w '%{stderr}@@ %{http_code} %{method} %{url}\\n'; }\n`;

test("every operation is called as it is written, and answered as is said", async () => {
  const all = blocks();
  assert.ok(all.length > 15, `${all.length} blocks`);
  const script = all.map(({ lines }, index) => `echo "@@ block ${index}" >&2\n${lines}`).join("\n");
  const { code, errors } = await run(SPY + script);
  assert.equal(code, 0, errors.slice(-2000));
  const called = new Set();
  for (const part of errors.split(/^@@ block /m).slice(1)) {
    const { lines, statuses } = all[Number.parseInt(part, 10)];
    const answers = [...part.matchAll(/^@@ (\d{3}) ([A-Z]+) (\S+)$/gm)].map(([, status, method, url]) => ({ status, method, url }));
    assert.deepEqual(answers.map(({ status }) => status), statuses, `${lines}\n${part}`);
    for (const { method, url } of answers) called.add(`${method} ${new URL(url).pathname.replace(/\/$/, "")}`);
  }
  const missing = routes().filter((route) => !NOT_CALLED.includes(route) && ![...called].some((call) => patternOf(route).test(call)));
  assert.deepEqual(missing, [], "operations without a call");
});

/** Matches the calls of a route. */
const patternOf = (route) => new RegExp(`^${route.replace(/\/$/, "").replaceAll(".", "\\.").replaceAll("{}", "[^/]+")}$`);
