/**
 * A payer's data is erased: recognisable texts are in every field that takes any, and afterwards in no table and in no file,
 * while amounts, times, references, states and receipts stay as they are.
 */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, test } from "node:test";
import { storeEntry } from "./attention.mjs";
import { OutsideBank, json } from "./bank.mjs";
import { demoSettings, start } from "./harness.mjs";
import { assertProblem, attempts, choose, deliverNow, open, returnPath, untilSent } from "./payer.mjs";

const RECEIVER = "https://shop.example.com/hook";
const ERASE = "/b/checkout/v1/erase/";
/** How long nothing must have happened to a transaction, and a little more: 97 hours in milliseconds. */
const QUIET = 97 * 3_600_000;

/** @type {import("./harness.mjs").Till} */
let till;
/** @type {OutsideBank} */
let bank;
let shop;

before(async () => {
  till = await start();
  bank = new OutsideBank(till);
  till.outbound.on("POST", RECEIVER, () => json(200, {}));
  const settings = bank.settings();
  const [{ credentials, endpoint }] = settings.gateways;
  const { gateways } = demoSettings();
  const card = gateways.find(({ code }) => code === "credit-card");
  shop = await till.createMerchant({ gateways: [...settings.gateways, { ...card, code: "card", fees: [], exchanges: [], credentials, endpoint }] });
});
after(() => till.stop());

/** A text that is found again wherever it is. */
const mark = () => `payer-${randomBytes(6).toString("hex")}`;

/** A payer whose every field has a mark of its own. */
function payer(customer_id = mark()) {
  const address = () => ({ city: mark(), line1: mark(), line2: mark(), state: mark(), postal_code: "22001", country: "KW" });
  return {
    customer_id, customer_first_name: mark(), customer_last_name: mark(), customer_email: `${mark()}@example.com`, customer_phone: mark().slice(0, 16),
    customer_phone_2: mark().slice(0, 16), customer_birthdate: "1990-02-28", billing_address: address(), extra: { [mark()]: mark() },
    shipping_address: { ...address(), email: `${mark()}@example.com`, first_name: mark(), last_name: mark(), phone: mark().slice(0, 16) },
    email_recipients: [`${mark()}@example.com`], redirect_url: `https://shop.example.com/?of=${mark()}`,
    agreement: { id: mark(), type: "other", seller: { name: mark() } },
  };
}

/** Every text in a value. */
const texts = (value) => (typeof value === "string" ? [value] : Object.entries(value).flatMap(([name, inner]) => [name, ...texts(inner)]));
const marks = (fields) => [...new Set(texts(fields).flatMap((text) => text.match(/payer-[0-9a-f]+/g) ?? []))];

/** Pays at the bank, whose answer names the payer; and gives a part of it back. */
async function pay(fields, pg_code = "bank") {
  const holder = mark();
  const payment = await open(till, { pg_codes: [pg_code], webhook_url: RECEIVER, ...fields });
  assert.equal((await choose(till, payment, pg_code)).status, 303);
  const [{ reference }] = await attempts(till, payment);
  const card = { brand: "VISA", number: "411111******1111", expiry_month: "12", expiry_year: "39", holder, token: `tok-${reference}` };
  bank.end(reference, "approved", { message: `thank you, ${holder}`, card });
  await till.fetch(await returnPath(till, reference));
  const note = mark();
  bank.said = `given back to ${holder}`;
  if (fields.payment_type !== "save_card") {
    const json = { session_id: payment.session_id, operation: "refund", amount: "0.500", extra: { note }, note };
    const refund = await till.call("/b/pbl/v2/operation/", { method: "POST", headers: till.privateKey(), json });
    assert.equal(refund.body.result, "success", refund.text);
    assert.ok((await till.rows("SELECT extra FROM child WHERE parent_id = ?1", payment.session_id))[0].extra.includes(note));
  }
  // Its gateway took something back, in words, and a person has looked at it.
  const detail = JSON.stringify([["money_taken_back", `from ${holder}`], ["in_state", "paid"]]);
  const entry = await storeEntry(till, { merchant_id: shop.merchant_id, session_id: payment.session_id, reason: "taken_back", detail });
  await till.rows("UPDATE attention SET closed_at = ?2, how = 'dismiss', note = ?3 WHERE reference = ?1", entry.split(".")[0], Date.now(), note);
  await deliverNow(till, payment);
  await deliverNow(till, payment);
  return { ...payment, reference, marks: [...marks(fields), holder, ...(fields.payment_type === "save_card" ? [] : [note])] };
}

