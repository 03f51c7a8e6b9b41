/** The receipt for people: what is on it, what can be done with it, and how it looks on paper. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { atTheBank, payWith } from "../worker/payer.mjs";
import { accessibility, browser, close, open, stand, till } from "./browser.mjs";

let address;

stand(async () => {
  await till.createMerchant();
  const payment = await atTheBank(till, { pg_code: "knet", amount: "10.000", order_no: "ORDER-9" });
  await payWith(till, payment.page, "visa-approve");
  const done = await till.call("/b/pbl/v2/operation/", {
    method: "POST", headers: till.privateKey(), json: { session_id: payment.session_id, operation: "refund", amount: "4.000" },
  });
  assert.equal(done.status, 200, done.text);
  address = `${till.url}/b/checkout/redirect/start/?session_id=${payment.session_id}`;
});

test("a receipt says what, to whom, how, when, its references, its costs and what was returned, in this order", async () => {
  const page = await open(browser);
  await page.goto(`${address}&language=en`);
  const labels = (await page.locator(".lines dt").allInnerTexts()).map((text) => text.trim());
  const order = ["Order number", "Paid to", "Payment method", "Date", "Reference number", "Total", "Refunded"];
  assert.deepEqual(labels.filter((label) => order.includes(label)), order);
  const method = await page.locator(".line", { hasText: "Payment method" }).innerText();
  assert.match(method, /KNET[\s\S]*Visa[\s\S]*1111/);
  assert.equal(await page.locator(".line", { hasText: "Payment method" }).locator("svg.emblem").count(), 1, "the mark of the method");
  assert.match(await page.locator(".line", { hasText: "KNET fee" }).innerText(), /KWD 0\.250/);
  await page.click(".outcome .more summary");
  assert.match(await page.locator(".line", { hasText: "Result" }).innerText(), /CAPTURED/);
  assert.match(await page.locator(".line", { hasText: "Refunded" }).innerText(), /KWD 4\.000[\s\S]*20\d\d/);
  await close(page);
});

for (const language of ["en", "ar"]) {
  test(`in ${language} its buttons print, share and copy where the browser can`, async () => {
    const page = await open(browser, { bypassCSP: true, permissions: ["clipboard-read", "clipboard-write"] });
    await page.addInitScript(() => {
      globalThis.shared = [];
      globalThis.print = () => globalThis.shared.push("print");
      navigator.share = async (data) => { globalThis.shared.push(data.url); };
    });
    await page.goto(`${address}&language=${language}`);
    await page.locator("#receipt-actions").waitFor();
    for (const does of ["print", "share", "copy"]) await page.click(`[data-does=${does}]`);
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.equal(copied, address);
    assert.deepEqual(await page.evaluate(() => globalThis.shared), ["print", address]);
    assert.match(await page.innerText("#receipt-done"), language === "en" ? /Link copied/ : /تم نسخ الرابط/);
    assert.deepEqual(await accessibility(page), []);
    await close(page);
  });
}

test("without a script, and where the browser cannot share, there is no button that does nothing", async () => {
  const plain = await open(browser, { javaScriptEnabled: false });
  await plain.goto(address);
  assert.equal(await plain.locator("#receipt-actions button:visible").count(), 0);
  await close(plain);
  const page = await open(browser);
  await page.addInitScript(() => { navigator.share = undefined; });
  await page.goto(address);
  await page.locator("[data-does=print]").waitFor();
  assert.equal(await page.locator("[data-does=share]").isVisible(), false);
  await close(page);
});

for (const [paper, width, height] of [["A4", "210mm", "297mm"], ["80 mm", "80mm", "297mm"]]) {
  for (const language of ["en", "ar"]) {
    test(`on ${paper} in ${language} it is one page with its lines and its code, and without buttons`, async () => {
      const page = await open(browser, { colorScheme: "dark" });
      await page.goto(`${address}&language=${language}`);
      await page.locator("#receipt-actions").waitFor();
      const pdf = await page.pdf({ width, height, printBackground: true });
      const pages = (pdf.toString("latin1").match(/\/Type\s*\/Page\b(?!s)/g) ?? []).length;
      assert.equal(pages, 1);
      await page.emulateMedia({ media: "print" });
      await page.setViewportSize({ width: paper === "A4" ? 718 : 280, height: 1000 });
      for (const hidden of [".button", ".mark", ".foot", "#receipt-actions", ".next"]) {
        for (const element of await page.locator(hidden).all()) assert.equal(await element.isVisible(), false, hidden);
      }
      assert.ok(await page.locator(".genuine img").isVisible());
      assert.ok(await page.locator(".paper").isVisible());
      const [scroll, inner] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      assert.ok(scroll <= inner, `${scroll} of ${inner}`);
      await close(page);
    });
  }
}
