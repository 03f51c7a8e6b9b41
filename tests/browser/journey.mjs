/** How a payer's journey is walked with the page's script at hand, blocked, late, and absent. */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { alive, open } from "./browser.mjs";

/** How the script comes: what a page does with requests for it. */
export const SCRIPTS = {
  "with the script": { isLive: true },
  "with the script blocked": { onScript: (route) => route.abort(), expected: [/ERR_FAILED/] },
  "with the script three seconds late": {
    isLate: true,
    onScript: async (route) => {
      await sleep(3_000);
      // The payer may have left the page.
      await route.continue().catch(() => {});
    },
  },
  "without JavaScript": { options: { javaScriptEnabled: false } },
};

/**
 * What opens a payment's page in `browser` with the script as `how` says, and resolves when the payer can act; `prepare` gets the page
 * before.
 */
export const visiting = (browser, { isLive = false, onScript, expected = [], options = {} }) =>
  async ({ checkout_url }, { isPayable = true, prepare = () => {} } = {}) => {
    const page = await open(browser, { expected: [...expected, /ERR_INTERNET_DISCONNECTED/], ...options });
    await prepare(page);
    if (onScript) await page.route("**/pkg/**", onScript);
    await page.goto(checkout_url, { waitUntil: "commit" });
    await page.locator("footer").waitFor();
    if (isLive && isPayable) await alive(page);
    return page;
  };

/** Fails unless the headline and the button name one price. */
export async function costs(page, price) {
  for (const part of [".summary .price", "#pay-button"]) {
    assert.deepEqual(await page.locator(`${part} .sum`).filter({ visible: true }).allInnerTexts(), [price], part);
  }
}
