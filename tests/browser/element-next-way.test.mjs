/**
 * After a soft decline the element <till-checkout> offers the next way to pay by one button, as the hosted page does; after a hard one, and
 * while anything may be charged, it offers nothing. On the page of a shop with a strict policy.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { demoSettings } from "../worker/harness.mjs";
import { googleToken } from "../worker/wallets.mjs";
import { accessibility, browser, close, open, payAtTheBank, till } from "./browser.mjs";
import { created, element, payButton, shop, standShops } from "./shop.mjs";

const DECLINED = { en: /^The payment was declined\s+There is not enough money on the card\. Use another card\. You haven't been charged\.\s+You can try Credit card instead\./, ar: /لم يُخصم منك أي مبلغ\.\s+يمكنك تجربة بطاقة ائتمان بدلًا من ذلك\./ };
const LABEL = { en: /^Continue to Credit card · KWD\s10\.200$/, ar: /^المتابعة إلى بطاقة ائتمان · 10\.200\sد\.ك$/ };

standShops();

const payment = (fields = {}) => created({ amount: "10.000", ...fields });
const notice = (page) => element(page).locator("[part=notice]");
const offer = (page) => element(page).locator("[part=next]");
const focused = (page) => page.evaluate(() => document.querySelector("till-checkout").shadowRoot.activeElement?.id);

const visit = (page, session_id, language = "en") => page.goto(`${shop.origin}/?session_id=${session_id}&language=${language}`);
const opened = (options = {}) => open(browser, { viewport: { width: 360, height: 800 }, bypassCSP: true, expected: [/favicon/, /status of 4/, /ERR_INTERNET/], ...options });

/** Chooses KNET and pays with a card at the bank, and waits until the payer has left it. */
async function payByKnet(page, card, press = "pay") {
  await element(page).locator("input[value=knet]").check();
  await payButton(page).click();
  await page.waitForURL("**/sandbox/bank/pay/**");
  await page.check(`input[value="${card}"]`);
  await page.click(`button[value="${press}"]`);
}

const leftTheBank = (page) => page.waitForURL((url) => !url.pathname.startsWith("/sandbox/bank/"));

/** A payer whose bank declined softly, back on the page of the shop. */
async function declined(page, session_id, language) {
  await visit(page, session_id, language);
  await payByKnet(page, "mastercard-decline");
  await leftTheBank(page);
  await visit(page, session_id, language);
  await offer(page).waitFor();
}

/** The gateways of the attempts, the first one first, and what became of them. */
const tried = async (session_id) => (await till.rows("SELECT pg_code, stage FROM attempt WHERE session_id = ?1 ORDER BY number", session_id)).map(({ pg_code, stage }) => [pg_code, stage]);
const decisions = async (session_id) => (await till.call(`/b/checkout/v1/pymt-txn/${session_id}/routing/`, { headers: till.privateKey() })).body.results;

