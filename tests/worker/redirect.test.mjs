/**
 * Where payers are sent back to: what of `redirect_url` stays and what is added, judged by Node's URL (the URL standard), and
 * which hosts a merchant's allow-list permits, wherever the address can be given.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { OutboundResponse, demoSettings, start } from "./harness.mjs";
import { assertProblem, choose, open } from "./payer.mjs";

const HOOK = "https://shop.example.com/hook";
const CREATE = "/b/checkout/v1/pymt-txn/";

/** @type {import("./harness.mjs").Till} */
let till;
before(async () => {
  till = await start();
  await till.createMerchant();
  till.outbound.on("POST", HOOK, () => new OutboundResponse("", { status: 200 }));
});
after(() => till.stop());

/** Pays in cash; returns the payment, its reference and the address to which the browser is sent. */
async function pay(fields) {
  const payment = await open(till, { pg_codes: ["cash"], webhook_url: HOOK, ...fields });
  const sent = await choose(till, payment, "cash");
  const landed = await till.fetch(sent.headers.get("location"));
  assert.equal(landed.status, 303);
  const { reference_number } = JSON.parse(till.outbound.to(HOOK).at(-1).body);
  return { ...payment, reference_number, location: landed.headers.get("location") };
}

const long = `https://shop.example.com/thanks?basket=${"a".repeat(2000 - 39)}`;

for (const [what, redirect_url, order_no] of [
  ["a path alone", "https://shop.example.com/thanks", "A-1"],
  ["no path", "https://shop.example.com", "A-1"],
  ["a query", "https://shop.example.com/thanks?a=1&b=2", "A-1"],
  ["an empty query", "https://shop.example.com/thanks?", "A-1"],
  ["a query that ends with &", "https://shop.example.com/thanks?a=1&", "A-1"],
  ["a query without values", "https://shop.example.com/thanks?a&b=", "A-1"],
  ["a fragment", "https://shop.example.com/thanks#order", "A-1"],
  ["a query and a fragment", "https://shop.example.com/thanks?a=1#/spa/route?x=y", "A-1"],
  ["a question mark in the fragment only", "https://shop.example.com/#/spa?x=y", "A-1"],
  ["parameters of the same names", "https://shop.example.com/thanks?session_id=own&order_no=own&reference_number=own&session_id=two", "A-1"],
  ["percent-encoded signs, plus and spaces", "https://shop.example.com/a%2Fb/?q=a%26b%3Dc+d%20e&n=%D9%85", "A-1"],
  ["letters of another script", "https://shop.example.com/شكرا?اسم=محمد#نهاية", "ط-١"],
  ["a host in its xn-- form", "https://xn--mgbh0fb.example.com/", "A-1"],
  ["an address in a parameter", "https://shop.example.com/?next=https://other.example.com/?a=b&c=d", "A-1"],
  ["no order number", "https://shop.example.com/thanks?order_no=own", undefined],
  ["an order number with every sign of an address", "https://shop.example.com/thanks?a=1", "A&b=c#d?e/f+g %h;i\"<>'\\"],
  ["as many signs as an address may have", long, "A-1"],
]) {
  test(`a payer is sent back to an address with ${what}, and nothing of it is lost`, async () => {
    const extra = { cart: "secret-cart", order_no: "of extra" };
    const { session_id, reference_number, location } = await pay({ redirect_url, extra, order_no: order_no ?? null });
    const [given, found] = [new URL(redirect_url), new URL(location)];
    assert.equal(location, found.href, "it is written as the URL standard does");
    assert.deepEqual([found.origin, found.pathname, found.hash], [given.origin, given.pathname, given.hash]);
    const own = [...(order_no === undefined ? [] : [["order_no", order_no]]), ["reference_number", reference_number], ["session_id", session_id]];
    assert.deepEqual([...found.searchParams], [...given.searchParams, ...own]);
    assert.ok(found.search.startsWith(given.search), "what was there is there as it was written");
    assert.ok(!location.includes("secret-cart"), "extra is the merchant's own");
  });
}

