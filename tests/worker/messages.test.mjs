/** Messages to payers, from the change that causes them to the inbox of the sandbox that shows them. */
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { after, before, test } from "node:test";
import { OutboundResponse, start } from "./harness.mjs";
import { assertProblem, atTheBank, eventually, open, payWith } from "./payer.mjs";

/** @type {import("./harness.mjs").Till} */
let till;

before(async () => {
  till = await start();
  await till.createMerchant();
});
after(() => till.stop());

const CUSTOMER = { customer_email: "sara@example.com", customer_phone: "+96550000000" };
const list = async () =>
  (await till.call(`/sandbox/messages/${till.merchant.merchant_id}/`, { headers: { accept: "application/json" } })).body;

/** The messages about a transaction, newest first, once there are so many. */
const untilMessages = (session_id, count) =>
  eventually(`${count} messages`, async () => {
    const found = (await list()).filter((message) => message.id.includes(session_id));
    return found.length >= count ? found : undefined;
  });

test("a paid order is notified by e-mail, SMS and WhatsApp, and the inbox shows them", async () => {
  const notifications = { email: ["paid"], sms: ["paid"], whatsapp: ["paid"] };
  const payment = await atTheBank(till, { ...CUSTOMER, notifications, order_no: "A<b>1" });
  await payWith(till, payment.page, "visa-approve");
  const found = await untilMessages(payment.session_id, 3);
  assert.deepEqual(found.map((message) => message.channel).toSorted(), ["email", "sms", "whatsapp"]);
  const email = found.find((message) => message.channel === "email");
  assert.equal(email.to, "sara@example.com");
  assert.match(email.subject, /^Payment received · .+ · A<b>1$/);
  assert.ok(email.html.includes("A&lt;b&gt;1") && !email.html.includes("<b>1"), email.html);
  assert.ok(email.html.includes(`/b/checkout/redirect/start/?session_id=${payment.session_id}`));
  assert.match(email.text, /KWD 10\.\d{3}/);
  assert.equal(email.fate, "accepted");
  const sms = found.find((message) => message.channel === "sms");
  assert.equal(sms.to, "+96550000000");

  const folder = `/sandbox/messages/${till.merchant.merchant_id}/`;
  const page = await till.call(folder);
  assert.equal(page.status, 200);
  assert.ok(page.text.includes("A&lt;b&gt;1"));
  const shown = await till.call(`${folder}${email.id}/`);
  assert.match(shown.headers.get("content-security-policy"), /frame-src 'self'/);
  assert.match(shown.text, /<iframe src="[^"]+\/email\/" title="[^"]+" sandbox="allow-popups allow-popups-to-escape-sandbox">/);
  const alone = await till.call(`${folder}${email.id}/email/`);
  assert.equal(alone.text, email.html);
  assert.match(alone.headers.get("content-security-policy"), /default-src 'none'.*sandbox/);
  assert.doesNotMatch(alone.headers.get("content-security-policy"), /script-src|allow-scripts|allow-same-origin/);
  assert.equal((await till.call(`${folder}${sms.id}/email/`)).status, 404);
  assert.equal((await till.call(`/sandbox/messages/another/${email.id}/`)).status, 404);
});

test("a message is a row of the outbox that the event caused, and is sent once", async () => {
  const payment = await open(till, {
    ...CUSTOMER, type: "payment_request", pg_codes: ["knet"], notifications: { email: ["created"] },
    email_recipients: ["copy@example.com", "SARA@example.com"], language: "ar",
  });
  const found = await untilMessages(payment.session_id, 2);
  assert.deepEqual(found.map((message) => message.to).toSorted(), ["copy@example.com", "sara@example.com"]);
  assert.match(found[0].html, /<html lang="ar" dir="rtl">/);
  const rows = await till.rows("SELECT id, kind, url, state, number FROM delivery WHERE session_id = ?1 ORDER BY id", payment.session_id);
  assert.deepEqual(rows.map(({ kind, url, state, number }) => ({ kind, url, state, number })), [
    { kind: "email", url: "email", state: "delivered", number: 1 },
    { kind: "email", url: "email", state: "delivered", number: 1 },
  ]);
  await assert.rejects(
    till.rows("INSERT INTO delivery (id, merchant_id, session_id, number, reference, url, body, due_at, kind) SELECT id || 'z', merchant_id, session_id, number, reference, url, body, due_at, kind FROM delivery WHERE id = ?1", rows[0].id),
    /UNIQUE/,
  );
});

test("what identifies the payer is erased from messages and from the inbox", async () => {
  const payment = await atTheBank(till, { ...CUSTOMER, notifications: { email: ["paid"] } });
  await payWith(till, payment.page, "visa-approve");
  const [message] = await untilMessages(payment.session_id, 1);
  await till.rows("UPDATE delivery SET body = '' WHERE id = ?1", message.id);
  assert.ok(!(await list()).some(({ id }) => id === message.id));
});

