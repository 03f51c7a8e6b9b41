/** The installation's own address: how it may be written, and which of its addresses are never notified. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { demoSettings, start } from "./harness.mjs";
import { freePort } from "./runtime.mjs";
import { assertProblem, eventually } from "./payer.mjs";

/** @type {import("./harness.mjs").Till} */
let till;

before(async () => {
  till = await start();
  await till.createMerchant();
});
after(() => till.stop());

for (const [what, spelling] of [
  ["a slash at the end", (url) => `${url}/`], ["capitals", (url) => url.replace("http://127.0.0.1", "HTTP://127.0.0.1")],
  ["spaces around it", (url) => ` ${url}\n`], ["several slashes", (url) => `${url}///`], ["a longer number", (url) => url.replace("127.0.0.1", "127.0.0.1")],
]) {
  test(`PUBLIC_URL with ${what} is the same address`, async () => {
    const port = await freePort();
    const other = await start({ bindings: { PUBLIC_URL: spelling(`http://127.0.0.1:${port}`) } });
    await other.createMerchant();
    const { body } = await other.create({ webhook_url: `http://127.0.0.1:${port}/sandbox/inbox/a/`, generate_qr_code: true });
    assert.equal(body.checkout_url, `http://127.0.0.1:${port}/b/checkout/redirect/start/?session_id=${body.session_id}`);
    assert.ok(body.qr_code_url.startsWith(`http://127.0.0.1:${port}/b/`));
    await other.stop();
  });
}

for (const [PUBLIC_URL, wrong] of [
  ["http://127.0.0.1:1/till/", /PUBLIC_URL.*path/], ["http://127.0.0.1:1/?a", /PUBLIC_URL.*query/], ["127.0.0.1", /PUBLIC_URL/], ["", /PUBLIC_URL/],
  ["ftp://pay.example.com", /PUBLIC_URL.*https/], ["http://a:b@127.0.0.1:1", /PUBLIC_URL.*user name/],
]) {
  test(`PUBLIC_URL ${JSON.stringify(PUBLIC_URL)} is refused, and the log says why`, async () => {
    const other = await start({ bindings: { PUBLIC_URL } });
    const answer = await other.call("/b/checkout/v1/pymt-txn/", { method: "POST", json: {} });
    assert.equal(answer.status, 503);
    assert.match(answer.text, /not configured/);
    assert.match(other.log.join("\n"), wrong);
    await other.stop();
  });
}

test("LOG_SUCCESSES says how many successes are logged; refusals always are", async () => {
  for (const [LOG_SUCCESSES, expected] of [["0", 0], ["10", 4], ["100", 40], [undefined, 40]]) {
    const other = await start({ bindings: LOG_SUCCESSES === undefined ? {} : { LOG_SUCCESSES } });
    for (let number = 0; number < 40; number += 1) assert.equal((await other.call("/healthz")).status, 200);
    for (let number = 0; number < 3; number += 1) assert.equal((await other.call("/b/nothing/here/")).status, 404);
    const lines = () => other.log.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));
    const counted = (route) => lines().filter((line) => line.event === "answered" && line.route === route).length;
    // The log is read a moment after the answer; the refusals come last.
    await eventually("the refusals are logged", () => counted("nothing") >= 3);
    assert.deepEqual([counted("health"), counted("nothing")], [expected, 3], LOG_SUCCESSES);
    await other.stop();
  }
});

test("an address of the installation at which nothing takes notifications is refused wherever one is given", async () => {
  for (const path of ["/sandbox/inbox/a/answer/", "/sandbox/inbox/", "/sandbox/inbox/a%2Fb/", "/sandbox/inbox/a/../../shop/", "/sandbox/shop/", "/healthz", "", `/sandbox/inbox/${"a".repeat(65)}/`]) {
    const address = `${till.url}${path}`;
    const errors = assertProblem(await till.create({ webhook_url: address }), 400, "invalid_fields");
    assert.deepEqual(Object.keys(errors), ["webhook_url"], path);
    const settings = demoSettings();
    settings.operations_webhook_url = address;
    settings.plugins.e_commerce.webhook_url = address;
    const refused = await till.operator(`/merchants/${till.merchant.merchant_id}/settings/`, { method: "PUT", json: settings });
    const wrong = assertProblem(refused, 400, "invalid_fields");
    assert.deepEqual([Object.keys(wrong).sort(), Object.keys(wrong.plugins.e_commerce)], [["operations_webhook_url", "plugins"], ["webhook_url"]]);
  }
  for (const path of ["/sandbox/inbox/a/", "/sandbox/inbox/a", "/sandbox/inbox/a/?order=1"]) {
    assert.equal((await till.create({ webhook_url: `${till.url}${path}` })).status, 201, path);
  }
});

