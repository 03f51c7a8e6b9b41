/**
 * A payment transaction is tried ten times a minute at most, and a payer who tries more often gets the time
 * when to try again.
 */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { start } from "./harness.mjs";
import { attempts, choose, open } from "./payer.mjs";

describe("the limit of attempts", () => {
  let till, payment;

  before(async () => {
    till = await start();
    await till.createMerchant();
    payment = await open(till, { pg_codes: ["knet", "credit-card"] });
  });
  after(() => till?.stop());

  it("opens ten attempts, however many ask at the same time", async () => {
    for (let round = 0; round < 15; round += 1) {
      await Promise.all(["knet", "credit-card", "knet", "credit-card"].map((code) => choose(till, payment, code)));
    }
    const found = await attempts(till, payment);
    assert.equal(found.length, 10);
  });

  it("answers 429 with Retry-After, to scripts and on the page in the language of the payer", async () => {
    const last = (await attempts(till, payment)).at(-1).pg_code;
    const other = last === "knet" ? "credit-card" : "knet";
    const asked = await choose(till, payment, other, { accept: "application/json" });
    assert.equal(asked.status, 429, asked.text);
    assert.equal(asked.body.code, "too_many_attempts");
    const seconds = Number(asked.headers.get("retry-after"));
    assert.ok(seconds >= 1 && seconds <= 60, `${seconds}`);
    for (const [language, words] of [["en", "Too many attempts"], ["ar", "محاولات كثيرة"]]) {
      const body = new URLSearchParams({ session_id: payment.session_id, pg_code: other, language });
      const page = await till.call("/b/checkout/redirect/pay/", { method: "POST", body, redirect: "manual" });
      assert.equal(page.status, 429);
      assert.ok(page.text.includes(words), page.text.slice(0, 2000));
      assert.ok(Number(page.headers.get("retry-after")) >= 1);
    }
    const submitted = await till.call(`/b/checkout/api/sdk/v1/submit/${payment.session_id}/`, {
      method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ pg_code: other }),
    });
    assert.equal(submitted.status, 429, submitted.text);
  });

  it("leaves the page that waits open, and other payments alone", async () => {
    const last = (await attempts(till, payment)).at(-1).pg_code;
    const resumed = await choose(till, payment, last);
    assert.equal(resumed.status, 303, resumed.text);
    const fresh = await open(till, { pg_codes: ["knet"] });
    assert.equal((await choose(till, fresh, "knet")).status, 303);
  });
});
