/** The trials of `make reliability` in a small size: see tests/reliability/README.md. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as agreements from "../reliability/agreements.mjs";
import * as backlog from "../reliability/backlog.mjs";
import * as deliveries from "../reliability/deliveries.mjs";
import * as gateways from "../reliability/gateways.mjs";
import * as json from "../reliability/json.mjs";
import * as kills from "../reliability/kills.mjs";
import * as mutations from "../reliability/mutations.mjs";
import * as prices from "../reliability/prices.mjs";
import * as races from "../reliability/races.mjs";
import * as soak from "../reliability/soak.mjs";

/** Random in each run; the violations name it. */
const seed = Number(process.env.SEED ?? (Date.now() % 1_000_000) + 1);

/** Those that keep the machine busy, one after another; those that mostly wait, side by side; and those that measure or must not be swept by another, alone. */
const BUSY = [
  ["every file of JSONTestSuite gets its verdict over HTTP", json, { rounds: 3 }],
  ["requests that are altered at random are answered, and never with 5xx", mutations, { rounds: 200 }],
  ["sixteen requests at once about one payment have one outcome", races, { rounds: 2 }],
  ["sixteen debits at once take no more than their agreement permits", agreements, { rounds: 6 }],
  ["a page charges what it shows, or nothing, whatever the merchant changes meanwhile", prices, { rounds: 4 }],
  ["a runtime that is killed at any moment loses nothing and does nothing twice", kills, { rounds: 3 }],
];
const WAITING = [
  ["webhooks to receivers that fail arrive, whatever is killed, and twice only where a kill explains it", deliveries, { rounds: 120, kills: 2 }],
  ["payments at gateways whose connections break are charged once, and none is lost", gateways, { rounds: 12 }],
];
const ALONE = [
  ["one merchant's backlog delays another by at most one run", backlog, { rounds: 100 }],
  ["healthy merchants do not feel the gateway and the receivers that hang", soak, { seconds: 10 }],
];
const trial = ([what, { run }, size]) =>
  test(what, async () => {
    const { violations, counts } = await run({ seed, ...size });
    assert.deepEqual(violations, []);
    assert.ok(Object.values(counts).some((count) => count > 0));
  });

for (const trials of [BUSY, ALONE]) trials.forEach(trial);
describe("side by side", { concurrency: true }, () => WAITING.forEach(trial));
