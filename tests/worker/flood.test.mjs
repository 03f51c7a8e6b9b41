/**
 * Floods: the limiters of the platform, counted before anything is looked up; and the calls of a day of a user or a private
 * key, which the database counts.
 */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { withAnotherSecret } from "./check-part.mjs";
import { start } from "./harness.mjs";
import { DAY, MINUTE, wellWithin } from "./moments.mjs";
import { assertProblem, atTheBank, eventually, open, pollStatus, stateOf } from "./payer.mjs";

const CREATE = "/b/checkout/v1/pymt-txn/";
const MOST = 90_000;
const from = (address) => ({ "cf-connecting-ip": address });
const statuses = (answers) => answers.map(({ status }) => status).toSorted((one, other) => one - other);
const times = (count, make) => Promise.all(Array.from({ length: count }, (_, place) => make(place)));

describe("the limiters of the platform", () => {
  let till;
  before(async () => {
    const limiter = (limit) => ({ simple: { limit, period: 60 } });
    till = await start({ ratelimits: { CALLER_LIMIT: limiter(40), ADDRESS_LIMIT: limiter(60), SESSION_LIMIT: limiter(15) } });
    await till.createMerchant();
    // All that is counted here is counted in one minute of the clock.
    await wellWithin(MINUTE);
  });
  after(() => till?.stop());

  let places = 0;
  const elsewhere = () => from(`10.9.${(places += 1) >> 8}.${places & 255}`);

  it("let through exactly as many calls of a key as they say, and others of the merchant go on", async () => {
    const { key } = (await till.operator(`/merchants/${till.merchant.merchant_id}/keys/`, { method: "POST", json: { kind: "private" } })).body;
    till.secrets.add(key);
    const list = (secret) => till.call(`${CREATE}?limit=1`, { headers: { authorization: `Api-Key ${secret}`, ...elsewhere() } });
    // A stranger who knows the visible part of the key uses up nothing of it.
    assert.deepEqual(statuses(await times(45, () => list(withAnotherSecret(key)))), [...Array(40).fill(401), ...Array(5).fill(429)]);
    const answers = await times(55, () => list(key));
    assert.deepEqual(statuses(answers), [...Array(40).fill(200), ...Array(15).fill(429)]);
    const refused = answers.find(({ status }) => status === 429);
    assertProblem(refused, 429, "too_many_requests");
    assert.equal(refused.headers.get("retry-after"), "10");
    assert.equal((await list(till.merchant.private_key)).status, 200);
    const line = till.log.findLast((one) => one.includes('"event":"rate_limited"'));
    assert.match(line, /"from":"10\.9\.0\.0\/24","limit":"caller"/);
    assert.ok(line.includes(`"request_id":"`));
  });

  it("count all that comes from one address, and an IPv6 network as one", async () => {
    const guess = (place) => till.call(CREATE, { headers: { authorization: "Api-Key nonsense", ...from(`2001:db8:7:7::${place.toString(16)}`) } });
    assert.deepEqual(statuses(await times(70, guess)), [...Array(60).fill(401), ...Array(10).fill(429)]);
    const next = await till.call(CREATE, { headers: { authorization: "Api-Key nonsense", ...from("2001:db8:7:8::1") } });
    assert.equal(next.status, 401);
  });

  it("count preflight requests that ask the database", async () => {
    const ask = (path, address) => till.call(path, { method: "OPTIONS", headers: { origin: "https://shop.example", ...from(address) } });
    const { session_id } = (await till.create()).body;
    const answers = await times(70, () => ask(`/b/checkout/api/sdk/v1/concur-payer-view/${session_id}/`, "10.11.1.1"));
    // Fifteen for the transaction, of which there is one.
    assert.deepEqual(statuses(answers), [...Array(15).fill(204), ...Array(55).fill(429)]);
    const refused = answers.find(({ status }) => status === 429);
    assertProblem(refused, 429, "too_many_requests");
    assert.match(refused.headers.get("retry-after"), /^\d+$/);
  });

  it("count what is asked about one transaction, and never what says or learns what became of a payment", async () => {
    const payment = await atTheBank(till);
    const page = () => till.call(`/b/checkout/redirect/start/?session_id=${payment.session_id}`, { headers: elsewhere() });
    const answers = statuses(await times(30, page));
    assert.deepEqual([answers.filter((status) => status === 200).length <= 15, answers.at(-1)], [true, 429]);
    const shown = await page();
    assert.equal(shown.status, 429);
    assert.equal(shown.headers.get("retry-after"), "60");
    assert.match(shown.headers.get("content-type"), /text\/html/);
    for (let more = 0; more < 30; more += 1) assert.equal((await pollStatus(till, payment)).state, "pending");
    const back = await till.call(payment.page, { method: "POST", body: new URLSearchParams({ action: "pay", card: "visa-approve" }) });
    assert.equal(back.status, 303);
    assert.equal((await till.call(back.headers.get("location"))).status, 303);
    assert.equal(await stateOf(till, payment), "paid");
    const other = await open(till);
    const fresh = await till.call(`/b/checkout/redirect/start/?session_id=${other.session_id}`, { headers: elsewhere() });
    assert.equal(fresh.status, 200);
  });
});

