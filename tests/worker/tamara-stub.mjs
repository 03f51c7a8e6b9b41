/** A stub of Tamara's API, written from its reference and its official PHP library: sessions, orders, captures, refunds, notifications. */
import { createHmac, randomUUID } from "node:crypto";
import { Stub, json } from "./stub.mjs";

export const KEY = "token-of-the-stub-0123456789";
export const SECRET = "notification-token-of-the-stub";

/** How many decimals the currencies have, and the currency of each country. */
const DECIMALS = { AED: 2, SAR: 2, KWD: 3, BHD: 3, OMR: 3 };
/** How long a session waits for the payer. */
const SESSION = 30 * 60_000;

const fault = (status, message) => json(status, { message, errors: [{ error_code: "made_up" }] });
const money = (minor, currency) => ({ amount: minor / 10 ** DECIMALS[currency], currency });
/** An amount in minor units; nothing for what is none. */
const minor = ({ amount, currency } = {}) => {
  const value = typeof amount === "number" && currency in DECIMALS ? Math.round(amount * 10 ** DECIMALS[currency]) : NaN;
  return Number.isSafeInteger(value) && value > 0 ? value : undefined;
};
const base64 = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");

export class TamaraStub extends Stub {
  /** Orders by their id. */
  orders = new Map();

  answer({ method, path, query, headers, body }) {
    if (headers.authorization !== `Bearer ${KEY}`) return fault(401, "Unauthorized");
    const [, first, second, third, last] = path.split("/");
    const request = body ? JSON.parse(body) : {};
    if (method === "GET" && path === "/checkout/payment-types") return query.get("country") ? json(200, [{ name: "PAY_BY_INSTALMENTS" }]) : fault(400, "country is required");
    if (method === "GET" && path.startsWith("/merchants/orders/reference-id/")) return this.#read(this.orderOf(last));
    if (method === "GET" && first === "orders") return this.#read(this.orders.get(second));
    if (method !== "POST") return fault(404, "no such address");
    if (path === "/checkout") return this.#open(request);
    if (path === "/checkout/payment-options-pre-check") return this.#check(request);
    const order = this.#lapse(this.orders.get(path === "/payments/capture" ? request.order_id : first === "orders" ? second : third));
    if (!order) return fault(404, "Order not found");
    if (path === "/payments/capture") return this.#capture(order, request);
    if (path.startsWith("/payments/simplified-refund/")) return this.#refund(order, request);
    return { authorise: () => this.#authorise(order), cancel: () => this.#cancel(order, request) }[third]?.() ?? fault(404, "no such address");
  }

  #open({ total_amount, shipping_amount, tax_amount, order_reference_id, order_number, description, items, consumer, country_code, payment_type, merchant_url, shipping_address }) {
    const price = minor(total_amount);
    if (!price || !order_reference_id || !["SA", "AE", "BH", "KW", "OM"].includes(country_code) || payment_type !== "PAY_BY_INSTALMENTS") return fault(400, "the order is incomplete");
    if (shipping_amount?.amount !== 0 || tax_amount?.amount !== 0 || !description || description.length > 256) return fault(400, "the order is incomplete");
    for (const name of ["success", "failure", "cancel", "notification"]) if (!URL.canParse(merchant_url?.[name])) return fault(400, `merchant_url.${name} is no address`);
    for (const name of ["first_name", "last_name", "phone_number", "email"]) if (typeof consumer?.[name] !== "string") return fault(400, `consumer.${name} is missing`);
    for (const name of ["first_name", "last_name", "line1", "city", "country_code", "phone_number"]) if (typeof shipping_address?.[name] !== "string") return fault(400, `shipping_address.${name} is missing`);
    const sum = items?.reduce((total, { reference_id, type, name, sku, quantity, unit_price, total_amount: of }) =>
      total + (reference_id && type && name && sku && quantity * minor(unit_price) === minor(of) ? minor(of) : NaN), 0);
    if (sum !== price) return fault(400, "the items do not make the total");
    const order = { id: randomUUID(), checkout: randomUUID(), status: "new", price, currency: total_amount.currency, reference: order_reference_id, number: order_number, urls: merchant_url, consumer, captures: [], refunds: [], cancels: [], created: this.now() };
    this.orders.set(order.id, order);
    return json(200, { order_id: order.id, checkout_id: order.checkout, checkout_url: `https://checkout-sandbox.tamara.co/c/${order.checkout}`, status: "new" });
  }

