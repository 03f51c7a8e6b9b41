/**
 * The runtime is killed at a random moment while a merchant and its payers send requests, started again on
 * the same data, and everyone sends again what was not answered. After that everything that was requested
 * exists once, and every receiver was notified.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { start } from "../worker/harness.mjs";
import { Receivers, audit, figures, settle } from "./books.mjs";
import { dice } from "./dice.mjs";
import { Shop, must, settings } from "./shop.mjs";

const UPLOAD = "/b/checkout/v1/upload-attachment/";
const TRIES = 8;

/** A file of a size that needs several rows or chunks in the storage. */
const fileOf = (round) => `${round} `.padEnd(400_000, "till ");

/**
 * What is in progress when the runtime dies. `prepare` runs before, `send` is interrupted and sent again
 * until `isDone` says that its answer settles it, `check` returns what is wrong when everything is settled.
 */
const WORK = {
  refund: {
    prepare: (shop) => shop.paid("credit-card", "10.000"),
    send: (shop, payment, round) => shop.operate(payment, "refund", { amount: "3.000" }, { "tracking-key": `refund-${round}` }),
    isDone: ({ status, body }) => status === 200 && body.result === "success",
    check: (shop, payment) => checkOperation(shop, payment, "refund", 3_000),
  },
  capture: {
    prepare: (shop) => shop.paid("mpgs", "10.000"),
    send: (shop, payment, round) => shop.operate(payment, "capture", { amount: "4.000" }, { "tracking-key": `capture-${round}` }),
    isDone: ({ status, body }) => status === 200 && body.result === "success",
    check: (shop, payment) => checkOperation(shop, payment, "capture", 4_000),
  },
  update: {
    async prepare(shop) {
      const payment = await shop.open();
      must(await shop.patch(payment, { vendor_name: "accepted before" }), 200);
      const etag = (await shop.till.retrieve(payment.session_id)).headers.get("etag");
      return { ...payment, etag };
    },
    send: (shop, payment, round) => shop.patch(payment, { product_type: `kill-${round}` }, { "if-match": payment.etag }),
    // 412 says that the update, which no one else makes, was stored before.
    isDone: ({ status }) => status === 200 || status === 412,
    async check(shop, payment, round) {
      const { body } = await shop.till.retrieve(payment.session_id);
      const rows = await shop.till.rows("SELECT COUNT(*) AS count FROM txn_event WHERE session_id = ?1 AND kind = 'updated'", payment.session_id);
      return [
        ...(body.product_type === `kill-${round}` ? [] : ["the update is lost"]),
        ...(body.vendor_name === "accepted before" ? [] : ["an update that was accepted before is lost"]),
        ...(rows[0].count === 2 ? [] : [`${rows[0].count} updates are recorded`]),
      ];
    },
  },
  upload: {
    prepare: (shop) => shop.open(),
    send(shop, payment, round) {
      const body = new FormData();
      body.append("file", new File([fileOf(round)], "invoice.txt", { type: "text/plain" }));
      body.append("session_id", payment.session_id);
      return shop.till.call(UPLOAD, { method: "POST", headers: shop.till.privateKey(), body });
    },
    isDone: ({ status }) => status === 200,
    /** Right after the start: the file exists completely, or it does not exist. */
    checkHalf: (shop, payment, round) => checkFile(shop, payment, round, true),
    check: (shop, payment, round) => checkFile(shop, payment, round, false),
  },
  "payment at create": {
    prepare: async (shop, round) => ({ order_no: `kill-${round}`, webhook_url: shop.receivers.address(), amount: "5.000" }),
    /** As with a debit; what is paid with another key is another transaction. */
    async send(shop, order) {
      const keys = (order.keys ??= []);
      const { order_no, webhook_url, amount } = order;
      const answer = await shop.payAtOnce({ order_no, webhook_url, amount }, { "idempotency-key": `${order_no}-${keys.length}` });
      if (answer.status === 400 && answer.body.result === "failed") keys.push(answer.body.code);
      return answer;
    },
    isDone: ({ status }) => status === 201,
    async check(shop, order) {
      const rows = await shop.till.rows("SELECT session_id, state FROM txn WHERE order_no = ?1", order.order_no);
      let charged = 0;
      for (const row of rows) charged += await shop.charged(row);
      const isOnce = rows.length === 1 + (order.keys?.length ?? 0) && rows.filter(({ state }) => state === "paid").length === 1;
      return [
        ...(isOnce && charged === 1 ? [] : [`${JSON.stringify(rows)} after ${JSON.stringify(order.keys)}, charged ${charged} times`]),
        ...checkNotified(shop, order, "success"),
      ];
    },
  },
  debit: {
    prepare: (shop) => shop.open({ customer_id: shop.customer }),
    /**
     * A key belongs to one attempt, also if that ended in an error because the bank never got the request:
     * then another key tries again.
     */
    async send(shop, payment, round) {
      const answer = await shop.debit(payment, shop.token, { "idempotency-key": `kill-debit-${round}-${payment.keys ?? 0}` });
      if (answer.status === 200 && answer.body.result === "error") payment.keys = (payment.keys ?? 0) + 1;
      return answer;
    },
    isDone: ({ status, body }) => status === 200 && body.result === "success",
    async check(shop, payment) {
      const charged = await shop.charged(payment);
      return [...(charged === 1 ? [] : [`charged ${charged} times`]), ...checkNotified(shop, payment, "success")];
    },
  },
  "saved card": {
    async prepare(shop, round) {
      const customer_id = `saved-${round}`;
      return { customer_id, ...(await shop.atSavingPage(customer_id)) };
    },
    /** The payer confirms, comes back, and goes back in the browser if that was interrupted. */
    async send(shop, payment) {
      const posted = await shop.till.call(payment.page, { method: "POST", body: new URLSearchParams({ action: "pay", card: "visa-approve" }) });
      payment.back = posted.headers.get("location") ?? payment.back;
      return shop.till.call(payment.back ?? payment.page);
    },
    isDone: ({ status }) => status === 303,
    async check(shop, payment) {
      const { body } = must(await shop.cards(payment.customer_id), 200);
      return [...(body.length === 1 ? [] : [`${body.length} cards`]), ...checkNotified(shop, payment, "success")];
    },
  },
};

