/** The desk's screens of approvals in Chromium: with and without a script, in both languages, in the light and the dark. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { PASSWORD, makeUser } from "../worker/desk.mjs";
import { demoSettings } from "../worker/harness.mjs";
import { deskOf } from "../worker/options.mjs";
import { atTheBank, payWith } from "../worker/payer.mjs";
import { accessibility, browser, close, stand, till } from "./browser.mjs";
import { signedIn } from "./desk.mjs";

const MAY = ["payment.refund", "Can approve", "Can view e-commerce payments", "Can view payment requests"];

let maker;
let approver;
stand(async () => {
  await till.createMerchant({ ...demoSettings(), approvals: { operations: ["refund"], above: { KWD: "0.500" }, approvers: 1 } });
  maker = await makeUser(till, "maker", { permissions: MAY });
  approver = await makeUser(till, "approver", { permissions: MAY });
});

async function paid() {
  const made = await atTheBank(till, { pg_code: "credit-card", amount: "10.000", order_no: "A-100", customer_first_name: "Sara" });
  await payWith(till, made.page, "visa-approve");
  return made.session_id;
}

/** A request that the API was asked for; its path. */
async function ask(session_id) {
  const authorization = `Basic ${Buffer.from(`${maker.username}:${PASSWORD}`).toString("base64")}`;
  const json = { operation: "refund", session_id, amount: "4.000", reason: "goods_returned", note: "one of two boxes came back" };
  const { body, status } = await till.call("/b/pbl/v2/operation/", { method: "POST", headers: { authorization }, json });
  assert.equal(status, 202);
  return `/approvals/${body.id}/`;
}

test("the screens have room and no fault for axe, in both languages, light and dark, on a phone and a computer", async () => {
  const payment = await paid();
  const path = await ask(payment);
  const other = await ask(await paid());
  await till.rows(
    `UPDATE approval SET state = 'rejected', decided = '{"approved_by":[],"ended_by":{"kind":"user","id":"1","name":"someone"},"note":"the box was empty"}' WHERE id = ?1`,
    other.split("/").at(2),
  );
  for (const language of ["en", "ar"]) {
    for (const colorScheme of ["light", "dark"]) {
      for (const viewport of [{ width: 360, height: 640 }, { width: 1280, height: 800 }]) {
        const page = await signedIn(browser, till, approver, { viewport, colorScheme, locale: language });
        for (const [name, address] of [["approvals", "/approvals/"], ["approval", path], ["ended", other], ["payment", `/payments/${payment}/`]]) {
          await page.goto(deskOf(till.url) + address);
          const where = `${name} ${language} ${colorScheme} ${viewport.width}`;
          assert.equal(await page.evaluate(() => document.documentElement.lang), language, where);
          assert.deepEqual(await accessibility(page), [], where);
          assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${where} is wider than the window`);
          if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, `${where.replaceAll(" ", "-")}.png`), fullPage: true });
        }
        await close(page);
      }
    }
  }
});

/** What the pages say of it. */
const WORDS = {
  en: { refund: "Refund", approve: "Approve", approvals: "Approvals", asked: "No money is moved before another person approves it", recorded: "Your approval is recorded", operations: "Captures, refunds and voids" },
  ar: { refund: "استرداد", approve: "موافقة", approvals: "الموافقات", asked: "لن يُحوَّل أي مبلغ قبل موافقة شخص آخر", recorded: "تم تسجيل موافقتك", operations: "التحصيل والاسترداد والإلغاء" },
};

for (const [locale, words] of Object.entries(WORDS)) {
  for (const javaScriptEnabled of [true, false]) {
    test(`${locale}, ${javaScriptEnabled ? "with" : "without"} a script half is refunded with the approval of a second person`, async () => {
      const payment = await paid();
      const first = await signedIn(browser, till, maker, { javaScriptEnabled, locale });
      await first.goto(`${deskOf(till.url)}/payments/${payment}/`);
      await first.locator("summary", { hasText: words.refund }).click();
      await first.locator("#amount-refund").fill("5.000");
      await first.getByRole("button", { name: words.refund }).click();
      await first.getByRole("status").filter({ hasText: words.asked }).waitFor();
      assert.equal(await first.getByRole("button", { name: words.approve, exact: true }).count(), 0);
      const second = await signedIn(browser, till, approver, { javaScriptEnabled, locale });
      await second.getByRole("link", { name: words.approvals }).first().click();
      await second.getByRole("link", { name: /5\.000/ }).first().click();
      await second.getByRole("button", { name: words.approve, exact: true }).click();
      await second.getByRole("status").filter({ hasText: words.recorded }).waitFor();
      await first.getByRole("link", { name: /10\.000/ }).click();
      const operations = first.getByRole("table", { name: words.operations }).getByText("5.000");
      for (let turn = 0; turn < 50 && (await operations.count()) === 0; turn += 1) await first.reload();
      assert.equal(await operations.count(), 1);
      for (const page of [first, second]) await close(page);
    });
  }
}
