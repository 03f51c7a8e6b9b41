/**
 * Nothing of one merchant is ever revealed to another, or to an unknown caller: every route of the table of
 * `core/src/route.rs` has a row here, and a route without one fails the first test.
 *
 * What belongs to another merchant is answered as if it did not exist: same status, same headers, same bytes
 * except the id of the request.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { storeRequest } from "./approvals.mjs";
import { storeEntry } from "./attention.mjs";
import { OPERATOR_TOKEN, OutboundResponse, demoSettings, start } from "./harness.mjs";
import { IMAGE, REQUIRED, ROWS } from "./isolation-rows.mjs";
import { routes } from "./routes.mjs";
import { assertProblem, atTheBank, attempts, open, payWith, returnPath } from "./payer.mjs";

/** @type {import("./harness.mjs").Till} */
let till;
/** The merchant that owns something, the merchant that tries to read it, and what the first one owns. */
let owner;
let other;
let owned;

const CREATE = "/b/checkout/v1/pymt-txn/";
const METHODS = "/b/pbl/v2/payment-methods/";
const NOWHERE = {
  session_id: `00${"ab".repeat(19)}`,
  reference: undefined,
  merchant_id: "nobody-at-all",
  pg_code: "of-nobody",
  channel: "sms",
  prefix: "zzzzzzzz",
  agreement: "agreement-of-nobody",
  user: "2147483646",
  version: "2147483646",
  spare: "zzzzzzzz",
  back: "0".repeat(32),
  delivery_id: `evt_00${"ab".repeat(19)}_1`,
  receiver: "https://nobody.example.com/hook",
  entry: undefined,
};
const SAVE_CARD = { pg_code: "credit-card", payment_type: "save_card", amount: "0" };
const DEBIT = { payment_type: "auto_debit", amount: "10.250", customer_id: "debited-by-the-owner", pg_codes: ["credit-card"] };
const UPLOAD = "/b/checkout/v1/upload-attachment/";

