/** The desk's screens of deliveries and webhooks in Chromium, with and without a script. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { makeUser } from "../worker/desk.mjs";
import { OutboundResponse } from "../worker/harness.mjs";
import { choose, deliverNow, open as pay } from "../worker/payer.mjs";
import { browser, close, stand, till } from "./browser.mjs";
import { signedIn } from "./desk.mjs";

const HOOK = "https://shop.example.com/hook";

let user;
let failed;
stand(async () => {
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
});

for (const javaScriptEnabled of [true, false]) {
  test(`${javaScriptEnabled ? "with" : "without"} a script someone saves an address, tests it, and sends a delivery again`, async () => {
    const page = await signedIn(browser, till, user, { javaScriptEnabled, locale: "en" });
    await page.getByRole("link", { name: "Webhooks" }).first().click();
    await page.getByLabel("E-commerce payments", { exact: true }).fill(HOOK);
    await page.getByRole("button", { name: "Save" }).first().click();
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
