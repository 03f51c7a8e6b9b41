/**
 * A stub of Checkout.com's unified payments API, written from its public reference: hosted payments pages, tokens, payments with
 * their actions, lists, and signed events. Two official clients are run against it as well (`tests/gateways/foreign/`).
 */
import { createHmac, randomInt } from "node:crypto";
import { Stub, json } from "./stub.mjs";

/** In the form that the gateway's own clients want of keys. */
export const KEY = "sk_sbox_thestubofthisservicesecreta";
export const PUBLIC_KEY = "pk_sbox_thestubofthisservicepublica";
export const SECRET = "signature-key-of-the-stub";
export const PREFIX = "vkuhvk4v";

/** The members that each request takes at the top; others are refused, which the gateway itself does not do. */
const MEMBERS = {
  page: ["amount", "currency", "reference", "description", "display_name", "capture", "payment_type", "success_url", "failure_url", "cancel_url", "processing_channel_id", "customer",
    "billing", "shipping", "3ds", "metadata", "locale", "allow_payment_methods", "payment_method_configuration", "products", "risk", "payment_ip"],
  payment: ["source", "amount", "currency", "reference", "description", "capture", "payment_type", "merchant_initiated", "success_url", "failure_url", "processing_channel_id", "customer",
    "3ds", "metadata", "previous_payment_id", "shipping", "risk", "items"],
  captures: ["amount", "capture_type", "reference", "metadata", "description", "customer"],
  refunds: ["amount", "reference", "metadata"],
  voids: ["reference", "metadata"],
};
const METHODS = ["card", "knet", "benefit", "qpay", "stcpay", "tamara", "tabby", "applepay", "googlepay"];
const THOUSANDTHS = ["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"];
const DECLINES = { funds: ["20051", "Insufficient Funds"], expired: ["30033", "Expired Card - Pick Up"] };
/** For how long a page can be paid, in milliseconds. */
const PAGE_IS_OPEN = 30 * 60_000;
const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";

const id = (prefix, length = 26) => `${prefix}_${Array.from({ length }, () => ALPHABET[randomInt(32)]).join("")}`;
const invalid = (...error_codes) => json(422, { request_id: id("req"), error_type: "request_invalid", error_codes });
/** The documented answers without a body. */
const bare = (status) => ({ status, body: "" });

const isAmount = (amount, currency, least = 1) =>
  Number.isSafeInteger(amount) && amount >= least && amount <= 999_999_999 && /^[A-Z]{3}$/.test(currency) && (!THOUSANDTHS.includes(currency) || amount % 10 === 0);
const unknownOf = (request, what) => Object.keys(request).find((name) => !MEMBERS[what].includes(name));

export class CheckoutComStub extends Stub {
  pages = new Map();
  payments = new Map();
  /** Whether actions wait until `settle`. */
  isSlow = false;
  /** Actions that the bank declines, by their kind. */
  declines = new Set();
  /** Disputes by their ids. */
  disputes = new Map();
  #tokens = new Map();
  #sources = new Map();
  #sessions = new Map();
  #searches = new Map();
  #answers = new Map();

  answer({ method, path, query, headers, body }) {
    const [, kind, one, two] = path.split("/");
    const key = (headers.authorization ?? "").replace(/^Bearer /, "");
    if (key !== (kind === "tokens" ? PUBLIC_KEY : KEY)) return bare(401);
    if (method === "GET") return this.#get(kind, one, two, query);
    if (method !== "POST") return bare(404);
    const request = body ? JSON.parse(body) : {};
    const repeated = headers["cko-idempotency-key"];
    if (repeated && this.#answers.has(repeated)) return this.#answers.get(repeated);
    const answer = this.#post(kind, one, two, request);
    // What was not carried out is not remembered.
    if (repeated && answer.status < 400) this.#answers.set(repeated, answer);
    return answer;
  }

  #post(kind, one, two, request) {
    if (kind === "hosted-payments") return this.#openPage(request);
    if (kind === "tokens") return this.#makeToken(request);
    if (kind !== "payments") return bare(404);
    if (one === "search") return this.#search(request);
    return one ? this.#act(this.payments.get(one), two, request) : this.#pay(request);
  }

