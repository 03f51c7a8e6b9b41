/** At the desk: filters, the way back to a list, and what was filled in stay where the person left them; nothing leads where they may not go. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { formsOf, staff, textOf } from "./desk.mjs";
import { demoSettings, start } from "./harness.mjs";
import { atTheBank, payWith } from "./payer.mjs";

let till, owner;
before(async () => {
  till = await start();
  await till.createMerchant();
  owner = await staff(till, "keeps");
});
after(() => till?.stop());

async function paid(fields = {}) {
  const payment = await atTheBank(till, { pg_code: "credit-card", amount: "12.500", ...fields });
  await payWith(till, payment.page, "visa-approve");
  return payment;
}
const plain = (html) => html.replaceAll("&amp;", "&");
/** What a choice of a page has chosen. */
const chosen = (html, name) => /<option[^>]*?(?: value="([^"]*)")? selected>/.exec(new RegExp(`<select[^>]*name="${name}".*?</select>`, "s").exec(html)[0])?.[1];

const LIST = new URLSearchParams({ list: "state=paid&order_no=K-4" });
const leadsBack = ({ text }) => assert.match(plain(text), /href="\/payments\/\?state=paid&order_no=K-4|href="\/payments\/\?order_no=K-4&state=paid/);
/** Where a link to a payment or to one of its screens leads, if a list led to the page. */
const linkOf = ({ text }, screen = "") => new RegExp(`href="(/payments/[0-9a-f]{40}/${screen}\\?list=[^"]+)"`).exec(plain(text))?.[1] ?? assert.fail(textOf(text));

test("a filter that the form of the list cannot show goes on with it", async () => {
  await paid({ order_no: "K-1" });
  for (const [query, name, value] of [
    ["state=paid,refunded", "state", "paid,refunded"], ["state=paid&state=refunded", "state", "paid,refunded"], ["pg_code=gone", "pg_code", "gone"],
  ]) {
    const { text } = await owner.get(`/payments/?${query}`);
    assert.equal(chosen(text, name), value, query);
  }
  const { text } = await owner.get("/payments/?created_from=2020-01-02T03:04:05Z&created_to=2020-01-03&paid_from=2020-01-01");
  const [form] = formsOf(text).filter(({ action, method }) => action === "/payments/" && method === "get");
  const fields = Object.fromEntries(form.fields);
  assert.deepEqual([fields.created_from, fields.created_to, fields.paid_from], ["2020-01-02T03:04:05Z", "2020-01-03", "2020-01-01"]);
  assert.match(text, /name="created_from" type="text"/);
  assert.match(text, /name="created_to" type="date"/);
});

test("the log of a payment stays that of the payment when it is filtered, and sends nothing of others again", async () => {
  const [payment, other] = [await paid({ order_no: "K-2" }), await paid({ order_no: "K-3" })];
  const { text } = await owner.get(`/deliveries/?session_id=${payment.session_id}`);
  const [form] = formsOf(text).filter(({ action }) => action === "/deliveries/");
  const filtered = await owner.get(`/deliveries/?${new URLSearchParams([...form.fields, ["kind", "payment_webhook"]])}`);
  const shown = [...filtered.text.matchAll(/href="\/deliveries\/([^/"]+)\/"/g)].map(([, id]) => id);
  const of = async ({ session_id }) => (await till.rows("SELECT id FROM delivery WHERE session_id = ?1", session_id)).map(({ id }) => id);
  const [own, others] = [await of(payment), await of(other)];
  assert.ok(shown.length > 0 && shown.every((id) => own.includes(id)), JSON.stringify({ shown, own, others }));
  assert.match(textOf(filtered.text), new RegExp(`Only: session_id: ${payment.session_id}`));
  for (const page of [text, filtered.text, (await owner.get("/deliveries/?order_no=K-2")).text]) assert.doesNotMatch(page, /action="\/deliveries\/resend\/"/);
  assert.match((await owner.get("/deliveries/")).text, /action="\/deliveries\/resend\/"/);
});

test("who came from a list comes back to it after everything that they do", async () => {
  const payment = await paid({ order_no: "K-4" });
  const { text } = await owner.get("/payments/?order_no=K-4&state=paid");
  const address = plain(/href="(\/payments\/[0-9a-f]{40}\/\?[^"]+)"/.exec(text)[1]);
  const path = `/payments/${payment.session_id}`;
  leadsBack(await owner.get(address));
  for (const [action, fields] of [["inquire", {}], ["notify", {}], ["notify", { address: "no address" }], ["operate", { amount: "1.000" }]]) {
    await owner.get(address);
    const answer = await owner.submit(`${path}/${action}/`, fields);
    leadsBack(answer.status === 303 ? await owner.follow(answer) : answer);
  }
  const open = await till.create({ order_no: "K-5" });
  await owner.get(linkOf(await owner.get(`/payments/${open.body.session_id}/?${LIST}`), "edit/"));
  leadsBack(await owner.follow(await owner.submit(`/payments/${open.body.session_id}/edit/`, { order_no: "K-6" })));
});

test("who came from a list comes back to it from the link of a payment, also once it is sent", async () => {
  const { body } = await till.create({ type: "payment_request", order_no: "K-7", customer_email: "k@example.com", notifications: { email: ["created"] } });
  const payment = await owner.get(`/payments/${body.session_id}/?${LIST}`);
  leadsBack(await owner.get(linkOf(payment, "link/")));
  const sent = await owner.follow(await owner.submit(`/payments/${body.session_id}/send/`));
  assert.match(textOf(sent.text), /The message is on its way/);
  leadsBack(sent);
  leadsBack(await owner.get(linkOf(sent)));
});

