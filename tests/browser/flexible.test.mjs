/** Flexible methods on the hosted page: offered, refused, slow and broken, with and without a script, and what the payer is asked for them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { accessibility, alive, browser, close, hold, open, payAtTheBank, stand, till } from "./browser.mjs";

const PHONE = "+96550001234";
const GONE = { en: "Not available for this payment", ar: "غير متاح لهذه الدفعة" };
const CHECKING = { en: /^Checking/, ar: /^جارٍ التحقق/ };
const OFFERED = { en: "4 payments of 2.500 KWD, no interest", ar: "4 دفعات، كل منها 2.500 KWD، بلا فوائد" };

stand(() => till.createMerchant());

async function payment(fields = {}) {
  const created = await till.create({ amount: "10.000", pg_codes: ["knet", "later"], customer_phone: PHONE, ...fields });
  assert.equal(created.status, 201, created.text);
  return created.body;
}

const notesShifts = () => {
  globalThis.shifts = [];
  new PerformanceObserver((list) => globalThis.shifts.push(...list.getEntries().map(({ value }) => value))).observe({ type: "layout-shift", buffered: true });
};
const line = (page) => page.locator("[data-offer=later]");
const way = (page) => page.locator("input[value=later]");

for (const language of ["en", "ar"]) {
  for (const [mood, amount] of [["offered", "10.000"], ["refused", "10.031"], ["slow", "10.037"], ["broken", "10.039"]]) {
    test(`a method that is ${mood} has its place from the first paint, in ${language}`, async () => {
      for (const width of [360, 1280]) {
        const { checkout_url } = await payment({ amount, language });
        const page = await open(browser, { viewport: { width, height: 800 }, bypassCSP: true });
        await page.addInitScript(notesShifts);
        // The check waits until the page was looked at.
        const answer = await hold(page, "**/pre-payment-option-check/**");
        await page.goto(checkout_url);
        await alive(page);
        await page.waitForFunction(() => document.querySelector("[data-offer=later]").textContent !== "");
        assert.match(await line(page).innerText(), CHECKING[language]);
        const before = await page.locator("#pay-button").boundingBox();
        answer();
        await page.waitForFunction(([text]) => document.querySelector("[data-offer=later]").textContent === text, [mood === "offered" ? OFFERED[language] : GONE[language]]);
        assert.equal(await way(page).isDisabled(), mood !== "offered");
        assert.deepEqual(await page.locator("#pay-button").boundingBox(), before);
        assert.deepEqual(await page.evaluate(() => globalThis.shifts), [], `${width}`);
        assert.deepEqual(await accessibility(page), []);
        await close(page);
      }
    });
  }
}

test("who has chosen a method that goes is asked to choose again, and pays with another", async () => {
  const { session_id, checkout_url } = await payment({ amount: "10.031" });
  const page = await open(browser, { expected: [/400 \(Bad Request\)/] });
  const answer = await hold(page, "**/pre-payment-option-check/**");
  await page.goto(checkout_url);
  await alive(page);
  await way(page).check();
  answer();
  await page.locator("input[value=later]:disabled").waitFor({ state: "attached" });
  assert.equal(await way(page).isChecked(), false);
  await page.click("#pay-button");
  await page.locator("#notice:not([hidden])").waitFor();
  await page.check("input[value=knet]");
  await page.click("#pay-button");
  await payAtTheBank(page, "visa-approve");
  await page.waitForURL((url) => !url.pathname.startsWith("/sandbox/bank/"));
  assert.equal((await till.retrieve(session_id)).body.state, "paid");
  await close(page);
});

for (const javaScriptEnabled of [true, false]) {
  test(`a phone number that the method needs is asked ${javaScriptEnabled ? "with" : "without"} a script`, async () => {
    for (const language of ["en", "ar"]) {
      const { session_id, checkout_url } = await payment({ customer_phone: undefined, language });
      const page = await open(browser, { javaScriptEnabled, bypassCSP: true, viewport: { width: 360, height: 800 }, expected: [/400 \(Bad Request\)/] });
      await page.goto(checkout_url);
      if (javaScriptEnabled) await alive(page);
      const field = page.locator("#customer_phone");
      await page.check("input[value=knet]");
      assert.equal(await field.isVisible(), false);
      await way(page).check();
      assert.equal(await field.isVisible(), true);
      await field.fill("12");
      await page.click("#pay-button");
      await page.locator("#customer_phone-fault:not(:empty)").waitFor();
      assert.deepEqual([await field.inputValue(), await way(page).isChecked()], ["12", true]);
      if (javaScriptEnabled) assert.deepEqual(await accessibility(page), []);
      await field.fill("50001234");
      await page.click("#pay-button");
      await payAtTheBank(page, "visa-approve");
      await page.waitForURL((url) => !url.pathname.startsWith("/sandbox/bank/"));
      const { state, customer_phone } = (await till.retrieve(session_id)).body;
      assert.deepEqual([state, customer_phone], ["paid", PHONE]);
      await close(page);
    }
  });
}

test("without a script the method is shown, and nothing says that it is checked", async () => {
  const { checkout_url } = await payment({ amount: "10.031" });
  const page = await open(browser, { javaScriptEnabled: false });
  await page.goto(checkout_url);
  assert.deepEqual([await way(page).isEnabled(), await line(page).innerText()], [true, ""]);
  await way(page).check();
  await page.click("#pay-button");
  await page.waitForURL("**/sandbox/bank/pay/**");
  await close(page);
});
