/**
 * The totals of days, over HTTP: what the listing and the history of each payment say, added up here, is the judge; the days of
 * the merchant's calendar are those of the platform's.
 */
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { staff, textOf } from "./desk.mjs";
import { start } from "./harness.mjs";
import { DAY, KUWAIT, wellWithin } from "./moments.mjs";
import { assertProblem, atTheBank, payWith } from "./payer.mjs";

const TOTALS = "/b/checkout/v1/totals/";
const HOUR = 3_600_000;

/** @type {import("./harness.mjs").Till} */
let till;
let shop;
before(async () => {
  await wellWithin(DAY, KUWAIT);
  till = await start();
  const other = await till.createMerchant();
  await byCard("99.000");
  assert.equal((await totals("")).results.length, 1);
  shop = await till.createMerchant({ time_zone: "Asia/Kuwait" });
  assert.notEqual(shop.merchant_id, other.merchant_id);
});
beforeEach(() => wellWithin(DAY, KUWAIT));
after(() => till.stop());

const ask = (query, headers = till.privateKey()) => till.call(`${TOTALS}?${query}`, { headers });
async function totals(query) {
  const answer = await ask(query);
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}

/** Pays through a gateway with another fee. */
async function byCard(amount) {
  const payment = await atTheBank(till, { amount, pg_code: "credit-card" });
  await payWith(till, payment.page, "visa-approve");
  return payment;
}
async function card(amount, name = "visa-approve") {
  const payment = await atTheBank(till, { amount });
  await payWith(till, payment.page, name);
  return payment;
}
const operate = async (json) => {
  const answer = await till.call("/b/pbl/v2/operation/", { method: "POST", headers: till.privateKey(), json });
  assert.equal(answer.status, 200, answer.text);
};
/** Moves what happened to a payment to another moment. */
async function happened({ session_id }, at) {
  await till.rows("UPDATE txn SET paid_at = ?2, version = version + 1 WHERE session_id = ?1 AND paid_at IS NOT NULL", session_id, at);
  await till.rows("UPDATE attempt SET known_at = ?2 WHERE session_id = ?1", session_id, at);
  await till.rows("UPDATE child SET known_at = ?2 WHERE parent_id = ?1", session_id, at);
}

const dayAt = (moment, timeZone) => new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" }).format(moment);
/** An amount of three decimals as a whole number. */
const fils = (text) => BigInt(text.replace(".", ""));
const text = (amount) => `${amount < 0n ? "-" : ""}${(amount < 0n ? -amount : amount).toString().padStart(4, "0").replace(/(\d{3})$/, ".$1")}`;

/** The totals of every payment of the merchant, as its listing and its history show them. */
async function judged(timeZone) {
  const rows = new Map();
  const row = (moment, currency_code, pg_code) => {
    const day = dayAt(moment, timeZone);
    const key = `${day} ${currency_code} ${pg_code}`;
    if (!rows.has(key)) rows.set(key, { currency_code, day, failed_attempts: 0, fees: 0n, paid: 0n, payments: 0, pg_code, refunded: 0n, refunds: 0 });
    return rows.get(key);
  };
  const { body: { results } } = await till.call("/b/checkout/v1/pymt-txn/?limit=100", { headers: till.privateKey() });
  for (const { session_id, currency_code } of results) {
    const { body: { attempts, operations } } = await till.call(`/b/checkout/v1/pymt-txn/${session_id}/events/`, { headers: till.privateKey() });
    const times = Object.fromEntries((await till.rows("SELECT reference, known_at FROM attempt WHERE session_id = ?1 UNION SELECT reference, known_at FROM child WHERE parent_id = ?1", session_id)).map(({ reference, known_at }) => [reference, known_at]));
    for (const { result, reference_number, pg_code, total, fee } of attempts) {
      const of = () => row(times[reference_number], currency_code, pg_code);
      if (result === "failed" || result === "error") of().failed_attempts += 1;
      if (result === "success") Object.assign(of(), { payments: of().payments + 1, paid: of().paid + fils(total), fees: of().fees + fils(fee) });
    }
    for (const { operation, state, reference_number, amount, pg_code = "knet" } of operations) {
      if (operation !== "refund" || state !== "refunded") continue;
      const of = row(times[reference_number], currency_code, pg_code);
      Object.assign(of, { refunds: of.refunds + 1, refunded: of.refunded + fils(amount) });
    }
  }
  const shown = ({ paid, fees, refunded, ...rest }) => ({ ...rest, fees: text(fees), paid_amount: text(paid), refunded_amount: text(refunded), net_amount: text(paid - fees - refunded) });
  const place = ({ day, currency_code, pg_code }) => [-Date.parse(day), currency_code, pg_code];
  return [...rows.values()].map(shown).sort((one, other) => {
    const [a, b] = [place(one), place(other)];
    const at = a.findIndex((value, index) => value !== b[index]);
    return at < 0 ? 0 : a[at] < b[at] ? -1 : 1;
  });
}

