/** Chromium for the tests here: pages that record everything that went wrong in them. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before } from "node:test";
import { chromium } from "playwright-core";
import { CHROMIUM_ARGS, findChromium } from "../../scripts/project.mjs";
import { start } from "../worker/harness.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/**
 * What Chromium says of the module of a page whose script is off, blocked or late, if the page is there for long enough: when it
 * says so depends on the machine only.
 */
const UNUSED = /was preloaded using link preload but not used within/;

/** Starts the browser. Close it with `close()`. */
export const launch = () => chromium.launch({ executablePath: findChromium(), args: CHROMIUM_ARGS });

/**
 * Till of a file of tests, and their browser, once `stand` has started them.
 * @type {import("../worker/harness.mjs").Till}
 */
export let till;
export let browser;

/** Starts Till and the browser before the tests of a file, then does `prepare`, which makes a merchant; stops both after them. */
export function stand(prepare = () => till.createMerchant(), options = {}) {
  before(async () => {
    till = await start(options);
    browser = await launch();
    await prepare();
  });
  after(async () => {
    await browser?.close();
    await till?.stop();
  });
}

/**
 * A page in its own context. `page.faults` lists console errors, uncaught errors and failed requests;
 * `expected` are patterns of faults that the test causes itself. The browser has no wallet except those that
 * a test installs: the real ones would use the network.
 */
export async function open(browser, { expected = [], ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  await page.addInitScript(() => { delete globalThis.PaymentRequest; });
  page.faults = [];
  const note = (text) => {
    if (![...expected, UNUSED].some((pattern) => pattern.test(text))) page.faults.push(text);
  };
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") note(`${message.text()} (${message.location().url})`);
  });
  page.on("pageerror", (error) => note(`uncaught: ${error.message}`));
  return page;
}

/** What makes a page see one wallet, or none: the browser here has those that a test installs. */
export const BROWSERS = {
  none: () => { delete globalThis.PaymentRequest; },
  google_pay: () => {
    globalThis.PaymentRequest = class { async show() { throw new DOMException("closed", "AbortError"); } };
  },
  apple_pay: () => {
    delete globalThis.PaymentRequest;
    globalThis.ApplePaySession = class { static canMakePayments() { return true; } };
  },
};

/** Closes the page, and fails if anything went wrong in it. */
export async function close(page) {
  await page.context().close();
  assert.deepEqual(page.faults, []);
}

/** Holds what a page fetches from addresses of a pattern until the function that it answers is called: it goes on then, or breaks off. */
export async function hold(page, pattern) {
  let letGo;
  const isOver = new Promise((resolve) => { letGo = resolve; });
  await page.route(pattern, async (route) => {
    const isCut = await isOver;
    // The page may be closed by now.
    await (isCut ? route.abort() : route.continue()).catch(() => {});
  });
  return ({ isCut = false } = {}) => letGo(isCut);
}

/** The address of a page with one of its methods chosen. */
export const asking = (checkout_url, pg_code) => `${checkout_url}&pg_code=${pg_code}`;

/** Resolves when the page's module has started. */
export const alive = (page) => page.locator("#pay-button[aria-disabled=false]").waitFor();

/** Pays with a card at the simulated bank, to which the page is going. */
export async function payAtTheBank(page, card) {
  await page.waitForURL("**/sandbox/bank/pay/**");
  await page.check(`input[value="${card}"]`);
  await page.click('button[value="pay"]');
}

/**
 * The errors that axe finds, as texts. The page's policy must be bypassed (`bypassCSP`) for axe to run at
 * all.
 */
export async function accessibility(page) {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate((rules) => globalThis.axe.run(document, { runOnly: rules, resultTypes: ["violations"] }), RULES);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`);
}
