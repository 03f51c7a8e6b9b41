/**
 * Every journey of a payer with the page's script at hand, blocked, three seconds late, and without JavaScript: the price and the outcome
 * are right, and nothing is reported in the console but what a test causes.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { atTheBank, eventually, payWith } from "../worker/payer.mjs";
import { browser, close, open, payAtTheBank, stand, till } from "./browser.mjs";
import { SCRIPTS, costs, visiting } from "./journey.mjs";

stand();

async function create(fields = {}) {
  const created = await till.create({ pg_codes: ["knet", "credit-card", "cash"], redirect_url: `${till.url}/sandbox/shop/`, ...fields });
  assert.equal(created.status, 201, created.text);
  return created.body;
}

const stateOf = async ({ session_id }) => (await till.retrieve(session_id)).body.state;
const attempts = ({ session_id }) => till.rows("SELECT * FROM attempt WHERE session_id = ?1", session_id);
const cards = async (customer_id) =>
  (await till.call("/b/pbl/v2/card/", { method: "POST", headers: till.privateKey(), json: { type: "sandbox", customer_id } })).body;

/** A customer with one saved card. */
async function customer(customer_id) {
  const page = await open(browser, { javaScriptEnabled: false });
  await page.goto((await create({ customer_id, pg_codes: ["credit-card"] })).checkout_url);
  await page.check("input[name=save_card]");
  await page.click("#pay-button");
  await payAtTheBank(page, "visa-approve");
  await page.waitForURL("**/sandbox/shop/**");
  await close(page);
}