test("the days are those of the merchant, and the sums those of its payments", async () => {
  // Midnight in Kuwait, three hours before that in UTC.
  const midnight = Date.parse("2026-11-10T21:00:00Z");
  const hidden = await card("4.000", "mastercard-decline");
  await operate({ session_id: hidden.session_id, operation: "delete" });
  const made = [
    [hidden, midnight + 3], [await card("10.000"), midnight], [await card("2.500"), midnight - 1], [await byCard("7.125"), midnight + HOUR],
    [await card("1.000", "mastercard-decline"), midnight + 2], [await byCard("3.000"), midnight - 20 * HOUR],
  ];
  const returned = await card("40.000");
  await operate({ session_id: returned.session_id, operation: "refund", amount: "15.000" });
  await operate({ session_id: returned.session_id, operation: "refund", amount: "1.000" });
  for (const [payment, at] of made) await happened(payment, at);
  // Paid on one day, given back on the next.
  await happened(returned, midnight + 24 * HOUR);
  await till.rows("UPDATE txn SET paid_at = ?2, version = version + 1 WHERE session_id = ?1", returned.session_id, midnight - 5);
  await till.rows("UPDATE attempt SET known_at = ?2 WHERE session_id = ?1", returned.session_id, midnight - 5);

  const found = await totals("from=2026-11-01&to=2026-11-30");
  const { results, as_of, ...period } = found;
  assert.deepEqual(period, { from: "2026-11-01", time_zone: "Asia/Kuwait", to: "2026-11-30" });
  assert.ok(Math.abs(Date.parse(as_of) - Date.now()) < 60_000);
  assert.deepEqual(results, await judged("Asia/Kuwait"));
  assert.deepEqual(results.map(({ day, pg_code, net_amount, failed_attempts }) => [day, pg_code, net_amount, failed_attempts]), [
    ["2026-11-12", "knet", "-16.000", 0], ["2026-11-11", "credit-card", "7.125", 0], ["2026-11-11", "knet", "10.000", 1],
    ["2026-11-10", "credit-card", "3.000", 0], ["2026-11-10", "knet", "42.500", 0],
  ]);
  const one = await totals("to=2026-11-11");
  assert.deepEqual(one.results, results.filter(({ day }) => day === "2026-11-11"));
});

test("today is the day at the merchant, whatever the day in Greenwich", async () => {
  const payment = await byCard("5.000");
  const { from, to, results } = await totals("");
  const day = dayAt(Date.now(), "Asia/Kuwait");
  assert.deepEqual([from, to], [day, day]);
  assert.equal(results.find(({ pg_code }) => pg_code === "credit-card").net_amount, "5.000");
  await happened(payment, Date.parse("2026-11-11T10:00:00Z"));
});

