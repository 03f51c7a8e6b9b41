/**
 * The sandbox through the built Worker: every test card from the checkout to the webhook, the inbox, and the
 * shop.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { start } from "./harness.mjs";
import * as payer from "./payer.mjs";

/** @type {import("./harness.mjs").Till} */
let till;

before(async () => {
  till = await start();
  await till.createMerchant();
});
after(() => till.stop());

const post = (path, form) => payer.post(till, path, form);
const inbox = async (name) => (await till.call(`/sandbox/inbox/${name}/`, { headers: { accept: "application/json" } })).body;
const setAnswer = (name, answer) => payer.setAnswer(till, name, answer);
const atTheBank = (fields) => payer.atTheBank(till, fields);
const finish = (payment, form) => payer.finish(till, payment.page, form);
const payWith = (payment, card) => payer.payWith(till, payment.page, card);
const goAgain = (payment) => payer.goToTheBank(till, payment, "knet");
const inquireNow = (payment) => payer.inquireNow(till, payment);

/** The state of a payment now. */
async function standing(payment) {
  const { reference, stage } = (await payer.attempts(till, payment)).at(-1);
  return { state: await payer.stateOf(till, payment), reference, stage, webhooks: await payer.inbox(till, payment.inbox) };
}

for (const card of ["visa-approve", "mastercard-approve", "visa-duplicate"]) {
  test(`${card} is paid, notified once, and redirected to the shop`, async () => {
    const payment = await atTheBank();
    const landed = new URL(await payWith(payment, card));
    assert.equal(landed.pathname, "/sandbox/shop/");
    const { state, reference, stage } = await standing(payment);
    assert.deepEqual([state, stage], ["paid", "success"]);
    assert.deepEqual(Object.fromEntries(landed.searchParams), {
      order_no: "A-1", reference_number: reference, session_id: payment.session_id,
    });
    // The callbacks of the bank come after the browser and bring nothing new.
    await sleep(100);
    const { webhooks } = await standing(payment);
    assert.equal(webhooks.length, 1);
    assert.equal(JSON.parse(webhooks[0].body).result, "success");
    assert.equal(webhooks[0].answered, "200");
    assert.match(webhooks[0].headers["webhook-signature"], /^v1,/);
  });
}

test("an authorizing gateway ends authorized", async () => {
  const payment = await atTheBank({ pg_code: "mpgs" });
  await payWith(payment, "visa-approve");
  assert.equal((await standing(payment)).state, "authorized");
});

test("a callback settles a payment whose payer never comes back", async () => {
  const payment = await atTheBank();
  const posted = await post(payment.page, { action: "pay", card: "visa-approve" });
  assert.equal(posted.status, 303);
  const settled = await payer.eventually("the payment is settled", async () => {
    const now = await standing(payment);
    return now.webhooks.length > 0 && now;
  });
  assert.deepEqual([settled.state, settled.stage], ["paid", "success"]);
});

