/**
 * One merchant at one gateway: the Worker, a fault proxy, and the gateway's stub behind it. It has the calls of `Till` that
 * `payer.mjs` needs, made in the name of its own merchant, so that several worlds share one Worker.
 */
import assert from "node:assert/strict";
import { demoSettings } from "../harness.mjs";
import { attempts, choose, deliverNow, eventually, inquireNow, open, returnPath, webhooks } from "../payer.mjs";
import { FaultProxy } from "./proxy.mjs";

/** The states in which money was taken or held, or was and then released. */
const TAKEN = ["paid", "authorized", "refunded"];

export class World {
  /** The payments that were opened since the last audit. */
  payments = [];
  proxy = new FaultProxy();
  #till;

  /**
   * @param {import("../harness.mjs").Till} till
   * @param {import("./adapters.mjs").Adapter} adapter
   */
  constructor(till, adapter) {
    this.#till = till;
    this.adapter = adapter;
    this.url = till.url;
    this.stub = new adapter.Stub();
  }

  async start() {
    await this.stub.listen();
    await this.proxy.listen(this.stub.origin);
    this.stub.origin = this.proxy.origin;
    this.merchant = await this.#till.createMerchant({ gateways: this.adapter.gateways(this.proxy.origin) });
    return this;
  }

  async stop() {
    await this.proxy.close();
    await this.stub.close();
    assert.deepEqual(this.proxy.errors, []);
  }

  call(path, init) {
    return this.#till.call(path, init);
  }

  fetch(path, init) {
    return this.#till.fetch(path, init);
  }

  rows(sql, ...values) {
    return this.#till.rows(sql, ...values);
  }

  scheduled() {
    return this.#till.scheduled();
  }

  privateKey() {
    return this.#till.privateKey(this.merchant);
  }

  create(body, headers = {}) {
    return this.#till.create(body, { ...this.privateKey(), ...headers });
  }

  retrieve(session_id, headers = {}) {
    return this.#till.retrieve(session_id, { ...this.privateKey(), ...headers });
  }

  /** Calls the operator API about this merchant; `path` is the part after its id. */
  operator(path, init) {
    return this.#till.operator(`/merchants/${this.merchant.merchant_id}${path}`, init);
  }

  /** A server's call with the private key. */
  post(path, json, headers = {}) {
    return this.call(path, { method: "POST", headers: { ...this.privateKey(), ...headers }, json });
  }

  /** A payment of this merchant, which the audit after the case looks at. */
  async open(fields = {}) {
    const payment = await open(this, { pg_codes: ["shop"], ...this.adapter.payer, ...fields });
    this.payments.push(payment);
    return payment;
  }

  /** A payer who was sent to the gateway's page. */
  async sentTo(pg_code, fields = {}, form = {}) {
    const payment = await this.open({ pg_codes: [pg_code], ...fields });
    const sent = await choose(this, payment, pg_code, {}, form);
    assert.equal(sent.status, 303, sent.text);
    const page = sent.headers.get("location");
    assert.ok(!page.startsWith(`${this.url}/b/checkout/`), `back to our own page: ${page}`);
    return this.known({ ...payment, pg_code, page });
  }

  /** A payment with the reference of its newest attempt, and the address at which the payer comes back. */
  async known(payment) {
    const { reference, page_url } = (await attempts(this, payment)).at(-1);
    return { ...payment, reference, page: payment.page ?? page_url, returns: this.url + await returnPath(this, reference) };
  }

  /** The browser comes back from the gateway; returns where it lands. */
  async comeBack(address) {
    const returned = await this.fetch(address);
    assert.equal(returned.status, 303);
    return returned.headers.get("location");
  }

  /** A payer who pays on the page and comes back; what the gateway reports by itself has arrived. */
  async paid(pg_code = "shop", fields = {}, form = {}) {
    const payment = await this.sentTo(pg_code, fields, form);
    await this.comeBack(this.adapter.pay(this, payment));
    await this.reported(payment);
    return payment;
  }

  /** The gateway reports a charge. */
  callBack(payment) {
    return this.send(this.adapter.callback(this, payment));
  }

  /** The gateway reports something. */
  send({ path, body, headers }) {
    return this.call(path, { method: "POST", body, headers });
  }

  /** What the gateway reports by itself about a charge, if Till waits for it. */
  async reported(payment) {
    if (!this.adapter.reports) return;
    const answer = await this.callBack(payment);
    assert.equal(answer.status, 200, answer.text);
  }

  /** A payment by wallet, on the path that the payer's page uses or on that of the merchant's server. */
  payByWallet({ session_id }, wallet, payload, { isPayer = false, pg_code = "shop" } = {}) {
    const body = isPayer
      ? `{"code":"${pg_code}","session_id":"${session_id}","${wallet === "apple-pay" ? "apple" : "google"}_pay_payload":${payload}}`
      : `{"session_id":"${session_id}","payload":${payload}}`;
    const path = isPayer ? `/b/checkout/api/sdk/v1/${wallet === "apple-pay" ? "apay" : "gpay"}/pay/` : `/b/pbl/v2/payment/${wallet}/`;
    return this.call(path, { method: "POST", headers: { ...this.privateKey(), "content-type": "application/json" }, body });
  }

  /** An operation of the merchant, and, if the gateway does it later, its report. */
  async operate(payment, operation, fields = {}, headers = {}) {
    const asked = await this.post("/b/pbl/v2/operation/", { session_id: payment.session_id, operation, ...fields }, headers);
    const { result, reference_number } = asked.body;
    if (asked.status === 200 && result === "queued" && this.stub.knows?.(reference_number)) {
      await this.finish(payment, operation, reference_number);
      await this.untilDecided(payment, reference_number);
    }
    return asked;
  }

