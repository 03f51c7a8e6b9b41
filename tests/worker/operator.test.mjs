/** The operator API: merchants, their settings and keys, and which parts of them are ever shown or stored. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { filesUnder } from "../../scripts/project.mjs";
import { OPERATOR_TOKEN, RECEIPT_KEY, SEAL_KEY, demoSettings, start } from "./harness.mjs";
import { assertProblem, attempts, choose, open, openPage, standing } from "./payer.mjs";

/** @type {import("./harness.mjs").Till} */
let till;
let persist;

before(async () => {
  persist = mkdtempSync(join(tmpdir(), "till-operator-"));
  till = await start({ persist });
  await till.createMerchant();
});
after(async () => {
  await till.stop();
  rmSync(persist, { recursive: true, force: true });
});

const add = (json) => till.operator("/merchants/", { method: "POST", json });
const read = (merchant_id = till.merchant.merchant_id) => till.operator(`/merchants/${merchant_id}/`);
const replace = (json, merchant_id = till.merchant.merchant_id) =>
  till.operator(`/merchants/${merchant_id}/settings/`, { method: "PUT", json });
const countMerchants = async () => (await till.rows("SELECT COUNT(*) AS number FROM merchant"))[0].number;

/** Every value under a member of this name, however deep. */
const membersNamed = (name, value) =>
  value !== null && typeof value === "object"
    ? Object.entries(value).flatMap(([key, inner]) => (key === name ? [inner] : membersNamed(name, inner)))
    : [];

test("every route needs the operator's token", async () => {
  const { merchant_id, private_key } = till.merchant;
  const routes = [
    ["POST", "/merchants/"], ["GET", `/merchants/${merchant_id}/`], ["PUT", `/merchants/${merchant_id}/settings/`],
    ["GET", `/merchants/${merchant_id}/keys/`], ["POST", `/merchants/${merchant_id}/keys/`],
    ["DELETE", `/merchants/${merchant_id}/keys/${private_key.slice(0, 8)}/`], ["GET", "/attention/"],
    ["POST", "/attention/ABCDEFGHJKMN.amount_mismatch/resolve/"],
  ];
  for (const [method, path] of routes) {
    const call = (headers) => till.call(`/b/operator/v1${path}`, { method, headers });
    assertProblem(await call({}), 401, "credentials_missing");
    for (const authorization of [
      `Bearer ${OPERATOR_TOKEN.slice(0, -1)}`, `Bearer ${OPERATOR_TOKEN}x`, `Api-Key ${private_key}`, OPERATOR_TOKEN, `Basic ${OPERATOR_TOKEN}`,
      `Bearer ${OPERATOR_TOKEN}, Bearer ${OPERATOR_TOKEN}`, "Bearer",
    ]) {
      assertProblem(await call({ authorization }), 401, "credentials_invalid");
    }
  }
  assert.equal((await till.create()).status, 201, "the key was revoked without the token");
});

test("a merchant is made with keys and secrets that are all different", async () => {
  const { status, body } = await add({ merchant_id: "fresh", settings: demoSettings() });
  assert.equal(status, 201);
  const { merchant_id, version, ...secrets } = body;
  assert.deepEqual([merchant_id, version], ["fresh", 1]);
  assert.deepEqual(Object.keys(secrets).sort(), ["private_key", "public_key", "webhook_hmac_key", "webhook_signing_secret"]);
  assert.match(secrets.private_key, /^[0-9A-Za-z]{8}\.[0-9A-Za-z]{32}$/);
  assert.match(secrets.public_key, /^[0-9a-f]{40}$/);
  assert.match(secrets.webhook_hmac_key, /^00[0-9a-f]{64}$/);
  assert.match(secrets.webhook_signing_secret, /^whsec_[\w+/]{43}=$/);
  const again = await till.createMerchant();
  for (const [name, secret] of Object.entries(secrets)) assert.notEqual(again[name], secret);
});

test("a merchant is made once, also by ten at once", async () => {
  assertProblem(await add({ merchant_id: till.merchant.merchant_id, settings: demoSettings() }), 409, "merchant_exists");
  const answers = await Promise.all(Array.from({ length: 10 }, () => add({ merchant_id: "crowd", settings: demoSettings() })));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(9).fill(409)]);
  const keys = await till.operator("/merchants/crowd/keys/");
  assert.equal(keys.body.length, 2);
});

