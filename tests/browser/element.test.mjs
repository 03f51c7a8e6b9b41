/**
 * The element <till-checkout> in Chromium, on a page of another origin with a strict policy and Trusted Types: choosing and paying at the
 * sandbox, saved cards, wallets, what goes wrong, both languages, keyboard and axe.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { demoSettings } from "../worker/harness.mjs";
import { eventually } from "../worker/payer.mjs";
import { googleToken } from "../worker/wallets.mjs";
import { accessibility, browser, close, open, payAtTheBank, till } from "./browser.mjs";
import { created, element, payButton, shop, standShops, status, stranger } from "./shop.mjs";

standShops();

/** A page of a shop with the element; `page.events` has what it dispatched. */
async function visit(session_id, { at = shop, language = "en", ...options } = {}) {
  const page = await open(browser, options);
  page.events = [];
  await page.exposeFunction("note", (event) => page.events.push(JSON.parse(event)));
  await page.addInitScript(() => {
    for (const name of ["till-state", "till-error", "till-redirect"]) {
      addEventListener(name, ({ detail: { state, code, url, isFinal } }) => globalThis.note(JSON.stringify({ name, state, code, url, isFinal })));
    }
  });
  await page.goto(`${at.origin}/?session_id=${session_id}&language=${language}`);
  return page;
}


test("a payer chooses a method, pays at the bank and sees the outcome on the shop's page", async () => {
  const session_id = await created();
  const page = await visit(session_id);
  await element(page).getByRole("radio", { name: /KNET/ }).check();
  assert.match(await payButton(page).innerText(), /^Continue to KNET · KWD\s10\.500$/);
  assert.equal(await element(page).locator("[part=fee]").first().innerText(), "+0.250 fee");
  await payButton(page).click();
  await payAtTheBank(page, "visa-approve");
  assert.deepEqual(page.events.map(({ name }) => name), ["till-state", "till-redirect"]);
  await page.waitForURL(/redirect\/start/);
  await page.goto(`${shop.origin}/?session_id=${session_id}`);
  await status(page).getByText("Payment successful").waitFor();
  assert.deepEqual(page.events.at(-1), { name: "till-state", state: "paid", isFinal: true });
  await close(page);
});

/** The text of a part as a reader reads it. */
const said = async (part) => (await part.innerText()).replaceAll(/\s+/g, " ").trim();

for (const language of ["en", "ar"]) {
  test(`its methods, fees, marks, buttons and wallets read and look as on the hosted page, in ${language}`, async () => {
    const { body } = await till.create({ amount: "10.000", pg_codes: ["knet", "credit-card", "cash"], language });
    const put = () => { globalThis.PaymentRequest = class { canMakePayment() { return Promise.resolve(true); } }; };
    const [hosted, page] = [await open(browser), await open(browser)];
    await hosted.addInitScript(put);
    await page.addInitScript(put);
    await hosted.goto(body.checkout_url);
    await page.goto(`${shop.origin}/?session_id=${body.session_id}&language=${language}`);
    await payButton(page).waitFor();
    const look = (part) => part.evaluate((one) => {
      const { color, backgroundColor, borderTopColor, borderTopWidth, fontSize, fontWeight, minHeight, borderRadius } = getComputedStyle(one);
      return [color, backgroundColor, borderTopColor, borderTopWidth, fontSize, fontWeight, minHeight, borderRadius].join(" ");
    });
    const both = [hosted.locator(".choose"), element(page)];
    for (const part of [".test", "h2", ".express small", ".or", ".method .name", ".method .under"]) {
      const [texts, others] = await Promise.all([[part === ".test" ? hosted.locator("body") : both[0], part], [both[1], part]].map(([root, name]) => root.locator(name).filter({ visible: true }).evaluateAll((all) => all.map((one) => one.innerText.replaceAll(/\s+/g, " ").trim()))));
      assert.deepEqual(others, texts, part);
      assert.ok(others.length > 0, part);
    }
    assert.deepEqual(await Promise.all(both.map((root) => root.locator(".brands img").evaluateAll((all) => all.map(({ alt }) => alt)))), [["Visa", "Mastercard", "American Express"], ["Visa", "Mastercard", "American Express"]]);
    for (const place of [0, 1, 2]) {
      for (const root of both) await root.locator("input[type=radio]").nth(place).check();
      assert.equal(await said(payButton(page)), await said(hosted.locator("#pay-label")));
    }
    for (const part of ["label.method >> nth=0", "fieldset", ".button", ".wallet", ".name >> nth=0"]) {
      assert.equal(await look(both[1].locator(part).first()), await look(both[0].locator(part).first()), part);
    }
    await close(hosted);
    await close(page);
  });
}

