/**
 * A page that stays open notices what happens elsewhere, in Chromium and in real time: the merchant changes the amount, the currency or a
 * fee, or the payment ends. The hosted page and the element say so before anybody pays the old price.
 */
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { demoSettings } from "../worker/harness.mjs";
import { attempts, eventually } from "../worker/payer.mjs";
import { googleToken } from "../worker/wallets.mjs";
import { alive, browser, close, open, payAtTheBank, till } from "./browser.mjs";
import { element, shop, standShops } from "./shop.mjs";

const TITLES = { en: "The price has changed", ar: "تغيّر السعر" };
/** A page looks every 15 seconds. */
const NOTICED = { timeout: 25_000 };
const SHOTS = process.env.TILL_SHOTS;

/** A shop whose page has the element. */
const pages = () => [
  (query) => `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>A shop</title><link rel="icon" href="${till.url}/icons/till.svg">
    <script type="module" src="${till.url}/sdk/v1/till-checkout.js"></script>
    <till-checkout session-id="${query.get("session_id")}" origin="${till.url}" language="${query.get("language")}"></till-checkout></html>`,
  {},
];

standShops(pages);

async function transaction(fields = {}) {
  const created = await till.create({ amount: "4.000", pg_codes: ["credit-card", "cash"], redirect_url: `${till.url}/sandbox/shop/`, ...fields });
  assert.equal(created.status, 201, created.text);
  return created.body;
}

async function patch({ session_id }, json) {
  const answer = await till.call(`/b/checkout/v1/pymt-txn/${session_id}/`, { method: "PATCH", headers: till.privateKey(), json });
  assert.equal(answer.status, 200, answer.text);
}

/** The hosted page with a method chosen; `page.loads` counts how often it was loaded, `page.asked` how often it asked. */
async function hosted(payment, options) {
  const page = await open(browser, options);
  page.loads = 0;
  page.asked = 0;
  page.on("domcontentloaded", () => { page.loads += 1; });
  page.on("request", (request) => { if (request.url().includes("/redirect/status/")) page.asked += 1; });
  await options?.prepare?.(page);
  await page.goto(payment.checkout_url);
  await alive(page);
  if (await page.locator('input[value="credit-card"]').count() > 0) await page.check('input[value="credit-card"]');
  return page;
}


async function withElement(payment, language, options) {
  const page = await open(browser, options);
  await page.goto(`${shop.origin}/?session_id=${payment.session_id}&language=${language}`);
  await element(page).locator('input[value="credit-card"]').check();
  return page;
}

/** The screen in two sizes, where it is asked for. */
async function shoot(page, name) {
  if (SHOTS === undefined) return;
  mkdirSync(SHOTS, { recursive: true });
  for (const [width, height] of [[360, 640], [1280, 800]]) {
    for (const colorScheme of ["light", "dark"]) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `${SHOTS}/${name}-${width}-${colorScheme}.png` });
    }
  }
}

/** What is shown in the hosted page of a payer who pressed nothing. */
async function assertNoticed(page, language, total) {
  await page.locator("#notice-title", { hasText: TITLES[language] }).waitFor(NOTICED);
  await alive(page);
  assert.equal(await page.locator("#notice").getAttribute("role"), "status");
  assert.ok(await page.locator("#notice").evaluate((notice) => notice === document.activeElement));
  assert.ok(await page.isChecked('input[value="credit-card"]'), "the method is still chosen");
  assert.match(await page.locator("#pay-label .face:visible, #pay-label").first().innerText(), total);
  assert.deepEqual([new URL(page.url()).searchParams.has("repriced"), await page.evaluate(() => history.length)], [false, 2]);
}