before(async () => {
  till = await start();
  other = await till.createMerchant();
  // Links to users are sent by a provider of e-mail only.
  till.outbound.on("POST", "https://api.resend.com/emails", () => OutboundResponse.json({ id: "49a3999c" }));
  const email = { provider: "resend", from: "desk@owner.example", credentials: { api_key: "re_123" } };
  owner = await till.createMerchant({ messages: { ...demoSettings().messages, email } });
  const fields = { order_no: "ORDER-OF-THE-OWNER", customer_id: "customer-of-the-owner", customer_email: "payer@owner.example.com" };
  // A request whose payer can be sent a message.
  const { session_id } = await open(till, { ...fields, type: "payment_request", notifications: { email: ["created"] } });
  for (let more = 0; more < 3; more += 1) await till.create(fields);
  await till.create(fields, { "idempotency-key": "key-of-the-owner" });
  const first = await till.call(`${CREATE}?limit=1`, { headers: till.privateKey() });
  const atBank = await atTheBank(till, fields);
  const [{ reference }] = await attempts(till, atBank);
  NOWHERE.reference = reference.replace(/.$/, (last) => (last === "2" ? "3" : "2"));
  NOWHERE.entry = `${NOWHERE.reference}.late_success`;
  const returned = await atTheBank(till, fields);
  await payWith(till, returned.page, "visa-approve");
  const refund = await till.call("/b/pbl/v2/operation/", { method: "POST", headers: till.privateKey(), json: { operation: "refund", session_id: returned.session_id, amount: "1.000" } });
  assert.equal(refund.status, 200, refund.text);
  Object.assign(NOWHERE, { refunded: NOWHERE.session_id, refund: NOWHERE.reference });
  const sent = await till.call(UPLOAD, { method: "POST", headers: till.privateKey(), body: formOf({}) });
  const file_url = sent.body.file_url;
  const attachment = file_url.split("/").at(-1);
  const image = (await till.call("/b/access/v1/images/", { method: "POST", headers: till.privateKey(), body: IMAGE })).body.name;
  const shown = await till.create({ ...fields, shortify_checkout_url: true, generate_qr_code: true });
  const short = new URL(shown.body.checkout_short_url).pathname.split("/").at(-1);
  const qr = new URL(shown.body.qr_code_url).pathname.split("/").at(-1);
  Object.assign(NOWHERE, { tried: NOWHERE.session_id, attachment: unlike(attachment), image: unlike(image), short: unlike(short), qr: `${NOWHERE.session_id}.${qr.split(".").at(-1)}` });
  const prefix = (await till.operator(`/merchants/${owner.merchant_id}/keys/`)).body[0].prefix;
  const added = await till.operator(`/merchants/${owner.merchant_id}/keys/`, { method: "POST", json: { kind: "private" } });
  assert.equal(added.status, 201, added.text);
  const { body: user } = await till.operator(`/merchants/${owner.merchant_id}/users/`, { method: "POST", json: { username: `of-${owner.merchant_id}`, email: "staff@owner.example" } });
  const spare = (await till.operator(`/merchants/${owner.merchant_id}/keys/`, { method: "POST", json: { kind: "public" } })).body.prefix;
  const revoked = added.body.key;
  const revokedPrefix = added.body.prefix;
  await till.operator(`/merchants/${owner.merchant_id}/keys/${revokedPrefix}/`, { method: "DELETE" });
  till.secrets.add(revoked);
  const saving = await atTheBank(till, { ...SAVE_CARD, customer_id: fields.customer_id });
  await payWith(till, saving.page, "visa-approve");
  const [card] = await till.rows("SELECT token FROM card WHERE merchant_id = ?1", owner.merchant_id);
  till.secrets.add(card.token);
  NOWHERE.card = card.token.replace(/.$/, (last) => (last === "2" ? "3" : "2"));
  const agreement = "agreement-of-the-owner";
  const debited = await atTheBank(till, { ...DEBIT, pg_code: "credit-card", agreement: { id: agreement, type: "other" } });
  await payWith(till, debited.page, "visa-approve");
  const [{ id: delivery_id }] = await till.rows("SELECT id FROM delivery WHERE merchant_id = ?1 AND kind LIKE '%webhook'", owner.merchant_id);
  till.outbound.on("POST", "https://isolated.example.com/hook", () => new OutboundResponse("ok"));
  const receiver = "https://gone.example.com/hook";
  await till.rows("INSERT INTO receiver (merchant_id, address, disabled_at, reason) VALUES (?1, ?2, 1, 'gone')", owner.merchant_id, receiver);
  const approval = `${refund.body.reference_number.replace(/^./, (first) => (first === "A" ? "B" : "A"))}`;
  const [paidBy] = await attempts(till, returned);
  await storeRequest(till, { id: approval, merchant_id: owner.merchant_id, session_id: returned.session_id, reference: paidBy.reference });
  NOWHERE.approval = approval.replace(/^./, (first) => (first === "C" ? "D" : "C"));
  const flagged = await storeEntry(till, { merchant_id: owner.merchant_id, session_id: returned.session_id });
  NOWHERE.flagged = flagged.replace(/^./, "X");
  owned = { ...fields, approval, flagged, refunded: returned.session_id, refund: refund.body.reference_number, delivery_id, receiver, version: 1, user: user.id, spare, card: card.token, agreement, session_id, tried: atBank.session_id, cursor: first.body.next, reference, merchant_id: owner.merchant_id, pg_code: "knet", channel: "sms", prefix, revoked, entry: `${reference}.late_success`, file_url, attachment, image, short, qr };
});
after(() => till.stop());

const rowsThat = (asks) => Object.entries(ROWS).filter(([, row]) => row.asks === asks);

/** A form with a file, and these fields. */
function formOf(fields) {
  const form = new FormData();
  form.append("file", new File(["a note"], "note.txt"));
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}

/** Another text of the same shape. */
/** Another name of the same form: the digit after the slot is another one. */
const unlike = (text) => text.replace(/^(x[0-9a-f]{2})?(.)/, (_, slot = "", digit) => slot + (digit === "1" ? "2" : "1"));

/** Sends the request of a row, with the ids of `has` in it. */
function ask(name, has, headers = {}) {
  const [method, pattern] = name.split(" ");
  const { ids = [], body, query, form, file, text, names, member, search = "" } = ROWS[name];
  const parts = [...ids];
  const path = pattern.replaceAll("{}", () => has[parts.shift()] ?? "x");
  const init = { method, headers: { accept: "application/json", ...headers } };
  if (form) init.body = new URLSearchParams({ [form]: has[form], pg_code: "knet" });
  if (body) init.json = typeof body === "function" ? body() : body;
  if (names) init.json = { ...names, session_id: has.session_id };
  if (member) init.json = { ...init.json, [member]: has[ids[0]] };
  if (file) init.body = formOf({});
  if (text !== undefined) init.body = text;
  return till.call(query ? `${path}?${query}=${has[query]}` : `${path}${search}`, init);
}

