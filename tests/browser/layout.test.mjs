/**
 * The list of payment methods at every width: no name is squeezed, no amount is broken, nothing covers anything,
 * whatever labels a merchant chose, however many cards a customer saved, and with letters twice as large.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { demoSettings, start } from "../worker/harness.mjs";
import { accessibility, asking, close, launch, open } from "./browser.mjs";

const WIDTHS = [320, 360, 390, 412, 430, 480, 600, 834, 1024, 1280];
/** Axe looks at a narrow phone, a large one and a desktop; between them only sizes change. */
const READ_AT = [320, 430, 1280];
/** Labels of 56 letters, the longest that settings take as a name. */
const LONG = {
  fee: { en: "Card processing fee of the bank that issued the card now", ar: "رسوم معالجة البطاقة لدى البنك المُصدر لها في كل عملية دفع" },
  name: { en: "Mastercard, Visa and American Express of every bank here", ar: "ماستركارد وفيزا وأمريكان إكسبريس من جميع البنوك المحلية" },
};

let till;
let browser;
let merchants;
before(async () => {
  till = await start();
  browser = await launch();
  await till.createMerchant(demoSettings());
  const owner = till.merchant;
  const settings = demoSettings();
  for (const gateway of settings.gateways) {
    gateway.name = LONG.name;
    for (const fee of gateway.fees) fee.description = LONG.fee;
  }
  await till.createMerchant(settings);
  merchants = { short: owner, long: till.merchant };
  for (const labels of Object.keys(merchants)) {
    till.merchant = merchants[labels];
    await saveCards(`c-${labels}`);
  }
});
after(async () => {
  await browser?.close();
  await till.stop();
});

/** A customer pays with four cards and saves each. */
async function saveCards(customer_id) {
  const page = await open(browser, { javaScriptEnabled: false });
  for (const card of ["visa-approve", "mastercard-approve", "visa-duplicate", "visa-expiring"]) {
    const { body } = await till.create({ customer_id, pg_codes: ["credit-card"], redirect_url: `${till.url}/sandbox/shop/` });
    await page.goto(body.checkout_url);
    const another = page.locator("input[type=radio][value=credit-card]");
    if ((await another.count()) > 0) await another.check();
    await page.check("input[name=save_card]");
    await page.click("#pay-button");
    await page.waitForURL("**/sandbox/bank/pay/**");
    await page.check(`input[value="${card}"]`);
    await page.click('button[value="pay"]');
    await page.waitForURL("**/sandbox/shop/**");
  }
  await close(page);
}

/** The errors in the names and amounts of a page. `isUsual` is whether letters have their usual size. */
const faults = (page, isUsual) =>
  page.evaluate((isUsual) => {
    const wrong = [];
    const isShown = (element) => element.checkVisibility({ visibilityProperty: true }) && element.textContent.trim() !== "";
    const overlap = (one, other) =>
      one.left < other.right - 1 && other.left < one.right - 1 && one.top < other.bottom - 1 && other.top < one.bottom - 1;
    for (const sum of [...document.querySelectorAll(".sum")].filter(isShown)) {
      // A number and the sign of its currency run in two directions, so one line may have several boxes.
      const lines = new Set([...sum.getClientRects()].map(({ top }) => Math.round(top)));
      if (lines.size > 1) wrong.push(`broken: ${sum.textContent}`);
      const box = sum.getBoundingClientRect();
      const panel = (sum.closest(".method, .group, .button, .card, .summary, .choose") ?? document.body).getBoundingClientRect();
      if (box.left < panel.left || box.right > panel.right) wrong.push(`outside: ${sum.textContent}`);
    }
    for (const method of [...document.querySelectorAll(".method")].filter(isShown)) {
      const [name, cost] = [method.querySelector(".name"), method.querySelector(".cost")];
      const width = name.getBoundingClientRect().width;
      if (width < (isUsual ? 110 : 80)) wrong.push(`squeezed to ${width} pixels: ${name.textContent}`);
      // No word is broken: each needs at most as much room as the column has.
      if (isUsual && name.scrollWidth > name.clientWidth + 1 && name.clientWidth > 0) wrong.push(`too wide: ${name.textContent}`);
      const height = method.getBoundingClientRect().height;
      if (isUsual && height > (innerWidth < 390 ? 215 : innerWidth < 480 ? 165 : 140)) wrong.push(`${height} pixels tall: ${method.textContent}`);
      const parts = [...method.children].filter((part) => part.checkVisibility()).map((part) => part.getBoundingClientRect());
      parts.forEach((one, place) => parts.slice(place + 1).forEach((other) => {
        if (overlap(one, other)) wrong.push(`overlap in ${name.textContent}`);
      }));
      if (cost !== null && cost.scrollWidth > cost.clientWidth + 1 && cost.clientWidth > 0) wrong.push(`cost too wide: ${cost.textContent}`);
    }
    const [heading, price] = [".payee", ".price"].map((part) => document.querySelector(part).getBoundingClientRect());
    if (overlap(heading, price)) wrong.push("the total lies over the merchant's name");
    if (document.documentElement.scrollWidth > innerWidth) wrong.push(`${document.documentElement.scrollWidth} pixels wide`);
    return wrong;
  }, isUsual);

/** Opens a page at a size of letters, as a browser does whose reader chose a larger one. */
async function show(url, { size, ...options }) {
  const page = await open(browser, { bypassCSP: true, ...options });
  await page.goto(url);
  if (size !== 100) await page.addStyleTag({ content: `html { font-size: ${size}%; }` });
  return page;
}

