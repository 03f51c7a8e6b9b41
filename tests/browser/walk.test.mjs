/**
 * The hosted page, the element and the module for shops show the same: every method, price and text of 40 payments, by method,
 * currency, language, fee, exchange, and whether the payer chooses the amount.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { alive, browser, close, open, till } from "./browser.mjs";
import { shop, standShops } from "./shop.mjs";

/** A shop whose page has the element and the module. */
const pages = () => [
  (query) => `<!doctype html><html lang="${query.get("language")}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>A shop</title>
    <link rel="icon" href="data:,"><script type="module" src="${till.url}/sdk/v1/till-checkout.js"></script>
    <script type="module">
      import { createCheckout } from "${till.url}/sdk/v1/wasm/index.js";
      globalThis.checkout = await createCheckout({ origin: "${till.url}", sessionId: "${query.get("session_id")}" });
    </script>
    <till-checkout module session-id="${query.get("session_id")}" origin="${till.url}" language="${query.get("language")}"></till-checkout></html>`,
  {},
];

standShops(pages);

const AMOUNTS = { KWD: "12.345", SAR: "1234.56", AED: "0.99", USD: "7.05" };
/** Methods that take a currency that the others do not. */
const OTHERS = { AED: ["mpgs"] };
/** What the payer chooses to pay instead, of what they may. */
const PARTS = { KWD: "3.005", SAR: "600.07", AED: "0.5", USD: "1.01" };
const SETS = {
  "three methods": { pg_codes: ["knet", "credit-card", "cash"] },
  "one method": { pg_codes: ["knet"] },
  "the same costs": { pg_codes: ["mpgs", "single", "queued"] },
  "a chosen amount": { pg_codes: ["knet", "credit-card"], type: "payment_request", is_amount_editable: true },
  "a chosen amount without fees": { pg_codes: ["mpgs", "credit-card", "cash"], type: "payment_request", is_amount_editable: true },
};

/** A text as a reader reads it: marks of direction say nothing. */
const plain = (text) => text.replaceAll(/[\u061c\u200e\u200f\u2066-\u2069]/g, "").replaceAll(/\s+/g, " ").trim();
const texts = async (root, part) => (await root.locator(part).filter({ visible: true }).allInnerTexts()).map(plain);

/** What a page or the element shows. */
async function shown(root, button) {
  const radios = root.locator("input[type=radio]:not([name=phone])");
  const labels = [];
  for (let place = 0; place < (await radios.count()); place += 1) {
    await radios.nth(place).check();
    labels.push(plain(await button.innerText()));
  }
  if (labels.length === 0) labels.push(plain(await button.innerText()));
  return {
    names: await texts(root, ".method .name"), prices: await texts(root, ".method .under"), wallets: await texts(root, ".express small"),
    test: await texts(root, ".test"), limits: await texts(root, "[id$=limits]"), heading: await texts(root, "h2"), labels,
  };
}

/** What the module answers for an amount, or for the whole. */
const quoted = (page, amount) => page.evaluate((amount) => globalThis.checkout.quote(amount), amount);

/** What of a quote a page must show: the total as its reader reads it. */
function assertShows(found, quotes) {
  const methods = quotes.filter(({ flow }) => flow === undefined);
  const wallets = quotes.filter(({ flow }) => flow !== undefined);
  for (const [place, { display, fee }] of methods.entries()) {
    const price = found.prices[place] ?? "";
    const isInRow = new Set(methods.map(({ total, currency_code }) => total + currency_code)).size > 1;
    for (const text of isInRow ? [price, found.labels[place]] : [found.labels[place]]) assert.ok(text.includes(plain(display)), `${text} has ${display}`);
    assert.equal(/^\+/.test(price), Number(fee) > 0, `${price} has the fee ${fee}`);
    if (Number(fee) > 0) assert.ok(price.includes(`+${fee}`), `${price} has the fee ${fee}`);
  }
  for (const [place, { display }] of wallets.entries()) assert.ok(found.wallets[place].includes(plain(display)), `${found.wallets[place]} has ${display}`);
  assert.equal(found.wallets.length, wallets.length);
}

for (const currency_code of Object.keys(AMOUNTS)) {
  for (const language of ["en", "ar"]) {
    for (const [name, fields] of Object.entries(SETS)) {
      test(`${name} in ${currency_code}, ${language}`, async () => {
        const created = await till.create({ amount: AMOUNTS[currency_code], currency_code, language, ...fields, pg_codes: [...new Set([...fields.pg_codes, ...(OTHERS[currency_code] ?? [])])] });
        assert.equal(created.status, 201, created.text);
        const { checkout_url, session_id } = created.body;
        const [hosted, page] = [await open(browser), await open(browser)];
        for (const each of [hosted, page]) {
          await each.addInitScript(() => { globalThis.PaymentRequest = class { canMakePayment() { return Promise.resolve(true); } }; });
        }
        await hosted.goto(checkout_url);
        await alive(hosted);
        await page.goto(`${shop.origin}/?session_id=${session_id}&language=${language}`);
        const element = page.locator("till-checkout");
        await element.locator("[part=pay]").waitFor();
        await page.waitForFunction(() => globalThis.checkout !== undefined);
        const [ofPage, ofElement] = [await shown(hosted.locator("body"), hosted.locator("#pay-label")), await shown(element, element.locator("[part=pay]"))];
        const quotes = await quoted(page);
        assert.ok(quotes.length > 0);
        // Chromium has Google Pay only.
        const inChromium = (all) => all.filter(({ flow }) => flow !== "apple_pay");
        assertShows(ofPage, inChromium(quotes));
        assert.deepEqual({ ...ofElement, heading: [] }, { ...ofPage, heading: [] });
        const codes = await page.evaluate(async () => (await globalThis.checkout.methods()).map(({ code }) => code));
        assert.deepEqual(codes, quotes.filter(({ flow }) => flow === undefined).map(({ code }) => code));
        if (fields.is_amount_editable) {
          const quotes = inChromium(await quoted(page, PARTS[currency_code]));
          await hosted.fill("#amount", PARTS[currency_code]);
          const ofPart = await shown(hosted.locator("body"), hosted.locator("#pay-label"));
          assertShows(ofPart, quotes);
          await element.locator("#amount").fill(PARTS[currency_code]);
          // Without a price the button only says what it does.
          await element.locator("[part=pay]", { hasText: /\d/ }).waitFor();
          assert.deepEqual({ ...(await shown(element, element.locator("[part=pay]"))), heading: [] }, { ...ofPart, heading: [] });
        }
        await close(hosted);
        await close(page);
      });
    }
  }
}
