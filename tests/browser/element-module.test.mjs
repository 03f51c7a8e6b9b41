/**
 * What the element <till-checkout> fetches later, in Chromium on a page of another origin with a strict policy: the module, which prices
 * what the payer types, and its words.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { googleToken } from "../worker/wallets.mjs";
import { browser, close, open, till } from "./browser.mjs";
import { created, element, payButton, shop, standShops } from "./shop.mjs";

/** A shop whose policy permits no WebAssembly. */
const pages = () => [
  (query) => `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>A shop</title>
    <link rel="icon" href="data:,"><script type="module" src="${till.url}/sdk/v1/till-checkout.js"></script>
    <till-checkout module session-id="${query.get("session_id")}" origin="${till.url}" language="en"></till-checkout></html>`,
  { "content-security-policy": `default-src 'none'; script-src ${till.url}/sdk/; connect-src ${till.url}; img-src ${till.url} data:; style-src 'self'` },
];

standShops(pages);


/** A page whose policy permits the module, or one whose policy does not. */
async function visitWithModule(session_id, { permits }) {
  const page = await open(browser, permits ? { bypassCSP: true } : { expected: [/Content Security Policy/] });
  await page.addInitScript((details) => {
    globalThis.PaymentRequest = class {
      constructor([method]) { globalThis.shown = method.data.transactionInfo; }
      canMakePayment() { return Promise.resolve(true); }
      show() { return new Promise((resolve) => { globalThis.pay = () => resolve({ details: JSON.parse(details), complete: () => Promise.resolve() }); }); }
    };
  }, googleToken("visa-approve"));
  await page.goto(`${shop.origin}/?session_id=${session_id}`);
  await payButton(page).waitFor();
  return page;
}

test("with the module, a typed amount has its price, which is what is paid, also by a wallet", async () => {
  const session_id = await created({ type: "payment_request", amount: "2000.000", is_amount_editable: true });
  const page = await visitWithModule(session_id, { permits: true });
  assert.match((await element(page).locator("[part=limits]").innerText()).replaceAll("\u00a0", " "), /^From KWD 0\.010 to KWD 2,000\.000$/);
  const field = element(page).getByRole("textbox", { name: "Amount" });
  await field.fill("500");
  await element(page).getByRole("radio", { name: /KNET/ }).check();
  await element(page).locator("[part=pay]", { hasText: "500.250" }).waitFor();
  assert.match(await element(page).locator("[part=wallet-cost]").innerText(), /510\.000/);
  // The caret stays where the payer types, although prices are written again.
  await field.focus();
  await page.keyboard.press("Home");
  await page.keyboard.type("1");
  await element(page).locator("[part=pay]", { hasText: "1,500.250" }).waitFor();
  await page.keyboard.type("2.");
  assert.equal(await field.inputValue(), "12.500");
  await element(page).locator("[part=pay]", { hasText: "12.750" }).waitFor();
  await element(page).getByRole("button", { name: /Google Pay/ }).click();
  const { totalPrice, displayItems } = await page.evaluate(() => globalThis.shown);
  assert.deepEqual([totalPrice, ...displayItems.map(({ price }) => price)], ["12.75", "12.50", "0.25"], "as Google takes amounts");
  await page.evaluate(() => globalThis.pay());
  await page.waitForURL(/redirect\/start/);
  const { state, paid_amount } = (await till.retrieve(session_id)).body;
  assert.deepEqual([state, paid_amount], ["paid", "12.750"]);
  await close(page);
});

test("a page that does not permit the module sells as before", async () => {
  const page = await visitWithModule(await created({ type: "payment_request", amount: "20.000", is_amount_editable: true }), { permits: false });
  await element(page).getByRole("textbox", { name: "Amount" }).fill("5");
  await element(page).getByRole("radio", { name: /KNET/ }).check();
  assert.equal(await payButton(page).innerText(), "Pay");
  await payButton(page).click();
  await page.waitForURL(/\/sandbox\/bank\/pay\//);
  assert.match(await page.innerText("main"), /5\.250/);
  await close(page);
});

test("an element whose words cannot be fetched says so to its page", async () => {
  const page = await open(browser, { expected: [/Failed to load/, /ERR_FAILED/] });
  await page.route("**/sdk/v1/en.js", (route) => route.abort());
  await page.addInitScript(() => addEventListener("till-error", ({ detail: { code } }) => { globalThis.failed = code; }));
  await page.goto(`${shop.origin}/?session_id=${await created()}`);
  await page.waitForFunction(() => globalThis.failed === "unreachable");
  await close(page);
});
