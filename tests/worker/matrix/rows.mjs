/**
 * A request for each operation of the description: what it does, what it answers to who may do it, and what it sends. `names`
 * is the member of the ids that belongs to the merchant; `fresh` makes ids for a request that uses them up.
 */
import { randomUUID } from "node:crypto";
import { demoSettings } from "../harness.mjs";

const REQUIRED = { amount: "1.000", currency_code: "KWD", pg_codes: ["knet"], type: "e_commerce" };
const APPLE = { paymentData: { version: "EC_v1", data: "visa-approve" }, transactionIdentifier: "6ff67beb3ecae30f6a90eba08bc60f14f1e19f7d" };
const GOOGLE = { apiVersion: 2, apiVersionMinor: 0, paymentMethodData: { type: "CARD", tokenizationData: { type: "PAYMENT_GATEWAY", token: "visa-approve" } } };

/** Makes a payment transaction for one request. */
const order = (fields) => async (till) => {
  const made = await till.create({ ...REQUIRED, ...fields });
  if (made.status !== 201) throw new Error(made.text);
  return { session_id: made.body.session_id };
};
const anOrder = order({});
const ofCustomer = order({ pg_codes: ["credit-card"], customer_id: "matrix-customer" });
const inCash = order({ pg_codes: ["cash"] });
const deleted = async (till) => {
  const has = await anOrder(till);
  for (const operation of ["cancel", "delete"]) {
    const done = await till.call("/b/pbl/v2/operation/", { method: "POST", headers: till.privateKey(), json: { ...has, operation } });
    if (done.status !== 200) throw new Error(done.text);
  }
  return has;
};
const aKey = async (till) => {
  const path = `/merchants/${till.merchant.merchant_id}/keys/`;
  const made = await till.operator(path, { method: "POST", json: { kind: "private", permissions: ["Can manage access"] } });
  till.secrets.add(made.body.key);
  return { prefix: made.body.prefix };
};
/** A card can be deleted once. */
const aCard = async (till, has) => {
  const token = `${has.token.slice(0, -8)}${randomUUID().replaceAll("-", "").toUpperCase().replaceAll(/[ILOU01]/g, "2").slice(0, 8)}`;
  await till.rows(`INSERT INTO card SELECT ${(await columns(till)).map((name) => (name === "token" ? "?1" : name === "fingerprint" ? "?1" : name)).join(", ")} FROM card WHERE token = ?2`, token, has.token);
  till.secrets.add(token);
  return { token };
};
const columns = async (till) => (await till.rows("SELECT name FROM pragma_table_info('card')")).map(({ name }) => name);

const row = (operation, action, ok, more = {}) => ({ operation, action, ok, ...more });
const session = (operation, ok, more = {}) => row(operation, "session", ok, more);
const open = (operation, ok, more = {}) => row(operation, "anything", ok, more);
const operator = (operation, ok, more = {}) => row(operation, "operate the installation", ok, more);
const operate = (command, more = {}) =>
  row("operate", command, 400, { names: "paid", json: ({ paid }) => ({ operation: command, session_id: paid, ...more }) });
const ofSession = (more) => ({ json: ({ session_id }) => ({ session_id, ...more }) });

