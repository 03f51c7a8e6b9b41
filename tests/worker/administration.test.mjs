/**
 * The administration over HTTP: operators with roles, the audit of what they and merchants change, the history of settings,
 * and the rotation of webhook secrets. Differences are judged by an implementation of JSON Patch, signatures by the official
 * library of Standard Webhooks; neither is ours.
 */
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { after, before, test } from "node:test";
import patch from "fast-json-patch";
import { Webhook } from "standardwebhooks";
import { demoSettings, start } from "./harness.mjs";
import { assertProblem, choose, deliverNow, open, untilWebhooks } from "./payer.mjs";
import { endpoints } from "./routes.mjs";

/** @type {import("./harness.mjs").Till} */
let till;
/** The operators of each role, with their keys. */
const staff = {};

before(async () => {
  till = await start();
  await till.createMerchant();
  for (const role of ["read", "support", "admin"]) staff[role] = await operator(role, role);
});
after(() => till.stop());

async function operator(name, role) {
  const answer = await till.operator("/operators/", { method: "POST", json: { name, role } });
  assert.equal(answer.status, 201, answer.text);
  till.secrets.add(answer.body.key);
  return answer.body;
}

const by = ({ key }) => ({ authorization: `Bearer ${key}` });
const SIGNED = ["amount", "currency_code", "customer_email", "customer_first_name", "customer_last_name", "customer_phone", "gateway_account", "gateway_name", "order_no", "reference_number", "result", "state"];

/** The `signature` of a body without addresses, computed as receivers compute it. */
function signatureOf(body, key) {
  const given = SIGNED.filter((name) => body[name] !== undefined && body[name] !== null && body[name] !== "");
  return createHmac("sha256", key).update(given.map((name) => name + body[name]).join("")).digest("hex");
}

const merchant = () => `/merchants/${till.merchant.merchant_id}`;
const put = (settings, who = staff.admin, query = "") =>
  till.operator(`${merchant()}/settings/${query}`, { method: "PUT", headers: by(who), json: settings });
const read = async (path) => {
  const { status, body, text } = await till.operator(path);
  assert.equal(status, 200, text);
  return body;
};
const audit = async (query) => (await read(`/audit/?${query}`)).results;

const OF_OPERATORS = endpoints().filter(({ audience }) => audience === "Operator");
const LEVELS = ["ReadInstallation", "Support", "Administer"];

test("every endpoint of operators says which role it needs", () => {
  assert.ok(OF_OPERATORS.length > 25);
  for (const { name, action } of OF_OPERATORS) assert.ok(LEVELS.includes(action), `${name} is ${action}`);
});

for (const { name, action, routes: [route] } of OF_OPERATORS) {
  test(`${name} is refused to roles that may not ${action}, and to no other`, async () => {
    const [method, pattern] = route.split(" ");
    // Nothing has these names: who may call is answered that there is nothing, or what is wrong with the body.
    const path = pattern.replace("merchants/{}", "merchants/nobody").replace("versions/{}", "versions/9").replace("users/{}", "users/9")
      .replace("operators/{}", "operators/2147483647").replace("attention/{}", "attention/ABCDEFGHJKMN.late_success")
      .replace("transactions/{}", `transactions/00${"ab".repeat(19)}`).replace("images/{}", `images/${"0".repeat(32)}.svg`).replaceAll("{}", "nothing");
    for (const [level, role] of ["read", "support", "admin"].entries()) {
      const init = { method, headers: { ...by(staff[role]), "content-type": "application/json" } };
      if (method !== "GET" && method !== "DELETE") init.body = "{}";
      const answer = await till.call(path, init);
      if (level < LEVELS.indexOf(action)) assertProblem(answer, 403, "permission_missing");
      else assert.ok(![401, 403].includes(answer.status) && answer.status < 500, `${role}: ${answer.status} ${answer.text}`);
    }
  });
}

