/**
 * Webhooks to receivers of which three requests in ten fail: they answer 500, hang, cut the connection, or are slow. The
 * runtime is killed meanwhile, with every doorbell that its queues had. In the end no webhook is lost; one that came twice
 * has the same id and the same bytes, and was accepted just before a kill.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Receivers } from "../bench/receivers.mjs";
import { start } from "../worker/harness.mjs";
import { appleToken } from "../worker/wallets.mjs";
import { dice } from "./dice.mjs";
import { settings } from "./shop.mjs";

const KILLS = 10;
/** How many receivers there are, and how many in a hundred requests fail. */
const RECEIVERS = 200;
const FAULTY = 30;
/** How many payments are made at the same time. */
const CLIENTS = 4;
/** How long before a kill a webhook may have been accepted without being recorded: a try is recorded at once. */
const UNRECORDED = 3_000;
/** How long a claim of a webhook lasts. */
const LEASE = 60_000;
const TRIES = 12;
/** Looks, four in a second, after which an inquiry that a run of the cron handler rang for has come: doorbells of a run are spread over 40 seconds. */
const SPREAD_LOOKS = 180;

const DUE = "SELECT COUNT(*) AS count FROM delivery WHERE state = 'due'";
/** Attempts of which nobody knows yet what became. */
const OPEN = "SELECT session_id FROM attempt WHERE stage IN ('sending', 'redirected', 'unknown')";
const HELD = "SELECT COUNT(*) AS count FROM delivery WHERE state = 'due' AND lease_until > ?1";

/** Creates and pays in one call, again until it is answered: the idempotency key makes it one payment. */
async function pay(till, receivers, number) {
  const webhook_url = receivers.address(1 + (number % RECEIVERS), `mixed/${FAULTY}`);
  const body = { type: "e_commerce", amount: "5.000", currency_code: "KWD", pg_codes: ["credit-card"], webhook_url };
  const text = `${JSON.stringify(body).slice(0, -1)},"payment_instrument":{"instrument_type":"apple_pay","payload":${appleToken("visa-approve")}}}`;
  let last = "nothing";
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const answer = await till.create(text, { "idempotency-key": `paid-${number}` }).catch(() => undefined);
    if (answer?.status === 201) return answer.body.session_id;
    // What was being charged when the runtime was killed is asked about by the cron handler, which runs in the end.
    if (answer?.body?.session_id && (answer.status === 400 || answer.body.code === "attempt_in_progress")) return undefined;
    if (answer) last = `${answer.status} ${answer.text}`;
    await sleep(100);
  }
  throw new Error(`payment ${number} was never accepted, the last answer was ${last}`);
}

