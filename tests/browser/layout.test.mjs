/**
 * The list of payment methods at every width: no name is squeezed, no amount is broken, whatever labels a
 * merchant chose.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { demoSettings, start } from "../worker/harness.mjs";
import { close, launch, open } from "./browser.mjs";

const WIDTHS = [320, 360, 390, 417, 430, 540, 768, 1280];
const LONG = { en: "Card processing fee of the bank that issued your card, each time", ar: "رسوم معالجة البطاقة لدى البنك المُصدر لها في كل عملية دفع" };

let till;
let browser;
before(async () => {
  till = await start();
  const settings = demoSettings();
  for (const gateway of settings.gateways) {
    if (gateway.code === "credit-card") {
      gateway.name = { en: "Mastercard, Visa and American Express", ar: "ماستركارد وفيزا وأمريكان إكسبريس" };
      for (const fee of gateway.fees) fee.description = LONG;
    }
    if (gateway.code === "knet") gateway.fees[0].description = { en: "Card processing fee", ar: "رسوم معالجة البطاقة" };
  }
  await till.createMerchant(settings);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await till.stop();
});

/** The errors in the names and amounts of a page. */
const faults = (page) =>
  page.evaluate(() => {
    const wrong = [];
    const isShown = (element) => element.checkVisibility() && element.textContent.trim() !== "";
    for (const sum of [...document.querySelectorAll(".sum")].filter(isShown)) {
      // A number and the sign of its currency run in two directions, so one line may have several boxes.
      const lines = new Set([...sum.getClientRects()].map(({ top }) => Math.round(top)));
      if (lines.size > 1) wrong.push(`broken: ${sum.textContent}`);
      const box = sum.getBoundingClientRect();
      const panel = (sum.closest(".method, .button, .card, .summary") ?? document.body).getBoundingClientRect();
      if (box.left < panel.left || box.right > panel.right) wrong.push(`outside: ${sum.textContent}`);
    }
    for (const method of [...document.querySelectorAll(".method")].filter(isShown)) {
      const [name, cost] = [method.querySelector(".name"), method.querySelector(".cost")];
      const width = name.getBoundingClientRect().width;
      if (width < 110) wrong.push(`squeezed to ${width} pixels: ${name.textContent}`);
      // No word is broken: each needs at most as much room as the column has.
      if (name.scrollWidth > name.clientWidth + 1 && name.clientWidth > 0) wrong.push(`too wide: ${name.textContent}`);
      if (method.getBoundingClientRect().height > 260) wrong.push(`too tall: ${name.textContent}`);
      if (cost === null) continue;
      const [one, other] = [name.getBoundingClientRect(), cost.getBoundingClientRect()];
      const overlaps = one.left < other.right && other.left < one.right && one.top < other.bottom - 1 && other.top < one.bottom - 1;
      if (overlaps) wrong.push(`the cost lies over ${name.textContent}`);
    }
    if (document.documentElement.scrollWidth > innerWidth) wrong.push(`${document.documentElement.scrollWidth} pixels wide`);
    return wrong;
  });

for (const language of ["en", "ar"]) {
  test(`names, fees and amounts have room at every width in ${language}`, async () => {
    const kinds = {
      usual: { amount: "10.250" },
      large: { amount: "123456.789" },
      exchanged: { amount: "9000000.00", currency_code: "USD", pg_codes: ["knet", "credit-card"] },
      editable: { type: "payment_request", amount: "1234.500" },
    };
    for (const [kind, fields] of Object.entries(kinds)) {
      const created = await till.create({ pg_codes: ["credit-card", "knet", "cash"], language, ...fields });
      assert.equal(created.status, 201, created.text);
      for (const javaScriptEnabled of [true, false]) {
        const page = await open(browser, { javaScriptEnabled });
        await page.goto(created.body.checkout_url);
        if (javaScriptEnabled) await page.locator("html.live").waitFor();
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 800 });
          assert.deepEqual(await faults(page), [], `${kind} at ${width}, script ${javaScriptEnabled}`);
        }
        await close(page);
      }
    }
  });
}