test("a merchant of wrong settings is not made, and everything that is wrong is named", async () => {
  const before = await countMerchants();
  assert.deepEqual(assertProblem(await add({}), 400, "invalid_fields"), { merchant_id: ["is required"], settings: ["must be an object"] });
  const wrongId = ["must be 1 to 40 lower-case letters, digits and hyphens, and not begin with a hyphen"];
  for (const merchant_id of ["", "A", "-a", "a".repeat(41), "a b", "ä"]) {
    const errors = assertProblem(await add({ merchant_id, settings: demoSettings() }), 400, "invalid_fields");
    assert.deepEqual(errors, { merchant_id: wrongId });
  }
  const [knet, mpgs] = demoSettings().gateways;
  const settings = {
    name: { en: "", ar: 5 }, country: "kwt", reference_prefix: "toolongprefix", currencies: ["KWD", "XYZ", "KWD", 1],
    plugins: { e_commerce: { webhook_url: "http://shop.example.com/", expiration_time: "never" }, other: {} },
    gateways: [
      { ...knet, code: "a b", connector: "no-such-connector", operation: "steal", currencies: [], fees: [{ currency: "KWD", fixed: "0.2500", percent: "-1" }] },
      { ...mpgs, sandbox: "yes", inquiry_after_minutes: 0, wallets: ["paper"], credentials: {}, endpoint: "http://10.0.0.1/" },
      "gateway",
      { ...mpgs, credentials: { api_key: "" } },
    ],
  };
  const errors = assertProblem(await add({ merchant_id: "wrong", settings }), 400, "invalid_fields").settings;
  assert.deepEqual(Object.keys(errors).sort(), ["country", "currencies", "gateways", "name", "plugins", "reference_prefix"]);
  assert.deepEqual(Object.keys(errors.name).sort(), ["ar", "en"]);
  assert.deepEqual(Object.keys(errors.plugins).sort(), ["e_commerce", "other"]);
  assert.deepEqual(Object.keys(errors.plugins.e_commerce).sort(), ["expiration_time", "webhook_url"]);
  assert.deepEqual(Object.keys(errors.gateways), ["0", "1", "2", "3"]);
  for (const name of ["code", "connector", "operation", "fees"]) assert.ok(errors.gateways[0][name], name);
  for (const name of ["sandbox", "inquiry_after_minutes", "wallets", "credentials", "endpoint"]) assert.ok(errors.gateways[1][name], name);
  assert.equal(await countMerchants(), before);
});

test("bodies that are no object, of another type or too large are refused", async () => {
  const before = await countMerchants();
  const send = (body, type = "application/json") => till.operator("/merchants/", { method: "POST", body, headers: { "content-type": type } });
  for (const body of ["", "[]", "null", "{", "x", "[".repeat(100_000), `{"merchant_id":"x","settings":${"[".repeat(500)}${"]".repeat(500)}}`]) {
    const answer = await send(body);
    assert.ok(answer.status === 400, `${answer.status} ${body.slice(0, 40)}`);
  }
  assertProblem(await send("{}", "text/plain"), 415, "unsupported_media_type");
  assertProblem(await send(" ".repeat(262_145)), 413, "body_too_large");
  assert.equal(await countMerchants(), before);
});

test("settings are shown as they came in, without the credentials", async () => {
  const { status, body, text } = await read();
  assert.equal(status, 200);
  assert.equal(body.merchant_id, till.merchant.merchant_id);
  const shown = demoSettings();
  for (const gateway of shown.gateways) if (gateway.credentials?.api_key) gateway.credentials.api_key = "[sealed]";
  assert.deepEqual(body.settings, shown);
  for (const [, secret] of Object.entries(till.merchant).filter(([name]) => /key|secret/.test(name))) assert.ok(!text.includes(secret));
  assertProblem(await read("nobody"), 404, "not_found");
});

