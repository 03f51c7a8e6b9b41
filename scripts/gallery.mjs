/**
 * `make gallery`: pictures of every screen, on a phone and a desktop, light and dark, in English and Arabic, in `target/gallery`
 * (another folder: `GALLERY`; only some screens: `SCREENS=paid,bank`). The screens of the hosted page are samples, but those that
 * only a browser shows; those of the sandbox belong to one payment.
 */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { start } from "../tests/worker/harness.mjs";
import { payWith } from "../tests/worker/payer.mjs";
import { CHROMIUM_ARGS, at, die, findChromium } from "./project.mjs";

const OUT = process.env.GALLERY || at("target", "gallery");
const ONLY = process.env.SCREENS?.split(",");
const SIZES = { phone: { width: 360, height: 740 }, desktop: { width: 1280, height: 800 } };
const SAMPLES = "/sandbox/gallery/";
const LANGUAGES = ["en", "ar"];

const post = (body) => ({ method: "POST", body: new URLSearchParams(body) });
const place = ({ headers }) => headers.get("location");

/** The pages of the sandbox, by name: of a payment that waits, and of one that is paid, both in one language. */
async function sandbox(till, language) {
  const session = (location) => new URL(location, till.url).searchParams.get("session_id");
  const buy = async () => session(place(await till.call("/sandbox/shop/buy/", post({ at: "page", language }))));
  const toBank = async (session_id) => place(await till.call("/b/checkout/redirect/pay/", post({ session_id, pg_code: "knet", language })));
  const [waiting, paid, secure] = [await buy(), await buy(), await buy()];
  const bank = await toBank(waiting);
  await payWith(till, await toBank(paid), "visa-approve");
  const challenge = await toBank(secure);
  await till.call(challenge, post({ action: "pay", card: "visa-3ds" }));
  const [, inbox] = /href="(\/sandbox\/inbox\/\w+\/)/.exec((await till.call(`/sandbox/shop/?session_id=${paid}`)).text);
  const order = async (at) => session(place(await till.call("/sandbox/shop/buy/", post({ at, language }))));
  const [element, own] = [await order("here"), await order("own")];
  const { receipt } = (await till.retrieve(paid)).body;
  return {
    start: "/", shop: "/sandbox/shop/", shop_pay: `/sandbox/shop/pay/?session_id=${element}`, shop_own: `/sandbox/shop/own/?session_id=${own}`,
    shop_thanks: `/sandbox/shop/?session_id=${paid}`, receipt_check: "/receipt/verify.html", receipt_genuine: `/receipt/verify.html?of=${paid}#${receipt}`,
    offline: `/b/checkout/redirect/start/?session_id=${own}`, no_answer: `/b/checkout/redirect/start/?session_id=${own}`,
    bank, bank_challenge: challenge, inbox, inbox_empty: "/sandbox/inbox/empty/", gallery: SAMPLES, problem: "/b/problems/invalid_fields/",
    problems: "/b/problems/",
  };
}

async function samples(till) {
  const { text } = await till.call(SAMPLES);
  const names = new Set([...text.matchAll(/\/sandbox\/gallery\/(\w+)\//g)].map(([, name]) => name));
  return Object.fromEntries([...names].map((name) => [name, `${SAMPLES}${name}/`]));
}

async function picture(page, till, { name, path, language, file }) {
  const url = new URL(path, till.url);
  url.searchParams.set("language", language);
  await page.goto(url.href, { waitUntil: "networkidle" });
  // A sample has no script: it is shown as with one that runs, in a browser with wallets.
  if (path.startsWith(SAMPLES)) {
    await page.evaluate(() => {
      document.documentElement.classList.add("live");
      document.querySelectorAll(".express").forEach((button) => button.classList.add("found"));
    });
  }
  await ACTS[name]?.(page, language);
  await page.screenshot({ path: file, fullPage: true });
  await page.unrouteAll();
  await page.context().setOffline(false);
}

/** Presses the button of a live page, and waits for what the page's module says. */
async function press(page) {
  await page.locator("#pay-button[aria-disabled=false]").waitFor();
  await page.locator("input[name=pg_code]").first().check();
  await page.click("#pay-button");
  await page.locator("#notice:not([hidden])").waitFor();
}

/** What only a browser says: what happens on the page before the picture. */
const ACTS = {
  offline: async (page) => {
    await page.locator("#pay-button[aria-disabled=false]").waitFor();
    await page.context().setOffline(true);
    await press(page);
  },
  no_answer: async (page) => {
    await page.route("**/b/checkout/redirect/pay/", (route) => route.fulfill({ status: 502, contentType: "text/html", body: "" }));
    await press(page);
  },
  receipt_check: choose,
  receipt_genuine: choose,
};

/** The page that checks receipts is a file: its language is that of the browser until the reader changes it. */
async function choose(page, language) {
  await page.locator("#language:not([hidden])").waitFor();
  if ((await page.locator("#language").getAttribute("lang")) === language) await page.click("#language");
}

async function main() {
  rmSync(OUT, { recursive: true, force: true });
  mkdirSync(OUT, { recursive: true });
  const till = await start();
  const browser = await chromium.launch({ executablePath: findChromium(), args: CHROMIUM_ARGS });
  let count = 0;
  try {
    await till.createMerchant({}, "demo");
    const shown = await samples(till);
    const screens = {};
    for (const language of LANGUAGES) {
      const all = Object.entries({ ...shown, ...(await sandbox(till, language)) });
      screens[language] = all.filter(([name]) => ONLY === undefined || ONLY.includes(name));
    }
    for (const [size, viewport] of Object.entries(SIZES)) {
      for (const colorScheme of ["light", "dark"]) {
        const context = await browser.newContext({ viewport, colorScheme });
        const page = await context.newPage();
        for (const language of LANGUAGES) {
          for (const [name, path] of screens[language]) {
            await picture(page, till, { name, path, language, file: join(OUT, `${name}-${language}-${size}-${colorScheme}.png`) });
            count += 1;
          }
        }
        await context.close();
      }
    }
  } finally {
    await browser.close();
    await till.stop();
  }
  console.log(`${count} pictures in ${OUT}`);
}

main().catch(die);
