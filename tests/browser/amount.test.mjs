/** The payer chooses how much to pay: with the page's module, without JavaScript, and with the keyboard alone. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "../worker/harness.mjs";
import { alive, close, launch, open } from "./browser.mjs";

/** @type {import("../worker/harness.mjs").Till} */
let till;
let browser;
let inboxes = 0;

before(async () => {
  till = await start();
  await till.createMerchant();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await till.stop();
});

async function transaction(fields = {}) {
  const box = `amount-${++inboxes}`;
  const created = await till.create({
    type: "payment_request", pg_codes: ["credit-card", "knet", "cash"], webhook_url: `${till.url}/sandbox/inbox/${box}/`,
    redirect_url: `${till.url}/sandbox/shop/`, ...fields,
  });
  assert.equal(created.status, 201, created.text);
  return { box, ...created.body };
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
  test(`a part is paid ${how} JavaScript, and told as settled and remaining`, async () => {
    const { box, checkout_url } = await transaction();
    const page = await open(browser, { javaScriptEnabled });
    await page.goto(checkout_url);
    assert.equal(await typed(page), "10.250");
    if (javaScriptEnabled) await alive(page);
    await page.fill("#amount", "4.5");
    await page.click("#pay-button");
    await payAtTheBank(page);
    const [{ body }] = await webhooks(box);
    const told = typeof body === "string" ? JSON.parse(body) : body;
    assert.deepEqual(
      [told.amount, told.settled_amount, told.remaining_amount, told.amount_details.total],
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
    assert.match(await fault(page), language === "ar" ? /المبلغ/ : /not within the limits/);
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
