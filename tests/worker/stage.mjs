/**
 * Real payment transactions, one for each screen of the hosted page: for pictures of them, for what they weigh, and for tests that look
 * at all of them.
 */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import sharp from "sharp";
import { OutboundResponse, demoSettings } from "./harness.mjs";
import { post } from "./payer.mjs";

const SUPPORT = { email: "help@shop.example.com", phone: "+96522223333", whatsapp: "+96550001122" };
const LINKS = { terms: "https://shop.example.com/terms", refunds: "https://shop.example.com/refunds" };
/** A logo, and a tab symbol. */
const LOGO = sharp(Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 60"><rect width="200" height="60" rx="12" fill="#7a1fa2"/><circle cx="100" cy="30" r="16" fill="#fff"/></svg>',
)).png().toBuffer();

const TERMS = { amount_variability: "fixed", cycle_interval_days: 30, expiry_date: "2030-01-31", frequency: "monthly", total_cycles: 12 };
const PLACE = { city: "Salmiya", country: "KW", line1: "Block 4, Salem Al Mubarak Street", state: "Hawalli", postal_code: "22001" };
const HOOK = "https://shop.example.com/hook";
const THREE = ["knet", "credit-card", "cash"];

/** An address of this installation without its host. */
const path = (address) => address.replace(/^https?:\/\/[^/]+/, "");

/** A merchant without and one with a face, each with a customer `c-cards` who has four saved cards. */
export class Stage {
  #till;
  #count = 0;

  /** Makes the merchants `plain` and `branded`. */
  static async of(till) {
    const stage = new Stage();
    stage.#till = till;
    till.outbound.on("POST", HOOK, () => new OutboundResponse("", { status: 201 }));
    await till.createMerchant();
    const plain = till.merchant;
    await till.createMerchant();
    const branded = till.merchant;
    const headers = till.privateKey(branded);
    const { body: logo } = await till.call("/b/access/v1/images/", { method: "POST", headers, body: await LOGO });
    const brand = { logo: logo.name, favicon: logo.name, accent: "#7a1fa2", corners: "round", font: "rounded", support: SUPPORT, links: LINKS };
    const answer = await till.call("/b/access/v1/brand/", { method: "PUT", headers, json: brand });
    assert.equal(answer.status, 200, answer.text);
    stage.merchants = { plain, branded };
    for (const merchant of [plain, branded]) {
      till.merchant = merchant;
      for (const card of ["visa-approve", "mastercard-approve", "visa-duplicate", "visa-expiring"]) {
        await stage.paid("credit-card", card, { customer_id: "c-cards" }, { save_card: "true" });
      }
    }
    till.merchant = plain;
    return stage;
  }

  /** Whose payments are made from now on. */
  be(name) {
    this.#till.merchant = this.merchants[name];
    return this;
  }

  /** A payment that nobody has paid; its session id. */
  async create(fields = {}) {
    const usual = { pg_codes: THREE, amount: "10.000", order_no: "ORDER-1024", redirect_url: "https://shop.example.com/thanks" };
    const created = await this.#till.create({ ...usual, ...fields });
    assert.equal(created.status, 201, created.text);
    return created.body.session_id;
  }

