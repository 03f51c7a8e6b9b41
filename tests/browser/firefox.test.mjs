/** The checkout page in Firefox: everything has room at every width, axe finds nothing, and payers pay, in both languages. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { start } from "../worker/harness.mjs";
import { asking } from "./browser.mjs";
import { Firefox, isWithoutFirefox } from "./firefox.mjs";
import { WIDTHS, faults, merchantsOf } from "./room.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** @type {import("../worker/harness.mjs").Till} */
let till;
let firefox;
let merchants;
before(async () => {
  if (isWithoutFirefox) return;
  till = await start();
  merchants = await merchantsOf(till);
  firefox = await Firefox.launch();
});
after(async () => {
  await firefox?.close();
  await till?.stop();
});

const inFirefox = (name, work) => test(`in Firefox ${name}`, { skip: isWithoutFirefox }, work);

async function create(labels, fields = {}) {
  till.merchant = merchants[labels];
  const created = await till.create({ pg_codes: ["knet", "credit-card", "cash"], redirect_url: `${till.url}/sandbox/shop/`, ...fields });
  assert.equal(created.status, 201, created.text);
  return created.body;
}

const stateOf = async ({ session_id }) => (await till.retrieve(session_id)).body.state;
const alive = (page) => page.waitFor("html.live #pay-button");

async function violations(page) {
  await page.run(AXE);
  return page.evaluate(async () => {
    const found = await globalThis.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] });
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 120)}`);
  });
}

for (const language of ["en", "ar"]) {
  for (const labels of ["short", "long"]) {
    for (const cards of [0, 4]) {
      inFirefox(`${language}, ${labels} labels, ${cards} saved cards: everything has room at every width, with letters of both sizes`, async () => {
        const customer = cards === 0 ? {} : { customer_id: `c-${labels}` };
        const { checkout_url } = await create(labels, { language, ...customer });
        const page = await firefox.open();
        await page.goto(asking(checkout_url, "knet"));
        await alive(page);
        assert.equal(await page.evaluate(() => document.querySelectorAll("input[name=pg_code][value^=card_]").length), cards);
        for (const size of [100, 200]) {
          await page.evaluate((size) => { document.documentElement.style.fontSize = `${size}%`; }, size);
          for (const width of WIDTHS) {
            await page.setViewportSize({ width, height: 800 });
            assert.deepEqual(await faults(page, size === 100), [], `at ${width}, ${size} %`);
            await page.setViewportSize({ width, height: 4_000 });
            assert.deepEqual(await violations(page), [], `axe at ${width}, ${size} %`);
          }
        }
        await page.close();
      });
    }
  }

  inFirefox(`a payer pays at the bank, in ${language}`, async () => {
    const payment = await create("short", { language });
    const page = await firefox.open();
    await page.goto(payment.checkout_url);
    await alive(page);
    await page.click("input[value=knet]");
    assert.match(await page.innerText("#pay-button"), language === "ar" ? /10\.500 د\.ك/ : /KWD\s10\.500/);
    await page.click("#pay-button");
    await page.waitForURL(/\/sandbox\/bank\/pay\//);
    await page.click('input[value="visa-approve"]');
    await page.click('button[value="pay"]');
    await page.waitForURL(/\/sandbox\/shop\//);
    assert.equal(await stateOf(payment), "paid");
    await page.goto(payment.checkout_url);
    assert.equal(await page.evaluate(() => document.documentElement.dir), language === "ar" ? "rtl" : "ltr");
    assert.match(await page.innerText("h1"), language === "ar" ? /تم الدفع بنجاح/ : /Payment successful/);
    await page.close();
  });

  inFirefox(`a decline is said, and a saved card pays after it, in ${language}`, async () => {
    const payment = await create("short", { language, customer_id: "c-short" });
    const page = await firefox.open();
    await page.goto(payment.checkout_url);
    await alive(page);
    await page.click("input[value=credit-card]");
    await page.click("#pay-button");
    await page.waitForURL(/\/sandbox\/bank\/pay\//);
    await page.click('input[value="mastercard-decline"]');
    await page.click('button[value="pay"]');
    await page.waitFor("main[data-status=declined] #notice");
    await alive(page);
    assert.match(await page.innerText("#notice"), language === "ar" ? /لم يُخصم منك أي مبلغ/ : /You haven't been charged/);
    await page.click("input[name=pg_code][value^=card_]");
    assert.match(await page.innerText("#pay-button"), /10\.455/);
    await page.click("#pay-button");
    await page.waitForURL(/\/sandbox\/shop\//);
    assert.equal(await stateOf(payment), "paid");
    await page.close();
  });
}
