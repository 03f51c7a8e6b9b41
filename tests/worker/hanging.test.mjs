/**
 * Fifty receivers that hang are felt by nobody else: neither by calls of the API nor by the payers of other merchants. Two
 * Workers are called in turn, one with such receivers and one without, so that what else the machine does is felt by both.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { quantile } from "../bench/load.mjs";
import { OutboundResponse, start } from "./harness.mjs";
import { choose, eventually, open } from "./payer.mjs";
import { payByWallet } from "./wallets.mjs";

const HANGING = 50;
const CALLS = 450;
/** The longest that a call may take, in milliseconds: a payer waits for the receiver of the payment for five seconds. */
const BUDGET = 6_000;
/** Below this, two runs of the same calls differ by chance. */
const NOISE = 40;
const CALM = "https://calm.example.com/hook";

/** Calls that have nothing to do with the receivers. */
const calls = [
  async (till) => assert.equal((await till.create()).status, 201),
  async (till) => assert.equal((await till.call("/b/checkout/v1/pymt-txn/", { headers: till.privateKey() })).status, 200),
  async (till) => assert.equal((await till.call("/healthz")).status, 200),
];

/** How long calls of each Worker take, one after the other. */
async function measure(tills, count = CALLS) {
  const times = tills.map(() => []);
  for (let number = 0; number < count; number += 1) {
    for (const [place, till] of tills.entries()) {
      const started = performance.now();
      await calls[number % calls.length](till);
      times[place].push(performance.now() - started);
    }
  }
  return times;
}

async function prepare(queues) {
  const till = await start({ queues });
  till.outbound.on("POST", /^https:\/\/hangs-\d+\.example\.com\//, () => new Promise(() => {}));
  till.outbound.on("POST", CALM, () => new OutboundResponse("", { status: 200 }));
  await till.createMerchant();
  return till;
}

for (const queues of [true, false]) {
  test(`unrelated calls do not feel receivers that hang, ${queues ? "with queues" : "without queues"}`, async () => {
    const tills = [await prepare(queues), await prepare(queues)];
    const [normal, busy] = tills;
    try {
      await measure(tills, 60);
      for (let number = 0; number < HANGING; number += 1) {
        const payment = await open(busy, { pg_codes: ["credit-card"], webhook_url: `https://hangs-${number}.example.com/hook` });
        const started = performance.now();
        assert.equal((await payByWallet(busy, payment)).status, 200);
        assert.ok(performance.now() - started < BUDGET, "the payment itself waits for a receiver");
      }
      await busy.createMerchant();
      const running = busy.scheduled();
      const [without, together] = await measure(tills);
      const limit = 2 * Math.max(quantile(without, 0.99), NOISE);
      assert.ok(quantile(together, 0.99) <= limit, `the 99th percentile is ${quantile(together, 0.99)} ms, ${quantile(without, 0.99)} ms without them`);
      assert.ok(Math.max(...together) < BUDGET);
      const payment = await open(busy, { pg_codes: ["cash"], webhook_url: CALM });
      const chosen = await choose(busy, payment, "cash");
      const started = performance.now();
      await busy.fetch(chosen.headers.get("location"));
      assert.ok(performance.now() - started < BUDGET);
      await eventually("the other merchant is notified", () => busy.outbound.to(CALM).length === 1);
      await running;
    } finally {
      await busy.stop();
      await normal.stop();
    }
  });
}
