/**
 * News leaves at once: for everything that causes a webhook or a message, how long after it was stored it is first tried, in
 * real time, with a receiver in a process of its own.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { test } from "node:test";
import { at } from "../../scripts/project.mjs";
import { demoSettings, start } from "./harness.mjs";
import { NAVIGATION, atBank, atTheBank, attempts, choose, goToTheBank, open, openPage, payWith } from "./payer.mjs";
import { payByWallet } from "./wallets.mjs";

/** How long after it was stored a message is first tried, for 95 of 100. */
const MOST = 2_000;
/** How often each cause happens. */
const ROUNDS = Number(process.env.NEWS_ROUNDS ?? 8);
/** How long is waited for what does not come. */
const PATIENCE = 6_000;
const CUSTOMER = { customer_email: "sara@example.com", customer_phone: "+96550000000" };

/** The receiver, and when each webhook came there. */
class Receiver {
  came = [];

  async open() {
    this.process = spawn(process.execPath, [at("tests", "worker", "receiver.mjs")], { stdio: ["ignore", "pipe", "inherit"] });
    let rest = "";
    this.process.stdout.setEncoding("utf8").on("data", (text) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop();
      for (const line of lines.map(JSON.parse)) {
        if (line.origin) this.origin = line.origin;
        else this.came.push(line);
      }
    });
    while (this.origin === undefined) await sleep(20);
    return this;
  }

  close() {
    this.process.kill("SIGTERM");
  }
}

const paths = (till) => ({
  operation: (json) => till.call("/b/pbl/v2/operation/", { method: "POST", headers: till.privateKey(), json }),
  own: (path, json) => till.call(`/b/access/v1${path}`, { method: "POST", headers: till.privateKey(), json }),
});

/** Lets the time to pay of a transaction be over. */
async function expire(till, { session_id }) {
  await till.rows(
    "INSERT INTO txn_event (session_id, number, at, kind, state) SELECT session_id, version + 1, created_at, 'expiry_moved', state FROM txn WHERE session_id = ?1",
    session_id,
  );
  await till.rows("UPDATE txn SET version = version + 1, expires_at = created_at + 1 WHERE session_id = ?1", session_id);
  await till.rows("UPDATE attempt SET inquire_at = 0 WHERE session_id = ?1 AND inquire_at IS NOT NULL", session_id);
}

const askNow = (till, { session_id }) => till.rows("UPDATE attempt SET inquire_at = 0 WHERE session_id = ?1 AND inquire_at IS NOT NULL", session_id);

