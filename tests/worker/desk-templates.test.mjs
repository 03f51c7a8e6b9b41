/** At the desk: what is filled in of a new payment is saved as a template under a name, used, replaced and deleted, without who pays. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { formsOf, staff, textOf } from "./desk.mjs";
import { start } from "./harness.mjs";

const FORM = "/new-payment/";
const SAVE = "/new-payment/templates/";
const DELETE = "/new-payment/templates/delete/";
let till, owner, other;
before(async () => {
  till = await start();
  const theirs = await till.createMerchant();
  other = await staff(till, "other", undefined, theirs);
  await till.createMerchant();
  owner = await staff(till, "owner");
});
after(() => till.stop());

const rows = () => till.rows("SELECT name, plugin, fields FROM payment_template WHERE merchant_id = ?1 ORDER BY plugin, name", till.merchant.merchant_id);
const payments = async () => (await till.rows("SELECT COUNT(*) AS count FROM txn"))[0].count;
const audit = () => till.rows("SELECT action, subject FROM audit WHERE merchant_id = ?1 AND action LIKE '%payment_template' ORDER BY id", till.merchant.merchant_id);
const value = (html, name) => new RegExp(`id="${name}"[^>]*value="([^"]*)"`).exec(html)?.[1];

/** Fills in the form, goes to the page that asks for the name, and gives it. */
async function save(visitor, name, fields = {}) {
  await visitor.get(FORM);
  const form = formsOf(visitor.page).find(({ action }) => action === FORM);
  const filled = { ...Object.fromEntries(form.fields), amount: "2.500", order_no: "A-77", customer_email: "noura@example.com", customer_first_name: "Noura", ...fields };
  const naming = await visitor.post(SAVE, filled);
  assert.equal(naming.status, 200, textOf(naming.text));
  return visitor.submit(SAVE, { template: name });
}

test("a template is saved with everything but who pays, and the form stays as it was", async () => {
  const before = await payments();
  const { status, text } = await save(owner, " Tea <b> ");
  assert.equal(status, 200);
  assert.match(textOf(text), /The template is saved/);
  assert.deepEqual([value(text, "amount"), value(text, "customer_email"), value(text, "order_no")], ["2.500", "noura@example.com", "A-77"]);
  assert.ok(text.includes("Tea &lt;b&gt;") && !text.includes("Tea <b>"));
  const [row] = await rows();
  const fields = new URLSearchParams(row.fields);
  assert.deepEqual([row.name, row.plugin, fields.get("amount"), fields.get("template")], ["Tea <b>", "payment_request", "2.500", "Tea <b>"]);
  assert.ok(!/noura|A-77|form_token|key/i.test(row.fields), row.fields);
  assert.equal(await payments(), before, "no payment was created");
  assert.deepEqual(await audit(), [{ action: "save_payment_template", subject: "Tea <b>" }]);
  const [{ change }] = await till.rows("SELECT COALESCE(before, after) AS change FROM audit WHERE action = 'save_payment_template'");
  assert.equal(change, null, "what it is filled with is in no record that stays");
});

test("a template fills the form exactly, and one of the same name is replaced", async () => {
  await save(owner, "Tea <b>", { amount: "3.000", is_amount_editable: "1", language: "ar", expiration_time: "7 00:00:00", notify: "email" });
  assert.deepEqual((await rows()).map(({ name }) => name), ["Tea <b>"]);
  await owner.get(FORM);
  const link = new RegExp(`<a class="link" href="(${FORM}\\?[^"]+)"[^>]*><bdi>Tea`).exec(owner.page)[1].replaceAll("&amp;", "&");
  const { text } = await owner.get(link);
  assert.equal(value(text, "amount"), "3.000");
  assert.match(text, /<option value="7 00:00:00" selected>/);
  assert.match(text, /<option value="ar" lang="ar" selected>/);
  assert.match(text, /name="is_amount_editable" value="1" checked/);
  assert.match(text, /name="notify" value="email" checked/);
  assert.match(text, /aria-current="true"/);
  assert.equal(value(text, "customer_email"), undefined, "who pays is left out");
});

test("a name is needed, of at most 60 characters; nothing is saved without, and what was filled in goes on", async () => {
  const before = await rows();
  for (const name of [" ", "x".repeat(61), "a\nb"]) {
    const answer = await save(owner, name);
    assert.equal(answer.status, 400, JSON.stringify(name));
    assert.match(textOf(answer.text), /Give the template a name/);
    assert.match(answer.text, /name="customer_email" value="noura@example.com"/);
  }
  assert.deepEqual(await rows(), before);
});

test("there are at most 50 templates of a kind", async () => {
  const { merchant_id } = till.merchant;
  await till.rows("INSERT INTO payment_template (merchant_id, plugin, name, fields) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 49) SELECT ?1, 'payment_request', 'T' || i, 'amount=1' FROM n", merchant_id);
  const answer = await save(owner, "One more");
  assert.deepEqual([answer.status, /There are 50 templates/.test(textOf(answer.text))], [400, true]);
  assert.equal((await save(owner, "T7")).status, 200, "one of them is replaced");
  await till.rows("DELETE FROM payment_template WHERE merchant_id = ?1 AND name LIKE 'T%' AND name <> 'Tea <b>'", merchant_id);
});

test("a template belongs to its merchant, and is deleted once", async () => {
  await other.get(FORM);
  assert.doesNotMatch(other.page, /\bTea\b/);
  const token = formsOf(other.page).find(({ action }) => action === FORM).fields.find(([name]) => name === "form_token")[1];
  await other.post(DELETE, { form_token: token, type: "payment_request", template: "Tea <b>" });
  assert.equal((await rows()).length, 1);
  await owner.get(FORM);
  const gone = await owner.submit(DELETE);
  assert.match(textOf((await owner.follow(gone)).text), /The template is deleted/);
  assert.deepEqual(await rows(), []);
  assert.deepEqual((await audit()).at(-1), { action: "delete_payment_template", subject: "Tea <b>" });
});

test("who may not create payments of a kind neither saves nor deletes a template of it", async () => {
  const seller = await staff(till, "seller", { permissions: ["Can add e-commerce payments"] });
  await save(owner, "Mine");
  await seller.get(FORM);
  const token = formsOf(seller.page).find(({ action }) => action === FORM).fields.find(([name]) => name === "form_token")[1];
  for (const path of [SAVE, DELETE]) {
    const answer = await seller.post(path, { form_token: token, type: "payment_request", template: "Mine", amount: "9" });
    assert.equal(answer.status, 403, textOf(answer.text));
  }
  assert.equal(new URLSearchParams((await rows())[0].fields).get("amount"), "2.500");
});
