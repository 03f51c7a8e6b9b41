/** In which language and in which time a payer reads: what the merchant named, what the payer chose, and what their browser prefers. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { demoSettings, start } from "./harness.mjs";
import { assertProblem, eventually } from "./payer.mjs";

/** @type {import("./harness.mjs").Till} */
let till;

before(async () => {
  till = await start();
  await till.createMerchant();
});
after(() => till.stop());

const PAGE = { accept: "text/html,*/*;q=0.8" };
const START = "/b/checkout/redirect/start/";
const languageOf = ({ text }) => /<html lang="(\w+)" dir="(ltr|rtl)">/.exec(text)?.[1];

/** The page at an address, as a browser that prefers these languages gets it. */
const read = (address, languages) => till.call(address, { headers: { ...PAGE, ...(languages && { "accept-language": languages }) } });

test("a page that no one chose a language for is in that of the browser, and says that it depends on it", async () => {
  const { session_id } = (await till.create()).body;
  for (const [languages, expected] of [
    ["ar-KW,ar;q=0.9,en;q=0.8", "ar"],
    ["en-GB,en;q=0.9,ar;q=0.8", "en"],
    ["fr, AR;q=0.5", "ar"],
    ["en;q=0, *;q=0.1", "ar"],
    ["ar;q=0", "en"],
    ["*", "en"],
    ["fr", "en"],
    ["ar;q=9, ;;q=, \u00ff", "en"],
    [`${"x,".repeat(2_000)}ar`, "en"],
    [undefined, "en"],
  ]) {
    const page = await read(`${START}?session_id=${session_id}`, languages);
    assert.equal(page.status, 200);
    assert.equal(languageOf(page), expected, languages);
    assert.equal(page.headers.get("content-language"), expected);
    assert.match(page.headers.get("vary"), /accept-language/i);
    assert.equal(page.headers.get("cache-control"), "no-store");
  }
});

test("what the merchant named wins over the browser, and what the payer chose over both, also once it is updated", async () => {
  const named = (await till.create({ language: "en" })).body;
  const unnamed = (await till.create()).body;
  assert.equal(unnamed.language, "en", "the API answers the default of the specification");
  assert.equal(languageOf(await read(`${START}?session_id=${named.session_id}`, "ar")), "en");
  assert.equal(languageOf(await read(`${START}?session_id=${named.session_id}&language=ar`, "en")), "ar");
  assert.equal(languageOf(await read(`${START}?session_id=${unnamed.session_id}&language=en`, "ar")), "en");
  const patch = (json) => till.call(`/b/checkout/v1/pymt-txn/${unnamed.session_id}/`, { method: "PATCH", headers: till.privateKey(), json });
  assert.equal((await patch({ amount: "3.500" })).status, 200);
  assert.equal(languageOf(await read(`${START}?session_id=${unnamed.session_id}`, "ar")), "ar", "an update names no language");
  assert.equal((await patch({ language: "en" })).status, 200);
  assert.equal(languageOf(await read(`${START}?session_id=${unnamed.session_id}`, "ar")), "en");
});

test("every page that a payer can reach follows the browser: short addresses, pages that are missing, ended or refused", async () => {
  const made = (await till.create({ shortify_checkout_url: true })).body;
  const short = await till.call(made.checkout_short_url);
  assert.equal(languageOf(await read(short.headers.get("location").slice(till.url.length), "ar-KW")), "ar");
  for (const address of [`${START}?session_id=${"0".repeat(40)}`, START, "/b/zzzzzzzzzz"]) {
    const page = await read(address, "ar-KW");
    assert.ok(page.status >= 400, address);
    assert.equal(languageOf(page), "ar", address);
  }
  const cancel = await till.call(`/b/pbl/v2/operation/`, { method: "POST", headers: till.privateKey(), json: { session_id: made.session_id, operation: "cancel" } });
  assert.ok(cancel.status < 300, cancel.text);
  assert.equal(languageOf(await read(`${START}?session_id=${made.session_id}`, "ar-KW")), "ar");
});

test("the language that a payer chose stays theirs through the bank", async () => {
  const { session_id } = (await till.create({ pg_codes: ["knet"] })).body;
  const sent = await till.call("/b/checkout/redirect/pay/", {
    method: "POST", headers: { ...PAGE, "accept-language": "ar" }, body: new URLSearchParams({ session_id, pg_code: "knet", language: "en" }),
  });
  assert.equal(sent.status, 303, sent.text);
  const bank = await till.call(sent.headers.get("location").slice(till.url.length), { headers: { ...PAGE, "accept-language": "ar" } });
  assert.equal(languageOf(bank), "en", "the bank's page");
  const refused = await till.call("/b/checkout/redirect/pay/", {
    method: "POST", headers: { ...PAGE, "accept-language": "ar" }, body: new URLSearchParams({ session_id, pg_code: "none" }),
  });
  assert.equal(languageOf(refused), "ar", "a form that says no language");
});

