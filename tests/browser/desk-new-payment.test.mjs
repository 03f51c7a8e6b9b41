/** The desk in Chromium, with and without a script: a payment is made and its link shown, in both languages, by keyboard, and axe finds nothing. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { PASSWORD, makeUser } from "../worker/desk.mjs";
import { deskOf } from "../worker/options.mjs";
import { accessibility, browser, close, open, stand, till } from "./browser.mjs";

let user;
stand(async () => {
  await till.createMerchant();
  user = await makeUser(till, "owner");
});

async function signedIn(language, options) {
  const page = await open(browser, { bypassCSP: options.javaScriptEnabled !== false, ...options });
  await page.goto(`${deskOf(till.url)}/sign-in/?language=${language}`);
  await page.fill("#username", user.username);
  await page.fill("#password", PASSWORD);
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => !url.pathname.startsWith("/sign-in"));
  return page;
}

for (const language of ["en", "ar"]) {
  for (const [look, options] of Object.entries({
    "a phone, light": { viewport: { width: 360, height: 640 }, colorScheme: "light" },
    "a desktop, dark": { viewport: { width: 1280, height: 800 }, colorScheme: "dark" },
    "no script": { javaScriptEnabled: false, expected: [/400/] },
  })) {
    test(`a payment is made at the desk: ${language}, ${look}`, async () => {
      const page = await signedIn(language, { expected: [/400/], ...options });
      const looksRight = async () => {
        if (options.javaScriptEnabled !== false) assert.deepEqual(await accessibility(page), []);
        const { width } = page.viewportSize();
        assert.ok((await page.locator("html").evaluate((html) => html.scrollWidth)) <= width, "nothing is wider than the page");
        assert.equal(await page.locator("html").getAttribute("dir"), language === "ar" ? "rtl" : "ltr");
      };
      await page.goto(`${deskOf(till.url)}/new-payment/`);
      await looksRight();
      await page.fill("#amount", "ten");
      await page.fill("#customer_email", "sara@example.com");
      await page.check("[name=notify][value=email]");
      await page.locator("main form .button:not(.second)").click();
      assert.equal(await page.locator("#amount").getAttribute("aria-invalid"), "true");
      assert.equal(await page.inputValue("#customer_email"), "sara@example.com");
      await looksRight();
      // What is filled in becomes a template: Enter at its name creates no payment.
      const name = `${language === "ar" ? "شاي" : "Tea"} ${look}`;
      await page.fill("#amount", "2.500");
      await page.locator("main form .button.second").click();
      await looksRight();
      await page.fill("#template", name);
      await page.keyboard.press("Enter");
      await page.locator(".notice.good").waitFor();
      assert.equal(await page.inputValue("#customer_email"), "sara@example.com");
      await looksRight();
      await page.goto(`${deskOf(till.url)}/new-payment/`);
      await page.locator("summary").first().click();
      await page.getByRole("link", { name }).click();
      await page.waitForURL(/template=/);
      assert.deepEqual([await page.inputValue("#amount"), await page.inputValue("#customer_email"), await page.isChecked("[name=notify][value=email]")], ["2.500", "", true]);
      await looksRight();
      await page.locator("details form button").first().click();
      await page.locator(".notice.good").waitFor();
      await page.fill("#customer_email", "sara@example.com");
      await page.check("[name=notify][value=email]");
      await page.fill("#amount", "\u0661\u0662\u066b\u0665");
      await page.locator("main form .button:not(.second)").click();
      await page.waitForURL(/\/payments\/[0-9a-f]+\/link\/$/);
      assert.match(await page.innerText("h1"), /12\.500/);
      await looksRight();
      await page.getByRole("button", { name: /sara@example\.com/ }).click();
      await page.waitForURL(/\?sent=1$/);
      await page.locator(".notice.good").waitFor();
      const address = await page.inputValue("#address");
      await page.goto(address);
      // Its amount is in the field, because the payer may choose it.
      assert.equal(await page.inputValue("#amount"), "12.500");
      await close(page);
    });
  }
}
