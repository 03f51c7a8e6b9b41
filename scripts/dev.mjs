/**
 * `make dev`: builds, brings the local database up to date, serves on loopback, makes the demo merchant through the
 * operator API and runs the cron handler every five seconds, because `wrangler dev` never does.
 *
 * Everything it starts ends with it.
 */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { ENV, ROOT, Stop, at, die, run, running } from "./project.mjs";

const WRANGLER = at("node_modules", "wrangler", "bin", "wrangler.js");
const DEMO = at(".dev", "demo.json");
const VARS = at(".dev.vars");
const TICK = "/__scheduled?cron=*+*+*+*+*";
const TICK_EVERY = 5000;
const START_WITHIN = 60_000;

const port = Number(process.env.PORT || 8787);
const base = `http://127.0.0.1:${port}`;
let server;

/** Refuses a port that cannot be bound, before minutes of building. */
function checkPort() {
  if (!Number.isInteger(port) || port < 1 || port > 65535) throw new Stop("PORT must be a number from 1 to 65535");
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", (error) => {
      const why = error.code === "EADDRINUSE" ? "is in use" : `cannot be used (${error.code})`;
      reject(new Stop(`port ${port} ${why}: end the program that holds it, or choose another by make dev PORT=${port + 1}`));
    });
    probe.listen(port, "127.0.0.1", () => probe.close(resolve));
  });
}

