/** The desk's screens of deliveries and webhooks in Chromium: with and without a script, in both languages, in the light and the dark. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { PASSWORD, makeUser } from "../worker/desk.mjs";
import { OutboundResponse, start } from "../worker/harness.mjs";
import { deskOf } from "../worker/options.mjs";
import { choose, deliverNow, open as pay } from "../worker/payer.mjs";
import { accessibility, close, launch, open } from "./browser.mjs";

const HOOK = "https://shop.example.com/hook";

let till;
let browser;
let user;
let failed;
before(async () => {
  till = await start();
  await till.createMerchant();
  user = await makeUser(till, "desk");
  let count = 0;
  till.outbound.on("POST", HOOK, () => new OutboundResponse("what the receiver says", { status: (count += 1) === 1 ? 200 : 500 }));
  for (let many = 0; many < 3; many += 1) {
    failed = await pay(till, { pg_codes: ["cash"], webhook_url: HOOK });
    await choose(till, failed, "cash");
    await deliverNow(till, failed);
  }
  await till.rows("INSERT INTO receiver (merchant_id, address, disabled_at, reason) VALUES (?1, 'https://gone.example.com/a-rather-long-path-of-a-receiver', 1790000000000, 'gone')", till.merchant.merchant_id);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await till?.stop();
});

async function signedIn(options) {
  const page = await open(browser, options);
  await page.goto(`${deskOf(till.url)}/sign-in/`);
  await page.fill("#username", user.username);
  await page.fill("#password", PASSWORD);
  await page.click("main button.button");
  await page.waitForURL(`${deskOf(till.url)}/`);
  return page;
}

for (const language of ["en", "ar"]) {
  for (const colorScheme of ["light", "dark"]) {
    for (const viewport of [{ width: 360, height: 640 }, { width: 1280, height: 800 }]) {
      test(`${language}, ${colorScheme}, ${viewport.width} pixels: the screens have room and no fault for axe`, async () => {
        const page = await signedIn({ viewport, colorScheme, locale: language, bypassCSP: true });
        const [{ id }] = await till.rows("SELECT id FROM delivery WHERE session_id = ?1", failed.session_id);
        for (const [name, path] of [["deliveries", "/deliveries/"], ["delivery", `/deliveries/${id}/`], ["webhooks", "/webhooks/"]]) {
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
  test(`${javaScriptEnabled ? "with" : "without"} a script someone saves an address, tests it, and sends a delivery again`, async () => {
    const page = await signedIn({ javaScriptEnabled, locale: "en" });
    await page.getByRole("link", { name: "Webhooks" }).first().click();
    await page.getByLabel("E-commerce payments", { exact: true }).fill(HOOK);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("status").filter({ hasText: "Saved as version" }).waitFor();
    await page.getByRole("button", { name: "Send a test: E-commerce payments" }).click();
    await page.getByRole("status").filter({ hasText: "answered 500" }).waitFor();
    await page.getByRole("link", { name: "Deliveries" }).first().click();
    await page.getByLabel("State").first().selectOption("due");
    await page.getByRole("button", { name: "Filter" }).click();
    await page.waitForURL(/state=due/);
    await page.getByRole("link", { name: "Payment webhook" }).first().click();
    await page.getByRole("button", { name: "Send again" }).click();
    await page.getByRole("status").filter({ hasText: "Sent again: 1" }).waitFor();
    await close(page);
  });
}
