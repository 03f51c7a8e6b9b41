/** A stub of Mastercard Gateway, REST-JSON version 100: sessions, orders with their transactions, and notifications. */
import { randomBytes } from "node:crypto";
import { Stub, json } from "./stub.mjs";

export const MERCHANT = "TESTSHOP01";
export const PASSWORD = "password-of-the-stub";
export const REPORTING = "password-of-the-reports";
export const SECRET = "0123456789ABCDEF0123456789ABCDEF";

const BASE = `/api/rest/version/100/merchant/${MERCHANT}`;
const invalid = (explanation, field) => json(400, { error: { cause: "INVALID_REQUEST", explanation, field, validationType: "INVALID" }, result: "ERROR" });
/** The gateway writes amounts as numbers. */
const number = (text) => Number(text);
const minor = (text) => Math.round(Number(text) * 1000);
const CARD = { brand: "MASTERCARD", scheme: "MASTERCARD", number: "512345xxxxxx0008", expiry: { month: "1", year: "39" } };

export class MpgsStub extends Stub {
  /** Orders by their ids: `{ id, currency, amount, transactions }`. */
  orders = new Map();
  /** The tokens of saved cards. */
  tokens = new Set();
  #sessions = new Map();
  /** What was answered to a request with ids of its own, which is answered again. */
  #answers = new Map();

  answer({ method, path, query, headers, body }) {
    if (path.startsWith("/history/")) return this.#report(headers, query);
    const expected = `Basic ${Buffer.from(`merchant.${MERCHANT}:${PASSWORD}`).toString("base64")}`;
    if (headers.authorization !== expected) return json(401, { error: { cause: "INVALID_REQUEST", explanation: "Invalid credentials." }, result: "ERROR" });
    if (!path.startsWith(BASE)) return json(404, { error: { cause: "INVALID_REQUEST" }, result: "ERROR" });
    const [, kind, order, , transaction] = path.slice(BASE.length).split("/");
    if (method === "GET" && kind === "paymentOptionsInquiry") return json(200, { merchant: MERCHANT, result: "SUCCESS", supportedCurrencies: {} });
    if (method === "POST" && kind === "session") return this.#open(JSON.parse(body));
    if (method === "POST" && kind === "token") return this.#save(JSON.parse(body));
    if (kind !== "order") return invalid("no such address");
    if (method === "GET") return transaction ? this.#transaction(order, transaction) : this.#order(order);
    if (method !== "PUT" || !transaction) return invalid("no such operation");
    const key = `${order} ${transaction}`;
    const known = this.#answers.get(key);
    if (known) return known.body === body ? known.answer : invalid("the transaction has other content", "transaction.id");
    const answer = this.#put(order, transaction, JSON.parse(body));
    this.#answers.set(key, { body, answer });
    return answer;
  }

