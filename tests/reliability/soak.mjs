/**
 * Minutes of mixed traffic from a bounded number of clients, with a gateway that hangs, receivers that hang
 * and one that is slow. Merchants whose gateways and receivers work must not be affected, the memory of the
 * runtime must not grow, and at the end, when everything answers again, everything is settled and the records
 * agree.
 */
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { held } from "./heap.mjs";
import { OutsideBank, never } from "../worker/bank.mjs";
import { OutboundResponse, start } from "../worker/harness.mjs";
import { choose } from "../worker/payer.mjs";
import { Receivers, audit, figures, settle } from "./books.mjs";
import { dice, pick } from "./dice.mjs";
import { CREATE, Shop, must, settings } from "./shop.mjs";

/**
 * How long a healthy merchant may wait, in milliseconds, whatever happens to the others: nearly always, and
 * at most.
 */
const NEARLY_ALWAYS = 5_000;
const EVER = 15_000;
/** A run of the cron handler may take 50 seconds. */
const RUN = 50_000;
/**
 * The memory that the process of the runtime may have at the end. It collects its garbage late: even one
 * whose Worker only says "ok" grows by 17 MB with each thousand requests.
 */
const MEMORY_MB = 1024;
/**
 * By how many bytes of each kind the Worker itself may grow after it has warmed up: less than 200 bytes per
 * request.
 */
const GROWTH = 1024 * 1024;
/** How long it warms up. */
const warmUp = (seconds) => Math.max(5, seconds / 10);
/**
 * How long a payer may wait if a gateway hangs: Till answers within 12 seconds, and this machine is busy with
 * all of them.
 */
const AT_A_HUNG_GATEWAY = 13_000;
const TICK_EVERY = 5_000;

const JSON_ONLY = { accept: "application/json" };

/** The calls of `till` in the name of one merchant. */
const as = (till, merchant) => ({
  url: till.url,
  outbound: till.outbound,
  call: (...args) => till.call(...args),
  fetch: (...args) => till.fetch(...args),
  rows: (...args) => till.rows(...args),
  privateKey: () => till.privateKey(merchant),
  retrieve: (session_id) => till.call(`${CREATE}${session_id}/`, { headers: till.privateKey(merchant) }),
  create(body = {}, headers = {}) {
    const required = { amount: "10.250", currency_code: "KWD", pg_codes: ["knet"], type: "e_commerce" };
    const text = typeof body === "string" ? body : JSON.stringify({ ...required, ...body });
    return till.call(CREATE, { method: "POST", headers: { "content-type": "application/json", ...till.privateKey(merchant), ...headers }, body: text });
  },
});

/** What clients measure and what they find wrong. */
class Record {
  violations = [];
  waits = [];
  requests = 0;

  constructor(seed) {
    this.seed = seed;
    this.started = performance.now();
  }

  seconds() {
    return Math.round((performance.now() - this.started) / 1000);
  }

  violated(text) {
    this.violations.push(`after ${this.seconds()} s, SEED=${this.seed}: ${text}`);
  }

  /** One request of a healthy merchant: in time, and with one of these answers. */
  async well(what, statuses, work) {
    const before = performance.now();
    const answer = await work();
    const took = performance.now() - before;
    this.requests += 1;
    this.waits.push(took);
    if (!statuses.includes(answer.status)) this.violated(`${what} was answered ${answer.status} ${answer.text?.slice(0, 200)}`);
    if (took > EVER) this.violated(`${what} took ${Math.round(took)} ms`);
    return answer;
  }

  quantile(share) {
    const sorted = this.waits.toSorted((a, b) => a - b);
    return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
  }
}

/** What a healthy merchant and its payers do, one flow at a time. */
const FLOWS = [
  async function refund(shop, record, draw) {
    const payment = await opened(shop, record, { pg_codes: ["credit-card"] });
    await record.well("a wallet payment", [200], () => shop.payByWallet(payment));
    await record.well("a refund", [200], () => shop.operate(payment, "refund", { amount: pick(draw, ["1.000", "2.500"]) }));
    await record.well("retrieving", [200], () => shop.till.retrieve(payment.session_id));
  },
  async function captureOrVoid(shop, record, draw) {
    const payment = await opened(shop, record, { pg_codes: ["mpgs"] });
    await record.well("an authorization", [200], () => shop.payByWallet(payment));
    const operation = pick(draw, ["capture", "void"]);
    await record.well(`a ${operation}`, [200], () => shop.operate(payment, operation));
  },
  async function update(shop, record) {
    const payment = await opened(shop, record);
    await record.well("an update", [200], () => shop.patch(payment, { product_type: "soaked" }));
    await record.well("a listing", [200], () => shop.till.call(`${CREATE}?limit=20`, { headers: shop.till.privateKey() }));
  },
  async function cash(shop, record) {
    const payment = await opened(shop, record, { pg_codes: ["cash"] });
    await record.well("the page", [200], () => shop.till.call(`/b/checkout/redirect/start/?session_id=${payment.session_id}`));
    const chosen = await record.well("a choice of cash", [200], () => choose(shop.till, payment, "cash", JSON_ONLY));
    await record.well("the way back", [200, 303], () => shop.till.call(chosen.body.redirect_url));
    await record.well("polling", [200], () => shop.till.call(`/b/checkout/redirect/status/${payment.session_id}/`));
  },
  async function debit(shop, record) {
    const payment = await opened(shop, record, { customer_id: shop.customer });
    await record.well("an auto debit", [200], () => shop.debit(payment, shop.token));
    await record.well("an inquiry", [200], () =>
      shop.till.call("/b/pbl/v2/inquiry/", { method: "POST", headers: shop.till.privateKey(), json: { session_id: payment.session_id } }));
  },
];

