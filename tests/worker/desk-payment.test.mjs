/** At the desk: payments are found, shown, asked about, and their money is moved once. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { dispute, staff, textOf } from "./desk.mjs";
import { start } from "./harness.mjs";
import { atTheBank, eventually, inbox, payWith, standing } from "./payer.mjs";

let till, owner;
before(async () => {
  till = await start();
  await till.createMerchant();
  owner = await staff(till, "owner");
});
after(() => till.stop());

async function paid(fields = {}) {
  const payment = await atTheBank(till, { pg_code: "credit-card", amount: "12.500", ...fields });
  await payWith(till, payment.page, "visa-approve");
  return payment;
}
const operations = async ({ session_id }) => (await till.rows("SELECT operation, amount, stage FROM child WHERE parent_id = ?1 ORDER BY number", session_id)).map(({ operation, amount, stage }) => [operation, amount, stage]);
/** The fields of the form of an operation, on the page as it is. */
const formOf = (html, operation) => {
  const form = [...html.matchAll(/<form[^>]*>(.*?)<\/form>/gs)].map(([, body]) => body).find((body) => body.includes(`name="operation" value="${operation}"`));
  return form && Object.fromEntries([...form.matchAll(/<input[^>]*name="([^"]+)"[^>]*value="([^"]*)"/g)].map(([, name, value]) => [name, value]));
};

test("the list shows what the API lists, with its filters and its pages", async () => {
  for (let number = 0; number < 51; number += 1) await till.create({ order_no: `L-${number}` });
  const first = await owner.get("/payments/");
  assert.equal([...first.text.matchAll(/<tr><td/g)].length, 50);
  const style = await owner.get(/href="(\/style\/[^"]+)"/.exec(first.text)[1]);
  const script = await owner.get(/<script[^>]* src="([^"]+)"/.exec(first.text)[1]);
  const bytes = [style, script, first].map(({ text }) => gzipSync(text).length);
  assert.ok(bytes[0] <= 9_000 && bytes[1] <= 8_000 && bytes[2] <= 14_000, `style sheet, script, and a list of 50: ${bytes} bytes`);
  const next = /rel="next" href="([^"]+)"/.exec(first.text)[1].replaceAll("&amp;", "&");
  assert.match(textOf((await owner.get(next)).text), /L-0\b/);
  const one = await owner.get("/payments/?order_no=L-7&state=created&created_from=&pg_code=");
  assert.equal([...one.text.matchAll(/<tr><td/g)].length, 1);
  assert.match(one.text, /<option value="created" selected>/);
  const wrong = await owner.get("/payments/?created_from=yesterday");
  assert.deepEqual([wrong.status, /created_from: must/.test(textOf(wrong.text))], [400, true]);
  const unknown = await owner.get("/payments/?colour=red");
  assert.match(textOf(unknown.text), /colour: /);
});

test("a payment is shown with its attempts and what happened", async () => {
  const payment = await paid();
  const { text } = await owner.get(`/payments/${payment.session_id}/`);
  const seen = textOf(text);
  for (const part of ["Paid", "KWD 12.750", "Credit card", "An attempt began", "A-1"]) assert.ok(seen.includes(part), `${part}: ${seen}`);
});

test("a dispute about a payment is at its top, as the gateway last said it is, in both languages", async () => {
  const payment = await paid();
  assert.doesNotMatch(textOf((await owner.get(`/payments/${payment.session_id}/`)).text), /disput/i);
  await dispute(till, payment, { dispute_answer_until: "2026-12-05T18:00:00Z" });
  const { text } = await owner.get(`/payments/${payment.session_id}/`);
  assert.ok(textOf(text).includes("the payer's bank disputes the payment, and the gateway waits for an answer: 12.750 KWD, reason fraudulent 10.4, to be answered until "), textOf(text));
  await dispute(till, payment, { dispute_status: "lost" });
  await owner.submit("/language/", { language: "ar" });
  const arabic = textOf((await owner.get(`/payments/${payment.session_id}/`)).text);
  await owner.submit("/language/", { language: "en" });
  assert.match(arabic, /انتهى الاعتراض على الدفعة لصالح الدافع: \u206812\.750 KWD\u2069/);
});

test("what was sent about a payment is in its history, each try with its answer and its time", async () => {
  const payment = await paid();
  const path = `/payments/${payment.session_id}/`;
  const tried = await eventually("the webhook was tried", () => till.rows("SELECT d.id, y.status, y.took_ms FROM delivery d JOIN delivery_try y ON y.delivery_id = d.id WHERE d.session_id = ?1 AND d.kind = 'payment_webhook'", payment.session_id).then((rows) => rows.length > 0 && rows));
  const [{ id, status, took_ms }] = tried;
  const { text } = await owner.get(path);
  const rows = [...text.slice(text.indexOf("What happened")).matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row]) => row);
  const own = rows.filter((row) => row.includes(`href="/deliveries/${id}/"`)).map((row) => textOf(row).trim());
  assert.equal(own.length, 1);
  assert.match(own[0], new RegExp(`Payment webhook · ${status} · ${took_ms} ms .*Delivered`));
  const times = rows.flatMap((row) => /datetime="([^"]+)"/.exec(row)?.[1] ?? []);
  assert.deepEqual(times, [...times].sort(), "in the order of time");
  assert.ok(rows.some((row) => textOf(row).includes("Paid")) && (await owner.get(`/deliveries/${id}/`)).status === 200);
});