  #open({ apiOperation, interaction, order, customer = {} }) {
    // The forms that its reference publishes; it refuses the whole request for another one.
    if (customer.phone !== undefined && !/^\+\d{1,3} \d[\d ]{2,14}$/.test(customer.phone)) return invalid("the value is invalid", "customer.phone");
    if (customer.email !== undefined && !/^[\w!#$%&'*+/=?^`{|}~.-]+@[a-z\d-]+(\.[a-z\d-]+)+$/i.test(customer.email)) return invalid("the value is invalid", "customer.email");
    if (apiOperation !== "INITIATE_CHECKOUT") return invalid("no such operation", "apiOperation");
    if (!["PURCHASE", "AUTHORIZE", "VERIFY"].includes(interaction.operation)) return invalid("no such operation", "interaction.operation");
    if (interaction.operation !== "VERIFY" && !/^\d+(\.\d{3})?$/.test(order.amount)) return invalid("not an amount", "order.amount");
    const id = `SESSION${randomBytes(12).toString("hex").toUpperCase()}`;
    this.#sessions.set(order.id, { id, interaction, order, until: this.now() + interaction.timeout * 1000 });
    return json(201, { checkoutMode: "WEBSITE", merchant: MERCHANT, result: "SUCCESS", session: { id, updateStatus: "SUCCESS", version: "0bd01" }, successIndicator: "2a14c0" });
  }

  /** The address of the page of an order, and where it leads back. */
  page(id) {
    const { id: session, interaction } = this.#sessions.get(id);
    return { url: `${this.origin}/checkout/pay/${session}?checkoutVersion=1.0.0`, returns: interaction.returnUrl, locale: interaction.locale };
  }

  /** The payer pays on the page; `gatewayCode` other than APPROVED fails. */
  pay(id, gatewayCode = "APPROVED") {
    const session = this.#sessions.get(id);
    const { interaction, order } = session;
    const type = { PURCHASE: "PAYMENT", AUTHORIZE: "AUTHORIZATION", VERIFY: "VERIFICATION" }[interaction.operation];
    const { transactions } = this.#orderOf(id, order);
    if (this.now() > session.until || transactions.some((one) => one.type === type && one.gatewayCode === "APPROVED")) throw new Error("the page is over");
    transactions.push(this.#made({ id: String(transactions.length + 1), type, amount: order.amount ?? "0.000", gatewayCode }));
    session.isPaid = gatewayCode === "APPROVED";
    return `${interaction.returnUrl}?resultIndicator=${session.isPaid ? "2a14c0" : "0"}&sessionVersion=0bd01`;
  }

  /** The payer has given a card on the page, and the bank authenticates the payer (3-D Secure). */
  startAuthentication(id) {
    const order = this.#orderOf(id, this.#sessions.get(id).order);
    order.transactions.push(this.#made({ id: String(order.transactions.length + 1), type: "AUTHENTICATION", amount: order.amount, gatewayCode: "APPROVED" }));
  }

  /** The payer leaves the page; returns where the browser goes. */
  leave(id) {
    return this.#sessions.get(id).interaction.cancelUrl;
  }

  #orderOf(id, { amount, currency }) {
    if (!this.orders.has(id)) this.orders.set(id, { id, amount: amount ?? "0.000", currency, transactions: [] });
    return this.orders.get(id);
  }

  #made(transaction) {
    return { ...transaction, at: new Date(this.now()).toISOString() };
  }

  /** A token for the card with which a session was paid. */
  #save({ session, sourceOfFunds }) {
    const [id, paid] = [...this.#sessions].find(([, { id: known }]) => known === session?.id) ?? [];
    if (!paid?.isPaid || sourceOfFunds?.type !== "CARD") return invalid("no card in the session", "session.id");
    const token = `5123${Buffer.from(id).toString("hex").slice(0, 12)}`;
    this.tokens.add(token);
    const card = { brand: "MASTERCARD", expiry: "0139", number: CARD.number, scheme: "MASTERCARD" };
    return json(201, { repositoryId: "SHOP", response: { gatewayCode: "BASIC_VERIFICATION_SUCCESSFUL" }, result: "SUCCESS", sourceOfFunds: { provided: { card }, type: "CARD" }, status: "VALID", token });
  }

  /** What was taken for an order: how many payments succeeded. */
  taken(id) {
    return (this.orders.get(id)?.transactions ?? []).filter(({ type, gatewayCode }) => type === "PAYMENT" && gatewayCode === "APPROVED").length;
  }

  #put(id, transactionId, { apiOperation, order, sourceOfFunds, transaction }) {
    if (["PAY", "AUTHORIZE"].includes(apiOperation)) {
      const paymentToken = sourceOfFunds?.provided?.card?.devicePayment?.paymentToken;
      const isSaved = this.tokens.has(sourceOfFunds?.token) && sourceOfFunds.provided?.card?.storedOnFile === "STORED" && ["INTERNET", "MERCHANT"].includes(transaction.source);
      if (typeof paymentToken !== "string" && !isSaved) return invalid("no token", "sourceOfFunds");
      const gatewayCode = (isSaved ? undefined : JSON.parse(paymentToken).declined) ?? "APPROVED";
      this.#orderOf(id, order);
      return this.#record(id, { id: transactionId, type: apiOperation === "PAY" ? "PAYMENT" : "AUTHORIZATION", amount: order.amount, gatewayCode });
    }
    if (apiOperation === "VOID") return this.#void(id, transactionId, transaction.targetTransactionId);
    const type = { CAPTURE: "CAPTURE", REFUND: "REFUND" }[apiOperation];
    const most = type === "CAPTURE"
      ? this.#sum(id, "AUTHORIZATION") - this.#sum(id, "CAPTURE", "VOID_AUTHORIZATION")
      : this.#sum(id, "PAYMENT", "CAPTURE") - this.#sum(id, "REFUND");
    if (!type || minor(transaction.amount) > most) return invalid("not possible", "transaction.amount");
    return this.#record(id, { id: transactionId, type, amount: transaction.amount, gatewayCode: "APPROVED" });
  }

  /** What is held, and not captured yet, is released. */
  #void(id, transactionId, target) {
    const held = this.orders.get(id)?.transactions.find((one) => one.id === target && one.type === "AUTHORIZATION" && one.gatewayCode === "APPROVED");
    if (!held || this.#sum(id, "CAPTURE", "VOID_AUTHORIZATION") > 0) return invalid("not possible", "apiOperation");
    return this.#record(id, { id: transactionId, type: "VOID_AUTHORIZATION", amount: held.amount, gatewayCode: "APPROVED" });
  }

