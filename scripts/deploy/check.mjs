/** Whether what was deployed answers as it should, and its first payment. */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Stop, at } from "../project.mjs";
import { read, write } from "./folder.mjs";

/** How long a new address may take to be reached, in milliseconds: its name and certificate are made first. */
const PATIENCE = 1000 * Number(process.env.WAIT_SECONDS || 300);
const EVERY = 2000;
/** How long one request may take, in milliseconds. */
const LIMIT = 20_000;
/** The headers that every page has. */
const OF_PAGES = {
  "content-security-policy": /default-src 'none'/, "x-content-type-options": /^nosniff$/, "referrer-policy": /^no-referrer$/,
  "strict-transport-security": /max-age=\d{7,}/, "cache-control": /no-store/,
};
const KEY_NAME = "make deploy";

const versionHere = () => /^version = "([^"]+)"$/m.exec(readFileSync(at("Cargo.toml"), "utf8"))[1];

/** The Worker that was deployed. `CHECK_AT` is where it is reached, if its own address does not lead there yet. */
export class Deployed {
  constructor(public_url, token) {
    const { CHECK_AT } = process.env;
    if (CHECK_AT && !/^(?:https:\/\/|http:\/\/(?:127\.0\.0\.1|localhost)(?::\d+)?\/?$)/.test(CHECK_AT)) {
      throw new Stop("CHECK_AT must begin with https://, because the operator's token is sent there");
    }
    this.origin = (CHECK_AT || public_url).replace(/\/$/, "");
    this.public_url = public_url;
    this.token = token;
  }

  async call(path, { method = "GET", body, key, headers = {} } = {}) {
    const authorization = key ? `Api-Key ${key}` : `Bearer ${this.token}`;
    const response = await fetch(new URL(path, this.origin), {
      method, redirect: "manual", signal: AbortSignal.timeout(LIMIT),
      headers: { ...headers, ...(path.startsWith("/b/checkout/redirect/") || path === "/healthz" ? {} : { authorization }), ...(body ? { "content-type": "application/json" } : {}) },
      body: body && JSON.stringify(body),
    });
    const text = await response.text();
    let answer = text;
    try {
      answer = JSON.parse(text);
    } catch {
      // A page, or an answer of something else.
    }
    return { status: response.status, headers: response.headers, body: answer };
  }

  /** Waits until it answers, and checks that it is this version. */
  async checkHealth(hasSandbox, report) {
    const version = versionHere();
    let last = "nothing";
    for (const until = Date.now() + PATIENCE; ; await sleep(Math.min(EVERY, PATIENCE))) {
      const answer = await this.call("/healthz").catch((error) => ({ status: `no answer (${error.cause?.message ?? error.message})` }));
      const { status, body } = answer;
      if (status === 200 && body?.status === "ok" && body.version === version) {
        if (body.sandbox !== hasSandbox) throw new Stop(`${this.origin}/healthz says "sandbox": ${body.sandbox}, and ${hasSandbox} was built`);
        report(`health: version ${version}, ${hasSandbox ? "with" : "without"} the simulated bank`);
        return;
      }
      const said = status === 200 ? `${status} ${JSON.stringify(body).slice(0, 200)}` : String(status);
      if (said !== last) report(`waiting for ${this.origin}/healthz: ${said}`);
      last = said;
      if (Date.now() > until) throw new Stop(`${this.origin}/healthz did not answer as version ${version} within ${PATIENCE / 1000} s, last: ${last}. A 503 has its reason in the log: npx wrangler tail. Run make deploy again once it is mended.`);
    }
  }

  /** Reads from the database with the operator's token. */
  async checkDatabase(report) {
    const { status } = await this.call("/b/operator/v1/operators/");
    if (status === 401) throw new Stop("The Worker has another OPERATOR_TOKEN than the file of secrets of this installation: put the right one there, or replace it by `npx wrangler secret put OPERATOR_TOKEN`.");
    if (status !== 200) throw new Stop(`The operator API answered ${status}: is the database up to date? The log has the reason: npx wrangler tail.`);
    report("database: answers, and the operator's token is right");
  }

  /** The first merchant's private key: of an earlier run, of the new merchant, or a new key of a merchant that exists. */
  async merchantKey(name, merchant_id, settings, report) {
    const stored = read(name, "merchants") ?? {};
    if (stored[merchant_id]) {
      const { status } = await this.call(`/b/checkout/v1/pymt-txn/?limit=1`, { key: stored[merchant_id].private_key });
      if (status === 200) return stored[merchant_id].private_key;
    }
    const keep = (keys) => write(name, "merchants", { ...stored, [merchant_id]: keys })[merchant_id].private_key;
    const made = await this.call("/b/operator/v1/merchants/", { method: "POST", body: { merchant_id, settings } });
    if (made.status === 201) {
      report(`merchant ${merchant_id}: made`);
      return keep(made.body);
    }
    if (made.status !== 409) throw new Stop(`The settings of the merchant ${merchant_id} were refused (${made.status}):\n${JSON.stringify(made.body?.errors ?? made.body, undefined, 2)}\nPut them right and run make deploy again.`);
    const added = await this.call(`/b/operator/v1/merchants/${merchant_id}/keys/`, { method: "POST", body: { kind: "private", name: KEY_NAME } });
    if (added.status !== 201) throw new Stop(`No key of the merchant ${merchant_id} was made: ${added.status} ${JSON.stringify(added.body)}`);
    report(`merchant ${merchant_id}: exists; it has a new key, named "${KEY_NAME}"`);
    return keep({ merchant_id, private_key: added.body.key });
  }

  /** Creates the first payment and looks at its page; answers its address. */
  async firstPayment(key, settings, report) {
    const currency_code = settings.currencies?.[0] ?? settings.gateways[0].currencies?.[0];
    const pg_codes = settings.gateways.filter(({ currencies }) => currencies === undefined || currencies.includes(currency_code)).map(({ code }) => code);
    const body = { type: "e_commerce", amount: "1", currency_code, pg_codes, order_no: "FIRST" };
    const created = await this.call("/b/checkout/v1/pymt-txn/", { method: "POST", body, key, headers: { "idempotency-key": "make-deploy-first" } });
    if (created.status !== 201) throw new Stop(`The first payment was refused (${created.status}):\n${JSON.stringify(created.body, undefined, 2)}`);
    const { checkout_url } = created.body;
    if (!checkout_url.startsWith(`${this.public_url}/`)) throw new Stop(`The page is at ${checkout_url}, which is not at ${this.public_url}`);
    const page = await this.call(checkout_url.slice(this.public_url.length));
    if (page.status !== 200) throw new Stop(`The page of the first payment answered ${page.status}`);
    const lacking = Object.entries(OF_PAGES).filter(([header, pattern]) => !pattern.test(page.headers.get(header) ?? "")).map(([header]) => header);
    if (lacking.length > 0) throw new Stop(`The page lacks the headers ${lacking.join(", ")}: something between here and the Worker removes them`);
    report(`page: answers, with its ${Object.keys(OF_PAGES).length} headers of security`);
    return checkout_url;
  }
}
