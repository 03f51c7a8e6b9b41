/** The payer removes a saved card on the hosted page, with and without a script. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { accessibility, alive, browser, close, open, stand, till } from "./browser.mjs";

stand();

const cards = async (customer_id) =>
  (await till.call("/b/pbl/v2/card/", { method: "POST", headers: till.privateKey(), json: { type: "sandbox", customer_id } })).body;
const create = async (customer_id, fields = {}) => {
  const created = await till.create({ customer_id, pg_codes: ["credit-card", "knet"], redirect_url: `${till.url}/sandbox/shop/`, ...fields });
  assert.equal(created.status, 201, created.text);
  return created.body;
};

/** A customer with a saved card. */
async function customer(customer_id) {
  const page = await open(browser, { javaScriptEnabled: false });
  await page.goto((await create(customer_id)).checkout_url);
  await page.check("input[value=credit-card]");
  await page.check("input[name=save_card]");
  await page.click("#pay-button");
  await page.waitForURL("**/sandbox/bank/pay/**");
  await page.check('input[value="visa-approve"]');
  await page.click('button[value="pay"]');
  await page.waitForURL("**/sandbox/shop/**");
  await close(page);
}

const remove = (session_id, token) =>
  till.call("/b/checkout/redirect/pay/", { method: "POST", body: new URLSearchParams({ session_id, language: "en", remove_card: token }) });

for (const language of ["en", "ar"]) {
  for (const javaScriptEnabled of [true, false]) {
    test(`in ${language} ${javaScriptEnabled ? "with" : "without"} JavaScript, a card is removed after a question, and nothing is paid`, async () => {
      const customer_id = `r-${language}-${javaScriptEnabled}`;
      await customer(customer_id);
      const { session_id, checkout_url } = await create(customer_id, { language });
      const page = await open(browser, { javaScriptEnabled, bypassCSP: true });
      await page.goto(checkout_url);
      if (javaScriptEnabled) await alive(page);
      const button = page.locator("button[name=remove_card]");
      assert.equal(await button.isVisible(), false, "it is asked for first");
      await page.click(".choose > .more > summary");
      await page.click(".choose form .more > summary");
      assert.match(await button.innerText(), language === "ar" ? /إزالة/ : /Remove Visa/);
      if (javaScriptEnabled) assert.deepEqual(await accessibility(page), []);
      await button.click();
      await page.waitForURL("**/redirect/start/**");
      assert.equal(await page.getAttribute("html", "lang"), language);
      assert.equal(await page.locator("button[name=remove_card]").count(), 0);
      assert.deepEqual(await cards(customer_id), []);
      assert.deepEqual(await till.rows("SELECT * FROM attempt WHERE session_id = ?1", session_id), []);
      await close(page);
    });
  }
}

test("a card of another customer is answered as one that does not exist, and stays", async () => {
  await customer("r-owner");
  const [{ token }] = await cards("r-owner");
  const { session_id } = await create("r-stranger");
  const [theirs, nothing] = [await remove(session_id, token), await remove(session_id, `card_${"0".repeat(32)}`)];
  assert.deepEqual([theirs.status, nothing.status], [404, 404]);
  assert.equal(theirs.text, nothing.text);
  assert.equal((await cards("r-owner")).length, 1);
});