  #sum(id, ...kinds) {
    const done = (this.orders.get(id)?.transactions ?? []).filter(({ type, gatewayCode }) => kinds.includes(type) && gatewayCode === "APPROVED");
    return done.reduce((all, { amount }) => all + minor(amount), 0);
  }

  #record(id, transaction) {
    this.orders.get(id).transactions.push(this.#made(transaction));
    return { ...this.#transaction(id, transaction.id), status: 201 };
  }

  #sums({ id, amount, currency, transactions }) {
    const [held, captured, refunded, voided] = [["AUTHORIZATION", "PAYMENT"], ["PAYMENT", "CAPTURE"], ["REFUND"], ["VOID_AUTHORIZATION"]].map((kinds) => this.#sum(id, ...kinds));
    const has = (kind) => transactions.some(({ type, gatewayCode }) => type === kind && gatewayCode === "APPROVED");
    const isFailed = transactions.some(({ type }) => type !== "AUTHENTICATION");
    const status = voided > 0 ? "CANCELLED" : refunded > 0 ? (refunded < captured ? "PARTIALLY_REFUNDED" : "REFUNDED")
      : captured > 0 ? (captured < held ? "PARTIALLY_CAPTURED" : "CAPTURED") : held > 0 ? "AUTHORIZED"
        : has("VERIFICATION") ? "VERIFIED" : isFailed ? "FAILED" : "AUTHENTICATION_INITIATED";
    return { id, amount: number(amount), currency, status, totalAuthorizedAmount: held / 1000, totalCapturedAmount: captured / 1000, totalRefundedAmount: refunded / 1000 };
  }

  #entry({ currency }, { id, type, amount, gatewayCode, at }) {
    return {
      result: gatewayCode === "APPROVED" ? "SUCCESS" : "FAILURE", response: { gatewayCode, acquirerCode: gatewayCode === "APPROVED" ? "00" : "51" },
      timeOfRecord: at, sourceOfFunds: { type: "CARD", provided: { card: CARD } },
      transaction: { id, type, amount: number(amount), currency, authorizationCode: "B24047", receipt: "632600000042", acquirer: { batch: 20261122 } },
    };
  }

  #order(id) {
    const order = this.orders.get(id);
    if (!order) return invalid("Unable to find order", "order.id");
    const transaction = order.transactions.map((one) => this.#entry(order, one));
    return json(200, { ...this.#sums(order), merchant: MERCHANT, result: transaction.at(-1).result, transaction });
  }

  #transaction(id, transactionId) {
    const order = this.orders.get(id);
    const found = order?.transactions.find((one) => one.id === transactionId);
    if (!found) return invalid("Unable to find transaction", "transaction.id");
    return json(200, { merchant: MERCHANT, order: this.#sums(order), version: "100", ...this.#entry(order, found) });
  }

  /** The report of transactions, as a table. */
  #report(headers, query) {
    const expected = `Basic ${Buffer.from(`merchant.${MERCHANT}:${REPORTING}`).toString("base64")}`;
    if (headers.authorization !== expected) return { status: 401, body: "", headers: { "content-type": "text/plain" } };
    const [from, to] = ["start", "end"].map((bound) => Date.parse(query.get(`timeOfRecord.${bound}`)));
    const rows = [...this.orders.values()].flatMap((order) => order.transactions
      .filter(({ at }) => Date.parse(at) >= from && Date.parse(at) < to)
      .map(({ id, type, amount, gatewayCode, at }) =>
        [order.id, id, type, amount, order.currency, gatewayCode === "APPROVED" ? "SUCCESS" : "FAILURE", gatewayCode, at].join(",")));
    return { status: 200, body: `${[query.get("columnHeaders"), ...rows].join("\r\n")}\r\n`, headers: { "content-type": "text/csv" } };
  }

  /** The money that moved for one of our references, in minor units. */
  ledger(reference) {
    const charged = (this.orders.get(reference)?.transactions ?? []).filter(({ type, gatewayCode }) => ["PAYMENT", "AUTHORIZATION"].includes(type) && gatewayCode === "APPROVED");
    return {
      charges: charged.map(({ amount }) => minor(amount)), captured: this.#sum(reference, "PAYMENT", "CAPTURE"),
      refunded: this.#sum(reference, "REFUND"), voided: this.#sum(reference, "VOID_AUTHORIZATION"),
    };
  }
}
