/**
 * Sixteen debits at once under one agreement whose terms are enforced, `rounds` times, by a job of the merchant that runs twice:
 * at a bank that approves, declines, or does not say what it did, and in some rounds the runtime is killed meanwhile. Whatever
 * happens, and whenever the outcomes become known, the bank never takes more than the terms permit.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { OutsideBank, json } from "../worker/bank.mjs";
import { demoSettings, start } from "../worker/harness.mjs";
import { attempts, choose, inquireNow, open, returnPath } from "../worker/payer.mjs";
import { dice, pick } from "./dice.mjs";
import { must } from "./shop.mjs";

const DEBITS = 16;
/** How often a round is killed: a restart takes a second. */
const KILLS = 0.15;

/** What the bank does with an order: half of the rounds are calm. */
const ENDS = ["approved", "approved", "declined", "approved and silent", "silent"];

/** The terms, and how many payments they permit now. */
const TERMS = [
  { most: 2, agreement: { type: "other", total_cycles: 2 } },
  { most: 1, days: 1, agreement: { type: "other", cycle_interval_days: 1 } },
  { most: 1, days: 7, agreement: { type: "recurring", amount_variability: "variable", cycle_interval_days: 7, expiry_date: "2039-01-01", frequency: "weekly", total_cycles: 12 } },
];

class Agreements {
  /** The references that the bank charged without the payer. */
  taken = [];

  constructor(till, bank, draw) {
    Object.assign(this, { till, bank, draw, counts: { debits: 0, succeeded: 0, refused: 0, unknown: 0, kills: 0 } });
  }

  /** A new agreement with a card that is saved. */
  async begin(round) {
    const terms = TERMS[round % TERMS.length];
    const order = {
      payment_type: "auto_debit", amount: "11.000", customer_id: `c-${round}`, pg_codes: ["card"],
      agreement: { id: `a-${round}`, ...terms.agreement },
    };
    this.bank.instead = {};
    const first = await open(this.till, order);
    must(await choose(this.till, first, "card"), 303);
    const [{ reference }] = await attempts(this.till, first);
    const card = { brand: "VISA", number: "411111******1111", expiry_month: "12", expiry_year: "39", token: `tok-${round}` };
    this.bank.end(reference, "approved", { card });
    await this.till.fetch(await returnPath(this.till, reference));
    const [{ token }] = await this.till.rows("SELECT token FROM card WHERE customer_id = ?1", order.customer_id);
    if (terms.days) await this.advance(terms.days);
    return { order, token, terms };
  }

  async advance(days) {
    const path = `/merchants/${this.till.merchant.merchant_id}/clock/`;
    must(await this.till.operator(path, { method: "POST", json: { advance: String(days * 86_400) } }), 200);
  }

  /** The bank ends each order in some way, after a moment in which others arrive. */
  misbehave(calm) {
    const draw = this.draw;
    this.bank.instead.open = async ({ body }, usual) => {
      const { reference, card } = JSON.parse(body);
      await sleep(draw() * 40);
      const end = calm ? "approved" : pick(draw, ENDS);
      if (end === "silent") return json(500, { message: "overloaded" });
      usual();
      if (card && end.startsWith("approved")) this.taken.push(reference);
      const charge = this.bank.end(reference, end === "declined" ? "declined" : "approved");
      return end === "approved and silent" ? json(502, { message: "no answer" }) : json(201, charge);
    };
  }

  async debit(order, token) {
    const { session_id } = await open(this.till, order);
    return () => this.till.call("/b/pbl/v2/payment/auto-debit/", { method: "POST", headers: this.till.privateKey(), json: { session_id, token } });
  }

