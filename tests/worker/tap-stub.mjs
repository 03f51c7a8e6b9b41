/** A stub of Tap Payments v2: charges, authorisations, tokens, saved cards, refunds, lists, and webhooks with their hash strings. */
import { createHmac, randomBytes } from "node:crypto";
import { Stub, json } from "./stub.mjs";

export const KEY = "sk_test_of_the_stub";

const DECIMALS = { AED: 2, BHD: 3, EGP: 2, EUR: 2, GBP: 2, KWD: 3, OMR: 3, QAR: 2, SAR: 2, USD: 2 };
const PAGE_IS_OPEN = 30 * 60_000;
const MOST = 50;
const fault = (code, description, status = 400) => json(status, { errors: [{ code, description }] });
const fresh = (prefix) => `${prefix}TS${randomBytes(9).toString("hex")}`;
const minor = ({ amount, currency }) => Math.round(amount * 10 ** DECIMALS[currency]);
const RESPONSES = {
  INITIATED: ["100", "Initiated"], CAPTURED: ["000", "Captured"], AUTHORIZED: ["001", "Authorized"], VOID: ["601", "Void"],
  CANCELLED: ["302", "Cancelled"], ABANDONED: ["301", "Abandoned"], DECLINED: ["505", "Declined, Insufficient Funds"],
};

export class TapStub extends Stub {
  /** Charges and authorisations, and refunds, oldest first. */
  items = [];
  refunds = [];
  /** Whether refunds are only accepted at first. */
  refundsLater = false;
  #tokens = new Map();
  #cards = new Map();
  #answers = new Map();

  answer({ method, path, headers, body }) {
    if (headers.authorization !== `Bearer ${KEY}`) return fault("2107", "Unauthorized, Invalid API key", 401);
    const [, version, kind, id, more] = path.split("/");
    if (version !== "v2") return fault("1000", "No such resource", 404);
    if (method === "GET") return this.#retrieve(kind, id, more);
    if (method !== "POST") return fault("1000", "No such method", 404);
    const request = JSON.parse(body);
    if (id === "list") return this.#list(kind, request);
    if (kind === "authorize" && more === "void") return this.#void(id);
    if (kind === "tokens") return this.#token(request);
    // The same idempotent string within a day is answered as before, and nothing is made.
    const key = request.reference?.idempotent && `${kind} ${request.reference.idempotent}`;
    const known = key && this.#answers.get(key);
    if (known) return known;
    const answer = kind === "refunds" ? this.#refund(request, body) : this.#make(kind, request, body);
    if (key && answer.status === 200) this.#answers.set(key, answer);
    return answer;
  }

