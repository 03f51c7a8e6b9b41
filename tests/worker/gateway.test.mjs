/**
 * A bank outside that hangs, fails, sends invalid answers or contradicts itself: what may have been charged
 * is never reported as failed.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { json, never } from "./bank.mjs";
import { JSON_ONLY, age, attention, bank, chosen, startForTests, till } from "./banks.mjs";
import { OutboundResponse } from "./harness.mjs";
import {
  assertProblem, attempts, choose, eventually, inquireNow, open, openPage, pollStatus, returnPath, standing, untilWebhooks, webhooks,
} from "./payer.mjs";

startForTests();

test("the payer is sent to the page of the bank, which was asked for the total once", async () => {
  const { sent, reference } = await chosen();
  assert.deepEqual([sent.status, sent.body.redirect_url], [200, `https://pay.bank.example.com/${reference}`]);
  const [request] = till.outbound.to("https://bank.example.com/base/v1/charges").slice(-1);
  assert.equal(request.method, "POST");
  assert.deepEqual(JSON.parse(request.body), {
    reference, amount: "10.250", currency: "KWD", operation: "purchase", language: "en", merchant: "Demo Store",
    return_url: till.url + await returnPath(till, reference), callback_url: `${till.url}/b/gw/v1/callback/${reference}/`,
  });
  assert.equal(bank.opened(reference), 1);
});

test("the page lets its form lead to the host of the bank", async () => {
  const payment = await open(till, { pg_codes: ["bank"] });
  const policy = (await openPage(till, payment)).headers.get("content-security-policy");
  assert.match(policy, /form-action 'self'[^;]* https:\/\/bank\.example\.com/);
});

/** Answers that name the charge, but are wrong in another way. */
const NAMES_A_CHARGE = [
  "an unknown currency", "an amount that is no amount", "a page that is a script", "a page without encryption", "no page", "processing",
];

for (const [what, answer, isKnown] of [
  ["500", () => json(500, { message: "oops" })],
  ["502 with a page", () => new OutboundResponse("<html>bad gateway</html>", { status: 502 })],
  ["429", () => json(429, { message: "slow down" })],
  ["a redirect", () => new OutboundResponse(null, { status: 302, headers: { location: "https://elsewhere.example.com/" } })],
  ["204", () => new OutboundResponse(null, { status: 204 })],
  ["garbage", () => new OutboundResponse("\u0000\u0001garbage", { status: 201 })],
  ["nothing", () => new OutboundResponse("", { status: 200 })],
  ["an empty object", () => json(201, {})],
  ["an array", () => json(201, [])],
  ["an unknown status", (_, usual) => mend(usual, { status: "settled" })],
  ["an amount that is a number", (_, usual) => mend(usual, { amount: 10.25 })],
  ["an amount that is no amount", (_, usual) => mend(usual, { amount: "10.25e0" })],
  ["an unknown currency", (_, usual) => mend(usual, { currency: "XYZ" })],
  ["a page that is a script", (_, usual) => mend(usual, { page_url: "javascript:alert(1)" })],
  ["a page without encryption", (_, usual) => mend(usual, { page_url: "http://pay.bank.example.com/x" })],
  ["no page", (_, usual) => mend(usual, { page_url: undefined })],
  ["processing", (_, usual) => mend(usual, { status: "processing" })],
  ["truncated JSON", async (_, usual) => new OutboundResponse((await usual().text()).slice(0, -10), { status: 201 })],
  ["sixteen megabytes", () => new OutboundResponse(endless(16 * 1024), { status: 201 })],
].map(([what, answer]) => [what, answer, NAMES_A_CHARGE.includes(what)])) {
  test(`a bank that answers ${what} may have charged: the attempt is pending, and the sweep finds out`, async () => {
    bank.instead.open = answer;
    const payment = await chosen();
    assert.deepEqual([payment.sent.status, payment.sent.body.redirect_url], [200, till.url + await returnPath(till, payment.reference)]);
    assert.deepEqual(await standing(till, payment), ["pending", "unknown"]);
    if (isKnown) {
      assert.equal((await pollStatus(till, payment)).status, "pending");
      // The bank has the charge: no one may pay a second time meanwhile.
      assertProblem(await choose(till, payment, "bank", JSON_ONLY), 409, "attempt_in_progress");
      assertProblem(await choose(till, payment, "cash", JSON_ONLY), 409, "attempt_in_progress");
    } else {
      assert.equal((await pollStatus(till, payment)).status, "declined", "nobody can have paid on a page that nobody was given");
    }
    bank.instead = {};
    if (!bank.charges.has(payment.reference)) bank.open({ reference: payment.reference, amount: "10.250", currency: "KWD", operation: "purchase" });
    bank.end(payment.reference);
    await inquireNow(till, payment);
    assert.deepEqual(await standing(till, payment), ["paid", "success"]);
    assert.equal(bank.opened(payment.reference), 1);
    const results = (await untilWebhooks(till, payment, 2)).map(({ body }) => [body.result, body.state]);
    assert.deepEqual(results, [["pending", "pending"], ["success", "paid"]]);
    // The page that still waits gets the address to go to.
    assert.equal(new URL((await pollStatus(till, payment)).redirect_url).pathname, "/sandbox/shop/");
  });
}

