/** Whole payments at the sandbox bank, from the API to the signed webhook and the redirect of the payer. */
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { after, before, test } from "node:test";
import { Webhook } from "standardwebhooks";
import { start } from "./harness.mjs";
import {
  assertProblem, atTheBank, attempts, choose, deliverNow, events, finish, goToTheBank, inbox, open, openPage, payWith,
  pollStatus, returnPath, setAnswer, standing, stateOf, untilWebhooks, webhooks,
} from "./payer.mjs";

/** @type {import("./harness.mjs").Till} */
let till;

before(async () => {
  till = await start();
  await till.createMerchant();
});
after(() => till.stop());

const SIGNED = [
  "amount", "currency_code", "customer_address_city", "customer_address_country", "customer_address_line1", "customer_address_line2",
  "customer_address_postal_code", "customer_address_state", "customer_email", "customer_first_name", "customer_last_name", "customer_phone",
  "gateway_account", "gateway_name", "order_no", "reference_number", "result", "state",
];

/** The `signature` of a body, computed as receivers compute it. */
function signatureOf(body, key) {
  const given = SIGNED.filter((name) => body[name] !== undefined && body[name] !== null && body[name] !== "");
  return createHmac("sha256", key).update(given.map((name) => name + body[name]).join("")).digest("hex");
}

/** Both signatures of a webhook as the inbox received it, by a library and by hand. */
function assertSigned({ text, headers, body }) {
  const { webhook_hmac_key, webhook_signing_secret } = till.merchant;
  assert.deepEqual(new Webhook(webhook_signing_secret).verify(text, headers), body);
  assert.equal(body.signature, signatureOf(body, webhook_hmac_key));
}

const label = (en, ar, value) => ({ value, verbose_name_ar: ar, verbose_name_en: en });

