/**
 * Every POST of payments, operations, methods, cards and messages takes a form of either kind in place of JSON, says the
 * same of it, and refuses by name what a form alone can get wrong.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "./harness.mjs";
import { assertProblem, open, stateOf } from "./payer.mjs";
import { TOKENS, payByWallet } from "./wallets.mjs";

/** @type {import("./harness.mjs").Till} */
let till;
before(async () => {
  till = await start();
  await till.createMerchant();
});
after(() => till.stop());

const KINDS = {
  urlencoded: (fields) => new URLSearchParams(fields),
  multipart: (fields) => {
    const form = new FormData();
    for (const [name, value] of fields) form.append(name, value);
    return form;
  },
};

const send = (path, body, headers = {}) => till.call(path, { method: "POST", headers: { ...till.privateKey(), ...headers }, body });
const asJson = (path, json) => till.call(path, { method: "POST", headers: till.privateKey(), json });
const byCard = (fields = {}) => open(till, { pg_codes: ["credit-card"], amount: "10.000", ...fields });

/** The endpoint, its fields, the JSON that means the same, and what it answers to both. */
const CASES = {
  "payment-methods": {
    path: "/b/pbl/v2/payment-methods/",
    fields: [["plugin", "e_commerce"], ["currencies[]", "KWD"], ["currencies[]", "SAR"], ["tokenizable", "True"], ["tags", ""]],
    json: { plugin: "e_commerce", currencies: ["KWD", "SAR"], tokenizable: true },
  },
  card: {
    path: "/b/pbl/v2/card/",
    fields: [["type", "sandbox"], ["customer_id", "C-1"], ["pg_codes[0]", "credit-card"]],
    json: { type: "sandbox", customer_id: "C-1", pg_codes: ["credit-card"] },
  },
};

for (const [kind, make] of Object.entries(KINDS)) {
  for (const [name, { path, fields, json }] of Object.entries(CASES)) {
    test(`${name}: a ${kind} form is answered like the same JSON`, async () => {
      const [form, same] = [await send(path, make(fields)), await asJson(path, json)];
      assert.deepEqual([form.status, form.body], [200, same.body], form.text);
    });
  }

  test(`operation: a ${kind} form refunds a part once, with the merchant's own keys`, async () => {
    const payment = await byCard();
    assert.equal((await send("/b/pbl/v2/payment/apple-pay/", make([["session_id", payment.session_id], ["payload", TOKENS["apple-pay"]("visa-approve")]]))).status, 200);
    const fields = [["operation", "refund"], ["session_id", payment.session_id], ["amount", "4.000"], ["extra[reason]", "broken"], ["extra[note]", "طلب"]];
    const headers = { "tracking-key": `form-${kind}` };
    const first = await send("/b/pbl/v2/operation/", make(fields), headers);
    assert.deepEqual([first.status, first.body.result, first.body.amount], [200, "success", "4.000"], first.text);
    const again = await send("/b/pbl/v2/operation/", make(fields), headers);
    assert.deepEqual([again.status, again.headers.get("idempotent-replayed")], [200, "true"]);
    assert.equal((await till.retrieve(payment.session_id)).body.refunded_amount, "4.000");
  });

  test(`inquiry: a ${kind} form asks, and notifies where it says so`, async () => {
    const payment = await byCard();
    await payByWallet(till, payment);
    const asked = await send("/b/pbl/v2/inquiry/", make([["session_id", payment.session_id], ["notify_webhook_url", "on"]]));
    assert.deepEqual([asked.status, asked.body.state], [200, "paid"], asked.text);
  });

  test(`message-notification: a ${kind} form is judged by its fields`, async () => {
    const payment = await open(till, { customer_phone: "+96550001234" });
    const asked = await send("/b/pbl/v2/message-notification/", make([["session_id", payment.session_id], ["channels", "sms, fax"]]));
    assertProblem(asked, 400, "invalid_fields");
    assert.deepEqual(asked.body.errors.channels, { 1: ["must be one of email, sms, whatsapp"] });
  });

  for (const wallet of Object.keys(TOKENS)) {
    test(`${wallet}: the token in a field of a ${kind} form pays, byte for byte`, async () => {
      const payment = await byCard();
      const fields = [["session_id", payment.session_id], ["pg_code", "credit-card"], ["payload", TOKENS[wallet]("visa-approve")]];
      const paid = await send(`/b/pbl/v2/payment/${wallet}/`, make(fields), { "idempotency-key": payment.session_id });
      assert.deepEqual([paid.status, paid.body.result], [200, "success"], paid.text);
      const again = await send(`/b/pbl/v2/payment/${wallet}/`, make(fields), { "idempotency-key": payment.session_id });
      assert.deepEqual([again.status, again.headers.get("idempotent-replayed")], [200, "true"]);
    });
  }

  test(`google-pay: brackets of a ${kind} form that may change the token are refused by name, and nothing is charged`, async () => {
    const payment = await byCard();
    const fields = [["session_id", payment.session_id], ["payload[apiVersion]", "2"], ["payload[paymentMethodData][type]", "CARD"], ["payload[paymentMethodData][tokenizationData][token]", "{}"]];
    const refused = await send("/b/pbl/v2/payment/google-pay/", make(fields));
    assertProblem(refused, 400, "invalid_fields");
    assert.deepEqual([refused.body.operation, refused.body.result, Object.keys(refused.body.errors)], ["payment", "failed", ["payload"]]);
    assert.match(refused.body.errors.payload[0], /JSON text/);
    assert.notEqual(await stateOf(till, payment), "paid");
  });

  for (const path of ["/b/pbl/v2/payment/cash/", "/b/pbl/v2/cash-payment/"]) {
    test(`${path}: a ${kind} form acknowledges cash`, async () => {
      const payment = await open(till, { pg_codes: ["cash"] });
      const acknowledged = await send(path, make([["session_id", payment.session_id]]));
      assert.deepEqual([acknowledged.status, acknowledged.body.state], [200, "cod"], acknowledged.text);
    });
  }

  for (const path of ["/b/pbl/v2/payment/auto-debit/", "/b/pbl/v2/auto-debit/"]) {
    test(`${path}: a ${kind} form names every wrong field, and a security code`, async () => {
      const refused = await send(path, make([["token", "9".repeat(51)], ["cvv", "123"]]));
      assertProblem(refused, 400, "invalid_fields");
      assert.deepEqual(Object.keys(refused.body.errors).sort(), ["cvv", "session_id", "token"]);
      const unknown = await send(path, make([["session_id", "0".repeat(40)], ["token", "9000000000000001"]]));
      assertProblem(unknown, 400, "invalid_fields");
      assert.deepEqual(Object.keys(unknown.body.errors), ["session_id"]);
    });
  }
}

