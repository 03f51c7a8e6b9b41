/** Why a call gave no result. */

/** Any error of this package. */
export class CheckoutError extends Error {
  name = "CheckoutError";
}

/** Till refused the call. */
export class RefusedError extends CheckoutError {
  name = "RefusedError";

  /**
   * @param {import("./types.js").Problem} problem the body of the answer
   * @param {number} status
   * @param {number | undefined} retryAfter after how many seconds the call may succeed
   */
  constructor(problem, status, retryAfter) {
    super(`${problem.code}: ${problem.detail}`);
    /** The body of the answer; `errors` names every wrong field. */
    this.problem = problem;
    /** A stable code, such as `not_payable`. */
    this.code = problem.code;
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/**
 * No answer could be read: the browser is offline, the connection broke, or the origin of this page is not one of the
 * merchant's `allowed_origins`. A browser does not say which. A payment that was sent may have been made: ask for its state.
 */
export class UnreachableError extends CheckoutError {
  name = "UnreachableError";

  /** @param {unknown} cause */
  constructor(cause) {
    super("no answer: offline, or its origin is not in allowed_origins");
    this.cause = cause;
  }
}

/** An answer that is not Till's, for example of a proxy. */
export class UnexpectedAnswerError extends CheckoutError {
  name = "UnexpectedAnswerError";

  /** @param {number} status */
  constructor(status) {
    super(`status ${status}, and no answer of Till`);
    this.status = status;
  }
}