test("who may pay with a QR code may keep it, and nobody on the way", async () => {
  const { body } = await till.create({ generate_qr_code: true });
  for (const ending of ["png", "svg"]) {
    const image = await till.fetch(body.qr_code_url.replace("png", ending));
    assert.equal(image.status, 200);
    const cached = image.headers.get("cache-control");
    assert.match(cached, /\bprivate\b/);
    assert.doesNotMatch(cached, /public|s-maxage/);
    await image.arrayBuffer();
  }
});

test("an amount may have zeros past the decimals of its currency, and no other digit", async () => {
  for (const [amount, currency_code, pg_codes, shown] of [["100.000", "SAR", ["credit-card"], "100.00"], ["7.50000", "KWD", ["knet"], "7.500"]]) {
    const { status, body, text } = await till.create({ amount, currency_code, pg_codes });
    assert.deepEqual([status, body.amount], [201, shown], text);
  }
  const raw = await till.create('{"type":"e_commerce","amount":7.5000,"currency_code":"KWD","pg_codes":["knet"]}');
  assert.equal(raw.body.amount, "7.500");
  assert.deepEqual(Object.keys(assertProblem(await till.create({ amount: "100.001", currency_code: "SAR", pg_codes: ["credit-card"] }), 400, "invalid_fields")), ["amount"]);
  for (const currency_code of ["XAU", "XDR", "XXX", "XTS"]) {
    assert.deepEqual(Object.keys(assertProblem(await till.create({ currency_code }), 400, "invalid_fields")).includes("currency_code"), true);
  }
});

test("a patch clears a field by an empty text, in JSON and in a form, and never a required one", async () => {
  const address = { country: "KW", city: "Salmiya", line1: "Street 1" };
  const optional = {
    order_no: "A-1", customer_first_name: "Noura", customer_last_name: "A", customer_email: "n@example.com", customer_id: "c-1", customer_phone: "123",
    customer_phone_2: "456", customer_birthdate: "1990-01-01", product_type: "chairs", vendor_name: "V", redirect_url: "https://shop.example.com/",
    webhook_url: "https://shop.example.com/hook", extra: { a: 1 }, billing_address: address, email_recipients: ["a@example.com"], transaction_log_id: 7,
    notifications: { email: ["paid"] }, capture_delivery_address: true, card_acceptance_criteria: { min_expiry_time: 30 }, due_datetime: "2030-01-31T12:00:00Z",
  };
  const patch = (session_id, init) => till.call(`/b/checkout/v1/pymt-txn/${session_id}/`, { method: "PATCH", headers: till.privateKey(), ...init });
  for (const send of [(name) => ({ json: { [name]: "" } }), (name) => ({ body: new URLSearchParams({ [name]: "" }) })]) {
    const { body: made, text } = await till.create(optional);
    for (const name of Object.keys(optional)) assert.ok(name in made, `${name} ${text}`);
    // The address is required while notifications by e-mail are requested.
    const names = ["notifications", ...Object.keys(optional).filter((name) => name !== "notifications")];
    for (const name of names) {
      const answer = await patch(made.session_id, send(name));
      assert.equal(answer.status, 200, `${name} ${answer.text}`);
      const shown = answer.body[name];
      if (name === "due_datetime") assert.notEqual(shown, made.due_datetime);
      else assert.equal(shown, undefined, name);
    }
    const before = (await till.retrieve(made.session_id)).text;
    for (const name of ["type", "amount", "currency_code", "pg_codes"]) {
      const errors = assertProblem(await patch(made.session_id, send(name)), 400, "invalid_fields");
      assert.ok(name in errors, `${name} ${JSON.stringify(errors)}`);
    }
    assert.equal((await till.retrieve(made.session_id)).text, before);
    const absent = await patch(made.session_id, { json: { language: null, order_no: "B" } });
    assert.deepEqual([absent.status, absent.body.order_no], [200, "B"]);
    assert.equal((await patch(made.session_id, { json: { order_no: null } })).body.order_no, "B", "null says nothing");
  }
});
