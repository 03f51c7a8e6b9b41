/**
 * A client of Till's checkout for the page of a merchant. The session id of a payment transaction, which the merchant's server
 * creates, is all that it needs.
 *
 * ```js
 * const checkout = createCheckout({ origin: "https://pay.example.com", sessionId });
 * const { payment_methods } = await checkout.load();
 * const { redirect_url } = await checkout.submit("knet");
 * location.assign(redirect_url);
 * ```
 */
import { PAY_WITHIN, Payer, READ_WITHIN, said } from "./calls.js";

export { CheckoutError, RefusedError, UnexpectedAnswerError, UnreachableError } from "./errors.js";
export { isFinal } from "./follow.js";

/** @typedef {import("./types.js").Session} Session */
/** @typedef {import("./types.js").Method} Method */
/** @typedef {import("./types.js").Service} Service */
/** @typedef {import("./types.js").SavedCard} SavedCard */
/** @typedef {import("./types.js").Outcome} Outcome */
/** @typedef {import("./types.js").WalletOutcome} WalletOutcome */
/** @typedef {import("./types.js").Problem} Problem */
/** @typedef {import("./types.js").State} State */
/** @typedef {import("./calls.js").CheckoutOptions} CheckoutOptions */
/** @typedef {import("./calls.js").Choice} Choice */
/** @typedef {import("./calls.js").Shown} Shown */
/** @typedef {import("./calls.js").Redirection} Redirection */

/** A checkout of one payment transaction. */
export class Checkout extends Payer {
  /**
   * Pays with what a wallet returned, which is passed on as it is. A declined payment is an outcome, no error.
   *
   * @param {Service} service of the session
   * @param {unknown} payload `payment.token` of Apple Pay, `response.details` of Google Pay
   * @param {{ amount?: string, signal?: AbortSignal }} [options]
   * @returns {Promise<WalletOutcome>}
   */
  payByWallet({ flow, code, amount: total, total_price, currency_code: currency }, payload, { amount, signal } = {}) {
    const [path, member] = flow === "apple_pay" ? ["apay/pay/", "apple_pay_payload"] : ["gpay/pay/", "google_pay_payload"];
    const shown = said({ currency, ...(amount === undefined ? { total: total ?? total_price } : {}) });
    const body = { session_id: this.sessionId, code, amount: amount ?? total ?? total_price, ...shown, [member]: payload };
    return this.call("POST", path, body, signal, PAY_WITHIN, (answer) => answer.approved === false);
  }

  /**
   * The merchant session that a sheet of Apple Pay needs.
   *
   * @param {Service} service of the session
   * @param {string} validationURL of the event of the sheet
   * @param {{ amount?: string, signal?: AbortSignal }} [options]
   * @returns {Promise<unknown>}
   */
  appleSession({ code, amount: total, currency_code: currency }, validationURL, { amount, signal } = {}) {
    const shown = said({ currency, ...(amount === undefined ? { total } : {}) });
    const body = { session_id: this.sessionId, code, amount: amount ?? total, ...shown, apple_pay_payload: { validationURL } };
    return this.call("POST", "apay/validate-session/", body, signal, READ_WITHIN);
  }

  /**
   * Deletes a saved card of the payer.
   *
   * @param {string} token of the card
   * @param {{ signal?: AbortSignal }} [options]
   * @returns {Promise<void>}
   */
  async deleteCard(token, { signal } = {}) {
    await this.call("DELETE", `card/${this.sessionId}/${encodeURIComponent(token)}/`, undefined, signal, READ_WITHIN);
  }

  /**
   * Cancels the transaction.
   *
   * @param {{ signal?: AbortSignal }} [options]
   * @returns {Promise<Outcome>}
   */
  cancel({ signal } = {}) {
    return this.call("POST", `cancel/${this.sessionId}/`, { operation: "cancel" }, signal, PAY_WITHIN);
  }
}

/**
 * A checkout of one payment transaction.
 *
 * @param {CheckoutOptions} options
 */
export const createCheckout = (options) => new Checkout(options);
