/** Callbacks of a bank outside: repeated, unsigned, without sense, too early or too late. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { never, sign } from "./bank.mjs";
import { bank, chosen, startForTests, till } from "./banks.mjs";
import { OutboundResponse } from "./harness.mjs";
import { assertProblem, attempts, choose, events, open, returnPath, standing, stateOf, untilWebhooks } from "./payer.mjs";

startForTests();

test("a callback settles, and repeated at once or later teaches nothing new", async () => {
  const payment = await chosen();
  const charge = bank.end(payment.reference);
  const answers = await Promise.all(Array.from({ length: 20 }, () => bank.callBack(payment.reference, charge)));
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
  await bank.callBack(payment.reference, charge);
  assert.deepEqual(await standing(till, payment), ["paid", "success"]);
  assert.deepEqual(await events(till, payment), ["created", "attempt_opened", "attempt_noted", "purchase_succeeded"]);
  await till.scheduled();
  const received = await untilWebhooks(till, payment);
  assert.equal(received.length, 1);
  assert.deepEqual(received[0].body.gateway_response, charge);
});

test("a callback and the browser's return at once have one outcome", async () => {
  for (let round = 0; round < 5; round += 1) {
    const payment = await chosen();
    bank.end(payment.reference);
    const path = await returnPath(till, payment.reference);
    const [called, returned] = await Promise.all([bank.callBack(payment.reference), till.fetch(path), till.fetch(path)]);
    assert.deepEqual([called.status, returned.status], [200, 303]);
    assert.deepEqual(await standing(till, payment), ["paid", "success"]);
    await till.scheduled();
    assert.equal((await untilWebhooks(till, payment)).length, 1);
  }
});

test("a callback that is not signed by the bank changes nothing", async () => {
  const payment = await chosen();
  const charge = { ...bank.charges.get(payment.reference), status: "approved", page_url: undefined };
  const before = await events(till, payment);
  const body = JSON.stringify(charge);
  for (const signature of ["", "00", sign(body, "another-key"), sign(`${body} `), sign(body).toUpperCase(), `${sign(body)}00`, `sha256=${sign(body)}`]) {
    assertProblem(await bank.callBack(payment.reference, charge, { "sandbox-signature": signature }), 401, "signature_invalid");
  }
  assert.deepEqual(await events(till, payment), before);
});

test("a signed callback that makes no sense leaves the attempt open", async () => {
  for (const body of ["{}", "garbage", "[]", "", '{"status":"approved"}']) {
    const payment = await chosen();
    const answer = await bank.callBack(payment.reference, body);
    assert.equal(answer.status, 200, body);
    assert.equal(await stateOf(till, payment), "pending");
    bank.end(payment.reference);
    await bank.callBack(payment.reference);
    assert.deepEqual(await standing(till, payment), ["paid", "success"]);
  }
});

test("callbacks of attempts that do not exist or have no bank answer 404, and large ones 413", async () => {
  const payment = await chosen();
  assertProblem(await bank.callBack("ABCDEFGHJKMN", "{}"), 404, "not_found");
  const cash = await open(till, { pg_codes: ["cash"] });
  await choose(till, cash, "cash");
  const [{ reference }] = await attempts(till, cash);
  assertProblem(await bank.callBack(reference, "{}"), 404, "not_found");
  assertProblem(await bank.callBack(payment.reference, " ".repeat(65_537)), 413, "body_too_large");
});

test("a callback that overtakes the answer to the opening request wins", async () => {
  bank.instead.open = async ({ body }, usual) => {
    const opened = await usual().text();
    const { reference } = JSON.parse(body);
    assert.equal((await bank.callBack(reference, bank.end(reference))).status, 200);
    return new OutboundResponse(opened, { status: 201 });
  };
  const payment = await chosen();
  assert.deepEqual(await standing(till, payment), ["paid", "success"]);
  assert.equal(payment.sent.body.redirect_url, till.url + await returnPath(till, payment.reference));
  await till.scheduled();
  assert.equal((await untilWebhooks(till, payment)).length, 1);
});

test("a success never turns into anything else", async () => {
  const payment = await chosen();
  await bank.callBack(payment.reference, bank.end(payment.reference));
  const before = await events(till, payment);
  for (const status of ["declined", "canceled", "open", "processing"]) {
    await bank.callBack(payment.reference, { ...bank.charges.get(payment.reference), status, page_url: "https://pay.bank.example.com/" });
  }
  assert.deepEqual(await standing(till, payment), ["paid", "success"]);
  assert.deepEqual(await events(till, payment), before);
});

test("an approval after a decline is a late success", async () => {
  const payment = await chosen();
  await bank.callBack(payment.reference, bank.end(payment.reference, "declined"));
  assert.deepEqual(await standing(till, payment), ["attempted", "failed"]);
  await bank.callBack(payment.reference, bank.end(payment.reference, "approved"));
  assert.deepEqual(await standing(till, payment), ["paid", "success"]);
  const received = await untilWebhooks(till, payment, 2);
  assert.deepEqual(received.map(({ body }) => [body.result, body.state]), [["failed", "attempted"], ["success", "paid"]]);
});