// Each waits for a quarter of a minute and more.
describe("at the same time", { concurrency: 12 }, () => {
  for (const language of ["en", "ar"]) {
    test(`the page in ${language} says that the amount or the currency is another one, once, and keeps what was chosen`, async () => {
      const changes = [[{ amount: "400.000" }, /408\.000/], [{ amount: "4.00", currency_code: "SAR" }, /4\.08/]];
      await Promise.all(changes.map(async ([json, total], place) => {
        const payment = await transaction({ language, customer_id: `open-${language}-${place}` });
        const page = await hosted(payment);
        await page.check("input[name=save_card]");
        await patch(payment, json);
        await assertNoticed(page, language, total);
        assert.ok(await page.isChecked("input[name=save_card]"), "the tick stays too");
        await shoot(page, `page-repriced-${language}-${place}`);
        await sleep(17_000);
        assert.equal(page.loads, 2, "it is loaded again once");
        assert.deepEqual(await attempts(till, payment), []);
        await page.click("#pay-button");
        await page.waitForURL("**/sandbox/bank/pay/**");
        await close(page);
      }));
    });

    test(`the element in ${language} says that the amount or the currency is another one, and keeps what was chosen`, async () => {
      const changes = [[{ amount: "400.000" }, /408\.000/], [{ amount: "4.00", currency_code: "SAR" }, /4\.08/]];
      await Promise.all(changes.map(async ([json, total], place) => {
        const payment = await transaction({ language });
        const page = await withElement(payment, language);
        await patch(payment, json);
        await element(page).locator("[part=notice][role=status]", { hasText: TITLES[language] }).waitFor(NOTICED);
        assert.ok(await element(page).locator('input[value="credit-card"]').isChecked());
        assert.match(await element(page).locator("[part=pay]").innerText(), total);
        await shoot(page, `element-repriced-${language}-${place}`);
        await sleep(17_000);
        assert.match(await element(page).locator("[part=notice]").innerText(), new RegExp(TITLES[language]), "an answer without news takes it away from nobody");
        await element(page).locator("[part=pay]").click();
        await page.waitForURL("**/sandbox/bank/pay/**");
        await close(page);
      }));
    });
  }

  test("a typed amount stays if it may still be paid, and is called wrong if not", async () => {
    await Promise.all([["3.000", undefined], ["1.000", /from .*0\.\d+ to .*1\.000|1\.000/]].map(async ([most, fault]) => {
      const payment = await transaction({ type: "payment_request" });
      const page = await hosted(payment);
      await page.fill("#amount", "2.000");
      await patch(payment, { amount: most });
      await page.locator("#notice-title", { hasText: TITLES.en }).waitFor(NOTICED);
      await alive(page);
      assert.equal(await page.inputValue("#amount"), "2.000");
      assert.equal(await page.getAttribute("#amount", "data-most"), most);
      assert.equal(await page.locator("#amount").getAttribute("aria-invalid"), fault === undefined ? null : "true");
      if (fault !== undefined) assert.match(await page.locator("#amount-fault").innerText(), fault);
      await close(page);
    }));
  });

  test("in the element a typed amount stays, and one that nobody typed follows", async () => {
    await Promise.all([["2.000", "2.000"], [undefined, "3.000"]].map(async ([typed, shown]) => {
      const payment = await transaction({ type: "payment_request" });
      const page = await withElement(payment, "en");
      const field = element(page).locator("input[name=amount]");
      if (typed !== undefined) await field.fill(typed);
      await patch(payment, { amount: "3.000" });
      await element(page).locator("[part=notice]", { hasText: TITLES.en }).waitFor(NOTICED);
      assert.equal(await field.inputValue(), shown);
      await close(page);
    }));
  });

  test("a typed amount is no amount of another currency", async () => {
    const payment = await transaction({ type: "payment_request" });
    const page = await hosted(payment);
    await page.fill("#amount", "2.000");
    await patch(payment, { amount: "4.00", currency_code: "SAR" });
    await page.locator("#notice-title", { hasText: TITLES.en }).waitFor(NOTICED);
    await alive(page);
    assert.equal(await page.inputValue("#amount"), "4.00");
    await close(page);
  });

  /** A tab that is not in front. The browser here shows every page, so the page is made to believe it. */
  const turn = (page, isHidden) => page.evaluate((hidden) => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
    Object.defineProperty(document, "visibilityState", { configurable: true, get: () => (hidden ? "hidden" : "visible") });
    document.dispatchEvent(new Event("visibilitychange"));
  }, isHidden);

  test("nobody asks for a page that is not seen, and it looks at once when it is seen again", async () => {
    const payment = await transaction();
    const [page, other] = await Promise.all([hosted(payment), withElement(payment, "en")]);
    let asked = 0;
    other.on("request", (request) => { if (request.url().includes("/pymt-txn/submit/")) asked += 1; });
    await Promise.all([turn(page, true), turn(other, true)]);
    await sleep(1_000);
    [page.asked, asked] = [0, 0];
    await patch(payment, { amount: "400.000" });
    await sleep(20_000);
    assert.deepEqual([page.asked, asked], [0, 0]);
    await Promise.all([turn(page, false), turn(other, false)]);
    await page.locator("#notice-title", { hasText: TITLES.en }).waitFor({ timeout: 5_000 });
    await element(other).locator("[part=notice]", { hasText: TITLES.en }).waitFor({ timeout: 5_000 });
    await close(page);
    await close(other);
  });

  test("a page that nobody touches asks every 15 seconds, once", async () => {
    const page = await hosted(await transaction());
    const times = [Date.now()];
    page.on("request", (request) => { if (request.url().includes("/redirect/status/")) times.push(Date.now()); });
    await eventually("three questions", () => times.length > 3, 60_000);
    await sleep(2_000);
    const pauses = times.slice(1).map((time, place) => time - times[place]);
    assert.ok(pauses.length === 3 && pauses.every((pause) => pause > 10_000), `${pauses} ms`);
    assert.equal(page.loads, 1);
    await close(page);
  });

  test("what happens to the payment elsewhere is noticed: it is canceled, paid, or the time is over", async () => {
    const cases = {
      canceled: ({ session_id }) => till.call(`/b/checkout/api/sdk/v1/cancel/${session_id}/`, { method: "POST", json: { operation: "cancel" } }),
      paid: async (payment) => {
        const there = await hosted(payment);
        await there.click("#pay-button");
        await payAtTheBank(there, "visa-approve");
        await there.waitForURL("**/sandbox/shop/**");
        await close(there);
      },
      expired: ({ session_id }) => till.rows("UPDATE txn SET expires_at = ?1, version = version + 1 WHERE session_id = ?2", Date.now() - 1_000, session_id),
    };
    await Promise.all(Object.entries(cases).map(async ([status, change]) => {
      const payment = await transaction();
      const page = await hosted(payment);
      await change(payment);
      await page.locator(`main[data-status=${status}]`).waitFor(NOTICED);
      await close(page);
    }));
  });

  test("a sheet of a wallet that is open is not paid at the old price, and the new one is shown", async () => {
    const payment = await transaction();
    const page = await hosted(payment, {
      expected: [/status of 409/],
      prepare: (page) => page.addInitScript((token) => {
        globalThis.PaymentRequest = class {
          async canMakePayment() { return true; }
          show() { return new Promise((pay) => { globalThis.paySheet = () => pay({ details: JSON.parse(token), complete: async () => {} }); }); }
        };
      }, googleToken("visa-approve")),
    });
    await page.locator("[data-wallet=google_pay]").click();
    await page.waitForFunction(() => globalThis.paySheet !== undefined);
    await patch(payment, { amount: "400.000" });
    // The sheet is open for longer than the page takes to look.
    await sleep(17_000);
    assert.equal(page.loads, 1, "the page does not go away under the sheet");
    await page.evaluate(() => globalThis.paySheet());
    await assertNoticed(page, "en", /408\.000/);
    assert.deepEqual(await attempts(till, payment), []);
    await close(page);
  });
});

