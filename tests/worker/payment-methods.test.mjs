/**
 * Listing the merchant's payment methods over the API: who may, what is refused, and what a real payment adds
 * to it.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { OPERATOR_TOKEN, demoSettings, start } from "./harness.mjs";
import { assertProblem, atTheBank, choose, open, payWith } from "./payer.mjs";

const PATH = "/b/pbl/v2/payment-methods/";
const ALL = ["knet", "mpgs", "credit-card", "queued", "single", "later", "cash"];

/** @type {import("./harness.mjs").Till} */
let till;
let mine, theirs;

before(async () => {
  till = await start();
  const [knet, mpgs] = demoSettings().gateways;
  theirs = await till.createMerchant({ gateways: [{ ...mpgs, code: "cards" }, knet] });
  mine = await till.createMerchant();
});
after(() => till.stop());

const list = (filters = {}, headers = {}, path = PATH) =>
  till.call(path, { method: "POST", headers: { ...till.privateKey(), ...headers }, json: { plugin: "e_commerce", ...filters } });

async function codes(filters, merchant = mine) {
  const answer = await list(filters, till.privateKey(merchant));
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(answer.body.pg_codes, answer.body.payment_methods.map(({ code }) => code));
  return answer.body.pg_codes;
}

const paidBy = async (customer_id, merchant = mine) =>
  (await list({ customer_id }, till.privateKey(merchant))).body.customer_payment_methods;

test("every gateway is listed with everything that is known of it", async () => {
  const answer = await list();
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.headers.get("content-type"), "application/json");
  assert.equal(answer.headers.get("cache-control"), "no-store");
  assert.deepEqual(answer.body.pg_codes, ALL);
  assert.deepEqual(answer.body.customer_payment_methods, []);
  assert.deepEqual(answer.body.payment_methods[2], {
    code: "credit-card", name: "Credit card", pg: "mpgs", is_sandbox: true, logo: `${till.url}/icons/card.svg`,
    wallets: ["ApplePay", "GooglePay"],
    payment_services: [
      { code: "apple_pay", name: "Apple Pay", name_ar: "أبل باي" },
      { code: "google_pay", name: "Google Pay", name_ar: "جوجل باي" },
    ],
    default_currency: "SAR", accepted_currencies: ["KWD", "SAR", "USD"], operation: "purchase", operations: ["refund"],
    is_tokenizable: true, auto_debit_enabled: true, tags: ["e_commerce", "subscriptions", "retail", "demo"],
  });
  for (const { logo } of answer.body.payment_methods) {
    const picture = await till.call(logo);
    assert.deepEqual([picture.status, picture.headers.get("content-type")], [200, "image/svg+xml"], logo);
  }
});

test("the address answers without its trailing slash", async () => {
  const answer = await list({}, {}, PATH.slice(0, -1));
  assert.deepEqual([answer.status, answer.body.pg_codes], [200, ALL]);
});

test("filters choose, alone and together", async () => {
  for (const [filters, expected] of [
    [{ currencies: ["AED"] }, ["mpgs", "cash"]],
    [{ operation: "authorize" }, ["mpgs"]],
    [{ tokenizable: "true", auto_debit: true }, ["mpgs", "credit-card"]],
    [{ pg_names: ["kpay", "cod"] }, ["knet", "single", "cash"]],
    [{ type: "production" }, []],
    [{ type: "sandbox" }, ALL],
    [{ tags: ["logistics", "subscriptions"] }, ["mpgs", "credit-card", "cash"]],
    [{ payment_services: ["samsung_pay"] }, []],
    [{ payment_services: ["samsung_pay", "google_pay"], operation: "purchase", currencies: ["USD"] }, ["credit-card"]],
    [{ currencies: null, tags: [], operation: "", color: "red" }, ALL],
  ]) {
    assert.deepEqual(await codes(filters), expected, JSON.stringify(filters));
  }
});

test("listing needs a private key, and says so before it reads the body", async () => {
  for (const [headers, code] of [
    [{}, "credentials_missing"],
    [{ authorization: "Api-Key nonsense" }, "credentials_invalid"],
    [{ authorization: `Api-Key ${mine.private_key}x` }, "credentials_invalid"],
    [{ authorization: `Api-Key ${mine.public_key}` }, "private_key_required"],
    [{ authorization: `Bearer ${OPERATOR_TOKEN}` }, "credentials_invalid"],
    [{ authorization: "Basic dXNlcjpwYXNz" }, "credentials_invalid"],
  ]) {
    for (const [type, body] of [["application/json", '{"plugin":"e_commerce"}'], ["application/json", "{"], ["text/plain", "{}"]]) {
      const answer = await till.call(PATH, { method: "POST", headers: { ...headers, "content-type": type }, body });
      assertProblem(answer, 401, code);
    }
  }
});

test("only POST is answered", async () => {
  for (const method of ["GET", "PUT", "PATCH", "DELETE"]) {
    const answer = await till.call(PATH, { method, headers: till.privateKey() });
    assertProblem(answer, 405, "method_not_allowed");
    assert.equal(answer.headers.get("allow"), "POST");
  }
});

test("only JSON and forms are taken, and only one object of a sane size", async () => {
  const post = (type, body) => till.call(PATH, { method: "POST", headers: { ...till.privateKey(), ...type }, body });
  const json = { "content-type": "application/json; charset=utf-8" };
  for (const type of ["text/plain", "application/jsonp", "application/xml"]) {
    assertProblem(await post({ "content-type": type }, "plugin=e_commerce"), 415, "unsupported_media_type");
  }
  const untyped = { "content-type": "" };
  assertProblem(await post(untyped, '{"plugin":"e_commerce"}'), 415, "unsupported_media_type");
  for (const body of ["", "[]", "null", '"x"', "{", '{"plugin":"e_commerce"}{}', '{"plugin":1e}', "\u0000"]) {
    assertProblem(await post(json, body), 400, "malformed_body");
  }
  assertProblem(await post(json, JSON.stringify({ plugin: "e_commerce", x: "y".repeat(17_000) })), 413, "body_too_large");
  assert.equal((await post(json, '{"plugin":"e_commerce"}')).status, 200);
});