async function checkOperation(shop, payment, operation, amount) {
  const rows = await shop.operations(payment);
  const isOnce = rows.length === 1 && rows[0].operation === operation && rows[0].amount === amount;
  const notified = shop.receivers.notified(payment.webhook_url).filter((body) => body.operation === operation && body.result === "success");
  return [
    ...(isOnce ? [] : [`the bank did ${JSON.stringify(rows)}`]),
    ...(notified.length === 1 ? [] : [`the ${operation} was notified ${notified.length} times`]),
  ];
}

function checkNotified(shop, { webhook_url }, result) {
  const notified = shop.receivers.notified(webhook_url).filter((body) => body.result === result);
  return notified.length === 1 ? [] : [`the outcome was notified ${notified.length} times`];
}

async function checkFile(shop, payment, round, mayBeAbsent) {
  const { body } = must(await shop.till.retrieve(payment.session_id), 200);
  if (!body.attachment) return mayBeAbsent ? [] : ["the accepted file is lost"];
  const path = new URL(body.attachment, shop.till.url).pathname;
  const file = await shop.till.call(path);
  return file.status === 200 && file.text === fileOf(round) ? [] : [`the file is broken: ${file.status}, ${file.text.length} characters`];
}

/**
 * Sends until the answer settles it; what is unknown meanwhile is settled by the sweep, as if minutes had
 * passed.
 */
async function repeat(shop, name, thing, round) {
  let answer;
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    answer = await WORK[name].send(shop, thing, round);
    if (WORK[name].isDone(answer)) return [];
    if (answer.status >= 500 && answer.status !== 503) return [`answered ${answer.status} ${answer.text}`];
    await settle(shop.till);
  }
  return [`never done: ${answer.status} ${answer.text.slice(0, 300)}`];
}

/** One life of the runtime: everything at once, killed after `wait` milliseconds. */
async function round(shop, number, wait, counts) {
  const things = {};
  for (const [name, { prepare }] of Object.entries(WORK)) things[name] = await prepare(shop, number);
  await settle(shop.till);
  const answers = {};
  const sent = Object.entries(WORK).map(([name, { send }]) =>
    send(shop, things[name], number).then((answer) => (answers[name] = answer), () => (counts["cut off"] += 1)));
  await sleep(wait);
  await shop.till.killHard();
  await Promise.all(sent);
  await shop.till.restart();
  const faults = [];
  const note = (name, list) => faults.push(...list.map((fault) => `${name}: ${fault}`));
  for (const [name, { checkHalf, isDone }] of Object.entries(WORK)) {
    if (checkHalf) note(name, await checkHalf(shop, things[name], number));
    if (answers[name] && isDone(answers[name])) counts["answered before"] += 1;
  }
  for (const name of Object.keys(WORK)) note(name, await repeat(shop, name, things[name], number));
  await settle(shop.till);
  for (const [name, { check }] of Object.entries(WORK)) note(name, await check(shop, things[name], number));
  return faults;
}

export async function run({ rounds = 100, seed = 1, onNote = () => {} }) {
  const persist = mkdtempSync(join(tmpdir(), "till-kills-"));
  const till = await start({ persist });
  const violations = [];
  const counts = { kills: 0, "cut off": 0, "answered before": 0 };
  try {
    await till.createMerchant(settings());
    const shop = new Shop(till, new Receivers(till));
    shop.customer = "debtor";
    shop.token = await shop.savedCard(shop.customer);
    const draw = dice(seed);
    for (let number = 0; number < rounds; number += 1) {
      // Squared: most kills come early, where several commits and requests follow each other within
      // milliseconds.
      const wait = Math.floor(draw() ** 2 * 400);
      const faults = await round(shop, number, wait, counts);
      counts.kills += 1;
      violations.push(...faults.map((fault) => `killed after ${wait} ms in round ${number} of SEED=${seed}: ${fault}`));
      if (number % 10 === 9) onNote(`${number + 1} of ${rounds} kills`);
    }
    violations.push(...(await audit(till, shop.receivers)));
    Object.assign(counts, await figures(till));
    await till.stop();
    return { name: "kills", counts, violations };
  } catch (error) {
    await till.stop().catch(() => {});
    throw error;
  } finally {
    rmSync(persist, { recursive: true, force: true });
  }
}
