/**
 * A merchant that is paused while a payer is on the page, in Chromium: the page says so, and offers to pay
 * again by itself afterwards.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { demoSettings } from "../worker/harness.mjs";
import { accessibility, alive, asking, browser, close, open, stand, till } from "./browser.mjs";

stand();

async function pause(is_paused) {
  const path = `/merchants/${till.merchant.merchant_id}/settings/`;
  const answer = await till.operator(path, { method: "PUT", json: { ...demoSettings(), is_paused } });
  assert.equal(answer.status, 200, answer.text);
}

for (const [language, title] of [["en", "Payments are paused"], ["ar", "الدفع متوقف مؤقتًا"]]) {
  for (const width of [320, 1280]) {
    test(`in ${language} at ${width} pixels, a payer who presses the button learns of the pause, and pays when it is over`, async () => {
      const { body } = await till.create({ language, pg_codes: ["knet", "cash"] });
      const page = await open(browser, { bypassCSP: true, viewport: { width, height: 800 }, expected: [/423/] });
      await page.goto(asking(body.checkout_url, "knet"));
      await alive(page);
      await pause(true);
      await page.click("#pay-button");
      await page.getByRole("heading", { name: title }).waitFor();
      await page.waitForLoadState();
      assert.equal(await page.locator("#pay-button, [name=pg_code]").count(), 0);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
      assert.deepEqual(await accessibility(page), []);
      await pause(false);
      await alive(page);
      assert.equal(await page.locator("[name=pg_code]").count(), 2);
      await close(page);
    });
  }
}

for (const [script, options, route] of [
  ["without a script", { javaScriptEnabled: false }],
  ["with the script", {}],
  ["with the script's file blocked", { expected: [/ERR_FAILED/] }, "**/pkg/*.js"],
  ["with the module blocked", { expected: [/ERR_FAILED|Failed to fetch/] }, "**/pkg/*.wasm"],
]) {
  test(`a page of a pause offers to pay by itself once the pause is over, ${script}`, async () => {
    const { body } = await till.create();
    await pause(true);
    const page = await open(browser, options);
    if (route) await page.route(route, (request) => request.abort());
    await page.goto(body.checkout_url);
    await page.locator("main[data-status=paused]").waitFor();
    await pause(false);
    await page.locator("#pay-button").waitFor({ timeout: 40_000 });
    await close(page);
  });
}

test("a page of a pause leads back to the shop, without a word about the payment", async () => {
  const shop = `${till.url}/sandbox/shop/?a=1`;
  const { body } = await till.create({ redirect_url: shop });
  await pause(true);
  const page = await open(browser, { bypassCSP: true });
  await page.goto(body.checkout_url);
  assert.equal(await page.getAttribute("main a[rel=noreferrer]", "href"), shop);
  assert.deepEqual(await accessibility(page), []);
  await pause(false);
  await close(page);
});

test("without a script the button leads to the words about the pause, and the link back to the methods", async () => {
  const { body } = await till.create();
  const page = await open(browser, { javaScriptEnabled: false, expected: [/423/] });
  await page.goto(body.checkout_url);
  await pause(true);
  await page.click("#pay-button");
  await page.getByRole("heading", { name: "Payments are paused" }).waitFor();
  await pause(false);
  await page.click("a.button");
  await page.locator("#pay-button").waitFor();
  await close(page);
});
