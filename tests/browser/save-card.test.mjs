/**
 * A card that is only saved, in Chromium: no screen shows an amount or mentions paying, and the card is
 * confirmed.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { accessibility, alive, browser, close, open, stand, till } from "./browser.mjs";

stand();

const WORDS = {
  en: { heading: "Save a card with Demo Store", button: "Save card", free: "Nothing will be charged", done: "Card saved" },
  ar: { heading: "حفظ بطاقة لدى متجر تجريبي", button: "حفظ البطاقة", free: "لن يُخصم أي مبلغ", done: "تم حفظ البطاقة" },
};

async function transaction(fields = {}) {
  const created = await till.create({
    payment_type: "save_card", amount: "0", customer_id: "c-1", pg_codes: ["credit-card"],
    webhook_url: `${till.url}/sandbox/inbox/save-card/`, ...fields,
  });
  assert.equal(created.status, 201, created.text);
  return created.body;
}

/** What a payer reads, without the spaces between. */
const read = async (page) => (await page.innerText("main")).replaceAll(/\s+/g, " ");

for (const language of ["en", "ar"]) {
  for (const javaScriptEnabled of [true, false]) {
    test(`a card is saved in ${language} ${javaScriptEnabled ? "with" : "without"} JavaScript, and no amount is shown`, async () => {
      const { session_id, checkout_url } = await transaction({ language });
      const words = WORDS[language];
      const page = await open(browser, { javaScriptEnabled });
      await page.goto(checkout_url);
      if (javaScriptEnabled) await alive(page);
      const asked = await read(page);
      for (const word of [words.heading, words.button, words.free]) assert.ok(asked.includes(word), `${word}: ${asked}`);
      assert.doesNotMatch(asked, /\bKWD\b|0\.000/);
      await page.click("#pay-button");
      await page.waitForURL("**/sandbox/bank/pay/**");
      assert.doesNotMatch(await read(page), /\bKWD\b/);
      await page.click('button[value="pay"]');
      await page.locator("main[data-status=paid]").waitFor();
      const done = await read(page);
      assert.ok(done.includes(words.done), done);
      assert.doesNotMatch(done, /\bKWD\b|0\.000/);
      assert.equal((await till.retrieve(session_id)).body.state, "paid");
      await close(page);
    });
  }
}

test("the screens of a saved card are without a fault for axe, before and after", async () => {
  for (const language of ["en", "ar"]) {
    const { session_id, checkout_url } = await transaction({ language });
    const page = await open(browser, { bypassCSP: true });
    await page.goto(checkout_url);
    await alive(page);
    assert.deepEqual(await accessibility(page), []);
    const form = (body) => ({ method: "POST", body: new URLSearchParams(body) });
    const sent = await till.call("/b/checkout/redirect/pay/", form({ session_id, pg_code: "credit-card" }));
    const posted = await till.call(sent.headers.get("location"), form({ action: "pay", card: "visa-approve" }));
    await till.call(posted.headers.get("location"));
    await page.goto(checkout_url);
    await page.locator("main[data-status=paid]").waitFor();
    assert.deepEqual(await accessibility(page), []);
    await close(page);
  }
});

test("what goes wrong in the browser is said in words of saving a card", async () => {
  const { checkout_url } = await transaction();
  const page = await open(browser, { expected: [/503 \(Service Unavailable\)/] });
  await page.route("**/b/checkout/redirect/pay/", (route) =>
    route.fulfill({ status: 503, contentType: "application/problem+json", body: '{"code":"wallet_not_configured"}' }));
  await page.goto(checkout_url);
  await alive(page);
  await page.click("#pay-button");
  await page.locator("#notice:not([hidden])").waitFor();
  assert.match(await page.innerText("#notice"), /The bank could not be reached[\s\S]*haven't been charged/);
  assert.match(await page.innerText("#pay-button"), /^\s*Save card\s*$/);
  await close(page);
});
