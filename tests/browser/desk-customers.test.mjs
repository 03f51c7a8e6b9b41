/** The desk's screen of a customer in Chromium: with and without a script, in both languages, in the light and the dark. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { makeUser } from "../worker/desk.mjs";
import { deskOf } from "../worker/options.mjs";
import { atTheBank, payWith, untilWebhooks } from "../worker/payer.mjs";
import { accessibility, browser, close, stand, till } from "./browser.mjs";
import { signedIn } from "./desk.mjs";

let owner;
stand(async () => {
  await till.createMerchant();
  owner = await makeUser(till, "owner");
});

/** A customer with a payment and a saved card. */
async function save(customer_id) {
  const payment = await atTheBank(till, { payment_type: "save_card", amount: "0", pg_code: "credit-card", customer_id, customer_first_name: "Sara" });
  await payWith(till, payment.page, "visa-approve");
  const [{ body }] = await untilWebhooks(till, payment);
  till.secrets.add(body.token.token);
}

test("the screens have room and no fault for axe, in both languages, light and dark, on a phone and a computer", async () => {
  await save("customer-0123456789");
  for (const language of ["en", "ar"]) {
    for (const colorScheme of ["light", "dark"]) {
      for (const viewport of [{ width: 360, height: 640 }, { width: 1280, height: 800 }]) {
        const page = await signedIn(browser, till, owner, { viewport, colorScheme, locale: language });
        for (const [name, path] of [["customers", "/customers/"], ["customer", "/customers/?customer_id=customer-0123456789"], ["new-payment", "/new-payment/?customer_id=customer-0123456789"]]) {
          await page.goto(deskOf(till.url) + path);
          await page.locator("main details").evaluateAll((all) => all.forEach((one) => (one.open = true)));
          const where = `${name} ${language} ${colorScheme} ${viewport.width}`;
          assert.equal(await page.evaluate(() => document.documentElement.lang), language, where);
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
  test(`${javaScriptEnabled ? "with" : "without"} a script a customer is found, the card deleted, and the data erased`, async () => {
    const id = `c-${javaScriptEnabled}`;
    await save(id);
    const page = await signedIn(browser, till, owner, { javaScriptEnabled, locale: "en" });
    await page.getByRole("link", { name: "Customers" }).first().click();
    await page.getByLabel("Customer id").fill(id);
    await page.getByRole("button", { name: "Find" }).click();
    await page.getByRole("button", { name: "Delete the card" }).click();
    await page.getByRole("status").filter({ hasText: "The card is deleted" }).waitFor();
    await page.locator("summary", { hasText: "Erase" }).click();
    await page.getByLabel("Type the customer id again").fill(id);
    await page.getByRole("button", { name: "Erase" }).click();
    await page.getByRole("status").filter({ hasText: "Erased: 0 payments, 0 cards, 0 agreements. Left: 1." }).waitFor();
    await close(page);
  });
}
