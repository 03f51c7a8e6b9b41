/** Creating a payment transaction over the API: what it answers, and everything that it refuses. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { at } from "../../scripts/project.mjs";
import { start } from "./harness.mjs";
import { assertProblem } from "./payer.mjs";

const PATH = "/b/checkout/v1/pymt-txn/";
const REQUIRED = { amount: "10.250", currency_code: "KWD", pg_codes: ["knet"], type: "e_commerce" };
/** The events of e-mail and SMS; WhatsApp has the first six. */
const EVENTS = ["created", "paid", "canceled", "failed", "expired", "authorized", "voided", "refunded", "captured"];

/** @type {import("./harness.mjs").Till} */
let till;

before(async () => {
  till = await start();
  await till.createMerchant();
});
after(() => till.stop());

async function countRows() {
  const [counts] = await till.rows(
    "SELECT (SELECT COUNT(*) FROM txn) txn, (SELECT COUNT(*) FROM txn_event) event, (SELECT COUNT(*) FROM answer) answer",
  );
  return counts;
}

/** Sends a body and asserts that it is refused with exactly these fields, and that nothing is stored. */
async function refuses(fields, errors) {
  const before = await countRows();
  const answer = await till.create(fields);
  assert.deepEqual(assertProblem(answer, 400, "invalid_fields"), errors);
  assert.deepEqual(await countRows(), before);
}

async function accepts(fields) {
  const answer = await till.create(fields);
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}

const post = (body, headers = {}) =>
  till.call(PATH, { method: "POST", headers: { ...till.privateKey(), "content-type": "application/json", ...headers }, body });

const messages = (errors) => JSON.stringify(errors);

test("the four required fields are enough", async () => {
  const before = await countRows();
  const answer = await till.create();
  assert.equal(answer.status, 201);
  assert.equal(answer.headers.get("content-type"), "application/json");
  assert.equal(answer.headers.get("cache-control"), "no-store");
  const { session_id, created_at, due_datetime, ...rest } = answer.body;
  assert.match(session_id, /^00[0-9a-f]{38}$/);
  for (const time of [created_at, due_datetime]) assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  const checkout_url = `${till.url}/b/checkout/redirect/start/?session_id=${session_id}`;
  const icon = `${till.url}/icons/bank.svg`;
  const sum = (value, label) => ({ currency_code: "KWD", display: `KWD ${value}`, label, value });
  assert.deepEqual(rest, {
    ...REQUIRED,
    billing: { amount: sum("10.500", "Total"), fee: sum("0.250", "KNET fee"), sub_total: sum("10.250", "Amount") },
    checkout_url,
    checkout_page_url: checkout_url,
    expiration_time: "1 00:00:00",
    language: "en",
    operation: "purchase",
    payment_type: "one_off",
    payment_methods: [{
      amount: "10.500", code: "knet", currency_code: "KWD", fee: "0.250", fee_description: "KNET fee", flow: "redirect",
      icon, icons: { svg: icon }, is_sandbox: true, name: "KNET", operation: "purchase", pg: "kpay", redirect_url: `${checkout_url}&pg_code=knet`, type: "e_commerce",
    }],
    state: "created",
  });
  assert.deepEqual(await countRows(), { txn: before.txn + 1, event: before.event + 1, answer: before.answer });
  const picture = await till.call(icon);
  assert.deepEqual([picture.status, picture.headers.get("content-type")], [200, "image/svg+xml"]);
});

test("every optional field comes back as it was given", async () => {
  const optional = {
    payment_type: "one_off",
    expiration_time: "0 12:30:00",
    customer_birthdate: "1990-02-28",
    customer_email: "sara@example.com",
    customer_first_name: "سارة",
    customer_last_name: "O'Neil 👩‍💻",
    customer_id: "c-1",
    customer_phone: "+96512345678",
    customer_phone_2: "+96587654321",
    due_datetime: "2030-01-31T12:00:00Z",
    extra: { payment_category_name: "books", "any key": [1, { deep: null }] },
    language: "ar",
    order_no: "ORD 1/2",
    product_type: "digital",
    redirect_url: "https://shop.example.com/thanks?a=1",
    vendor_name: "vendor",
    webhook_url: "https://shop.example.com/hook",
  };
  const body = await accepts(optional);
  for (const [name, value] of Object.entries({ ...REQUIRED, ...optional, expiration_time: "12:30:00" })) {
    assert.deepEqual(body[name], value, name);
  }
  assert.deepEqual([body.payment_methods[0].name, body.payment_methods[0].fee_description], ["كي نت", "رسوم كي نت"]);
});

