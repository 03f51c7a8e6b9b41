/**
 * `make dev`: builds, brings the local database up to date, serves on loopback, makes the demo merchant
 * through the operator API and runs the cron handler every five seconds, because `wrangler dev` never does.
 *
 * Everything it starts ends with it. When the runtime dies it is started again with its data, because one answer of a receiver can
 * end it: the inspector, which `wrangler dev` cannot leave out, unpacks bodies and dies of one that is not what it claims.
 *
 * `PORT` is the port. `TILL_STATE` names a folder for everything that is stored (the database, the secrets,
 * the demo merchant) instead of the project's own. `START_SECONDS` is how long the start may take. `WRANGLER`
 * is the program that serves, for tests. `GATEWAY` is a gateway with a counterparty that we did not write, which is
 * started as well; its demo merchant is a separate one.
 */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { checkGateway, startCounterparty } from "./counterparty/gateways.mjs";
import { programs } from "./processes.mjs";
import { codeOf, setFactor } from "./demo-desk.mjs";
import { makeWeek } from "./demo-week.mjs";
import { WRANGLER, migrate } from "./database.mjs";
import { ENV, ROOT, Stop, at, die, run, running } from "./project.mjs";

const STATE = process.env.TILL_STATE || undefined;
const GATEWAY = process.env.GATEWAY || undefined;
/** The demo merchant, whose name begins so, and where its keys are. */
const MERCHANT = GATEWAY ? `demo-${GATEWAY}` : "demo";
const DEMO = STATE ? join(STATE, `${MERCHANT}.json`) : at(".dev", `${MERCHANT}.json`);
const VARS = STATE ? join(STATE, "vars") : at(".dev.vars");
/** Where wrangler finds its data and the secrets; without `TILL_STATE` it uses its defaults. */
const DATA = STATE && join(STATE, "wrangler");
const PERSISTED = DATA ? ["--persist-to", DATA] : [];
const SECRETS = STATE ? ["--env-file", VARS] : [];
const TICK = "/__scheduled?cron=*+*+*+*+*";
const TICK_EVERY = 5000;
const START_WITHIN = 1000 * Number(process.env.START_SECONDS || 60);
/**
 * How often the script checks for the runtime, and how long it may be missing: a rebuild restarts it within a
 * moment.
 */
const WATCH_EVERY = 500;
const AWAY_AT_MOST = 3000;
/** How often the runtime is started again in how long: one that dies more often is broken. */
const STARTS = { most: 5, within: 10 * 60_000 };

const port = Number(process.env.PORT || 8787);
const base = `http://127.0.0.1:${port}`;
/** The desk's origin: another host of this machine, so that the two share no cookies. */
const desk = `http://localhost:${port}`;
let server;
let counterparty;
let isEnding = false;
/** Whether what the runtime says is not shown. */
let isQuiet = false;

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

