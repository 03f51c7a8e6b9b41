/** At the desk: refunds that another person has to permit are asked for, approved, rejected and taken back, each once. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { formsOf, staff, textOf } from "./desk.mjs";
import { demoSettings, start } from "./harness.mjs";
import { atTheBank, eventually, payWith } from "./payer.mjs";

const MAY = ["payment.refund", "Can approve", "Can view e-commerce payments"];

let till, maker, approver, cashier, other;
before(async () => {
  till = await start();
  const settings = { ...demoSettings(), approvals: { operations: ["refund"], above: { KWD: "0.500" }, approvers: 1 } };
  const theirs = await till.createMerchant(settings);
  other = await staff(till, "other", { permissions: MAY }, theirs);
  await till.createMerchant(settings);
  maker = await staff(till, "maker", { permissions: MAY });
  approver = await staff(till, "approver", { permissions: MAY });
  cashier = await staff(till, "cashier", { permissions: ["payment.refund", "Can view e-commerce payments"] });
});
after(() => till.stop());

const operations = async (session_id) => (await till.rows("SELECT amount, stage FROM child WHERE parent_id = ?1", session_id)).map(({ amount, stage }) => [amount, stage]);
const stateOf = async (path) => (await till.rows("SELECT state FROM approval WHERE id = ?1", path.split("/").at(2)))[0].state;
const idOf = (path) => path.split("/").at(2);
const actions = (visitor) => formsOf(visitor.page).map(({ action }) => action).filter((action) => action.startsWith("/approvals/")).map((action) => action.split("/").at(-2) || "list");

async function paid() {
  const made = await atTheBank(till, { pg_code: "credit-card", amount: "10.000" });
  await payWith(till, made.page, "visa-approve");
  return made;
}
/** The form of a refund on the page of a payment. */
async function refundForm(visitor, { session_id }, fields = {}) {
  await visitor.get(`/payments/${session_id}/`);
  const [form] = formsOf(visitor.page).filter(({ fields }) => fields.some(([name, value]) => name === "operation" && value === "refund"));
  return { ...Object.fromEntries(form.fields), reason: "goods_returned", note: "box 7", amount: "4.000", ...fields };
}
/** Asks for a refund, and answers the path of the request. */
async function ask(payment, visitor = maker) {
  const answer = await visitor.post(`/payments/${payment.session_id}/operate/`, await refundForm(visitor, payment));
  const [, path] = /^(\/approvals\/[A-Z0-9-]+\/)\?news=asked$/.exec(answer.location) ?? assert.fail(`${answer.status} ${textOf(answer.text)}`);
  return path;
}
const ended = (path, state) => eventually(`it is ${state}`, async () => (await stateOf(path)) === state);

test("a refund is asked for, and another person approves it: twice clicked, done once", async () => {
  const payment = await paid();
  const form = await refundForm(maker, payment);
  const [one, two] = await Promise.all([1, 2].map(() => maker.post(`/payments/${payment.session_id}/operate/`, form)));
  const late = await maker.post(`/payments/${payment.session_id}/operate/`, form);
  assert.deepEqual(new Set([one, two, late].map(({ location }) => location)).size, 1, "two tabs and a late click are one request");
  const path = one.location.split("?")[0];
  assert.deepEqual(await operations(payment.session_id), []);
  const seen = textOf((await maker.follow(one)).text);
  for (const part of ["No money is moved before another person approves", "Refund KWD 4.000", "Goods returned", "box 7", "maker@", "Who asks cannot approve"]) assert.ok(seen.includes(part), `${part}: ${seen}`);
  assert.deepEqual(actions(maker), ["withdraw"], "who asks sees no button that approves");
  assert.match(textOf((await maker.get(`/payments/${payment.session_id}/`)).text), /Refund KWD 4.000: asked for/);
  assert.ok(maker.page.includes(`href="${path}"`), "the payment leads to its request");

  const list = await approver.get("/approvals/");
  assert.ok(list.text.includes(`href="${path}"`) && list.text.includes(`href="/payments/${payment.session_id}/"`));
  await approver.get(path);
  assert.deepEqual(actions(approver), ["approve", "reject"]);
  const [{ fields }] = formsOf(approver.page).filter(({ action }) => action === `${path}approve/`);
  const approvals = await Promise.all([1, 2].map(() => approver.post(`${path}approve/`, Object.fromEntries(fields))));
  for (const { location } of approvals) assert.equal(location, `${path}?news=approved`);
  await ended(path, "done");
  assert.equal((await approver.post(`${path}approve/`, Object.fromEntries(fields))).location, `${path}?news=approved`);
  assert.deepEqual(await operations(payment.session_id), [[4000, "done"]]);
  const done = textOf((await maker.get(path)).text);
  assert.match(done, /Done.*1 of 1 approver@/);
  assert.deepEqual(actions(maker), []);
  assert.doesNotMatch((await maker.get(`/payments/${payment.session_id}/`)).text, /asked for, and not/);
});

test("who asks is refused in words, whatever form is sent", async () => {
  const path = await ask(await paid());
  await maker.get(path);
  const [{ hash }] = await till.rows("SELECT hash FROM approval WHERE id = ?1", idOf(path));
  const [, form_token] = /name="form_token" value="([^"]+)"/.exec(maker.page);
  for (const [word, fields] of [["approve", { hash }], ["reject", { note: "no" }]]) {
    const answer = await maker.post(`${path}${word}/`, { form_token, ...fields });
    assert.equal(answer.status, 403);
    assert.match(textOf(answer.text), /Nothing was done: who asks cannot decide/);
  }
  assert.equal(await stateOf(path), "asked");
});