/** What an answer reveals: all of it except the id of the request and the time of day. */
function shown({ status, headers, text, body }) {
  const known = Object.fromEntries([...headers].filter(([name]) => !["x-request-id", "date"].includes(name)));
  const bytes = body?.request_id ? text.replaceAll(body.request_id, "") : text;
  return { status, headers: known, bytes };
}

/** The answer contains nothing that only the owner has. */
function assertSilent(answer, what) {
  for (const secret of [owned.session_id, owned.order_no, owned.customer_id, owned.customer_email, owned.reference, owned.merchant_id]) {
    assert.ok(!answer.text.includes(secret), `${what}: ${answer.text.slice(0, 300)}`);
  }
}

const keyOf = (merchant) => ({ authorization: `Api-Key ${merchant.private_key}` });

/** Credentials that open nothing, and what is answered to each if a merchant's key is required. */
const useless = () => ({
  none: [{}, "credentials_missing"],
  malformed: [{ authorization: "Api-Key" }, "credentials_invalid"],
  nonsense: [{ authorization: "Api-Key §" }, "credentials_invalid"],
  "another scheme": [{ authorization: `Bearer ${owner.private_key}` }, "credentials_invalid"],
  "a key with another last letter": [{ authorization: `Api-Key ${owner.private_key.replace(/.$/, (last) => (last === "A" ? "B" : "A"))}` }, "credentials_invalid"],
  "a key in other letter case": [{ authorization: `Api-Key ${owner.private_key.toUpperCase()}` }, "credentials_invalid"],
  "the operator's token": [{ authorization: `Bearer ${OPERATOR_TOKEN}` }, "credentials_invalid"],
  revoked: [{ authorization: `Api-Key ${owned.revoked}` }, "credentials_invalid"],
  public: [{ authorization: `Api-Key ${owner.public_key}` }, "private_key_required"],
});

test("every route of the table has a row here", () => {
  const all = routes();
  assert.ok(all.length >= 20, `${all}`);
  assert.deepEqual(all.toSorted(), Object.keys(ROWS).toSorted());
});

test("where a merchant's key is asked for, no useless credential learns whether an id exists", async () => {
  for (const [name, { ids, names, takes }] of rowsThat("key")) {
    for (const [kind, [headers, code]] of Object.entries(useless())) {
      if (takes === "a public key" && kind === "public") continue;
      const existing = await ask(name, owned, headers);
      assertProblem(existing, 401, code);
      assertSilent(existing, `${name}, ${kind}`);
      if (ids || names) assert.deepEqual(shown(await ask(name, NOWHERE, headers)), shown(existing), `${name}, ${kind}`);
    }
  }
});

/** An answer without the id that its request named: repeating that reveals nothing. */
const withoutAsked = (answer, { session_id }) => ({ ...answer, text: answer.text.replaceAll(session_id, "") });

test("another merchant's key finds what does not exist, and the right key finds it", async () => {
  for (const [name, { ids, names, repeats }] of rowsThat("key")) {
    const ofOther = async (has) => {
      const answer = await ask(name, has, keyOf(other));
      return repeats ? withoutAsked(answer, has) : answer;
    };
    const theirs = await ofOther(owned);
    assertSilent(theirs, name);
    if (names) {
      // The body names the transaction: it is the field that is wrong.
      assertProblem(theirs, 400, "invalid_fields");
      assert.deepEqual(shown(theirs), shown(await ofOther(NOWHERE)), name);
      assert.equal((await ask(name, owned, keyOf(owner))).body.errors, undefined, name);
      continue;
    }
    if (ids) {
      assertProblem(theirs, 404, "not_found");
      assert.deepEqual(shown(theirs), shown(await ofOther(NOWHERE)), name);
    }
    const right = await ask(name, owned, keyOf(owner));
    assert.ok([200, 201, 204].includes(right.status), `${name}: ${right.text}`);
  }
});

