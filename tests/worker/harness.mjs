/**
 * The built Worker on workerd, for tests and measurements: HTTP goes in through the loopback port; rows of D1
 * and everything that the Worker sends can be read.
 *
 * ```js
 * const till = await start();
 * after(() => till.stop());
 * await till.createMerchant();
 * till.outbound.on("POST", "https://shop.example/hook", () => new Response("", { status: 201 }));
 * const { status, body } = await till.create({ webhook_url: "https://shop.example/hook" });
 * ```
 *
 * Nothing leaves the machine: a request of the Worker that no route answers makes the test fail. So does a
 * log with a crash, or with any text of `till.secrets`: `stop` reads it.
 */
import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import assert from "node:assert/strict";
import { after } from "node:test";
import { Log, LogLevel, Miniflare } from "miniflare";
import { at, workerFiles } from "../../scripts/project.mjs";
import { empty, provide, schemaOf } from "./database.mjs";
import { assertDescribed } from "./description.mjs";
import { NAME, OPERATOR_TOKEN, RECEIPT_KEY, SEAL_KEY, STATEMENTS, usualBuild, workerOptions } from "./options.mjs";
import { Outbound, OutboundResponse } from "./outbound.mjs";
import { assertDeclared } from "./routes.mjs";
import { findRuntime, freePort, isAlive } from "./runtime.mjs";
import { assertDecodable } from "../wild/sdk-members.mjs";

export { OPERATOR_TOKEN, Outbound, OutboundResponse, RECEIPT_KEY, SEAL_KEY };

const secretsOfAll = () => new Set([OPERATOR_TOKEN, SEAL_KEY, RECEIPT_KEY]);

const DEMO_SETTINGS = JSON.parse(readFileSync(at("scripts", "demo-settings.json"), "utf8"));

/** A fresh copy of the demo merchant's settings document. */
export const demoSettings = () => structuredClone(DEMO_SETTINGS);

/** How long the first line of a log may take to be read. */
const LOG_WITHIN = 5_000;

/** What the runtime prints when code of the Worker panicked. */
const CRASH = /Reinitializing Wasm application|Critical RuntimeError|panicked at/;

/** Throws if a request was answered in another way than the table of endpoints and the description of the API say, or as SDKs decode it. */
async function assertAsSaid(method, path, request, response) {
  assertDeclared(method, path, response);
  const type = response.headers.get("content-type") ?? "";
  const text = /[/+]json/.test(type) ? await response.clone().text() : "";
  const sent = typeof request.body === "string" ? { type: request.type, text: request.body } : {};
  assertDescribed(method, path, sent, { status: response.status, type, text });
  assertDecodable(path, { status: response.status, text });
}

/**
 * One running Worker.
 *
 * @property {string} url its origin, which is also PUBLIC_URL
 * @property {Outbound} outbound
 * @property {object | undefined} merchant the answer of the last `createMerchant`
 */
export class Till {
  #options;
  #miniflare;
  #merchants = 0;
  /** The folder of a database that ends with this Worker. */
  #folder;

  /** Texts that no line of the log may have: keys, session ids, e-mail addresses. */
  secrets = secretsOfAll();

  constructor(options, port) {
    this.#options = options;
    this.port = port;
    this.url = `http://127.0.0.1:${port}`;
    this.outbound = new Outbound();
    this.merchant = undefined;
  }

