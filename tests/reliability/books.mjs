/**
 * The records after a trial: Till's tables compared with those of the simulated bank, which has its own
 * tables, and with what receivers outside of the Worker got.
 */
import { Webhook } from "standardwebhooks";
import { OutboundResponse } from "../worker/harness.mjs";

/** Every merchant of the trials has its receiver under this name. */
const RECEIVERS = /^https:\/\/[a-z0-9-]+\.receivers\.example\.com\//;

/**
 * Receivers outside of the Worker, which accept what is correctly signed, checked by a library that is not
 * ours, and store it by the id of the webhook. A webhook that is cut off, because the runtime died while it
 * sent, has no valid signature and is refused.
 */
export class Receivers {
  /** @type {Map<string, { url: string, bodies: string[] }>} */
  received = new Map();
  /** @type {{ id: string, url: string, body: string }[]} */
  refused = [];
  #number = 0;

  /**
   * @param {import("../worker/harness.mjs").Till} till
   * @param {object[]} [merchants] who may send: the merchant of `till` by default
   */
  constructor(till, merchants = [till.merchant]) {
    const verifiers = merchants.map(({ webhook_signing_secret }) => new Webhook(webhook_signing_secret));
    till.outbound.on("POST", RECEIVERS, ({ url, headers, body }) => {
      const id = headers["webhook-id"];
      if (!verifiers.some((verifier) => isSigned(verifier, body, headers))) {
        this.refused.push({ id, url, body });
        return new OutboundResponse("", { status: 400 });
      }
      const known = this.received.get(id);
      if (known) known.bodies.push(body);
      else this.received.set(id, { url, bodies: [body] });
      return new OutboundResponse("", { status: 200 });
    });
  }

  /** A receiver of its own for one payment: Till sends one webhook at a time to each. */
  address(name = "shop") {
    this.#number += 1;
    return `https://${name}-${this.#number}.receivers.example.com/hook`;
  }

  /** The webhooks of one receiver, oldest first, each webhook once. */
  notified(url) {
    return [...this.received.values()].filter((webhook) => webhook.url === url).map(({ bodies }) => JSON.parse(bodies[0]));
  }
}

function isSigned(verifier, body, headers) {
  try {
    verifier.verify(body, headers);
    return true;
  } catch {
    return false;
  }
}

const OPEN_STAGES = "('sending', 'unknown')";
const OPEN_OPERATIONS = "('sending', 'unknown', 'queued')";

const countOf = async (till, sql) => (await till.rows(sql))[0].count;

/** What is still open: unknown outcomes, open operations, webhooks that are due. */
export async function unsettled(till) {
  return countOf(till, `SELECT (SELECT COUNT(*) FROM attempt WHERE stage IN ${OPEN_STAGES})
    + (SELECT COUNT(*) FROM child WHERE stage IN ${OPEN_OPERATIONS})
    + (SELECT COUNT(*) FROM delivery WHERE state = 'due') AS count`);
}

/**
 * Runs the sweep as if the minutes that it waits for had passed, until nothing is open any more. Returns the
 * milliseconds of the longest run; throws if something stays open.
 */
export async function settle(till, runs = 60) {
  let longest = 0;
  for (let run = 0; run < runs; run += 1) {
    if ((await unsettled(till)) === 0) return longest;
    await till.rows(`UPDATE attempt SET inquire_at = 0, opened_at = opened_at - 120000 WHERE stage IN ${OPEN_STAGES}`);
    await till.rows(`UPDATE child SET inquire_at = 0, opened_at = opened_at - 120000 WHERE stage IN ${OPEN_OPERATIONS}`);
    await till.rows("UPDATE sandbox_operation SET due_at = 0 WHERE due_at IS NOT NULL");
    await till.rows("UPDATE delivery SET due_at = 0, lease_until = 0 WHERE state = 'due'");
    const started = performance.now();
    await till.scheduled();
    longest = Math.max(longest, performance.now() - started);
  }
  const left = await till.rows(`SELECT 'attempt' AS what, reference, stage FROM attempt WHERE stage IN ${OPEN_STAGES}
    UNION ALL SELECT operation, reference, stage FROM child WHERE stage IN ${OPEN_OPERATIONS}
    UNION ALL SELECT 'webhook', reference, url FROM delivery WHERE state = 'due' LIMIT 20`);
  throw new Error(`not settled after ${runs} runs: ${JSON.stringify(left)}`);
}

