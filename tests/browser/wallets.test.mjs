/** Device wallets on the hosted page, in Chromium with simulated wallets. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { demoSettings } from "../worker/harness.mjs";
import { appleToken, googleToken } from "../worker/wallets.mjs";
import { accessibility, alive, asking, browser, close, open, stand, till } from "./browser.mjs";
import { APPLE, GOOGLE, putWallets } from "./wallets.mjs";

stand();

async function transaction(fields = {}) {
  const created = await till.create({
    pg_codes: ["knet", "credit-card"], amount: "10.000", redirect_url: `${till.url}/sandbox/shop/`, webhook_url: `${till.url}/sandbox/inbox/wallets/`, ...fields,
  });
  assert.equal(created.status, 201, created.text);
  return { ...created.body, checkout_url: asking(created.body.checkout_url, "knet") };
}

const state = async (session_id) => (await till.retrieve(session_id)).body.state;
/** What happened, also on pages that were left since. */
async function recording(page) {
  const seen = [];
  await page.exposeFunction("keep", (entry) => { seen.push(JSON.parse(entry)); });
  await page.addInitScript(() => {
    const push = globalThis.record.push;
    globalThis.record.push = (entry) => {
      globalThis.keep(JSON.stringify(entry));
      return push.call(globalThis.record, entry);
    };
  });
  return seen;
}

for (const language of ["en", "ar"]) {
  for (const wallet of ["apple", "google"]) {
    test(`${wallet} pays in ${language}, from the press of the button to the merchant`, async () => {
      const { session_id, checkout_url } = await transaction({ language });
      const page = await open(browser);
      await putWallets(page, { [wallet]: wallet === "apple" ? appleToken("visa-approve") : googleToken("visa-approve") });
      const seen = await recording(page);
      await page.goto(checkout_url);
      await alive(page);
      const name = `${language === "ar" ? "الدفع عبر" : "Pay with"} ${wallet === "apple" ? "Apple" : "Google"} Pay`;
      const button = page.getByRole("button", { name, exact: true });
      await button.waitFor();
      assert.equal(await page.locator(wallet === "apple" ? GOOGLE : APPLE).isVisible(), false);
      await button.click();
      await page.waitForURL("**/sandbox/shop/**");
      assert.equal(await state(session_id), "paid");
      assert.equal(new URL(page.url()).searchParams.get("session_id"), session_id);
      if (wallet === "apple") {
        const [[, version, request, gesture], [, session], [, status]] = seen;
        assert.deepEqual([version, request.total, request.currencyCode, request.countryCode, gesture], [3, { label: "Demo Store", amount: "10.200", type: "final" }, "KWD", "KW", true]);
        const labels = language === "ar" ? ["المبلغ", "رسوم البطاقة"] : ["Amount", "Card fee"];
        assert.deepEqual(request.lineItems, [{ label: labels[0], amount: "10.000", type: "final" }, { label: labels[1], amount: "0.200", type: "final" }]);
        assert.deepEqual([session.merchantIdentifier, session.domainName, status], ["merchant.invalid.sandbox.till", new URL(till.url).hostname, 0]);
      } else {
        const [[, [method], details, gesture], [, result]] = seen;
        assert.deepEqual([method.supportedMethods, method.data.environment, details.total.amount.value, gesture, result], ["https://google.com/pay", "TEST", "10.20", true, "success"]);
        // Google takes whole amounts or exactly two decimals, also in dinars.
        for (const price of [method.data.transactionInfo.totalPrice, ...method.data.transactionInfo.displayItems.map((item) => item.price)]) {
          assert.match(price, /^[0-9]+(\.[0-9][0-9])?$/);
        }
        const parts = ["10.00", "0.20"];
        assert.deepEqual(details.displayItems.map(({ amount }) => amount), parts.map((value) => ({ currency: "KWD", value })));
        assert.deepEqual(method.data.transactionInfo.displayItems.map(({ price }) => price), parts);
        assert.deepEqual(method.data.allowedPaymentMethods[0].tokenizationSpecification.parameters, { gateway: "sandbox", gatewayMerchantId: "till-demo" });
      }
      await close(page);
    });
  }
}

test("without a wallet on the device, and without JavaScript, there is no button for one", async () => {
  const { checkout_url } = await transaction();
  for (const javaScriptEnabled of [true, false]) {
    const page = await open(browser, { javaScriptEnabled });
    await page.goto(checkout_url);
    if (javaScriptEnabled) await alive(page);
    for (const button of await page.locator("[data-wallet]").all()) assert.equal(await button.isVisible(), false);
    assert.equal(await page.locator("[data-wallet]").count(), 2);
    assert.equal(await page.locator("#pay-button").isVisible(), true);
    await close(page);
  }
});

