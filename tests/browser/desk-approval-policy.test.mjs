/** The desk's rules for approvals in Chromium: changed with and without a script, in both languages, on a phone and a computer. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { makeUser } from "../worker/desk.mjs";
import { demoSettings } from "../worker/harness.mjs";
import { accessibility, browser, close, stand, till } from "./browser.mjs";
import { signedIn } from "./desk.mjs";

const WORDS = {
  en: { approvals: "Approvals", rules: "Rules for approvals", refunds: "Refunds", above: "Without approval, of one payment · KWD", day: "One person, in one day · KWD", hours: "Hours in which", check: "See what it would mean", back: "Change something", save: "Save these rules", wait: "Refunds above KWD 50.000 wait for another person.", may: "One person may refund KWD 200.000 a day", saved: "Saved as version", stale: "The settings have changed" },
  ar: { approvals: "الموافقات", rules: "قواعد الموافقات", refunds: "الاسترداد", above: "دون موافقة، للدفعة الواحدة · KWD", day: "للشخص الواحد في اليوم · KWD", hours: "مدة صلاحية الطلب", check: "عرض أثر التعديل", back: "متابعة التعديل", save: "حفظ هذه القواعد", wait: "الاسترداد بما يزيد على 50.000 د.ك: تلزم موافقة شخص آخر.", may: "الحد اليومي لاسترداد الشخص الواحد 200.000 د.ك", saved: "تم الحفظ كنسخة", stale: "تغيّرت الإعدادات" },
};

stand(() => {});

for (const [locale, words] of Object.entries(WORDS)) {
  for (const javaScriptEnabled of [true, false]) {
    for (const viewport of [{ width: 360, height: 640 }, { width: 1280, height: 800 }]) {
      test(`${locale}, ${javaScriptEnabled ? "with" : "without"} a script, ${viewport.width} pixels: the rules are filled in, mended, looked at and saved once`, async () => {
        await till.createMerchant({ ...demoSettings(), currencies: ["KWD", "USD"], approvals: undefined });
        const owner = await makeUser(till, "owner");
        const page = await signedIn(browser, till, owner, { viewport, javaScriptEnabled, locale, expected: [/40[09]/] });
        const looksRight = async (name) => {
          if (javaScriptEnabled) assert.deepEqual(await accessibility(page), [], name);
          const [wide, window] = [await page.locator("html").evaluate((html) => html.scrollWidth), viewport.width];
          assert.ok(wide <= window, `${name} is ${wide} wide in a window of ${window}`);
          if (process.env.SHOTS && javaScriptEnabled) await page.screenshot({ path: join(process.env.SHOTS, `policy-${name}-${locale}-${window}.png`), fullPage: true });
        };
        const press = (name) => page.getByRole("button", { name }).click();
        await page.getByRole("link", { name: words.approvals }).first().click();
        await page.getByRole("link", { name: words.rules }).click();
        await page.getByRole("heading", { level: 1, name: words.rules }).waitFor();
        await looksRight("form");

        await page.getByRole("checkbox", { name: words.refunds, exact: true }).check();
        await page.getByLabel(words.above).fill("50.0001");
        await page.getByLabel(words.day).fill("200");
        await press(words.check);
        await page.locator(".notice.bad").waitFor();
        await looksRight("fault");
        assert.equal(await page.getByLabel(words.above).getAttribute("aria-invalid"), "true");
        assert.equal(await page.getByLabel(words.day).inputValue(), "200");
        await page.getByLabel(words.above).fill("50");
        await press(words.check);
        await page.getByText(words.may).waitFor();
        await page.getByText(words.wait).waitFor();
        await looksRight("confirmation");
        await press(words.back);
        await page.getByLabel(words.hours).fill("12");
        assert.equal(await page.getByLabel(words.above).inputValue(), "50");
        await press(words.check);
        await page.getByRole("button", { name: words.save }).waitFor();

        // The policy that is about to be saved is no longer of the newest settings.
        const other = await till.call("/b/access/v1/webhook-addresses/", { method: "PATCH", headers: till.privateKey(), json: { operations: "https://shop.example.com/hook" } });
        assert.equal(other.status, 200, other.text);
        await press(words.save);
        await page.getByRole("alert").filter({ hasText: words.stale }).waitFor();
        await looksRight("stale");
        assert.equal(await page.getByLabel(words.hours).inputValue(), "12");
        await press(words.check);
        await press(words.save);
        await page.getByRole("status").filter({ hasText: words.saved }).waitFor();
        await looksRight("saved");
        const { body } = await till.operator(`/merchants/${till.merchant.merchant_id}/`);
        assert.deepEqual(body.settings.approvals, { operations: ["refund"], above: { KWD: "50" }, a_day: { KWD: "200" }, approvers: 1, keys: false, hours: 12 });
        await close(page);
      });
    }
  }
}
