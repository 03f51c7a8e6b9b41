/** At the desk: the policy of approvals is read, changed after its meaning was shown, and never over what someone else changed. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { formsOf, staff, textOf } from "./desk.mjs";
import { demoSettings, start } from "./harness.mjs";
import { atTheBank, payWith } from "./payer.mjs";

const POLICY = "/approvals/policy/";
const CHECK = "/approvals/policy/check/";

let till;
before(async () => {
  till = await start();
});
after(() => till.stop());

/** A new merchant with these approvals, and its owner at the screen. */
async function shop(approvals) {
  const merchant = await till.createMerchant({ ...demoSettings(), currencies: ["KWD", "USD"], approvals });
  const owner = await staff(till, "owner");
  await owner.get(POLICY);
  return { merchant, owner };
}
const stored = async ({ merchant_id }) => (await till.operator(`/merchants/${merchant_id}/`)).body.settings.approvals;
/** What a page says in its lists. */
const rules = (html) => [...html.matchAll(/<ul>(.*?)<\/ul>/gs)].map(([, list]) => [...list.matchAll(/<li>(.*?)<\/li>/gs)].map(([, item]) => textOf(item.replaceAll(/<\/?bdi[^>]*>/g, "")).trim()));
const chosen = (html) => [...html.matchAll(/<input[^>]*type="radio"[^>]*value="(\d)"[^>]* checked/g)].map(([, value]) => value);
/** Fills in the form of the page: what it means. */
const check = (owner, fields) => owner.submit(CHECK, fields);

test("what a policy means is shown before it is saved, and nothing is saved by looking", async () => {
  const { merchant, owner } = await shop();
  assert.deepEqual(rules(owner.page), [["No refund or void waits for another person, and what one person refunds in a day has no limit."]]);
  const shown = await check(owner, { operations: "refund", "above.KWD": "٥٠", "a_day.KWD": " 200.000 ", hours: "24" });
  assert.equal(shown.status, 200, textOf(shown.text));
  assert.deepEqual(rules(shown.text), [
    ["No refund or void waits for another person, and what one person refunds in a day has no limit."],
    [
      "Refunds above KWD 50.000 wait for another person.", "Refunds in USD wait for another person, whatever the amount.", "Nobody approves what they asked for.",
      "A request can be approved for so many hours: 24.", "One person may refund KWD 200.000 a day; more waits for another person.",
      "Nothing may be refunded in USD by one person alone: all of it waits for another person.", "Keys of the API are not held to these rules.",
    ],
  ]);
  assert.equal(await stored(merchant), undefined, "looking changes nothing");
  const saved = await owner.submit(POLICY);
  assert.equal(saved.status, 303, textOf(saved.text));
  const page = await owner.follow(saved);
  assert.match(textOf(page.text), /Saved as version 2 of the settings\./);
  assert.deepEqual(await stored(merchant), { operations: ["refund"], above: { KWD: "50" }, a_day: { KWD: "200.000" }, approvers: 1, keys: false, hours: 24 });
  assert.deepEqual(rules(page.text)[0][0], "Refunds above KWD 50.000 wait for another person.");
  const { body } = await till.call("/b/access/v1/audit/?limit=1", { headers: till.privateKey(merchant) });
  const [{ action, actor, before: was, after: is }] = body.results;
  assert.deepEqual([action, actor.kind, was.approvals, is.approvals.above], ["change_own_approvals", "user", undefined, { KWD: "50" }]);
});

test("what is saved holds from then on, and is taken away again", async () => {
  const { merchant, owner } = await shop({ a_day: { KWD: "5.000" } });
  assert.deepEqual(rules(owner.page)[0], ["One person may refund KWD 5.000 a day; more is refused.", "Nothing may be refunded in USD: it is refused.", "Keys of the API are not held to these rules."]);
  await check(owner, { "a_day.KWD": "", "above.KWD": "1.000", operations: "refund", approvers: "2" });
  assert.equal((await owner.submit(POLICY)).status, 303);
  const made = await atTheBank(till, { pg_code: "credit-card", amount: "10.000" });
  await payWith(till, made.page, "visa-approve");
  await owner.get(`/payments/${made.session_id}/`);
  const [form] = formsOf(owner.page).filter(({ fields }) => fields.some(([name, value]) => name === "operation" && value === "refund"));
  const asked = await owner.post(`/payments/${made.session_id}/operate/`, { ...Object.fromEntries(form.fields), amount: "4.000" });
  assert.match(asked.location ?? "", /^\/approvals\/[A-Z0-9-]+\/\?news=asked$/, textOf(asked.text));
  assert.match(textOf((await owner.follow(asked)).text), /0 of 2/);
  await owner.get(POLICY);
  assert.deepEqual(chosen(owner.page), ["2"]);
  const fields = Object.fromEntries(formsOf(owner.page).find(({ action }) => action === CHECK).fields);
  delete fields.operations;
  const shown = await owner.post(CHECK, { ...fields, "above.KWD": "" });
  assert.deepEqual(rules(shown.text)[1], ["No refund or void waits for another person, and what one person refunds in a day has no limit."]);
  assert.equal((await owner.submit(POLICY)).status, 303);
  assert.equal(await stored(merchant), undefined);
});

