/**
 * `make gallery`: pictures of every screen, on a phone and a desktop, light and dark, in English and Arabic, in `target/gallery`
 * (another folder: `GALLERY`; only some screens: `SCREENS=paid,bank`; only what is seen first: `FOLD=1`). The screens of the hosted page
 * belong to real payments, in browsers with and without wallets; what no payment of the sandbox leads to is a sample.
 *
 * `OLD=folder` also writes `sheets/<screen>.png`: the pictures of that folder and the new ones next to each other.
 */
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { BROWSERS } from "../tests/browser/browser.mjs";
import { start } from "../tests/worker/harness.mjs";
import { payWith } from "../tests/worker/payer.mjs";
import { SCREENS, Stage, isPayable, pageOf } from "../tests/worker/stage.mjs";
import { CHROMIUM_ARGS, at, die, findChromium } from "./project.mjs";

const OUT = process.env.GALLERY || at("target", "gallery");
const ONLY = process.env.SCREENS?.split(",");
const OLD = process.env.OLD;
const SIZES = { phone: { width: 360, height: 640 }, desktop: { width: 1280, height: 800 } };
const SCHEMES = ["light", "dark"];
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

/** The screens of the hosted page, of real payments. A screen on which a payer chooses is shown in browsers with each wallet too. */
async function hosted(till) {
  const stage = await Stage.of(till);
  const shown = {};
  const wanted = Object.entries(SCREENS).filter(([name]) => ONLY === undefined || ONLY.some((one) => one.split("-")[0] === name));
  for (const [name, make] of wanted) {
    const path = pageOf(await make(stage), "en");
    shown[name] = { path, has: "none" };
    if (["payable", "declined", "payable_by_saved_card"].includes(name)) {
      for (const has of ["google_pay", "apple_pay"]) shown[`${name}-${has}`] = { path, has };
    }
    if (name === "payable") shown.not_chosen = { path, has: "none" };
  }
  for (const name of ["payable", "payable_by_saved_card", "paid", "failed"].filter((name) => name in shown)) {
    const path = pageOf(await SCREENS[name](stage.be("branded")), "en");
    shown[`${name}-branded`] = { path, has: isPayable(name) ? "google_pay" : "none" };
  }
  return shown;
}

async function picture(page, till, { name, path, language, file }) {
  const url = new URL(path, till.url);
  url.searchParams.set("language", language);
  await page.goto(url.href, { waitUntil: "networkidle" });
  // A sample has no script: it is shown as with one that runs.
  if (path.startsWith(SAMPLES)) await page.evaluate(() => { document.documentElement.classList.add("live"); });
  await ACTS[name]?.(page, language);
  await page.screenshot({ path: file, fullPage: process.env.FOLD === undefined });
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
  not_chosen: async (page) => {
    await page.locator("#pay-button[aria-disabled=false]").waitFor();
    await page.click("#pay-button");
    await page.locator("#notice:not([hidden])").waitFor();
  },
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

/** The screens of one language: their names, their addresses, and the wallet that the browser has. */
async function screensOf(till, language, real) {
  const others = { ...(await samples(till)), ...(await sandbox(till, language)) };
  const all = Object.entries({ ...Object.fromEntries(Object.entries(others).map(([name, path]) => [name, { path, has: "google_pay" }])), ...real });
  return all.filter(([name]) => ONLY === undefined || ONLY.includes(name) || ONLY.includes(name.split("-")[0]));
}

const fileOf = (name, language, size, scheme) => `${name}-${language}-${size}-${scheme}.png`;

/** Pictures of the screens in one kind of browser; how many. */
async function photograph(till, browser, { has, size, scheme, screens }) {
  const context = await browser.newContext({ viewport: SIZES[size], colorScheme: scheme });
  await context.addInitScript(BROWSERS[has]);
  const page = await context.newPage();
  let count = 0;
  for (const language of LANGUAGES) {
    for (const [name, { path }] of screens[language].filter(([, screen]) => screen.has === has)) {
      await picture(page, till, { name, path, language, file: join(OUT, fileOf(name, language, size, scheme)) });
      count += 1;
    }
  }
  await context.close();
  return count;
}

/** One sheet of a screen: each old picture and the new one, where there are both. */
async function sheet(page, name) {
  const rows = [];
  for (const size of Object.keys(SIZES)) {
    for (const scheme of SCHEMES) {
      for (const language of LANGUAGES) {
        const pictures = [OLD, OUT].map((folder) => resolve(folder, fileOf(name, language, size, scheme)));
        const figures = pictures.map((file) => (existsSync(file) ? `<img src="${pathToFileURL(file)}" class="${size}">` : "<i>none</i>"));
        rows.push(`<figure><figcaption>${language} ${size} ${scheme}</figcaption>${figures.join("")}</figure>`);
      }
    }
  }
  const style = "body{display:flex;flex-wrap:wrap;gap:12px;margin:8px;font:14px sans-serif;background:#888}figure{margin:0}img{vertical-align:top;margin-right:6px}.phone{width:270px}.desktop{width:560px}";
  const file = join(OUT, "sheets", `${name}.html`);
  writeFileSync(file, `<meta charset=utf-8><title>${name}</title><style>${style}</style>${rows.join("")}`);
  await page.goto(pathToFileURL(file).href);
  await page.screenshot({ path: file.replace(/html$/, "png"), fullPage: true });
}

async function sheets(browser, names) {
  mkdirSync(join(OUT, "sheets"), { recursive: true });
  const page = await browser.newPage({ viewport: { width: 2_340, height: 1_000 } });
  for (const name of names) await sheet(page, name);
}

async function main() {
  rmSync(OUT, { recursive: true, force: true });
  mkdirSync(OUT, { recursive: true });
  const till = await start();
  const browser = await chromium.launch({ executablePath: findChromium(), args: CHROMIUM_ARGS });
  let count = 0;
  try {
    const real = await hosted(till);
    await till.createMerchant({}, "demo");
    const screens = {};
    for (const language of LANGUAGES) screens[language] = await screensOf(till, language, real);
    for (const size of Object.keys(SIZES)) {
      for (const scheme of SCHEMES) {
        for (const has of Object.keys(BROWSERS)) count += await photograph(till, browser, { has, size, scheme, screens });
      }
    }
    if (OLD) await sheets(browser, screens.en.map(([name]) => name));
  } finally {
    await browser.close();
    await till.stop();
  }
  console.log(`${count} pictures in ${OUT}`);
}

main().catch(die);
