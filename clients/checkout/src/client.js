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
import { PAY_WITHIN, Payer, READ_WITHIN } from "./calls.js";

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
   * Pays with what a wallet returned, which is passed on as it is: of a text every byte. A declined payment is an outcome, no error.
   *
   * @param {Service} service of the session
   * @param {unknown} payload `payment.token` of Apple Pay, `response.details` of Google Pay, or the JSON text of one
   * @param {{ amount?: string, shown?: Shown, signal?: AbortSignal }} [options]
   * @returns {Promise<WalletOutcome>}
   */
  async payByWallet(service, payload, options) {
    const token = typeof payload === "string" ? payload : JSON.stringify(payload);
    // A text that is no object could add members to the body.
    if (JSON.parse(token)?.constructor !== Object) throw new TypeError("payload must be what a wallet returned");
    return this.payByToken(service, token, options);
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