for (const language of ["en", "ar"]) {
  for (const width of [360, 1280]) {
    test(`one press, by keyboard, goes on in ${language}, ${width} wide, and charges once`, async () => {
      const session_id = await payment({ language });
      const page = await opened({ viewport: { width, height: 800 } });
      await declined(page, session_id, language);
      const said = element(page).getByRole("alert");
      assert.match((await said.innerText()).trim(), DECLINED[language]);
      assert.match(await offer(page).innerText(), LABEL[language]);
      assert.equal(await notice(page).locator("button").count(), 1);
      const box = await offer(page).boundingBox();
      assert.ok(box.height >= 44 && box.x >= 0 && box.x + box.width <= width, JSON.stringify(box));
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
      assert.deepEqual(await accessibility(page), []);
      if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/element-next-${language}-${width}.png`, fullPage: true });
      await page.keyboard.press("Tab");
      assert.ok(await offer(page).evaluate((one) => one.getRootNode().activeElement === one), "it is the first thing that the keyboard reaches");
      await page.keyboard.press("Enter");
      await payAtTheBank(page, "visa-approve");
      await leftTheBank(page);
      assert.equal((await till.retrieve(session_id)).body.state, "paid");
      assert.deepEqual(await tried(session_id), [["knet", "failed"], ["credit-card", "success"]]);
      const last = (await decisions(session_id)).at(-1);
      assert.deepEqual([last.decided_by, last.gateways.map(({ pg_code, finding }) => [pg_code, finding])], ["after_decline", [["credit-card", "chosen"], ["knet", "declined"], ["cash", "other_method"]]]);
      await close(page);
    });
  }
}

test("nothing is offered after a hard decline, to a payer who left, or while anything may be charged", async () => {
  for (const [card, press] of [["visa-3ds", "fail"], ["visa-timeout", undefined], ["visa-wrong-amount", undefined], ["visa-approve", "cancel"]]) {
    const session_id = await payment();
    const page = await opened();
    await visit(page, session_id);
    await payByKnet(page, card, press === "cancel" ? press : "pay");
    if (press === "fail") await page.click(`button[value=${press}]`);
    await leftTheBank(page);
    await visit(page, session_id);
    await (press === undefined ? element(page).locator("[part=status]:not(:empty), [part=pay]") : notice(page).locator("strong")).first().waitFor();
    assert.equal(await offer(page).count(), 0, card);
    await close(page);
  }
});

test("two presses at once open one payment, and what follows is said where the focus is", async () => {
  const session_id = await payment();
  const page = await opened();
  await declined(page, session_id);
  await page.evaluate(() => addEventListener("till-redirect", (event) => event.preventDefault()));
  // Read before the browser does anything else: the answer may come at once.
  const [focus, text] = await offer(page).evaluate((button) => {
    const root = button.getRootNode();
    button.focus();
    button.click();
    button.click();
    const { activeElement } = root;
    return [activeElement?.id, activeElement?.innerText];
  });
  assert.equal(focus, "pay");
  assert.match(text, /^Opening your payment/);
  await page.waitForFunction(() => document.querySelector("till-checkout").shadowRoot.querySelector("form").getAttribute("aria-busy") === "false");
  assert.deepEqual([await offer(page).count(), await focused(page)], [0, "pay"]);
  assert.deepEqual((await tried(session_id)).map(([code]) => code), ["knet", "credit-card"]);
  await close(page);
});

test("the offer goes with the words of the decline once the element says something else", async () => {
  const page = await opened();
  await declined(page, await payment());
  await page.context().setOffline(true);
  await element(page).locator("input[value=credit-card]").check();
  await payButton(page).click();
  await notice(page).getByText("No connection").waitFor();
  assert.equal(await offer(page).count(), 0);
  await close(page);
});

test("the offer goes when the payer begins to pay in another tab, and two tabs that press it go to one page", async () => {
  const session_id = await payment();
  const [page, other, third] = [await opened(), await opened(), await opened()];
  await declined(page, session_id);
  for (const tab of [other, third]) {
    await visit(tab, session_id);
    await offer(tab).waitFor();
  }
  await Promise.all([offer(page).click(), offer(other).click()]);
  await Promise.all([page, other].map((tab) => tab.waitForURL("**/sandbox/bank/pay/**").catch(() => notice(tab).getByText("not finished").waitFor())));
  assert.deepEqual((await tried(session_id)).map(([code, stage]) => [code, stage]), [["knet", "failed"], ["credit-card", "redirected"]]);
  await third.bringToFront();
  await offer(third).waitFor({ state: "detached" });
  for (const tab of [page, other, third]) await close(tab);
});

test("a wallet that is declined softly on the page says at once what else there is", async () => {
  const session_id = await payment({ pg_codes: ["credit-card", "knet"] });
  const page = await opened();
  await page.addInitScript((details) => {
    globalThis.PaymentRequest = class {
      canMakePayment() { return Promise.resolve(true); }
      show() { return Promise.resolve({ details: JSON.parse(details), complete: () => Promise.resolve() }); }
    };
  }, googleToken("mastercard-decline"));
  await visit(page, session_id);
  const wallet = element(page).getByRole("button", { name: /Google Pay/ });
  await wallet.waitFor();
  await notice(page).evaluate((part) => {
    globalThis.said = [];
    new MutationObserver(() => part.textContent && globalThis.said.push(part.textContent)).observe(part, { childList: true });
  });
  await wallet.click();
  await offer(page).waitFor();
  assert.match(await offer(page).innerText(), /^Continue to KNET · KWD\s10\.250$/);
  await page.waitForTimeout(3_000);
  assert.equal((await page.evaluate(() => globalThis.said)).length, 1, "a screen reader says it once");
  await offer(page).click();
  await payAtTheBank(page, "visa-approve");
  await leftTheBank(page);
  assert.deepEqual(await tried(session_id), [["credit-card", "failed"], ["knet", "success"]]);
  await close(page);
});

test("an amount that the payer chose stays the amount of the next way", async () => {
  const session_id = await payment({ pg_codes: ["knet", "credit-card"], type: "payment_request" });
  const page = await opened();
  await visit(page, session_id);
  await element(page).getByRole("textbox", { name: "Amount" }).fill("5");
  await payByKnet(page, "mastercard-decline");
  await leftTheBank(page);
  await visit(page, session_id);
  assert.match(await offer(page).innerText(), /KWD\s5\.100$/);
  await offer(page).click();
  await payAtTheBank(page, "visa-approve");
  await leftTheBank(page);
  assert.deepEqual(await tried(session_id), [["knet", "failed"], ["credit-card", "success"]]);
  assert.equal((await till.retrieve(session_id)).body.paid_amount, "5.100");
  await close(page);
});

test("the same method through another gateway is offered where the merchant lets payments go on, and a new price is said first", async () => {
  const settings = { ...demoSettings(), allowed_origins: [shop.origin], routing: { after_decline: true } };
  const group = (gateway) => (gateway.code === "knet" ? [{ ...gateway, group: "debit" }, { ...gateway, group: "debit", code: "knet-2" }] : [gateway]);
  const set = (change = (gateway) => gateway) =>
    till.operator(`/merchants/${till.merchant.merchant_id}/settings/`, { method: "PUT", json: { ...settings, gateways: settings.gateways.flatMap(group).map(change) } });
  assert.equal((await set()).status, 200);
  try {
    const session_id = await payment({ pg_codes: ["knet", "knet-2", "credit-card"] });
    const page = await opened();
    await declined(page, session_id);
    assert.match(await notice(page).innerText(), /You can try KNET again: it is sent another way\./);
    const dearer = (gateway) => (gateway.code === "knet-2" ? { ...gateway, fees: gateway.fees.map((fee) => ({ ...fee, fixed: "0.750" })) } : gateway);
    assert.equal((await set(dearer)).status, 200);
    await offer(page).click();
    await notice(page).getByText("The price has changed").waitFor();
    assert.equal(await offer(page).count(), 0);
    assert.deepEqual(await tried(session_id), [["knet", "failed"]]);
    await set();
    await visit(page, session_id);
    await offer(page).click();
    await payAtTheBank(page, "visa-approve");
    await leftTheBank(page);
    assert.deepEqual(await tried(session_id), [["knet", "failed"], ["knet-2", "success"]]);
    await close(page);
  } finally {
    await till.createMerchant({ ...demoSettings(), allowed_origins: [shop.origin] });
  }
});
