/**
 * Listing a merchant's transactions: pages, filters, cursors, and that nothing of another merchant is ever
 * seen.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { OPERATOR_TOKEN, start } from "./harness.mjs";
import { assertProblem, choose, open } from "./payer.mjs";

const PATH = "/b/checkout/v1/pymt-txn/";

/** @type {import("./harness.mjs").Till} */
let till;
let theirs;

before(async () => {
  till = await start();
  theirs = await till.createMerchant();
});
after(() => till.stop());

/** The answer to a listing with these parameters; a list repeats its parameter. */
function list(parameters = {}, merchant = till.merchant) {
  const query = new URLSearchParams();
  for (const [name, values] of Object.entries(parameters)) {
    for (const value of [values].flat()) query.append(name, value);
  }
  return till.call(`${PATH}?${query}`, { headers: till.privateKey(merchant) });
}

const idsOf = ({ status, body, text }) => {
  assert.equal(status, 200, text);
  return body.results.map(({ session_id }) => session_id);
};

/** Every page from the first on; `between` runs after each. */
async function walk(parameters, between = async () => {}) {
  const pages = [];
  for (let cursor = []; cursor !== null; ) {
    const answer = await list({ ...parameters, cursor });
    pages.push(idsOf(answer));
    cursor = answer.body.next;
    await between();
  }
  return pages;
}

const createMany = (count, fields = {}) => Promise.all(Array.from({ length: count }, () => created(fields)));

async function created(fields) {
  const { status, body, text } = await till.create(fields);
  assert.equal(status, 201, text);
  return body.session_id;
}

test("55 transactions come in pages, each once, newest first, while others are made", async () => {
  await till.createMerchant();
  const ids = new Set(await createMany(55, { customer_id: "c", order_no: "A-1" }));
  for (const filter of [{}, { state: ["created", "paid"] }, { customer_id: "c" }, { order_no: "A-1" }]) {
    const [{ number: before }] = await till.rows("SELECT COUNT(*) AS number FROM txn WHERE merchant_id = ?1", till.merchant.merchant_id);
    const pages = await walk(filter, async () => ids.add(await created({ customer_id: "c", order_no: "A-1" })));
    assert.deepEqual(pages.map((page) => page.length).slice(0, 2), [20, 20]);
    const found = pages.flat();
    assert.equal(new Set(found).size, found.length);
    assert.equal(found.length, before);
    const order = await till.rows(
      "SELECT session_id FROM txn WHERE merchant_id = ?1 ORDER BY created_at DESC, session_id DESC", till.merchant.merchant_id,
    );
    const listed = new Set(found);
    assert.deepEqual(found, order.map(({ session_id }) => session_id).filter((id) => listed.has(id)));
  }
  const [all] = await walk({ limit: "100" });
  assert.deepEqual(new Set(all), ids);
});

test("a result is what retrieving answers, with the receipt", async () => {
  await till.createMerchant();
  const paid = await open(till, { pg_codes: ["cash"], extra: { a: [1.50] }, customer_first_name: "نور" });
  await choose(till, paid, "cash");
  const waiting = await open(till);
  await choose(till, waiting, "knet");
  const shown = async ({ session_id }) => (await till.retrieve(session_id)).text;
  const texts = await Promise.all([waiting, paid].map(shown));
  const answer = await list();
  assert.equal(answer.text, `{"results":[${texts.join(",")}],"next":null}`);
  assert.equal(answer.headers.get("content-type"), "application/json");
  assert.equal(answer.headers.get("cache-control"), "no-store");
  const bare = await till.call(PATH.slice(0, -1), { headers: till.privateKey() });
  assert.equal(bare.text, answer.text);
});

