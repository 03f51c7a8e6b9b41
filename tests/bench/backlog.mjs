/**
 * `make bench-backlog`: what a backlog costs, on the built Worker with its queues and with real receivers in another process.
 *
 * 1. One receiver comes back while BACKLOG webhooks (20,000) to it are due; 1,000 payments to other receivers go on at the
 *    same time. The backlog is drained at 1,000 a minute or more; the 99th percentile of the fresh webhooks is within twice
 *    that without a backlog.
 * 2. Half as many transactions are over and half as many inquiries are due at once: all are done within ten minutes of the
 *    cron handler, which runs once for each.
 *
 * Prints the figures, and ends with an error past a limit.
 */
import { pathToFileURL } from "node:url";
import { setTimeout as sleep } from "node:timers/promises";
import { die, duration } from "../../scripts/project.mjs";
import { start } from "../worker/harness.mjs";
import { payByWallet } from "../worker/wallets.mjs";
import { quantile } from "./load.mjs";
import { Receivers } from "./receivers.mjs";
import { seedExpiries, seedInquiries, seedWebhooks } from "./seeds.mjs";

const MINUTE = 60_000;
const LEAST_A_MINUTE = 1_000;
const RUNS = 10;
/** A pause between fresh payments, in milliseconds. */
const PACE = 100;
/** Below this many milliseconds, two runs of the same payments differ by chance. */
const NOISE = 20;
/** The receivers of fresh webhooks are the addresses from 2 on. */
const OTHERS = 20;

/** How many rows there are. A connection of the harness that was idle may be closed just as it is used: that is asked again. */
async function count(till, sql, ...values) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return (await till.rows(`SELECT COUNT(*) AS count FROM ${sql}`, ...values))[0].count;
    } catch (error) {
      if (error.cause?.message !== "other side closed" || attempt === 3) throw error;
    }
  }
}

/** Pays `many` times, one payment after the other; answers how long each webhook took, from the answer to its arrival. */
async function payFresh(till, receivers, many, isOver = () => false) {
  const paid = new Map();
  for (let number = 0; number < many && !isOver(); number += 1) {
    const url = receivers.address(2 + (number % OTHERS), `ok/fresh/${number}`);
    const { body } = await till.create({ pg_codes: ["credit-card"], webhook_url: url });
    const answered = await payByWallet(till, { session_id: body.session_id });
    if (answered.status !== 200) throw new Error(`a payment was answered ${answered.status} ${answered.text}`);
    paid.set(body.session_id, Date.now());
    await sleep(PACE);
  }
  return paid;
}

/** How long fresh webhooks took, in milliseconds; those that did not come take forever. */
async function latencies(receivers, paid) {
  const end = Date.now() + 20_000;
  for (;;) {
    const arrived = new Map((await receivers.received()).map(({ id, at }) => [id.split("_")[1], at]));
    const missing = [...paid.keys()].filter((session) => !arrived.has(session));
    if (missing.length === 0 || Date.now() > end) {
      return [...paid].map(([session, at]) => (arrived.has(session) ? Math.max(0, arrived.get(session) - at) : Infinity));
    }
    await sleep(200);
  }
}

async function drain(till, receivers, { webhooks, fresh, tick, onNote }) {
  const normal = await latencies(receivers, await payFresh(till, receivers, Math.max(20, Math.floor(fresh / 5))));
  await seedWebhooks(till, receivers.address(1, "ok/backlog"), webhooks);
  await receivers.reset();
  const started = Date.now();
  const left = () => count(till, "delivery WHERE state = 'due' AND number > 1000");
  let isDrained = false;
  const ticking = (async () => {
    let next = started;
    for (;;) {
      if (Date.now() >= next) {
        await till.scheduled();
        next += tick;
      }
      const rest = await left();
      onNote(`${rest} webhooks are due after ${duration(Date.now() - started)}`);
      if (rest === 0 || Date.now() - started > (webhooks / LEAST_A_MINUTE + 2) * MINUTE) return rest;
      // Seldom: each count reads the whole backlog, in the database that fresh payments wait for.
      await sleep(tick / 6);
    }
  })().finally(() => (isDrained = true));
  const paying = payFresh(till, receivers, fresh, () => isDrained);
  const rest = await ticking;
  const took = Date.now() - started;
  const paid = await paying;
  const together = await latencies(receivers, paid);
  const ids = (await receivers.received()).filter(({ path }) => path === "/ok/backlog").map(({ id }) => id);
  return { normal, together, rest, rate: Math.round(((webhooks - rest) / took) * MINUTE), took, twice: ids.length - new Set(ids).size, fresh: paid.size };
}

