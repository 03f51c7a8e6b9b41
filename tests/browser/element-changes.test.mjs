/**
 * The element <till-checkout> while something changes around it: another payment on the page while one is begun, a merchant who pauses,
 * an outcome that is open; and what it says of methods that move no money.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually, payWith } from "../worker/payer.mjs";
import { browser, close, hold, open, payAtTheBank, till } from "./browser.mjs";
import { created, element, payButton, shop, standShops, status } from "./shop.mjs";

standShops();

async function visit(session_id, { language = "en", ...options } = {}) {
  const page = await open(browser, options);
  page.events = [];
  await page.exposeFunction("note", (event) => page.events.push(event));
  await page.addInitScript(() => {
    for (const name of ["till-error", "till-redirect"]) addEventListener(name, () => globalThis.note(name));
  });
  await page.goto(`${shop.origin}/?session_id=${session_id}&language=${language}`);
  return page;
}

const submit = (session_id, json) => till.call(`/b/checkout/api/sdk/v1/submit/${session_id}/`, { method: "POST", json });

/** What answers to a payment that is begun, when the page has no more to do with it. */
const LATE = {
  "leads to the bank": ["/submit/*/", async () => [await created(), "KNET"], [/favicon/]],
  "is refused": ["/submit/*/", async () => {
    const session_id = await created();
    return [session_id, "KNET", () => submit(session_id, { pg_code: "cash" })];
  }, [/status of 4/]],
  "is paid by a saved card": ["/submit-token/", async () => {
    const customer_id = "element-changes-1";
    const { body } = await submit(await created({ customer_id }), { pg_code: "credit-card", save_card: true });
    await payWith(till, body.redirect_url, "visa-approve");
    return [await created({ customer_id }), "Visa ending"];
  }, []],
};

for (const [name, [path, begin, expected]] of Object.entries(LATE)) {
  for (const change of ["another payment", "removal"]) {
    test(`a payment that ${name} after ${change} of the element's own leads nowhere`, async () => {
      const [session_id, method, meanwhile] = await begin();
      const next = await created();
      const page = await visit(session_id, { expected });
      const letGo = await hold(page, `**/api/sdk/v1${path}`);
      await element(page).getByRole("radio", { name: method }).check();
      await payButton(page).click();
      await meanwhile?.();
      const answered = page.waitForEvent("requestfinished", { predicate: (request) => request.method() === "POST" });
      if (change === "removal") {
        await element(page).evaluate((own) => {
          // What a removed element says does not come up to the window.
          for (const name of ["till-error", "till-redirect"]) own.addEventListener(name, () => globalThis.note(name));
          own.remove();
        });
      }
      if (change === "another payment") {
        await element(page).evaluate((own, id) => { own.sessionId = id; }, next);
        await element(page).getByRole("radio", { name: "KNET" }).check();
      }
      letGo();
      await (await answered).response();
      await page.evaluate(() => new Promise((resolve) => { setTimeout(resolve, 300); }));
      assert.deepEqual(page.events, []);
      assert.ok(page.url().startsWith(shop.origin));
      if (change !== "removal") {
        await eventually("it can be pressed", async () => (await payButton(page).getAttribute("aria-disabled")) === "false");
        assert.match(await payButton(page).innerText(), /^Continue to KNET/);
      }
      await close(page);
    });
  }
}

