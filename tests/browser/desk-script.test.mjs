/**
 * What the desk does with its script, in Chromium: lists change in place and stay addresses, what someone types is not lost, what is
 * copied arrives in the clipboard, keys lead to the search and along rows, and moments say how long ago they were.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { makeUser } from "../worker/desk.mjs";
import { deskOf } from "../worker/options.mjs";
import { eventually } from "../worker/payer.mjs";
import { browser, close, hold, open, stand, till } from "./browser.mjs";
import { signedIn } from "./desk.mjs";

let owner, desk;
stand(async () => {
  await till.createMerchant();
  owner = await makeUser(till, "owner");
  desk = deskOf(till.url);
  for (let number = 1; number <= 60; number += 1) await till.create({ order_no: `S-${number}`, customer_first_name: "Sara" });
});

/** Under the policy of the desk, as everyone's browser has it. */
const visit = (options) => signedIn(browser, till, owner, { bypassCSP: false, ...options });

/** A page that was not loaded again has the mark that was put on it. */
const mark = (page) => page.evaluate(() => { globalThis.mark = true; });
const isMarked = (page) => page.evaluate(() => globalThis.mark === true);

for (const locale of ["en", "ar"]) {
  test(`${locale}: a list is narrowed, paged and left by way back, each time in place and at its own address`, async () => {
    const page = await visit({ locale });
    await page.goto(`${desk}/payments/`);
    await mark(page);
    const rows = () => page.locator("tbody tr").count();
    assert.equal(await rows(), 50);
    await page.fill("#search", "S-7");
    await page.keyboard.press("Enter");
    await page.waitForURL(/search=S-7/);
    assert.deepEqual([await rows(), await isMarked(page)], [1, true]);
    assert.equal(await page.evaluate(() => document.activeElement.id), "search", "the focus stays");
    assert.match(await page.locator("body > [role=status]").innerText(), /: 1$/);
    assert.match(await page.inputValue("header input[name=back]"), /search=S-7/, "the other language shows the same");

    await page.goto(`${desk}/payments/`);
    await mark(page);
    await page.locator("#state").selectOption("paid");
    await page.waitForURL(/state=paid/);
    assert.deepEqual([await rows(), await isMarked(page)], [0, true]);
    await page.goBack();
    await eventually("what was before", async () => (await rows()) === 50);
    assert.deepEqual([await page.inputValue("#state"), await isMarked(page), new URL(page.url()).search], ["", true, ""]);

    await page.locator('main a[href*="cursor="]').first().click();
    await page.waitForURL(/cursor=/);
    assert.deepEqual([await rows(), await isMarked(page)], [10, true]);
    const inPlace = await page.locator("main").innerHTML();
    await page.reload();
    assert.equal(await rows(), 10, "an address shows the same when it is loaded");
    assert.equal(plain(await page.locator("main").innerHTML()), plain(inPlace));
    await close(page);
  });
}

/** A document without what the script adds as time passes. */
const plain = (html) => html.replaceAll(/ data-ago="[^"]*"| aria-keyshortcuts="[^"]*"/g, "");

test("a wrong filter is named in place, and a session that has ended leads to the sign-in", async () => {
  const page = await visit({ locale: "en", expected: [/400/] });
  await page.goto(`${desk}/payments/`);
  await mark(page);
  await page.fill("#created_from", "2026-11-20");
  await page.fill("#created_to", "2026-11-10");
  await page.locator("main form .button").first().click();
  await page.waitForURL(/created_to=2026-11-10/);
  assert.ok(await isMarked(page));
  assert.equal(await page.inputValue("#created_to"), "2026-11-10", "what was typed stays");
  await page.context().clearCookies();
  await page.locator("#state").selectOption("paid");
  await page.waitForURL(/\/sign-in\//);
  await close(page);
});

test("another language is another page, before and after the sign-in", async () => {
  const page = await open(browser, { locale: "en" });
  await page.goto(`${desk}/sign-in/`);
  await page.locator('main a[href*="language=ar"]').click();
  await page.waitForURL(/language=ar/);
  assert.deepEqual(await page.evaluate(() => [document.documentElement.lang, document.dir, document.querySelector("h1").innerText]), ["ar", "rtl", "تسجيل الدخول"]);
  await close(page);
});

test("without an answer of the desk the browser asks by itself", async () => {
  const page = await visit({ locale: "en", expected: [/ERR_FAILED|net::/] });
  await page.goto(`${desk}/payments/`);
  await mark(page);
  let isFirst = true;
  await page.route(/state=paid/, (route) => {
    if (!isFirst) return route.continue();
    isFirst = false;
    return route.abort();
  });
  await page.locator("#state").selectOption("paid");
  await page.waitForURL(/state=paid/);
  assert.equal(await isMarked(page), false);
  await close(page);
});

test("ids and addresses are copied, and the button says so", async () => {
  const page = await visit({ locale: "en", permissions: ["clipboard-read", "clipboard-write"] });
  await page.goto(`${desk}/payments/?search=S-7`);
  await page.locator("tbody a").first().click();
  const id = await page.locator("code[data-copy]").innerText();
  await page.getByRole("button", { name: "Copy" }).first().click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), id);
  await page.goto(`${desk}/payments/${id}/link/`);
  await page.getByRole("button", { name: "Copy" }).first().click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), await page.inputValue("#address"));
  await close(page);
});

test("keys lead to the search and along the rows, and moments say how long ago they were", async () => {
  const page = await visit({ locale: "ar" });
  await page.goto(`${desk}/me/`);
  await page.keyboard.press("Control+k");
  await page.waitForURL(/\/payments\//);
  await page.keyboard.press("Control+k");
  assert.equal(await page.evaluate(() => document.activeElement.id), "search");
  const links = page.locator("tbody tr td:first-child a");
  await links.first().focus();
  await page.keyboard.press("ArrowDown");
  assert.ok(await links.nth(1).evaluate((link) => link === document.activeElement));
  await page.keyboard.press("ArrowUp");
  assert.ok(await links.first().evaluate((link) => link === document.activeElement));
  assert.match(await page.locator("tbody time").first().getAttribute("data-ago"), /^(قبل|هذه|خلال) /);
  await close(page);
});

test("what is typed into a field is not lost while a list changes", async () => {
  const page = await visit({ locale: "en" });
  await page.goto(`${desk}/payments/`);
  const letGo = await hold(page, /state=paid/);
  await page.locator("#state").selectOption("paid");
  await page.locator("#search").pressSequentially("typed meanwhile");
  letGo();
  await page.waitForURL(/state=paid/);
  assert.equal(await page.inputValue("#search"), "typed meanwhile");
  await close(page);
});
