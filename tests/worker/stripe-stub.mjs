/** A stub of Stripe's API of 2023-08-16: Checkout Sessions, PaymentIntents, refunds, disputes, and signed events. */
import { randomBytes } from "node:crypto";
import Stripe from "stripe";
import { Stub, json } from "./stub.mjs";

export const KEY = "rk_test_of_the_stub_0123456789";
export const SECRET = "whsec_of_the_stub_0123456789";

/** The parameters that each address takes; others are refused as Stripe refuses them. */
const PARAMETERS = {
  sessions: /^(mode|client_reference_id|success_url|cancel_url|expires_at|locale|customer_email|customer_creation|payment_method_types\[\]|metadata\[\w+\]|adaptive_pricing\[enabled\]|line_items\[0\]\[quantity\]|line_items\[0\]\[price_data\]\[(currency|unit_amount|product_data\]\[name)\]|payment_intent_data\[(capture_method|description|setup_future_usage|metadata\]\[\w+)\]|setup_intent_data\[metadata\]\[\w+\])$/,
  expire: /^expand\[\]$/,
  methods: /^(type|card\[token\])$/,
  intents: /^(amount|currency|capture_method|confirm|payment_method|payment_method_types\[\]|customer|off_session|return_url|setup_future_usage|description|metadata\[\w+\]|expand\[\])$/,
  customers: /^(email|name|metadata\[\w+\])$/,
  update: /^(metadata\[\w+\]|expand\[\])$/,
  capture: /^(amount_to_capture|metadata\[\w+\]|expand\[\])$/,
  cancel: /^(cancellation_reason|expand\[\])$/,
  refunds: /^(payment_intent|amount|reason|metadata\[\w+\])$/,
};

/** What a token of Google Pay does when it is charged. One more, `tok_3ds`, wants the payer at the bank. */
const DECLINES = { tok_funds: "insufficient_funds", tok_code: "incorrect_cvc", tok_hostile: `new"}\n{"event":"answered","code":"${"x".repeat(300)}` };
const CARD = { brand: "visa", last4: "4242", exp_month: 12, exp_year: 2034 };
/** The states in which an intent can be canceled. */
const CANCELABLE = ["requires_payment_method", "requires_capture", "requires_confirmation", "requires_action", "processing"];

const id = (prefix) => prefix + randomBytes(12).toString("hex");
const fault = (status, type, message, members = {}) => json(status, { error: { type, message, ...members } });
const invalid = (message, members) => fault(400, "invalid_request_error", message, members);

/** A form or a query whose lists are written `name[]`: Stripe takes `name[0]` as well. */
const withLists = (fields) => new URLSearchParams([...fields].map(([name, value]) => [name.replace(/^(expand|payment_method_types)\[\d+\]$/, "$1[]"), value]));

/** The metadata in a form, below a prefix of its names. */
const metadata = (form, prefix = "metadata") =>
  Object.fromEntries([...form].filter(([name]) => name.startsWith(`${prefix}[`)).map(([name, value]) => [name.slice(prefix.length + 1, -1), value]));

export class StripeStub extends Stub {
  sessions = new Map();
  intents = new Map();
  refunds = new Map();
  disputes = new Map();
  customers = new Map();
  #methods = new Map();
  #answers = new Map();
  #signer = new Stripe("sk_test_unused");

  answer(request) {
    const { method, path, headers, body } = request;
    if (headers.authorization !== `Bearer ${KEY}`) return fault(401, "invalid_request_error", "Invalid API Key provided");
    if (headers["stripe-version"] !== "2023-08-16") return invalid("no such version");
    if (method === "GET") return this.#get(path, withLists(request.query));
    if (headers["content-type"] !== "application/x-www-form-urlencoded") return invalid("not a form");
    const key = headers["idempotency-key"];
    const known = this.#answers.get(key);
    if (known && known.body !== body) return fault(400, "idempotency_error", "Keys can only be used with the same parameters");
    if (known) return known.answer;
    const answer = this.#post(path, withLists(new URLSearchParams(body)));
    if (key) this.#answers.set(key, { body, answer });
    return answer;
  }

