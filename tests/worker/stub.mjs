/**
 * Servers on loopback that replace real gateways, and what the tests of all of them need. A stub is written
 * from the gateway's public documents, not from the connector.
 */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, beforeEach } from "node:test";
import { start } from "./harness.mjs";
import { attempts, choose, open, returnPath } from "./payer.mjs";

/** How a request that was carried out can lose its answer. */
export const LOST = ["500", "truncated JSON", "a closed connection"];

/** A server with the state of a gateway. A subclass answers by `answer(request)`. */
export class Stub {
  /** Every request, in the order of arrival: `{ method, path, query, headers, body, status }`. */
  requests = [];
  /** One of `LOST`, and which requests lose their answers: after they were carried out. */
  lost;
  /** How many milliseconds the gateway's clock is ahead: a test that moves a merchant's clock moves this one too. */
  offset = 0;
  #server = createServer((request, response) => this.#serve(request, response));

  async listen() {
    await new Promise((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    this.origin = `http://127.0.0.1:${this.#server.address().port}`;
    return this;
  }

  /** The gateway's time, in milliseconds. */
  now() {
    return Date.now() + this.offset;
  }

  close() {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(resolve));
  }

  /** The requests that this answered with an error of its own: none, unless a test causes one. */
  refused() {
    return this.requests.filter(({ status }) => status >= 400);
  }

  async #serve(incoming, response) {
    const chunks = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const url = new URL(incoming.url, this.origin);
    const body = Buffer.concat(chunks).toString("utf8");
    const request = { method: incoming.method, path: url.pathname, query: url.searchParams, headers: incoming.headers, body };
    const { status, body: text, headers = { "content-type": "application/json" } } = await this.answer(request);
    this.requests.push({ ...request, status, text });
    if (!this.lost?.of(request)) return response.writeHead(status, { date: new Date(this.now()).toUTCString(), ...headers }).end(text);
    if (this.lost.by === "500") return response.writeHead(500, headers).end("oops");
    if (this.lost.by === "truncated JSON") return response.writeHead(status, headers).end(text.slice(0, text.length / 2));
    incoming.socket.destroy();
  }
}

/** An answer in JSON. */
export const json = (status, body, headers = {}) => ({ status, body: JSON.stringify(body), headers: { "content-type": "application/json", ...headers } });

/** @type {import("./harness.mjs").Till} */
export let till;

/** Starts a Worker whose requests go over sockets, and a stub; `settings` are the gateways at it. */
export function startWith(stub, gateways) {
  before(async () => {
    till = await start({ sockets: true });
    await stub.listen();
    await till.createMerchant({ gateways: gateways(stub.origin) });
  });
  beforeEach(() => {
    stub.lost = undefined;
  });
  after(async () => {
    await till.stop();
    await stub.close();
  });
}

/** A payer who was sent to the gateway's page: `page` is its address. */
export async function sentTo(pg_code, fields = {}) {
  const payment = await open(till, { pg_codes: [pg_code], ...fields });
  const sent = await choose(till, payment, pg_code);
  assert.equal(sent.status, 303, sent.text);
  const [{ reference }] = await attempts(till, payment);
  return { ...payment, reference, page: sent.headers.get("location"), returns: till.url + await returnPath(till, reference) };
}

/** The browser comes back from the gateway; returns where it lands. */
export async function comeBack(address) {
  const returned = await till.fetch(address);
  assert.equal(returned.status, 303);
  return returned.headers.get("location");
}

/** An operation on a payment. */
export const operate = ({ session_id }, operation, fields = {}) =>
  till.call("/b/pbl/v2/operation/", { method: "POST", headers: till.privateKey(), json: { session_id, operation, ...fields } });

/** A webhook of a gateway to the address of an account. */
export const notify = (pg_code, body, headers, merchant = till.merchant) =>
  till.call(`/b/gw/v1/account/${merchant.merchant_id}/${pg_code}/`, { method: "POST", headers: { "content-type": "application/json", ...headers }, body });

/** What the gateway reported, name by name, from the body of a webhook. */
export const reported = ({ pg_params }) => Object.fromEntries(Object.entries(pg_params).map(([name, { value }]) => [name, value]));
