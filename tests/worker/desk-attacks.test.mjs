/** What attackers try with sessions at the desk: guesses, replays, and what was taken from someone while a page was open. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { PASSWORD, Visitor, formsOf, setFactor, staff, textOf } from "./desk.mjs";
import { start } from "./harness.mjs";
import { atTheBank, payWith } from "./payer.mjs";

let till;
before(async () => {
  till = await start();
  await till.createMerchant();
});
after(() => till?.stop());

const sessions = (user) => till.rows("SELECT * FROM desk_session WHERE user_id = ?1", user.id);
const change = async (user, json) => {
  const answer = await till.call(`/b/access/v1/users/${user.id}/`, { method: "PATCH", headers: till.privateKey(), json });
  assert.equal(answer.status, 200, answer.text);
};

/** Someone who gave the password of a user, and is asked for a code. */
async function halfIn(user) {
  const visitor = Object.assign(new Visitor(till), { user });
  const asked = await visitor.follow(await visitor.signIn(user.username));
  assert.match(asked.location, /^\/sign-in\/code\//);
  await visitor.follow(asked);
  return visitor;
}

async function paid() {
  const payment = await atTheBank(till, { pg_code: "credit-card", amount: "12.500" });
  await payWith(till, payment.page, "visa-approve");
  return payment;
}
/** Sends the form that refunds a payment, as the open page has it. */
function refund(visitor, { session_id }, extra = {}, page = visitor.page) {
  const action = `/payments/${session_id}/operate/`;
  const form = formsOf(page).find((one) => one.action === action && one.fields.some(([name, value]) => name === "operation" && value === "refund"));
  assert.ok(form, textOf(page));
  return visitor.post(action, { ...Object.fromEntries(form.fields), reason: "goods_returned", ...extra });
}
const moved = ({ session_id }) => till.rows("SELECT operation FROM child WHERE parent_id = ?1", session_id);

test("someone switched off is out at once, between password and code, too, and learns no more than a stranger", async () => {
  const visitor = await staff(till, "leaves");
  const { next } = await setFactor(visitor);
  const half = await halfIn(visitor.user);
  await change(visitor.user, { is_active: false });
  const answer = await half.submit("/sign-in/code/", { factor: next });
  assert.match(answer.location, /^\/sign-in\//);
  assert.match((await half.get("/payments/")).location, /^\/sign-in\/\?back=/);
  assert.equal((await visitor.get("/")).location, "/sign-in/");
  assert.deepEqual(await sessions(visitor.user), []);
  const refused = await new Visitor(till).signIn(visitor.user.username);
  const stranger = await new Visitor(till).signIn(visitor.user.username.replace("leaves", "nobody"));
  assert.deepEqual([refused.status, stranger.status], [401, 401]);
  assert.equal(refused.text.replaceAll("leaves", "nobody"), stranger.text);
  await change(visitor.user, { is_active: true });
  assert.match((await half.get("/")).location, /^\/sign-in\//, "what ended does not begin again");
});

test("a permission that is taken away counts for the page that is open", async () => {
  const payment = await paid();
  const visitor = await staff(till, "demoted", { permissions: ["payment.refund", "Can view e-commerce payments"] });
  await visitor.get(`/payments/${payment.session_id}/`);
  const open = visitor.page;
  await change(visitor.user, { permissions: ["Can view e-commerce payments"] });
  assert.match((await refund(visitor, payment, {}, open)).location, /^\/sign-in\//);
  assert.deepEqual(await moved(payment), []);
  await visitor.follow(await visitor.signIn(visitor.user.username));
  const token = /name="form_token" value="([^"]+)"/.exec((await visitor.get(`/payments/${payment.session_id}/`)).text)[1];
  assert.equal((await refund(visitor, payment, { form_token: token }, open)).status, 403, "the form of the page before, with a token of now");
  assert.deepEqual(await moved(payment), []);
});

test("codes, recovery codes and those that money asks for again are guessed together, and a right one comes too late", async () => {
  const payment = await paid();
  const visitor = await staff(till, "guessed");
  const { next, recovery } = await setFactor(visitor);
  await visitor.get(`/payments/${payment.session_id}/`);
  const open = visitor.page;
  await till.rows("UPDATE desk_session SET factor_at = factor_at - 300001 WHERE user_id = ?1", visitor.user.id);
  const thief = await halfIn(visitor.user);
  const statuses = [];
  for (const factor of ["000000", "AAAA-BBBB-CCCC-DDDD"]) statuses.push((await thief.submit("/sign-in/code/", { factor })).status);
  for (const factor of ["000000", "AAAA-BBBB-CCCC-DDDD", ""]) statuses.push((await refund(visitor, payment, { factor }, open)).status);
  assert.deepEqual(statuses, [401, 401, 401, 401, 401]);
  for (const factor of [next, recovery[0]]) {
    assert.equal((await thief.submit("/sign-in/code/", { factor })).status, 429);
    assert.equal((await refund(visitor, payment, { factor }, open)).status, 429);
  }
  assert.deepEqual(await moved(payment), []);
  await till.rows("DELETE FROM sign_in_try");
  assert.equal((await refund(visitor, payment, { factor: recovery[0] }, open)).status, 303, "which was not used up");
  assert.deepEqual((await moved(payment)).length, 1);
});

test("what was sent once does nothing when it is sent again", async () => {
  const payment = await paid();
  const visitor = await staff(till, "replayed");
  const { next: code } = await setFactor(visitor);
  await visitor.get(`/payments/${payment.session_id}/`);
  const [open, cookie] = [visitor.page, visitor.cookie];
  await till.rows("UPDATE desk_session SET factor_at = factor_at - 300001 WHERE user_id = ?1", visitor.user.id);
  assert.equal((await refund(visitor, payment, { factor: code, amount: "1.000" }, open)).status, 303);
  const copy = new Visitor(till);
  copy.cookie = cookie;
  assert.match((await refund(copy, payment, { factor: code, amount: "1.000" }, open)).location, /^\/sign-in\//, "the whole request");
  copy.cookie = visitor.cookie;
  assert.equal((await refund(copy, payment, { factor: code, amount: "1.000" }, open)).status, 403, "the token of a session before");
  const thief = await halfIn(visitor.user);
  assert.equal((await thief.submit("/sign-in/code/", { factor: code })).status, 401, "the code that money was moved with");
  assert.equal((await moved(payment)).length, 1);
  await visitor.get("/");
  const [last, token] = [visitor.cookie, /name="form_token" value="([^"]+)"/.exec(visitor.page)[1]];
  assert.equal((await visitor.submit("/sign-out/")).status, 303);
  copy.cookie = last;
  assert.match((await copy.post("/language/", { form_token: token, language: "ar" })).location, /^\/sign-in\//, "a session that ended");
  assert.equal((await new Visitor(till).signIn(visitor.user.username, `${PASSWORD} `)).status, 401);
});