/** Runs the cron handler once a minute of simulated time; a run has a minute until the next one. */
async function minutes(till, left, seeded, onNote) {
  if ((await left()) < seeded) throw new Error(`only ${await left()} of ${seeded} rows are due`);
  for (let number = 1; number <= RUNS; number += 1) {
    await till.scheduled();
    const end = Date.now() + MINUTE;
    let [before, still] = [Infinity, 0];
    do {
      await sleep(500);
      const rest = await left();
      if (rest === 0) return number;
      still = rest === before ? still + 1 : 0;
      before = rest;
    } while (Date.now() < end && still < 6);
    onNote(`${before} are due after ${number} minutes`);
  }
  return Infinity;
}

export async function run({ webhooks = 20_000, fresh = 1_000, expiries = 10_000, inquiries = 10_000, tick = MINUTE, noise = NOISE, onNote = () => {} }) {
  const receivers = await Receivers.start();
  const till = await start({ sockets: true, queues: true, assets: false });
  const violations = [];
  try {
    await till.createMerchant();
    const drained = await drain(till, receivers, { webhooks, fresh, tick, onNote });
    await seedExpiries(till, expiries);
    const isOver = () => count(till, "txn WHERE state IN ('created', 'pending', 'attempted') AND expires_at < ?1", Date.now());
    const expired = await minutes(till, isOver, expiries, onNote);
    const ended = await count(till, "txn WHERE state = 'expired'");
    await seedInquiries(till, inquiries);
    const isDue = () => count(till, "attempt WHERE stage = 'unknown' AND inquire_at < ?1", Date.now());
    const inquired = await minutes(till, isDue, inquiries, onNote);
    const known = await count(till, "attempt WHERE stage NOT IN ('sending', 'redirected', 'unknown')");
    const [normal, together] = [quantile(drained.normal, 0.99), quantile(drained.together, 0.99)];
    if (drained.rest > 0 || drained.rate < LEAST_A_MINUTE) violations.push(`the backlog was drained at ${drained.rate} a minute, ${drained.rest} are left`);
    if (!(together <= 2 * Math.max(normal, noise))) violations.push(`the 99th percentile of fresh webhooks is ${together} ms, ${normal} ms without a backlog`);
    if (drained.twice > 0) violations.push(`${drained.twice} webhooks came twice`);
    if (ended < expiries) violations.push(`only ${ended} transactions are expired`);
    if (known < inquiries) violations.push(`the outcome of only ${known} attempts is known`);
    if (!(expired <= RUNS)) violations.push(`${expiries} expiries took more than ${RUNS} minutes`);
    if (!(inquired <= RUNS)) violations.push(`${inquiries} inquiries took more than ${RUNS} minutes`);
    await till.stop();
    const figures = {
      "webhooks of the backlog": webhooks, "drained a minute": drained.rate, "fresh webhooks": drained.fresh,
      "p99 fresh without a backlog, ms": normal, "p99 fresh with the backlog, ms": together,
      "p50 fresh without a backlog, ms": quantile(drained.normal, 0.5), "p50 fresh with the backlog, ms": quantile(drained.together, 0.5),
      [`minutes for ${expiries} expiries`]: expired, [`minutes for ${inquiries} inquiries`]: inquired,
    };
    return { figures, violations };
  } catch (error) {
    await till.stop().catch(() => {});
    throw error;
  } finally {
    receivers.stop();
  }
}

async function main() {
  const webhooks = Number(process.env.BACKLOG) || 20_000;
  const { figures, violations } = await run({
    webhooks, fresh: Math.ceil(webhooks / 20), expiries: Math.ceil(webhooks / 2), inquiries: Math.ceil(webhooks / 2),
    onNote: (text) => console.log(`  ${text}`),
  });
  for (const [what, figure] of Object.entries(figures)) console.log(`${what.padEnd(40)} ${figure}`);
  for (const violation of violations) console.error(`violated: ${violation}`);
  process.exit(violations.length > 0 ? 1 : 0);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) main().catch(die);