test("a day on which clocks change has the hours that it has", async () => {
  const kuwait = till.merchant;
  await till.createMerchant({ time_zone: "Europe/London" });
  // 25 October 2026 begins at 23:00 UTC the day before and ends at 24:00.
  const [first, last, next] = ["2026-10-24T23:00:00Z", "2026-10-25T23:59:59.999Z", "2026-10-26T00:00:00Z"].map((at) => Date.parse(at));
  for (const at of [first - 1, first, last, next]) await happened(await byCard("1.000"), at);
  const { results } = await totals("from=2026-10-20&to=2026-10-31");
  assert.deepEqual(results.map(({ day, payments }) => [day, payments]), [["2026-10-26", 1], ["2026-10-25", 2], ["2026-10-24", 1]]);
  assert.deepEqual(results, await judged("Europe/London"));
  till.merchant = kuwait;
});

test("a day begins when it does where clocks change at midnight", async () => {
  const kuwait = till.merchant;
  for (const [time_zone, change] of [["America/Santiago", "2026-09-06T04:00:00Z"], ["America/Havana", "2026-03-08T05:00:00Z"], ["America/Havana", "2026-11-01T05:00:00Z"], ["Asia/Beirut", "2026-03-28T22:00:00Z"]]) {
    await till.createMerchant({ time_zone });
    const at = Date.parse(change);
    for (const moment of [at - HOUR - 1, at - HOUR, at - HOUR / 2, at - 1, at, at + HOUR]) await happened(await byCard("1.000"), moment);
    const { results } = await totals(`from=${dayAt(at - 48 * HOUR, time_zone)}&to=${dayAt(at + 48 * HOUR, time_zone)}`);
    assert.deepEqual(results, await judged(time_zone), `${time_zone}, ${change}`);
  }
  till.merchant = kuwait;
});

test("days that are wrong or too many are refused by name", async () => {
  for (const [query, names] of [["from=2026-02-30", ["from"]], ["from=2026-11-02&to=2026-11-01", ["to"]], ["from=2026-01-01&to=2026-11-01", ["to"]], ["day=1&to=x", ["to", "day"]]]) {
    const answer = await ask(query);
    assertProblem(answer, 400, "invalid_fields");
    assert.deepEqual(Object.keys(answer.body.errors), names, query);
  }
  assertProblem(await ask("", {}), 401, "credentials_missing");
});

test("the desk shows the same figures, and each count leads to exactly its payments", async () => {
  const visitor = await staff(till, "teller");
  const page = await visitor.get("/totals/?from=2026-11-01&to=2026-11-30");
  assert.equal(page.status, 200);
  const { results } = await totals("from=2026-11-01&to=2026-11-30");
  const table = page.text.slice(page.text.lastIndexOf("<table"));
  const rows = [...table.matchAll(/<tr>(.*?)<\/tr>/gs)].slice(1).map(([, row]) => row);
  assert.equal(rows.length, results.length);
  for (const [place, total] of results.entries()) {
    const seen = textOf(rows[place]);
    for (const amount of [total.paid_amount, total.fees, total.refunded_amount, total.net_amount.replace("-", "")]) assert.ok(seen.includes(amount), `${amount} in ${seen}`);
    assert.equal(seen.includes("−"), total.net_amount.startsWith("-"), seen);
    const link = /href="([^"]+)"/.exec(rows[place])?.[1].replaceAll("&amp;", "&");
    if (total.payments === 0) {
      assert.equal(link, undefined);
      continue;
    }
    const list = await visitor.get(link);
    assert.equal(list.text.match(/<tr>/g).length - 1, total.payments, link);
  }
  const wrong = await visitor.get("/totals/?from=2026-11-30&to=2026-11-01");
  assert.equal(wrong.status, 400);
  assert.match(textOf(wrong.text), /to must not be before from/);
});

test("the first screen shows what was taken, and the newest payments, to those who may see them", async () => {
  const seer = await staff(till, "seer", { permissions: ["Can view e-commerce payments", "Can view payment requests"] });
  await byCard("6.000");
  const home = textOf((await seer.get("/")).text);
  assert.match(home, /Today 7 days 30 days .*6\.120 · 1/);
  assert.match(home, /Newest payments/);
  const nobody = await staff(till, "nobody", { permissions: [] });
  const bare = await nobody.get("/");
  assert.equal(bare.status, 200);
  assert.doesNotMatch(textOf(bare.text), /6\.120|Newest payments/);
});
