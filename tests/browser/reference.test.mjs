/** The reference of the API: readable at every width, in light and dark, by keyboard, and searchable. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { blocksOf } from "../../scripts/docs/blocks.mjs";
import { at } from "../../scripts/project.mjs";
import { accessibility, browser, close, open, stand, till } from "./browser.mjs";

stand(async () => {
  // The log of a Worker that answered nothing proves nothing.
  await till.call("/healthz");
});

async function opened(options = {}, hash = "") {
  const page = await open(browser, options);
  const answer = await page.goto(`${till.url}/docs/${hash}`);
  assert.equal(answer.status(), 200);
  return { page, answer };
}

const visible = (page) => page.locator("article:visible").count();

test("it is served with a strict policy, an ETag, and nothing of another host", async () => {
  const { page, answer } = await opened();
  const headers = answer.headers();
  assert.match(headers["content-security-policy"], /^default-src 'none'; script-src 'self'; style-src 'self'/);
  assert.ok(headers.etag);
  assert.match(headers["cache-control"], /must-revalidate/);
  const hosts = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => new URL(name).origin));
  assert.deepEqual([...new Set(hosts)], [till.url]);
  await close(page);
});

for (const width of [320, 360, 390, 430, 768, 1280]) {
  for (const colorScheme of ["light", "dark"]) {
    test(`nothing is cut off at ${width} pixels, ${colorScheme}`, async () => {
      const { page } = await opened({ viewport: { width, height: 800 }, colorScheme });
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "wider than the window");
      const outside = await page.evaluate(() =>
        [...document.querySelectorAll("main h3, main p, main dt, main dd, main pre, header *")]
          .filter((element) => element.checkVisibility() && element.getBoundingClientRect().right > innerWidth + 1)
          .map(({ textContent }) => textContent.slice(0, 60)),
      );
      assert.deepEqual(outside, []);
      const heights = await page.locator(".languages label").evaluateAll((labels) => labels.map((label) => label.getBoundingClientRect().height));
      assert.ok(heights.every((height) => height < 40), `a label is broken: ${heights}`);
      await close(page);
    });
  }
}

test("axe finds nothing, in light and dark, with everything opened", async () => {
  for (const colorScheme of ["light", "dark"]) {
    const { page } = await opened({ bypassCSP: true, colorScheme, viewport: { width: 1280, height: 900 } });
    await page.evaluate(() => { for (const details of document.querySelectorAll("details")) details.open = true; });
    assert.deepEqual(await accessibility(page), []);
    await close(page);
  }
});

test("the search finds operations by any word of theirs, and a slash leads to it", async () => {
  const { page } = await opened({ viewport: { width: 1280, height: 900 } });
  const all = await visible(page);
  await page.keyboard.press("/");
  await page.keyboard.type("refund tracking-key");
  const some = await visible(page);
  assert.ok(some > 0 && some < all / 4, `${some} of ${all}`);
  assert.equal(await page.locator("#operate").isVisible(), true);
  assert.equal(await page.locator("#health").isVisible(), false);
  assert.match(await page.locator("#found").textContent(), new RegExp(`^${some} found`));
  await page.keyboard.press("Escape");
  assert.equal(await visible(page), all);
  await close(page);
});

test("the code is shown in the chosen language, by keyboard, and the choice is remembered", async () => {
  const { page } = await opened({ viewport: { width: 390, height: 844 } });
  const shown = () => page.locator("#create_transaction .sample:visible .language").first().evaluate((element) => element.firstChild.textContent);
  assert.equal(await shown(), "curl");
  await page.locator("#language-curl").focus();
  await page.keyboard.press("ArrowRight");
  assert.equal(await shown(), "JavaScript");
  await page.reload();
  assert.equal(await shown(), "JavaScript");
  await close(page);
});

test("without its script the page is complete", async () => {
  const { page } = await opened({ javaScriptEnabled: false });
  assert.equal(await page.locator("#operate").isVisible(), true);
  assert.equal(await page.locator("#create_transaction .sample.curl").isVisible(), true);
  await page.locator(".menu summary").click();
  assert.equal(await page.locator("nav a[href='#operate']").isVisible(), true);
  await close(page);
});

test("the page of a problem code leads to the operations that answer it", async () => {
  const { page } = await opened({}, "#problem-operation_amount");
  assert.equal(await page.locator("#problem-operation_amount").isVisible(), true);
  await page.goto(`${till.url}/b/problems/operation_amount/`);
  await page.getByRole("link", { name: "Operations that answer it" }).click();
  await page.waitForURL(/\/docs\/#problem-operation_amount$/);
  await page.locator("#problem-operation_amount summary").click();
  assert.equal(await page.locator("#problem-operation_amount a[href='#operate']").isVisible(), true);
  await close(page);
});

const COLOURS = ["--ground", "--panel", "--ink", "--accent"];

test("it looks like the pages for payers: their colours, light and dark, and their sign", async () => {
  await till.createMerchant();
  const { body } = await till.create();
  for (const colorScheme of ["light", "dark"]) {
    const { page } = await opened({ colorScheme });
    const of = () => page.evaluate((names) => names.map((name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()), COLOURS);
    const here = await of();
    assert.equal(await page.locator("header .name img").evaluate((image) => image.naturalWidth > 0), true);
    await page.goto(body.checkout_url);
    assert.deepEqual(here, await of(), colorScheme);
    await close(page);
  }
});

test("every operation has a name of its own, which is understood alone", async () => {
  const { paths } = JSON.parse(readFileSync(at("www", "openapi.json"), "utf8"));
  const named = new Map();
  for (const [path, item] of Object.entries(paths)) {
    for (const { summary, operationId, deprecated } of Object.values(item).filter(({ operationId: id }) => id)) {
      assert.doesNotMatch(summary, /\b(?:it|them|one|ones)\b/i, operationId);
      assert.ok(summary.length <= 75, `${operationId}: ${summary}`);
      if (deprecated) continue;
      assert.equal(named.get(summary) ?? path, path, `${operationId} is called as another: ${summary}`);
      named.set(summary, path);
    }
  }
  assert.equal(paths["/b/pbl/v2/operation/"].post.summary, "Refund, capture or void");
});

const START = "/docs/start.html";

test("the page to begin with has the code that README.md shows, and leads to what it names", async () => {
  const { page } = await opened();
  await page.getByRole("link", { name: "Getting started" }).click();
  await page.waitForURL(`${till.url}${START}`);
  const shown = await page.locator("pre").allTextContents();
  const readme = blocksOf("README.md", readFileSync(at("README.md"), "utf8")).map(({ text }) => text.trim());
  assert.deepEqual(shown.filter((text) => !readme.includes(text.trim())), []);
  assert.equal(shown.length, 5);
  const anchors = await page.locator("main a").evaluateAll((links) => links.map((link) => link.getAttribute("href")));
  await page.goto(`${till.url}/docs/`);
  for (const href of anchors.filter((one) => one.includes("#"))) {
    assert.equal(await page.locator(`[id="${href.split("#")[1]}"]`).count(), 1, href);
  }
  await close(page);
});

test("the page to begin with can be read at every width, in light and dark, and copied from", async () => {
  for (const width of [320, 390, 1280]) {
    for (const colorScheme of ["light", "dark"]) {
      const page = await open(browser, { bypassCSP: true, colorScheme, viewport: { width, height: 800 } });
      await page.goto(`${till.url}${START}`);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `wider than ${width}`);
      assert.deepEqual(await accessibility(page), []);
      assert.equal(await page.getByRole("button", { name: "Copy" }).count(), 5);
      await close(page);
    }
  }
});
