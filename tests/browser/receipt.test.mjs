/** What a payer reads on the page of a payment after the money moved again, in both languages. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { atTheBank, payWith } from "../worker/payer.mjs";
import { accessibility, browser, close, open, stand, till } from "./browser.mjs";

stand();

async function settled(pg_code, operations) {
  const payment = await atTheBank(till, { pg_code, amount: "10.000", redirect_url: undefined, webhook_url: undefined });
  await payWith(till, payment.page, "visa-approve");
  for (const one of operations) await operate(payment, one);
  return payment;
}

async function operate({ session_id }, [operation, amount]) {
  const done = await till.call("/b/pbl/v2/operation/", {
    method: "POST", headers: till.privateKey(), json: { session_id, operation, ...(amount ? { amount } : {}) },
  });
  assert.equal(done.status, 200, done.text);
}

for (const [pg_code, operations, title, arabic, lines] of [
  ["knet", [], "Payment successful", "تم الدفع بنجاح", []],
  ["knet", [["refund", "4.000"]], "Payment partly refunded", "تم رد جزء من المبلغ", ["Refunded KWD 4.000"]],
  ["knet", [["refund", "4.000"], ["refund"]], "Payment refunded", "تم رد المبلغ", ["Refunded KWD 4.000", "Refunded KWD 6.000"]],
  ["queued", [["refund"]], "Refund on its way", "رد المبلغ قيد التنفيذ", ["Refund on its way KWD 10.000"]],
  ["mpgs", [], "Payment authorised", "تمت الموافقة على الدفع", []],
  ["mpgs", [["capture", "4.000"]], "Payment partly collected", "تم تحصيل جزء من المبلغ", ["Collected KWD 4.000"]],
  ["mpgs", [["capture"]], "Payment collected", "تم تحصيل المبلغ", ["Collected KWD 10.000"]],
  ["mpgs", [["capture"], ["refund", "1.000"]], "Payment partly refunded", "تم رد جزء من المبلغ", ["Collected KWD 10.000", "Refunded KWD 1.000"]],
  ["mpgs", [["void"]], "Reservation released", "تم إلغاء حجز المبلغ", ["Released KWD 10.000"]],
]) {
  const done = operations.map((operation) => operation.join(" ")).join(", ") || "nothing";
  test(`after ${done} through ${pg_code} the page says "${title}"`, async () => {
    const { session_id } = await settled(pg_code, operations);
    for (const [language, expected] of [["en", title], ["ar", arabic]]) {
      const page = await open(browser, { bypassCSP: true, viewport: { width: 320, height: 640 } });
      await page.goto(`${till.url}/b/checkout/redirect/start/?session_id=${session_id}&language=${language}`);
      assert.equal(await page.innerText("h1"), expected);
      assert.ok((await page.title()).startsWith(expected));
      assert.deepEqual(await accessibility(page), []);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
      assert.equal(await page.locator("a[download]").count(), 0, "a receipt for machines is no receipt for people");
      if (language === "en") {
        const moved = page.locator(".line", { has: page.locator(".when") });
        const texts = (await moved.allInnerTexts()).map((text) => text.split("\n").slice(0, 2).map((part) => part.trim()).join(" "));
        assert.deepEqual(texts, lines);
        assert.equal(await page.locator(".when time").count(), lines.length, "each with its date");
        const code = await till.call(await page.getAttribute(".genuine img", "src"));
        assert.equal(code.status, 200, "what happened later leaves the receipt and its code as they are");
      }
      await close(page);
    }
  });
}

for (const [pg_code, operation, title] of [["knet", "refund", "Payment refunded"], ["mpgs", "capture", "Payment collected"], ["mpgs", "void", "Reservation released"]]) {
  test(`a page left open shows a ${operation} through ${pg_code} as soon as it is looked at`, async () => {
    const payment = await settled(pg_code, []);
    const page = await open(browser);
    let loaded = 0;
    page.on("load", () => { loaded += 1; });
    await page.goto(`${till.url}/b/checkout/redirect/start/?session_id=${payment.session_id}`);
    await page.locator("html.live").waitFor();
    const look = async () => {
      const asked = page.waitForResponse((answer) => answer.url().includes("/redirect/status/"));
      await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
      await (await asked).finished();
    };
    await look();
    await operate(payment, [operation]);
    await look();
    await page.getByRole("heading", { name: title }).waitFor();
    await page.locator("html.live").waitFor();
    await look();
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.equal(loaded, 2, "it is loaded again once, and not while nothing happens");
    await close(page);
  });
}

test("the date of a decline does not move when the bank is asked again", async () => {
  const payment = await atTheBank(till, { pg_code: "single" });
  await payWith(till, payment.page, "mastercard-decline");
  const date = async () => {
    const { text } = await till.call(`/b/checkout/redirect/start/?session_id=${payment.session_id}`);
    return /<time datetime="([^"]+)"/.exec(text)[1];
  };
  const first = await date();
  await till.rows("UPDATE attempt SET inquire_at = 0 WHERE session_id = ?1", payment.session_id);
  await new Promise((resolve) => setTimeout(resolve, 1100));
  await till.scheduled();
  const [{ updated_at, known_at }] = await till.rows("SELECT updated_at, known_at FROM attempt WHERE session_id = ?1", payment.session_id);
  assert.ok(updated_at > known_at, "the bank was asked again");
  assert.equal(await date(), first);
});
