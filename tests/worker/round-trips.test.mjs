/**
 * How often each kind of request asks the database, once the isolate knows the merchant: what payers and servers wait for
 * where a database is milliseconds away. A request that needs more is a change of this table.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { staff } from "./desk.mjs";
import { start } from "./harness.mjs";
import { NAVIGATION, choose, open, openPage } from "./payer.mjs";
import { appleToken, payByWallet } from "./wallets.mjs";

const CREATE = "/b/checkout/v1/pymt-txn/";
let till, visitor;
before(async () => {
  till = await start();
  await till.createMerchant();
  // What the isolate learns of the merchant, of its key, and of today's calls.
  for (let call = 0; call < 3; call += 1) await open(till);
  visitor = await staff(till, "trips");
  await visitor.get("/");
});
after(() => till.stop());

const fresh = (fields) => open(till, { pg_codes: ["credit-card"], amount: "10.000", ...fields });
const json = (path, method, body, headers = {}) => till.call(path, { method, json: body, headers: { ...till.privateKey(), ...headers } });
const get = (path, headers) => till.call(path, { headers: { ...till.privateKey(), ...headers } });
const oneStep = (headers) =>
  till.create({ pg_codes: ["credit-card"], amount: "5.000", payment_instrument: { instrument_type: "apple_pay", payload: JSON.parse(appleToken("visa-approve")) } }, headers);
const paid = async () => {
  const payment = await fresh();
  const answer = await payByWallet(till, payment);
  assert.equal(answer.status, 200, answer.text);
  return payment;
};
const key = () => ({ "idempotency-key": `trips-${Math.random()}` });

/** Of these, each time asks the database with one statement. */
const desk = (path, headers) => visitor.get(path, { headers });

/** Each kind: what is prepared, how it asks, and how often that asks the database. */
const KINDS = {
  "create": { ask: (_, headers) => till.create({}, headers), trips: 1 },
  "create, with an idempotency key": { ask: (_, headers) => till.create({}, { ...key(), ...headers }), trips: 1 },
  "create, the same again": {
    prepare: async () => {
      const again = key();
      await till.create({}, again);
      return again;
    },
    ask: (again, headers) => till.create({}, { ...again, ...headers }),
    trips: 2,
  },
  "create and charge": { ask: (_, headers) => oneStep(headers), trips: 3 },
  "create and charge, with an idempotency key": { ask: (_, headers) => oneStep({ ...key(), ...headers }), trips: 3 },
  "retrieve": { prepare: fresh, ask: ({ session_id }, headers) => till.retrieve(session_id, headers), trips: 1 },
  "list": { ask: (_, headers) => get(CREATE, headers), trips: 3 },
  "search": { prepare: paid, ask: ({ session_id }, headers) => get(`${CREATE}?search=${session_id}`, headers), trips: 3 },
  "payment methods": { ask: (_, headers) => json("/b/pbl/v2/payment-methods/", "POST", { plugin: "e_commerce" }, headers), trips: 1 },
  "PATCH": { prepare: fresh, ask: ({ session_id }, headers) => json(`${CREATE}${session_id}/`, "PATCH", { order_no: "A-2" }, headers), trips: 2 },
  "native wallet": { prepare: fresh, ask: (payment, headers) => payByWallet(till, payment, { headers: { ...till.privateKey(), ...headers } }), trips: 3 },
  "native wallet, with an idempotency key": {
    prepare: fresh,
    ask: (payment, headers) => payByWallet(till, payment, { headers: { ...till.privateKey(), ...key(), ...headers } }),
    trips: 3,
  },
  "cash": { prepare: () => fresh({ pg_codes: ["cash"] }), ask: ({ session_id }, headers) => json("/b/pbl/v2/payment/cash/", "POST", { session_id }, headers), trips: 2 },
  "inquiry": { prepare: paid, ask: ({ session_id }, headers) => json("/b/pbl/v2/inquiry/", "POST", { session_id }, headers), trips: 4 },
  "refund": { prepare: paid, ask: ({ session_id }, headers) => json("/b/pbl/v2/operation/", "POST", { session_id, operation: "refund", amount: "1.000" }, headers), trips: 6 },
  "page, the first view": { prepare: fresh, ask: (payment, headers) => openPage(till, payment, { ...NAVIGATION, ...headers }), trips: 2 },
  "page, again": {
    prepare: async () => {
      const payment = await fresh();
      await openPage(till, payment);
      return payment;
    },
    ask: (payment, headers) => openPage(till, payment, { ...NAVIGATION, ...headers }),
    trips: 1,
  },
  "page of a payment": { prepare: paid, ask: (payment, headers) => openPage(till, payment, { ...NAVIGATION, ...headers }), trips: 4 },
  "status": { prepare: fresh, ask: ({ session_id }, headers) => till.call(`/b/checkout/redirect/status/${session_id}/`, { headers }), trips: 1 },
  "desk, first screen": { ask: (_, headers) => desk("/", headers), trips: 6 },
  "desk, list": { prepare: paid, ask: (_, headers) => desk("/payments/", headers), trips: 3 },
  "desk, list, by filters": { ask: (_, headers) => desk("/payments/?state=paid,refunded&pg_code=credit-card&has_refund=false", headers), trips: 3 },
  "desk, search": { prepare: paid, ask: ({ session_id }, headers) => desk(`/payments/?search=${session_id}`, headers), trips: 3 },
  "desk, approvals": { ask: (_, headers) => desk("/approvals/", headers), trips: 3 },
  "desk, approvals, by state": { ask: (_, headers) => desk("/approvals/?state=done", headers), trips: 3 },
  "desk, attention": { ask: (_, headers) => desk("/attention/", headers), trips: 3 },
  "desk, deliveries": { ask: (_, headers) => desk("/deliveries/", headers), trips: 2 },
  "desk, totals": { ask: (_, headers) => desk("/totals/", headers), trips: 2 },
  "pay on a gateway's page": { prepare: fresh, ask: (payment, headers) => choose(till, payment, "credit-card", headers), trips: 3 },
};

test("each kind of request asks the database as often as the table says", async () => {
  const counted = {};
  for (const [name, { prepare = () => undefined, ask }] of Object.entries(KINDS)) {
    const id = `trips-${Object.keys(counted).length}`;
    const answer = await ask(await prepare(), { "x-request-id": id });
    assert.ok(answer.status < 400, `${name}: ${answer.status} ${answer.text}`);
    counted[name] = await till.roundTrips(id);
  }
  assert.deepEqual(counted, Object.fromEntries(Object.entries(KINDS).map(([name, { trips }]) => [name, trips])));
});
