/**
 * What a payer sees while the first webhook is on its way, and where the browser is when the receiver has answered: in both
 * languages, with and without a script.
 */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { test } from "node:test";
import { OutboundResponse } from "../worker/harness.mjs";
import { alive, browser, close, open, stand, till } from "./browser.mjs";

/** How long the receiver takes, in milliseconds: less than a browser waits. */
const TAKES = 2500;

stand(async () => {
  await till.createMerchant();
  for (const status of [200, 201, 500]) {
    till.outbound.on("POST", `https://shop.example.com/${status}`, async () => {
      await sleep(TAKES);
      return new OutboundResponse("", { status });
    });
  }
});

/** In the page: notes what the payer sees so many milliseconds after pressing, for the page on which they land. */
function note(milliseconds) {
  const { document, sessionStorage } = globalThis;
  const look = () => {
    const shown = (id) => document.getElementById(id)?.checkVisibility();
    sessionStorage.setItem("seen", JSON.stringify({
      label: shown("pay-label"), busy: shown("pay-busy"), words: document.getElementById("pay-busy")?.textContent.trim(),
      ignoresPress: document.getElementById("pay-button")?.getAttribute("aria-disabled"), direction: globalThis.getComputedStyle(document.body).direction,
    }));
  };
  globalThis.addEventListener("click", () => globalThis.setTimeout(look, milliseconds), true);
}

for (const language of ["en", "ar"]) {
  for (const [status, javaScriptEnabled] of [[200, true], [201, true], [500, true], [200, false]]) {
    const lands = status === 200 ? "at the shop" : "at the summary";
    test(`a payer in ${language}, with${javaScriptEnabled ? "" : "out"} a script, whose receiver answers ${status} is ${lands}`, async () => {
      const redirect_url = `${till.url}/sandbox/shop/?basket=7&session_id=own#thanks`;
      const { body } = await till.create({ pg_codes: ["cash"], language, order_no: "A&1 ط", redirect_url, webhook_url: `https://shop.example.com/${status}` });
      const page = await open(browser, { javaScriptEnabled });
      await page.addInitScript(note, TAKES / 2);
      await page.goto(body.checkout_url);
      if (javaScriptEnabled) await alive(page);
      await page.click("#pay-button", { noWaitAfter: true });
      const end = status === 200 ? "**/sandbox/shop/**" : "**/redirect/start/**";
      await page.waitForURL(end, { timeout: 15_000 });
      await page.waitForLoadState();
      if (status !== 200) {
        await page.locator("#pay-button").waitFor({ state: "detached" });
        await sleep(1000);
      }
      if (javaScriptEnabled) {
        const { words, ...seen } = JSON.parse(await page.evaluate(() => globalThis.sessionStorage.getItem("seen")));
        assert.deepEqual(seen, { label: false, busy: true, ignoresPress: "true", direction: language === "ar" ? "rtl" : "ltr" });
        assert.match(words, language === "ar" ? /[\u0600-\u06ff]/ : /[A-Za-z]/);
      }
      const found = new URL(page.url());
      assert.equal(found.pathname, status === 200 ? "/sandbox/shop/" : "/b/checkout/redirect/start/");
      if (status === 200) {
        const { session_id } = body;
        const parameters = [...found.searchParams].filter(([name]) => name !== "reference_number");
        assert.deepEqual(parameters, [["basket", "7"], ["session_id", "own"], ["order_no", "A&1 ط"], ["session_id", session_id]]);
        assert.equal(found.hash, "#thanks");
      }
      await close(page);
    });
  }
}