test("what is wrong with a form as such is named together with every wrong field, and nothing is done", async () => {
  const payment = await byCard();
  await payByWallet(till, payment);
  const body = `operation=destroy&session_id=${payment.session_id}&session_id=%FF&extra%5Ba=1`;
  const refused = await send("/b/pbl/v2/operation/", body, { "content-type": "application/x-www-form-urlencoded" });
  assertProblem(refused, 400, "invalid_fields");
  assert.deepEqual(Object.keys(refused.body.errors).sort(), ["extra", "operation", "session_id"]);
  assert.match(refused.body.errors.session_id[0], /UTF-8/);
  const unsound = `operation=refund&session_id=${payment.session_id}&extra[%FF]=1`;
  assertProblem(await send("/b/pbl/v2/operation/", unsound, { "content-type": "application/x-www-form-urlencoded" }), 400, "invalid_fields");
  assert.equal(await stateOf(till, payment), "paid");
});

test("a page of the merchant may read why the form of a wallet was refused", async () => {
  const payment = await byCard();
  const body = new URLSearchParams({ session_id: payment.session_id, payload: "x" });
  const refused = await send("/b/pbl/v2/payment/apple-pay/", body, { origin: "https://not-the-shop.example" });
  assert.equal(refused.headers.get("access-control-allow-origin"), null);
  assertProblem(refused, 400, "invalid_fields");
});

test("JSON without its header is answered with the header that it needs", async () => {
  for (const path of ["/b/checkout/v1/pymt-txn/", "/b/pbl/v2/operation/", "/b/pbl/v2/inquiry/"]) {
    const refused = await send(path, '{"type":"e_commerce","amount":"1"}', { "content-type": "application/x-www-form-urlencoded" });
    assertProblem(refused, 400, "malformed_body");
    assert.match(refused.body.detail, /looks like JSON.*Content-Type: application\/json/s);
  }
});