  /** A payment whose payer chose a gateway; the session id, and where the bank's page is. */
  async sent(pg_code, fields = {}, form = {}) {
    const session_id = await this.create({ pg_codes: [pg_code], ...fields });
    const { status, headers, text } = await post(this.#till, "/b/checkout/redirect/pay/", { session_id, pg_code, language: "en", ...form });
    assert.equal(status, 303, text);
    return { session_id, page: path(headers.get("location")) };
  }

  /** A payment after the payer's answer at the bank: a card, or `cancel`. */
  async paid(pg_code, card, fields, form) {
    const { session_id, page } = await this.sent(pg_code, fields, form);
    const posted = await post(this.#till, page, card === "cancel" ? { action: "cancel" } : { action: "pay", card });
    assert.equal(posted.status, 303, posted.text);
    await this.#till.call(path(posted.headers.get("location")));
    await this.#set(session_id, "known_at = known_at - 900000");
    return session_id;
  }

  /** A payment that succeeded, with what the merchant did afterwards: `["refund", "1.000"]`, or `["void"]` for all of it. */
  async moved(pg_code, ...operations) {
    const session_id = await this.paid(pg_code, "visa-approve", { amount: "10.250" });
    for (const [operation, amount] of operations) {
      const json = { session_id, operation, ...(amount ? { amount } : {}) };
      const done = await this.#till.call("/b/pbl/v2/operation/", { method: "POST", headers: this.#till.privateKey(), json });
      assert.equal(done.status, 200, done.text);
    }
    return session_id;
  }

  /** A payment of which only the merchant or time makes what it is. */
  async ended(state) {
    const session_id = await this.create();
    await this.#till.rows("UPDATE txn SET state = ?2, version = version + 1 WHERE session_id = ?1", session_id, state);
    return session_id;
  }

  /** A payment whose outcome the bank does not give. */
  async waiting(change) {
    const session_id = await this.paid("knet", "visa-timeout");
    if (change) await this.#set(session_id, change);
    return session_id;
  }

  /** A payment of another merchant, who takes none at the moment. */
  async paused() {
    const { merchant } = this.#till;
    const { merchant_id } = await this.#till.createMerchant();
    const session_id = await this.create();
    const json = { ...demoSettings(), is_paused: true };
    await this.#till.operator(`/merchants/${merchant_id}/settings/`, { method: "PUT", json });
    this.#till.merchant = merchant;
    return session_id;
  }

  async expired(fields) {
    const session_id = await this.create({ expiration_time: "00:00:01", ...fields });
    await sleep(1_100);
    return session_id;
  }

  /** An order with everything that a page shows of one. */
  details() {
    return this.create({
      amount: "10.000", due_datetime: "2030-01-31T12:00:00Z", order_description: "Birthday gift, delivered on Friday",
      customer_first_name: "Noura", customer_last_name: "Al-Sabah", billing_address: PLACE,
    });
  }

  /** The first of several payments of a customer. */
  recurring() {
    this.#count += 1;
    const agreement = { id: `agreed-${this.#count}`, ...TERMS };
    return this.create({ payment_type: "auto_debit", customer_id: `c-${this.#count}`, pg_codes: ["credit-card"], webhook_url: HOOK, agreement });
  }

  #set(session_id, change) {
    return this.#till.rows(`UPDATE attempt SET ${change} WHERE session_id = ?1`, session_id);
  }
}

const SAVED = { payment_type: "save_card", amount: "0", customer_id: "c-saves", pg_codes: ["credit-card"], webhook_url: HOOK };
const LATE = "known_at = known_at - 200000, unknown_since = known_at - 200000";

/** How the payment of each screen is made. The screens that a payer chooses on are shown with and without wallets. */
export const SCREENS = {
  payable: (stage) => stage.create(),
  payable_by_one_method: (stage) => stage.create({ pg_codes: ["knet"] }),
  payable_by_saved_card: (stage) => stage.create({ customer_id: "c-cards" }),
  payable_unfinished: async (stage) => (await stage.sent("knet", { pg_codes: THREE })).session_id,
  payable_in_part: (stage) => stage.create({ type: "payment_request" }),
  payable_with_details: (stage) => stage.details(),
  payable_again_and_again: (stage) => stage.recurring(),
  save_card: (stage) => stage.create(SAVED),
  declined: (stage) => stage.paid("knet", "mastercard-decline", { pg_codes: THREE }),
  declined_by_one_method: (stage) => stage.paid("knet", "mastercard-decline"),
  withdrawn: (stage) => stage.paid("knet", "cancel", { pg_codes: THREE }),
  pending: (stage) => stage.waiting(),
  late: (stage) => stage.waiting(LATE),
  held: (stage) => stage.waiting("inquire_at = NULL"),
  paid: (stage) => stage.moved("knet"),
  paid_by_card: (stage) => stage.moved("credit-card"),
  paid_without_a_link_back: (stage) => stage.paid("knet", "visa-approve", { redirect_url: undefined }),
  card_saved: (stage) => stage.paid("credit-card", "visa-approve", SAVED),
  authorized: (stage) => stage.moved("mpgs"),
  cash_on_delivery: async (stage) => (await stage.sent("cash")).session_id,
  captured: (stage) => stage.moved("mpgs", ["capture"]),
  partly_captured: (stage) => stage.moved("mpgs", ["capture", "4.000"]),
  captured_and_refunded: (stage) => stage.moved("mpgs", ["capture", "4.000"], ["refund", "1.500"]),
  voided: (stage) => stage.moved("mpgs", ["void"]),
  refund_queued: (stage) => stage.moved("queued", ["refund"]),
  partly_refunded: (stage) => stage.moved("knet", ["refund", "4.000"]),
  refunded_in_three_parts: (stage) => stage.moved("knet", ["refund", "1.000"], ["refund", "2.000"], ["refund", "0.500"]),
  refunded: (stage) => stage.moved("knet", ["refund"]),
  failed: (stage) => stage.paid("single", "mastercard-decline"),
  failed_without_a_link_back: (stage) => stage.paid("single", "mastercard-decline", { redirect_url: undefined }),
  expired: (stage) => stage.expired(),
  expired_without_a_link_back: (stage) => stage.expired({ redirect_url: undefined }),
  canceled: (stage) => stage.ended("canceled"),
  invalid: (stage) => stage.ended("invalided"),
  paused: (stage) => stage.paused(),
};

/** Whether a payer chooses on a screen, so that it may offer wallets. */
export const isPayable = (name) => /^(payable|declined|withdrawn|save_card)/.test(name);

/** The address of a payment's page in a language, without its host. */
export const pageOf = (session_id, language) => `/b/checkout/redirect/start/?session_id=${session_id}&language=${language}`;
