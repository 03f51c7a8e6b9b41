/** What Chromium loads on each kind of page is in the inventory of scripts, byte for byte, and its policy stops everything else. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { atTheBank } from "../worker/payer.mjs";
import { alive, browser, close, open, stand, till } from "./browser.mjs";

let inventory, checkout, bank;

stand(async () => {
  await till.createMerchant({}, "demo");
  inventory = (await till.call("/script-inventory.json")).body;
  const { session_id } = (await till.create({ pg_codes: ["knet", "cash"] })).body;
  checkout = `${till.url}/b/checkout/redirect/start/?session_id=${session_id}`;
  bank = new URL((await atTheBank(till)).page, till.url).href;
}, { alone: true });

const missing = [/404 \(Not Found\)/];

test("what Chromium loads is in the inventory with the same bytes, and nothing of another origin", async () => {
  const kinds = {
    checkout: [checkout],
    "without a script": [`${till.url}/b/checkout/redirect/start/`, `${till.url}/b/problems/not_found/`],
    sandbox: [bank, `${till.url}/sandbox/inbox/one/`, `${till.url}/sandbox/shop/`, `${till.url}/`],
    "demo shop": ["en", "ar"].map((language) => `${till.url}/sandbox/shop/pay/${new URL(checkout).search}&language=${language}`),
    "demo shop with the package": [`${till.url}/sandbox/shop/own/${new URL(checkout).search}`],
    receipt: [`${till.url}/receipt/verify.html`],
    reference: [`${till.url}/docs/`],
  };
  assert.deepEqual(Object.keys(kinds), inventory.pages.map(({ name }) => name));
  for (const [kind, addresses] of Object.entries(kinds)) {
    const all = inventory.scripts.filter(({ pages, kind: how }) => pages.includes(kind) && how !== "inline");
    for (const address of addresses) {
      // The element loads the words of its language alone.
      const other = address.endsWith("language=ar") ? "/sdk/v1/en.js" : "/sdk/v1/ar.js";
      const listed = all.filter(({ path }) => path !== other);
      const page = await open(browser, { expected: missing });
      const loaded = [];
      page.on("response", (response) => loaded.push(response));
      await page.goto(address);
      await page.waitForLoadState("networkidle");
      const hashes = {};
      for (const response of loaded) {
        const { origin, pathname } = new URL(response.url());
        assert.equal(origin, till.url, response.url());
        // A module that is loaded ahead is of no type.
        const isScript = response.request().resourceType() === "script" || pathname.endsWith(".wasm");
        if (!isScript || pathname.startsWith("/b/")) continue;
        hashes[pathname] = `sha384-${createHash("sha384").update(await response.body()).digest("base64")}`;
      }
      assert.deepEqual(hashes, Object.fromEntries(listed.map(({ path, sha384 }) => [path, sha384])), address);
      const timed = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name, initiatorType }) => [new URL(name).pathname, initiatorType]));
      const scripts = timed.filter(([path, type]) => type === "script" || path.endsWith(".wasm")).map(([path]) => path);
      assert.deepEqual([...new Set(scripts)].sort(), listed.map(({ path }) => path).sort(), address);
      await close(page);
    }
  }
});

test("Chromium runs no script of another folder of this origin, no inline script, and no text as a script", async () => {
  const page = await open(browser, { expected: [/Content Security Policy|violates|TrustedScript/] });
  await page.goto(checkout);
  await alive(page);
  const outcome = await page.evaluate(async (own) => {
    const violated = [];
    document.addEventListener("securitypolicyviolation", ({ effectiveDirective }) => violated.push(effectiveDirective));
    const attempt = (work) => Promise.resolve().then(work).then(() => "done", (error) => error.name);
    const outcomes = {
      ownFolder: await attempt(() => import(own)),
      otherFolder: await attempt(() => import("/docs/reference.js")),
      source: await attempt(() => { document.createElement("script").src = "/pkg/x.js"; }),
      markup: await attempt(() => { document.body.innerHTML = "<b>x</b>"; }),
      policy: await attempt(() => trustedTypes.createPolicy("mine", { createHTML: (text) => text })),
      image: await attempt(() => new Promise((resolve, reject) => {
        const image = new Image();
        image.onload = resolve;
        image.onerror = () => reject(new Error("blocked"));
        image.src = "data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=";
      })),
    };
    const inline = document.createElement("script");
    inline.append("globalThis.ran = true");
    attempt(() => document.head.append(inline));
    // Each is said a moment after it was stopped.
    const end = Date.now() + 5_000;
    do await new Promise((resolve) => setTimeout(resolve, 50));
    while (new Set(violated).size < 4 && Date.now() < end);
    return { ...outcomes, ran: globalThis.ran === true, violated: [...new Set(violated)].sort() };
  }, inventory.scripts.find(({ kind }) => kind === "module").path);
  const { violated, ...outcomes } = outcome;
  assert.deepEqual(outcomes, {
    ownFolder: "done", otherFolder: "TypeError", source: "TypeError", markup: "TypeError", policy: "TypeError", image: "Error", ran: false,
  });
  for (const directive of ["img-src", "require-trusted-types-for", "script-src-elem", "trusted-types"]) assert.ok(violated.includes(directive), `${directive}: ${violated}`);
  await page.context().close();
});
