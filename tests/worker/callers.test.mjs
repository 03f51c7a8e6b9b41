/**
 * Callers without an address of their own: Workers of others share one address, so the zone that the platform names is what
 * counts, and without it they are one network with limits of its own.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "./harness.mjs";
import { MINUTE, wellWithin } from "./moments.mjs";
import { assertProblem, choose, open, payWith } from "./payer.mjs";

const CREATE = "/b/checkout/v1/pymt-txn/";
/** The address from which Workers of everyone call. */
const OF_WORKERS = "2a06:98c0:3600::103";
const LIMIT = 30;
const PASSWORD = "correct horse battery";
const worker = (zone) => ({ "cf-connecting-ip": OF_WORKERS, ...(zone ? { "cf-worker": zone } : {}) });
/** What the platform names so is no address. */
const NOWHERE = { "cf-connecting-ip": "unknown" };

/** @type {import("./harness.mjs").Till} */
let till;

before(async () => {
  till = await start();
});
after(() => till.stop());

const times = (count, make) => Promise.all(Array.from({ length: count }, (_, place) => make(place)));
const statuses = (answers) => answers.map(({ status }) => status).toSorted((one, other) => one - other);

test("guesses are limited for each zone, and for all callers without one together", async () => {
  const limited = await start({ ratelimits: { ADDRESS_LIMIT: { simple: { limit: LIMIT, period: 60 } } } });
  try {
    await guessFrom(limited);
  } finally {
    await limited.stop();
  }
});

async function guessFrom(limited) {
  // All that is counted here is counted in one minute of the clock.
  await wellWithin(MINUTE);
  const guess = (headers) => limited.call(CREATE, { headers: { authorization: "Api-Key nonsense", ...headers } });
  const some = [...Array(LIMIT).fill(401), ...Array(10).fill(429)];
  assert.deepEqual(statuses(await times(LIMIT + 10, () => guess(worker("attacker.example")))), some);
  assert.deepEqual(statuses(await times(5, () => guess(worker("shop.example")))), Array(5).fill(401), "another zone");
  const mixed = await times(LIMIT + 10, (place) => guess(place % 2 === 0 ? worker() : NOWHERE));
  assert.deepEqual(statuses(mixed), some, "Workers without a zone and callers without an address");
  for (const zone of ["not a host!", "x".repeat(300)]) assert.equal((await guess(worker(zone))).status, 429, zone.slice(0, 20));
  // Only a Worker is named by its zone: no other caller leaves its limit by the header.
  const from = (place) => ({ "cf-connecting-ip": "192.0.2.24", "cf-worker": `zone-${place}.example` });
  assert.deepEqual(statuses(await times(LIMIT + 10, (place) => guess(from(place)))), some);
}

test("wrong passwords from one zone lock a name for that zone only", async () => {
  const { merchant_id } = await till.createMerchant();
  const username = `sara@${merchant_id}`;
  const made = await till.operator(`/merchants/${merchant_id}/users/`, { method: "POST", json: { username, password: PASSWORD, is_superuser: true } });
  assert.equal(made.status, 201, made.text);
  const sign = (password, headers) => {
    const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
    return till.call(CREATE, { headers: { authorization, ...headers } });
  };
  for (const own of [worker("thief.example"), NOWHERE]) {
    const wrong = statuses(await times(14, (place) => sign(`guess ${place}`, own)));
    assert.deepEqual(wrong, [...Array(10).fill(401), ...Array(4).fill(429)]);
    assertProblem(await sign(PASSWORD, own), 429, "too_many_sign_ins");
  }
  assert.equal((await sign(PASSWORD, worker("own-servers.example"))).status, 200);
});

test("declines are limited for each zone, and for all payers without an address together", async () => {
  const limits = { session_declines: 0, session_cards: 0, address_declines: 2, address_sessions: 0, seconds: 600 };
  await till.createMerchant({ limits });
  const tries = async (headers) => {
    const payment = await open(till);
    const sent = await choose(till, payment, "knet", headers);
    if (sent.status === 303) await payWith(till, sent.headers.get("location"), "mastercard-decline");
    return sent.status;
  };
  for (const [own, same] of [[worker("one.example"), worker("one.example")], [worker(), NOWHERE]]) {
    assert.deepEqual([await tries(own), await tries(same), await tries(own), await tries(same)], [303, 303, 429, 429]);
  }
  assert.equal(await tries(worker("two.example")), 303);
});
