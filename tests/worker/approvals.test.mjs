/**
 * Refunds that another person has to permit, over HTTP: users by name and password ask and decide, the simulated bank moves the
 * money, and two decisions come at once.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { demoSettings, start } from "./harness.mjs";
import { assertProblem, atTheBank, payWith } from "./payer.mjs";

const APPROVALS = "/b/checkout/v1/approvals/";
const PASSWORD = "correct horse battery";
const MAY = ["payment.refund", "Can approve", "Can view e-commerce payments"];

/** @type {import("./harness.mjs").Till} */
let till;
let shop;
let other;
before(async () => {
  till = await start();
  const settings = { ...demoSettings(), approvals: { operations: ["refund"], above: { KWD: "0.500" }, approvers: 1 } };
  other = await till.createMerchant(settings);
  shop = await till.createMerchant(settings);
  for (const merchant of [shop, other]) {
    for (const name of ["maker", "first", "second"]) await addUser(merchant, name);
  }
});
after(() => till.stop());

const keyOf = (merchant) => ({ authorization: `Api-Key ${merchant.private_key}` });
const nameOf = (merchant, name) => `${name}@${merchant.merchant_id}`;
const as = (name, merchant = shop) => ({ authorization: `Basic ${Buffer.from(`${nameOf(merchant, name)}:${PASSWORD}`).toString("base64")}` });

async function addUser(merchant, name) {
  const json = { username: nameOf(merchant, name), password: PASSWORD, permissions: MAY, email: `${name}@shop.example` };
  const made = await till.call("/b/access/v1/users/", { method: "POST", headers: keyOf(merchant), json });
  assert.equal(made.status, 201, made.text);
}

async function paid() {
  const made = await atTheBank(till, { amount: "10.000" });
  await payWith(till, made.page, "visa-approve");
  return made.session_id;
}
const refund = (session_id, amount, headers, more = {}) =>
  till.call("/b/pbl/v2/operation/", { method: "POST", headers, json: { operation: "refund", session_id, amount, ...more } });
const decide = (id, word, headers, json = {}) => till.call(`${APPROVALS}${id}/${word}/`, { method: "POST", headers, json });
const read = async (id) => (await till.call(`${APPROVALS}${id}/`, { headers: keyOf(shop) })).body;
const operations = async (session_id) =>
  (await till.call(`/b/checkout/v1/pymt-txn/${session_id}/operations/`, { headers: keyOf(shop) })).body.results;

