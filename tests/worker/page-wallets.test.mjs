/**
 * Device wallets on the page's side, over HTTP: the session of Apple Pay, payments, races, origins and
 * hostile bodies.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { demoSettings, start } from "./harness.mjs";
import { assertProblem, attempts, finish, inquireNow, open, setAnswer, standing, stateOf, untilWebhooks } from "./payer.mjs";
import { TOKENS } from "./wallets.mjs";

const SDK = "/b/checkout/api/sdk/v1";
const SHOP = "https://shop.example";
const WALLETS = { "apple-pay": ["apay", "apple_pay"], "google-pay": ["gpay", "google_pay"] };

/** @type {import("./harness.mjs").Till} */
let till;

before(async () => {
  till = await start();
  await till.createMerchant({ ...demoSettings(), allowed_origins: [SHOP] });
});
after(() => till.stop());

const cardPayment = (fields = {}) => open(till, { pg_codes: ["credit-card"], amount: "10.000", ...fields });
const services = async ({ session_id }) => (await till.call(`${SDK}/pymt-txn/submit/${session_id}/`)).body.payment_services;
const send = (path, body, headers = {}) =>
  till.call(`${SDK}/${path}/`, { method: "POST", headers: { "content-type": "application/json", ...headers }, body });

/** Pays as a page does, with the token of a listed card or any text of a payload. */
const pay = ({ session_id }, { wallet = "apple-pay", card = "visa-approve", payload = TOKENS[wallet](card), more = "", headers } = {}) =>
  send(`${WALLETS[wallet][0]}/pay`, `{"session_id":"${session_id}","code":"credit-card"${more},"${WALLETS[wallet][1]}_payload":${payload}}`, headers);

for (const wallet of Object.keys(WALLETS)) {
  test(`${wallet}: the item of the preload pays, and the payer is sent to the merchant that was notified`, async () => {
    const payment = await cardPayment({ pg_codes: ["knet", "credit-card"] });
    const item = (await services(payment)).find(({ flow }) => flow === WALLETS[wallet][1]);
    const amount = item.amount ?? item.total_price;
    const answer = await till.call(item.payment_url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: `{"code":"${item.code}","amount":"${amount}","session_id":"${payment.session_id}","${WALLETS[wallet][1]}_payload":${TOKENS[wallet]("visa-approve")}}`,
    });
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.headers.get("cache-control"), "no-store");
    const { approved, redirect_url, callback_payload } = answer.body;
    assert.deepEqual([approved, callback_payload.status, callback_payload.form_of_payment], [true, "success", WALLETS[wallet][1]]);
    assert.match(redirect_url, new RegExp(`^${till.url}/sandbox/shop/\\?.*session_id=${payment.session_id}`));
    assert.equal(callback_payload.redirect_url, redirect_url);
    assert.deepEqual(await standing(till, payment), ["paid", "success"]);
    const [{ body }] = await untilWebhooks(till, payment);
    assert.deepEqual([body.result, body.state], ["success", "paid"]);
    assert.deepEqual(await services(payment), []);
  });
}

test("a merchant who answers 201 keeps the payer on the page of the payment", async () => {
  const payment = await cardPayment();
  await setAnswer(till, payment.inbox, "201");
  const answer = await pay(payment);
  assert.equal(answer.body.redirect_url, `${till.url}/b/checkout/redirect/start/?session_id=${payment.session_id}`);
});

test("one flipped byte of a token is no token any more, and nothing is paid", async () => {
  const payment = await cardPayment();
  const token = TOKENS["google-pay"]("visa-approve");
  const altered = token.replace("•", "*");
  assert.notEqual(altered, token);
  const answer = await pay(payment, { wallet: "google-pay", payload: altered });
  assert.deepEqual([answer.status, answer.body.approved, answer.body.message], [400, false, "wallet token altered"]);
  assert.equal(answer.body.callback_payload.status, "canceled");
  assert.equal((await pay(payment, { wallet: "google-pay", payload: token })).status, 200);
  assert.deepEqual(await standing(till, payment), ["paid", "failed", "success"]);
});

