/** The demo shop in Firefox: it sells on the hosted page, by the element and by the module, in both languages; axe finds nothing on its pages. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "../worker/harness.mjs";
import { click, close, isWithoutFirefox, launch, open, textOf, violations, visible, waitForURL } from "./firefox.mjs";

/** @type {import("../worker/harness.mjs").Till} */
let till;
let firefox;
before(async () => {
  if (isWithoutFirefox) return;
  till = await start({ alone: true });
  await till.createMerchant({}, "demo");
  firefox = await launch();
});
after(async () => {
  await firefox?.close();
  await till?.stop();
});

/** A page of the shop on which something was bought. */
async function bought(at, language) {
  const body = new URLSearchParams({ at, language });
  const { headers } = await till.call("/sandbox/shop/buy/", { method: "POST", body });
  const page = await open(firefox);
  await page.goto(new URL(headers.get("location"), till.url).href);
  return page;
}

async function paysAtTheBank(page) {
  await waitForURL(page, /\/sandbox\/bank\/pay\//);
  await click(page, 'input[value="visa-approve"]');
  await click(page, 'button[value="pay"]');
  await waitForURL(page, /\/sandbox\/shop\/\?/);
  await visible(page, "[data-state]");
  assert.equal(await page.evaluate(() => document.querySelector("[data-state]").dataset.state), "paid");
  await close(page);
}

/** Does something in the element once it is there. */
async function inElement(page, work) {
  await visible(page, "till-checkout");
  await page.evaluate(async () => {
    const end = Date.now() + 10_000;
    while (!document.querySelector("till-checkout")?.shadowRoot?.querySelector("[part=pay]") && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 50));
  });
  return page.evaluate(work);
}

for (const language of ["en", "ar"]) {
  const inFirefox = (name, work) => test(`in Firefox, ${language}: ${name}`, { skip: isWithoutFirefox }, work);

  inFirefox("the shop sells on the hosted page", async () => {
    const page = await bought("page", language);
    await visible(page, "html.live #pay-button");
    assert.equal(await page.evaluate(() => document.documentElement.lang), language);
    await click(page, "input[value=knet]");
    await click(page, "#pay-button");
    await paysAtTheBank(page);
  });

  inFirefox("the shop sells by the element", async () => {
    const page = await bought("here", language);
    await inElement(page, () => document.querySelector("till-checkout").shadowRoot.querySelector("input[type=radio]").click());
    assert.deepEqual(await violations(page), []);
    const label = await inElement(page, () => document.querySelector("till-checkout").shadowRoot.querySelector("[part=pay]").innerText);
    assert.match(label, language === "ar" ? /10\.500\sد\.ك/ : /KWD\s10\.500/);
    await inElement(page, () => document.querySelector("till-checkout").shadowRoot.querySelector("[part=pay]").click());
    await paysAtTheBank(page);
  });

  inFirefox("the shop sells by the module", async () => {
    const page = await bought("own", language);
    await visible(page, "label.card");
    assert.deepEqual(await violations(page), []);
    assert.match(await textOf(page, "label.card"), language === "ar" ? /10\.500\sد\.ك/ : /KWD\s10\.500/);
    await click(page, "label.card input");
    await click(page, "#own button");
    await paysAtTheBank(page);
  });
}
