/**
 * What every gateway must be able to do, written once: each case gets a `World`. A case that a gateway cannot do proves that it is
 * refused, or not offered.
 */
import assert from "node:assert/strict";
import { attempts, events, eventually, inbox, standing, untilWebhooks, webhooks } from "../payer.mjs";
import { reported } from "../stub.mjs";
import { notOffered } from "./refusals.mjs";

const AMOUNT = 10_250;

/** The case, or the proof that the gateway cannot do it. */
const unless = (name, work) => async (world) => (world.adapter.cannot[name] ? notOffered(world, name) : work(world));

async function isPaid(world, payment) {
  await eventually("paid", async () => (await standing(world, payment))[0] === "paid");
  assert.deepEqual(world.stub.ledger(payment.reference).charges, [AMOUNT]);
}

async function approve(world) {
  const payment = await world.paid();
  await isPaid(world, payment);
  const { body } = (await webhooks(world, payment)).at(-1);
  assert.deepEqual([body.result, body.state, body.amount, body.currency_code, reported(body).track_id], ["success", "paid", "10.250", "KWD", payment.reference]);
}

async function decline(world) {
  const payment = await world.adapter.decline(world);
  assert.deepEqual(await standing(world, payment), ["attempted", "failed"]);
  const [{ body }] = await untilWebhooks(world, payment);
  assert.deepEqual([body.result, reported(body).decline_reason], ["failed", "insufficient_funds"]);
}

const CASES = {
  approve, decline,
  "refund in parts and whole": refund,
};

async function refund(world) {
  const payment = await world.paid();
  await isPaid(world, payment);
  const part = await world.operate(payment, "refund", { amount: "4.000" });
  assert.equal(part.status, 200, part.text);
  const rest = await world.operate(payment, "refund");
  assert.equal(rest.status, 200, rest.text);
  assert.deepEqual((await world.children(payment)).map(({ operation, stage, amount }) => [operation, stage, amount]), [["refund", "done", 4000], ["refund", "done", 6250]]);
  assert.equal((await standing(world, payment))[0], "refunded");
  const more = await world.operate(payment, "refund", { amount: "0.010" });
  assert.deepEqual([more.status, more.body.code], [400, "nothing_left"], more.text);
}

export { CASES };
