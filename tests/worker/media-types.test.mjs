/**
 * Which media types each address takes: every route that reads a body refuses others with 415, and names its
 * own.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { OPERATOR_TOKEN, start } from "./harness.mjs";
import { assertProblem } from "./payer.mjs";
import { endpoints } from "./routes.mjs";

const JSON_TYPE = "application/json";
const FORM = "application/x-www-form-urlencoded";
const MULTIPART = "multipart/form-data";
const ANY = [JSON_TYPE, FORM, MULTIPART];

/** What the table of endpoints says that each reads. Bytes may be of any type: a gateway proves its callback by a signature. */
const READS = { json: [JSON_TYPE], form: [FORM], multipart: [MULTIPART], record: ANY };
const TAKES = endpoints().flatMap(({ routes, body }) => (READS[body] ? routes.map((route) => [route, READS[body]]) : []));

/** @type {import("./harness.mjs").Till} */
let till;
let session_id;
/** What only persons do is asked by one. */
let asPerson;

before(async () => {
  till = await start();
  const shop = await till.createMerchant();
  const person = { username: `person@${shop.merchant_id}`, password: "correct horse battery", is_superuser: true };
  const made = await till.operator(`/merchants/${shop.merchant_id}/users/`, { method: "POST", json: person });
  assert.equal(made.status, 201, made.text);
  asPerson = { authorization: `Basic ${Buffer.from(`${person.username}:${person.password}`).toString("base64")}` };
  session_id = (await till.create()).body.session_id;
});
after(() => till.stop());

const credentials = (path) =>
  path.startsWith("/b/operator/") ? { authorization: `Bearer ${OPERATOR_TOKEN}` } : path.includes("/approvals/") ? asPerson : till.privateKey();

/** A path of the table with existing values in its placeholders. */
const filled = (path) =>
  path.replace("approvals/{}", "approvals/7H3K9M2P4Q5R").replace("messages/{}/{}", "messages/shop/sms").replace("users/{}", "users/1").replace("versions/{}", "versions/1").replace("{}", () => (path.includes("/merchants/") ? till.merchant.merchant_id : path.includes("/attention/") ? "ABCDEFGHJKMN.amount_mismatch" : session_id));

test("every endpoint whose method brings a body says what it reads", () => {
  const untyped = endpoints().filter(({ routes, body }) => !READS[body] && routes.some((route) => /^(POST|PUT|PATCH) /.test(route)));
  assert.deepEqual(untyped.map(({ name, body }) => `${name} ${body}`), [
    "withdraw nothing", "invite_own_user nothing", "reset_own_factor nothing", "add_own_webhook_secret nothing", "upload_own_image bytes", "gateway_return bytes", "gateway_return bytes", "gateway_callback bytes", "account_callback bytes", "message_report bytes", "policy_report bytes", "add_webhook_secret nothing", "check_gateway nothing", "upload_image bytes", "replace_apple_domain_file bytes", "reseal nothing", "notify_of nothing", "restore_transaction nothing",
  ]);
  assert.ok(TAKES.length > 20);
});

for (const [route, types] of TAKES) {
  test(`${route} names ${types.join(", ")}`, async () => {
    const [method, pattern] = route.split(" ");
    const path = filled(pattern);
    const wrong = ["text/plain", "application/xml", "application/jsonp", ...ANY.filter((type) => !types.includes(type))];
    for (const type of wrong) {
      const headers = { ...credentials(path), accept: JSON_TYPE, "content-type": type };
      const answer = await till.call(path, { method, headers, body: "x=1" });
      assertProblem(answer, 415, "unsupported_media_type");
      assert.equal(answer.headers.get("accept"), types.join(", "), type);
      if (method !== "PUT") assert.equal(answer.headers.get(`accept-${method.toLowerCase()}`), types.join(", "));
      const named = ANY.filter((known) => answer.body.detail.includes(known));
      assert.deepEqual(named, types, answer.body.detail);
    }
    const untyped = await till.call(path, { method, headers: { ...credentials(path), accept: JSON_TYPE }, body: new Uint8Array([123, 125]) });
    assertProblem(untyped, 415, "unsupported_media_type");
  });
}

test("a form that cannot be read is answered with what a form needs, not to send JSON", async () => {
  for (const path of ["/b/checkout/v1/pymt-txn/", "/b/checkout/v1/upload-attachment/"]) {
    for (const type of [MULTIPART, `${MULTIPART}; boundary=`, `${MULTIPART}; boundary=other`]) {
      const headers = { ...till.privateKey(), "content-type": type };
      const answer = await till.call(path, { method: "POST", headers, body: "--b\r\n\r\n--b--" });
      assertProblem(answer, 400, "malformed_body");
      assert.match(answer.body.detail, /boundary/);
      assert.doesNotMatch(answer.body.detail, /JSON/);
    }
  }
});

const upload = (fill) => {
  const body = new FormData();
  fill(body);
  return till.call("/b/checkout/v1/upload-attachment/", { method: "POST", headers: till.privateKey(), body });
};
const file = () => new File(["Two chairs"], "invoice.txt", { type: "text/plain" });

test("an upload whose file is in a part of another name says that `file` is missing, and what else is wrong", async () => {
  const answer = await upload((form) => {
    form.append("document", file());
    form.append("session_id", "unknown");
    form.append("shortify_attachment_url", "perhaps");
  });
  assertProblem(answer, 400, "invalid_fields");
  assert.deepEqual(Object.keys(answer.body.errors).sort(), ["file", "session_id", "shortify_attachment_url"]);
});

test("parts of an upload that nobody knows are ignored, files too", async () => {
  const answer = await upload((form) => {
    form.append("document", file());
    form.append("note", "x");
    form.append("file", file());
  });
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.body.original_filename, "invoice.txt");
});

test("a file in a field of text is named with every other violation", async () => {
  const answer = await upload((form) => {
    form.append("session_id", file());
    form.append("shortify_attachment_url", "perhaps");
  });
  assertProblem(answer, 400, "invalid_fields");
  assert.deepEqual(Object.keys(answer.body.errors).sort(), ["file", "session_id", "shortify_attachment_url"]);
  const form = new FormData();
  for (const [name, value] of [["type", "shop"], ["amount", file()], ["currency_code", "KWD"], ["pg_codes", file()], ["order_no", file()], ["picture", file()], ["extra.a", file()]]) form.append(name, value);
  const created = await till.call("/b/checkout/v1/pymt-txn/", { method: "POST", headers: till.privateKey(), body: form });
  assertProblem(created, 400, "invalid_fields");
  assert.deepEqual(Object.keys(created.body.errors).sort(), ["amount", "order_no", "pg_codes", "type"]);
});
