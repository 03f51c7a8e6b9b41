/** Many due rows, written straight into the database as copies of rows that the Worker stored. */
import { attempts, choose, open } from "../worker/payer.mjs";

/** How many rows one statement writes. */
const BATCH = 5_000;

async function columns(till, table) {
  return (await till.rows(`SELECT name FROM pragma_table_xinfo('${table}') WHERE hidden = 0`)).map(({ name }) => name);
}

/**
 * Copies a row, or every row of the name, `count` times; `changes` are SQL expressions over the number `n` of a copy. `column`
 * names the row by `name`.
 */
export async function copy(till, table, name, { count, changes, column = "session_id", every = false }) {
  const first = 1;
  const all = await columns(till, table);
  const values = all.map((each) => changes[each] ?? `t.${each}`);
  for (let from = first; from < first + count; from += BATCH) {
    const to = Math.min(from + BATCH, first + count) - 1;
    await till.rows(
      `WITH RECURSIVE numbers (n) AS (SELECT ${from} UNION ALL SELECT n + 1 FROM numbers WHERE n < ${to})
       INSERT INTO ${table} (${all.join(", ")}) SELECT ${values.join(", ")} FROM numbers, (SELECT * FROM ${table} WHERE ${column} = ?1${every ? "" : " LIMIT 1"}) t`,
      name,
    );
  }
}

/** Webhooks that are due since an hour, all to one address. */
export async function seedWebhooks(till, url, count, minutes = 60) {
  const payment = await open(till, { pg_codes: ["cash"], webhook_url: url });
  await choose(till, payment, "cash");
  await till.rows("UPDATE delivery SET state = 'delivered' WHERE session_id = ?1", payment.session_id);
  const changes = {
    id: "'evt_' || t.session_id || '_' || (1000 + n)", number: "1000 + n", state: "'due'", lease_until: "0",
    due_at: String(Date.now() - minutes * 60_000),
  };
  await copy(till, "delivery", payment.session_id, { count, changes });
  return payment;
}

/** The session id of a copy, and its reference. */
export const SESSION = "substr(t.session_id, 1, 32) || printf('%08x', n)";
export const REFERENCE = "substr(t.reference, 1, length(t.reference) - 7) || printf('%07X', n)";

/** Transactions whose time is over. */
export async function seedExpiries(till, count) {
  const payment = await open(till);
  const changes = { session_id: SESSION, expires_at: String(Date.now() - 60_000) };
  await copy(till, "txn", payment.session_id, { count, changes });
  await copy(till, "txn_event", payment.session_id, { count, changes });
  return payment;
}

/** Attempts at the simulated bank whose page waits and whose inquiry is due; the bank has approved each. */
export async function seedInquiries(till, count) {
  const payment = await open(till, { pg_codes: ["knet"] });
  await choose(till, payment, "knet");
  const [{ reference }] = await attempts(till, payment);
  await till.rows("UPDATE sandbox_charge SET status = 'approved', card = 'visa-approve', ended_at = ?2 WHERE reference = ?1", reference, Date.now());
  const ids = { session_id: SESSION, reference: REFERENCE };
  const due = { ...ids, stage: "'unknown'", inquire_at: String(Date.now() - 60_000), unknown_since: String(Date.now() - 120_000), inquiries: "0" };
  await copy(till, "txn", payment.session_id, { count, changes: ids });
  const { version } = (await till.rows("SELECT version FROM txn WHERE session_id = ?1", payment.session_id))[0];
  await copy(till, "txn_event", payment.session_id, { count, changes: { session_id: SESSION, number: String(version) } });
  await copy(till, "attempt", payment.session_id, { count, changes: due });
  const charges = { id: "substr(t.id, 1, 12) || n", reference: REFERENCE };
  await copy(till, "sandbox_charge", reference, { count, changes: charges, column: "reference" });
  return { ...payment, reference };
}
