/** The desk in Chromium: held money that has to be captured in time, and agreements that are paused. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { makeUser } from "../worker/desk.mjs";
import { deskOf } from "../worker/options.mjs";
import { atTheBank, open as pay, payWith, untilWebhooks } from "../worker/payer.mjs";
import { accessibility, browser, close, stand, till } from "./browser.mjs";
import { signedIn } from "./desk.mjs";

const AGREEMENT = { id: "RENT-2026/11 of a rather long name", type: "other" };

let user, held;
stand(async () => {
  await till.createMerchant({ auto_debit: { retries: { insufficient_funds: [] } } });
  user = await makeUser(till, "desk");
  held = await atTheBank(till, { pg_code: "mpgs" });
  await payWith(till, held.page, "visa-approve");
  await till.rows("UPDATE capture_deadline SET remind_at = 0 WHERE session_id = ?1", held.session_id);
  await till.scheduled();
});

/** A customer whose agreement is paused. */
async function paused(customer_id) {
  const fields = { payment_type: "auto_debit", amount: "10.250", customer_id, agreement: AGREEMENT };
  const first = await atTheBank(till, { ...fields, pg_code: "credit-card" });
  await payWith(till, first.page, "visa-no-debit");
  const [{ body }] = await untilWebhooks(till, first);
  till.secrets.add(body.token.token);
  const { session_id } = await pay(till, { ...fields, pg_codes: ["credit-card"] });
  const json = { session_id, token: body.token.token };
  const debited = await till.call("/b/pbl/v2/payment/auto-debit/", { method: "POST", headers: till.privateKey(), json });
  assert.equal(debited.body.result, "failed", debited.text);
}

test("the screens have room and no fault for axe, in both languages, on a phone and a computer", async () => {
  await paused("c-axe");
  for (const language of ["en", "ar"]) {
    for (const viewport of [{ width: 360, height: 640 }, { width: 1280, height: 800 }]) {
      const page = await signedIn(browser, till, user, { viewport, locale: language });
      for (const [name, address] of [["attention", "/attention/"], ["held", `/payments/${held.session_id}/`], ["paused", "/customers/?customer_id=c-axe"]]) {
        await page.goto(deskOf(till.url) + address);
        const where = `${name} ${language} ${viewport.width}`;
        assert.equal(await page.evaluate(() => document.documentElement.lang), language, where);
        assert.deepEqual(await accessibility(page), [], where);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${where} is wider than the window`);
        if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, `${where.replaceAll(" ", "-")}.png`), fullPage: true });
      }
      await close(page);
    }
  }
});

for (const javaScriptEnabled of [true, false]) {
  test(`${javaScriptEnabled ? "with" : "without"} a script someone comes from the list to the customer, and resumes the agreement`, async () => {
    const customer = `c-script-${javaScriptEnabled}`;
    await paused(customer);
    const page = await signedIn(browser, till, user, { javaScriptEnabled, locale: "en" });
    await page.goto(`${deskOf(till.url)}/attention/`);
    const card = page.locator("section", { hasText: "Debits under an agreement are paused" }).first();
    await card.getByRole("link", { name: "…" }).click();
    await page.getByRole("link", { name: customer }).click();
    await page.getByRole("heading", { name: "Paused agreements" }).waitFor();
    await page.getByRole("button", { name: "Resume" }).click();
    await page.waitForURL(/\/customers\//);
    await page.getByRole("heading", { name: "Paused agreements" }).waitFor({ state: "detached" });
    await close(page);
  });
}