/** Lets as much time pass as if nothing had happened to these transactions for 97 hours. */
const wait = (...payments) => pass(payments, true);
wait.withoutAnswers = (...payments) => pass(payments, false);

async function pass(payments, withAnswers) {
  // Events are append-only: a trigger is lifted for as long as their times are moved.
  const [{ sql }] = await till.rows("SELECT sql FROM sqlite_schema WHERE name = 'txn_event_is_never_changed'");
  await till.rows("DROP TRIGGER txn_event_is_never_changed");
  for (const { session_id } of payments) {
    await till.rows("UPDATE txn_event SET at = at - ?1 WHERE session_id = ?2", String(QUIET), session_id);
    if (withAnswers) await till.rows("UPDATE answer SET stored_at = stored_at - ?1", String(QUIET));
  }
  await till.rows(sql);
  await till.scheduled();
}

/** Where a text is stored: `table.column`, and files. */
async function places(wanted) {
  const found = new Set();
  const tables = await till.rows("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\' AND name NOT LIKE 'sqlite%'");
  for (const { name } of tables) {
    for (const row of await till.rows(`SELECT * FROM "${name}"`)) {
      for (const [column, value] of Object.entries(row)) {
        if (wanted.some((text) => String(value).includes(text))) found.add(`${name}.${column}`);
      }
    }
  }
  const files = await till.kv("FILES");
  for (const { name } of (await files.list()).keys) {
    if (wanted.some((text) => name.includes(text))) found.add("FILES");
    const content = await files.get(name);
    if (wanted.some((text) => content.includes(text))) found.add("FILES");
  }
  return [...found].sort();
}

const erase = (subject, merchant = shop) => till.call(ERASE, { method: "POST", headers: till.privateKey(merchant), json: subject });
const eraseAsOperator = (subject, merchant_id = shop.merchant_id) => till.operator(`/merchants/${merchant_id}/erase/`, { method: "POST", json: subject });

/** What must stay: everything of the money. */
const MONEY = [
  "SELECT session_id, state, amount, currency, settled, settled_by, paid, created_at, expires_at, order_no FROM txn ORDER BY session_id",
  "SELECT reference, session_id, stage, amount, fee, total, currency, opened_at, known_at, gateway_id FROM attempt ORDER BY reference",
  "SELECT reference, parent_id, stage, operation, amount, currency, opened_at, gateway_id FROM child ORDER BY reference",
];
const money = () => Promise.all(MONEY.map((sql) => till.rows(sql)));

test("a customer is erased from every table and every file, and the money's record stays", async () => {
  const fields = payer();
  const saved = await pay({ ...fields, payment_type: "save_card", amount: "0" }, "card");
  const paid = await pay(fields);
  const file = mark();
  const form = new FormData();
  form.append("file", new File([`for ${file}`], `${file}.txt`, { type: "text/plain" }));
  form.append("session_id", paid.session_id);
  const waiting = await open(till, { pg_codes: ["bank"], ...fields, webhook_url: RECEIVER });
  form.set("session_id", waiting.session_id);
  assert.equal((await till.call("/b/checkout/v1/upload-attachment/", { method: "POST", headers: till.privateKey(), body: form })).status, 200);
  await till.create({ pg_codes: ["bank"], ...payer("someone-else") }, { "idempotency-key": "of-someone-else" });
  const all = [...new Set([...saved.marks, ...paid.marks, file])];
  assert.ok(all.length > 25);
  const planted = await places(all);
  for (const place of ["txn.details", "attempt.response", "delivery.body", "card.customer_id", "attachment.original_name", "FILES"]) {
    assert.ok(planted.includes(place), `${place} of ${planted}`);
  }

  // What is open, or happened lately, is left to a later call; the saved card is deleted at once.
  const first = await erase({ customer_id: fields.customer_id });
  assert.deepEqual([first.status, first.body], [200, { agreements: 0, cards: 1, erased: 0, left: 3 }], first.text);
  await till.call("/b/pbl/v2/operation/", { method: "POST", headers: till.privateKey(), json: { session_id: waiting.session_id, operation: "cancel" } });
  await untilSent(till);
  await till.rows("UPDATE delivery SET due_at = 0 WHERE state = 'due'");
  await till.scheduled();
  await untilSent(till);
  await wait(saved, paid, waiting);
  const receipt = (await till.retrieve(paid.session_id)).body.receipt;
  assert.ok(receipt);
  const record = await money();

  const second = await erase({ customer_id: fields.customer_id });
  assert.deepEqual(second.body, { agreements: 0, cards: 0, erased: 3, left: 0 }, second.text);
  assert.deepEqual(await places(all), []);
  assert.deepEqual(await money(), record);
  assert.deepEqual((await erase({ customer_id: fields.customer_id })).body, { agreements: 0, cards: 0, erased: 0, left: 0 });

  // Everything else goes on: the receipt is the same, and money can be given back.
  const shown = await till.retrieve(paid.session_id);
  assert.deepEqual([shown.status, shown.body.state, shown.body.receipt], [200, "paid", receipt]);
  assert.equal(shown.body.customer_email, undefined);
  const events = await till.rows("SELECT kind FROM txn_event WHERE session_id = ?1 ORDER BY number DESC LIMIT 1", paid.session_id);
  assert.deepEqual(events, [{ kind: "erased" }]);
  assert.equal((await till.call(`/b/checkout/redirect/start/?session_id=${paid.session_id}`)).status, 200);
  assert.equal((await till.rows("SELECT COUNT(*) AS count FROM txn WHERE customer_id = 'someone-else'"))[0].count, 1);
});

