/**
 * Whole payments in Chromium: from the hosted page through the bank to the merchant, with and without the
 * page's module.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { alive, asking, browser, close, hold, open, stand, till } from "./browser.mjs";

let inboxes = 0;

stand();

async function transaction(fields = {}) {
  const box = `browser-${++inboxes}`;
  const created = await till.create({
    pg_codes: ["knet", "credit-card", "cash"],
    order_no: `ORDER-${inboxes}`,
    webhook_url: `${till.url}/sandbox/inbox/${box}/`,
    redirect_url: `${till.url}/sandbox/shop/`,
    ...fields,
  });
  assert.equal(created.status, 201, created.text);
  const { session_id, checkout_url, order_no } = created.body;
  return { box, session_id, checkout_url: asking(checkout_url, "knet"), order_no };
}

const answerWith = (box, answer) =>
  till.call(`/sandbox/inbox/${box}/answer/`, { method: "POST", body: new URLSearchParams({ answer }) });
const webhooks = async (box) =>
  (await till.call(`/sandbox/inbox/${box}/`, { headers: { accept: "application/json" } })).body.webhooks;
const state = async (session_id) => (await till.retrieve(session_id)).body.state;

/** Chooses a card on the bank's page and presses its button. */
async function payAtTheBank(page, card = "visa-approve") {
  await page.waitForURL("**/sandbox/bank/pay/**");
  await page.check(`input[value="${card}"]`);
  await page.click('button[value="pay"]');
}

for (const language of ["en", "ar"]) {
  for (const javaScriptEnabled of [true, false]) {
    test(`a payment in ${language} ${javaScriptEnabled ? "with" : "without"} JavaScript ends at the merchant`, async () => {
      const { box, session_id, checkout_url, order_no } = await transaction({ language });
      const page = await open(browser, { javaScriptEnabled });
      await page.goto(checkout_url);
      assert.equal(await page.getAttribute("html", "lang"), language);
      assert.equal(await page.getAttribute("html", "dir"), language === "ar" ? "rtl" : "ltr");
      if (javaScriptEnabled) {
        await alive(page);
        assert.match(await page.innerText("#pay-button"), language === "ar" ? /10\.500 د\.ك/ : /KWD 10\.500/);
      }
      await page.click("#pay-button");
      await payAtTheBank(page);
      await page.waitForURL("**/sandbox/shop/**");
      const { searchParams } = new URL(page.url());
      assert.equal(searchParams.get("order_no"), order_no);
      assert.equal(searchParams.get("session_id"), session_id);
      assert.ok(searchParams.get("reference_number"));
      assert.equal(await state(session_id), "paid");
      assert.equal((await webhooks(box)).length, 1);
      await close(page);
    });
  }
}

test("a receiver that answers 201 keeps the payer on the summary, with a way back", async () => {
  const { box, checkout_url } = await transaction();
  await answerWith(box, "201");
  const page = await open(browser);
  await page.goto(checkout_url);
  await alive(page);
  await page.click("#pay-button");
  await payAtTheBank(page);
  await page.locator("main[data-status=paid]").waitFor();
  assert.match(await page.innerText("main"), /Payment successful[\s\S]*KWD 10\.500/);
  await page.click("main a.button");
  await page.waitForURL("**/sandbox/shop/**");
  await close(page);
});

test("a receiver that answers 200 at last has the waiting payer sent on", async () => {
  const { box, session_id, checkout_url } = await transaction();
  await answerWith(box, "500");
  const page = await open(browser);
  await page.goto(checkout_url);
  await alive(page);
  await page.click("#pay-button");
  await payAtTheBank(page);
  await page.locator("main[data-status=paid][data-awaits-receiver]").waitFor();
  await answerWith(box, "200");
  await till.rows("UPDATE delivery SET due_at = 0 WHERE session_id = ?1", session_id);
  await till.scheduled();
  await page.waitForURL("**/sandbox/shop/**");
  await close(page);
});

test("a decline is shown with its reference number and can be followed by a payment", async () => {
  const { session_id, checkout_url } = await transaction();
  const page = await open(browser);
  await page.goto(checkout_url);
  await alive(page);
  await page.click("#pay-button");
  await payAtTheBank(page, "mastercard-decline");
  const notice = page.locator("#notice");
  await notice.waitFor();
  await alive(page);
  const [{ reference }] = await till.rows("SELECT reference FROM attempt WHERE session_id = ?1", session_id);
  assert.equal(await page.evaluate(() => document.activeElement.id), "notice");
  assert.equal(await notice.getAttribute("role"), "alert");
  await page.locator("details", { hasText: reference }).locator("summary").click();
  assert.ok((await page.innerText("main")).includes(reference));

  await page.check("input[value=credit-card]");
  assert.match(await page.innerText("#pay-button"), /KWD 10\.455/);
  await page.click("#pay-button");
  await payAtTheBank(page);
  await page.waitForURL("**/sandbox/shop/**");
  assert.equal(await state(session_id), "paid");
  await close(page);
});

