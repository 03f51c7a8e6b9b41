/**
 * Requests in the shapes of the clients that are known: plugins of shops, libraries of frameworks, and scripts. Each gets the
 * answer that its client needs.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "../worker/harness.mjs";
import { open, stateOf, untilWebhooks } from "../worker/payer.mjs";
import { payByWallet } from "../worker/wallets.mjs";

const CREATE = "/b/checkout/v1/pymt-txn/";
const OPERATION = "/b/pbl/v2/operation/";
const FORM = { "content-type": "application/x-www-form-urlencoded" };
const JSON_TYPE = { "content-type": "application/json" };

/** @type {import("../worker/harness.mjs").Till} */
let till;
before(async () => {
  till = await start();
  await till.createMerchant();
});
after(() => till.stop());

const send = (path, body, headers = {}, method = "POST") => till.call(path, { method, headers: { ...till.privateKey(), ...headers }, body });
const created = (answer) => {
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
};
/** `http_build_query` of PHP: brackets are escaped, flags are 1 and 0, null is left out. */
const phpQuery = (pairs) => pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value).replaceAll("%20", "+")}`).join("&");

const LARAVEL = [
  ["type", "e_commerce"], ["amount", "20.5"], ["currency_code", "KWD"], ["pg_codes[0]", "knet"], ["pg_codes[1]", "credit-card"],
  ["order_no", "INV 2026/17"], ["customer_email", "noura@example.com"], ["extra[cart_id]", "77"], ["extra[note]", "طلب عاجل"],
  ["notifications[email][0]", "paid"], ["include_sdk_setup_preload", "1"], ["generate_qr_code", "0"],
];
const assertLaravel = (body) => {
  assert.deepEqual([body.amount, body.pg_codes, body.order_no], ["20.500", ["knet", "credit-card"], "INV 2026/17"]);
  assert.deepEqual([body.extra, body.notifications], [{ cart_id: "77", note: "طلب عاجل" }, { email: ["paid"] }]);
  assert.equal(typeof body.sdk_setup_preload_payload, "object");
  assert.equal(body.qr_code_url, undefined);
};

test("Laravel: Http::asForm with places of lists and keys of extra", async () => {
  assertLaravel(created(await send(CREATE, phpQuery(LARAVEL), FORM)));
});

test("PHP: an array as a multipart form", async () => {
  const form = new FormData();
  for (const [name, value] of LARAVEL) form.append(name, value);
  assertLaravel(created(await send(CREATE, form)));
});

test("PHP: json_encode of empty arrays, escaped slashes and escaped Unicode", async () => {
  const body = '{"type":"e_commerce","amount":10.5,"currency_code":"KWD","pg_codes":["knet"],"extra":[],"billing_address":null,"notifications":[],"email_recipients":[],"redirect_url":"https:\\/\\/shop.example.com\\/thanks","order_no":"\\u0637\\u0644\\u0628"}';
  const made = created(await send(CREATE, body, JSON_TYPE));
  assert.deepEqual([made.amount, made.order_no, made.redirect_url, made.extra], ["10.500", "طلب", "https://shop.example.com/thanks", undefined]);
  const refunded = await payByWallet(till, await open(till, { pg_codes: ["credit-card"] })).then(({ body: paid }) => send(OPERATION, JSON.stringify({ operation: "refund", session_id: paid.session_id, amount: "1", extra: [] }), JSON_TYPE));
  assert.deepEqual([refunded.status, refunded.body.result], [200, "success"], refunded.text);
});

for (const scheme of ["Api-key", "api-key", "API-KEY"]) {
  test(`the scheme written ${scheme}`, async () => {
    const headers = { authorization: `${scheme} ${till.merchant.private_key}`, ...JSON_TYPE };
    created(await till.call(CREATE, { method: "POST", headers, body: JSON.stringify({ type: "e_commerce", amount: "1", currency_code: "KWD", pg_codes: ["knet"] }) }));
  });
}

test("addresses without their slash answer directly, on every path and never by a redirect", async () => {
  const payment = await open(till, { pg_codes: ["credit-card"] });
  await payByWallet(till, payment);
  const of = ({ session_id }) => ({ session_id });
  const calls = [
    ["POST", "/b/checkout/v1/pymt-txn", { type: "e_commerce", amount: "1", currency_code: "KWD", pg_codes: ["knet"] }, 201],
    ["GET", `/b/checkout/v1/pymt-txn/${payment.session_id}`, undefined, 200],
    ["PATCH", `/b/checkout/v1/pymt-txn/${(await open(till)).session_id}`, { amount: "3" }, 200],
    ["POST", "/b/pbl/v2/payment-methods", { plugin: "e_commerce" }, 200],
    ["POST", "/b/pbl/v2/inquiry", of(payment), 200],
    ["POST", "/b/pbl/v2/operation", { operation: "refund", ...of(payment), amount: "1" }, 200],
    ["POST", "/b/pbl/v2/card", { type: "sandbox", customer_id: "nobody" }, 200],
    ["POST", "/b/pbl/v2/payment/cash", of(await open(till, { pg_codes: ["cash"] })), 200],
    ["POST", "/b/pbl/v2/cash-payment", of(await open(till, { pg_codes: ["cash"] })), 200],
  ];
  for (const [method, path, json, status] of calls) {
    const answer = await till.call(path, { method, headers: till.privateKey(), json });
    assert.equal(answer.status, status, `${method} ${path}: ${answer.text}`);
  }
});

test("a redirect_url with braces is an address, for the payer too", async () => {
  for (const redirect_url of ["https://shop.example.com/thanks/{order_no}/?token={TOKEN}", "https://shop.example.com/?back={%22a%22:1}"]) {
    const made = created(await till.create({ redirect_url }));
    const shown = new URL(made.redirect_url);
    assert.deepEqual([shown.origin, decodeURIComponent(shown.href)], ["https://shop.example.com", decodeURIComponent(redirect_url)]);
  }
});

test("merchant_defined_data in extra comes back as it was sent, in the answer and in the webhook", async () => {
  const data = '{"merchant_defined_data":{"MDD1":"WEB","MDD2":1.10,"MDD3":[true,null,{"a":"\\u0061"}]},"udf5":"x"}';
  const payment = await open(till, { pg_codes: ["credit-card"] });
  const patched = await send(`${CREATE}${payment.session_id}/`, `{"extra":${data}}`, JSON_TYPE, "PATCH");
  assert.equal(patched.status, 200, patched.text);
  assert.ok(patched.text.includes(`"extra":${data}`), patched.text);
  await payByWallet(till, payment);
  const [webhook] = await untilWebhooks(till, payment);
  assert.deepEqual(webhook.body.extra, JSON.parse(data));
});

test("a refund by form, as plugins of shops send it, and its repetition", async () => {
  const payment = await open(till, { pg_codes: ["credit-card"], order_no: "WC-9" });
  await payByWallet(till, payment);
  const body = phpQuery([["operation", "refund"], ["order_no", "WC-9"], ["amount", "2.5"]]);
  const headers = { ...FORM, "Tracking-Key": "refund-WC-9-1" };
  const [first, again] = [await send(OPERATION, body, headers), await send(OPERATION, body, headers)];
  assert.deepEqual([first.status, first.body.result, first.body.amount], [200, "success", "2.500"], first.text);
  assert.deepEqual([again.status, again.body.reference_number], [200, first.body.reference_number]);
  assert.equal((await till.retrieve(payment.session_id)).body.refunded_amount, "2.500");
});

test(".NET: JSON with a byte order mark, and nulls for what is not set", async () => {
  const body = `\ufeff${JSON.stringify({ type: "e_commerce", amount: "5", currency_code: "KWD", pg_codes: ["knet"], order_no: null, extra: null, agreement: null })}`;
  created(await send(CREATE, body, { "content-type": "application/json; charset=utf-8" }));
});

test("Python: a dictionary as a form, with its True, and times with an offset as strftime writes it", async () => {
  const body = new URLSearchParams({ type: "e_commerce", amount: "5", currency_code: "KWD", pg_codes: "knet", shortify_checkout_url: "True", capture_delivery_address: "False", due_datetime: "2030-01-31T12:00:00+0300" });
  const made = created(await send(CREATE, body));
  assert.deepEqual([typeof made.checkout_short_url, made.capture_delivery_address, made.due_datetime], ["string", false, "2030-01-31T09:00:00Z"]);
});

test("members that only some clients send are ignored", async () => {
  created(await till.create({ mode: "sandbox", shopping_address: { city: "Salmiya" }, csrfmiddlewaretoken: "x" }));
});

test("an error has a text that clients find, whichever of message, detail and error they look for", async () => {
  const problem = (body) => body.message ?? body.detail ?? body.error;
  const payment = await open(till);
  const refused = [
    await send(CREATE, "{", JSON_TYPE),
    await send(CREATE, '{"type":"e_commerce"}', FORM),
    await send(CREATE, "{}", JSON_TYPE),
    await send(OPERATION, JSON.stringify({ operation: "refund", session_id: payment.session_id }), JSON_TYPE),
    await till.call(CREATE, { method: "POST", headers: JSON_TYPE, body: "{}" }),
    await till.call("/b/checkout/v1/nothing/", { headers: till.privateKey() }),
    await till.call(OPERATION, { method: "DELETE", headers: till.privateKey() }),
    await send(CREATE, "x", { "content-type": "text/plain" }),
  ];
  for (const { status, body, text } of refused) {
    assert.ok(status >= 400 && typeof problem(body) === "string" && problem(body).length > 10, text);
    assert.equal(typeof body.code, "string", text);
  }
  assert.deepEqual([refused[3].body.operation, refused[3].body.result], ["refund", "failed"]);
  assert.match(refused[1].body.detail, /Content-Type: application\/json/);
  assert.notEqual(await stateOf(till, payment), "paid");
});
