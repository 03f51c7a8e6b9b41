/**
 * Slots: every table that holds rows of a payment or of a merchant says in which column its slot is, each new name carries its
 * slot, and names from before slots still lead to what they name.
 */
import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { after, before, test } from "node:test";
import { start } from "./harness.mjs";
import { assertProblem, atTheBank, attempts, deliverNow, openPage, payWith, untilWebhooks } from "./payer.mjs";

const HEX = "[0-9a-f]";
const REFERENCE = "[0-9A-HJKMNP-TV-Z]{12}";

/** The slot that a text carries in each form; `undefined` for a text of another form. */
const first = (pattern) => (text) => new RegExp(`^(?:${pattern})$`).exec(text)?.slice(1).find((slot) => slot !== undefined)?.toLowerCase();
const SESSION = first(`(${HEX}{2})${HEX}{38}`);
const NAMED = first(`(?:[A-Z0-9]*${REFERENCE}|[0-9A-F]{24,40})U([0-9A-F]{2})`);
const DELIVERY = first(`evt_(${HEX}{2})${HEX}{38}_\\d+[a-z]*|alert_(${HEX}{2})${HEX}{40}`);
const CARD = first(`card_(${HEX}{2})${HEX}{32}`);
const MARKED = first(`x(${HEX}{2})[0-9A-Za-z]+(?:\\.[a-z]+)?`);
const BELL = (text) => SESSION(text) ?? NAMED(text) ?? DELIVERY(text) ?? (text === "cleaning" ? "00" : undefined);
/** The slot of a merchant is its home. */
const MERCHANT = (text) => (typeof text === "string" && text !== "" ? "00" : undefined);
/** Rows of the whole installation, which are in every database or in the one of the configuration. */
const INSTALLATION = () => "00";
/** Rows that are named by a hash or by a number of calls: their slot is made of that text when there are several. */
const HASHED = () => "00";

/** In which column a table has what says its slot, and in which form. */
const TABLES = {
  agreement: ["merchant_id", MERCHANT],
  alert: ["merchant_id", MERCHANT],
  answer: ["merchant_id", MERCHANT],
  api_key: ["merchant_id", MERCHANT],
  approval: ["session_id", SESSION],
  attachment: ["name", MARKED],
  attempt: ["reference", NAMED],
  attention: ["reference", NAMED],
  audit: ["merchant_id", MERCHANT],
  call_count: ["caller", HASHED],
  capture_deadline: ["session_id", SESSION],
  card: ["token", CARD],
  child: ["session_id", SESSION],
  consent: ["session_id", SESSION],
  debit_ladder: ["session_id", SESSION],
  decision: ["session_id", SESSION],
  delivery: ["id", DELIVERY],
  delivery_try: ["delivery_id", DELIVERY],
  // Of the users, whose merchant is in the directory.
  desk_factor: ["user_id", INSTALLATION],
  desk_session: ["id", HASHED],
  desk_trip: ["id", HASHED],
  doorbell: ["id", BELL],
  gateway_health: ["merchant_id", MERCHANT],
  image: ["name", MARKED],
  installation_file: ["name", INSTALLATION],
  merchant: ["id", MERCHANT],
  message_note: ["delivery_id", DELIVERY],
  operator: ["id", INSTALLATION],
  payment_template: ["merchant_id", MERCHANT],
  payment_term: ["session_id", SESSION],
  receiver: ["merchant_id", MERCHANT],
  reconciliation: ["merchant_id", MERCHANT],
  settings_version: ["merchant_id", MERCHANT],
  short_link: ["code", MARKED],
  sign_in_place: ["place", HASHED],
  sign_in_try: ["subject", HASHED],
  sweep_total: ["id", INSTALLATION],
  txn: ["session_id", SESSION],
  txn_event: ["session_id", SESSION],
  user: ["merchant_id", MERCHANT],
  // Of the users, whose merchant is in the directory.
  user_device: ["user_id", INSTALLATION],
  user_link: ["user_id", INSTALLATION],
  // The bank's own: it knows neither Till's merchants nor its slots.
  sandbox_charge: ["reference", NAMED],
  sandbox_inbox: ["name", INSTALLATION],
  sandbox_message: ["id", DELIVERY],
  sandbox_operation: ["reference", NAMED],
  sandbox_webhook: ["inbox", INSTALLATION],
};

/** @type {import("./harness.mjs").Till} */
let till;
before(async () => {
  till = await start({ alone: true });
  await till.createMerchant({ alerts: { emails: ["ops@example.com"], on: ["payment"] } });
});
after(() => till.stop());

const PNG = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");
const hashOf = (text) => createHash("sha256").update(text).digest("hex");

