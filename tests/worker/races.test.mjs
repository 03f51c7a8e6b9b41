/** Many requests at once: one of them succeeds, and the others are answered so. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { JSON_ONLY, bank, startForTests, till } from "./banks.mjs";
import { attempts, choose, deliverNow, events, open, openPage, standing, webhooks } from "./payer.mjs";

startForTests();

const openedInAll = (references) => references.reduce((sum, { reference }) => sum + bank.opened(reference), 0);

test("two payers of one transaction at once: one is sent to the bank, the other gets 409", async () => {
  for (let round = 0; round < 10; round += 1) {
    const payment = await open(till, { pg_codes: ["bank", "once"] });
    // The bank is slow, so that the second payer finds an attempt that is being sent.
    bank.instead.open = async (_, usual) => (await sleep(50), usual());
    const answers = await Promise.all(["bank", round % 2 ? "once" : "bank"].map((pg_code) => choose(till, payment, pg_code, JSON_ONLY)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
    const lost = answers.find(({ status }) => status === 409);
    assert.equal(lost.body.code, "attempt_in_progress");
    const all = await attempts(till, payment);
    assert.equal(all.length, 1);
    assert.equal(openedInAll(all), 1);
  }
});

test("twenty payers at once open one charge", async () => {
  const payment = await open(till, { pg_codes: ["bank"] });
  const answers = await Promise.all(Array.from({ length: 20 }, () => choose(till, payment, "bank", JSON_ONLY)));
  const all = await attempts(till, payment);
  assert.equal(all.length, 1);
  assert.equal(openedInAll(all), 1);
  for (const { status, body } of answers) {
    if (status === 200) assert.equal(body.redirect_url, `https://pay.bank.example.com/${all[0].reference}`);
    else assert.deepEqual([status, body.code], [409, "attempt_in_progress"]);
  }
  assert.ok(answers.some(({ status }) => status === 200));
});

test("twenty payers at once acknowledge cash once", async () => {
  const payment = await open(till, { pg_codes: ["cash"] });
  const answers = await Promise.all(Array.from({ length: 20 }, () => choose(till, payment, "cash", JSON_ONLY)));
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  for (const { status, body } of answers) {
    assert.ok(status === 200 || (status === 409 && body.code === "attempt_in_progress") || (status === 400 && body.code === "not_payable"), `${status}`);
  }
  assert.deepEqual(await standing(till, payment), ["cod", "cod"]);
  await deliverNow(till, payment);
  assert.equal((await webhooks(till, payment)).length, 1);
});

test("a payer who changes the method in two windows at once has one open attempt, and one open charge", async () => {
  for (let round = 0; round < 5; round += 1) {
    const payment = await open(till, { pg_codes: ["bank", "once", "cash"] });
    await choose(till, payment, "bank", JSON_ONLY);
    const answers = await Promise.all(["once", "cash", "once", "bank"].map((pg_code) => choose(till, payment, pg_code, JSON_ONLY)));
    assert.ok(answers.every(({ status }) => [200, 400, 409].includes(status)), answers.map(({ text }) => text).join("\n"));
    const all = await attempts(till, payment);
    const isOpen = ({ stage }) => ["sending", "redirected", "unknown"].includes(stage);
    assert.ok(all.filter(isOpen).length <= 1);
    for (const { reference, stage } of all) {
      assert.ok(bank.opened(reference) <= 1);
      const charge = bank.charges.get(reference);
      if (charge) assert.equal(charge.status === "open", isOpen({ stage }), `${stage} here, ${charge.status} at the bank`);
    }
  }
});

test("the page opened twenty times at once is one event", async () => {
  const payment = await open(till, { pg_codes: ["bank"] });
  const pages = await Promise.all(Array.from({ length: 20 }, () => openPage(till, payment)));
  for (const { status, text } of pages) {
    assert.equal(status, 200);
    assert.match(text, /data-status="payable"/);
  }
  assert.deepEqual(await events(till, payment), ["created", "page_opened"]);
});

test("page, payment, polling and retrieving at once never fail", async () => {
  const payment = await open(till, { pg_codes: ["bank"] });
  const answers = await Promise.all(Array.from({ length: 40 }, (_, place) => {
    if (place % 4 === 0) return choose(till, payment, "bank", JSON_ONLY);
    if (place % 4 === 1) return openPage(till, payment);
    if (place % 4 === 2) return till.retrieve(payment.session_id);
    return till.call(`/b/checkout/redirect/status/${payment.session_id}/`);
  }));
  for (const { status, text } of answers) assert.ok(status === 200 || status === 409, `${status} ${text.slice(0, 200)}`);
  const choices = answers.filter((_, place) => place % 4 === 0).map(({ status, text }) => `${status} ${text}`);
  assert.equal((await attempts(till, payment)).length, 1, choices.join("\n"));
});

test("sweeps at once ask once about an attempt at a time and notify the merchant once", async () => {
  const payment = await open(till, { pg_codes: ["bank"] });
  await choose(till, payment, "bank", JSON_ONLY);
  const [{ reference }] = await attempts(till, payment);
  bank.end(reference);
  await till.rows("UPDATE attempt SET inquire_at = 0 WHERE reference = ?1", reference);
  await Promise.all(Array.from({ length: 5 }, () => till.scheduled()));
  await till.scheduled();
  assert.deepEqual(await standing(till, payment), ["paid", "success"]);
  assert.equal((await webhooks(till, payment)).length, 1);
  assert.equal((await events(till, payment)).filter((kind) => kind === "purchase_succeeded").length, 1);
});
