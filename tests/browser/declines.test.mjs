/** A payer whose payments were declined too often, in Chromium: the page says how long to wait, and they pay afterwards. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { accessibility, alive, browser, close, open, stand, till } from "./browser.mjs";

stand(() => {});

/** Chooses a card on the bank's page and presses its button. */
async function payAtTheBank(page, card) {
  await page.waitForURL("**/sandbox/bank/pay/**");
  await page.check(`input[value="${card}"]`);
  await page.click('button[value="pay"]');
}

for (const [language, title, wait] of [
  ["en", "Too many declined attempts", "You can try again in 15 minutes."],
  ["ar", "محاولات مرفوضة كثيرة", "بعد 15 دقيقة."],
]) {
  for (const javaScriptEnabled of [true, false]) {
    test(`in ${language} ${javaScriptEnabled ? "with" : "without"} a script, a payer who was declined too often learns how long to wait`, async () => {
      const merchant = await till.createMerchant({ limits: { session_declines: 1, seconds: 900 } });
      const { body } = await till.create({ language, pg_codes: ["knet"] });
      const page = await open(browser, { bypassCSP: true, javaScriptEnabled, expected: [/429/, /favicon/] });
      await page.goto(body.checkout_url);
      if (javaScriptEnabled) await alive(page);
      await page.click("#pay-button");
      await payAtTheBank(page, "mastercard-decline");
      await page.locator("#pay-button").waitFor();
      if (javaScriptEnabled) await alive(page);
      await page.click("#pay-button");
      await page.locator("#notice-title", { hasText: title }).waitFor();
      assert.ok((await page.textContent("#notice-text")).includes(wait));
      if (javaScriptEnabled) assert.deepEqual(await accessibility(page), []);
      const moved = await till.operator(`/merchants/${merchant.merchant_id}/clock/`, { method: "POST", json: { advance: "00:15:00" } });
      assert.equal(moved.status, 200, moved.text);
      await page.click("#pay-button");
      await payAtTheBank(page, "visa-approve");
      await page.waitForURL((address) => !address.pathname.startsWith("/sandbox/bank/"));
      assert.equal((await till.retrieve(body.session_id)).body.state, "paid");
      await close(page);
    });
  }
}
