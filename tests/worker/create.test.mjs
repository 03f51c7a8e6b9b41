/** Creating a payment transaction over the API: what it answers. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { at } from "../../scripts/project.mjs";
import { PATH, REQUIRED, accepts, countRows, post, refuses, startForTests, till } from "./creates.mjs";

startForTests();

/** The events of e-mail and SMS; WhatsApp has the first six. */
const EVENTS = ["created", "paid", "canceled", "failed", "expired", "authorized", "voided", "refunded", "captured"];

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
  const [icon, webp] = ["svg", "webp"].map((ending) => `${till.url}/icons/bank.${ending}`);
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
      icon, icons: { svg: icon, webp }, is_sandbox: true, name: "KNET", operation: "purchase", pg: "KNET", redirect_url: `${checkout_url}&pg_code=knet`, type: "e_commerce",
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
