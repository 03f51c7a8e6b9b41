/** The checkout page in Firefox: everything has room at every width, axe finds nothing, and payers pay, in both languages. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "../worker/harness.mjs";
import { asking } from "./browser.mjs";
import { click, close, isWithoutFirefox, launch, open, textOf, violations, visible, waitForURL } from "./firefox.mjs";
import { WIDTHS, faults, merchantsOf } from "./room.mjs";

/** @type {import("../worker/harness.mjs").Till} */
let till;
let firefox;
let merchants;
before(async () => {
  if (isWithoutFirefox) return;
  till = await start();
  merchants = await merchantsOf(till);
  firefox = await launch();
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
const alive = (page) => visible(page, "html.live #pay-button");

for (const language of ["en", "ar"]) {
  for (const labels of ["short", "long"]) {
    for (const cards of [0, 4]) {
      inFirefox(`${language}, ${labels} labels, ${cards} saved cards: everything has room at every width, with letters of both sizes`, async () => {
        const customer = cards === 0 ? {} : { customer_id: `c-${labels}` };
        const { checkout_url } = await create(labels, { language, ...customer });
        const page = await open(firefox);
        await page.goto(asking(checkout_url, "knet"));
        await alive(page);
        assert.equal(await page.evaluate(() => document.querySelectorAll("input[name=pg_code][value^=card_]").length), cards);
        for (const size of [100, 200]) {
          await page.evaluate((size) => { document.documentElement.style.fontSize = `${size}%`; }, size);
          for (const width of WIDTHS) {
            await page.setViewport({ width, height: 800 });
            assert.deepEqual(await faults(page, size === 100), [], `at ${width}, ${size} %`);
            await page.setViewport({ width, height: 4_000 });
            assert.deepEqual(await violations(page), [], `axe at ${width}, ${size} %`);
          }
        }
        await close(page);
      });
    }
  }

  inFirefox(`a payer pays at the bank, in ${language}`, async () => {
    const payment = await create("short", { language });
    const page = await open(firefox);
    await page.goto(payment.checkout_url);
    await alive(page);
    await click(page, "input[value=knet]");
    assert.match(await textOf(page, "#pay-button"), language === "ar" ? /10\.500 د\.ك/ : /KWD\s10\.500/);
    await click(page, "#pay-button");
    await waitForURL(page, /\/sandbox\/bank\/pay\//);
    await click(page, 'input[value="visa-approve"]');
    await click(page, 'button[value="pay"]');
    await waitForURL(page, /\/sandbox\/shop\//);
    assert.equal(await stateOf(payment), "paid");
    await page.goto(payment.checkout_url);
    assert.equal(await page.evaluate(() => document.documentElement.dir), language === "ar" ? "rtl" : "ltr");
    assert.match(await textOf(page, "h1"), language === "ar" ? /تم الدفع بنجاح/ : /Payment successful/);
    await close(page);
  });

  inFirefox(`a decline is said, and a saved card pays after it, in ${language}`, async () => {
    const payment = await create("short", { language, customer_id: "c-short" });
    const page = await open(firefox);
    await page.goto(payment.checkout_url);
    await alive(page);
    await click(page, "input[value=credit-card]");
    await click(page, "#pay-button");
    await waitForURL(page, /\/sandbox\/bank\/pay\//);
    await click(page, 'input[value="mastercard-decline"]');
    await click(page, 'button[value="pay"]');
    await visible(page, "main[data-status=declined] #notice");
    await alive(page);
    assert.match(await textOf(page, "#notice"), language === "ar" ? /لم يُخصم منك أي مبلغ/ : /You haven't been charged/);
    await click(page, "input[name=pg_code][value^=card_]");
    assert.match(await textOf(page, "#pay-button"), /10\.455/);
    await click(page, "#pay-button");
    await waitForURL(page, /\/sandbox\/shop\//);
    assert.equal(await stateOf(payment), "paid");
    await close(page);
  });
}