  #get(kind, one, two, query) {
    if (kind === "hosted-payments") return this.pages.has(one) ? json(200, this.#showPage(this.pages.get(one))) : bare(404);
    if (kind === "disputes") return this.#getDisputes(one, query);
    if (kind !== "payments") return bare(404);
    if (one === undefined) return this.#list(query);
    if (one === "search") return this.#nextPage(two, query.get("token"));
    const payment = this.payments.get(this.#sessions.get(one) ?? one);
    if (!payment) return bare(404);
    if (two === "actions") return json(200, payment.actions.map(({ isPending, ...action }) => action));
    return json(200, this.#show(payment, one.startsWith("sid_")));
  }

  #iso() {
    return new Date(this.now()).toISOString();
  }

  #links(payment, more = {}) {
    const self = `${this.origin}/payments/${payment.id}`;
    const links = { self: { href: self }, actions: { href: `${self}/actions` } };
    for (const word of ["capture", "void", "refund"]) if (this.#available(payment)[word] > 0) links[word] = { href: `${self}/${word}s` };
    return { ...links, ...more };
  }

  #openPage(request) {
    const unknown = unknownOf(request, "page");
    if (unknown) return invalid(`${unknown}_unknown`);
    const { amount, currency, billing, allow_payment_methods: methods = METHODS } = request;
    if (!isAmount(amount, currency, 0)) return invalid("amount_invalid");
    if (!/^[A-Z]{2}$/.test(billing?.address?.country)) return invalid("billing_address_country_required");
    for (const name of ["success_url", "failure_url", "cancel_url"]) if (!URL.canParse(request[name]) || request[name].length > 255) return invalid(`${name}_invalid`);
    if ((request.reference ?? "").length > 50) return invalid("reference_invalid");
    if (methods.length === 0 || methods.some((method) => !METHODS.includes(method))) return invalid("allow_payment_methods_invalid");
    const page = { id: id("hpp", 12), request, closesAt: this.now() + PAGE_IS_OPEN };
    this.pages.set(page.id, page);
    const { self, redirect } = this.#pageLinks(page);
    return json(201, { id: page.id, reference: request.reference, _links: { self, redirect } });
  }

