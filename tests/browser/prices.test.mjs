/**
 * The merchant changes the price under a page that is open, in Chromium: the payer is charged nothing, and reads the new price in
 * their language, with and without JavaScript, by every way to pay, also in the element on the page of a shop.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { demoSettings } from "../worker/harness.mjs";
import { attempts } from "../worker/payer.mjs";
import { appleToken, googleToken } from "../worker/wallets.mjs";
import { alive, browser, close, open, payAtTheBank, till } from "./browser.mjs";
import { shop, standShops } from "./shop.mjs";

const TITLES = { en: "The price has changed", ar: "تغيّر السعر" };

/** A shop whose page has the element. */
const pages = () => [
  (query) => `<!doctype html><html lang="en"><meta charset="utf-8"><title>A shop</title><link rel="icon" href="${till.url}/icons/till.svg">
    <script type="module" src="${till.url}/sdk/v1/till-checkout.js"></script>
    <till-checkout session-id="${query.get("session_id")}" origin="${till.url}" language="${query.get("language")}"></till-checkout></html>`,
  {},
];

standShops(pages);

async function transaction(fields = {}) {
  const created = await till.create({
    amount: "4.000", pg_codes: ["credit-card", "cash"], redirect_url: `${till.url}/sandbox/shop/`, webhook_url: `${till.url}/sandbox/inbox/prices/`, ...fields,
  });
  assert.equal(created.status, 201, created.text);
  return created.body;
}

async function patch({ session_id }, json) {
  const answer = await till.call(`/b/checkout/v1/pymt-txn/${session_id}/`, { method: "PATCH", headers: till.privateKey(), json });
  assert.equal(answer.status, 200, answer.text);
}

let customers = 0;

/** A customer with a saved card, and its token. */
async function saved() {
  const customer_id = `priced-${++customers}`;
  const page = await open(browser);
  await page.goto((await transaction({ customer_id })).checkout_url);
  await alive(page);
  await page.check('input[value="credit-card"]');
  await page.check("input[name=save_card]");
  await page.click("#pay-button");
  await payAtTheBank(page, "visa-approve");
  await page.waitForURL("**/sandbox/shop/**");
  await close(page);
  const [{ token }] = await till.rows("SELECT token FROM card WHERE customer_id = ?1", customer_id);
  return { customer_id, token };
}

/** Chromium logs the refusal, which the page handles. */
const expected = [/status of 409/];

/** Reads that the price is another one, and the total on the button. */
async function assertRenderedAgain(page, language, total) {
  await page.locator("#notice-title", { hasText: TITLES[language] }).waitFor();
  assert.equal(await page.locator("html").getAttribute("lang"), language);
  const label = await page.locator("#pay-label .face:visible, #pay-label").first().innerText();
  assert.match(label, total);
}

for (const language of ["en", "ar"]) {
  for (const javaScriptEnabled of [true, false]) {
    for (const way of ["credit-card", "cash", "saved card"]) {
      test(`${way} in ${language} ${javaScriptEnabled ? "with" : "without"} JavaScript: nothing is charged, and the page shows the new price`, async () => {
        const { customer_id, token } = way === "saved card" ? await saved() : {};
        const payment = await transaction({ language, customer_id });
        const page = await open(browser, { javaScriptEnabled, expected });
        await page.goto(payment.checkout_url);
        if (javaScriptEnabled) await alive(page);
        const code = token ?? way;
        await page.check(`input[value="${code}"]`);
        await patch(payment, { amount: "400.000" });
        await page.click("#pay-button");
        await page.locator("#notice-title", { hasText: TITLES[language] }).waitFor();
        assert.deepEqual(await attempts(till, payment), []);
        if (javaScriptEnabled) {
          await alive(page);
          assert.equal(new URL(page.url()).searchParams.has("repriced"), false, "a reload does not say it again");
        }
        await page.check(`input[value="${code}"]`);
        await assertRenderedAgain(page, language, way === "cash" ? /400\.000/ : /408\.000/);
        await page.click("#pay-button");
        await page.waitForURL(way === "credit-card" ? "**/sandbox/bank/pay/**" : "**/sandbox/shop/**");
        const [{ total }] = await till.rows("SELECT total FROM attempt WHERE session_id = ?1", payment.session_id);
        assert.equal(total, way === "cash" ? 400_000 : 408_000);
        await close(page);
      });
    }
  }
}