async function opened(shop, record, fields = {}) {
  const webhook_url = shop.receivers.address();
  const body = { webhook_url, redirect_url: "https://shop.example.com/", pg_codes: ["credit-card"], ...fields };
  const answer = await record.well("a create", [201], () => shop.till.create(body));
  return { session_id: answer.body.session_id, webhook_url };
}

/** A payer of the gateway that hangs: waits for it, and never gets the answer that the payment failed. */
async function payHung(till, record, waits) {
  const { body } = must(await till.create({ pg_codes: ["bank"] }), 201);
  const before = performance.now();
  const answer = await choose(till, body, "bank", JSON_ONLY);
  const took = performance.now() - before;
  waits.push(took);
  if (answer.status >= 500) record.violated(`a payer of the hung gateway was answered ${answer.status} ${answer.text.slice(0, 200)}`);
  if (took > AT_A_HUNG_GATEWAY) record.violated(`a payer waited ${Math.round(took)} ms for the hung gateway`);
}

/** A payer in cash whose merchant's receiver hangs or is slow. */
async function payUnheard(till, record, webhook_url) {
  const { body } = must(await till.create({ pg_codes: ["cash"], webhook_url, redirect_url: "https://shop.example.com/" }), 201);
  const chosen = await choose(till, body, "cash", JSON_ONLY);
  const back = chosen.status === 200 ? await till.call(chosen.body.redirect_url) : chosen;
  if (back.status >= 500) record.violated(`a payer of a merchant that does not listen was answered ${back.status} ${back.text.slice(0, 200)}`);
}

/** The memory of the runtime in megabytes, if the machine reports it. */
function memory(pid) {
  const path = `/proc/${pid}/status`;
  const found = existsSync(path) && /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(path, "utf8"));
  return found ? Number(found[1]) / 1024 : undefined;
}

const kilobytes = (bytes) => Math.round(bytes / 1024);

