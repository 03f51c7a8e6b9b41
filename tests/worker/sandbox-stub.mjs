/** A stub of the sandbox's bank at another address: the protocol of docs/sandbox.md. */
import { createHash, randomBytes } from "node:crypto";
import { sign } from "./bank.mjs";
import { Stub, json } from "./stub.mjs";

export const KEY = "key-of-the-sandbox-stub-0123456789";

/** What each listed card does when it is charged. */
const CARDS = {
  "visa-approve": { ends: "approved", message: "approved" },
  "mastercard-decline": { ends: "declined", message: "insufficient funds" },
  "visa-3ds": { ends: "open", message: "waiting for the payer" },
};
const VISA = { brand: "VISA", number: "411111******1111", expiry_month: "01", expiry_year: "39", holder: "TEST CARD" };
const PAGE = 50;

const id = (prefix) => `${prefix}_${randomBytes(16).toString("hex")}`;
const refuse = (status, message) => json(status, { message });
const minor = (text) => Number(text.replace(".", ""));
const written = (number) => `${Math.floor(number / 1000)}.${String(number % 1000).padStart(3, "0")}`;

/** The card that a wallet's token names; a token in which a byte was changed names none. */
function cardOf({ kind, payload }) {
  const inner = kind === "apple_pay" ? payload : JSON.parse(payload.paymentMethodData.tokenizationData.token);
  const [card, seal] = kind === "apple_pay" ? [payload.paymentData.data, payload.transactionIdentifier] : [inner.signedMessage, inner.signature];
  const sealed = createHash("sha256").update(JSON.stringify(payload).replace(seal, "")).digest("hex");
  return sealed === seal ? card : undefined;
}

export class SandboxStub extends Stub {
  /** Charges by reference, operations by reference, saved cards by token. */
  charges = new Map();
  operations = new Map();
  cards = new Map();

  answer({ method, path, query, headers, body }) {
    if (headers.authorization !== `Bearer ${KEY}`) return refuse(401, "no such key");
    const [, version, kind, reference, what, operation] = path.split("/");
    if (version !== "v1" || kind !== "charges") return refuse(404, "no such address");
    if (method === "GET" && !reference) return this.#list(query);
    if (method === "POST" && !reference) return this.#open(body);
    const charge = this.charges.get(reference);
    if (!charge) return refuse(404, "no such charge");
    if (method === "GET") return what ? this.#operation(operation) : json(200, this.#show(charge));
    if (what === "cancel") return charge.status === "open" ? json(200, this.#show(this.#end(charge, "canceled", "canceled"))) : json(409, this.#show(charge));
    return what === "operations" ? this.#operate(charge, body) : refuse(404, "no such address");
  }

  #open(body) {
    const { reference, amount, currency, operation, card, keep_card, return_url, callback_url, wallet } = JSON.parse(body);
    const known = this.charges.get(reference);
    if (known) return known.body === body ? json(200, this.#show(known)) : refuse(409, "the reference belongs to another charge");
    if (!/^\d+\.\d{3}$/.test(amount) || (minor(amount) === 0) !== (operation === "verify")) return refuse(400, "amount");
    if (![return_url, callback_url].every((address) => /^http:\/\/127\.0\.0\.1:\d+\/b\/gw\/v1\//.test(address))) return refuse(400, "an address");
    const charge = { id: id("ch"), reference, status: "open", amount, currency, operation, message: "waiting for the payer", keep_card, return_url, callback_url, body, opened_at: this.now(), changed_at: this.now() };
    this.charges.set(reference, charge);
    if (!card && !wallet) return json(201, this.#show(charge));
    const used = card ? this.cards.get(card.token) : cardOf(wallet);
    if (!used) this.#end(charge, "declined", card ? "no such card" : "wallet token altered");
    else if (used !== "visa-3ds" || card?.initiator !== "merchant") this.#use(charge, used);
    else this.#use(charge, "visa-approve");
    return json(201, this.#show(charge));
  }

  #use(charge, card) {
    const { ends, message } = CARDS[card];
    charge.used = card;
    return ends === "open" ? charge : this.#end(charge, ends, message);
  }

  #end(charge, status, message) {
    if (charge.status !== "open") throw new Error(`the charge is ${charge.status}`);
    Object.assign(charge, { status, message, changed_at: this.now() });
    if (status !== "approved") return charge;
    const token = charge.keep_card ? `tok_${charge.reference}` : undefined;
    if (token) this.cards.set(token, "visa-approve");
    return Object.assign(charge, { auth_code: "704860", rrn: "295995131502", transaction_id: id("tr"), post_date: "2026-11-22", card: { ...VISA, token } });
  }

  #show({ keep_card, return_url, callback_url, body, opened_at, changed_at, used, ...charge }) {
    return charge.status === "open" ? { ...charge, page_url: `${this.origin}/pay/${charge.id}/` } : charge;
  }

  #done(charge, operation) {
    return [...this.operations.values()].filter((one) => one.charge === charge.reference && one.operation === operation).reduce((sum, { amount }) => sum + minor(amount), 0);
  }

  #operate(charge, body) {
    const { reference, operation, amount, currency } = JSON.parse(body);
    const known = this.operations.get(reference);
    if (known) return known.body === body ? this.#operation(reference, 200) : refuse(409, "the reference belongs to another operation");
    const taken = charge.operation === "authorize" ? this.#done(charge, "capture") : minor(charge.amount);
    const left = { capture: minor(charge.amount) - this.#done(charge, "capture") - this.#done(charge, "void"), void: minor(charge.amount) - this.#done(charge, "void"), refund: taken - this.#done(charge, "refund") }[operation];
    const isHeld = charge.operation === "authorize" || operation === "refund";
    if (charge.status !== "approved" || !isHeld || minor(amount) > left || (operation === "void" && taken > 0)) return refuse(422, "not possible");
    this.operations.set(reference, { id: id("op"), reference, operation, status: "done", amount, currency, message: "done", rrn: "295995131503", charge: charge.reference, body });
    charge.changed_at = this.now();
    return this.#operation(reference, 201);
  }

  #operation(reference, status = 200) {
    const known = this.operations.get(reference);
    if (!known) return refuse(404, "no such operation");
    const { body, charge, ...operation } = known;
    return json(status, operation);
  }

