/**
 * Whole payments at every connector through a proxy that breaks requests at random, then a gateway that is well again: nobody is
 * charged twice, no charge is lost, and nothing stays open.
 *
 * The gateways are the stubs of the conformance suite (`tests/worker/conformance/`), each with its own Worker.
 */
import { start } from "../worker/harness.mjs";
import { ADAPTERS } from "../worker/conformance/adapters.mjs";
import { FAULTS } from "../worker/conformance/proxy.mjs";
import { World } from "../worker/conformance/world.mjs";
import { attempts, choose } from "../worker/payer.mjs";
import { dice, pick } from "./dice.mjs";

/** How many payments are in progress at the same time. */
const AT_ONCE = 16;
/** Up to how many payments all connectors are tried at the same time. */
const FEW = 20;
/** How many requests of a hundred are broken. */
const BROKEN = 40;
/** Faults that last until the Worker gives up are rare, because a payment that has one takes ten seconds. */
const RARE = ["silence before", "silence after"];
const LIST = Object.keys(FAULTS).filter((fault) => fault !== "none").flatMap((fault) => (RARE.includes(fault) ? [fault] : [fault, fault, fault]));
const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;
/** The moments after the faults at which the clock stops, as seconds since the one before. */
const AFTERWARDS = [2 * MINUTE, 2 * MINUTE, 15 * MINUTE, 15 * MINUTE, 15 * MINUTE, 15 * MINUTE, 15 * MINUTE, DAY, MINUTE, 2 * DAY, DAY, MINUTE, MINUTE];

/** One connector's trial. */
class Trial {
  violations = [];
  counts = { payments: 0, requests: 0, faults: 0, charges: 0, refunds: 0, captures: 0, voids: 0, "decided by a person": 0 };
  #statuses = [];

  constructor(till, adapter, seed) {
    Object.assign(this, { till, adapter, seed });
    this.draw = dice(seed);
    this.world = new World(till, adapter);
  }

  violate(text) {
    this.violations.push(`${this.adapter.name}, SEED=${this.seed}: ${text}`);
  }

  async start() {
    await this.world.start();
    this.kinds = ["page", "page", ...["void", "Google Pay", "saved card, with the payer", "saved card, without the payer"].filter((name) => !this.adapter.cannot[name])];
    this.card = this.adapter.cannot["save a card"] ? undefined : (await this.world.savedCard("payer")).token;
    const call = this.world.call.bind(this.world);
    // No answer of Till may be an error of its own.
    this.world.call = async (path, init) => {
      const answer = await call(path, init);
      if (answer.status >= 500) this.violate(`${init?.method ?? "GET"} ${path} answered ${answer.status} ${answer.text.slice(0, 300)}`);
      return answer;
    };
    // While requests are broken, what is queued may stay so.
    this.world.untilDecided = async () => {};
    const faults = dice(this.seed + 1);
    this.world.proxy.choose = (request) => {
      this.counts.requests += 1;
      if (faults() * 100 >= BROKEN) return "none";
      const fault = pick(faults, LIST);
      if (fault === "delivered twice" && this.adapter.cannotRepeat?.(request)) return "none";
      this.counts.faults += 1;
      return fault;
    };
  }

  /** One payment, with whatever its payer and its merchant do. */
  async pay(number) {
    const { draw } = this;
    const kind = pick(draw, this.kinds);
    const plan = { plays: draw(), returns: draw() < 0.7, calls: Math.floor(draw() * 3), after: draw(), repeats: draw() < 0.4 };
    this.counts.payments += 1;
    const payment = await (kind === "page" || kind === "void" ? this.#onPage(kind === "void" ? "held" : "shop", plan) : this.#direct(kind));
    if (payment) await this.#operate(payment, kind === "void", plan, number);
  }

  /** A payer on the gateway's page, who pays, or leaves it open. */
  async #onPage(pg_code, plan) {
    const { world, adapter } = this;
    const opened = await world.open({ pg_codes: [pg_code] });
    for (let time = 0; time < 3; time += 1) {
      const sent = await choose(world, opened, pg_code);
      const page = sent.headers.get("location");
      // Without a page of the gateway the payer waits on that of Till, and tries again.
      if (sent.status !== 303 || page.startsWith(world.url)) continue;
      const payment = await world.known({ ...opened, pg_code, page });
      if (plan.plays > 0.85) return undefined;
      if (plan.plays > 0.75 && adapter.leave) {
        await world.comeBack(adapter.leave(world, payment));
        return undefined;
      }
      const back = adapter.pay(world, payment);
      for (let call = 0; call < plan.calls; call += 1) await world.callBack(payment);
      if (plan.returns) await world.comeBack(back);
      if (plan.repeats) await Promise.all([world.callBack(payment), world.comeBack(back)]);
      return payment;
    }
    return undefined;
  }