test("the amount with its fee is next to the button of a wallet, and nobody is asked about it before the press", async () => {
  const { checkout_url } = await transaction();
  const page = await open(browser);
  await page.addInitScript(() => {
    globalThis.asked = 0;
    globalThis.PaymentRequest = class {
      constructor() { globalThis.asked += 1; }
      async show() { throw new DOMException("unknown method", "NotSupportedError"); }
    };
  });
  await page.goto(checkout_url);
  await alive(page);
  assert.match(await page.innerText("[data-express=google_pay]"), /KWD 10\.200 includes Card fee KWD 0\.200/);
  assert.equal(await page.evaluate(() => globalThis.asked), 0);
  await page.click(GOOGLE);
  await page.locator("#notice:not([hidden])").waitFor();
  assert.equal(await page.evaluate(() => globalThis.asked), 1);
  assert.match(await page.innerText("#notice"), /Google Pay is not available in this browser/, "a browser without Google Pay says so only now");
  assert.deepEqual(await page.locator("#notice").evaluate(({ role, className }) => [role, className]), ["status", "notice calm"]);
  assert.equal(await page.evaluate(() => document.activeElement.id), "notice");
  assert.equal(await page.locator("#wallets").count(), 0, "no button, no place, no word between it and the list");
  await close(page);
});

test("an app that shows the page inside itself has no place for Google Pay", async () => {
  const { checkout_url } = await transaction();
  const page = await open(browser, { userAgent: "Mozilla/5.0 (Linux; Android 15; Pixel 9 Build/AP4A; wv) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36" });
  await page.goto(checkout_url);
  await alive(page);
  assert.equal(await page.locator(GOOGLE).count(), 0);
  await close(page);
});