test("every byte of a payload goes from the socket to the gateway as it is", async () => {
  const owner = till.merchant;
  const card = demoSettings().gateways.find(({ code }) => code === "credit-card");
  await till.createMerchant({ gateways: [{ ...card, endpoint: "https://bank.example" }] });
  const payload = '{ "paymentData" : {"k\\u00e9y":"\\/é","n":1.50E+0,"n":[ ] },\t"paymentData2":null , "é":"\\ud83d\\ude00😀" }';
  let seen;
  const off = till.outbound.on("POST", "https://bank.example/v1/charges", (sent) => {
    seen = sent.body;
    return new Response('{"message":"closed"}', { status: 400 });
  });
  const answer = await pay(await cardPayment(), { payload });
  assert.deepEqual([answer.status, answer.body.message, answer.body.callback_payload.status], [400, "closed", "error"], answer.text);
  assert.ok(seen.includes(`"payload":${payload}}`), seen);
  off();
  till.merchant = owner;
});

test("a silent bank is pending, the payer waits, and the payment is found later", async () => {
  const payment = await cardPayment();
  const answer = await pay(payment, { card: "visa-timeout" });
  assert.deepEqual([answer.status, answer.body.status], [200, "pending"], answer.text);
  assert.match(answer.body.redirect_url, /\/b\/gw\/v1\/return\//);
  assert.deepEqual(await standing(till, payment), ["pending", "unknown"]);
  assertProblem(await pay(payment), 409, "attempt_in_progress");
  for (let round = 0; round < 3; round += 1) await inquireNow(till, payment);
  assert.deepEqual(await standing(till, payment), ["paid", "success"]);
});

test("3-D Secure is answered with where the payer confirms, and is paid there", async () => {
  const payment = await cardPayment();
  const answer = await pay(payment, { card: "visa-3ds" });
  assert.deepEqual([answer.status, answer.body.status, answer.body.method], [200, "3DS", "redirect"], answer.text);
  assert.equal(answer.body.challenge_occurred, true);
  await finish(till, answer.body.redirect_url, { action: "confirm" });
  assert.equal(await stateOf(till, payment), "paid");
});

test("of payments that come at once, by two wallets and on a page, one is charged", async () => {
  for (let round = 0; round < 4; round += 1) {
    const payment = await cardPayment();
    const answers = await Promise.all([
      pay(payment),
      pay(payment, { wallet: "google-pay" }),
      send(`submit/${payment.session_id}`, '{"pg_code":"credit-card"}'),
      pay(payment),
    ]);
    for (const { status, body, text } of answers.filter(({ status }) => status !== 200)) {
      assert.ok(["attempt_in_progress", "not_payable", "conflict"].includes(body.code), `${status} ${text}`);
    }
    const tried = await attempts(till, payment);
    assert.ok(tried.filter(({ stage }) => stage === "success").length <= 1, JSON.stringify(tried));
    assert.ok(tried.filter(({ stage }) => ["sending", "unknown", "redirected"].includes(stage)).length <= 1);
    assert.equal(answers.filter(({ body }) => body.approved === true).length, tried.filter(({ stage }) => stage === "success").length);
  }
});

test("the session of Apple Pay is the gateway's, for the domain of a listed page", async () => {
  const payment = await cardPayment();
  const [item] = await services(payment);
  const ask = (headers = {}, more = "") =>
    send("apay/validate-session", `{"session_id":"${payment.session_id}","code":"credit-card"${more}}`, headers);
  const own = await ask({}, `,"apple_pay_payload":{"validationURL":"https://apple-pay-gateway.apple.com/paymentservices/startSession"}`);
  assert.equal(own.status, 200, own.text);
  for (const member of ["epochTimestamp", "expiresAt", "merchantSessionIdentifier", "nonce", "merchantIdentifier", "domainName", "displayName", "signature", "operationalAnalyticsIdentifier", "retries", "pspId"]) {
    assert.notEqual(own.body[member], undefined, member);
  }
  assert.deepEqual([own.body.merchantIdentifier, own.body.domainName], [item.merchant_id, item.domain]);
  assert.equal((await ask({ origin: SHOP })).body.domainName, "shop.example");
  assert.equal((await ask({ origin: "https://evil.example" })).body.domainName, item.domain);
  for (const address of ["https://evil.example/x", "http://127.0.0.1:1/", "file:///etc/passwd"]) {
    const before = till.outbound.to(address).length;
    const refused = await ask({}, `,"validation_url":"${address}"`);
    assert.deepEqual(Object.keys(assertProblem(refused, 400, "invalid_fields")), ["validation_url"]);
    assert.equal(till.outbound.to(address).length, before);
  }
  assert.deepEqual(await attempts(till, payment), []);
});

test("a merchant whom Apple does not know gets no session, and the page learns why", async () => {
  const owner = till.merchant;
  const settings = demoSettings();
  settings.gateways.find(({ code }) => code === "credit-card").apple_pay.merchant_id = "merchant.example.unregistered";
  await till.createMerchant(settings);
  const { session_id } = await cardPayment();
  const answer = await send("apay/validate-session", `{"session_id":"${session_id}","code":"credit-card"}`);
  assert.equal(answer.status, 400, answer.text);
  assert.deepEqual([answer.body.callback_payload.status, answer.body.callback_payload.session_id], ["error", session_id]);
  assert.match(answer.body.message, /not registered/);
  till.merchant = owner;
});

test("pages of listed origins read the answers, and of no others", async () => {
  const payment = await cardPayment();
  for (const path of ["apay/pay", "gpay/pay", "apay/validate-session"]) {
    const preflight = await till.call(`${SDK}/${path}/`, {
      method: "OPTIONS",
      headers: { origin: SHOP, "access-control-request-method": "POST", "access-control-request-headers": "content-type" },
    });
    assert.deepEqual([preflight.status, preflight.headers.get("access-control-allow-origin")], [204, SHOP]);
  }
  const strange = await pay(payment, { payload: "{}", headers: { origin: "https://evil.example" } });
  assert.deepEqual([strange.status, strange.headers.get("access-control-allow-origin")], [400, null]);
  const known = await pay(payment, { headers: { origin: SHOP } });
  assert.deepEqual([known.body.approved, known.headers.get("access-control-allow-origin")], [true, SHOP]);
});

test("bodies that are no payment are refused by name and reach no bank", async () => {
  const payment = await cardPayment();
  for (const [body, code] of [
    ["", "malformed_body"],
    ["[]", "malformed_body"],
    ["{}", "invalid_fields"],
    [`{"session_id":[],"code":{},"amount":true,"apple_pay_payload":"x"}`, "invalid_fields"],
    [`{"session_id":"${payment.session_id}","code":"credit-card","apple_pay_payload":{"paymentData":1}}`, "invalid_fields"],
    [`{"session_id":"${payment.session_id}","code":"nope","apple_pay_payload":{"paymentData":{}}}`, "invalid_fields"],
  ]) {
    assertProblem(await send("apay/pay", body), 400, code);
  }
  assertProblem(await pay(payment, { more: `,"amount":"0.001"` }), 400, "invalid_fields");
  assertProblem(await send("apay/pay", `{"x":"${"x".repeat(40_000)}"}`), 413, "body_too_large");
  assertProblem(await send("gpay/pay", "{}", { "content-type": "text/plain" }), 415, "unsupported_media_type");
  assertProblem(await pay({ session_id: `00${"7".repeat(38)}` }), 404, "not_found");
  assert.deepEqual(await attempts(till, payment), []);
});
