/**
 * The key under which secrets are sealed is replaced while payments, webhooks and a saved card go on: the old key, both,
 * everything sealed again, the new key alone. And in the middle of it the Worker is killed.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { SEAL_KEY as OLD, start } from "./harness.mjs";
import { open } from "./payer.mjs";
import { Trade } from "./trade.mjs";

const NEW = Buffer.alloc(32, 8).toString("base64");
const OTHER = Buffer.alloc(32, 6).toString("base64");
/** How many more cards of the shop are made for the test: more than one call seals again. */
const MORE_CARDS = 700;

/** A secret in the settings that is no credential of a gateway. */
const SIGN_ON = { issuer: "https://id.example.com", audience: "till", accepts_basic: true, client_id: "till", client_secret: "secret-of-the-client-of-the-provider" };

const options = { sockets: true, bindings: { SEAL_KEY: OLD } };
/** @type {import("./harness.mjs").Till} */
let till;
/** @type {Trade} */
let trade;

before(async () => {
  options.persist = mkdtempSync(join(tmpdir(), "till-seal-"));
  till = await start(options);
  for (const key of [NEW, OTHER]) till.secrets.add(key);
  till.secrets.add(SIGN_ON.client_secret);
  trade = await new Trade(till).begin({ single_sign_on: SIGN_ON });
  await till.rows(
    "INSERT INTO card (token, merchant_id, customer_id, is_sandbox, pg_code, pg_name, bank_token, fingerprint, expiry_month, expiry_year, cvv_required, " +
      "created_at, used_at) SELECT 'card_' || lower(hex(randomblob(16))), merchant_id, 'more-' || n.value, is_sandbox, pg_code, pg_name, bank_token, " +
      "lower(hex(randomblob(32))), expiry_month, expiry_year, cvv_required, created_at, used_at FROM card, " +
      `(WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < ${MORE_CARDS}) SELECT value FROM n) n RETURNING token`,
  );
});
after(async () => {
  await till.stop();
  await trade.stub.close();
  rmSync(options.persist, { recursive: true, force: true });
});

/** Starts the Worker again with these keys. */
async function withKeys(SEAL_KEY, ...opening) {
  options.bindings = { SEAL_KEY, SEAL_KEYS_OPENING: opening.join(",") };
  await till.restart();
}

async function sealing() {
  const { status, body, text } = await till.operator("/reseal/");
  assert.equal(status, 200, text);
  return body;
}

/** How many values each key has sealed, the one that seals first. */
const counts = async () => {
  const { keys } = await sealing();
  return keys.sort((one, other) => Number(other.seals) - Number(one.seals)).map(({ values }) => values);
};

const reseal = () => till.operator("/reseal/", { method: "POST" });

/** Every sealed text that is stored, wherever it is. */
async function stored() {
  const found = await till.rows(
    "SELECT bank_token AS sealed FROM card UNION ALL SELECT hmac_key FROM merchant UNION ALL SELECT s.value FROM merchant, json_each(signing_secrets) s " +
      "UNION ALL SELECT t.atom FROM merchant, json_tree(document) t WHERE t.type = 'text' AND (t.atom GLOB 'v1.*' OR t.atom GLOB 'v2.*')",
  );
  return found.map(({ sealed }) => sealed);
}

/** A token of the merchant's private key. */
async function token() {
  const [client_id, client_secret] = trade.merchant.private_key.split(".");
  const body = new URLSearchParams({ grant_type: "client_credentials", client_id, client_secret });
  const answer = await till.call("/b/auth/v1/token/", { method: "POST", body });
  assert.equal(answer.status, 200, answer.text);
  till.secrets.add(answer.body.access_token);
  return answer.body.access_token;
}

/** What is answered to a call with a token. */
const statusOf = async (given) => (await till.call("/b/checkout/v1/pymt-txn/", { headers: { authorization: `Bearer ${given}` } })).status;