test("the switch is at the top of every page, and on one that can be paid a button of its form", async () => {
  const { session_id } = (await till.create()).body;
  for (const [address, tag] of [[`${START}?session_id=${session_id}`, "button"], [`${START}?session_id=${"0".repeat(40)}`, "a"]]) {
    const { text } = await read(address);
    const header = text.slice(text.indexOf("<header>"), text.indexOf("</header>"));
    assert.match(header, new RegExp(`<${tag} class="language"`));
    assert.equal(text.split('class="language"').length, 2, "one switch");
  }
});

/** What clocks in a zone show, by Node's own tables. */
function clockOf(zone, at) {
  const parts = new Intl.DateTimeFormat("en", { timeZone: zone, hourCycle: "h23", day: "numeric", month: "long", year: "numeric", hour: "2-digit", minute: "2-digit", timeZoneName: "longOffset" }).formatToParts(at);
  const part = (type) => parts.find((one) => one.type === type).value;
  const [, sign, hours, minutes] = /^GMT(?:([+-])(\d\d):(\d\d))?/.exec(part("timeZoneName"));
  const rest = minutes === "00" ? "" : `:${minutes}`;
  const offset = Number(hours) + Number(minutes) > 0 ? `UTC${sign}${Number(hours)}${rest}` : "UTC";
  return `${part("day")} ${part("month")} ${part("year")}, ${part("hour")}:${part("minute")} ${offset}`;
}

test("times are those of clocks at the merchant, to the minute in which these change", async () => {
  const edges = {
    "Europe/London": ["2027-03-28T00:59:00Z", "2027-03-28T01:00:00Z", "2026-10-25T00:59:00Z", "2027-10-31T01:00:00Z"],
    "America/New_York": ["2027-03-14T06:59:00Z", "2027-03-14T07:00:00Z", "2027-11-07T05:59:00Z", "2027-11-07T06:00:00Z"],
    "Australia/Lord_Howe": ["2027-04-03T14:59:00Z", "2027-04-03T15:00:00Z", "2027-10-02T15:29:00Z", "2027-10-02T15:30:00Z"],
    "Africa/Cairo": ["2027-04-29T21:59:00Z", "2027-04-29T22:00:00Z", "2027-10-28T20:59:00Z", "2027-10-28T21:00:00Z"],
    "Africa/Casablanca": ["2027-02-07T01:59:00Z", "2027-02-07T02:00:00Z", "2027-03-14T02:00:00Z"],
    "America/St_Johns": ["2027-07-01T12:00:00Z", "2027-12-31T23:59:00Z"],
    "Asia/Kolkata": ["2027-12-31T18:29:00Z", "2027-12-31T18:30:00Z"],
    UTC: ["2027-01-01T00:00:00Z"],
  };
  for (const [time_zone, moments] of Object.entries(edges)) {
    await till.createMerchant({ time_zone });
    for (const due_datetime of moments) {
      const made = await till.create({ due_datetime });
      const { text } = await read(`${START}?session_id=${made.body.session_id}`, "en");
      const shown = text.match(new RegExp(`<time datetime="${due_datetime}"[^>]*>([^<]+)</time>`));
      assert.equal(shown?.[1], clockOf(time_zone, new Date(due_datetime)), `${time_zone} ${due_datetime}`);
    }
  }
});

test("a merchant without a time zone has that of its country, and an unknown zone is refused by name", async () => {
  await till.createMerchant();
  const due_datetime = "2027-06-01T21:30:00Z";
  const { session_id } = (await till.create({ due_datetime, language: "ar" })).body;
  assert.match((await read(`${START}?session_id=${session_id}`)).text, /2 يونيو 2027، 00:30 بتوقيت UTC\+3/);
  for (const time_zone of ["Asia/Nowhere", "+03:00", "", 3]) {
    const merchant_id = "no-zone";
    const refused = await till.operator("/merchants/", { method: "POST", json: { merchant_id, settings: { ...demoSettings(), time_zone } } });
    assertProblem(refused, 400, "invalid_fields");
    assert.match(refused.text, /"time_zone":\["must be the name of a time zone of the IANA database/);
  }
});

test("an Arabic request by SMS has the short address and at most two parts", async () => {
  await till.createMerchant();
  const { session_id } = (await till.create({
    type: "payment_request", pg_codes: ["knet"], language: "ar", customer_phone: "+96550000000", notifications: { sms: ["created"], whatsapp: ["created"] },
  })).body;
  const list = async () =>
    (await till.call(`/sandbox/messages/${till.merchant.merchant_id}/`, { headers: { accept: "application/json" } })).body;
  const found = await eventually("both messages", async () => {
    const own = (await list()).filter(({ id }) => id.includes(session_id));
    return own.length === 2 ? own : undefined;
  });
  for (const message of found) {
    const [address, code] = /https?:\/\/\S+\/b\/(x00[0-9A-Za-z]{10})(?!\S)/.exec(message.text) ?? [];
    assert.ok(code, message.text);
    const followed = await till.call(address.slice(till.url.length));
    assert.match(followed.headers.get("location"), new RegExp(session_id));
    if (message.channel === "sms") assert.ok(message.text.length <= 134, message.text);
  }
});
