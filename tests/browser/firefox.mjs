/** Firefox for the tests here, by Puppeteer: Playwright drives only a Firefox of its own making. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import puppeteer from "puppeteer-core";
import { findFirefox } from "../../scripts/project.mjs";

/** Why the tests in Firefox are left out, or `false`. */
export const isWithoutFirefox = findFirefox() === undefined && "there is no Firefox on the search path, and FIREFOX names none";

/** Nothing is asked of any other host. */
const PREFERENCES = {
  "app.update.enabled": false, "browser.shell.checkDefaultBrowser": false, "browser.startup.page": 0, "browser.safebrowsing.malware.enabled": false,
  "browser.safebrowsing.phishing.enabled": false, "datareporting.policy.dataSubmissionEnabled": false, "extensions.update.enabled": false,
  "network.captive-portal-service.enabled": false, "network.connectivity-service.enabled": false, "services.settings.server": "http://127.0.0.1:9/",
  "toolkit.telemetry.reportingpolicy.firstRun": false, "ui.caretBlinkTime": 0,
};
const WAIT = 15_000;
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** A running Firefox. Close it with `close()`. */
export const launch = () => puppeteer.launch({ browser: "firefox", executablePath: findFirefox(), extraPrefsFirefox: PREFERENCES });

/** A page in a context of its own. `page.faults` lists the errors and warnings of its console. */
export async function open(firefox) {
  const context = await firefox.createBrowserContext();
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT);
  page.faults = [];
  page.on("console", (message) => { if (["error", "warn"].includes(message.type())) page.faults.push(message.text()); });
  page.on("pageerror", (error) => page.faults.push(error.message));
  await page.setViewport({ width: 390, height: 844 });
  return page;
}

/** Closes the page, and fails if anything went wrong in it. */
export async function close(page) {
  await page.browserContext().close();
  assert.deepEqual(page.faults, []);
}

/** Waits for an element that can be seen. */
export const visible = (page, selector) => page.waitForSelector(selector, { visible: true });

/** Its text. */
export const textOf = async (page, selector) => (await visible(page, selector)).evaluate((element) => element.innerText);

export const waitForURL = (page, pattern) => page.waitForFunction((pattern) => new RegExp(pattern).test(location.href), {}, pattern.source);

/** Presses an element as a mouse does, and fails if something else lies over it. */
export async function click(page, selector) {
  const element = await visible(page, selector);
  const isOnTop = await element.evaluate((element) => {
    element.scrollIntoView({ block: "center", behavior: "instant" });
    const { left, top, width, height } = element.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    return element.contains(hit) || hit?.closest("label")?.control === element;
  });
  assert.ok(isOnTop, `something lies over ${selector}`);
  await element.click();
}

/** What axe finds on a page. */
export async function violations(page) {
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const found = await globalThis.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] });
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 120)}`);
  });
}
