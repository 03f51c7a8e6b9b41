/** The signed receipt on the page of a payment that has ended, in both languages. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { compactVerify, createRemoteJWKSet } from "jose";
import { start } from "../worker/harness.mjs";
import { choose, open as create, openPage } from "../worker/payer.mjs";
import { accessibility, close, launch, open } from "./browser.mjs";

/** @type {import("../worker/harness.mjs").Till} */
let till;
let browser;

before(async () => {
  till = await start();
  await till.createMerchant();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await till.stop();
});

for (const [language, label, link] of [["en", "Receipt", "Download"], ["ar", "الإيصال", "تنزيل"]]) {
  test(`the page offers the receipt once the payment has ended: ${language}`, async () => {
    const payment = await create(till, { pg_codes: ["cash"], language });
    assert.ok(!(await openPage(till, payment)).text.includes("receipt.jws"), "not while one can pay");
    await choose(till, payment, "cash");
    const page = await open(browser, { bypassCSP: true, viewport: { width: 320, height: 640 } });
    await page.goto(`${till.url}/b/checkout/redirect/start/?session_id=${payment.session_id}`);
    await page.locator("main[data-status=cash_on_delivery]").waitFor();
    const line = page.locator(".line", { has: page.locator("a[download]") });
    assert.deepEqual(await line.locator("dt, dd").allInnerTexts(), [label, link]);
    assert.deepEqual(await accessibility(page), []);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("a[download]")]);
    assert.equal(download.suggestedFilename(), "receipt.jws");
    const keys = createRemoteJWKSet(new URL(`${till.url}/.well-known/jwks.json`));
    const { payload } = await compactVerify(readFileSync(await download.path(), "utf8"), keys);
    assert.equal(JSON.parse(new TextDecoder().decode(payload)).state, "cod");
    await close(page);
  });
}