test("replaced settings count at once, in the next version", async () => {
  await till.createMerchant();
  assert.equal((await till.create({ pg_codes: ["knet"] })).body.payment_methods[0].name, "KNET");
  const settings = demoSettings();
  settings.gateways[0].name.en = "K-Net";
  settings.gateways = settings.gateways.filter(({ code }) => code !== "cash");
  const { status, body } = await replace(settings);
  assert.deepEqual([status, body.version], [200, 2]);
  assert.equal((await till.create({ pg_codes: ["knet"] })).body.payment_methods[0].name, "K-Net");
  assertProblem(await till.create({ pg_codes: ["cash"] }), 400, "invalid_fields");
});

test("a sealed credential is kept when the settings are replaced, and a new one takes its place", async () => {
  await till.createMerchant();
  const { body: { settings } } = await read();
  assert.ok(membersNamed("api_key", settings).every((key) => key === "[sealed]"));
  assert.equal((await replace(settings)).status, 200);
  // The bank identifies accounts by their keys: a payment that began before continues.
  const payment = await open(till);
  assert.equal((await choose(till, payment, "knet")).status, 303);
  assert.deepEqual(await standing(till, payment), ["pending", "redirected"]);
  const [{ account }] = await till.rows("SELECT account FROM sandbox_charge WHERE reference = (SELECT reference FROM attempt WHERE session_id = ?1)", payment.session_id);
  settings.gateways[0].credentials.api_key = "another-account";
  till.secrets.add("another-account");
  assert.equal((await replace(settings)).body.version, 3);
  const next = await open(till);
  await choose(till, next, "knet");
  const [moved] = await till.rows("SELECT account FROM sandbox_charge WHERE reference = (SELECT reference FROM attempt WHERE session_id = ?1)", next.session_id);
  assert.notEqual(moved.account, account);
});

test("the word for a sealed credential is none where nothing is sealed", async () => {
  await till.createMerchant();
  const settings = demoSettings();
  settings.gateways.push({ ...settings.gateways[0], code: "brand-new", credentials: { api_key: "[sealed]" } });
  const errors = assertProblem(await replace(settings), 400, "invalid_fields");
  assert.ok(errors.gateways[settings.gateways.length - 1].credentials.api_key);
  assert.equal((await read()).body.version, 1);
  const fresh = await add({ merchant_id: "unsealed", settings });
  assertProblem(fresh, 400, "invalid_fields");
});

test("settings that are wrong replace nothing", async () => {
  const before = await read();
  const errors = assertProblem(await replace({ ...demoSettings(), country: 7, gateways: "none" }), 400, "invalid_fields");
  assert.deepEqual(Object.keys(errors), ["country", "gateways"]);
  assert.equal((await read()).text, before.text);
  assertProblem(await replace(demoSettings(), "nobody"), 404, "not_found");
});

test("settings replaced by several at once count up by those that were answered so", async () => {
  await till.createMerchant();
  const answers = await Promise.all(Array.from({ length: 8 }, () => replace(demoSettings())));
  const done = answers.filter(({ status }) => status === 200);
  for (const answer of answers) if (answer.status !== 200) assertProblem(answer, 409, "conflict");
  assert.ok(done.length >= 1);
  assert.equal(new Set(done.map(({ body }) => body.version)).size, done.length);
  assert.equal((await read()).body.version, 1 + done.length);
});

test("keys are listed without themselves, and work from their making to their revoking", async () => {
  const merchant = await till.createMerchant();
  const keys = `/merchants/${merchant.merchant_id}/keys/`;
  const made = await till.operator(keys, { method: "POST", json: { kind: "private" } });
  assert.equal(made.status, 201);
  const { key, prefix } = made.body;
  till.secrets.add(key);
  assert.equal(key.slice(0, 8), prefix);
  const byKey = { authorization: `Api-Key ${key}` };
  assert.equal((await till.create({}, byKey)).status, 201);

  const listed = await till.operator(keys);
  assert.equal(listed.body.length, 3);
  assert.deepEqual(listed.body.map(({ kind }) => kind).sort(), ["private", "private", "public"]);
  for (const secret of [key, merchant.private_key, merchant.public_key]) assert.ok(!listed.text.includes(secret));
  const entry = listed.body.find((found) => found.prefix === prefix);
  assert.deepEqual([entry.last4, entry.revoked_at], [key.slice(-4), null]);

  const revoked = await till.operator(`${keys}${prefix}/`, { method: "DELETE" });
  assert.deepEqual([revoked.status, revoked.text], [204, ""]);
  assertProblem(await till.create({}, byKey), 401, "credentials_invalid");
  assert.equal((await till.create()).status, 201);
  assert.ok((await till.operator(keys)).body.find((found) => found.prefix === prefix).revoked_at);
  assertProblem(await till.operator(`${keys}${prefix}/`, { method: "DELETE" }), 404, "not_found");
});