async function ask(session_id, amount = "4.000") {
  const asked = await refund(session_id, amount, as("maker"), { reason: "goods_returned", note: "box 7" });
  assert.equal(asked.status, 202, asked.text);
  assert.deepEqual([asked.body.state, asked.body.amount, asked.body.remaining, asked.body.note], ["asked", amount, "10.000", "box 7"]);
  return asked.body.id;
}
async function ended(id) {
  for (let turn = 0; turn < 60; turn += 1) {
    const request = await read(id);
    if (!["asked", "approved"].includes(request.state)) return request;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("the request waits");
}

test("half is refunded with a second person's approval, once, and the timeline says by whom", async () => {
  const session_id = await paid();
  const id = await ask(session_id, "5.000");
  assert.deepEqual(await operations(session_id), []);
  assertProblem(await decide(id, "approve", as("maker")), 403, "own_approval");
  assertProblem(await decide(id, "approve", keyOf(shop)), 403, "user_required");
  const approved = await decide(id, "approve", as("first"), { hash: (await read(id)).hash });
  assert.deepEqual([approved.status, approved.body.state], [200, "approved"], approved.text);
  const done = await ended(id);
  assert.equal(done.state, "done", JSON.stringify(done));
  const [only, ...more] = await operations(session_id);
  assert.deepEqual([only.amount, only.result, only.reference_number, more], ["5.000", "success", done.reference_number, []]);
  const { body } = await till.call(`/b/checkout/v1/pymt-txn/${session_id}/events/`, { headers: keyOf(shop) });
  const words = body.results.filter(({ event }) => event?.reference_number === id).map(({ event }) => [event.kind, event.by.name]);
  assert.deepEqual(words.toSorted(), [["approval_asked", nameOf(shop, "maker")], ["approval_given", nameOf(shop, "first")]]);
  assert.ok(body.results.every(({ webhook }) => webhook?.kind !== "approval"));
});

test("small refunds and keys need nobody", async () => {
  const session_id = await paid();
  assert.equal((await refund(session_id, "0.500", as("maker"))).status, 200);
  assert.equal((await refund(session_id, "2.000", keyOf(shop))).status, 200);
});

test("two approvals at once, and the same many times, move the money once", async () => {
  const session_id = await paid();
  const id = await ask(session_id);
  const answers = await Promise.all(["first", "second", "first", "second", "first"].map((name) => decide(id, "approve", as(name))));
  for (const { status } of answers) assert.ok([200, 409].includes(status), `${status}`);
  assert.ok(answers.some(({ status }) => status === 200));
  assert.equal((await ended(id)).state, "done");
  assert.equal((await operations(session_id)).length, 1);
});

test("approving and rejecting at once ends in one of both", async () => {
  const session_id = await paid();
  const id = await ask(session_id);
  await Promise.all([decide(id, "approve", as("first")), decide(id, "reject", as("second"), { note: "no" }), decide(id, "withdraw", as("maker"))]);
  const { state } = await ended(id);
  assert.equal((await operations(session_id)).length, state === "done" ? 1 : 0, state);
});

test("another merchant's staff finds nothing", async () => {
  const id = await ask(await paid());
  const nobody = id.replace(/.$/, (last) => (last === "2" ? "3" : "2"));
  for (const [word, json] of [["approve", {}], ["reject", { note: "no" }], ["withdraw", {}]]) {
    const theirs = await decide(id, word, as("first", other), json);
    assertProblem(theirs, 404, "not_found");
    assertProblem(await decide(nobody, word, as("first", other), json), 404, "not_found");
  }
  assertProblem(await till.call(`${APPROVALS}${id}/`, { headers: keyOf(other) }), 404, "not_found");
  assert.deepEqual((await till.call(APPROVALS, { headers: keyOf(other) })).body, { next: null, results: [] });
  assert.equal((await read(id)).state, "asked");
});

test("a rejection needs its note, and a request that ended stays so", async () => {
  const id = await ask(await paid());
  assertProblem(await decide(id, "reject", as("first")), 400, "invalid_fields");
  const rejected = await decide(id, "reject", as("first"), { note: "the box was empty" });
  assert.deepEqual([rejected.body.state, rejected.body.ended_note, rejected.body.ended_by.name], ["rejected", "the box was empty", nameOf(shop, "first")]);
  assertProblem(await decide(id, "approve", as("second")), 409, "approval_ended");
  const listed = (await till.call(`${APPROVALS}?state=rejected`, { headers: as("second") })).body.results;
  assert.ok(listed.some((one) => one.id === id));
});

test("who can approve and who asked are written to", async () => {
  const id = await ask(await paid());
  await decide(id, "reject", as("first"), { note: "no" });
  const letters = await till.rows("SELECT body FROM delivery WHERE kind = 'alert_email' AND reference = ?1", id);
  const to = letters.map(({ body }) => [JSON.parse(body).to, JSON.parse(body).subject]).toSorted();
  assert.deepEqual(to, [
    ["first@shop.example", "A refund waits for approval"], ["maker@shop.example", "Your refund was rejected"],
    ["second@shop.example", "A refund waits for approval"],
  ]);
});

test("the database refuses an operation that moves more than was approved", async () => {
  const session_id = await paid();
  const id = await ask(session_id);
  const forged = `INSERT INTO child SELECT 'FORGED', 'forged', session_id, merchant_id, 99, attempt, 'refund', 'sending', 9000, 'KWD', 'knet', 1,
    'approval ' || id, NULL, 1, 1, NULL, 0, NULL, NULL, NULL, '{}', NULL`;
  const columns = "(reference, session_id, parent_id, merchant_id, number, attempt, operation, stage, amount, currency, pg_code, is_sandbox, tracking_key, extra, opened_at, updated_at, inquire_at, inquiries, open_since, gateway_id, message, params, response)";
  await assert.rejects(till.rows(`${forged.replace("child", `child ${columns}`)} FROM approval WHERE id = ?1`, id), /not approved/);
});
