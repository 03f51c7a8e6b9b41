/** `make bench-backlog` in a small size. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { run } from "../bench/backlog.mjs";

/** With twenty payments the 99th percentile is the slowest one, on a machine that does more: one that waits for the backlog takes seconds. */
const NOISE = 500;

test("a receiver that comes back, expiries and inquiries that are due at once are done, and fresh webhooks do not wait for them", async () => {
  const { figures, violations } = await run({ webhooks: 400, fresh: 20, expiries: 200, inquiries: 200, noise: NOISE });
  assert.deepEqual(violations, [], JSON.stringify(figures));
});