/** Operations that the bank did, of one charge, added up. */
const done = (operation) =>
  `COALESCE((SELECT SUM(o.amount) FROM sandbox_operation o WHERE o.charge_id = c.id AND o.status = 'done' AND o.operation = '${operation}'), 0)`;

/**
 * What must not happen: each statement finds the rows that break a rule. Only payments of the simulated bank
 * are compared with its records; cash and banks outside of the Worker are not in them.
 */
export const RULES = {
  "charged more than once":
    `SELECT a.session_id, COUNT(*) AS charges FROM sandbox_charge c JOIN attempt a ON a.reference = c.reference
     WHERE c.status = 'approved' AND c.operation <> 'verify' GROUP BY a.session_id HAVING COUNT(*) > 1`,
  "charged, and no success here":
    `SELECT a.session_id, a.reference, a.stage FROM sandbox_charge c JOIN attempt a ON a.reference = c.reference
     WHERE c.status = 'approved' AND a.stage <> 'success'`,
  "a success here that the bank does not have":
    `SELECT a.session_id, a.reference, c.status FROM attempt a JOIN sandbox_charge c ON a.reference = c.reference
     WHERE a.stage = 'success' AND c.status <> 'approved'`,
  "the bank took another amount":
    `SELECT a.session_id, a.reference, a.total, c.amount FROM sandbox_charge c JOIN attempt a ON a.reference = c.reference
     WHERE c.amount <> a.total OR c.currency <> a.currency`,
  "a charge of which nothing is known here":
    `SELECT c.reference FROM sandbox_charge c WHERE NOT EXISTS (SELECT 1 FROM attempt a WHERE a.reference = c.reference)`,
  "the bank did an operation that is not done here":
    `SELECT o.reference, o.operation, k.stage FROM sandbox_operation o LEFT JOIN child k ON k.reference = o.reference
     WHERE o.status = 'done' AND k.stage IS NOT 'done'`,
  "an operation is done here and not at the bank, or with another amount":
    `SELECT k.reference, k.operation, k.amount, o.status, o.amount AS at_the_bank FROM child k
     LEFT JOIN sandbox_operation o ON o.reference = k.reference
     WHERE k.stage = 'done' AND (o.status IS NOT 'done' OR o.amount <> k.amount)
       AND EXISTS (SELECT 1 FROM sandbox_charge c WHERE c.reference = k.attempt)`,
  "captured more than was authorised":
    `SELECT c.reference, c.amount, ${done("capture")} AS captured FROM sandbox_charge c
     WHERE c.operation = 'authorize' AND ${done("capture")} > c.amount`,
  "refunded more than was taken":
    `SELECT c.reference, c.amount, ${done("refund")} AS refunded FROM sandbox_charge c
     WHERE ${done("refund")} > CASE c.operation WHEN 'authorize' THEN ${done("capture")} ELSE c.amount END`,
  "released and captured, or released twice":
    `SELECT c.reference, ${done("void")} AS released, ${done("capture")} AS captured FROM sandbox_charge c
     WHERE ${done("void")} > 0 AND (${done("capture")} > 0 OR ${done("void")} > c.amount)`,
  "one tracking key, several operations":
    `SELECT k.merchant_id, k.tracking_key, COUNT(*) AS operations FROM child k JOIN sandbox_operation o ON o.reference = k.reference
     WHERE k.tracking_key IS NOT NULL AND o.status = 'done' GROUP BY k.merchant_id, k.tracking_key HAVING COUNT(*) > 1`,
  "several open attempts":
    `SELECT session_id, COUNT(*) AS open FROM attempt WHERE stage IN ('sending', 'redirected', 'unknown')
     GROUP BY session_id HAVING COUNT(*) > 1`,
  "a success, and the transaction says otherwise":
    `SELECT t.session_id, t.state FROM txn t WHERE t.state NOT IN ('paid', 'authorized', 'refunded')
     AND EXISTS (SELECT 1 FROM attempt a WHERE a.session_id = t.session_id AND a.stage = 'success')
     AND t.state NOT IN ('canceled', 'invalided')`,
  "paid, and nothing succeeded":
    `SELECT t.session_id, t.state FROM txn t WHERE t.state IN ('paid', 'authorized', 'refunded')
     AND NOT EXISTS (SELECT 1 FROM attempt a WHERE a.session_id = t.session_id AND a.stage = 'success')`,
  "a version without its event":
    `SELECT t.session_id, t.version, COUNT(e.number) AS events FROM txn t LEFT JOIN txn_event e ON e.session_id = t.session_id
     GROUP BY t.session_id HAVING COUNT(e.number) <> t.version OR MAX(e.number) <> t.version`,
  "an outcome of which nobody was notified":
    `SELECT a.session_id, a.reference, a.stage FROM attempt a JOIN txn t ON t.session_id = a.session_id
     WHERE a.stage IN ('success', 'failed', 'cod') AND t.details ->> 'webhook_url' IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM delivery d WHERE d.reference = a.reference AND d.state = 'delivered'
         AND d.body ->> 'result' = a.stage)`,
  "an operation of which nobody was notified":
    `SELECT k.reference, k.operation, k.stage FROM child k JOIN txn t ON t.session_id = k.parent_id
     WHERE k.stage IN ('done', 'rejected') AND t.details ->> 'webhook_url' IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM delivery d WHERE d.reference = k.reference AND d.state = 'delivered')`,
  "an outcome that was notified under two ids":
    `SELECT d.reference, d.url, d.body ->> 'result' AS result, COUNT(*) AS webhooks FROM delivery d
     GROUP BY d.reference, d.url, d.body ->> 'result', d.body ->> 'operation' HAVING COUNT(*) > 1`,
  "a card that is saved twice":
    `SELECT customer_id, pg_code, number, COUNT(*) AS cards FROM card GROUP BY merchant_id, customer_id, pg_code, number, expiry_year
     HAVING COUNT(*) > 1`,
  "a card that the bank has and Till does not":
    `SELECT a.reference, t.customer_id FROM sandbox_charge c JOIN attempt a ON a.reference = c.reference
     JOIN txn t ON t.session_id = a.session_id
     WHERE c.keep_card = 1 AND c.status = 'approved'
       AND NOT EXISTS (SELECT 1 FROM card k WHERE k.merchant_id = t.merchant_id AND k.customer_id = t.customer_id)`,
};

