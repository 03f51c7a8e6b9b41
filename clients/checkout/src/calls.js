/** The calls with which a payer chooses and pays: those that the element makes. */
import { RefusedError, UnexpectedAnswerError, UnreachableError } from "./errors.js";
import { follow } from "./follow.js";

/** @typedef {import("./types.js").Session} Session */
/** @typedef {import("./types.js").Outcome} Outcome */
/** @typedef {import("./types.js").Service} Service */
/** @typedef {import("./types.js").WalletOutcome} WalletOutcome */

/**
 * @typedef {object} CheckoutOptions
 * @property {string} origin the origin of Till, such as `https://pay.example.com`
 * @property {string} sessionId the payment transaction
 * @property {string} [publicKey] the merchant's public key, if the merchant sends one; never a private key
 * @property {typeof globalThis.fetch} [fetch] another implementation of `fetch`
 */

/**
 * @typedef {object} Choice
 * @property {string | undefined} [amount] how much the payer pays, if they may choose it
 * @property {boolean} [saveCard] whether the payer's card is saved
 * @property {string} [phone] another phone number of the payer
 * @property {Record<string, string>} [payer] what a flexible method must know: `customer_phone` and others
 * @property {boolean} [isNext] whether it is the `next_way` that the payer was offered after a decline
 * @property {Shown} [shown] what the page showed that this costs: nothing else is charged, and a refusal is `price_changed`
 * @property {AbortSignal} [signal]
 */

/**
 * @typedef {object} Shown
 * @property {string} [total] what is paid, with fees
 * @property {string} currency the currency in which it is paid
 */

/** @param {Shown | undefined} shown */
const said = (shown) => ({ shown_total: shown?.total, shown_currency: shown?.currency });

/** @typedef {{ redirect_url: string }} Redirection where the browser goes on */

const BASE = "/b/checkout/api/sdk/v1";
/** How long reading may take, and paying: longer than Till gives a gateway. In milliseconds. */
export const READ_WITHIN = 20_000;
export const PAY_WITHIN = 45_000;

/** What a payer does with one payment transaction. */
export class Payer {
  #origin;
  #sessionId;
  #headers;
  #fetch;

  /** @param {CheckoutOptions} options */
  constructor({ origin, sessionId, publicKey, fetch = globalThis.fetch }) {
    this.#origin = new URL(origin).origin;
    if (!/^[0-9a-zA-Z]{1,128}$/.test(sessionId)) throw new TypeError("sessionId must be the session_id of a payment");
    this.#sessionId = sessionId;
    this.#headers = { accept: "application/json", ...(publicKey === undefined ? {} : { authorization: `Api-Key ${publicKey}` }) };
    this.#fetch = fetch.bind(globalThis);
  }

  /** The origin of Till. */
  get origin() {
    return this.#origin;
  }

  /** The payment transaction. */
  get sessionId() {
    return this.#sessionId;
  }

  /**
   * The transaction: its state, methods, wallets and saved cards. Lists are empty when it cannot be paid.
   *
   * @param {{ signal?: AbortSignal }} [options]
   * @returns {Promise<Session>}
   */
  load({ signal } = {}) {
    return this.call("GET", `pymt-txn/submit/${this.#sessionId}/`, undefined, signal, READ_WITHIN);
  }

  /**
   * The payer chose a method that uses the page of a gateway. If the gateway refuses it at once, that is an error with the code
   * `payment_declined`.
   *
   * @param {string} code of the method
   * @param {Choice} [choice]
   * @returns {Promise<Redirection>}
   */
  async submit(code, { amount, isNext, saveCard, phone, payer, shown, signal } = {}) {
    const body = { ...payer, pg_code: code, amount, save_card: saveCard, is_next_way: isNext, customer_additional_phone: phone, channel: "web_sdk", ...said(shown) };
    const answer = await this.call("POST", `submit/${this.#sessionId}/`, body, signal, PAY_WITHIN);
    if (answer.redirect_url === undefined) throw new RefusedError({ ...answer, code: "payment_declined", detail: answer.message }, 400, undefined);
    return answer;
  }

  /**
   * Whether a flexible method takes the payment.
   *
   * @param {string} code of the method
   * @param {{ signal?: AbortSignal }} [options]
   * @returns {Promise<import("./types.js").OptionAnswer>}
   */
  check(code, { signal } = {}) {
    return this.call("POST", `pre-payment-option-check/${this.#sessionId}/`, { pg_code: code }, signal, READ_WITHIN);
  }

