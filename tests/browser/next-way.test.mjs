/** After a soft decline the page offers the next way to pay, by one button, with and without a script; after a hard one and while anything may be charged it offers nothing. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "../worker/harness.mjs";
import { accessibility, alive, close, launch, open, payAtTheBank } from "./browser.mjs";

const LINE = { en: "You can try Credit card instead.", ar: "يمكنك تجربة بطاقة ائتمان بدلًا من ذلك." };
const LABEL = { en: /^Continue to Credit card · KWD\s10\.200$/, ar: /^المتابعة إلى بطاقة ائتمان · 10\.200\sد\.ك$/ };

/** @type {import("../worker/harness.mjs").Till} */
let till;
let browser;

before(async () => {
  till = await start();
  await till.createMerchant();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await till.stop();
});

/** A payer who pays by KNET with a card; what is left of the page afterwards. */
async function paidWith(card, { javaScriptEnabled = true, width = 360, fields = {} } = {}) {
  const { status, body, text } = await till.create({ amount: "10.000", pg_codes: ["knet", "credit-card", "cash"], ...fields });
  assert.equal(status, 201, text);
  const page = await open(browser, { javaScriptEnabled, bypassCSP: true, viewport: { width, height: 800 }, expected: [/favicon/] });
  await page.goto(body.checkout_url);
  if (javaScriptEnabled) await alive(page);
  await page.check("input[value=knet]");
  await page.click("#pay-button");
  await payAtTheBank(page, card);
  return { page, session_id: body.session_id };
}

const back = (page) => page.locator("#checkout").waitFor();
const decisions = async (session_id) => (await till.call(`/b/checkout/v1/pymt-txn/${session_id}/routing/`, { headers: till.privateKey() })).body.results;
/** The gateways of the attempts, the first one first, and what became of them. */
const tried = async (session_id) => (await till.rows("SELECT pg_code, stage FROM attempt WHERE session_id = ?1 ORDER BY number", session_id)).map(({ pg_code, stage }) => [pg_code, stage]);

for (const language of ["en", "ar"]) {
  for (const javaScriptEnabled of [true, false]) {
    for (const width of [360, 1280]) {
      test(`one press goes on in ${language}, ${width} wide, ${javaScriptEnabled ? "with" : "without"} a script, and charges once`, async () => {
        const { page, session_id } = await paidWith("mastercard-decline", { javaScriptEnabled, width, fields: { language } });
        await page.locator("#next-button").waitFor();
        if (javaScriptEnabled) await alive(page);
        assert.equal(await page.innerText("#next-text"), LINE[language]);
        assert.match(await page.innerText("#next-button"), LABEL[language]);
        assert.equal(await page.locator("#next-form button").count(), 1);
        const box = await page.locator("#next-button").boundingBox();
        assert.ok(box.height >= 44 && box.x >= 0 && box.x + box.width <= width, JSON.stringify(box));
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
        if (javaScriptEnabled) assert.deepEqual(await accessibility(page), []);
        if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/next-${language}-${width}-${javaScriptEnabled}.png`, fullPage: true });
        if (javaScriptEnabled) await page.dblclick("#next-button");
        else await page.click("#next-button");
        await payAtTheBank(page, "visa-approve");
        await page.waitForURL((url) => !url.pathname.startsWith("/sandbox/bank/"));
        assert.equal((await till.retrieve(session_id)).body.state, "paid");
        assert.deepEqual(await tried(session_id), [["knet", "failed"], ["credit-card", "success"]]);
        const last = (await decisions(session_id)).at(-1);
        assert.deepEqual([last.decided_by, last.gateways.map(({ pg_code, finding }) => [pg_code, finding])], ["after_decline", [["credit-card", "chosen"], ["knet", "declined"], ["cash", "other_method"]]]);
        await close(page);
      });
    }
  }
}

test("nothing is offered after a hard decline, a payer who left, or while anything may be charged", async () => {
  for (const [card, press, status] of [["visa-3ds", "fail", "declined"], ["visa-timeout", undefined, "pending"], ["visa-wrong-amount", undefined, "held"]]) {
    const { page } = await paidWith(card, { javaScriptEnabled: false });
    if (press !== undefined) await page.click(`button[value=${press}]`);
    await back(page);
    assert.deepEqual([await page.getAttribute("#checkout", "data-status"), await page.locator("#next-form").count()], [status, 0], card);
    await close(page);
  }
});

test("the offer goes with the words of the decline once the page says something else", async () => {
  const { page } = await paidWith("mastercard-decline");
  await page.locator("#next-button").waitFor();
  await alive(page);
  await page.context().setOffline(true);
  page.faults.length = 0;
  await page.click("#pay-button");
  await page.locator("#notice-title", { hasText: "No connection" }).waitFor();
  assert.equal(await page.locator("#next-form").isVisible(), false);
  page.faults.length = 0;
  await close(page);
});

test("an amount that the payer chose stays the amount of the next way", async () => {
  const { status, body, text } = await till.create({ amount: "10.000", pg_codes: ["knet", "credit-card"], type: "payment_request" });
  assert.equal(status, 201, text);
  const page = await open(browser, { viewport: { width: 360, height: 800 }, expected: [/favicon/] });
  await page.goto(body.checkout_url);
  await alive(page);
  await page.fill("#amount", "5.000");
  await page.check("input[value=knet]");
  await page.click("#pay-button");
  await payAtTheBank(page, "mastercard-decline");
  await page.locator("#next-button").waitFor();
  assert.match(await page.innerText("#next-button"), /KWD\s5\.100$/);
  await page.click("#next-button");
  await payAtTheBank(page, "visa-approve");
  await page.waitForURL((url) => !url.pathname.startsWith("/sandbox/bank/"));
  assert.deepEqual(await tried(body.session_id), [["knet", "failed"], ["credit-card", "success"]]);
  await close(page);
});
