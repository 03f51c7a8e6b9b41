/**
 * Notifying merchants' receivers outside: what their answers mean, when they are tried again, and how many at
 * once.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { OutboundResponse, start } from "./harness.mjs";
import { choose, deliverNow, eventually, open, pollStatus } from "./payer.mjs";

/** @type {import("./harness.mjs").Till} */
let till;
let hosts = 0;

before(async () => {
  till = await start();
  await till.createMerchant();
});
after(() => till.stop());

/** A receiver with its own host, which answers by `handler`. */
function receiver(handler) {
  const url = `https://shop-${++hosts}.example.com/hook?a=1`;
  till.outbound.on("POST", url, handler);
  return url;
}

/**
 * A payment in cash, notified to `webhook_url` while the browser waits; `location` is where the browser
 * lands.
 */
async function pay(webhook_url) {
  const payment = await open(till, { pg_codes: ["cash"], webhook_url });
  const sent = await choose(till, payment, "cash");
  const landed = await till.fetch(sent.headers.get("location"));
  return { ...payment, location: new URL(landed.headers.get("location")).pathname };
}

const migration = (name) => readFileSync(new URL(`../../edge-worker/migrations/${name}`, import.meta.url), "utf8");
const deliveryOf = async ({ session_id }) => (await till.rows("SELECT * FROM delivery WHERE session_id = ?1", session_id))[0];
const answer = (status, headers = {}) => new OutboundResponse(status === 204 ? null : "x", { status, headers });
const SHOP = "/sandbox/shop/";
const SUMMARY = "/b/checkout/redirect/start/";