test("a language that changes meanwhile is no other payment: the payer is led on", async () => {
  const page = await visit(await created(), { expected: [/favicon/] });
  const letGo = await hold(page, "**/api/sdk/v1/submit/*/");
  await element(page).getByRole("radio", { name: "KNET" }).check();
  await payButton(page).click();
  await element(page).evaluate((own) => own.setAttribute("language", "ar"));
  await payButton(page).waitFor();
  letGo();
  await page.waitForURL(/\/sandbox\/bank\/pay\//);
  await close(page);
});

test("who wanted their card saved for one payment has not chosen that for the next", async () => {
  const fields = { customer_id: "element-changes-2", pg_codes: ["credit-card"] };
  const page = await visit(await created(fields));
  const save = element(page).getByRole("checkbox", { name: /Save my card/ });
  await save.check();
  const next = await created({ ...fields, amount: "20.000" });
  await element(page).evaluate((own, id) => { own.sessionId = id; }, next);
  await payButton(page).getByText("20.").waitFor();
  assert.equal(await save.isChecked(), false);
  await close(page);
});

test("a card of which no digits are known pays as a saved card", async () => {
  const customer_id = "element-changes-3";
  const { body } = await submit(await created({ customer_id }), { pg_code: "credit-card", save_card: true });
  await payWith(till, body.redirect_url, "visa-approve");
  await till.rows("UPDATE card SET number = NULL WHERE customer_id = ?1", customer_id);
  const session_id = await created({ customer_id });
  const page = await visit(session_id, { expected: [/favicon/] });
  await element(page).getByRole("radio", { name: "Visa Expires" }).check();
  assert.match(await payButton(page).innerText(), /^Pay KWD\s10\.455 with Visa$/);
  await payButton(page).click();
  await page.waitForURL(/redirect\/start|sandbox/);
  assert.equal((await till.retrieve(session_id)).body.state, "paid");
  await close(page);
});

test("a merchant who pauses takes no payments, in both languages, and the methods come back", async () => {
  const pause = async (is_paused) => {
    const answer = await till.operator(`/merchants/${till.merchant.merchant_id}/pause/`, { method: "POST", json: { is_paused } });
    assert.equal(answer.status, 200, answer.text);
  };
  const session_id = await created();
  const page = await visit(session_id, { expected: [/status of 423/] });
  await element(page).getByRole("radio", { name: "KNET" }).check();
  const letGo = await hold(page, "**/pymt-txn/submit/**");
  await pause(true);
  try {
    await payButton(page).click();
    await element(page).getByText("Payments are paused").waitFor();
    letGo();
    for (const [language, text] of [["en", "Payments are paused"], ["ar", "الدفع متوقف مؤقتًا"]]) {
      const other = await visit(session_id, { language });
      await status(other).getByText(text).waitFor();
      assert.doesNotMatch(await status(other).innerText(), /[{}]/);
      assert.equal(await element(other).getByRole("radio").count(), 0);
      await close(other);
    }
  } finally {
    await pause(false);
  }
  await page.reload();
  await element(page).getByRole("radio", { name: "KNET" }).waitFor();
  await close(page);
});

test("while an outcome is open nothing can be chosen, as on the hosted page", async () => {
  const session_id = await created();
  const page = await visit(session_id, { expected: [/favicon/] });
  await element(page).getByRole("radio", { name: "KNET" }).check();
  await payButton(page).click();
  await payAtTheBank(page, "visa-timeout");
  await page.locator("main[data-status=pending]").waitFor();
  await page.goto(`${shop.origin}/?session_id=${session_id}`);
  await status(page).getByText("Confirming your payment").waitFor();
  assert.equal(await element(page).getByRole("radio").count(), 0);
  await close(page);
});

for (const [pg_codes, isTest] of [[["cash"], false], [["later"], true], [["cash", "knet"], true]]) {
  test(`the mark of the test mode is that of the hosted page: ${pg_codes}`, async () => {
    const session_id = await created({ pg_codes, customer_phone: "+96550001234" });
    const [page, hosted] = [await visit(session_id), await open(browser)];
    await payButton(page).waitFor();
    assert.equal(await element(page).getByText("No money will be taken").count(), isTest ? 1 : 0);
    await hosted.goto(`${till.url}/b/checkout/redirect/start/?session_id=${session_id}`);
    assert.equal(await hosted.getByText("No money will be taken").count(), isTest ? 1 : 0);
    await close(page);
    await close(hosted);
  });
}
