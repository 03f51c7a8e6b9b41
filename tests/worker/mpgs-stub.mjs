/** A stub of Mastercard Gateway, REST-JSON version 100: sessions, orders with their transactions, and notifications. */
import { randomBytes } from "node:crypto";
import { Stub, json } from "./stub.mjs";

export const MERCHANT = "TESTSHOP01";
export const PASSWORD = "password-of-the-stub";
export const SECRET = "0123456789ABCDEF0123456789ABCDEF";

const BASE = `/api/rest/version/100/merchant/${MERCHANT}`;
const invalid = (explanation, field) => json(400, { error: { cause: "INVALID_REQUEST", explanation, field, validationType: "INVALID" }, result: "ERROR" });
/** The gateway writes amounts as numbers. */
const number = (text) => Number(text);
const CARD = { brand: "MASTERCARD", scheme: "MASTERCARD", number: "512345xxxxxx0008", expiry: { month: "1", year: "39" } };

export class MpgsStub extends Stub {
  /** Orders by their ids: `{ id, currency, amount, transactions }`. */
  orders = new Map();
  #sessions = new Map();
  /** What was answered to a request with ids of its own, which is answered again. */
  #answers = new Map();

  answer({ method, path, headers, body }) {
    const expected = `Basic ${Buffer.from(`merchant.${MERCHANT}:${PASSWORD}`).toString("base64")}`;
    if (headers.authorization !== expected) return json(401, { error: { cause: "INVALID_REQUEST", explanation: "Invalid credentials." }, result: "ERROR" });
    if (!path.startsWith(BASE)) return json(404, { error: { cause: "INVALID_REQUEST" }, result: "ERROR" });
    const [, kind, order, , transaction] = path.slice(BASE.length).split("/");
    if (method === "GET" && kind === "paymentOptionsInquiry") return json(200, { merchant: MERCHANT, result: "SUCCESS", supportedCurrencies: {} });
    if (method === "POST" && kind === "session") return this.#open(JSON.parse(body));
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

  #open({ apiOperation, interaction, order }) {
    if (apiOperation !== "INITIATE_CHECKOUT") return invalid("no such operation", "apiOperation");
    if (!["PURCHASE", "AUTHORIZE", "VERIFY"].includes(interaction.operation)) return invalid("no such operation", "interaction.operation");
    if (!/^\d+(\.\d{3})?$/.test(order.amount)) return invalid("not an amount", "order.amount");
    const id = `SESSION${randomBytes(12).toString("hex").toUpperCase()}`;
    this.#sessions.set(order.id, { id, interaction, order });
    return json(201, { checkoutMode: "WEBSITE", merchant: MERCHANT, result: "SUCCESS", session: { id, updateStatus: "SUCCESS", version: "0bd01" }, successIndicator: "2a14c0" });
  }

  /** The address of the page of an order, and where it leads back. */
  page(id) {
    const { id: session, interaction } = this.#sessions.get(id);
    return { url: `${this.origin}/checkout/pay/${session}?checkoutVersion=1.0.0`, returns: interaction.returnUrl, locale: interaction.locale };
  }

  /** The payer pays on the page; `gatewayCode` other than APPROVED fails. */
  pay(id, gatewayCode = "APPROVED") {
    const { interaction, order } = this.#sessions.get(id);
    const type = interaction.operation === "PURCHASE" ? "PAYMENT" : "AUTHORIZATION";
    const transactions = this.orders.get(id)?.transactions ?? [];
    this.orders.set(id, { id, amount: order.amount, currency: order.currency, transactions });
    transactions.push({ id: String(transactions.length + 1), type, amount: order.amount, gatewayCode });
    return `${interaction.returnUrl}?resultIndicator=${gatewayCode === "APPROVED" ? "2a14c0" : "0"}&sessionVersion=0bd01`;
  }

  /** What was taken for an order: how many payments succeeded. */
  taken(id) {
    return (this.orders.get(id)?.transactions ?? []).filter(({ type, gatewayCode }) => type === "PAYMENT" && gatewayCode === "APPROVED").length;
  }

  #put(id, transactionId, { apiOperation, order, sourceOfFunds, transaction }) {
    if (apiOperation === "PAY") {
      const token = sourceOfFunds?.provided?.card?.devicePayment?.paymentToken;
      if (typeof token !== "string") return invalid("no token", "sourceOfFunds");
      const gatewayCode = JSON.parse(token).declined ?? "APPROVED";
      this.orders.set(id, { id, amount: order.amount, currency: order.currency, transactions: [] });
      return this.#record(id, { id: transactionId, type: "PAYMENT", amount: order.amount, gatewayCode });
    }
    const type = { CAPTURE: "CAPTURE", REFUND: "REFUND" }[apiOperation];
    const sum = (kind) => (this.orders.get(id)?.transactions ?? [])
      .filter(({ type: known, gatewayCode }) => known === kind && gatewayCode === "APPROVED").reduce((all, { amount }) => all + number(amount), 0);
    const most = type === "CAPTURE" ? sum("AUTHORIZATION") - sum("CAPTURE") : sum("PAYMENT") + sum("CAPTURE") - sum("REFUND");
    if (!type || number(transaction.amount) > most) return invalid("not possible", "transaction.amount");
    return this.#record(id, { id: transactionId, type, amount: transaction.amount, gatewayCode: "APPROVED" });
  }

  #record(id, transaction) {
    this.orders.get(id).transactions.push(transaction);
    return { ...this.#transaction(id, transaction.id), status: 201 };
  }

  #sums({ id, amount, currency, transactions }) {
    const sum = (...kinds) => transactions
      .filter(({ type, gatewayCode }) => kinds.includes(type) && gatewayCode === "APPROVED").reduce((all, one) => all + number(one.amount), 0);
    const [held, captured, refunded] = [sum("AUTHORIZATION", "PAYMENT"), sum("PAYMENT", "CAPTURE"), sum("REFUND")];
    const status = refunded > 0 ? (refunded < captured ? "PARTIALLY_REFUNDED" : "REFUNDED")
      : captured > 0 ? (captured < held ? "PARTIALLY_CAPTURED" : "CAPTURED") : held > 0 ? "AUTHORIZED" : "FAILED";
    return { id, amount: number(amount), currency, status, totalAuthorizedAmount: held, totalCapturedAmount: captured, totalRefundedAmount: refunded };
  }

  #entry({ currency }, { id, type, amount, gatewayCode }) {
    return {
      result: gatewayCode === "APPROVED" ? "SUCCESS" : "FAILURE", response: { gatewayCode, acquirerCode: gatewayCode === "APPROVED" ? "00" : "51" },
      sourceOfFunds: { type: "CARD", provided: { card: CARD } },
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
}
