/** Some hundreds of generated requests; `make fuzz-api` makes ten thousand. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { fuzz } from "../../scripts/fuzz/run.mjs";
import { reasonToSkip } from "../../scripts/fuzz/schemathesis.mjs";
import { start } from "./harness.mjs";

test("no generated request is answered outside the description", { skip: reasonToSkip() }, async () => {
  const till = await start();
  try {
    till.outbound.on("*", /.*/, () => new Response("{}", { status: 200 }));
    const { cases, failed } = await fuzz(till, { cases: 300, minutes: 5, seed: 1 });
    assert.deepEqual(failed, []);
    assert.ok(cases >= 300, `${cases} requests`);
  } finally {
    await till.stop();
  }
});
