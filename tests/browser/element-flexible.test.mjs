/** Flexible methods in the element <till-checkout>, as on the hosted page: offered, refused, slow, broken, and what the payer is asked for them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { accessibility, browser, close, hold, open, payAtTheBank, till } from "./browser.mjs";
import { created, element, payButton, shop, standShops } from "./shop.mjs";

const PHONE = "+96550001234";
const CHECKING = { en: /^Checking/, ar: /^جارٍ التحقق/ };
const GONE = { en: "Not available for this payment", ar: "غير متاح لهذه الدفعة" };
const OFFERED = { en: "4 payments of 2.500 KWD, no interest", ar: "4 دفعات، كل منها 2.500 KWD، بلا فوائد" };

standShops();

const payment = (fields = {}) => created({ amount: "10.000", pg_codes: ["knet", "later"], customer_phone: PHONE, ...fields });

const line = (page) => element(page).locator("[part=offer]");
const way = (page) => element(page).locator("input[value=later]");
const notesShifts = () => {
  globalThis.shifts = [];
  new PerformanceObserver((list) => globalThis.shifts.push(...list.getEntries().map(({ value, hadRecentInput }) => ({ value, hadRecentInput })))).observe({ type: "layout-shift", buffered: true });
};

/** A page with the element, whose checks wait until `answer` is called. */
async function visit(session_id, { language = "en", width = 360 } = {}) {
  const page = await open(browser, { viewport: { width, height: 900 }, bypassCSP: true, expected: [/400 \(Bad Request\)/, /ERR_FAILED/] });
  const answer = await hold(page, "**/pre-payment-option-check/**");
  await page.goto(`${shop.origin}/?session_id=${session_id}&language=${language}`);
  await payButton(page).waitFor();
  return { page, answer };
}

for (const language of ["en", "ar"]) {
  for (const [mood, amount] of [["offered", "10.000"], ["refused", "10.031"], ["slow", "10.037"], ["broken", "10.039"]]) {
    test(`a method that is ${mood} has its place from the first paint, in ${language}`, async () => {
      for (const width of [360, 1280]) {
        const { page, answer } = await visit(await payment({ amount }), { language, width });
        assert.match(await line(page).innerText(), CHECKING[language]);
        await page.evaluate(notesShifts);
        const before = await payButton(page).boundingBox();
        answer();
        const text = mood === "offered" ? OFFERED[language] : GONE[language];
        await line(page).getByText(text, { exact: true }).waitFor();
        assert.equal(await way(page).isDisabled(), mood !== "offered");
        assert.deepEqual(await payButton(page).boundingBox(), before);
        assert.deepEqual((await page.evaluate(() => globalThis.shifts)).filter(({ value }) => value > 0), [], `${width}`);
        assert.deepEqual(await accessibility(page), []);
        if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/element-${mood}-${language}-${width}.png` });
        await close(page);
      }
    });
  }

  test(`a phone number that the method needs is asked once it is chosen, in ${language}`, async () => {
    const session_id = await payment({ customer_phone: undefined });
    const { page, answer } = await visit(session_id, { language });
    answer();
    await page.waitForResponse("**/pre-payment-option-check/**");
    const field = element(page).locator("#customer_phone");
    assert.equal(await field.count(), 0);
    await way(page).check();
    await field.waitFor();
    for (const typed of ["", "12"]) {
      await field.fill(typed);
      await payButton(page).click();
      await element(page).locator("#customer_phone-fault:not(:empty)").waitFor();
      assert.deepEqual([await field.inputValue(), await field.getAttribute("aria-invalid"), await way(page).isChecked()], [typed, "true", true]);
      assert.ok(await field.evaluate((input) => input.getRootNode().activeElement === input));
      assert.equal(await element(page).locator("[part=notice]").innerText(), "");
      assert.deepEqual(await accessibility(page), []);
      if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/element-form-${language}-${typed}.png` });
    }
    await field.fill("50001234");
    await payButton(page).click();
    await payAtTheBank(page, "visa-approve");
    await page.waitForURL((url) => !url.pathname.startsWith("/sandbox/bank/"));
    const { state, customer_phone } = (await till.retrieve(session_id)).body;
    assert.deepEqual([state, customer_phone], ["paid", PHONE]);
    await close(page);
  });
}

test("who has chosen a method that goes chooses again, and pays with another", async () => {
  const session_id = await payment({ amount: "10.031" });
  const { page, answer } = await visit(session_id);
  await way(page).check();
  assert.match(await payButton(page).innerText(), /^Continue to Pay later · KWD\s10\.031$/);
  answer();
  await line(page).getByText(GONE.en).waitFor();
  assert.deepEqual([await way(page).isChecked(), await payButton(page).getAttribute("aria-disabled")], [false, "true"]);
  await element(page).locator("input[value=knet]").check();
  await payButton(page).click();
  await payAtTheBank(page, "visa-approve");
  await page.waitForURL((url) => !url.pathname.startsWith("/sandbox/bank/"));
  assert.equal((await till.retrieve(session_id)).body.state, "paid");
  await close(page);
});

test("a method whose check gets no answer is not offered", async () => {
  const { page, answer } = await visit(await payment());
  answer({ isCut: true });
  await line(page).getByText(GONE.en).waitFor();
  assert.equal(await way(page).isDisabled(), true);
  await close(page);
});
