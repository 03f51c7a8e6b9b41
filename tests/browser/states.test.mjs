/** The states of a payment that end without success or take long: what is said, the next step, and what happened elsewhere. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { atTheBank, goToTheBank, payWith } from "../worker/payer.mjs";
import { accessibility, alive, browser, close, open, stand, till } from "./browser.mjs";

const SUPPORT = { email: "help@shop.example", phone: "+96522212345", whatsapp: "+96599912345" };

stand(() => till.createMerchant({ brand: { support: SUPPORT } }));

const BARE = { redirect_url: undefined, webhook_url: undefined };
const address = ({ session_id }, language = "en") => `${till.url}/b/checkout/redirect/start/?session_id=${session_id}&language=${language}`;

async function created(fields = {}) {
  const { status, body, text } = await till.create({ pg_codes: ["knet"], order_no: "A&B 1", ...BARE, ...fields });
  assert.equal(status, 201, text);
  return body;
}

async function moved(state) {
  const payment = await created();
  await till.rows("UPDATE txn SET state = ?2, version = version + 1 WHERE session_id = ?1", payment.session_id, state);
  return payment;
}

async function failed() {
  const payment = await atTheBank(till, { pg_code: "single", ...BARE });
  await payWith(till, payment.page, "mastercard-decline");
  return payment;
}

async function expired() {
  const payment = await created({ expiration_time: "00:00:01" });
  await new Promise((resolve) => setTimeout(resolve, 1100));
  return payment;
}

async function waiting(change) {
  const payment = await atTheBank(till, { pg_code: "knet", ...BARE });
  await payWith(till, payment.page, "visa-timeout");
  await till.rows(`UPDATE attempt SET ${change} WHERE session_id = ?1`, payment.session_id);
  return payment;
}

const UNCHARGED = { en: "You haven't been charged.", ar: "لم يُخصم منك أي مبلغ." };
const TITLES = {
  failed: ["Payment failed", "فشلت عملية الدفع"],
  expired: ["This payment link has expired", "انتهت صلاحية رابط الدفع"],
  canceled: ["Payment cancelled", "تم إلغاء الدفع"],
  invalid: ["This payment is no longer available", "عملية الدفع هذه لم تعد متاحة"],
  late: ["This is taking longer than usual", "يستغرق الأمر وقتًا أطول من المعتاد"],
  held: ["Your payment is being checked", "عملية الدفع قيد المراجعة"],
};
const STATES = {
  failed, expired, canceled: () => moved("canceled"), invalid: () => moved("invalided"),
  late: () => waiting("known_at = known_at - 200000, unknown_since = known_at - 200000"),
  held: () => waiting("inquire_at = NULL"),
};

for (const [name, make] of Object.entries(STATES)) {
  test(`${name}: says whether anything was charged, and how the merchant is reached, in both languages, light and dark`, async () => {
    const payment = await make();
    const isOpen = ["late", "held"].includes(name);
    for (const [at, language] of ["en", "ar"].entries()) {
      for (const colorScheme of ["light", "dark"]) {
        const page = await open(browser, { colorScheme, bypassCSP: true, viewport: { width: 320, height: 640 } });
        await page.goto(address(payment, language));
        assert.equal(await page.getAttribute("main", "data-status"), name);
        assert.equal(await page.innerText("h1"), TITLES[name][at]);
        assert.ok((await page.title()).startsWith(TITLES[name][at]));
        const text = await page.innerText("main");
        assert.equal(text.includes(UNCHARGED[language]), !isOpen);
        assert.equal(await page.locator(".price").count(), 0, "the amount does not lead");
        const links = await page.locator(".contacts a").evaluateAll((all) => all.map((link) => link.href));
        assert.equal(links.length, 3);
        assert.ok(links[0].startsWith("https://wa.me/96599912345") && links[1] === "tel:+96522212345" && links[2].startsWith("mailto:help@shop.example"));
        if (["expired", "canceled", "invalid"].includes(name)) {
          const asked = new URL(links[0]).searchParams.get("text");
          assert.ok(asked.endsWith(" A&B 1"), asked);
          assert.equal(new URL(links[2]).searchParams.get("body"), asked);
        }
        assert.deepEqual(await accessibility(page), []);
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
        await close(page);
      }
    }
  });
}

test("without a script a waiting page loads itself less and less often", async () => {
  const payment = await waiting("unknown_since = unknown_since");
  const seconds = [];
  let next = address(payment);
  for (let round = 0; round < 5; round += 1) {
    const { text } = await till.call(next);
    const [, pause, url] = /<noscript><meta http-equiv="refresh" content="(\d+);url=([^"]+)"/.exec(text);
    seconds.push(Number(pause));
    next = url.replaceAll("&amp;", "&");
  }
  assert.deepEqual(seconds, [5, 10, 20, 30, 30]);
});

test("a page left open shows what happened elsewhere as soon as it is looked at", async () => {
  const payment = await created();
  const page = await open(browser);
  await page.goto(address(payment));
  await alive(page);
  const { page: bank } = { page: await goToTheBank(till, payment, "knet") };
  await payWith(till, bank, "visa-approve");
  assert.equal(await page.getAttribute("main", "data-status"), "payable");
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await page.locator("main[data-status=paid]").waitFor();
  await close(page);
});

for (const javaScriptEnabled of [true, false]) {
  test(`a payer whose page at the bank was replaced in another window is notified, ${javaScriptEnabled ? "with" : "without"} a script`, async () => {
    const payment = await created({ pg_codes: ["knet", "credit-card"] });
    const first = await goToTheBank(till, payment, "knet");
    await goToTheBank(till, payment, "credit-card");
    const page = await open(browser, { javaScriptEnabled, expected: [/favicon\.ico/] });
    await page.goto(`${till.url}${new URL(first, till.url).pathname}`);
    await page.locator("a[href*='/b/gw/v1/return/']").click();
    await page.waitForURL("**/b/checkout/redirect/start/**");
    assert.equal(await page.locator("#notice").getAttribute("role"), "status");
    assert.match(await page.innerText("#notice"), /You continued in another window/);
    assert.match(await page.title(), /^You continued in another window/);
    await close(page);
  });
}

test("who leaves the bank by choice reads it calmly, with what happened first in the title", async () => {
  const payment = await atTheBank(till, { pg_code: "knet", ...BARE });
  const page = await open(browser, { bypassCSP: true, expected: [/favicon\.ico/] });
  await page.goto(new URL(payment.page, till.url).href);
  await page.click('button[value="cancel"]');
  await page.locator("#notice").waitFor();
  assert.equal(await page.getAttribute("#notice", "role"), "status");
  assert.match(await page.innerText("#notice"), /haven't been charged/);
  assert.match(await page.title(), /^The payment was not completed/);
  assert.equal(await page.evaluate(() => document.activeElement.id), "notice");
  assert.deepEqual(await accessibility(page), []);
  await close(page);
});

for (const [path, status, english, arabic] of [
  ["/b/checkout/redirect/start/?session_id=0", 404, "Payment not found", "لم يتم العثور على عملية الدفع"],
  ["/b/checkout/redirect/pay/", 405, "This page cannot be opened like this", "لا يمكن فتح هذه الصفحة بهذه الطريقة"],
]) {
  test(`${status} is in the language of the browser, with a link to the other`, async () => {
    for (const [locale, title, other] of [["ar-KW", arabic, english], ["en-GB", english, arabic], ["fr-FR", english, arabic]]) {
      const page = await open(browser, { locale, bypassCSP: true, expected: [/Failed to load resource/] });
      const answer = await page.goto(`${till.url}${path}`);
      assert.equal(answer.status(), status);
      assert.equal(await page.innerText("h1"), title);
      assert.deepEqual(await accessibility(page), []);
      await page.click(".language");
      assert.equal(await page.innerText("h1"), other);
      await close(page);
    }
  });
}
