/** `Idempotency-Key` on create: the same request is answered with the same bytes, and done once. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "./harness.mjs";
import { assertProblem, openPage } from "./payer.mjs";

/** @type {import("./harness.mjs").Till} */
let till;

before(async () => {
  till = await start();
  await till.createMerchant();
});
after(() => till.stop());

const count = async () => (await till.rows("SELECT COUNT(*) AS number FROM txn"))[0].number;
const withKey = (key, body = {}) => till.create(body, { "idempotency-key": key });

test("the same request with the same key gets the same bytes and is done once", async () => {
  const before = await count();
  const first = await withKey("once", { order_no: "A" });
  const second = await withKey("once", { order_no: "A" });
  assert.deepEqual([first.status, second.status], [201, 201]);
  assert.equal(second.text, first.text);
  assert.equal(first.headers.get("idempotent-replayed"), null);
  assert.equal(second.headers.get("idempotent-replayed"), "true");
  assert.equal(await count(), before + 1);
});

test("the replay shows what was answered then, not how the transaction is now", async () => {
  const first = await withKey("then");
  await openPage(till, first.body);
  assert.equal((await till.retrieve(first.body.session_id)).body.state, "pending");
  assert.equal((await withKey("then")).text, first.text);
});

test("the same key with another body is refused with 422", async () => {
  const before = await count();
  const first = await withKey("other", { amount: "1" });
  assertProblem(await withKey("other", { amount: "2" }), 422, "idempotency_key_reused");
  assertProblem(await withKey("other", { amount: "x" }), 422, "idempotency_key_reused");
  assert.equal((await withKey("other", { amount: "1" })).text, first.text);
  assert.equal(await count(), before + 1);
});

test("twenty requests at once with one key make one transaction", async () => {
  for (let round = 0; round < 5; round += 1) {
    const before = await count();
    const answers = await Promise.all(Array.from({ length: 20 }, () => withKey(`race-${round}`)));
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201]);
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
    assert.equal(answers.filter(({ headers }) => headers.get("idempotent-replayed") === null).length, 1);
    assert.equal(await count(), before + 1);
  }
});

test("twenty requests at once with one key and different bodies make one transaction", async () => {
  const before = await count();
  const answers = await Promise.all(Array.from({ length: 20 }, (_, place) => withKey("quarrel", { order_no: `A-${place}` })));
  const made = answers.filter(({ status }) => status === 201);
  assert.equal(made.length, 1);
  for (const answer of answers) {
    if (answer !== made[0]) assertProblem(answer, 422, "idempotency_key_reused");
  }
  assert.equal(await count(), before + 1);
});

test("without a key the same request is done each time", async () => {
  const [first, second] = [await till.create(), await till.create()];
  assert.notEqual(first.body.session_id, second.body.session_id);
});

test("another merchant's key of the same text has nothing to do with it", async () => {
  const mine = till.merchant;
  const first = await withKey("shared");
  await till.createMerchant();
  const second = await withKey("shared");
  till.merchant = mine;
  assert.deepEqual([second.status, second.headers.get("idempotent-replayed")], [201, null]);
  assert.notEqual(second.body.session_id, first.body.session_id);
});

test("a refused request uses up no key", async () => {
  assertProblem(await withKey("again", { amount: "x" }), 400, "invalid_fields");
  assertProblem(await till.create("{", { "idempotency-key": "again" }), 400, "malformed_body");
  assert.equal((await withKey("again")).status, 201);
});

test("a replay needs a valid key of the merchant", async () => {
  await withKey("guarded");
  const headers = { "idempotency-key": "guarded", authorization: `Api-Key ${till.merchant.public_key}` };
  assertProblem(await till.create({}, headers), 401, "private_key_required");
});

test("a key may be in quotes", async () => {
  const first = await withKey('"quoted"');
  assert.equal((await withKey("quoted")).text, first.text);
});

test("a key of 255 visible characters is taken, and a malformed one is refused", async () => {
  assert.equal((await withKey("k".repeat(255))).status, 201);
  const before = await count();
  for (const key of ["", '""', "k".repeat(256), "a b", "é", "a\tb"]) {
    assertProblem(await withKey(key), 400, "idempotency_key_malformed");
  }
  assert.equal(await count(), before);
});

test("answers are deleted after their life, in the background", async () => {
  const first = await withKey("old");
  await till.rows("UPDATE answer SET stored_at = 0 WHERE key = 'old'");
  await till.scheduled();
  const second = await withKey("old");
  assert.equal(second.status, 201);
  assert.notEqual(second.body.session_id, first.body.session_id);
});
