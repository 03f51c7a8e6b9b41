/** Shops of other origins for the tests in Chromium: their pages, and the element <till-checkout> on them. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after } from "node:test";
import { demoSettings } from "../worker/harness.mjs";
import { stand, till } from "./browser.mjs";

/**
 * A site of someone else on its own port: `draw` gives the text of a page from its query, and `headers` are sent with each. `origin`
 * is its address.
 */
export async function site(draw, headers = {}) {
  const server = createServer((request, response) => {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8", ...headers });
    response.end(draw(new URL(request.url, "http://shop").searchParams));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { origin: `http://127.0.0.1:${server.address().port}`, server };
}

/** A shop that the merchant lists, and a stranger with the same pages, once `standShops` has started them. */
export let shop;
export let stranger;

/**
 * Starts Till, the browser and the two shops before the tests of a file, and stops them after. `look` gives the text of a page and the
 * headers.
 */
export function standShops(look = elementPages) {
  stand(async () => {
    const [draw, headers] = look();
    [shop, stranger] = await Promise.all([site(draw, headers), site(draw, headers)]);
    await till.createMerchant({ ...demoSettings(), allowed_origins: [shop.origin] });
  });
  after(() => {
    shop?.server.close();
    stranger?.server.close();
  });
}

/** Pages with the element, under the policy that its guide names. */
function elementPages() {
  const policy = [
    "default-src 'none'", `script-src ${till.url}/sdk/`, `connect-src ${till.url}`, `img-src ${till.url}`, "style-src 'self'", "form-action 'self'",
    "base-uri 'none'", "require-trusted-types-for 'script'", "trusted-types 'none'",
  ];
  const draw = (query) => {
    const language = query.get("language") ?? "en";
    return `<!doctype html><html lang="${language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>A shop</title>
      <link rel="icon" href="${till.url}/icons/till.svg"><script type="module" src="${till.url}/sdk/v1/till-checkout.js"></script>
      <main><h1>Order 1</h1><till-checkout session-id="${query.get("session_id")}" origin="${till.url}" language="${language}"></till-checkout></main></html>`;
  };
  return [draw, { "content-security-policy": policy.join("; ") }];
}

/** A new payment of the shop, by its session id. */
export async function created(fields = {}) {
  const { status, body, text } = await till.create({ pg_codes: ["knet", "credit-card", "cash"], ...fields });
  assert.equal(status, 201, text);
  return body.session_id;
}

/** The element on a page, and its parts. */
export const element = (page) => page.locator("till-checkout");
export const payButton = (page) => element(page).locator("[part=pay]");
export const status = (page) => element(page).locator("[part=status]");
