/** Create and update by form: urlencoded and multipart mean the same as JSON, and follow the same rules. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { OPERATOR_TOKEN, start } from "./harness.mjs";
import { assertProblem } from "./payer.mjs";

/** @type {import("./harness.mjs").Till} */
let till;

before(async () => {
  till = await start();
  await till.createMerchant();
});
after(() => till.stop());

const FIELDS = [
  ["type", "e_commerce"], ["amount", "10.250"], ["currency_code", "KWD"], ["pg_codes", "knet"], ["pg_codes", "cash"],
  ["order_no", "طلب ١"], ["customer_email", "noura@example.com"], ["notifications.email", "paid"],
  ["notifications.email", "failed"], ["agreement.id", "A1"], ["agreement.type", "other"], ["extra", '{"a": 1.10}'],
  ["email_recipients", "a@example.com, b@example.com"], ["billing_address.city", "Salmiya"],
  ["billing_address.country", "KW"], ["billing_address.line1", "Street 1"],
];
const EXPECTED = {
  type: "e_commerce", amount: "10.250", currency_code: "KWD", pg_codes: ["knet", "cash"], order_no: "طلب ١",
  customer_email: "noura@example.com", notifications: { email: ["failed", "paid"] }, agreement: { id: "A1", type: "other" },
  extra: { a: 1.1 }, email_recipients: ["a@example.com", "b@example.com"],
  billing_address: { city: "Salmiya", country: "KW", line1: "Street 1" },
};

function multipart(fields) {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  return form;
}

const send = (body, { method = "POST", path = "/b/checkout/v1/pymt-txn/", headers = {} } = {}) =>
  till.call(path, { method, headers: { ...till.privateKey(), ...headers }, body });

const picked = (body) => Object.fromEntries(Object.keys(EXPECTED).map((name) => [name, body[name]]));

for (const [kind, make] of [["urlencoded", (fields) => new URLSearchParams(fields)], ["multipart", multipart]]) {
  test(`a ${kind} form creates what the same JSON would`, async () => {
    const made = await send(make(FIELDS));
    assert.equal(made.status, 201, made.text);
    assert.deepEqual(picked(made.body), EXPECTED);
    assert.ok((await till.retrieve(made.body.session_id)).text.includes('"extra":{"a": 1.10}'));
  });

  test(`a ${kind} form names every wrong field`, async () => {
    const refused = await send(make([["type", "shop"], ["amount", "-1"], ["currency_code", "KWD"], ["pg_codes", "none"], ["agreement", "x"]]));
    assertProblem(refused, 400, "invalid_fields");
    assert.deepEqual(Object.keys(refused.body.errors), ["type", "amount", "pg_codes", "agreement"]);
  });

  test(`a ${kind} form patches`, async () => {
    const { body: made } = await till.create({ order_no: "A" });
    const path = `/b/checkout/v1/pymt-txn/${made.session_id}/`;
    const patched = await send(make([["amount", "3.500"]]), { method: "PATCH", path });
    assert.equal(patched.status, 200, patched.text);
    assert.deepEqual([patched.body.amount, patched.body.order_no], ["3.500", "A"]);
  });

  test(`the same ${kind} form with one idempotency key is done once`, async () => {
    const headers = { "idempotency-key": `form-${kind}` };
    const first = await send(make(FIELDS), { headers });
    const second = await send(make(FIELDS), { headers });
    assert.deepEqual([first.status, second.status, second.text], [201, 201, first.text]);
  });
}

const BRACKETED = FIELDS.map(([name, value]) => [
  name === "pg_codes" || name === "email_recipients" ? `${name}[]` : name.replace(/\.(\w+)$/, "[$1]").replace(/^notifications.*/, "$&[]"), value,
]);

for (const [kind, make] of [["urlencoded", (fields) => new URLSearchParams(fields)], ["multipart", multipart]]) {
  test(`a ${kind} form with brackets creates what the same JSON would`, async () => {
    const fields = BRACKETED.map(([name, value]) => [name, name === "email_recipients[]" ? "a@example.com" : value]);
    assert.deepEqual(fields.map(([name]) => name).filter((name) => name.includes("[")).slice(0, 4), ["pg_codes[]", "pg_codes[]", "notifications[email][]", "notifications[email][]"]);
    const made = await send(make(fields));
    assert.equal(made.status, 201, made.text);
    assert.deepEqual(picked(made.body), { ...EXPECTED, email_recipients: ["a@example.com"] });
    const placed = await send(make([...fields.filter(([name]) => name !== "pg_codes[]"), ["pg_codes[7]", "cash"], ["pg_codes[0]", "knet"]]));
    assert.deepEqual(placed.body.pg_codes, ["knet", "cash"]);
  });

  test(`what is wrong in the brackets of a ${kind} form is named where it is`, async () => {
    const refused = await send(make([
      ["type", "shop"], ["amount", "1"], ["currency_code", "KWD"], ["pg_codes[a]", "knet"], ["billing_address[country]", "Kuwait"], ["billing_address[city]", "A"], ["billing_address[line1]", "B"],
      ["notifications[sms][]", "never"], ["shipping_address", "{}"], ["shipping_address[city]", "A"], ["order_no[]", "1"], ["extra[a", "1"],
      ["agreement[seller][name][first][second]", "x"], ["unknown[", "x"],
    ]));
    assertProblem(refused, 400, "invalid_fields");
    const { errors } = refused.body;
    assert.deepEqual(Object.keys(errors).sort(), ["agreement", "billing_address", "extra", "notifications", "order_no", "pg_codes", "shipping_address", "type"]);
    assert.deepEqual(Object.keys(errors.billing_address), ["country"]);
    assert.deepEqual(errors.shipping_address, ["must not be given twice"]);
    assert.deepEqual(errors.agreement, ["must be nested at most 4 levels deep"]);
  });
}

test("a file in a field of text is named", async () => {
  const form = multipart(FIELDS);
  form.set("order_no", new File(["x"], "x.txt"));
  const refused = await send(form);
  assertProblem(refused, 400, "invalid_fields");
  assert.deepEqual(Object.keys(refused.body.errors), ["order_no"]);
});

test("broken, empty and endless forms are refused", async () => {
  const type = { "content-type": "multipart/form-data; boundary=b" };
  assertProblem(await send("no part at all", { headers: type }), 400, "malformed_body");
  assertProblem(await send("x", { headers: { "content-type": "multipart/form-data" } }), 400, "malformed_body");
  assertProblem(await send(new URLSearchParams()), 400, "invalid_fields");
  assertProblem(await send(new URLSearchParams(Array.from({ length: 257 }, (_, n) => [`f${n}`, ""]))), 400, "malformed_body");
  assertProblem(await send(new URLSearchParams({ extra: "x".repeat(300_000) })), 413, "body_too_large");
});

test("elsewhere forms are not taken", async () => {
  const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` };
  const path = "/b/operator/v1/merchants/";
  const refused = await send(new URLSearchParams({ merchant_id: "x" }), { path, headers });
  assertProblem(refused, 415, "unsupported_media_type");
});