/** The Worker's local secrets; missing ones are generated. Returns the operator's token. */
function secrets() {
  const text = existsSync(VARS) ? readFileSync(VARS, "utf8") : "";
  const known = Object.fromEntries(
    [...text.matchAll(/^\s*([A-Z_]+)\s*=\s*["']?([^"'\r\n]*)/gm)].map(([, name, value]) => [name, value]),
  );
  const key = () => randomBytes(32).toString("base64");
  const generated = { OPERATOR_TOKEN: randomBytes(24).toString("hex"), SEAL_KEY: key(), RECEIPT_KEY: key() };
  const missing = Object.keys(generated).filter((name) => !known[name]);
  const lines = missing.map((name) => `${name}=${generated[name]}\n`).join("");
  if (lines !== "") appendFileSync(VARS, (text === "" || text.endsWith("\n") ? "" : "\n") + lines, { mode: 0o600 });
  return { ...generated, ...known }.OPERATOR_TOKEN || generated.OPERATOR_TOKEN;
}

/** Starts `wrangler dev` in a separate process group and waits until it answers. */
async function serve() {
  const started = spawn(
    process.execPath,
    [
      process.env.WRANGLER || WRANGLER, "dev", "--ip", "127.0.0.1", "--port", String(port), "--inspector-port", "0",
      "--var", `PUBLIC_URL:${base}`, "--var", `DESK_URL:${desk}`, "--test-scheduled", "--show-interactive-dev-session=false", ...SECRETS, ...PERSISTED,
    ],
    { cwd: ROOT, env: { ...ENV, TILL_PROFILE: "development" }, stdio: ["ignore", "pipe", "pipe"], detached: true },
  );
  server = started;
  const early = [];
  let isReady = false;
  for (const [from, to] of [[started.stdout, process.stdout], [started.stderr, process.stderr]]) {
    from.setEncoding("utf8").on("data", (text) => {
      if (!isReady) early.push(text);
      else if (!isQuiet) to.write(text.replace(/^.*\/__scheduled.*\n/gm, ""));
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

/**
 * Calls the operator API until the answer is one of `decisive`: anything else, a 503 of a runtime that is
 * still starting or no answer at all, says nothing about what is stored.
 */
async function operator(token, method, path, decisive, body) {
  let last = "no answer";
  for (const until = Date.now() + START_WITHIN; Date.now() < until; await sleep(500)) {
    try {
      const response = await fetch(`${base}/b/operator/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: body && JSON.stringify(body),
        signal: AbortSignal.timeout(10_000),
      });
      const answer = { status: response.status, text: await response.text() };
      if (decisive.includes(answer.status)) return answer;
      if (`${answer.status}` !== last) console.log(`${method} ${path} answered ${answer.status}: trying again`);
      last = `${answer.status}`;
    } catch (error) {
      last = error.cause?.message ?? error.message;
    }
  }
  throw new Stop(`${method} ${path} was not answered usefully within ${START_WITHIN / 1000} s: ${last}. ${relative(ROOT, DEMO)} is as it was`);
}

/** The demo merchant of an earlier start, or undefined. */
function storedDemo() {
  if (!existsSync(DEMO)) return undefined;
  try {
    return JSON.parse(readFileSync(DEMO, "utf8"));
  } catch {
    throw new Stop(`${relative(ROOT, DEMO)} cannot be read: put it right, or move it away to have another demo merchant made`);
  }
}

/**
 * The demo merchant of an earlier start if the database has it; otherwise a new one, because secrets are
 * shown only once.
 */
async function demoMerchant(token) {
  const document = JSON.parse(readFileSync(at("scripts", "demo-settings.json"), "utf8"));
  const settings = counterparty ? counterparty.settings(document) : document;
  const fixed = { base_url: base, operator_token: token };
  const stored = storedDemo();
  if (stored && (await operator(token, "GET", `/merchants/${stored.merchant_id}/`, [200, 404])).status === 200) {
    if (counterparty) await renew(token, stored.merchant_id, settings);
    return keep({ ...stored, ...fixed, users: await demoUsers(token, stored) });
  }
  for (let number = 1; ; number += 1) {
    const merchant_id = number === 1 ? MERCHANT : `${MERCHANT}-${number}`;
    const { status, text } = await operator(token, "POST", "/merchants/", [201, 400, 409], { merchant_id, settings });
    if (status === 409) {
      console.log(`there is a merchant ${merchant_id} already, and keys are shown only once: making another`);
      continue;
    }
    if (status !== 201) throw new Stop(`the demo merchant was refused: ${status} ${text}`);
    const { private_key, public_key, webhook_hmac_key, webhook_signing_secret } = JSON.parse(text);
    // Stored before the users are made: its keys are shown only once.
    const bare = keep({
      ...fixed, merchant_id, private_key, public_key, webhook_hmac_key, webhook_signing_secret,
      pg_codes: settings.gateways.map(({ code }) => code),
      users: [],
    });
    const demo = keep({ ...bare, users: await demoUsers(token, bare) });
    if (!counterparty) await week(demo);
    return demo;
  }
}

/** A past for a new demo merchant. Its requests are not shown, and what goes wrong with it ends nothing. */
async function week(demo) {
  isQuiet = true;
  await makeWeek(base, demo).catch((error) => console.error(`the week of demo payments is incomplete: ${error.message}`));
  isQuiet = false;
}

/**
 * Who works there: one who may do everything and has a second factor, one who may do little, one who asks for refunds and one who
 * approves them.
 */
const USERS = [
  { name: "admin", is_superuser: true, permissions: [] },
  { name: "clerk", is_superuser: false, permissions: ["Can add e-commerce payments", "Can view e-commerce payments", "Can use knet"] },
  { name: "support", role: "support" },
  { name: "finance", role: "finance" },
];

/** The users of the demo merchant with their passwords: those of an earlier start, or new ones. */
async function demoUsers(token, { merchant_id, users = [] }) {
  if (users.length > 0) return users;
  const path = `/merchants/${merchant_id}/users/`;
  const made = [];
  for (const { name, ...rights } of USERS) {
    const [username, password] = [`${name}@${merchant_id}`, randomBytes(12).toString("base64url")];
    const { status, text } = await operator(token, "POST", path, [201, 400], { username, password, ...rights });
    let shown = JSON.parse(text);
    if (status !== 201) {
      // One of a start that was interrupted, whose password nobody knows.
      const listed = JSON.parse((await operator(token, "GET", path, [200])).text);
      shown = (listed.users ?? listed.results ?? listed).find((user) => user.username === username);
      if (shown === undefined) throw new Stop(`the demo user ${username} was refused: ${status} ${text}`);
      await operator(token, "PATCH", `${path}${shown.id}/`, [200], { password });
    }
    made.push({ id: shown.id, username, password, ...rights });
  }
  const [admin] = made;
  // Without one the password is enough, because the demo merchant takes no real money.
  const factor = await setFactor(desk, admin).catch((error) => console.error(`${admin.username} has no second factor: ${error.message}`));
  if (factor) Object.assign(admin, { factor });
  return made;
}

/** The counterparty of this start has another address and other keys than that of the last one. */
async function renew(token, merchant_id, settings) {
  const { status, text } = await operator(token, "PUT", `/merchants/${merchant_id}/settings/`, [200, 400], settings);
  if (status !== 200) throw new Stop(`the settings of ${merchant_id} were refused: ${status} ${text}`);
}

/** Written to another file and renamed: a start that is interrupted leaves the file complete. */
function keep(demo) {
  mkdirSync(join(DEMO, ".."), { recursive: true });
  writeFileSync(`${DEMO}.new`, `${JSON.stringify(demo, undefined, 2)}\n`, { mode: 0o600 });
  renameSync(`${DEMO}.new`, DEMO);
  return demo;
}

/** A payment that every offered demo gateway accepts; its webhook can be read in an inbox of the sandbox. */
function demoRequest(demo) {
  return {
    type: "e_commerce",
    amount: "10.250",
    currency_code: "KWD",
    // Gateways that charge at once; `mpgs` only authorizes, so the demo transaction does not offer it.
    pg_codes: demo.pg_codes.filter((code) => code !== "mpgs"),
    order_no: "ORDER-1001",
    customer_first_name: "Noura",
    customer_last_name: "Al-Sabah",
    customer_email: "noura@example.com",
    webhook_url: `${base}/sandbox/inbox/${randomBytes(4).toString("hex")}/`,
    redirect_url: `${base}/sandbox/shop/`,
  };
}

/** How a user signs in at the desk. */
const userLine = ({ username, password, factor }) =>
  `  ${username.padEnd(16)} password ${password}${factor ? `   code ${codeOf(factor)}` : ""}`;

async function announce(demo) {
  await counterparty?.report(`${base}/b/gw/v1/account/${demo.merchant_id}/${GATEWAY}/`);
  const body = demoRequest(demo);
  const clerk = demo.users[1] ?? demo.users[0];
  const headers = { authorization: `Api-Key ${demo.private_key}`, "content-type": "application/json" };
  const address = `${base}/b/checkout/v1/pymt-txn/`;
  const response = await fetch(address, { method: "POST", headers, body: JSON.stringify(body) });
  const text = await response.text();
  const page = response.status === 201 ? JSON.parse(text).checkout_url : `refused: ${response.status} ${text}`;
  console.log(`
Till serves on ${base}   (Ctrl-C ends it; keys and codes of the demo merchant: ${relative(ROOT, DEMO)})
${counterparty ? `The gateway ${GATEWAY}: ${counterparty.what}, a separate program that ends with this one (docs/gateways.md)\n` : ""}
A payable page:      ${page}
Its webhook inbox:   ${body.webhook_url}

Another transaction:

curl -sS -X POST ${address} \\
  -H 'Authorization: Api-Key ${demo.private_key}' \\
  -H 'Content-Type: application/json' \\
  -d '${JSON.stringify({ ...body, order_no: "ORDER-1002" })}'

The desk of the staff: ${desk}/   (another code: make code)

${demo.users.map(userLine).join("\n")}

The same names and passwords are taken in place of the key: -u '${clerk.username}:${clerk.password}'
`);
}

/** Starts the counterparty; its end is the end of this script. */
async function serveGateway() {
  counterparty = await startCounterparty(GATEWAY);
  counterparty.ended.then(() => {
    if (isEnding) return;
    console.error(`the counterparty of ${GATEWAY} has ended`);
    end(1);
  });
}

/** Runs the cron handler every five seconds; a tick during a rebuild is skipped. */
async function tick() {
  for (;;) {
    await sleep(TICK_EVERY);
    await fetch(base + TICK, { signal: AbortSignal.timeout(60_000) }).then((response) => response.text()).catch(() => undefined);
  }
}

const runtimes = () => programs()?.filter(({ group, command }) => group === server?.pid && command.includes("workerd serve")).length;

/**
 * Starts the runtime again when it has died: wrangler does not say so, and goes on without it. The check looks
 * at the processes, because a rebuild too leaves requests unanswered for minutes.
 */
async function watch() {
  const expected = runtimes();
  // Nothing to compare with: this machine does not list its programs.
  if (!expected) await new Promise(() => {});
  let starts = [];
  for (let away = 0; !isEnding; await sleep(WATCH_EVERY)) {
    away = runtimes() < expected ? away + WATCH_EVERY : 0;
    if (away < AWAY_AT_MOST) continue;
    starts = [...starts.filter((at) => at > Date.now() - STARTS.within), Date.now()];
    if (starts.length > STARTS.most) throw new Stop("the runtime (workerd) ends again and again: your data are stored");
    console.error("the runtime (workerd) has ended: it is started again with its data");
    await endServer();
    await serve();
    away = 0;
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

/** Ends wrangler with all its child processes. */
async function endServer() {
  const { pid } = server ?? {};
  server = undefined;
  if (pid === undefined) return;
  for (const [signal, wait] of [["SIGTERM", 5000], ["SIGKILL", 1000]]) {
    if (hasGroup(pid)) process.kill(-pid, signal);
    for (const until = Date.now() + wait; hasGroup(pid) && Date.now() < until; ) await sleep(50);
  }
}

/** Ends everything that was started, and this script. */
async function end(code) {
  isEnding = true;
  for (const child of running) child.kill("SIGTERM");
  await counterparty?.stop();
  await endServer();
  process.exit(code);
}

async function main() {
  for (const [signal, code] of [["SIGINT", 0], ["SIGTERM", 0], ["SIGHUP", 0]]) process.once(signal, () => end(code));
  if (!(START_WITHIN > 0)) throw new Stop("START_SECONDS must be a number above 0");
  checkGateway(GATEWAY);
  if (STATE) mkdirSync(STATE, { recursive: true });
  await checkPort();
  if (GATEWAY) await serveGateway();
  await run(process.execPath, [at("scripts", "build.mjs")], { env: { TILL_PROFILE: "development" } });
  const token = secrets();
  await migrate(DATA);
  console.log(`starting workerd on ${base}`);
  await serve();
  const watching = watch();
  await Promise.race([watching, demoMerchant(token).then(announce)]);
  await Promise.race([watching, tick()]);
}

main().catch(async (error) => {
  console.error(error instanceof Stop ? error.message : error);
  await end(1);
});
