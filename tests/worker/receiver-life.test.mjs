/**
 * The life of receivers over HTTP, the log of deliveries with every try, sending again, and test webhooks.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Webhook } from "standardwebhooks";
import { OutboundResponse, start } from "./harness.mjs";
import { choose, deliverNow, eventually, open } from "./payer.mjs";

/** @type {import("./harness.mjs").Till} */
let till;
let shop;
let hosts = 0;

before(async () => {
  till = await start();
  shop = await till.createMerchant();
});
after(() => till.stop());

/** A receiver with its own host. */
function receiver(handler) {
  const url = `https://life-${++hosts}.example.com/hook?a=1`;
  till.outbound.on("POST", url, handler);
  return url;
}

const answer = (status, body = "x", headers = {}) => new OutboundResponse(body, { status, headers });
const own = (path, init = {}) => till.call(`/b/access/v1${path}`, { headers: till.privateKey(shop), ...init });
const post = (path, json) => own(path, { method: "POST", json });
const rowOf = async ({ session_id }) => (await till.rows("SELECT * FROM delivery WHERE session_id = ?1", session_id))[0];
const logOf = async ({ session_id }) => (await own(`/deliveries/?session_id=${session_id}`)).body.results;
const tried = (url, count) => eventually(`${count} tries`, async () => till.outbound.to(url).length >= count);

/** A payment whose webhook goes to this address, tried once. */
async function notified(webhook_url, fields = {}) {
  const payment = await open(till, { pg_codes: ["cash"], webhook_url, ...fields });
  await choose(till, payment, "cash");
  await deliverNow(till, payment);
  return payment;
}

test("the log shows each try with its time, status, duration and a clean excerpt of the answer", async () => {
  const url = receiver(() => answer(500, `no\u0000 card 4111 1111 1111 1111 \u202e${"y".repeat(2000)}`));
  const payment = await notified(url);
  await tried(url, 1);
  const [row] = await logOf(payment);
  assert.deepEqual([row.state, row.kind, row.url, row.last_status], ["due", "payment_webhook", url, 500]);
  const { body } = await own(`/deliveries/${row.id}/`);
  assert.deepEqual(body.delivery, row);
  const [first] = body.tries;
  assert.deepEqual([first.number, first.status, first.error], [1, 500, null]);
  assert.ok(first.excerpt.startsWith("no card [number] yyy"), first.excerpt);
  assert.equal([...first.excerpt].length, 512);
  assert.ok(first.duration_ms >= 0 && Date.parse(first.at) > Date.now() - 60_000);
});

test("the log is read by pages and narrowed by state, order and period", async () => {
  const url = receiver(() => answer(200));
  for (const order_no of ["LOG-1", "LOG-2", "LOG-3"]) await notified(url, { order_no });
  const all = [];
  let cursor = "";
  do {
    const { body } = await own(`/deliveries/?limit=2&receiver=${encodeURIComponent(url)}${cursor}`);
    all.push(...body.results);
    cursor = body.next && `&cursor=${body.next}`;
  } while (cursor);
  assert.equal(new Set(all.map(({ id }) => id)).size, 3);
  assert.equal((await own("/deliveries/?order_no=LOG-2")).body.results.length, 1);
  assert.deepEqual((await own(`/deliveries/?state=given_up&receiver=${encodeURIComponent(url)}`)).body.results, []);
  assert.deepEqual((await own("/deliveries/?until=2026-01-01T00:00:00Z")).body.results, []);
  const refused = await own("/deliveries/?state=lost&limit=0&cursor=x&since=soon&session_id=1");
  assert.deepEqual([refused.status, Object.keys(refused.body.errors).sort()], [400, ["cursor", "limit", "session_id", "since", "state"]]);
});

test("a delivered webhook is sent again with the same id and bytes, and the log has both tries", async () => {
  const url = receiver(() => answer(201));
  const payment = await notified(url);
  const [{ id }] = await logOf(payment);
  const done = await post("/resend/", { delivery_id: id });
  assert.deepEqual([done.status, done.body], [200, { held: 0, may_continue: false, resent: 1 }]);
  await tried(url, 2);
  const [first, second] = till.outbound.to(url);
  assert.equal(second.headers["webhook-id"], first.headers["webhook-id"]);
  assert.equal(second.body, first.body);
  const { body } = await eventually("the second try", async () => {
    const read = await own(`/deliveries/${id}/`);
    return read.body.tries.length === 2 && read;
  });
  assert.deepEqual(body.tries.map(({ status }) => status), [201, 201]);
  assert.equal(body.delivery.state, "delivered");
});

test("what was given up in a period is sent again once, however often it is asked for", async () => {
  let status = 500;
  const url = receiver(() => answer(status));
  const payments = [await notified(url), await notified(url)];
  for (const { session_id } of payments) await till.rows("UPDATE delivery SET state = 'given_up' WHERE session_id = ?1", session_id);
  status = 200;
  const request = { state: "given_up", receiver: url, since: "2026-01-01T00:00:00Z", until: new Date().toISOString() };
  assert.equal((await post("/resend/", request)).body.resent, 2);
  for (const { session_id } of payments) await till.rows("UPDATE delivery SET state = 'given_up' WHERE session_id = ?1", session_id);
  assert.equal((await post("/resend/", request)).body.resent, 0);
  const late = await post("/resend/", { ...request, until: "2999-01-01T00:00:00Z" });
  assert.deepEqual([late.status, Object.keys(late.body.errors)], [400, ["until"]]);
});