test("states are filtered as they are shown, the end of the time included before it is stored", async () => {
  await till.createMerchant();
  const live = await created();
  const over = await created();
  const waiting = await open(till);
  await choose(till, waiting, "knet");
  const cash = await open(till, { pg_codes: ["cash"] });
  await choose(till, cash, "cash");
  for (const id of [over, waiting.session_id]) {
    await till.rows("UPDATE txn SET expires_at = created_at + 1, version = version + 1 WHERE session_id = ?1", id);
  }
  const stored = await till.rows("SELECT state FROM txn WHERE session_id = ?1", over);
  assert.deepEqual(stored, [{ state: "created" }]);
  for (const [state, wanted] of [
    ["created", [live]],
    ["expired", [over]],
    ["pending", [waiting.session_id]],
    ["cod", [cash.session_id]],
    ["paid", []],
    ["created,expired", [over, live]],
    [["pending", "expired,cod"], [cash.session_id, waiting.session_id, over]],
  ]) {
    const answer = await list({ state });
    assert.deepEqual(idsOf(answer), wanted, String(state));
    const words = [state].flat().join(",");
    for (const result of answer.body.results) assert.ok(words.split(",").includes(result.state), result.state);
  }
  await till.scheduled();
  assert.ok(idsOf(await list({ state: "expired" })).includes(over));
  assert.deepEqual(idsOf(await list({ state: "created" })), [live]);
});

test("filters narrow by order number, customer and period, together", async () => {
  await till.createMerchant();
  const odd = "A/1 ' \" ; -- نور % & +";
  const first = await created({ order_no: "A-1", customer_id: "c" });
  const second = await created({ order_no: odd, customer_id: "c" });
  const third = await created({ order_no: "A-1", customer_id: "d" });
  for (const [filter, wanted] of [
    [{ order_no: "A-1" }, [third, first]],
    [{ order_no: odd }, [second]],
    [{ order_no: "a-1" }, []],
    [{ order_no: "%" }, []],
    [{ customer_id: "c" }, [second, first]],
    [{ customer_id: "c", order_no: "A-1" }, [first]],
    [{ customer_id: "c", order_no: "A-1", state: "paid" }, []],
    [{ customer_id: "c", order_no: odd, state: "created", limit: "1" }, [second]],
  ]) {
    assert.deepEqual(idsOf(await list(filter)), wanted, JSON.stringify(filter));
  }
  const [{ created_at }] = await till.rows("SELECT created_at FROM txn WHERE session_id = ?1", second);
  const moment = new Date(created_at).toISOString();
  const day = moment.slice(0, 10);
  const atThatMoment = idsOf(await list({ created_from: moment, created_to: moment }));
  assert.ok(atThatMoment.includes(second), atThatMoment.join());
  assert.ok(idsOf(await list({ created_from: moment })).includes(third));
  assert.ok(idsOf(await list({ created_to: moment })).includes(first));
  assert.deepEqual(idsOf(await list({ created_from: day })), [third, second, first]);
  assert.deepEqual(idsOf(await list({ created_from: "1970-01-01", created_to: "2000-01-01T00:00:00+03:00" })), []);
  assert.deepEqual(idsOf(await list({ created_to: "9999-12-31" })), [third, second, first]);
});

test("two merchants never see each other's transactions", async () => {
  await till.createMerchant();
  await createMany(3, { order_no: "A-1", customer_id: "c" });
  const mine = await list({ limit: "2" });
  assert.notEqual(mine.body.next, null);
  for (const filter of [{}, { state: "created" }, { order_no: "A-1" }, { customer_id: "c" }, { created_from: "1970-01-01" }, { limit: "100" }]) {
    assert.equal((await list(filter, theirs)).text, '{"results":[],"next":null}', JSON.stringify(filter));
  }
  const foreign = await list({ cursor: mine.body.next }, theirs);
  assertProblem(foreign, 400, "invalid_fields");
  assert.deepEqual(foreign.body.errors, (await list({ cursor: "nonsense" }, theirs)).body.errors);
});

