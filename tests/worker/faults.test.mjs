/**
 * Faults of our own side: a database that fails, rows that cannot be read, an installation that is not
 * configured.
 */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { OutsideBank } from "./bank.mjs";
import { start } from "./harness.mjs";
import { assertProblem, attempts, choose, open, openPage, standing } from "./payer.mjs";

describe("a database that fails", () => {
  /** @type {import("./harness.mjs").Till} */
  let till;
  /** @type {OutsideBank} */
  let bank;

  before(async () => {
    till = await start();
    bank = new OutsideBank(till);
    await till.createMerchant(bank.settings());
  });
  beforeEach(() => {
    bank.instead = {};
  });
  after(() => till.stop());

  /** Makes every statement on a table fail while `work` runs. */
  async function without(table, work) {
    await till.rows(`ALTER TABLE ${table} RENAME TO ${table}_away`);
    try {
      return await work();
    } finally {
      await till.rows(`ALTER TABLE ${table}_away RENAME TO ${table}`);
    }
  }

  test("is answered with 503 and a time to try again, and its own words stay inside", async () => {
    const payment = await open(till, { pg_codes: ["bank"] });
    const [pages, answers] = await without("txn", async () => [
      [await openPage(till, payment), await choose(till, payment, "bank")],
      [
        await till.create({ pg_codes: ["bank"] }),
        await till.retrieve(payment.session_id),
        await choose(till, payment, "bank", { accept: "application/json" }),
        await till.call(`/b/checkout/redirect/status/${payment.session_id}/`),
      ],
    ]);
    for (const answer of answers) {
      assertProblem(answer, 503, "unavailable");
      assert.equal(answer.headers.get("retry-after"), "1");
    }
    for (const { status, text } of [...pages, ...answers]) {
      assert.equal(status, 503);
      assert.doesNotMatch(text, /\b(txn|SQL|D1_)|no such table/i);
    }
    assert.ok(till.log.some((line) => line.includes('"event":"failed"')), "the operator was not notified");
    assert.equal((await till.create({ pg_codes: ["bank"] })).status, 201);
    assert.deepEqual(await attempts(till, payment), []);
  });

  test("before the bank is asked: nothing is charged", async () => {
    const payment = await open(till, { pg_codes: ["bank"] });
    const asked = till.outbound.sent.length;
    await without("attempt", () => choose(till, payment, "bank"));
    assert.equal(till.outbound.sent.length, asked);
    assert.equal((await choose(till, payment, "bank")).status, 303);
  });

  test("after the bank charged: the payment is found later", async () => {
    const payment = await open(till, { pg_codes: ["bank"] });
    bank.instead.open = async ({ body }, usual) => {
      usual();
      bank.end(JSON.parse(body).reference);
      await till.rows("ALTER TABLE delivery RENAME TO delivery_away");
      return bank.open(JSON.parse(body));
    };
    const answer = await choose(till, payment, "bank", { accept: "application/json" });
    await till.rows("ALTER TABLE delivery_away RENAME TO delivery");
    assertProblem(answer, 503, "unavailable");
    assert.deepEqual(await standing(till, payment), ["pending", "sending"]);
    await till.rows("UPDATE attempt SET inquire_at = 0 WHERE session_id = ?1", payment.session_id);
    await till.scheduled();
    assert.deepEqual(await standing(till, payment), ["paid", "success"]);
    assert.equal(bank.opened((await attempts(till, payment))[0].reference), 1);
  });

  test("an unreadable row is answered with 503, and does not hold up the sweep", async () => {
    const broken = await open(till, { pg_codes: ["bank"] });
    const good = await open(till, { pg_codes: ["bank"] });
    for (const payment of [broken, good]) await choose(till, payment, "bank");
    const [[{ reference: bad }], [{ reference }]] = [await attempts(till, broken), await attempts(till, good)];
    await till.rows("UPDATE attempt SET params = 'no JSON', inquire_at = 0 WHERE reference = ?1", bad);
    await till.rows("UPDATE attempt SET inquire_at = 1 WHERE reference = ?1", reference);
    bank.end(reference);
    await till.scheduled();
    assert.deepEqual(await standing(till, good), ["paid", "success"]);
    assertProblem(await choose(till, broken, "bank", { accept: "application/json" }), 503, "unavailable");
  });

  test("rows that cannot be read, however many, do not starve those that can", async () => {
    const broken = await Promise.all(Array.from({ length: 41 }, () => open(till, { pg_codes: ["bank"] })));
    for (const payment of broken) await choose(till, payment, "bank");
    await till.rows("UPDATE attempt SET params = 'no JSON', inquire_at = 0 WHERE stage = 'redirected'");
    const good = await open(till, { pg_codes: ["bank"] });
    await choose(till, good, "bank");
    const [{ reference }] = await attempts(till, good);
    bank.end(reference);
    await till.rows("UPDATE attempt SET inquire_at = 1 WHERE reference = ?1", reference);
    for (let runs = 0; runs < 3; runs += 1) await till.scheduled();
    assert.deepEqual(await standing(till, good), ["paid", "success"]);
  });
});

describe("an installation that is not configured", () => {
  for (const [what, bindings] of [
    ["without an operator's token", { OPERATOR_TOKEN: "" }],
    ["with an operator's token that is too short", { OPERATOR_TOKEN: "short" }],
    ["with a key for sealing that is no key", { SEAL_KEY: "AAAA" }],
    ["with a key for receipts that is no key", { RECEIPT_KEY: "AAAA" }],
    ["with an address that is none", { PUBLIC_URL: "here" }],
  ]) {
    test(`${what} answers 503 and shows its operator what is wrong, and no secret`, async () => {
      const till = await start({ bindings, assets: false });
      try {
        for (const path of ["/healthz", "/b/checkout/v1/pymt-txn/", "/sandbox/shop/"]) {
          const { status, text } = await till.call(path);
          assert.equal(status, 503);
          assert.doesNotMatch(text, new RegExp(Object.keys(bindings)[0]));
        }
        await till.scheduled();
        assert.ok(till.log.some((line) => line.includes('"event":"broken"') && line.includes(Object.keys(bindings)[0])), till.log.join("\n"));
      } finally {
        await till.stop();
      }
    });
  }
});
