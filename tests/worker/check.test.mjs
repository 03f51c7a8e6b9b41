/** The operator asks gateways over HTTP whether they accept a merchant's credentials. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { OutsideBank, json, never } from "./bank.mjs";
import { demoSettings, start } from "./harness.mjs";
import { assertProblem } from "./payer.mjs";

/** @type {import("./harness.mjs").Till} */
let till;

before(async () => {
  till = await start();
});
after(() => till.stop());

const check = (code, { merchant_id } = till.merchant, init = {}) =>
  till.operator(`/merchants/${merchant_id}/gateways/${code}/check/`, { method: "POST", ...init });
const OF_BANK = { connector: "sandbox", pg_code: "bank", sandbox: true };

test("the simulated bank accepts the credentials, and cash has nobody to ask", async () => {
  await till.createMerchant();
  const { status, text } = await check("knet");
  assert.deepEqual([status, text], [200, '{"connector":"sandbox","pg_code":"knet","result":"accepted","sandbox":true}']);
  assert.deepEqual((await check("cash")).body, { connector: "cash", pg_code: "cash", result: "impossible", sandbox: true });
});

test("nothing of a check is stored except who asked, and a body is not read", async () => {
  const merchant = await till.createMerchant();
  const counted = () => till.rows(
    "SELECT (SELECT count(*) FROM audit) AS audit, (SELECT count(*) FROM attempt) AS attempts, (SELECT count(*) FROM sandbox_charge) AS charges");
  const before = await counted();
  assert.equal((await check("knet", merchant)).status, 200);
  assert.equal((await check("knet", merchant, { json: { pg_code: "mpgs" } })).body.pg_code, "knet");
  assert.deepEqual(await counted(), [{ ...before[0], audit: before[0].audit + 2 }]);
  const [{ actor_name, action, subject }] = await till.rows("SELECT actor_name, action, subject FROM audit ORDER BY id DESC LIMIT 1");
  assert.deepEqual([actor_name, action, subject], ["root", "check_gateway", "knet"]);
});

test("what a bank outside says is answered, and its words never contain the secret", async () => {
  const bank = new OutsideBank(till);
  const settings = bank.settings();
  const [{ credentials: { api_key } }] = settings.gateways;
  await till.createMerchant(settings);
  till.secrets.add(api_key);
  for (const [answer, expected] of [
    [() => json(200, { charges: [] }), { result: "accepted" }],
    [() => json(401, { message: "the key is closed" }), { message: "the key is closed", result: "refused" }],
    [() => json(401, { message: `no such key: ${api_key}` }), { result: "refused" }],
    [() => json(500, { message: "later" }), { result: "unclear" }],
  ]) {
    bank.instead.inquire = answer;
    const { status, body, text } = await check("bank");
    assert.equal(status, 200, text);
    assert.deepEqual(body, { ...OF_BANK, ...expected });
  }
  assert.equal(bank.charges.size, 0, "nothing is charged");
  assert.ok(till.log.every((line) => !line.includes(api_key)), "the secret is in the log");
});

test("a bank that does not answer is unclear", async () => {
  const bank = new OutsideBank(till, "silent.example.com");
  await till.createMerchant(bank.settings());
  bank.instead.inquire = never;
  const { status, body } = await check("bank");
  const message = "the gateway could not be reached, or did not answer in time";
  assert.deepEqual([status, body], [200, { ...OF_BANK, message, result: "unclear" }]);
});

test("a merchant, a code or an address that does not exist is not found", async () => {
  const merchant = await till.createMerchant();
  for (const answer of [
    await check("nope", merchant), await check("a".repeat(60), merchant), await check("knet", { merchant_id: "nobody" }),
  ]) {
    assertProblem(answer, 404, "not_found");
  }
  const path = `/b/operator/v1/merchants/${merchant.merchant_id}/gateways/knet/check/`;
  assert.equal((await till.call(path)).status, 405);
  assertProblem(await till.call(path, { method: "POST" }), 401, "credentials_missing");
});

test("a gateway without the address that it needs is refused with the settings", async () => {
  const [knet] = demoSettings().gateways;
  const credentials = { merchant_id: "TESTSHOP01", password: "0123456789abcdef" };
  const gateway = { ...knet, connector: "mpgs", credentials, fees: [] };
  const settings = { ...demoSettings(), gateways: [gateway] };
  const refused = await till.operator("/merchants/", { method: "POST", json: { merchant_id: "of-a-bank", settings } });
  const { gateways } = assertProblem(refused, 400, "invalid_fields").settings;
  assert.deepEqual(gateways, { 0: { endpoint: ["must be the https address of the bank's gateway: each bank has its own"] } });
});
