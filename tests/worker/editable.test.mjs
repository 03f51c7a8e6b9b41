/**
 * Editable amounts over HTTP: bounds by name, the page rendered again, many payers with different amounts at
 * once.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "./harness.mjs";

/** @type {import("./harness.mjs").Till} */
let till;

before(async () => {
  till = await start();
  await till.createMerchant();
});
after(() => till.stop());

async function create(fields = {}) {
  const created = await till.create({ type: "payment_request", pg_codes: ["knet", "cash"], ...fields });
  assert.equal(created.status, 201, created.text);
  return created.body.session_id;
}

const pay = (session_id, fields, headers = { accept: "application/json" }) =>
  till.call("/b/checkout/redirect/pay/", { method: "POST", headers, body: new URLSearchParams({ session_id, pg_code: "knet", ...fields }) });
const attempts = (session_id) =>
  till.rows("SELECT principal, amount, fee, total, stage FROM attempt WHERE session_id = ?1 ORDER BY number", session_id);

test("an amount beyond the limits is refused by name, and nothing is stored", async () => {
  const session_id = await create();
  for (const amount of ["", "0", "0.009", "10.251", "1.0001", "1e1", "NaN", "-1", "1,5,0", "1,2345", "９", "9".repeat(2000)]) {
    const { status, body } = await pay(session_id, { amount });
    assert.deepEqual([status, body.code, Object.keys(body.errors)], [400, "invalid_fields", ["amount"]], amount);
  }
  assert.deepEqual(await attempts(session_id), []);
});

test("where the payer may not choose, only the amount of the transaction is taken", async () => {
  const session_id = await create({ type: "e_commerce" });
  const { status, body } = await pay(session_id, { amount: "1" });
  assert.deepEqual([status, body.errors], [400, { amount: ["must be 10.250, the amount of the transaction, or be left out"] }]);
  assert.equal((await pay(session_id, { amount: "10.25" })).status, 200);
  assert.deepEqual((await attempts(session_id)).map(({ principal }) => principal), [10_250]);
});

test("an SDK is answered how each gateway charges where the payer may choose, and nothing of it elsewhere", async () => {
  for (const [type, expected] of [["payment_request", "KWD KWD 0.250 0"], ["e_commerce", undefined]]) {
    const { session_id } = (await till.create({ type, pg_codes: ["knet"] })).body;
    const { body } = await till.call(`/b/checkout/api/sdk/v1/pymt-txn/submit/${session_id}/`);
    assert.deepEqual(body.payment_methods.map(({ terms }) => terms), [expected]);
    assert.equal(body.payment_services.every(({ terms }) => (terms === undefined) === (expected === undefined)), true);
  }
});

test("a refused form brings the page again with what was typed, escaped", async () => {
  const session_id = await create();
  const { status, text } = await pay(session_id, { amount: '"><script>alert(1)</script>', pg_code: "cash" }, { accept: "text/html" });
  assert.equal(status, 400);
  assert.match(text, /value="&quot;&gt;&lt;script&gt;alert\(1\)&lt;\/script&gt;"/);
  assert.match(text, /value="cash" checked/);
  assert.doesNotMatch(text, /<script>alert/);
});

test("twenty payers at once with different amounts open one charge over one of them", async () => {
  const session_id = await create();
  const amounts = Array.from({ length: 20 }, (_, index) => `${index % 10}.${100 + index}`);
  const answers = await Promise.all(amounts.map((amount) => pay(session_id, { amount })));
  for (const { status, body } of answers) {
    assert.ok(status === 200 || (status === 409 && ["attempt_in_progress", "conflict"].includes(body.code)), `${status} ${body.code}`);
  }
  const all = await attempts(session_id);
  assert.equal(all.filter(({ stage }) => ["sending", "redirected", "unknown"].includes(stage)).length, 1);
  for (const { principal, amount, fee, total } of all) {
    assert.ok(amounts.some((typed) => Math.round(Number(typed) * 1000) === principal));
    assert.deepEqual([amount, total], [principal, principal + fee]);
  }
});

test("what was stored before there was a choice is paid whole", async () => {
  const session_id = await create({ pg_codes: ["cash"] });
  await till.rows("UPDATE txn SET details = json_remove(details, '$.is_amount_editable'), version = version + 1 WHERE session_id = ?1", session_id);
  assert.equal((await pay(session_id, { pg_code: "cash", amount: "1" })).status, 400);
  assert.equal((await pay(session_id, { pg_code: "cash" })).status, 200);
  assert.deepEqual((await attempts(session_id)).map(({ principal }) => principal), [10_250]);
});