/** What causes news: `prepare` makes what it is about, `cause` lets it happen to one, `then` to all of them at once. */
function causes(till, receiver) {
  const { operation, own } = paths(till);
  const webhook_url = `${receiver.origin}/hook`;
  const to = { webhook_url };
  const none = { webhook_url: null };
  const sdk = (payment, path, json) => till.call(`/b/checkout/api/sdk/v1/${path}/${payment.session_id}/`, { method: "POST", json });
  const cron = () => till.scheduled();
  const paid = async (fields = to) => {
    const payment = await atTheBank(till, fields);
    await payWith(till, payment.page, "visa-approve");
    return payment;
  };
  /** Paid at the bank by a payer who never comes back, and whose bank does not call back. */
  const left = async (fields = to) => {
    const payment = await atTheBank(till, fields);
    await till.rows("UPDATE sandbox_charge SET callback_url = '' WHERE reference = ?1", (await attempts(till, payment))[0].reference);
    await atBank(till, payment.page, { action: "pay", card: "visa-approve" });
    await askNow(till, payment);
    return payment;
  };
  return {
    "wallet of a merchant's server": { prepare: () => open(till, { pg_codes: ["credit-card"], ...to }), cause: (one) => payByWallet(till, one) },
    "payer's return": { prepare: () => atTheBank(till, to), cause: (one) => payWith(till, one.page, "visa-approve") },
    "report of the gateway": { prepare: () => atTheBank(till, to), cause: (one) => atBank(till, one.page, { action: "pay", card: "visa-approve" }) },
    "cash on the page": { prepare: () => open(till, { pg_codes: ["cash"], ...to }), cause: (one) => choose(till, one, "cash") },
    "cash in an SDK": { prepare: () => open(till, { pg_codes: ["cash"], ...to }), cause: (one) => sdk(one, "submit", { pg_code: "cash" }) },
    "another method": {
      prepare: async () => atTheBank(till, { ...to, pg_codes: ["knet", "credit-card"] }), cause: (one) => goToTheBank(till, one, "credit-card"),
      // Nobody waits for it.
      most: 1_000,
    },
    "canceled in an SDK": { prepare: () => open(till, { pg_codes: ["cash"], ...to }), cause: (one) => sdk(one, "cancel", { operation: "cancel" }) },
    "canceled by the merchant": {
      prepare: () => open(till, { pg_codes: ["cash"], ...to }), cause: ({ session_id }) => operation({ operation: "cancel", session_id }),
    },
    refund: { prepare: () => paid(to), cause: ({ session_id }) => operation({ operation: "refund", session_id, amount: "1.000" }) },
    "automatic inquiry": { prepare: () => left(), then: cron },
    "expiry": {
      prepare: async () => {
        const payment = await open(till, { pg_codes: ["cash"], ...to });
        await expire(till, payment);
        return payment;
      },
      then: cron,
    },
    "withdrawn attempt": {
      prepare: async () => {
        const payment = await atTheBank(till, to);
        await expire(till, payment);
        return payment;
      },
      then: cron,
    },
    "settled refund": {
      prepare: async () => {
        const payment = await atTheBank(till, { ...to, pg_code: "queued" });
        await payWith(till, payment.page, "visa-approve");
        assert.equal((await operation({ operation: "refund", session_id: payment.session_id, amount: "1.000" })).status, 200);
        await till.rows("UPDATE sandbox_operation SET due_at = 1 WHERE status = 'queued'");
        return payment;
      },
      then: cron,
    },
    "invalided on a page view": { prepare: () => open(till, { pg_codes: ["single"], ...to }), cause: (one) => openPage(till, one, NAVIGATION), without: "single" },
    "resend of one": {
      prepare: () => paid(to),
      cause: async ({ session_id }) => {
        const [{ id }] = await till.rows("SELECT id FROM delivery WHERE session_id = ?1", session_id);
        assert.equal((await own("/resend/", { delivery_id: id })).body.resent, 1);
      },
      again: true,
    },
    "resend of a period": {
      prepare: async () => {
        const payment = await paid(to);
        await sleep(50);
        await till.rows("UPDATE delivery SET state = 'given_up' WHERE session_id = ?1", payment.session_id);
        return payment;
      },
      then: () => own("/resend/", { state: "given_up", since: new Date(Date.now() - 600_000).toISOString(), until: new Date().toISOString() }),
      again: true,
    },
    "receiver enabled again": {
      prepare: async () => {
        const payment = await open(till, { pg_codes: ["cash"], webhook_url });
        await till.rows("INSERT OR REPLACE INTO receiver (merchant_id, address, disabled_at, reason) VALUES (?1, ?2, 1, 'failing')", till.merchant.merchant_id, receiver.origin);
        await choose(till, payment, "cash");
        return payment;
      },
      then: () => own("/receivers/enable/", { address: receiver.origin }),
      due: true,
    },
    "e-mail and SMS of a create": {
      prepare: () => ({}),
      cause: async (one) => Object.assign(one, await open(till, { ...CUSTOMER, ...none, type: "payment_request", pg_codes: ["knet"], notifications: { email: ["created"], sms: ["created"] } })),
    },
    "e-mail of a found payment": { prepare: () => left({ ...CUSTOMER, ...none, notifications: { email: ["paid"] } }), then: cron },
    reminder: {
      prepare: () => open(till, { ...CUSTOMER, ...none, type: "payment_request", pg_codes: ["knet"], notifications: { email: ["created"] } }),
      cause: ({ session_id }) => till.call("/b/pbl/v2/message-notification/", { method: "POST", headers: till.privateKey(), json: { session_id, channels: ["email"] } }),
    },
    alert: {
      prepare: async () => {
        const payment = await atTheBank(till, none);
        await payWith(till, payment.page, "visa-wrong-amount");
        return { ...payment, isAlert: true };
      },
      then: cron,
    },
  };
}