test("who leaves the bank comes back to a page that works", async () => {
  const { session_id, checkout_url } = await transaction();
  const page = await open(browser);
  await page.goto(checkout_url);
  await alive(page);
  await page.click("#pay-button");
  await page.waitForURL("**/sandbox/bank/pay/**");
  await page.goBack();
  await alive(page);
  assert.ok(await page.isVisible("#pay-label"));
  await page.click("#pay-button");
  await page.waitForURL("**/sandbox/bank/pay/**");
  await page.click('button[value="cancel"]');
  await page.locator("#notice").waitFor();
  assert.match(await page.innerText("#notice"), /not completed/);
  assert.equal((await till.rows("SELECT reference FROM attempt WHERE session_id = ?1", session_id)).length, 1);
  await close(page);
});

test("a waiting page goes on by itself when the bank has answered", async () => {
  const { session_id, checkout_url } = await transaction();
  const page = await open(browser);
  await page.goto(checkout_url);
  await alive(page);
  await page.click("#pay-button");
  await payAtTheBank(page, "visa-timeout");
  await page.locator("main[data-status=pending]").waitFor();
  // The bank leaves two inquiries without an answer; the sweep asks again until it has one.
  for (let tries = 0; tries < 5 && (await state(session_id)) !== "paid"; tries += 1) {
    await till.rows("UPDATE attempt SET inquire_at = 0 WHERE session_id = ?1", session_id);
    await till.scheduled();
  }
  assert.equal(await state(session_id), "paid");
  await page.waitForURL("**/sandbox/shop/**");
  await close(page);
});

test("two quick presses open one payment", async () => {
  const { session_id, checkout_url } = await transaction();
  const page = await open(browser);
  const posts = [];
  page.on("request", (request) => request.method() === "POST" && posts.push(request.url()));
  await page.goto(checkout_url);
  await alive(page);
  const letGo = await hold(page, "**/b/checkout/redirect/pay/");
  await page.dblclick("#pay-button");
  assert.equal(await page.getAttribute("#pay-button", "aria-disabled"), "true");
  assert.equal(await page.innerText("#live"), "Opening your payment…");
  letGo();
  await page.waitForURL("**/sandbox/bank/pay/**");
  assert.equal(posts.length, 1);
  assert.equal((await till.rows("SELECT reference FROM attempt WHERE session_id = ?1", session_id)).length, 1);
  await close(page);
});

test("without a connection nothing is lost and the payer tries again", async () => {
  const { checkout_url } = await transaction();
  const page = await open(browser, { expected: [/ERR_INTERNET_DISCONNECTED/] });
  await page.goto(checkout_url);
  await alive(page);
  await page.check("input[value=credit-card]");
  await page.context().setOffline(true);
  await page.click("#pay-button");
  await page.locator("#notice").waitFor();
  assert.match(await page.innerText("#notice"), /No connection/);
  assert.ok(await page.isChecked("input[value=credit-card]"));
  await page.context().setOffline(false);
  await page.click("#pay-button");
  await page.waitForURL("**/sandbox/bank/pay/**");
  await close(page);
});

test("the keyboard alone is enough", async () => {
  const { session_id, checkout_url } = await transaction();
  const page = await open(browser);
  await page.goto(checkout_url.replace("&pg_code=knet", ""));
  await alive(page);
  const focused = () => page.evaluate(() => document.activeElement.value ?? document.activeElement.id);
  // The first stop is the switch of the language.
  await page.keyboard.press("Tab");
  assert.equal(await focused(), "ar");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  assert.match(await page.innerText(".summary"), /Order number\s+ORDER-/, "the summary opens");
  await page.keyboard.press("Tab");
  assert.equal(await focused(), "knet");
  assert.equal(await page.isChecked("input[value=knet]"), false);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  assert.equal(await focused(), "cash");
  assert.match(await page.innerText("#pay-button"), /Place order · pay KWD 10\.250 on delivery/);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/sandbox/shop/**");
  assert.equal(await state(session_id), "cod");
  await close(page);
});

test("the module that was tampered with does not run, and the page still pays", async () => {
  const { checkout_url } = await transaction();
  const page = await open(browser, { expected: [/integrity/i, /Failed to fetch/] });
  await page.route("**/pkg/till-*.wasm", async (route) => {
    const response = await route.fetch();
    const body = Buffer.concat([await response.body(), Buffer.from([0])]);
    await route.fulfill({ response, body });
  });
  await page.goto(checkout_url);
  await page.locator("html.bare").waitFor();
  for (const [method, total] of [["credit-card", "KWD 10.455"], ["cash", "KWD 10.250"], ["knet", "KWD 10.500"]]) {
    await page.check(`input[value=${method}]`);
    assert.ok((await page.innerText("#pay-button")).includes(total), `${method} costs ${total}`);
  }
  await page.click("#pay-button");
  await payAtTheBank(page);
  await page.waitForURL("**/sandbox/shop/**");
  await close(page);
});
