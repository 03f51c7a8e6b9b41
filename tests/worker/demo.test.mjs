/**
 * The tools of a development installation: the start page, test payments in one click, the demo shop, the gallery; and the addresses that
 * every installation has: security.txt, robots.txt, favicon.ico, the index of problem codes.
 */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { workerFiles } from "../../scripts/project.mjs";
import { demoSettings, start } from "./harness.mjs";
import { assertProblem, payWith } from "./payer.mjs";

const PAGE = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
/** @type {import("./harness.mjs").Till} */
let till;

before(async () => {
  till = await start({ bindings: { SECURITY_CONTACT: "mailto:security@example.com" } });
});
after(() => till.stop());

const form = (fields, headers = {}) => ({ method: "POST", body: new URLSearchParams(fields), headers });
const state = async (session_id) => (await till.rows("SELECT state FROM txn WHERE session_id = ?1", session_id))[0].state;

function sessionOf({ status, headers, text }) {
  assert.equal(status, 303, /role="alert".*?<\/div>/.exec(text)?.[0] ?? text);
  const { searchParams } = new URL(headers.get("location"), till.url);
  till.secrets.add(searchParams.get("session_id"));
  return searchParams.get("session_id");
}

test("without a demo merchant the start page says how to get one, and no payment can be made", async () => {
  await till.createMerchant({}, "shop-of-someone");
  const { status, text } = await till.call("/", { headers: PAGE });
  assert.equal(status, 200);
  assert.match(text, /There is no demo merchant yet/);
  assert.doesNotMatch(text, /<form/);
  assert.equal((await till.call("/sandbox/demo/", form({}))).status, 400);
  assert.equal((await till.call("/sandbox/shop/buy/", form({}))).status, 404);
  assert.equal((await till.rows("SELECT COUNT(*) AS count FROM txn"))[0].count, 0);
});

test("a merchant with a gateway that is not simulated is never the demo merchant", async () => {
  const settings = demoSettings();
  settings.gateways[0].endpoint = "https://bank.example";
  await till.createMerchant({ gateways: settings.gateways }, "demo");
  assert.match((await till.call("/", { headers: PAGE })).text, /There is no demo merchant yet/);
  assert.equal((await till.call("/sandbox/demo/", form({}))).status, 400);
});

test("one click makes a payment of the newest demo merchant, and the start page lists it with its state, page and inbox", async () => {
  await till.createMerchant({}, "demo-2");
  const session_id = sessionOf(await till.call("/sandbox/demo/", form({})));
  const page = await till.call(`/b/checkout/redirect/start/?session_id=${session_id}`);
  assert.match(page.text, /10\.250/);
  const sent = await till.call("/b/checkout/redirect/pay/", form({ session_id, pg_code: "knet", language: "en" }));
  const bank = await till.call(sent.headers.get("location"));
  const [, inbox] = /href="(\/sandbox\/inbox\/[0-9a-f]{16}\/)"/.exec(bank.text);
  await payWith(till, sent.headers.get("location"), "visa-approve");
  const { text, headers } = await till.call("/", { headers: PAGE });
  assert.match(text, new RegExp(`DEMO-[0-9A-F]{6}</bdi>.*>paid<.*session_id=${session_id}.*href="${inbox}"`, "s"));
  assert.equal(headers.get("x-robots-tag"), "noindex");
  for (const secret of till.secrets) if (secret !== session_id) assert.ok(!text.includes(secret), "a secret is on the page");
  const received = await till.call(inbox, { headers: PAGE });
  assert.match(received.text, /<bdi>paid<\/bdi> · <bdi>DEMO-[0-9A-F]{6}<\/bdi> · <bdi class="whole" dir="ltr">KWD 10\.250<\/bdi>/);
  assert.match(received.text, /Signature verified ✓/);
});

test("kind, amount, method and language are as chosen, and what is wrong is said on the page", async () => {
  const open = sessionOf(await till.call("/sandbox/demo/", form({ kind: "open_amount", amount: "5", method: "credit-card", language: "ar" })));
  const [row] = await till.rows("SELECT plugin, amount, details FROM txn WHERE session_id = ?1", open);
  assert.deepEqual([row.plugin, row.amount, JSON.parse(row.details).language], ["payment_request", 5000, "ar"]);
  const page = await till.call(`/b/checkout/redirect/start/?session_id=${open}`);
  assert.match(page.text, /<html lang="ar" dir="rtl">/);
  assert.match(page.text, /name="amount"/);
  const card = sessionOf(await till.call("/sandbox/demo/", form({ kind: "save_card" })));
  assert.equal((await till.rows("SELECT amount FROM txn WHERE session_id = ?1", card))[0].amount, 0);
  const wrong = await till.call("/sandbox/demo/", form({ amount: "<b>ten" }));
  assert.equal(wrong.status, 400);
  assert.match(wrong.text, /role="alert".*These fields are not accepted: amount/);
  assert.doesNotMatch(wrong.text, /<b>/);
});

