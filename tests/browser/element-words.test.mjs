/**
 * What the element <till-checkout> says of a try that paid nothing, as the hosted page does, and what it leaves as the payer had it: what
 * they typed in the digits of their language, the caret, the focus.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { demoSettings } from "../worker/harness.mjs";
import { browser, close, hold, open, payAtTheBank, till } from "./browser.mjs";
import { created, element, payButton, shop, standShops } from "./shop.mjs";

standShops();

const notice = (page) => element(page).locator("[part=notice]");
const amount = (page) => element(page).getByRole("textbox", { name: /Amount|المبلغ/ });
const EDITABLE = { type: "payment_request", amount: "20.000", is_amount_editable: true };
/** How an attempt is marked about which its gateway said something else after it had ended. */
const HELD = "the answer of the gateway does not fit the payment and is being checked";

async function visit(session_id, { language = "en", ...options } = {}) {
  const page = await open(browser, { expected: [/favicon/], ...options });
  await page.goto(`${shop.origin}/?session_id=${session_id}&language=${language}`);
  await payButton(page).waitFor();
  return page;
}

test("a try that may have been charged is called so, and not declined, on the hosted page too", async () => {
  for (const [language, title] of [["en", "Your last try is being checked"], ["ar", "محاولتك الأخيرة قيد المراجعة"]]) {
    for (const stage of ["failed", "canceled"]) {
      const session_id = await created({ language });
      const page = await visit(session_id, { language });
      await element(page).locator("input[value=knet]").check();
      await payButton(page).click();
      if (stage === "failed") await payAtTheBank(page, "mastercard-decline");
      else await page.click("button[value=cancel]");
      await page.waitForURL((url) => !url.pathname.startsWith("/sandbox/bank/"));
      assert.equal((await till.rows("UPDATE attempt SET message = ?2 WHERE session_id = ?1 RETURNING stage", session_id, HELD))[0].stage, stage);
      await page.goto(`${shop.origin}/?session_id=${session_id}&language=${language}`);
      await notice(page).getByText(title).waitFor();
      assert.equal(await element(page).locator("[part=next]").count(), 0);
      const texts = [await notice(page).innerText()];
      if (process.env.SHOTS && stage === "failed") await page.screenshot({ path: `${process.env.SHOTS}/checked-element-${language}.png` });
      await page.goto(`${till.url}/b/checkout/redirect/start/?session_id=${session_id}`);
      await page.locator("#notice", { hasText: title }).waitFor();
      texts.push(await page.innerText("main"));
      if (process.env.SHOTS && stage === "failed") await page.screenshot({ path: `${process.env.SHOTS}/checked-page-${language}.png` });
      for (const text of texts) assert.doesNotMatch(text, /haven't been charged|لم يُخصم/, stage);
      await close(page);
    }
  }
});

test("a payment that the gateway did not take is not called declined, and one that the payer left not either", async () => {
  for (const [outcome, title] of [[{ status: "error" }, "The payment could not be started"], [{ status: "canceled", canceled_by: "payer" }, "The payment was not completed"]]) {
    const page = await visit(await created());
    await page.route("**/api/sdk/v1/submit/*/", (route) => route.fulfill({ json: { message: "no", ...outcome }, headers: { "access-control-allow-origin": shop.origin } }));
    await element(page).getByRole("radio", { name: "KNET" }).check();
    await payButton(page).click();
    await notice(page).getByText(title).waitFor();
    assert.doesNotMatch(await notice(page).innerText(), /declined/);
    await close(page);
  }
});

test("an amount in the digits of the payer's language, or with a comma, is paid", async () => {
  for (const [typed, paid] of [["٥٫٥", "5.750"], ["۱۲", "12.250"], ["7,25", "7.500"]]) {
    const session_id = await created(EDITABLE);
    const page = await visit(session_id);
    await amount(page).fill(typed);
    await element(page).getByRole("radio", { name: "KNET" }).check();
    await payButton(page).click();
    await payAtTheBank(page, "visa-approve");
    await page.waitForURL((url) => !url.pathname.startsWith("/sandbox/bank/"));
    assert.equal((await till.retrieve(session_id)).body.paid_amount, paid, typed);
    await close(page);
  }
});

test("who presses without a choice is asked for one", async () => {
  const page = await visit(await created());
  await payButton(page).click({ force: true });
  await notice(page).getByText("Nothing is chosen yet").waitFor();
  assert.equal(await notice(page).getAttribute("role"), "status");
  await close(page);
});

test("another language leaves what the payer chose and typed", async () => {
  const page = await visit(await created(EDITABLE));
  await amount(page).fill("5");
  await element(page).locator("input[value=knet]").check();
  await element(page).evaluate((own) => own.setAttribute("language", "ar"));
  await element(page).locator("[lang=ar] [part=pay]").waitFor();
  assert.deepEqual([await amount(page).inputValue(), await element(page).locator("input[value=knet]").isChecked()], ["5", true]);
  await close(page);
});

test("who tries again after there was no connection goes on inside the element", async () => {
  const session_id = await created();
  const page = await open(browser, { expected: [/favicon/, /ERR_FAILED/] });
  await page.route("**/pymt-txn/submit/**", (route) => route.abort(), { times: 1 });
  await page.goto(`${shop.origin}/?session_id=${session_id}&language=en`);
  await element(page).getByRole("button", { name: "Try again" }).focus();
  const letGo = await hold(page, "**/pymt-txn/submit/**");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.querySelector("till-checkout").shadowRoot.activeElement?.getAttribute("part")), "panel");
  letGo();
  await payButton(page).waitFor();
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.querySelector("till-checkout").shadowRoot.activeElement?.type), "radio");
  await close(page);
});

test("where the payer types stays the same field when the element is rendered again", async () => {
  const merchant = till.merchant;
  try {
    const settings = demoSettings();
    const later = settings.gateways.find(({ code }) => code === "later");
    await till.createMerchant({ ...settings, gateways: [...settings.gateways, { ...later, code: "later-too" }], allowed_origins: [shop.origin] });
    const page = await open(browser, { expected: [/favicon/] });
    let held;
    const isOver = new Promise((resolve) => { held = resolve; });
    await page.route("**/pre-payment-option-check/**", async (route) => {
      if (route.request().postData().includes("later-too")) await isOver;
      await route.continue();
    });
    await page.goto(`${shop.origin}/?session_id=${await created({ amount: "10.000", pg_codes: ["knet", "later", "later-too"], customer_phone: undefined })}&language=en`);
    await element(page).locator("input[value=later]").check();
    const field = element(page).locator("#customer_phone");
    await field.fill("500234");
    await field.evaluate((input) => {
      globalThis.typedIn = input;
      input.setSelectionRange(2, 2);
    });
    held();
    await element(page).locator("[part=offer]", { hasText: "Checking" }).waitFor({ state: "detached" });
    await page.keyboard.type("01");
    assert.equal(await field.inputValue(), "50010234");
    assert.ok(await field.evaluate((input) => input === globalThis.typedIn));
    await close(page);
  } finally {
    till.merchant = merchant;
  }
});
