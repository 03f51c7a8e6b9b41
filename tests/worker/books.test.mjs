/**
 * The checks of the reliability trials: records that agree have no fault, and each rule finds the records
 * that break it.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { RULES, Receivers, audit, settle } from "../reliability/books.mjs";
import { Shop, must, settings } from "../reliability/shop.mjs";
import { start } from "./harness.mjs";
import { attempts } from "./payer.mjs";

/** @type {import("./harness.mjs").Till} */
let till;
let receivers;
let shop;

before(async () => {
  till = await start();
  await till.createMerchant(settings());
  receivers = new Receivers(till);
  shop = new Shop(till, receivers);
});
after(() => till.stop());

/** Copies a row with some columns changed. */
async function copy(table, where, changes) {
  const [row] = await till.rows(`SELECT * FROM ${table} WHERE ${where}`);
  const hidden = new Set((await till.rows(`SELECT name FROM pragma_table_xinfo('${table}') WHERE hidden <> 0`)).map(({ name }) => name));
  const next = Object.fromEntries(Object.entries({ ...row, ...changes }).filter(([name]) => !hidden.has(name)));
  const names = Object.keys(next);
  await till.rows(`INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map((_, place) => `?${place + 1}`).join(", ")})`, ...Object.values(next));
}

async function deleteDeliveries(where, ...values) {
  await till.rows(`DELETE FROM delivery_try WHERE delivery_id IN (SELECT id FROM delivery WHERE ${where})`, ...values);
  await till.rows(`DELETE FROM delivery WHERE ${where}`, ...values);
}

/** One of each: a payment that is paid, authorized and captured, refunded, released, and a saved card. */
async function trade() {
  const paid = await shop.paid("credit-card", "10.000");
  must(await shop.operate(paid, "refund", { amount: "3.000" }, { "tracking-key": "book-1" }), 200);
  const held = await shop.paid("mpgs", "20.000");
  must(await shop.operate(held, "capture", { amount: "5.000" }), 200);
  const released = await shop.paid("mpgs", "30.000");
  must(await shop.operate(released, "void"), 200);
  await shop.savedCard("keeper");
  await settle(till);
  const reference = async (payment) => (await attempts(till, payment))[0].reference;
  return { paid, held, released, of: { paid: await reference(paid), held: await reference(held), released: await reference(released) } };
}

/** How each rule is broken. */
const BREACHES = {
  "charged more than once": async ({ of }) => {
    await copy("attempt", `reference = '${of.paid}'`, { reference: "COPYATTEMPT1", number: 9 });
    await copy("sandbox_charge", `reference = '${of.paid}'`, { id: "ch_copy", reference: "COPYATTEMPT1" });
  },
  "charged, and no success here": ({ of }) => till.rows("UPDATE attempt SET stage = 'failed' WHERE reference = ?1", of.paid),
  "a success here that the bank does not have": ({ of }) => till.rows("UPDATE sandbox_charge SET status = 'declined' WHERE reference = ?1", of.held),
  "the bank took another amount": ({ of }) => till.rows("UPDATE sandbox_charge SET amount = amount + 1 WHERE reference = ?1", of.held),
  "a charge of which nothing is known here": ({ of }) => copy("sandbox_charge", `reference = '${of.paid}'`, { id: "ch_stray", reference: "STRAY" }),
  "the bank did an operation that is not done here": ({ held }) => till.rows("UPDATE child SET stage = 'refused' WHERE parent_id = ?1", held.session_id),
  "an operation is done here and not at the bank, or with another amount": () => till.rows("UPDATE sandbox_operation SET amount = amount + 1 WHERE operation = 'refund'"),
  "captured more than was authorised": () => till.rows("UPDATE sandbox_operation SET amount = 20002 WHERE operation = 'capture'"),
  "refunded more than was taken": () => till.rows("UPDATE sandbox_operation SET amount = 10001 WHERE operation = 'refund'"),
  "released and captured, or released twice": () => till.rows("UPDATE sandbox_operation SET amount = 30001 WHERE operation = 'void'"),
  "one tracking key, several operations": async () => {
    await till.rows("DROP INDEX child_by_tracking_key");
    const [{ reference }] = await till.rows("SELECT reference FROM child WHERE tracking_key = 'book-1'");
    await copy("child", `reference = '${reference}'`, { reference: "COPYCHILD", session_id: "copied", number: 9 });
    await copy("sandbox_operation", `reference = '${reference}'`, { id: "op_copy", reference: "COPYCHILD" });
  },
  "several open attempts": async ({ of }) => {
    await till.rows("DROP INDEX one_open_attempt");
    for (const number of [21, 22]) await copy("attempt", `reference = '${of.released}'`, { reference: `OPEN${number}`, number, stage: "redirected" });
  },
  "a success, and the transaction says otherwise": ({ released }) => till.rows("UPDATE txn SET state = 'pending' WHERE session_id = ?1", released.session_id),
  "paid, and nothing succeeded": ({ paid }) => till.rows("UPDATE attempt SET stage = 'canceled' WHERE session_id = ?1", paid.session_id),
  "a version without its event": ({ held }) => till.rows("UPDATE txn SET version = version + 1 WHERE session_id = ?1", held.session_id),
  "an outcome of which nobody was notified": ({ of }) => deleteDeliveries("reference = ?1", of.held),
  "an operation of which nobody was notified": () => deleteDeliveries("reference IN (SELECT reference FROM child)"),
  "an outcome that was notified under two ids": ({ of }) => copy("delivery", `reference = '${of.released}'`, { id: "msg_copy" }),
  "a card that is saved twice": () => copy("card", "customer_id = 'keeper'", { token: "card_copy", fingerprint: "other" }),
  "a card that the bank has and Till does not": () => till.rows("DELETE FROM card"),
};

test("books that agree have no fault, and each rule finds the books that break it", async () => {
  const trades = await trade();
  assert.deepEqual(await audit(till, receivers), []);
  assert.deepEqual(Object.keys(BREACHES).sort(), Object.keys(RULES).sort());
  for (const { name } of await till.rows("SELECT name FROM sqlite_schema WHERE type = 'trigger'")) await till.rows(`DROP TRIGGER ${name}`);
  for (const [rule, breach] of Object.entries(BREACHES)) {
    await breach(trades);
    const faults = await audit(till, receivers);
    assert.ok(faults.some((fault) => fault.startsWith(`${rule}:`)), `${rule} is not found: ${faults.join("\n")}`);
  }
});

test("what a receiver never got, got otherwise, or got from nobody is found", async () => {
  const [{ id, body }] = await till.rows("SELECT id, body FROM delivery WHERE state = 'delivered' LIMIT 1");
  const finds = async (words) => assert.ok((await audit(till, receivers)).some((fault) => fault.startsWith(words)), words);
  const webhook = receivers.received.get(id);
  webhook.bodies.push(`${body} `);
  await finds("received with other bytes");
  receivers.received.delete(id);
  await finds("delivered and never received");
  receivers.received.set("msg_of_nobody", webhook);
  await finds("received and not in the books");
  receivers.refused.push({ id, url: webhook.url, body: `x${body}` });
  await finds("received with a wrong signature");
});
