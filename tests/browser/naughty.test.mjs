/**
 * Hostile texts of a merchant on the hosted page in Chromium: they are shown as text, and none of them runs.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { at } from "../../scripts/project.mjs";
import { demoSettings } from "../worker/harness.mjs";
import { alive, browser, close, open, stand, till } from "./browser.mjs";

const NAUGHTY = JSON.parse(readFileSync(at("tests", "vectors", "naughty.json"), "utf8"));
/** How many texts go onto one page: order number, first and last name, and two lines of each address. */
const A_PAGE = 7;

stand(() => till.createMerchant({ ...demoSettings(), allowed_origins: [] }));

/** A transaction with the texts that create accepts; `null` if it accepts none of them. */
async function carrying([order_no, first, last, ...lines]) {
  const address = (line1, line2) => ({ city: "Kuwait", country: "KW", line1, line2 });
  const taken = async (fields) => (await till.create(fields)).status === 201;
  const fields = {};
  const wanted = {
    order_no, customer_first_name: first, customer_last_name: last,
    billing_address: address(lines[0] ?? "a", lines[1] ?? "b"),
    shipping_address: { ...address(lines[2] ?? "a", lines[3] ?? "b"), first_name: "A", last_name: "B", email: "a@b.example", phone: "1" },
  };
  for (const [name, value] of Object.entries(wanted)) if (await taken({ [name]: value })) fields[name] = value;
  return Object.keys(fields).length === 0 ? null : (await till.create({ ...fields, pg_codes: ["knet", "cash"] })).body;
}

test("no text of a merchant runs, breaks the page or its policy, or is lost", async () => {
  const texts = Object.values(NAUGHTY).filter((text) => text !== undefined && text.length <= 128);
  const page = await open(browser);
  let dialogs = 0;
  page.on("dialog", (dialog) => {
    dialogs += 1;
    return dialog.dismiss();
  });
  let pages = 0;
  for (let from = 0; from < texts.length; from += A_PAGE) {
    const created = await carrying(texts.slice(from, from + A_PAGE));
    if (created === null) continue;
    for (const language of ["en", "ar"]) {
      await page.goto(`${created.checkout_url}&language=${language}`);
      await alive(page);
      assert.equal(await page.locator("script:not([src]), iframe, [onerror], [onload], [onfocus], [onmouseover]").count(), 0);
      assert.equal(await page.locator("form").count(), 1, "nothing closed or opened a form");
      pages += 1;
    }
  }
  assert.ok(pages > 10, `${pages} pages were seen`);
  assert.equal(dialogs, 0);
  await close(page);
});