test("every table says where its slot is, and every row carries one", async () => {
  const file = new FormData();
  file.append("file", new File(["Two chairs"], "a.txt"));
  assert.equal((await till.call("/b/checkout/v1/upload-attachment/", { method: "POST", headers: till.privateKey(), body: file })).status, 200);
  const headers = { ...till.privateKey(), "content-type": "image/png" };
  const image = await till.call("/b/access/v1/images/", { method: "POST", headers, body: PNG });
  assert.equal(image.status, 201, image.text);
  const flags = { shortify_checkout_url: true, customer_email: "noura@example.com", notifications: { email: ["created", "paid"] } };
  const saved = await atTheBank(till, { payment_type: "save_card", amount: "0", pg_code: "credit-card", customer_id: "c-1", ...flags });
  await payWith(till, saved.page, "visa-approve");
  const payment = await atTheBank(till, flags);
  await payWith(till, payment.page, "visa-approve");
  await deliverNow(till, payment);
  const refund = await till.call("/b/pbl/v2/operation/", {
    method: "POST", headers: till.privateKey(), json: { session_id: payment.session_id, operation: "refund", amount: "1.000" },
  });
  assert.equal(refund.status, 200, refund.text);
  const held = await atTheBank(till);
  await payWith(till, held.page, "visa-wrong-amount");
  await till.scheduled();
  const tables = await till.rows("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\' AND name NOT LIKE 'sqlite%' AND name <> 'd1_migrations'");
  assert.deepEqual(tables.map(({ name }) => name).sort(), Object.keys(TABLES).sort(), "a table has no rule for its slot, or a rule has no table");
  const filled = [];
  for (const [table, [column, slotOf]] of Object.entries(TABLES)) {
    const rows = await till.rows(`SELECT "${column}" AS name FROM "${table}"`);
    if (rows.length > 0) filled.push(table);
    for (const { name } of rows) assert.equal(slotOf(name), "00", `${table}.${column} ${name}`);
  }
  for (const table of ["alert", "api_key", "attachment", "attempt", "attention", "card", "child", "delivery", "image", "short_link", "txn", "txn_event"]) {
    assert.ok(filled.includes(table), `${table} has no row to look at`);
  }
});

test("a key from before slots is still one, of either kind", async () => {
  const { merchant_id } = till.merchant;
  const keys = { private: "aB3dE6gH.ff23456789abcdefghijABCDEFGHIJ45", public: "ffffffff89abcdef0123456789abcdef01234567" };
  for (const [kind, key] of Object.entries(keys)) {
    await till.rows(
      "INSERT INTO api_key (prefix, merchant_id, kind, hash, last4, created_at) VALUES (?1, ?2, ?3, ?4, ?5, 0)",
      key.slice(0, 8), merchant_id, kind, hashOf(key), key.slice(-4),
    );
  }
  const payment = await atTheBank(till);
  const by = (key) => till.retrieve(payment.session_id, { authorization: `Api-Key ${key}` });
  assert.equal((await by(keys.private)).status, 200);
  assertProblem(await by(keys.public), 401, "private_key_required");
  assertProblem(await by(keys.private.replace("45", "46")), 401, "credentials_invalid");
});

test("short addresses, files, cards and addresses of return from before slots lead to what they name", async () => {
  const { merchant_id } = till.merchant;
  const payment = await atTheBank(till, { payment_type: "save_card", amount: "0", pg_code: "credit-card", customer_id: "c-2" });
  await till.rows("INSERT INTO short_link (code, kind, merchant_id, session_id) VALUES ('xff3456789', 'checkout', ?1, ?2)", merchant_id, payment.session_id);
  const followed = await till.call("/b/xff3456789");
  assert.deepEqual([followed.status, followed.headers.get("location").endsWith(payment.session_id)], [302, true]);

  const [{ reference }] = await attempts(till, payment);
  const digits = createHmac("sha256", payment.session_id).update(`return:${reference}`).digest("hex").slice(0, 32);
  for (const token of [digits, `x00${digits}`]) {
    assert.equal((await till.call(`/b/gw/v1/return/${reference}/${token}/`)).status, 303, token);
  }
  for (const token of [`xff${digits}`, `x00${digits.replace(/^./, (digit) => (digit === "0" ? "1" : "0"))}`]) {
    assert.equal((await till.call(`/b/gw/v1/return/${reference}/${token}/`)).status, 404, token);
  }

  await payWith(till, payment.page, "visa-approve");
  const [{ body }] = await untilWebhooks(till, payment);
  const earlier = `card_${"ff".repeat(16)}`;
  await till.rows("UPDATE card SET token = ?1 WHERE token = ?2", earlier, body.token.token);
  const next = await till.create({ payment_type: "one_off", pg_codes: ["credit-card"], customer_id: "c-2" });
  const page = await openPage(till, { session_id: next.body.session_id });
  assert.ok(page.text.includes(earlier), "the page offers the card");
  const gone = await till.call(`/b/pbl/v2/card/${earlier}/?customer_id=c-2&type=sandbox`, { method: "DELETE", headers: till.privateKey() });
  assert.equal(gone.status, 204, gone.text);
});