  /** Sixteen debits at once; returns what is wrong with their answers. */
  async wave({ order, token }, isKilled) {
    const wrong = [];
    const debits = await Promise.all(Array.from({ length: DEBITS }, () => this.debit(order, token)));
    const sent = debits.map((debit) => debit().catch((error) => void (isKilled || wrong.push(`not answered: ${error.cause ?? error}`))));
    if (isKilled) {
      await sleep(this.draw() * 80);
      await this.till.killHard();
    }
    const answers = (await Promise.all(sent)).filter((answer) => answer !== undefined);
    if (isKilled) {
      await this.till.restart();
      this.counts.kills += 1;
    }
    this.counts.debits += DEBITS;
    for (const { status, body, text } of answers) {
      if (status === 200) this.counts[body.result === "pending" ? "unknown" : "succeeded"] += 1;
      else if (status === 409 || (status === 400 && body.code.startsWith("agreement_"))) this.counts.refused += 1;
      else if (!isKilled) wrong.push(`answered ${status} ${text.slice(0, 200)}`);
    }
    return wrong;
  }

  /** Everything becomes known. */
  async settle(order) {
    this.bank.instead = {};
    const ofCustomer = "session_id IN (SELECT session_id FROM txn WHERE customer_id = ?1)";
    for (let run = 0; run < 20; run += 1) {
      const rows = await this.till.rows(`SELECT DISTINCT session_id FROM attempt WHERE stage IN ('sending', 'unknown', 'redirected') AND ${ofCustomer}`, order.customer_id);
      if (rows.length === 0) return;
      await this.till.rows(`UPDATE attempt SET opened_at = opened_at - 120000 WHERE stage IN ('sending', 'unknown') AND ${ofCustomer}`, order.customer_id);
      for (const row of rows) await inquireNow(this.till, row);
    }
    throw new Error("an outcome stays unknown");
  }

  async round(round) {
    const agreement = await this.begin(round);
    this.taken = [];
    const violations = [];
    const over = (when) => {
      const { most } = agreement.terms;
      if (this.taken.length > most) violations.push(`${when}: ${this.taken.length} payments of ${agreement.order.amount}, permitted are ${most}`);
    };
    for (const when of ["at first", "when it ran again"]) {
      this.misbehave(when === "at first" && round % 2 === 0);
      violations.push(...(await this.wave(agreement, when === "at first" && round % 2 === 1 && this.draw() < KILLS * 2)));
      over(when);
    }
    await this.settle(agreement.order);
    over("when everything was known");
    const paid = await this.till.rows(
      `SELECT a.reference FROM attempt a JOIN txn t ON t.session_id = a.session_id
       WHERE t.customer_id = ?1 AND a.stage = 'success' AND a.card_use LIKE 'merchant %'`,
      agreement.order.customer_id,
    );
    const known = paid.map(({ reference }) => reference).sort();
    if (known.join() !== [...this.taken].sort().join()) violations.push(`the bank took ${this.taken}, paid are ${known}`);
    // Who loses a race is refused although another cycle may be free: one of those at once is paid, not always as many as may be.
    if (round % 2 === 0 && this.taken.length === 0) violations.push("no payment at a bank that approves");
    this.till.outbound.clear?.();
    return violations;
  }
}

export async function run({ rounds = 100, seed = 1, onNote = () => {} }) {
  const persist = mkdtempSync(join(tmpdir(), "till-agreements-"));
  const till = await start({ persist });
  const violations = [];
  try {
    const bank = new OutsideBank(till);
    const [{ credentials, endpoint }] = bank.settings().gateways;
    const card = demoSettings().gateways.find(({ code }) => code === "credit-card");
    await till.createMerchant({ agreements: { enforce: true }, gateways: [{ ...card, code: "card", fees: [], exchanges: [], credentials, endpoint }] });
    const agreements = new Agreements(till, bank, dice(seed));
    for (let round = 0; round < rounds; round += 1) {
      const faults = await agreements.round(round).catch((error) => [`${error.stack ?? error}`]);
      violations.push(...faults.map((fault) => `round ${round} of SEED=${seed}: ${fault}`));
      if (round % 20 === 19) onNote(`${round + 1} rounds: ${JSON.stringify(agreements.counts)}`);
    }
    return { name: "agreements", counts: { rounds, ...agreements.counts }, violations };
  } catch (error) {
    return { name: "agreements", counts: { rounds }, violations: [...violations, `${error.stack ?? error}`] };
  } finally {
    await till.stop().catch(() => {});
    rmSync(persist, { recursive: true, force: true });
  }
}