test("a bank whose page could not be opened leaves every method to the payer, and late news of it are recorded", async () => {
  for (const method of ["cash", "bank"]) {
    bank.instead = { open: () => json(503, {}), cancel: () => json(503, {}), inquire: () => json(503, {}) };
    const payment = await chosen();
    assert.deepEqual(await standing(till, payment), ["pending", "unknown"]);
    const { text } = await openPage(till, payment);
    assert.match(text, /The bank's page could not be opened/);
    assert.match(text, /id="pay-form"/);
    if (method === "bank") bank.instead.open = undefined;
    const again = await choose(till, payment, method, JSON_ONLY);
    assert.equal(again.status, 200, again.text);
    const [first, second] = await attempts(till, payment);
    assert.deepEqual([first.stage, second.stage], ["canceled", method === "cash" ? "cod" : "redirected"]);
    bank.instead = {};
    if (method === "cash") continue;
    // An impossible case, which is noticed all the same: the charge whose page no one got is approved.
    bank.open({ reference: first.reference, amount: "10.250", currency: "KWD", operation: "purchase" });
    await bank.callBack(first.reference, bank.end(first.reference));
    assert.equal((await attempts(till, payment))[0].stage, "success");
    bank.end(second.reference, "declined");
  }
});

/** The usual answer with other members. */
async function mend(usual, members) {
  return json(201, { ...(await usual().json()), ...members });
}

function endless(chunks) {
  let left = chunks;
  return new ReadableStream({
    pull(controller) {
      if (left-- <= 0) return controller.close();
      controller.enqueue(new Uint8Array(1024).fill(0x20));
    },
  });
}

for (const [what, members, reason] of [
  ["another amount", { amount: "10.249" }, "amount_mismatch"],
  ["another currency", { currency: "SAR", amount: "10.25" }, "amount_mismatch"],
  ["another reference", { reference: "SOMEBODYELSE1" }, "reference_mismatch"],
]) {
  test(`an answer about ${what} is held for a person and settles nothing`, async () => {
    bank.instead.open = (_, usual) => mend(usual, { ...members, status: "approved" });
    const payment = await chosen();
    assert.deepEqual(await standing(till, payment), ["pending", "unknown"]);
    assert.deepEqual(await attention(payment), [reason]);
    // It is neither asked about again nor put on the attention list again.
    await inquireNow(till, payment);
    assert.equal(bank.inquired(payment.reference), 0);
    await bank.callBack(payment.reference, { ...bank.charges.get(payment.reference), ...members, status: "approved" });
    assert.deepEqual(await attention(payment), [reason]);
    assert.deepEqual(await standing(till, payment), ["pending", "unknown"]);
    assertProblem(await choose(till, payment, "cash", JSON_ONLY), 409, "attempt_in_progress");
  });
}

for (const [pg_code, state] of [["bank", "attempted"], ["once", "failed"]]) {
  test(`a bank that refuses the request surely did not charge: the attempt is an error, the transaction ${state}`, async () => {
    bank.instead.open = () => json(400, { message: "merchant is closed" });
    const payment = await chosen({ pg_code });
    assert.deepEqual(await standing(till, payment), [state, "error"]);
    await till.fetch(payment.sent.body.redirect_url);
    const [{ body }] = await untilWebhooks(till, payment);
    assert.deepEqual([body.result, body.state, body.message], ["error", state, "merchant is closed"]);
  });
}

test("a bank that approves or declines at once needs no page", async () => {
  for (const [status, standingThen] of [["approved", ["paid", "success"]], ["declined", ["attempted", "failed"]]]) {
    bank.instead.open = (_, usual) => mend(usual, { status, page_url: undefined });
    const payment = await chosen();
    assert.deepEqual(await standing(till, payment), standingThen);
    const back = await till.fetch(payment.sent.body.redirect_url);
    assert.equal(back.status, 303);
    assert.equal((await webhooks(till, payment)).length, 1);
  }
});

test("a bank that knows no charge proves nothing at first, and later that the request never arrived", async () => {
  bank.instead.open = () => json(503, {});
  const payment = await chosen();
  await inquireNow(till, payment);
  assert.deepEqual(await standing(till, payment), ["pending", "unknown"]);
  await age(payment);
  await inquireNow(till, payment);
  assert.deepEqual(await standing(till, payment), ["attempted", "error"]);
  const received = await untilWebhooks(till, payment, 2);
  assert.deepEqual(received.map(({ body }) => body.result), ["pending", "error"]);
});

test("a bank that loses a charge whose page the payer saw is not believed", async () => {
  const payment = await chosen();
  bank.charges.delete(payment.reference);
  await age(payment);
  await till.fetch(await returnPath(till, payment.reference));
  assert.deepEqual(await standing(till, payment), ["pending", "unknown"]);
  await inquireNow(till, payment);
  assert.deepEqual(await standing(till, payment), ["pending", "unknown"]);
});

test("an unknown outcome whose page is found open sends the payer there again", async () => {
  bank.instead.open = (_, usual) => (usual(), json(500, {}));
  const payment = await chosen();
  await inquireNow(till, payment);
  assert.deepEqual(await standing(till, payment), ["pending", "redirected"]);
  const again = await choose(till, payment, "bank", JSON_ONLY);
  assert.equal(again.body.redirect_url, `https://pay.bank.example.com/${payment.reference}`);
  assert.equal(bank.opened(payment.reference), 1);
});

test("what the browser says when it comes back is not believed: the bank is asked", async () => {
  const payment = await chosen();
  const back = await till.fetch(await returnPath(till, payment.reference) + "?status=approved&result=success");
  assert.equal(back.status, 303);
  assert.deepEqual(await standing(till, payment), ["pending", "redirected"]);
  bank.end(payment.reference);
  await till.fetch(await returnPath(till, payment.reference) + "?status=declined");
  assert.deepEqual(await standing(till, payment), ["paid", "success"]);
});

test("a payer who never comes back is found by the sweep, after the gateway's own pause", async () => {
  const payment = await chosen();
  const [{ inquire_at, updated_at }] = await attempts(till, payment);
  assert.equal(inquire_at - updated_at, 8 * 60_000);
  await till.scheduled();
  assert.equal(bank.inquired(payment.reference), 0);
  bank.end(payment.reference);
  await inquireNow(till, payment);
  assert.deepEqual(await standing(till, payment), ["paid", "success"]);
  assert.equal((await untilWebhooks(till, payment)).length, 1);
});

test("a payer who closes the page while the bank is asked cuts nothing short", async () => {
  const payment = await open(till, { pg_codes: ["bank"] });
  /** A signal of a payer who leaves when the bank is asked this; the bank answers after that. */
  const leaves = (kind) => {
    const page = new AbortController();
    bank.instead[kind] = async (_, usual) => {
      page.abort();
      await sleep(300);
      return usual();
    };
    return page.signal;
  };
  await assert.rejects(till.fetch("/b/checkout/redirect/pay/", {
    method: "POST", body: new URLSearchParams({ session_id: payment.session_id, pg_code: "bank" }), signal: leaves("open"),
  }), { name: "AbortError" });
  await eventually("the attempt is redirected", async () => (await standing(till, payment))[1] === "redirected");
  const [{ reference }] = await attempts(till, payment);
  bank.end(reference);
  await assert.rejects(till.fetch(await returnPath(till, reference), { signal: leaves("inquire") }), { name: "AbortError" });
  await eventually("the payment is settled", async () => (await standing(till, payment))[0] === "paid");
  await untilWebhooks(till, payment);
});

test("a second success keeps the first, is notified to the merchant, and waits for a person", async () => {
  const payment = await chosen();
  await bank.callBack(payment.reference, bank.end(payment.reference, "declined"));
  await choose(till, payment, "cash", JSON_ONLY);
  await bank.callBack(payment.reference, bank.end(payment.reference, "approved"));
  assert.deepEqual(await standing(till, payment), ["cod", "success", "cod"]);
  assert.deepEqual(await attention(payment), ["second_success"]);
  assert.equal((await till.retrieve(payment.session_id)).body.settled_pg_code, "cash");
});

test("an attempt of which the bank says nothing for 72 hours is given to a person and stays pending", async () => {
  bank.instead.open = bank.instead.inquire = () => json(500, {});
  const payment = await chosen();
  await till.rows("UPDATE attempt SET unknown_since = unknown_since - 72 * 3600000, inquire_at = updated_at WHERE reference = ?1", payment.reference);
  await till.scheduled();
  assert.deepEqual(await standing(till, payment), ["pending", "unknown"]);
  assert.deepEqual(await attention(payment), ["outcome_unknown"]);
  const [{ inquire_at }] = await attempts(till, payment);
  assert.equal(inquire_at, null);
});

test("inquiries follow their schedule: at once, each minute five times, then more seldom", async () => {
  bank.instead.open = bank.instead.inquire = () => json(500, {});
  const payment = await chosen();
  const pauses = [];
  for (let asked = 0; asked < 9; asked += 1) {
    const [{ inquire_at, updated_at }] = await attempts(till, payment);
    pauses.push((inquire_at - updated_at) / 60_000);
    await inquireNow(till, payment);
  }
  assert.deepEqual(pauses, [0, 1, 1, 1, 1, 1, 5, 10, 10]);
  assert.equal(bank.inquired(payment.reference), 9);
});

test("a bank that hangs, drips or answers too late is cut off while a payer waits, and so is a receiver", async () => {
  const webhook_url = "https://slow.example.com/hook";
  till.outbound.on("POST", webhook_url, never);
  const slow = await open(till, { pg_codes: ["cash"], webhook_url });
  const sent = await choose(till, slow, "cash");
  const began = Date.now();
  const waits = till.fetch(sent.headers.get("location")).then((answer) => [answer.headers.get("location"), Date.now() - began]);

  let late;
  const openings = {
    hangs: never,
    drips: () => new OutboundResponse(new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array([0x7b])) }), { status: 201 }),
    "answers too late": async (_, usual) => (await (late = sleep(15_000)), usual()),
  };
  const payments = await Promise.all(Object.keys(openings).map(() => open(till, { pg_codes: ["bank"], order_no: "slow" })));
  const [queue, asked] = [Object.values(openings), []];
  bank.instead.open = (request, usual) => {
    asked.push(Date.now());
    return queue.shift()(request, usual);
  };
  const answered = payments.map((payment) => choose(till, payment, "bank", JSON_ONLY));
  await eventually("three attempts are sending", async () => {
    const stages = (await Promise.all(payments.map((payment) => attempts(till, payment)))).flat();
    return stages.length === 3 && stages.every(({ stage }) => stage === "sending");
  });
  assertProblem(await choose(till, payments[0], "bank", JSON_ONLY), 409, "attempt_in_progress");

  const [location, waited] = await waits;
  assert.equal(new URL(location).pathname, "/b/checkout/redirect/start/");
  for (const { status } of await Promise.all(answered)) assert.equal(status, 200);
  const took = Date.now() - asked[0];
  assert.ok(took > 9_000 && took < 14_500, `the bank had ${took} ms`);
  assert.ok(waited > 4_500 && waited < took, `the payer waited ${waited} ms for the receiver, and ${took} ms for the bank`);
  await late;
  await sleep(200);
  for (const payment of payments) assert.deepEqual(await standing(till, payment), ["pending", "unknown"]);
  const [delivery] = await till.rows("SELECT * FROM delivery WHERE session_id = ?1", slow.session_id);
  assert.deepEqual([delivery.state, delivery.failed_tries, delivery.last_status], ["due", 1, null]);
});