  /** Who pays is taken unless the phone is the one that Tamara declines; two ways of paying are offered. */
  #check({ country, order_value, phone_number, is_vip }) {
    const isAsked = minor(order_value) && country && phone_number && typeof is_vip === "boolean";
    if (!isAsked) return fault(400, "the question is incomplete");
    const isTaken = !phone_number.endsWith("526422337");
    const labels = [{ payment_type: "PAY_BY_INSTALMENTS", instalment: 4, description_en: "Split in 4 payments", description_ar: "قسّمها على 4 دفعات" }, { payment_type: "PAY_NOW", instalment: 0, description_en: "Pay in full", description_ar: "ادفع كامل المبلغ" }];
    return json(200, { has_available_payment_options: isTaken, single_checkout_enabled: true, available_payment_labels: isTaken ? labels : [] });
  }

  /** A session whose time is over ends by itself. */
  #lapse(order) {
    if (order?.status === "new" && this.now() >= order.created + SESSION) order.status = "expired";
    return order;
  }

  #sum = (movements) => movements.reduce((total, { price }) => total + price, 0);

  #read(found) {
    const order = this.#lapse(found);
    if (!order) return fault(404, "Order not found");
    const { id, reference, number, status, price, currency, consumer, captures, refunds, cancels } = order;
    const shown = ({ price: of, ...movement }) => ({ ...movement, order_id: id, total_amount: money(of, currency), created_at: new Date(this.now()).toISOString() });
    return json(200, {
      order_id: id, order_reference_id: reference, order_number: number, status, consumer, description: "", payment_type: "PAY_BY_INSTALMENTS", instalments: 4,
      total_amount: money(price, currency), captured_amount: money(this.#sum(captures), currency), refunded_amount: money(this.#sum(refunds), currency),
      canceled_amount: money(this.#sum(cancels), currency), transactions: { cancels: cancels.map(shown), captures: captures.map(shown), refunds: refunds.map(shown) },
    });
  }

  #authorise(order) {
    if (order.status !== "approved") return fault(409, "the order is not approved");
    order.status = "authorised";
    return json(200, { order_id: order.id, status: order.status, payment_type: "PAY_BY_INSTALMENTS", auto_captured: false });
  }

  #capture(order, { total_amount, shipping_info }) {
    const price = minor(total_amount);
    if (!price || !shipping_info?.shipped_at || !shipping_info.shipping_company) return fault(400, "the capture is incomplete");
    if (!["authorised", "partially_captured"].includes(order.status)) return fault(409, "the order cannot be captured");
    if (this.#sum(order.captures) + price > order.price) return fault(400, "the amount is too high");
    order.captures.push({ capture_id: randomUUID(), price, shipping_info });
    order.status = this.#sum(order.captures) === order.price ? "fully_captured" : "partially_captured";
    return json(200, { order_id: order.id, capture_id: order.captures.at(-1).capture_id, status: order.status, captured_amount: total_amount });
  }

  #refund(order, { total_amount, comment, merchant_refund_id }) {
    const price = minor(total_amount);
    if (!price || !comment) return fault(400, "the refund is incomplete");
    if (this.#sum(order.refunds) + price > this.#sum(order.captures)) return fault(409, "the amount is too high");
    order.refunds.push({ refund_id: randomUUID(), capture_id: order.captures[0].capture_id, price, merchant_refund_id });
    order.status = this.#sum(order.refunds) === this.#sum(order.captures) ? "fully_refunded" : "partially_refunded";
    return json(200, { order_id: order.id, refund_id: order.refunds.at(-1).refund_id, comment, status: order.status, refunded_amount: total_amount });
  }

  #cancel(order, { total_amount }) {
    const price = minor(total_amount);
    if (!["authorised", "updated"].includes(order.status) || !price) return fault(409, "the order cannot be canceled");
    order.cancels.push({ cancel_id: randomUUID(), price });
    order.status = this.#sum(order.cancels) === order.price ? "canceled" : "updated";
    return json(200, { order_id: order.id, cancel_id: order.cancels.at(-1).cancel_id, status: order.status, canceled_amount: total_amount });
  }

  /** The newest order with one of our references. */
  orderOf(wanted) {
    return [...this.orders.values()].reverse().find(({ reference }) => reference === wanted);
  }

  /** The payer ends on the page; returns where the browser goes. */
  #end(reference, status, url, word) {
    const order = this.#lapse(this.orderOf(reference));
    if (order.status !== "new") throw new Error(`the order is ${order.status}`);
    order.status = status;
    const address = new URL(order.urls[url]);
    for (const [name, value] of Object.entries({ paymentStatus: word, orderId: order.id })) address.searchParams.set(name, value);
    return address.href;
  }

  pay = (reference) => this.#end(reference, "approved", "success", "approved");
  decline = (reference) => this.#end(reference, "declined", "failure", "declined");
  /** The payer leaves the page by its way back: the order stays new until its time is over. */
  leave = (reference) => this.#end(reference, "new", "cancel", "canceled");

  /** The token of a notification, as Tamara makes it. */
  token(secret = SECRET, seconds = 900) {
    const now = Math.floor(this.now() / 1000);
    const signed = `${base64({ typ: "JWT", alg: "HS256" })}.${base64({ exp: now + seconds, iat: now, iss: "Tamara" })}`;
    return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
  }

  /** The notification about an order, and its headers. */
  notification(reference, event = "order_approved", token = this.token()) {
    const { id, number } = this.orderOf(reference);
    return [JSON.stringify({ order_id: id, order_reference_id: reference, order_number: number, event_type: event, data: [] }), { authorization: `Bearer ${token}` }];
  }

  /** The money that moved for one of our references, in minor units. */
  ledger(wanted) {
    const paid = [...this.orders.values()].filter(({ reference, status }) => reference === wanted && !["new", "declined", "expired"].includes(status));
    const sum = (list) => paid.reduce((total, order) => total + this.#sum(order[list]), 0);
    return { charges: paid.map(({ price }) => price), captured: sum("captures"), refunded: sum("refunds"), voided: sum("cancels") };
  }
}
