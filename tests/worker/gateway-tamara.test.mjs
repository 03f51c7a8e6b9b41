/** Tamara end to end over HTTP: its page, authorisation, captures, refunds, voids and notifications, against a stub of its API. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { KEY, SECRET, TamaraStub } from "./tamara-stub.mjs";
import { assertProblem, attempts, choose, events, eventually, inquireNow, open, standing, untilWebhooks } from "./payer.mjs";
import { LOST, comeBack, notify, operate, reported, sentTo, startWith, till } from "./stub.mjs";

const tamara = new TamaraStub();

const gateway = (endpoint, members = {}) => ({
  code: "tamara", name: { en: "Pay later with Tamara", ar: "ادفع لاحقًا مع تمارا" }, connector: "tamara", pg_name: "tamara", operation: "purchase", currencies: ["KWD"],
  default_currency: "KWD", sandbox: true, operations: ["refund"], credentials: { api_token: KEY, notification_token: SECRET, country: "KW" }, endpoint, ...members,
});
const gateways = (endpoint) => [gateway(endpoint), gateway(endpoint, { code: "held", operation: "authorize", operations: ["capture", "refund", "void"] })];
startWith(tamara, gateways);

const PAYER = { customer_first_name: "Noura", customer_last_name: "Al-Sabah", customer_email: "noura@example.com", customer_phone: "+96590000001" };
const sent = (code = "tamara", fields = {}) => sentTo(code, { ...PAYER, ...fields });

/** Tamara is asked after its notification was answered. */
const untilPaid = (payment) => eventually("paid", async () => (await standing(till, payment)).join() === "paid,success");

/** A payment that was paid on the page, whose payer came back. */
async function paid(code = "tamara", fields = {}) {
  const payment = await sent(code, fields);
  await comeBack(tamara.pay(payment.reference));
  return payment;
}

/** A notification at the address that was given with an order. */
const notified = ({ reference }, [body, headers], query = "") =>
  till.call(`/b/gw/v1/callback/${reference}/${query}`, { method: "POST", headers: { "content-type": "application/json", ...headers }, body });

