/**
 * Native payments over HTTP: wallets and cash, against the sandbox bank and against one that records bytes.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { demoSettings, start } from "./harness.mjs";
import { assertProblem, atTheBank, attempts, finish, inquireNow, open, payWith, standing, stateOf, untilWebhooks } from "./payer.mjs";
import { TOKENS, appleToken, payByWallet, sendWallet } from "./wallets.mjs";

let till;
before(async () => {
  till = await start();
  await till.createMerchant();
});
after(() => till.stop());

const cardPayment = (fields = {}) => open(till, { pg_codes: ["credit-card"], amount: "10.000", ...fields });
const cash = ({ session_id }, path = "/b/pbl/v2/payment/cash/", headers = till.privateKey()) =>
  till.call(path, { method: "POST", headers, json: { session_id } });

function assertRefused(answer, status, code) {
  assertProblem(answer, status, code);
  assert.deepEqual([answer.body.operation, answer.body.result], ["payment", "failed"], answer.text);
}

for (const wallet of Object.keys(TOKENS)) {
  test(`${wallet}: a token pays in one call, signed and typed as the specification says, and one webhook follows`, async () => {
    const payment = await cardPayment();
    const answer = await payByWallet(till, payment, { wallet });
    assert.equal(answer.status, 200, answer.text);
    const { result, state, fee, paid_amount, gateway_account, customer_address_country, is_sandbox } = answer.body;
    assert.deepEqual(
      { result, state, fee, paid_amount, gateway_account, customer_address_country, is_sandbox },
      { result: "success", state: "paid", fee: "0.200", paid_amount: "10.200", gateway_account: "credit-card", customer_address_country: "KW", is_sandbox: true },
    );
    assert.match(answer.text, /"settled_amount":10\.000[,}]/);
    assert.match(answer.text, /"remaining_amount":0\.000[,}]/);
    assert.match(answer.body.signature, /^[0-9a-f]{64}$/);
    const [{ body: webhook }] = await untilWebhooks(till, payment);
    assert.deepEqual([webhook.result, webhook.reference_number], ["success", answer.body.reference_number]);
    assert.equal(await stateOf(till, payment), "paid");
  });

  test(`${wallet}: whichever byte of a token is altered, nothing is taken`, async () => {
    const token = TOKENS[wallet]("visa-approve");
    const bytes = Buffer.from(token);
    for (let place = 0; place < bytes.length; place += 1) {
      const payment = await cardPayment();
      const altered = Buffer.from(bytes);
      altered[place] ^= 1;
      const body = Buffer.concat([Buffer.from(`{"session_id":"${payment.session_id}","payload":`), altered, Buffer.from("}")]);
      const answer = await sendWallet(till, wallet, body);
      if (answer.status === 200) assert.equal(answer.body.result, "failed", `byte ${place}: ${answer.text}`);
      else assertRefused(answer, 400, answer.body.code);
      assert.notEqual(await stateOf(till, payment), "paid", `byte ${place}`);
    }
  });
}

test("a token that was written again on the way is altered, though it says the same", async () => {
  const payment = await cardPayment();
  const answer = await payByWallet(till, payment, { payload: JSON.stringify(JSON.parse(appleToken("visa-approve")), null, 1) });
  assert.deepEqual([answer.status, answer.body.result, answer.body.message], [200, "failed", "wallet token altered"], answer.text);
});

test("a decline answers 200 with amounts of zero, and another token pays", async () => {
  const payment = await cardPayment();
  const declined = await payByWallet(till, payment, { card: "mastercard-decline" });
  assert.deepEqual([declined.status, declined.body.result, declined.body.state, declined.body.paid_amount], [200, "failed", "attempted", "0.000"]);
  assert.match(declined.text, /"settled_amount":0\.000[,}]/);
  assert.equal((await payByWallet(till, payment)).body.state, "paid");
});

for (const card of ["visa-timeout", "visa-server-error"]) {
  test(`${card}: a charge whose answer is lost is pending, excludes another, and is found by inquiry`, { timeout: 90_000 }, async () => {
    const payment = await cardPayment();
    const answer = await payByWallet(till, payment, { card });
    assert.deepEqual([answer.status, answer.body.result, answer.body.state], [200, "pending", "pending"], answer.text);
    assertRefused(await payByWallet(till, payment), 409, "attempt_in_progress");
    for (let tries = 0; tries < 3 && (await stateOf(till, payment)) !== "paid"; tries += 1) await inquireNow(till, payment);
    assert.equal(await stateOf(till, payment), "paid");
    assert.equal((await attempts(till, payment)).length, 1);
  });
}

test("a payer who has to confirm is sent to the bank, and the payment ends as any other", async () => {
  const payment = await cardPayment();
  const { status, body, text } = await payByWallet(till, payment, { wallet: "google-pay", card: "visa-3ds" });
  assert.deepEqual([status, body.status, body.method, body.form_of_payment, body.challenge_occurred], [200, "3DS", "redirect", "google_pay", true], text);
  await finish(till, body.redirect_url, { action: "confirm" });
  assert.equal(await stateOf(till, payment), "paid");
});

test("two wallets at once: one charge, and the other is answered that one is under way or done", async () => {
  const payment = await cardPayment();
  const answers = await Promise.all([payByWallet(till, payment), payByWallet(till, payment, { wallet: "google-pay" })]);
  const paid = answers.filter(({ status, body }) => status === 200 && body.result === "success");
  assert.equal(paid.length, 1, answers.map(({ text }) => text).join("\n"));
  const [lost] = answers.filter((answer) => answer !== paid[0]);
  assert.ok(["attempt_in_progress", "not_payable"].includes(lost.body.code), lost.text);
  assert.equal((await attempts(till, payment)).length, 1);
});

test("a wallet while the page waits at the bank: the page is withdrawn, and only one of both pays", async () => {
  const payment = await atTheBank(till, { pg_code: "credit-card" });
  assert.equal((await payByWallet(till, payment)).body.result, "success");
  await payWith(till, payment.page, "visa-approve").catch(() => undefined);
  const results = (await attempts(till, payment)).map(({ stage }) => stage);
  assert.deepEqual(results, ["canceled", "success"]);
});

test("the same request twice under one key is one charge, also at once", async () => {
  const payment = await cardPayment();
  const send = () => payByWallet(till, payment, { headers: { "idempotency-key": `w-${payment.session_id}` } });
  const [one, two] = await Promise.all([send(), send()]);
  const again = await send();
  assert.deepEqual([again.status, again.body.result, again.headers.get("idempotent-replayed")], [200, "success", "true"], again.text);
  for (const answer of [one, two]) {
    if (answer.status === 200) assert.equal(answer.text, again.text);
    else assertRefused(answer, 409, "attempt_in_progress");
  }
  assert.equal((await attempts(till, payment)).length, 1);
});

test("a public key pays the session that it names by wallet, and does nothing else", async () => {
  const payment = await cardPayment({ pg_codes: ["credit-card", "cash"] });
  const headers = { authorization: `Api-Key ${till.merchant.public_key}` };
  assertProblem(await cash(payment, undefined, headers), 401, "private_key_required");
  assertProblem(await till.retrieve(payment.session_id, headers), 401, "private_key_required");
  assert.equal((await payByWallet(till, payment, { headers })).body.result, "success");
});

test("another merchant's transaction is answered like one that does not exist", async () => {
  const payment = await cardPayment();
  const owner = till.merchant;
  const other = await till.createMerchant();
  const mine = await payByWallet(till, payment, { headers: till.privateKey(other) });
  const none = await payByWallet(till, { session_id: `00${"cd".repeat(19)}` }, { headers: till.privateKey(other) });
  till.merchant = owner;
  assertRefused(mine, 400, "invalid_fields");
  assert.deepEqual({ ...mine.body, request_id: "" }, { ...none.body, request_id: "" });
});

test("pages of the merchant's origins may pay by wallet, and pages of others cannot read the answer", async () => {
  const owner = till.merchant;
  await till.createMerchant({ allowed_origins: ["https://shop.example"] });
  const payment = await cardPayment();
  const preflight = await till.call("/b/pbl/v2/payment/apple-pay/", {
    method: "OPTIONS",
    headers: { origin: "https://shop.example", "access-control-request-method": "POST" },
  });
  assert.deepEqual([preflight.status, preflight.headers.get("access-control-allow-origin")], [204, "https://shop.example"]);
  const public_key = { authorization: `Api-Key ${till.merchant.public_key}` };
  const strange = await payByWallet(till, payment, { payload: "{}", headers: { ...public_key, origin: "https://evil.example" } });
  assert.equal(strange.headers.get("access-control-allow-origin"), null);
  const known = await payByWallet(till, payment, { headers: { ...public_key, origin: "https://shop.example" } });
  assert.deepEqual([known.body.result, known.headers.get("access-control-allow-origin")], ["success", "https://shop.example"]);
  till.merchant = owner;
});

test("a page of the merchant's origins can read why its key is refused, and other pages cannot", async () => {
  const owner = till.merchant;
  await till.createMerchant({ allowed_origins: ["https://shop.example"] });
  const payment = await cardPayment();
  for (const authorization of ["", "Api-Key pk_nothing", `Api-Key ${owner.public_key.slice(0, -1)}`]) {
    const from = (origin) => payByWallet(till, payment, { headers: { authorization, origin } });
    const [known, strange] = [await from("https://shop.example"), await from("https://evil.example")];
    assert.deepEqual([known.status, strange.status], [401, 401], authorization);
    assert.equal(known.headers.get("access-control-allow-origin"), "https://shop.example", authorization);
    assert.equal(strange.headers.get("access-control-allow-origin"), null, authorization);
  }
  till.merchant = owner;
});

test("bodies that are no payment are refused by name and reach no bank", async () => {
  const payment = await cardPayment();
  for (const [body, code] of [
    ["", "malformed_body"],
    ["[]", "malformed_body"],
    ["{", "malformed_body"],
    [`{"session_id":"${payment.session_id}"}`, "invalid_fields"],
    [`{"session_id":"${payment.session_id}","payload":[]}`, "invalid_fields"],
    [`{"session_id":"${payment.session_id}","payload":{"paymentData":1}}`, "invalid_fields"],
    [`{"session_id":[],"pg_code":{},"payload":null}`, "invalid_fields"],
  ]) {
    assertRefused(await sendWallet(till, "apple-pay", body), 400, code);
  }
  assertRefused(await sendWallet(till, "apple-pay", "x".repeat(40_000)), 413, "body_too_large");
  assertRefused(await sendWallet(till, "apple-pay", "{}", { "content-type": "text/plain" }), 415, "unsupported_media_type");
  assertRefused(await payByWallet(till, payment, { more: `,"pg_code":"knet"` }), 400, "invalid_fields");
  assertRefused(await payByWallet(till, await open(till, { pg_codes: ["knet"] })), 400, "instrument_not_offered");
  assert.deepEqual(await attempts(till, payment), []);
});

test("every byte of a payload goes from the socket to the gateway as it is", async () => {
  const owner = till.merchant;
  const card = demoSettings().gateways.find(({ code }) => code === "credit-card");
  await till.createMerchant({ gateways: [{ ...card, endpoint: "https://bank.example" }] });
  const payload = '{ "paymentData" : {"k\\u00e9y":"\\/é","n":1.50E+0,"n":[ ] },\t"paymentData2":null , "é":"\\ud83d\\ude00😀" }';
  let seen;
  const off = till.outbound.on("POST", "https://bank.example/v1/charges", (sent) => {
    seen = sent.body;
    return new Response("{}", { status: 500 });
  });
  for (const nested of [false, true]) {
    const { session_id } = await cardPayment();
    const flat = `{"session_id":"${session_id}","payload":${payload}}`;
    const answer = await sendWallet(till, "apple-pay", nested ? `{"payload": ${flat}}` : flat);
    assert.equal(answer.status, 200, answer.text);
    assert.ok(seen.includes(`"payload":${payload}}`), seen);
  }
  off();
  till.merchant = owner;
});

for (const path of ["/b/pbl/v2/payment/cash/", "/b/pbl/v2/cash-payment/"]) {
  test(`${path}: cash is acknowledged once, and needs a cash gateway`, async () => {
    const payment = await open(till, { pg_codes: ["knet", "cash"] });
    const answer = await cash(payment, path);
    assert.deepEqual([answer.status, answer.body.result, answer.body.state], [200, "cod", "cod"], answer.text);
    assertRefused(await cash(payment, path), 400, "not_payable");
    assertRefused(await cash(await open(till, { pg_codes: ["knet"] }), path), 400, "instrument_not_offered");
    assert.deepEqual(await standing(till, payment), ["cod", "cod"]);
    await untilWebhooks(till, payment);
  });
}

test("a create with a payment instrument is charged in the same call, its bytes untouched, and once for one key", async () => {
  const body = (payload) =>
    `{"type":"e_commerce","amount":"5.000","currency_code":"KWD","pg_codes":["credit-card"],"payment_instrument":{"instrument_type":"apple_pay","payload":${payload}}}`;
  const token = appleToken("visa-approve");
  const [first, second] = await Promise.all([1, 2].map(() => till.create(body(token), { "idempotency-key": "one-step-1" })));
  const done = [first, second].filter(({ status }) => status === 201);
  assert.ok(done.length >= 1, `${first.text}\n${second.text}`);
  for (const late of [first, second].filter(({ status }) => status !== 201)) assertProblem(late, 409, late.body.code);
  const again = await till.create(body(token), { "idempotency-key": "one-step-1" });
  assert.deepEqual([again.status, again.headers.get("idempotent-replayed")], [201, "true"], again.text);
  for (const { body: notified } of done) assert.equal(notified.reference_number, again.body.reference_number);
  assert.deepEqual([again.body.result, again.body.state, again.body.paid_amount], ["success", "paid", "5.100"]);
  const altered = await till.create(body(token.replace("visa-approve", "visa-Approve")));
  assertRefused(altered, 400, "payment_declined");
  const publicKey = await till.create(body(token), { authorization: `Api-Key ${till.merchant.public_key}` });
  assertProblem(publicKey, 401, "private_key_required");
});
