/**
 * `make bench-page`: how soon the hosted page can be paid on, on a slow phone. Chromium is given a round trip of
 * 150 ms, 1.6 Mbit/s and the processor of a slow phone; each figure is the median of five first visits. Fails past
 * the limits.
 *
 * The phone is as fast on every machine: Chromium is slowed down until it does as much work a second as `PHONE` says, as
 * the calibrated presets of its developer tools do. A fixed factor would measure the machine.
 */
import { readFileSync } from "node:fs";
import { at } from "../../scripts/project.mjs";
import { launch } from "../browser/browser.mjs";
import { start } from "../worker/harness.mjs";

const ROUNDS = 5;
const NETWORK = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };
/**
 * A quarter of a fast desktop computer, by the measure of Lighthouse (its "BenchmarkIndex": 1,500 to 2,000 for such a computer;
 * the developer tools take 264 for a low-end phone and 1,000 for one of the middle).
 */
const PHONE = 375;
/** Milliseconds; of the shift, the sum that browsers report. */
const LIMITS = { paint: 600, button: 600, enhanced: 1_000, shift: 0 };
const PAGES = {
  "three methods, en": { language: "en", pg_codes: ["knet", "queued", "cash"] },
  "three methods, ar": { language: "ar", pg_codes: ["knet", "queued", "cash"] },
  "wallets, en": { language: "en", pg_codes: ["knet", "credit-card", "cash"] },
  "wallets, ar": { language: "ar", pg_codes: ["knet", "credit-card", "cash"] },
  "amount to choose, en": { language: "en", type: "payment_request", pg_codes: ["knet", "credit-card"] },
};

/** Notes in the page when the button is there, when the module runs, and every shift. */
function observe() {
  const seen = (globalThis.seen = { shift: 0 });
  new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => { seen.shift += value; }))
    .observe({ type: "layout-shift", buffered: true });
  const look = () => {
    if (seen.button === undefined && document.getElementById("pay-button")) seen.button = performance.now();
    if (seen.enhanced === undefined && document.querySelector("html.live")) seen.enhanced = performance.now();
  };
  new MutationObserver(look).observe(document, { childList: true, subtree: true, attributes: true });
}

/** How fast Chromium is here: tens of texts of 10,000 letters, and tens of copies of 100,000 numbers, a second, on average. */
async function speed(browser) {
  const page = await browser.newPage();
  const score = await page.evaluate(() => {
    const rate = (work) => {
      const started = performance.now();
      let done = 0;
      while (performance.now() - started < 500) done += work();
      return (done / 10 / (performance.now() - started)) * 1_000;
    };
    const texts = () => {
      let text = "";
      for (let letter = 0; letter < 10_000; letter += 1) text += "a";
      return text.length === 10_000 ? 1 : 0;
    };
    const [from, to] = [new Array(100_000).fill(1), new Array(100_000).fill(2)];
    const copies = () => {
      for (let place = 0; place < from.length; place += 1) to[place] = from[place];
      return 10;
    };
    rate(texts);
    return (rate(texts) + rate(copies)) / 2;
  });
  await page.close();
  return score;
}

/** One first visit. Chromium has `PaymentRequest`, so a page with wallets shows a button. */
async function visit(browser, address, rate) {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send("Network.enable");
  await devtools.send("Network.emulateNetworkConditions", NETWORK);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate });
  await page.addInitScript(observe);
  await page.goto(address);
  await page.locator("html.live").waitFor();
  await page.waitForTimeout(500);
  const result = await page.evaluate(() => {
    const [paint] = performance.getEntriesByName("first-contentful-paint");
    return { ...globalThis.seen, paint: paint.startTime };
  });
  await context.close();
  return result;
}

const median = (values) => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];

async function main() {
  const till = await start();
  const browser = await launch();
  let isOver = false;
  try {
    await till.createMerchant(JSON.parse(readFileSync(at("scripts", "demo-settings.json"), "utf8")));
    const score = await speed(browser);
    const rate = Math.max(1, score / PHONE);
    console.log(`this machine does ${Math.round(score)}, the phone ${PHONE}: slowed down ${rate.toFixed(1)} times`);
    console.log(`${"".padEnd(24)}${Object.keys(LIMITS).map((name) => name.padStart(14)).join("")}`);
    for (const [name, fields] of Object.entries(PAGES)) {
      const created = await till.create(fields);
      if (created.status !== 201) throw new Error(created.text);
      const visits = [];
      for (let round = 0; round < ROUNDS; round += 1) visits.push(await visit(browser, created.body.checkout_url, rate));
      const cells = Object.entries(LIMITS).map(([figure, limit]) => {
        const value = median(visits.map((seen) => seen[figure]));
        const over = value > limit;
        isOver ||= over;
        const text = figure === "shift" ? value.toFixed(4) : `${Math.round(value)} ms`;
        return `${text}${over ? " OVER" : ""}`.padStart(14);
      });
      console.log(`${name.padEnd(24)}${cells.join("")}`);
    }
    console.log(`${"limit".padEnd(24)}${Object.entries(LIMITS).map(([figure, limit]) => (figure === "shift" ? "0" : `${limit} ms`).padStart(14)).join("")}`);
  } finally {
    await browser.close();
    await till.stop();
  }
  if (isOver) process.exitCode = 1;
}

await main();