test("the stored answers of an erased payer go with the payer, and those of others stay", async () => {
  const fields = payer();
  const create = (more, key) => till.create({ pg_codes: ["bank"], ...more }, { "idempotency-key": key });
  const made = await create(fields, "of-the-erased");
  const other = await create(payer("of-another"), "of-another");
  assert.deepEqual([made.status, other.status], [201, 201], made.text);
  assert.ok((await places(marks(fields))).includes("answer.body"));
  const cancel = await till.call("/b/pbl/v2/operation/", { method: "POST", headers: till.privateKey(), json: { session_id: made.body.session_id, operation: "cancel" } });
  assert.equal(cancel.status, 200, cancel.text);
  await wait.withoutAnswers(made.body);
  assert.ok((await places(marks(fields))).includes("answer.body"), "no cleaning was faster");
  assert.deepEqual((await erase({ customer_id: fields.customer_id })).body, { agreements: 0, cards: 0, erased: 1, left: 0 });
  assert.deepEqual(await places(marks(fields)), []);
  assert.equal((await create(payer("of-another"), "of-another")).body.code, "idempotency_key_reused", "that of another payer is still known");
});

test("a payer without an id is erased by the transaction", async () => {
  const { customer_id: _, ...fields } = payer();
  const paid = await pay(fields);
  assert.deepEqual((await erase({ session_id: paid.session_id })).body, { agreements: 0, cards: 0, erased: 0, left: 1 });
  await wait(paid);
  assert.deepEqual((await eraseAsOperator({ session_id: paid.session_id })).body, { agreements: 0, cards: 0, erased: 1, left: 0 });
  assert.deepEqual(await places(paid.marks), []);
  assert.deepEqual((await eraseAsOperator({ session_id: paid.session_id })).body, { agreements: 0, cards: 0, erased: 0, left: 0 });
});

test("a payer is erased by age where the settings say so", async () => {
  const keeping = await till.createMerchant({ gateways: bank.settings().gateways, retention_days: 7 });
  const old = await pay(payer());
  till.merchant = shop;
  const asked = await pay(payer());
  // Eight days later, by the clocks of both merchants.
  const ahead = "UPDATE merchant SET clock_offset = ?1, version = version + 1 WHERE id = ?2";
  for (const { merchant_id } of [keeping, shop]) await till.rows(ahead, String(8 * 86_400_000), merchant_id);
  till.merchant = keeping;
  const fresh = await pay(payer());
  await till.scheduled();
  assert.deepEqual(await places(old.marks), []);
  assert.ok((await places(fresh.marks)).length > 0);
  assert.ok((await places(asked.marks)).length > 0);
  const rows = await till.rows("SELECT merchant_id, is_erased, state FROM txn WHERE session_id = ?1", old.session_id);
  assert.deepEqual(rows, [{ merchant_id: keeping.merchant_id, is_erased: 1, state: "paid" }]);
  till.merchant = shop;
  for (const retention_days of [6, 3661, "7", 1.5]) {
    const refused = await till.operator(`/merchants/`, { method: "POST", json: { merchant_id: "no-days", settings: { ...demoSettings(), retention_days } } });
    assert.equal(refused.status, 400, refused.text);
    assert.ok(refused.text.includes("retention_days") && refused.text.includes("from 7 to 3660"), refused.text);
  }
});