/** Payments one after the other by several clients; those that were accepted. */
async function payAll(till, receivers, rounds, noted) {
  let next = 0;
  const client = async () => {
    while (next < rounds) {
      const number = (next += 1);
      const session_id = await pay(till, receivers, number);
      if (session_id) noted.set(session_id, number);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
}

/** Lets the schedule's waits pass until nothing is due and no attempt is open any more. What is on its way is waited for. */
async function settle(till, onNote) {
  for (let round = 0; round < TRIES; round += 1) {
    const [{ count }] = await till.rows(DUE);
    const open = await till.rows(OPEN);
    onNote(`${count} webhooks are due, ${open.length} attempts are open`);
    if (count === 0 && open.length === 0) return;
    await till.rows("UPDATE delivery SET due_at = ?1, lease_until = MIN(lease_until, ?1) WHERE state = 'due' AND lease_until <= ?2", Date.now() - 300_000, Date.now());
    await till.rows("UPDATE attempt SET inquire_at = ?1 WHERE inquire_at IS NOT NULL", Date.now() - 1_000);
    await till.rows("DELETE FROM doorbell");
    await till.scheduled();
    let [before, still] = [-1, 0];
    for (let looks = 0; looks < 240; looks += 1) {
      await sleep(250);
      const [held, due, asked] = await Promise.all([till.rows(HELD, Date.now()), till.rows(`${DUE} AND due_at <= ?1`, Date.now()), till.rows(OPEN)]);
      if (held[0].count === 0 && due[0].count === 0 && asked.length === 0) break;
      const waiting = due[0].count + asked.length;
      still = held[0].count === 0 && waiting === before ? still + 1 : 0;
      before = waiting;
      if (still >= (asked.length > 0 ? SPREAD_LOOKS : 4)) break;
    }
  }
}

/** What is wrong with what came, compared with what is stored. */
async function judge(till, receivers, paid, killed) {
  const violations = [];
  const received = new Map();
  for (const one of await receivers.received()) received.set(one.id, [...(received.get(one.id) ?? []), one]);
  const rows = await till.rows("SELECT id, session_id, state, failed_tries, body FROM delivery");
  const stored = new Set(rows.map(({ session_id }) => session_id));
  const charged = await till.rows("SELECT session_id FROM attempt WHERE stage = 'success'");
  for (const { session_id } of charged) if (!stored.has(session_id)) violations.push(`${session_id} is paid and has no webhook`);
  const open = await till.rows(OPEN);
  for (const { session_id } of open) violations.push(`nobody asked what became of ${session_id}`);
  for (const [session_id, number] of paid) if (!stored.has(session_id)) violations.push(`payment ${number} has no webhook`);
  let doubled = 0;
  for (const { id, state, failed_tries, body } of rows) {
    const came = received.get(id) ?? [];
    const accepted = came.filter(({ status }) => status === 200);
    if (state !== "delivered" && failed_tries < 10) violations.push(`${id} is ${state} after ${failed_tries} failed tries`);
    if (state === "delivered" && accepted.length === 0) violations.push(`${id} is called delivered and was not accepted`);
    if (came.some((one) => one.body !== "" && one.body !== body)) violations.push(`${id} came with other bytes`);
    // Every time but the last one that was accepted, a sender did not live to record it.
    for (const { at } of accepted.slice(0, -1)) {
      doubled += 1;
      if (!killed.some((time) => at <= time && time - at < UNRECORDED)) violations.push(`${id} was accepted at ${at} and sent again without a kill`);
    }
  }
  for (const id of received.keys()) if (!rows.some((row) => row.id === id)) violations.push(`${id} came and is not stored`);
  return { violations, doubled, rows: rows.length, requests: [...received.values()].flat().length };
}

export async function run({ rounds = 2_000, kills = KILLS, seed = 1, onNote = () => {} }) {
  const persist = mkdtempSync(join(tmpdir(), "till-deliveries-"));
  const receivers = await Receivers.start();
  const till = await start({ persist, sockets: true, queues: true, assets: false });
  const draw = dice(seed);
  try {
    await till.createMerchant(settings());
    const [paid, killed] = [new Map(), []];
    let isPaid = false;
    const paying = payAll(till, receivers, rounds, paid).finally(() => (isPaid = true));
    // Kills while payments are made: the next one after a share of them.
    while (!isPaid && killed.length < kills) {
      if (paid.size < ((killed.length + draw()) / kills) * rounds) {
        await sleep(20);
        continue;
      }
      await sleep(draw() * 500);
      killed.push(Date.now() + 50);
      await till.killHard();
      killed[killed.length - 1] = Date.now();
      await till.restart();
      // Nobody who had claimed a webhook before lives: as if their leases had just ended. A receiver counts as silent since
      // the moment of a lost try.
      const ended = Date.now() - 1;
      await till.rows("UPDATE delivery SET lease_until = ?1 WHERE lease_until > ?1 AND lease_until <= ?2", ended, killed.at(-1) + LEASE);
      onNote(`kill ${killed.length} after ${paid.size} payments`);
    }
    await paying;
    await settle(till, onNote);
    const { violations, doubled, rows, requests } = await judge(till, receivers, paid, killed);
    if (killed.length < kills) violations.push(`only ${killed.length} of ${kills} kills happened`);
    if (rows < rounds * 0.95) violations.push(`only ${rows} webhooks of ${rounds} payments`);
    await till.stop();
    const counts = { payments: paid.size, webhooks: rows, requests, kills: killed.length, "doubled by a kill": doubled };
    return { name: "deliveries", counts, violations: violations.map((text) => `${text} (SEED=${seed})`) };
  } catch (error) {
    await till.stop().catch(() => {});
    throw error;
  } finally {
    receivers.stop();
    rmSync(persist, { recursive: true, force: true });
  }
}