test("everything goes on from the old key to the new one", async () => {
  await trade.all();
  const all = (await stored()).length;
  // Two webhook secrets, the credential of a gateway, the secret of a client, the card and its copies.
  assert.equal(all, MORE_CARDS + 5);
  const ofOld = await token();
  assert.deepEqual(await counts(), [all]);
  const { keys: [{ key_id: oldId }] } = await sealing();

  // Every Worker opens the new key before one of them seals under it.
  await withKeys(OLD, NEW);
  await trade.all();
  assert.deepEqual((await reseal()).body, { key_id: oldId, left: 0, resealed: 0, unreadable: 0 });
  await withKeys(NEW, OLD);
  await trade.all();
  assert.deepEqual(await counts(), [0, all]);
  const ofNew = await token();
  assert.deepEqual([await statusOf(ofOld), await statusOf(ofNew)], [200, 200]);

  const first = await reseal();
  assert.deepEqual([first.status, first.body.unreadable], [200, 0]);
  assert.ok(first.body.resealed > 0 && first.body.left > 0, first.text);
  const newId = first.body.key_id;

  // Killed while it seals again: each value is whole, under one key or the other.
  const cut = reseal().then(() => "answered", () => "cut off");
  await sleep(15);
  await till.killHard();
  await cut;
  await till.restart();
  const middle = await stored();
  assert.equal(middle.length, all);
  const under = (id) => middle.filter((sealed) => sealed.startsWith(`v2.${id}.`)).length;
  assert.equal(under(oldId) + under(newId), all);
  assert.ok(under(oldId) > 0 && under(newId) > 0);

  // Requests go on in between, and a merchant is made.
  let left = Infinity;
  for (let turn = 0; left > 0 && turn < 20; turn += 1) {
    const [answer] = await Promise.all([reseal(), trade.all(), open(till, { pg_codes: ["shop"] })]);
    assert.deepEqual([answer.status, answer.body.unreadable], [200, 0], answer.text);
    left = answer.body.left;
  }
  assert.equal(left, 0);
  const { keys } = await sealing();
  assert.deepEqual(keys.map(({ key_id, values, seals }) => [key_id, values, seals]).sort(([, one], [, other]) => other - one), [
    [newId, all, true], [oldId, 0, false],
  ]);

  await withKeys(NEW);
  await trade.all();
  assert.deepEqual([await statusOf(ofOld), await statusOf(ofNew)], [401, 200]);
  assert.deepEqual(await counts(), [all]);
  assert.deepEqual((await stored()).filter((sealed) => !sealed.startsWith(`v2.${newId}.`)), []);
});

test("without its key nothing that is sealed opens, the operator sees which key is missing, and nothing is lost", async () => {
  const before = await stored();
  await withKeys(OTHER);
  const { left, keys } = await sealing();
  assert.equal(left, before.length);
  const [missing] = keys.filter(({ values }) => values > 0);
  assert.deepEqual([missing.configured, missing.values, missing.seals], [false, before.length, false]);
  const answer = await reseal();
  assert.deepEqual([answer.body.resealed, answer.body.left], [0, before.length], answer.text);
  const payment = await open(till, { pg_codes: ["shop"] });
  const sent = await till.call("/b/checkout/redirect/pay/", {
    method: "POST", headers: { accept: "application/json" }, body: new URLSearchParams({ session_id: payment.session_id, pg_code: "shop" }),
  });
  assert.equal(sent.status, 503, sent.text);
  const logged = till.log.filter((line) => line.includes('"vault"'));
  assert.ok(logged.some((line) => line.includes(missing.key_id)), logged.at(-1));
  assert.deepEqual(await stored(), before);
  await withKeys(NEW);
  await trade.all();
});

test("the audit says when the secrets of a merchant were sealed again", async () => {
  const rows = await till.rows("SELECT actor_kind, actor_name FROM audit WHERE merchant_id = ?1 AND action = 'reseal'", trade.merchant.merchant_id);
  assert.deepEqual(rows, [{ actor_kind: "operator", actor_name: "root" }]);
});

for (const [what, bindings, wrong] of [
  ["that is no key", { SEAL_KEYS_OPENING: "secret-that-is-no-key" }, /SEAL_KEYS_OPENING must be keys of 32 bytes/],
  ["that seals already", { SEAL_KEYS_OPENING: `${OTHER},${OLD}` }, /SEAL_KEYS_OPENING must have each key once/],
  ["of another length", { SEAL_KEY: "AAAA" }, /SEAL_KEY must be 32 bytes/],
]) {
  test(`a key ${what} is refused when the Worker starts, and the log says what is wrong but not the key`, async () => {
    const other = await start({ bindings });
    other.secrets.add("secret-that-is-no-key").add(OTHER);
    const answer = await other.call("/healthz");
    assert.equal(answer.status, 503);
    assert.match(answer.text, /not configured/);
    const [broken] = other.log.filter((line) => line.includes('"broken"'));
    assert.match(broken, wrong);
    await other.stop();
  });
}