  #make(kind, request, body) {
    if (!["charges", "authorize"].includes(kind)) return fault("1000", "No such resource", 404);
    const { currency, source, customer = {}, redirect, save_card = false, customer_initiated = true, payment_agreement } = request;
    const wrong = this.#wrongAmount(request, body);
    if (wrong) return wrong;
    if (!customer.id && !customer.first_name) return fault("1116", "Customer first name is required");
    const { phone } = customer;
    if (phone && !(/^\d{1,3}$/.test(phone.country_code) && /^\d{4,14}$/.test(phone.number))) return fault("1120", "Phone number is invalid");
    if (save_card && !customer.id && !phone) return fault("1121", "Phone number is required to save the card");
    const id = source?.id ?? "";
    if (id.startsWith("auth_")) return this.#capture(request, id);
    if (!redirect?.url) return fault("1125", "Redirect url is required");
    const item = {
      id: fresh(kind === "charges" ? "chg_" : "auth_"), object: kind === "charges" ? "charge" : "authorize", live_mode: false, api_version: "V2",
      amount: request.amount, currency, save_card, customer_initiated, metadata: request.metadata, customer: { id: fresh("cus_"), ...customer },
      reference: { ...request.reference, track: fresh("tck_"), payment: String(this.now()), gateway: "123456789", acquirer: "314123157811" },
      transaction: { created: String(this.now()), timezone: "UTC+03:00", amount: request.amount, currency }, source: { object: "source", id }, redirect, post: request.post,
    };
    if (id.startsWith("src_")) return this.#begun(this.#become(item, "INITIATED"));
    const token = this.#tokens.get(id);
    if (!token) return fault("1126", "Source id is invalid");
    this.#tokens.delete(id);
    if (!customer_initiated && (!payment_agreement?.id || token.card?.agreement !== payment_agreement.id)) return fault("1216", "Agreement id is missing");
    if (token.card && token.card.customer !== customer.id) return fault("1127", "Customer id is invalid");
    const taken = kind === "charges" ? "CAPTURED" : "AUTHORIZED";
    return this.#begun(this.#become(item, { decline: "DECLINED", challenge: "INITIATED" }[token.behaviour] ?? taken));
  }

  /** Amounts are numbers with at most the decimals of their currency, of a tenth of its unit or more. */
  #wrongAmount({ amount, currency }, body) {
    const decimals = DECIMALS[currency];
    if (decimals === undefined) return fault("1114", "Currency code is invalid");
    const written = /"amount":\s*(\d+)(?:\.(\d+))?[,}]/.exec(body);
    if (!written || (written[2] ?? "").length > decimals || amount < 0.1) return fault("1115", "Amount is invalid");
    return undefined;
  }

  #begun(item) {
    this.items.push(item);
    return json(200, item);
  }

  /** An object is in another state. */
  #become(item, status) {
    const [code, message] = RESPONSES[status];
    const { url, ...transaction } = item.transaction;
    item.transaction = status === "INITIATED" ? { ...transaction, url: `${this.origin}/pay?token=${item.id}` } : { ...transaction, authorization_id: "157811" };
    return Object.assign(item, { status, response: { code, message } });
  }

  /** A page is open for half an hour. */
  #current(item) {
    if (item.status === "INITIATED" && this.now() > Number(item.transaction.created) + PAGE_IS_OPEN) this.#become(item, "ABANDONED");
    return item;
  }

  #capture(request, id) {
    const held = this.items.find((item) => item.id === id);
    if (held?.status !== "AUTHORIZED" || held.currency !== request.currency || request.amount > held.amount) return fault("1130", "Authorize cannot be captured");
    if (held.customer.id !== request.customer.id) return fault("1127", "Customer id is invalid");
    this.#become(held, "CAPTURED");
    const { object, save_card, redirect, ...shared } = held;
    const charge = { ...shared, object: "charge", id: fresh("chg_"), amount: request.amount, metadata: request.metadata, reference: { ...held.reference, ...request.reference }, source: { object: "authorize", id } };
    return this.#begun(this.#become({ ...charge, transaction: { ...held.transaction, created: String(this.now()) } }, "CAPTURED"));
  }

  #void(id) {
    const held = this.items.find((item) => item.id === id);
    if (held?.status !== "AUTHORIZED") return fault("1131", "Authorize cannot be voided");
    return json(200, this.#become(held, "VOID"));
  }

  #token({ saved_card, type, token_data }) {
    const id = fresh("tok_");
    if (saved_card) {
      const card = this.#cards.get(saved_card.card_id);
      if (card?.customer !== saved_card.customer_id) return fault("1140", "Card id is invalid");
      this.#tokens.set(id, { card });
    } else if (["applepay", "googlepay"].includes(type) && typeof token_data === "object") {
      this.#tokens.set(id, { behaviour: token_data.behaviour });
    } else {
      return fault("1141", "Token data is invalid");
    }
    return json(200, { id, object: "token", used: false, live_mode: false, created: this.now() });
  }

  #refund(request, body) {
    const charge = this.items.find(({ id, object }) => id === request.charge_id && object === "charge");
    const wrong = this.#wrongAmount(request, body);
    if (wrong) return wrong;
    const before = this.#refundsOf(charge?.id).reduce((sum, one) => sum + minor(one), 0);
    if (charge?.status !== "CAPTURED" || !request.reason || before + minor(request) > minor(charge)) return fault("1150", "Charge cannot be refunded");
    const { charge_id, amount, currency, reason, metadata, reference, post } = request;
    const refund = { id: fresh("re_"), object: "refund", live_mode: false, api_version: "V2", status: "PENDING", charge_id, amount, currency, reason, metadata, reference, post, created: this.now(), response: { code: "100", message: "Pending" } };
    this.refunds.push(this.refundsLater ? refund : this.#done(refund));
    return json(200, refund);
  }

  #refundsOf(charge) {
    return this.refunds.filter(({ charge_id }) => charge_id === charge);
  }

  /** By the time at which someone asks, Tap has done it. */
  #done(refund) {
    return Object.assign(refund, { status: "REFUNDED", response: { code: "000", message: "Refunded" } });
  }

  #retrieve(kind, id, more) {
    if (kind === "card") {
      const card = this.#cards.get(more);
      return card?.customer === id ? json(200, card.shown) : fault("1140", "Card id is invalid", 404);
    }
    const refund = kind === "refunds" && this.refunds.find((one) => one.id === id);
    if (refund) return json(200, this.#done(refund));
    const item = this.items.find((one) => one.id === id && { charges: "charge", authorize: "authorize" }[kind] === one.object);
    return item ? json(200, this.#current(item)) : fault("1143", "Id is invalid", 404);
  }

  #list(kind, { period, reference, sources, charges, starting_after, limit = "25" }) {
    const known = kind === "refunds" ? this.refunds.map((one) => this.#done(one)) : this.items.filter(({ object }) => object === { charges: "charge", authorize: "authorize" }[kind]);
    const created = (one) => Number(one.transaction?.created ?? one.created);
    const found = known.filter((one) =>
      (!period || (created(one) >= Number(period.date.from) && created(one) <= Number(period.date.to)))
      && (!reference || one.reference.transaction === reference.transaction)
      && (!sources || sources.includes(one.source.id)) && (!charges || charges.includes(one.charge_id ?? one.id))).reverse();
    const rest = starting_after ? found.slice(found.findIndex(({ id }) => id === starting_after) + 1) : found;
    const page = rest.slice(0, Math.min(Number(limit), MOST));
    const name = { charges: "Charges", authorize: "Authorizes", refunds: "Refunds" }[kind];
    if (page.length === 0) return fault("1128", `${name} not found`);
    const entries = kind === "refunds" ? page : page.map((item) => this.#current(item));
    return json(200, { object: "list", live_mode: false, count: found.length, has_more: page.length < rest.length, [name.toLowerCase()]: entries });
  }

  /** The newest object with a reference of ours that the payer can still do something about. */
  #open(reference) {
    const item = this.items.filter((one) => one.reference.transaction === reference).at(-1);
    if (this.#current(item).status !== "INITIATED") throw new Error(`the page is ${item.status}`);
    return item;
  }

  /** The payer pays on the page; returns where the browser goes. */
  pay(reference, card = "CAPTURED") {
    const item = this.#open(reference);
    const taken = item.object === "charge" ? "CAPTURED" : "AUTHORIZED";
    this.#become(item, card === "CAPTURED" ? taken : card);
    if (item.save_card && card === "CAPTURED") this.#save(item);
    return this.#back(item);
  }

  /** The payer leaves the page by its way back. */
  leave(reference) {
    return this.pay(reference, "CANCELLED");
  }

  #back({ id, redirect }) {
    return `${redirect.url}${redirect.url.includes("?") ? "&" : "?"}tap_id=${id}`;
  }

  #save(item) {
    const customer = item.customer.id;
    const shown = { id: fresh("card_"), object: "card", customer, brand: "VISA", scheme: "VISA", name: "NOURA", exp_month: 1, exp_year: 39, last_four: "1019", first_six: "450875" };
    const agreement = fresh("payment_agreement_");
    this.#cards.set(shown.id, { customer, agreement, shown });
    const { id, object, brand, scheme, last_four, first_six } = shown;
    Object.assign(item, { card: { id, object, brand, scheme, last_four, first_six }, payment_agreement: { id: agreement, type: "UNSCHEDULED", contract: { id, type: "SAVED_CARD" } } });
  }

  /** What Tap posts about a charge or a refund: the body, and its signature. */
  webhook(reference, key = KEY) {
    const refund = this.refunds.find((one) => one.reference.merchant === reference);
    const about = refund ? this.#done(refund) : this.items.filter((one) => one.reference.transaction === reference).at(-1);
    const amount = about.amount.toFixed(DECIMALS[about.currency]);
    const { gateway = "", payment = "" } = about.reference;
    const created = about.transaction?.created ?? about.created;
    const message = `x_id${about.id}x_amount${amount}x_currency${about.currency}x_gateway_reference${gateway}x_payment_reference${payment}x_status${about.status}x_created${created}`;
    return [JSON.stringify(about), { hashstring: createHmac("sha256", key).update(message).digest("hex") }];
  }

  /** The money that moved for one of our references, in minor units. */
  ledger(reference) {
    const ours = this.items.filter((item) => item.reference.transaction === reference && ["CAPTURED", "AUTHORIZED", "VOID"].includes(item.status));
    const sums = { charges: ours.map(minor), captured: 0, refunded: 0, voided: 0 };
    for (const item of ours) {
      const captures = item.object === "charge" ? [item] : this.items.filter(({ source }) => source.id === item.id);
      sums.captured += captures.reduce((sum, one) => sum + minor(one), 0);
      sums.refunded += captures.flatMap(({ id }) => this.#refundsOf(id)).reduce((sum, one) => sum + minor(one), 0);
      if (item.status === "VOID") sums.voided += minor(item);
    }
    return sums;
  }
}