/** The bytes of a multipart body, each character a byte. */
const raw = (lines) => Buffer.from(lines.join("\r\n"), "latin1");
const created = (lines, type) => send("/b/checkout/v1/pymt-txn/", raw(lines), { "content-type": type });
const text = (name, value, more = []) => ["--b", `Content-Disposition: form-data; name="${name}"`, ...more, "", value];
const REQUIRED = [...text("type", "e_commerce"), ...text("amount", "1.000"), ...text("currency_code", "KWD"), ...text("pg_codes", "knet")];

test("text in a declared charset is decoded: of a part, of the whole, and of a field", async () => {
  const arabic = "\xd8\xe1\xc8";
  const type = "multipart/form-data; boundary=b";
  const answers = [
    await created([...REQUIRED, ...text("order_no", arabic, ["Content-Type: text/plain; charset=windows-1256"]), "--b--", ""], type),
    await created([...REQUIRED, ...text("order_no", arabic), "--b--", ""], "multipart/form-data; charset=windows-1256; boundary=b"),
    await created([...REQUIRED, ...text("order_no", arabic), ...text("_charset_", "windows-1256"), "--b--", ""], type),
    await send("/b/checkout/v1/pymt-txn/", "type=e_commerce&amount=1&currency_code=KWD&pg_codes=knet&order_no=%D8%E1%C8&_charset_=windows-1256", { "content-type": "application/x-www-form-urlencoded" }),
    await created([...REQUIRED, ...text("order_no", "\x37\x06\x44\x06\x28\x06", ["Content-Type: text/plain; charset=utf-16le"]), "--b--", ""], type),
  ];
  assert.deepEqual(answers.map(({ status, body }) => [status, body.order_no]), answers.map(() => [201, "طلب"]));
  const latin = await created([...REQUIRED, ...text("customer_first_name", "Fran\xe7ois", ["Content-Type: text/plain; charset=ISO-8859-1"]), "--b--", ""], type);
  assert.equal(latin.body.customer_first_name, "François");
});

test("bytes that are no text in their charset are refused by the name of the field, in forms as in JSON", async () => {
  const type = "multipart/form-data; boundary=b";
  for (const more of [[], ["Content-Type: text/plain; charset=klingon"], ["Content-Type: text/plain; charset=euc-jp"]]) {
    const refused = await created([...REQUIRED, ...text("order_no", "\xff\xfe\xfd", more), "--b--", ""], type);
    assertProblem(refused, 400, "invalid_fields");
    assert.deepEqual(Object.keys(refused.body.errors), ["order_no"]);
  }
  const named = await created([...REQUIRED, "--b", 'Content-Disposition: form-data; name="attachment"; filename="\xe9.pdf"', "", "%PDF-1.4", "--b--", ""], type);
  assertProblem(named, 400, "invalid_fields");
  assert.deepEqual(Object.keys(named.body.errors), ["attachment"]);
  const json = await send("/b/checkout/v1/pymt-txn/", Buffer.from('{"type":"e_commerce","order_no":"\xe9"}', "latin1"), { "content-type": "application/json" });
  assertProblem(json, 400, "malformed_body");
  assert.match(json.body.detail, /`order_no` must be text in UTF-8/);
  assert.deepEqual(Object.keys(json.body.errors), ["order_no"]);
});

test("JSON may begin with a byte order mark", async () => {
  const body = `\ufeff${JSON.stringify({ type: "e_commerce", amount: "1.000", currency_code: "KWD", pg_codes: ["knet"] })}`;
  assert.equal((await send("/b/checkout/v1/pymt-txn/", body, { "content-type": "application/json" })).status, 201);
});

test("empty objects of PHP, flags of forms and offsets without a colon are what they mean", async () => {
  const php = await till.create({ extra: [], billing_address: null, notifications: [], due_datetime: "2030-01-31T12:00:00+0300" });
  assert.deepEqual([php.status, php.body.extra, php.body.due_datetime], [201, undefined, "2030-01-31T09:00:00Z"], php.text);
  const form = await send("/b/checkout/v1/pymt-txn/", new URLSearchParams({ type: "e_commerce", amount: "1", currency_code: "KWD", pg_codes: "knet", extra: "[]", generate_qr_code: "True", shortify_checkout_url: "on", capture_delivery_address: "No" }));
  assert.equal(form.status, 201, form.text);
  assert.deepEqual([typeof form.body.qr_code_url, typeof form.body.checkout_short_url, form.body.capture_delivery_address], ["string", "string", false]);
});
