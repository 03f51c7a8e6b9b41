/** The desk's screens of deliveries and webhooks: without a script, in both languages, and what their forms change. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { staff, textOf } from "./desk.mjs";
import { OutboundResponse, start } from "./harness.mjs";
import { choose, deliverNow, eventually, open } from "./payer.mjs";

let till;
let owner;
before(async () => {
  till = await start();
  await till.createMerchant();
  owner = await staff(till, "owner");
});
after(() => till.stop());

let hosts = 0;
/** A receiver with its own host. */
function receiver(status, body = "x") {
  const url = `https://desk-${++hosts}.example.com/hook`;
  till.outbound.on("POST", url, () => new OutboundResponse(body, { status }));
  return url;
}

async function notified(webhook_url) {
  const payment = await open(till, { pg_codes: ["cash"], webhook_url });
  await choose(till, payment, "cash");
  await deliverNow(till, payment);
  await eventually("a try", async () => till.outbound.to(webhook_url).length > 0);
  return (await till.rows("SELECT id FROM delivery WHERE session_id = ?1", payment.session_id))[0].id;
}

test("the log is filtered by its address, shows what was answered, and nothing in it runs", async () => {
  const good = receiver(200);
  const bad = receiver(500, "<script>alert(1)</script> & more");
  const [sent, failed] = [await notified(good), await notified(bad)];
  const all = await owner.get("/deliveries/");
  assert.equal(all.status, 200);
  for (const id of [sent, failed]) assert.ok(all.text.includes(`href="/deliveries/${id}/"`), id);
  const delivered = await owner.get("/deliveries/?state=delivered&kind=&receiver=");
  assert.ok(delivered.text.includes(sent) && !delivered.text.includes(failed));
  const ofOne = await owner.get(`/deliveries/?receiver=${encodeURIComponent(bad)}`);
  assert.ok(!ofOne.text.includes(sent) && ofOne.text.includes(failed));
  const one = await owner.get(`/deliveries/${failed}/`);
  assert.ok(one.text.includes("&lt;script&gt;alert(1)&lt;/script&gt; &amp; more") && !/<script(?! defer src=)/.test(one.text));
  assert.match(textOf(one.text), /Payment webhook .*Due.* 500/s);
});

test("the page shows what is sent, to the byte, and of a message to a payer nothing", async () => {
  const url = receiver(200);
  const id = await notified(url);
  const [{ body }] = till.outbound.to(url);
  const read = await till.call(`/b/access/v1/deliveries/${id}/`, { headers: till.privateKey() });
  assert.equal(read.body.body, body);
  const page = await owner.get(`/deliveries/${id}/`);
  const escaped = body.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
  assert.ok(page.text.includes(`<details class="card"><summary>Body that is sent</summary><pre dir="ltr">${escaped}</pre></details>`), page.text);
  const { body: { session_id } } = await till.create({ type: "payment_request", customer_email: "payer@shop.example", notifications: { email: ["created"] } });
  const mails = await till.rows("SELECT id, body FROM delivery WHERE session_id = ?1 AND kind = 'email'", session_id);
  assert.equal(mails.length, 1);
  assert.match(mails[0].body, /payer@shop\.example/);
  const mail = await till.call(`/b/access/v1/deliveries/${mails[0].id}/`, { headers: till.privateKey() });
  assert.equal(mail.body.body, null, mail.text);
  assert.doesNotMatch((await owner.get(`/deliveries/${mails[0].id}/`)).text, /payer@shop\.example|<details class="card">/);
});

