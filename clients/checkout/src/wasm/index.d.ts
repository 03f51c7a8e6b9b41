/** A checkout of one payment transaction that computes by the rules of the server, in WebAssembly. */
import type { Quote, Session } from "../types.js";
import type { Checkout, CheckoutOptions, InitInput } from "./module.js";

export type { CallOptions, Checkout, Challenge, CheckoutOptions, PayOptions, SubmitOptions } from "./module.js";
export type { Method, NoOutcome, Outcome, Quote, SavedCard, Service, Session, State, WalletOutcome } from "../types.js";

/** Why a call gave no result. */
export class CheckoutError extends Error {
  readonly name: "CheckoutError";
  /**
   * Till's code, such as `not_payable`; `unreachable` if no answer could be read, and `unexpected_answer` for one that is not Till's: a
   * payment that was sent may have been made then.
   */
  readonly code: string;
  /** Every wrong field, and what it must be. */
  readonly errors?: Readonly<Record<string, unknown>>;
  /** After how many seconds the call may succeed. */
  readonly retryAfter?: number;
  private constructor();
}

/**
 * A checkout of a transaction. The first call fetches the module.
 *
 * @param source the module, or where it is, if it is not in the folder of this file
 */
export function createCheckout(options: CheckoutOptions, source?: InitInput | Promise<InitInput>): Promise<Checkout>;

/** What each method and wallet of a transaction that was loaded costs for an amount: as `quote`, which loads it. */
export function quoteOf(session: Session, amount?: string, source?: InitInput | Promise<InitInput>): Promise<Quote[]>;
