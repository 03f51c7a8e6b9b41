/** The pages of payments that are over: the number that leads is what moved, and the payer's next step is in the first screen. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SCREENS, Stage, isPayable, pageOf } from "../worker/stage.mjs";
import { accessibility, browser, close, open, stand, till } from "./browser.mjs";

let stage;
stand(async () => {
  stage = await Stage.of(till);
});

const LANGUAGES = ["en", "ar"];
const WAITS = ["pending", "late", "held", "paused"];
const OVER = Object.keys(SCREENS).filter((name) => !isPayable(name) && !WAITS.includes(name));

/** Opens a payment's page on the smallest phone. */
async function show(session_id, language, options = {}) {
  const page = await open(browser, { viewport: { width: 360, height: 640 }, bypassCSP: true, ...options });
  await page.goto(`${till.url}${pageOf(session_id, language)}`);
  return page;
}

const plain = (text) => text.replaceAll("\u00a0", " ").replaceAll(/\s+/g, " ").trim();
const money = (amount, language) => (language === "ar" ? `${amount} د.ك` : `KWD ${amount}`);

for (const [name, operations, moved, whole, sum] of [
  ["knet", [], "10.500"],
  ["knet", [["refund"]], "10.250", "10.500"],
  ["knet", [["refund", "1.000"], ["refund", "2.000"], ["refund", "0.500"]], "3.500", "10.500", "3.500"],
  ["queued", [["refund"]], "10.250"],
  ["queued", [["refund", "4.000"]], "4.000"],
  ["mpgs", [], "10.250"],
  ["mpgs", [["capture", "4.000"]], "4.000", "10.250"],
  ["mpgs", [["capture", "4.000"], ["capture", "1.000"]], "5.000", "10.250", "5.000"],
  ["mpgs", [["capture", "4.000"], ["refund", "1.500"]], "1.500", "4.000"],
  ["mpgs", [["void"]], "10.250"],
]) {
  const done = operations.map((operation) => operation.join(" ")).join(", ") || "nothing";
  test(`after ${done} through ${name} the number that leads is ${moved}`, async () => {
    const session_id = await stage.moved(name, ...operations);
    for (const language of LANGUAGES) {
      const page = await show(session_id, language);
      assert.equal(plain(await page.innerText(".outcome .price .sum")), money(moved, language));
      const said = plain(await page.innerText("[role=status]"));
      if (whole) assert.ok(said.includes(money(moved, language)) && said.includes(money(whole, language)), said);
      const sums = await page.locator(".line.total", { has: page.locator("dt") }).allInnerTexts();
      if (sum) assert.ok(sums.some((text) => plain(text).endsWith(money(sum, language))), sums.join());
      const sizes = await page.locator(".outcome :is(.price, dd) .sum").evaluateAll((all) => all.map((one) => parseFloat(getComputedStyle(one).fontSize)));
      assert.ok(sizes.slice(1).every((size) => size < sizes[0]), "no other number is as large");
      await page.emulateMedia({ media: "print" });
      assert.ok(plain(await page.innerText(".outcome .price")).includes(money(moved, language)), "on paper too");
      await close(page);
    }
  });
}

for (const merchant of ["plain", "branded"]) {
  test(`of a ${merchant} merchant every payment that is over leads on in the first screen of the smallest phone`, async () => {
    stage.be(merchant);
    for (const name of OVER) {
      const session_id = await SCREENS[name](stage);
      for (const language of LANGUAGES) {
        const page = await show(session_id, language);
        const next = page.locator(".outcome :is(a.button, .next)").first();
        const { y, height } = await next.boundingBox();
        assert.ok(y + height <= 640, `${name} ${language}: ends at ${y + height}`);
        const isBefore = await next.evaluate((one) => (one.compareDocumentPosition(document.querySelector(".lines")) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0);
        assert.ok(isBefore, `${name}: before the lines`);
        assert.deepEqual(await accessibility(page), [], `${name} ${language}`);
        await close(page);
      }
    }
    stage.be("plain");
  });
}

test("the bank's codes are folded, each number is there once, and no word of the bank is in Arabic", async () => {
  for (const name of ["paid", "paid_by_card", "authorized", "refunded"]) {
    const session_id = await SCREENS[name](stage);
    for (const language of LANGUAGES) {
      const page = await show(session_id, language);
      const codes = page.locator(".outcome .more dd");
      assert.ok((await codes.count()) >= 3, `${name}: ${await codes.count()}`);
      assert.equal(await codes.first().isVisible(), false);
      await page.click(".outcome .more summary");
      assert.equal(await codes.first().isVisible(), true);
      const numbers = (await page.locator(".outcome dd bdi").allInnerTexts()).filter((text) => /^[\w-]{6,}$/.test(text));
      assert.deepEqual(numbers.filter((one, at) => numbers.indexOf(one) !== at), [], name);
      const text = await page.innerText("main");
      assert.equal(/CAPTURED|APPROVED|SUCCESS/.test(text), language === "en", text);
      await page.emulateMedia({ media: "print" });
      assert.equal(await codes.last().isVisible(), true, "a printed receipt has them");
      await close(page);
    }
  }
});

test("where nothing can be tried again nothing is advised that needs another try", async () => {
  for (const name of ["failed", "failed_without_a_link_back", "expired", "canceled", "invalid"]) {
    const session_id = await SCREENS[name](stage);
    for (const [language, advice] of [["en", /another card|another way|try again|check it/i], ["ar", /بطاقة أخرى|طريقة دفع أخرى|إعادة المحاولة(?! هنا)/]]) {
      const page = await show(session_id, language);
      assert.doesNotMatch(await page.innerText("main"), advice);
      await close(page);
    }
  }
  const only = await SCREENS.declined_by_one_method(stage);
  const page = await show(only, "en");
  assert.doesNotMatch(await page.innerText("#notice"), /another way/);
  await close(page);
});

for (const javaScriptEnabled of [true, false]) {
  test(`nothing chosen is no alarm, ${javaScriptEnabled ? "with" : "without"} a script`, async () => {
    const expected = [/400 \(Bad Request\)/];
    const page = await show(await SCREENS.payable(stage), "en", { javaScriptEnabled, expected });
    if (javaScriptEnabled) await page.locator("html.live").waitFor();
    // Browsers stop the form themselves; older ones send it.
    else await page.locator("input[required]").evaluateAll((all) => all.forEach((one) => { one.required = false; }));
    await page.click("#pay-button");
    const notice = page.locator("#notice:not([hidden])");
    await notice.waitFor();
    assert.equal(await notice.getAttribute("role"), "status");
    assert.match(await notice.getAttribute("class"), /calm/);
    await close(page);
  });
}
