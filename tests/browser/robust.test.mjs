/** The page in a browser that lacks a feature, or forbids it: prices stay right, and the module works. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { atTheBank } from "../worker/payer.mjs";
import { asking, browser, close, hold, open, stand, till } from "./browser.mjs";

stand();

async function create(fields = {}) {
  const created = await till.create({ pg_codes: ["knet", "credit-card", "cash"], ...fields });
  assert.equal(created.status, 201, created.text);
  return asking(created.body.checkout_url, "knet");
}

const COSTS = [["credit-card", "KWD 10.455"], ["cash", "KWD 10.250"], ["knet", "KWD 10.500"]];
const visible = (page, list) => page.locator(`${list} .sum`).filter({ visible: true }).allInnerTexts();

/** Every price that is shown is that of the chosen method; before one is chosen there is the amount, and no fee. */
async function choosesRightly(page) {
  const url = page.url();
  await page.goto(url.replace("&pg_code=knet", ""));
  assert.equal(await page.locator("[name=pg_code]:checked").count(), 0);
  assert.equal((await page.innerText("#pay-button")).trim(), "Pay");
  assert.deepEqual(await visible(page, ".summary .price"), ["KWD 10.250"]);
  for (const [method, total] of COSTS) {
    await page.check(`input[value=${method}]`);
    assert.deepEqual(await visible(page, "#pay-button"), [total]);
    assert.deepEqual(await visible(page, ".summary .price"), [total]);
  }
}

test("without JavaScript every price follows the chosen method", async () => {
  const page = await open(browser, { javaScriptEnabled: false });
  await page.goto(await create());
  await choosesRightly(page);
  await close(page);
});

test("with the script blocked every price follows the chosen method", async () => {
  const page = await open(browser, { expected: [/ERR_FAILED/] });
  await page.route("**/pkg/*.js", (route) => route.abort());
  await page.goto(await create());
  await choosesRightly(page);
  await close(page);
});

test("while the module is on its way every price follows the chosen method", async () => {
  const page = await open(browser);
  const letGo = await hold(page, "**/pkg/*.wasm");
  await page.goto(await create());
  await choosesRightly(page);
  assert.equal(await page.locator("html.live").count(), 0);
  letGo();
  await page.locator("html.live").waitFor();
  await close(page);
});

for (const javaScriptEnabled of [true, false]) {
  test(`${javaScriptEnabled ? "with" : "without"} JavaScript a form without a method leads to words, and to no payment`, async () => {
    const page = await open(browser, { javaScriptEnabled, expected: [/400/] });
    await page.goto((await create()).replace("&pg_code=knet", ""));
    if (javaScriptEnabled) {
      await page.locator("html.live").waitFor();
      await page.click("#pay-button");
    } else {
      await page.click("#pay-button");
      assert.match(page.url(), /redirect\/start/, "the browser itself asks for a choice");
      const session_id = new URL(page.url()).searchParams.get("session_id");
      const answer = await till.call("/b/checkout/redirect/pay/", { method: "POST", body: new URLSearchParams({ session_id, language: "en" }) });
      assert.match(answer.text, /Nothing is chosen yet/);
    }
    if (javaScriptEnabled) assert.match(await page.innerText("#notice"), /Nothing is chosen yet/);
    assert.deepEqual(await till.rows("SELECT * FROM attempt WHERE session_id = ?1", new URL(page.url()).searchParams.get("session_id")), []);
    await close(page);
  });
}

test("with the script blocked a page with an amount to choose shows no price that could be another", async () => {
  const page = await open(browser, { expected: [/ERR_FAILED/] });
  await page.route("**/pkg/*.js", (route) => route.abort());
  await page.goto(await create({ type: "payment_request" }));
  await page.fill("#amount", "4");
  assert.equal((await page.innerText("#pay-button")).trim(), "Pay");
  const costs = await page.locator(".method .under").allInnerTexts();
  assert.deepEqual(costs.map((cost) => cost.trim()), ["+0.250 fee", "+2% fee", ""]);
  await close(page);
});

