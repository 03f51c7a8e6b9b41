/** The desk's list of payments in Chromium: searched, narrowed and exported, with and without a script, in both languages. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parse } from "csv-parse/sync";
import { makeUser } from "../worker/desk.mjs";
import { deskOf } from "../worker/options.mjs";
import { accessibility, browser, close, stand, till } from "./browser.mjs";
import { signedIn } from "./desk.mjs";

let user;
stand(async () => {
  await till.createMerchant();
  user = await makeUser(till, "desk");
  await till.create({ order_no: "P-1", customer_email: "one@example.com", customer_phone: "50001234", customer_first_name: "نورة" });
  for (let number = 2; number < 6; number += 1) await till.create({ order_no: `P-${number}`, customer_first_name: "Sara" });
});

for (const language of ["en", "ar"]) {
  for (const colorScheme of ["light", "dark"]) {
    for (const viewport of [{ width: 360, height: 640 }, { width: 1280, height: 800 }]) {
      test(`${language}, ${colorScheme}, ${viewport.width} pixels: the list has room and no fault for axe`, async () => {
        const page = await signedIn(browser, till, user, { viewport, colorScheme, locale: language, expected: [/400/] });
        const narrowed = "/payments/?search=one%40example.com&currency=KWD&state=created";
        for (const [name, path] of [["payments", "/payments/"], ["payments-narrowed", narrowed], ["payments-wrong", "/payments/?colour=red"]]) {
          await page.goto(deskOf(till.url) + path);
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
  test(`${javaScriptEnabled ? "with" : "without"} a script someone searches by telephone, and saves exactly that as a table`, async () => {
    const page = await signedIn(browser, till, user, { javaScriptEnabled, locale: "en", acceptDownloads: true });
    await page.getByRole("link", { name: "Payments", exact: true }).first().click();
    await page.getByLabel("Search").fill("+965 5000 1234");
    await page.getByRole("button", { name: "Show" }).click();
    await page.waitForURL(/search=/);
    assert.equal(await page.locator("tbody tr").count(), 1);
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "CSV of exactly this" }).click()]);
    assert.equal(download.suggestedFilename(), "payments.csv");
    const rows = parse(readFileSync(await download.path()), { bom: true, columns: true });
    assert.deepEqual(rows.map(({ order_no }) => order_no), ["P-1"]);
    await page.getByRole("link", { name: "Show all" }).click();
    await page.waitForURL((url) => !url.searchParams.has("search"));
    assert.equal(await page.locator("tbody tr").count(), 5);
    await close(page);
  });
}
