/** The first screen and the totals in Chromium: with and without a script, in both languages, in the light and the dark. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { makeUser } from "../worker/desk.mjs";
import { deskOf } from "../worker/options.mjs";
import { atTheBank, payWith } from "../worker/payer.mjs";
import { accessibility, browser, close, stand, till } from "./browser.mjs";
import { signedIn } from "./desk.mjs";

let user;
stand(async () => {
  await till.createMerchant();
  user = await makeUser(till, "desk");
  for (const card of ["visa-approve", "mastercard-decline", "visa-approve"]) {
    const payment = await atTheBank(till, { amount: "1250.500" });
    await payWith(till, payment.page, card);
    if (card === "visa-approve") await till.call("/b/pbl/v2/operation/", { method: "POST", headers: till.privateKey(), json: { session_id: payment.session_id, operation: "refund", amount: "12.000" } });
  }
  const other = await atTheBank(till, { pg_code: "credit-card" });
  await payWith(till, other.page, "visa-approve");
});

for (const language of ["en", "ar"]) {
  for (const colorScheme of ["light", "dark"]) {
    for (const viewport of [{ width: 360, height: 640 }, { width: 1280, height: 800 }]) {
      test(`${language}, ${colorScheme}, ${viewport.width} pixels: the screens have room and no fault for axe`, async () => {
        const page = await signedIn(browser, till, user, { viewport, colorScheme, locale: language });
        for (const [name, path] of [["start", "/"], ["totals", "/totals/"], ["alerts", "/webhooks/"]]) {
          await page.goto(deskOf(till.url) + path);
          assert.equal(await page.evaluate(() => document.documentElement.lang), language);
          assert.deepEqual(await accessibility(page), [], name);
          assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${name} is wider than the window`);
          if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, `${name}-${language}-${colorScheme}-${viewport.width}.png`), fullPage: true });
        }
        await close(page);
      });
    }
  }
}

for (const javaScriptEnabled of [true, false]) {
  test(`${javaScriptEnabled ? "with" : "without"} a script someone goes from what was taken to the payments, and chooses days`, async () => {
    const page = await signedIn(browser, till, user, { javaScriptEnabled, locale: "en" });
    await page.getByRole("row", { name: /KNET/ }).first().getByRole("link").first().click();
    await page.waitForURL(/paid_from=.*pg_code=knet/);
    assert.equal(await page.locator("tbody tr").filter({ hasNotText: "↳" }).count(), 2, "the payments, with refunds under them");
    await page.getByRole("link", { name: "Totals" }).first().click();
    await page.getByLabel("From").fill("2026-01-01");
    await page.getByLabel("To", { exact: true }).fill("2026-01-02");
    await page.getByRole("button", { name: "Show" }).click();
    await page.getByText("Nothing was paid, refunded or declined on these days.").waitFor();
    assert.equal(await page.getByLabel("From").inputValue(), "2026-01-01");
    await close(page);
  });
}