test("an operator's key works at once, until it is revoked, and is stored as a hash", async () => {
  const sara = await operator("سارة", "read");
  assert.match(sara.key, /^op_[A-Za-z0-9]{8}\.[A-Za-z0-9]{32}$/);
  const list = (headers) => till.operator("/operators/", { headers });
  const listed = await list(by(sara));
  assert.equal(listed.status, 200, listed.text);
  const entry = listed.body.find(({ id }) => id === sara.id);
  assert.deepEqual([entry.name, entry.role, entry.prefix, entry.last4], ["سارة", "read", sara.prefix, sara.key.slice(-4)]);
  assert.ok(!listed.text.includes(sara.key));
  for (const wrong of [`${sara.key}x`, sara.key.slice(3), sara.key.toUpperCase(), sara.key.replace(/.$/, (last) => (last === "A" ? "B" : "A"))]) {
    assertProblem(await list({ authorization: `Bearer ${wrong}` }), 401, "credentials_invalid");
  }
  assertProblem(await till.call("/b/checkout/v1/pymt-txn/", { headers: by(sara) }), 401, "credentials_invalid");
  const revoke = () => till.operator(`/operators/${sara.id}/`, { method: "DELETE", headers: by(staff.admin) });
  assert.equal((await revoke()).status, 204);
  assertProblem(await list(by(sara)), 401, "credentials_invalid");
  assertProblem(await revoke(), 404, "not_found");
  const [row] = await till.rows("SELECT * FROM operator WHERE id = ?1", sara.id);
  assert.ok(!JSON.stringify(row).includes(sara.key.slice(12)));
  assert.match(row.hash, /^[0-9a-f]{64}$/);
});

test("an operator's key costs one round trip to the database, the token of the Worker none", async () => {
  const trips = async (authorization) => {
    let db;
    // The first use of a key in an hour is noted.
    for (const turn of ["first", "second"]) {
      const id = `staff-${authorization === undefined ? "root" : "key"}-${turn}`;
      const answer = await till.operator("/operators/", { headers: { "x-request-id": id, ...(authorization && { authorization }) } });
      assert.equal(answer.status, 200, answer.text);
      db = await till.roundTrips(id);
    }
    return db;
  };
  const list = 1;
  assert.deepEqual([await trips(), await trips(by(staff.read).authorization)], [list, list + 1]);
});

test("two operators who return to an earlier version at once: one is answered with a conflict, and one entry is recorded", async () => {
  await till.createMerchant();
  assert.equal((await put({ ...demoSettings(), country: "SA" })).body.version, 2);
  const [sara, noura] = [await operator("Sara", "admin"), await operator("Noura", "admin")];
  const restore = (who) =>
    till.operator(`${merchant()}/settings/versions/1/restore/`, { method: "POST", headers: by(who), json: { version: 2 } });
  const answers = await Promise.all([sara, noura, sara, noura].map((who) => restore(who)));
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409, 409, 409]);
  for (const answer of answers) if (answer.status !== 200) assertProblem(answer, 409, "conflict");
  const entries = await audit(`merchant=${till.merchant.merchant_id}`);
  assert.deepEqual(entries.map(({ action }) => action), ["restore_version", "replace_settings", "add_merchant"]);
  const winner = answers.findIndex(({ status }) => status === 200) % 2 === 0 ? "Sara" : "Noura";
  assert.equal(entries[0].actor.name, winner);
  assert.deepEqual([entries[0].before.country, entries[0].after.country], ["SA", "KW"]);
});

test("two operators who replace the same version at once: one of them is answered with a conflict", async () => {
  await till.createMerchant();
  const answers = await Promise.all(["SA", "AE"].map((country) => put({ ...demoSettings(), country }, staff.admin, "?version=1")));
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409]);
  assert.equal((await read(`${merchant()}/`)).version, 2);
  assert.equal((await audit(`merchant=${till.merchant.merchant_id}`)).length, 2);
});