test("nobody erases what belongs to another merchant, or without the permission", async () => {
  const paid = await pay(payer());
  await wait(paid);
  const other = await till.createMerchant();
  till.merchant = shop;
  const theirs = await erase({ session_id: paid.session_id }, other);
  assertProblem(theirs, 404, "not_found");
  assertProblem(await erase({ session_id: "0".repeat(40) }, other), 404, "not_found");
  assertProblem(await eraseAsOperator({ session_id: paid.session_id }, other.merchant_id), 404, "not_found");
  assertProblem(await eraseAsOperator({ customer_id: "c" }, "nobody-at-all"), 404, "not_found");
  const [{ customer_id }] = await till.rows("SELECT customer_id FROM txn WHERE session_id = ?1", paid.session_id);
  assert.deepEqual((await erase({ customer_id }, other)).body, { agreements: 0, cards: 0, erased: 0, left: 0 });
  assert.ok((await places(paid.marks)).length > 0);
  const post = (authorization) => till.call(ERASE, { method: "POST", headers: { authorization }, json: { customer_id } });
  assertProblem(await post(`Api-Key ${shop.public_key}`), 401, "private_key_required");
  const username = `clerk@${shop.merchant_id}`;
  const password = "correct horse battery";
  const clerk = { username, password, permissions: ["Can view e-commerce payments"] };
  assert.equal((await till.call("/b/access/v1/users/", { method: "POST", headers: till.privateKey(), json: clerk })).status, 201);
  assertProblem(await post(`Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`), 403, "permission_missing");
  for (const wrong of [{}, { customer_id: "c", session_id: paid.session_id }, { customer_id: 1 }]) {
    assertProblem(await erase(wrong), 400, "invalid_fields");
  }
});

test("a file that another transaction has too stays, and goes with the last of them", async () => {
  const form = new FormData();
  form.append("file", new File(["terms of the shop"], "terms.txt", { type: "text/plain" }));
  const { body } = await till.call("/b/checkout/v1/upload-attachment/", { method: "POST", headers: till.privateKey(), body: form });
  const [one, other] = [await open(till, { pg_codes: ["bank"], attachment_upload_url: body.file_url, customer_id: "file-1" }), await open(till, { pg_codes: ["bank"], attachment_upload_url: body.file_url, customer_id: "file-2" })];
  const file = () => till.call(new URL(`/media/${body.file_url}`, till.url).pathname);
  for (const [place, { session_id }] of [one, other].entries()) {
    await till.call("/b/pbl/v2/operation/", { method: "POST", headers: till.privateKey(), json: { session_id, operation: "cancel" } });
    await till.rows("UPDATE delivery SET state = 'delivered' WHERE session_id = ?1", session_id);
    await wait({ session_id });
    assert.equal((await file()).status, 200);
    assert.equal((await erase({ customer_id: `file-${place + 1}` })).body.erased, 1);
    assert.equal((await file()).status, place === 0 ? 200 : 404);
  }
});

test("what was deleted while it could be paid is erased when its time is over", async () => {
  const { session_id } = await open(till, { pg_codes: ["bank"], customer_id: "deleted-1" });
  await till.call("/b/pbl/v2/operation/", { method: "POST", headers: till.privateKey(), json: { session_id, operation: "delete" } });
  await till.rows("UPDATE delivery SET state = 'delivered' WHERE session_id = ?1", session_id);
  await wait({ session_id });
  assert.deepEqual((await erase({ customer_id: "deleted-1" })).body, { agreements: 0, cards: 0, erased: 0, left: 1 });
  // As if it had been made two days earlier: a trigger is lifted for as long as its time is moved.
  const [{ sql }] = await till.rows("SELECT sql FROM sqlite_schema WHERE name = 'txn_version_counts_up'");
  await till.rows("DROP TRIGGER txn_version_counts_up");
  await till.rows("UPDATE txn SET expires_at = expires_at - ?1 WHERE session_id = ?2", String(QUIET + 86_400_000), session_id);
  await till.rows(sql);
  assert.deepEqual((await erase({ customer_id: "deleted-1" })).body, { agreements: 0, cards: 0, erased: 1, left: 0 });
});
