/**
 * Saved cards on the hosted page, in Chromium, with and without JavaScript: saved by a checkbox, shown, paid
 * with.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { accessibility, alive, browser, close, open, stand, till } from "./browser.mjs";

stand();

async function transaction(customer_id, fields = {}) {
  const created = await till.create({
    customer_id, pg_codes: ["knet", "credit-card"], redirect_url: `${till.url}/sandbox/shop/`,
    webhook_url: `${till.url}/sandbox/inbox/saved/`, ...fields,
  });
  assert.equal(created.status, 201, created.text);
  return created.body;
}

const state = async (session_id) => (await till.retrieve(session_id)).body.state;
const cards = async (customer_id) =>
  (await till.call("/b/pbl/v2/card/", { method: "POST", headers: till.privateKey(), json: { type: "sandbox", customer_id } })).body;

/** The payer chooses a card on the bank's page, with the checkbox ticked or not. */
async function chooseAtTheBank(page, checkout_url, { card = "visa-approve", saves = true, javaScriptEnabled = true } = {}) {
  await page.goto(checkout_url);
  if (javaScriptEnabled) await alive(page);
  await page.check('input[value="credit-card"]');
  if (saves) await page.check("input[name=save_card]");
  await page.click("#pay-button");
  await page.waitForURL("**/sandbox/bank/pay/**");
  await page.check(`input[value="${card}"]`);
  await page.click('button[value="pay"]');
}

/** The same, and is led back to the shop. */
async function payAtTheBank(page, checkout_url, options) {
  await chooseAtTheBank(page, checkout_url, options);
  await page.waitForURL("**/sandbox/shop/**");
}

for (const language of ["en", "ar"]) {
  for (const javaScriptEnabled of [true, false]) {
    const how = `${language} ${javaScriptEnabled ? "with" : "without"} JavaScript`;
    test(`in ${how}, a card is saved by a tick and pays the next time without the bank's page`, async () => {
      const customer = `c-${language}-${javaScriptEnabled}`;
      const page = await open(browser, { javaScriptEnabled });
      await payAtTheBank(page, (await transaction(customer, { language })).checkout_url, { javaScriptEnabled });
      const [saved] = await cards(customer);
      const next = await transaction(customer, { language });
      await page.goto(next.checkout_url);
      if (javaScriptEnabled) await alive(page);
      const first = page.locator("label.method").first();
      assert.match(await first.innerText(), /Visa[^]*1111[^]*01\/39/);
      assert.equal(await first.locator("input").isChecked(), true);
      assert.match(await page.innerText("#pay-button"), language === "ar" ? /10\.455 د\.ك/ : /KWD 10\.455/);
      await page.click("#pay-button");
      await page.waitForURL("**/sandbox/shop/**");
      assert.equal(await state(next.session_id), "paid");
      const [attempt] = await till.rows("SELECT card_use FROM attempt WHERE session_id = ?1", next.session_id);
      assert.equal(attempt.card_use, `payer ${saved.token}`);
      await close(page);
    });
  }
}

test("without the tick no card is saved, and the tick is only next to what it means something for", async () => {
  const page = await open(browser);
  const { checkout_url } = await transaction("c-plain");
  await page.goto(checkout_url);
  await alive(page);
  await page.check('input[value="knet"]');
  assert.equal(await page.locator(".keep").isVisible(), false);
  await page.check('input[value="credit-card"]');
  assert.equal(await page.locator(".keep").isVisible(), true);
  assert.equal(await page.locator("input[name=save_card]").isChecked(), false);
  await payAtTheBank(page, checkout_url, { saves: false });
  assert.deepEqual(await cards("c-plain"), []);
  const nobody = await till.create({ pg_codes: ["credit-card"] });
  await page.goto(nobody.body.checkout_url);
  assert.equal(await page.locator(".keep").count(), 0);
  await close(page);
});

test("the page in the other language has the same saved card, and the same tick, and no address names the card", async () => {
  const page = await open(browser);
  await payAtTheBank(page, (await transaction("c-switch")).checkout_url);
  const { checkout_url } = await transaction("c-switch");
  await page.goto(checkout_url);
  await alive(page);
  for (const [way, tick] of [["credit-card", true], ["card", false]]) {
    const radio = page.locator(way === "card" ? "input[name=pg_code][value^=card_]" : `input[value=${way}]`);
    await radio.check();
    if (tick) await page.check("input[name=save_card]");
    await page.click(".language");
    await alive(page);
    assert.equal(await radio.isChecked(), true, way);
    if (tick) assert.equal(await page.isChecked("input[name=save_card]"), true);
    assert.doesNotMatch(page.url(), /card_/);
  }
  await close(page);
});

