/** A payment at the desk: what it waits for and what became of its money, how it is changed, ended, made again, and read by a command. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { staff, textOf } from "./desk.mjs";
import { start } from "./harness.mjs";
import { atTheBank, open, payWith } from "./payer.mjs";

const run = promisify(execFile);

let till, owner;
before(async () => {
  till = await start();
  await till.createMerchant();
  owner = await staff(till, "owner");
});
after(() => till.stop());

const PAYER = { customer_first_name: "Noura", customer_email: "noura@shop.example", customer_id: "edit-1" };
const retrieved = async ({ session_id }) => (await till.call(`/b/checkout/v1/pymt-txn/${session_id}/`, { headers: till.privateKey() })).body;
/** The lines of the payment's facts. */
const facts = (html) => Object.fromEntries([...html.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/gs)].map(([, name, value]) => [textOf(name).trim(), textOf(value).trim()]));

test("what was taken, given back and is left adds up", async () => {
  const payment = await atTheBank(till, { pg_code: "credit-card", amount: "12.500" });
  await payWith(till, payment.page, "visa-approve");
  await till.call("/b/pbl/v2/operation/", { method: "POST", headers: till.privateKey(), json: { session_id: payment.session_id, operation: "refund", amount: "4.250" } });
  const shown = facts((await owner.get(`/payments/${payment.session_id}/`)).text);
  assert.deepEqual([shown.Amount, shown.Fee, shown.Paid, shown.Refunded, shown.Left], ["KWD 12.500", "KWD 0.250", "KWD 12.750", "KWD 4.250", "KWD 8.250"]);
});

test("held money says what it waits for, and so does an outcome that is not known", async () => {
  const held = await atTheBank(till, { pg_code: "mpgs" });
  await payWith(till, held.page, "visa-approve");
  assert.match(textOf((await owner.get(`/payments/${held.session_id}/`)).text), /The amount is held until .*: capture it before then/);
  const waiting = await atTheBank(till, { pg_code: "knet" });
  assert.match(textOf((await owner.get(`/payments/${waiting.session_id}/`)).text), /The outcome is not known yet/);
});

test("a payment is changed once by the form that showed it; what is empty is removed, and what is wrong stays typed", async () => {
  const payment = await open(till, { order_no: "EDIT/1", amount: "5.000", ...PAYER });
  const path = `/payments/${payment.session_id}/edit/`;
  await owner.get(path);
  assert.match(owner.page, /id="amount"[^>]* value="5\.000"/);
  const first = owner.page;
  const wrong = await owner.submit(path, { amount: "five", order_no: "EDIT/2" });
  assert.equal(wrong.status, 400);
  assert.match(wrong.text, /id="amount"[^>]* value="five"/);
  assert.match(wrong.text, /id="fault-amount"/);
  const done = await owner.submit(path, { amount: "٦.500", order_no: "", customer_first_name: "Nora" });
  assert.equal(done.location, `/payments/${payment.session_id}/?news=saved`, textOf(done.text));
  const now = await retrieved(payment);
  assert.deepEqual([now.amount, now.order_no ?? null, now.customer_first_name, now.customer_email, now.customer_id], ["6.500", null, "Nora", PAYER.customer_email, PAYER.customer_id]);
  owner.page = first;
  const stale = await owner.submit(path, { amount: "9.000" });
  assert.equal(stale.location, `/payments/${payment.session_id}/?news=stale`);
  assert.equal((await retrieved(payment)).amount, "6.500");
});

test("who does not see the payer changes the rest and stores no mask; what is paid is not changed", async () => {
  const payment = await open(till, { amount: "5.000", ...PAYER });
  const path = `/payments/${payment.session_id}/edit/`;
  const clerk = await staff(till, "clerk", { permissions: ["Can change e-commerce payments", "Can view e-commerce payments", "Can use knet"] });
  await clerk.get(path);
  assert.doesNotMatch(clerk.page, /customer_email|noura/i);
  assert.equal((await clerk.submit(path, { amount: "7.000" })).location, `/payments/${payment.session_id}/?news=saved`);
  const now = await retrieved(payment);
  assert.deepEqual([now.amount, now.customer_email, now.customer_first_name], ["7.000", PAYER.customer_email, "Noura"]);
  const done = await atTheBank(till, { pg_code: "credit-card" });
  await payWith(till, done.page, "visa-approve");
  assert.equal((await owner.get(`/payments/${done.session_id}/edit/`)).status, 400);
});

test("one like it is made from a form that is filled in, and no address says who pays", async () => {
  const payment = await open(till, { order_no: "AGAIN/1", amount: "3.750", pg_codes: ["credit-card"], ...PAYER });
  await owner.get(`/payments/${payment.session_id}/`);
  const href = /href="(\/new-payment\/\?[^"]+)"/.exec(owner.page)[1].replaceAll("&amp;", "&");
  assert.doesNotMatch(href, /noura/i);
  await owner.get(href);
  const made = await owner.submit("/new-payment/", { currency_code: "KWD", language: "en" });
  assert.equal(made.status, 303, textOf(made.text).slice(0, 300));
  const [, session_id] = /\/payments\/([^/]+)\/link/.exec(made.location);
  const now = await retrieved({ session_id });
  assert.deepEqual([now.amount, now.order_no, now.customer_email, now.pg_codes], ["3.750", "AGAIN/1", PAYER.customer_email, ["credit-card"]]);
});

test("its time is ended by hand, and the command of the page reads it", async () => {
  const payment = await open(till);
  const path = `/payments/${payment.session_id}/`;
  await owner.get(path);
  const forms = [...owner.page.matchAll(/<form[^>]*>(.*?)<\/form>/gs)].map(([, body]) => body).find((body) => body.includes('value="expire"'));
  const fields = Object.fromEntries([...forms.matchAll(/<input[^>]*name="([^"]+)"[^>]*value="([^"]*)"/g)].map(([, name, value]) => [name, value]));
  assert.equal((await owner.post(`${path}operate/`, fields)).location, `${path}?news=done`);
  await owner.get(path);
  const command = textOf(/<pre[^>]*>(curl.*?)<\/pre>/s.exec(owner.page)[1]).replaceAll("&#39;", "'");
  const key = till.privateKey().authorization.replace("Api-Key ", "");
  const { stdout } = await run("bash", ["-c", command], { env: { ...process.env, KEY: key } });
  assert.equal(JSON.parse(stdout).state, "expired");
});
