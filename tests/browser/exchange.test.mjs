/** Amounts that are charged in another currency, as the payer sees them before and after paying. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { accessibility, alive, asking, browser, close, open, stand, till } from "./browser.mjs";

stand();

/** The page of an order over 100.00 USD: KNET exchanges them, the card does not. */
async function create(fields = {}) {
  const created = await till.create({ amount: "100.00", currency_code: "USD", pg_codes: ["knet", "credit-card"], ...fields });
  assert.equal(created.status, 201, created.text);
  return asking(created.body.checkout_url, "knet");
}

/** The lines of a list that can be seen, as "label: value". */
const lines = (page, list) =>
  page.locator(`${list} .line`).filter({ visible: true }).evaluateAll((all) =>
    all.map((line) => [...line.children].map((child) => child.textContent.trim()).join(": ")));

const KNET = ["Amount: USD 100.00", "Exchange rate: 1 USD = 0.3075 KWD", "Converted amount: KWD 30.750", "KNET fee: KWD 0.250"];
const CARD = ["Amount: USD 100.00", "Card fee: USD 2.00"];
const unfold = (page) => page.locator(".fold > summary").click();

test("the summary, the button and the receipt follow the method that exchanges and the one that does not", async () => {
  const page = await open(browser);
  await page.goto(await create());
  await alive(page);
  await unfold(page);
  assert.deepEqual(await lines(page, ".summary"), KNET);
  assert.match(await page.innerText("#pay-button"), /KWD 31\.000/);
  await page.check("input[value=credit-card]");
  assert.deepEqual(await lines(page, ".summary"), CARD);
  assert.match(await page.innerText("#pay-button"), /USD 102\.00/);
  await page.check("input[value=knet]");
  assert.deepEqual(await lines(page, ".summary"), KNET);
  await page.click("#pay-button");
  await page.waitForURL("**/sandbox/bank/pay/**");
  assert.match(await page.innerText("main"), /KWD 31\.000|31\.000 KWD/, "the bank asks for what the page said");
  await page.check("input[value=visa-approve]");
  await page.click('button[value="pay"]');
  await page.locator("main[data-status=paid]").waitFor();
  assert.match(await page.innerText(".price"), /KWD 31\.000/);
  assert.deepEqual((await lines(page, ".card")).slice(-5), [...KNET, "Total: KWD 31.000"]);
  await close(page);
});

test("without JavaScript what is on the page is true for every method", async () => {
  const page = await open(browser, { javaScriptEnabled: false });
  await page.goto(await create());
  await unfold(page);
  assert.deepEqual(await lines(page, ".summary"), KNET);
  await page.check("input[value=credit-card]");
  assert.deepEqual(await lines(page, ".summary"), CARD);
  assert.match(await page.innerText("#pay-button"), /USD 102\.00/);
  const [knet, card] = await page.locator(".method .under").allInnerTexts();
  assert.deepEqual(knet.split(/\n+/).map((line) => line.trim()), ["+0.250 fee", "KWD 31.000", "1 USD = 0.3075 KWD"]);
  assert.deepEqual(card.split(/\n+/).map((line) => line.trim()), ["+2.00 fee", "USD 102.00"]);
  await page.goto(await create({ pg_codes: ["knet"] }));
  await unfold(page);
  assert.deepEqual(await lines(page, ".summary"), KNET, "the only method cannot be changed");
  await close(page);
});

test("the screens of an exchange have no fault for axe and fit a phone, in both languages, light and dark", async () => {
  for (const colorScheme of ["light", "dark"]) {
    // Without its policy the bank's page lets the browser request an icon that does not exist.
    const expected = [/favicon\.ico/];
    const page = await open(browser, { colorScheme, bypassCSP: true, expected, viewport: { width: 320, height: 640 } });
    for (const language of ["en", "ar"]) {
      await page.goto(await create({ language, amount: "29000000000.99" }));
      await alive(page);
      assert.deepEqual(await accessibility(page), [], `${language} ${colorScheme}`);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320, language);
      const rate = page.locator("[data-part=rate]");
      assert.deepEqual([await rate.getAttribute("dir"), await rate.textContent()], ["ltr", "1 USD = 0.3075 KWD"]);
      await page.click("#pay-button");
      await page.waitForURL("**/sandbox/bank/pay/**");
      await page.check("input[value=visa-approve]");
      await page.click('button[value="pay"]');
      await page.locator("main[data-status=paid]").waitFor();
      assert.deepEqual(await accessibility(page), [], `paid ${language} ${colorScheme}`);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320, `paid ${language}`);
    }
    await close(page);
  }
});
