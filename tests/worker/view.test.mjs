/** Which requests count as a payer who saw the page, and which only look at its address. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "./harness.mjs";
import { NAVIGATION, open, openPage, stateOf } from "./payer.mjs";

/** @type {import("./harness.mjs").Till} */
let till;
before(async () => {
  till = await start();
  await till.createMerchant();
});
after(() => till.stop());

const page = ({ session_id }) => `/b/checkout/redirect/start/?session_id=${session_id}`;
const view = ({ session_id }) => `/b/checkout/api/sdk/v1/concur-payer-view/${session_id}/`;

for (const [who, visit] of [
  ["HEAD", (payment) => till.fetch(page(payment), { method: "HEAD", headers: NAVIGATION })],
  ["the preview of a chat", (payment) => openPage(till, payment, { "user-agent": "WhatsApp/2.23.20.0" })],
  ["a scanner of mails", (payment) => openPage(till, payment, { "sec-fetch-dest": "empty", "sec-fetch-mode": "cors" })],
  ["a browser that loads ahead", (payment) => openPage(till, payment, { ...NAVIGATION, "sec-purpose": "prefetch;prerender" })],
  ["an older browser that loads ahead", (payment) => openPage(till, payment, { ...NAVIGATION, purpose: "prefetch" })],
  ["HEAD on what the script calls", (payment) => till.fetch(view(payment), { method: "HEAD" })],
]) {
  test(`${who} leaves a payment created`, async () => {
    const payment = await open(till);
    const answer = await visit(payment);
    assert.equal(answer.status, 200);
    assert.equal(await stateOf(till, payment), "created");
  });
}

test("a person who opens the page makes it pending, and the page has nothing more to say of it", async () => {
  const payment = await open(till);
  const { text } = await openPage(till, payment);
  assert.equal(await stateOf(till, payment), "pending");
  assert.doesNotMatch(text, /data-view-url/);
});

test("a browser that does not say what it loads is counted by the script of the page", async () => {
  const payment = await open(till);
  const { text } = await openPage(till, payment, {});
  const [, url] = /data-view-url="([^"]+)"/.exec(text);
  assert.equal(url, view(payment));
  assert.deepEqual((await till.call(url)).body, { state: "pending" });
});
