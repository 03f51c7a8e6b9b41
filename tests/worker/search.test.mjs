/** A payment is found by everything that is known of it: over the API and at the desk, and only by its own merchant. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { staff, textOf } from "./desk.mjs";
import { start } from "./harness.mjs";
import { assertProblem, atTheBank, attempts, payWith } from "./payer.mjs";

const LIST = "/b/checkout/v1/pymt-txn/";

/** @type {import("./harness.mjs").Till} */
let till;
let own, theirs, payment, refund;

const CONTACT = { order_no: "INV/7001", customer_email: "Noura.S@Example.com", customer_phone: "5000 1234", amount: "12.345" };

before(async () => {
  till = await start();
  theirs = await till.createMerchant();
  own = await till.createMerchant();
  await till.create({ amount: "1.000" });
  payment = await atTheBank(till, { pg_code: "credit-card", ...CONTACT });
  await payWith(till, payment.page, "visa-approve");
  const headers = { ...till.privateKey(), "tracking-key": "refund-of-7001" };
  const answer = await till.call("/b/pbl/v2/operation/", { method: "POST", headers, json: { session_id: payment.session_id, operation: "refund", amount: "1.000" } });
  assert.equal(answer.status, 200, answer.text);
  [refund] = await till.rows("SELECT reference, session_id FROM child WHERE parent_id = ?1", payment.session_id);
  await till.create({ amount: "2.000" });
});
after(() => till.stop());

async function search(text, more = {}, merchant = own) {
  const answer = await till.call(`${LIST}?${new URLSearchParams({ search: text, ...more })}`, { headers: till.privateKey(merchant) });
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.body.next, null);
  return answer.body.results.map(({ session_id }) => session_id);
}

const digits = async () => {
  const [{ params }] = await till.rows("SELECT params FROM attempt WHERE session_id = ?1", payment.session_id);
  return JSON.parse(params).card_number.slice(-4);
};

/** Everything by which the payment is known. */
async function known() {
  const [{ reference }] = await attempts(till, payment);
  return [
    payment.session_id, payment.session_id.toUpperCase(), refund.session_id, reference, reference.toLowerCase(), refund.reference, "refund-of-7001", "INV/7001",
    "noura.s@example.com", "50001234", "+965 5000-1234", "00965 50001234", await digits(), `**** ${await digits()}`, "12.345 KWD", "kwd 12.345", " INV/7001 ",
  ];
}

test("each kind of key finds the payment, and only with its own merchant", async () => {
  for (const text of await known()) {
    assert.deepEqual(await search(text), [payment.session_id], text);
    assert.deepEqual(await search(text, {}, theirs), [], text);
  }
  for (const text of ["noura.s@example.co", "50001235", "INV/700", "12.345 USD", "12.345", "%", "' OR 1=1 --", "0000"]) assert.deepEqual(await search(text), [], text);
});

test("the other filters narrow a search, and what is too long is refused by name", async () => {
  assert.deepEqual(await search("50001234", { has_refund: "true", currency: "KWD", order_no: "INV/7001" }), [payment.session_id]);
  for (const more of [{ has_refund: "false" }, { order_no: "INV/7002" }, { state: "failed" }, { created_from: "2100-01-01" }]) {
    assert.deepEqual(await search("50001234", more), [], JSON.stringify(more));
  }
  const answer = await till.call(`${LIST}?search=${"x".repeat(255)}`, { headers: till.privateKey(own) });
  assertProblem(answer, 400, "invalid_fields");
  assert.deepEqual(Object.keys(answer.body.errors), ["search"]);
});

test("what is stored to find a payer says nothing, and changes with the payer", async () => {
  const rows = await till.rows("SELECT * FROM payment_term WHERE session_id = ?1 ORDER BY kind", payment.session_id);
  assert.deepEqual(rows.map(({ kind }) => kind), ["digits", "email", "phone"]);
  for (const { digest } of rows) assert.match(digest, /^[0-9a-f]{32}$/);
  const { body } = await till.create({ customer_email: "before@example.com", customer_phone: "50009999" });
  const changed = await till.call(`${LIST}${body.session_id}/`, { method: "PATCH", headers: till.privateKey(own), json: { customer_email: "after@example.com" } });
  assert.equal(changed.status, 200, changed.text);
  const found = await Promise.all(["before@example.com", "after@example.com", "50009999"].map((text) => search(text)));
  assert.deepEqual(found, [[], [body.session_id], [body.session_id]]);
});

test("pages of what is found follow each other, and hold each payment once", async () => {
  const made = [];
  for (let number = 0; number < 5; number += 1) made.unshift((await till.create({ customer_email: "many@example.com", order_no: "many@example.com" })).body.session_id);
  const seen = [];
  for (let cursor = ""; cursor !== null; ) {
    const { body } = await till.call(`${LIST}?limit=2&search=many@example.com&cursor=${cursor}`, { headers: till.privateKey(own) });
    seen.push(...body.results.map(({ session_id }) => session_id));
    cursor = body.next;
  }
  assert.deepEqual(seen, made);
});

test("at the desk the search box finds the same, and says which filters are on", async () => {
  const owner = await staff(till, "finder", { is_superuser: true }, own);
  for (const text of await known()) {
    const { text: page } = await owner.get(`/payments/?${new URLSearchParams({ state: "", search: text, currency: "KWD" })}`);
    const rows = [...page.matchAll(/<tr><td.*?href="\/payments\/([0-9a-f]{40})\//g)].map(([, id]) => id);
    assert.deepEqual(rows, [payment.session_id], text);
    assert.ok(textOf(page).includes("currency: KWD"), "a filter that the form has not is shown");
  }
  await owner.get("/payments/?search=50001234&state=paid");
  const [, shown] = /href="(\/payments\/[0-9a-f]{40}\/\?[^"]+)"/.exec(owner.page);
  const detail = await owner.get(shown.replaceAll("&amp;", "&"));
  assert.ok(detail.text.includes('href="/payments/?search=50001234&amp;state=paid"'), "the way back has the filters");
  const astray = await owner.get(`/payments/${payment.session_id}/?list=%0d%0aX`);
  assert.equal(astray.status, 200);
  const hostile = await owner.get(`/payments/?${new URLSearchParams({ search: '"><script>alert(1)</script>' })}`);
  assert.equal(hostile.status, 200);
  assert.ok(!hostile.text.includes("<script>alert"));
});
