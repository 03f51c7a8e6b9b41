/** The TypeScript client against the description: every operation of a merchant has a method, which sends the request that is described. */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { buildClient } from "../../scripts/client.mjs";
import { at } from "../../scripts/project.mjs";
import { assertDescribed, description, operationOf } from "./description.mjs";

/** Older addresses of operations that have a method. */
const OLDER = new Set(["older_auto_debit", "older_pay_in_cash"]);

const document = description();
const operations = new Map(Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).filter(([, { tags }]) => tags?.includes("Merchant")).map(([method, operation]) => [operation.operationId, { path, method, operation }])));

/** The example of an operation's JSON body. */
const exampleOf = (id) => operations.get(id).operation.requestBody.content["application/json"].example;

const SESSION = "00a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3";
const IMAGE = "0123456789abcdef0123456789abcdef.png";
const DELIVERY = `evt_${SESSION}_7`;
const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47);
const ORDER = { type: "e_commerce", amount: "10.250", currency_code: "KWD", pg_codes: ["knet"] };
const sent = (id) => [exampleOf(id)];

/** Each operation: the method of the client, and what it is called with. */
const CALLS = {
  notify: ["notify", () => [SESSION, exampleOf("notify")]],
  reject: ["approvals.reject", () => ["R1", exampleOf("reject")]],
  withdraw: ["approvals.withdraw", () => ["R1"]],
  add_own_key: ["keys.add", () => sent("add_own_key")],
  add_own_user: ["users.add", () => sent("add_own_user")],
  add_own_webhook_secret: ["webhooks.addSecret", () => []],
  approve: ["approvals.approve", () => ["R1", exampleOf("approve")]],
  auto_debit: ["payments.autoDebit", () => [exampleOf("auto_debit"), { idempotencyKey: "1" }]],
  change_own_user: ["users.change", () => [2, exampleOf("change_own_user")]],
  change_own_webhook_addresses: ["webhooks.changeAddresses", () => sent("change_own_webhook_addresses")],
  create_transaction: ["create", () => [ORDER, { idempotencyKey: "1" }]],
  delete_card: ["cards.delete", () => ["card_1", { customer_id: "customer-9", type: "sandbox" }]],
  delete_own_image: ["images.delete", () => [IMAGE]],
  drop_own_webhook_secret: ["webhooks.dropPreviousSecret", () => []],
  enable_own_receiver: ["receivers.enable", () => sent("enable_own_receiver")],
  erase: ["erase", () => sent("erase")],
  export_transactions: ["exportTable", () => [{ state: ["paid"], order_no: "1" }]],
  inquire: ["inquire", () => [{ session_id: SESSION }]],
  list_agreements: ["agreements.list", () => sent("list_agreements")],
  list_approvals: ["approvals.list", () => [{ state: "asked" }]],
  list_own_attention: ["attention.list", () => [{ state: "resolved" }]],
  list_cards: ["cards.list", () => sent("list_cards")],
  list_methods: ["methods", () => sent("list_methods")],
  list_operations: ["operations", () => [SESSION]],
  list_own_images: ["images.list", () => []],
  list_own_keys: ["keys.list", () => []],
  list_own_receivers: ["receivers.list", () => []],
  list_roles: ["users.roles", () => []],
  invite_own_user: ["users.invite", () => [2]],
  reset_own_factor: ["users.resetFactor", () => [2]],
  list_own_users: ["users.list", () => []],
  list_transactions: ["list", () => [{ limit: 5, state: ["paid", "pending"], order_no: "1" }]],
  message_notification: ["messages.remind", () => sent("message_notification")],
  operate: ["operate", () => [{ operation: "refund", session_id: SESSION, amount: "1.000" }, { trackingKey: "1" }]],
  patch_transaction: ["change", () => [SESSION, { amount: "5.000" }]],
  pay_by_apple_pay: ["payments.applePay", () => [exampleOf("pay_by_apple_pay"), { idempotencyKey: "1" }]],
  pay_by_google_pay: ["payments.googlePay", () => [exampleOf("pay_by_google_pay"), { idempotencyKey: "1" }]],
  pay_in_cash: ["payments.cash", () => [exampleOf("pay_in_cash"), { idempotencyKey: "1" }]],
  preview_own_brand: ["brand.preview", () => [{ state: "paid", language: "ar" }]],
  read_approval: ["approvals.retrieve", () => ["R1"]],
  read_operation: ["operation", () => [SESSION, "R1"]],
  read_own_audit: ["audit.list", () => [{ limit: 5 }]],
  read_own_brand: ["brand.retrieve", () => []],
  read_own_deliveries: ["deliveries.list", () => [{ limit: 5, session_id: SESSION }]],
  read_own_delivery: ["deliveries.retrieve", () => [DELIVERY]],
  read_own_messages: ["messages.list", () => [{ limit: 5 }]],
  read_own_user: ["users.retrieve", () => [2]],
  read_own_webhook_addresses: ["webhooks.addresses", () => []],
  read_routing: ["routing", () => [SESSION]],
  read_timeline: ["events", () => [SESSION]],
  read_totals: ["totals", () => [{ from: "2026-11-01", to: "2026-11-30" }]],
  replace_own_brand: ["brand.replace", () => sent("replace_own_brand")],
  replace_own_signature_key: ["webhooks.replaceSignatureKey", () => []],
  replace_transaction: ["replace", () => [SESSION, ORDER]],
  resume_agreement: ["agreements.resume", () => sent("resume_agreement")],
  resolve_own_attention: ["attention.resolve", () => ["R1.second_success", { note: "given back at the gateway" }]],
  resend_own_deliveries: ["deliveries.resend", () => sent("resend_own_deliveries")],
  retrieve_transaction: ["retrieve", () => [SESSION]],
  revoke_own_key: ["keys.revoke", () => ["abc"]],
  send_own_test_webhook: ["webhooks.sendTest", () => sent("send_own_test_webhook")],
  upload_attachment: ["attach", () => [PNG, "bill.png", { session_id: SESSION, shortify_attachment_url: true }]],
  upload_own_image: ["images.upload", () => [PNG, "image/png"]],
};
/** Methods that make a request of another method, with other types. */
const ALSO = { createAndPay: ["create_transaction", () => [{ ...ORDER, payment_instrument: { instrument_type: "google_pay", payload: { paymentMethodData: {} } } }]] };

