/** The desk's list of what a person should look at, and what waits on the first screen, in Chromium. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { storeEntry } from "../worker/attention.mjs";
import { makeUser } from "../worker/desk.mjs";
import { deskOf } from "../worker/options.mjs";
import { atTheBank, payWith } from "../worker/payer.mjs";
import { accessibility, browser, close, stand, till } from "./browser.mjs";
import { signedIn } from "./desk.mjs";

let user;
stand(async () => {
  await till.createMerchant();
  user = await makeUser(till, "desk");
});

const entry = (fields) => storeEntry(till, { merchant_id: till.merchant.merchant_id, ...fields });

test("the screens have room and no fault for axe, in both languages, light and dark, on a phone and a computer", async () => {
  const payment = await atTheBank(till);
  await payWith(till, payment.page, "visa-wrong-amount");
  await entry({ session_id: payment.session_id, detail: "a refund of 10.250 KWD was opened: 7H3K9M2P4Q5R" });
  await entry({ reason: "receiver_disabled", detail: "https://gone.example.com/a-rather-long-path-of-a-receiver answered 410: it is disabled" });
  await till.rows("UPDATE attention SET closed_at = ?1, how = 'dismiss', note = 'given back at the gateway, box 7' WHERE reference = ?2", Date.now(), (await entry({ reason: "taken_back" })).split(".")[0]);
  for (const language of ["en", "ar"]) {
    for (const colorScheme of ["light", "dark"]) {
      for (const viewport of [{ width: 360, height: 640 }, { width: 1280, height: 800 }]) {
        const page = await signedIn(browser, till, user, { viewport, colorScheme, locale: language });
        for (const [name, address] of [["home", "/"], ["attention", "/attention/"], ["resolved", "/attention/?state=resolved"]]) {
          await page.goto(deskOf(till.url) + address);
          const where = `${name} ${language} ${colorScheme} ${viewport.width}`;
          assert.equal(await page.evaluate(() => document.documentElement.lang), language, where);
          if (name === "attention") await page.locator("summary").first().click();
          assert.deepEqual(await accessibility(page), [], where);
          assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${where} is wider than the window`);
          if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, `${where.replaceAll(" ", "-")}.png`), fullPage: true });
        }
        await close(page);
      }
    }
  }
});

for (const javaScriptEnabled of [true, false]) {
  test(`${javaScriptEnabled ? "with" : "without"} a script someone comes from the first screen, and resolves an entry with a note`, async () => {
    const id = await entry({ reason: "unknown_charge", detail: "only the gateway knows it" });
    const page = await signedIn(browser, till, user, { javaScriptEnabled, locale: "en" });
    await page.getByRole("region", { name: "Waiting for someone" }).getByRole("link", { name: "Attention" }).click();
    const card = page.locator("section", { hasText: id.split(".")[0] });
    await card.locator("summary", { hasText: "Resolve" }).click();
    await card.getByLabel("What was done").fill(`given back, ${id}`);
    await card.getByRole("button", { name: "Resolve" }).click();
    await page.getByRole("status").filter({ hasText: "It is resolved" }).waitFor();
    assert.equal(await page.locator("section", { hasText: id.split(".")[0] }).count(), 0);
    await page.getByRole("link", { name: "Resolved" }).click();
    await page.locator("section", { hasText: `given back, ${id}` }).waitFor();
    await close(page);
  });
}
