/**
 * A bank outside of the Worker that uses the protocol of `docs/sandbox.md`. It stores its charges, counts its
 * requests, and misbehaves if a test sets it to.
 */
import { createHash, createHmac } from "node:crypto";
import { OutboundResponse, demoSettings } from "./harness.mjs";

const API_KEY = "key-of-the-outside-bank-0123456789";

/** Where a payer of this bank would pay. */
const PAGE = "https://pay.bank.example.com/";

export class OutsideBank {
  /** The charges by reference, as the bank shows them. */
  charges = new Map();
  /**
   * What is answered instead of the usual: `open`, `inquire` and `cancel` get the request and the usual
   * answer's maker.
   */
  instead = {};

  #till;
  #origin;

  /** @param {import("./harness.mjs").Till} till */
  constructor(till, host = "bank.example.com") {
    this.#till = till;
    this.#origin = `https://${host}`;
    this.charges.clear();
    till.outbound.on("*", new RegExp(`^${this.#origin}/`), (sent) => this.#answer(sent));
  }

  /**
   * A settings document whose gateways `bank` and `once` belong to this bank, with cash as a third gateway.
   */
  settings(members = {}) {
    const [knet] = demoSettings().gateways;
    const gateway = {
      ...knet, name: { en: "Bank", ar: "بنك" }, fees: [], credentials: { api_key: API_KEY }, endpoint: `${this.#origin}/base`,
      currencies: ["KWD", "SAR", "USD"],
      exchanges: [],
    };
    const cash = demoSettings().gateways.find(({ code }) => code === "cash");
    return { gateways: [{ ...gateway, code: "bank" }, { ...gateway, code: "once", multiple_attempts: false }, cash], ...members };
  }

  /** How often it was asked to open a charge of this reference. */
  opened(reference) {
    return this.#till.outbound.to(`${this.#origin}/base/v1/charges`).filter(({ body }) => JSON.parse(body).reference === reference).length;
  }

  /** How often it was asked about this reference. */
  inquired(reference) {
    return this.#till.outbound.to(`${this.#origin}/base/v1/charges/${reference}`).length;
  }

  /** The payer pays, or does not: `approved`, `declined`, `canceled`. Returns the charge. */
  end(reference, status = "approved", members = {}) {
    const { page_url, ...charge } = this.charges.get(reference);
    const approval = { auth_code: "123456", rrn: "998877", transaction_id: "tr-1", card: { brand: "VISA", number: "411111******1111" } };
    const ended = { ...charge, status, message: status, ...(status === "approved" ? approval : {}), ...members };
    this.charges.set(reference, ended);
    return ended;
  }

  /** Calls back about a charge, signed as the bank signs unless `headers` say otherwise. */
  callBack(reference, charge = this.charges.get(reference), headers = {}) {
    const body = typeof charge === "string" ? charge : JSON.stringify(charge);
    return this.#till.call(`/b/gw/v1/callback/${reference}/`, {
      method: "POST",
      headers: { "content-type": "application/json", "sandbox-signature": sign(body), ...headers },
      body,
    });
  }

  #answer(sent) {
    const path = new URL(sent.url).pathname.replace(/^\/base\/v1\/charges/, "");
    if (sent.headers.authorization !== `Bearer ${API_KEY}`) return json(401, { message: "no such key" });
    const [kind, usual] = sent.method === "GET" ? ["inquire", () => this.#show(path.slice(1))]
      : path === "" ? ["open", () => this.open(JSON.parse(sent.body))]
      : path.endsWith("/operations") ? ["operate", () => this.operate(JSON.parse(sent.body))]
        : ["cancel", () => this.#cancel(path.slice(1, -"/cancel".length))];
    return this.instead[kind]?.(sent, usual) ?? usual();
  }

  /** Opens a charge, or shows the existing one. */
  open({ reference, amount, currency, operation }) {
    const known = this.charges.get(reference);
    if (known) return json(200, known);
    const charge = { id: `out-${reference}`, reference, status: "open", amount, currency, operation, page_url: PAGE + reference, message: "waiting" };
    this.charges.set(reference, charge);
    return json(201, charge);
  }

  /** Does an operation at once. `said` is its message. */
  operate({ reference, operation, amount, currency }) {
    return json(201, { id: `out-${reference}`, reference, operation, status: "done", amount, currency, message: this.said ?? operation });
  }

  #show(reference) {
    const charge = this.charges.get(reference);
    return charge ? json(200, charge) : json(404, { message: "no such charge" });
  }

  #cancel(reference) {
    const charge = this.charges.get(reference);
    if (!charge) return json(404, { message: "no such charge" });
    if (charge.status !== "open") return json(409, charge);
    return json(200, this.end(reference, "canceled"));
  }
}

/** The signature of a callback. */
export function sign(body, api_key = API_KEY) {
  const key = createHash("sha256").update(`callback:${api_key}`).digest("hex");
  return createHmac("sha256", key).update(body).digest("hex");
}

/** An answer in JSON. */
export const json = (status, body) =>
  new OutboundResponse(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });

/** An answer that never comes. */
export const never = () => new Promise(() => {});
