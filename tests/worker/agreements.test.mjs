/** Agreements over HTTP: listed, paused after the last try of a debit, and resumed by the merchant's server or its staff. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { staff, textOf } from "./desk.mjs";
import { start } from "./harness.mjs";
import { assertProblem, atTheBank, open, payWith, untilWebhooks } from "./payer.mjs";

const AGREEMENTS = "/b/checkout/v1/agreements/";
const RESUME = `${AGREEMENTS}resume/`;
const LIST = "/b/checkout/v1/attention/";
const DEBITS = { auto_debit: { retries: { insufficient_funds: [] } } };

/** @type {import("./harness.mjs").Till} */
let till;
let stranger;
before(async () => {
  till = await start();
  stranger = await till.createMerchant();
  await till.createMerchant(DEBITS);
});
after(() => till.stop());

const under = (id, customer_id) => ({
  payment_type: "auto_debit", amount: "10.250", customer_id, pg_codes: ["credit-card"], agreement: { id, type: "other" },
});
const ask = (path, json, merchant = till.merchant) => till.call(path, { method: "POST", headers: till.privateKey(merchant), json });
const listed = async (customer_id, merchant) => (await ask(AGREEMENTS, { type: "sandbox", customer_id }, merchant)).body.results;
const resume = (id, customer_id, merchant) => ask(RESUME, { type: "sandbox", customer_id, agreement_id: id }, merchant);
/** What is open about pauses, by their payments. */
const flagged = async () => (await till.call(LIST, { headers: till.privateKey() })).body.results.filter(({ reason }) => reason === "agreement_paused");

/** The payer pays first, and saves the card under the agreement. */
async function agree(id, customer_id, card = "visa-no-debit") {
  const payment = await atTheBank(till, { ...under(id, customer_id), pg_code: "credit-card" });
  await payWith(till, payment.page, card);
  const [{ body }] = await untilWebhooks(till, payment);
  return body.token.token;
}

/** An agreement whose debit was declined for the last time. */
async function paused(id, customer_id) {
  const token = await agree(id, customer_id);
  const payment = await open(till, under(id, customer_id));
  assert.equal((await ask("/b/pbl/v2/payment/auto-debit/", { session_id: payment.session_id, token })).body.result, "failed");
  return { ...payment, token };
}

test("a paused agreement is listed with its reason, and is on the attention list until it is resumed", async () => {
  const { session_id, token } = await paused("RENT-1", "c-1");
  const [agreement, ...others] = await listed("c-1");
  assert.deepEqual(others, []);
  const { amount, currency_code, cycles, id, paused: pause } = agreement;
  assert.deepEqual([amount, currency_code, cycles, id, agreement.token], ["10.250", "KWD", 0, "RENT-1", token]);
  assert.deepEqual([pause.reason, pause.session_id], ["insufficient_funds", session_id]);
  const [entry] = await flagged();
  assert.deepEqual([entry.session_id, entry.topic, entry.detail], [session_id, "payment", ""]);
  assert.match(entry.advice, /resume the agreement/);
  const { status, body } = await resume("RENT-1", "c-1");
  assert.deepEqual([status, body.id, body.paused], [200, "RENT-1", null]);
  assert.deepEqual(await flagged(), []);
  assert.equal((await listed("c-1"))[0].paused, null);
  const again = await resume("RENT-1", "c-1");
  assert.deepEqual([again.status, again.body.paused], [200, null], "one that is not paused goes on");
  const audit = await till.rows("SELECT action FROM audit WHERE subject = ?1 AND action = 'resume_agreement'", session_id);
  assert.equal(audit.length, 1);
});

test("a payment of the payer resumes it, and closes the entry", async () => {
  const { session_id } = await paused("RENT-2", "c-2");
  assert.deepEqual((await flagged()).map((entry) => entry.session_id), [session_id]);
  await agree("RENT-2", "c-2", "visa-approve");
  assert.deepEqual(await flagged(), []);
  assert.equal((await listed("c-2"))[0].paused, null);
});