for (const language of ["en", "ar"]) {
  for (const labels of ["short", "long"]) {
    for (const cards of [0, 4]) {
      for (const size of [100, 200]) {
        test(`${language}, ${labels} labels, ${cards} saved cards, letters at ${size} %: everything has room at every width`, async () => {
          till.merchant = merchants[labels];
          const customer = cards === 0 ? {} : { customer_id: `c-${labels}` };
          const created = await till.create({ pg_codes: ["knet", "credit-card", "cash"], language, ...customer });
          assert.equal(created.status, 201, created.text);
          const page = await show(asking(created.body.checkout_url, "knet"), { size });
          assert.equal(await page.locator("input[value^=card_]").count(), cards);
          for (const width of WIDTHS) {
            await page.setViewportSize({ width, height: 800 });
            assert.deepEqual(await faults(page, size === 100), [], `at ${width}`);
            if (!READ_AT.includes(width)) continue;
            // High enough for the button to lie over no part of the list, which axe would not scroll.
            await page.setViewportSize({ width, height: 4_000 });
            assert.deepEqual(await accessibility(page), [], `axe at ${width}`);
          }
          await close(page);
        });
      }
    }
  }
}

for (const language of ["en", "ar"]) {
  test(`large, exchanged and typed amounts have room at every width in ${language}`, async () => {
    till.merchant = merchants.long;
    const kinds = {
      large: { amount: "123456.789" },
      exchanged: { amount: "9000000.00", currency_code: "USD", pg_codes: ["knet", "credit-card"] },
      editable: { type: "payment_request", amount: "1234.500" },
    };
    for (const [kind, fields] of Object.entries(kinds)) {
      const created = await till.create({ pg_codes: ["credit-card", "knet", "cash"], language, ...fields });
      assert.equal(created.status, 201, created.text);
      for (const javaScriptEnabled of [true, false]) {
        const page = await open(browser, { javaScriptEnabled });
        await page.goto(asking(created.body.checkout_url, "knet"));
        if (javaScriptEnabled) await page.locator("html.live").waitFor();
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 800 });
          const wrong = (await faults(page, true)).filter((fault) => !fault.includes("tall"));
          assert.deepEqual(wrong, [], `${kind} at ${width}, script ${javaScriptEnabled}`);
        }
        await close(page);
      }
    }
  });

  test(`on the smallest phone the methods begin above the fold and the button is in sight, in ${language}`, async () => {
    till.merchant = merchants.short;
    const { body } = await till.create({ pg_codes: ["knet", "queued", "cash"], order_no: "ORDER-1", customer_first_name: "Noura", language });
    const page = await open(browser, { viewport: { width: 360, height: 640 } });
    await page.goto(body.checkout_url);
    const [first, button] = await Promise.all(["label.method >> nth=0", "#pay-button"].map((part) => page.locator(part).boundingBox()));
    assert.ok(first.y < 330, `the first method begins at ${first.y}`);
    assert.ok(button.y + button.height <= 640, `the button ends at ${button.y + button.height}`);
    await close(page);
  });

  for (const size of [100, 200]) {
    test(`the button stays in reach and never covers what has the focus, in ${language} at ${size} %`, async () => {
      till.merchant = merchants.long;
      const { body } = await till.create({ customer_id: "c-long", pg_codes: ["knet", "credit-card", "cash"], language });
      const page = await show(body.checkout_url, { size, viewport: { width: 360, height: 640 } });
      const button = await page.locator("#pay-button").boundingBox();
      if (size === 100) assert.ok(button.y >= 0 && button.y + button.height <= 640, `at ${button.y}`);
      const reached = new Set();
      for (let step = 0; step < 40; step += 1) {
        await page.keyboard.press(step % 2 === 0 || reached.size < 2 ? "Tab" : "ArrowDown");
        const seen = await page.evaluate(() => {
          const focused = document.activeElement;
          const bar = document.querySelector(".bar");
          if (focused === document.body || bar.contains(focused)) return { name: "bar", covered: false };
          const [box, cover] = [focused.getBoundingClientRect(), bar.getBoundingClientRect()];
          return { name: focused.value ?? focused.className ?? focused.tagName, covered: box.top >= cover.top && box.bottom <= cover.bottom && box.height > 0 };
        });
        reached.add(seen.name);
        assert.equal(seen.covered, false, seen.name);
      }
      assert.ok(reached.size >= 4, [...reached].join());
      await close(page);
    });
  }
}

test("nothing moves on a page with wallets, whether the browser has one or not", async () => {
  till.merchant = merchants.short;
  const { body } = await till.create({ pg_codes: ["knet", "credit-card", "cash"] });
  for (const has of [true, false]) {
    const page = await open(browser);
    await page.addInitScript((has) => {
      if (has) globalThis.PaymentRequest = class { async show() { throw new DOMException("closed", "AbortError"); } };
      globalThis.shift = 0;
      new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => { globalThis.shift += value; })).observe({ type: "layout-shift", buffered: true });
    }, has);
    await page.goto(body.checkout_url);
    await page.locator("html.live").waitFor();
    await page.waitForTimeout(300);
    assert.equal(await page.locator("[data-wallet=google_pay]").isVisible(), has);
    assert.equal(await page.evaluate(() => globalThis.shift), 0);
    await close(page);
  }
});
