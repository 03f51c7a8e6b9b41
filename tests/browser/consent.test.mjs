/** What a payer agrees to above the button, in both languages, with and without a script, and the evidence of it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { accessibility, alive, browser, close, open, stand, till } from "./browser.mjs";

stand();

let orders = 0;
const TERMS = { amount_variability: "fixed", cycle_interval_days: 30, expiry_date: "2030-01-31", frequency: "monthly", total_cycles: 12 };

async function transaction(language, fields = {}) {
  const created = await till.create({
    payment_type: "auto_debit", amount: "12.500", customer_id: `c-${++orders}`, pg_codes: ["credit-card"], language,
    agreement: { id: `a-${orders}`, ...TERMS }, ...fields,
  });
  assert.equal(created.status, 201, created.text);
  return created.body;
}

const WORDS = {
  en: ["You agree to later payments", "Demo Store", "KWD 12.750", "which includes Card fee KWD 0.250", "every month", "31 January 2030", "at most 12", "To stop it at any time"],
  ar: ["توافق على دفعات لاحقة", "متجر تجريبي", "12.750 د.ك", "يشمل رسوم البطاقة", "يتكرر الخصم: كل شهر", "31 يناير 2030", "12 على الأكثر", "لإيقافها في أي وقت"],
};

for (const language of ["en", "ar"]) {
  for (const javaScriptEnabled of [true, false]) {
    test(`in ${language} ${javaScriptEnabled ? "with" : "without"} a script the terms are above the button, and are stored as they were read`, async () => {
      const { session_id, checkout_url } = await transaction(language);
      const page = await open(browser, { javaScriptEnabled, viewport: { width: 320, height: 640 } });
      await page.goto(checkout_url);
      if (javaScriptEnabled) await alive(page);
      const consent = page.locator("#consent");
      const read = (await consent.innerText()).replaceAll("\u00a0", " ");
      for (const word of WORDS[language]) assert.ok(read.includes(word), `${word} in ${read}`);
      const [terms, button] = [await consent.boundingBox(), await page.locator("#pay-button").boundingBox()];
      assert.ok(terms.y + terms.height <= button.y, "above the button");
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
      const before = Date.now();
      await page.click("#pay-button");
      await page.waitForURL("**/sandbox/bank/pay/**");
      const { consent: evidence } = (await till.retrieve(session_id)).body;
      assert.deepEqual(evidence.text.split("\n").map((line) => line.trim()), read.split("\n").map((line) => line.trim()).filter((line) => line !== ""));
      assert.equal(evidence.language, language);
      assert.equal(evidence.text_version, 3);
      assert.ok(Math.abs(Date.parse(evidence.agreed_at) - before) < 20_000, evidence.agreed_at);
      await close(page);
    });
  }
}

for (const javaScriptEnabled of [true, false]) {
  test(`terms that the merchant changed meanwhile are read before anything is paid, ${javaScriptEnabled ? "with" : "without"} a script`, async () => {
    const { session_id, checkout_url } = await transaction("en");
    const page = await open(browser, { javaScriptEnabled, expected: [/400 \(Bad Request\)/] });
    await page.goto(checkout_url);
    if (javaScriptEnabled) await alive(page);
    const changed = await till.call(`/b/checkout/v1/pymt-txn/${session_id}/`, { method: "PATCH", headers: till.privateKey(), json: { amount: "99.000" } });
    assert.equal(changed.status, 200, changed.text);
    await page.click("#pay-button");
    await page.locator("#consent", { hasText: "KWD 100.980" }).waitFor();
    assert.equal((await till.retrieve(session_id)).body.consent, undefined);
    if (!javaScriptEnabled) assert.match(await page.innerText("#notice"), /The terms have changed/);
    await page.click("#pay-button");
    await page.waitForURL("**/sandbox/bank/pay/**");
    assert.match((await till.retrieve(session_id)).body.consent.text, /KWD 100\.980/);
    await close(page);
  });
}

test("the terms are without a fault for axe, in both languages, light and dark, and a single payment has none", async () => {
  const single = await till.create({ pg_codes: ["credit-card"] });
  for (const colorScheme of ["light", "dark"]) {
    const page = await open(browser, { colorScheme, bypassCSP: true });
    for (const language of ["en", "ar"]) {
      for (const fields of [{}, { payment_type: "save_card", amount: "0", agreement: undefined, webhook_url: `${till.url}/sandbox/inbox/consent/` }]) {
        await page.goto((await transaction(language, fields)).checkout_url);
        await alive(page);
        assert.deepEqual(await accessibility(page), []);
      }
    }
    await page.goto(single.body.checkout_url);
    await alive(page);
    assert.equal(await page.locator("#consent").count(), 0);
    await close(page);
  }
});