test("on a wide screen costs and fees have their places as on the hosted page, and an amount its currency", async () => {
  const { body } = await till.create({ amount: "10.000", pg_codes: ["knet", "credit-card", "cash"], type: "payment_request" });
  const [hosted, page] = [await open(browser, { viewport: { width: 1280, height: 800 } }), await open(browser, { viewport: { width: 1280, height: 800 } })];
  await hosted.goto(body.checkout_url);
  await page.goto(`${shop.origin}/?session_id=${body.session_id}`);
  await payButton(page).waitFor();
  const places = (root) => root.locator(".method").evaluateAll((all) => all.map((row) => {
    const { top, right } = row.getBoundingClientRect();
    return [".name", ".fees", ".cost"].flatMap((part) => {
      const box = row.querySelector(part)?.getBoundingClientRect();
      return box === undefined ? [] : [Math.round(box.top - top), part === ".cost" ? Math.round(right - box.right) : 0];
    });
  }));
  assert.deepEqual(await places(element(page)), await places(hosted.locator("#pay-form")));
  assert.equal(await said(element(page).locator(".entry")), await said(hosted.locator(".entry")));
  await close(hosted);
  await close(page);
});

test("a receipt is on the hosted page, where a button leads", async () => {
  const session_id = await created();
  await till.call(`/b/checkout/api/sdk/v1/submit/${session_id}/`, { method: "POST", json: { pg_code: "cash" } });
  for (const [language, name] of [["en", "Receipt"], ["ar", "إيصال"]]) {
    const page = await visit(session_id, { language, bypassCSP: true });
    const button = element(page).getByRole("button", { name });
    await button.waitFor();
    assert.deepEqual(await accessibility(page), []);
    await button.click();
    await page.waitForURL(`${till.url}/b/checkout/redirect/start/**`);
    await page.locator("main[data-status=cash_on_delivery]").waitFor();
    await close(page);
  }
});

test("a wallet that the browser does not have after all goes, with a calm word, and stays away", async () => {
  const session_id = await created({ amount: "10.000" });
  const page = await open(browser);
  await page.addInitScript(() => {
    globalThis.PaymentRequest = class { show() { return Promise.reject(new DOMException("no", "NotSupportedError")); } };
  });
  await page.goto(`${shop.origin}/?session_id=${session_id}`);
  const button = element(page).getByRole("button", { name: "Pay with Google Pay" });
  await button.click();
  await element(page).locator("[part=notice][role=status].calm").getByText("Google Pay is not available in this browser").waitFor();
  assert.equal(await button.count(), 0);
  await page.reload();
  await payButton(page).waitFor();
  assert.equal(await button.count(), 0);
  await close(page);
});

test("a page that stays open notices that the payment was made elsewhere", async () => {
  const session_id = await created();
  const page = await visit(session_id);
  await payButton(page).waitFor();
  const { body } = await till.call(`/b/checkout/api/sdk/v1/submit/${session_id}/`, { method: "POST", json: { pg_code: "cash" } });
  assert.ok(body.redirect_url);
  await status(page).getByText("Order confirmed").waitFor();
  await close(page);
});

test("everything can be done by keyboard, and what happens is said", async () => {
  const page = await visit(await created());
  await payButton(page).waitFor();
  assert.equal(await payButton(page).getAttribute("aria-disabled"), "true", "no method is chosen for the payer");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  await page.keyboard.press("ArrowDown");
  const chosen = () => page.evaluate(() => document.querySelector("till-checkout").shadowRoot.activeElement.value);
  assert.equal(await chosen(), "credit-card");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/sandbox\/bank\/pay\//);
  await close(page);
});