test("an approved payment is paid, notified to the merchant with every field, and shown by the API", async () => {
  const customer = {
    customer_email: "sara@example.com", customer_first_name: "سارة", customer_last_name: "Al-Sabah", customer_phone: "+96512345678",
    customer_id: "c-1", customer_birthdate: "1990-02-28",
  };
  const address = { city: "السالمية", country: "KW", line1: "Block 4", line2: "Floor 3", postal_code: "22001", state: "Hawalli" };
  const agreement = { id: "AG-1", type: "event_based", start_date: "01/02/2030", seller: { name: "S" }, extra_params: { payment_processing_day: 1 } };
  const unnotified = {
    email_recipients: ["shop@example.com"], notifications: { sms: ["paid"] }, unit_code: "u-1",
    shipping_address: { ...address, email: "h@example.com", first_name: "H", last_name: "O", phone: "2" },
  };
  const card_acceptance_criteria = { min_expiry_time: 30 };
  const payment = await atTheBank(till, {
    ...customer, ...unnotified, agreement, card_acceptance_criteria, billing_address: address, extra: { a: "b" },
  });
  await payWith(till, payment.page, "visa-approve");
  const [attempt] = await attempts(till, payment);
  const [webhook] = await untilWebhooks(till, payment);
  assertSigned(webhook);
  const { signature, timestamp_utc, pg_params, gateway_response, ...rest } = webhook.body;
  assert.deepEqual(rest, {
    amount: "10.250", currency_code: "KWD", fee: "0.250", settled_amount: "10.250", paid_amount: "10.500",
    amount_details: { amount: "10.250", currency_code: "KWD", fee: "0.250", total: "10.500" },
    ...customer,
    ...Object.fromEntries(Object.entries(address).map(([name, value]) => [`customer_address_${name}`, value])),
    agreement: { ...agreement, start_date: "2030-02-01" },
    card_acceptance_criteria,
    extra: { a: "b" },
    gateway_account: "knet", gateway_name: "kpay", is_sandbox: true, operation: "payment", order_no: "A-1", payment_type: "one_off",
    reference_number: attempt.reference, result: "success", sequence: 4, session_id: payment.session_id, state: "paid",
  });
  assert.match(timestamp_utc, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  assert.deepEqual(pg_params.card_number, label("Card Number", "رقم البطاقة", "411111******1111"));
  assert.deepEqual(pg_params.track_id.value, attempt.reference);
  const { body } = await till.retrieve(payment.session_id);
  assert.deepEqual([body.state, body.settled_pg_code], ["paid", "knet"]);
  assert.deepEqual(await events(till, payment), ["created", "attempt_opened", "attempt_noted", "purchase_succeeded"]);
});

test("a reference number is short, in capitals, and begins with the merchant's prefix", async () => {
  const mine = till.merchant;
  await till.createMerchant({ reference_prefix: "SHOP" });
  const payment = await atTheBank(till);
  const [{ reference }] = await attempts(till, payment);
  till.merchant = mine;
  assert.match(reference, /^SHOP[0-9A-Z]{8,20}$/);
});

test("extra reaches the webhook as it was given", async () => {
  const extra = '{"price":1.10,"id":123456789012345678901234567890,"big":1e400,"deep":{"list":[null,true,"\\u0645"]}}';
  const hook = `${till.url}/sandbox/inbox/verbatim/`;
  const created = await till.create(
    `{"type":"e_commerce","amount":"1","currency_code":"KWD","pg_codes":["cash"],"webhook_url":"${hook}","extra":${extra}}`,
  );
  await choose(till, created.body, "cash");
  await deliverNow(till, created.body);
  const [{ body }] = await inbox(till, "verbatim");
  assert.ok(body.includes(`"extra":${extra}`), body);
});

test("opening the page makes the transaction pending, once", async () => {
  const payment = await open(till);
  assert.equal(await stateOf(till, payment), "created");
  for (let visits = 0; visits < 3; visits += 1) {
    const page = await openPage(till, payment);
    assert.deepEqual([page.status, page.headers.get("cache-control")], [200, "no-store"]);
    assert.match(page.text, /data-status="payable"/);
  }
  assert.equal(await stateOf(till, payment), "pending");
  assert.deepEqual(await events(till, payment), ["created", "page_opened"]);
});

test("asking how far a payment is changes nothing", async () => {
  const payment = await open(till);
  const { state, status } = await pollStatus(till, payment);
  assert.deepEqual([state, status], ["created", "payable"]);
  assert.deepEqual(await events(till, payment), ["created"]);
});

test("a declined payment may be followed by another one with a number of its own", async () => {
  const payment = await atTheBank(till, { pg_codes: ["knet", "credit-card"] });
  const landed = await payWith(till, payment.page, "mastercard-decline");
  assert.equal(landed, `${till.url}/b/checkout/redirect/start/?session_id=${payment.session_id}`);
  assert.deepEqual(await standing(till, payment), ["attempted", "failed"]);
  await untilWebhooks(till, payment);
  const page = await openPage(till, payment);
  assert.match(page.text, /data-status="declined"/);

  await payWith(till, await goToTheBank(till, payment, "credit-card"), "visa-approve");
  assert.deepEqual(await standing(till, payment), ["paid", "failed", "success"]);
  const received = await untilWebhooks(till, payment, 2);
  received.forEach(assertSigned);
  assert.deepEqual(received.map(({ body }) => [body.result, body.state, body.gateway_account]), [
    ["failed", "attempted", "knet"], ["success", "paid", "credit-card"],
  ]);
  const [failed, success] = received.map(({ body }) => body);
  assert.notEqual(failed.reference_number, success.reference_number);
  assert.deepEqual([failed.settled_amount, failed.paid_amount], [undefined, undefined]);
  assert.ok(failed.message.length > 0);
  assert.deepEqual([success.fee, success.paid_amount, success.message], ["0.205", "10.455", undefined]);
  assert.equal((await till.retrieve(payment.session_id)).body.settled_pg_code, "credit-card");
});

test("a paid transaction cannot be paid again", async () => {
  const payment = await atTheBank(till);
  await payWith(till, payment.page, "visa-approve");
  assertProblem(await choose(till, payment, "knet", { accept: "application/json" }), 400, "not_payable");
  const again = await choose(till, payment, "knet");
  assert.equal(again.status, 400);
  assert.match(again.text, /data-status="paid"/);
  assert.deepEqual(await standing(till, payment), ["paid", "success"]);
});

for (const [action, stage] of [["confirm", "success"], ["fail", "failed"]]) {
  test(`the 3-D Secure step: ${action} is notified to the merchant as ${stage}`, async () => {
    const payment = await atTheBank(till);
    const challenged = await till.call(payment.page, { method: "POST", body: new URLSearchParams({ action: "pay", card: "visa-3ds" }) });
    assert.equal(challenged.status, 303);
    assert.deepEqual(await standing(till, payment), ["pending", "redirected"]);
    await finish(till, payment.page, { action });
    const [{ body }] = await untilWebhooks(till, payment);
    assert.equal(body.result, stage);
  });
}

test("a payer who cancels at the bank may pay through another gateway", async () => {
  const payment = await atTheBank(till, { pg_codes: ["knet", "queued"] });
  await finish(till, payment.page, { action: "cancel" });
  assert.deepEqual(await standing(till, payment), ["attempted", "canceled"]);
  const [canceled] = await untilWebhooks(till, payment);
  assert.deepEqual([canceled.body.result, canceled.body.state], ["canceled", "attempted"]);
  await payWith(till, await goToTheBank(till, payment, "queued"), "visa-approve");
  assert.deepEqual(await standing(till, payment), ["paid", "canceled", "success"]);
});

for (const [form, state, stage] of [
  [{ action: "pay", card: "mastercard-decline" }, "failed", "failed"],
  [{ action: "cancel" }, "expired", "canceled"],
]) {
  test(`a gateway that permits one attempt: ${stage} makes the transaction ${state}, for good`, async () => {
    const payment = await atTheBank(till, { pg_code: "single" });
    await finish(till, payment.page, form);
    assert.deepEqual(await standing(till, payment), [state, stage]);
    const [{ body }] = await untilWebhooks(till, payment);
    assert.deepEqual([body.result, body.state], [stage, state]);
    assertProblem(await choose(till, payment, "single", { accept: "application/json" }), 400, "not_payable");
  });
}

test("cash on delivery is acknowledged without a bank", async () => {
  const payment = await open(till, { pg_codes: ["cash", "knet"] });
  const sent = await choose(till, payment, "cash");
  assert.equal(sent.status, 303);
  const landed = await till.fetch(sent.headers.get("location"));
  assert.equal(landed.status, 303);
  assert.equal(new URL(landed.headers.get("location")).pathname, "/sandbox/shop/");
  assert.deepEqual(await standing(till, payment), ["cod", "cod"]);
  const received = await webhooks(till, payment);
  assert.equal(received.length, 1);
  assertSigned(received[0]);
  const { result, state, settled_amount, paid_amount, reference_number } = received[0].body;
  const [attempt] = await attempts(till, payment);
  assert.deepEqual({ result, state, settled_amount, paid_amount, reference_number }, {
    result: "cod", state: "cod", settled_amount: "10.250", paid_amount: undefined, reference_number: attempt.reference,
  });
});

test("an authorizing gateway holds the money: nothing counts as paid", async () => {
  const payment = await atTheBank(till, { pg_code: "mpgs", amount: "99.99", currency_code: "USD" });
  await payWith(till, payment.page, "visa-approve");
  assert.deepEqual(await standing(till, payment), ["authorized", "success"]);
  const [webhook] = await untilWebhooks(till, payment);
  assertSigned(webhook);
  const { state, operation, settled_amount, paid_amount, fee, amount } = webhook.body;
  assert.deepEqual([state, operation, settled_amount, paid_amount, fee, amount], ["authorized", "authorization", "99.99", undefined, undefined, "99.99"]);
});

/** Cash has no bank whose callback could be faster than the browser: what the browser sees is certain. */
async function payInCash(answer, fields = {}) {
  const payment = await open(till, { pg_codes: ["cash"], ...fields });
  if (answer) await setAnswer(till, payment.inbox, answer);
  const sent = await choose(till, payment, "cash");
  const landed = await till.fetch(sent.headers.get("location"));
  return { ...payment, location: landed.headers.get("location") };
}

test("a receiver that answers 200 sends the payer to the merchant, with three parameters appended", async () => {
  const payment = await payInCash("200", { redirect_url: "https://shop.example.com/thanks?order_no=mine&x=%20y#top" });
  const [{ reference }] = await attempts(till, payment);
  const url = new URL(payment.location);
  assert.deepEqual([url.origin, url.pathname, url.hash], ["https://shop.example.com", "/thanks", "#top"]);
  assert.deepEqual([...url.searchParams], [
    ["order_no", "mine"], ["x", " y"], ["order_no", "A-1"], ["reference_number", reference], ["session_id", payment.session_id],
  ]);
});

for (const answer of ["201", "500", "hang"]) {
  test(`a receiver that answers ${answer} keeps the payer on the summary`, async () => {
    const payment = await payInCash(answer);
    assert.equal(payment.location, `${till.url}/b/checkout/redirect/start/?session_id=${payment.session_id}`);
    const page = await openPage(till, payment);
    assert.match(page.text, /data-status="cash_on_delivery"/);
    assert.equal((await pollStatus(till, payment)).redirect_url, undefined);
  });
}

test("without a webhook address the payer is redirected, without a redirect address they stay", async () => {
  const redirected = await payInCash(undefined, { webhook_url: null });
  assert.equal(new URL(redirected.location).pathname, "/sandbox/shop/");
  const stays = await payInCash("200", { redirect_url: null });
  assert.equal(new URL(stays.location).pathname, "/b/checkout/redirect/start/");
});

test("the address of the plugin is notified if the transaction names none", async () => {
  const mine = till.merchant;
  await till.createMerchant({ plugins: { e_commerce: { webhook_url: `${till.url}/sandbox/inbox/of-the-plugin/` } } });
  await payInCash(undefined, { webhook_url: null });
  const own = await payInCash(undefined, {});
  till.merchant = mine;
  assert.equal((await inbox(till, "of-the-plugin")).length, 1);
  assert.equal((await webhooks(till, own)).length, 1);
});

test("a failed delivery is tried again with the same id and bytes and a new time, and a later 200 sends the payer on", async () => {
  const payment = await payInCash("500");
  const [delivery] = await till.rows("SELECT * FROM delivery WHERE session_id = ?1", payment.session_id);
  assert.deepEqual([delivery.state, delivery.failed_tries, delivery.last_status], ["due", 1, 500]);
  const wait = delivery.due_at - Date.now();
  assert.ok(wait > 40_000 && wait < 75_000, `the first retry follows in ${wait} ms`);
  assert.equal((await pollStatus(till, payment)).redirect_url, undefined);

  await till.scheduled();
  assert.equal((await webhooks(till, payment)).length, 1, "tried before it was due");
  await setAnswer(till, payment.inbox, "200");
  // A second passes, so that the time of the try differs.
  await new Promise((resolve) => setTimeout(resolve, 1050));
  await deliverNow(till, payment);
  const [first, second, ...more] = await webhooks(till, payment);
  assert.equal(more.length, 0);
  [first, second].forEach(assertSigned);
  assert.deepEqual([first.answered, second.answered], ["500", "200"]);
  assert.equal(second.headers["webhook-id"], first.headers["webhook-id"]);
  assert.equal(second.text, first.text);
  assert.ok(Number(second.headers["webhook-timestamp"]) > Number(first.headers["webhook-timestamp"]));
  assert.notEqual(second.headers["webhook-signature"], first.headers["webhook-signature"]);
  const { redirect_url } = await pollStatus(till, payment);
  assert.equal(new URL(redirect_url).pathname, "/sandbox/shop/");

  await deliverNow(till, payment);
  assert.equal((await webhooks(till, payment)).length, 2, "notified again after it was delivered");
});

test("webhooks of different attempts have different ids", async () => {
  const payment = await atTheBank(till);
  await payWith(till, payment.page, "mastercard-decline");
  await payWith(till, await goToTheBank(till, payment, "knet"), "visa-approve");
  const received = await untilWebhooks(till, payment, 2);
  assert.equal(new Set(received.map(({ headers }) => headers["webhook-id"])).size, received.length);
});

test("the page's script is answered in JSON where to go, and refused with a problem body", async () => {
  const payment = await open(till);
  const json = { accept: "application/json" };
  const sent = await choose(till, payment, "knet", json);
  assert.equal(sent.status, 200);
  assert.deepEqual(Object.keys(sent.body), ["redirect_url"]);
  assert.match(sent.body.redirect_url, /\/sandbox\/bank\/pay\//);
  const errors = assertProblem(await choose(till, payment, "mpgs", json), 400, "invalid_fields");
  assert.deepEqual(errors, { pg_code: ["must be one of the gateways of the transaction"] });
  assertProblem(await choose(till, { session_id: `00${"0".repeat(38)}` }, "knet", json), 404, "not_found");
  assertProblem(await choose(till, { session_id: "x" }, "knet", json), 404, "not_found");
  assertProblem(await till.call("/b/checkout/redirect/pay/", { method: "POST", json: {}, headers: json }), 415, "unsupported_media_type");
});

test("a browser without a script that chooses nothing sees the page again, with what is wrong", async () => {
  const payment = await open(till);
  const again = await choose(till, payment, "");
  assert.equal(again.status, 400);
  assert.match(again.headers.get("content-type"), /^text\/html/);
  assert.match(again.text, /data-status="payable"/);
  const missing = await choose(till, { session_id: "" }, "knet");
  assert.equal(missing.status, 404);
  assert.match(missing.headers.get("content-type"), /^text\/html/);
  assert.deepEqual(await attempts(till, payment), []);
});

test("choosing the same gateway again resumes the same page at the bank", async () => {
  const payment = await atTheBank(till);
  assert.equal(await goToTheBank(till, payment, "knet"), payment.page);
  assert.deepEqual(await standing(till, payment), ["pending", "redirected"]);
});

test("choosing another gateway withdraws the first attempt at its bank before it opens the second", async () => {
  const payment = await atTheBank(till, { pg_codes: ["knet", "queued"] });
  const second = await goToTheBank(till, payment, "queued");
  assert.notEqual(second, payment.page);
  assert.deepEqual(await standing(till, payment), ["pending", "canceled", "redirected"]);
  // The first page does not accept a payment any more.
  const late = await till.call(payment.page, { method: "POST", body: new URLSearchParams({ action: "pay", card: "visa-approve" }) });
  assert.ok(late.status === 303 || late.status === 409, String(late.status));
  const charges = await till.rows("SELECT status FROM sandbox_charge WHERE reference IN (SELECT reference FROM attempt WHERE session_id = ?1) ORDER BY created_at", payment.session_id);
  assert.deepEqual(charges.map(({ status }) => status), ["canceled", "open"]);
  const [{ body }] = await untilWebhooks(till, payment);
  assert.equal(body.result, "canceled");
  await payWith(till, second, "visa-approve");
  assert.deepEqual(await standing(till, payment), ["paid", "canceled", "success"]);
});

test("a payment that was approved at the bank is found when the payer chooses again instead of coming back", async () => {
  for (const pg_code of ["knet", "queued"]) {
    const payment = await atTheBank(till, { pg_codes: ["knet", "queued"] });
    await till.rows("UPDATE sandbox_charge SET status = 'approved', card = 'visa-approve', ended_at = 1 WHERE reference = (SELECT reference FROM attempt WHERE session_id = ?1)", payment.session_id);
    const sent = await choose(till, payment, pg_code);
    assert.equal(sent.status, 303);
    assert.match(sent.headers.get("location"), /\/b\/gw\/v1\/return\//);
    assert.deepEqual(await standing(till, payment), ["paid", "success"], pg_code);
  }
});

test("the way back from the bank may be walked again", async () => {
  const payment = await payInCash("200");
  const [{ reference }] = await attempts(till, payment);
  for (const method of ["GET", "POST"]) {
    const again = await till.fetch(await returnPath(till, reference), { method });
    assert.deepEqual([again.status, again.headers.get("location")], [303, payment.location]);
  }
  assert.equal((await webhooks(till, payment)).length, 1);
});
