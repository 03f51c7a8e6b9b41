/**
 * Two requests at once about one transaction, one of which changes it: the result is that of one order of the
 * two.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { JSON_ONLY, startForTests, till } from "./banks.mjs";
import { assertProblem, attempts, choose, events, open } from "./payer.mjs";

const CREATE = "/b/checkout/v1/pymt-txn/";
const ROUNDS = 10;

startForTests();

const path = ({ session_id }) => `${CREATE}${session_id}/`;
const patch = (payment, json, headers = {}) =>
  till.call(path(payment), { method: "PATCH", headers: { ...till.privateKey(), ...headers }, json });

const required = (fields) => ({ type: "e_commerce", amount: "10.250", currency_code: "KWD", pg_codes: ["bank"], ...fields });

/** The numbers of the events of a transaction: without gaps, and the last is the version. */
async function assertUnbroken({ session_id }) {
  const numbers = (await till.rows("SELECT number FROM txn_event WHERE session_id = ?1 ORDER BY number", session_id)).map(({ number }) => number);
  const [{ version }] = await till.rows("SELECT version FROM txn WHERE session_id = ?1", session_id);
  assert.deepEqual(numbers, Array.from({ length: version }, (_, place) => place + 1));
}

test("of twenty patches at once with one tag, one is done and the others learn it", async () => {
  const payment = await open(till, { pg_codes: ["bank"] });
  const { headers } = await till.retrieve(payment.session_id);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, place) => patch(payment, { order_no: `B-${place}` }, { "if-match": headers.get("etag") })),
  );
  const done = answers.filter(({ status }) => status === 200);
  assert.equal(done.length, 1);
  for (const answer of answers) if (answer !== done[0]) assertProblem(answer, 412, "precondition_failed");
  const now = await till.retrieve(payment.session_id);
  assert.deepEqual([now.body.order_no, now.headers.get("etag")], [done[0].body.order_no, done[0].headers.get("etag")]);
  assert.equal((await events(till, payment)).filter((kind) => kind === "updated").length, 1);
});

test("patches at once of different fields without a tag lose nothing that was answered with 200", async () => {
  const fields = ["order_no", "product_type", "vendor_name", "customer_first_name", "customer_last_name"];
  for (let round = 0; round < ROUNDS; round += 1) {
    const payment = await open(till, { pg_codes: ["bank"] });
    const answers = await Promise.all(fields.map((field) => patch(payment, { [field]: `new-${round}` })));
    const { body } = await till.retrieve(payment.session_id);
    answers.forEach(({ status, body: { code } }, place) => {
      if (status === 200) assert.equal(body[fields[place]], `new-${round}`, fields[place]);
      else assert.deepEqual([status, code], [409, "conflict"]);
    });
    assert.ok(answers.some(({ status }) => status === 200));
    await assertUnbroken(payment);
  }
});

test("a payer who pays while the amount changes is charged the amount that is stored", async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const payment = await open(till, { pg_codes: ["bank"], amount: "10.000" });
    const [paid, patched] = await Promise.all([choose(till, payment, "bank", JSON_ONLY), patch(payment, { amount: "20.000" })]);
    assert.ok(paid.status === 200 || paid.body.code === "attempt_in_progress" || paid.body.code === "conflict", paid.text);
    const { body } = await till.retrieve(payment.session_id);
    if (patched.status === 200) assert.equal(body.amount, "20.000");
    else assert.deepEqual([patched.status, ["attempt_in_progress", "conflict"].includes(patched.body.code), body.amount], [409, true, "10.000"]);
    const all = await attempts(till, payment);
    assert.ok(all.length <= 1);
    for (const attempt of all) assert.equal(attempt.amount, body.amount === "20.000" ? 20_000 : 10_000);
    await assertUnbroken(payment);
  }
});

test("other fields may change while a payer pays, and the payment goes on", async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const payment = await open(till, { pg_codes: ["bank"] });
    const [paid, patched] = await Promise.all([choose(till, payment, "bank", JSON_ONLY), patch(payment, { order_no: "late" })]);
    assert.ok([200, 409].includes(paid.status) && [200, 409].includes(patched.status), `${paid.text}\n${patched.text}`);
    assert.equal((await till.retrieve(payment.session_id)).body.order_no, patched.status === 200 ? "late" : "A-1");
    await assertUnbroken(payment);
  }
});

test("a put that meets the sweep at the end of its time is done or refused, and never brings an ended transaction back", async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const payment = await open(till, { pg_codes: ["bank"], expiration_time: "00:00:01" });
    await sleep(960 + round * 10);
    const body = required({ expiration_time: "1 00:00:00" });
    const [put] = await Promise.all([
      till.call(path(payment), { method: "PUT", headers: till.privateKey(), json: body }),
      till.scheduled(),
    ]);
    const { body: now } = await till.retrieve(payment.session_id);
    if (put.status === 200) assert.equal(now.state, "created");
    else {
      assert.ok(["not_updatable", "conflict"].includes(put.body.code), put.text);
      assert.ok(put.body.code === "conflict" || now.state === "expired", now.state);
    }
    await assertUnbroken(payment);
  }
});

test("one idempotency key twice at once, as a form and as JSON, makes one transaction", async () => {
  const headers = (key) => ({ ...till.privateKey(), "idempotency-key": key });
  const form = new URLSearchParams(Object.entries(required()).map(([name, value]) => [name, String(value)]));
  for (let round = 0; round < ROUNDS; round += 1) {
    const order_no = `both-${round}`;
    form.set("order_no", order_no);
    const send = (init) => till.call(CREATE, { method: "POST", headers: headers(order_no), ...init });
    const answers = await Promise.all([send({ body: form }), send({ json: required({ order_no }) })]);
    const [made] = answers.filter(({ status }) => status === 201);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 422]);
    assertProblem(answers.find(({ status }) => status === 422), 422, "idempotency_key_reused");
    const rows = await till.rows("SELECT session_id FROM txn WHERE order_no = ?1", order_no);
    assert.deepEqual(rows, [{ session_id: made.body.session_id }]);
  }
});
