/**
 * Who tries stolen cards waits: after many declines of one payment transaction, and after many from one address. Others pay
 * meanwhile, and what is under way ends as it does.
 */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { start } from "./harness.mjs";
import { assertProblem, attempts, choose, finish, open, payWith, pollStatus, stateOf } from "./payer.mjs";

const LIMITS = { session_declines: 3, session_cards: 0, address_declines: 0, address_sessions: 0, seconds: 600 };
const from = (address) => ({ "cf-connecting-ip": address });
const CODES = ["knet", "credit-card"];

describe("declines", () => {
  let till;
  before(async () => {
    till = await start();
  });
  after(() => till?.stop());

  const shop = (limits) => till.createMerchant({ limits: { ...LIMITS, ...limits } });
  const order = () => open(till, { pg_codes: CODES });
  /** A payment from an address that the bank declines. */
  async function decline(payment, address) {
    const sent = await choose(till, payment, "knet", from(address));
    assert.equal(sent.status, 303, sent.text);
    await payWith(till, sent.headers.get("location"), "mastercard-decline");
  }
  const lines = (limit) => till.log.filter((line) => line.includes('"event":"rate_limited"') && line.includes(`"limit":"${limit}"`));

  it("of one transaction are let through exactly as often as the merchant says, however many ask at once", async () => {
    await shop({});
    const payment = await order();
    const statuses = new Set();
    for (let round = 0; round < 6; round += 1) {
      const sent = await Promise.all(Array.from({ length: 6 }, () => choose(till, payment, "knet", from("192.0.2.1"))));
      for (const { status } of sent) statuses.add(status);
      const page = sent.find(({ status }) => status === 303)?.headers.get("location");
      if (page) await payWith(till, page, "mastercard-decline");
    }
    const found = await attempts(till, payment);
    assert.deepEqual(found.map(({ stage }) => stage), ["failed", "failed", "failed"]);
    assert.ok(statuses.has(429), [...statuses].join());
    const refused = await choose(till, payment, "knet", { ...from("198.51.100.1"), accept: "application/json" });
    assertProblem(refused, 429, "too_many_declines");
    const wait = Number(refused.headers.get("retry-after"));
    assert.ok(wait > 500 && wait <= 600, `${wait}`);
    assert.ok(lines("session_declines").length > 0);
    assert.match(lines("session_declines").at(-1), /"from":"198\.51\.100\.0\/24".*"merchant":"shop-/);
  });

  it("say how long to wait on the page, in the language of the payer, and in answers to scripts", async () => {
    await shop({ session_declines: 1 });
    const payment = await order();
    await decline(payment, "192.0.2.1");
    for (const [language, words] of [["en", "You can try again in 15 minutes."], ["ar", "بعد 15 دقيقة."]]) {
      const body = new URLSearchParams({ session_id: payment.session_id, pg_code: "knet", language });
      const page = await till.call("/b/checkout/redirect/pay/", { method: "POST", body, redirect: "manual" });
      assert.equal(page.status, 429);
      assert.ok(page.text.includes(words), page.text.slice(0, 3000));
      assert.ok(Number(page.headers.get("retry-after")) > 500);
    }
    const submitted = await till.call(`/b/checkout/api/sdk/v1/submit/${payment.session_id}/`, { method: "POST", json: { pg_code: "knet" } });
    assertProblem(submitted, 429, "too_many_declines");
    assert.equal((await pollStatus(till, payment)).status, "declined", "the state is still shown");
  });

  it("from one address make it wait, while other addresses pay and what is under way ends", async () => {
    await shop({ session_declines: 0, address_declines: 4 });
    const [under, waiting] = [await order(), await order()];
    const bank = await choose(till, under, "knet", from("2001:db8:1:2::1"));
    for (let more = 0; more < 3; more += 1) await decline(await order(), `2001:db8:1:2::${more + 2}`);
    const payments = await Promise.all(Array.from({ length: 12 }, order));
    const refused = await Promise.all(payments.map((payment) => choose(till, payment, "knet", from("2001:db8:1:2:ffff::1"))));
    assert.deepEqual(refused.map(({ status }) => status), Array(12).fill(429));
    assert.match(lines("address_declines").at(-1), /"from":"2001:db8:1::\/48"/);
    const others = await Promise.all(payments.slice(0, 6).map((payment, place) => choose(till, payment, "knet", from(`203.0.113.${place}`))));
    assert.deepEqual(others.map(({ status }) => status), Array(6).fill(303));
    await payWith(till, others[0].headers.get("location"), "visa-approve");
    assert.equal(await stateOf(till, payments[0]), "paid");
    await finish(till, bank.headers.get("location"), { action: "pay", card: "visa-approve" });
    assert.equal(await stateOf(till, under), "paid");
    // That payment takes one decline off.
    assert.equal((await choose(till, waiting, "knet", from("2001:db8:1:2::9"))).status, 303);
  });

  it("let no more through if all of them are begun at the same moment", async () => {
    for (const limits of [{ address_declines: 10 }, { address_sessions: 10 }]) {
      await shop({ session_declines: 0, ...limits });
      const payments = await Promise.all(Array.from({ length: 40 }, order));
      const sent = await Promise.all(payments.map((payment) => choose(till, payment, "knet", { ...from("192.0.2.140"), accept: "application/json" })));
      assert.deepEqual([...new Set(sent.map(({ status }) => status))].sort(), [200, 429], JSON.stringify(limits));
      for (const { body } of sent.filter(({ status }) => status === 429)) assert.equal(body.code, "too_many_declines");
      const opened = await till.rows("SELECT reference FROM attempt WHERE merchant_id = ?1", till.merchant.merchant_id);
      assert.equal(opened.length, 10, JSON.stringify(limits));
      assert.equal(sent.filter(({ status }) => status === 200).length, 10);
      assert.equal((await choose(till, await order(), "knet", from("198.51.100.140"))).status, 303, "another address pays");
    }
  });

  it("no longer count after their time: a payer who waited pays", async () => {
    const { merchant_id } = await shop({ session_declines: 0, address_declines: 2 });
    for (let more = 0; more < 2; more += 1) await decline(await order(), "192.0.2.77");
    const payment = await order();
    const refused = await choose(till, payment, "knet", { ...from("192.0.2.77"), accept: "application/json" });
    assertProblem(refused, 429, "too_many_declines");
    const advance = `00:${String(Math.ceil(Number(refused.headers.get("retry-after")) / 60)).padStart(2, "0")}:00`;
    const moved = await till.operator(`/merchants/${merchant_id}/clock/`, { method: "POST", json: { advance } });
    assert.equal(moved.status, 200, moved.text);
    const sent = await choose(till, payment, "knet", from("192.0.2.77"));
    assert.equal(sent.status, 303, sent.text);
    await payWith(till, sent.headers.get("location"), "visa-approve");
    assert.equal(await stateOf(till, payment), "paid");
  });

  it("are not counted for the address of the merchant's server, and no address is stored", async () => {
    await shop({ session_declines: 0, address_declines: 1 });
    await decline(await order(), "192.0.2.55");
    const payment = await open(till, { pg_codes: ["credit-card"] });
    const payload = { paymentMethodData: { tokenizationData: { token: "visa-approve" } } };
    const json = { session_id: payment.session_id, pg_code: "credit-card", payload };
    const byServer = await till.call("/b/pbl/v2/payment/google-pay/", { method: "POST", headers: { ...till.privateKey(), ...from("192.0.2.55") }, json });
    assert.equal(byServer.status, 200, byServer.text);
    const device = { authorization: `Api-Key ${till.merchant.public_key}`, ...from("192.0.2.55") };
    const next = await open(till, { pg_codes: ["credit-card"] });
    const byPayer = await till.call("/b/pbl/v2/payment/google-pay/", { method: "POST", headers: device, json: { ...json, session_id: next.session_id } });
    assertProblem(byPayer, 429, "too_many_declines");
    const stored = await till.rows("SELECT DISTINCT payer FROM attempt WHERE merchant_id = ?1 AND payer IS NOT NULL", till.merchant.merchant_id);
    assert.equal(stored.length, 1);
    assert.match(stored[0].payer, /^[0-9a-f]{64}$/);
    assert.ok(!JSON.stringify(await till.rows("SELECT * FROM attempt")).includes("192.0.2.55"));
  });
});