test("another merchant's update is refused before anything of it is looked at", async () => {
  const path = (id) => `${CREATE}${id}/`;
  const { headers } = await till.retrieve(owned.session_id);
  for (const [method, init] of [
    ["PATCH", { json: { amount: "x" } }], ["PATCH", { body: "{" , headers: { "content-type": "application/json" } }],
    ["PUT", { json: {} }], ["PATCH", { json: {}, headers: { "if-match": headers.get("etag") } }],
    ["PATCH", { json: {}, headers: { "if-match": '"no"' } }], ["PATCH", { json: {}, headers: { "if-match": "*" } }],
  ]) {
    const send = (id) => till.call(path(id), { ...init, method, headers: { ...keyOf(other), ...init.headers } });
    const theirs = await send(owned.session_id);
    assertProblem(theirs, 404, "not_found");
    assert.deepEqual(shown(theirs), shown(await send(NOWHERE.session_id)));
  }
  assert.equal((await till.retrieve(owned.session_id)).headers.get("etag"), headers.get("etag"));
});

test("order numbers, customers and cursors of another merchant filter as those of nobody", async () => {
  const list = (query, merchant = other) => till.call(`${CREATE}?${query}`, { headers: keyOf(merchant) });
  for (const [name, value] of [["order_no", owned.order_no], ["customer_id", owned.customer_id]]) {
    const theirs = await list(`${name}=${value}`);
    assert.deepEqual(theirs.body, { results: [], next: null });
    assert.deepEqual(shown(theirs), shown(await list(`${name}=of-nobody`)));
    assert.ok((await list(`${name}=${value}`, owner)).body.results.length >= 3);
  }
  const theirs = await list(`cursor=${owned.cursor}`);
  assertSilent(theirs, "cursor");
  assert.deepEqual(shown(theirs), shown(await list("cursor=nonsense")));
  assert.equal((await list(`cursor=${owned.cursor}`, owner)).status, 200);
});

test("an upload to a transaction of another merchant is answered as to one of nobody, and stores nothing there", async () => {
  const upload = (fields) => till.call(UPLOAD, { method: "POST", headers: keyOf(other), body: formOf(fields) });
  for (const [name, nobody] of [["session_id", NOWHERE.session_id], ["order_no", "of-nobody"]]) {
    const theirs = await upload({ [name]: owned[name] });
    assertProblem(theirs, 400, "invalid_fields");
    assert.deepEqual(shown(theirs), shown(await upload({ [name]: nobody })), name);
  }
  assert.equal((await till.retrieve(owned.session_id, keyOf(owner))).body.attachment, undefined);
});

test("a file of another merchant cannot be attached, as one that nobody sent", async () => {
  const create = (attachment_upload_url) => till.call(CREATE, { method: "POST", headers: keyOf(other), json: { ...REQUIRED, attachment_upload_url } });
  const theirs = await create(owned.file_url);
  assertProblem(theirs, 400, "invalid_fields");
  assert.deepEqual(shown(theirs), shown(await create(owned.file_url.replace(owned.attachment, NOWHERE.attachment))));
});

test("the payment methods of a customer show nothing of what they paid elsewhere", async () => {
  const list = (customer_id) => till.call(METHODS, { method: "POST", headers: keyOf(other), json: { plugin: "e_commerce", customer_id } });
  assert.deepEqual(shown(await list(owned.customer_id)), shown(await list("of-nobody")));
});

test("an idempotency key of another merchant is free, whatever it was used with", async () => {
  const create = (merchant, json) =>
    till.call(CREATE, { method: "POST", headers: { ...keyOf(merchant), "idempotency-key": "key-of-the-owner" }, json });
  const theirs = await create(other, REQUIRED);
  assert.deepEqual([theirs.status, theirs.headers.get("idempotent-replayed")], [201, null]);
  assertSilent(theirs, "idempotency key");
  till.secrets.add(theirs.body.session_id);
  assertProblem(await create(owner, REQUIRED), 422, "idempotency_key_reused");
  for (const [kind, [headers, code]] of Object.entries(useless())) {
    const answer = await till.call(CREATE, { method: "POST", headers: { ...headers, "idempotency-key": "key-of-the-owner" }, json: REQUIRED });
    assertProblem(answer, 401, code);
    assertSilent(answer, kind);
  }
});

