/** `make picture`: the page of one payment transaction in English and in Arabic, next to each other, as README.md shows it. */
import { writeFileSync } from "node:fs";
import { chromium } from "playwright-core";
import { start } from "../tests/worker/harness.mjs";
import { CHROMIUM_ARGS, at, die, findChromium } from "./project.mjs";

const OUT = at("docs", "page.webp");
const PHONE = { width: 360, height: 640 };
const ORDER = { amount: "10.250", pg_codes: ["knet", "credit-card", "cash"], order_no: "1001" };

/** The pictures next to each other, as a WebP: a browser writes it. */
async function joined(page, pictures) {
  const urls = pictures.map((bytes) => `data:image/png;base64,${bytes.toString("base64")}`);
  const written = await page.evaluate(async (sources) => {
    const images = await Promise.all(sources.map(async (source) => {
      const image = new Image();
      image.src = source;
      await image.decode();
      return image;
    }));
    const gap = 24;
    const canvas = document.createElement("canvas");
    canvas.width = images.reduce((all, { width }) => all + width + gap, -gap);
    canvas.height = images[0].height;
    images.reduce((left, image) => {
      canvas.getContext("2d").drawImage(image, left, 0);
      return left + image.width + gap;
    }, 0);
    return canvas.toDataURL("image/webp", 0.8);
  }, urls);
  return Buffer.from(written.split(",")[1], "base64");
}

async function main() {
  const till = await start();
  const browser = await chromium.launch({ executablePath: findChromium(), args: CHROMIUM_ARGS });
  try {
    await till.createMerchant();
    const page = await browser.newPage({ viewport: PHONE, deviceScaleFactor: 1.5 });
    const pictures = [];
    for (const language of ["en", "ar"]) {
      const { body } = await till.create({ ...ORDER, language });
      await page.goto(body.checkout_url, { waitUntil: "networkidle" });
      pictures.push(await page.screenshot());
    }
    await page.goto("about:blank");
    const bytes = await joined(page, pictures);
    writeFileSync(OUT, bytes);
    console.log(`docs/page.webp: ${bytes.length} bytes`);
  } finally {
    await browser.close();
    await till.stop();
  }
}

main().catch(die);
