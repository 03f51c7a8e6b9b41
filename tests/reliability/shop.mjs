/** What a merchant's server and its payers send in the trials. Nothing here judges an answer but `must`. */
import { demoSettings } from "../worker/harness.mjs";
import { attempts } from "../worker/payer.mjs";
import { appleToken, payByWallet } from "../worker/wallets.mjs";

export const CREATE = "/b/checkout/v1/pymt-txn/";

/** The demo settings without fees: the charged amount is the requested one. */
export const settings = () => ({ gateways: demoSettings().gateways.map((gateway) => ({ ...gateway, fees: [], exchanges: [] })) });

/** An answer that preparing a trial relies on. */
export function must(answer, ...statuses) {
  if (!statuses.includes(answer.status)) throw new Error(`a trial could not be prepared: ${answer.status} ${answer.text}`);
  return answer;
}

export class Shop {
  /**
   * @param {import("../worker/harness.mjs").Till} till
   * @param {import("./books.mjs").Receivers} receivers
   */
  constructor(till, receivers) {
    this.till = till;
    this.receivers = receivers;
  }

  /** A payment transaction with a receiver of its own. */
  async open(fields = {}, headers = {}) {
    const webhook_url = this.receivers.address();
    const { body } = must(await this.till.create({ webhook_url, pg_codes: ["credit-card"], ...fields }, headers), 201);
    return { session_id: body.session_id, webhook_url };
  }

  /** One that is paid, or authorized, by wallet. */
  async paid(pg_code, amount) {
    const payment = await this.open({ pg_codes: [pg_code], amount });
    must(await this.payByWallet(payment), 200);
    return payment;
  }

  payByWallet(payment, headers) {
    return payByWallet(this.till, payment, { card: "visa-approve", headers: { ...this.till.privateKey(), ...headers } });
  }

  /** Creates and pays in one call. */
  payAtOnce(fields, headers) {
    const body = { type: "e_commerce", amount: "5.000", currency_code: "KWD", pg_codes: ["credit-card"], ...fields };
    const instrument = `,"payment_instrument":{"instrument_type":"apple_pay","payload":${appleToken("visa-approve")}}}`;
    return this.till.create(JSON.stringify(body).slice(0, -1) + instrument, headers);
  }

  operate(payment, operation, fields = {}, headers = {}) {
    return this.till.call("/b/pbl/v2/operation/", {
      method: "POST",
      headers: { ...this.till.privateKey(), ...headers },
      json: { session_id: payment.session_id, operation, ...fields },
    });
  }

  patch(payment, json, headers = {}) {
    return this.till.call(`${CREATE}${payment.session_id}/`, { method: "PATCH", headers: { ...this.till.privateKey(), ...headers }, json });
  }

  debit(payment, token, headers = {}) {
    return this.till.call("/b/pbl/v2/payment/auto-debit/", {
      method: "POST",
      headers: { ...this.till.privateKey(), ...headers },
      json: { session_id: payment.session_id, token },
    });
  }

  cards(customer_id) {
    return this.till.call("/b/pbl/v2/card/", { method: "POST", headers: this.till.privateKey(), json: { type: "sandbox", customer_id } });
  }

  /** A payer at the bank's page who has not saved the card yet. */
  async atSavingPage(customer_id) {
    const payment = await this.open({ customer_id, payment_type: "save_card", amount: "0" });
    const body = new URLSearchParams({ session_id: payment.session_id, pg_code: "credit-card" });
    const sent = must(await this.till.call("/b/checkout/redirect/pay/", { method: "POST", body }), 303);
    return { ...payment, page: sent.headers.get("location") };
  }

  /** The payer confirms at the bank; returns the address to which the bank sends the browser. */
  async confirm(page, card = "visa-approve") {
    const answer = await this.till.call(page, { method: "POST", body: new URLSearchParams({ action: "pay", card }) });
    return answer.headers.get("location");
  }

  /** The token of a card that is saved for a customer. */
  async savedCard(customer_id) {
    const { page } = await this.atSavingPage(customer_id);
    await this.till.fetch(await this.confirm(page));
    const [card] = must(await this.cards(customer_id), 200).body;
    return card.token;
  }

  /** How often the bank charged for a payment. */
  async charged(payment) {
    const references = (await attempts(this.till, payment)).map(({ reference }) => reference);
    const rows = await this.till.rows("SELECT reference FROM sandbox_charge WHERE status = 'approved'");
    return rows.filter(({ reference }) => references.includes(reference)).length;
  }

  /** The operations of a payment that the bank did. */
  operations(payment) {
    return this.till.rows(
      `SELECT o.operation, o.amount FROM sandbox_operation o JOIN child k ON k.reference = o.reference
       WHERE k.parent_id = ?1 AND o.status = 'done'`,
      payment.session_id,
    );
  }
}
