/** A stub of Tabby's API, written from its OpenAPI description and guides: sessions, payments, captures, refunds, webhooks. */
import { randomUUID } from "node:crypto";
import { Stub, json } from "./stub.mjs";

export const KEY = "sk_test_of_the_stub_0123456789";
export const CODE = "shop_kw";
export const SECRET = "webhook-secret-of-the-stub";

/** How many decimals the currencies of the description have. */
const DECIMALS = { AED: 2, SAR: 2, KWD: 3 };
/** How long a session and its payment wait for the payer. */
const SESSION = 20 * 60_000;
const PAYMENT = 30 * 60_000;

const fault = (status, errorType, error) => json(status, { status: "error", errorType, error });
const bad = (error) => fault(400, "bad_data", error);
/** An amount in minor units; nothing for a text that is none of the currency. */
const minor = (text, currency) => {
  const decimals = DECIMALS[currency];
  const [, whole, part = ""] = /^(\d{1,12})(?:\.(\d+))?$/.exec(text) ?? [];
  return whole === undefined || part.length > decimals ? undefined : Number(whole + part.padEnd(decimals, "0"));
};

export class TabbyStub extends Stub {
  /** Payments by their id, and the ids of sessions. */
  payments = new Map();
  sessions = new Map();
  webhooks = [];

  answer({ method, path, query, headers, body }) {
    if (headers.authorization !== `Bearer ${KEY}`) return fault(401, "not_authorized", "invalid key");
    const [, , version, kind, id, action] = path.split("/");
    if (version === "v1" && kind === "webhooks") return headers["x-merchant-code"] === CODE ? json(200, this.webhooks) : fault(404, "not_found", "no such merchant");
    if (version !== "v2") return fault(404, "not_found", "no such address");
    if (method === "POST" && kind === "checkout" && !id) return this.#open(JSON.parse(body));
    if (method === "GET" && kind === "checkout") return this.sessions.has(id) ? json(200, this.#session(id)) : fault(404, "not_found", "no such session");
    if (method === "GET" && kind === "payments" && !id) return this.#list(query);
    const payment = this.#lapse(this.payments.get(id));
    if (kind !== "payments" || !payment) return fault(404, "not_found", "no such payment");
    if (method === "GET") return json(200, this.#show(payment));
    if (action === "captures") return this.#capture(payment, JSON.parse(body));
    if (action === "refunds") return this.#refund(payment, JSON.parse(body));
    return action === "close" ? this.#close(payment) : fault(404, "not_found", "no such address");
  }

  #open({ payment, lang, merchant_code, merchant_urls }) {
    const { amount, currency, buyer, order, buyer_history, order_history, shipping_address } = payment ?? {};
    const price = minor(amount, currency);
    if (merchant_code !== CODE) return fault(403, "no_permission", "merchant is not allowed");
    if (!price || !["en", "ar"].includes(lang)) return bad("could not decode request");
    for (const text of [buyer?.name, buyer?.email, buyer?.phone, shipping_address?.city, shipping_address?.address, shipping_address?.zip, buyer_history?.registered_since]) {
      if (typeof text !== "string") return bad("a required text is missing");
    }
    const sum = order?.items?.reduce((total, { title, quantity, unit_price, category }) => total + (title && category ? quantity * minor(unit_price, currency) : NaN), 0);
    if (!order?.reference_id || !Array.isArray(order_history) || sum !== price) return bad("the items do not make the amount");
    const made = { id: randomUUID(), session: randomUUID(), status: "CREATED", price, amount, currency, order, urls: merchant_urls, buyer, echoed: { buyer_history, order_history, shipping_address }, captures: [], refunds: [], created: this.now() };
    made.rejection = this.#rejection(made);
    this.payments.set(made.id, made);
    this.sessions.set(made.session, made.id);
    return json(200, this.#session(made.session));
  }

  /** Why a payer is not eligible: the last digit of the phone is 2, or the amount is out of the limits. */
  #rejection({ price, buyer }) {
    if (price > 5_000_000) return "order_amount_too_high";
    if (price < 100) return "order_amount_too_low";
    return buyer.phone.endsWith("0002") ? "not_available" : null;
  }

  #session(id) {
    const payment = this.#lapse(this.payments.get(this.sessions.get(id)));
    const isOpen = payment.status === "CREATED" && this.now() < payment.created + SESSION;
    const status = payment.rejection ? "rejected" : isOpen ? "created" : "expired";
    const page = { web_url: `https://checkout.tabby.ai/?sessionId=${id}&product=installments`, qr_code: null };
    const { captures, refunds, ...shown } = this.#show(payment);
    return {
      id, status, token: null, payment: shown, merchant_urls: payment.urls,
      configuration: {
        available_products: { installments: status === "created" ? [page] : null },
        products: { installments: { type: "installments", is_available: status === "created", rejection_reason: payment.rejection } },
      },
    };
  }