test("a webhook is one POST of JSON with the headers of Standard Webhooks", async () => {
  const url = receiver(() => answer(200));
  assert.equal((await pay(url)).location, SHOP);
  const [sent, ...more] = till.outbound.to(url);
  assert.equal(more.length, 0);
  assert.equal(sent.method, "POST");
  assert.equal(sent.headers["content-type"], "application/json");
  assert.match(sent.headers["user-agent"], /^Till\//);
  assert.match(sent.headers["webhook-id"], /^[\w-]{1,64}$/);
  assert.ok(Math.abs(Number(sent.headers["webhook-timestamp"]) - Date.now() / 1000) < 5);
  assert.match(sent.headers["webhook-signature"], /^v1,[\w+/=]{44} v1a,[\w+/=]{88}$/);
  assert.equal(sent.headers.authorization, undefined);
  assert.equal(sent.headers.cookie, undefined);
});

for (const [status, location, state] of [
  [200, SHOP, "delivered"], [201, SUMMARY, "delivered"], [202, SUMMARY, "due"], [204, SUMMARY, "due"], [302, SUMMARY, "due"],
  [400, SUMMARY, "due"], [401, SUMMARY, "due"], [404, SUMMARY, "due"], [500, SUMMARY, "due"], [503, SUMMARY, "due"],
  [410, SUMMARY, "held"],
]) {
  test(`a receiver that answers ${status} leaves the notification ${state}`, async () => {
    const url = receiver(() => answer(status, status === 302 ? { location: `${till.url}/sandbox/inbox/followed/` } : {}));
    const payment = await pay(url);
    assert.equal(payment.location, location);
    const delivery = await deliveryOf(payment);
    assert.deepEqual([delivery.state, delivery.last_status, delivery.lease_until], [state, status, 0]);
    await deliverNow(till, payment);
    assert.equal(till.outbound.to(url).length, state === "due" ? 2 : 1);
    const flagged = (await till.operator("/attention/")).body.filter(({ session_id }) => session_id === payment.session_id);
    assert.deepEqual(flagged.map(({ reason }) => reason), state === "held" ? ["receiver_disabled"] : []);
  });
}

test("a redirect is not followed", async () => {
  const { body } = await till.call("/sandbox/inbox/followed/", { headers: { accept: "application/json" } });
  assert.deepEqual(body.webhooks, []);
});

test("a receiver may ask for a longer wait, up to a day, and not for a shorter one", async () => {
  for (const [asked, least, most] of [["7200", 7200, 7200], ["1", 40, 75], ["999999999", 86400, 86400], ["soon", 40, 75], ["-5", 40, 75]]) {
    const payment = await pay(receiver(() => answer(503, { "retry-after": asked })));
    const wait = ((await deliveryOf(payment)).due_at - Date.now()) / 1000;
    assert.ok(wait > least - 5 && wait < most + 5, `${asked}: ${wait} s`);
  }
});

test("a notification is tried ten times on its schedule, and then given to a person", async () => {
  const url = receiver(() => answer(500));
  const payment = await pay(url);
  const waits = [];
  for (let tries = 1; tries < 10; tries += 1) {
    const { due_at, state } = await deliveryOf(payment);
    assert.equal(state, "due");
    waits.push((due_at - Date.now()) / 60_000);
    await deliverNow(till, payment);
  }
  for (const [place, minutes] of [1, 5, 30, 120, 300, 600, 840, 1200, 1440].entries()) {
    assert.ok(waits[place] > minutes * 0.79 - 0.1 && waits[place] < minutes * 1.21, `try ${place + 2} follows after ${waits[place]} minutes`);
  }
  assert.deepEqual([(await deliveryOf(payment)).state, till.outbound.to(url).length], ["given_up", 10]);
  await deliverNow(till, payment);
  assert.equal(till.outbound.to(url).length, 10);
  const bodies = new Set(till.outbound.to(url).map(({ body }) => body));
  assert.equal(bodies.size, 1);
  const tries = await till.rows("SELECT number, status FROM delivery_try WHERE delivery_id = (SELECT id FROM delivery WHERE session_id = ?1)", payment.session_id);
  assert.deepEqual(tries, Array.from({ length: 10 }, (_, place) => ({ number: place + 1, status: 500 })));
});

/** A payment whose notification nobody sends before `till.scheduled()` after `releaseAll`. */
async function held(webhook_url) {
  const payment = await open(till, { pg_codes: ["cash"], webhook_url });
  // It is due later from the beginning.
  await till.rows("CREATE TRIGGER held AFTER INSERT ON delivery BEGIN UPDATE delivery SET due_at = due_at + 3600000 WHERE id = NEW.id; END");
  await choose(till, payment, "cash");
  await till.rows("DROP TRIGGER held");
  return payment;
}

/** Waits until the requests of all payers have rung, each a moment after its answer, for what nobody has taken up: the last one does here. */
async function untilRung() {
  const payment = await open(till, { pg_codes: ["cash"], webhook_url: receiver(() => answer(200)) });
  await choose(till, payment, "cash");
  await eventually("the last one has rung", async () => (await deliveryOf(payment)).state === "delivered");
}

const releaseAll = (payments) => Promise.all(payments.map(({ session_id }) => till.rows("UPDATE delivery SET due_at = 0 WHERE session_id = ?1", session_id)));

test("a receiver that has answered well gets two notifications at once, any other one, and a merchant four", async () => {
  const flying = new Map();
  let total = 0, most = 0, mostOfOne = 0;
  const slow = async ({ url }) => {
    const { host } = new URL(url);
    flying.set(host, (flying.get(host) ?? 0) + 1);
    total += 1;
    most = Math.max(most, total);
    mostOfOne = Math.max(mostOfOne, flying.get(host));
    await sleep(60);
    total -= 1;
    flying.set(host, flying.get(host) - 1);
    return answer(200);
  };
  const urls = Array.from({ length: 8 }, () => receiver(slow));
  const payments = [];
  for (const url of [...urls, urls[0], urls[0], urls[1]]) payments.push(await held(url));
  await untilRung();
  await releaseAll(payments);
  await till.scheduled();
  for (const payment of payments) assert.equal((await deliveryOf(payment)).state, "delivered");
  // Five connections send when no gateway is asked; the last one is never for the same merchant.
  assert.equal(most, 4);
  assert.ok(mostOfOne <= 2, `${mostOfOne} at once to one receiver`);
});

test("sweeps at once send each notification once", async () => {
  const url = receiver(async () => (await sleep(100), answer(200)));
  const payment = await open(till, { pg_codes: ["cash"], webhook_url: url });
  await choose(till, payment, "cash");
  await Promise.all(Array.from({ length: 4 }, () => till.scheduled()));
  assert.equal(till.outbound.to(url).length, 1);
});

test("browsers that come back at once have the merchant notified once, and all of them are sent on by polling", async () => {
  const url = receiver(async () => (await sleep(150), answer(200)));
  const payment = await open(till, { pg_codes: ["cash"], webhook_url: url });
  const { headers } = await choose(till, payment, "cash");
  const landed = await Promise.all(Array.from({ length: 6 }, () => till.fetch(headers.get("location"))));
  assert.deepEqual([...new Set(landed.map(({ status }) => status))], [303]);
  assert.equal(till.outbound.to(url).length, 1);
  assert.equal(new URL((await pollStatus(till, payment)).redirect_url).pathname, SHOP);
});

test("what the Worker before stored without a kind is sent like any other webhook, and gets its kind if it still waits", async () => {
  const url = receiver(() => answer(201));
  const payment = await open(till, { pg_codes: ["cash"], webhook_url: url });
  await choose(till, payment, "cash");
  const rows = () => till.rows("SELECT kind, state FROM delivery WHERE session_id = ?1 ORDER BY number", payment.session_id);
  const copy = (kind, number, body) => till.rows(
    `INSERT INTO delivery (id, merchant_id, session_id, number, reference, url, body, due_at)
     SELECT 'evt_' || session_id || '_${number}${kind}', merchant_id, session_id, ${number}, reference, url, ${body}, due_at
     FROM delivery WHERE session_id = ?1 LIMIT 1`, payment.session_id);
  await till.rows("INSERT INTO txn_event (session_id, number, at, kind, state) VALUES (?1, 90, 0, 'notified', 'cod')", payment.session_id);
  for (const later of ["DROP INDEX message_once", "DROP INDEX message_of_merchant", "DROP TRIGGER message_is_erased", "ALTER TABLE delivery DROP COLUMN kind"]) await till.rows(later);
  await copy("", 90, "body");
  await copy("", 91, `'{"token":{}}'`);
  await till.rows(migration("0018_message_kinds.sql"));
  assert.deepEqual((await rows()).map(({ kind }) => kind), ["payment_webhook", "requested_webhook", "card_webhook"]);
  await copy("b", 91, "body");
  for (let count = 0; count < 4; count += 1) await till.scheduled();
  assert.deepEqual([...new Set((await rows()).map(({ state }) => state))], ["delivered"]);
  assert.equal(till.outbound.to(url).length, 4);
});

test("receivers that fail come last: six of them do not hold up one that works", async () => {
  const failing = [];
  for (let count = 0; count < 6; count += 1) failing.push(await pay(receiver(() => answer(500))));
  const good = receiver(() => answer(200));
  const fresh = await held(good);
  await untilRung();
  await releaseAll([...failing, fresh]);
  const before = till.outbound.sent.length;
  await till.scheduled();
  const sent = till.outbound.sent.slice(before).map(({ url }) => url);
  assert.equal(sent.length, 7);
  // Five are in progress together, in any order.
  assert.ok(sent.slice(0, 5).includes(good));
});
