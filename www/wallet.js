/**
 * The wallet buttons of the page. A button is shown if the browser has the wallet: Apple Pay through its own
 * `ApplePaySession`, Google Pay through the browser's `PaymentRequest`. No script of Apple or Google is
 * loaded.
 *
 * What a wallet returns is written to text once, here, and not read again: a token that is modified on the
 * way makes the payment fail. The page's module is notified by the event `wallet` on the page, whose detail
 * is one text: `pressed`, then `closed`, `lost`, `refused <code>` or `go <address>`.
 */

/** How long a payment may take, in milliseconds: longer than the server gives the gateway. */
const PAY_WITHIN = 45_000;
/** How long a sheet waits for its merchant session, in milliseconds. */
const SESSION_WITHIN = 20_000;
const APPLE_PAY_VERSION = 3;

/**
 * Makes the buttons of wallets work: they can be pressed as soon as the page's module runs. `page` is the element that receives the
 * events. Those of wallets that the browser does not have are not shown (www/first.js); a browser that answers later shows its button
 * then.
 */
export function offerWallets(page) {
  for (const button of page.querySelectorAll("[data-wallet]")) {
    const { has, open } = wallets[button.dataset.wallet];
    const show = (isThere) => {
      document.documentElement.classList.toggle(button.dataset.wallet, isThere);
      if (isThere) button.addEventListener("click", () => press(page, button, open));
    };
    const answer = has(button.dataset, page.dataset.sessionId);
    if (typeof answer === "boolean") show(answer);
    else answer.then(show, () => {});
  }
}

/** What a wallet reports that this browser turns out not to have, or whose owner refuses the merchant. */
export const REFUSED = "refused wallet_unavailable";

/**
 * A browser remembers for one payment that it refused a wallet: one entry for each wallet, so that nothing adds up. A browser
 * that stores nothing offers the wallet again when the page is loaded again.
 */
const memory = {
  has(wallet, sessionId) {
    try {
      return localStorage.getItem(`no ${wallet}`) === sessionId;
    } catch {
      return false;
    }
  },
  note(wallet, sessionId) {
    try {
      localStorage.setItem(`no ${wallet}`, sessionId);
    } catch (error) {
      console.info(error);
    }
  },
};

const report = (page, detail) => page.dispatchEvent(new CustomEvent("wallet", { detail }));

/**
 * A sheet must be opened while the press is still being handled; the module says at once whether it may open.
 */
function press(page, button, open) {
  if (button.getAttribute("aria-disabled") === "true") return;
  report(page, "pressed");
  if (button.getAttribute("aria-disabled") !== "true") return;
  const { sessionId } = page.dataset;
  try {
    open(button.dataset, sessionId, (news) => {
      if (news === REFUSED) withdraw(button.parentElement);
      report(page, news);
    });
  } catch (error) {
    report(page, "closed");
    reportError(error);
  }
}

/** Takes the button of a wallet from the page, and with the last one the place of all. */
function withdraw(place) {
  const all = place.parentElement;
  place.remove();
  if (![...all.children].some((one) => one.checkVisibility() && one.matches(".express"))) all.remove();
}

/** Posts to the page's side of the API. */
const post = (address, body, milliseconds) =>
  fetch(address, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(milliseconds),
  });

const subject = ({ code, amount, total, currency, editable }, session_id) => ({
  session_id, code, amount: editable === undefined ? total : amount, shown_total: total, shown_currency: currency,
});

/**
 * Pays; answers what the sheet shows (`true`, `false`, or nothing while the outcome is unknown) and what the
 * module is notified of.
 */
async function pay(dataset, session_id, payload) {
  let response, answer;
  try {
    response = await post(dataset.payUrl, { ...subject(dataset, session_id), ...payload }, PAY_WITHIN);
    answer = await response.json();
  } catch {
    return { news: "lost" };
  }
  if (response.ok) return { approved: answer.approved, news: `go ${answer.redirect_url}` };
  if (answer.approved === false) return { approved: false, news: "refused payment_declined" };
  const code = answer.errors?.amount === undefined ? answer.code : "price_changed";
  return { approved: false, news: `refused ${code ?? "unavailable"}` };
}

/** What the total consists of, if the gateway asks a fee and the sheet can show its parts. */
const items = ({ net, netLabel, fee = "", feeLabel }) =>
  /[1-9]/.test(fee) ? [{ label: netLabel, amount: net }, { label: feeLabel, amount: fee }] : [];