/** What the receivers got compared with what Till says that it delivered. */
async function faultsOfReceivers(till, receivers) {
  const rows = await till.rows("SELECT id, reference, url, body, state FROM delivery WHERE url LIKE 'https://%.receivers.example.com/%'");
  const faults = [];
  for (const { id, reference, url, body, state } of rows) {
    const got = receivers.received.get(id);
    if (state === "delivered" && !got) faults.push(`delivered and never received: ${reference} at ${url}`);
    if (got?.bodies.some((text) => text !== body)) faults.push(`received with other bytes: ${reference} at ${url}`);
  }
  const known = new Map(rows.map(({ id, body }) => [id, body]));
  for (const { id, url, body } of receivers.refused) {
    const whole = known.get(id);
    if (!whole?.startsWith(body) || whole === body) faults.push(`received with a wrong signature: ${id} at ${url}`);
  }
  for (const [id, { url }] of receivers.received) if (!known.has(id)) faults.push(`received and not in the books: ${id} at ${url}`);
  return faults;
}

/** Everything that is wrong with the records, one sentence each. Call it when everything is settled. */
export async function audit(till, receivers) {
  const faults = [];
  for (const [rule, sql] of Object.entries(RULES)) {
    for (const row of await till.rows(`${sql} LIMIT 20`)) faults.push(`${rule}: ${JSON.stringify(row)}`);
  }
  return receivers ? [...faults, ...(await faultsOfReceivers(till, receivers))] : faults;
}

/** The contents of the records, for the table. */
export async function figures(till) {
  const [row] = await till.rows(`SELECT
    (SELECT COUNT(*) FROM sandbox_charge WHERE status = 'approved') AS charges,
    (SELECT COUNT(*) FROM sandbox_operation WHERE status = 'done') AS operations,
    (SELECT COUNT(*) FROM delivery WHERE state = 'delivered') AS webhooks,
    (SELECT COUNT(*) FROM card) AS cards`);
  return row;
}