test("a difference, applied by an independent implementation to the one version, gives the other", async () => {
  await till.createMerchant();
  const demo = demoSettings();
  const [first, second, ...others] = demo.gateways;
  const documents = [
    { ...demo, country: "SA", units: ["north", "south"], "not/~known": { "": 1.50 } },
    { ...demo, gateways: others },
    { ...demo, gateways: [...others, first] },
    { ...demo, gateways: [second, { ...first, credentials: { api_key: "planted-1" } }, ...others], is_paused: true },
    { ...demo, gateways: [] },
    { ...demo, plugins: { payment_request: { is_amount_editable: true } }, gateways: [{ ...first, name: { en: "K", ar: "ك" } }] },
  ];
  till.secrets.add("planted-1");
  for (const [place, document] of documents.entries()) {
    const answer = await put(document);
    assert.deepEqual([answer.status, answer.body.version], [200, place + 2], answer.text);
  }
  const versions = `${merchant()}/settings/versions`;
  const shown = [];
  for (let version = 1; version <= 7; version += 1) shown[version] = (await read(`${versions}/${version}/`)).settings;
  for (let from = 1; from <= 7; from += 1) {
    for (let to = 1; to <= 7; to += 1) {
      const { changes } = await read(`${versions}/${from}/diff/?with=${to}`);
      const applied = patch.applyPatch(structuredClone(shown[from]), changes, true).newDocument;
      assert.deepEqual(applied, shown[to], `${from} to ${to}`);
      for (const { op, path, before } of changes.filter(({ op }) => op !== "add")) {
        assert.ok(before !== undefined, `${op} ${path}`);
      }
      if (from === to) assert.deepEqual(changes, []);
    }
  }
  const { changes } = await read(`${versions}/1/diff/?with=5`);
  const secret = changes.filter(({ path }) => path.includes("credentials"));
  assert.ok(secret.every(({ value }) => value === "[sealed]"), JSON.stringify(secret));
});

test("a version returns with its credentials, and payments work with them", async () => {
  await till.createMerchant();
  const settings = demoSettings();
  settings.gateways[0].credentials.api_key = "another-account-of-version-2";
  till.secrets.add("another-account-of-version-2");
  const account = async () => {
    const payment = await open(till);
    assert.equal((await choose(till, payment, "knet")).status, 303);
    const [row] = await till.rows("SELECT account FROM sandbox_charge WHERE reference = (SELECT reference FROM attempt WHERE session_id = ?1)", payment.session_id);
    return row.account;
  };
  const first = await account();
  await put(settings);
  assert.notEqual(await account(), first);
  const restored = await till.operator(`${merchant()}/settings/versions/1/restore/`, { method: "POST", json: { version: 2 } });
  assert.deepEqual([restored.status, restored.body.version], [200, 3], restored.text);
  assert.equal(await account(), first);
  const { results } = await read(`${merchant()}/settings/versions/`);
  assert.deepEqual(results.map(({ version, action, actor }) => [version, action, actor.name]),
    [[3, "restore_version", "root"], [2, "replace_settings", "admin"], [1, "add_merchant", "root"]]);
});

test("support may pause a merchant and may not change anything else", async () => {
  await till.createMerchant();
  const pause = (is_paused) => till.operator(`${merchant()}/pause/`, { method: "POST", headers: by(staff.support), json: { is_paused } });
  assert.equal((await pause(true)).status, 200);
  assertProblem(await till.create(), 423, "paused");
  assertProblem(await put(demoSettings(), staff.support), 403, "permission_missing");
  assert.equal((await pause(false)).status, 200);
  assert.equal((await till.create()).status, 201);
  const [{ action, actor, before, after }] = await audit(`merchant=${till.merchant.merchant_id}&limit=1`);
  assert.deepEqual([action, actor.name, actor.role, before, after], ["pause_merchant", "support", "support", { is_paused: true }, { is_paused: false }]);
});

