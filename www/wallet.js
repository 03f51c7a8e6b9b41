/**
 * The browser's sheets of wallets: Apple Pay through its own `ApplePaySession`, Google Pay through the browser's `PaymentRequest`. No
 * script of Apple or Google is loaded. Who opens one computes what it shows, and submits what the wallet returns: the page's module
 * (checkout-web/src/page/sheet.rs), and the element (clients/checkout/src/taker.js).
 *
 * `facts` are those of a merchant, the data of a button; `offer` is `{ session, total, parts, currency, networks }`. A taker has
 * `validate(address, done)`, which hands over the text of a merchant session or nothing; `pay(token, done)`, which hands over whether it
 * is paid, if that is known; `close()`; and `refuse()`, if the browser turns out not to have the wallet. What a wallet returns is
 * written to text once, here, and not read again: a token that is modified on the way makes the payment fail.
 */

const APPLE_PAY_VERSION = 3;

/**
 * A browser remembers for which payment it refused Google Pay: one entry, so that nothing adds up. A browser that stores nothing offers
 * it again when the page is loaded again.
 */
const REFUSED = "no google_pay";
function memory(work) {
  try {
    return work(localStorage);
  } catch (error) {
    console.info(error);
  }
}

/** What the total consists of, if the sheet can show its parts. */
const items = ({ net_label, fee_label }, { parts }) => parts.map((amount, place) => ({ label: [net_label, fee_label][place], amount }));

const applePay = {
  has: (facts, session, then) => then(window.ApplePaySession?.canMakePayments() === true),

  open(facts, offer, taker) {
    const { ApplePaySession } = window;
    const session = new ApplePaySession(APPLE_PAY_VERSION, {
      countryCode: facts.country_code,
      currencyCode: offer.currency,
      supportedNetworks: offer.networks.split(" "),
      merchantCapabilities: ["supports3DS"],
      total: { label: facts.shop_name, amount: offer.total, type: "final" },
      lineItems: items(facts, offer).map((item) => ({ ...item, type: "final" })),
    });
    session.onvalidatemerchant = ({ validationURL }) =>
      taker.validate(validationURL, (text) => {
        if (text !== undefined) return session.completeMerchantValidation(JSON.parse(text));
        session.abort();
        taker.close();
      });
    session.onpaymentauthorized = ({ payment }) =>
      taker.pay(JSON.stringify(payment.token), (approved) => {
        if (approved === undefined) session.abort();
        else session.completePayment({ status: approved ? ApplePaySession.STATUS_SUCCESS : ApplePaySession.STATUS_FAILURE });
        taker.close();
      });
    session.oncancel = () => taker.close();
    session.begin();
  },
};

/** The request of Google Pay for an amount. */
function googleRequest(facts, { total: value, parts, currency, networks }) {
  const shown = items(facts, { parts });
  const method = {
    supportedMethods: "https://google.com/pay",
    data: {
      environment: facts.environment,
      apiVersion: 2,
      apiVersionMinor: 0,
      merchantInfo: { merchantId: facts.merchant_id, merchantName: facts.shop_name },
      allowedPaymentMethods: [{
        type: "CARD",
        parameters: { allowedAuthMethods: ["PAN_ONLY", "CRYPTOGRAM_3DS"], allowedCardNetworks: networks.split(" ") },
        tokenizationSpecification: {
          type: "PAYMENT_GATEWAY",
          parameters: { gateway: facts.gateway, gatewayMerchantId: facts.gateway_merchant_id },
        },
      }],
      transactionInfo: {
        countryCode: facts.country_code, currencyCode: currency, totalPriceStatus: "FINAL", totalPrice: value,
        totalPriceLabel: facts.shop_name, displayItems: shown.map(({ label, amount }) => ({ label, type: "LINE_ITEM", price: amount })),
      },
    },
  };
  const total = { label: facts.shop_name, amount: { currency, value } };
  return new PaymentRequest([method], { total, displayItems: shown.map(({ label, amount }) => ({ label, amount: { currency, value: amount } })) });
}

const googlePay = {
  /**
   * Nobody learns of a payer before they choose. Chromium, which is the browser with `userAgentData`, fetches Google's manifests
   * for a `PaymentRequest` that only exists, so it is asked by the press of the button; other browsers know the answer
   * themselves, whatever the amount. Safari has the interface for Apple Pay only; it is known by the style of its button.
   */
  has(facts, session, then) {
    const isAway = window.PaymentRequest === undefined || CSS.supports("-webkit-appearance", "-apple-pay-button");
    if (isAway || document.featurePolicy?.allowsFeature("payment") === false || memory((all) => all.getItem(REFUSED)) === session) then(false);
    else if (navigator.userAgentData !== undefined) then(true);
    else googleRequest(facts, { total: "1.00", parts: [], currency: "USD", networks: "VISA" }).canMakePayment().then(then, () => then(false));
  },

  open(facts, offer, taker) {
    // The answer comes after the sheet is closed, also if the browser refuses at once.
    new Promise((resolve) => resolve(googleRequest(facts, offer).show())).then(
      (response) =>
        taker.pay(JSON.stringify(response.details), async (approved) => {
          await response.complete(approved === undefined ? "unknown" : approved ? "success" : "fail");
          taker.close();
        }),
      // The payer closed the sheet; or this browser has no Google Pay, which it says only now.
      ({ name }) => {
        if (name === "AbortError") return taker.close();
        memory((all) => all.setItem(REFUSED, offer.session));
        taker.refuse();
      },
    );
  },
};

/** The interface. A sheet is opened while the press of its button is handled. */
export const sheets = { apple_pay: applePay, google_pay: googlePay };
