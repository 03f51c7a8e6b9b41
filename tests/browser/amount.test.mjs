/**
 * The payer chooses how much to pay: with the page's module, without JavaScript, and with the keyboard alone.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { alive, asking, browser, close, open, stand, till } from "./browser.mjs";

let inboxes = 0;

stand();

async function transaction(fields = {}) {
  const box = `amount-${++inboxes}`;
  const created = await till.create({
    type: "payment_request", pg_codes: ["credit-card", "knet", "cash"], webhook_url: `${till.url}/sandbox/inbox/${box}/`,
    redirect_url: `${till.url}/sandbox/shop/`, ...fields,
  });
  assert.equal(created.status, 201, created.text);
  return { box, ...created.body, checkout_url: asking(created.body.checkout_url, "credit-card") };
}

const webhooks = async (box) =>
  (await till.call(`/sandbox/inbox/${box}/`, { headers: { accept: "application/json" } })).body.webhooks;
const typed = (page) => page.inputValue("#amount");
const fault = (page) => page.innerText("#amount-fault");

async function payAtTheBank(page) {
  await page.waitForURL("**/sandbox/bank/pay/**");
  await page.check('input[value="visa-approve"]');
  await page.click('button[value="pay"]');
  await page.waitForURL("**/sandbox/shop/**");
}

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? "with" : "without";
  test(`a part is paid ${how} JavaScript, and shown as settled and remaining`, async () => {
    const { box, checkout_url } = await transaction();
    const page = await open(browser, { javaScriptEnabled });
    await page.goto(checkout_url);
    assert.equal(await typed(page), "10.250");
    if (javaScriptEnabled) await alive(page);
    await page.fill("#amount", "4.5");
    await page.click("#pay-button");
    await payAtTheBank(page);
    const [{ body }] = await webhooks(box);
    const answered = typeof body === "string" ? JSON.parse(body) : body;
    assert.deepEqual(
      [answered.amount, answered.settled_amount, answered.remaining_amount, answered.amount_details.total],
      ["10.250", "4.500", "5.750", "4.590"],
    );
    await close(page);
  });
}

test("without JavaScript a wrong amount comes back with what is wrong, and the payer mends it", async () => {
  for (const language of ["en", "ar"]) {
    const { session_id, checkout_url } = await transaction({ language });
    const page = await open(browser, { javaScriptEnabled: false, expected: [/400 \(Bad Request\)/] });
    await page.goto(checkout_url);
    await page.fill("#amount", "10.251");
    await page.check("input[value=knet]");
    await page.click("#pay-button");
    assert.equal(await typed(page), "10.251");
    assert.equal(await page.getAttribute("#amount", "aria-invalid"), "true");
    assert.match(await fault(page), language === "ar" ? /إدخال مبلغ من 0\.010 د\.ك إلى 10\.250 د\.ك/ : /^Enter an amount from KWD 0\.010 to KWD 10\.250\.$/);
    assert.equal(await page.isChecked("input[value=knet]"), true);
    assert.equal((await till.rows("SELECT 1 FROM attempt WHERE session_id = ?1", session_id)).length, 0);
    // As it is typed on an Arabic keyboard.
    await page.fill("#amount", "٤٫٢٥");
    await page.click("#pay-button");
    await payAtTheBank(page);
    const [{ principal }] = await till.rows("SELECT principal FROM attempt WHERE session_id = ?1", session_id);
    assert.equal(principal, 4250);
    await close(page);
  }
});

test("the costs of every method, the total and the button follow what is typed", async () => {
  for (const language of ["en", "ar"]) {
    const { checkout_url } = await transaction({ language });
    const page = await open(browser);
    await page.goto(checkout_url);
    await alive(page);
    const price = (digits) => (language === "ar" ? `${digits} د.ك` : `KWD ${digits}`);
    const shows = async (part, ...amounts) => {
      const text = await page.innerText(part);
      const places = amounts.reduce((from, digits) => (from < 0 ? from : text.indexOf(price(digits), from)), 0);
      assert.ok(places >= 0, `${text} has ${amounts}`);
    };
    await page.click(".fold > summary");
    await shows("#pay-button", "10.455");
    await page.fill("#amount", "٥");
    await shows("#pay-button", "5.100");
    await shows(".summary .price", "5.100");
    await shows(".summary .lines", "10.250", "5.000", "0.100");
    const costs = await page.locator(".method .under").allInnerTexts();
    const amounts = /(?:KWD )?\d[\d.]+(?: د\.ك)?/g;
    assert.deepEqual(costs.map((cost) => cost.match(amounts)), [["0.100", price("5.100")], ["0.250", price("5.250")], [price("5.000")]]);
    await page.check("input[value=knet]");
    await shows("#pay-button", "5.250");
    await page.fill("#amount", "10.251");
    assert.doesNotMatch(await page.innerText("#pay-button"), /KWD|د\.ك/);
    await close(page);
  }
});

test("an exchange follows what is typed by the server's own arithmetic", async () => {
  const { checkout_url, session_id } = await transaction({ pg_codes: ["knet", "credit-card"], amount: "100.00", currency_code: "USD" });
  const page = await open(browser);
  await page.goto(checkout_url);
  await alive(page);
  await page.fill("#amount", "33.33");
  await page.check("input[value=knet]");
  const shown = (await page.innerText("#pay-button")).match(/KWD ([\d.]+)/)[1];
  await page.click("#pay-button");
  await page.waitForURL("**/sandbox/bank/pay/**");
  const [{ total, principal }] = await till.rows("SELECT total, principal FROM attempt WHERE session_id = ?1", session_id);
  assert.deepEqual([Math.round(Number(shown) * 1000), 3333], [total, principal]);
  await close(page);
});

test("with the keyboard alone: a wrong amount is shown at its field, mended and paid", async () => {
  const { checkout_url, session_id } = await transaction({ pg_codes: ["knet"] });
  const page = await open(browser);
  await page.goto(checkout_url);
  await alive(page);
  const focused = () => page.evaluate(() => document.activeElement.id);
  for (let presses = 0; (await focused()) !== "amount"; presses += 1) {
    assert.ok(presses < 10, "the field is reached");
    await page.keyboard.press("Tab");
  }
  await page.keyboard.press("Control+A");
  await page.keyboard.type("99");
  assert.equal(await fault(page), "", "the payer is still typing");
  await page.keyboard.press("Enter");
  assert.equal(await focused(), "amount");
  assert.match(await fault(page), /^Enter an amount from KWD 0\.010 to KWD 10\.250\.$/);
  const described = (await page.getAttribute("#amount", "aria-describedby")).split(" ");
  assert.ok(described.includes("amount-fault") && described.includes("amount-limits"));
  assert.equal(await page.getAttribute("#amount-fault", "role"), "alert");
  assert.equal((await till.rows("SELECT 1 FROM attempt WHERE session_id = ?1", session_id)).length, 0);
  await page.keyboard.press("Control+A");
  await page.keyboard.type("4");
  assert.equal(await fault(page), "");
  await page.keyboard.press("Tab");
  assert.match(await page.textContent("#live"), /Total KWD 4\.250/);
  await page.locator("#pay-button").focus();
  await page.keyboard.press("Enter");
  await page.waitForURL("**/sandbox/bank/pay/**");
  const [{ principal }] = await till.rows("SELECT principal FROM attempt WHERE session_id = ?1", session_id);
  assert.equal(principal, 4000);
  await close(page);
});

test("what was typed outlives a reload, a change of the language, and the way to the bank and back", async () => {
  const { checkout_url } = await transaction();
  const page = await open(browser);
  await page.goto(checkout_url);
  await alive(page);
  await page.fill("#amount", "4.25");
  await page.reload();
  await alive(page);
  assert.equal(await typed(page), "4.25");
  assert.match(await page.innerText("#pay-button"), /KWD 4\.335/);
  await page.click(".language");
  await alive(page);
  assert.equal(await typed(page), "4.25");
  await page.click("#pay-button");
  await page.waitForURL("**/sandbox/bank/pay/**");
  const other = await open(browser);
  await other.goto(checkout_url);
  await alive(other);
  assert.equal(await typed(other), "4.250", "as the server knows it");
  await close(other);
  await close(page);
});

test("an amount that the merchant lowered meanwhile brings the page up to date", async () => {
  const { checkout_url, session_id } = await transaction();
  const page = await open(browser, { expected: [/400 \(Bad Request\)/] });
  await page.goto(checkout_url);
  await alive(page);
  const changed = await till.call(`/b/checkout/v1/pymt-txn/${session_id}/`, {
    method: "PATCH", headers: { ...till.privateKey(), "content-type": "application/json" }, body: '{"amount":"3.000"}',
  });
  assert.equal(changed.status, 200, changed.text);
  await page.click("#pay-button");
  await page.locator('#amount[data-most="3.000"]').waitFor();
  await close(page);
});