test("an address of more than 2,000 characters, or with a host in another script, is refused and says what is allowed", async () => {
  for (const [redirect_url, pattern] of [[`${long}a`, /at most 2000 characters/], ["https://متجر.example.com/", /xn-- form/], ["https://shop.example.com/x\ty", /absolute address/], ["/thanks", /absolute address/]]) {
    const { redirect_url: errors } = assertProblem(await till.create({ redirect_url }), 400, "invalid_fields");
    assert.match(errors[0], pattern);
  }
});

test("only hosts of the allow-list are taken, by create, PUT, PATCH and a payment in one call", async () => {
  const merchant = await till.createMerchant({ redirect_hosts: ["shop.example.com", "*.example.org", "xn--mgbh0fb.example.net"] });
  const { body } = await till.create({ redirect_url: "https://shop.example.com/thanks" });
  const path = `${CREATE}${body.session_id}/`;
  const required = { type: body.type, amount: body.amount, currency_code: body.currency_code, pg_codes: body.pg_codes };
  const wallet = { pg_codes: ["knet"], payment_instrument: { instrument_type: "apple_pay", payload: {} } };
  const ways = {
    create: (redirect_url) => till.create({ redirect_url }),
    PUT: (redirect_url) => till.call(path, { method: "PUT", headers: till.privateKey(merchant), json: { ...required, redirect_url } }),
    PATCH: (redirect_url) => till.call(path, { method: "PATCH", headers: till.privateKey(merchant), json: { redirect_url } }),
  };
  for (const address of ["https://shop.example.com/a?b#c", "https://SHOP.example.com:443/", "https://a.b.example.org/", "https://xn--mgbh0fb.example.net/"]) {
    for (const [way, send] of Object.entries(ways)) assert.ok([200, 201].includes((await send(address)).status), `${way} ${address}`);
  }
  ways["a payment in one call"] = (redirect_url) => till.create({ ...wallet, redirect_url });
  for (const address of [
    "https://attacker.example/", "https://shop.example.com.attacker.example/", "https://attacker.example/shop.example.com", "https://attacker.example/?shop.example.com",
    "https://attacker.example#@shop.example.com/", "https://example.org/", "https://badexample.org/", "https://sub.shop.example.com/", "https://shop.example.com@attacker.example/",
    "https://attacker.example\\@shop.example.com/", "https://shop.example.com:8443/", "https://shop.example.com./", "https://shop.example.com%2eattacker.example/",
    "https://xn--mgbh0fb.example.com/", "https://ｓhop.example.com/", "javascript://shop.example.com/%0aalert(1)", "//shop.example.com/",
  ]) {
    for (const [way, send] of Object.entries(ways)) {
      assert.ok("redirect_url" in assertProblem(await send(address), 400, "invalid_fields"), `${way} ${address}`);
    }
  }
  const shown = await till.call(path, { headers: till.privateKey(merchant) });
  assert.equal(shown.body.redirect_url, "https://xn--mgbh0fb.example.net/", "what was refused has changed nothing");
});

test("an allow-list that is set later holds for what is created and changed from then on", async () => {
  const merchant = await till.createMerchant();
  const { body } = await till.create({ redirect_url: "https://other.example.com/" });
  const settings = { ...demoSettings(), redirect_hosts: ["shop.example.com"] };
  const replaced = await till.operator(`/merchants/${merchant.merchant_id}/settings/`, { method: "PUT", json: settings });
  assert.equal(replaced.status, 200, replaced.text);
  const change = (json) => till.call(`${CREATE}${body.session_id}/`, { method: "PATCH", headers: till.privateKey(merchant), json });
  assert.ok("redirect_url" in assertProblem(await till.create({ redirect_url: "https://other.example.com/" }), 400, "invalid_fields"));
  assert.ok("redirect_url" in assertProblem(await change({ redirect_url: "https://other.example.com/again" }), 400, "invalid_fields"));
  assert.ok("redirect_url" in assertProblem(await change({ order_no: "B" }), 400, "invalid_fields"));
  assert.equal((await change({ order_no: "B", redirect_url: "https://shop.example.com/" })).status, 200);
});