test("a page of another site can make no payment", async () => {
  const [{ count }] = await till.rows("SELECT COUNT(*) AS count FROM txn");
  for (const path of ["/sandbox/demo/", "/sandbox/shop/buy/"]) {
    assert.equal((await till.call(path, form({}, { "sec-fetch-site": "cross-site" }))).status, 403);
    assert.equal((await till.call(path)).status, 405);
  }
  assert.equal((await till.rows("SELECT COUNT(*) AS count FROM txn"))[0].count, count);
});

test("the shop sells on the hosted page and on its own, and shows the state by the API when the payer returns", async () => {
  assert.match((await till.call("/sandbox/shop/")).text, /Buy on the payment page/);
  assert.match((await till.call("/sandbox/shop/?language=ar")).text, /<html lang="ar" dir="rtl">.*دلة قهوة نحاسية/s);
  const here = await till.call("/sandbox/shop/buy/", form({ at: "here", language: "ar" }));
  const own = await till.call(here.headers.get("location"));
  const session_id = sessionOf(here);
  assert.match(own.text, new RegExp(`<till-checkout session-id="${session_id}" origin="${till.url}" language="ar">`));
  assert.match(own.headers.get("content-security-policy"), new RegExp(`script-src ${till.url}/sdk/; connect-src 'self'; `));
  const waiting = await till.call(`/sandbox/shop/?session_id=${session_id}`);
  assert.match(waiting.text, /data-state="pending"|data-state="created"/);
  const hosted = sessionOf(await till.call("/sandbox/shop/buy/", form({ at: "page" })));
  const sent = await till.call("/b/checkout/redirect/pay/", form({ session_id: hosted, pg_code: "knet", language: "en" }));
  const landed = new URL(await payWith(till, sent.headers.get("location"), "visa-approve"), till.url);
  assert.equal(landed.pathname, "/sandbox/shop/");
  const thanks = await till.call(`${landed.pathname}${landed.search}`);
  assert.equal(await state(hosted), "paid");
  assert.match(thanks.text, /<h1>Thank you<\/h1>.*data-state="paid".*Buy again.*session_id=.*\/sandbox\/inbox\//s);
});

test("the shop shows nothing of another merchant's transaction", async () => {
  const other = await till.createMerchant({}, "shop-of-another");
  const { body } = await till.create({ order_no: "PRIVATE-1" });
  const { text } = await till.call(`/sandbox/shop/?session_id=${body.session_id}`);
  assert.doesNotMatch(text, /PRIVATE-1|data-state/);
  assert.ok(other.merchant_id);
});

test("the gallery has every screen in both languages, under the policy of the page and without its script", async () => {
  const { text } = await till.call("/sandbox/gallery/");
  const screens = [...text.matchAll(/href="(\/sandbox\/gallery\/(\w+)\/)\?language=(en|ar)"/g)];
  assert.ok(screens.length >= 60, `${screens.length} screens`);
  for (const [, path, name, language] of screens) {
    const page = await till.call(`${path}?language=${language}`);
    assert.equal(page.status, 200, name);
    assert.match(page.text, new RegExp(`<html lang="${language}"`));
    assert.doesNotMatch(page.text, /<script/);
    assert.match(page.headers.get("content-security-policy"), /script-src 'none'/);
  }
  assert.equal((await till.call("/sandbox/gallery/nothing/")).status, 404);
});

test("clients of the API get at the start page and the index of codes what they get at any unknown address", async () => {
  for (const path of ["/", "/b/problems/"]) {
    // At the start page a person with curl, who takes anything, is answered too.
    const accepted = path === "/" ? ["application/json"] : ["application/json", "*/*"];
    for (const accept of accepted) assertProblem(await till.call(path, { headers: { accept } }), 404, "not_found");
    assertProblem(await till.call(path, { method: "POST", headers: PAGE, json: {} }), 404, "not_found");
  }
});

test("security.txt names the contact of the configuration, and expires within a year", async () => {
  const { status, text, headers } = await till.call("/.well-known/security.txt");
  assert.deepEqual([status, headers.get("content-type")], [200, "text/plain; charset=utf-8"]);
  const fields = Object.fromEntries(text.trimEnd().split("\n").map((line) => line.split(/: (.*)/s).slice(0, 2)));
  assert.equal(fields.Contact, "mailto:security@example.com");
  assert.equal(fields.Canonical, `${till.url}/.well-known/security.txt`);
  assert.equal(fields["Preferred-Languages"], "en, ar");
  const days = (Date.parse(fields.Expires) - Date.now()) / 86_400_000;
  assert.match(fields.Expires, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  assert.ok(days > 30 && days < 365, `${days}`);
  const other = await start();
  assertProblem(await other.call("/.well-known/security.txt"), 404, "not_found");
  await other.stop();
});

test("robots.txt keeps robots from tools and operations, and favicon.ico is a picture", async () => {
  const robots = await till.call("/robots.txt");
  assert.match(robots.text, /^User-agent: \*\nDisallow: \/sandbox\/\nDisallow: \/b\/\nAllow: \/b\/checkout\/redirect\/start\/$/m);
  const icon = await till.fetch("/favicon.ico");
  const bytes = Buffer.from(await icon.arrayBuffer());
  assert.equal(icon.status, 200);
  assert.deepEqual([...bytes.subarray(0, 6)], [0, 0, 1, 0, 1, 0]);
  assert.ok(bytes.length < 4096);
});

test("the index of problem codes leads to each page, which has a remedy and an example", async () => {
  const { text } = await till.call("/b/problems/", { headers: PAGE });
  const codes = [...text.matchAll(/href="\/b\/problems\/(\w+)\/"/g)].map(([, code]) => code);
  assert.ok(codes.length > 40 && codes.includes("invalid_fields"));
  for (const code of codes) {
    const page = await till.call(`/b/problems/${code}/`);
    assert.equal(page.status, 200);
    assert.match(page.text, /What to do/, code);
    assert.match(page.text, new RegExp(`&quot;${code}&quot;`), code);
  }
});

/** Other builds: one without the sandbox, and one for production. */
for (const [name, build, bindings] of [
  ["without the sandbox", "build-without-sandbox", {}],
  ["for production", "build-production", { PUBLIC_URL: "https://pay.example.com" }],
]) {
  describe(`a Worker ${name}`, { skip: existsSync(workerFiles(build).script) ? false : `the Worker is not built ${name}` }, () => {
    test("says in both languages what its address is for, and has no test tools", async () => {
      const other = await start({ build, bindings });
      for (const [language, first] of [["en-GB", "en"], ["ar-KW, en;q=0.5", "ar"]]) {
        const { status, text, headers } = await other.call("/", { headers: { ...PAGE, "accept-language": language } });
        assert.equal(status, 200);
        assert.match(text, new RegExp(`<html lang="${first}"`));
        assert.match(text, /Open the link that your seller sent you\./);
        assert.match(text, /الرابط الذي أرسله إليك البائع/);
        assert.match(headers.get("x-robots-tag"), /noindex/);
        assert.doesNotMatch(text, /<form|<a |demo|sandbox/i);
      }
      const asked = await other.call("/", { headers: { accept: "*/*" } });
      assert.equal(asked.status, 200);
      assert.match(asked.headers.get("content-type"), /^text\/plain/);
      for (const path of ["/b/checkout/v1/pymt-txn/", "/docs/", "/openapi.json"]) assert.ok(asked.text.includes(`${bindings.PUBLIC_URL ?? other.url}${path}`), path);
      assert.doesNotMatch(asked.text, /\.dev|demo|sandbox/i);
      assert.equal((await other.call("/", { headers: { accept: "application/json" } })).status, 404);
      for (const path of ["/sandbox/gallery/", "/sandbox/shop/pay/", "/sandbox/gallery/paid/"]) assert.equal((await other.call(path)).status, 404, path);
      for (const path of ["/sandbox/demo/", "/sandbox/shop/buy/"]) {
        assert.ok([404, 405].includes((await other.call(path, form({}))).status), path);
      }
      assert.equal((await other.rows("SELECT COUNT(*) AS count FROM txn"))[0].count, 0);
      await other.stop();
    });
  });
}