test("another currency or fee is another price too", async () => {
  const { gateways } = demoSettings();
  const dearer = gateways.map((gateway) => ({ ...gateway, fees: (gateway.fees ?? []).map((fee) => ({ ...fee, fixed: "1" })) }));
  const settings = (own) => till.operator(`/merchants/${till.merchant.merchant_id}/settings/`, { method: "PUT", json: { ...demoSettings(), allowed_origins: [shop.origin], ...own } });
  for (const [change, total] of [
    [(payment) => patch(payment, { amount: "4.00", currency_code: "SAR" }), /4\.08/],
    [() => settings({ gateways: dearer }), /5\.080/],
  ]) {
    const payment = await transaction();
    const page = await open(browser, { expected });
    await page.goto(payment.checkout_url);
    await alive(page);
    await page.check('input[value="credit-card"]');
    await change(payment);
    await page.click("#pay-button");
    await page.locator("#notice-title", { hasText: TITLES.en }).waitFor();
    await alive(page);
    await page.check('input[value="credit-card"]');
    await assertRenderedAgain(page, "en", total);
    assert.deepEqual(await attempts(till, payment), []);
    await close(page);
  }
  await settings({});
});

test("a typed amount is paid as it was shown: with another fee nothing is charged", async () => {
  const payment = await transaction({ type: "payment_request" });
  const page = await open(browser, { expected });
  await page.goto(payment.checkout_url);
  await alive(page);
  await page.check('input[value="credit-card"]');
  await page.fill("#amount", "2.000");
  await patch(payment, { amount: "2.00", currency_code: "SAR" });
  await page.click("#pay-button");
  await page.locator("#notice-title", { hasText: TITLES.en }).waitFor();
  assert.deepEqual(await attempts(till, payment), []);
  await close(page);
});

/** Wallets that return these tokens when their sheet is paid. */
const putWallets = (page, tokens) =>
  page.addInitScript(({ apple, google }) => {
    globalThis.ApplePaySession = class {
      static STATUS_SUCCESS = 0;
      static STATUS_FAILURE = 1;
      static canMakePayments() { return apple !== undefined; }
      begin() { setTimeout(() => this.onpaymentauthorized({ payment: { token: JSON.parse(apple) } }), 10); }
      completePayment() {}
      abort() {}
    };
    globalThis.PaymentRequest = class {
      async canMakePayment() { return true; }
      async show() { return { details: JSON.parse(google), complete: async () => {} }; }
    };
  }, tokens);

for (const wallet of ["apple", "google"]) {
  test(`${wallet} pay: nothing is charged, and the page shows the new price`, async () => {
    const payment = await transaction({ language: "ar" });
    const page = await open(browser, { expected });
    await putWallets(page, { apple: wallet === "apple" ? appleToken("visa-approve") : undefined, google: googleToken("visa-approve") });
    await page.goto(payment.checkout_url);
    await alive(page);
    await patch(payment, { amount: "400.000" });
    await page.locator(`[data-wallet=${wallet}_pay]`).click();
    await page.locator("#notice-title", { hasText: TITLES.ar }).waitFor();
    assert.deepEqual(await attempts(till, payment), []);
    await alive(page);
    await page.locator(`[data-wallet=${wallet}_pay]`).click();
    await page.waitForURL("**/sandbox/shop/**");
    const [{ total }] = await till.rows("SELECT total FROM attempt WHERE session_id = ?1", payment.session_id);
    assert.equal(total, 408_000);
    await close(page);
  });
}

for (const [language, words] of [["en", "The price has changed"], ["ar", "تغيّر السعر"]]) {
  test(`the element in ${language}: nothing is charged, and it shows the new price`, async () => {
    const payment = await transaction({ language });
    const page = await open(browser, { expected });
    await page.goto(`${shop.origin}/?session_id=${payment.session_id}&language=${language}`);
    const element = page.locator("till-checkout");
    await element.locator('input[value="credit-card"]').check();
    // The element asks now and then by itself; what it shows is what it says.
    await page.route("**/pymt-txn/submit/**", (route) => route.abort(), { times: 3 });
    await patch(payment, { amount: "400.000" });
    await page.unroute("**/pymt-txn/submit/**");
    await element.locator("[part=pay]").click();
    await element.locator("[part=notice]", { hasText: words }).waitFor();
    assert.deepEqual(await attempts(till, payment), []);
    await element.locator("[part=pay]", { hasText: "408.000" }).waitFor();
    await close(page);
  });
}
