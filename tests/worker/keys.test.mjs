/**
 * The name and the expiry of a key: applied from the first second to the last, shown, and never silently
 * ignored.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { start } from "./harness.mjs";
import { assertProblem } from "./payer.mjs";

/** @type {import("./harness.mjs").Till} */
let till;

before(async () => {
  till = await start();
  await till.createMerchant();
});
after(() => till.stop());

const path = () => `/merchants/${till.merchant.merchant_id}/keys/`;
async function add(json) {
  const answer = await till.operator(path(), { method: "POST", json });
  if (answer.body.key) till.secrets.add(answer.body.key);
  return answer;
}
const create = (key) => till.create({}, { authorization: `Api-Key ${key}` });

test("a key is good until the moment it expires, and 401 from then on", async () => {
  const expires_at = new Date(Math.ceil(Date.now() / 1000) * 1000 + 2000).toISOString();
  const made = await add({ kind: "private", name: "Till at the door · باب", expires_at });
  assert.equal(made.status, 201, made.text);
  const { key, prefix } = made.body;
  assert.equal(made.body.name, "Till at the door · باب");
  assert.equal(Date.parse(made.body.expires_at), Date.parse(expires_at));
  assert.equal((await create(key)).status, 201);
  const [shown] = (await till.operator(path())).body;
  assert.deepEqual([shown.prefix, shown.name, Date.parse(shown.expires_at), shown.revoked_at], [prefix, made.body.name, Date.parse(expires_at), null]);
  await sleep(Date.parse(expires_at) - Date.now() + 50);
  assertProblem(await create(key), 401, "credentials_invalid");
  assertProblem(await till.retrieve("00" + "7".repeat(38), { authorization: `Api-Key ${key}` }), 401, "credentials_invalid");
  assert.equal((await till.create()).status, 201, "the others work on");
  assert.equal((await till.operator(path())).body[0].prefix, prefix, "it is still listed");
});

test("a key without an expiry never expires, and needs no name", async () => {
  const { body } = await add({ kind: "public", name: null, expires_at: null });
  assert.deepEqual([body.name, body.expires_at], [null, null]);
  const [row] = await till.rows("SELECT name, expires_at FROM api_key WHERE prefix = ?1", body.prefix);
  assert.deepEqual(row, { name: null, expires_at: null });
});

test("everything that is wrong with a new key is named at once, and nothing is stored", async () => {
  const count = async () => (await till.rows("SELECT COUNT(*) AS number FROM api_key"))[0].number;
  const before = await count();
  for (const [json, ...names] of [
    [{ kind: "private", expires_at: "2020-01-01T00:00:00Z" }, "expires_at"],
    [{ kind: "private", expires_at: "tomorrow" }, "expires_at"],
    [{ kind: "private", expires_at: "" }, "expires_at"],
    [{ kind: "private", expires_at: 1_900_000_000 }, "expires_at"],
    [{ kind: "private", name: "" }, "name"], [{ kind: "private", name: "  " }, "name"], [{ kind: "private", name: 7 }, "name"],
    [{ kind: "private", name: "a\nb" }, "name"], [{ kind: "private", name: "n".repeat(51) }, "name"],
    [{ kind: "private", scope: "read" }, "scope"], [{ kind: "private", scopes: [] }, "scopes"], [{ kind: "private", permissions: null }, "permissions"],
    [{ kind: "private", expiry: "2030-01-01" }, "expiry"], [{ kind: "private", pg_codes: ["knet"] }, "pg_codes"],
    [{ kind: "secret", name: "", expires_at: "x", read_only: true }, "kind", "name", "expires_at", "read_only"],
  ]) {
    const errors = assertProblem(await add(json), 400, "invalid_fields");
    assert.deepEqual(Object.keys(errors), names, JSON.stringify(json));
  }
  assert.equal(await count(), before);
});

test("a brand that cannot be obeyed is refused by name", async () => {
  const branding_options = { payment_methods: { knet: { text: "KNET", color: "#112233" } } };
  const errors = assertProblem(await till.create({ branding_options }), 400, "invalid_fields");
  assert.deepEqual(Object.keys(errors), ["branding_options"]);
  const { body } = await till.create({ branding_options: null });
  for (const method of ["PUT", "PATCH"]) {
    const json = { type: "e_commerce", amount: "1.000", currency_code: "KWD", pg_codes: ["knet"], branding_options };
    const answer = await till.call(`/b/checkout/v1/pymt-txn/${body.session_id}/`, { method, headers: till.privateKey(), json });
    assert.deepEqual(Object.keys(assertProblem(answer, 400, "invalid_fields")), ["branding_options"], method);
  }
});
