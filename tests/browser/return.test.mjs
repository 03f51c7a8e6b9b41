/**
 * No payer gets stuck: every payer who comes back from a bank ends where the answer of the merchant's
 * receiver says, whichever of callback, return and answer comes first. Bank, receiver and shop are outside of
 * the Worker and are reached over HTTP.
 *
 * `PAYMENTS=200 node --test tests/browser/return.test.mjs` makes that many payments, those after the first
 * ones with random delays; `SEED=7` repeats a run. The figures are written to
 * `target/reliability/payers.json`.
 */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { after, test } from "node:test";
import { at } from "../../scripts/project.mjs";
import { browser, open, stand, till } from "./browser.mjs";
import { Outside } from "./outside.mjs";

const PAYMENTS = Number(process.env.PAYMENTS ?? 24);
const SEED = Number(process.env.SEED ?? 1);
/** How many payers pay at the same time. */
const AT_ONCE = 6;
/**
 * How long a payer whose shop wants the redirect may take to get there, in milliseconds. A webhook that is lost
 * on its way is sent again after a minute, and the last refresh of a page without script comes after that.
 */
const PATIENCE = 110_000;

let outside;

stand(async () => {
  outside = await new Outside(till).open();
  await till.createMerchant(outside.settings());
});
after(() => outside?.close());

/** Every answer after 0 ms to 3 s, the callback before and after the return, with and without a script. */
function fixedPlans() {
  return [0, 50, 100, 300, 600, 3000].flatMap((answers) =>
    [[200, 0], [0, 150]].flatMap(([returns, callsBack]) =>
      [true, false].map((hasScript) => ({ returns, callsBack, answers, status: 200, hasScript }))));
}

/** A random plan of everything that can happen. */
function randomPlan(random) {
  const upTo = (most) => Math.floor(random() * most);
  return {
    returns: upTo(800),
    callsBack: random() < 0.15 ? null : upTo(1500),
    answers: random() < 0.1 ? 5000 + upTo(8000) : upTo(3500),
    status: random() < 0.8 ? 200 : random() < 0.5 ? 201 : 500,
    hasScript: random() < 0.6,
  };
}

/** The same numbers for the same seed (mulberry32). */
function dice(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** One payment; returns where its payer ended, and after how long. */
async function pay(number, { hasScript, ...plan }) {
  const { checkout_url } = await outside.create(`PAYER-${number}`, plan);
  const page = await open(browser, { javaScriptEnabled: hasScript });
  try {
    await page.goto(checkout_url);
    await page.click("#pay-button");
    await page.waitForURL("**/pay/**");
    const pressed = Date.now();
    await page.click("button", { noWaitAfter: true });
    const shop = page.waitForURL("**/shop/**", { timeout: PATIENCE }).then(() => "shop");
    const summary = page.locator("main[data-status=paid]").waitFor({ timeout: PATIENCE }).then(() => "summary");
    for (const end of [shop, summary]) end.catch(() => {});
    if (plan.status === 200) {
      const ended = await shop.catch(async () => `${page.url()}, ${await page.locator("main").getAttribute("data-status").catch(() => "?")}`);
      return { ended, took: Date.now() - pressed };
    }
    await Promise.race([shop, summary]);
    // A summary that would still redirect the payer does so now.
    await page.waitForTimeout(plan.answers + 3000);
    return { ended: page.url().includes("/shop/") ? "shop" : "summary", took: Date.now() - pressed };
  } finally {
    await page.context().close();
    assert.deepEqual(page.faults, []);
  }
}

/** How often the webhook of a payment was tried, and what became of it. */
const triesOf = (number) =>
  till.rows(
    `SELECT d.state, t.number, t.status, t.took_ms FROM delivery d JOIN txn ON txn.session_id = d.session_id
     LEFT JOIN delivery_try t ON t.delivery_id = d.id WHERE txn.order_no = ?1`, `PAYER-${number}`);

test(`${PAYMENTS} payers end where the receiver's answer says`, { timeout: 120_000 + PAYMENTS * 10_000 }, async () => {
  const random = dice(SEED);
  const plans = fixedPlans();
  while (plans.length < PAYMENTS) plans.push(randomPlan(random));
  plans.length = PAYMENTS;
  const ends = new Array(PAYMENTS);
  let next = 0;
  const walk = async () => {
    while (next < PAYMENTS) {
      const number = next++;
      ends[number] = await pay(number, plans[number]);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, walk));
  const wrong = ends.flatMap(({ ended }, number) =>
    ended === (plans[number].status === 200 ? "shop" : "summary") ? [] : [{ number, ...plans[number], ended }]);
  for (const one of wrong) one.tries = await triesOf(one.number);
  const sentOn = ends.filter((_, number) => plans[number].status === 200).map(({ took }) => took).sort((one, other) => one - other);
  const figures = {
    payments: PAYMENTS, seed: SEED, right: PAYMENTS - wrong.length, wrong,
    sent_on: { payers: sentOn.length, median_ms: sentOn[Math.floor(sentOn.length / 2)], longest_ms: sentOn.at(-1) },
    webhooks: [...outside.received.values()].reduce((sum, count) => sum + count, 0),
  };
  mkdirSync(at("target", "reliability"), { recursive: true });
  writeFileSync(at("target", "reliability", "payers.json"), `${JSON.stringify(figures, null, 2)}\n`);
  assert.deepEqual(wrong, []);
  assert.deepEqual(outside.faults, []);
});
