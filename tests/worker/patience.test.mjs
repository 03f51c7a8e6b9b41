/**
 * A gateway that accepts the connection and never answers: the payer has an answer within 12 seconds, and the
 * outcome stays unknown and is inquired about.
 */
import assert from "node:assert/strict";
import { createServer } from "node:net";
import { after, before, test } from "node:test";
import { OutsideBank, json } from "./bank.mjs";
import { start } from "./harness.mjs";
import { assertProblem, attempts, choose, inquireNow, open, returnPath, standing, stateOf } from "./payer.mjs";
import { TOKENS } from "./wallets.mjs";

const MOST = 12_000;
const JSON_ONLY = { accept: "application/json" };
const SDK = "/b/checkout/api/sdk/v1";

/** @type {import("./harness.mjs").Till} */
let till;
/** @type {OutsideBank} */
let bank;
let abyss;
const sockets = new Set();

before(async () => {
  abyss = createServer((socket) => sockets.add(socket.on("error", () => {})));
  await new Promise((resolve) => abyss.listen(0, "127.0.0.1", resolve));
  till = await start();
  bank = new OutsideBank(till);
  const settings = bank.settings();
  const [first] = settings.gateways;
  settings.gateways[0] = { ...first, wallets: ["apple_pay", "google_pay"] };
  await till.createMerchant(settings);
});
after(async () => {
  for (const socket of sockets) socket.destroy();
  abyss.close();
  await till.stop();
});

/** Sends the request on to a server that accepts it and does not answer; its outcome does not matter. */
const hangs = () => fetch(`http://127.0.0.1:${abyss.address().port}/`, { method: "POST", body: "{}" });
const slowly = (milliseconds) => (_, usual) => new Promise((resolve) => setTimeout(() => resolve(usual()), milliseconds));

/** What was answered, and how long it took. */
async function timed(asked) {
  const began = Date.now();
  const answer = await asked;
  return { answer, took: Date.now() - began };
}

async function payment(fields = {}) {
  bank.instead = {};
  return open(till, { pg_codes: ["bank", "once", "cash"], ...fields });
}

test("at once: a gateway that hangs when a payment is opened, resumed, withdrawn, paid by wallet, or asked on the way back", { timeout: 60_000 }, async () => {
  const opened = await payment();
  const sdk = await payment();
  const wallet = await payment();
  const waits = await payment();
  const resumed = await payment();
  const canceled = await payment();
  for (const each of [waits, resumed, canceled]) assert.equal((await choose(till, each, "bank")).status, 303);
  const [{ reference }] = await attempts(till, waits);
  const returning = await payment();
  assert.equal((await choose(till, returning, "bank")).status, 303);
  const [{ reference: back }] = await attempts(till, returning);

  bank.instead = { open: hangs, inquire: hangs, cancel: hangs };
  const submit = (path, body, headers = {}) =>
    till.call(`${SDK}/${path}`, { method: "POST", headers: { "content-type": "application/json", ...headers }, body });
  const answers = await Promise.all([
    timed(choose(till, opened, "bank", JSON_ONLY)),
    timed(submit(`submit/${sdk.session_id}/`, '{"pg_code":"bank"}')),
    timed(submit("gpay/pay/", `{"code":"bank","session_id":"${wallet.session_id}","google_pay_payload":${TOKENS["google-pay"]("visa-approve")}}`)),
    timed(choose(till, waits, "cash", JSON_ONLY)),
    timed(choose(till, resumed, "bank", JSON_ONLY)),
    timed(submit(`cancel/${canceled.session_id}/`, '{"operation":"cancel"}')),
    timed(till.fetch(await returnPath(till, back))),
  ]);
  for (const [place, { took }] of answers.entries()) assert.ok(took < MOST, `answer ${place} took ${took} ms`);
  const [open1, sdk1, , withdrawn, , cancel1, returned] = answers.map(({ answer }) => answer);
  assert.deepEqual([open1.status, sdk1.status, returned.status], [200, 200, 303], `${open1.text} ${sdk1.text}`);
  assertProblem(withdrawn, 409, "attempt_in_progress");
  assertProblem(cancel1, 409, "attempt_in_progress");
  for (const each of [opened, sdk, wallet]) assert.deepEqual(await standing(till, each), ["pending", "unknown"]);
  for (const each of [waits, resumed, returning]) {
    const [state, stage, ...more] = await standing(till, each);
    assert.deepEqual([state, ["redirected", "unknown"].includes(stage), more], ["pending", true, []], stage);
  }
  assert.equal(bank.opened(reference), 1);

  bank.instead = {};
  const [{ reference: lost }] = await attempts(till, opened);
  bank.open({ reference: lost, amount: "10.250", currency: "KWD", operation: "purchase" });
  bank.end(lost);
  await inquireNow(till, opened);
  assert.equal(await stateOf(till, opened), "paid", "what was unknown is asked about and found");
});

