/** At the desk: who a payer is, is hidden from those who may not see it, on every page and in every link. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { staff, textOf } from "./desk.mjs";
import { OutboundResponse, start } from "./harness.mjs";
import { atTheBank, eventually, payWith } from "./payer.mjs";

const SEEING = ["Can view e-commerce payments", "Can view payment requests", "Can change payment requests", "payment.inquiry"];
const PAYER = { customer_first_name: "Zubaida", customer_last_name: "Quraishi", customer_email: "zubaida@payer.example", customer_phone: "+96550004477" };
const WHOLE = [...Object.values(PAYER), "96550004477", "Mishref Street"];
const masks = (text) => ["Z*** Q***", "z***@payer.example", "***77"].filter((mask) => textOf(text).includes(mask));

let till, hidden, shown, owner, paid, asked, delivery;
before(async () => {
  till = await start();
  await till.createMerchant();
  // A receiver that repeats everything it gets.
  till.outbound.on("POST", "https://echo.example.com/hook", () => new OutboundResponse(JSON.stringify(PAYER)));
  const address = { country: "KW", line1: "Mishref Street", city: "Kuwait" };
  paid = await atTheBank(till, { pg_code: "credit-card", ...PAYER, billing_address: address, webhook_url: "https://echo.example.com/hook" });
  await payWith(till, paid.page, "visa-approve");
  await eventually("the webhook is delivered", async () => {
    [delivery] = await till.rows("SELECT id FROM delivery WHERE session_id = ?1 AND state = 'delivered'", paid.session_id);
    return delivery !== undefined;
  });
  asked = (await till.create({ type: "payment_request", ...PAYER, notifications: { email: ["created"], sms: ["created"] } })).body;
  hidden = await staff(till, "hidden", { permissions: SEEING });
  shown = await staff(till, "shown", { permissions: [...SEEING, "Can see personal data"] });
  owner = await staff(till, "owner");
});
after(() => till?.stop());

const pages = () => ["/payments/", `/payments/${paid.session_id}/`, `/payments/${asked.session_id}/`, `/payments/${asked.session_id}/link/`, "/deliveries/", `/deliveries/${delivery.id}/`];

test("who may not see the payer sends a notification about them to no address of their own", async () => {
  const path = `/payments/${paid.session_id}`;
  assert.ok(!(await hidden.get(`${path}/`)).text.includes('name="address"'));
  const elsewhere = await hidden.submit(`${path}/notify/`, { address: "https://echo.example.com/mine" });
  assert.equal(elsewhere.status, 403, textOf(elsewhere.text));
  await hidden.get(`${path}/`);
  assert.equal((await hidden.submit(`${path}/notify/`)).status, 303, "the receiver of the payment");
  assert.ok((await shown.get(`${path}/`)).text.includes('name="address"'));
  assert.deepEqual(till.outbound.to("https://echo.example.com/mine"), []);
});

test("nothing of the payer leaves the desk for someone who may not see it", async () => {
  for (const path of pages()) {
    const { status, text } = await hidden.get(path);
    assert.equal(status, 200, path);
    for (const whole of WHOLE) assert.ok(!text.toLowerCase().includes(whole.toLowerCase()), `${path} has ${whole}`);
  }
  assert.deepEqual(masks((await hidden.get(`/payments/${paid.session_id}/`)).text), ["Z*** Q***", "z***@payer.example", "***77"]);
  assert.match(textOf(hidden.page), /All of it needs the permission Can see personal data/);
  assert.match((await hidden.get(`/payments/${asked.session_id}/link/`)).text, /href="mailto:\?body=.*href="sms:\?body=.*wa\.me\/\?text=/s);
});

test("who may see it sees it, and so does who may do everything", async () => {
  for (const visitor of [shown, owner]) {
    const { text } = await visitor.get(`/payments/${paid.session_id}/`);
    for (const whole of Object.values(PAYER)) assert.ok(textOf(text).includes(whole), whole);
    assert.doesNotMatch(textOf(text), /needs the permission/);
    const { text: link } = await visitor.get(`/payments/${asked.session_id}/link/`);
    assert.ok(link.includes("mailto:zubaida%40payer.example?body="));
    assert.match(textOf((await visitor.get(`/deliveries/${delivery.id}/`)).text), /zubaida@payer\.example/);
  }
});

test("the payer is written to by someone who does not see their address", async () => {
  await hidden.get(`/payments/${asked.session_id}/link/`);
  assert.match(textOf(hidden.page), /z\*\*\*@payer\.example/);
  const sent = await hidden.submit(`/payments/${asked.session_id}/send/`);
  assert.equal(sent.location, `/payments/${asked.session_id}/link/?sent=1`);
  await eventually("it is on its way to the payer", async () => (await till.rows("SELECT body FROM delivery WHERE session_id = ?1 AND body LIKE '%zubaida@payer.example%'", asked.session_id)).length >= 1);
});

test("it is a permission of users", async () => {
  const answer = await till.call("/b/access/v1/keys/", { method: "POST", headers: till.privateKey(), json: { kind: "private", permissions: ["Can see personal data"] } });
  assert.equal(answer.status, 400);
  assert.match(answer.text, /must be a permission of keys/);
});
