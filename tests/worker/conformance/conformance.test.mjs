/** One suite over all connectors: every case of `cases.mjs` at every gateway of `adapters.mjs`, through the Worker and over sockets. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { start } from "../harness.mjs";
import { ADAPTERS } from "./adapters.mjs";
import { CASES } from "./cases.mjs";
import { documented, tableOf } from "./table.mjs";
import { World } from "./world.mjs";

/** @type {import("../harness.mjs").Till} */
let till;
/** What became of each case, by connector. */
const ran = Object.fromEntries(ADAPTERS.map(({ name }) => [name, {}]));

describe("every connector", { concurrency: true }, () => {
  before(async () => {
    till = await start({ sockets: true });
  });
  after(() => till.stop());

  for (const adapter of ADAPTERS) {
    describe(adapter.name, { concurrency: 1 }, () => {
      let world;
      before(async () => {
        world = await new World(till, adapter).start();
      });
      after(() => world.stop());
      for (const [name, run] of Object.entries(CASES)) {
        test(name, async () => {
          ran[adapter.name][name] = await run(world);
        });
      }
    });
  }
});

test("README.md says what was run, and nothing else", () => {
  assert.deepEqual(documented(), tableOf(ran, Object.keys(CASES)));
});
