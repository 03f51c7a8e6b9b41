/** Starts a Worker on workerd with its own empty database: Till, Till with the recorder, or the baseline. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Log, LogLevel, Miniflare, Response as OutboundResponse } from "miniflare";
import { ROOT, at, filesUnder, workerFiles } from "../../scripts/project.mjs";
import { OPERATOR_TOKEN, RECEIPT_KEY, SEAL_KEY, demoSettings } from "../worker/harness.mjs";
import { findRuntime, freePort } from "../worker/runtime.mjs";

const esModule = (path) => ({ type: "ESModule", path });
const modulesOf = ({ script, wasm }) => [esModule(script), { type: "CompiledWasm", path: wasm }];
const TILL = modulesOf(workerFiles("build-bench"));
/** The folder of a build that Till is compared with. */
export const AGAINST = process.env.AGAINST && resolve(ROOT, process.env.AGAINST);
/** The modules of each, its entry first. */
const MODULES = {
  till: TILL,
  recorder: [esModule(at("tests", "bench", "recorder.mjs")), ...TILL],
  baseline: [esModule(at("tests", "bench", "baseline.mjs"))],
  other: AGAINST && modulesOf({ script: resolve(AGAINST, "index.js"), wasm: resolve(AGAINST, "index_bg.wasm") }),
};
const CREATE = "/b/checkout/v1/pymt-txn/";

const METHODS = "/b/pbl/v2/payment-methods/";

const text = (name) => readFileSync(at("tests", "bench", name), "utf8");
/**
 * The bodies that are measured: create with the fields of the first version, and with every field; PATCH;
 * listing methods.
 */
const FIRST = text("first.json");
const FULL = text("request.json");
const CHANGE = JSON.stringify({ amount: "11.500", order_no: "ORDER-2026-000-184-224", customer_first_name: "Noura H." });
/** A create that is charged in the same call, at a bank outside of the Worker. */
const WALLET = JSON.stringify({
  type: "e_commerce", amount: "10.250", currency_code: "KWD", pg_codes: ["credit-card"],
  payment_instrument: { instrument_type: "apple_pay", payload: { paymentData: { version: "EC_v1", data: "x".repeat(600), signature: "y".repeat(400) } } },
});
const FILTER = JSON.stringify({ plugin: "e_commerce", currencies: ["KWD"], customer_id: "customer-000-184-223" });

/** Where the bank is. Both Workers reach it by the same route, and it approves everything at once. */
const BANK = "https://bank.example.com";

async function approve(request) {
  const { reference, amount, currency, operation } = await request.json();
  const charge = {
    id: `ch-${reference}`, reference, status: "approved", amount, currency, operation, message: "approved", auth_code: "123456",
    rrn: "998877665544", transaction_id: "tr-1", card: { brand: "VISA", number: "411111******1111", expiry_month: "01", expiry_year: "39" },
  };
  return new OutboundResponse(JSON.stringify(charge), { status: 201, headers: { "content-type": "application/json" } });
}

/** One running Worker. */
export class Subject {
  constructor(name, miniflare, url, pid) {
    this.name = name;
    this.miniflare = miniflare;
    this.url = url;
    this.pid = pid;
    this.headers = {};
  }

  /** One request to the operator API, or to another address that answers JSON. */
  async call(method, path, body, headers = this.headers) {
    const init = { method, headers: { ...headers, "content-type": "application/json" }, body };
    const response = await fetch(`${this.url}${path}`, init);
    const text = await response.text();
    if (!response.ok) throw new Error(`${this.name}: ${method} ${path} was answered ${response.status} ${text}`);
    return JSON.parse(text);
  }

  /** Makes the demo merchant; from then on requests carry its key. */
  async makeMerchant() {
    const settings = demoSettings();
    settings.gateways.find(({ code }) => code === "credit-card").endpoint = BANK;
    const body = JSON.stringify({ merchant_id: "demo", settings });
    const operator = { authorization: `Bearer ${OPERATOR_TOKEN}` };
    const { private_key } = await this.call("POST", "/b/operator/v1/merchants/", body, operator);
    this.headers = { authorization: `Api-Key ${private_key}` };
  }