test("a declined wallet is shown by the sheet and by the page, and can be followed by a payment", async () => {
  const { session_id, checkout_url } = await transaction();
  const page = await open(browser, { expected: [/400 \(Bad Request\)/] });
  await putWallets(page, { apple: appleToken("mastercard-decline"), google: googleToken("visa-approve") });
  const seen = await recording(page);
  await page.goto(checkout_url);
  await alive(page);
  await page.click(APPLE);
  await page.locator("main[data-status=declined]").waitFor();
  assert.deepEqual(seen.at(-1), ["completed", 1]);
  assert.match(await page.innerText("#notice"), /haven't been charged/);
  assert.equal(await page.evaluate(() => document.activeElement.id), "notice");
  await page.locator(GOOGLE).click();
  await page.waitForURL("**/sandbox/shop/**");
  assert.equal(await state(session_id), "paid");
  await close(page);
});

test("a sheet that the payer closes leaves the page as it was", async () => {
  const { session_id, checkout_url } = await transaction();
  const page = await open(browser);
  await putWallets(page, { apple: appleToken("visa-approve"), google: googleToken("visa-approve"), refuses: true });
  await page.goto(checkout_url);
  await alive(page);
  for (const button of [APPLE, GOOGLE]) {
    await page.click(button);
    await page.locator("#pay-button[aria-disabled=false]").waitFor();
    assert.equal(await page.locator("#notice").isVisible(), false);
  }
  assert.equal(await state(session_id), "pending");
  await page.click("#pay-button");
  await page.waitForURL("**/sandbox/bank/pay/**");
  await close(page);
});

test("a payment that nobody confirms closes the sheet without a verdict, and the page waits for it", async () => {
  const { session_id, checkout_url } = await transaction();
  const page = await open(browser);
  await putWallets(page, { apple: appleToken("visa-timeout") });
  const seen = await recording(page);
  await page.goto(checkout_url);
  await alive(page);
  await page.click(APPLE);
  await page.locator("main[data-status=pending]").waitFor();
  assert.deepEqual(seen.at(-1), ["aborted"]);
  for (let round = 0; round < 3; round += 1) {
    await till.rows("UPDATE attempt SET inquire_at = 0 WHERE session_id = ?1 AND inquire_at IS NOT NULL", session_id);
    await till.scheduled();
  }
  await page.waitForURL("**/sandbox/shop/**");
  assert.equal(await state(session_id), "paid");
  await close(page);
});

test("3-D Secure leads to the bank and back to the merchant", async () => {
  const { checkout_url } = await transaction();
  const page = await open(browser);
  await putWallets(page, { google: googleToken("visa-3ds") });
  await page.goto(checkout_url);
  await alive(page);
  await page.click(GOOGLE);
  await page.waitForURL("**/sandbox/bank/pay/**");
  await page.click('button[value="confirm"]');
  await page.waitForURL("**/sandbox/shop/**");
  await close(page);
});

test("where the payer may choose, the sheet asks for what they typed with its fee, and opens over nothing else", async () => {
  const { session_id, checkout_url } = await transaction({ type: "payment_request" });
  const page = await open(browser);
  await putWallets(page, { apple: appleToken("visa-approve") });
  const seen = await recording(page);
  await page.goto(checkout_url);
  await alive(page);
  await page.fill("#amount", "99");
  await page.locator(APPLE).click();
  assert.equal(await page.evaluate(() => document.activeElement.id), "amount");
  assert.deepEqual(seen, []);
  await page.fill("#amount", "2.5");
  await page.locator(APPLE).click();
  await page.waitForURL("**/sandbox/shop/**");
  assert.deepEqual(seen[0][2].total.amount, "2.550");
  const [attempt] = await till.rows("SELECT * FROM attempt WHERE session_id = ?1", session_id);
  assert.equal(attempt.stage, "success");
  await close(page);
});

test("a total with a third decimal has no button of Google Pay, which cannot show it", async () => {
  const { checkout_url } = await transaction({ amount: "10.250" });
  const page = await open(browser);
  await putWallets(page, { apple: appleToken("visa-approve"), google: googleToken("visa-approve") });
  await page.goto(checkout_url);
  await alive(page);
  await page.locator(APPLE).waitFor();
  assert.equal(await page.locator(GOOGLE).count(), 0);
  await close(page);
});

test("where the payer may choose, the button of Google Pay is there while its sheet can show what they pay", async () => {
  const { session_id, checkout_url } = await transaction({ type: "payment_request" });
  const page = await open(browser);
  await putWallets(page, { google: googleToken("visa-approve") });
  const seen = await recording(page);
  await page.goto(checkout_url);
  await alive(page);
  const button = page.locator(GOOGLE);
  await button.waitFor();
  // With its fee of two percent: 2.550, 2.499, 3.060.
  for (const [typed, isThere] of [["2.5", true], ["2.45", false], ["3", true]]) {
    await page.fill("#amount", typed);
    assert.equal(await button.isVisible(), isThere, typed);
  }
  await button.click();
  await page.waitForURL("**/sandbox/shop/**");
  const [[, [method], details]] = seen;
  assert.deepEqual([method.data.transactionInfo.totalPrice, details.total.amount.value], ["3.06", "3.06"]);
  assert.equal(await state(session_id), "paid");
  await close(page);
});

test("a merchant whom Apple does not know is reported to the payer, and nothing is tried", async () => {
  const owner = till.merchant;
  const settings = demoSettings();
  settings.gateways.find(({ code }) => code === "credit-card").apple_pay.merchant_id = "merchant.unregistered";
  await till.createMerchant(settings);
  const { session_id, checkout_url } = await transaction();
  const page = await open(browser, { expected: [/400 \(Bad Request\)/] });
  await putWallets(page, { apple: appleToken("visa-approve") });
  await page.goto(checkout_url);
  await alive(page);
  await page.click(APPLE);
  await page.locator("#notice:not([hidden])").waitFor();
  assert.deepEqual(await till.rows("SELECT * FROM attempt WHERE session_id = ?1", session_id), []);
  assert.equal(await page.locator("#pay-button").getAttribute("aria-disabled"), "false");
  await close(page);
  till.merchant = owner;
});

test("the buttons are the first way to pay, large enough, and without a fault for axe, in both languages, light and dark", async () => {
  const { session_id } = await transaction({ customer_id: "c-axe" });
  for (const colorScheme of ["light", "dark"]) {
    // So high that the bar with the button lies over nothing: what is under it can be scrolled to.
    const page = await open(browser, { colorScheme, bypassCSP: true, viewport: { width: 320, height: 1100 } });
    await putWallets(page, { apple: appleToken("visa-approve"), google: googleToken("visa-approve") });
    for (const language of ["en", "ar"]) {
      await page.goto(`${till.url}/b/checkout/redirect/start/?session_id=${session_id}&language=${language}`);
      await alive(page);
      await page.locator(GOOGLE).waitFor();
      assert.deepEqual(await accessibility(page), [], `${language} ${colorScheme}`);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
      const boxes = await Promise.all([APPLE, GOOGLE, "label.method >> nth=0"].map((part) => page.locator(part).boundingBox()));
      assert.ok(boxes.every(({ height }) => height >= 44));
      assert.ok(boxes[0].y < boxes[1].y && boxes[1].y < boxes[2].y);
      await page.focus(".language");
      await page.focus(APPLE);
      await page.keyboard.press("Tab");
      assert.equal(await page.evaluate(() => document.activeElement.dataset.wallet), "google_pay");
    }
    await close(page);
  }
});