test("every member of the fields with members comes back from create and retrieve, and is stored", async () => {
  const given = JSON.parse(readFileSync(at("tests", "bench", "request.json"), "utf8"));
  const created = await till.create(given);
  assert.equal(created.status, 201, created.text);
  const retrieved = await till.retrieve(created.body.session_id);
  assert.equal(retrieved.text, created.text);
  const { agreement, notifications } = retrieved.body;
  assert.deepEqual(agreement, { ...given.agreement, expiry_date: "2031-12-31" });
  const sorted = ([channel, events]) => [channel, events.toSorted()];
  assert.deepEqual(notifications, Object.fromEntries(Object.entries(given.notifications).map(sorted)));
  for (const name of [
    "billing_address", "shipping_address", "card_acceptance_criteria", "email_recipients", "unit_code", "capture_delivery_address",
    "capture_delivery_location", "transaction_log_id",
  ]) {
    assert.deepEqual(retrieved.body[name], name === "unit_code" ? undefined : given[name], name);
  }
});

test("wrong members are named inside the field that they belong to", async () => {
  await refuses(
    {
      agreement: { type: "unscheduled", total_cycles: 1000, seller: { name: 1 } },
      billing_address: { city: "x".repeat(41), country: "kw" },
      card_acceptance_criteria: { min_expiry_time: 366 },
      email_recipients: ["a@example.com", "b"],
      notifications: { email: ["paid"], sms: ["paid", "sent"], whatsapp: ["captured"], fax: [] },
      shipping_address: {},
      unit_code: "a b",
    },
    {
      agreement: {
        id: ["is required"], frequency: ["is required"], total_cycles: ["must be a whole number from 1 to 999"],
        seller: { name: ["must be a string"] },
      },
      billing_address: {
        city: ["must have at most 40 characters"], country: ['must be a two-letter ISO 3166-1 country code, such as "KW"'],
        line1: ["is required"],
      },
      card_acceptance_criteria: { min_expiry_time: ["must be a whole number from 1 to 365"] },
      email_recipients: { 1: ["must be an e-mail address"] },
      notifications: {
        email: ["needs customer_email to be given too"],
        sms: {
          1: [`must be one of ${EVENTS.join(", ")}`],
          non_field_errors: ["needs customer_phone to be given too"],
        },
        whatsapp: { 0: [`must be one of ${EVENTS.slice(0, 6).join(", ")}`] },
        fax: ["must be one of email, sms, whatsapp"],
      },
      shipping_address: Object.fromEntries(
        ["city", "country", "line1", "email", "first_name", "last_name", "phone"].map((name) => [name, ["is required"]]),
      ),
      unit_code: ["must hold only letters, digits, hyphens and underscores"],
    },
  );
});

test("amounts are printed with the decimals of their currency", async () => {
  for (const [amount, currency_code, printed] of [
    ["14", "KWD", "14.000"],
    ["12.34", "KWD", "12.340"],
    [14, "KWD", "14.000"],
    [12.34, "KWD", "12.340"],
    ["0.01", "KWD", "0.010"],
    ["0.1", "USD", "0.10"],
    ["9007199254740.991", "KWD", "9007199254740.991"],
  ]) {
    const body = await accepts({ amount, currency_code, pg_codes: ["mpgs"] });
    assert.equal(body.amount, printed);
    assert.equal((await till.retrieve(body.session_id)).body.amount, printed);
  }
  // A JSON number is read as it is written, which JSON.stringify cannot show.
  const answer = await post('{"type":"e_commerce","amount":10.250,"currency_code":"KWD","pg_codes":["knet"]}');
  assert.deepEqual([answer.status, answer.body.amount], [201, "10.250"]);
});

test("methods are listed in the order of pg_codes, each with its own fee", async () => {
  const { payment_methods } = await accepts({ amount: "10.000", pg_codes: ["cash", "credit-card", "knet"] });
  assert.deepEqual(
    payment_methods.map(({ code, fee, amount }) => [code, fee, amount]),
    [["cash", "0.000", "10.000"], ["credit-card", "0.200", "10.200"], ["knet", "0.250", "10.250"]],
  );
});

test("every demo gateway is a sandbox profile", async () => {
  for (const pg_codes of [["knet", "credit-card", "queued", "single", "cash"], ["mpgs"]]) {
    const { payment_methods } = await accepts({ pg_codes });
    assert.deepEqual(payment_methods.map(({ code, is_sandbox }) => [code, is_sandbox]), pg_codes.map((code) => [code, true]));
  }
});

test("a gateway that does not take the currency is not offered, while another one is", async () => {
  const { payment_methods, pg_codes } = await accepts({ amount: "5.00", currency_code: "USD", pg_codes: ["queued", "credit-card"] });
  assert.deepEqual(payment_methods.map(({ code }) => code), ["credit-card"]);
  assert.deepEqual(pg_codes, ["queued", "credit-card"]);
});