test("every wrong field is named where it is, with what was filled in, and the rest of the settings stays", async () => {
  const { merchant, owner } = await shop();
  for (const [given, field, text] of [
    [{ operations: "refund", "above.KWD": "1.0001" }, "above.KWD", /decimal places/], [{ "a_day.USD": "ten <b>" }, "a_day.USD", /must be/],
    [{ operations: "refund", hours: "0" }, "hours", /1 to 720|between 1 and 720/], [{ operations: "capture", hours: "5" }, "operations", /refund, void|refund.*void/],
    [{ "above.KWD": "5" }, "operations", /required/], [{ operations: "void", approvers: "3" }, "approvers", /1.*2/],
  ]) {
    await owner.get(POLICY);
    const wrong = await check(owner, given);
    assert.equal(wrong.status, 400, `${field}: ${textOf(wrong.text)}`);
    const fault = new RegExp(`id="fault-${field.replace(".", "\\.")}">([^<]*)<`).exec(wrong.text);
    assert.match(fault?.[1] ?? "", text, `${field}: ${fault?.[1]}`);
    assert.match(wrong.text, new RegExp(`aria-describedby="[^"]*fault-${field.replace(".", "\\.")}`));
    for (const [name, value] of Object.entries(given)) if (/above|a_day|hours/.test(name)) assert.ok(wrong.text.includes(`value="${value.replaceAll("<", "&lt;").replaceAll(">", "&gt;")}"`), `${name} is lost`);
    assert.equal((await owner.submit(CHECK, { operations: "refund", "above.KWD": "1", "a_day.USD": "2", hours: "3", approvers: "1" })).status, 200, "and can be mended");
  }
  assert.equal(await stored(merchant), undefined);
  const settings = (await till.operator(`/merchants/${merchant.merchant_id}/`)).body;
  assert.deepEqual([settings.version, settings.settings.gateways.length], [1, demoSettings().gateways.length]);
});

test("a second tab with an older version changes nothing, and loses nothing that was typed", async () => {
  const { merchant, owner } = await shop({ operations: ["refund"], above: { KWD: "10.000" } });
  const old = Object.fromEntries(formsOf(owner.page).find(({ action }) => action === CHECK).fields);
  await check(owner, { "above.KWD": "20.000" });
  const confirmed = Object.fromEntries(formsOf(owner.page).find(({ action }) => action === POLICY).fields);
  assert.equal((await owner.submit(POLICY)).status, 303);
  for (const [path, fields] of [[CHECK, { ...old, "above.KWD": "30.000" }], [POLICY, { ...confirmed, "above.KWD": "30.000" }]]) {
    const late = await owner.post(path, fields);
    assert.equal(late.status, 409);
    assert.match(textOf(late.text), /The settings have changed since the page was opened\. Nothing was saved\./);
    assert.equal(rules(late.text)[0][0], "Refunds above KWD 20.000 wait for another person.", "what is stored is shown");
    assert.match(late.text, /name="above\.KWD"[^>]*value="30\.000"/, "and what was typed");
  }
  assert.equal((await stored(merchant)).above.KWD, "20.000");
  assert.equal((await owner.submit(CHECK)).status, 200, "who has seen it goes on");
  assert.equal((await owner.submit(POLICY)).status, 303);
  assert.equal((await stored(merchant)).above.KWD, "30.000");
});

test("of two that save at once one is done", async () => {
  const { merchant, owner } = await shop();
  await check(owner, { operations: "refund" });
  const fields = Object.fromEntries(formsOf(owner.page).find(({ action }) => action === POLICY).fields);
  const answers = await Promise.all(["refund", "void"].map((operations) => owner.post(POLICY, { ...fields, operations })));
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [303, 409]);
  const done = ["refund", "void"][answers.findIndex(({ status }) => status === 303)];
  assert.deepEqual((await stored(merchant)).operations, [done]);
});

test("who goes back from the confirmation finds the form as it was filled in", async () => {
  const { owner } = await shop();
  await check(owner, { operations: "void", "above.USD": "7.50", keys: "1", approvers: "2" });
  assert.match(owner.page, /formaction="\/approvals\/policy\/check\/" name="edit"/);
  const fields = Object.fromEntries(formsOf(owner.page).find(({ action }) => action === POLICY).fields);
  const back = await owner.post(CHECK, { ...fields, edit: "1" });
  assert.match(back.text, /name="above\.USD"[^>]*value="7\.50"/);
  assert.match(back.text, /name="keys" value="1" checked/);
  assert.deepEqual(chosen(back.text), ["2"]);
});

test("saving needs a fresh factor, and the form goes on as it was filled in", async () => {
  const { merchant, owner } = await shop();
  await check(owner, { operations: "refund", "above.KWD": "3.000" });
  await till.rows("UPDATE desk_session SET factor_at = factor_at - 600000 WHERE user_id = ?1", String(owner.user.id));
  assert.equal((await owner.submit(POLICY)).status, 401);
  assert.equal(await stored(merchant), undefined);
  assert.equal((await owner.submit(POLICY, { factor: "correct horse battery" })).status, 303);
  assert.equal((await stored(merchant)).above.KWD, "3.000");
});

test("who approves reads the rules, and has no form", async () => {
  await shop({ operations: ["refund", "void"], above: { KWD: "50.000" }, keys: true });
  const approver = await staff(till, "approver", { permissions: ["Can approve"] });
  await approver.get("/approvals/");
  assert.ok(approver.page.includes(`href="${POLICY}"`));
  const page = await approver.get(POLICY);
  assert.equal(rules(page.text)[0][0], "Refunds and voids above KWD 50.000 wait for another person.");
  assert.match(textOf(page.text), /Keys of the API are held to these rules too\. Only a user who may do everything may change them\./);
  assert.ok(!formsOf(page.text).some(({ action }) => action.startsWith(POLICY)));
});