  #list(query) {
    const [from, to, skipped] = ["from", "to", "cursor"].map((name) => Number(query.get(name) ?? 0));
    const all = [...this.charges.values()].filter(({ opened_at, changed_at }) => [opened_at, changed_at].some((at) => at >= from && at < to));
    const sums = (charge) => ({
      captured: written(charge.operation === "authorize" ? this.#done(charge, "capture") : charge.status === "approved" ? minor(charge.amount) : 0),
      refunded: written(this.#done(charge, "refund")), voided: written(this.#done(charge, "void")),
    });
    const page = all.slice(skipped, skipped + PAGE);
    const next = skipped + PAGE < all.length ? { next: String(skipped + PAGE) } : {};
    return json(200, { charges: page.map((charge) => ({ ...this.#show(charge), ...sums(charge) })), ...next });
  }

  /** The payer pays on the page with a listed card, or confirms what the bank wants; returns where the browser goes. */
  pay(reference, card = "visa-approve") {
    const charge = this.charges.get(reference);
    if (charge.status !== "open") throw new Error(`the page is ${charge.status}`);
    this.#use(charge, card);
    return charge.return_url;
  }

  /** The payer leaves the page without paying; returns where the browser goes. */
  leave(reference) {
    return this.#end(this.charges.get(reference), "canceled", "canceled by the payer").return_url;
  }

  /** The report of a charge, as the bank sends it. */
  callback(reference) {
    const body = JSON.stringify(this.#show(this.charges.get(reference)));
    return { path: `/b/gw/v1/callback/${reference}/`, body, headers: { "content-type": "application/json", "sandbox-signature": sign(body, KEY) } };
  }

  /** The money that moved for one of our references, in minor units. */
  ledger(reference) {
    const charge = this.charges.get(reference);
    if (charge?.status !== "approved" || charge.operation === "verify") return { charges: [], captured: 0, refunded: 0, voided: 0 };
    const captured = charge.operation === "authorize" ? this.#done(charge, "capture") : minor(charge.amount);
    return { charges: [minor(charge.amount)], captured, refunded: this.#done(charge, "refund"), voided: this.#done(charge, "void") };
  }
}