test("the page may keep the browser, and the element stays usable", async () => {
  const page = await visit(await created());
  await page.evaluate(() => addEventListener("till-redirect", (event) => event.preventDefault()));
  await element(page).getByRole("radio").first().check();
  await payButton(page).click();
  await page.waitForFunction(() => document.querySelector("till-checkout").shadowRoot.querySelector("[part=pay]").getAttribute("aria-disabled") === "false");
  assert.match(page.events.at(-1).url, /\/sandbox\/bank\/pay\//);
  assert.ok(page.url().startsWith(shop.origin));
  await close(page);
});

test("a decline says why, and that nothing was charged, in both languages, and the payer can choose again", async () => {
  const session_id = await created();
  const page = await visit(session_id);
  await element(page).getByRole("radio", { name: /KNET/ }).check();
  await payButton(page).click();
  await payAtTheBank(page, "mastercard-decline");
  await page.waitForURL(/redirect\/start/);
  for (const [language, reason] of [["en", "There is not enough money on the card."], ["ar", "الرصيد في البطاقة غير كافٍ."]]) {
    await page.goto(`${shop.origin}/?session_id=${session_id}&language=${language}`);
    const alert = element(page).getByRole("alert").filter({ hasText: reason });
    await alert.waitFor();
    assert.match(await alert.innerText(), language === "en" ? /You haven't been charged/ : /لم يُخصم منك أي مبلغ/);
    assert.equal(await status(page).innerText(), "");
    assert.equal(await element(page).getByRole("radio").count(), 3);
  }
  await close(page);
});

test("leaving the bank by choice is no decline: it is said calmly, in both languages", async () => {
  const session_id = await created();
  const page = await visit(session_id);
  await element(page).getByRole("radio", { name: /KNET/ }).check();
  await payButton(page).click();
  await page.waitForURL("**/sandbox/bank/pay/**");
  await page.click('button[value="cancel"]');
  await page.waitForURL(/redirect\/start/);
  for (const [language, text] of [["en", "The payment was not completed"], ["ar", "لم تكتمل عملية الدفع"]]) {
    await page.goto(`${shop.origin}/?session_id=${session_id}&language=${language}`);
    await element(page).locator("[part=notice][role=status].calm").getByText(text).waitFor();
    assert.equal(await element(page).getByRole("radio").count(), 3);
  }
  await close(page);
});

const AGREED = {
  "later payments": { payment_type: "auto_debit", customer_id: "element-1", agreement: { id: "a-1", amount_variability: "fixed", cycle_interval_days: 28, expiry_date: "2030-01-31", frequency: "monthly", total_cycles: 12 }, pg_codes: ["credit-card"] },
  "a card that is only saved": { payment_type: "save_card", amount: "0", customer_id: "element-2", pg_codes: ["credit-card"] },
};
for (const [what, fields] of Object.entries(AGREED)) {
  test(`${what}: the payer reads and accepts the terms on the hosted page, which stores them`, async () => {
    const session_id = await created({ ...fields, webhook_url: `${till.url}/sandbox/inbox/element/` });
    for (const [language, button] of [["ar", "المتابعة إلى صفحة الدفع"], ["en", "Continue to the payment page"]]) {
      const page = await visit(session_id, { language, bypassCSP: true });
      await element(page).locator("[part=terms]").waitFor();
      assert.equal(await element(page).locator("form, input, [part=wallet]").count(), 0, "nothing can be paid without the terms");
      assert.deepEqual(await accessibility(page), []);
      await element(page).getByRole("button", { name: button }).click();
      await page.waitForURL(`${till.url}/b/checkout/redirect/start/**`);
      if (language === "en") {
        await page.locator("#consent").waitFor();
        await page.click("#pay-button");
        await payAtTheBank(page, "visa-approve");
        await page.waitForURL(/redirect\/start/);
        const { consent, state } = (await till.retrieve(session_id)).body;
        assert.deepEqual([state, consent.text_version], ["paid", 3]);
      }
      await close(page);
    }
  });
}

test("in Arabic amounts have the local sign, and methods and cards the marks of their networks", async () => {
  const page = await visit(await created({ language: "ar" }), { language: "ar" });
  await payButton(page).waitFor();
  assert.deepEqual(await element(page).locator(".method .cost").allInnerTexts(), ["10.500", "10.455", "10.250"].map((amount) => `${amount}\u00a0د.ك`));
  await element(page).getByRole("radio").first().check();
  assert.match(await payButton(page).innerText(), /10\.500\sد\.ك/);
  assert.doesNotMatch(await element(page).innerText(), /KWD/);
  const pictures = await element(page).locator("[part=icon]").evaluateAll((all) => Promise.all(all.map(async (one) => {
    await one.decode();
    return [new URL(one.src).pathname, one.naturalWidth > 0];
  })));
  assert.deepEqual(pictures, [["/icons/marks/knet.svg", true], ["/icons/card.svg", true], ["/icons/cash.svg", true]]);
  await close(page);
});

test("a typed amount is paid, and one outside of the limits is refused in words", async () => {
  const session_id = await created({ type: "payment_request", amount: "20.000" });
  const page = await visit(session_id, { expected: [/status of 400/] });
  await element(page).getByRole("textbox", { name: "Amount" }).fill("900");
  await element(page).getByRole("radio", { name: /KNET/ }).check();
  assert.equal(await payButton(page).innerText(), "Pay");
  await payButton(page).click();
  await element(page).getByRole("alert").getByText("Enter an amount").waitFor();
  await element(page).getByRole("textbox", { name: "Amount" }).fill("5");
  await payButton(page).click();
  await page.waitForURL(/\/sandbox\/bank\/pay\//);
  assert.match(await page.innerText("main"), /5\.250/);
  await close(page);
});

test("a wallet of the browser pays", async () => {
  const session_id = await created({ amount: "10.000" });
  const page = await open(browser);
  await page.addInitScript((details) => {
    globalThis.PaymentRequest = class {
      constructor([method]) { globalThis.shown = method.data.transactionInfo; }
      canMakePayment() { return Promise.resolve(true); }
      show() { return new Promise((resolve) => { globalThis.pay = () => resolve({ details: JSON.parse(details), complete: () => Promise.resolve() }); }); }
    };
  }, googleToken("visa-approve"));
  await page.goto(`${shop.origin}/?session_id=${session_id}`);
  assert.match((await element(page).locator("[part=wallet-cost]").innerText()).replaceAll("\u00a0", " "), /^KWD \d+\.\d{3}/, "what is paid, next to the button");
  await element(page).getByRole("button", { name: /Google Pay/ }).click();
  const { totalPrice, displayItems } = await page.evaluate(() => globalThis.shown);
  assert.deepEqual([totalPrice, ...displayItems.map(({ price }) => price)], ["10.20", "10.00", "0.20"], "as Google takes amounts");
  await page.evaluate(() => globalThis.pay());
  await page.waitForURL(/redirect\/start/);
  assert.equal((await till.retrieve(session_id)).body.state, "paid");
  await close(page);
});

test("a shop whose origin is not listed gets an event that says so, and the payer can try again", async () => {
  const page = await visit(await created(), { at: stranger, expected: [/CORS policy/, /ERR_FAILED/] });
  await element(page).getByRole("alert").getByText("No connection").waitFor();
  assert.deepEqual(page.events, [{ name: "till-error", code: "unreachable" }]);
  await element(page).getByRole("button", { name: "Try again" }).click();
  await eventually("another event", () => page.events.length > 1);
  assert.deepEqual(page.events.map(({ code }) => code), ["unreachable", "unreachable"]);
  await close(page);
});

test("a transaction that ended elsewhere is not offered", async () => {
  const session_id = await created();
  await till.call(`/b/checkout/api/sdk/v1/cancel/${session_id}/`, { method: "POST", json: { operation: "cancel" } });
  const page = await visit(session_id);
  await status(page).getByText("Payment cancelled").waitFor();
  assert.equal(await payButton(page).count(), 0);
  await close(page);
});

test("axe finds nothing in both languages, light and dark, and nothing is wider than a small phone", async () => {
  const hostile = "<img src=x onerror=alert(1)>";
  const gateways = demoSettings().gateways.map((gateway) => (gateway.code === "cash" ? { ...gateway, name: { en: `${hostile} ${"m".repeat(20)}`, ar: hostile } } : gateway));
  await till.operator(`/merchants/${till.merchant.merchant_id}/settings/`, { method: "PUT", json: { ...demoSettings(), gateways, allowed_origins: [shop.origin] } });
  for (const colorScheme of ["light", "dark"]) {
    for (const language of ["en", "ar"]) {
      const session_id = await created({ language, type: "payment_request" });
      const page = await visit(session_id, { language, colorScheme, bypassCSP: true, viewport: { width: 320, height: 640 } });
      await payButton(page).waitFor();
      await element(page).getByRole("radio").last().check();
      assert.deepEqual(await accessibility(page), [], `${language} ${colorScheme}`);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
      const panel = element(page).locator("[part=panel]");
      assert.deepEqual([await panel.getAttribute("dir"), await panel.getAttribute("lang")], language === "ar" ? ["rtl", "ar"] : ["ltr", "en"]);
      assert.equal(await element(page).locator("img[onerror]").count(), 0);
      const small = await element(page).locator("button, label:has(input), input:not([type])").evaluateAll((all) => all.filter((one) => one.getBoundingClientRect().height < 44).length);
      assert.equal(small, 0);
      await close(page);
    }
  }
});

test("the shop changes its look by custom properties and parts, and its style sheet reaches nothing else", async () => {
  const page = await visit(await created(), { bypassCSP: true });
  await payButton(page).waitFor();
  await page.addStyleTag({ content: "till-checkout{--till-accent:rgb(120, 0, 60)} till-checkout::part(pay){text-transform:uppercase} button{display:none}" });
  const look = await payButton(page).evaluate((button) => {
    const { backgroundColor, textTransform, display } = getComputedStyle(button);
    return [backgroundColor, textTransform, display !== "none"];
  });
  assert.deepEqual(look, ["rgb(120, 0, 60)", "uppercase", true]);
  await close(page);
});
