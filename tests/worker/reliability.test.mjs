/** The trials of `make reliability` in a small size: see tests/reliability/README.md. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as backlog from "../reliability/backlog.mjs";
import * as deliveries from "../reliability/deliveries.mjs";
import * as gateways from "../reliability/gateways.mjs";
import * as json from "../reliability/json.mjs";
import * as kills from "../reliability/kills.mjs";
import * as mutations from "../reliability/mutations.mjs";
import * as races from "../reliability/races.mjs";
import * as soak from "../reliability/soak.mjs";

/** Random in each run; the violations name it. */
const seed = Number(process.env.SEED ?? (Date.now() % 1_000_000) + 1);

const SMALL = [
  ["every file of JSONTestSuite gets its verdict over HTTP", json, { rounds: 3 }],
  ["requests that are altered at random are answered, and never with 5xx", mutations, { rounds: 200 }],
  ["sixteen requests at once about one payment have one outcome", races, { rounds: 2 }],
  ["a runtime that is killed at any moment loses nothing and does nothing twice", kills, { rounds: 3 }],
  ["one merchant's backlog delays another by at most one run", backlog, { rounds: 100 }],
  ["webhooks to receivers that fail arrive, whatever is killed, and twice only where a kill explains it", deliveries, { rounds: 120, kills: 2 }],
  ["payments at gateways whose connections break are charged once, and none is lost", gateways, { rounds: 12 }],
  ["healthy merchants do not feel the gateway and the receivers that hang", soak, { seconds: 10 }],
];
for (const [what, { run }, size] of SMALL) {
  test(what, async () => {
    const { violations, counts } = await run({ seed, ...size });
    assert.deepEqual(violations, []);
    assert.ok(Object.values(counts).some((count) => count > 0));
  });
}
