/** At the desk: the language and the time zone that someone chose, on every screen and in letters to them. Clocks are judged by `Intl`. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { storeEntry } from "./attention.mjs";
import { Visitor, dispute, staff, textOf } from "./desk.mjs";
import { OutboundResponse, start } from "./harness.mjs";
import { atTheBank, eventually, payWith } from "./payer.mjs";

const MAIL = "https://api.resend.com/emails";

let till;
before(async () => {
  till = await start();
  till.outbound.on("POST", MAIL, () => OutboundResponse.json({ id: "49a3999c" }));
  await till.createMerchant({ messages: { email: { provider: "resend", from: "desk@shop.example", credentials: { api_key: "re_123" } } } });
});
after(() => till?.stop());

const langOf = (html) => /<html lang="(\w+)"/.exec(html)[1];
async function choose(visitor, fields) {
  await visitor.get("/me/");
  return visitor.submit("/me/preferences/", { language: "", ...fields });
}
/** What a clock in a zone shows: the parts that a screen writes. */
function clock(moment, timeZone) {
  const parts = new Intl.DateTimeFormat("en-GB", { timeZone, day: "numeric", month: "long", year: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).formatToParts(moment);
  const part = (name) => parts.find(({ type }) => type === name).value;
  return `${part("day")} ${part("month")} ${part("year")}, ${part("hour")}:${part("minute")}`;
}
/** The moments of a page, each with what it shows. */
const moments = (html) => [...html.matchAll(/<time datetime="([^"]+)">([^<]+)<\/time>/g)].map(([, at, shown]) => [new Date(at), shown]);
const stored = async ({ id }) => (await till.rows("SELECT language, time_zone FROM user WHERE id = ?1", id))[0];
const sentTo = ({ email }) => till.outbound.to(MAIL).map(({ body }) => JSON.parse(body)).filter(({ to }) => [to].flat().includes(email));

test("a language that is chosen is that of every session, of the next sign-in, and of nobody else", async () => {
  const [visitor, stranger] = [await staff(till, "reads"), await staff(till, "reads-not")];
  const elsewhere = Object.assign(new Visitor(till), { user: visitor.user });
  await elsewhere.signIn(visitor.user.username);
  const saved = await choose(visitor, { language: "ar" });
  assert.deepEqual([saved.status, saved.location], [303, "/me/?news=saved"]);
  const page = await visitor.follow(saved);
  assert.deepEqual([langOf(page.text), /تم الحفظ/.test(page.text), /<option value="ar" lang="ar" selected>/.test(page.text)], ["ar", true, true]);
  assert.equal(langOf((await elsewhere.get("/payments/")).text), "ar");
  assert.equal(langOf((await stranger.get("/payments/")).text), "en");
  const later = new Visitor(till);
  await later.follow(await later.signIn(visitor.user.username));
  assert.equal(langOf(later.page), "ar", "the page that signs in was English");
  // The link on each page is for the session.
  await later.follow(await later.submit("/language/"));
  assert.equal(langOf((await later.get("/payments/")).text), "en");
  assert.equal(langOf((await visitor.get("/payments/")).text), "ar");
  assert.equal((await choose(visitor, { language: "" })).status, 303);
  const last = new Visitor(till);
  await last.follow(await last.signIn(visitor.user.username));
  assert.equal(langOf(last.page), "en", "none is preferred any more");
});

test("until when a dispute is to be answered is a moment like any other, on the payment and in the attention list", async () => {
  const until = "2026-12-05T18:30:00Z";
  const payment = await atTheBank(till, { pg_code: "credit-card" });
  await payWith(till, payment.page, "visa-approve");
  await dispute(till, payment, { dispute_answer_until: until });
  const detail = JSON.stringify([["dispute_needs_answer"], ["disputed_amount", "12.750 KWD"], ["answer_until", until]]);
  await storeEntry(till, { merchant_id: till.merchant.merchant_id, session_id: payment.session_id, reason: "disputed", detail });
  const visitor = await staff(till, "answers");
  for (const time_zone of ["Asia/Tokyo", "America/New_York"]) {
    await choose(visitor, { time_zone, language: "en" });
    for (const path of [`/payments/${payment.session_id}/`, "/attention/"]) {
      const { text } = await visitor.get(path);
      const shown = moments(text).find(([at]) => at.getTime() === Date.parse(until))?.[1];
      assert.ok(shown?.startsWith(clock(new Date(until), time_zone)), `${path} in ${time_zone}: ${shown}`);
      assert.match(textOf(text), /12\.750 KWD(, reason fraudulent 10\.4)?, to be answered until +\d/, path);
    }
  }
  await choose(visitor, { time_zone: "Asia/Tokyo", language: "ar" });
  for (const path of [`/payments/${payment.session_id}/`, "/attention/"]) {
    const { text } = await visitor.get(path);
    assert.match(textOf(text), /وآخر موعد للرد\s+6 ديسمبر 2026/, path);
  }
  // A machine reads it in UTC.
  const { body } = await till.call("/b/checkout/v1/attention/", { headers: till.privateKey() });
  assert.ok(body.results.some((entry) => entry.detail.endsWith(`to be answered until ${until}`)), JSON.stringify(body));
});

test("a time zone that is chosen is that of every moment, in summer and in winter", async () => {
  const [visitor, stranger] = [await staff(till, "zoned"), await staff(till, "unzoned")];
  const half = String(182 * 86_400);
  const payments = [await till.create({ order_no: "Z-1" }), await till.create({ order_no: "Z-2" }, { "till-seconds-ago": half })];
  for (const time_zone of ["America/New_York", "Asia/Kolkata", " Pacific/Chatham ", "UTC"]) {
    assert.equal((await choose(visitor, { time_zone })).status, 303, time_zone);
    assert.equal((await stored(visitor.user)).time_zone, time_zone.trim());
    for (const path of ["/me/", "/payments/?order_no=Z-1", ...payments.map(({ body }) => `/payments/${body.session_id}/`)]) {
      const seen = moments((await visitor.get(path)).text);
      assert.ok(seen.length > 0, path);
      for (const [at, shown] of seen) assert.ok(shown.startsWith(clock(at, time_zone.trim())), `${path}: ${at.toISOString()} as ${shown}`);
    }
  }
  for (const [at, shown] of moments((await stranger.get("/me/")).text)) assert.ok(shown.startsWith(clock(at, "Asia/Kuwait")), shown);
  await choose(visitor, { time_zone: "" });
  for (const [at, shown] of moments((await visitor.get("/me/")).text)) assert.ok(shown.startsWith(clock(at, "Asia/Kuwait")), shown);
});

test("a day in the filters of the list, and of its table, is one of the times on the screen", async () => {
  const visitor = await staff(till, "days");
  const DAY = 86_400_000;
  const midnight = Math.floor(Date.now() / DAY) * DAY - 9 * DAY;
  const dayAt = (number) => new Date(midnight + number * DAY).toISOString().slice(0, 10);
  // 22:30 in UTC and the evening in New York, and the next day in Kuwait.
  const ago = Math.floor((Date.now() - midnight - 22.5 * 3_600_000) / 1000);
  const { body } = await till.create({ order_no: "D-1" }, { "till-seconds-ago": String(ago) });
  for (const [time_zone, day, others] of [["America/New_York", dayAt(0), [dayAt(-1), dayAt(1)]], ["", dayAt(1), [dayAt(0), dayAt(2)]]]) {
    await choose(visitor, { time_zone });
    for (const [one, count] of [[day, 1], ...others.map((other) => [other, 0])]) {
      const list = await visitor.get(`/payments/?order_no=D-1&created_from=${one}&created_to=${one}`);
      assert.equal(list.text.split(`/payments/${body.session_id}/`).length - 1, count, `${one} in ${time_zone || "the merchant's zone"}`);
      if (count === 0) continue;
      const table = await visitor.submit("/payments/export/");
      assert.ok(table.text.includes(body.session_id), `${table.status}: ${table.text.slice(0, 300)}`);
    }
  }
  // A program names days in UTC.
  const { body: page } = await till.call(`/b/checkout/v1/pymt-txn/?order_no=D-1&created_from=${dayAt(0)}&created_to=${dayAt(0)}`, { headers: till.privateKey() });
  assert.equal(page.results.length, 1);
});

test("a time zone that there is not is refused, with the form as it was filled in", async () => {
  const visitor = await staff(till, "nowhere");
  await choose(visitor, { language: "ar", time_zone: "Asia/Tokyo" });
  await choose(visitor, { language: "en", time_zone: "Asia/Tokyo" });
  for (const time_zone of ["Asia/Atlantis", "+03:00", "\"><script>alert(1)</script>", "a".repeat(65), "__proto__"]) {
    const answer = await choose(visitor, { language: "ar", time_zone });
    assert.equal(answer.status, 400, time_zone);
    assert.match(textOf(answer.text), /There is no such time zone/);
    assert.ok(!answer.text.includes("<script>alert"), time_zone);
    assert.ok(/<option value="ar" lang="ar" selected>/.test(answer.text) && answer.text.includes(`value="${time_zone.replaceAll("\"", "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")}"`), answer.text);
    assert.deepEqual(await stored(visitor.user), { language: "en", time_zone: "Asia/Tokyo" });
  }
  assert.equal((await choose(visitor, { language: "fr", time_zone: "Asia/Tokyo" })).status, 303, "a language that there is not is none");
  assert.equal((await stored(visitor.user)).language, null);
});

test("letters to someone are in their language and time zone", async () => {
  const visitor = await staff(till, "letters");
  await choose(visitor, { language: "ar", time_zone: "Asia/Tokyo" });
  const answer = await till.call(`/b/access/v1/users/${visitor.user.id}/invite/`, { method: "POST", headers: till.privateKey() });
  assert.equal(answer.status, 200, answer.text);
  const [invitation] = await eventually("the invitation", async () => sentTo(visitor.user).length === 1 && sentTo(visitor.user));
  till.secrets.add(/\/sign-in\/link\/([\w-]+)\//.exec(invitation.text)[1]);
  assert.equal(invitation.subject, "دعوة إلى لوحة العمل");
  assert.match(invitation.html, /<html lang="ar" dir="rtl">/);
  assert.match(invitation.text, /UTC\+9/);
  const phone = new Visitor(till);
  phone.headers = { ...phone.headers, "user-agent": "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Version/18.5 Safari/604.1" };
  await phone.signIn(visitor.user.username);
  const [, news] = await eventually("the news of a device", async () => sentTo(visitor.user).length === 2 && sentTo(visitor.user));
  assert.deepEqual([news.subject, /الجهاز: Safari, iPhone/.test(news.text)], ["تسجيل دخول من جهاز جديد", true], news.text);
});