test("who is written to about alerts is saved, shown, and refused by line", async () => {
  await owner.get("/webhooks/");
  const wrong = await owner.submit("/webhooks/", { alert_emails: "ops@shop.example\nnot an address", alert_topics: "payment" });
  assert.equal(wrong.status, 400);
  assert.match(textOf(wrong.text), /alert_emails\.1 must be an e-mail address/);
  assert.ok(wrong.text.includes("ops@shop.example\nnot an address</textarea>") && /value="payment" checked/.test(wrong.text), "what was filled in is not lost");
  const saved = await owner.submit("/webhooks/", { alert_emails: " ops@shop.example \r\n\r\nOwner@shop.example", alert_topics: "payment" });
  assert.match(saved.location, /saved=\d+/, textOf(saved.text));
  const page = await owner.follow(saved);
  assert.ok(page.text.includes("ops@shop.example\nOwner@shop.example</textarea>"), page.text);
  const { settings } = (await till.operator(`/merchants/${till.merchant.merchant_id}/`)).body;
  assert.deepEqual(settings.alerts, { emails: ["ops@shop.example", "Owner@shop.example"], on: ["payment"] });
  const cleared = await owner.submit("/webhooks/", { alert_emails: "" });
  assert.match(cleared.location, /saved=\d+/);
  const { body } = await till.call("/b/access/v1/webhook-addresses/", { headers: till.privateKey() });
  assert.deepEqual([body.alert_emails, body.alert_topics], [[], []]);
  for (const [json, path] of [[{ alert_emails: ["a@shop.example", "A@shop.example"] }, "alert_emails.1"], [{ alert_emails: Array.from({ length: 11 }, (_, n) => `a${n}@shop.example`) }, "alert_emails"], [{ alert_topics: ["weather"] }, "alert_topics.0"], [{ alert_emails: "a@shop.example" }, "alert_emails"]]) {
    const refused = await till.call("/b/access/v1/webhook-addresses/", { method: "PATCH", headers: till.privateKey(), json });
    const [name, place] = path.split(".");
    assert.deepEqual([refused.status, Object.keys(refused.body.errors)], [400, [name]], refused.text);
    if (place) assert.deepEqual(Object.keys(refused.body.errors[name]), [place], refused.text);
  }
});

test("an unknown filter, a wrong one and an unknown delivery are refused", async () => {
  for (const query of ["colour=red", "state=unheard", "cursor=x"]) {
    const refused = await owner.get(`/deliveries/?${query}`);
    assert.equal(refused.status, 400, query);
    assert.ok(textOf(refused.text).includes(query.split("=")[0]), query);
  }
  assert.equal((await owner.get("/deliveries/nothing/")).status, 404);
});

test("one delivery and many are sent again with the ids that they have", async () => {
  const url = receiver(200);
  const id = await notified(url);
  await owner.get(`/deliveries/${id}/`);
  const answer = await owner.submit(`/deliveries/${id}/resend/`);
  assert.deepEqual([answer.status, answer.location], [303, `/deliveries/${id}/?resent=1&held=0&more=0`]);
  assert.match(textOf((await owner.follow(answer)).text), /Sent again: 1/);
  await eventually("a second try", async () => till.outbound.to(url).length === 2);
  assert.equal(new Set(till.outbound.to(url).map(({ headers }) => headers["webhook-id"])).size, 1);
  await eventually("its delivery", async () => (await till.rows("SELECT state FROM delivery WHERE id = ?1", id))[0].state === "delivered");
  // Moments of a period have whole seconds.
  await sleep(1_100);
  await owner.get("/deliveries/");
  const many = await owner.submit("/deliveries/resend/", { state: "delivered", days: "7", receiver: url });
  assert.equal(many.status, 303, textOf(many.text));
  assert.match(many.location, /^\/deliveries\/\?.*state=delivered.*&resent=1&held=0&more=0$/);
  assert.equal((await owner.follow(many)).status, 200);
  await eventually("a third try", async () => till.outbound.to(url).length === 3);
});

test("who may not send again sees no form for it, and is refused", async () => {
  const viewer = await staff(till, "viewer", { permissions: ["Can view e-commerce payments", "Can view payment requests"] });
  const page = await viewer.get("/deliveries/");
  assert.equal(page.status, 200);
  assert.ok(!page.text.includes("/deliveries/resend/") && !page.text.includes('href="/webhooks/"'));
});