/** When messages about these were stored or made due, and first tried after that; undefined where none was. */
async function measure(till, receiver, ones, { again, due }) {
  const alerts = ones.some(({ isAlert }) => isAlert);
  const of = alerts ? "d.kind IN ('alert_webhook', 'alert_email')" : "d.session_id IN (SELECT value FROM json_each(?1))";
  const since = again ? "d.resent_at" : due ? "d.due_at" : "d.created_at";
  const sql = `SELECT d.id, d.kind, ${since} AS stored, (SELECT MIN(t.at) FROM delivery_try t WHERE t.delivery_id = d.id AND t.at >= ${since}) AS tried ` +
    `FROM delivery d WHERE ${of}${again ? " AND d.resent_at IS NOT NULL" : ""}`;
  const read = () => till.rows(sql, ...(alerts ? [] : [JSON.stringify(ones.map(({ session_id }) => session_id))]));
  let rows = [];
  const least = alerts ? 1 : ones.length;
  for (const end = Date.now() + PATIENCE; Date.now() < end; await sleep(25)) {
    rows = await read();
    if (rows.length >= least && rows.every(({ tried }) => tried !== null)) break;
  }
  assert.ok(rows.length >= least, `${rows.length} messages of ${ones.length}`);
  return rows.map(({ id, kind, stored, tried }) => {
    if (!kind.endsWith("webhook")) return tried === null ? PATIENCE : tried - stored;
    const came = receiver.came.filter((one) => one.id === id && one.at >= stored).map((one) => one.at);
    return came.length === 0 ? PATIENCE : Math.min(...came) - stored;
  });
}

const quantile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)];

async function timesOf(till, receiver, { prepare, cause, then, without, ...options }) {
  const ones = [];
  for (let round = 0; round < ROUNDS; round += 1) ones.push(await prepare());
  if (without) {
    const gateways = demoSettings().gateways.filter(({ code }) => code !== without);
    const settings = { ...demoSettings(), gateways, notify: { expired: true, invalided: true } };
    assert.equal((await till.operator(`/merchants/${till.merchant.merchant_id}/settings/`, { method: "PUT", json: settings })).status, 200);
    // The settings of a merchant are kept for a moment.
    await sleep(1_100);
  }
  for (const one of cause ? ones : []) {
    const { status, text } = (await cause(one)) ?? {};
    assert.ok(status === undefined || status < 400, text);
  }
  if (then) await then();
  return (await measure(till, receiver, ones, options)).toSorted((one, other) => one - other);
}

for (const queues of [true, false]) {
  test(`what is stored is tried within two seconds, ${queues ? "with" : "without"} queues`, { timeout: 600_000 }, async () => {
    const receiver = await new Receiver().open();
    const till = await start({ sockets: true, queues });
    const rows = [];
    try {
      const all = causes(till, receiver);
      for (const [name, cause] of Object.entries(all)) {
        await till.createMerchant({ notify: { expired: true, invalided: true }, alerts: { webhook_url: `${receiver.origin}/alerts`, emails: ["ops@example.com"] } });
        const times = await timesOf(till, receiver, cause);
        rows.push({ cause: name, tries: times.length, "p50 ms": quantile(times, 0.5), "p95 ms": quantile(times, 0.95), "longest ms": times.at(-1), most: cause.most ?? MOST });
      }
    } finally {
      console.table(rows);
      receiver.close();
      await till.stop();
    }
    assert.deepEqual(rows.filter((row) => row["p95 ms"] > row.most).map((row) => row.cause), []);
  });
}