test("the message about the present state is sent once more, by the channels that were chosen for it", async () => {
  const { session_id } = await open(till, {
    ...CUSTOMER, type: "payment_request", pg_codes: ["knet"], order_no: "AGAIN-1", notifications: { email: ["created"], sms: ["paid"] },
  });
  await untilMessages(session_id, 1);
  const again = (channels) => till.call("/b/pbl/v2/message-notification/", { method: "POST", headers: till.privateKey(), json: { order_no: "AGAIN-1", channels } });
  const sent = await again(["email"]);
  assert.equal(sent.status, 200, sent.text);
  assert.deepEqual(sent.body, { message: "Customer notified." });
  assert.equal((await untilMessages(session_id, 2)).length, 2);
  const refused = await again(["email", "sms"]);
  assertProblem(refused, 400, "invalid_fields");
  assert.deepEqual(Object.keys(refused.body.errors.channels), ["1"]);
  assert.equal(refused.body.operation, "message_notification");
  assert.equal(refused.body.result, "failed");
  assert.deepEqual([refused.body.order_no, refused.body.channels], ["AGAIN-1", ["email", "sms"]]);
  assert.equal((await list()).filter((message) => message.id.includes(session_id)).length, 2);
  const unknown = await till.call("/b/pbl/v2/message-notification/", { method: "POST", headers: till.privateKey(), json: { order_no: "NONE", channels: ["email"] } });
  assertProblem(unknown, 400, "invalid_fields");
});

test("a merchant reads what became of its messages, and of no others", async () => {
  const { session_id } = await open(till, {
    ...CUSTOMER, type: "payment_request", pg_codes: ["knet"], order_no: "LISTED-1", notifications: { email: ["created"], sms: ["created"] },
  });
  await untilMessages(session_id, 2);
  const own = (query) => till.call(`/b/access/v1/messages/?${query}`, { headers: till.privateKey() });
  const find = async (query) => (await own(query)).body.results;
  await eventually("both are accepted", async () => (await find("order_no=LISTED-1&state=accepted")).length === 2);
  const [sms] = await find(`session_id=${session_id}&channel=sms`);
  const { changed_at, created_at, ...rest } = sms;
  assert.ok(changed_at && created_at);
  assert.deepEqual(rest, {
    channel: "sms", detail: null, event: "created", id: sms.id, order_no: "LISTED-1", provider: "sandbox", recipient: "***00",
    reference_number: session_id.toUpperCase(), session_id, state: "accepted",
  });
  const first = (await own("limit=1")).body;
  assert.equal(first.results[0].session_id, session_id);
  const second = (await own(`limit=1&cursor=${first.next}`)).body;
  assert.notEqual(second.results[0].id, first.results[0].id);
  assert.ok((await find("state=accepted")).length >= 2);
  assert.deepEqual(await find("until=2026-01-01T00:00:00Z"), []);
  assertProblem(await own("channel=fax&state=gone&cursor=x"), 400, "invalid_fields");
  await till.rows("UPDATE delivery SET body = '' WHERE id = ?1", sms.id);
  const [erased] = await find(`session_id=${session_id}&channel=sms`);
  assert.deepEqual([erased.recipient, erased.event, erased.order_no, erased.state], [null, null, null, "accepted"]);
  await till.createMerchant();
  const others = await own(`session_id=${session_id}`);
  assert.deepEqual(others.body, { next: null, results: [] });
});

test("a provider gets a message by its API, and its signed report is shown", async () => {
  const account_sid = "AC00000000000000000000000000000000";
  const auth_token = "token-of-the-account";
  const messages = {
    sms: { provider: "twilio", from: "+15005550006", credentials: { account_sid, auth_token } },
    email: { provider: "resend", from: "pay@shop.example", credentials: { api_key: "re_123" } },
  };
  const sms = [];
  till.outbound.on("POST", `https://api.twilio.com/2010-04-01/Accounts/${account_sid}/Messages.json`, (request) => {
    sms.push(request);
    return OutboundResponse.json({ sid: "SM1", status: "queued" }, { status: 201 });
  });
  till.outbound.on("POST", "https://api.resend.com/emails", () => OutboundResponse.json({ id: "49a3999c" }));
  await till.createMerchant({ messages });
  const { session_id } = await open(till, { ...CUSTOMER, type: "payment_request", pg_codes: ["knet"], notifications: { sms: ["created"], email: ["created"] } });
  const notes = () => till.rows("SELECT provider, provider_id, fate FROM message_note WHERE delivery_id LIKE ?1 ORDER BY provider", `evt_${session_id}%`);
  await eventually("both are accepted", async () => (await notes()).filter(({ fate }) => fate === "accepted").length === 2);
  const [mail] = till.outbound.to("https://api.resend.com/emails");
  assert.equal(mail.headers["idempotency-key"], `evt_${session_id}_1`);
  assert.equal(mail.headers.authorization, "Bearer re_123");
  const callback = `${till.url}/b/gw/v1/messages/${till.merchant.merchant_id}/sms/`;
  const undelivered = { MessageSid: "SM1", MessageStatus: "undelivered", ErrorCode: "30003", AccountSid: account_sid };
  const signature = (token, form, query) => createHmac("sha1", token).update(callback + query + Object.keys(form).toSorted().map((name) => name + form[name]).join("")).digest("base64");
  const report = (token, form = undelivered, query = "") => till.call(`${new URL(callback).pathname}${query}`, { method: "POST", headers: { "x-twilio-signature": signature(token, form, query) }, body: new URLSearchParams(form) });
  assertProblem(await report("another"), 401, "signature_invalid");
  assert.equal((await report(auth_token)).status, 200);
  assert.deepEqual(await notes(), [
    { provider: "resend", provider_id: "49a3999c", fate: "accepted" }, { provider: "twilio", provider_id: "SM1", fate: "failed" },
  ]);
});