/** The Worker's local secrets; those that are missing are drawn. Answers the operator's token. */
function secrets() {
  const text = existsSync(VARS) ? readFileSync(VARS, "utf8") : "";
  const known = Object.fromEntries(
    [...text.matchAll(/^\s*([A-Z_]+)\s*=\s*["']?([^"'\r\n]*)/gm)].map(([, name, value]) => [name, value]),
  );
  const key = () => randomBytes(32).toString("base64");
  const drawn = { OPERATOR_TOKEN: randomBytes(24).toString("hex"), SEAL_KEY: key(), RECEIPT_KEY: key() };
  const missing = Object.keys(drawn).filter((name) => !known[name]);
  const lines = missing.map((name) => `${name}=${drawn[name]}\n`).join("");
  if (lines !== "") appendFileSync(VARS, (text === "" || text.endsWith("\n") ? "" : "\n") + lines, { mode: 0o600 });
  return { ...drawn, ...known }.OPERATOR_TOKEN || drawn.OPERATOR_TOKEN;
}

/** Starts `wrangler dev` in a process group of its own and waits until it answers. */
async function serve() {
  const started = spawn(
    process.execPath,
    [
      WRANGLER, "dev", "--ip", "127.0.0.1", "--port", String(port), "--inspector-port", "0",
      "--var", `PUBLIC_URL:${base}`, "--test-scheduled", "--show-interactive-dev-session=false",
    ],
    { cwd: ROOT, env: { ...ENV, TILL_PROFILE: "development" }, stdio: ["ignore", "pipe", "pipe"], detached: true },
  );
  server = started;
  const early = [];
  let isReady = false;
  for (const [from, to] of [[started.stdout, process.stdout], [started.stderr, process.stderr]]) {
    from.setEncoding("utf8").on("data", (text) => {
      if (!isReady) early.push(text);
      else to.write(text.replace(/^.*\/__scheduled.*\n/gm, ""));
    });
  }
  started.once("exit", () => {
    if (server !== started) return;
    process.stderr.write(isReady ? "" : early.join(""));
    console.error("wrangler has ended");
    end(1);
  });
  for (const until = Date.now() + START_WITHIN; Date.now() < until; await sleep(100)) {
    const answer = await fetch(`${base}/healthz`).catch(() => undefined);
    if (answer?.ok) {
      isReady = true;
      return;
    }
  }
  process.stderr.write(early.join(""));
  throw new Stop(`nothing answered at ${base}/healthz within ${START_WITHIN / 1000} s`);
}

async function operator(token, method, path, body) {
  const response = await fetch(`${base}/b/operator/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: body && JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
}

/** The demo merchant of .dev/demo.json while the database knows it; else a new one, for secrets are shown only once. */
async function demoMerchant(token) {
  const settings = JSON.parse(readFileSync(at("scripts", "demo-settings.json"), "utf8"));
  const fixed = { base_url: base, operator_token: token };
  const kept = existsSync(DEMO) ? JSON.parse(readFileSync(DEMO, "utf8")) : undefined;
  if (kept && (await operator(token, "GET", `/merchants/${kept.merchant_id}/`)).status === 200) {
    return keep({ ...kept, ...fixed });
  }
  for (let number = 1; ; number += 1) {
    const merchant_id = number === 1 ? "demo" : `demo-${number}`;
    const { status, text } = await operator(token, "POST", "/merchants/", { merchant_id, settings });
    if (status === 409) continue;
    if (status !== 201) throw new Stop(`the demo merchant was refused: ${status} ${text}`);
    const { private_key, public_key, webhook_hmac_key, webhook_signing_secret } = JSON.parse(text);
    return keep({
      ...fixed, merchant_id, private_key, public_key, webhook_hmac_key, webhook_signing_secret,
      pg_codes: settings.gateways.map(({ code }) => code),
      users: [],
    });
  }
}

function keep(demo) {
  mkdirSync(at(".dev"), { recursive: true });
  writeFileSync(DEMO, `${JSON.stringify(demo, undefined, 2)}\n`, { mode: 0o600 });
  return demo;
}

/** A payment that every demo gateway takes; its webhook can be read in an inbox of the sandbox. */
function demoRequest(demo) {
  return {
    type: "e_commerce",
    amount: "10.250",
    currency_code: "KWD",
    // Gateways that charge; `mpgs` only authorizes, and the two kinds do not mix in one transaction.
    pg_codes: demo.pg_codes.filter((code) => code !== "mpgs"),
    order_no: "ORDER-1001",
    customer_first_name: "Noura",
    customer_last_name: "Al-Sabah",
    customer_email: "noura@example.com",
    webhook_url: `${base}/sandbox/inbox/${randomBytes(4).toString("hex")}/`,
    redirect_url: `${base}/sandbox/shop/`,
  };
}

async function announce(demo) {
  const body = demoRequest(demo);
  const headers = { authorization: `Api-Key ${demo.private_key}`, "content-type": "application/json" };
  const address = `${base}/b/checkout/v1/pymt-txn/`;
  const response = await fetch(address, { method: "POST", headers, body: JSON.stringify(body) });
  const text = await response.text();
  const page = response.status === 201 ? JSON.parse(text).checkout_url : `refused: ${response.status} ${text}`;
  console.log(`
Till serves on ${base}   (Ctrl-C ends it; keys and codes of the demo merchant: .dev/demo.json)

A payable page:      ${page}
Its webhook inbox:   ${body.webhook_url}

Another transaction:

curl -sS -X POST ${address} \\
  -H 'Authorization: Api-Key ${demo.private_key}' \\
  -H 'Content-Type: application/json' \\
  -d '${JSON.stringify({ ...body, order_no: "ORDER-1002" })}'
`);
}

/** Runs the cron handler every five seconds; a tick that meets a rebuild is left out. */
async function tick() {
  for (;;) {
    await sleep(TICK_EVERY);
    await fetch(base + TICK).then((response) => response.text()).catch(() => undefined);
  }
}

const hasGroup = (pid) => {
  try {
    process.kill(-pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** Ends wrangler with everything below it, and this script. */
async function end(code) {
  const { pid } = server ?? {};
  server = undefined;
  for (const child of running) child.kill("SIGTERM");
  if (pid !== undefined) {
    for (const [signal, wait] of [["SIGTERM", 5000], ["SIGKILL", 1000]]) {
      if (hasGroup(pid)) process.kill(-pid, signal);
      for (const until = Date.now() + wait; hasGroup(pid) && Date.now() < until; ) await sleep(50);
    }
  }
  process.exit(code);
}

async function main() {
  for (const [signal, code] of [["SIGINT", 0], ["SIGTERM", 0], ["SIGHUP", 0]]) process.once(signal, () => end(code));
  await checkPort();
  await run(process.execPath, [at("scripts", "build.mjs")], { env: { TILL_PROFILE: "development" } });
  const token = secrets();
  console.log("database: applying the migrations that are new");
  await run(process.execPath, [WRANGLER, "d1", "migrations", "apply", "DB", "--local"], { quiet: true });
  console.log(`starting workerd on ${base}`);
  await serve();
  await announce(await demoMerchant(token));
  await tick();
}

main().catch(async (error) => {
  console.error(error instanceof Stop ? error.message : error);
  await end(1);
});
