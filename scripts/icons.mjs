/**
 * Writes the WebP of every picture of a payment method in www/icons from its SVG, as Chromium renders it: apps that cannot draw SVG
 * load it. To be called after a picture has changed.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { chromium } from "playwright-core";
import { at, filesUnder, findHeadlessShell } from "./project.mjs";

/** Three times the size at which it is shown. */
const WIDTH = 192;

const pictures = filesUnder(at("www", "icons")).filter((file) => file.endsWith(".svg") && !/marks|till/.test(file));

const browser = await chromium.launch({ executablePath: findHeadlessShell() });
try {
  const page = await browser.newPage();
  for (const file of pictures) {
    const address = `data:image/svg+xml;base64,${readFileSync(file).toString("base64")}`;
    const webp = await page.evaluate(async ([source, width]) => {
      const image = new Image();
      image.src = source;
      await image.decode();
      const canvas = document.createElement("canvas");
      canvas.width = width;
      canvas.height = Math.round((width * image.naturalHeight) / image.naturalWidth);
      canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
      return canvas.toDataURL("image/webp", 0.95);
    }, [address, WIDTH]);
    writeFileSync(file.replace(/svg$/, "webp"), Buffer.from(webp.split(",")[1], "base64"));
    console.log(`${basename(file, ".svg")}.webp`);
  }
} finally {
  await browser.close();
}