test("a key is of a kind, of an existing merchant, and revoked only under its own", async () => {
  const merchant = till.merchant;
  const keys = `/merchants/${merchant.merchant_id}/keys/`;
  const make = (json, path = keys) => till.operator(path, { method: "POST", json });
  assert.deepEqual(assertProblem(await make({}), 400, "invalid_fields"), { kind: ["is required"] });
  assert.deepEqual(assertProblem(await make({ kind: "root" }), 400, "invalid_fields"), { kind: ["must be one of private, public"] });
  assert.deepEqual(assertProblem(await make({ kind: 1 }), 400, "invalid_fields"), { kind: ["must be a string"] });
  assertProblem(await make({ kind: "public" }, "/merchants/nobody/keys/"), 404, "not_found");
  assertProblem(await till.operator("/merchants/nobody/keys/"), 404, "not_found");
  const prefix = merchant.private_key.slice(0, 8);
  assertProblem(await till.operator(`/merchants/fresh/keys/${prefix}/`, { method: "DELETE" }), 404, "not_found");
  for (const wrong of ["", "%27%20OR%201=1", "x".repeat(500)]) {
    const { status } = await till.operator(`${keys}${wrong}/`, { method: "DELETE" });
    assert.ok(status === 404 || status === 405, `${status} ${wrong}`);
  }
  assert.equal((await till.create()).status, 201);
});

test("a transaction that the settings no longer offer a way to pay is invalid when it is opened", async () => {
  await till.createMerchant();
  const payment = await open(till, { pg_codes: ["knet"] });
  const waiting = await open(till, { pg_codes: ["knet"] });
  assert.equal((await choose(till, waiting, "knet")).status, 303);
  const settings = demoSettings();
  settings.gateways = settings.gateways.filter(({ code }) => code !== "knet");
  assert.equal((await replace(settings)).status, 200);
  assertProblem(await choose(till, payment, "knet", { accept: "application/json" }), 400, "invalid_fields");
  assert.match((await openPage(till, payment)).text, /data-status="invalid"/);
  assert.deepEqual(await standing(till, payment), ["invalided"]);
  // A payment at the bank waits for its outcome first.
  await openPage(till, waiting);
  assert.equal((await attempts(till, waiting))[0].stage, "redirected");
});

test("nothing secret is stored in the clear, in the database or anywhere next to it", async () => {
  const settings = demoSettings();
  settings.gateways[0].credentials.api_key = "canary-of-a-gateway-key-7f3a";
  const merchant = await till.createMerchant(settings);
  const payment = await open(till, { customer_email: "findme@example.com" });
  await choose(till, payment, "knet");
  await till.scheduled();
  const stored = Buffer.concat(filesUnder(persist).map((file) => readFileSync(file)));
  assert.ok(stored.includes("findme@example.com"), "the files of the database were not read");
  const secrets = { ...merchant, OPERATOR_TOKEN, SEAL_KEY, RECEIPT_KEY, api_key: "canary-of-a-gateway-key-7f3a" };
  for (const [name, secret] of Object.entries(secrets)) {
    if (name !== "merchant_id" && name !== "version") assert.ok(!stored.includes(secret), `${name} is stored in the clear`);
  }
});

test("what the operator did is in the audit", async () => {
  const merchant = await till.createMerchant();
  await replace(demoSettings());
  const rows = await till.rows("SELECT action FROM audit WHERE merchant_id = ?1 ORDER BY id", merchant.merchant_id);
  assert.deepEqual(rows.map(({ action }) => action).sort(), ["add_merchant", "replace_settings"]);
});
