/**
 * A request for each operation of the description: what it does, what it answers to who may do it, and what it sends. `names`
 * is the member of the ids that belongs to the merchant, `atOnce` with which statuses it may be answered if another request was faster, and `unknown` the status for one that does not exist (404); `fresh` makes ids for a request that uses them up.
 */
import { randomUUID } from "node:crypto";
import { recorded } from "../calls.mjs";
import { storeEntry } from "../attention.mjs";
import { demoSettings } from "../harness.mjs";
import { pngOf } from "../images.mjs";
import { atTheBank, payWith } from "../payer.mjs";

/** Transactions that are paid in other ways than those of `REQUIRED`. */
export const BY_CARD = { pg_codes: ["credit-card"], customer_id: "matrix-customer" };
export const TWO_WAYS = { pg_codes: ["knet", "credit-card"] };
export const IN_CASH = { pg_codes: ["cash"] };
const REQUIRED = { amount: "1.000", currency_code: "KWD", pg_codes: ["knet"], type: "e_commerce" };
/** What the wallets provide, as the recorded calls have it. */
const [APPLE, GOOGLE] = ["pay_by_apple_pay", "pay_by_google_pay"].map((name) => recorded().calls.find(({ operation }) => operation === name).json.payload);

/** Makes a payment transaction for one request, which the ids then have under this name. */
const order = (name, fields) => async (till) => {
  const made = await till.create({ ...REQUIRED, ...fields });
  if (made.status !== 201) throw new Error(made.text);
  return { [name]: made.body.session_id };
};
const anOrder = order("session_id", {});
const twoWays = order("two_ways", TWO_WAYS);
const byCard = order("by_card", BY_CARD);
const inCash = order("in_cash", IN_CASH);
const deleted = async (till) => {
  const has = await anOrder(till);
  for (const operation of ["cancel", "delete"]) {
    const done = await till.call("/b/pbl/v2/operation/", { method: "POST", headers: till.privateKey(), json: { ...has, operation } });
    if (done.status !== 200) throw new Error(done.text);
  }
  return has;
};
/** An entry of the attention list can be resolved once. */
const anEntry = async (till, { own, paid }) => ({ entry_id: await storeEntry(till, { merchant_id: own, session_id: paid }) });
const aKey = async (till) => {
  const path = `/merchants/${till.merchant.merchant_id}/keys/`;
  const made = await till.operator(path, { method: "POST", json: { kind: "private", permissions: ["Can manage access"] } });
  till.secrets.add(made.body.key);
  return { prefix: made.body.prefix };
};
/** A card can be deleted once. Each customer has one, and a transaction that it could pay. */
const aCard = async (till) => {
  const customer = `customer-${randomUUID()}`;
  const saving = await atTheBank(till, { pg_code: "credit-card", payment_type: "save_card", amount: "0", customer_id: customer });
  await payWith(till, saving.page, "visa-approve");
  const [{ token }] = await till.rows("SELECT token FROM card WHERE customer_id = ?1", customer);
  till.secrets.add(token);
  return { customer, token, ...(await order("by_card", { ...BY_CARD, customer_id: customer })(till)) };
};
const aUser = async (till) => {
  const merchant = till.merchant.merchant_id;
  const made = await till.operator(`/merchants/${merchant}/users/`, { method: "POST", json: { username: `user-${randomUUID()}` } });
  return { user_id: made.body.id };
};