test("the payer pays on Tamara's page and comes back, the order is authorised and captured, and the merchant learns of it once", async () => {
  const payment = await sent();
  const { price, currency, consumer, urls } = tamara.orderOf(payment.reference);
  assert.match(payment.page, /^https:\/\/checkout-sandbox\.tamara\.co\/c\//);
  assert.deepEqual([price, currency, consumer.phone_number, urls.success], [10_250, "KWD", "+96590000001", payment.returns]);
  await comeBack(tamara.pay(payment.reference));
  assert.deepEqual(await standing(till, payment), ["paid", "success"]);
  const { id, status, captures } = tamara.orderOf(payment.reference);
  assert.deepEqual([status, captures.length, captures[0].shipping_info.tracking_number], ["fully_captured", 1, payment.reference]);
  const [{ body }] = await untilWebhooks(till, payment);
  assert.deepEqual([body.result, body.state, body.amount], ["success", "paid", "10.250"]);
  const { payment_id, track_id, transaction_id } = reported(body);
  assert.deepEqual([payment_id, track_id, transaction_id], [id, payment.reference, captures[0].capture_id]);
  assert.deepEqual(tamara.refused(), []);
});

test("a payer whom Tamara declines can choose again, and one who leaves the page can go back to it", async () => {
  const declined = await sent();
  await comeBack(tamara.decline(declined.reference));
  assert.deepEqual(await standing(till, declined), ["attempted", "failed"]);
  assert.equal((await choose(till, declined, "tamara")).status, 303);
  const left = await sent();
  await comeBack(tamara.leave(left.reference));
  assert.deepEqual(await standing(till, left), ["pending", "redirected"]);
  await comeBack(tamara.pay(left.reference));
  assert.deepEqual(await standing(till, left), ["paid", "success"]);
});

test("a payer who does not come back is found by the notification, whose token is checked, and which is only a reason to ask", async () => {
  const payment = await sent();
  tamara.pay(payment.reference);
  for (const token of [tamara.token("another"), tamara.token(SECRET, -120), "not.a.token"]) {
    assertProblem(await notified(payment, tamara.notification(payment.reference, "order_approved", token)), 401, "signature_invalid");
  }
  const [body] = tamara.notification(payment.reference);
  assertProblem(await notified(payment, [body, {}]), 401, "signature_invalid");
  assert.deepEqual((await standing(till, payment))[1], "redirected");
  assert.equal((await notified(payment, [body, {}], `?tamaraToken=${tamara.token()}`)).status, 200, "the token in the address");
  await untilPaid(payment);
  const known = await events(till, payment);
  assert.equal((await notified(payment, tamara.notification(payment.reference, "order_captured"))).status, 200);
  assert.deepEqual(await events(till, payment), known);
  // What a notification says is not believed: nobody has paid this one.
  const unpaid = await sent();
  assert.equal((await notify("tamara", ...tamara.notification(unpaid.reference, "order_captured"))).status, 200);
  assert.deepEqual(await standing(till, unpaid), ["pending", "redirected"]);
});

for (const by of LOST) {
  test(`an authorisation and a capture whose answers are lost by ${by} are made once`, async () => {
    for (const path of [/\/authorise$/, /\/capture$/]) {
      const payment = await sent();
      tamara.lost = { by, of: (request) => path.test(request.path) };
      await comeBack(tamara.pay(payment.reference));
      tamara.lost = undefined;
      if ((await standing(till, payment))[1] !== "success") await inquireNow(till, payment);
      assert.deepEqual(await standing(till, payment), ["paid", "success"]);
      assert.deepEqual(tamara.ledger(payment.reference).captured, 10_250);
    }
  });

  test(`a page whose address is lost by ${by} is pending, and was never paid`, async () => {
    tamara.lost = { by, of: ({ path }) => path === "/checkout" };
    const payment = await open(till, { pg_codes: ["tamara"], ...PAYER });
    await choose(till, payment, "tamara");
    assert.deepEqual(await standing(till, payment), ["pending", "unknown"]);
    tamara.lost = undefined;
    const [{ reference }] = await attempts(till, payment);
    await till.rows("UPDATE attempt SET opened_at = opened_at - 120000 WHERE reference = ?1", reference);
    await inquireNow(till, payment);
    assert.deepEqual(await standing(till, payment), ["attempted", "error"]);
  });

  test(`a refund whose answer is lost by ${by} is made once, and found`, async () => {
    const payment = await paid();
    tamara.lost = { by, of: ({ path }) => path.startsWith("/payments/simplified-refund/") };
    const asked = await operate(payment, "refund", { amount: "4.000" });
    // The status of an answer that is cut short says that it was done, and the order says it too.
    assert.deepEqual([asked.status, asked.body.result], [200, by === "truncated JSON" ? "success" : "queued"], asked.text);
    tamara.lost = undefined;
    await till.rows("UPDATE child SET inquire_at = 0 WHERE reference = ?1", asked.body.reference_number);
    await till.scheduled();
    const [{ stage }] = await till.rows("SELECT stage FROM child WHERE reference = ?1", asked.body.reference_number);
    assert.deepEqual([stage, tamara.orderOf(payment.reference).refunds.length], ["done", 1]);
  });
}

test("a refund that was accepted and is not listed yet is never called refused, and is known by its id", async () => {
  const payment = await paid();
  let isAccepted = false;
  tamara.lost = {
    by: "a closed connection", of: ({ method, path }) => {
      isAccepted ||= path.startsWith("/payments/simplified-refund/");
      return isAccepted && method === "GET";
    },
  };
  const asked = await operate(payment, "refund", { amount: "4.000" });
  assert.deepEqual([asked.status, asked.body.result], [200, "queued"], asked.text);
  tamara.lost = undefined;
  const order = tamara.orderOf(payment.reference);
  const [made] = order.refunds.splice(0);
  const inquire = async () => {
    await till.rows("UPDATE child SET inquire_at = 0, opened_at = opened_at - 120000 WHERE reference = ?1", asked.body.reference_number);
    await till.scheduled();
    const [{ stage, gateway_id }] = await till.rows("SELECT stage, gateway_id FROM child WHERE reference = ?1", asked.body.reference_number);
    return [stage, gateway_id];
  };
  assert.deepEqual(await inquire(), ["unknown", made.refund_id]);
  order.refunds.push({ ...made, merchant_refund_id: undefined });
  assert.deepEqual(await inquire(), ["done", made.refund_id]);
});

test("what is held is captured in parts and refunded in parts", async () => {
  const payment = await paid("held");
  assert.deepEqual(await standing(till, payment), ["authorized", "success"]);
  for (const fields of [{ amount: "6.000" }, {}]) assert.equal((await operate(payment, "capture", fields)).status, 200);
  for (const fields of [{ amount: "4.000" }, {}]) assert.equal((await operate(payment, "refund", fields)).status, 200);
  assert.deepEqual(tamara.ledger(payment.reference), { charges: [10_250], captured: 10_250, refunded: 10_250, voided: 0 });
  assert.deepEqual(tamara.refused(), []);
});

test("what is held is released by a void", async () => {
  const payment = await paid("held");
  assert.equal((await operate(payment, "void")).status, 200);
  assert.deepEqual(tamara.ledger(payment.reference), { charges: [10_250], captured: 0, refunded: 0, voided: 10_250 });
});

test("the credentials are checked without charging", async () => {
  const answer = await till.operator(`/merchants/${till.merchant.merchant_id}/gateways/tamara/check/`, { method: "POST" });
  assert.equal(answer.body.result, "accepted");
});