  #pageLinks({ id: page, payment }) {
    const links = { self: { href: `${this.origin}/hosted-payments/${page}` }, redirect: { href: `${this.origin}/page/${page}` } };
    if (payment) links.payment = { href: `${this.origin}/payments/${payment}` };
    return links;
  }

  #showPage(page) {
    const { amount, currency, reference, description, customer, billing, metadata, success_url, cancel_url, failure_url } = page.request;
    const status = page.isPaid ? "Payment Received" : this.now() >= page.closesAt ? "Expired" : "Payment Pending";
    return {
      id: page.id, status, ...(page.payment ? { payment_id: page.payment } : {}), amount, currency, reference, description, customer, billing, metadata, success_url, cancel_url, failure_url,
      _links: this.#pageLinks(page),
    };
  }

  #makeToken({ type, token_data: data, ...card }) {
    const isWallet = ["applepay", "googlepay"].includes(type) && data !== null && typeof data === "object";
    if (!isWallet && !(type === "card" && /^\d{15,16}$/.test(card.number))) return invalid(isWallet ? "token_data_invalid" : "type_invalid");
    const token = id("tok");
    this.#tokens.set(token, { type, plan: data?.plan ?? "approve" });
    const format = data?.plan === "challenge" || type === "card" ? "pan_only" : "cryptogram_3ds";
    return json(201, {
      type, token, ...(isWallet ? { token_format: format } : {}), expires_on: new Date(this.now() + 900_000).toISOString(), expiry_month: 6, expiry_year: 2035, scheme: "Visa", last4: "4242", bin: "424242",
      card_type: "Credit", card_category: "Consumer", issuer_country: "KW", product_id: "A", product_type: "Visa Traditional",
    });
  }

  /** What pays, and what the bank then does; nothing for what is not known. */
  #meansOf({ source, merchant_initiated: isAbsent, previous_payment_id: previous }) {
    if (source?.type === "token") {
      const token = this.#tokens.get(source.token);
      this.#tokens.delete(source.token);
      return token && { plan: token.plan, saves: source.store_for_future_use !== false, wallet: token.type };
    }
    const isKnown = source?.type === "id" && this.#sources.has(source.id);
    if (!isKnown || (isAbsent && !this.payments.has(previous))) return undefined;
    return { plan: "approve", source: source.id, saves: true };
  }

  #pay(request) {
    const unknown = unknownOf(request, "payment");
    if (unknown) return invalid(`${unknown}_unknown`);
    if (!isAmount(request.amount ?? 0, request.currency, 0)) return invalid("amount_invalid");
    if (!["Regular", "Recurring", "MOTO", "Installment", "Unscheduled", undefined].includes(request.payment_type)) return invalid("payment_type_invalid");
    const means = this.#meansOf(request);
    if (!means) return invalid("payment_source_invalid");
    if (means.plan === "challenge" && request["3ds"]?.enabled === true) {
      const payment = this.#make(request, means, "Pending");
      const session = id("sid");
      this.#sessions.set(session, payment.id);
      const redirect = { href: `${this.origin}/sessions-interceptor/${session}` };
      return json(202, { id: payment.id, status: "Pending", reference: payment.reference, customer: payment.customer, "3ds": { downgraded: false, enrolled: "Y" }, _links: this.#links(payment, { redirect }) });
    }
    const payment = this.#make(request, means);
    const [{ id: action_id, response_code, response_summary, auth_code }] = payment.actions.slice(-1);
    const { requested_on, balances, ...shown } = this.#show(payment, false);
    const status = payment.status === "Captured" ? "Authorized" : payment.status;
    return json(201, { ...shown, action_id, status, auth_code, response_code, response_summary, processed_on: this.#iso() });
  }

  /** A payment, decided by the bank unless it waits for the payer. */
  #make(request, means, status) {
    const { amount = 0, currency, reference, metadata = {}, customer, payment_type = "Regular", capture = true } = request;
    const payment = {
      id: id("pay"), amount, currency, reference, metadata, payment_type, customer: customer && { id: id("cus"), ...customer }, requested_on: this.#iso(), status: status ?? "Authorized", isHeld: capture === false,
      means, returns: request.success_url, actions: [], approved: false, scheme_id: `48934106${randomInt(1e6, 9e6)}`, at: this.now(),
    };
    this.payments.set(payment.id, payment);
    if (!status) this.#decide(payment);
    return payment;
  }

  #decide(payment) {
    const [code, summary] = DECLINES[payment.means.plan] ?? ["10000", "Approved"];
    const approved = code === "10000";
    const type = payment.amount === 0 ? "Card Verification" : "Authorization";
    payment.actions.unshift({
      id: id("act"), type, processed_on: this.#iso(), amount: payment.amount, approved, ...(approved ? { auth_code: "643381" } : {}), response_code: code, response_summary: summary, reference: payment.reference, metadata: payment.metadata,
    });
    Object.assign(payment, { approved, status: approved ? (payment.amount === 0 ? "Card Verified" : "Authorized") : "Declined" });
    if (!approved) return;
    if (payment.means.saves) {
      payment.source ??= payment.means.source ?? id("src");
      this.#sources.set(payment.source, payment.id);
    }
    if (!payment.isHeld && payment.amount > 0) this.#append(payment, { type: "Capture", amount: payment.amount, reference: payment.reference, metadata: payment.metadata });
  }

  #append(payment, { type, amount, reference, metadata }, isPending = false) {
    const approved = !this.declines.has(type);
    const action = { id: id("act"), type, processed_on: this.#iso(), amount, reference, metadata, processing: { acquirer_reference_number: `1752866${randomInt(1e4, 9e4)}` } };
    if (!isPending) this.#close(payment, Object.assign(action, { approved, response_code: approved ? "10000" : "20005", response_summary: approved ? "Approved" : "Declined - Do Not Honour" }));
    payment.actions.unshift(Object.assign(action, { isPending }));
    return action;
  }

  #close(payment, { type, amount, approved }) {
    if (!approved) return;
    const { captured, refunded } = this.#sums(payment, { type, amount });
    if (type === "Void") payment.status = captured > 0 ? "Partially Captured" : "Voided";
    if (type === "Capture") payment.status = captured < payment.amount ? "Partially Captured" : "Captured";
    if (type === "Refund") payment.status = refunded < captured ? "Partially Refunded" : "Refunded";
  }

  #sums({ actions }, more) {
    const done = [...actions.filter(({ approved }) => approved), ...(more ? [more] : [])];
    const sum = (wanted) => done.filter(({ type }) => type === wanted).reduce((total, { amount }) => total + amount, 0);
    return { captured: sum("Capture"), refunded: sum("Refund"), voided: sum("Void") };
  }

  #available(payment) {
    const { captured, refunded, voided } = this.#sums(payment);
    const waits = (wanted) => payment.actions.filter(({ type, isPending }) => type === wanted && isPending).reduce((total, { amount }) => total + amount, 0);
    const held = payment.approved && payment.amount > 0 ? payment.amount - captured - voided - waits("Capture") - waits("Void") : 0;
    return { capture: held, void: held, refund: captured - refunded - waits("Refund") };
  }

  #act(payment, word, request) {
    const type = { captures: "Capture", refunds: "Refund", voids: "Void" }[word];
    if (!payment || !type) return bare(404);
    const unknown = unknownOf(request, word);
    if (unknown) return invalid(`${unknown}_unknown`);
    const available = this.#available(payment)[type.toLowerCase()];
    const amount = type === "Void" ? available : request.amount ?? available;
    if (available <= 0) return bare(403);
    if (!isAmount(amount, payment.currency) || amount > available) return invalid(`${type.toLowerCase()}_value_greater_than_remaining_authorized_amount`);
    const action = this.#append(payment, { type, amount, reference: request.reference, metadata: request.metadata }, this.isSlow);
    const isFinal = type === "Capture" && (request.capture_type ?? "Final") === "Final" && amount < available;
    if (isFinal) this.#append(payment, { type: "Void", amount: available - amount });
    return json(202, { action_id: action.id, reference: request.reference, _links: { payment: { href: `${this.origin}/payments/${payment.id}` } } });
  }

  #show(payment, isSession) {
    const { id: payment_id, requested_on, amount, currency, payment_type, reference, status, approved, customer, metadata, scheme_id } = payment;
    const { captured, refunded, voided } = this.#sums(payment);
    const { capture, void: left, refund } = this.#available(payment);
    const authorized = approved ? amount : 0;
    const source = { ...(payment.source ? { id: payment.source } : {}), type: "card", expiry_month: 6, expiry_year: 2035, name: "Noura Al-Sabah", scheme: "Visa", last4: "4242", bin: "424242", card_type: "CREDIT", issuer_country: "KW" };
    return {
      id: payment_id, requested_on, source, amount, currency, payment_type, reference, status, approved, customer, metadata, eci: "05", scheme_id, risk: { flagged: false },
      balances: { total_authorized: authorized, total_voided: voided, available_to_void: left, total_captured: captured, available_to_capture: capture, total_refunded: refunded, available_to_refund: refund },
      processing: { retrieval_reference_number: "909913440644", acquirer_transaction_id: "440644309099499894406" },
      ...(isSession ? { actions: payment.actions.map(({ id: action, type, response_code, response_summary }) => ({ id: action, type, response_code, response_summary })) } : {}),
      _links: this.#links(payment),
    };
  }

  #list(query) {
    const reference = query.get("reference");
    if (!reference) return invalid("reference_required");
    const [limit, skip] = [Number(query.get("limit") ?? 10), Number(query.get("skip") ?? 0)];
    const found = [...this.payments.values()].reverse().filter((payment) => payment.reference === reference);
    return json(200, { limit, skip, total_count: found.length, data: found.slice(skip, skip + limit).map((payment) => this.#show(payment, false)) });
  }

  /** The dispute that changed last is the first; one alone has its payment as an object. */
  #getDisputes(one, query) {
    if (one === undefined) {
      const data = [...this.disputes.values()].reverse().filter(({ payment_id }) => payment_id === query.get("payment_id"));
      return json(200, { limit: Number(query.get("limit") ?? 50), skip: 0, payment_id: query.get("payment_id"), total_count: data.length, data });
    }
    if (!this.disputes.has(one)) return bare(404);
    const { payment_id, payment_reference, payment_method, payment_arn, ...dispute } = this.disputes.get(one);
    return json(200, { ...dispute, payment: { id: payment_id, amount: dispute.amount, currency: dispute.currency, reference: payment_reference, method: payment_method, arn: payment_arn } });
  }

  /** The payer's bank disputes a payment, or a dispute goes on; returns its id. */
  dispute(reference, { id: known = id("dsp", 20), ...members } = {}) {
    const payment = this.paymentsOf(reference).at(-1);
    const before = this.disputes.get(known) ?? {
      id: known, category: "fraudulent", status: "evidence_required", amount: payment.amount, currency: payment.currency, reason_code: "10.4", payment_id: payment.id, payment_reference: reference,
      payment_method: "Visa", payment_arn: "127502332018", received_on: this.#iso(), evidence_required_by: "2027-01-06T18:00:00Z",
    };
    this.disputes.delete(known);
    this.disputes.set(known, { ...before, last_update: this.#iso(), ...members });
    return known;
  }

  /** The event of a dispute, signed; it says what it is given, whatever the dispute is by now. */
  disputeEvent(kind, dispute) {
    const { id: known, category, amount, currency, reason_code, payment_id, payment_reference, payment_method, received_on } = this.disputes.get(dispute);
    return this.#signed({ type: kind, data: { id: known, date: received_on, category, amount, currency, reason_code, payment_id, payment_reference, payment_method } });
  }

  #search({ limit = 10, from, to }) {
    const [first, last] = [Date.parse(from), Date.parse(to)];
    if (!(first <= last)) return invalid("from_invalid");
    const search = id("srch", 20);
    const found = [...this.payments.values()].reverse().filter(({ at }) => at >= first && at < last);
    this.#searches.set(search, { limit, found });
    return this.#nextPage(search, "0");
  }

  /** In lists statuses have small letters, and months are texts. */
  #nextPage(search, token) {
    const { limit, found } = this.#searches.get(search) ?? {};
    if (!found) return bare(404);
    const start = Number(token);
    const data = found.slice(start, start + limit).map((payment) => {
      const { approved, source, status, ...shown } = this.#show(payment, false);
      return { ...shown, status: status.toLowerCase(), source: { ...source, expiry_month: "06", expiry_year: "2035" } };
    });
    const next = { href: `${this.origin}/payments/search/${search}?token=${start + limit}` };
    return json(200, { data, _links: start + limit < found.length ? { next } : {} });
  }

  pageOf(reference) {
    return [...this.pages.values()].find(({ request }) => request.reference === reference);
  }

  /** The payer pays on the page at this address, or tries to; returns where the browser goes. */
  pay(reference, address, plan = "approve") {
    const page = [...this.pages.values()].find(({ id: known, request }) => request.reference === reference && (!address || address.endsWith(known)));
    if (page.isPaid || this.now() >= page.closesAt) throw new Error("the page is expired");
    const { success_url, failure_url, payment_method_configuration: saving, ...request } = page.request;
    const payment = this.#make({ ...request, success_url }, { plan, saves: saving?.card?.store_payment_details === "enabled" });
    Object.assign(page, { payment: payment.id, isPaid: payment.approved });
    return `${payment.approved ? success_url : failure_url}?cko-payment-id=${payment.id}`;
  }

  paymentsOf(reference) {
    return [...this.payments.values()].filter((payment) => payment.reference === reference);
  }

  /** The payer does what the bank wants; returns where the browser goes. */
  authenticate(reference) {
    const payment = this.paymentsOf(reference).find(({ status }) => status === "Pending");
    payment.means.plan = "approve";
    this.#decide(payment);
    const [session] = [...this.#sessions].find(([, known]) => known === payment.id);
    return `${payment.returns}?cko-session-id=${session}`;
  }

  /** The bank decides about what was accepted. */
  settle() {
    for (const payment of this.payments.values()) {
      for (const action of payment.actions.filter(({ isPending }) => isPending)) {
        const approved = !this.declines.has(action.type);
        this.#close(payment, { ...action, approved });
        Object.assign(action, { isPending: false, approved, response_code: approved ? "10000" : "20005", response_summary: approved ? "Approved" : "Declined - Do Not Honour" });
      }
    }
  }

  #actionOf(reference) {
    for (const payment of this.payments.values()) {
      const action = payment.actions.find((one) => one.reference === reference);
      if (action) return { payment, action };
    }
    return {};
  }

  /** An event about a payment or an operation with one of our references, as Checkout.com signs it: the body, and its headers. */
  event(type, reference, members = {}, secret = SECRET) {
    const { payment, action = {} } = this.#actionOf(reference);
    const data = {
      id: payment.id, action_id: action.id, reference, amount: action.amount, currency: payment.currency, processed_on: action.processed_on, response_code: action.response_code, response_summary: action.response_summary,
      metadata: action.metadata ?? payment.metadata, ...members,
    };
    return this.#signed({ type, data }, secret);
  }

  #signed(event, secret = SECRET) {
    const body = JSON.stringify({ id: id("evt"), source: "gateway", version: "1.0.29", timestamp: this.#iso(), ...event });
    return [body, { "cko-signature": createHmac("sha256", secret).update(body).digest("hex") }];
  }

  /** Whether an operation was accepted. */
  knows(reference) {
    return this.#actionOf(reference).action !== undefined;
  }

  /** The money that moved for one of our references, in minor units. */
  ledger(reference) {
    const paid = this.paymentsOf(reference).filter(({ approved, amount }) => approved && amount > 0);
    const total = (name) => paid.reduce((sum, payment) => sum + this.#sums(payment)[name], 0);
    return { charges: paid.map(({ amount }) => amount), captured: total("captured"), refunded: total("refunded"), voided: total("voided") };
  }
}
