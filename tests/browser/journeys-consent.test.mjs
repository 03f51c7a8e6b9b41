/**
 * The journeys of cards that are charged again or saved, and of wallets, with the page's script at hand, blocked, three seconds late, and
 * without JavaScript: the price, what the payer agrees to, and the outcome are right.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { googleToken } from "../worker/wallets.mjs";
import { browser, close, payAtTheBank, stand, till } from "./browser.mjs";
import { SCRIPTS, costs, visiting } from "./journey.mjs";

stand();

async function create(fields) {
  const created = await till.create({
    pg_codes: ["credit-card"], redirect_url: `${till.url}/sandbox/shop/`, webhook_url: `${till.url}/sandbox/inbox/journeys/`, ...fields,
  });
  assert.equal(created.status, 201, created.text);
  return created.body;
}

const cards = async (customer_id) =>
  (await till.call("/b/pbl/v2/card/", { method: "POST", headers: till.privateKey(), json: { type: "sandbox", customer_id } })).body;

/** What a part of the page says, with plain spaces. */
const read = async (page, part) => (await page.innerText(part)).replaceAll("\u00a0", " ");

/** Fails unless the payment ended so, and what was agreed to is what the page showed: nothing, if nothing is named. */
async function ended({ session_id }, state, lines) {
  const { body } = await till.retrieve(session_id);
  assert.deepEqual([body.state, body.consent?.text.split("\n")], [state, lines]);
}

const lines = (text) => text.split("\n").map((line) => line.trim()).filter((line) => line !== "");

const JOURNEYS = {
  async "a payment that begins monthly ones"({ visit, name }) {
    const agreement = { id: `a-${name}`, amount_variability: "fixed", frequency: "monthly", total_cycles: 12, cycle_interval_days: 28, expiry_date: "2030-01-31" };
    const payment = await create({ payment_type: "auto_debit", customer_id: `monthly-${name}`, agreement });
    const page = await visit(payment);
    await costs(page, "KWD 10.455");
    const shown = await read(page, "#consent");
    assert.match(shown, /KWD 10\.455[^]*every month[^]*at most 12[^]*To stop it/);
    await page.click("#pay-button");
    await payAtTheBank(page, "visa-approve");
    await page.waitForURL("**/sandbox/shop/**");
    await ended(payment, "paid", lines(shown));
    return page;
  },
  async "a card that is only saved"({ visit, name }) {
    const customer_id = `saves-${name}`;
    const payment = await create({ payment_type: "save_card", amount: "0", customer_id });
    const page = await visit(payment);
    const shown = await read(page, "#consent");
    assert.match(shown, /You agree that your card is saved/);
    assert.match(await page.innerText("#pay-button"), /^\s*Save card\s*$/);
    assert.doesNotMatch(await page.innerText("main"), /\bKWD\b/);
    await page.click("#pay-button");
    await payAtTheBank(page, "visa-approve");
    await page.waitForURL("**/sandbox/shop/**");
    await ended(payment, "paid", lines(shown));
    assert.equal((await cards(customer_id)).length, 1);
    return page;
  },
  async "a single payment whose payer has the card saved"({ visit, name }) {
    const customer_id = `ticks-${name}`;
    const payment = await create({ customer_id });
    const page = await visit(payment);
    assert.equal(await page.locator("#consent").isVisible(), false, "nothing is agreed to before the tick");
    await page.check("input[name=save_card]");
    await costs(page, "KWD 10.455");
    const shown = await read(page, "#consent");
    assert.match(shown, /^Demo Store saves your card[^]*You can remove it/);
    await page.click("#pay-button");
    await payAtTheBank(page, "visa-approve");
    await page.waitForURL("**/sandbox/shop/**");
    await ended(payment, "paid", lines(shown));
    assert.equal((await cards(customer_id)).length, 1);
    return page;
  },
  async "a single payment whose payer does not"({ visit, name }) {
    const customer_id = `pays-${name}`;
    const payment = await create({ customer_id });
    const page = await visit(payment);
    await page.click("#pay-button");
    await payAtTheBank(page, "visa-approve");
    await page.waitForURL("**/sandbox/shop/**");
    await ended(payment, "paid", undefined);
    assert.deepEqual(await cards(customer_id), []);
    return page;
  },
  async "a wallet, which needs the script: without one its button is not there, and another method is"({ visit, runs }) {
    const payment = await create({ amount: "10.000", pg_codes: ["knet", "credit-card"] });
    const page = await visit(payment, {
      prepare: (page) => page.addInitScript((details) => {
        globalThis.PaymentRequest = class {
          canMakePayment() { return Promise.resolve(true); }
          show() { return Promise.resolve({ details: JSON.parse(details), complete: () => Promise.resolve() }); }
        };
      }, googleToken("visa-approve")),
    });
    const button = page.locator("[data-wallet=google_pay]");
    if (runs) {
      await button.and(page.locator("[aria-disabled=false]")).waitFor();
      assert.match(await read(page, "[data-express=google_pay]"), /KWD 10\.\d{3}/);
      await button.click();
    } else {
      assert.equal(await button.isVisible(), false);
      await page.check("input[value=knet]");
      await costs(page, "KWD 10.250");
      await page.click("#pay-button");
      await payAtTheBank(page, "visa-approve");
    }
    await page.waitForURL("**/sandbox/shop/**");
    await ended(payment, "paid", undefined);
    return page;
  },
};

for (const [script, how] of Object.entries(SCRIPTS)) {
  for (const [journey, walk] of Object.entries(JOURNEYS)) {
    test(`${journey}, ${script}`, async () => {
      const runs = how.isLive === true || how.isLate === true;
      await close(await walk({ visit: visiting(browser, how), runs, name: script.replaceAll(" ", "-") }));
    });
  }
}
