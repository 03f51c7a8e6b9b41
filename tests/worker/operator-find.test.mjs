/** How operators find a merchant, and a payment of which nobody knows whose it is; and that the audit says who looked. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "./harness.mjs";
import { assertProblem, atTheBank, attempts, payWith } from "./payer.mjs";

/** @type {import("./harness.mjs").Till} */
let till;
const shops = [];
before(async () => {
  till = await start({ alone: true });
  for (const [place, settings] of [{}, { is_paused: true, name: { en: "Paused & Co <b>", ar: "متجر" } }, {}].entries()) {
    shops.push(await till.createMerchant(settings, `find-${place}`));
  }
});
after(() => till.stop());

const find = (query) => till.operator(`/transactions/?${query}`);

async function refunded(merchant) {
  till.merchant = merchant;
  const payment = await atTheBank(till, { amount: "12.000", order_no: "FIND-1" });
  await payWith(till, payment.page, "visa-approve");
  const done = await till.call("/b/pbl/v2/operation/", { method: "POST", headers: till.privateKey(), json: { session_id: payment.session_id, operation: "refund", amount: "2.000" } });
  assert.equal(done.status, 200, done.text);
  return payment;
}

test("merchants are listed in the order of their ids, a page at a time, without their settings", async () => {
  const { body: all } = await till.operator("/merchants/");
  const own = all.results.filter(({ merchant_id }) => merchant_id.startsWith("find-"));
  assert.deepEqual(own.map(({ merchant_id, is_paused, is_test, version }) => [merchant_id, is_paused, is_test, version]), [["find-0", false, true, 1], ["find-1", true, true, 1], ["find-2", false, true, 1]]);
  assert.deepEqual(own[1].name, { ar: "متجر", en: "Paused & Co <b>" });
  assert.ok(own.every(({ created_at }) => Math.abs(Date.parse(created_at) - Date.now()) < 120_000));
  const seen = [];
  for (let cursor = ""; cursor !== null; ) {
    const { body } = await till.operator(`/merchants/?limit=1${cursor && `&cursor=${cursor}`}`);
    assert.equal(body.results.length, 1);
    seen.push(body.results[0].merchant_id);
    cursor = body.next;
  }
  assert.deepEqual(seen, all.results.map(({ merchant_id }) => merchant_id));
});

test("a payment is found by its id and by every reference of it, and the audit says who looked", async () => {
  const payment = await refunded(shops[0]);
  const [{ reference }] = await attempts(till, payment);
  const [child] = await till.rows("SELECT reference FROM child WHERE parent_id = ?1", payment.session_id);
  for (const query of [`session_id=${payment.session_id}`, `reference=${reference}`, `reference=${child.reference}`]) {
    const { status, body, text } = await find(query);
    assert.equal(status, 200, text);
    const { created_at, ...rest } = body;
    assert.ok(Date.parse(created_at) <= Date.now());
    assert.deepEqual(rest, { amount: "12.000", currency_code: "KWD", merchant_id: "find-0", order_no: "FIND-1", session_id: payment.session_id, state: rest.state });
    assert.match(rest.state, /^(paid|refunded)$/);
  }
  const { body: audit } = await till.operator("/audit/?merchant=find-0");
  const looked = audit.results.filter(({ action }) => action === "find_transaction");
  assert.deepEqual(looked.map(({ subject }) => subject), Array(3).fill(payment.session_id));
  const { body: own } = await till.call("/b/access/v1/audit/", { headers: till.privateKey(shops[0]) });
  assert.deepEqual(own.results.filter(({ action }) => action === "find_transaction").map(({ actor }) => actor?.kind), Array(3).fill("operator"));
});

test("what is not there, and what names nothing or two things, is refused", async () => {
  assertProblem(await find(`session_id=${"0".repeat(40)}`), 404, "not_found");
  assertProblem(await find("reference=7H3K9M2P4Q5R"), 404, "not_found");
  assertProblem(await find("reference=' OR 1=1 --"), 404, "not_found");
  for (const [query, names] of [["", ["session_id"]], ["session_id=1", ["session_id"]], [`session_id=${"0".repeat(40)}&reference=7H3K9M2P4Q5R`, ["reference"]]]) {
    const answer = await find(query);
    assertProblem(answer, 400, "invalid_fields");
    assert.deepEqual(Object.keys(answer.body.errors), names, query);
  }
  assertProblem(await till.call("/b/operator/v1/transactions/?reference=7H3K9M2P4Q5R", { headers: till.privateKey(shops[0]) }), 401, "credentials_invalid");
});