export const ROWS = [
  row("create_transaction", "create", 201, { json: () => REQUIRED }),
  row("list_transactions", "list", 200),
  row("retrieve_transaction", "retrieve", 200, { names: "session_id" }),
  row("read_routing", "retrieve", 200, { names: "session_id" }),
  row("replace_transaction", "replace", 200, { names: "session_id", fresh: anOrder, json: () => REQUIRED }),
  row("patch_transaction", "change", 200, { names: "session_id", fresh: anOrder, json: () => ({ amount: "2.000" }) }),
  row("upload_attachment", "upload", 200, { file: true }),
  row("list_methods", "methods", 200, { json: () => ({ plugin: "e_commerce" }) }),
  operate("capture"), operate("void"), operate("cancel"), operate("expire"), operate("delete"),
  operate("refund", { amount: "999.000" }),
  row("inquire", "inquire", 200, { names: "tried", json: ({ tried }) => ({ session_id: tried }) }),
  row("pay_by_apple_pay", "wallet", 200, { names: "session_id", fresh: ofCustomer, ...ofSession({ payload: APPLE }) }),
  row("pay_by_google_pay", "wallet", 200, { names: "session_id", fresh: ofCustomer, ...ofSession({ payload: GOOGLE }) }),
  row("pay_in_cash", "cash", 200, { names: "session_id", fresh: inCash, ...ofSession({}) }),
  row("older_pay_in_cash", "cash", 200, { names: "session_id", fresh: inCash, ...ofSession({}) }),
  row("auto_debit", "debit", 200, { names: "session_id", fresh: ofCustomer, json: ({ session_id, token }) => ({ session_id, token }) }),
  row("older_auto_debit", "debit", 200, { names: "session_id", fresh: ofCustomer, json: ({ session_id, token }) => ({ session_id, token }) }),
  row("list_cards", "cards", 200, { json: () => ({ type: "sandbox", customer_id: "matrix-customer" }) }),
  row("delete_card", "cards", 204, { names: "token", fresh: aCard, search: "?customer_id=matrix-customer&type=sandbox" }),
  row("add_own_key", "manage", 201, { json: () => ({ kind: "private", permissions: ["Can manage access"] }), secret: "key" }),
  row("list_own_keys", "manage", 200),
  row("revoke_own_key", "manage", 204, { names: "prefix", fresh: aKey }),
  row("add_own_user", "manage", 201, { json: () => ({ username: `user-${randomUUID()}`, permissions: [] }) }),
  row("list_own_users", "manage", 200),
  row("read_own_user", "manage", 200, { names: "user_id" }),
  row("change_own_user", "manage", 200, { names: "user_id", json: () => ({ phone: "+96512345678" }) }),

  session("checkout_page", 200, { search: ({ session_id }) => `?session_id=${session_id}` }),
  session("pay", 200, { fresh: anOrder, form: ({ session_id }) => ({ session_id, pg_code: "knet" }) }),
  session("pay_status", 200),
  session("sdk_init", 200),
  session("sdk_concur", 200),
  session("sdk_submit", 200, { fresh: anOrder, json: () => ({ pg_code: "knet" }) }),
  session("sdk_cancel", 200, { fresh: anOrder, json: () => ({ operation: "cancel" }) }),
  session("sdk_submit_token", 200, { fresh: ofCustomer, json: ({ session_id, token }) => ({ session_id, token }) }),
  session("sdk_pay_by_apple_pay", 200, { fresh: ofCustomer, ...ofSession({ code: "credit-card", apple_pay_payload: APPLE }) }),
  session("sdk_pay_by_google_pay", 200, { fresh: ofCustomer, ...ofSession({ code: "credit-card", google_pay_payload: GOOGLE }) }),
  session("sdk_apple_session", 200, { fresh: ofCustomer, ...ofSession({ code: "credit-card" }) }),
  session("sdk_delete_card", 204, { fresh: async (till, has) => ({ ...(await ofCustomer(till)), ...(await aCard(till, has)) }) }),

  open("qr_code", 200), open("receipt", 200, { with: ({ paid }) => ({ session_id: paid }) }), open("download_attachment", 200), open("short_link", 302, { with: ({ short }) => ({ code: short }) }),
  open("policy_report", 204, { json: () => ({}) }), open("public_keys", 200), open("problem", 200, { with: () => ({ code: "not_found" }) }), open("health", 200),
  open("gateway_callback_get", 200), open("gateway_callback_post", 200, { json: () => ({}) }),
  open("account_callback", 401, { json: () => ({}), code: "signature_invalid", with: ({ own }) => ({ merchant_id: own, pg_code: "knet" }) }),
  open("gateway_return_get", 303, { with: ({ back }) => ({ token: back }) }), open("gateway_return_post", 303, { with: ({ back }) => ({ token: back }) }),
  open("gateway_return_get_bare", 404), open("gateway_return_post_bare", 404),
  open("gateway_forward", 303, { with: ({ back }) => ({ token: back }) }),

  operator("add_merchant", 201, { json: () => ({ merchant_id: `matrix-${randomUUID().slice(0, 8)}`, settings: demoSettings() }) }),
  operator("read_merchant", 200), operator("replace_settings", 200, { json: () => demoSettings() }),
  operator("add_key", 201, { json: () => ({ kind: "public" }) }), operator("list_keys", 200),
  operator("revoke_key", 204, { with: ({ merchant_id, spare }) => ({ merchant_id, prefix: spare }) }),
  operator("add_user", 201, { json: () => ({ username: `user-${randomUUID()}` }) }), operator("list_users", 200),
  operator("read_user", 200, { with: ({ spare_user }) => ({ user_id: spare_user }) }),
  operator("change_user", 200, { with: ({ spare_user }) => ({ user_id: spare_user }), json: () => ({ phone: "+96512345678" }) }),
  operator("read_clock", 200), operator("move_clock", 200, { json: () => ({ advance: "1 00:00:00" }) }),
  operator("list_reconciliations", 200),
  operator("reconcile_again", 200, { json: () => ({ pg_code: "knet", from: "2026-01-01T00:00:00Z" }), with: ({ own }) => ({ merchant_id: own }) }),
  operator("check_gateway", 200), operator("list_attention", 200),
  operator("resolve_attention", 200, { json: () => ({ action: "dismiss" }) }),
  operator("restore_transaction", 204, { fresh: deleted }),
];
