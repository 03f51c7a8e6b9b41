/** No page for payers is heavier than it may be: every screen, in both languages, with and without a merchant's face, saved cards and wallets. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "./harness.mjs";
import { MOST, MOST_WITH_CARDS, weigh } from "./weight.mjs";

/** @type {import("./harness.mjs").Till} */
let till;
before(async () => { till = await start(); });
after(() => till.stop());

test(`HTML and CSS of a screen are at most ${MOST} bytes after gzip, with saved cards ${MOST_WITH_CARDS}`, async () => {
  const pages = await weigh(till);
  assert.ok(pages.length > 100, `${pages.length} pages`);
  assert.deepEqual(pages.filter(({ gzip, limit }) => gzip > limit).map(({ name, gzip }) => `${name}: ${gzip}`), []);
});