  async #direct(kind) {
    const { world, adapter, draw, card: token } = this;
    const payment = await world.open({ customer_id: "payer" });
    const { session_id } = payment;
    const send = {
      "Google Pay": () => world.payByWallet(payment, "google-pay", adapter.wallets["google-pay"](draw() < 0.8 ? "approve" : "decline"), { isPayer: true }),
      "saved card, with the payer": () => world.post("/b/checkout/api/sdk/v1/submit-token/", { session_id, token }),
      "saved card, without the payer": () => world.post("/b/pbl/v2/payment/auto-debit/", { session_id, token }),
    }[kind];
    await send();
    // A payer or a merchant who got no certain answer tries again.
    if (draw() < 0.5) await send();
    return (await attempts(world, payment)).length > 0 ? world.known({ ...payment, pg_code: "shop" }) : undefined;
  }

  /** What the merchant does to a payment that succeeded, repeated with the same key. */
  async #operate(payment, isHeld, { after, repeats }, number) {
    const { world } = this;
    const [operation, amount] = isHeld ? (after < 0.5 ? ["capture", "6.000"] : ["void"]) : ["refund", after < 0.5 ? "4.000" : undefined];
    if (after > 0.9) return;
    for (let time = 0; time < (repeats ? 3 : 1); time += 1) {
      await world.operate(payment, operation, { amount }, { "tracking-key": `${this.adapter.name}-${number}` });
    }
  }

  /** The gateway is well again, repeats its reports, and time goes on. */
  async recover() {
    const { world } = this;
    world.proxy.heal();
    for (const seconds of AFTERWARDS) {
      await this.#reportAll();
      await world.later(seconds);
      await world.scheduled();
      await this.#decide();
    }
  }

  async #reportAll() {
    const { world, adapter } = this;
    // Others are asked, and need no report.
    if (!adapter.reports) return;
    for (const payment of world.payments) {
      for (const { reference, pg_code, stage } of await attempts(world, payment)) {
        if (stage !== "success" && world.stub.ledger(reference).charges.length > 0) await world.callBack({ ...payment, reference, pg_code });
      }
      for (const { reference, operation, stage, pg_code } of await world.children(payment)) {
        if (world.stub.knows(reference) && stage !== "done" && stage !== "refused") await world.finish({ ...payment, pg_code }, operation, reference);
      }
    }
  }

  /** A person looks at the gateway about what it never said. */
  async #decide() {
    const { world, adapter } = this;
    for (const entry of await world.attention()) {
      const moved = await adapter.moved?.(world, entry);
      if (entry.reason !== "outcome_unknown" || moved === undefined) continue;
      await world.resolve(entry, moved ? "approved" : "not_charged");
      this.counts["decided by a person"] += 1;
    }
  }

  /** Compares everything at the end. */
  async judge() {
    const { world } = this;
    const merchant = world.merchant.merchant_id;
    const open = await world.rows(
      `SELECT reference, stage FROM attempt WHERE merchant_id = ?1 AND stage IN ('sending', 'unknown', 'redirected')
       UNION ALL SELECT reference, stage FROM child WHERE merchant_id = ?1 AND stage IN ('sending', 'unknown', 'queued')`, merchant);
    for (const { reference, stage } of open) this.violate(`${reference} is still ${stage}`);
    for (const { id, detail } of await world.attention()) this.violate(`on the attention list: ${id}, ${detail}`);
    for (const payment of world.payments.splice(0)) {
      for (const { reference } of await attempts(world, payment)) this.counts.charges += world.stub.ledger(reference).charges.length;
      for (const { operation, stage } of await world.children(payment)) if (stage === "done") this.counts[`${operation}s`] += 1;
      await world.auditOne(payment).catch((error) => this.violate(`${payment.session_id}: ${error.message.replaceAll("\n", " ")}`));
    }
    for (const error of world.proxy.errors) this.violate(`the proxy: ${error}`);
  }
}

/** All payments of one connector; returns its figures. */
async function runOne(adapter, { rounds, seed, onNote }) {
  const till = await start({ sockets: true });
  const trial = new Trial(till, adapter, seed);
  try {
    await trial.start();
    let next = 0;
    const work = async () => {
      while (next < rounds) {
        const number = next++;
        await trial.pay(number).catch((error) => trial.violate(`payment ${number}: ${error.stack} ${error.cause?.stack ?? ""}`));
      }
    };
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, rounds) }, work));
    await trial.recover();
    await trial.judge();
    onNote(`${adapter.name}: ${JSON.stringify(trial.counts)}`);
  } finally {
    await trial.world.stop().catch((error) => trial.violate(error.message));
    await till.stop().catch((error) => trial.violate(error.message));
  }
  return trial;
}

export async function run({ rounds = 200, seed = 1, onNote = () => {}, only = process.env.CONNECTORS?.split(",") }) {
  const chosen = ADAPTERS.filter(({ name }) => !only || only.includes(name));
  const options = { rounds, seed, onNote };
  const trials = [];
  if (rounds <= FEW) trials.push(...(await Promise.all(chosen.map((adapter) => runOne(adapter, options)))));
  else for (const adapter of chosen) trials.push(await runOne(adapter, options));
  const counts = Object.fromEntries(trials.flatMap(({ adapter, counts }) => Object.entries(counts).map(([what, count]) => [`${adapter.name}: ${what}`, count])));
  return { name: "gateways", counts, violations: trials.flatMap(({ violations }) => violations) };
}