  /** Sends the request of a kind. */
  send(kind, session_id) {
    const { method, path, body, headers } = requests[kind](session_id);
    return this.call(method, path, body, { ...this.headers, ...headers });
  }

  database() {
    return this.miniflare.getD1Database("DB");
  }

  stop() {
    return this.miniflare.dispose();
  }
}

const requestOf = (kind, method, path, status, body) => ({ method, path, body, status, headers: { "x-kind": kind } });

/** The request of each kind, for the load; those that need a transaction get its session id. */
export const requests = {
  create: () => requestOf("create", "POST", CREATE, 201, FIRST),
  "create-full": () => requestOf("create-full", "POST", CREATE, 201, FULL),
  retrieve: (session_id) => requestOf("retrieve", "GET", `${CREATE}${session_id}/`, 200),
  patch: (session_id) => requestOf("patch", "PATCH", `${CREATE}${session_id}/`, 200, CHANGE),
  methods: () => requestOf("methods", "POST", METHODS, 200, FILTER),
  wallet: () => requestOf("wallet", "POST", CREATE, 201, WALLET),
};

/**
 * Starts one.
 *
 * @param {"till" | "recorder" | "baseline" | "other"} name
 * @param {object} [plan] what the baseline replays
 */
export async function start(name, plan) {
  const { miniflare, url, port } = await serve(name, plan);
  const database = await miniflare.getD1Database("DB");
  for (const file of filesUnder(at("edge-worker", "migrations"))) {
    await database.prepare(readFileSync(file, "utf8")).run();
  }
  return new Subject(name, miniflare, url, findRuntime(`entry=127.0.0.1:${port}`));
}

/** Starts one with an empty database without tables. */
export async function serve(name, plan) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const miniflare = new Miniflare({
    name,
    modulesRoot: name === "other" ? AGAINST : ROOT,
    modules: MODULES[name],
    compatibilityDate: "2026-04-26",
    compatibilityFlags: ["global_fetch_strictly_public"],
    host: "127.0.0.1",
    port,
    bindings: { PUBLIC_URL: url, OPERATOR_TOKEN, SEAL_KEY, RECEIPT_KEY, LOG_SUCCESSES: "1", ...(plan ? { PLAN: plan } : {}) },
    d1Databases: { DB: name },
    kvNamespaces: { FILES: name },
    outboundService: approve,
    handleRuntimeStdio: (...streams) => streams.forEach((stream) => stream.resume()),
    log: new Log(LogLevel.ERROR),
    logRequests: false,
    telemetry: { enabled: false },
    cf: false,
  });
  await miniflare.ready;
  return { miniflare, url, port };
}

/**
 * Records what Till asks of its database for one request of each kind, after it has cached the merchant.
 * Returns the plan of the baseline, and the rows that it needs to find the same.
 */
export async function record() {
  const till = await start("recorder");
  try {
    await till.makeMerchant();
    // The first finds who calls and notes that the key was used, and the next one reads that.
    for (let call = 0; call < 2; call += 1) await till.send("create");
    await till.call("GET", "/recorded");
    const plan = {};
    let session_id;
    for (const kind of Object.keys(requests)) {
      const answer = await till.send(kind, session_id);
      if (kind.startsWith("create")) ({ session_id } = answer);
      // A payment generates its own ids.
      const made = kind === "wallet" ? answer : { session_id };
      plan[kind] = { steps: await till.call("GET", "/recorded"), session_id: made.session_id, reference: made.reference_number ?? null, answer };
    }
    const database = await till.database();
    const rows = {};
    for (const table of ["merchant", "api_key"]) {
      rows[table] = (await database.prepare(`SELECT * FROM ${table}`).all()).results;
    }
    return { plan, rows };
  } finally {
    await till.stop();
  }
}

/** Starts the baseline with a plan and the rows of the merchant that the plan asks for. */
export async function startBaseline({ plan, rows }) {
  const baseline = await start("baseline", plan);
  const database = await baseline.database();
  for (const [table, records] of Object.entries(rows)) {
    for (const row of records) {
      const names = Object.keys(row);
      const sql = `INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`;
      await database.prepare(sql).bind(...Object.values(row)).run();
    }
  }
  return baseline;
}