  /** Starts the runtime. Also brings it back after `killHard`. */
  async restart() {
    await this.#miniflare?.dispose().catch(() => {});
    running.add(this);
    const { persist, verbose = false, inspector = false } = this.#options;
    const worker = workerOptions(this.#options, this.url, (request) => this.outbound.answer(request));
    const database = join(persist ?? (this.#folder ??= mkdtempSync(join(tmpdir(), "till-test-"))), "d1");
    await provide(database);
    this.#miniflare = new Miniflare({
      ...worker,
      host: "127.0.0.1",
      port: this.port,
      d1Persist: database,
      ...(persist ? { kvPersist: `${persist}/kv` } : {}),
      ...(inspector ? { inspectorPort: 0 } : {}),
      unsafeTriggerHandlers: true,
      handleRuntimeStdio: (stdout, stderr) => this.#keepLog(stdout, stderr),
      log: new Log(verbose ? LogLevel.DEBUG : LogLevel.ERROR),
      logRequests: false,
      telemetry: { enabled: false },
      cf: false,
    });
    await this.#miniflare.ready;
    return this;
  }

  /** What the runtime of another file is to the next one: nothing is stored, recorded or expected. */
  async renew() {
    await empty(this.batch);
    const files = await this.kv("FILES");
    for (const { name } of (await files.list()).keys) await files.delete(name);
    this.outbound = new Outbound();
    this.log = [];
    this.secrets = secretsOfAll();
    this.merchant = undefined;
    return this;
  }

  /** Lines the Worker logged, newest last. */
  log = [];

  #keepLog(...streams) {
    for (const stream of streams) {
      stream.setEncoding("utf8").on("data", (text) => {
        this.log.push(...text.split("\n").filter((line) => line !== ""));
        if (this.#options.verbose) process.stderr.write(text);
      });
    }
  }

  /**
   * Sends one request through the loopback port. Redirects are returned, not followed.
   *
   * @param {string} path with a leading slash, or a whole address of this Worker
   * @param {RequestInit & { json?: unknown }} [init] `json` sets body and content type
   * @returns {Promise<Response>}
   */
  async fetch(path, { json, ...init } = {}) {
    this.outbound.assertMatched();
    const headers = new Headers(init.headers);
    if (json !== undefined && !headers.has("content-type")) headers.set("content-type", "application/json");
    const body = json === undefined ? init.body : JSON.stringify(json);
    const url = new URL(path, this.url);
    const response = await fetch(url, { redirect: "manual", ...init, headers, body });
    await assertAsSaid(init.method ?? "GET", url.pathname, { type: headers.get("content-type"), body }, response);
    return response;
  }

  /** As `fetch`, and reads the body: parsed if it is JSON, otherwise its text. */
  async call(path, init) {
    const response = await this.fetch(path, init);
    const text = await response.text();
    const isJson = /[/+]json/.test(response.headers.get("content-type") ?? "");
    return { status: response.status, headers: response.headers, text, body: isJson && text !== "" ? JSON.parse(text) : text };
  }

  /** Calls the operator API; `path` is the part after /b/operator/v1. */
  operator(path, init = {}) {
    const headers = { authorization: `Bearer ${OPERATOR_TOKEN}`, ...init.headers };
    return this.call(`/b/operator/v1${path}`, { ...init, headers });
  }

  /**
   * Makes a merchant with the demo settings; later calls of `create` are made in its name.
   *
   * @param {object} [settings] members that replace those of the demo document
   * @param {string} [merchant_id] a new one by default
   * @returns {Promise<{merchant_id: string, version: number, private_key: string, public_key: string,
   *   webhook_hmac_key: string, webhook_signing_secret: string}>}
   */
  async createMerchant(settings = {}, merchant_id = `shop-${++this.#merchants}-${randomBytes(3).toString("hex")}`) {
    const document = { ...demoSettings(), ...settings };
    const answer = await this.operator("/merchants/", { method: "POST", json: { merchant_id, settings: document } });
    if (answer.status !== 201) throw new Error(`no merchant was created: ${answer.status} ${answer.text}`);
    this.merchant = answer.body;
    const { private_key, public_key, webhook_hmac_key, webhook_signing_secret } = answer.body;
    const api_keys = document.gateways.map(({ credentials }) => credentials?.api_key);
    for (const secret of [private_key, public_key, webhook_hmac_key, webhook_signing_secret, ...api_keys]) {
      if (secret) this.secrets.add(secret);
    }
    return answer.body;
  }

  /** The headers of a call with the merchant's private key. */
  privateKey(merchant = this.merchant) {
    return { authorization: `Api-Key ${merchant.private_key}` };
  }

  /**
   * Creates a payment transaction for `till.merchant`.
   *
   * @param {object | string} [body] members in addition to the four required ones, which have defaults; a
   *   string is sent as it is
   * @param {Record<string, string>} [headers]
   * @returns {Promise<{status: number, headers: Headers, text: string, body: any}>}
   */
  async create(body = {}, headers = {}) {
    const required = { amount: "10.250", currency_code: "KWD", pg_codes: ["knet"], type: "e_commerce" };
    const answer = await this.call("/b/checkout/v1/pymt-txn/", {
      method: "POST",
      headers: { "content-type": "application/json", ...(this.merchant ? this.privateKey() : {}), ...headers },
      body: typeof body === "string" ? body : JSON.stringify({ ...required, ...body }),
    });
    for (const secret of [answer.body.session_id, answer.body.customer_email]) {
      if (secret) this.secrets.add(secret);
    }
    return answer;
  }

  /** Reads a payment transaction back. */
  retrieve(session_id, headers = {}) {
    return this.call(`/b/checkout/v1/pymt-txn/${session_id}/`, { headers: { ...this.privateKey(), ...headers } });
  }

  /** Runs the cron handler once and waits for its end. */
  async scheduled(cron = "* * * * *") {
    this.outbound.assertMatched();
    // Directly to the Worker: the asset router in front of it has no cron handler.
    const headers = { "mf-route-override": NAME };
    const response = await fetch(`${this.url}/cdn-cgi/handler/scheduled?cron=${encodeURIComponent(cron)}`, { headers });
    const text = await response.text();
    if (!response.ok) throw new Error(`the cron handler answered ${response.status} ${text}`);
  }

  /** The rows of one statement. */
  async rows(sql, ...values) {
    const [rows] = await this.batch([sql, ...values]);
    return rows;
  }

  /** The rows of each statement, given as `[sql, ...values]`. Either all of them have an effect or none. */
  batch = async (...statements) => {
    assert.ok(!statements.flat().includes(undefined), "a value of a statement is undefined");
    const init = { method: "POST", headers: { "mf-route-override": STATEMENTS.name }, body: JSON.stringify(statements) };
    const response = await fetch(this.url, init);
    if (response.status !== 200) throw new Error(await response.text());
    return response.json();
  };

  /** How often the request with this `x-request-id` asked the database, by its line in the log. */
  async roundTrips(id) {
    const line = () => this.log.find((text) => text.includes(`"request_id":"${id}"`) && text.includes('"event":"answered"'));
    for (let wait = 0; line() === undefined && wait < 250; wait += 1) await sleep(20);
    assert.ok(line(), `the answer to ${id} was not logged`);
    return JSON.parse(line().slice(line().indexOf("{"))).db;
  }

  /** A KV namespace: "FILES". */
  kv(binding) {
    return this.#miniflare.getKVNamespace(binding);
  }

  /** Rings doorbells, given as their texts, through a queue: "DOORBELLS" or "DUE_DOORBELLS". */
  async ring(binding, ...texts) {
    const queue = await this.#miniflare.getQueueProducer(binding);
    await queue.sendBatch(texts.map((body) => ({ body, contentType: "text" })));
  }

  /** Where the inspector of this Worker listens. Start with `inspector: true`. */
  async inspectorUrl() {
    const { host } = await this.#miniflare.getInspectorURL();
    return `http://${host}/core:user:${NAME}`;
  }

  /** The process id of this Worker's runtime. */
  pid() {
    const pid = findRuntime(`--socket-addr=entry=127.0.0.1:${this.port}`);
    if (pid === undefined) throw new Error("workerd is not running");
    return pid;
  }

  /** Kills the runtime as a power cut would. `restart` brings it back on the same persist folder. */
  async killHard() {
    const pid = this.pid();
    process.kill(pid, "SIGKILL");
    while (isAlive(pid)) await sleep(5);
  }

  #hasLog() {
    return this.log.some((line) => line.includes('"event":"'));
  }