test("a card that is over is shown, and cannot be chosen", async () => {
  const page = await open(browser);
  await payAtTheBank(page, (await transaction("c-over")).checkout_url, { card: "visa-expired" });
  const { checkout_url, session_id } = await transaction("c-over");
  await page.goto(checkout_url);
  await alive(page);
  const card = page.locator("label.method.over");
  assert.match(await card.innerText(), /Expired/);
  assert.equal(await card.locator("input").isDisabled(), true);
  assert.equal(await page.locator('input[value="credit-card"]').isChecked(), true);
  const [{ token }] = await cards("c-over");
  const forced = await till.call("/b/checkout/redirect/pay/", { method: "POST", body: new URLSearchParams({ session_id, pg_code: token }) });
  assert.equal(forced.status, 400);
  assert.deepEqual(await till.rows("SELECT * FROM attempt WHERE session_id = ?1", session_id), []);
  await close(page);
});

test("a saved card that is declined is shown, and another method pays", async () => {
  const page = await open(browser);
  await chooseAtTheBank(page, (await transaction("c-declined")).checkout_url, { card: "visa-3ds" });
  await page.click('button[value="confirm"]');
  await page.waitForURL("**/sandbox/shop/**");
  const { checkout_url, session_id } = await transaction("c-declined");
  await page.goto(checkout_url);
  await alive(page);
  await page.click("#pay-button");
  await page.waitForURL("**/sandbox/bank/pay/**");
  await page.click('button[value="fail"]');
  await page.locator("main[data-status=declined]").waitFor();
  assert.match(await page.innerText("#notice"), /The payment was declined[\s\S]*haven.t been charged/);
  await page.check('input[value="knet"]');
  await page.click("#pay-button");
  await page.waitForURL("**/sandbox/bank/pay/**");
  await page.click('button[value="pay"]');
  await page.waitForURL("**/sandbox/shop/**");
  assert.equal(await state(session_id), "paid");
  await close(page);
});

test("two presses at once charge a saved card once", async () => {
  const page = await open(browser);
  await payAtTheBank(page, (await transaction("c-twice")).checkout_url);
  const { session_id } = await transaction("c-twice");
  const [{ token }] = await cards("c-twice");
  const press = () => till.call("/b/checkout/redirect/pay/", { method: "POST", headers: { accept: "application/json" }, body: new URLSearchParams({ session_id, pg_code: token }) });
  const answers = await Promise.all([press(), press(), press()]);
  assert.ok(answers.filter(({ status }) => status === 200).length >= 1);
  assert.equal((await till.rows("SELECT * FROM attempt WHERE session_id = ?1", session_id)).length, 1);
  await close(page);
});

test("saved cards and the tick are without a fault for axe, inside a small phone, and worked with the keyboard alone", async () => {
  const first = await open(browser);
  await payAtTheBank(first, (await transaction("c-axe")).checkout_url);
  await payAtTheBank(first, (await transaction("c-axe")).checkout_url, { card: "visa-expired" });
  await close(first);
  const { session_id } = await transaction("c-axe");
  for (const colorScheme of ["light", "dark"]) {
    const page = await open(browser, { colorScheme, bypassCSP: true, viewport: { width: 320, height: 640 } });
    for (const language of ["en", "ar"]) {
      await page.goto(`${till.url}/b/checkout/redirect/start/?session_id=${session_id}&language=${language}`);
      await alive(page);
      await page.focus("input[name=pg_code]:checked");
      for (let step = 0; step < 5 && !(await page.locator('input[value="credit-card"]').isChecked()); step += 1) await page.keyboard.press("ArrowDown");
      assert.equal(await page.locator('input[value="credit-card"]').isChecked(), true);
      await page.keyboard.press("Tab");
      await page.keyboard.press("Space");
      assert.equal(await page.locator("input[name=save_card]").isChecked(), true);
      assert.deepEqual(await accessibility(page), [], `${language} ${colorScheme}`);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
      const small = await page.evaluate(() =>
        [...document.querySelectorAll("a, button, label")].filter((e) => e.offsetParent && e.getBoundingClientRect().height < 44).map((e) => e.outerHTML));
      assert.deepEqual(small, []);
    }
    await close(page);
  }
});
