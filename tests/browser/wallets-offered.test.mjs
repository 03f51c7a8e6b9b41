/** Where the buttons of wallets are offered, how they look, and what is remembered of a refusal. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { appleToken, googleToken } from "../worker/wallets.mjs";
import { alive, asking, browser, close, open, stand, till } from "./browser.mjs";
import { APPLE, GOOGLE, putWallets } from "./wallets.mjs";

stand();

async function transaction(fields = {}) {
  const created = await till.create({
    pg_codes: ["knet", "credit-card"], amount: "10.000", redirect_url: `${till.url}/sandbox/shop/`, webhook_url: `${till.url}/sandbox/inbox/wallets/`, ...fields,
  });
  assert.equal(created.status, 201, created.text);
  return { ...created.body, checkout_url: asking(created.body.checkout_url, "knet") };
}

test("a refusal is remembered for the payment in this browser, in another tab and language too, and for no other payment", async () => {
  const { checkout_url } = await transaction();
  const page = await open(browser);
  const put = () => {
    globalThis.PaymentRequest = class {
      async show() { throw new DOMException("the sheet says no", "InvalidStateError"); }
    };
  };
  await page.context().addInitScript(put);
  await page.goto(checkout_url);
  await page.locator(`${GOOGLE}:not([aria-disabled=true])`).click();
  await page.locator("#notice:not([hidden])").waitFor();
  const other = await page.context().newPage();
  for (const [where, address] of [[page, checkout_url], [other, checkout_url.replace("language=en", "language=ar")]]) {
    await where.goto(address);
    await alive(where);
    assert.equal(await where.locator(GOOGLE).isVisible(), false);
  }
  await other.goto((await transaction()).checkout_url);
  await alive(other);
  assert.equal(await other.locator(GOOGLE).isVisible(), true);
  await close(page);
});

test("a browser that answers by itself is asked before the button is shown", async () => {
  const { checkout_url } = await transaction();
  for (const answer of [true, false]) {
    const page = await open(browser);
    await page.addInitScript((answer) => {
      Object.defineProperty(Navigator.prototype, "userAgentData", { get: () => undefined });
      globalThis.PaymentRequest = class { async canMakePayment() { return answer; } };
    }, answer);
    await page.goto(checkout_url);
    await alive(page);
    if (answer) await page.locator(GOOGLE).waitFor();
    else await page.waitForTimeout(100);
    assert.equal(await page.locator(GOOGLE).isVisible(), answer);
    await close(page);
  }
});

test("buttons have the room, the size and the marks that their owners ask for, light and dark", async () => {
  const { checkout_url } = await transaction();
  for (const colorScheme of ["light", "dark"]) {
    for (const width of [320, 360, 1280]) {
      const page = await open(browser, { colorScheme, viewport: { width, height: 800 } });
      await putWallets(page, { apple: appleToken("visa-approve"), google: googleToken("visa-approve") });
      await page.goto(checkout_url);
      await alive(page);
      for (const button of [APPLE, GOOGLE]) {
        const { clear, size, colours, mark } = await page.locator(button).evaluate(async (one) => {
          const box = one.getBoundingClientRect();
          const others = [...document.querySelectorAll("h2, .express small, .wallet, .or, .method, p, button")].filter((other) => other !== one && !one.contains(other) && !other.contains(one) && other.checkVisibility());
          const far = ({ left, right, top, bottom }) => Math.max(left - box.right, box.left - right, top - box.bottom, box.top - bottom);
          const picture = one.querySelector("img");
          await picture.decode();
          return {
            clear: Math.min(...others.map((other) => far(other.getBoundingClientRect()))), size: [box.width, box.height],
            colours: getComputedStyle(one).backgroundColor, mark: [new URL(picture.currentSrc).pathname, picture.naturalWidth / picture.naturalHeight, picture.width / picture.height],
          };
        });
        assert.ok(clear >= 8, `${clear} pixels around ${button} at ${width}`);
        assert.ok(size[0] >= 152 && size[1] >= 40, `${size}`);
        assert.equal(colours, colorScheme === "dark" ? "rgb(255, 255, 255)" : "rgb(0, 0, 0)");
        assert.match(mark[0], colorScheme === "dark" ? /-on-light\.svg$/ : /_pay\.svg$/);
        assert.ok(Math.abs(mark[1] - mark[2]) < 0.05, `the mark has its proportions: ${mark}`);
      }
      assert.equal((await page.innerText(".or")).trim(), "or");
      await close(page);
    }
  }
});
