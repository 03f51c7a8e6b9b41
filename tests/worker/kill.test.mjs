/**
 * The Worker is killed between its two commits: nothing acknowledged is lost, and nothing is charged twice.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { OutsideBank, json, never } from "./bank.mjs";
import { demoSettings, start } from "./harness.mjs";
import { assertProblem, attempts, choose, deliverNow, eventually, inquireNow, open, returnPath, standing, webhooks } from "./payer.mjs";
import { payByWallet } from "./wallets.mjs";

/** @type {import("./harness.mjs").Till} */
let till;
/** @type {OutsideBank} */
let bank;
let persist;

before(async () => {
  persist = mkdtempSync(join(tmpdir(), "till-kill-"));
  till = await start({ persist });
  bank = new OutsideBank(till);
  const { gateways } = bank.settings();
  const card = demoSettings().gateways.find(({ code }) => code === "credit-card");
  const [{ credentials, endpoint }] = gateways;
  await till.createMerchant({ gateways: [...gateways, { ...card, code: "card", fees: [], exchanges: [], credentials, endpoint }] });
});
afterEach(() => {
  bank.instead = {};
});
after(async () => {
  await till.stop();
  rmSync(persist, { recursive: true, force: true });
});

/** Kills the Worker while the bank, which did `work`, has not answered the opening request of `pay` yet. */
async function killDuring(payment, pay, work) {
  const asked = new Promise((resolve) => {
    bank.instead.open = ({ body }, usual) => {
      work(JSON.parse(body).reference, usual);
      resolve(JSON.parse(body).reference);
      return never();
    };
  });
  const sent = pay().then(() => "answered", () => "cut off");
  const reference = await asked;
  await till.killHard();
  assert.equal(await sent, "cut off");
  bank.instead = {};
  await till.restart();
  assert.deepEqual(await standing(till, payment), ["pending", "sending"]);
  return { ...payment, reference };
}

/** As `killDuring`, for a payer who chooses the bank on the page. */
async function killWhileOpening(work) {
  const payment = await open(till, { pg_codes: ["bank", "cash"] });
  return killDuring(payment, () => choose(till, payment, "bank"), work);
}

const charge = ({ session_id }, token) =>
  till.call("/b/pbl/v2/payment/auto-debit/", { method: "POST", headers: till.privateKey(), json: { session_id, token } });

/** The token of a card that the bank saved for a customer. */
async function keep(customer_id) {
  const saving = await open(till, { customer_id, payment_type: "save_card", amount: "0", pg_codes: ["card"] });
  assert.equal((await choose(till, saving, "card")).status, 303);
  const [{ reference }] = await attempts(till, saving);
  const card = { brand: "VISA", number: "411111******1111", expiry_month: "12", expiry_year: "39", token: `tok-${customer_id}` };
  bank.end(reference, "approved", { card });
  await till.fetch(await returnPath(till, reference));
  const [{ token }] = await till.rows("SELECT token FROM card WHERE customer_id = ?1", customer_id);
  return token;
}

let customers = 0;

const AT_ONCE = [
  ["a native wallet payment", async () => {
    const payment = await open(till, { pg_codes: ["card"] });
    return [payment, () => payByWallet(till, payment)];
  }],
  ["an auto debit", async () => {
    const customer_id = `killed-${++customers}`;
    const token = await keep(customer_id);
    const payment = await open(till, { pg_codes: ["card"], customer_id });
    return [payment, () => charge(payment, token)];
  }],
];
for (const [what, prepare] of AT_ONCE) {
  test(`killed while the bank charges ${what}: it is not charged again, and the sweep finds the charge`, async () => {
    const [order, pay] = await prepare();
    const payment = await killDuring(order, pay, (reference, usual) => (usual(), bank.end(reference)));
    const again = await pay();
    assertProblem(again, 409, "attempt_in_progress");
    assert.deepEqual([again.body.operation, again.body.result], ["payment", "failed"]);
    await inquireNow(till, payment);
    assert.deepEqual(await standing(till, payment), ["paid", "success"]);
    assertProblem(await pay(), 400, "not_payable");
    assert.equal(bank.opened(payment.reference), 1);
    await deliverNow(till, payment);
    const notified = await webhooks(till, payment);
    assert.deepEqual(notified.map(({ body }) => [body.result, body.state, body.reference_number]), [["success", "paid", payment.reference]]);
  });

  test(`killed before the bank took ${what}: it may be tried again after a minute, and is charged once`, async () => {
    const [order, pay] = await prepare();
    const payment = await killDuring(order, pay, () => {});
    await till.rows("UPDATE attempt SET opened_at = opened_at - 60000 WHERE reference = ?1", payment.reference);
    await inquireNow(till, payment);
    assert.deepEqual(await standing(till, payment), ["attempted", "error"]);
    bank.instead.open = (_, usual) => json(201, (usual(), bank.end([...bank.charges.keys()].at(-1))));
    const done = await pay();
    assert.deepEqual([done.status, done.body.result, done.body.state], [200, "success", "paid"], done.text);
    assert.deepEqual(await standing(till, payment), ["paid", "error", "success"]);
  });
}