const JOURNEYS = {
  async "paying at the bank"({ visit }) {
    const payment = await create();
    const page = await visit(payment);
    await page.check("input[value=cash]");
    await costs(page, "KWD 10.250");
    await page.check("input[value=knet]");
    await costs(page, "KWD 10.500");
    await page.click("#pay-button");
    await payAtTheBank(page, "visa-approve");
    await page.waitForURL("**/sandbox/shop/**");
    assert.equal(await stateOf(payment), "paid");
    await page.goto(payment.checkout_url);
    assert.match(await page.innerText("main"), /Payment successful[^]*KWD 10\.500/);
    return page;
  },
  async "a decline, and another way to pay after it"({ visit }) {
    const payment = await create();
    const page = await visit(payment);
    await page.check("input[value=credit-card]");
    await costs(page, "KWD 10.455");
    await page.click("#pay-button");
    await payAtTheBank(page, "mastercard-decline");
    await page.locator("main[data-status=declined]").waitFor();
    assert.match(await page.innerText("#notice"), /declined[^]*You haven't been charged/);
    await page.check("input[value=cash]");
    await costs(page, "KWD 10.250");
    await page.click("#pay-button");
    await page.waitForURL("**/sandbox/shop/**");
    assert.equal(await stateOf(payment), "cod");
    return page;
  },
  async "leaving the bank"({ visit }) {
    const payment = await create();
    const page = await visit(payment);
    await page.check("input[value=knet]");
    await page.click("#pay-button");
    await page.waitForURL("**/sandbox/bank/pay/**");
    await page.click('button[value="cancel"]');
    await page.locator("#notice[role=status]").waitFor();
    assert.match(await page.innerText("#notice"), /was not completed[^]*haven't been charged/);
    await costs(page, "KWD 10.500");
    assert.deepEqual((await attempts(payment)).map(({ stage }) => stage), ["canceled"]);
    return page;
  },
  async "paying with a saved card"({ visit, name }) {
    await customer(`saved-${name}`);
    const payment = await create({ customer_id: `saved-${name}` });
    const page = await visit(payment);
    await page.check("input[name=pg_code][value^=card_]");
    await costs(page, "KWD 10.455");
    await page.click("#pay-button");
    await page.waitForURL("**/sandbox/shop/**");
    assert.equal(await stateOf(payment), "paid");
    return page;
  },
  async "removing a saved card"({ visit, name }) {
    await customer(`removes-${name}`);
    const payment = await create({ customer_id: `removes-${name}` });
    const page = await visit(payment);
    await page.click(".choose > .more > summary");
    await page.click(".choose form .more > summary");
    await page.click("button[name=remove_card]");
    await page.waitForURL((url) => !url.href.includes("pg_code") && url.pathname.includes("redirect/start"));
    assert.equal(await page.locator("button[name=remove_card]").count(), 0);
    assert.deepEqual([await cards(`removes-${name}`), await attempts(payment)], [[], []]);
    return page;
  },
  async "choosing how much to pay"({ visit, isLive }) {
    const payment = await create({ type: "payment_request" });
    const page = await visit(payment);
    await page.fill("#amount", "4.5");
    await page.check("input[value=credit-card]");
    if (isLive) await costs(page, "KWD 4.590");
    else assert.equal((await page.innerText("#pay-button")).trim(), "Pay", "no price that could be another");
    await page.click("#pay-button");
    await payAtTheBank(page, "visa-approve");
    await page.waitForURL("**/sandbox/shop/**");
    const [{ principal, total }] = await attempts(payment);
    assert.deepEqual([principal, total], [4_500, 4_590]);
    return page;
  },
  async "changing the language, which keeps the method, the amount and the tick"({ visit, name }) {
    const payment = await create({ type: "payment_request", customer_id: `language-${name}` });
    const page = await visit(payment);
    await page.fill("#amount", "4.5");
    await page.check("input[value=credit-card]");
    await page.check("input[name=save_card]");
    for (const language of ["ar", "en"]) {
      await page.click(".language");
      await page.locator(`html[lang=${language}]`).waitFor();
      assert.deepEqual(
        [await page.inputValue("#amount"), await page.inputValue("input[name=pg_code]:checked"), await page.isChecked("input[name=save_card]")],
        ["4.5", "credit-card", true], language,
      );
      assert.doesNotMatch(page.url(), /amount|save_card/);
      assert.equal(await page.locator("#notice").isVisible(), false);
    }
    assert.deepEqual(await attempts(payment), []);
    return page;
  },
  async "a link that is too old"({ visit }) {
    const payment = await create({ expiration_time: "00:00:01" });
    await sleep(1_100);
    const page = await visit(payment, { isPayable: false });
    assert.match(await page.innerText("main"), /has expired\s+You haven't been charged\./);
    await page.click(".language");
    await page.locator("html[lang=ar]").waitFor();
    assert.equal(await page.locator("#pay-form").count(), 0);
    return page;
  },
  async "losing the connection"({ visit, isLive }) {
    const payment = await create();
    const page = await visit(payment);
    await page.check("input[value=knet]");
    await page.context().setOffline(true);
    await page.click("#pay-button");
    if (isLive) {
      await page.locator("#notice").waitFor();
      await costs(page, "KWD 10.500");
    } else {
      await page.waitForURL("chrome-error://**");
    }
    await page.context().setOffline(false);
    assert.deepEqual(await attempts(payment), []);
    if (!isLive) await page.goto(payment.checkout_url);
    await page.check("input[value=knet]");
    await costs(page, "KWD 10.500");
    await page.click("#pay-button");
    await payAtTheBank(page, "visa-approve");
    await page.waitForURL("**/sandbox/shop/**");
    assert.equal(await stateOf(payment), "paid");
    return page;
  },
};

for (const [script, how] of Object.entries(SCRIPTS)) {
  for (const [journey, walk] of Object.entries(JOURNEYS)) {
    test(`${journey}, ${script}`, async () => {
      const { isLive = false } = how;
      await close(await walk({ visit: visiting(browser, how), isLive, name: script.replaceAll(" ", "-") }));
    });
  }
}

/** A payment whose bank has not answered yet. */
async function awaited() {
  const payment = await atTheBank(till, { pg_code: "knet" });
  await payWith(till, payment.page, "visa-timeout");
  return { ...payment, checkout_url: `${till.url}/b/checkout/redirect/start/?session_id=${payment.session_id}` };
}

/** The bank answers: it leaves two inquiries without an answer, and the sweep asks again until it has one. */
async function settle({ session_id }) {
  for (let tries = 0; tries < 5 && (await stateOf({ session_id })) !== "paid"; tries += 1) {
    await till.rows("UPDATE attempt SET inquire_at = 0 WHERE session_id = ?1", session_id);
    await till.scheduled();
  }
  assert.equal(await stateOf({ session_id }), "paid");
}

/** Makes the refresh that waits for the script come soon. */
const hurry = (page) => page.route("**/redirect/start/**", async (route) => {
  const response = await route.fetch({ maxRedirects: 0 });
  const body = (await response.text()).replace('http-equiv="refresh" content="30;', 'http-equiv="refresh" content="3;');
  await route.fulfill({ response, body });
});

for (const [script, { path = "**/pkg/*.js", onScript, options, expected }] of Object.entries({
  "with the script": {},
  "with the script's file blocked": { onScript: (route) => route.abort(), expected: [/ERR_FAILED/] },
  "with the script's file stalled until the browser gives up": {
    onScript: async (route) => {
      await sleep(6_000);
      await route.abort("timedout").catch(() => {});
    },
    expected: [/ERR_TIMED_OUT/],
  },
  "with the script's module stalled": { path: "**/pkg/*.wasm", onScript: () => {} },
  "without JavaScript": { options: { javaScriptEnabled: false } },
})) {
  test(`waiting for the outcome, ${script}`, async () => {
    const payment = await awaited();
    const page = await open(browser, { expected, ...options });
    await hurry(page);
    if (onScript) await page.route(path, onScript);
    await page.goto(payment.checkout_url, { waitUntil: "commit" });
    await page.locator("main[data-status=pending]").waitFor();
    await settle(payment);
    await page.waitForURL("**/sandbox/shop/**", { timeout: 40_000 });
    await close(page);
  });
}

test("a page that waits with its script is not loaded again, and goes on asking", async () => {
  const payment = await awaited();
  const page = await open(browser);
  await hurry(page);
  let [loads, asked] = [0, 0];
  page.on("load", () => { loads += 1; });
  page.on("response", (answer) => { if (answer.url().includes("/redirect/status/") && answer.ok()) asked += 1; });
  await page.goto(payment.checkout_url);
  await page.locator("html.live").waitFor();
  await sleep(9_000);
  await eventually("three questions", () => asked >= 3);
  assert.equal(await page.getAttribute("main", "data-status"), "pending");
  assert.equal(loads, 1);
  await close(page);
});
