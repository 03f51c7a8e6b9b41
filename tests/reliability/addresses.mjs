/** Every address that reads JSON, each with a body that it accepts: hostile bodies are made of these. */
import { OPERATOR_TOKEN, demoSettings } from "../worker/harness.mjs";
import { appleToken, googleToken } from "../worker/wallets.mjs";

const SDK = "/b/checkout/api/sdk/v1";
const NO_CARD = `card_${"0".repeat(32)}`;

/**
 * @typedef {object} Address
 * @property {string} method
 * @property {string} path
 * @property {Record<string, string>} headers the credentials, and the content type
 * @property {string} body a body that this address accepts, byte for byte
 */

/**
 * The addresses of one merchant and one of its payment transactions, which offers every kind of gateway.
 *
 * @param {import("../worker/harness.mjs").Till} till whose `merchant` is meant
 * @returns {Promise<Address[]>}
 */
export async function addresses(till) {
  const created = await till.create({ pg_codes: ["knet", "credit-card", "cash"], customer_id: "c-hostile", order_no: "hostile" });
  if (created.status !== 201) throw new Error(`no transaction: ${created.status} ${created.text}`);
  const { session_id } = created.body;
  const operator = { authorization: `Bearer ${OPERATOR_TOKEN}` };
  // Accepted settings change a separate merchant, or the answers to the other requests would depend on the
  // order.
  const { merchant } = till;
  const { merchant_id } = await till.createMerchant();
  till.merchant = merchant;
  const other = `/b/operator/v1/merchants/${merchant_id}`;
  const order = {
    type: "e_commerce", amount: "10.250", currency_code: "KWD", pg_codes: ["knet"], order_no: "A-1", language: "ar",
    customer_id: "c-1", customer_first_name: "Noura", customer_email: "noura@example.com", customer_phone: "+96599999999",
    billing_address: { line1: "Street 1", city: "Kuwait", country: "KW" }, extra: { table: 7, tags: ["a", { b: null }] },
    card_acceptance_criteria: { min_expiry_time: "30 00:00:00" }, expiration_time: "1 00:00:00",
  };
  const merchants = [
    ["POST", "/b/checkout/v1/pymt-txn/", order],
    ["PUT", `/b/checkout/v1/pymt-txn/${session_id}/`, order],
    ["PATCH", `/b/checkout/v1/pymt-txn/${session_id}/`, { order_no: "A-2", extra: { table: 8 } }],
    ["POST", "/b/pbl/v2/payment-methods/", { plugin: "e_commerce", currencies: ["KWD"], customer_id: "c-1" }],
    ["POST", "/b/pbl/v2/operation/", { session_id, operation: "refund", amount: "1.000", extra: { why: "test" } }],
    ["POST", "/b/pbl/v2/inquiry/", { session_id, notify: false }],
    ["POST", "/b/pbl/v2/card/", { type: "sandbox", customer_id: "c-1", pg_codes: ["credit-card"] }],
    ["POST", "/b/pbl/v2/payment/cash/", { session_id: "0".repeat(40) }],
    ["POST", "/b/pbl/v2/payment/auto-debit/", { session_id, token: NO_CARD }],
    ["POST", "/b/pbl/v2/auto-debit/", { session_id, token: NO_CARD }],
    ["POST", "/b/pbl/v2/payment/apple-pay/", `{"session_id":"${session_id}","payload":${appleToken("mastercard-decline")}}`],
    ["POST", "/b/pbl/v2/payment/google-pay/", `{"session_id":"${session_id}","payload":${googleToken("mastercard-decline")}}`],
  ];
  const pages = [
    ["POST", `${SDK}/submit/${session_id}/`, { pg_code: "credit-card" }],
    ["POST", `${SDK}/submit-token/`, { session_id, token: NO_CARD }],
    ["POST", `${SDK}/apay/validate-session/`, { session_id, validation_url: "https://apple-pay-gateway.apple.com/session" }],
    ["POST", `${SDK}/apay/pay/`, `{"session_id":"${session_id}","apple_pay_payload":${appleToken("mastercard-decline")}}`],
    ["POST", `${SDK}/gpay/pay/`, `{"session_id":"${session_id}","google_pay_payload":${googleToken("mastercard-decline")}}`],
  ];
  const operators = [
    ["POST", "/b/operator/v1/merchants/", { merchant_id, settings: demoSettings() }],
    ["PUT", `${other}/settings/`, demoSettings()],
    ["POST", `${other}/keys/`, { kind: "public" }],
    ["POST", `${other}/reconciliations/`, { pg_code: "knet", from: "2026-01-01T00:00:00Z" }],
  ];
  const all = (list, headers) =>
    list.map(([method, path, body]) => ({
      method,
      path,
      headers: { ...headers, "content-type": "application/json" },
      body: typeof body === "string" ? body : JSON.stringify(body),
    }));
  return [...all(merchants, till.privateKey()), ...all(pages, {}), ...all(operators, operator)];
}

/**
 * Sends a body, text or bytes, to an address. The client of Node fails an assertion of its own once in some
 * thousand requests; that is no answer, and it is asked again.
 */
export async function send(till, { method, path, headers }, body) {
  try {
    return await till.call(path, { method, headers, body });
  } catch (error) {
    if (error.code !== "ERR_ASSERTION" || !/undici/.test(error.stack)) throw error;
    return till.call(path, { method, headers, body });
  }
}
