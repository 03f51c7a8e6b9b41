/** What the desk says in Arabic about what is wrong: no sentence of the API, which is English, is on its pages. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { at } from "../../scripts/project.mjs";
import { OutboundResponse, start } from "./harness.mjs";
import { formsOf, staff, textOf } from "./desk.mjs";
import { deskIds } from "./matrix/desk-ids.mjs";
import { DESK_ROWS } from "./matrix/desk-rows.mjs";

const POSTS = new Set([...readFileSync(at("core", "src", "desk", "route.rs"), "utf8").matchAll(/= POST\s+"[^"]+",\s+"(desk_\w+)"/g)].map(([, name]) => name));
/** Forms that have no fields of their own, end the session, or are those of anyone, whose language they say. */
const OTHERS = ["desk_sign_out", "desk_choose_language", "desk_sign_in", "desk_go_to_provider"];
const LONG = "x".repeat(1_500);
/** Fields of forms, each with a value that none takes. */
const BAD = Object.fromEntries(
  [
    "amount", "remaining", "reason", "note", "operation", "order_no", "customer_id", "customer_email", "customer_phone", "customer_first_name", "currency_code", "expiration_time", "pg_codes", "type",
    "channel", "address", "e_commerce", "payment_request", "operations", "alert_emails", "state", "receiver", "days", "card", "confirmed", "hash", "place", "session",
  ].map((name) => [name, LONG]),
);
/** Filters that are wrong, for the screens that have them. */
const FILTERS = "colour=red&created_from=yesterday&amount=much&state=unpaid&from=yesterday&to=tomorrow&cursor=no&limit=none&currency=zzz&kind=none";

let till, owner, own;
before(async () => {
  till = await start();
  till.outbound.on("POST", "https://desk.example.com/hook", () => new OutboundResponse("ok"));
  own = await deskIds(till, await till.createMerchant());
  owner = await staff(till, "owner");
  await owner.submit("/language/", { language: "ar" });
  // Pages for those who are not signed in are in the language of the browser.
  owner.headers = { ...owner.headers, "accept-language": "ar" };
});
after(() => till?.stop());

/** The text of what a page is about, without values and codes, and without what is marked as of another language. */
function said(html) {
  const main = /<main[^>]*>(.*)<\/main>/s.exec(html)?.[1] ?? "";
  const marked = /<(bdi|code|pre|textarea|option)\b[^>]*>.*?<\/\1>|<(\w+)[^>]* lang="en"[^>]*>.*?<\/\2>/gs;
  return textOf(main.replaceAll(marked, " ")).replaceAll(/\u2068[^\u2069]*\u2069/g, " ").replaceAll(/\b(CSV|KWD|UTC|webhook-id)\b/g, " ");
}
function isArabic(html, name) {
  const text = said(html);
  assert.equal(text.match(/[A-Za-z]{2,}[^\u0600-\u06ff]*/g), null, `${name}: ${text.slice(0, 900)}`);
  assert.match(text, /[\u0600-\u06ff]/, name);
}

for (const row of DESK_ROWS.filter(({ name }) => POSTS.has(name) && !OTHERS.includes(name))) {
  test(`${row.name}: a form with wrong values is answered in Arabic`, async () => {
    await owner.get("/me/");
    const [{ fields }] = formsOf(owner.page).filter(({ action }) => action === "/sign-out/");
    const token = Object.fromEntries(fields);
    for (const values of [BAD, { ...BAD, ...row.fields(own) }, { ...row.fields(own), ...BAD, operation: "refund", type: "payment_request", version: "1" }]) {
      const answer = await owner.post(row.path(own), { ...values, ...token });
      assert.ok(answer.status < 500, `${answer.status}: ${textOf(answer.text).slice(0, 300)}`);
      if (answer.status !== 303 && answer.headers.get("content-type")?.startsWith("text/html")) isArabic(answer.text, `${row.name} ${answer.status}`);
    }
  });
}

test("every screen is in Arabic, with filters that are wrong, too", async () => {
  let wrong = 0;
  for (const row of DESK_ROWS.filter(({ name, access }) => !POSTS.has(name) && access !== "anyone")) {
    const [path] = row.path(own).split("?");
    for (const address of [path, `${path}?${FILTERS}`]) {
      const answer = await owner.get(address);
      assert.ok(answer.status < 500, `${answer.status}: ${textOf(answer.text).slice(0, 300)}`);
      if (answer.status !== 303) isArabic(answer.text, address);
      if (answer.status === 400) wrong += 1;
    }
  }
  assert.ok(wrong >= 3, `${wrong} screens have filters`);
});

test("a fault says in Arabic what the API says in English, with its limit", async () => {
  await owner.get("/new-payment/");
  const answer = await owner.submit("/new-payment/", { amount: "1.2345", currency_code: "KWD", customer_email: "nobody", order_no: LONG });
  assert.equal(answer.status, 400);
  assert.match(textOf(answer.text), /الحد الأقصى 3 من المنازل العشرية لعملة \u2068KWD\u2069/);
  assert.match(textOf(answer.text), /يلزم عنوان بريد إلكتروني صحيح/);
});