test("the audit has no secret, whatever is planted and wherever", async () => {
  const shop = await till.createMerchant();
  const settings = demoSettings();
  const planted = ["canary-credential-1f7a", "canary-password-of-sara-2b", "canary-password-again-3c", "canary-credential-4d9e"];
  settings.gateways[0].credentials.api_key = planted[0];
  await put(settings);
  settings.gateways[0].credentials.api_key = planted[3];
  await put(settings);
  const own = (path, init) => till.call(`/b/access/v1${path}`, { ...init, headers: till.privateKey(shop) });
  const user = await own("/users/", { method: "POST", json: { username: `s-${shop.merchant_id}`, password: planted[1] } });
  assert.equal(user.status, 201, user.text);
  assert.equal((await own(`/users/${user.body.id}/`, { method: "PATCH", json: { password: planted[2] } })).status, 200);
  const key = (await own("/keys/", { method: "POST", json: { kind: "private" } })).body;
  till.secrets.add(key.key);
  assert.equal((await own(`/keys/${key.prefix}/`, { method: "DELETE" })).status, 204);
  const secret = (await own("/webhook-secrets/", { method: "POST" })).body.webhook_signing_secret;
  const sara = await operator("Sara", "admin");
  await till.operator(`/merchants/${shop.merchant_id}/gateways/knet/check/`, { method: "POST", headers: by(sara) });
  const rows = await till.rows("SELECT * FROM audit");
  const everything = JSON.stringify(rows);
  const secrets = [...planted, key.key, secret, sara.key, shop.private_key, shop.public_key, shop.webhook_hmac_key, shop.webhook_signing_secret, ...Object.values(staff).map((one) => one.key)];
  for (const each of secrets) assert.ok(!everything.includes(each), `${each.slice(0, 8)}… is in the audit`);
  const sealed = await till.rows("SELECT document, hmac_key, signing_secrets FROM merchant WHERE id = ?1", shop.merchant_id);
  for (const text of [sealed[0].hmac_key, ...JSON.parse(sealed[0].signing_secrets), JSON.parse(sealed[0].document).gateways[0].credentials.api_key]) {
    assert.ok(!everything.includes(text), "what is sealed is in the audit");
  }
  const versions = JSON.stringify(await till.rows("SELECT * FROM settings_version"));
  for (const each of secrets) assert.ok(!versions.includes(each), `${each.slice(0, 8)}… is in the versions in the clear`);
  const actions = rows.filter(({ merchant_id }) => merchant_id === shop.merchant_id).map(({ action, actor_kind }) => `${actor_kind} ${action}`);
  assert.deepEqual(actions, [
    "operator add_merchant", "operator replace_settings", "operator replace_settings", "key add_own_user", "key change_own_user",
    "key add_own_key", "key revoke_own_key", "key add_own_webhook_secret", "operator check_gateway",
  ]);
});

test("a merchant reads its own audit and nothing of another", async () => {
  const other = await till.createMerchant();
  const shop = await till.createMerchant();
  const list = (query, headers) => till.call(`/b/access/v1/audit/${query}`, { headers });
  assertProblem(await list(`?merchant=${other.merchant_id}`, till.privateKey(shop)), 400, "invalid_fields");
  const { status, body } = await list("", till.privateKey(shop));
  assert.equal(status, 200);
  assert.deepEqual(body.results.map(({ merchant_id, actor }) => [merchant_id, actor]), [[shop.merchant_id, { kind: "operator" }]]);
  assertProblem(await list("", { authorization: `Api-Key ${shop.public_key}` }), 401, "private_key_required");
  const scoped = await till.call("/b/access/v1/keys/", { method: "POST", headers: till.privateKey(shop), json: { kind: "private", permissions: ["payment.refund"] } });
  till.secrets.add(scoped.body.key);
  assertProblem(await list("", { authorization: `Api-Key ${scoped.body.key}` }), 403, "permission_missing");
});