const applePay = {
  has: () => window.ApplePaySession?.canMakePayments() === true,

  open(dataset, sessionId, report) {
    const { ApplePaySession } = window;
    const session = new ApplePaySession(APPLE_PAY_VERSION, {
      countryCode: dataset.countryCode,
      currencyCode: dataset.currency,
      supportedNetworks: ["amex", "mada", "masterCard", "visa"],
      merchantCapabilities: ["supports3DS"],
      total: { label: dataset.shop, amount: dataset.total, type: "final" },
      lineItems: items(dataset).map((item) => ({ ...item, type: "final" })),
    });
    session.onvalidatemerchant = async ({ validationURL }) => {
      const body = { ...subject(dataset, sessionId), apple_pay_payload: { validationURL } };
      const response = await post(dataset.sessionUrl, body, SESSION_WITHIN).catch(() => undefined);
      if (response?.ok) return session.completeMerchantValidation(await response.json());
      session.abort();
      // A refusal has a code; a gateway that issues no session gives none.
      const answer = await response?.json().catch(() => undefined);
      report(response === undefined ? "lost" : `refused ${answer?.code ?? "unavailable"}`);
    };
    session.onpaymentauthorized = async ({ payment }) => {
      const { approved, news } = await pay(dataset, sessionId, { apple_pay_payload: payment.token });
      if (approved === undefined) session.abort();
      else session.completePayment({ status: approved ? ApplePaySession.STATUS_SUCCESS : ApplePaySession.STATUS_FAILURE });
      report(news);
    };
    session.oncancel = () => report("closed");
    session.begin();
  },
};

/** The request of Google Pay for an amount. */
function googleRequest(dataset) {
  const parts = items(dataset);
  const method = {
    supportedMethods: "https://google.com/pay",
    data: {
      environment: dataset.environment,
      apiVersion: 2,
      apiVersionMinor: 0,
      merchantInfo: { merchantId: dataset.merchant, merchantName: dataset.shop },
      allowedPaymentMethods: [{
        type: "CARD",
        parameters: { allowedAuthMethods: ["PAN_ONLY", "CRYPTOGRAM_3DS"], allowedCardNetworks: ["AMEX", "MASTERCARD", "VISA"] },
        tokenizationSpecification: {
          type: "PAYMENT_GATEWAY",
          parameters: { gateway: dataset.gateway, gatewayMerchantId: dataset.gatewayMerchant },
        },
      }],
      transactionInfo: {
        countryCode: dataset.countryCode, currencyCode: dataset.currency, totalPriceStatus: "FINAL", totalPrice: dataset.total,
        totalPriceLabel: dataset.shop, displayItems: parts.map(({ label, amount }) => ({ label, type: "LINE_ITEM", price: amount })),
      },
    },
  };
  const total = { label: dataset.shop, amount: { currency: dataset.currency, value: dataset.total } };
  const displayItems = parts.map(({ label, amount }) => ({ label, amount: { currency: dataset.currency, value: amount } }));
  return new PaymentRequest([method], { total, displayItems });
}

const googlePay = {
  /**
   * Nobody learns of a payer before they choose. Chromium, which is the browser with `userAgentData`, fetches Google's manifests
   * for a `PaymentRequest` that only exists, so it is asked by the press of the button; other browsers know the answer
   * themselves. Safari has the interface for Apple Pay only; it is known by the style of its button.
   */
  has(dataset, sessionId) {
    const isAway = window.PaymentRequest === undefined || CSS.supports("-webkit-appearance", "-apple-pay-button");
    if (isAway || document.featurePolicy?.allowsFeature("payment") === false || memory.has("google_pay", sessionId)) return false;
    return navigator.userAgentData !== undefined || googleRequest(dataset).canMakePayment();
  },

  open(dataset, sessionId, report) {
    new Promise((resolve) => resolve(googleRequest(dataset).show())).then(
      async (response) => {
        const { approved, news } = await pay(dataset, sessionId, { google_pay_payload: response.details });
        await response.complete(approved === undefined ? "unknown" : approved ? "success" : "fail");
        report(news);
      },
      // The payer closed the sheet; or this browser has no Google Pay, which it says only now.
      ({ name }) => {
        if (name === "AbortError") return report("closed");
        memory.note("google_pay", sessionId);
        report(REFUSED);
      },
    );
  },
};

/** Both, for an element that offers them on the page of a merchant. */
export const wallets = { apple_pay: applePay, google_pay: googlePay };
