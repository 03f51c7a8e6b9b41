/** Receipts over HTTP, verified by a library that is not ours with the keys that anyone can fetch. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { calculateJwkThumbprint, compactVerify, createLocalJWKSet, createRemoteJWKSet } from "jose";
import { OutsideBank } from "./bank.mjs";
import { RECEIPT_KEY, start } from "./harness.mjs";
import { assertProblem, atTheBank, attempts, choose, open, openPage, payWith } from "./payer.mjs";

/** @type {import("./harness.mjs").Till} */
let till;

before(async () => {
  till = await start();
  await till.createMerchant();
});
after(() => till.stop());

const remote = () => createRemoteJWKSet(new URL(`${till.url}/.well-known/jwks.json`));
const download = ({ session_id }) => till.call(`/b/checkout/receipt/${session_id}/`);

/** The payload of a receipt that is genuine. */
async function verified(receipt, keys = remote()) {
  const { payload, protectedHeader } = await compactVerify(receipt, keys, { algorithms: ["EdDSA"] });
  assert.deepEqual(Object.keys(protectedHeader).sort(), ["alg", "kid", "typ"]);
  assert.deepEqual([protectedHeader.alg, protectedHeader.typ], ["EdDSA", "receipt+jws"]);
  return JSON.parse(new TextDecoder().decode(payload));
}

async function paid() {
  const payment = await atTheBank(till);
  await payWith(till, payment.page, "visa-approve");
  return payment;
}

test("the receipt in retrieve is genuine and says what was paid", async () => {
  const payment = await paid();
  const { body } = await till.retrieve(payment.session_id);
  const claims = await verified(body.receipt);
  const [attempt] = await attempts(till, payment);
  const { iat, ...rest } = claims;
  assert.ok(Math.abs(iat - Date.now() / 1000) < 60, `${iat}`);
  assert.deepEqual(rest, {
    iss: till.url, session_id: payment.session_id, merchant_id: till.merchant.merchant_id, merchant_name: rest.merchant_name, order_no: "A-1",
    operation: "purchase", state: "paid", result: "success", amount: "10.250", currency_code: "KWD", settled_amount: "10.250",
    amount_details: { amount: "10.250", currency_code: "KWD", fee: "0.250", total: "10.500" },
    reference_number: attempt.reference, pg_code: "knet", is_sandbox: true,
  });
  assert.ok(rest.merchant_name.length > 0);
  assert.equal((await till.retrieve(payment.session_id)).body.receipt, body.receipt, "it is the same each time");
  const file = await download(payment);
  assert.equal(file.text, body.receipt);
  assert.deepEqual(
    ["content-type", "content-disposition", "cache-control", "x-content-type-options"].map((name) => file.headers.get(name)),
    ["application/jose", 'attachment; filename="receipt.jws"', "no-store", "nosniff"],
  );
});

test("a receipt that was changed anywhere is not genuine", async () => {
  const payment = await paid();
  const { receipt } = (await till.retrieve(payment.session_id)).body;
  const keys = createLocalJWKSet((await till.call("/.well-known/jwks.json")).body);
  await verified(receipt, keys);
  const [header, payload, signature] = receipt.split(".");
  const dearer = JSON.parse(Buffer.from(payload, "base64url"));
  dearer.amount = "1.000";
  const forged = Buffer.from(JSON.stringify(dearer)).toString("base64url");
  const none = Buffer.from(JSON.stringify({ alg: "none", typ: "receipt+jws" })).toString("base64url");
  const flip = (text, at) => text.slice(0, at) + (text[at] === "A" ? "B" : "A") + text.slice(at + 1);
  const changed = [
    `${header}.${forged}.${signature}`, `${none}.${payload}.`, `${header}.${payload}.`, `${header}.${payload}.${flip(signature, 10)}`,
    ...Array.from({ length: 12 }, (_, step) => `${header}.${flip(payload, Math.floor((step * payload.length) / 12))}.${signature}`),
  ];
  for (const text of changed) await assert.rejects(verified(text, keys), text);
});

