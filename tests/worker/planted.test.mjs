/**
 * Secrets and card numbers are planted in everything that anyone may send, and then searched for: in the log, in answers,
 * in pages, in every column of the database and in every file. They are found only where this list says.
 */
import assert from "node:assert/strict";
import { randomBytes, randomInt } from "node:crypto";
import { after, before, test } from "node:test";
import { OutsideBank } from "./bank.mjs";
import { OPERATOR_TOKEN, RECEIPT_KEY, SEAL_KEY, demoSettings, start } from "./harness.mjs";
import { attempts, choose, deliverNow, inquireNow, open, openPage, returnPath } from "./payer.mjs";

const CREATE = "/b/checkout/v1/pymt-txn/";
const RECEIVER = "https://shop.example.com/hook";
const TOKEN = "/b/auth/v1/token/";

/** Where what a merchant wrote in a field of a transaction may be: in the record, and in what repeats it to the merchant. */
const RECORD = [
  "txn.details", "txn.order_no", "txn.customer_id", "delivery.body", "answer.body", "card.customer_id", "agreement.customer_id", "agreement.terms",
  "agreement.id", "sandbox_webhook.body", "attachment.original_name", "child.extra",
];
/** Where the id of a transaction may be. */
const SESSION = [
  "txn.session_id", "txn_event.session_id", "attempt.session_id", "delivery.session_id", "payment_term.session_id", "delivery.id", "delivery_try.delivery_id", "delivery.body",
  "answer.body", "attention.session_id", "short_link.session_id", "child.parent_id", "decision.session_id", "gateway_health.session_id",
  "sandbox_webhook.body", "sandbox_webhook.headers",
];

/** What the payer's page shows of what the merchant wrote; it shows it to everyone who has the id of the transaction. */
const ON_PAGE = ["order_no", "customer_first_name", "customer_last_name", "city", "line1", "line2", "state", "first_name", "last_name"];

/** @type {import("./harness.mjs").Till} */
let till;
/** @type {OutsideBank} */
let bank;
let shop;
/** Every answer: `{ path, status, text }`. */
const answers = [];
/** What was planted: a text, what it is, and the columns in which it may be. */
const planted = [];

function plant(text, what, columns = []) {
  planted.push({ text, what, columns });
  return text;
}

/** A number that passes the check of card numbers, and is nobody's. */
function pan(what, columns) {
  const digits = `4${Array.from({ length: 14 }, () => randomInt(10)).join("")}`;
  const sum = [...digits].reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return plant(`${digits}${(10 - (sum % 10)) % 10}`, `a card number in ${what}`, columns);
}
const secret = (what) => plant(`planted-${randomBytes(16).toString("hex")}`, what);

before(async () => {
  till = await start();
  const { fetch } = till;
  till.fetch = async (path, init) => {
    const response = await fetch.call(till, path, init);
    const text = await response.clone().text();
    answers.push({ path, status: response.status, type: response.headers.get("content-type") ?? "", text: `${[...response.headers].flat().join("\n")}\n${text}` });
    return response;
  };
  bank = new OutsideBank(till);
  till.outbound.on("POST", RECEIVER, () => new Response("", { status: 200 }));
  const { gateways } = bank.settings();
  const card = demoSettings().gateways.find(({ code }) => code === "credit-card");
  const [{ credentials, endpoint }] = gateways;
  shop = await till.createMerchant({ gateways: [...gateways, { ...card, code: "card", fees: [], exchanges: [], credentials, endpoint }] });
  for (const name of ["private_key", "webhook_hmac_key", "webhook_signing_secret"]) plant(shop[name], name);
  for (const [name, text] of Object.entries({ OPERATOR_TOKEN, SEAL_KEY, RECEIPT_KEY, api_key: credentials.api_key })) plant(text, name);
});
after(() => till.stop());

const address = () => {
  const part = (name) => pan(name, RECORD);
  return { city: part("city"), line1: part("line1"), line2: part("line2"), state: part("state"), postal_code: "22001", country: "KW" };
};