/** The merchants of a soak, their gateways and their receivers. */
async function cast(till) {
  const bank = new OutsideBank(till);
  const merchants = {
    first: await till.createMerchant(settings()),
    second: await till.createMerchant(settings()),
    unanswered: await till.createMerchant(bank.settings()),
    unheard: await till.createMerchant(settings()),
  };
  const receivers = new Receivers(till, Object.values(merchants));
  const shops = [];
  for (const name of ["first", "second"]) {
    till.merchant = merchants[name];
    const shop = new Shop(as(till, merchants[name]), receivers);
    shop.customer = `debtor-${name}`;
    shop.token = await shop.savedCard(shop.customer);
    shops.push(shop);
  }
  // A bank that accepts the charge and does not answer, and one that does not answer inquiries.
  bank.instead = { open: (_, usual) => (usual(), never()), inquire: never, cancel: never };
  const removeHanging = till.outbound.on("POST", /^https:\/\/hangs-\d\.example\.com\//, never);
  till.outbound.on("POST", "https://slow.example.com/hook", async () => (await sleep(3000), new OutboundResponse("", { status: 200 })));
  const heal = () => {
    bank.instead = {};
    removeHanging();
    till.outbound.on("POST", /^https:\/\/hangs-\d\.example\.com\//, () => new OutboundResponse("", { status: 200 }));
  };
  return { bank, merchants, receivers, shops, heal };
}

/** All clients and the clock until the end of the soak. */
async function traffic(till, { merchants, shops }, { seconds, seed, record, onNote }) {
  const end = Date.now() + seconds * 1000;
  const measured = { memory: [], runs: [], hung: [] };
  const client = async (work) => {
    while (Date.now() < end) await work().catch((error) => record.violated(`${error.stack ?? error}`));
  };
  const healthy = (shop, number) => {
    const draw = dice(seed + number);
    return client(() => pick(draw, FLOWS)(shop, record, draw));
  };
  const [unanswered, unheard] = [as(till, merchants.unanswered), as(till, merchants.unheard)];
  let turn = 0;
  const clock = async () => {
    await sleep(Math.min(TICK_EVERY, Math.max(0, end - Date.now())));
    const before = performance.now();
    await till.scheduled();
    measured.runs.push(performance.now() - before);
    const now = memory(till.pid());
    if (now !== undefined) measured.memory.push(now);
    if (measured.runs.length % 10 === 0) {
      onNote(`${record.seconds()} s: ${record.requests} requests, 99 % within ${record.quantile(0.99)} ms, ${Math.round(now ?? 0)} MB`);
    }
  };
  await Promise.all([
    ...[0, 1, 2, 3].map((number) => healthy(shops[number % 2], number)),
    ...Array.from({ length: 6 }, () => client(() => payHung(unanswered, record, measured.hung))),
    ...Array.from({ length: 4 }, () => client(() => payUnheard(unheard, record, `https://hangs-${(turn += 1) % 3}.example.com/hook`))),
    client(() => payUnheard(unheard, record, "https://slow.example.com/hook")),
    client(clock),
  ]);
  return measured;
}

/**
 * If the memory of a Worker grew with every answer, the platform would end it one day, with everything in
 * progress.
 */
function judgeGrowth(record, before, after) {
  for (const kind of ["objects", "wasm"]) {
    const growth = after[kind] - before[kind];
    if (growth > GROWTH) record.violated(`the Worker holds ${growth} bytes more than after its warming up (${kind})`);
  }
}

function judge(record, { memory: sizes, runs }) {
  const nearly = record.quantile(0.99);
  if (nearly > NEARLY_ALWAYS) record.violated(`one in a hundred requests of healthy merchants took ${nearly} ms`);
  const longest = Math.max(0, ...runs);
  if (longest > RUN) record.violated(`a run of the cron handler took ${Math.round(longest)} ms`);
  const most = Math.round(Math.max(0, ...sizes));
  if (most > MEMORY_MB) record.violated(`the runtime held ${most} MB`);
}

/** The stored outcome is what the bank that hung did, as soon as it answers. */
async function checkHungBank(till, bank, merchant, record) {
  const rows = await till.rows("SELECT reference, session_id, stage FROM attempt WHERE merchant_id = ?1", merchant.merchant_id);
  for (const { reference, session_id, stage } of rows) {
    const expected = { approved: "success", declined: "failed" }[bank.charges.get(reference)?.status] ?? "error";
    if (stage !== expected) record.violated(`${stage} of ${session_id}, and the bank says ${bank.charges.get(reference)?.status}`);
    if (bank.opened(reference) > 1) record.violated(`${reference} was sent to the bank ${bank.opened(reference)} times`);
  }
  return rows.length;
}

export async function run({ seconds = 300, seed = 1, onNote = () => {} }) {
  const till = await start({ inspector: true });
  const record = new Record(seed);
  try {
    const players = await cast(till);
    await traffic(till, players, { seconds: warmUp(seconds), seed, record, onNote });
    const before = await held(till);
    const measured = await traffic(till, players, { seconds, seed: seed + 100, record, onNote });
    judge(record, measured);
    players.heal();
    [...players.bank.charges.keys()].forEach((reference, place) => players.bank.end(reference, place % 2 === 0 ? "approved" : "declined"));
    const longest = await settle(till, 600);
    if (longest > RUN) record.violated(`a run of the cron handler took ${Math.round(longest)} ms when everything answered again`);
    const hung = await checkHungBank(till, players.bank, players.merchants.unanswered, record);
    const after = await held(till);
    judgeGrowth(record, before, after);
    record.violations.push(...(await audit(till, players.receivers)));
    const counts = {
      seconds,
      requests: record.requests,
      "median ms": record.quantile(0.5),
      "99 % within ms": record.quantile(0.99),
      "longest ms": record.quantile(1),
      "longest run of the cron, ms": Math.round(Math.max(longest, ...measured.runs)),
      "payments at the hung gateway": hung,
      "longest wait for it, ms": Math.round(Math.max(0, ...measured.hung)),
      "memory of the runtime, MB": `${Math.round(measured.memory[0] ?? 0)} to ${Math.round(measured.memory.at(-1) ?? 0)}`,
      "objects of the Worker, KB": `${kilobytes(before.objects)} to ${kilobytes(after.objects)}`,
      "memory of its WebAssembly, KB": `${kilobytes(before.wasm)} to ${kilobytes(after.wasm)}`,
      ...(await figures(till)),
    };
    await till.stop();
    return { name: "soak", counts, violations: record.violations };
  } catch (error) {
    await till.stop().catch(() => {});
    throw error;
  }
}