test("every final outcome has a receipt, and nothing else has one", async () => {
  const fresh = await open(till, { pg_codes: ["cash", "knet"] });
  const seen = async (payment) => {
    const { receipt } = (await till.retrieve(payment.session_id)).body;
    if (receipt === undefined) {
      assertProblem(await download(payment), 404, "not_found");
      return undefined;
    }
    const claims = await verified(receipt);
    return [claims.state, claims.result];
  };
  assert.equal(await seen(fresh), undefined);
  await openPage(till, fresh);
  assert.equal(await seen(fresh), undefined);
  await choose(till, fresh, "cash");
  assert.deepEqual(await seen(fresh), ["cod", "cod"]);
  const declined = await atTheBank(till);
  assert.equal(await seen(declined), undefined, "the payer is at the bank");
  await payWith(till, declined.page, "mastercard-decline");
  assert.equal(await seen(declined), undefined, "another attempt may follow");
  const failed = await atTheBank(till, { pg_code: "single" });
  await payWith(till, failed.page, "mastercard-decline");
  assert.deepEqual(await seen(failed), ["failed", "failed"]);
  const held = await atTheBank(till, { pg_code: "mpgs" });
  await payWith(till, held.page, "visa-approve");
  assert.deepEqual(await seen(held), ["authorized", "success"]);
  const canceled = await open(till, {});
  await till.call(`/b/checkout/api/sdk/v1/cancel/${canceled.session_id}/`, { method: "POST", json: { operation: "cancel" } });
  assert.deepEqual(await seen(canceled), ["canceled", undefined]);
  const expired = await open(till, {});
  await till.operator(`/merchants/${till.merchant.merchant_id}/clock/`, { method: "POST", json: { advance: "P2D" } });
  assert.deepEqual(await seen(expired), ["expired", undefined]);
});

test("a late success has a receipt of its own", async () => {
  const mine = till.merchant;
  const bank = new OutsideBank(till);
  await till.createMerchant(bank.settings());
  const payment = await open(till, { pg_codes: ["once"] });
  assert.equal((await choose(till, payment, "once")).status, 303);
  const [{ reference }] = await attempts(till, payment);
  await bank.callBack(reference, bank.end(reference, "declined"));
  const failed = await verified((await till.retrieve(payment.session_id)).body.receipt);
  await bank.callBack(reference, bank.end(reference, "approved"));
  const late = await verified((await till.retrieve(payment.session_id)).body.receipt);
  till.merchant = mine;
  assert.deepEqual([failed.state, failed.result, failed.settled_amount], ["failed", "failed", undefined]);
  assert.deepEqual([late.state, late.result, late.settled_amount], ["paid", "success", "10.250"]);
  assert.deepEqual([late.reference_number, failed.reference_number], [reference, reference]);
});

test("the key set holds public keys only, named by their thumbprints, and may be kept for a while", async () => {
  const answer = await till.call("/.well-known/jwks.json");
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get("content-type"), "application/jwk-set+json");
  assert.equal(answer.headers.get("cache-control"), "public, max-age=3600");
  assert.equal(answer.headers.get("access-control-allow-origin"), "*");
  const [key, ...more] = answer.body.keys;
  assert.deepEqual(more, []);
  assert.deepEqual(Object.keys(key).sort(), ["alg", "crv", "kid", "kty", "use", "x"]);
  assert.equal(key.kid, await calculateJwkThumbprint(key));
  assert.ok(!answer.text.includes(Buffer.from(RECEIPT_KEY, "base64").toString("base64url")));
});

test("after the key was changed, receipts of the old key are still checked", async () => {
  const { keys: [old] } = (await till.call("/.well-known/jwks.json")).body;
  const payment = await paid();
  const { receipt } = (await till.retrieve(payment.session_id)).body;
  const next = await start({ bindings: { RECEIPT_KEY: Buffer.alloc(32, 11).toString("base64"), RECEIPT_KEYS_BEFORE: old.x } });
  try {
    const set = (await next.call("/.well-known/jwks.json")).body;
    assert.deepEqual(set.keys[1], old);
    assert.notEqual(set.keys[0].kid, old.kid);
    await verified(receipt, createLocalJWKSet(set));
    await next.createMerchant();
    const cash = await open(next, { pg_codes: ["cash"] });
    await choose(next, cash, "cash");
    const { receipt: later } = (await next.retrieve(cash.session_id)).body;
    await verified(later, createLocalJWKSet({ keys: [set.keys[0]] }));
    await assert.rejects(verified(later, createLocalJWKSet({ keys: [old] })));
  } finally {
    await next.stop();
  }
});