/** A merchant of which only one request is made: those that change settings at once are in conflict. */
const aMerchant = async (till) => {
  const merchant_id = `matrix-${randomUUID().slice(0, 13)}`;
  const made = await till.operator("/merchants/", { method: "POST", json: { merchant_id, settings: demoSettings() } });
  if (made.status !== 201) throw new Error(made.text);
  for (const name of ["private_key", "webhook_hmac_key", "webhook_signing_secret"]) till.secrets.add(made.body[name]);
  return { merchant_id };
};
const twoSecrets = async (till) => {
  const has = await aMerchant(till);
  const made = await till.operator(`/merchants/${has.merchant_id}/webhook-secrets/`, { method: "POST" });
  till.secrets.add(made.body.webhook_signing_secret);
  return has;
};
/** A key of a merchant of its own, to be revoked. */
const aSpareKey = async (till) => {
  const has = await aMerchant(till);
  const made = await till.operator(`/merchants/${has.merchant_id}/keys/`, { method: "POST", json: { kind: "public" } });
  till.secrets.add(made.body.key);
  return { ...has, prefix: made.body.prefix };
};
/** Another secret of the shop, so that there is one to drop. */
const ofShop = async (till) => {
  const made = await till.operator(`/merchants/${till.merchant.merchant_id}/webhook-secrets/`, { method: "POST" });
  if (made.body.webhook_signing_secret) till.secrets.add(made.body.webhook_signing_secret);
  return {};
};
/** An image that no other call has sent. */
let width = 8;
const aNewImage = () => {
  width = width < 2_000 ? width + 1 : 8;
  return pngOf(width, 8);
};
/** An image of the shop, to be deleted. */
const anImage = async (till) => {
  const made = await till.call("/b/access/v1/images/", { method: "POST", headers: till.privateKey(), body: aNewImage() });
  return { image: made.body.name };
};
const anImageOfAMerchant = async (till) => {
  const has = await aMerchant(till);
  const made = await till.operator(`/merchants/${has.merchant_id}/images/`, { method: "POST", body: aNewImage() });
  return { ...has, image: made.body.name };
};
const aDomainFile = async (till) => {
  await till.operator("/apple-domain-file/", { method: "PUT", body: "7B22" });
  return {};
};
/** A receiver that is disabled, of the shop and of the merchant that operators name. */
let receivers = 0;
const aDisabledReceiver = async (till, { own, merchant_id }) => {
  const receiver = `https://gone-${++receivers}.example.com`;
  for (const merchant of [own, merchant_id]) {
    await till.rows("INSERT INTO receiver (merchant_id, address, disabled_at, reason) VALUES (?1, ?2, 1, 'failing')", merchant, receiver);
  }
  return { receiver };
};
const anOperator = async (till) => {
  const made = await till.operator("/operators/", { method: "POST", json: { name: "for a moment", role: "read" } });
  till.secrets.add(made.body.key);
  return { operator_id: made.body.id };
};

const row = (operation, action, ok, more = {}) => ({ operation, action, ok, ...more });
const session = (operation, ok, more = {}) => row(operation, "session", ok, more);
const open = (operation, ok, more = {}) => row(operation, "anything", ok, more);
const read = (operation, ok, more = {}) => row(operation, "read the installation", ok, more);
const support = (operation, ok, more = {}) => row(operation, "support merchants", ok, more);
const administer = (operation, ok, more = {}) => row(operation, "administer the installation", ok, more);
const operate = (command, more = {}) =>
  row("operate", command, 400, { names: "paid", unknown: 400, json: ({ paid }) => ({ operation: command, session_id: paid, ...more }) });
/** What pays by card or wallet; what is not found is a field of the body that is wrong. */
const charge = (operation, action, more) =>
  row(operation, action, 200, { names: "by_card", unknown: 400, fresh: byCard, json: ({ by_card, token }) => ({ session_id: by_card, ...more(token) }) });
const cash = (operation) =>
  row(operation, "cash", 200, { names: "in_cash", unknown: 400, fresh: inCash, json: ({ in_cash }) => ({ session_id: in_cash }) });
const onPage = (operation, more) => session(operation, 200, { fresh: byCard, json: ({ by_card, token }) => ({ session_id: by_card, ...more(token) }) });

