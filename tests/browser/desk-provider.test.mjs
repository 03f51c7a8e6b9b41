/**
 * Signing in at the desk through a company's provider in Chromium, without a script, in both languages: through the provider's own
 * page and back, and again for a form that needs it.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, test } from "node:test";
import { CLIENT, COMPANY_PASSWORD, CodeProvider } from "../worker/code-provider.mjs";
import { deskOf } from "../worker/options.mjs";
import { accessibility, browser, close, open, stand, till } from "./browser.mjs";

const SHOP = "company-browser";

let provider;
stand(async () => {
  provider = await new CodeProvider().start([`${deskOf(till.url)}/sign-in/provider/return/${SHOP}/`]);
  for (const secret of [CLIENT.secret, COMPANY_PASSWORD]) till.secrets.add(secret);
  await till.createMerchant({ single_sign_on: { issuer: provider.issuer, audience: "till", accepts_desk: true, client_id: CLIENT.id, client_secret: CLIENT.secret } }, SHOP);
  assert.equal((await till.create({ order_no: "1001" })).status, 201);
}, { sockets: true });
after(() => provider?.stop());

const WORDS = {
  en: { link: "Sign in through your company", code: "Company code", go_on: "Continue", payments: "Payments", asked: "Is it you?", again: "Sign in again", confirmed: "It is you", gone: "You are not signed in" },
  ar: { link: "الدخول عن طريق الشركة", code: "رمز الشركة", go_on: "متابعة", payments: "المدفوعات", asked: "تأكيد الهوية", again: "الدخول مرة أخرى", confirmed: "تم تأكيد الهوية", gone: "لم يتم تسجيل الدخول" },
};

let number = 0;
async function someone() {
  const username = `noura-${(number += 1)}`;
  const made = await till.call("/b/access/v1/users/", { method: "POST", headers: till.privateKey(), json: { username, is_superuser: true } });
  assert.equal(made.status, 201, made.text);
  provider.add(username);
  return made.body;
}

/** The page as it is: axe finds nothing, nothing is wider than the window. */
async function looksRight(page, language, name) {
  await page.waitForLoadState();
  assert.equal(await page.evaluate(() => document.documentElement.lang), language, name);
  assert.deepEqual(await accessibility(page), [], name);
  const [wide, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(wide <= window, `${name} is ${wide} wide in a window of ${window}`);
  if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, `${name}-${language}-${window}.png`), fullPage: true });
}

async function atTheProvider(page, username, button = "Enter") {
  await page.waitForURL(`${provider.issuer}/interaction/**`);
  await page.getByLabel("Name").fill(username);
  await page.getByLabel("Password").fill(COMPANY_PASSWORD);
  await page.getByRole("button", { name: button }).click();
}

for (const [language, words] of Object.entries(WORDS)) {
  for (const width of [360, 1280]) {
    const options = { viewport: { width, height: 800 }, locale: language, bypassCSP: true, expected: [/40[014]/] };

    test(`${language}, ${width} pixels: there and back, and again for a form that needs it`, async () => {
      const { username, id } = await someone();
      const page = await open(browser, options);
      const desk = deskOf(till.url);
      await page.goto(`${desk}/payments/`);
      await page.getByRole("link", { name: words.link }).click();
      await looksRight(page, language, "provider");
      await page.getByLabel(words.code).fill("nobody");
      await page.getByRole("button", { name: words.go_on }).click();
      await page.getByRole("alert").waitFor();
      await looksRight(page, language, "provider-unknown");
      await page.getByLabel(words.code).fill(SHOP);
      await page.getByRole("button", { name: words.go_on }).click();
      await atTheProvider(page, username);
      // Led on by the document in between, and signed in at the first request.
      await page.waitForURL(`${desk}/payments/`);
      assert.equal(await page.innerText("h1"), words.payments);
      const cookies = (await page.context().cookies(desk)).map(({ name, sameSite, httpOnly, secure }) => [name, sameSite, httpOnly, secure]);
      assert.deepEqual(cookies.sort(), [["__Host-desk", "Strict", true, true], ["__Host-desk-trip", "Lax", true, true]]);

      await till.rows("UPDATE desk_session SET factor_at = factor_at - 300001 WHERE user_id = ?", String(id));
      await page.goto(`${desk}/payments/?order_no=1001`);
      await page.locator('form[action="/payments/export/"] button').click();
      assert.equal(await page.innerText("h1"), words.asked);
      await looksRight(page, language, "provider-again");
      await page.getByRole("button", { name: words.again }).click();
      await atTheProvider(page, username);
      await page.getByRole("heading", { level: 1, name: words.confirmed }).waitFor();
      await looksRight(page, language, "provider-confirmed");
      const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: words.go_on }).click()]);
      assert.match(download.suggestedFilename(), /\.csv$/);
      await close(page);
    });

    test(`${language}, ${width} pixels: who goes back at the provider reads so`, async () => {
      const page = await open(browser, options);
      await page.goto(`${deskOf(till.url)}/sign-in/provider/?merchant=${SHOP}`);
      await page.getByRole("button", { name: words.go_on }).click();
      await atTheProvider(page, "anyone", "Cancel");
      await page.getByRole("heading", { level: 1, name: words.gone }).waitFor();
      await looksRight(page, language, "provider-cancelled");
      await close(page);
    });
  }
}

test("without a script, too, and with the policy of the pages as it is", async () => {
  const { username } = await someone();
  const page = await open(browser, { locale: "en", javaScriptEnabled: false });
  await page.goto(`${deskOf(till.url)}/sign-in/provider/?merchant=${SHOP}`);
  await page.getByRole("button", { name: "Continue" }).click();
  await atTheProvider(page, username);
  await page.waitForURL(`${deskOf(till.url)}/`);
  await page.getByRole("link", { name: "Payments" }).first().waitFor();
  await close(page);
});
