/** The tools of a development installation in Chromium: the shop with and without script, the start page, bank, inbox and problem pages; axe on each. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { accessibility, browser, close, open, payAtTheBank, stand, till } from "./browser.mjs";

stand(() => till.createMerchant({}, "demo"), { alone: true });

test("without script: from the start page to the shop, the hosted page, the bank, and back to the shop and the inbox", async () => {
  const page = await open(browser, { javaScriptEnabled: false });
  await page.goto(till.url);
  await page.getByRole("link", { name: "Buy in the demo shop" }).click();
  await page.getByRole("button", { name: "Buy on the payment page" }).click();
  await page.waitForURL(/redirect\/start/);
  await page.check("input[value=knet]");
  await page.locator("#pay-button, form button[type=submit]").first().click();
  await payAtTheBank(page, "visa-approve");
  await page.waitForURL(/\/sandbox\/shop\/\?/);
  assert.equal(await page.innerText("h1"), "Thank you");
  assert.equal(await page.getAttribute("[data-state]", "data-state"), "paid");
  await page.getByRole("link", { name: "Webhook inbox" }).click();
  await page.getByText("Signature verified ✓").waitFor();
  await page.getByRole("link", { name: "Refresh" }).click();
  assert.match(await page.innerText("h2"), /^paid · DEMO-\w+ · KWD 10\.250$/);
  await page.getByRole("link", { name: "Start page" }).click();
  assert.match(await page.innerText("ul.rows"), /DEMO-\w+.*paid/s);
  await close(page);
});

test("on the shop's own page: the element takes the payment, in Arabic", async () => {
  const page = await open(browser);
  await page.goto(`${till.url}/sandbox/shop/?language=ar`);
  await page.getByRole("button", { name: "الشراء في هذه الصفحة" }).click();
  const element = page.locator("till-checkout");
  await element.getByRole("radio").first().check();
  await element.locator("[part=pay]").click();
  await payAtTheBank(page, "visa-approve");
  await page.waitForURL(/\/sandbox\/shop\/\?/);
  assert.equal(await page.getAttribute("[data-state]", "data-state"), "paid");
  await close(page);
});

for (const [language, buy, fee, price] of [["en", "Buy with the shop's own script", "KNET fee", /KWD\s10\.500/], ["ar", "الشراء ببرنامج المتجر نفسه", "رسوم كي نت", /10\.500\sد\.ك/]]) {
  test(`with the module, in ${language}: the shop's own script lists what can be chosen, says why the bank declined, pays, and follows the state`, async () => {
    const page = await open(browser);
    const modules = [];
    page.on("response", (response) => response.url().endsWith(".wasm") && modules.push(new URL(response.url()).pathname));
    await page.goto(`${till.url}/sandbox/shop/?language=${language}`);
    await page.getByRole("button", { name: buy }).click();
    await page.waitForURL("**/sandbox/shop/own/**");
    const shop = page.url();
    await page.locator("label.card", { hasText: price }).filter({ hasText: fee }).locator("input").check();
    assert.equal(modules.filter((path) => path.startsWith("/sdk/v1/wasm/")).length, 1, `${modules}`);
    const asked = page.waitForRequest(/\/sdk\/v1\/submit\//);
    await page.click("#own button");
    assert.match((await asked).postData(), /"shown_total":"10\.500","shown_currency":"KWD"/);
    await payAtTheBank(page, "mastercard-decline");
    await page.waitForURL(/redirect\/start/);
    await page.goto(shop);
    await page.locator("#news", { hasText: language === "en" ? "There is not enough money on the card." : "الرصيد في البطاقة غير كافٍ." }).waitFor();
    await page.locator("label.card input").first().check();
    const elsewhere = await page.context().newPage();
    await elsewhere.goto(shop);
    await elsewhere.locator("label.card").first().waitFor();
    await page.click("#own button");
    await payAtTheBank(page, "visa-approve");
    await page.waitForURL(/\/sandbox\/shop\/\?/);
    assert.equal(await page.getAttribute("[data-state]", "data-state"), "paid");
    await elsewhere.bringToFront();
    await elsewhere.locator("#news", { hasText: "paid" }).waitFor();
    assert.equal(await elsewhere.locator("#own").isVisible(), false);
    await close(page);
  });
}

test("one click on the start page opens a page that can be paid", async () => {
  const page = await open(browser);
  await page.goto(till.url);
  await page.getByRole("button", { name: "Make a test payment" }).click();
  await page.waitForURL(/redirect\/start/);
  assert.ok((await page.locator("input[name=pg_code]").count()) > 1);
  await close(page);
});

test("axe finds nothing on any page of the sandbox, light and dark, in both languages, on a small phone", async () => {
  const session = async (at) => {
    const { headers } = await till.call("/sandbox/shop/buy/", { method: "POST", body: new URLSearchParams({ at }) });
    return new URL(headers.get("location"), till.url).searchParams.get("session_id");
  };
  const [one, other] = [await session("page"), await session("here")];
  const sent = await till.call("/b/checkout/redirect/pay/", { method: "POST", body: new URLSearchParams({ session_id: one, pg_code: "knet", language: "en" }) });
  await till.call("/sandbox/inbox/axe/", { method: "POST", json: { state: "paid", order_no: "<b>", amount: "1.000", currency_code: "KWD" } });
  const paths = [
    "/", "/sandbox/shop/", `/sandbox/shop/?session_id=${one}`, `/sandbox/shop/pay/?session_id=${other}`, `/sandbox/shop/own/?session_id=${other}`, "/sandbox/gallery/", "/sandbox/gallery/front/",
    sent.headers.get("location"), "/sandbox/inbox/axe/", "/sandbox/inbox/none/", "/b/problems/", "/b/problems/invalid_fields/",
  ];
  for (const colorScheme of ["light", "dark"]) {
    const page = await open(browser, { colorScheme, bypassCSP: true, viewport: { width: 320, height: 640 } });
    for (const language of ["en", "ar"]) {
      for (const path of paths) {
        const url = new URL(path, till.url);
        url.searchParams.set("language", language);
        await page.goto(url.href, { waitUntil: "networkidle" });
        assert.deepEqual(await accessibility(page), [], `${path} ${language} ${colorScheme}`);
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320, `${path} ${language}`);
        const small = await page.evaluate(() =>
          [...document.querySelectorAll("a, button, select, summary, label.card")]
            .filter((element) => element.checkVisibility() && element.getBoundingClientRect().height < 44 && !element.closest("dl"))
            .map((element) => element.outerHTML));
        assert.deepEqual(small, [], `${path} ${language}`);
      }
    }
    await close(page);
  }
});