test("two calls in sequence share the time: a slow withdrawal leaves the next gateway what is left", { timeout: 30_000 }, async () => {
  const changed = await payment();
  assert.equal((await choose(till, changed, "bank")).status, 303);
  bank.instead = { cancel: slowly(4000), open: hangs };
  const { answer, took } = await timed(choose(till, changed, "once", JSON_ONLY));
  assert.equal(answer.status, 200, answer.text);
  assert.ok(took > 5000 && took < MOST, `${took} ms`);
  assert.deepEqual(await standing(till, changed), ["pending", "canceled", "unknown"]);
});

test("a receiver that hangs behind a slow gateway gets what is left of the time", { timeout: 30_000 }, async () => {
  const receiver = "https://hangs.receivers.example.com/hook";
  till.outbound.on("POST", receiver, hangs);
  const wallet = await payment({ webhook_url: receiver, pg_codes: ["bank"] });
  const returning = await payment({ webhook_url: receiver, pg_codes: ["bank"] });
  assert.equal((await choose(till, returning, "bank")).status, 303);
  const [{ reference }] = await attempts(till, returning);
  bank.end(reference);
  const approves = async (sent, usual) => (await slowly(8500)(sent, usual), json(200, bank.end(JSON.parse(sent.body).reference)));
  bank.instead = { open: approves, inquire: slowly(5000) };
  const body = `{"code":"bank","session_id":"${wallet.session_id}","google_pay_payload":${TOKENS["google-pay"]("visa-approve")}}`;
  const [paid, returned] = await Promise.all([
    timed(till.call(`${SDK}/gpay/pay/`, { method: "POST", headers: { "content-type": "application/json" }, body })),
    timed(till.fetch(await returnPath(till, reference))),
  ]);
  assert.deepEqual([paid.answer.status, returned.answer.status], [200, 303], paid.answer.text);
  assert.ok(paid.took > 8500 && paid.took < MOST, `a wallet: ${paid.took} ms`);
  assert.ok(returned.took > 5000 && returned.took < MOST, `the way back: ${returned.took} ms`);
  for (const each of [wallet, returning]) assert.deepEqual(await standing(till, each), ["paid", "success"]);
  assert.equal(till.outbound.to(receiver).length, 2, "both webhooks were tried while the payers waited");
});

test("a merchant's server waits longer, as no payer does", { timeout: 30_000 }, async () => {
  const native = await payment({ pg_codes: ["bank"] });
  bank.instead = { open: slowly(12_500) };
  const body = `{"session_id":"${native.session_id}","payload":${TOKENS["apple-pay"]("visa-approve")}}`;
  const { answer, took } = await timed(
    till.call("/b/pbl/v2/payment/apple-pay/", { method: "POST", headers: { ...till.privateKey(), "content-type": "application/json" }, body }),
  );
  assert.equal(answer.status, 200, answer.text);
  assert.ok(took > 12_000, `${took} ms`);
  assert.notDeepEqual((await attempts(till, native)).map(({ stage }) => stage), ["unknown"]);
});