test("the default addresses of each plugin are saved as a version, tested, and taken away", async () => {
  const url = receiver(201, "thanks");
  await owner.get("/webhooks/");
  const saved = await owner.submit("/webhooks/", { e_commerce: url, operations: ` ${url} ` });
  assert.match(saved.location, /^\/webhooks\/\?saved=\d+$/, textOf(saved.text));
  const page = await owner.follow(saved);
  assert.match(textOf(page.text), /Saved as version/);
  const { body } = await till.call("/b/access/v1/webhook-addresses/", { headers: till.privateKey() });
  assert.deepEqual([body.e_commerce, body.operations, body.payment_request], [url, url, null]);
  const tested = await owner.submit("/webhooks/test/", { place: "operations" });
  assert.equal(tested.status, 200);
  assert.match(textOf(tested.text), /The test was accepted: 201 after \d+ ms.*thanks/);
  const [sent] = till.outbound.to(url);
  assert.equal(JSON.parse(sent.body).is_test, true);
  const wrong = await owner.submit("/webhooks/", { e_commerce: "ftp://shop.example.com/x", operations: url });
  assert.equal(wrong.status, 400);
  assert.match(textOf(wrong.text), /e_commerce must/);
  assert.ok(wrong.text.includes('value="ftp://shop.example.com/x"'), "the form has what was sent");
  await owner.get("/webhooks/");
  assert.equal((await owner.submit("/webhooks/", { e_commerce: "", operations: "" })).status, 303);
  const after_ = await till.call("/b/access/v1/webhook-addresses/", { headers: till.privateKey() });
  assert.deepEqual([after_.body.e_commerce, after_.body.operations], [null, null]);
});

test("a test that is refused says so, and a place without an address is not tested", async () => {
  const url = receiver(404, "no");
  await owner.get("/webhooks/");
  await owner.follow(await owner.submit("/webhooks/", { e_commerce: url }));
  const tested = await owner.submit("/webhooks/test/", { place: "e_commerce" });
  assert.match(textOf(tested.text), /answered 404 .*only 200 and 201/);
  for (const place of ["payment_request", "nothing"]) assert.equal((await owner.submit("/webhooks/test/", { place })).status, 303);
});

test("a receiver that is disabled is listed and enabled again", async () => {
  const address = "https://gone.example.com/hook";
  await till.rows("INSERT INTO receiver (merchant_id, address, disabled_at, reason) VALUES (?1, ?2, 1, 'gone')", till.merchant.merchant_id, address);
  const page = await owner.get("/webhooks/");
  assert.match(textOf(page.text), /gone\.example\.com.*answered that it is gone/);
  const enabled = await owner.submit("/webhooks/enable/", { address });
  assert.equal(enabled.location, "/webhooks/?enabled=0");
  assert.ok(!(await owner.follow(enabled)).text.includes("gone.example.com"));
});

test("who manages access reads the addresses and changes none", async () => {
  const manager = await staff(till, "manager", { permissions: ["Can manage access"] });
  const page = await manager.get("/webhooks/");
  assert.equal(page.status, 200);
  assert.ok(!page.text.includes('action="/webhooks/"'));
  assert.match(textOf(page.text), /Only a user who may do everything/);
});

test("a new signing secret is shown once, signs with the one before, and a form that is sent twice makes one", async () => {
  const before = till.merchant.webhook_signing_secret;
  await owner.get("/webhooks/");
  const first = owner.page;
  const made = await owner.submit("/webhooks/secret/");
  const [, secret] = /<code[^>]*>(whsec_[^<]+)<\/code>/.exec(made.text);
  till.secrets.add(secret);
  owner.page = first;
  const again = await owner.submit("/webhooks/secret/");
  assert.equal(again.status, 409);
  assert.doesNotMatch(again.text, /whsec_/);
  assert.doesNotMatch((await owner.get("/webhooks/")).text, /whsec_/);
  const url = receiver(200);
  await notified(url);
  const [{ body, headers }] = till.outbound.to(url);
  for (const known of [before, secret]) new Webhook(known).verify(body, headers);
});

test("the page of a payment leads to its deliveries alone", async () => {
  const url = receiver(200);
  const id = await notified(url);
  await notified(receiver(200));
  const [{ session_id }] = await till.rows("SELECT session_id FROM delivery WHERE id = ?1", id);
  await owner.get(`/payments/${session_id}/`);
  const href = /href="(\/deliveries\/\?session_id=[^"]+)"/.exec(owner.page)[1];
  const listed = (await owner.get(href)).text;
  assert.equal([...listed.matchAll(/href="\/deliveries\/[^"?]+\/"/g)].length, 1);
  assert.match(listed, new RegExp(id));
});
