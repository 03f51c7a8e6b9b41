/**
 * Existing clients of the contract keep working: recorded calls are made again, and every answer still has every member
 * that clients have read, of the same type and, where it does not change from run to run, with the same value.
 *
 * `make record` records them again, which is a decision: a client may read what then is missing.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Player, missing, recorded, write } from "./calls.mjs";
import { description } from "./description.mjs";
import { start } from "./harness.mjs";

const document = recorded();
const isRecording = process.env.TILL_RECORD !== undefined;

/** @type {import("./harness.mjs").Till} */
let till;
let player;

before(async () => {
  till = await start();
  player = new Player(till);
});
after(() => till.stop());

for (const [place, call] of document.calls.entries()) {
  test(`${place + 1}. ${call.operation}${call.answer?.status >= 400 ? ` is refused with ${call.answer.status}` : ""}`, async () => {
    const answer = await player.play(call);
    if (isRecording) {
      call.answer = answer;
      return;
    }
    assert.equal(answer.status, call.answer.status, JSON.stringify(answer.json));
    assert.deepEqual(missing(call.answer.json, answer.json), []);
  });
}

test("every operation has a recorded call, except those of gateways", () => {
  if (isRecording) write(document);
  const played = new Set(document.calls.map(({ operation }) => operation));
  const operations = Object.values(description().paths).flatMap((item) => Object.values(item));
  const names = operations.filter(({ deprecated }) => !deprecated).map(({ operationId }) => operationId);
  const others = names.filter((name) => !played.has(name)).sort();
  assert.deepEqual(others, [
    "account_callback", "gateway_callback_get", "gateway_callback_post", "gateway_forward",
    "gateway_return_get", "gateway_return_get_bare", "gateway_return_post", "gateway_return_post_bare", "message_report_get", "message_report_post",
  ]);
});

test("a client misses what is renamed, of another type, empty or of another value", () => {
  const before = { state: "paid", amount: "1.000", at: "2026-01-01T00:00:00Z", day: "2026-01-01", list: [{ a: 1 }], none: null };
  assert.deepEqual(missing(before, { ...before, at: "2027-02-02T00:00:00Z", day: "2027-02-02", more: 1 }), []);
  assert.deepEqual(missing(before, { amount: 1, at: "soon", list: [] }), [
    ".state: missing", ".amount: number instead of string", '.at: "soon" instead of "2026-01-01T00:00:00Z"', ".day: missing", ".list: an empty list", ".none: missing",
  ]);
});
