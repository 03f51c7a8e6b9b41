/** Wallets that a test installs in a browser. */

export const APPLE = "[data-wallet=apple_pay]";
export const GOOGLE = "[data-wallet=google_pay]";

/**
 * Installs wallets in the page that return these tokens, given as text. `record` on the window stores what
 * happened; `refuses` makes the payer close the sheet.
 */
export const putWallets = (page, { apple, google, refuses = false }) =>
  page.addInitScript(({ apple, google, refuses }) => {
    const record = (globalThis.record = []);
    const inGesture = () => navigator.userActivation.isActive;
    if (apple !== undefined) {
      globalThis.ApplePaySession = class {
        static STATUS_SUCCESS = 0;
        static STATUS_FAILURE = 1;
        static canMakePayments() { return true; }
        constructor(version, request) {
          record.push(["apple", version, request, inGesture()]);
        }
        begin() {
          if (refuses) return setTimeout(() => this.oncancel({}), 10);
          setTimeout(() => this.onvalidatemerchant({ validationURL: "https://apple-pay-gateway.apple.com/paymentservices/startSession" }), 10);
        }
        completeMerchantValidation(session) {
          record.push(["session", session]);
          setTimeout(() => this.onpaymentauthorized({ payment: { token: JSON.parse(apple) } }), 10);
        }
        completePayment({ status }) { record.push(["completed", status]); }
        abort() { record.push(["aborted"]); }
      };
    }
    if (google !== undefined) {
      globalThis.PaymentRequest = class {
        constructor(methods, details) {
          this.asked = [methods, details];
        }
        async canMakePayment() { return true; }
        async show() {
          record.push(["google", ...this.asked, inGesture()]);
          if (refuses) throw new DOMException("closed", "AbortError");
          return { details: JSON.parse(google), complete: async (result) => record.push(["completed", result]) };
        }
      };
    }
  }, { apple, google, refuses });
