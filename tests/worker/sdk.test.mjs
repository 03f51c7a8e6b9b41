/** The page's side of the API over HTTP: what an SDK gets, whose pages may call, paying and canceling. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { OPERATOR_TOKEN, demoSettings, start } from "./harness.mjs";
import { assertProblem, payWith } from "./payer.mjs";

const SHOP = "https://shop.example.com";
const NOBODY = "00" + "7".repeat(38);
const BASE = "/b/checkout/api/sdk/v1";

/** @type {import("./harness.mjs").Till} */
let till;
let other;

before(async () => {
  till = await start();
  other = await till.createMerchant({ ...demoSettings(), allowed_origins: ["https://other.example.com"] });
  await till.createMerchant({ ...demoSettings(), allowed_origins: [SHOP] });
});
after(() => till.stop());

const create = async (fields = {}) => (await till.create(fields)).body.session_id;
const init = (id, options) => till.call(`${BASE}/pymt-txn/submit/${id}/`, options);
const submit = (id, json, headers = {}) => till.call(`${BASE}/submit/${id}/`, { method: "POST", json, headers });
const cancel = (id, headers = {}) =>
  till.call(`${BASE}/cancel/${id}/`, { method: "POST", json: { operation: "cancel" }, headers });
const state = async (id) => (await till.retrieve(id)).body.state;

test("an sdk needs no key, and its opening moves the transaction as the page does", async () => {
  const id = await create();
  const answer = await init(id);
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.headers.get("cache-control"), "no-store");
  assert.deepEqual([answer.body.state, await state(id)], ["pending", "pending"]);
  const seen = await create();
  assert.deepEqual((await till.call(`${BASE}/concur-payer-view/${seen}`)).body, { state: "pending" });
});

test("a payment that an sdk begins is paid at the bank", async () => {
  const id = await create({ pg_codes: ["knet"] });
  const answer = await submit(id, { pg_code: "knet" });
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.body.status, "success");
  await payWith(till, answer.body.redirect_url, "visa-approve");
  assert.equal(await state(id), "paid");
  assert.equal((await init(id)).body.response.status, "success");
});

test("canceling is a POST, ends the transaction and is notified", async () => {
  till.outbound.on("POST", `${SHOP}/hook`, () => new Response("", { status: 200 }));
  const id = await create({ webhook_url: `${SHOP}/hook` });
  const url = (await init(id)).body.cancel_url;
  const looked = await till.call(url);
  assertProblem(looked, 405, "method_not_allowed");
  assert.equal(looked.headers.get("allow"), "POST, OPTIONS");
  assert.equal(await state(id), "pending");
  const answer = await cancel(id);
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual([answer.body.status, answer.body.session_id], ["canceled", id]);
  assert.equal(await state(id), "canceled");
  const [notified] = await till.outbound.waitFor(`${SHOP}/hook`);
  const body = JSON.parse(notified.body);
  assert.deepEqual([body.result, body.state, body.session_id], ["canceled", "canceled", id]);
  assert.deepEqual((await cancel(id)).body, answer.body);
  assertProblem(await submit(id, { pg_code: "knet" }), 400, "not_payable");
});

test("of a cancellation and a payment at once, one wins and nothing is half done", async () => {
  for (let round = 0; round < 5; round += 1) {
    const id = await create({ pg_codes: ["knet"] });
    const [paying, canceling] = await Promise.all([submit(id, { pg_code: "knet" }), cancel(id)]);
    const now = await state(id);
    if (canceling.status === 200) {
      assert.equal(now, "canceled");
      if (paying.status === 200) {
        const page = await till.call(paying.body.redirect_url);
        assert.ok(!page.text.includes('value="visa-approve"'), "the bank's page still takes a card");
      }
    } else {
      assert.equal(paying.status, 200, paying.text);
      assert.equal(now, "pending");
    }
  }
});

test("two cancellations at once notify the merchant once", async () => {
  till.outbound.on("POST", `${SHOP}/twice`, () => new Response("", { status: 200 }));
  const id = await create({ webhook_url: `${SHOP}/twice` });
  const answers = await Promise.all([cancel(id), cancel(id), cancel(id)]);
  assert.deepEqual(answers.map(({ status }) => status), [200, 200, 200]);
  await till.outbound.waitFor(`${SHOP}/twice`);
  await till.scheduled();
  assert.equal(till.outbound.to(`${SHOP}/twice`).length, 1);
});

