/** A stub of Stripe's API of 2023-08-16: Checkout Sessions, PaymentIntents, refunds, and signed events. */
import { randomBytes } from "node:crypto";
import Stripe from "stripe";
import { Stub, json } from "./stub.mjs";

export const KEY = "rk_test_of_the_stub_0123456789";
export const SECRET = "whsec_of_the_stub_0123456789";

/** The parameters that each address takes; others are refused as Stripe refuses them. */
const PARAMETERS = {
  sessions: /^(mode|client_reference_id|success_url|cancel_url|expires_at|locale|customer_email|customer_creation|payment_method_types\[\]|metadata\[\w+\]|line_items\[0\]\[quantity\]|line_items\[0\]\[price_data\]\[(currency|unit_amount|product_data\]\[name)\]|payment_intent_data\[(capture_method|description|setup_future_usage|metadata\]\[\w+)\])$/,
  expire: /^expand\[\]$/,
  methods: /^(type|card\[token\])$/,
  intents: /^(amount|currency|capture_method|confirm|payment_method|payment_method_types\[\]|customer|off_session|return_url|setup_future_usage|description|metadata\[\w+\]|expand\[\])$/,
  capture: /^(amount_to_capture|metadata\[\w+\]|expand\[\])$/,
  cancel: /^(cancellation_reason|expand\[\])$/,
  refunds: /^(payment_intent|amount|reason|metadata\[\w+\])$/,
};

/** What a token of Google Pay does when it is charged. */
const DECLINES = { tok_funds: "insufficient_funds", tok_code: "incorrect_cvc" };

const id = (prefix) => prefix + randomBytes(12).toString("hex");
const now = () => Math.floor(Date.now() / 1000);
const fault = (status, type, message, members = {}) => json(status, { error: { type, message, ...members } });
const invalid = (message, members) => fault(400, "invalid_request_error", message, members);

/** The metadata in a form, below a prefix of its names. */
const metadata = (form, prefix = "metadata") =>
  Object.fromEntries([...form].filter(([name]) => name.startsWith(`${prefix}[`)).map(([name, value]) => [name.slice(prefix.length + 1, -1), value]));

export class StripeStub extends Stub {
  sessions = new Map();
  intents = new Map();
  refunds = new Map();
  #methods = new Map();
  #answers = new Map();
  #signer = new Stripe("sk_test_unused");

  answer(request) {
    const { method, path, headers, body } = request;
    if (headers.authorization !== `Bearer ${KEY}`) return fault(401, "invalid_request_error", "Invalid API Key provided");
    if (headers["stripe-version"] !== "2023-08-16") return invalid("no such version");
    if (method === "GET") return this.#get(path, request.query);
    if (headers["content-type"] !== "application/x-www-form-urlencoded") return invalid("not a form");
    const key = headers["idempotency-key"];
    const known = this.#answers.get(key);
    if (known && known.body !== body) return fault(400, "idempotency_error", "Keys can only be used with the same parameters");
    if (known) return known.answer;
    const answer = this.#post(path, new URLSearchParams(body));
    if (key) this.#answers.set(key, { body, answer });
    return answer;
  }

  #get(path, query) {
    const [, , kind, one, two] = path.split("/");
    if (kind === "checkout" && two) return this.sessions.has(two) ? json(200, this.#session(two)) : fault(404, "invalid_request_error", "No such session");
    if (kind === "payment_intents" && one) return this.intents.has(one) ? json(200, this.intents.get(one)) : fault(404, "invalid_request_error", "No such intent");
    if (kind === "refunds" && one) return this.refunds.has(one) ? json(200, this.refunds.get(one)) : fault(404, "invalid_request_error", "No such refund");
    const all = { checkout: this.sessions, payment_intents: this.intents, refunds: this.refunds }[kind];
    const [from, to] = ["gte", "lte"].map((bound) => Number(query.get(`created[${bound}]`) ?? (bound === "gte" ? 0 : Infinity)));
    const data = [...all.values()].filter(({ created }) => created >= from && created <= to).reverse();
    const wanted = query.get("payment_intent");
    return json(200, { object: "list", has_more: false, data: wanted ? data.filter(({ payment_intent }) => payment_intent === wanted) : data, url: path });
  }