test("killed after the bank charged: the payer cannot pay twice, and the sweep finds the charge", async () => {
  const payment = await killWhileOpening((reference, usual) => (usual(), bank.end(reference)));
  for (const pg_code of ["bank", "cash"]) {
    assertProblem(await choose(till, payment, pg_code, { accept: "application/json" }), 409, "attempt_in_progress");
  }
  // Not before its minute: the request may still be in progress.
  await till.scheduled();
  assert.deepEqual(await standing(till, payment), ["pending", "sending"]);
  await inquireNow(till, payment);
  assert.deepEqual(await standing(till, payment), ["paid", "success"]);
  assert.equal(bank.opened(payment.reference), 1);
  await deliverNow(till, payment);
  const [{ body }] = await webhooks(till, payment);
  assert.deepEqual([body.result, body.state], ["success", "paid"]);
});

test("killed before the bank took the request: after a minute the attempt is an error, and the payer may try again", async () => {
  const payment = await killWhileOpening(() => {});
  await inquireNow(till, payment);
  assert.deepEqual(await standing(till, payment), ["pending", "unknown"]);
  await till.rows("UPDATE attempt SET opened_at = opened_at - 60000 WHERE reference = ?1", payment.reference);
  await inquireNow(till, payment);
  assert.deepEqual(await standing(till, payment), ["attempted", "error"]);
  assert.equal((await choose(till, payment, "bank")).status, 303);
  assert.deepEqual(await standing(till, payment), ["pending", "error", "redirected"]);
});

test("killed while the bank's page waits: the payer comes back and has paid", async () => {
  const payment = await killWhileOpening((reference, usual) => usual());
  await inquireNow(till, payment);
  assert.deepEqual(await standing(till, payment), ["pending", "redirected"]);
  bank.end(payment.reference);
  await till.fetch(await returnPath(till, payment.reference));
  assert.deepEqual(await standing(till, payment), ["paid", "success"]);
});

test("killed while a webhook is under way: it is sent again with the same id", async () => {
  const url = "https://shop.example.com/hook";
  const payment = await open(till, { pg_codes: ["cash"], webhook_url: url });
  till.outbound.on("POST", url, never);
  const { headers } = await choose(till, payment, "cash");
  const back = till.fetch(headers.get("location")).catch(() => {});
  const [first] = await till.outbound.waitFor(url);
  await till.killHard();
  await back;
  await till.restart();
  till.outbound.on("POST", url, () => json(200, {}));
  // The claim of the killed Worker is valid for a minute.
  await till.rows("UPDATE delivery SET due_at = 0 WHERE session_id = ?1", payment.session_id);
  await till.scheduled();
  assert.equal(till.outbound.to(url).length, 1);
  await till.rows("UPDATE delivery SET lease_until = 0 WHERE session_id = ?1", payment.session_id);
  await deliverNow(till, payment);
  const [, second] = till.outbound.to(url);
  assert.equal(second.headers["webhook-id"], first.headers["webhook-id"]);
  assert.equal(second.body, first.body);
  const [{ state }] = await till.rows("SELECT state FROM delivery WHERE session_id = ?1", payment.session_id);
  assert.equal(state, "delivered");
});

test("killed in the middle of many requests: what was answered is stored, and what is stored is whole", async () => {
  const answered = [];
  let running = true;
  const writers = Array.from({ length: 4 }, async () => {
    while (running) {
      const created = await till.create({ pg_codes: ["cash"] }).catch(() => undefined);
      if (created?.status !== 201) continue;
      const paid = await choose(till, created.body, "cash").catch(() => undefined);
      answered.push([created.body.session_id, paid?.status === 303 ? "cod" : undefined]);
    }
  });
  await eventually("some payments were answered", () => answered.length > 20);
  await till.killHard();
  running = false;
  await Promise.all(writers);
  await till.restart();
  for (const [session_id, state] of answered) {
    const [row] = await till.rows("SELECT state, version FROM txn WHERE session_id = ?1", session_id);
    assert.ok(row, "an answered transaction is lost");
    if (state) assert.equal(row.state, state);
  }
  const broken = await till.rows(
    `SELECT t.session_id FROM txn t LEFT JOIN txn_event e ON e.session_id = t.session_id
     GROUP BY t.session_id HAVING COUNT(e.number) <> t.version OR MAX(e.number) <> t.version`,
  );
  assert.deepEqual(broken, []);
  const halves = await till.rows(
    "SELECT t.session_id FROM txn t WHERE (t.state = 'cod') <> EXISTS (SELECT 1 FROM attempt a WHERE a.session_id = t.session_id AND a.stage = 'cod')",
  );
  assert.deepEqual(halves, []);
  assert.equal((await attempts(till, { session_id: answered[0][0] })).length, 1);
});