test("what is wrong is named, and nothing begins", async () => {
  const id = await create();
  assertProblem(await till.call(`${BASE}/submit/${id}/`, { method: "POST", body: "x", headers: { "content-type": "text/plain" } }), 415, "unsupported_media_type");
  assertProblem(await submit(id, []), 400, "malformed_body");
  const wrong = await submit(id, { pg_code: 7, amount: [], save_card: "yes", channel: "tv" });
  assertProblem(wrong, 400, "invalid_fields");
  assert.deepEqual(Object.keys(wrong.body.errors).sort(), ["amount", "channel", "pg_code", "save_card"]);
  assertProblem(await submit(id, { pg_code: "nope" }), 400, "invalid_fields");
  assertProblem(await submit(NOBODY, { pg_code: "knet" }), 404, "not_found");
  assertProblem(await cancel(NOBODY), 404, "not_found");
  assertProblem(await init("x".repeat(40)), 404, "not_found");
});

test("only pages of listed origins may read the answers, and no page may send credentials", async () => {
  const id = await create();
  const from = (origin) => init(id, { headers: { origin } });
  const permitted = await from(SHOP);
  assert.equal(permitted.headers.get("access-control-allow-origin"), SHOP);
  assert.equal(permitted.headers.get("access-control-allow-credentials"), null);
  assert.match(permitted.headers.get("vary"), /Origin/);
  for (const origin of ["https://other.example.com", "https://shop.example.com.evil.example", "null", "*"]) {
    const refused = await from(origin);
    assert.equal(refused.status, 200);
    assert.equal(refused.headers.get("access-control-allow-origin"), null, origin);
    assert.match(refused.headers.get("vary"), /Origin/);
  }
  const wrong = await submit(id, { pg_code: "nope" }, { origin: SHOP });
  assert.equal(wrong.headers.get("access-control-allow-origin"), SHOP, "what is wrong can be read too");
  const nobody = await init(NOBODY, { headers: { origin: SHOP } });
  assert.equal(nobody.headers.get("access-control-allow-origin"), null);
});

test("a preflight request is answered for the page's side only", async () => {
  const id = await create();
  const ask = (path, origin) =>
    till.call(path, {
      method: "OPTIONS",
      headers: { origin, "access-control-request-method": "POST", "access-control-request-headers": "content-type" },
    });
  const permitted = await ask(`${BASE}/submit/${id}/`, SHOP);
  assert.equal(permitted.status, 204);
  assert.equal(permitted.headers.get("access-control-allow-origin"), SHOP);
  assert.equal(permitted.headers.get("access-control-allow-methods"), "GET, POST, DELETE");
  assert.match(permitted.headers.get("access-control-allow-headers"), /content-type/);
  assert.equal(permitted.headers.get("access-control-max-age"), "600");
  for (const [session, origin] of [[id, "https://other.example.com"], [NOBODY, SHOP]]) {
    const refused = await ask(`${BASE}/cancel/${session}/`, origin);
    assert.equal(refused.status, 204);
    for (const header of ["allow-origin", "allow-methods", "allow-headers"]) {
      assert.equal(refused.headers.get(`access-control-${header}`), null, header);
    }
  }
  for (const path of ["/b/checkout/v1/pymt-txn/", "/b/operator/v1/merchants/", "/b/checkout/redirect/pay/"]) {
    const refused = await ask(path, SHOP);
    assert.equal(refused.status, 405, path);
    assert.equal(refused.headers.get("access-control-allow-origin"), null, path);
  }
});

test("origins are checked when the settings are stored", async () => {
  const settings = { ...demoSettings(), allowed_origins: [SHOP, `${SHOP}/`, "http://shop.example.com", "*", 7, SHOP] };
  const answer = await till.call("/b/operator/v1/merchants/", {
    method: "POST",
    headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
    json: { merchant_id: "origins", settings },
  });
  assertProblem(answer, 400, "invalid_fields");
  assert.deepEqual(Object.keys(answer.body.errors.settings.allowed_origins), ["1", "2", "3", "4", "5"]);
});

test("each merchant's origins are its own", async () => {
  const theirs = (await till.create({}, till.privateKey(other))).body.session_id;
  const answer = await init(theirs, { headers: { origin: SHOP } });
  assert.equal(answer.headers.get("access-control-allow-origin"), null);
});