export const ROWS = [
  row("create_transaction", "create", 201, { json: () => REQUIRED }),
  row("list_transactions", "list", 200),
  row("read_totals", "list", 200),
  row("export_transactions", "export", 200),
  row("retrieve_transaction", "retrieve", 200, { names: "session_id" }),
  row("read_routing", "retrieve", 200, { names: "session_id" }),
  row("list_operations", "retrieve", 200, { names: "session_id" }),
  row("read_operation", "retrieve", 200, { names: "refunded", with: ({ refunded, refund }) => ({ session_id: refunded, reference_number: refund }) }),
  row("read_timeline", "retrieve", 200, { names: "session_id" }),
  row("notify", "inquire", 200, { names: "paid", with: ({ paid }) => ({ session_id: paid }), json: () => ({}) }),
  row("list_approvals", "see requests", 200),
  row("read_approval", "see requests", 200, { names: "approval_id" }),
  row("approve", "approve", 409, { names: "approval_id", json: () => ({}) }),
  row("reject", "approve", 409, { names: "approval_id", json: () => ({ note: "no" }) }),
  row("withdraw", "withdraw", 409, { names: "approval_id" }),
  row("list_own_attention", "list", 200),
  row("resolve_own_attention", "change", 200, { names: "entry_id", fresh: anEntry, json: () => ({ note: "given back" }) }),
  row("replace_transaction", "replace", 200, { names: "session_id", fresh: anOrder, json: () => REQUIRED }),
  row("patch_transaction", "change", 200, { names: "session_id", fresh: anOrder, json: () => ({ amount: "2.000" }) }),
  row("patch_transaction", "change gateways", 200, { names: "two_ways", fresh: twoWays, with: ({ two_ways }) => ({ session_id: two_ways }), json: () => ({ pg_codes: ["knet"] }) }),
  row("upload_attachment", "upload", 200, { file: true }),
  row("upload_attachment", "change", 200, { file: true, names: "session_id", unknown: 400, fresh: anOrder, fields: ({ session_id }) => ({ session_id }) }),
  row("list_methods", "methods", 200, { json: () => ({ plugin: "e_commerce" }) }),
  operate("capture"), operate("void"), operate("cancel"), operate("expire"),
  { ...operate("delete"), ok: 200, names: "session_id", fresh: anOrder, json: ({ session_id }) => ({ operation: "delete", session_id }) },
  operate("refund", { amount: "999.000" }),
  row("inquire", "inquire", 200, { names: "tried", json: ({ tried }) => ({ session_id: tried }) }),
  row("message_notification", "change", 400, { names: "session_id", unknown: 400, fresh: anOrder, json: ({ session_id }) => ({ session_id, channels: ["email"] }) }),
  charge("pay_by_apple_pay", "wallet", () => ({ payload: APPLE })), charge("pay_by_google_pay", "wallet", () => ({ payload: GOOGLE })),
  charge("auto_debit", "debit", (token) => ({ token })), charge("older_auto_debit", "debit", (token) => ({ token })),
  cash("pay_in_cash"), cash("older_pay_in_cash"),
  row("list_cards", "cards", 200, { json: () => ({ type: "sandbox", customer_id: "matrix-customer" }) }),
  row("list_agreements", "cards", 200, { json: () => ({ type: "sandbox", customer_id: "matrix-customer" }) }),
  row("resume_agreement", "debit", 200, { names: "agreement_id", json: ({ agreement_id }) => ({ type: "sandbox", customer_id: "matrix-customer", agreement_id }) }),
  row("delete_card", "cards", 204, { names: "token", fresh: aCard, search: ({ customer }) => `?customer_id=${customer}&type=sandbox` }),
  row("add_own_key", "manage", 201, { json: () => ({ kind: "private", permissions: ["Can manage access"] }), secret: "key" }),
  row("list_own_keys", "manage", 200),
  row("revoke_own_key", "manage", 204, { names: "prefix", fresh: aKey }),
  row("list_roles", "manage", 200),
  row("add_own_user", "manage", 201, { json: () => ({ username: `user-${randomUUID()}`, permissions: [] }) }),
  row("list_own_users", "manage", 200),
  row("read_own_user", "manage", 200, { names: "user_id" }),
  row("read_own_webhook_addresses", "manage", 200),
  row("change_own_webhook_addresses", "own", 200, { atOnce: [409], json: () => ({ operations: "https://shop.example.com/operations" }) }),
  row("add_own_webhook_secret", "own", 201, { atOnce: [409], secret: "webhook_signing_secret" }),
  row("drop_own_webhook_secret", "own", 204, { atOnce: [404, 409], fresh: ofShop }),
  row("replace_own_signature_key", "own", 201, { atOnce: [409], json: () => ({}), secret: "webhook_hmac_key" }),
  row("read_own_deliveries", "list", 200), row("read_own_delivery", "list", 200, { names: "delivery_id" }),
  row("read_own_messages", "list", 200),
  row("resend_own_deliveries", "inquire", 200, { names: "delivery_id", json: ({ delivery_id }) => ({ delivery_id }) }),
  row("list_own_receivers", "manage", 200),
  row("enable_own_receiver", "own", 200, { names: "receiver", fresh: aDisabledReceiver, json: ({ receiver }) => ({ address: receiver }) }),
  row("send_own_test_webhook", "own", 200, { json: ({ inbox }) => ({ address: inbox, kind: "payment_webhook" }) }),
  row("read_own_audit", "manage", 200),
  row("upload_own_image", "own", 201, { text: aNewImage }), row("list_own_images", "own", 200),
  row("delete_own_image", "own", 204, { names: "image", fresh: anImage }),
  row("read_own_brand", "own", 200), row("replace_own_brand", "own", 200, { atOnce: [409], json: () => ({ accent: "#7a1fa2" }) }),
  row("preview_own_brand", "own", 200),
  row("erase", "own", 200, { json: () => ({ customer_id: "nobody-here" }) }),
  row("change_own_user", "manage", 200, { names: "user_id", fresh: aUser, json: () => ({ phone: "+96512345678" }) }),
  // Who may invite is refused because the user has no address.
  row("invite_own_user", "manage", 400, { names: "user_id", fresh: aUser }), row("reset_own_factor", "manage", 204, { names: "user_id", fresh: aUser }),

  session("checkout_page", 200, { search: ({ session_id }) => `?session_id=${session_id}` }),
  session("pay", 200, { fresh: anOrder, form: ({ session_id }) => ({ session_id, pg_code: "knet" }) }),
  session("pay_status", 200),
  session("sdk_init", 200),
  session("sdk_concur", 200),
  session("sdk_submit", 200, { fresh: anOrder, json: () => ({ pg_code: "knet" }) }),
  session("sdk_check_option", 200, { fresh: anOrder, json: () => ({ pg_code: "knet" }) }),
  session("sdk_cancel", 200, { fresh: anOrder, json: () => ({ operation: "cancel" }) }),
  onPage("sdk_submit_token", (token) => ({ token })),
  onPage("sdk_pay_by_apple_pay", () => ({ code: "credit-card", apple_pay_payload: APPLE })),
  onPage("sdk_pay_by_google_pay", () => ({ code: "credit-card", google_pay_payload: GOOGLE })),
  onPage("sdk_apple_session", () => ({ code: "credit-card" })),
  session("sdk_delete_card", 204, { fresh: aCard, with: ({ by_card }) => ({ session_id: by_card }) }),

  open("image", 200), open("apple_domain_file", 200, { fresh: aDomainFile }),
  open("qr_code", 200), open("receipt", 200, { with: ({ paid }) => ({ session_id: paid }) }), open("receipt_code", 200, { with: ({ paid }) => ({ session_id: paid }) }), open("download_attachment", 200), open("short_link", 302, { with: ({ short }) => ({ code: short }) }),
  open("give_token", 400, { form: () => ({ grant_type: "password" }) }),
  open("policy_report", 204, { json: () => ({}) }), open("public_keys", 200), open("problem", 200, { with: () => ({ code: "not_found" }) }), open("health", 200),
  open("gateway_callback_get", 401, { code: "signature_invalid" }), open("gateway_callback_post", 401, { code: "signature_invalid", json: () => ({}) }),
  open("message_report_get", 401, { code: "signature_invalid", with: ({ own }) => ({ merchant_id: own, channel: "sms" }) }),
  open("message_report_post", 401, { json: () => ({}), code: "signature_invalid", with: ({ own }) => ({ merchant_id: own, channel: "sms" }) }),
  open("account_callback", 401, { json: () => ({}), code: "signature_invalid", with: ({ own }) => ({ merchant_id: own, pg_code: "knet" }) }),
  open("gateway_return_get", 303, { with: ({ back }) => ({ token: back }) }), open("gateway_return_post", 303, { with: ({ back }) => ({ token: back }) }),
  open("gateway_return_get_bare", 404), open("gateway_return_post_bare", 404),
  open("gateway_forward", 303, { with: ({ back }) => ({ token: back }) }),

  administer("add_merchant", 201, { json: () => ({ merchant_id: `matrix-${randomUUID().slice(0, 8)}`, settings: demoSettings() }) }),
  read("read_merchant", 200), administer("replace_settings", 200, { fresh: aMerchant, json: () => demoSettings() }),
  administer("add_key", 201, { json: () => ({ kind: "public" }), secret: "key" }), read("list_keys", 200),
  support("revoke_key", 204, { fresh: aSpareKey }),
  administer("add_user", 201, { json: () => ({ username: `user-${randomUUID()}` }) }), read("list_users", 200),
  read("read_user", 200, { with: ({ spare_user }) => ({ user_id: spare_user }) }),
  administer("change_user", 200, { atOnce: [409], with: ({ spare_user }) => ({ user_id: spare_user }), json: () => ({ phone: "+96512345678" }) }),
  read("read_clock", 200), support("move_clock", 200, { fresh: aMerchant, json: () => ({ advance: "1 00:00:00" }) }),
  read("list_reconciliations", 200),
  support("reconcile_again", 200, { atOnce: [409], json: () => ({ pg_code: "knet", from: "2026-01-01T00:00:00Z" }), with: ({ own }) => ({ merchant_id: own }) }),
  support("check_gateway", 200), read("list_attention", 200),
  support("resolve_attention", 200, { json: () => ({ action: "dismiss" }) }),
  support("restore_transaction", 204, { fresh: deleted }),
  administer("add_operator", 201, { json: () => ({ name: "of the matrix", role: "read" }), secret: "key" }), read("list_operators", 200),
  administer("revoke_operator", 204, { fresh: anOperator }), read("read_audit", 200),
  support("pause_merchant", 200, { fresh: aMerchant, json: () => ({ is_paused: false }) }),
  read("read_history", 200), read("read_version", 200, { with: () => ({ version: 1 }) }), read("compare_versions", 200, { with: () => ({ version: 1 }) }),
  administer("restore_version", 200, { fresh: aMerchant, with: () => ({ version: 1 }), json: () => ({ version: 1 }) }),
  administer("add_webhook_secret", 201, { fresh: aMerchant, secret: "webhook_signing_secret" }),
  administer("drop_webhook_secret", 204, { fresh: twoSecrets }),
  administer("replace_signature_key", 201, { fresh: aMerchant, json: () => ({}), secret: "webhook_hmac_key" }),
  administer("erase_of", 200, { json: () => ({ customer_id: "nobody-here" }) }),
  read("read_deliveries", 200), read("read_delivery", 200, { with: ({ spare_delivery }) => ({ delivery_id: spare_delivery }) }),
  support("resend_deliveries", 200, { json: () => ({ state: "given_up", since: "2026-01-01T00:00:00Z", until: "2026-01-02T00:00:00Z" }) }), read("list_receivers", 200),
  read("list_merchants", 200), read("find_transaction", 400), read("list_transactions_of", 200), read("retrieve_of", 200, { with: ({ own, paid }) => ({ merchant_id: own, session_id: paid }) }),
  support("notify_of", 200, { with: ({ own, paid }) => ({ merchant_id: own, session_id: paid }) }),
  support("inquire_of", 200, { with: ({ own }) => ({ merchant_id: own }), json: ({ paid }) => ({ session_id: paid }) }),
  support("enable_receiver", 200, { fresh: aDisabledReceiver, json: ({ receiver }) => ({ address: receiver }) }),
  support("send_test_webhook", 200, { json: ({ inbox }) => ({ address: inbox, kind: "operation_webhook" }) }),
  administer("upload_image", 201, { text: aNewImage }), read("list_images", 200),
  administer("delete_image", 204, { fresh: anImageOfAMerchant }), read("preview_brand", 200),
  administer("replace_apple_domain_file", 204, { text: () => "7B22" }),
  read("read_metrics", 200), read("read_sealing", 200), administer("reseal", 200),
];
