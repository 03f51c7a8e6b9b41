/** A page of another origin calls the page's side of the API in Chromium, as a checkout SDK does. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { browser, close, open, till } from "./browser.mjs";
import { shop, standShops, stranger } from "./shop.mjs";

/** An empty page. */
const empty = () => '<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>A shop</title></html>';

standShops(() => [empty]);

/**
 * What `fetch` of a page at `origin` gets: status and body, or the name of the error that the browser throws.
 */
async function fetchFrom(origin, calls, expected = []) {
  const page = await open(browser, { expected });
  await page.goto(origin);
  const answers = await page.evaluate(
    (list) =>
      list.reduce(async (done, { url, body }) => {
        const init = body && { method: "POST", headers: { "content-type": "application/json", channel: "web_sdk" }, body: JSON.stringify(body) };
        const before = await done;
        try {
          const response = await fetch(url, init);
          return [...before, { status: response.status, body: await response.json() }];
        } catch (error) {
          return [...before, { error: error.name }];
        }
      }, Promise.resolve([])),
    calls,
  );
  await close(page);
  return answers;
}

async function addresses() {
  const { session_id } = (await till.create({ pg_codes: ["knet"] })).body;
  const base = `${till.url}/b/checkout/api/sdk/v1`;
  return {
    session_id,
    init: { url: `${base}/pymt-txn/submit/${session_id}/` },
    submit: { url: `${base}/submit/${session_id}/`, body: { pg_code: "knet" } },
    wrong: { url: `${base}/submit/${session_id}/`, body: { pg_code: "nope" } },
    cancel: { url: `${base}/cancel/${session_id}/`, body: { operation: "cancel" } },
  };
}

test("a page of a listed origin learns the ways to pay, begins a payment, and cancels", async () => {
  const { session_id, init, submit, wrong, cancel } = await addresses();
  const refused = /status of 400/;
  const [answered, mistaken, begun, canceled] = await fetchFrom(shop.origin, [init, wrong, submit, cancel], [refused]);
  assert.deepEqual([answered.status, answered.body.payment_methods[0].code], [200, "knet"]);
  assert.deepEqual([mistaken.status, mistaken.body.code], [400, "invalid_fields"]);
  assert.match(begun.body.redirect_url, /\/sandbox\/bank\/pay\//);
  assert.deepEqual([canceled.status, canceled.body.status], [200, "canceled"]);
  assert.equal((await till.retrieve(session_id)).body.state, "canceled");
});

test("a page of another origin reads nothing and changes nothing", async () => {
  const { session_id, init, submit, cancel } = await addresses();
  const blocked = [/blocked by CORS policy/, /net::ERR_FAILED/];
  const answers = await fetchFrom(stranger.origin, [submit, cancel, init], blocked);
  assert.deepEqual(answers, [{ error: "TypeError" }, { error: "TypeError" }, { error: "TypeError" }]);
  const { state } = (await till.retrieve(session_id)).body;
  assert.ok(["created", "pending"].includes(state), "nobody paid or canceled");
  const attempts = await till.rows("SELECT reference FROM attempt WHERE session_id = ?1", session_id);
  assert.equal(attempts.length, 0);
});
