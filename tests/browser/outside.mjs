/**
 * A bank, a receiver and a shop outside of the Worker, on one port of the loopback, reached over HTTP by the
 * Worker and by a browser. Each payment has its own plan: when the bank calls back, when it sends the payer
 * back, and when and how the receiver answers.
 */
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { OutboundResponse, demoSettings } from "../worker/harness.mjs";
import { sign } from "../worker/bank.mjs";

const API_KEY = "key-of-the-bank-over-http-0123456789";

/**
 * @typedef {object} Plan
 * @property {number} returns milliseconds from the payer's press of the bank's button until they are sent
 *   back
 * @property {number | null} callsBack the same until the bank calls back; `null` for a bank that never does
 * @property {number} answers milliseconds that the receiver takes to answer
 * @property {number} status what it answers
 */

export class Outside {
  /** @type {Map<string, Plan>} by the order number of the payment */
  plans = new Map();
  /** How many webhooks arrived, by order number. */
  received = new Map();
  /** What went wrong outside of the Worker. */
  faults = [];

  #charges = new Map();
  #server;
  #till;

  /** @param {import("../worker/harness.mjs").Till} till */
  constructor(till) {
    this.#till = till;
  }

  /** Opens the port, and lets the Worker reach it. */
  async open() {
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch((error) => {
        this.faults.push(String(error));
        response.destroy();
      });
    });
    await new Promise((resolve) => { this.#server.listen(0, "127.0.0.1", resolve); });
    this.url = `http://127.0.0.1:${this.#server.address().port}`;
    this.#till.outbound.on("*", new RegExp(`^${this.url}/`), async ({ method, url, headers, body }) => {
      const { "content-length": _, host: __, ...others } = headers;
      const answer = await fetch(url, { method, headers: others, redirect: "manual", ...(method === "GET" ? {} : { body }) });
      return new OutboundResponse(await answer.text(), { status: answer.status, headers: [...answer.headers] });
    });
    return this;
  }

  close() {
    this.#server.closeAllConnections();
    return new Promise((resolve) => { this.#server.close(resolve); });
  }

  /** Settings whose one gateway is this bank. */
  settings() {
    const [knet] = demoSettings().gateways;
    return { gateways: [{ ...knet, fees: [], credentials: { api_key: API_KEY }, endpoint: `${this.url}/base`, exchanges: [] }] };
  }

  /** A payment that follows the plan; returns the answer to create. */
  async create(order_no, plan, fields = {}) {
    this.plans.set(order_no, plan);
    const created = await this.#till.create({
      pg_codes: ["knet"], order_no, webhook_url: `${this.url}/hook/${order_no}`, redirect_url: `${this.url}/shop/`, ...fields,
    });
    if (created.status !== 201) throw new Error(created.text);
    return created.body;
  }

  async #answer(request, response) {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const { pathname } = new URL(request.url, this.url);
    const [, room, name] = pathname.split("/");
    if (room === "base") return this.#bank(request.method, pathname.slice("/base/v1/charges".length), body, response);
    if (room === "pay") return this.#page(request.method, name, response);
    if (room === "hook") return this.#receive(name, response);
    if (room === "shop") return html(response, 200, "<h1>Thank you</h1>");
    response.writeHead(404).end();
  }

  #bank(method, path, body, response) {
    if (method === "POST" && path === "") {
      const { reference, amount, currency, operation, return_url, callback_url } = JSON.parse(body);
      const charge = {
        id: `out-${reference}`, reference, status: "open", amount, currency, operation, page_url: `${this.url}/pay/${reference}`,
        message: "waiting",
      };
      this.#charges.set(reference, { charge, return_url, callback_url });
      return json(response, 201, charge);
    }
    const known = this.#charges.get(path.split("/")[1]);
    return known ? json(response, 200, known.charge) : json(response, 404, { message: "no such charge" });
  }

  async #page(method, reference, response) {
    const known = this.#charges.get(reference);
    if (method === "GET") return html(response, 200, '<form method="post"><button>Pay</button></form>');
    // The reference of a payment is not its order number: the plan is found by what the payer was sent back
    // with.
    const { page_url, ...charge } = known.charge;
    known.charge = { ...charge, status: "approved", message: "approved", auth_code: "1", rrn: "2", transaction_id: "3" };
    const [{ order_no }] = await this.#till.rows(
      "SELECT t.order_no FROM attempt a JOIN txn t ON t.session_id = a.session_id WHERE a.reference = ?1", reference);
    const plan = this.plans.get(order_no);
    if (plan.callsBack !== null) void this.#callBack(known, plan.callsBack);
    await sleep(plan.returns);
    response.writeHead(303, { location: known.return_url }).end();
  }

  async #callBack({ charge, callback_url }, after) {
    await sleep(after);
    const body = JSON.stringify(charge);
    const headers = { "content-type": "application/json", "sandbox-signature": sign(body, API_KEY) };
    const answer = await fetch(callback_url, { method: "POST", headers, body });
    if (answer.status !== 200) this.faults.push(`the callback was answered ${answer.status}`);
  }

  async #receive(order_no, response) {
    this.received.set(order_no, (this.received.get(order_no) ?? 0) + 1);
    const { answers, status } = this.plans.get(order_no);
    await sleep(answers);
    response.writeHead(status).end();
  }
}

function html(response, status, body) {
  response.writeHead(status, { "content-type": "text/html; charset=utf-8" })
    .end(`<!doctype html><html lang="en"><title>Outside</title><link rel="icon" href="data:,"><body>${body}</body></html>`);
}

function json(response, status, body) {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
