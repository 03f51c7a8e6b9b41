/** Creating a payment transaction over the API: what is refused of each field, and by which name. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { REQUIRED, accepts, isTakenOrRefused, post, refuses, startForTests, till } from "./creates.mjs";
import { assertProblem } from "./payer.mjs";

startForTests();

const messages = (errors) => JSON.stringify(errors);

test("every missing required field is named", async () => {
  const all = { type: ["is required"], currency_code: ["is required"], amount: ["is required"], pg_codes: ["is required"] };
  for (const body of ["{}", '{"type":null,"amount":null,"currency_code":null,"pg_codes":null}']) {
    assert.deepEqual(assertProblem(await post(body), 400, "invalid_fields"), all);
  }
});

test("required fields may not be blank", async () => {
  await refuses({ type: "", currency_code: "", amount: "", pg_codes: "" }, {
    type: ["must not be blank"], currency_code: ["must not be blank"], amount: ["must not be blank"], pg_codes: ["must not be blank"],
  });
});

test("every field of a wrong type is named, all at once", async () => {
  for (const wrong of [7, true, ["x"], { a: 1 }]) {
    const textFields = [
      "type", "currency_code", "payment_type", "customer_birthdate", "customer_email", "customer_first_name",
      "customer_last_name", "customer_id", "customer_phone", "customer_phone_2", "due_datetime", "language", "order_no",
      "product_type", "redirect_url", "unit_code", "vendor_name", "webhook_url",
    ];
    const isObject = "a" in Object(wrong);
    const objectFields = isObject ? [] : ["agreement", "billing_address", "card_acceptance_criteria", "notifications", "shipping_address"];
    const fields = Object.fromEntries([...textFields, ...objectFields, "extra"].map((name) => [name, wrong]));
    fields.email_recipients = { a: 1 };
    if (!isObject) fields.amount = { a: 1 };
    fields.pg_codes = wrong instanceof Array ? [1] : wrong;
    fields.expiration_time = [];
    const expected = Object.fromEntries(textFields.map((name) => [name, ["must be a string"]]));
    if (fields.amount) expected.amount = ['must be a decimal number written as a string, such as "10.250"'];
    expected.pg_codes = wrong instanceof Array ? { 0: ["must be a string"] } : ["must be a list of strings"];
    expected.expiration_time = ['must be a period written "DD HH:MM:SS", such as "1 00:00:00"'];
    expected.email_recipients = ["must be a list of strings"];
    if (!isObject) for (const name of [...objectFields, "extra"]) expected[name] = ["must be an object"];
    const answer = await till.create(fields);
    const errors = assertProblem(answer, 400, "invalid_fields");
    // Without a currency an amount that is otherwise readable cannot be judged.
    if (!fields.amount) delete errors.amount;
    assert.deepEqual(errors, expected, JSON.stringify(wrong));
  }
});

const BAD_AMOUNTS = [
  "10.2501", "0.0001", "10.0001", "-1", "-0.01", "+1", "1e3", "1E3", "1_000", "1,000", " 1", "1 ", "1.", ".5", "0x10", "١٠",
  "NaN", "Infinity", "0", "0.000", "0.009", "9007199254740.992", "99999999999999999999", "1".repeat(25), "1".repeat(10000), "ten",
];

test("an amount that is no amount of the currency is refused by name", async () => {
  for (const amount of BAD_AMOUNTS) {
    const answer = await till.create({ amount });
    assert.deepEqual(Object.keys(assertProblem(answer, 400, "invalid_fields")), ["amount"], amount.slice(0, 30));
  }
  for (const amount of ["1e3", "1E-2", "-1", "1e400", "-0", "10.2501", "0", "1".repeat(400), "true", "[]", "{}"]) {
    const answer = await post(`{"type":"e_commerce","amount":${amount},"currency_code":"KWD","pg_codes":["knet"]}`);
    assert.deepEqual(Object.keys(assertProblem(answer, 400, "invalid_fields")), ["amount"], amount.slice(0, 30));
  }
});

test("the message about decimals says how many the currency has", async () => {
  await refuses({ amount: "10.2501" }, { amount: ["must have at most 3 decimal places for KWD"] });
  await refuses({ amount: "1.005", currency_code: "USD", pg_codes: ["mpgs"] }, { amount: ["must have at most 2 decimal places for USD"] });
});

test("an amount that is too large together with the fee is refused, not wrapped", async () => {
  const answer = await till.create({ amount: "9007199254740.991" });
  assert.deepEqual(Object.keys(assertProblem(answer, 400, "invalid_fields")), ["amount"]);
});

test("a currency that is unknown, has no minor unit or is not active is refused by name", async () => {
  for (const currency_code of ["XYZ", "kwd", "KW", "KWDD", "XAU", "XXX", "414", "EUR", "KWD "]) {
    const errors = assertProblem(await till.create({ currency_code, amount: "10" }), 400, "invalid_fields");
    assert.ok(errors.currency_code, `${currency_code} ${messages(errors)}`);
    assert.equal(errors.amount, undefined, messages(errors));
  }
});

test("a currency that no chosen gateway takes is refused on pg_codes", async () => {
  await refuses({ amount: "1.00", currency_code: "USD", pg_codes: ["single", "queued"] }, {
    pg_codes: ["must hold at least one gateway that takes USD"],
  });
});

test("wrong gateway codes are refused by place", async () => {
  const unknown = ["must be the code of a gateway of the merchant"];
  const malformed = ["must be a gateway code: 1 to 50 letters, digits, hyphens and underscores"];
  await refuses({ pg_codes: ["nope"] }, { pg_codes: { 0: unknown } });
  await refuses({ pg_codes: ["knet", "nope", "cash", "nada"] }, { pg_codes: { 1: unknown, 3: unknown } });
  await refuses({ pg_codes: ["knet", "knet"] }, { pg_codes: { 1: ["must not be given twice"] } });
  await refuses({ pg_codes: [""] }, { pg_codes: { 0: malformed } });
  await refuses({ pg_codes: ["a b", "ك", "x".repeat(51)] }, { pg_codes: { 0: malformed, 1: malformed, 2: malformed } });
  await refuses({ pg_codes: [null, 1] }, { pg_codes: { 0: ["must be a string"], 1: ["must be a string"] } });
  await refuses({ pg_codes: [] }, { pg_codes: ["must have at least one item"] });
  await refuses({ pg_codes: "knet" }, { pg_codes: ["must be a list of strings"] });
  await refuses({ pg_codes: Array.from({ length: 101 }, (_, place) => `g${place}`) }, { pg_codes: ["must have at most 100 items"] });
});

test("gateways of another merchant are unknown", async () => {
  const mine = till.merchant;
  const settings = { gateways: [{ code: "theirs", name: { en: "T", ar: "T" }, connector: "cash", pg_name: "cash", operation: "purchase", currencies: ["KWD"] }] };
  await till.createMerchant(settings);
  till.merchant = mine;
  await refuses({ pg_codes: ["theirs"] }, { pg_codes: { 0: ["must be the code of a gateway of the merchant"] } });
});

test("texts longer than the specification allows are refused with the limit, and those of exactly that length are taken", async () => {
  const limits = {
    customer_first_name: 64, customer_last_name: 64, customer_id: 64, customer_phone: 16, customer_phone_2: 16,
    order_no: 128, product_type: 128, vendor_name: 64,
  };
  const filled = (extra) => Object.fromEntries(Object.entries(limits).map(([name, max]) => [name, "é".repeat(max + extra)]));
  await accepts(filled(0));
  await refuses(filled(1), Object.fromEntries(Object.entries(limits).map(([name, max]) => [name, [`must have at most ${max} characters`]])));
  const email = (length) => `${"a".repeat(60)}@${"b".repeat(60)}.${"c".repeat(length - 122)}`;
  await accepts({ customer_email: email(128) });
  await refuses({ customer_email: email(129) }, { customer_email: ["must have at most 128 characters"] });
});

test("control characters and halves of surrogate pairs are refused by name", async () => {
  for (const name of ["order_no", "customer_first_name", "vendor_name", "product_type", "customer_id"]) {
    await refuses({ [name]: "a\nb" }, { [name]: ["must not have control characters"] });
    await refuses({ [name]: "a\u0000b" }, { [name]: ["must not have control characters"] });
    await refuses({ [name]: "a\ud800b" }, { [name]: ["must be valid Unicode text"] });
  }
  await refuses({ type: "\udc00", currency_code: "\ud83d", amount: "\ud800", language: "\ud800" }, {
    type: ["must be valid Unicode text"], currency_code: ["must be valid Unicode text"],
    amount: ["must be valid Unicode text"], language: ["must be valid Unicode text"],
  });
});

test("words outside their lists are refused with the list", async () => {
  await refuses({ type: "invoice", payment_type: "weekly", language: "fr" }, {
    type: ["must be one of e_commerce, payment_request"],
    payment_type: ["must be one of one_off, auto_debit, save_card"],
    language: ["must be one of en, ar"],
  });
});

test("dates, times, periods and e-mail addresses of a wrong form are refused by name", async () => {
  for (const [name, values] of Object.entries({
    customer_birthdate: ["1990-02-30", "28/02/1990x", "1990", "yesterday"],
    due_datetime: ["2030-13-01T00:00:00Z", "soon", "2030-01-31"],
    expiration_time: ["0", "00:00:00", "367 00:00:00", "99999999999999999999", "-1", "1.5", "1 day", "P1Y", "1 24:00:00"],
    customer_email: ["plain", "a@b@c", "a b@example.com", "@example.com", "a@"],
  })) {
    for (const value of values) {
      const errors = assertProblem(await till.create({ [name]: value }), 400, "invalid_fields");
      assert.deepEqual(Object.keys(errors), [name], value);
    }
  }
});

test("times at the ends of the calendar and in other zones are taken or refused, and never fail", async () => {
  assert.equal((await accepts({ due_datetime: "2030-01-31T12:00:00+03:00" })).due_datetime, "2030-01-31T09:00:00Z");
  for (const due_datetime of [
    "0000-01-01T00:00:00Z", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59Z", "9999-12-31T23:59:59-14:00", "2016-12-31T23:59:60Z",
    "-000001-01-01T00:00:00Z", "+010000-01-01T00:00:00Z", "2030-01-31T24:00:00Z", "2030-01-31T12:00:00.123456789Z", "2030-01-31T12:00:00+99:99",
  ]) {
    await isTakenOrRefused(JSON.stringify({ ...REQUIRED, due_datetime }), "due_datetime");
  }
  for (const customer_birthdate of ["0000-01-01", "9999-12-31", "2024-02-29", "10000-01-01"]) {
    await isTakenOrRefused(JSON.stringify({ ...REQUIRED, customer_birthdate }), "customer_birthdate");
  }
});

test("every documented form of a period is taken", async () => {
  for (const [given, shown] of [
    ["1 00:00:00", "1 00:00:00"], ["00:50:00", "00:50:00"], ["300", "00:05:00"], [300, "00:05:00"], ["PT15M", "00:15:00"],
    ["36:00:00", "1 12:00:00"], ["00:00:01", "00:00:01"], ["366 00:00:00", "366 00:00:00"],
  ]) {
    assert.equal((await accepts({ expiration_time: given })).expiration_time, shown);
  }
});

const BAD_ADDRESSES = [
  `https://shop.example.com/${"a".repeat(2001 - 25)}`,
  "http://shop.example.com/", "ftp://shop.example.com/", "javascript:alert(1)", "data:text/html,x", "//shop.example.com/", "/path", "shop",
  "https://user@shop.example.com/", "https://user:pass@shop.example.com/", "https://shop.example.com:8443/", "https://203.0.113.7/",
  "https://[2001:db8::1]/", "https://10.0.0.1/", "https://169.254.169.254/latest/", "https://2130706433.example/\\@evil.example/",
  "https://intranet/", "https://printer.local/", "https://db.internal/", "https://shop.example.com./", "https://", "https:///x", "https:shop.example.com",
  "https://shop.example.com/a b", "https://shop.example.com/\n", "http://10.1.2.3/", "http://192.168.0.1/", "https://bank.sandbox.invalid/v1/charges",
];

test("addresses that a merchant may not name are refused, in both fields at once", async () => {
  for (const address of BAD_ADDRESSES) {
    const errors = assertProblem(await till.create({ redirect_url: address, webhook_url: address }), 400, "invalid_fields");
    assert.deepEqual(Object.keys(errors), ["redirect_url", "webhook_url"], address);
  }
});

test("an address of exactly 2,000 characters is taken", async () => {
  const address = `https://shop.example.com/${"a".repeat(2000 - 25)}`;
  assert.equal(address.length, 2000);
  assert.equal((await accepts({ redirect_url: address, webhook_url: address })).redirect_url, address);
});

test("in a development build addresses of this machine are taken", async () => {
  for (const address of ["http://127.0.0.1:9/hook", "http://localhost:9/hook", "http://[::1]:9/hook"]) {
    assert.equal((await accepts({ redirect_url: address, webhook_url: address })).webhook_url, address);
  }
});

test("webhooks never go to the installation itself, except to an inbox", async () => {
  await accepts({ webhook_url: `${till.url}/sandbox/inbox/a/` });
  for (const path of ["/", "/b/operator/v1/merchants/", "/sandbox/shop/", "/sandbox/inbox/../../b/gw/v1/callback/A/", "/sandbox/inbox/%2e%2e/shop/"]) {
    await refuses({ webhook_url: till.url + path }, { webhook_url: ["must not be an address of this service, except a sandbox inbox"] });
  }
});

test("extra is kept as it was written, whatever its members are", async () => {
  const extra = '{"a":1.10,"b":123456789012345678901234567890,"c":1e400,"d":{"e":[null,true,"\\u0645"]},"":""}';
  const created = await post(`{"type":"e_commerce","amount":"1","currency_code":"KWD","pg_codes":["knet"],"extra":${extra}}`);
  assert.equal(created.status, 201, created.text);
  assert.ok(created.text.includes(extra), created.text);
  const { text } = await till.retrieve(created.body.session_id);
  assert.ok(text.includes(extra), text);
});

test("extra is refused when it is too large, or its declared keys are no text", async () => {
  await accepts({ extra: { a: "x".repeat(16384 - 8) } });
  await refuses({ extra: { a: "x".repeat(16384 - 7) } }, { extra: ["must be written with at most 16384 bytes"] });
  await refuses({ extra: { payment_category_amount: 1, payment_category_name: ["x"] } }, {
    extra: { payment_category_amount: ["must be a string"], payment_category_name: ["must be a string"] },
  });
});
