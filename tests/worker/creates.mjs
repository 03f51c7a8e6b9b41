/** A Worker with a merchant that creates payment transactions, for the tests of what is taken and what is refused. */
import assert from "node:assert/strict";
import { after, before } from "node:test";
import { start } from "./harness.mjs";
import { assertProblem } from "./payer.mjs";

export const PATH = "/b/checkout/v1/pymt-txn/";
export const REQUIRED = { amount: "10.250", currency_code: "KWD", pg_codes: ["knet"], type: "e_commerce" };

/** @type {import("./harness.mjs").Till} */
export let till;

/** Starts the Worker for the tests of a file. */
export function startForTests() {
  before(async () => {
    till = await start();
    await till.createMerchant();
  });
  after(() => till.stop());
}

export async function countRows() {
  const [counts] = await till.rows(
    "SELECT (SELECT COUNT(*) FROM txn) txn, (SELECT COUNT(*) FROM txn_event) event, (SELECT COUNT(*) FROM answer) answer",
  );
  return counts;
}

/** Sends a body and asserts that it is refused with exactly these fields, and that nothing is stored. */
export async function refuses(fields, errors) {
  const before = await countRows();
  const answer = await till.create(fields);
  assert.deepEqual(assertProblem(answer, 400, "invalid_fields"), errors);
  assert.deepEqual(await countRows(), before);
}

export async function accepts(fields) {
  const answer = await till.create(fields);
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}

export const post = (body, headers = {}) =>
  till.call(PATH, { method: "POST", headers: { ...till.privateKey(), "content-type": "application/json", ...headers }, body });

/**
 * What is stored must be shown again, and what cannot be stored is refused by name: it never makes the Worker
 * fail.
 */
export async function isTakenOrRefused(body, name) {
  const before = await countRows();
  const answer = await post(body);
  if (answer.status === 201) {
    assert.equal((await till.retrieve(answer.body.session_id)).text, answer.text);
  } else {
    assert.deepEqual(Object.keys(assertProblem(answer, 400, "invalid_fields")), [name]);
    assert.deepEqual(await countRows(), before);
  }
}
