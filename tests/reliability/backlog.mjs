/**
 * One merchant's backlog of `rounds` due inquiries and as many due webhooks, at a gateway and a receiver that
 * hang: another merchant's unknown outcome is asked about, and its webhook tried again, at most one run later
 * than without it, and no run of the cron handler lasts longer than 50 seconds.
 */
import { OutsideBank, json, never } from "../worker/bank.mjs";
import { OutboundResponse, start } from "../worker/harness.mjs";
import { attempts, choose, eventually, open } from "../worker/payer.mjs";
import { must } from "./shop.mjs";

const RUN = 50_000;
/** The first run that could do it, and one more. */
const RUNS = 2;
const RECEIVER = "https://receiver.crowd.example.com/hook";
const OTHER = "https://receiver.other.example.com/hook";

/** Columns of a table that can be written. */
async function columns(till, table) {
  return (await till.rows(`SELECT name FROM pragma_table_xinfo('${table}') WHERE hidden = 0`)).map(({ name }) => name);
}

/**
 * Copies the rows of one transaction under new names; `changes` are SQL expressions over the names,
 * `j.value`.
 */
async function copies(till, table, session_id, names, changes) {
  const all = await columns(till, table);
  const values = all.map((name) => changes[name] ?? `t.${name}`);
  // In one statement: copies of deliveries belong to the same transaction, and must not be copied themselves.
  await till.rows(
    `INSERT INTO ${table} (${all.join(", ")}) SELECT ${values.join(", ")} FROM json_each(?1) j, ${table} t WHERE t.session_id = ?2`,
    JSON.stringify(names),
    session_id,
  );
}

/** A payment whose charge got no usable answer: its outcome is unknown, and its first inquiry due. */
async function unknown(till, bank, webhook_url) {
  bank.instead = { open: (_, usual) => (usual(), json(500, {})) };
  const payment = await open(till, { pg_codes: ["bank"], webhook_url });
  await choose(till, payment, "bank", { accept: "application/json" });
  bank.instead = {};
  return payment;
}

/** A payment whose outcome could not be notified: its webhook is due again. */
async function unnotified(till, webhook_url) {
  const payment = await open(till, { pg_codes: ["cash"], webhook_url });
  const chosen = must(await choose(till, payment, "cash", { accept: "application/json" }), 200);
  await till.call(chosen.body.redirect_url);
  // The end of the first try says when the next one is due: a later change of that stays.
  await eventually("the first try failed", async () => {
    const [first] = await till.rows("SELECT failed_tries FROM delivery WHERE session_id = ?1", payment.session_id);
    return first?.failed_tries === 1;
  }, 30_000);
  return payment;
}

const dueNow = (till, { session_id }, seconds) =>
  Promise.all([
    till.rows("UPDATE attempt SET inquire_at = ?2 WHERE session_id = ?1 AND inquire_at IS NOT NULL", session_id, Date.now() - seconds * 1000),
    till.rows("UPDATE delivery SET due_at = ?2, lease_until = 0 WHERE session_id = ?1", session_id, Date.now() - seconds * 1000),
  ]);

/** The backlog, older than anything of the other merchant. */
async function crowd(till, bank, rounds) {
  const asked = await unknown(till, bank, RECEIVER);
  const paid = await unnotified(till, RECEIVER);
  await Promise.all([dueNow(till, asked, 3600), dueNow(till, paid, 3600)]);
  const names = Array.from({ length: rounds }, (_, place) => place.toString(16).padStart(6, "0"));
  const session = "substr(t.session_id, 1, 34) || j.value";
  const reference = "substr(t.reference, 1, 6) || upper(j.value)";
  await copies(till, "txn", asked.session_id, names, { session_id: session });
  await copies(till, "txn_event", asked.session_id, names, { session_id: session, reference });
  await copies(till, "attempt", asked.session_id, names, { session_id: session, reference });
  const numbers = names.map((_, place) => String(1000 + place));
  await copies(till, "delivery", paid.session_id, numbers, { id: "'evt_' || t.session_id || '_' || j.value", number: "CAST(j.value AS INTEGER)" });
  const [{ inquiries, webhooks }] = await till.rows(`SELECT
    (SELECT COUNT(*) FROM attempt WHERE stage = 'unknown' AND inquire_at < ?1) AS inquiries,
    (SELECT COUNT(*) FROM delivery WHERE state = 'due' AND due_at < ?1 AND url = ?2) AS webhooks`, Date.now(), RECEIVER);
  return { inquiries, webhooks };
}

export async function run({ rounds = 2000, onNote = () => {} }) {
  const till = await start();
  const violations = [];
  try {
    const [busy, calm] = [new OutsideBank(till, "crowd.bank.example.com"), new OutsideBank(till, "other.bank.example.com")];
    for (const url of [RECEIVER, OTHER]) till.outbound.on("POST", url, () => new OutboundResponse("", { status: 500 }));
    const crowded = await till.createMerchant(busy.settings());
    const backlog = await crowd(till, busy, rounds);
    busy.instead = { open: never, inquire: never, cancel: never };
    till.outbound.on("POST", RECEIVER, never);
    till.merchant = await till.createMerchant(calm.settings());
    const asked = await unknown(till, calm, OTHER);
    const paid = await unnotified(till, OTHER);
    const [{ reference }] = await attempts(till, asked);
    calm.end(reference);
    till.outbound.on("POST", OTHER, () => new OutboundResponse("", { status: 200 }));
    await Promise.all([dueNow(till, asked, 1), dueNow(till, paid, 1)]);
    const known = { outcome: 0, retry: 0 };
    let longest = 0;
    for (let number = 1; number <= RUNS + 2; number += 1) {
      const before = performance.now();
      await till.scheduled();
      longest = Math.max(longest, performance.now() - before);
      const [{ stage }] = await attempts(till, asked);
      const [{ state }] = await till.rows("SELECT state FROM delivery WHERE session_id = ?1", paid.session_id);
      if (known.outcome === 0 && stage === "success") known.outcome = number;
      if (known.retry === 0 && state === "delivered") known.retry = number;
      onNote(`run ${number}: ${stage}, ${state}, ${Math.round(performance.now() - before)} ms`);
    }
    for (const [what, number] of Object.entries(known)) {
      if (number === 0 || number > RUNS) violations.push(`the other merchant's ${what} came in run ${number || "none"} behind the backlog of ${crowded.merchant_id}`);
    }
    if (longest > RUN) violations.push(`a run of the cron handler took ${Math.round(longest)} ms`);
    if (backlog.inquiries < rounds || backlog.webhooks < rounds) violations.push(`the backlog was too small: ${JSON.stringify(backlog)}`);
    await till.stop();
    const counts = {
      "due inquiries": backlog.inquiries, "due webhooks": backlog.webhooks,
      "unknown outcome known in run": known.outcome, "webhook tried again in run": known.retry, "longest run, ms": Math.round(longest),
    };
    return { name: "backlog", counts, violations };
  } catch (error) {
    await till.stop().catch(() => {});
    throw error;
  }
}
