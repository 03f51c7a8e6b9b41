/** Every screen of the desk in Chromium, in both languages, in the light and the dark, on a phone and a wide window: axe finds nothing, and nothing is wider than the window. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { dispute, makeUser } from "../worker/desk.mjs";
import { OutboundResponse } from "../worker/harness.mjs";
import { deskIds } from "../worker/matrix/desk-ids.mjs";
import { DESK_ROWS } from "../worker/matrix/desk-rows.mjs";
import { deskOf } from "../worker/options.mjs";
import { atTheBank, payWith } from "../worker/payer.mjs";
import { accessibility, browser, close, open, stand, till } from "./browser.mjs";
import { signedIn } from "./desk.mjs";

/** A name as hostile as the API permits: long, of both directions, and markup. */
const NAME = `<b>Sara</b> ${"عبدالرحمن ".repeat(4)}`;

let owner, clerk;
/** The screens: a name for each and its path. */
const screens = [];
stand(async () => {
  till.outbound.on("POST", "https://desk.example.com/hook", () => new OutboundResponse("ok"));
  await till.createMerchant();
  [owner, clerk] = [await makeUser(till, "owner"), await makeUser(till, "clerk", { permissions: [] })];
  const own = await deskIds(till, till.merchant);
  for (const { name, path, fields, status } of DESK_ROWS) {
    if (!fields && status === 200 && !["desk_style", "desk_show_sign_in"].includes(name)) screens.push([name, path(own)]);
  }
  const customer = { customer_email: "sara@example.com", customer_first_name: NAME, order_no: "9".repeat(37), extra: { "a-rather-long-key-of-a-field": "b".repeat(60) } };
  const paid = await atTheBank(till, { pg_code: "credit-card", amount: "12.500", ...customer });
  await payWith(till, paid.page, "visa-approve");
  const refund = await till.call("/b/pbl/v2/operation/", { method: "POST", headers: till.privateKey(), json: { session_id: paid.session_id, operation: "refund", amount: "2.500", reason: "goods_returned", note: NAME } });
  assert.equal(refund.status, 200, refund.text);
  await dispute(till, paid, { dispute_answer_until: "2026-12-05T18:00:00Z" });
  const declined = await atTheBank(till, { pg_code: "credit-card", ...customer });
  await payWith(till, declined.page, "mastercard-decline");
  for (const [name, { session_id }] of [["paid", paid], ["declined", declined]]) screens.push([name, `/payments/${session_id}/`]);
  screens.push(["log of a payment", `/deliveries/?session_id=${paid.session_id}`]);
  screens.push(["long filters", `/payments/?search=${"a".repeat(200)}&state=paid,refunded&pg_code=gone&created_from=2020-01-02T03:04:05Z`]);
  screens.push(["unknown filter", "/payments/?colour=red"], ["nothing found", "/payments/?order_no=nothing"], ["not found", "/nothing/"]);
});

async function looksRight(page, language, name) {
  assert.equal(await page.evaluate(() => document.documentElement.lang), language, name);
  assert.equal(await page.evaluate(() => document.documentElement.dir), language === "ar" ? "rtl" : "ltr", name);
  assert.deepEqual(await accessibility(page), [], name);
  const widest = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(widest[0] <= widest[1], `${name} is ${widest[0]} wide in a window of ${widest[1]}`);
  const cut = await page.evaluate(() => [...document.querySelectorAll(".stacked")].filter((table) => innerWidth < 700 && table.parentElement.scrollWidth > table.parentElement.clientWidth).length);
  assert.equal(cut, 0, `${name} has a table that is cut off on a phone`);
  if (process.env.SHOTS) {
    const { width } = page.viewportSize();
    await page.screenshot({ path: join(process.env.SHOTS, `${name.replaceAll(" ", "-")}-${language}-${await page.evaluate(() => (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"))}-${width}.png`), fullPage: true });
  }
}

for (const language of ["en", "ar"]) {
  for (const colorScheme of ["light", "dark"]) {
    for (const viewport of [{ width: 360, height: 640 }, { width: 1280, height: 800 }]) {
      const options = { viewport, colorScheme, locale: language, expected: [/40[0134]/] };
      test(`${language}, ${colorScheme}, ${viewport.width} pixels: every screen of someone who may do everything`, async () => {
        assert.ok(screens.length >= 12, "the screens come from the table of addresses");
        const page = await signedIn(browser, till, owner, options);
        for (const [name, path] of screens) {
          await page.goto(deskOf(till.url) + path);
          await looksRight(page, language, name);
        }
        await close(page);
      });

      test(`${language}, ${colorScheme}, ${viewport.width} pixels: signing in, and what someone sees who may do nothing`, async () => {
        const page = await open(browser, { bypassCSP: true, ...options });
        await page.goto(`${deskOf(till.url)}/sign-in/`);
        await looksRight(page, language, "sign in");
        await page.fill("#username", "nobody");
        await page.fill("#password", "nothing");
        await page.keyboard.press("Enter");
        await page.locator("[role=alert]").waitFor();
        await looksRight(page, language, "sign in refused");
        await close(page);
        const lesser = await signedIn(browser, till, clerk, options);
        await looksRight(lesser, language, "home of a clerk");
        await lesser.goto(`${deskOf(till.url)}/payments/`);
        await looksRight(lesser, language, "not permitted");
        await close(lesser);
      });
    }
  }
}