test("a form of another state of the request approves nothing", async () => {
  const path = await ask(await paid());
  await approver.get(path);
  const answer = await approver.submit(`${path}approve/`, { hash: "0".repeat(64) });
  assert.equal(answer.status, 409);
  assert.match(textOf(answer.text), /Nothing was done: the request has ended, or is not as the page showed it/);
  assert.equal(await stateOf(path), "asked");
});

test("a rejection needs its note, is shown with it, and ends the request once", async () => {
  const payment = await paid();
  const path = await ask(payment);
  await approver.get(path);
  const empty = await approver.submit(`${path}reject/`, { note: "  " });
  assert.equal(empty.status, 400);
  assert.match(textOf(empty.text), /say why it is rejected/);
  const [first, second] = await Promise.all([1, 2].map(() => approver.submit(`${path}reject/`, { note: "<b>empty box" })));
  for (const { location } of [first, second]) assert.equal(location, `${path}?news=rejected`);
  const page = await approver.follow(first);
  assert.match(textOf(page.text), /Rejected\. No money is moved.*approver@.*<b>empty box/);
  assert.doesNotMatch(page.text, /<b>empty/);
  assert.deepEqual(actions(approver), []);
  await maker.get(path);
  const [, form_token] = /name="form_token" value="([^"]+)"/.exec(maker.page);
  const late = await maker.post(`${path}withdraw/`, { form_token });
  assert.deepEqual([late.status, await stateOf(path)], [409, "rejected"]);
  assert.deepEqual(await operations(payment.session_id), []);
});

test("who asked takes it back, and asks again; nobody else takes it back", async () => {
  const payment = await paid();
  const path = await ask(payment, cashier);
  await cashier.get(path);
  assert.deepEqual(actions(cashier), ["withdraw"]);
  await approver.get(path);
  const [, form_token] = /name="form_token" value="([^"]+)"/.exec(approver.page);
  assert.equal((await approver.post(`${path}withdraw/`, { form_token })).status, 403);
  const back = await cashier.submit(`${path}withdraw/`);
  assert.equal(back.location, `${path}?news=withdrawn`);
  assert.match(textOf((await cashier.follow(back)).text), /Taken back/);
  const again = await ask(payment, cashier);
  assert.notEqual(again, path);
});

test("one that fails says why, and leads to the payment, where it is asked for again", async () => {
  const payment = await paid();
  const path = await ask(payment);
  const json = { operation: "refund", session_id: payment.session_id, amount: "8.000" };
  assert.equal((await till.call("/b/pbl/v2/operation/", { method: "POST", headers: till.privateKey(), json })).status, 200);
  await approver.get(path);
  await approver.submit(`${path}approve/`);
  await ended(path, "failed");
  const page = await maker.get(path);
  assert.match(textOf(page.text), /Failed.*Why it failed/);
  assert.match(page.text, new RegExp(`href="/payments/${payment.session_id}/">Ask again`));
  const again = await maker.post(`/payments/${payment.session_id}/operate/`, await refundForm(maker, payment, { amount: "2.000" }));
  assert.match(again.location, /^\/approvals\/.*news=asked/);
});

test("the list is filtered by state and by payment, and a wrong filter is named", async () => {
  const payment = await paid();
  const path = await ask(payment);
  const waiting = await approver.get("/approvals/?state=asked");
  assert.ok(waiting.text.includes(`href="${path}"`));
  assert.match(waiting.text, /<option value="asked" selected>/);
  assert.ok(!(await approver.get("/approvals/?state=rejected")).text.includes(`href="${path}"`));
  const of = await approver.get(`/approvals/?session_id=${payment.session_id}`);
  assert.equal([...of.text.matchAll(/<th scope="row"/g)].length, 1);
  const wrong = await approver.get("/approvals/?state=lost");
  assert.deepEqual([wrong.status, /state must/.test(textOf(wrong.text))], [400, true], textOf(wrong.text));
  const twice = [...(await approver.get("/approvals/")).text.matchAll(new RegExp(`href="${path}"`, "g"))];
  assert.equal(twice.length, 1, "what waits is listed once");
});

test("nobody of another merchant finds it, and who may not approve is refused by name", async () => {
  const path = await ask(await paid());
  assert.equal((await other.get(path)).status, 404);
  await other.get("/approvals/");
  assert.ok(!other.page.includes(path));
  const [, form_token] = /name="form_token" value="([^"]+)"/.exec(other.page);
  for (const [word, fields] of [["approve", { hash: "none" }], ["reject", { note: "no" }], ["reject", {}], ["withdraw", {}]]) assert.equal((await other.post(`${path}${word}/`, { form_token, ...fields })).status, 404, word);
  await cashier.get(path);
  assert.deepEqual(actions(cashier), []);
  const [, token] = /name="form_token" value="([^"]+)"/.exec(cashier.page);
  const refused = await cashier.post(`${path}approve/`, { form_token: token, hash: "none" });
  assert.equal(refused.status, 403);
  assert.match(textOf(refused.text), /Can approve/);
  assert.equal(await stateOf(path), "asked");
});

test("approving needs a factor that was given a short while ago; rejecting does not", async () => {
  const path = await ask(await paid());
  await approver.get(path);
  await till.rows("UPDATE desk_session SET factor_at = factor_at - 600000 WHERE user_id = ?1", String(approver.user.id));
  const asked = await approver.submit(`${path}approve/`);
  assert.notEqual(asked.location, `${path}?news=approved`);
  assert.equal(await stateOf(path), "asked");
  await approver.get(path);
  assert.equal((await approver.submit(`${path}reject/`, { note: "no" })).location, `${path}?news=rejected`);
});