/** Every field of text that a merchant writes, each with a number of its own. */
function fields() {
  const text = (name) => pan(name, RECORD);
  return {
    order_no: text("order_no"), product_type: text("product_type"), vendor_name: text("vendor_name"), customer_id: text("customer_id"),
    customer_first_name: text("customer_first_name"), customer_last_name: text("customer_last_name"), customer_phone: text("customer_phone"),
    customer_phone_2: text("customer_phone_2"), customer_email: `${text("customer_email")}@example.com`, email_recipients: [`${text("email_recipients")}@example.com`],
    billing_address: address(), unit_code: text("unit_code"), extra: { [text("a key of extra")]: text("extra") },
    shipping_address: { ...address(), email: `${text("email")}@example.com`, first_name: text("first_name"), last_name: text("last_name"), phone: text("phone") },
    agreement: { id: text("agreement.id"), type: "other", seller: { name: text("seller"), short_name: text("short_name") } },
  };
}

/** A payment that was paid at the bank, whose answer has more in it than it should. */
async function pay(more, charge) {
  const payment = await open(till, { webhook_url: RECEIVER, pg_codes: ["bank", "card"], ...more });
  plant(payment.session_id, "a session id", SESSION);
  await openPage(till, payment);
  await choose(till, payment, more.customer_id ? "card" : "bank");
  const [{ reference }] = await attempts(till, payment);
  bank.end(reference, "approved", charge);
  await till.fetch(await returnPath(till, reference));
  await deliverNow(till, payment);
  return { ...payment, reference };
}

test("what merchants and payers write is stored in the record of the transaction, and nowhere else", async () => {
  const number = pan("the bank's card");
  const bankToken = secret("the bank's token of a card");
  const card = { brand: "VISA", number, expiry_month: "12", expiry_year: "39", holder: "T", token: bankToken };
  const saved = await pay(
    { ...fields(), payment_type: "save_card", amount: "0", pg_codes: ["card"] },
    { card, message: pan("the bank's message") },
  );
  const [{ token }] = await till.rows("SELECT token FROM card");
  plant(token, "the token of a saved card", ["card.token", "attempt.card_use", "agreement.card_token", "delivery.body", "sandbox_webhook.body"]);
  await till.call("/b/pbl/v2/card/", { method: "POST", headers: till.privateKey(), json: { type: "sandbox", customer_id: "nobody" } });
  const paid = await pay({ order_no: "A-1" }, {});
  await till.call("/b/pbl/v2/operation/", {
    method: "POST", headers: { ...till.privateKey(), "tracking-key": "refund-1" },
    json: { session_id: paid.session_id, operation: "refund", amount: "1.000", extra: { a: pan("extra of an operation", RECORD) } },
  });
  await inquireNow(till, saved);
  const form = new FormData();
  form.append("file", new File(["a note"], `${pan("the name of a file", RECORD)}.txt`, { type: "text/plain" }));
  form.append("session_id", (await open(till, { pg_codes: ["bank"] })).session_id);
  assert.equal((await till.call("/b/checkout/v1/upload-attachment/", { method: "POST", headers: till.privateKey(), body: form })).status, 200);
  await till.create({ pg_codes: ["bank"], order_no: pan("order_no of a repeated request", RECORD) }, { "idempotency-key": "once" });
});

