/**
 * Users over HTTP: who may do what by name and password, what their passwords are stored as, who is named in webhooks, and
 * how wrong passwords are slowed down. The hash is judged by an implementation of Argon2 that is not ours.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { argon2Verify } from "hash-wasm";
import { start } from "./harness.mjs";
import { assertProblem, atTheBank, payWith } from "./payer.mjs";

const CREATE = "/b/checkout/v1/pymt-txn/";
const PASSWORD = "correct horse battery";
const ORDER = { type: "e_commerce", amount: "1.000", currency_code: "KWD", pg_codes: ["knet"] };

/** @type {import("./harness.mjs").Till} */
let till;
let shop;
before(async () => {
  till = await start();
  shop = await till.createMerchant();
});
after(() => till.stop());

const basic = (username, password = PASSWORD) => ({ authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}` });
const key = () => ({ authorization: `Api-Key ${shop.private_key}` });
const names = {};

/** Makes a user; the name is unique in the installation. */
async function user(name, permissions, more = {}) {
  const json = { username: `${name}@${shop.merchant_id}`, password: PASSWORD, first_name: name, permissions, ...more };
  const answer = await till.call("/b/access/v1/users/", { method: "POST", headers: key(), json });
  assert.equal(answer.status, 201, answer.text);
  names[name] = json.username;
  return answer.body;
}
const post = (path, json, headers) => till.call(path, { method: "POST", headers, json });

test("each call needs its permission, and a user without it is refused with 403", async () => {
  const { body: made } = await post(CREATE, ORDER, key());
  const one = `${CREATE}${made.session_id}/`;
  const calls = [
    ["create", ["Can add e-commerce payments", "Can use knet"], (by) => post(CREATE, ORDER, by), 201],
    ["retrieve", ["Can view e-commerce payments"], (by) => till.call(one, { headers: by }), 200],
    ["replace", ["Can change e-commerce payments", "Can use knet"], (by) => till.call(one, { method: "PUT", headers: by, json: ORDER }), 200],
    ["change", ["Can change e-commerce payments"], (by) => till.call(one, { method: "PATCH", headers: by, json: { amount: "2.000" } }), 200],
    ["list", ["Can view e-commerce payments", "Can view payment requests"], (by) => till.call(CREATE, { headers: by }), 200],
    ["inquire", ["payment.inquiry"], (by) => post("/b/pbl/v2/inquiry/", { session_id: made.session_id }, by), 400],
    ["cancel", ["payment.cancel"], (by) => post("/b/pbl/v2/operation/", { session_id: made.session_id, operation: "cancel" }, by), 200],
    ["manage", ["Can manage access"], (by) => till.call("/b/access/v1/users/", { headers: by }), 200],
  ];
  for (const [name, permissions, call, status] of calls) {
    await user(name, permissions);
    for (const missing of permissions) {
      await user(`${name}-less`, permissions.filter((one) => one !== missing), { username: `${name}-${permissions.indexOf(missing)}@${shop.merchant_id}` });
      assertProblem(await call(basic(`${name}-${permissions.indexOf(missing)}@${shop.merchant_id}`)), 403, "permission_missing");
    }
    const answer = await call(basic(names[name]));
    assert.equal(answer.status, status, `${name}: ${answer.text}`);
  }
});

test("a PUT needs the permission for the gateway that is set, a PATCH that leaves it does not", async () => {
  await user("editor", ["Can change e-commerce payments", "Can use credit-card"]);
  const { body } = await post(CREATE, ORDER, key());
  const path = `${CREATE}${body.session_id}/`;
  const by = basic(names.editor);
  assertProblem(await till.call(path, { method: "PUT", headers: by, json: { ...ORDER, pg_codes: ["credit-card"] } }), 403, "permission_missing");
  assert.equal((await till.call(path, { method: "PATCH", headers: by, json: { amount: "3.000" } })).status, 200);
  assertProblem(await till.call(path, { method: "PATCH", headers: by, json: { pg_codes: ["mpgs"] } }), 403, "permission_missing");
  assertProblem(await till.call(path, { method: "PATCH", headers: by, json: { pg_codes: ["credit-card"] } }), 403, "permission_missing");
  await user("changer", ["Can change e-commerce payments", "Can use credit-card", "Can use knet"]);
  assert.equal((await till.call(path, { method: "PATCH", headers: basic(names.changer), json: { pg_codes: ["credit-card"] } })).status, 200);
});

test("saved cards and cash are for keys, and the payment methods are those that the user may use", async () => {
  await user("root", [], { is_superuser: true });
  for (const path of ["/b/pbl/v2/card/", "/b/pbl/v2/payment/cash/"]) {
    assertProblem(await post(path, {}, basic(names.root)), 403, "key_required");
  }
  await user("teller", ["Can add e-commerce payments", "Can use knet"]);
  const listed = await post("/b/pbl/v2/payment-methods/", { plugin: "e_commerce" }, basic(names.teller));
  assert.equal(listed.status, 200, listed.text);
  assert.ok(listed.text.includes("knet") && !listed.text.includes("credit-card"), listed.text);
});

test("what a user makes and refunds names the user in webhooks and answers", async () => {
  const sara = await user("sara", ["Can add e-commerce payments", "Can use knet", "payment.refund"], { email: "sara@shop.example" });
  const by = basic(names.sara);
  const made = await post(CREATE, ORDER, by);
  assert.equal(made.status, 201, made.text);
  assert.equal(made.body.initiator_id, sara.id);
  const paid = await atTheBank(till, { initiator_id: sara.id });
  await payWith(till, paid.page, "visa-approve");
  const rows = await till.rows("SELECT body FROM delivery WHERE session_id = ?1", paid.session_id);
  const initiator = { email: "sara@shop.example", first_name: "sara", id: sara.id, username: names.sara };
  assert.equal(JSON.parse(rows.at(-1).body).initiator, undefined, "a key names nobody to receivers");
  const refund = await post("/b/pbl/v2/operation/", { session_id: paid.session_id, operation: "refund", amount: "0.100" }, by);
  assert.equal(refund.status, 200, refund.text);
  assert.deepEqual(refund.body.initiator, initiator);
  const [child] = await till.rows("SELECT initiator FROM child WHERE parent_id = ?1", paid.session_id);
  assert.deepEqual(JSON.parse(child.initiator), initiator);
});

test("a password is stored as an Argon2id hash that another implementation accepts", async () => {
  const noura = await user("noura", []);
  const [{ password }] = await till.rows("SELECT password FROM user WHERE id = ?1", noura.id);
  assert.match(password, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  assert.equal(await argon2Verify({ password: PASSWORD, hash: password }), true);
  assert.equal(await argon2Verify({ password: `${PASSWORD}!`, hash: password }), false);
  const everything = await till.rows("SELECT * FROM user");
  assert.ok(!JSON.stringify(everything).includes(PASSWORD));
});

test("a user who is switched off, and one whose password changed, cannot go on with what was remembered", async () => {
  const { id } = await user("leaver", ["Can view e-commerce payments", "Can view payment requests"]);
  const list = (password) => till.call(CREATE, { headers: basic(names.leaver, password) });
  const change = (json) => till.call(`/b/access/v1/users/${id}/`, { method: "PATCH", headers: key(), json });
  assert.equal((await list()).status, 200);
  assert.equal((await list()).status, 200, "remembered");
  assert.equal((await change({ password: "another long password" })).status, 200);
  assertProblem(await list(), 401, "credentials_invalid");
  assert.equal((await list("another long password")).status, 200);
  assert.equal((await change({ is_active: false })).status, 200);
  assertProblem(await list("another long password"), 401, "credentials_invalid");
});

test("many requests at once with the right password are all answered", async () => {
  await user("server", ["Can view e-commerce payments", "Can view payment requests"]);
  const headers = { ...basic(names.server), "cf-connecting-ip": "192.0.2.8" };
  for (let burst = 0; burst < 2; burst += 1) {
    const answers = await Promise.all(Array.from({ length: 24 }, () => till.call(CREATE, { headers })));
    assert.deepEqual(answers.map(({ status }) => status), Array(24).fill(200));
  }
});

test("many wrong passwords at once are not more than one after the other, whether the user exists or not", async () => {
  await user("target", ["Can view e-commerce payments", "Can view payment requests"]);
  for (const name of [names.target, `nobody@${shop.merchant_id}`]) {
    const guess = (number) => till.call(CREATE, { headers: { ...basic(name, `guess number ${number}`), "cf-connecting-ip": "192.0.2.7" } });
    const answers = await Promise.all(Array.from({ length: 16 }, (_, number) => guess(number)));
    const statuses = answers.map(({ status }) => status).toSorted();
    assert.deepEqual(statuses, [...Array(10).fill(401), ...Array(6).fill(429)], name);
    const refused = answers.find(({ status }) => status === 429);
    assertProblem(refused, 429, "too_many_sign_ins");
    const wait = Number(refused.headers.get("retry-after"));
    assert.ok(wait > 890 && wait <= 901, `${wait}`);
  }
  const elsewhere = await till.call(CREATE, { headers: { ...basic(names.target), "cf-connecting-ip": "198.51.100.9" } });
  assert.equal(elsewhere.status, 200, "from another place the user signs in");
});

test("another merchant's user is like none, and a name is taken in the whole installation", async () => {
  const { id } = await user("own", []);
  const other = await till.createMerchant();
  const by = { authorization: `Api-Key ${other.private_key}` };
  for (const [method, json] of [["GET", undefined], ["PATCH", { phone: "1" }]]) {
    assertProblem(await till.call(`/b/access/v1/users/${id}/`, { method, headers: by, json }), 404, "not_found");
  }
  const taken = await post("/b/access/v1/users/", { username: names.own.toUpperCase() }, by);
  assertProblem(taken, 400, "invalid_fields");
  assert.match(taken.text, /is the name of another user/);
});
