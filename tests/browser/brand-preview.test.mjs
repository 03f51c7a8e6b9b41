/** The preview of README.md: what its commands write opens in a browser from the disk, and shows the brand. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { blocksOf } from "../../scripts/docs/blocks.mjs";
import { at } from "../../scripts/project.mjs";
import { browser, close, open, stand, till } from "./browser.mjs";

stand(() => {});

test("the file that the commands write shows a page with the brand, and everything of it is found", async () => {
  const block = blocksOf("README.md", readFileSync(at("README.md"), "utf8")).find(({ text }) => text.includes("brand/preview"));
  const { private_key: KEY } = await till.createMerchant();
  const folder = mkdtempSync(join(tmpdir(), "till-brand-"));
  try {
    mkdirSync(join(folder, ".dev"));
    execFileSync("bash", ["-euo", "pipefail", "-c", block.text], { cwd: folder, env: { ...process.env, BASE: till.url, KEY }, stdio: "ignore" });
    const file = join(folder, ".dev", "brand.html");
    const page = await open(browser);
    const lost = [];
    page.on("requestfailed", (request) => lost.push(request.url()));
    page.on("response", (response) => response.status() >= 400 && lost.push(`${response.status()} ${response.url()}`));
    await page.goto(pathToFileURL(file).href);
    const accent = await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--accent").trim());
    assert.equal(accent, "#0b6e4f");
    assert.equal(await page.getByText("help@shop.example").first().isVisible(), true);
    assert.deepEqual(lost, []);
    await close(page);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