  /** The gateway reports that a queued operation is done. */
  finish(payment, operation, reference) {
    return this.send(this.adapter.finish(this, payment, operation, reference));
  }

  /** Some gateways are asked about an operation once their report was answered. */
  async untilDecided(payment, reference) {
    const isDecided = (child) => child.reference === reference && ["done", "rejected"].includes(child.stage);
    await eventually("the end of the operation", async () => (await this.children(payment)).some(isDecided));
  }

  /** Pays with a card that is saved; returns the token of the card. */
  async savedCard(customer_id, fields = this.adapter.savesByPaying ? {} : { payment_type: "save_card", amount: "0" }) {
    const [known, form] = this.adapter.savesByPaying ? [{ customer_phone: "+96550001234" }, { save_card: "true" }] : [{}, {}];
    const payment = await this.paid("shop", { customer_id, ...known, ...fields }, form);
    const notified = await eventually("the card", async () => (await webhooks(this, payment)).find(({ body }) => body.token));
    return notified.body.token;
  }

  /** Sends other settings of this merchant; returns the answer. */
  configure(gateways) {
    return this.operator("/settings/", { method: "PUT", json: { ...demoSettings(), gateways } });
  }

  /** The operations of a payment, oldest first. */
  children({ session_id }) {
    return this.rows("SELECT operation, stage, amount, reference, pg_code FROM child WHERE parent_id = ?1 ORDER BY number", session_id);
  }

  /** Moves the merchant's clock and the gateway's, and does what is due then. */
  async later(seconds) {
    this.stub.offset += seconds * 1000;
    const moved = await this.operator("/clock/", { method: "POST", json: { advance: String(seconds) } });
    assert.equal(moved.status, 200, moved.text);
    return moved.body;
  }

  inquireNow(payment) {
    return inquireNow(this, payment);
  }

  /** What waits for a person, of this merchant. */
  async attention() {
    const { body } = await this.#till.operator("/attention/");
    return body.filter(({ merchant_id }) => merchant_id === this.merchant.merchant_id);
  }

  resolve({ id }, action) {
    return this.#till.operator(`/attention/${id}/resolve/`, { method: "POST", json: { action } });
  }

  /**
   * Compares Till with the gateway for every payment since the last audit: what was taken was taken once and with the same
   * amount, every operation moved the same money on both sides, and every event was notified once.
   */
  async audit() {
    const audited = this.payments;
    this.payments = [];
    for (const payment of audited) await this.auditOne(payment);
  }

  /** The same for one payment. */
  async auditOne(payment) {
    const { body } = await this.retrieve(payment.session_id);
    const tries = await attempts(this, payment);
    const sums = { charges: [], captured: 0, refunded: 0, voided: 0 };
    for (const { reference, total, stage } of tries) {
      const { charges, ...moved } = this.stub.ledger(reference);
      assert.deepEqual(charges, stage === "success" && total > 0 ? [total] : [], `${reference}, ${stage} here, at the gateway`);
      sums.charges.push(...charges);
      for (const [name, amount] of Object.entries(moved)) sums[name] += amount;
    }
    const isTaken = TAKEN.includes(body.state) || (body.state === "canceled" && sums.voided > 0);
    assert.equal(sums.charges.length, isTaken && Number(body.amount) > 0 ? 1 : 0, `a transaction that is ${body.state}`);
    const children = await this.children(payment);
    const done = (operation) => children.filter((child) => child.operation === operation && child.stage === "done").reduce((sum, { amount }) => sum + amount, 0);
    const isHeld = children.some(({ operation }) => operation !== "refund") || body.state === "authorized";
    assert.deepEqual([sums.captured, sums.refunded, sums.voided], [isHeld ? done("capture") : sums.charges[0] ?? 0, done("refund"), done("void")], "the sums at the gateway");
    await this.#auditWebhooks(payment);
  }

  async #auditWebhooks(payment) {
    await deliverNow(this, payment);
    const received = await webhooks(this, payment);
    const events = received.map(({ body }) => [body.reference_number, body.dispute?.status, body.operation, body.result].filter(Boolean).join(" "));
    const ends = events.filter((event) => !event.endsWith(" pending"));
    assert.deepEqual(ends, [...new Set(ends)], "an outcome was notified more than once");
    // A payment becomes unknown again if its page was found in between.
    const [{ notes }] = await this.rows("SELECT COUNT(*) AS notes FROM txn_event WHERE session_id = ?1 AND kind = 'attempt_noted'", payment.session_id);
    assert.ok(events.length - ends.length <= notes, `${events.length - ends.length} of ${notes} events were notified as pending`);
    assert.equal(new Set(received.map(({ headers }) => headers["webhook-id"])).size, received.length, "a webhook came twice");
    for (const { reference, stage } of await attempts(this, payment)) {
      if (stage === "success" || stage === "failed") assert.ok(events.some((event) => event.startsWith(reference) && event.endsWith(` ${stage}`)), `${stage} of ${reference} in ${events}`);
    }
    for (const { reference, stage } of await this.children(payment)) {
      const result = { done: "success", rejected: "failed" }[stage];
      if (result) assert.ok(events.some((event) => event.startsWith(reference) && event.endsWith(` ${result}`)), `${result} of ${reference} in ${events}`);
    }
  }
}
