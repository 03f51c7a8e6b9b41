/**
 * Runs in the head of a page that offers wallets, before anything is painted: names on the document the wallets that the browser has, so
 * that the style sheet shows their buttons from the first paint, and reserves no place for others. Nobody is contacted: `ApplePaySession`
 * knows itself, and of Chromium, which is the browser with `userAgentData`, the presence of `PaymentRequest` counts. wallet.js notes the
 * session id of a payment for which Google Pay turned out to be missing.
 */
const page = document.documentElement;
// The buttons do nothing without the module: a page whose script cannot be loaded shows the form alone.
addEventListener("error", ({ target }) => { if (target.type === "module") page.className = ""; }, true);
let isRefused;
try {
  isRefused = location.search.includes(localStorage["no google_pay"]);
} catch {
  // This browser keeps nothing.
}
if (window.PaymentRequest && navigator.userAgentData && !isRefused) page.classList.add("google_pay");
try {
  if (ApplePaySession.canMakePayments()) page.classList.add("apple_pay");
} catch {
  // There is none, or this page may not use it.
}