test("the operator's addresses open to its token only, and show nobody else whether a merchant exists", async () => {
  const credentials = { ...useless(), "a merchant's key": [keyOf(owner)], "a wrong token": [{ authorization: `Bearer ${OPERATOR_TOKEN}x` }] };
  delete credentials["the operator's token"];
  for (const [name, { ids }] of rowsThat("operator")) {
    for (const [kind, [headers]] of Object.entries(credentials)) {
      const existing = await ask(name, owned, headers);
      assert.equal(existing.status, 401, `${name}, ${kind}`);
      assertSilent(existing, `${name}, ${kind}`);
      if (ids) assert.deepEqual(shown(await ask(name, NOWHERE, headers)), shown(existing), `${name}, ${kind}`);
    }
  }
  assert.equal((await till.operator(`/merchants/${owned.merchant_id}/keys/`)).status, 200, "nothing was changed");
});

test("the address of a gateway's account does not say whether it exists", async () => {
  for (const [name] of rowsThat("signature")) {
    const existing = await ask(name, owned);
    assertProblem(existing, 401, "signature_invalid");
    assertSilent(existing, name);
    assert.deepEqual(shown(await ask(name, NOWHERE)), shown(existing), name);
  }
});

test("a key of one merchant cannot be revoked in the name of another", async () => {
  const revoke = (prefix) => till.operator(`/merchants/${other.merchant_id}/keys/${prefix}/`, { method: "DELETE" });
  const answers = [await revoke(owned.prefix), await revoke(NOWHERE.prefix)];
  assert.deepEqual(shown(answers[0]), shown(answers[1]));
  assert.equal((await till.retrieve(owned.session_id, keyOf(owner))).status, 200);
});

test("where an id alone is asked for, a key sent along changes nothing, and an unknown id finds nothing", async () => {
  for (const [name] of rowsThat("id")) {
    const unknown = await ask(name, NOWHERE);
    assert.ok(unknown.status === 404 || unknown.status === 400, `${name}: ${unknown.status} ${unknown.text}`);
    assertSilent(unknown, name);
    assert.deepEqual(shown(await ask(name, NOWHERE, keyOf(owner))), shown(unknown), name);
    assert.deepEqual(shown(await ask(name, NOWHERE, keyOf(other))), shown(unknown), name);
  }
  const status = "GET /b/checkout/redirect/status/{}/";
  assert.deepEqual(shown(await ask(status, owned, keyOf(other))), shown(await ask(status, owned)));
});

test("a reference number opens nothing: without the token of its own attempt the address of the return answers as for nobody", async () => {
  const path = await returnPath(till, owned.reference);
  const [token] = path.split("/").slice(-2);
  const unknown = (end) => `/b/gw/v1/return/${NOWHERE.reference}/${end}`;
  for (const method of ["GET", "POST", "HEAD"]) {
    for (const accept of ["text/html", "application/json"]) {
      for (const end of ["", "?language=ar", `${"0".repeat(32)}/`, `${token.toUpperCase()}/`, `${token.slice(1)}/`, `${token}0/`, "../", "%00/"]) {
        const theirs = await till.call(`/b/gw/v1/return/${owned.reference}/${end}`, { method, headers: { accept } });
        assert.equal(theirs.status, 404, `${method} ${end}`);
        assertSilent(theirs, end);
        assert.deepEqual(shown(theirs), shown(await till.call(unknown(end), { method, headers: { accept } })), `${method} ${end}`);
      }
    }
  }
  for (const end of [`${"0".repeat(32)}/`, `${token.toUpperCase()}/`, `${token.slice(1)}/`, `${token}0/`]) {
    const [theirs, nobodys] = await Promise.all([owned, NOWHERE].map(({ reference }) => till.call(`/b/gw/v1/forward/${reference}/${end}`)));
    assert.equal(theirs.status, 404, end);
    assertSilent(theirs, end);
    assert.deepEqual(shown(theirs), shown(nobodys), end);
  }
  assert.equal((await till.fetch(path.replace("/return/", "/forward/"))).status, 303);
  const right = await till.fetch(path);
  assert.equal(right.status, 303);
  assert.ok(right.headers.get("location").includes("session_id="));
});

test("the page of one merchant names nothing of another", async () => {
  const theirs = await till.call(CREATE, { method: "POST", headers: keyOf(other), json: REQUIRED });
  till.secrets.add(theirs.body.session_id);
  const page = await till.call(`/b/checkout/redirect/start/?session_id=${theirs.body.session_id}`);
  assert.equal(page.status, 200);
  assertSilent(page, "page");
});