test("a cursor that is malformed, forged or of another version is named", async () => {
  await till.createMerchant();
  await createMany(2);
  const { next } = (await list({ limit: "1" })).body;
  assert.match(next, /^[\w-]{40,160}$/);
  const text = Buffer.from(next, "base64url").toString();
  const forge = (...change) => Buffer.from(text.replace(...change)).toString("base64url");
  for (const cursor of [
    "x", "null", "0", "'", "%00", "é", " ", `${next}=`, next.slice(1), next.slice(0, -1), `${next}A`, "A".repeat(161), "A".repeat(5000),
    forge(/^1/, "2"), forge(till.merchant.merchant_id, theirs.merchant_id), forge(/\.(\d+)\./, ".0$1."), forge(/\.(\d+)\./, ".1e9."),
    forge(/\.(\d+)\./, ".99999999999999999999."), forge(/[0-9a-f]{40}$/, "' OR 1=1 --"), forge(/$/, ".x"),
  ]) {
    const answer = await list({ cursor });
    assertProblem(answer, 400, "invalid_fields");
    assert.deepEqual(answer.body.errors, { cursor: ["must be the next of a page of this listing"] }, cursor);
  }
  // A merchant's own cursor, changed by hand, leads only to other rows of the same merchant.
  const moved = idsOf(await list({ cursor: forge(/\.(\d+)\./, ".99999999999999.") }));
  assert.equal(moved.length, 2);
});

test("every wrong parameter is named at once", async () => {
  const answer = await list({
    cursor: "x", limit: "101", state: ["paid", "lost"], created_from: "2026-02-30", created_to: "yesterday",
    order_no: "9".repeat(129), customer_id: "a\nb", unknown: "x",
  });
  assertProblem(answer, 400, "invalid_fields");
  assert.deepEqual(Object.keys(answer.body.errors), ["cursor", "limit", "state", "created_from", "created_to", "order_no", "customer_id", "unknown"]);
  const turned = await list({ created_from: "2026-02-02", created_to: "2026-02-01" });
  assert.deepEqual(turned.body.errors, { created_to: ["must not be before created_from"] });
  const twice = await list({ limit: ["1", "2"], order_no: ["a", "b"] });
  assert.deepEqual(twice.body.errors, { limit: ["must not be given twice"], order_no: ["must not be given twice"] });
  for (const limit of ["0", "-1", "1.5", "ten", "1e1", "99999999999999999999"]) {
    assert.deepEqual(Object.keys((await list({ limit })).body.errors), ["limit"], limit);
  }
});

test("odd queries never cause a failure", async () => {
  for (const query of ["?", "?&&=&", "?state", "?state[]=paid", "?limit=%ff", "?order_no=%", "?order_no=%ff%fe&x=1", `?${"a=1&".repeat(2000)}`, "?order_no=%F0%9F%92%B3"]) {
    const { status, text } = await till.call(PATH + query, { headers: till.privateKey() });
    assert.ok(status === 200 || status === 400, `${status} ${query.slice(0, 60)} ${text}`);
  }
});

test("listing needs a private key, whatever the query is", async () => {
  const path = `${PATH}?limit=0`;
  assertProblem(await till.call(path), 401, "credentials_missing");
  assertProblem(await till.call(path, { headers: { authorization: "Api-Key nonsense" } }), 401, "credentials_invalid");
  assertProblem(await till.call(path, { headers: { authorization: `Api-Key ${till.merchant.public_key}` } }), 401, "private_key_required");
  assertProblem(await till.call(path, { headers: { authorization: `Bearer ${OPERATOR_TOKEN}` } }), 401, "credentials_invalid");
});

test("the address takes GET and POST, and names both where it is asked otherwise", async () => {
  const head = await till.call(PATH, { method: "HEAD", headers: till.privateKey() });
  assert.deepEqual([head.status, head.text], [200, ""]);
  for (const method of ["PUT", "PATCH", "DELETE", "OPTIONS"]) {
    const answer = await till.call(`${PATH}?limit=1`, { method, headers: till.privateKey() });
    assertProblem(answer, 405, "method_not_allowed");
    assert.equal(answer.headers.get("allow"), "GET, POST");
  }
});