for (const [what, take] of [
  ["storage", () => Object.defineProperty(window, "sessionStorage", { get() { throw new DOMException("denied", "SecurityError"); } })],
  ["names of countries", () => { delete Intl.DisplayNames; }],
  ["a format of dates", () => { Intl.DateTimeFormat = function refuse() { throw new RangeError("no such locale"); }; }],
]) {
  test(`a browser without ${what} has the page's module all the same`, async () => {
    const page = await open(browser);
    await page.addInitScript(take);
    await page.goto(await create({
      type: "payment_request", billing_address: { city: "Salmiya", country: "KW", line1: "Street 1", state: "Hawalli", postal_code: "22001" },
    }));
    await page.locator("html.live").waitFor();
    await page.fill("#amount", "4");
    assert.match(await page.innerText("#pay-button"), /KWD 4\.250/);
    await close(page);
  });
}

test("a browser that keeps nothing has the amount, the method and the tick in the other language all the same", async () => {
  const page = await open(browser);
  await page.addInitScript(() => Object.defineProperty(window, "sessionStorage", { get() { throw new DOMException("denied", "SecurityError"); } }));
  await page.goto(await create({ type: "payment_request", customer_id: "keeps-nothing" }));
  await page.locator("html.live").waitFor();
  const session_id = new URL(page.url()).searchParams.get("session_id");
  await page.fill("#amount", "4.5");
  await page.check("input[value=credit-card]");
  await page.check("input[name=save_card]");
  await page.click(".language");
  await page.locator("html[lang=ar].live").waitFor();
  assert.deepEqual(
    [await page.inputValue("#amount"), await page.inputValue("input[name=pg_code]:checked"), await page.isChecked("input[name=save_card]")],
    ["4.5", "credit-card", true],
  );
  assert.deepEqual(await till.rows("SELECT * FROM attempt WHERE session_id = ?1", session_id), []);
  await close(page);
});

test("what goes wrong on a page with a calm notice is an alarm all the same", async () => {
  const payment = await atTheBank(till, { pg_code: "knet" });
  const page = await open(browser, { expected: [/ERR_INTERNET_DISCONNECTED/, /favicon/] });
  await page.goto(new URL(payment.page, till.url).href);
  await page.click('button[value="cancel"]');
  await page.locator("#notice.calm[role=status]").waitFor();
  await page.locator("html.live").waitFor();
  await page.context().setOffline(true);
  await page.click("#pay-button");
  await page.locator("#notice[role=alert]:not(.calm)").waitFor();
  assert.match(await page.innerText("#notice"), /No connection/);
  await page.context().setOffline(false);
  await close(page);
});

for (const javaScriptEnabled of [true, false]) {
  test(`a comma before the decimals is an amount ${javaScriptEnabled ? "with" : "without"} JavaScript, one of thousands is asked about`, async () => {
    const page = await open(browser, { javaScriptEnabled, expected: [/400 \(Bad Request\)/] });
    const url = await create({ type: "payment_request", amount: "2000.000", pg_codes: ["knet"] });
    await page.goto(url);
    if (javaScriptEnabled) await page.locator("html.live").waitFor();
    await page.fill("#amount", "1,250");
    await page.click("#pay-button");
    assert.match(await page.innerText("#amount-fault"), /two ways/);
    await page.fill("#amount", "12,5");
    if (javaScriptEnabled) assert.match(await page.innerText("#pay-button"), /KWD 12\.750/);
    await page.click("#pay-button");
    await page.waitForURL("**/sandbox/bank/pay/**");
    const session_id = new URL(url).searchParams.get("session_id");
    const [{ principal }] = await till.rows("SELECT principal FROM attempt WHERE session_id = ?1", session_id);
    assert.equal(principal, 12_500);
    await close(page);
  });
}

test("a person's browser makes a payment pending, with and without the words of its navigation", async () => {
  for (const isOld of [false, true]) {
    const page = await open(browser);
    const url = await create();
    if (isOld) {
      // Browsers before 2023 do not say what they load.
      await page.route(url, async (route) => {
        const response = await route.fetch({ headers: { accept: "text/html" } });
        await route.fulfill({ response });
      });
    }
    await page.goto(url);
    await page.locator("html.live").waitFor();
    const session_id = new URL(url).searchParams.get("session_id");
    for (let looks = 0; looks < 50 && (await till.retrieve(session_id)).body.state === "created"; looks += 1) await page.waitForTimeout(50);
    assert.equal((await till.retrieve(session_id)).body.state, "pending", isOld ? "old" : "new");
    await close(page);
  }
});