  #seconds() {
    return Math.floor(this.now() / 1000);
  }

  #get(path, query) {
    const [, , kind, one, two] = path.split("/");
    const expand = query.getAll("expand[]");
    const known = { checkout: two, payment_intents: one, refunds: one, disputes: one }[kind];
    const all = { checkout: this.sessions, payment_intents: this.intents, refunds: this.refunds, disputes: this.disputes }[kind];
    if (known) return all.has(known) ? json(200, this.#show(all.get(known), expand)) : fault(404, "invalid_request_error", `No such object: ${known}`);
    const bound = (name, otherwise) => Number(query.get(`created[${name}]`) ?? otherwise);
    const wanted = query.get("payment_intent");
    const found = [...all.values()].reverse().filter(({ created, payment_intent }) =>
      created >= bound("gte", 0) && created <= bound("lte", Infinity) && created < bound("lt", Infinity) && (!wanted || payment_intent === wanted));
    const from = query.has("starting_after") ? found.findIndex((object) => object.id === query.get("starting_after")) + 1 : 0;
    const page = found.slice(from, from + Number(query.get("limit") ?? 10));
    const data = page.map((object) => this.#show(object, expand.map((member) => member.replace(/^data\./, ""))));
    return json(200, { object: "list", has_more: from + page.length < found.length, data, url: path });
  }

  /** An object as an answer shows it: what it refers to is an id, or in full if that was asked for. */
  #show({ intent_data, ...object }, expand = []) {
    const inner = (name) => expand.filter((member) => member.startsWith(`${name}.`)).map((member) => member.slice(name.length + 1));
    const isWanted = (name) => expand.some((member) => member === name || member.startsWith(`${name}.`));
    if (object.object === "payment_intent" && object.latest_charge && !isWanted("latest_charge")) return { ...object, latest_charge: object.latest_charge.id };
    if (object.object === "checkout.session") this.#lapse(object);
    if (isWanted("payment_intent") && object.payment_intent) object.payment_intent = this.#show(this.intents.get(object.payment_intent), inner("payment_intent"));
    if (object.setup_intent && !isWanted("setup_intent")) object.setup_intent = object.setup_intent.id;
    return object;
  }

  /** A page ends by itself. */
  #lapse(session) {
    if (session.status === "open" && this.#seconds() >= session.expires_at) Object.assign(session, { status: "expired", url: null });
    return session;
  }

  #post(path, form) {
    const [, , kind, one, two, three] = path.split("/");
    const made = { checkout: "sessions", payment_methods: "methods", payment_intents: one ? "update" : "intents", refunds: "refunds", customers: "customers" };
    const what = three ?? (kind === "checkout" ? "sessions" : two ?? made[kind]);
    const unknown = [...form.keys()].find((name) => !PARAMETERS[what]?.test(name));
    if (unknown) return invalid(`Received unknown parameter: ${unknown}`, { code: "parameter_unknown", param: unknown });
    const expand = form.getAll("expand[]");
    switch (what) {
      case "sessions": return this.#openSession(form);
      case "expire": return this.#expire(two, expand);
      case "methods": return this.#makeMethod(form);
      case "customers": return this.#makeCustomer(form);
      case "intents": return this.#charge(form, expand);
      case "update": return this.#update(this.intents.get(one), form, expand);
      case "capture": return this.#capture(this.intents.get(one), form, expand);
      case "cancel": return this.#cancel(this.intents.get(one), form, expand);
      case "refunds": return this.#refund(form);
      default: return invalid("no such address");
    }
  }

  #openSession(form) {
    const isSetup = form.get("mode") === "setup";
    const amount = isSetup ? null : Number(form.get("line_items[0][price_data][unit_amount]"));
    const wait = Number(form.get("expires_at")) - this.#seconds();
    const isPayable = isSetup || (form.get("mode") === "payment" && amount > 0 && amount % 10 === 0);
    if (!isPayable || wait < 1795 || wait > 86_405) return invalid("no such session can be made");
    const session = {
      id: id("cs_test_"), object: "checkout.session", created: this.#seconds(), livemode: false, mode: form.get("mode"), status: "open", payment_status: "unpaid",
      client_reference_id: form.get("client_reference_id"), metadata: metadata(form), amount_total: amount, currency: form.get("line_items[0][price_data][currency]"),
      // The Dashboard of this account has Adaptive Pricing on.
      adaptive_pricing: { enabled: form.get("adaptive_pricing[enabled]") !== "false" },
      success_url: form.get("success_url"), cancel_url: form.get("cancel_url"), expires_at: Number(form.get("expires_at")), payment_intent: null, setup_intent: null, customer: null,
    };
    session.url = `https://checkout.stripe.com/c/pay/${session.id}`;
    session.intent_data = {
      capture_method: form.get("payment_intent_data[capture_method]"), metadata: this.#deep(form), has_customer: form.get("customer_creation") === "always",
      setup_future_usage: form.get("payment_intent_data[setup_future_usage]"),
    };
    this.sessions.set(session.id, session);
    return json(200, this.#show(session));
  }

  #deep(form) {
    const names = [...form].map(([name, value]) => [/^(?:payment|setup)_intent_data\[metadata\]\[(\w+)\]$/.exec(name)?.[1], value]);
    return Object.fromEntries(names.filter(([name]) => name));
  }

  #expire(known, expand) {
    const session = this.#lapse(this.sessions.get(known));
    if (session.status !== "open") return invalid(`Only Checkout Sessions with a status in ["open"] can be expired.`);
    Object.assign(session, { status: "expired", url: null });
    return json(200, this.#show(session, expand));
  }

  #makeMethod(form) {
    const token = form.get("card[token]");
    if (form.get("type") !== "card" || !token?.startsWith("tok_")) return invalid("no such token");
    return json(200, { id: this.#method(token), object: "payment_method", type: "card" });
  }

  /** What pays: a token of Google Pay, or the card of a page. */
  #method(token, customer) {
    const method = id("pm_");
    this.#methods.set(method, { token, customer });
    return method;
  }

  #makeCustomer(form) {
    const customer = { id: id("cus_"), object: "customer", email: form?.get("email") ?? null, metadata: form ? metadata(form) : {} };
    this.customers.set(customer.id, customer);
    return json(200, customer);
  }

  #charge(form, expand) {
    const known = form.get("payment_method");
    const method = this.#methods.get(known);
    const customer = form.get("customer") ?? undefined;
    if (!method || form.get("confirm") !== "true") return invalid("no such payment method");
    if (method.customer && method.customer !== customer) return invalid("The payment method belongs to another customer");
    if (form.get("off_session") === "true" && !customer) return invalid("A payment without the payer needs a customer");
    if (form.has("setup_future_usage")) method.customer = customer;
    const intent = this.#intent(Number(form.get("amount")), form.get("currency"), form.get("capture_method"), metadata(form));
    Object.assign(intent, { payment_method: known, customer: customer ?? null, setup_future_usage: form.get("setup_future_usage") });
    const decline_code = DECLINES[method.token];
    if (decline_code) return this.#decline(intent, decline_code);
    if (method.token === "tok_3ds" && form.get("off_session") !== "true") {
      const url = `https://hooks.stripe.com/3d_secure_2/hosted?intent=${intent.id}`;
      Object.assign(intent, { status: "requires_action", next_action: { type: "redirect_to_url", redirect_to_url: { return_url: form.get("return_url"), url } } });
      return json(200, this.#show(intent, expand));
    }
    return json(200, this.#show(this.#approve(intent), expand));
  }

  #decline(intent, decline_code) {
    const error = { type: "card_error", code: "card_declined", decline_code, message: "Your card was declined." };
    Object.assign(intent, { status: "requires_payment_method", last_payment_error: error });
    return json(402, { error: { ...error, payment_intent: this.#show(intent) } });
  }

  #intent(amount, currency, capture_method, marks) {
    const intent = {
      id: id("pi_"), object: "payment_intent", created: this.#seconds(), livemode: false, amount, amount_received: 0, amount_capturable: 0, currency, capture_method,
      metadata: marks, status: "requires_confirmation", last_payment_error: null, next_action: null, customer: null, payment_method: id("pm_"),
      setup_future_usage: null, cancellation_reason: null, latest_charge: null,
    };
    this.intents.set(intent.id, intent);
    return intent;
  }

  #approve(intent) {
    const isHeld = intent.capture_method === "manual";
    const card = { ...CARD, authorization_code: "123456" };
    intent.latest_charge = {
      id: id("ch_"), object: "charge", created: this.#seconds(), status: "succeeded", amount: intent.amount, amount_captured: isHeld ? 0 : intent.amount, amount_refunded: 0, captured: !isHeld,
      currency: intent.currency, metadata: intent.metadata, payment_intent: intent.id, billing_details: { name: null }, payment_method_details: { type: "card", card },
      outcome: { seller_message: "Payment complete." }, refunded: false,
    };
    return Object.assign(intent, { next_action: null }, isHeld
      ? { status: "requires_capture", amount_capturable: intent.amount }
      : { status: "succeeded", amount_received: intent.amount });
  }

  #update(intent, form, expand) {
    if (!intent) return fault(404, "invalid_request_error", "No such payment_intent");
    intent.metadata = { ...intent.metadata, ...metadata(form) };
    return json(200, this.#show(intent, expand));
  }

  #unexpected(intent) {
    return invalid(`This PaymentIntent has a status of ${intent?.status}`, { code: "payment_intent_unexpected_state", ...(intent ? { payment_intent: this.#show(intent) } : {}) });
  }

  #capture(intent, form, expand) {
    const amount = Number(form.get("amount_to_capture"));
    if (intent?.status !== "requires_capture" || amount > intent.amount_capturable) return this.#unexpected(intent);
    Object.assign(intent, { status: "succeeded", amount_received: amount, amount_capturable: 0, metadata: { ...intent.metadata, ...metadata(form) } });
    Object.assign(intent.latest_charge, { captured: true, amount_captured: amount, amount_refunded: intent.amount - amount });
    return json(200, this.#show(intent, expand));
  }

  #cancel(intent, form, expand) {
    if (!CANCELABLE.includes(intent?.status)) return this.#unexpected(intent);
    Object.assign(intent, { status: "canceled", cancellation_reason: form.get("cancellation_reason"), amount_capturable: 0, next_action: null });
    if (intent.latest_charge) Object.assign(intent.latest_charge, { refunded: true, amount_refunded: intent.amount });
    return json(200, this.#show(intent, expand));
  }

  #refund(form) {
    const intent = this.intents.get(form.get("payment_intent"));
    const amount = Number(form.get("amount"));
    const given = [...this.refunds.values()].filter(({ payment_intent }) => payment_intent === intent?.id).reduce((sum, refund) => sum + refund.amount, 0);
    if (intent?.status !== "succeeded" || amount + given > intent.amount_received) return invalid("too much", { code: "charge_already_refunded" });
    const refund = {
      id: id("re_"), object: "refund", created: this.#seconds(), amount, currency: intent.currency, status: "succeeded", charge: intent.latest_charge.id,
      payment_intent: intent.id, metadata: metadata(form), reason: null, destination_details: { type: "card", card: { reference: "74000000001", type: "refund" } },
    };
    this.refunds.set(refund.id, refund);
    intent.latest_charge.amount_refunded += amount;
    return json(200, refund);
  }

  /** The payer's bank disputes a payment, or a dispute goes on; returns it as Stripe has it now. */
  dispute(reference, { id: known = id("du_"), ...members } = {}) {
    const { id: payment_intent, amount, currency, latest_charge } = this.chargesOf(reference).at(-1);
    const before = this.disputes.get(known) ?? {
      id: known, object: "dispute", created: this.#seconds(), livemode: false, amount, currency, charge: latest_charge.id, payment_intent, reason: "product_not_received", status: "needs_response",
      balance_transactions: [], evidence: {}, evidence_details: { due_by: 1_799_258_400, has_evidence: false, past_due: false, submission_count: 0 }, is_charge_refundable: false, metadata: {},
    };
    const dispute = { ...before, ...members };
    this.disputes.set(known, dispute);
    return dispute;
  }

  /** The session of one of our references. */
  sessionOf(reference) {
    return [...this.sessions.values()].find(({ client_reference_id }) => client_reference_id === reference);
  }

  /** The intents of one of our references. */
  chargesOf(reference) {
    return [...this.intents.values()].filter((intent) => intent.metadata.charge === reference);
  }

  /** The payer pays on the page, or confirms a card there; returns the address to which Stripe sends the browser. */
  pay(reference) {
    const session = this.#openPage(reference);
    const { capture_method, metadata: marks, has_customer, setup_future_usage } = session.intent_data;
    const customer = has_customer ? JSON.parse(this.#makeCustomer().body).id : null;
    session.customer = customer;
    if (session.mode === "setup") {
      const method = this.#method("page", customer);
      const payment_method = { id: method, object: "payment_method", type: "card", card: CARD, billing_details: { name: null } };
      session.setup_intent = { id: id("seti_"), object: "setup_intent", status: "succeeded", customer, metadata: marks, payment_method };
      return Object.assign(session, { status: "complete", payment_status: "no_payment_required", url: null }).success_url;
    }
    const intent = this.#approve(this.#intent(session.amount_total, session.currency, capture_method, marks));
    Object.assign(intent, { customer, setup_future_usage, payment_method: this.#method("page", setup_future_usage ? customer : undefined) });
    Object.assign(session, { status: "complete", payment_status: intent.status === "succeeded" ? "paid" : "unpaid", payment_intent: intent.id, url: null });
    return session.success_url;
  }

  #openPage(reference) {
    const session = this.#lapse(this.sessionOf(reference));
    if (session.status !== "open") throw new Error(`the page is ${session.status}`);
    return session;
  }

  /** The payer does what the bank wants; returns the address to which Stripe sends the browser. */
  authenticate(reference) {
    const intent = this.chargesOf(reference).find(({ status }) => status === "requires_action");
    const { return_url } = intent.next_action.redirect_to_url;
    this.#approve(intent);
    return `${return_url}?payment_intent=${intent.id}&redirect_status=succeeded`;
  }

  /** An event, and the headers with which Stripe sends it. */
  event(type, object, secret = SECRET) {
    const payload = JSON.stringify({ id: id("evt_"), object: "event", api_version: "2023-08-16", type, data: { object: this.#show(object) } });
    return [payload, { "stripe-signature": this.#signer.webhooks.generateTestHeaderString({ payload, secret }) }];
  }

  /** The money that moved for one of our references, in minor units. */
  ledger(reference) {
    const charged = this.chargesOf(reference).filter(({ latest_charge }) => latest_charge);
    const sum = (list, of) => list.reduce((total, one) => total + of(one), 0);
    const refunds = [...this.refunds.values()].filter(({ payment_intent }) => charged.some((intent) => intent.id === payment_intent));
    return {
      charges: charged.map(({ amount }) => amount), captured: sum(charged, ({ latest_charge }) => latest_charge.amount_captured),
      refunded: sum(refunds, ({ amount }) => amount), voided: sum(charged.filter(({ status }) => status === "canceled"), ({ amount }) => amount),
    };
  }
}
