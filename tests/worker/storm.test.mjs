/**
 * Everything at once: payers, banks, callbacks, returns, sweeps. Afterwards the records of the bank and of
 * Till must agree. `STORM_SEED` repeats the random choices, but not how the machine interleaves them;
 * `STORM_ROUNDS` makes a run longer.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { OutsideBank, json } from "./bank.mjs";
import { start } from "./harness.mjs";
import { attempts, choose, open, openPage, pollStatus, returnPath, stateOf, untilSent, webhooks } from "./payer.mjs";

const SEED = Number(process.env.STORM_SEED ?? Date.now() % 1_000_000);
const ROUNDS = Number(process.env.STORM_ROUNDS ?? 4);
const JSON_ONLY = { accept: "application/json" };
const OPEN = ["sending", "redirected", "unknown"];

/** @type {import("./harness.mjs").Till} */
let till;
/** @type {OutsideBank} */
let bank;

before(async () => {
  till = await start();
  bank = new OutsideBank(till);
  await till.createMerchant(bank.settings());
});
after(() => till.stop());

/** Random numbers from 0 up to 1 from a seed (mulberry32). */
function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** What can happen to a payment, each as one action that returns what Till answered. */
function actions(payment, draw) {
  const some = (list) => list[Math.floor(draw() * list.length)];
  const known = async () => some((await attempts(till, payment)).filter(({ pg_code }) => pg_code !== "cash"));
  const ended = (status, from) => async () => {
    const attempt = await known();
    const charge = attempt && bank.charges.get(attempt.reference);
    if (from.includes(charge?.status)) bank.end(attempt.reference, status);
  };
  return [
    () => choose(till, payment, "bank", JSON_ONLY),
    () => choose(till, payment, draw() < 0.7 ? "bank" : some(["cash", "once"]), JSON_ONLY),
    () => openPage(till, payment),
    () => till.call(`/b/checkout/redirect/status/${payment.session_id}/`),
    ended("approved", ["open"]),
    ended(some(["declined", "canceled"]), ["open"]),
    ended("declined", ["open"]),
    // A bank that changes its decision: no one asks about a closed attempt, only its callback reports it.
    ended("approved", draw() < 0.3 ? ["declined", "canceled"] : []),
    async () => {
      const attempt = await known();
      return attempt && bank.charges.has(attempt.reference) ? bank.callBack(attempt.reference) : undefined;
    },
    async () => {
      const attempt = await known();
      return attempt && till.call(await returnPath(till, attempt.reference));
    },
    () => till.scheduled(),
  ];
}

/** A bank that sometimes fails before or after its work, and is slow. */
function trouble(draw) {
  const fault = async (_, usual) => {
    const luck = draw();
    await sleep(draw() * 20);
    if (luck < 0.15) return json(500, {});
    const answer = usual();
    return luck < 0.3 ? json(502, {}) : answer;
  };
  return { open: fault, inquire: fault, cancel: fault };
}

/**
 * Makes the bank report all it knows, and runs the sweep until nothing is open any more that the bank has
 * ended.
 */
async function calm(payments) {
  bank.instead = {};
  for (const { reference, pg_code } of (await Promise.all(payments.map((payment) => attempts(till, payment)))).flat()) {
    if (pg_code !== "cash" && bank.charges.has(reference)) assert.equal((await bank.callBack(reference)).status, 200);
  }
  for (let runs = 0; runs < 4; runs += 1) {
    await till.rows("UPDATE attempt SET inquire_at = 0, opened_at = opened_at - 120000 WHERE inquire_at IS NOT NULL");
    await untilSent(till);
    await till.rows("UPDATE delivery SET due_at = 0 WHERE state = 'due'");
    await till.scheduled();
  }
  await untilSent(till);
  return Promise.all(payments.map(async (payment) => ({ payment, all: await attempts(till, payment), state: await stateOf(till, payment) })));
}

async function checkBooks({ payment, all, state }) {
  assert.ok(all.filter(({ stage }) => OPEN.includes(stage)).length <= 1, "two open attempts");
  for (const { reference, stage, pg_code, message } of all) {
    if (pg_code === "cash") continue;
    assert.ok(bank.opened(reference) <= 1, "a charge was opened twice");
    // No one got its page, and the payer used another method: the bank may have it open, or not at all.
    if (stage === "canceled" && message === "the page of the gateway could not be opened") {
      assert.notEqual(bank.charges.get(reference)?.status, "approved");
      continue;
    }
    const status = bank.charges.get(reference)?.status ?? "absent";
    const expected = { open: ["redirected", "unknown"], approved: ["success"], declined: ["failed"], canceled: ["canceled"], absent: ["error"] }[status];
    assert.ok(expected.includes(stage), `${status} at the bank, ${stage} here`);
  }
  const wins = all.filter(({ stage }) => stage === "success" || stage === "cod");
  assert.equal(["paid", "cod"].includes(state), wins.length > 0, `${state} with ${wins.length} successes`);
  if (wins.length > 1) {
    const flags = await till.rows("SELECT reason FROM attention WHERE session_id = ?1", payment.session_id);
    assert.equal(flags.filter(({ reason }) => reason === "second_success").length, wins.length - 1, "a second success was not flagged");
  }
  const notified = (await webhooks(till, payment)).map(({ body }) => `${body.reference_number} ${body.result}`);
  for (const { reference, stage } of all) {
    if (OPEN.includes(stage)) continue;
    assert.equal(notified.filter((line) => line === `${reference} ${stage}`).length, 1, `${stage} was notified ${notified.join(", ")}`);
  }
  const events = await till.rows("SELECT number FROM txn_event WHERE session_id = ?1 ORDER BY number", payment.session_id);
  assert.deepEqual(events.map(({ number }) => number), events.map((_, place) => place + 1));
  assert.ok((await pollStatus(till, payment)).status);
}

test(`the books of the bank and of Till agree after a storm (STORM_SEED=${SEED})`, async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const draw = generator(SEED + round);
    bank.instead = trouble(draw);
    const payments = await Promise.all(Array.from({ length: 6 }, () => open(till, { pg_codes: ["bank", "once", "cash"] })));
    await Promise.all(payments.map(async (payment) => {
      for (let step = 0; step < 8; step += 1) {
        const possible = actions(payment, draw);
        const answers = await Promise.all(
          Array.from({ length: 1 + Math.floor(draw() * 4) }, () => possible[Math.floor(draw() * possible.length)]()),
        );
        for (const answer of answers) {
          if (answer) assert.ok(answer.status < 500, `${answer.status} ${answer.text}`);
        }
      }
    }));
    for (const books of await calm(payments)) await checkBooks(books);
  }
});