test("another fee is another price: on the page, in the element, and for an amount that is typed", async () => {
  const { gateways } = demoSettings();
  const dearer = gateways.map((gateway) => ({ ...gateway, fees: (gateway.fees ?? []).map((fee) => ({ ...fee, fixed: "1" })) }));
  const settings = (own) => till.operator(`/merchants/${till.merchant.merchant_id}/settings/`, { method: "PUT", json: { ...demoSettings(), allowed_origins: [shop.origin], ...own } });
  const [page, typing, other] = await Promise.all([
    transaction().then((payment) => hosted(payment)), transaction({ type: "payment_request" }).then((payment) => hosted(payment)), transaction().then((payment) => withElement(payment, "en")),
  ]);
  await typing.fill("#amount", "2.000");
  await settings({ gateways: dearer });
  try {
    await Promise.all([
      assertNoticed(page, "en", /5\.080/), assertNoticed(typing, "en", /3\.040/),
      element(other).locator("[part=pay]", { hasText: "5.080" }).waitFor(NOTICED),
    ]);
    assert.equal(await typing.inputValue("#amount"), "2.000");
    assert.match(await element(other).locator("[part=notice]").innerText(), /The price has changed/);
  } finally {
    await settings({});
  }
  for (const one of [page, typing, other]) await close(one);
});