test("a receiver that has too many is left alone for as long as it asks, and stays enabled", async () => {
  let status = 429;
  const url = receiver(() => answer(status, "slow down", { "retry-after": "5400" }));
  const notice = await notified(url);
  await tried(url, 1);
  const [{ id, state }] = await logOf(notice);
  const [{ due_at, at }] = await till.rows("SELECT d.due_at, t.at FROM delivery d JOIN delivery_try t ON t.delivery_id = d.id WHERE d.id = ?1", id);
  const wait = Number(due_at) - Number(at);
  assert.ok(state === "due" && wait >= 5_400_000 && wait < 5_410_000, `${state}, ${wait} ms`);
  await till.scheduled();
  assert.equal(till.outbound.to(url).length, 1);
  status = 200;
  await deliverNow(till, notice);
  assert.equal((await rowOf(notice)).state, "delivered");
});

test("an address that answers 410 is disabled at once, and what was held comes when it is enabled again", async () => {
  let status = 410;
  const url = receiver(() => answer(status));
  const first = await notified(url);
  await tried(url, 1);
  assert.equal((await rowOf(first)).state, "held");
  const flagged = (await till.operator("/attention/")).body.filter(({ session_id }) => session_id === first.session_id);
  assert.deepEqual(flagged.map(({ reason }) => reason), ["receiver_disabled"]);
  const second = await notified(url);
  assert.deepEqual([(await rowOf(second)).state, till.outbound.to(url).length], ["held", 1]);
  const shown = (await own("/receivers/")).body.find(({ address }) => address === url);
  assert.deepEqual([shown.reason, shown.held], ["gone", 2]);
  const [{ id }] = await logOf(second);
  assert.deepEqual((await post("/resend/", { delivery_id: id })).body, { held: 1, may_continue: false, resent: 0 });
  status = 200;
  assert.equal((await post("/receivers/enable/", { address: "https://life-0.example.com" })).status, 404);
  assert.deepEqual((await post("/receivers/enable/", { address: url })).body, { address: url, released: 2 });
  await till.scheduled();
  for (const payment of [first, second]) assert.equal((await rowOf(payment)).state, "delivered");
  assert.equal((await own("/receivers/")).body.some(({ address }) => address === url), false);
});

test("a receiver that failed for five days is disabled, and one success before ends its failing", async () => {
  let status = 500;
  const url = receiver(() => answer(status));
  const { origin } = new URL(url);
  const failing = await notified(url);
  await tried(url, 1);
  const since = async () => (await own("/receivers/")).body.find(({ address }) => address === origin)?.failing_since;
  assert.ok(await since());
  status = 200;
  await deliverNow(till, failing);
  assert.equal(await since(), undefined);
  status = 503;
  await notified(url);
  await till.rows("UPDATE receiver SET failing_since = ?1 WHERE address = ?2", String(Date.now() - 5 * 86_400_000), origin);
  const last = await notified(url);
  assert.equal((await rowOf(last)).state, "held");
  const sent = till.outbound.to(url).length;
  const later = await notified(url);
  assert.deepEqual([(await rowOf(later)).state, till.outbound.to(url).length], ["held", sent]);
  const by = await till.operator(`/merchants/${shop.merchant_id}/receivers/enable/`, { method: "POST", json: { address: origin } });
  assert.equal(by.status, 200, by.text);
  assert.ok(by.body.released >= 2);
  const [entry] = (await till.operator(`/audit/?merchant=${shop.merchant_id}&limit=1`)).body.results;
  assert.deepEqual([entry.action, entry.subject], ["enable_receiver", origin]);
});

test("a test webhook of each kind is signed and marked, and its answer is shown", async () => {
  const url = receiver(() => answer(200, "thanks"));
  for (const kind of ["payment_webhook", "card_webhook", "operation_webhook", "requested_webhook"]) {
    const { status, body, text } = await post("/test-webhooks/", { address: url, kind });
    assert.equal(status, 200, text);
    assert.deepEqual([body.is_accepted, body.status, body.error, body.excerpt], [true, 200, null, "thanks"]);
    const sent = till.outbound.to(url).at(-1);
    assert.equal(sent.headers["webhook-id"], body.id);
    const read = new Webhook(shop.webhook_signing_secret).verify(sent.body, sent.headers);
    assert.equal(read.is_test, true);
  }
  assert.deepEqual(await till.rows("SELECT id FROM delivery WHERE url = ?1", url), []);
  const refused = await post("/test-webhooks/", { address: "http://shop.example.com/hook", kind: "news" });
  assert.deepEqual([refused.status, Object.keys(refused.body.errors).sort()], [400, ["address", "kind"]]);
  const silent = receiver(() => { throw new Error("the connection breaks"); });
  const lost = await post("/test-webhooks/", { address: silent, kind: "payment_webhook" });
  assert.deepEqual([lost.body.is_accepted, lost.body.status], [false, lost.body.status]);
});