describe("the calls of a day", () => {
  let till;
  before(async () => {
    till = await start();
    await till.createMerchant();
  });
  beforeEach(() => wellWithin(DAY));
  after(() => till?.stop());

  const today = () => Math.floor(Date.now() / DAY);
  const made = (caller, calls) => till.rows("INSERT INTO call_count (caller, day, calls) VALUES (?1, ?2, ?3)", caller, today(), calls);
  const counted = async (caller) => (await till.rows("SELECT calls FROM call_count WHERE caller = ?1 AND day = ?2", caller, today()))[0]?.calls;

  it("are let through until the last one, exactly, for a key and for a user", async () => {
    const key = till.merchant.private_key;
    const prefix = key.slice(0, 8);
    const { body: user } = await till.operator(`/merchants/${till.merchant.merchant_id}/users/`, {
      method: "POST", json: { username: `busy@${till.merchant.merchant_id}`, password: "correct horse battery", is_superuser: true },
    });
    const basic = `Basic ${Buffer.from(`${user.username}:correct horse battery`).toString("base64")}`;
    for (const [caller, authorization] of [[`key ${till.merchant.merchant_id} ${prefix}`, `Api-Key ${key}`], [`user ${user.id}`, basic]]) {
      await made(caller, MOST - 10);
      const answers = await times(30, () => till.call(`${CREATE}?limit=1`, { headers: { authorization } }));
      assert.deepEqual(statuses(answers), [...Array(10).fill(200), ...Array(20).fill(429)], caller);
      const refused = answers.find(({ status }) => status === 429);
      assertProblem(refused, 429, "too_many_requests");
      const wait = Number(refused.headers.get("retry-after"));
      const midnight = Math.ceil((DAY - (Date.now() % DAY)) / 1000);
      assert.ok(Math.abs(wait - midnight) <= 5, `${wait} and ${midnight}`);
    }
    const { key: second } = (await till.operator(`/merchants/${till.merchant.merchant_id}/keys/`, { method: "POST", json: { kind: "private" } })).body;
    till.secrets.add(second);
    assert.equal((await till.call(`${CREATE}?limit=1`, { headers: { authorization: `Api-Key ${second}` } })).status, 200);
    assert.ok(till.log.some((line) => line.includes('"limit":"day"') && line.includes('"merchant":"')));
  });

  it("cost a write for a hundred calls, and are deleted when the day is over", async () => {
    await till.createMerchant();
    const caller = `key ${till.merchant.merchant_id} ${till.merchant.private_key.slice(0, 8)}`;
    await times(1, () => till.create());
    assert.equal(await counted(caller), 1, "the first call finds out how many there were");
    for (let more = 0; more < 9; more += 1) await times(11, () => till.call(`${CREATE}?limit=1`, { headers: till.privateKey() }));
    assert.equal(await counted(caller), 1);
    await times(1, () => till.create());
    // It is written after the answer.
    await eventually("a hundred more are counted", async () => (await counted(caller)) !== 1);
    assert.equal(await counted(caller), 101);
    await till.rows("UPDATE call_count SET day = day - 1");
    await till.scheduled();
    assert.deepEqual(await till.rows("SELECT * FROM call_count"), []);
  });

  it("do not count for the public key, which is in every browser", async () => {
    const merchant = await till.createMerchant();
    const json = { session_id: `00${"ab".repeat(19)}`, payload: {} };
    await till.call("/b/pbl/v2/payment/google-pay/", { method: "POST", headers: { authorization: `Api-Key ${merchant.public_key}` }, json });
    assert.deepEqual(await till.rows("SELECT * FROM call_count WHERE caller LIKE ?1", `%${merchant.public_key.slice(0, 8)}%`), []);
  });
});
