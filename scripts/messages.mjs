/**
 * `make messages`: pictures of every message to payers, in `target/messages` (another folder: `MESSAGES`): each event, channel and
 * language; e-mails in a window and on a phone, light and dark. The texts are written by the native test `message_html`.
 */
import { mkdirSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { CHROMIUM_ARGS, at, die, findChromium, run } from "./project.mjs";

const OUT = process.env.MESSAGES || at("target", "messages");
const SIZES = { phone: { width: 375, height: 700 }, desktop: { width: 800, height: 800 } };

const escaped = (text) => text.replace(/[&<>]/g, (found) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[found]);

/** An SMS or a message of WhatsApp, as a telephone shows it. */
const bubble = (text, colour) =>
  `<!doctype html><meta charset="utf-8"><body style="margin:24px;background:#e9edf1;font:16px/1.5 system-ui,Tahoma,sans-serif">
  <p dir="auto" style="max-width:300px;padding:12px 16px;border-radius:16px;background:${colour};white-space:pre-line;overflow-wrap:anywhere">${escaped(text)}</p>`;

async function pictures(browser, name, content, sizes, schemes) {
  for (const size of sizes) {
    for (const colorScheme of schemes) {
      const page = await browser.newPage({ viewport: SIZES[size], colorScheme, javaScriptEnabled: false });
      await page.route("**/*", (route) => route.abort());
      await page.setContent(content);
      await page.screenshot({ path: join(OUT, `${name}-${size}-${colorScheme}.png`), fullPage: true });
      await page.close();
    }
  }
}

async function main() {
  rmSync(OUT, { recursive: true, force: true });
  mkdirSync(OUT, { recursive: true });
  await run("cargo", ["test", "--offline", "--quiet", "-p", "checkout-tests", "--test", "message_html"], { env: { TILL_MESSAGES: OUT } });
  const browser = await chromium.launch({ executablePath: findChromium(), args: CHROMIUM_ARGS });
  const files = readdirSync(OUT).toSorted();
  try {
    for (const file of files) {
      const [name, kind] = file.split(".");
      const text = readFileSync(join(OUT, file), "utf8");
      if (kind === "html") await pictures(browser, `${name}-email`, text, ["phone", "desktop"], ["light", "dark"]);
      if (kind === "sms") await pictures(browser, `${name}-sms`, bubble(text, "#fff"), ["phone"], ["light"]);
      if (kind === "whatsapp") await pictures(browser, `${name}-whatsapp`, bubble(text, "#d9fdd3"), ["phone"], ["light"]);
    }
  } finally {
    await browser.close();
  }
  console.log(`${readdirSync(OUT).filter((file) => file.endsWith(".png")).length} pictures in ${OUT}`);
}

main().catch(die);
