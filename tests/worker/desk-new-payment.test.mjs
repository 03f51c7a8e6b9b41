/** At the desk: a payment is made by a form, and its link is given to the payer. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import jsQR from "jsqr";
import { staff, textOf } from "./desk.mjs";
import { demoSettings, start } from "./harness.mjs";

let till, clerk;
before(async () => {
  till = await start();
  const settings = demoSettings();
  settings.plugins.payment_request.custom_fields = [
    { key: "table", label: { en: "Table", ar: "الطاولة" }, type: "text", required: true, options: ["1", "2"] },
    { key: "guests", label: { en: "Guests", ar: "الضيوف" }, type: "number" },
  ];
  await till.createMerchant(settings);
  clerk = await staff(till, "clerk", { permissions: ["Can add payment requests", "Can change payment requests", "Can use knet"] });
});
after(() => till.stop());

const FILLED = { amount: "12.500", currency_code: "KWD", pg_codes: "knet", order_no: "T-7", customer_email: "sara@example.com", notify: "email", "extra.table": "2", "extra.guests": "4" };
const fill = async (fields) => {
  await clerk.get("/new-payment/");
  return clerk.submit("/new-payment/", { ...FILLED, ...fields });
};
const idOf = ({ location }) => /^\/payments\/([0-9a-f]+)\/link\/$/.exec(location)?.[1];

test("the form offers what the person may use, and the merchant's own fields", async () => {
  const { text } = await clerk.get("/new-payment/");
  assert.deepEqual([...text.matchAll(/name="pg_codes" value="([^"]+)"/g)].map(([, code]) => code), ["knet"]);
  assert.match(textOf(text), /Table.*Guests \(optional\)/);
  assert.doesNotMatch(textOf(text), /Order: the payer/, "of the other kind this person makes none");
});

test("a filled-in form is a payment with its link, its code and its message", async () => {
  const id = idOf(await fill());
  const { body } = await till.retrieve(id);
  assert.deepEqual([body.type, body.amount, body.order_no, body.customer_email, body.extra, body.pg_codes, body.is_amount_editable ?? false], ["payment_request", "12.500", "T-7", "sara@example.com", { table: "2", guests: "4" }, ["knet"], false]);
  assert.equal(body.initiator_id, clerk.user.id);
  const page = await clerk.get(`/payments/${id}/link/`);
  assert.ok(page.text.includes(`value="${body.checkout_url.replaceAll("&", "&amp;")}"`));
  assert.match(page.text, /https:\/\/wa\.me\/\?text=/);
  const sent = await clerk.submit(`/payments/${id}/send/`);
  assert.deepEqual([sent.status, sent.location], [303, `/payments/${id}/link/?sent=1`]);
  assert.match(textOf((await clerk.follow(sent)).text), /The message is on its way/);
  const { results } = (await till.call(`/b/checkout/v1/pymt-txn/${id}/events/`, { headers: till.privateKey() })).body;
  assert.ok(results.some((entry) => /"notified"/.test(JSON.stringify(entry)) && JSON.stringify(entry).includes("clerk@")), JSON.stringify(results));
});

test("WhatsApp and SMS lead to the payer's number with its country", async () => {
  const owner = await staff(till, "owner");
  for (const [given, wa, sms] of [["50001234", "96550001234", "+96550001234"], ["00965 5000 1234", "96550001234", "+96550001234"], ["٥٠٠٠١٢٣٤", "96550001234", "+96550001234"]]) {
    const { text } = await owner.get(`/payments/${idOf(await fill({ customer_phone: given }))}/link/`);
    assert.ok(text.includes(`https://wa.me/${wa}?text=`) && text.includes(`sms:${sms}?body=`), given);
  }
});

test("the picture is read by someone else's reader as the address", async () => {
  const id = idOf(await fill());
  const { text } = await clerk.get(`/payments/${id}/link/`);
  const [, side, path] = /viewBox="0 0 (\d+) \1".*?<path d="([^"]+)"/s.exec(text);
  const [size, scale] = [Number(side), 4];
  const pixels = new Uint8ClampedArray(size * size * scale * scale * 4).fill(255);
  for (const [, x, y, width] of path.matchAll(/M(\d+) (\d+)h(\d+)/g)) {
    for (let row = y * scale; row < (Number(y) + 1) * scale; row += 1) {
      for (let column = x * scale; column < (Number(x) + Number(width)) * scale; column += 1) pixels.set([0, 0, 0], (row * size * scale + column) * 4);
    }
  }
  assert.equal(jsQR(pixels, size * scale, size * scale).data, (await till.retrieve(id)).body.checkout_url);
});

test("a form that is sent twice, or twice at once, makes one payment", async () => {
  await clerk.get("/new-payment/");
  const answers = await Promise.all([clerk.submit("/new-payment/", FILLED), clerk.submit("/new-payment/", FILLED)]);
  const again = await clerk.submit("/new-payment/", FILLED).catch(() => undefined);
  const ids = new Set(answers.filter(({ status }) => status === 303).map(idOf));
  assert.equal(ids.size, 1, answers.map(({ status }) => status).join());
  if (again?.status === 303) assert.ok(ids.has(idOf(again)));
});

test("what is wrong is named at its field, and what was typed stays", async () => {
  const answer = await fill({ amount: "<b>ten</b>", "extra.table": "", customer_email: "sara" });
  assert.equal(answer.status, 400);
  for (const field of ["amount", "customer_email", "extra.table"]) assert.match(answer.text, new RegExp(`id="${field}"[^>]*aria-invalid="true"`));
  assert.match(answer.text, /value="&lt;b&gt;ten&lt;\/b&gt;"/);
  assert.match(textOf(answer.text), /Table 1 2 is required/);
  const found = await clerk.submit("/new-payment/", { ...FILLED });
  assert.equal(found.status, 303, "the same form, put right");
});

test("a gateway that the person may not use is refused, and nothing is made", async () => {
  const before = (await till.rows("SELECT count(*) AS n FROM txn"))[0].n;
  assert.equal((await fill({ pg_codes: "credit-card" })).status, 403);
  assert.equal((await till.rows("SELECT count(*) AS n FROM txn"))[0].n, before);
});