test("an authorizing gateway makes the operation authorize", async () => {
  assert.equal((await accepts({ pg_codes: ["mpgs"] })).operation, "authorize");
});

test("the address answers without its trailing slash", async () => {
  const answer = await till.call(PATH.slice(0, -1), { method: "POST", headers: till.privateKey(), json: REQUIRED });
  assert.equal(answer.status, 201);
});

test("unknown keys are ignored", async () => {
  const body = await accepts({ mode: "x", session_id: "mine", state: "paid", settled_pg_code: "knet", __proto__: null, "": 1 });
  assert.equal(body.state, "created");
  assert.notEqual(body.session_id, "mine");
  assert.equal(body.mode, undefined);
  assert.equal(body.settled_pg_code, undefined);
});

const OPTIONAL = [
  "agreement", "billing_address", "card_acceptance_criteria", "email_recipients", "notifications", "shipping_address", "unit_code",
  "payment_type", "expiration_time", "customer_birthdate", "customer_email", "customer_first_name", "customer_last_name",
  "customer_id", "customer_phone", "customer_phone_2", "due_datetime", "extra", "language", "order_no", "product_type",
  "redirect_url", "vendor_name", "webhook_url",
];

test("null and blank text mean that an optional field was not given", async () => {
  const plain = Object.keys(await accepts({}));
  for (const value of [null, ""]) {
    const body = await accepts(Object.fromEntries(OPTIONAL.map((name) => [name, value])));
    assert.deepEqual(Object.keys(body), plain);
    assert.deepEqual([body.language, body.payment_type, body.expiration_time], ["en", "one_off", "1 00:00:00"]);
  }
});

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

/**
 * What is stored must be shown again, and what cannot be stored is refused by name: it never makes the Worker
 * fail.
 */
async function isTakenOrRefused(body, name) {
  const before = await countRows();
  const answer = await post(body);
  if (answer.status === 201) {
    assert.equal((await till.retrieve(answer.body.session_id)).text, answer.text);
  } else {
    assert.deepEqual(Object.keys(assertProblem(answer, 400, "invalid_fields")), [name]);
    assert.deepEqual(await countRows(), before);
  }
}

test("deeply nested values neither fail nor are stored halfway", async () => {
  const nest = (depth) => "[".repeat(depth) + "]".repeat(depth);
  const body = (name, value) => JSON.stringify({ ...REQUIRED, [name]: 0 }).replace(`"${name}":0`, `"${name}":${value}`);
  for (const depth of [100, 130, 999, 1001, 2000, 8000]) await isTakenOrRefused(body("extra", `{"a":${nest(depth)}}`), "extra");
  for (const name of ["amount", "order_no", "pg_codes", "webhook_url", "language"]) {
    const answer = await post(body(name, nest(100_000)));
    assert.ok(Object.keys(assertProblem(answer, 400, "invalid_fields")).includes(name), name);
  }
  assert.equal((await post(body("unknown", nest(100_000)))).status, 201);
});

test("halves of surrogate pairs inside extra neither fail nor are stored halfway", async () => {
  for (const extra of ['{"a":"\\ud800"}', '{"\\udc00":1}', '{"a":["x",{"b":"\\ud83d"}]}']) {
    await isTakenOrRefused(`{"type":"e_commerce","amount":"1","currency_code":"KWD","pg_codes":["knet"],"extra":${extra}}`, "extra");
  }
});

test("several wrong fields are all named", async () => {
  const answer = await till.create({
    type: "x", amount: "1.2345", currency_code: "KWD", pg_codes: [1], customer_email: "x", redirect_url: "x", webhook_url: 5,
    order_no: "x".repeat(129), extra: [], language: 1, due_datetime: "x",
  });
  assert.deepEqual(Object.keys(assertProblem(answer, 400, "invalid_fields")).sort(), [
    "amount", "currency_code", "customer_email", "due_datetime", "extra", "language", "order_no", "pg_codes", "redirect_url", "type", "webhook_url",
  ].filter((name) => name !== "currency_code"));
});

test("what is no JSON object is refused as malformed", async () => {
  const before = await countRows();
  for (const body of [
    "", " ", "{", "}", '{"amount":}', "[]", "[{}]", '"text"', "null", "true", "17", "{} {}", "{}x", "amount=1", "\ufeff{}", "{'a':1}", '{"a":1,}',
    "NaN", "[".repeat(200_000), '{"a":'.repeat(50_000), new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    new Uint8Array([...Buffer.from('{"order_no":"'), 0xc3, 0x28, ...Buffer.from('"}')]),
  ]) {
    const answer = await post(body);
    assertProblem(answer, 400, "malformed_body");
  }
  assert.deepEqual(await countRows(), before);
});

