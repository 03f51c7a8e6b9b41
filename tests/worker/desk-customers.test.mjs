/** At the desk: a customer is found by id, with payments and saved cards; cards are deleted, and what identifies them is erased. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { formsOf, staff, textOf } from "./desk.mjs";
import { start } from "./harness.mjs";
import { atTheBank, payWith, untilWebhooks } from "./payer.mjs";

const AGREEMENT = { type: "recurring", amount_variability: "variable", cycle_interval_days: 30, expiry_date: "2031-12-31", frequency: "monthly", total_cycles: 12 };

let till, owner, viewer, stranger;
before(async () => {
  till = await start();
  stranger = await staff(till, "stranger", undefined, await till.createMerchant());
  await till.createMerchant();
  owner = await staff(till, "owner");
  viewer = await staff(till, "viewer", { permissions: ["Can view e-commerce payments", "Can view payment requests"] });
});
after(() => till.stop());

const at = (customer_id) => `/customers/?${new URLSearchParams({ customer_id })}`;
/** Saves a card of a customer, and answers its token. */
async function save(fields) {
  const payment = await atTheBank(till, { payment_type: "save_card", amount: "0", pg_code: "credit-card", customer_first_name: "Sara", ...fields });
  await payWith(till, payment.page, "visa-approve");
  const [{ body }] = await untilWebhooks(till, payment);
  till.secrets.add(body.token.token);
  return { ...payment, token: body.token.token };
}
const cards = (customer_id) => till.rows("SELECT token FROM card WHERE customer_id = ?1 AND merchant_id = ?2", customer_id, till.merchant.merchant_id);

test("a customer is found with payments and cards, whatever the id is made of", async () => {
  const customer_id = `c&1"<b>+é 7`;
  const { session_id } = await save({ customer_id });
  const asked = await owner.get("/customers/");
  assert.match(asked.text, /name="customer_id"/);
  const { status, text } = await owner.get(at(customer_id));
  assert.equal(status, 200);
  assert.ok(!text.includes("<b>+"));
  for (const part of ["VISA **** 1111", "01/39", "Credit card", "Sara"]) assert.ok(textOf(text).includes(part), `${part}: ${textOf(text)}`);
  assert.ok(text.includes(`href="/payments/${session_id}/?`));
  const all = /href="(\/payments\/\?customer_id=[^"]+)"/.exec(text)[1].replaceAll("&amp;", "&");
  assert.equal([...(await owner.get(all)).text.matchAll(/<tr><td/g)].length, 1, "the list is of the same customer");
  await owner.get(`/payments/${session_id}/`);
  const way = /href="(\/customers\/[^"]+)"/.exec(owner.page.slice(owner.page.indexOf("<main")))[1].replaceAll("&amp;", "&");
  assert.equal((await owner.get(way)).text.includes("**** 1111"), true, "the payment leads to its customer");
  assert.match(textOf((await owner.get(at("nobody"))).text), /Nothing is stored of this customer/);
  assert.equal((await owner.get(at("x".repeat(65)))).status, 400);
});

test("a card is deleted once; one that an agreement locks has no button, and is refused", async () => {
  const free = await save({ customer_id: "c-free" });
  await owner.get(at("c-free"));
  const form = Object.fromEntries(formsOf(owner.page).find(({ action }) => action === "/customers/card/").fields);
  const [one, two] = await Promise.all([owner.post("/customers/card/", form), owner.post("/customers/card/", form)]);
  assert.deepEqual([one.status, two.status, await cards("c-free")], [303, 303, []]);
  assert.match(textOf((await owner.follow(one)).text), /The card is deleted.*No card is saved/);
  const recorded = await till.rows("SELECT action, actor FROM audit WHERE subject = ?1", free.token);
  assert.deepEqual(recorded, [{ action: "delete_card", actor: String(owner.user.id) }], "once, by whom");
  const locked = await save({ customer_id: "c-locked", payment_type: "auto_debit", amount: "10.250", agreement: { ...AGREEMENT, id: "RENT-9" } });
  await owner.get(at("c-locked"));
  assert.match(textOf(owner.page), /RENT-9/);
  assert.ok(!owner.page.includes('action="/customers/card/"'));
  const refused = await owner.post("/customers/card/", { ...form, customer_id: "c-locked", card: locked.token });
  assert.equal(refused.status, 400);
  assert.match(textOf(refused.text), /an agreement locks this card/);
  assert.equal((await cards("c-locked")).length, 1);
  assert.notEqual(free.token, locked.token);
});

test("another customer's or merchant's card stays, and a viewer sees and deletes none", async () => {
  const { token } = await save({ customer_id: "c-mine" });
  const fields = { customer_id: "c-mine", card: token, test: "1" };
  await stranger.get("/customers/");
  const tokenOf = (visitor) => /name="form_token" value="([^"]+)"/.exec(visitor.page)[1];
  await stranger.post("/customers/card/", { form_token: tokenOf(stranger), ...fields });
  await owner.get("/customers/");
  await owner.post("/customers/card/", { form_token: tokenOf(owner), ...fields, customer_id: "c-other" });
  assert.equal((await cards("c-mine")).length, 1);
  assert.match(textOf((await stranger.get(at("c-mine"))).text), /Nothing is stored/);
  await viewer.get(at("c-mine"));
  assert.match(textOf(viewer.page), /Saved cards are shown to users who may do everything/);
  assert.doesNotMatch(viewer.page, /\b1111\b/);
  assert.ok(!viewer.page.includes("/customers/erase/"));
  for (const path of ["/customers/card/", "/customers/erase/"]) assert.equal((await viewer.post(path, { form_token: tokenOf(viewer), ...fields, confirmed: "c-mine" })).status, 403);
  assert.equal((await cards("c-mine")).length, 1);
});