  /** A payment whose time is over ends by itself. */
  #lapse(payment) {
    if (payment?.status === "CREATED" && this.now() >= payment.created + PAYMENT) payment.status = "EXPIRED";
    return payment;
  }

  #show({ id, status, amount, currency, order, captures, refunds, buyer, echoed, created }) {
    const moment = new Date(created).toISOString();
    return { id, created_at: moment, expires_at: moment, status, is_test: true, amount, currency, description: null, buyer, order, captures, refunds, meta: null, ...echoed };
  }

  #list(query) {
    const [from, to] = ["created_at__gte", "created_at__lte"].map((name) => Date.parse(query.get(name)));
    const limit = Math.min(Number(query.get("limit") ?? 20), 20);
    const offset = Number(query.get("offset") ?? 0);
    const paid = [...this.payments.values()].filter(({ status, created }) => ["AUTHORIZED", "CLOSED"].includes(status) && !(created < from) && !(created > to));
    const page = paid.reverse().slice(offset, offset + limit).map((payment) => this.#show(payment));
    return json(200, { payments: page.length > 0 ? page : null, pagination: { limit, offset, total_count: paid.length } });
  }

  #sum = (movements, currency) => movements.reduce((total, { amount }) => total + minor(amount, currency), 0);

  /** A capture or a refund; one with a reference that is known is not done again. */
  #move(payment, list, most, { amount, reference_id }) {
    const price = minor(amount, payment.currency);
    if (!price || !reference_id) return bad("amount and reference_id are required");
    if (payment[list].some((known) => known.reference_id === reference_id)) return json(200, this.#show(payment));
    if (this.#sum(payment[list], payment.currency) + price > most) return bad("the amount is too high");
    payment[list].push({ id: randomUUID(), amount, reference_id, created_at: new Date(this.now()).toISOString(), items: [] });
    return undefined;
  }

  #capture(payment, request) {
    const isKnown = payment.captures.some(({ reference_id }) => reference_id === request.reference_id);
    if (payment.status !== "AUTHORIZED" && !isKnown) return bad("the payment is not authorized");
    const wrong = this.#move(payment, "captures", payment.price, request);
    if (wrong) return wrong;
    if (this.#sum(payment.captures, payment.currency) === payment.price) payment.status = "CLOSED";
    return json(200, this.#show(payment));
  }

  #refund(payment, request) {
    if (payment.status !== "CLOSED") return bad("the payment is not closed");
    return this.#move(payment, "refunds", this.#sum(payment.captures, payment.currency), request) ?? json(200, this.#show(payment));
  }

  #close(payment) {
    if (payment.status !== "AUTHORIZED") return bad("the payment is not authorized");
    payment.status = "CLOSED";
    return json(200, this.#show(payment));
  }

  /** The newest payment with one of our references. */
  paymentOf(reference) {
    return [...this.payments.values()].reverse().find(({ order }) => order.reference_id === reference);
  }

  /** The payer ends on the page; returns where the browser goes. */
  #end(reference, status, url) {
    const payment = this.#lapse(this.paymentOf(reference));
    if (payment.status !== "CREATED") throw new Error(`the payment is ${payment.status.toLowerCase()}`);
    payment.status = status;
    const address = new URL(payment.urls[url]);
    address.searchParams.set("payment_id", payment.id);
    return address.href;
  }

  pay = (reference) => this.#end(reference, "AUTHORIZED", "success");
  reject = (reference) => this.#end(reference, "REJECTED", "failure");
  leave = (reference) => this.#end(reference, "EXPIRED", "cancel");

  /** The webhook about a payment, and its headers. Its status is in lower case, and it is not signed. */
  webhook(reference, secret = SECRET) {
    const { buyer, ...shown } = this.#show(this.paymentOf(reference));
    return [JSON.stringify({ ...shown, status: shown.status.toLowerCase(), is_expired: shown.status === "EXPIRED" }), { "x-webhook-secret": secret }];
  }

  /** The money that moved for one of our references, in minor units. */
  ledger(reference) {
    const paid = [...this.payments.values()].filter(({ order, status }) => order.reference_id === reference && ["AUTHORIZED", "CLOSED"].includes(status));
    const sum = (list) => paid.reduce((total, payment) => total + this.#sum(payment[list], payment.currency), 0);
    const voided = paid.filter(({ status, captures }) => status === "CLOSED" && captures.length === 0).reduce((total, { price }) => total + price, 0);
    return { charges: paid.map(({ price }) => price), captured: sum("captures"), refunded: sum("refunds"), voided };
  }
}