test("who asked for approval comes back to the list from the request, also once it is withdrawn", async () => {
  const merchant = till.merchant;
  try {
    await till.createMerchant({ ...demoSettings(), approvals: { operations: ["refund"], above: { KWD: "0.500" }, approvers: 1 } });
    const visitor = await staff(till, "asks");
    const payment = await paid();
    await visitor.get(`/payments/${payment.session_id}/?${LIST}`);
    const request = await visitor.follow(await visitor.submit(`/payments/${payment.session_id}/operate/`, { amount: "1.000" }));
    const [, path] = plain(request.text).match(/action="(\/approvals\/[^/]+\/)withdraw\/"/);
    const again = await visitor.get(linkOf(request));
    leadsBack(again);
    assert.ok(plain(again.text).includes(`href="${path}?${LIST}"`), "and from the payment to its request");
    await visitor.get(`${path}?${LIST}`);
    const withdrawn = await visitor.follow(await visitor.submit(`${path}withdraw/`));
    assert.match(withdrawn.text, /role="status"/);
    leadsBack(await visitor.get(linkOf(withdrawn)));
  } finally {
    till.merchant = merchant;
  }
});

test("a refund that was refused, and an address that is none, stay as they were filled in", async () => {
  const payment = await paid();
  const path = `/payments/${payment.session_id}`;
  const { text } = await owner.get(`${path}/`);
  const refund = formsOf(text).find(({ fields }) => fields.some(([name, value]) => name === "operation" && value === "refund"));
  const given = { ...Object.fromEntries(refund.fields), amount: "99.000", note: "Torn <box>", reason: "requested_by_customer" };
  const refused = await owner.post(`${path}/operate/`, given);
  assert.equal(refused.status, 400, textOf(refused.text));
  const again = formsOf(refused.text).find(({ fields }) => fields.some(([name, value]) => name === "operation" && value === "refund"));
  const fields = Object.fromEntries(again.fields);
  assert.deepEqual([fields.amount, fields.note], ["99.000", "Torn <box>"]);
  assert.equal(chosen(refused.text, "reason"), "requested_by_customer");
  assert.match(refused.text, /<details open><summary>Refund/);
  await owner.get(`${path}/`);
  const wrong = await owner.submit(`${path}/notify/`, { address: "shop.example/hook" });
  assert.equal(wrong.status, 400, textOf(wrong.text));
  assert.match(wrong.text, /id="address" [^>]*value="shop\.example\/hook"/);
  assert.match(textOf(wrong.text), /Credit card/, "it is the page of the payment");
});

test("a currency that the merchant has no more is refused in words, and no other is put in its place", async () => {
  const merchant = till.merchant;
  try {
    const { merchant_id } = await till.createMerchant({ ...demoSettings(), currencies: ["KWD", "USD"] });
    const visitor = await staff(till, "currencies");
    const { body } = await till.create({ amount: "10.00", currency_code: "USD", pg_codes: ["credit-card"] });
    await till.operator(`/merchants/${merchant_id}/settings/`, { method: "PUT", json: { ...demoSettings(), currencies: ["KWD"] } });
    const edit = await visitor.get(`/payments/${body.session_id}/edit/`);
    assert.match(edit.text, /<option selected>USD<\/option>/);
    const { text } = await visitor.get(`/payments/${body.session_id}/`);
    await visitor.get(plain(/href="(\/new-payment\/\?[^"]+)"/.exec(text)[1]));
    assert.match(visitor.page, /<option selected>USD<\/option>/);
    const refused = await visitor.submit("/new-payment/", { currency_code: "USD" });
    assert.equal(refused.status, 400);
    assert.match(textOf(refused.text), /currency_code/);
    assert.match(refused.text, /<option selected>USD<\/option>/);
  } finally {
    till.merchant = merchant;
  }
});

test("a field that the form cannot ask for is named when it is lacking", async () => {
  const merchant = till.merchant;
  try {
    const settings = demoSettings();
    settings.plugins.payment_request.custom_fields = [{ key: "lines", type: "items", required: true, label: { en: "Lines", ar: "البنود" } }];
    await till.createMerchant(settings);
    const visitor = await staff(till, "items");
    await visitor.get("/new-payment/");
    const refused = await visitor.submit("/new-payment/", { amount: "1.000", currency_code: "KWD", pg_codes: "knet" });
    assert.equal(refused.status, 400);
    assert.match(textOf(refused.text), /extra\.lines/);
  } finally {
    till.merchant = merchant;
  }
});

test("nobody is led where they may not go", async () => {
  const payment = await paid();
  const visitor = await staff(till, "reads-only", { permissions: ["Can view e-commerce payments", "Can view payment requests"] });
  const found = new Set();
  for (const path of ["/payments/", `/payments/${payment.session_id}/`]) {
    const { status, text } = await visitor.get(path);
    assert.equal(status, 200, textOf(text));
    for (const [, address] of text.matchAll(/<a [^>]*href="(\/[^"]*)"/g)) found.add(plain(address));
    for (const { action, method } of formsOf(text)) if (method === "post" && action !== "/sign-out/" && action !== "/language/") found.add(`POST ${action}`);
  }
  for (const address of found) {
    if (address.startsWith("POST")) assert.fail(`a form to ${address}`);
    assert.notEqual((await visitor.get(address)).status, 403, address);
  }
});