let createTill, NoAnswer, ProblemError, UnexpectedAnswer;
before(async () => {
  await buildClient();
  ({ NoAnswer, ProblemError, UnexpectedAnswer, createTill } = await import(at("clients", "typescript", "dist", "index.js")));
});

const client = (fetch, options = {}) => createTill({ baseUrl: "https://pay.example.com/", key: "secret", fetch, ...options });

/** Answers of which the description has no example. */
const ANSWERS = {
  enable_own_receiver: { address: "https://shop.example.com", released: 0 },
  invite_own_user: { email: "sara@shop.example", expires_at: "2026-11-28T12:00:00Z", id: 2 },
  resolve_own_attention: { id: "R1.second_success", state: "resolved" },
};

/** The answer of an operation that the description gives as an example. */
function answerOf({ operation }) {
  const [status, { content = {} }] = Object.entries(operation.responses).find(([code]) => code.startsWith("2"));
  const [type, { example }] = Object.entries(content)[0] ?? [undefined, {}];
  if (type === undefined) return new Response(null, { status: Number(status) });
  const texts = { "text/html": "<p>a page</p>", "text/csv": "kind,session_id" };
  return new Response(texts[type] ?? JSON.stringify(example ?? ANSWERS[operation.operationId] ?? {}), { status: Number(status), headers: { "content-type": type } });
}

/** Calls a method by its dotted name; answers the request that it sent, and what it answered. */
async function call(name, args, answer) {
  let request;
  const till = client(async (given) => {
    request = given;
    return answer();
  });
  const place = name.split(".");
  const owner = place.slice(0, -1).reduce((from, part) => from[part], till);
  return { answered: await owner[place.at(-1)](...args), request };
}

/** Every method of the client, by its dotted name. */
function methodsOf(till) {
  const own = (value) => Object.getOwnPropertyNames(Object.getPrototypeOf(value)).filter((name) => name !== "constructor");
  const parts = Object.entries(till).filter(([name]) => name !== "api");
  return [...own(till), ...parts.flatMap(([part, value]) => own(value).map((name) => `${part}.${name}`))];
}

test("every operation of a merchant has a method, and every method an operation", () => {
  const described = [...operations.keys()].filter((id) => !OLDER.has(id));
  assert.ok(described.length > 40, `${described.length} operations`);
  assert.deepEqual(Object.keys(CALLS).toSorted(), described.toSorted());
  for (const id of OLDER) assert.ok(operations.has(id), `${id} is described`);
  const methods = methodsOf(client(() => {}));
  assert.deepEqual([...Object.values(CALLS).map(([name]) => name), ...Object.keys(ALSO)].toSorted(), methods.toSorted());
});

