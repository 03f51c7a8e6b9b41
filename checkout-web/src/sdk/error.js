/** Why a call of the module gave no result. */
export class CheckoutError extends Error {
  name = "CheckoutError";

  constructor(code, message, errors, retryAfter) {
    super(`${code}: ${message}`);
    this.code = code;
    this.errors = errors;
    this.retryAfter = retryAfter;
  }
}