test("erasing needs the id again and a fresh factor, deletes the cards, and is audited without the id", async () => {
  await save({ customer_id: "c-gone" });
  await owner.get(at("c-gone"));
  const wrong = await owner.submit("/customers/erase/", { confirmed: "c-other" });
  assert.equal(wrong.status, 400);
  assert.match(textOf(wrong.text), /the customer id was not repeated/);
  assert.equal((await cards("c-gone")).length, 1);
  await till.rows("UPDATE desk_session SET factor_at = factor_at - 600000 WHERE user_id = ?1", String(owner.user.id));
  await owner.get(at("c-gone"));
  await owner.submit("/customers/erase/", { confirmed: "c-gone" });
  assert.equal((await cards("c-gone")).length, 1, "the factor is asked for first");
  await till.rows("UPDATE desk_session SET factor_at = ?2 WHERE user_id = ?1", String(owner.user.id), Date.now());
  await owner.get(at("c-gone"));
  const done = await owner.submit("/customers/erase/", { confirmed: "c-gone" });
  assert.match(done.location, /^\/customers\/\?erased=0&cards=1&agreements=0&left=1&customer_id=c-gone$/);
  assert.match(textOf((await owner.follow(done)).text), /Erased: 0 payments, 1 cards, 0 agreements. Left: 1. What is left is open/);
  assert.deepEqual(await cards("c-gone"), []);
  const { body } = await till.call("/b/access/v1/audit/", { headers: till.privateKey() });
  const entry = body.results.find(({ action }) => action === "erase");
  assert.match(entry.actor.name, /^owner@/);
  assert.ok(!JSON.stringify(body).includes("c-gone"));
});

test("a new payment of a customer has the customer's id, also after its kind is changed", async () => {
  await owner.get("/new-payment/?customer_id=c-new");
  for (const link of owner.page.matchAll(/href="\/new-payment\/\?([^"]*type=[^"]*)"/g)) assert.match(link[1], /customer_id=c-new/);
  assert.match(owner.page, /name="customer_id"[^>]*value="c-new"|value="c-new"[^>]*name="customer_id"/);
  const made = await owner.submit("/new-payment/", { amount: "3.000", currency_code: "KWD", pg_codes: "knet" });
  assert.equal(made.status, 303, textOf(made.text));
  const [row] = await till.rows("SELECT customer_id FROM txn WHERE session_id = ?1", made.location.split("/")[2]);
  assert.equal(row.customer_id, "c-new");
});

test("what the customer was sent and agreed to is shown, the card to those who may see cards", async () => {
  const customer_id = "c-log";
  const saved = await save({ customer_id, payment_type: "auto_debit", amount: "10.250", agreement: { ...AGREEMENT, id: "RENT-10" } });
  const { body: asked } = await till.create({ type: "payment_request", customer_id, customer_email: "sara@example.com", notifications: { email: ["created"] } });
  await till.rows(
    "INSERT INTO consent (reference, session_id, at, version, language, text) SELECT reference, session_id, opened_at, 3, 'en', ?2 FROM attempt WHERE session_id = ?1",
    saved.session_id, "The shop may charge this card again.\nStop it at the shop.",
  );
  const seen = textOf((await owner.get(at(customer_id))).text);
  for (const part of ["Messages", "E-mail", "Payment requested", "s***@example.com", "Consents", "Charging the card again", "VISA **** 1111", "The shop may charge this card again."]) assert.ok(seen.includes(part), `${part}: ${seen}`);
  assert.ok(owner.page.includes(`href="/payments/${asked.session_id}/"`), "each message leads to its payment");
  const part = textOf((await viewer.get(at(customer_id))).text);
  assert.ok(part.includes("Charging the card again") && part.includes("s***@example.com") && !/\b1111\b/.test(part), part);
  assert.ok(!textOf((await stranger.get(at(customer_id))).text).includes("example.com"));
});

test("a new payment of a customer has who they are filled in, for those who may see it", async () => {
  await till.create({ customer_id: "c-fill", customer_first_name: "Sara", customer_last_name: "O'Neil", customer_email: "sara@example.com", customer_phone: "+96550001234" });
  await owner.get("/new-payment/?customer_id=c-fill&customer_first_name=Nour");
  const value = (name) => new RegExp(`<input[^>]*name="${name}"[^>]*>`).exec(owner.page)[0].match(/value="([^"]*)"/)?.[1];
  assert.deepEqual(["customer_first_name", "customer_last_name", "customer_email", "customer_phone"].map(value), ["Nour", "O'Neil", "sara@example.com", "+96550001234"]);
  const clerk = await staff(till, "clerk", { permissions: ["Can view e-commerce payments", "Can view payment requests", "Can add payment requests", "Can use knet"] });
  assert.ok(!(await clerk.get("/new-payment/?customer_id=c-fill")).text.includes("sara@example.com"));
  assert.ok(!(await stranger.get("/new-payment/?customer_id=c-fill")).text.includes("sara@example.com"));
});