for (const [id, name, args] of [...Object.entries(CALLS).map(([id, [name, args]]) => [id, name, args]), ...Object.entries(ALSO).map(([name, [id, args]]) => [id, name, args])]) {
  test(`${name} sends what ${id} describes`, async () => {
    const described = operations.get(id);
    const { answered, request } = await call(name, args(), () => answerOf(described));
    const url = new URL(request.url);
    assert.equal(url.origin, "https://pay.example.com");
    assert.equal(operationOf(request.method, url.pathname)?.id, id, `${request.method} ${url.pathname}`);
    assert.equal(request.headers.get("authorization"), "Api-Key secret");
    const type = request.headers.get("content-type") ?? undefined;
    const text = type === "application/json" ? await request.text() : undefined;
    const answer = answerOf(described);
    const body = await answer.clone().text();
    assertDescribed(request.method, url.pathname, { type, text }, { status: answer.status, type: answer.headers.get("content-type") ?? "", text: body });
    const known = new Set((described.operation.parameters ?? []).filter((parameter) => parameter.in === "query").map((parameter) => parameter.name));
    for (const filter of url.searchParams.keys()) assert.ok(known.has(filter), filter);
    const isText = answer.headers.get("content-type")?.startsWith("text/");
    assert.deepEqual(answered, body === "" ? undefined : isText ? body : JSON.parse(body));
  });
}

test("a key of an operation that is done once is sent in its header", async () => {
  for (const [name, args] of Object.values(CALLS)) {
    const { idempotencyKey, trackingKey } = args().at(-1) ?? {};
    if (idempotencyKey === undefined && trackingKey === undefined) continue;
    const { request } = await call(name, args(), () => Response.json({}));
    assert.equal(request.headers.get(trackingKey ? "tracking-key" : "idempotency-key"), "1", name);
  }
});

test("bytes are sent as they are, with their type and their name", async () => {
  const image = await call("images.upload", [PNG, "image/png"], () => Response.json({}, { status: 201 }));
  assert.equal(image.request.headers.get("content-type"), "image/png");
  assert.deepEqual(new Uint8Array(await image.request.arrayBuffer()), PNG);
  const { request } = await call("attach", CALLS.upload_attachment[1](), () => Response.json({}));
  assert.match(request.headers.get("content-type"), /^multipart\/form-data; boundary=/);
  const form = await request.formData();
  assert.deepEqual([...form.keys()], ["file", "session_id", "shortify_attachment_url"]);
  assert.deepEqual([form.get("file").name, form.get("session_id"), form.get("shortify_attachment_url")], ["bill.png", SESSION, "true"]);
  assert.deepEqual(new Uint8Array(await form.get("file").arrayBuffer()), PNG);
});

test("what is wrong with how the client is made is said by name, before anything is sent", () => {
  const cases = [
    [{ key: undefined }, /^key must be a text that is not empty; is its environment variable set\?$/], [{ key: "" }, /^key must/],
    [{ baseUrl: undefined }, /^baseUrl must be the origin/], [{ baseUrl: "pay.example.com" }, /^baseUrl must/],
    [{ baseUrl: "https://pay.example.com/b/checkout" }, /^baseUrl must/],
    [{ key: undefined, username: "a@b", password: undefined }, /must be a text/],
  ];
  for (const [options, message] of cases) assert.throws(() => client(() => {}, options), { name: "TypeError", message });
  assert.throws(() => createTill({ baseUrl: "https://pay.example.com" }), { message: /^a key, a username with a password, or a token must be given$/ });
  assert.throws(() => createTill({ baseUrl: "https://pay.example.com", username: "a" }), { message: /must both be given/ });
  assert.throws(() => createTill({ baseUrl: "https://pay.example.com", token: 7 }), { message: /^token must be/ });
});

test("no answer, a foreign answer and a refusal are three kinds of errors", async () => {
  const cause = new TypeError("fetch failed");
  const none = await client(async () => { throw cause; }).retrieve(SESSION).catch((error) => error);
  assert.ok(none instanceof NoAnswer);
  assert.equal(none.cause, cause);
  assert.match(none.message, /^no answer to GET https:\/\/pay\.example\.com\/b\/checkout\/v1\/pymt-txn\/0+a1\w+\/: it may have been done or not$/);
  const foreign = await client(async () => new Response("<h1>Bad gateway</h1>", { status: 502, headers: { "content-type": "text/html" } })).retrieve(SESSION).catch((error) => error);
  assert.ok(foreign instanceof UnexpectedAnswer);
  assert.equal(foreign.status, 502);
  const problem = { code: "invalid_fields", detail: "Every wrong field is named.", errors: { amount: ["must be a text"] } };
  const refused = await client(async () => Response.json(problem, { status: 429, headers: { "retry-after": "7" } })).create(ORDER).catch((error) => error);
  assert.ok(refused instanceof ProblemError);
  assert.deepEqual([refused.code, refused.status, refused.retryAfter, refused.message], ["invalid_fields", 429, 7, "invalid_fields: Every wrong field is named. Wrong: amount"]);
  assert.doesNotMatch(JSON.stringify([none.message, foreign.message, refused.message]), /secret/);
});
