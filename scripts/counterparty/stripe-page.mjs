/**
 * What localstripe lacks of Stripe's API, in front of it: Checkout Sessions with their page, keys of idempotency, and the
 * members of a PaymentIntent that Stripe has and localstripe does not. Every payment, capture, refund and cancellation is
 * carried out by localstripe, which also sends and signs the events.
 */
import { randomBytes } from "node:crypto";
import { Front, json, page, redirect } from "./front.mjs";

const SESSIONS = "/v1/checkout/sessions";
const INTENTS = "/v1/payment_intents";

/** The fields that Stripe takes and localstripe refuses, by what a request is for. */
const UNKNOWN_FIELDS = {
  intents: /^(return_url|description|setup_future_usage)$/,
  capture: /^metadata\[/,
  cancel: /^cancellation_reason$/,
};

/** Test cards of Stripe's documentation that localstripe treats in the documented way. */
const CARDS = [
  ["4242424242424242", "approved"],
  ["4000000000000002", "declined"],
  ["4000002760003184", "approved once the bank has asked the payer (3-D Secure)"],
  ["4000000000000341", "can be saved, and is declined when it is charged"],
];

const id = (prefix) => prefix + randomBytes(12).toString("hex");
const now = () => Math.floor(Date.now() / 1000);
const fault = (status, message, more = {}) => json(status, { error: { type: "invalid_request_error", message, ...more } });
const metadata = (form, prefix) => Object.fromEntries(
  [...form].filter(([name]) => name.startsWith(`${prefix}[`)).map(([name, value]) => [name.slice(prefix.length + 1, -1), value]),
);
const bracketed = (marks) => Object.entries(marks).map(([name, value]) => [`metadata[${name}]`, value]);

export class StripePage extends Front {
  #sessions = new Map();
  #answers = new Map();
  /** What was captured of an intent, if less than all: localstripe does not say it. */
  #captured = new Map();
  /** The intents whose card is saved: localstripe does not know the field. */
  #saving = new Set();
  #key;

  async answer(request) {
    const { method, path, headers } = request;
    if (path.startsWith("/pay/")) return this.#onPage(request);
    const key = method === "POST" ? headers["idempotency-key"] : undefined;
    if (key && this.#answers.has(key)) return { ...this.#answers.get(key), by: "front" };
    const answer = path.startsWith(SESSIONS) ? await this.#onSession(request) : await this.#onApi(request);
    if (key) this.#answers.set(key, answer);
    return answer;
  }

  /** Calls localstripe with the key of the merchant. */
  async #ask(method, path, fields = []) {
    const headers = { authorization: this.#key, ...(method === "POST" ? { "content-type": "application/x-www-form-urlencoded" } : {}) };
    const { status, body } = await this.forward({ method, path, search: "", headers, body: new URLSearchParams(fields).toString() });
    return { status, value: JSON.parse(body) };
  }

  /** A call that localstripe has. */
  async #onApi(request) {
    const { method, path } = request;
    this.#key = request.headers.authorization;
    if (method === "GET" && path === INTENTS) return this.#list(request);
    const [, , , intent, action] = path.split("/");
    const kind = path.startsWith(INTENTS) && method === "POST" ? action ?? (intent ? "update" : "intents") : undefined;
    const form = new URLSearchParams(request.body);
    const without = [...form.keys()].filter((name) => UNKNOWN_FIELDS[kind]?.test(name));
    const left = [...form].filter(([name]) => !without.includes(name));
    const answer = await this.forward({ ...request, body: without.length > 0 ? new URLSearchParams(left).toString() : request.body }, without);
    if (kind === "capture" && answer.status === 200) {
      this.#captured.set(intent, Number(form.get("amount_to_capture") ?? Infinity));
      await this.#ask("POST", `${INTENTS}/${intent}`, [...form].filter(([name]) => name.startsWith("metadata[")));
    }
    if (!path.startsWith(INTENTS) || answer.status !== 200) return answer;
    const { value } = kind === "capture" ? await this.#ask("GET", `${INTENTS}/${intent}`) : { value: JSON.parse(answer.body) };
    return { ...answer, body: JSON.stringify(await this.#complete(value)) };
  }

  /** The intents that were made in a period, the newest first. */
  async #list(request) {
    const { query } = request;
    const bounds = { gte: 0, lte: Infinity };
    for (const bound of Object.keys(bounds)) bounds[bound] = Number(query.get(`created[${bound}]`) ?? bounds[bound]);
    const without = [...query.keys()].filter((name) => name.startsWith("created["));
    const left = new URLSearchParams([...query].filter(([name]) => !without.includes(name)));
    const answer = await this.forward({ ...request, search: `?${left}` }, without);
    if (answer.status !== 200) return answer;
    const list = JSON.parse(answer.body);
    const wanted = list.data.filter(({ created }) => created >= bounds.gte && created <= bounds.lte).reverse();
    return { ...answer, body: JSON.stringify({ ...list, data: await Promise.all(wanted.map((intent) => this.#complete(intent))) }) };
  }

  /** An intent as Stripe shows it. */
  async #complete(intent) {
    const charge = intent.latest_charge;
    const isTaken = intent.status === "succeeded";
    const taken = isTaken ? Math.min(intent.amount, this.#captured.get(intent.id) ?? intent.amount) : 0;
    const error = intent.last_payment_error && { type: "card_error", ...intent.last_payment_error };
    const more = { amount_received: taken, last_payment_error: error, setup_future_usage: this.#saving.has(intent.id) ? "off_session" : null };
    if (!charge) return { ...intent, ...more };
    const { value: method } = await this.#ask("GET", `/v1/payment_methods/${charge.payment_method}`);
    const details = { type: "card", card: method.card };
    return { ...intent, ...more, latest_charge: { ...charge, amount_captured: taken, payment_method_details: details, billing_details: method.billing_details } };
  }

  async #onSession(request) {
    const { method, path, headers, query } = request;
    this.#key = headers.authorization;
    if (!/^Bearer sk_.{3,}/.test(this.#key ?? "")) return fault(401, "Invalid API Key provided");
    const [known, action] = path.slice(SESSIONS.length + 1).split("/");
    if (known === "" && method === "POST") return this.#openSession(new URLSearchParams(request.body));
    if (known === "") return this.#listSessions(query);
    const session = this.#sessions.get(known);
    if (!session) return fault(404, `No such checkout.session: ${known}`);
    if (action === "expire" && method === "POST") {
      if (session.status !== "open") return fault(400, `Only Checkout Sessions with a status in ["open"] can be expired.`);
      Object.assign(session, { status: "expired", url: null });
    }
    return json(200, await this.#shown(session));
  }

  #openSession(form) {
    if (form.get("mode") !== "payment") return fault(400, "this counterparty has only pages that charge");
    const price = "line_items[0][price_data]";
    const session = {
      id: id("cs_test_"), object: "checkout.session", created: now(), livemode: false, mode: "payment", status: "open", payment_status: "unpaid",
      client_reference_id: form.get("client_reference_id"), metadata: metadata(form, "metadata"), customer: null, setup_intent: null, payment_intent: null,
      amount_total: Number(form.get(`${price}[unit_amount]`)), currency: form.get(`${price}[currency]`), success_url: form.get("success_url"), cancel_url: form.get("cancel_url"),
    };
    session.url = `${this.origin}/pay/${session.id}`;
    const intent = {
      capture_method: form.get("payment_intent_data[capture_method]"), marks: metadata(form, "payment_intent_data[metadata]"),
      saves: form.get("payment_intent_data[setup_future_usage]") !== null, email: form.get("customer_email"), key: this.#key,
      name: form.get(`${price}[product_data][name]`),
    };
    Object.defineProperty(session, "asked", { value: intent, enumerable: false });
    this.#sessions.set(session.id, session);
    return json(200, session);
  }

  #listSessions(query) {
    const [from, to] = [Number(query.get("created[gte]") ?? 0), Number(query.get("created[lte]") ?? Infinity)];
    const data = [...this.#sessions.values()].filter(({ created }) => created >= from && created <= to).reverse();
    return json(200, { object: "list", has_more: false, data, url: SESSIONS });
  }

  /** A session with its intent in full. */
  async #shown(session) {
    if (!session.payment_intent) return session;
    const { value } = await this.#ask("GET", `${INTENTS}/${session.payment_intent}`);
    return { ...session, payment_intent: await this.#complete(value) };
  }

  /** A person or a test at the page of a session. */
  async #onPage({ method, path, body }) {
    const session = this.#sessions.get(path.slice("/pay/".length));
    if (!session) return page("There is no such page", [], []);
    if (session.status !== "open") return page(`This page is ${session.status}`, [], []);
    this.#key = session.asked.key;
    if (method === "GET") return this.#choices(session);
    const choice = new URLSearchParams(body).get("choice");
    if (choice === "back") return redirect(session.cancel_url);
    if (choice === "confirm" || choice === "refuse") return this.#authenticate(session, choice === "confirm");
    return this.#pay(session, choice);
  }

  #choices(session, line = "") {
    const { amount_total: amount, currency, asked } = session;
    const lines = [`${asked.name}: ${amount} of the smallest unit of ${currency.toUpperCase()}`, "This page is a part of Till; the payment is made by localstripe.", line];
    const cards = CARDS.map(([number, what]) => [number, `Pay with ${number.replaceAll(/(.{4})(?=.)/g, "$1 ")}: ${what}`]);
    return page("Pay at localstripe", lines.filter(Boolean), [...cards, ["back", "Back to the shop"]]);
  }

  async #pay(session, number) {
    const { asked, amount_total: amount, currency } = session;
    const card = [["type", "card"], ["card[number]", number], ["card[exp_month]", "12"], ["card[exp_year]", "2034"], ["card[cvc]", "123"]];
    const { value: method } = await this.#ask("POST", "/v1/payment_methods", card);
    const { value: customer } = await this.#ask("POST", "/v1/customers", asked.email ? [["email", asked.email]] : [["description", "guest"]]);
    const attached = await this.#ask("POST", `/v1/payment_methods/${method.id}/attach`, [["customer", customer.id]]);
    if (attached.status !== 200) return this.#choices(session, attached.value.error.message);
    const fields = [
      ["amount", amount], ["currency", currency], ["capture_method", asked.capture_method], ["payment_method", method.id], ["customer", customer.id],
      ...bracketed(asked.marks), ["confirm", "true"],
    ];
    const { status, value } = await this.#ask("POST", INTENTS, fields);
    if (status !== 200) return this.#choices(session, value.error.message);
    session.payment_intent = value.id;
    if (asked.saves) {
      session.customer = customer.id;
      this.#saving.add(value.id);
    }
    if (value.status !== "requires_action") return this.#end(session);
    return page("The bank asks", ["Do you confirm this payment?"], [["confirm", "Confirm"], ["refuse", "Refuse"]]);
  }

  async #authenticate(session, success) {
    const path = `${INTENTS}/${session.payment_intent}`;
    const { value } = await this.#ask("GET", path);
    const { status } = await this.#ask("POST", `${path}/_authenticate`, [["client_secret", value.client_secret], ["success", success]]);
    return status === 200 && success ? this.#end(session) : this.#choices(session, "The bank did not confirm it.");
  }

  /** The payment is made: the page is over, and the browser goes back. */
  #end(session) {
    Object.assign(session, { status: "complete", url: null });
    return redirect(session.success_url);
  }

  /** The sessions of one of our references, for tests. */
  sessionOf(reference) {
    return [...this.#sessions.values()].find(({ client_reference_id }) => client_reference_id === reference);
  }

  /** Makes localstripe send its events to an address, signed with a secret. */
  async sendEvents(url, secret) {
    const response = await fetch(`${this.target}/_config/webhooks/till`, {
      method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ url, secret }),
    });
    if (!response.ok) throw new Error(`localstripe does not take the address of webhooks: ${response.status}`);
  }
}