  #post(path, form) {
    const [, , kind, one, two, three] = path.split("/");
    const what = three ?? (kind === "checkout" ? "sessions" : two ?? { payment_methods: "methods", payment_intents: "intents", refunds: "refunds" }[kind]);
    const unknown = [...form.keys()].find((name) => !PARAMETERS[what]?.test(name));
    if (unknown) return invalid(`Received unknown parameter: ${unknown}`, { code: "parameter_unknown", param: unknown });
    switch (what) {
      case "sessions": return this.#openSession(form);
      case "expire": return this.#expire(two);
      case "methods": return this.#makeMethod(form);
      case "intents": return this.#charge(form);
      case "capture": return this.#capture(this.intents.get(one), form);
      case "refunds": return this.#refund(form);
      default: return invalid("no such address");
    }
  }

  #openSession(form) {
    const amount = Number(form.get("line_items[0][price_data][unit_amount]"));
    const wait = Number(form.get("expires_at")) - now();
    if (form.get("mode") !== "payment" || !(amount > 0) || amount % 10 !== 0 || wait < 1795 || wait > 86_405) return invalid("no such session can be made");
    const session = {
      id: id("cs_test_"), object: "checkout.session", created: now(), livemode: false, mode: "payment", status: "open", payment_status: "unpaid",
      client_reference_id: form.get("client_reference_id"), metadata: metadata(form), amount_total: amount, currency: form.get("line_items[0][price_data][currency]"),
      success_url: form.get("success_url"), cancel_url: form.get("cancel_url"), payment_intent: null, setup_intent: null, customer: null,
    };
    session.url = `https://checkout.stripe.com/c/pay/${session.id}`;
    session.intent_data = { capture_method: form.get("payment_intent_data[capture_method]"), metadata: this.#deep(form) };
    this.sessions.set(session.id, session);
    return json(200, this.#session(session.id));
  }

  #deep(form) {
    const names = [...form].map(([name, value]) => [/^payment_intent_data\[metadata\]\[(\w+)\]$/.exec(name)?.[1], value]);
    return Object.fromEntries(names.filter(([name]) => name));
  }

  /** A session as an answer shows it, with its intent in full. */
  #session(known) {
    const { intent_data, ...session } = this.sessions.get(known);
    return { ...session, payment_intent: this.intents.get(session.payment_intent) ?? session.payment_intent };
  }

  #expire(known) {
    const session = this.sessions.get(known);
    if (session.status !== "open") return invalid(`Only Checkout Sessions with a status in ["open"] can be expired.`);
    Object.assign(session, { status: "expired", url: null });
    return json(200, this.#session(known));
  }

  #makeMethod(form) {
    const token = form.get("card[token]");
    if (form.get("type") !== "card" || !token?.startsWith("tok_")) return invalid("no such token");
    const method = id("pm_");
    this.#methods.set(method, token);
    return json(200, { id: method, object: "payment_method", type: "card" });
  }

  #charge(form) {
    const token = this.#methods.get(form.get("payment_method"));
    if (!token || form.get("confirm") !== "true") return invalid("no such payment method");
    const intent = this.#intent(Number(form.get("amount")), form.get("currency"), form.get("capture_method"), metadata(form));
    const decline_code = DECLINES[token];
    if (!decline_code) return json(200, this.#approve(intent));
    const error = { type: "card_error", code: "card_declined", decline_code, message: "Your card was declined." };
    Object.assign(intent, { status: "requires_payment_method", last_payment_error: error });
    return json(402, { error: { ...error, payment_intent: intent } });
  }

  #intent(amount, currency, capture_method, marks) {
    const intent = {
      id: id("pi_"), object: "payment_intent", created: now(), livemode: false, amount, amount_received: 0, amount_capturable: 0, currency, capture_method,
      metadata: marks, status: "requires_confirmation", last_payment_error: null, next_action: null, customer: null, payment_method: id("pm_"),
      cancellation_reason: null, latest_charge: null,
    };
    this.intents.set(intent.id, intent);
    return intent;
  }

  #approve(intent) {
    const isHeld = intent.capture_method === "manual";
    const card = { brand: "visa", last4: "4242", exp_month: 12, exp_year: 2034, authorization_code: "123456" };
    intent.latest_charge = {
      id: id("ch_"), object: "charge", created: now(), status: "succeeded", amount: intent.amount, amount_captured: isHeld ? 0 : intent.amount, amount_refunded: 0, captured: !isHeld,
      currency: intent.currency, metadata: intent.metadata, payment_intent: intent.id, billing_details: { name: null }, payment_method_details: { type: "card", card },
      outcome: { seller_message: "Payment complete." }, refunded: false,
    };
    return Object.assign(intent, isHeld
      ? { status: "requires_capture", amount_capturable: intent.amount }
      : { status: "succeeded", amount_received: intent.amount });
  }

  #capture(intent, form) {
    const amount = Number(form.get("amount_to_capture"));
    if (intent?.status !== "requires_capture" || amount > intent.amount_capturable) return invalid("cannot be captured", { code: "payment_intent_unexpected_state" });
    Object.assign(intent, { status: "succeeded", amount_received: amount, amount_capturable: 0, metadata: { ...intent.metadata, ...metadata(form) } });
    Object.assign(intent.latest_charge, { captured: true, amount_captured: amount, amount_refunded: intent.amount - amount });
    return json(200, intent);
  }

  #refund(form) {
    const intent = this.intents.get(form.get("payment_intent"));
    const amount = Number(form.get("amount"));
    const given = [...this.refunds.values()].filter(({ payment_intent }) => payment_intent === intent?.id).reduce((sum, refund) => sum + refund.amount, 0);
    if (intent?.status !== "succeeded" || amount + given > intent.amount_received) return invalid("too much", { code: "charge_already_refunded" });
    const refund = {
      id: id("re_"), object: "refund", created: now(), amount, currency: intent.currency, status: "succeeded", charge: intent.latest_charge.id,
      payment_intent: intent.id, metadata: metadata(form), reason: null, destination_details: { type: "card", card: { reference: "74000000001", type: "refund" } },
    };
    this.refunds.set(refund.id, refund);
    return json(200, refund);
  }

  /** The session of one of our references. */
  sessionOf(reference) {
    return [...this.sessions.values()].find(({ client_reference_id }) => client_reference_id === reference);
  }

  /** The intents of one of our references. */
  chargesOf(reference) {
    return [...this.intents.values()].filter((intent) => intent.metadata.charge === reference);
  }

  /** The payer pays on the page; returns the address to which Stripe sends the browser. */
  pay(reference) {
    const session = this.sessionOf(reference);
    const intent = this.#approve(this.#intent(session.amount_total, session.currency, session.intent_data.capture_method, session.intent_data.metadata));
    Object.assign(session, { status: "complete", payment_status: intent.status === "succeeded" ? "paid" : "unpaid", payment_intent: intent.id, url: null });
    return session.success_url;
  }

  /** An event, and the headers with which Stripe sends it. */
  event(type, object, secret = SECRET) {
    const payload = JSON.stringify({ id: id("evt_"), object: "event", api_version: "2023-08-16", type, data: { object } });
    return [payload, { "stripe-signature": this.#signer.webhooks.generateTestHeaderString({ payload, secret }) }];
  }
}