test("what is refused is repeated to nobody", async () => {
  const refused = [];
  const send = async (path, init) => refused.push(await till.call(path, init));
  const post = (path, json, headers = till.privateKey()) => send(path, { method: "POST", headers, json });
  for (const name of ["type", "amount", "currency_code", "payment_type", "language", "expiration_time", "due_datetime", "redirect_url", "webhook_url", "initiator_id"]) {
    await post(CREATE, { type: "e_commerce", amount: "1.000", currency_code: "KWD", pg_codes: ["bank"], [name]: pan(`a wrong ${name}`) });
  }
  await post(CREATE, { pg_codes: [pan("wrong pg_codes")], [pan("the name of a field")]: 1, customer_birthdate: pan("a wrong date") });
  await send(CREATE, { method: "POST", headers: { ...till.privateKey(), "content-type": "application/json" }, body: `{"a":"${pan("broken JSON")}` });
  for (const [path, json] of [
    ["/b/pbl/v2/operation/", { operation: pan("operation"), session_id: pan("a session id") }],
    ["/b/pbl/v2/inquiry/", { session_id: pan("an inquiry"), order_no: pan("an order number") }],
    ["/b/pbl/v2/payment-methods/", { plugin: pan("plugin"), currency_code: pan("currency") }],
    ["/b/pbl/v2/card/", { type: pan("type"), customer_id: pan("customer_id of a search") }],
    ["/b/pbl/v2/payment/apple-pay/", { session_id: "0".repeat(40), payload: { paymentData: { data: pan("a wallet") } } }],
    ["/b/pbl/v2/payment/auto-debit/", { session_id: "0".repeat(40), token: pan("a card token") }],
    ["/b/checkout/api/sdk/v1/gpay/pay/", { session_id: "0".repeat(40), code: pan("code"), google_pay_payload: { a: pan("a wallet of a page") } }],
    ["/b/access/v1/users/", { username: "x", password: "short", permissions: [pan("a permission")] }],
    ["/b/access/v1/keys/", { kind: pan("kind") }],
  ]) await post(path, json);
  for (const path of [
    `${CREATE}?state=${pan("a query")}&cursor=${pan("a cursor")}`, `${CREATE}${pan("an address")}/`, `/b/checkout/redirect/start/?session_id=${pan("the page's query")}`,
    `/b/${pan("a short address")}`, `/media/payment_transactions/attachments/${pan("a file")}.pdf`, `/b/problems/${pan("a problem")}/`,
    `/b/checkout/redirect/start/?session_id=${"0".repeat(40)}&lang=${pan("a language")}`,
  ]) await send(path, { headers: { ...till.privateKey(), accept: "application/json" } });
  await send("/b/checkout/redirect/pay/", { method: "POST", body: new URLSearchParams({ session_id: pan("a form"), pg_code: pan("pg_code"), amount: pan("amount") }) });
  for (const name of ["user-agent", "referer", "cookie", "origin", "accept-language", "idempotency-key", "x-forwarded-for", "traceparent"]) {
    await send("/b/pbl/v2/operation/", { method: "POST", headers: { ...till.privateKey(), [name]: pan(`the header ${name}`) }, json: {} });
  }
  for (const authorization of [
    `Bearer ${secret("a token")}`, `Api-Key ${secret("a key")}`, `Basic ${Buffer.from(`sara:${secret("a password")}`).toString("base64")}`, secret("a scheme"),
    `Bearer ${shop.private_key}`, `Api-Key ${OPERATOR_TOKEN}`,
  ]) {
    await send(CREATE, { headers: { authorization } });
    await send("/b/operator/v1/attention/", { headers: { authorization } });
  }
  assert.ok(refused.length > 40);
  for (const { status, text, headers } of refused) {
    assert.ok(status < 500, text);
    const found = planted.filter((one) => text.includes(one.text) || [...headers].flat().join("\n").includes(one.text));
    assert.deepEqual(found.map(({ what }) => what), [], text);
  }
});

test("the id of a request and the reports of browsers do not carry secrets into the log", async () => {
  const { session_id } = await open(till, { pg_codes: ["bank"] });
  plant(session_id, "a session id", SESSION);
  for (const id of [pan("X-Request-Id"), `${pan("X-Request-Id with a word")}-order`, session_id, shop.private_key, shop.public_key]) {
    const answer = await till.call("/b/nothing/", { headers: { "x-request-id": id } });
    assert.notEqual(answer.headers.get("x-request-id"), id);
  }
  plant(shop.public_key, "public_key");
  for (const id of ["4bf92f3577b34da6a3ce929d0e0e4736", "0f8fad5b-d9cb-469f-a165-70867728950e", "order-17.web_1", "1730000000"]) {
    assert.equal((await till.call("/healthz", { headers: { "x-request-id": id } })).headers.get("x-request-id"), id);
  }
  const report = (body) => till.call("/b/checkout/reports/", { method: "POST", headers: { "content-type": "application/csp-report" }, body: JSON.stringify({ "csp-report": body }) });
  await report({ "effective-directive": pan("a directive"), "blocked-uri": pan("a blocked address") });
  await report({ "effective-directive": session_id, "blocked-uri": session_id });
  await report({ "effective-directive": "img-src", "blocked-uri": `https://${pan("a user of an address")}:x@evil.example.com/${session_id}?${session_id}` });
  await report({ "effective-directive": "img-src", "blocked-uri": `https://${session_id}.evil.example.com/` });
  await report({ "effective-directive": "img-src", "blocked-uri": `data:text/plain,${session_id}` });
  const logged = till.log.filter((line) => line.includes("policy_report"));
  assert.ok(logged.some((line) => line.includes('"img-src"') && line.includes("https://evil.example.com")), logged.join("\n"));
});

