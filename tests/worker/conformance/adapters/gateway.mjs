/** What the settings of all gateways of the suite have in common, and what wallets give. */

/** Why a connector cannot do the case about a dispute. */
export const NO_DISPUTES = "it reports none";

/** A gateway that purchases, with everything that a connector may be able to do. */
export const purchasing = (connector, endpoint, credentials, members = {}) => ({
  code: "shop", name: { en: "Card", ar: "بطاقة" }, connector, pg_name: connector, operation: "purchase", currencies: ["KWD"], sandbox: true,
  tokenization: true, auto_debit: true, wallets: ["apple_pay", "google_pay"], operations: ["refund"], credentials, endpoint, ...members,
});

/** The same gateway for payments that are held first. */
export const holding = (gateway) =>
  ({ ...gateway, code: "held", operation: "authorize", tokenization: false, auto_debit: false, wallets: [], operations: ["capture", "refund", "void"] });

/** A payer of whom a gateway without cards must know something. */
export const PAYER = { customer_first_name: "Noura", customer_last_name: "Al-Sabah", customer_email: "noura@example.com", customer_phone: "+96590000001" };

/** What Google Pay gives, with the token of a gateway in it. */
export const google = (token) => JSON.stringify({
  apiVersion: 2, apiVersionMinor: 0, paymentMethodData: { type: "CARD", tokenizationData: { type: "PAYMENT_GATEWAY", token: JSON.stringify(token) } },
});

/** What Apple Pay gives, with the data of a gateway's simulator in it. */
export const apple = (data) => JSON.stringify({
  paymentData: { version: "EC_v1", data, signature: "MIAGCSqGSIb3", header: { publicKeyHash: "q/w=", transactionId: "9a1b" } },
  paymentMethod: { displayName: "Visa 1111", network: "Visa", type: "debit" }, transactionIdentifier: "9a1b",
});

/** A payment by Google Pay on the merchant's page, with what the bank then does. */
export async function byGoogle(world, outcome) {
  const payment = await world.open();
  const answer = await world.payByWallet(payment, "google-pay", world.adapter.wallets["google-pay"](outcome), { isPayer: true });
  return { payment: await world.known(payment), answer };
}
