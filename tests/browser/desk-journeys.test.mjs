/** Days of a merchant's staff at the desk in Chromium, with and without a script, in English and Arabic: they find a payment, move money once, ask, notify and send again. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { parse } from "csv-parse/sync";
import { makeUser } from "../worker/desk.mjs";
import { OutboundResponse } from "../worker/harness.mjs";
import { deskOf } from "../worker/options.mjs";
import { atTheBank, attempts, eventually, payWith } from "../worker/payer.mjs";
import { browser, close, stand, till } from "./browser.mjs";
import { signedIn } from "./desk.mjs";

const HOOK = "https://shop.example.com/hook";
const OTHER = "https://books.example.com/hook";

let owner;
const heard = [];
stand(async () => {
  await till.createMerchant();
  owner = await makeUser(till, "owner");
  for (const address of [HOOK, OTHER]) {
    till.outbound.on("POST", address, ({ body }) => {
      heard.push([address, JSON.parse(body)]);
      return new OutboundResponse("ok");
    });
  }
});

let orders = 0;
async function paid(fields) {
  const order_no = `J-${(orders += 1)}`;
  const payment = await atTheBank(till, { pg_code: "credit-card", amount: "12.500", order_no, webhook_url: HOOK, ...fields });
  await payWith(till, payment.page, "visa-approve");
  return { ...payment, order_no };
}
const moved = ({ session_id }) => till.rows("SELECT amount FROM child WHERE parent_id = ?1 AND stage = 'done' ORDER BY number", session_id);
/** The form of an operation, opened. */
async function openForm(page, operation) {
  const form = page.locator("form").filter({ has: page.locator(`input[name=operation][value=${operation}]`) });
  const folded = page.locator("details:not([open])").filter({ has: page.locator(`input[name=operation][value=${operation}]`) });
  if (await folded.count()) await folded.locator("summary").click();
  return form;
}

for (const language of ["en", "ar"]) {
  for (const javaScriptEnabled of [true, false]) {
    const how = `${language}, ${javaScriptEnabled ? "with" : "without"} a script`;
    const options = { locale: language, javaScriptEnabled, expected: [/40[09]/] };

    test(`${how}: a payment is found by its order number, half of it is refunded once, and the rest cannot be taken twice`, async () => {
      const payment = await paid();
      const page = await signedIn(browser, till, owner, options);
      await page.goto(`${deskOf(till.url)}/payments/`);
      await page.fill("#order_no", payment.order_no);
      await page.locator("main form .button").first().click();
      await page.waitForURL(/order_no=/);
      assert.equal(await page.locator("tbody tr").count(), 1);
      await page.locator("tbody a").first().click();
      await page.waitForURL(new RegExp(payment.session_id));
      // A second tab sees the same, before anything moves.
      const second = await page.context().newPage();
      await second.goto(page.url());
      const [form, late] = [await openForm(page, "refund"), await openForm(second, "refund")];
      await form.locator("[name=amount]").fill("6.25");
      await form.locator("[name=reason]").selectOption("goods_returned");
      await form.locator("[name=note]").fill("one of two");
      await form.locator("button").dblclick();
      await page.waitForURL(/news=(done|running|stale)/);
      await eventually("it is done", async () => (await moved(payment)).length === 1);
      await late.locator("button").click();
      await second.waitForURL(/news=stale/);
      await second.locator(".notice").waitFor();
      assert.deepEqual(await moved(payment), [{ amount: 6250 }]);
      await page.goto(page.url().split("?")[0]);
      const text = await page.innerText("main");
      assert.match(text, /one of two/);
      assert.match(text, language === "en" ? /Goods returned/ : /إرجاع البضاعة/);
      await close(page);
    });

    test(`${how}: a payment is found by each kind of key, and the list is saved as it is shown`, async () => {
      const digits = `${7_000 + orders}`;
      const known = { customer_email: `payer-${digits}@example.com`, customer_phone: `5123 ${digits}`, amount: `${digits}.250` };
      const payment = await paid(known);
      const [{ reference }] = await attempts(till, payment);
      const page = await signedIn(browser, till, owner, { ...options, acceptDownloads: true });
      await page.goto(`${deskOf(till.url)}/payments/`);
      for (const text of [payment.session_id, reference, payment.order_no, known.customer_email, `00965 5123${digits}`, `${known.amount} KWD`]) {
        await page.fill("#search", text);
        await page.locator("main form .button").first().click();
        await page.waitForURL((url) => url.searchParams.get("search") === text);
        const links = await page.locator("tbody a").evaluateAll((all) => all.map((link) => link.pathname));
        assert.deepEqual(links.filter((path) => path.startsWith("/payments/")), [`/payments/${payment.session_id}/`], text);
      }
      await page.goto(`${deskOf(till.url)}/payments/?state=paid`);
      const listed = (await page.locator("tbody tr").allInnerTexts()).map((text) => text.replaceAll(/(?<=\d),(?=\d)/g, ""));
      const [download] = await Promise.all([page.waitForEvent("download"), page.locator('form[action="/payments/export/"] button').click()]);
      const rows = parse(readFileSync(await download.path()), { bom: true, columns: true });
      assert.equal(rows.length, listed.length);
      for (const [place, { kind, order_no, amount }] of rows.entries()) {
        const says = kind === "payment" ? [order_no, amount] : ["↳", "−", amount.slice(1)];
        assert.ok(says.every((word) => listed[place].includes(word)), `${place}: ${kind} ${order_no} ${amount} is not ${listed[place]}`);
      }
      await close(page);
    });

    test(`${how}: the gateway is asked, the webhook sent to its own address and to another one, and a delivery again`, async () => {
      const payment = await paid();
      const page = await signedIn(browser, till, owner, options);
      const path = `${deskOf(till.url)}/payments/${payment.session_id}/`;
      const send = async (action, fill = {}) => {
        await page.goto(path);
        const form = page.locator(`form[action$="/${action}/"]`);
        const folded = page.locator("details:not([open])").filter({ has: form });
        if (await folded.count()) await folded.locator("summary").click();
        for (const [name, value] of Object.entries(fill)) await form.locator(`[name=${name}]`).fill(value);
        await form.locator("button").click();
        await page.waitForURL(/news=/);
        await page.locator(".notice").waitFor();
      };
      await send("inquire");
      const before = heard.length;
      await send("notify");
      await send("notify", { address: OTHER });
      const fresh = () => heard.slice(before).filter(([, body]) => body.session_id === payment.session_id).map(([address]) => address);
      for (let tries = 0; tries < 50 && !fresh().includes(OTHER); tries += 1) await page.waitForTimeout(200);
      assert.ok(fresh().includes(HOOK) && fresh().includes(OTHER), fresh().join());
      await page.goto(`${deskOf(till.url)}/deliveries/`);
      await page.locator("tbody a").first().click();
      const count = heard.length;
      await page.locator('form[action$="/resend/"] button').click();
      await page.locator("main [role=status]").waitFor();
      for (let tries = 0; tries < 50 && heard.length === count; tries += 1) await page.waitForTimeout(200);
      assert.ok(heard.length > count, "it arrives again");
      await close(page);
    });
  }
}