test("a declined card may be followed by one that is approved", async () => {
  const payment = await atTheBank();
  const landed = await payWith(payment, "mastercard-decline");
  assert.match(landed, /\/b\/checkout\/redirect\/start\//);
  assert.deepEqual((await standing(payment)).stage, "failed");
  await payWith({ ...payment, page: await goAgain(payment) }, "visa-approve");
  assert.equal((await standing(payment)).state, "paid");
});

for (const [action, stage] of [["confirm", "success"], ["fail", "failed"], ["cancel", "canceled"]]) {
  test(`3-D Secure: ${action} ends the attempt as ${stage}`, async () => {
    const payment = await atTheBank();
    const challenged = await post(payment.page, { action: "pay", card: "visa-3ds" });
    assert.equal(challenged.status, 303);
    const step = await till.call(challenged.headers.get("location"));
    assert.match(step.text, /name="action" value="confirm"/);
    assert.equal((await standing(payment)).stage, "redirected");
    await finish(payment, { action });
    assert.equal((await standing(payment)).stage, stage);
  });
}

test("a payer who cancels at the bank may pay after all", async () => {
  const payment = await atTheBank();
  await finish(payment, { action: "cancel" });
  assert.equal((await standing(payment)).stage, "canceled");
  assert.notEqual(await goAgain(payment), payment.page);
});

test("a charge whose inquiries stay without an answer is pending until the third one finds it", async () => {
  const payment = await atTheBank();
  await payWith(payment, "visa-timeout");
  assert.equal((await standing(payment)).stage, "unknown");
  await inquireNow(payment);
  assert.equal((await standing(payment)).stage, "unknown");
  await inquireNow(payment);
  const { state, stage } = await standing(payment);
  assert.deepEqual([state, stage], ["paid", "success"]);
});

test("a bank with a fault is asked again", async () => {
  const payment = await atTheBank();
  await payWith(payment, "visa-server-error");
  assert.equal((await standing(payment)).stage, "unknown");
  await inquireNow(payment);
  assert.equal((await standing(payment)).state, "paid");
});

test("a late bank is pending at the return and settles by its callback", async () => {
  const payment = await atTheBank();
  await payWith(payment, "visa-late");
  const pending = await standing(payment);
  assert.deepEqual([pending.state, pending.stage], ["pending", "unknown"]);
  await till.rows("UPDATE sandbox_charge SET due_at = 0 WHERE reference = ?1", pending.reference);
  await till.scheduled();
  const { state, stage } = await standing(payment);
  assert.deepEqual([state, stage], ["paid", "success"]);
});

test("another amount than was asked for is held and is on the attention list", async () => {
  const payment = await atTheBank();
  await payWith(payment, "visa-wrong-amount");
  const { state, stage, reference } = await standing(payment);
  assert.deepEqual([state, stage], ["pending", "unknown"]);
  const { text } = await till.operator("/attention/");
  assert.match(text, new RegExp(reference));
});

test("two clicks at once pay once", async () => {
  const payment = await atTheBank();
  const clicks = await Promise.all(Array.from({ length: 8 }, () => post(payment.page, { action: "pay", card: "visa-approve" })));
  assert.deepEqual(new Set(clicks.map(({ status }) => status)), new Set([303]));
  const settled = await payer.eventually("the payment is settled", async () => {
    const now = await standing(payment);
    return now.stage === "success" && now;
  });
  assert.equal(settled.state, "paid");
});

test("the bank takes no card data and no other card", async () => {
  const payment = await atTheBank();
  for (const name of ["card_number", "pan", "cvv", "expiry"]) {
    const { status, text } = await post(payment.page, { action: "pay", card: "visa-approve", [name]: "4111111111111111" });
    assert.equal(status, 400);
    assert.match(text, new RegExp(`<code>${name}</code>`));
    assert.doesNotMatch(text, /4111111111111111/);
  }
  for (const form of [{ action: "pay", card: "4111111111111111" }, { action: "pay" }, { action: "refund" }, {}]) {
    assert.equal((await post(payment.page, form)).status, 400);
  }
  assert.equal((await standing(payment)).stage, "redirected");
});

test("the page of the bank speaks both languages, has no script, and allows only its own style", async () => {
  const payment = await atTheBank({ language: "ar" });
  const arabic = await till.call(payment.page);
  assert.match(arabic.text, /<html lang="ar" dir="rtl">/);
  assert.match(arabic.text, /متجر تجريبي/);
  const english = await till.call(`${payment.page}?language=en`);
  assert.match(english.text, /<html lang="en" dir="ltr">/);
  assert.match(english.text, /Test mode · No money will be taken\./);
  assert.doesNotMatch(english.text, /<script/);
  assert.match(english.headers.get("content-security-policy"), /^default-src 'none'; style-src 'sha256-[^']+';/);
  assert.equal(english.headers.get("cache-control"), "no-store");
  assert.equal(english.headers.get("referrer-policy"), "no-referrer");
});

test("addresses of the sandbox that do not exist, and methods that they do not take, are refused", async () => {
  for (const path of ["/sandbox/", "/sandbox/bank/", "/sandbox/bank/pay/ch_0/", "/sandbox/inbox/a.b/", `/sandbox/inbox/${"a".repeat(65)}/`]) {
    assert.equal((await till.call(path)).status, 404, path);
  }
  const { status, headers } = await till.call("/sandbox/shop/", { method: "POST" });
  assert.deepEqual([status, headers.get("allow")], [405, "GET, HEAD"]);
});

test("an inbox that answers 201 keeps the payer, one that fails gets the webhook again", async () => {
  const waiting = await atTheBank();
  await setAnswer(waiting.inbox, "201");
  assert.match(await payWith(waiting, "visa-approve"), /\/b\/checkout\/redirect\/start\//);
  for (const answer of ["500", "hang"]) {
    const failing = await atTheBank();
    await setAnswer(failing.inbox, answer);
    assert.match(await payWith(failing, "visa-approve"), /\/b\/checkout\/redirect\/start\//);
    assert.equal((await standing(failing)).state, "paid");
    await setAnswer(failing.inbox, "200");
    await payer.deliverNow(till, failing);
    const { webhooks } = await standing(failing);
    // The callback of the bank and the payer's return may each have tried before.
    const [taken, ...tries] = webhooks;
    assert.equal(taken.answered, "200");
    assert.ok(tries.length >= 1);
    for (const webhook of tries) {
      assert.equal(webhook.answered, answer);
      assert.equal(webhook.headers["webhook-id"], taken.headers["webhook-id"]);
      assert.equal(webhook.body, taken.body);
    }
  }
});

test("an inbox keeps the newest fifty webhooks and shows them as text", async () => {
  for (let number = 1; number <= 52; number += 1) {
    const { status } = await till.call("/sandbox/inbox/full/", { method: "POST", json: { number, text: "<script>" } });
    assert.equal(status, 200);
  }
  const { answer, webhooks } = await inbox("full");
  assert.equal(answer, "200");
  assert.deepEqual(webhooks.map(({ body }) => JSON.parse(body).number), Array.from({ length: 50 }, (_, place) => 52 - place));
  const { text } = await till.call("/sandbox/inbox/full/");
  assert.doesNotMatch(text, /<script/);
  assert.match(text, /&lt;script&gt;/);
});

test("an inbox says of each webhook whether its merchant signed exactly these bytes", async () => {
  const payment = await atTheBank();
  await payWith(payment, "visa-approve");
  const name = payment.inbox;
  const [{ headers, body }] = (await inbox(name)).webhooks;
  const shown = async (name) => (await till.call(`/sandbox/inbox/${name}/`, { headers: { accept: "text/html" } })).text;
  assert.match(await shown(name), /Signature verified ✓/);
  const send = (name, changed, bytes = body) => till.call(`/sandbox/inbox/${name}/`, { method: "POST", headers: { ...headers, ...changed }, body: bytes });
  await send("same", {});
  assert.match(await shown("same"), /Signature verified ✓/);
  const forged = {
    "other-bytes": [{}, body.replace('"success"', '"failed"')],
    "other-time": [{ "webhook-timestamp": String(Number(headers["webhook-timestamp"]) + 1) }],
    "other-id": [{ "webhook-id": "msg_other" }],
    "no-signature": [{ "webhook-signature": "" }],
    "part-of-it": [{ "webhook-signature": "v1," }],
    "other-merchant": [{}, body.replace(payment.session_id, "0".repeat(40))],
  };
  for (const [name, [changed, bytes]] of Object.entries(forged)) {
    assert.notDeepEqual([changed, bytes], [{}, body], name);
    await send(name, changed, bytes);
    assert.match(await shown(name), /Signature not verified/, name);
    assert.doesNotMatch(await shown(name), /Signature verified ✓/, name);
  }
});

test("an inbox over HTTP answers as it is set and refuses what is too large", async () => {
  for (const [answer, status] of [["200", 200], ["201", 201], ["500", 500], ["hang", 504]]) {
    assert.equal((await setAnswer("direct", answer)).status, 303);
    assert.equal((await till.call("/sandbox/inbox/direct/", { method: "POST", json: {} })).status, status);
  }
  assert.equal((await setAnswer("direct", "404")).status, 400);
  assert.equal((await till.call("/sandbox/inbox/direct/", { method: "POST", body: "x".repeat(65537) })).status, 413);
  assert.equal((await inbox("direct")).webhooks.length, 4);
});

test("the shop shows what the browser brought, as text", async () => {
  const { text } = await till.call("/sandbox/shop/?order_no=%3Cb%3EA-1&reference_number=R1&session_id=00ff");
  assert.match(text, /data-parameter="order_no">&lt;b&gt;A-1</);
  assert.match(text, /data-parameter="reference_number">R1</);
  assert.match(text, /data-parameter="session_id">00ff</);
});