test("a body of another media type is refused with 415", async () => {
  const before = await countRows();
  for (const type of ["text/plain", "application/xml", "application/jsonx", "json", "application/problem+json", "image/png"]) {
    assertProblem(await post(JSON.stringify(REQUIRED), { "content-type": type }), 415, "unsupported_media_type");
  }
  const bytes = await till.call(PATH, { method: "POST", headers: till.privateKey(), body: Buffer.from(JSON.stringify(REQUIRED)) });
  assertProblem(bytes, 415, "unsupported_media_type");
  assert.deepEqual(await countRows(), before);
});

test("parameters and letter case of the media type do not matter", async () => {
  for (const type of ["application/json; charset=utf-8", "Application/JSON", "application/json;charset=UTF-8"]) {
    assert.equal((await post(JSON.stringify(REQUIRED), { "content-type": type })).status, 201, type);
  }
});

/** A body of unknown length, sent in chunks. */
function streamed(size) {
  let left = size;
  return new ReadableStream({
    pull(controller) {
      if (left <= 0) return controller.close();
      const length = Math.min(left, 65536);
      left -= length;
      controller.enqueue(new Uint8Array(length).fill(0x20));
    },
  });
}

test("a body of a mebibyte is refused with 413, whether its length was announced or not", async () => {
  const before = await countRows();
  assertProblem(await post(" ".repeat(1_048_576)), 413, "body_too_large");
  const headers = { ...till.privateKey(), "content-type": "application/json" };
  assertProblem(await till.call(PATH, { method: "POST", headers, body: streamed(1_048_576), duplex: "half" }), 413, "body_too_large");
  assert.deepEqual(await countRows(), before);
});

test("the largest body is taken, and one byte more is refused", async () => {
  const padded = (size) => JSON.stringify(REQUIRED).padEnd(size, " ");
  assert.equal((await post(padded(262_144))).status, 201);
  assertProblem(await post(padded(262_145)), 413, "body_too_large");
});

test("two hundred requests at once are all answered, each with its own transaction", async () => {
  const answers = await Promise.all(Array.from({ length: 200 }, () => till.create()));
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201]);
  assert.equal(new Set(answers.map(({ body }) => body.session_id)).size, 200);
});

test("a caller without a valid private key is refused with 401 before his body is judged", async () => {
  const { private_key, public_key } = till.merchant;
  const wrong = `${private_key.slice(0, -1)}${private_key.endsWith("A") ? "B" : "A"}`;
  const before = await countRows();
  for (const [authorization, code] of [
    [undefined, "credentials_missing"],
    [`Api-Key ${wrong}`, "credentials_invalid"],
    [`Api-Key ${"A".repeat(8)}.${"B".repeat(32)}`, "credentials_invalid"],
    ["Api-Key", "credentials_invalid"],
    ["Api-Key nonsense", "credentials_invalid"],
    [private_key, "credentials_invalid"],
    [`Bearer ${private_key}`, "credentials_invalid"],
    [`Basic ${Buffer.from("a:b").toString("base64")}`, "credentials_invalid"],
    [`Api-Key ${private_key} ${private_key}`, "credentials_invalid"],
    [`Api-Key ${private_key}, Api-Key ${private_key}`, "credentials_invalid"],
    [`Api-Key ${wrong}, Api-Key ${private_key}`, "credentials_invalid"],
    [`Api-Key ${private_key.toLowerCase()}`, "credentials_invalid"],
    [`Api-Key ${"x".repeat(5000)}`, "credentials_invalid"],
    [`Api-Key ${public_key}`, "private_key_required"],
  ]) {
    // A body over the cap is refused before the caller is known (tests/worker/body-cap.test.mjs).
    for (const body of [JSON.stringify(REQUIRED), "{", " ".repeat(200_000)]) {
      const headers = { "content-type": "application/json", ...(authorization ? { authorization } : {}) };
      const answer = await till.call(PATH, { method: "POST", headers, body });
      assertProblem(answer, 401, code);
      assert.equal(answer.headers.get("www-authenticate"), "Api-Key");
    }
  }
  assert.deepEqual(await countRows(), before);
});

test("the scheme of the key may be written in any letter case", async () => {
  for (const scheme of ["api-key", "API-KEY"]) {
    const headers = { "content-type": "application/json", authorization: `${scheme} ${till.merchant.private_key}` };
    assert.equal((await till.call(PATH, { method: "POST", headers, body: JSON.stringify(REQUIRED) })).status, 201);
  }
});