test("users, their passwords and their wrong guesses", async () => {
  const password = secret("the password of a user");
  const username = `sara@${shop.merchant_id}`;
  const made = await till.call("/b/access/v1/users/", { method: "POST", headers: till.privateKey(), json: { username, password, permissions: ["Can view e-commerce payments"] } });
  assert.equal(made.status, 201, made.text);
  const give = (fields) => till.call(TOKEN, { method: "POST", body: new URLSearchParams(fields) });
  const [client_id, client_secret] = shop.private_key.split(".");
  plant(client_secret, "the secret of a private key");
  for (const [what, fields] of [
    ["a user", { grant_type: "password", username, password }], ["a key", { grant_type: "client_credentials", client_id, client_secret }],
  ]) {
    const { status, body, text } = await give(fields);
    assert.equal(status, 200, text);
    plant(body.access_token, `a token of ${what}`);
    assert.equal((await till.call(CREATE, { headers: { authorization: `Bearer ${body.access_token}` } })).status, what === "a key" ? 200 : 403);
  }
  assert.equal((await give({ grant_type: "password", username, password: secret("a wrong password of a token") })).status, 400);
  assert.equal((await give({ grant_type: pan("grant_type"), scope: pan("scope"), client_id: pan("client_id") })).status, 400);
  for (const word of [password, secret("a wrong password")]) {
    await till.call(CREATE, { headers: { authorization: `Basic ${Buffer.from(`${username}:${word}`).toString("base64")}` } });
  }
});

test("what was planted is found in the columns that are meant for it, and nowhere else", async () => {
  await till.scheduled();
  assert.ok(planted.length > 100);
  const tables = await till.rows("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\' AND name NOT LIKE 'sqlite%'");
  assert.ok(tables.length >= 20);
  const found = new Map(planted.map(({ what }) => [what, new Set()]));
  const wrong = [];
  for (const { name } of tables) {
    for (const row of await till.rows(`SELECT * FROM "${name}"`)) {
      for (const [column, value] of Object.entries(row)) {
        for (const { text, what, columns } of planted.filter(({ text }) => String(value).includes(text))) {
          found.get(what).add(`${name}.${column}`);
          if (!columns.includes(`${name}.${column}`)) wrong.push(`${what} in ${name}.${column}`);
        }
      }
    }
  }
  assert.deepEqual([...new Set(wrong)], []);
  // The search finds what is there.
  const searched = planted.filter(({ columns }) => columns === RECORD || columns === SESSION);
  assert.deepEqual(searched.filter(({ what }) => found.get(what).size === 0).map(({ what }) => what), []);
});

test("nothing that was planted is in the log, and no secret in any answer but the one that made it", async () => {
  assert.ok(till.log.length > 50);
  const logged = planted.filter(({ text }) => till.log.some((line) => line.includes(text)));
  assert.deepEqual(logged.map(({ what }) => what), []);
  const secrets = planted.filter(({ columns }) => columns.length === 0);
  const making = (path) => /\/operator\/v1\/merchants\/$/.test(path) || path === TOKEN;
  const leaked = answers.filter(({ path, status }) => !(making(path) && status < 300)).flatMap(({ path, text }) => secrets.filter((one) => text.includes(one.text)).map(({ what }) => `${what} in the answer of ${path}`));
  assert.deepEqual(leaked, []);
  const pages = answers.filter(({ type }) => type.startsWith("text/html"));
  assert.ok(pages.length > 3);
  const shown = pages.flatMap(({ path, text }) => planted.filter((one) => one.what.startsWith("a card number") && !ON_PAGE.some((name) => one.what === `a card number in ${name}`) && text.includes(one.text)).map(({ what }) => `${what} on ${path}`));
  assert.deepEqual(shown, []);
});

test("nothing that was planted is in a file", async () => {
  const files = await till.kv("FILES");
  const { keys } = await files.list();
  assert.equal(keys.length, 1);
  for (const { name } of keys) {
    const text = `${name}\n${await files.get(name)}`;
    assert.deepEqual(planted.filter((one) => text.includes(one.text)).map(({ what }) => what), []);
  }
});