  /**
   * Throws when the log has a crash or a secret; a log without any line was not recorded, so it proves
   * nothing.
   */
  assertCleanLog() {
    assert.ok(this.#hasLog(), "the Worker's log was not collected");
    assert.deepEqual(this.log.filter((line) => CRASH.test(line)), [], "the Worker crashed");
    const secrets = [...this.secrets];
    assert.deepEqual(this.log.filter((line) => secrets.some((secret) => line.includes(secret))), [], "a secret was logged");
  }

  /**
   * Ends the runtime, or leaves it to the next file if it is shared. Throws when the Worker sent a request that no route
   * answered, or its log is not clean.
   */
  async stop() {
    if (shared.till === this) shared.isFree = true;
    else await this.end();
    // What the runtime printed last is read a moment after it: on a busy machine after it has ended.
    for (const until = Date.now() + LOG_WITHIN; !this.#hasLog() && Date.now() < until; ) await sleep(20);
    this.outbound.assertMatched();
    this.assertCleanLog();
  }

  /** @internal ends the runtime, whatever happened. */
  async end() {
    running.delete(this);
    await this.#miniflare?.dispose();
    this.#miniflare = undefined;
    if (this.#folder) rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** The Workers that run: what a failed test leaves is ended after its file. */
const running = new Set();
/** The Worker of all files of this process that start one without options, and whether the last of them has stopped it. */
const shared = { till: undefined, isFree: false, schema: "" };

/** Ends every Worker, except the shared one, which the next file may use. */
export async function endLeft() {
  if (shared.till) shared.isFree = true;
  for (const till of running) if (till !== shared.till) await till.end().catch(() => {});
}

/** Ends every Worker. */
export const endAll = () => Promise.all([...running].map((till) => till.end().catch(() => {})));

// A file that is run by itself ends although a failed test has left a Worker.
if (process.env.NODE_TEST_CONTEXT) after(endAll);

/** The shared Worker, empty; undefined while a file uses it, because one may need two. */
async function takeShared() {
  if (shared.till && !shared.isFree) return undefined;
  shared.isFree = false;
  const schema = async () => JSON.stringify(await schemaOf(shared.till.batch));
  if (shared.till && (await schema()) === shared.schema) return shared.till.renew();
  // A file has changed more than rows.
  await shared.till?.end();
  shared.till = await new Till({}, await freePort()).restart();
  shared.schema = await schema();
  return shared.till;
}

/**
 * Starts the built Worker.
 *
 * Files that are run in one process share a Worker if they start it without options. It is emptied in between; what its isolate
 * remembers of merchants, users and addresses stays, so a file that uses their names again needs a Worker of its own.
 *
 * @param {object} [options]
 * @param {boolean} [options.alone] a Worker of its own, although everything else is as usual
 * @param {string} [options.build] the folder of another build than that for development
 * @param {string} [options.persist] a folder that keeps the data after `restart`; in memory without it
 * @param {Record<string, unknown>} [options.bindings] in addition to the usual ones, or instead of them
 * @param {boolean} [options.assets] serve www/ as production does (default); without it nothing is in front
 *   of the Worker
 * @param {boolean} [options.verbose] print the runtime's log
 * @param {boolean | "public"} [options.sockets] the Worker's requests go over sockets to servers on this machine, and
 *   nowhere else; `outbound` sees none of them. "public": to everything except private addresses, as in production
 * @param {boolean} [options.inspector] let the runtime be inspected
 * @param {Record<string, {simple: {limit: number, period: 10 | 60}}>} [options.ratelimits] the limiters that are bound; none
 *   without it
 * @param {Record<string, string>} [options.queueProducers] queues that are bound without `queues`
 * @param {boolean | object} [options.queues] bind the queues of doorbells; an object replaces settings of the consumers
 * @param {string} [options.dataset] a statement that a dataset of Workers Analytics Engine, bound as `ANALYTICS`, runs for
 *   each `point`; without it none is bound
 * @returns {Promise<Till>}
 */
export async function start(options = {}) {
  if (!existsSync(workerFiles(options.build ?? usualBuild()).script)) throw new Error("the Worker is not built: call make build, or make test-worker");
  const taken = process.env.TILL_SHARED && Object.keys(options).length === 0 ? await takeShared() : undefined;
  return taken ?? new Till(options, await freePort()).restart();
}