  /**
   * The payer pays with a saved card. `redirect_url` is the page of a challenge, or where a paid payer goes.
   *
   * @param {string} token of the card
   * @param {{ amount?: string | undefined, shown?: Shown, signal?: AbortSignal }} [options]
   * @returns {Promise<Outcome>}
   */
  payWithCard(token, { amount, shown, signal } = {}) {
    return this.call("POST", "submit-token/", { session_id: this.#sessionId, token, amount, ...said(shown) }, signal, PAY_WITHIN);
  }

  /**
   * Submits the text of what a wallet returned, which must be one JSON object.
   *
   * @param {Service} service @param {string} token @param {{ amount?: string, shown?: Shown, signal?: AbortSignal }} [options]
   * @returns {Promise<WalletOutcome>}
   */
  payByToken(service, token, { signal, ...choice } = {}) {
    const path = service.flow === "apple_pay" ? "apay/pay/" : "gpay/pay/";
    return this.call("POST", path, this.#order(service, choice, `${service.flow}_payload`, token), signal, PAY_WITHIN, (answer) => answer.approved === false);
  }

  /**
   * The merchant session that a sheet of Apple Pay needs.
   *
   * @param {Service} service of the session
   * @param {string} validationURL of the event of the sheet
   * @param {{ amount?: string, shown?: Shown, signal?: AbortSignal }} [options]
   * @returns {Promise<unknown>}
   */
  appleSession(service, validationURL, { signal, ...choice } = {}) {
    const body = this.#order(service, choice, "apple_pay_payload", JSON.stringify({ validationURL }));
    return this.call("POST", "apay/validate-session/", body, signal, READ_WITHIN);
  }

  /**
   * What is paid by a wallet, with a text that is passed on byte for byte.
   *
   * @param {Service} service @param {{ amount?: string, shown?: Shown }} choice @param {string} member @param {string} text
   */
  #order({ code, amount: price, total_price: total = price, currency_code: currency }, { amount = total, shown }, member, text) {
    const order = { session_id: this.#sessionId, code, amount, ...said(shown ?? { currency, ...(amount === total && { total }) }) };
    return `${JSON.stringify(order).slice(0, -1)},"${member}":${text}}`;
  }

  /**
   * The transaction now, and again whenever it changed, until its state is final or the signal aborts. It asks less and less
   * often, and not while the page is hidden; when the connection breaks it goes on asking.
   *
   * @param {import("./follow.js").FollowOptions} [options]
   * @returns {AsyncGenerator<Session, void, void>}
   */
  follow(options = {}) {
    return follow((signal) => this.load({ signal }), options);
  }

  /**
   * Any call; the others are made of it.
   *
   * @protected
   * @param {string} method
   * @param {string} path
   * @param {object | string | undefined} body
   * @param {AbortSignal | undefined} signal
   * @param {number} milliseconds
   * @param {(answer: any) => boolean} [isOutcome] whether the body of a refusal is an outcome
   * @returns {Promise<any>}
   */
  async call(method, path, body, signal, milliseconds, isOutcome = () => false) {
    const limit = AbortSignal.timeout(milliseconds);
    const headers = body === undefined ? this.#headers : { ...this.#headers, "content-type": "application/json" };
    const init = { method, headers, signal: signal ? AbortSignal.any([signal, limit]) : limit, ...(body && { body: typeof body === "string" ? body : JSON.stringify(body) }) };
    let response, answer;
    try {
      response = await this.#fetch(`${this.#origin}${BASE}/${path}`, { ...init, credentials: "omit", referrerPolicy: "no-referrer" });
      if (response.status === 204) return undefined;
      answer = await response.json().catch(() => undefined);
    } catch (error) {
      signal?.throwIfAborted();
      throw new UnreachableError(error);
    }
    signal?.throwIfAborted();
    if (answer === null || typeof answer !== "object") throw new UnexpectedAnswerError(response.status);
    if (response.ok || isOutcome(answer)) return answer;
    if (typeof answer.code !== "string") throw new UnexpectedAnswerError(response.status);
    throw new RefusedError(answer, response.status, Number(response.headers.get("retry-after")) || undefined);
  }
}

