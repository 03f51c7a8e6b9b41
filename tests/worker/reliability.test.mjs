/** The trials of `make reliability` in a small size: see tests/reliability/README.md. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as json from "../reliability/json.mjs";

test("every file of JSONTestSuite gets its verdict over HTTP", async () => {
  const { violations } = await json.run({ rounds: 3 });
  assert.deepEqual(violations, []);
});