test("half is refunded with a reason; a second tab, a double click and a stale page move nothing more", async () => {
  const payment = await paid();
  const path = `/payments/${payment.session_id}/`;
  await owner.get(path);
  const form = formOf(owner.page, "refund");
  assert.equal(form.amount, "12.500");
  const half = { ...form, amount: "6.250", reason: "goods_returned", note: "one of two" };
  const [first, second] = await Promise.all([owner.post(`${path}operate/`, half), owner.post(`${path}operate/`, half)]);
  assert.ok([first, second].some(({ location }) => location === `${path}?news=done`), `${first.location} ${second.location} ${textOf(second.text)}`);
  const stale = await owner.post(`${path}operate/`, { ...half, amount: "3.000" });
  assert.notEqual(stale.location, `${path}?news=done`);
  assert.deepEqual(await operations(payment), [["refund", 6250, "done"]]);
  const page = textOf((await owner.get(path)).text);
  assert.match(page, /Goods returned one of two/);
  assert.match(page, /owner@/);
  assert.equal(formOf(owner.page, "refund").amount, "6.250", "what is left");
});

test("two payments are refunded alike, from the same version of each", async () => {
  const payments = [await paid(), await paid()];
  for (const payment of payments) {
    await owner.get(`/payments/${payment.session_id}/`);
    const answer = await owner.post(`/payments/${payment.session_id}/operate/`, { ...formOf(owner.page, "refund"), amount: "1.000" });
    assert.equal(answer.location, `/payments/${payment.session_id}/?news=done`, textOf(answer.text));
    assert.deepEqual(await operations(payment), [["refund", 1000, "done"]]);
  }
});

test("another refund by key in between makes the page stale, and says so", async () => {
  const payment = await paid();
  const path = `/payments/${payment.session_id}/`;
  await owner.get(path);
  const form = formOf(owner.page, "refund");
  const json = { operation: "refund", session_id: payment.session_id, amount: "10.000" };
  assert.equal((await till.call("/b/pbl/v2/operation/", { method: "POST", headers: till.privateKey(), json })).status, 200);
  const answer = await owner.post(`${path}operate/`, { ...form, amount: "2.000" });
  assert.equal(answer.location, `${path}?news=stale`);
  assert.match(textOf((await owner.follow(answer)).text), /Nothing was done: please look again/);
  assert.deepEqual(await operations(payment), [["refund", 10000, "done"]]);
});

test("too much, or no amount, moves nothing and says why", async () => {
  const payment = await paid();
  const path = `/payments/${payment.session_id}/`;
  for (const amount of ["100.000", "ten", "-1"]) {
    await owner.get(path);
    const answer = await owner.post(`${path}operate/`, { ...formOf(owner.page, "refund"), amount });
    assert.equal(answer.status >= 400 && answer.status < 500, true, `${answer.status}`);
    assert.match(textOf(answer.text), /Nothing was done/);
  }
  assert.deepEqual(await operations(payment), []);
  const corrected = await owner.post(`${path}operate/`, { ...formOf(owner.page, "refund"), amount: "2.500" });
  assert.equal(corrected.location, `${path}?news=done`);
});

test("held money is captured or released, an open payment cancelled", async () => {
  const held = await paid({ pg_code: "mpgs" });
  await owner.get(`/payments/${held.session_id}/`);
  await owner.post(`/payments/${held.session_id}/operate/`, formOf(owner.page, "capture"));
  assert.deepEqual((await operations(held)).map(([operation, , stage]) => [operation, stage]), [["capture", "done"]]);
  const { body } = await till.create();
  await owner.get(`/payments/${body.session_id}/`);
  assert.equal((await owner.post(`/payments/${body.session_id}/operate/`, formOf(owner.page, "cancel"))).status, 303);
  assert.equal((await standing(till, body))[0], "canceled");
});

test("the gateway is asked", async () => {
  const payment = await paid();
  await owner.get(`/payments/${payment.session_id}/`);
  const answer = await owner.submit(`/payments/${payment.session_id}/inquire/`);
  assert.match(textOf((await owner.follow(answer)).text), /The gateway was asked/);
});

test("the webhook is sent again, to another address too, and the author is known", async () => {
  const payment = await paid();
  await owner.get(`/payments/${payment.session_id}/`);
  const answer = await owner.submit(`/payments/${payment.session_id}/notify/`, { address: `${till.url}/sandbox/inbox/desk-other/` });
  assert.match(textOf((await owner.follow(answer)).text), /The webhook is on its way.*owner@/s);
  await eventually("it arrives", async () => (await inbox(till, "desk-other")).length === 1);
  await owner.get(`/payments/${payment.session_id}/`);
  const wrong = await owner.submit(`/payments/${payment.session_id}/notify/`, { address: "ftp://x" });
  assert.equal(wrong.status, 400);
});

test("who may not refund is offered none, and refused", async () => {
  const payment = await paid();
  const viewer = await staff(till, "viewer", { permissions: ["Can view e-commerce payments", "payment.cancel"] });
  await viewer.get(`/payments/${payment.session_id}/`);
  assert.equal(formOf(viewer.page, "refund"), undefined);
  const [, token] = /name="form_token" value="([^"]+)"/.exec(viewer.page);
  const [{ version }] = await till.rows("SELECT version FROM txn WHERE session_id = ?1", payment.session_id);
  const answer = await viewer.post(`/payments/${payment.session_id}/operate/`, { form_token: token, operation: "refund", version: String(version), amount: "1.000" });
  assert.equal(answer.status, 403);
  assert.deepEqual(await operations(payment), []);
});
