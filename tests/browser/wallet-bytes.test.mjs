/**
 * What a wallet returns is submitted as it is: the simulated bank takes a token only if its seal covers every other byte, so that a
 * payment proves that nothing was changed on the way from the sheet to the bank.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { appleToken, googleToken } from "../worker/wallets.mjs";
import { alive, browser, close, open, stand, till } from "./browser.mjs";
import { APPLE, GOOGLE, putWallets } from "./wallets.mjs";

stand();

async function transaction(fields = {}) {
  const created = await till.create({ pg_codes: ["credit-card"], amount: "10.000", redirect_url: `${till.url}/sandbox/shop/`, webhook_url: `${till.url}/sandbox/inbox/bytes/`, ...fields });
  assert.equal(created.status, 201, created.text);
  return created.body;
}

/** Members and spaces that a reader and a writer of JSON would change: order, numbers, escapes, letters. */
const wild = (text) => text.replace("{", '{ "z" : 1e2,"a":1.0 ,\t"u":"\\u00e9 é 😀 \\/","b": [ ], ');

/** A browser whose wallet returns an object that is written as this text. */
const putText = (page, text) =>
  page.addInitScript((text) => {
    const { stringify } = JSON;
    const value = JSON.parse(text);
    const parse = JSON.parse;
    JSON.parse = (given, ...more) => (given === text ? value : parse(given, ...more));
    JSON.stringify = (given, ...more) => (given === value ? text : stringify(given, ...more));
  }, text);

const TOKENS = { apple: ["apple_pay_payload", APPLE, (change) => appleToken("visa-approve", {}, change)], google: ["google_pay_payload", GOOGLE, (change) => googleToken("visa-approve", change)] };

for (const [wallet, [member, button, token]] of Object.entries(TOKENS)) {
  test(`${wallet}: the text of the token is in the request as it is, whatever its form, and pays`, async () => {
    for (const text of [token(), token(wild)]) {
      const { session_id, checkout_url } = await transaction();
      const page = await open(browser);
      await putText(page, text);
      await putWallets(page, { [wallet]: text });
      await page.goto(checkout_url);
      await alive(page);
      const [request] = await Promise.all([page.waitForRequest(/\/[ag]pay\/pay\//), page.click(button)]);
      assert.ok(request.postData().endsWith(`,"${member}":${text}}`), request.postData());
      assert.equal(request.redirectedFrom(), null);
      await page.waitForURL("**/sandbox/shop/**");
      assert.equal((await till.retrieve(session_id)).body.state, "paid");
      await close(page);
    }
  });

  test(`${wallet}: a token of which one byte is changed on the way does not pay`, async () => {
    const { session_id, checkout_url } = await transaction();
    const page = await open(browser, { expected: [/status of 400/] });
    await putWallets(page, { [wallet]: token() });
    await page.route(/\/[ag]pay\/pay\//, (route) => route.continue({ postData: route.request().postData().replace("1111", "1112") }));
    await page.goto(checkout_url);
    await alive(page);
    await page.click(button);
    await page.locator("#notice:not([hidden])").waitFor();
    const { state } = (await till.retrieve(session_id)).body;
    assert.ok(!["paid", "authorized"].includes(state), state);
    await close(page);
  });
}

test("an answer about another payment is not believed: the page asks what became of its own", async () => {
  const { session_id, checkout_url } = await transaction();
  const page = await open(browser);
  await putWallets(page, { google: googleToken("visa-approve") });
  const foreign = { approved: true, message: "", redirect_url: `${till.url}/sandbox/shop/?session_id=foreign`, callback_payload: { session_id: "0".repeat(40) } };
  await page.route("**/gpay/pay/", (route) => route.fulfill({ json: foreign }));
  await page.goto(checkout_url);
  await alive(page);
  const asked = page.waitForRequest(/status/);
  await page.click(GOOGLE);
  await asked;
  await page.locator("#notice:not([hidden])").waitFor();
  assert.equal(new URL(page.url()).searchParams.get("session_id"), session_id);
  await close(page);
});

test("a lost answer is asked about: the page learns that the payment was made, and goes on", async () => {
  const { session_id, checkout_url } = await transaction();
  const page = await open(browser, { expected: [/ERR_FAILED|net::/] });
  await putWallets(page, { google: googleToken("visa-approve") });
  await page.route("**/gpay/pay/", async (route) => {
    await route.fetch();
    await route.abort();
  });
  await page.goto(checkout_url);
  await alive(page);
  await page.click(GOOGLE);
  await page.locator("main[data-status=paid]").or(page.locator("text=session_id")).first().waitFor();
  assert.equal((await till.retrieve(session_id)).body.state, "paid");
  await close(page);
});