test("every wrong field is named at once", async () => {
  const answer = await list({
    plugin: "shop", currencies: ["KWD", "KW"], customer_id: 7, operation: "refund", tokenizable: "yes", auto_debit: 1,
    pg_names: "kpay", type: "test", tags: ["nope", "demo"], payment_services: ["paypal"],
  });
  const errors = assertProblem(answer, 400, "invalid_fields");
  assert.deepEqual(Object.keys(errors), [
    "plugin", "currencies", "customer_id", "operation", "tokenizable", "auto_debit", "pg_names", "type", "tags", "payment_services",
  ]);
  assert.deepEqual(errors.plugin, ["must be one of e_commerce, payment_request"]);
  assert.deepEqual(Object.keys(errors.currencies), ["1"]);
  assert.deepEqual(Object.keys(errors.tags), ["0"]);
  assert.deepEqual(errors.tokenizable, ["must be true or false"]);
  assert.deepEqual(assertProblem(await list({ plugin: undefined }), 400, "invalid_fields"), { plugin: ["is required"] });
});

test("strange bytes in a filter are refused by name or match nothing, and never break anything", async () => {
  const raw = (body) => till.call(PATH, { method: "POST", headers: { ...till.privateKey(), "content-type": "application/json" }, body });
  const errors = assertProblem(await raw('{"plugin":"e_commerce","customer_id":"\\ud800","pg_names":["\\udc00"]}'), 400, "invalid_fields");
  assert.deepEqual(Object.keys(errors), ["customer_id", "pg_names"]);
  for (const text of ["' OR 1=1 --", "%", "\u202enoor", "𝓃𝑜𝓊𝓇", "null"]) {
    assert.deepEqual(await paidBy(text), [], text);
    assert.deepEqual(await codes({ pg_names: [text] }), [], text);
  }
  assertProblem(await raw('{"plugin":"e_commerce","tokenizable":1e999}'), 400, "invalid_fields");
  assertProblem(await raw(`{"plugin":"e_commerce","tags":${"[".repeat(8000)}`), 400, "malformed_body");
});

test("each merchant sees its own gateways only", async () => {
  assert.deepEqual(await codes({}, theirs), ["cards", "knet"]);
  assert.deepEqual(await codes({}), ALL);
});

test("the codes through which a customer paid are named after they paid, to their merchant only", async () => {
  const customer_id = "c-1 سارة";
  const fields = { customer_id };
  assert.deepEqual(await paidBy(customer_id), []);
  const first = await atTheBank(till, { pg_code: "knet", ...fields });
  assert.deepEqual(await paidBy(customer_id), [], "the payer is still at the bank");
  await payWith(till, first.page, "visa-approve");
  assert.deepEqual(await paidBy(customer_id), ["knet"]);
  // Authorized money counts, a second payment adds nothing, a decline and cash add nothing.
  for (const [pg_code, card] of [["mpgs", "visa-approve"], ["knet", "visa-approve"], ["queued", "mastercard-decline"]]) {
    await payWith(till, (await atTheBank(till, { pg_code, ...fields })).page, card);
  }
  const cash = await open(till, { pg_codes: ["cash"], ...fields });
  await choose(till, cash, "cash");
  assert.deepEqual(await paidBy(customer_id), ["knet", "mpgs"]);
  // `customer_id` filters nothing, and filters hide nothing of what the customer paid.
  const answer = await list({ customer_id, operation: "purchase", currencies: ["USD"] });
  assert.deepEqual([answer.body.pg_codes, answer.body.customer_payment_methods], [["knet", "credit-card", "cash"], ["knet", "mpgs"]]);
  assert.deepEqual(await paidBy(customer_id.slice(0, 3)), []);
  assert.deepEqual(await paidBy(customer_id, theirs), [], "another merchant's customer of the same id");
});

test("what a customer paid is looked up in its index", async () => {
  const plan = await till.rows(
    `EXPLAIN QUERY PLAN SELECT MIN(settled_by) FROM txn WHERE merchant_id = 'm' AND customer_id = 'c'
     AND settled_by IS NOT NULL AND state IN ('paid', 'authorized', 'refunded') AND settled_by > 'a'`,
  );
  assert.match(plan.map(({ detail }) => detail).join("; "), /SEARCH txn USING (COVERING )?INDEX txn_paid_by_customer \(merchant_id=\? AND customer_id=\? AND settled_by>\?\)/);
});

test("a gateway that a plugin may not use is neither listed for it nor taken at create", async () => {
  const settings = demoSettings();
  settings.gateways[0].plugins = ["payment_request"];
  const merchant = await till.createMerchant(settings);
  try {
    assert.ok(!(await codes({}, merchant)).includes("knet"));
    assert.ok((await codes({ plugin: "payment_request" }, merchant)).includes("knet"));
    const errors = assertProblem(await till.create({ pg_codes: ["knet"] }), 400, "invalid_fields");
    assert.deepEqual(Object.keys(errors), ["pg_codes"]);
    assert.equal((await till.create({ pg_codes: ["knet"], type: "payment_request" })).status, 201);
  } finally {
    till.merchant = mine;
  }
});