test("another merchant's agreements are answered like those that do not exist", async () => {
  const { session_id } = await paused("RENT-3", "c-3");
  assert.deepEqual(await listed("c-3", stranger), []);
  const [theirs, none] = await Promise.all([resume("RENT-3", "c-3", stranger), resume("RENT-X", "c-3", stranger)]);
  assertProblem(theirs, 404, "not_found");
  assertProblem(none, 404, "not_found");
  const without = ({ detail, code, status }) => ({ detail, code, status });
  assert.deepEqual(without(theirs.body), without(none.body));
  assertProblem(await resume("RENT-3", "c-other"), 404, "not_found");
  assertProblem(await ask(RESUME, { type: "production", customer_id: "c-3", agreement_id: "RENT-3" }), 404, "not_found");
  assert.deepEqual((await listed("c-3"))[0].paused.session_id, session_id);
  assert.equal((await flagged()).length, 1);
  await resume("RENT-3", "c-3");
});

test("every wrong field is named, and a public key is not permitted", async () => {
  const wrong = async (path, json) => Object.keys(assertProblem(await ask(path, json), 400, "invalid_fields")).sort();
  assert.deepEqual(await wrong(AGREEMENTS, {}), ["customer_id", "type"]);
  assert.deepEqual(await wrong(AGREEMENTS, { type: "test", customer_id: "x".repeat(65) }), ["customer_id", "type"]);
  assert.deepEqual(await wrong(RESUME, { type: 1, customer_id: ["c-1"], agreement_id: {} }), ["agreement_id", "customer_id", "type"]);
  assert.deepEqual(await wrong(RESUME, { type: "sandbox", customer_id: "c-1", agreement_id: "" }), ["agreement_id"]);
  assert.deepEqual(await wrong(RESUME, { type: "sandbox", customer_id: "c-1", agreement_id: "x".repeat(129) }), ["agreement_id"]);
  for (const json of [[], "RENT-1", null]) assert.equal((await ask(RESUME, json)).status, 400);
  const json = { type: "sandbox", customer_id: "c-1" };
  assertProblem(await till.call(AGREEMENTS, { method: "POST", json }), 401, "credentials_missing");
  const headers = { authorization: `Api-Key ${till.merchant.public_key}` };
  assertProblem(await till.call(AGREEMENTS, { method: "POST", headers, json }), 401, "private_key_required");
});

test("staff who may do everything resume it at the desk with a fresh factor; others see none", async () => {
  const { session_id } = await paused("RENT <b>&5", "c-5");
  const owner = await staff(till, "owner");
  const viewer = await staff(till, "viewer", { permissions: ["Can view e-commerce payments", "Can view payment requests"] });
  const at = "/customers/?customer_id=c-5";
  const seen = textOf((await owner.get("/attention/")).text);
  for (const part of ["Debits under an agreement are paused", "resume the agreement"]) assert.ok(seen.includes(part), seen);
  assert.ok(owner.page.includes(`href="/payments/${session_id}/"`) && !owner.page.includes(`/payments/${session_id}/inquire/`));
  await owner.get(at);
  assert.ok(textOf(owner.page).includes("Paused agreements") && !owner.page.includes("<b>&5"));
  const form = { ...Object.fromEntries([...owner.page.matchAll(/name="(form_token)" value="([^"]+)"/g)].map(([, name, value]) => [name, value])), customer_id: "c-5", agreement: "RENT <b>&5", test: "1" };
  await viewer.get("/");
  const foreign = { ...form, form_token: /name="form_token" value="([^"]+)"/.exec(viewer.page)[1] };
  assert.equal((await viewer.post("/customers/resume/", foreign)).status, 403);
  await till.rows("UPDATE desk_session SET factor_at = factor_at - 600000 WHERE user_id = ?1", String(owner.user.id));
  await owner.post("/customers/resume/", form);
  assert.equal((await flagged()).length, 1, "the factor is asked for first");
  await till.rows("UPDATE desk_session SET factor_at = ?2 WHERE user_id = ?1", String(owner.user.id), Date.now());
  await owner.get(at);
  const done = await owner.submit("/customers/resume/");
  assert.equal(done.status, 303, textOf(done.text));
  assert.ok(!textOf((await owner.follow(done)).text).includes("Paused agreements"));
  assert.deepEqual(await flagged(), []);
  assert.equal((await listed("c-5"))[0].paused, null);
});

test("the agreement that is erased with its customer leaves no entry", async () => {
  await paused("RENT-6", "c-6");
  const erased = await ask("/b/checkout/v1/erase/", { customer_id: "c-6" });
  assert.deepEqual([erased.status, erased.body.agreements], [200, 1], erased.text);
  assert.deepEqual(await flagged(), []);
});
