/** A shop that trades at a bank outside of the Worker: everything of it that must go on while an operator works. */
import assert from "node:assert/strict";
import { Webhook } from "standardwebhooks";
import { purchasing } from "./conformance/adapters/gateway.mjs";
import { attempts, choose, open, returnPath, standing, untilWebhooks } from "./payer.mjs";
import { KEY, SandboxStub } from "./sandbox-stub.mjs";

const AGREEMENT = {
  id: "RENT-1", type: "recurring", amount_variability: "variable", cycle_interval_days: 30, expiry_date: "2031-12-31", frequency: "monthly", total_cycles: 99,
};
const UNDER_AGREEMENT = { payment_type: "auto_debit", amount: "10.250", customer_id: "c-1", agreement: AGREEMENT };

export class Trade {
  /** The token of the saved card, once there is one. */
  token;
  stub = new SandboxStub();
  #till;

  /** @param {import("./harness.mjs").Till} till which sends over sockets */
  constructor(till) {
    this.#till = till;
  }

  /** Makes the merchant, with these settings as well, and saves the card of a customer. */
  async begin(settings = {}) {
    await this.stub.listen();
    this.merchant = await this.#till.createMerchant({ gateways: [purchasing("sandbox", this.stub.origin, { api_key: KEY })], ...settings });
    const { webhook } = await this.pay(UNDER_AGREEMENT);
    this.token = webhook.body.token.token;
    return this;
  }

  /** Trades go on with another Worker. */
  moveTo(till) {
    till.merchant = this.merchant;
    this.#till = till;
  }

  /** A payer who is on the bank's page. */
  async begun(fields = {}) {
    const payment = await open(this.#till, { pg_codes: ["shop"], ...fields });
    const sent = await choose(this.#till, payment, "shop");
    assert.equal(sent.status, 303, sent.text);
    const [{ reference }] = await attempts(this.#till, payment);
    return { ...payment, reference };
  }

  /** The payer pays on the bank's page, and comes back. */
  async finish(payment) {
    this.stub.pay(payment.reference);
    await this.#till.fetch(await returnPath(this.#till, payment.reference));
    return this.notified(payment);
  }

  /** The payment succeeded, and the merchant was notified by a webhook that it can verify. */
  async notified(payment) {
    assert.deepEqual(await standing(this.#till, payment), ["paid", "success"]);
    const [webhook] = await untilWebhooks(this.#till, payment);
    assert.deepEqual(new Webhook(this.merchant.webhook_signing_secret).verify(webhook.text, webhook.headers), webhook.body);
    assert.equal(webhook.body.result, "success");
    return { ...payment, webhook };
  }

  async pay(fields) {
    return this.finish(await this.begun(fields));
  }

  /** The merchant charges the saved card. */
  async debit() {
    const payment = await open(this.#till, { pg_codes: ["shop"], ...UNDER_AGREEMENT });
    const { status, body, text } = await this.#till.call("/b/pbl/v2/payment/auto-debit/", {
      method: "POST", headers: this.#till.privateKey(), json: { session_id: payment.session_id, token: this.token },
    });
    assert.deepEqual([status, body.result, body.state], [200, "success", "paid"], text);
    return payment;
  }

  async refund({ session_id }, amount) {
    const { status, body, text } = await this.#till.call("/b/pbl/v2/operation/", {
      method: "POST", headers: this.#till.privateKey(), json: { session_id, operation: "refund", amount },
    });
    assert.equal(status, 200, text);
    return body;
  }

  /** One of everything: a payment with its webhook, a charge of the saved card, a refund. */
  async all() {
    const paid = await this.pay();
    await this.debit();
    await this.refund(paid, "1.000");
    return paid;
  }
}