test("what is changed in the database by hand has an entry without anyone's name", async () => {
  const { merchant_id } = await till.createMerchant();
  await till.rows("UPDATE merchant SET document = json_set(document, '$.is_paused', json('true')), version = version + 1, updated_at = 5 WHERE id = ?1", merchant_id);
  const [entry] = await audit(`merchant=${merchant_id}&limit=1`);
  assert.deepEqual([entry.action, entry.actor, entry.at], ["replace_settings", null, "1970-01-01T00:00:00Z"]);
  const { results: [version] } = await read(`/merchants/${merchant_id}/settings/versions/?limit=1`);
  assert.deepEqual([version.version, version.actor, version.action], [2, null, null]);
  assert.equal((await read(`/merchants/${merchant_id}/settings/versions/2/`)).settings.is_paused, true);
});

test("while a webhook secret is rotated, the official library accepts a webhook by the old one and by the new one", async () => {
  const shop = await till.createMerchant();
  const old = shop.webhook_signing_secret;
  const own = (path, method) => till.call(`/b/access/v1/webhook-secrets/${path}`, { method, headers: till.privateKey(shop) });
  assertProblem(await own("previous/", "DELETE"), 404, "not_found");
  const made = await own("", "POST");
  assert.equal(made.status, 201, made.text);
  const { webhook_signing_secret: fresh, previous_until } = made.body;
  till.secrets.add(fresh);
  assert.ok(Math.abs(Date.parse(previous_until) - Date.now() - 86_400_000) < 60_000, previous_until);
  const next = async () => {
    const payment = await open(till, { pg_codes: ["cash"] });
    await choose(till, payment, "cash");
    await deliverNow(till, payment);
    const [webhook] = await untilWebhooks(till, payment);
    return webhook;
  };
  const accepts = (secret, { text, headers }) => {
    try {
      new Webhook(secret).verify(text, headers);
      return true;
    } catch {
      return false;
    }
  };
  const both = await next();
  assert.deepEqual([accepts(old, both), accepts(fresh, both), both.headers["webhook-signature"].split(" ").length], [true, true, 3]);
  assert.equal((await own("previous/", "DELETE")).status, 204);
  const alone = await next();
  assert.deepEqual([accepts(old, alone), accepts(fresh, alone), alone.headers["webhook-signature"].split(" ").length], [false, true, 2]);
  const again = await till.operator(`${merchant()}/webhook-secrets/`, { method: "POST", headers: by(staff.admin) });
  assert.equal(again.status, 201, again.text);
  till.secrets.add(again.body.webhook_signing_secret);
  // The key of the body begins a day after it was shown; at once if that is asked for.
  const keyed = (json) => till.call("/b/access/v1/signature-keys/", { method: "POST", headers: till.privateKey(shop), json });
  const later_key = await keyed({});
  const now_key = await keyed({ at_once: true });
  for (const { status, text, body } of [later_key, now_key]) {
    assert.equal(status, 201, text);
    till.secrets.add(body.webhook_hmac_key);
  }
  assert.ok(Math.abs(Date.parse(later_key.body.begins_at) - Date.now() - 86_400_000) < 60_000, later_key.text);
  const { body: keyed_body } = await next();
  assert.deepEqual(
    [shop.webhook_hmac_key, later_key.body.webhook_hmac_key, now_key.body.webhook_hmac_key].map((key) => signatureOf(keyed_body, key) === keyed_body.signature),
    [false, false, true]);
  // A day later.
  await till.rows("UPDATE merchant SET previous_until = ?1, version = version + 1 WHERE id = ?2", Date.now() - 1, shop.merchant_id);
  const later = await next();
  assert.deepEqual([accepts(fresh, later), accepts(again.body.webhook_signing_secret, later)], [false, true]);
});
