/** The face of a merchant in Chromium: what is seen of it, that it can be read, and that a stored SVG runs nothing. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import sharp from "sharp";
import { accessibility, browser, close, open, stand, till } from "./browser.mjs";

let shop;

/** A logo whose circle has a colour. */
const logoOf = (circle) => sharp(Buffer.from(
  `<svg xmlns="http://www.w3.org/2000/svg" width="240" height="80"><rect width="240" height="80" rx="20" fill="#7a1fa2"/><circle cx="120" cy="40" r="20" fill="${circle}"/></svg>`,
)).png().toBuffer();

const upload = async (body) => {
  const answer = await till.call("/b/access/v1/images/", { method: "POST", headers: till.privateKey(shop), body });
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
};
const brand = async (json) => {
  const answer = await till.call("/b/access/v1/brand/", { method: "PUT", headers: till.privateKey(shop), json });
  assert.equal(answer.status, 200, answer.text);
};
const order = async (fields = {}) => (await till.create({ pg_codes: ["knet", "credit-card", "cash"], order_no: "ORDER-1", ...fields })).body.session_id;
const address = (session_id, language = "en") => `${till.url}/b/checkout/redirect/start/?session_id=${session_id}&language=${language}`;
const colour = (locator, name) => locator.evaluate((element, name) => getComputedStyle(element)[name], name);

let logo;
const support = { email: "help@shop.example.com", phone: "+96522223333", whatsapp: "+96550001122" };
const links = { terms: "https://shop.example.com/terms", refunds: "https://shop.example.com/refunds" };

stand(async () => {
  shop = await till.createMerchant();
  logo = (await upload(await logoOf("#ffffff"))).name;
});

test("the logo, the colour, the corners, the font and the ways to reach the shop are on the page", async () => {
  await brand({ logo, favicon: logo, accent: "#7a1fa2", corners: "square", font: "serif", support, links });
  const page = await open(browser);
  await page.goto(address(await order()));
  const image = page.getByRole("img", { name: "Demo Store" });
  await image.waitFor();
  assert.ok((await image.evaluate((element) => element.naturalWidth)) > 0, "the logo is rendered");
  const button = page.locator("#pay-button");
  assert.equal(await colour(button, "backgroundColor"), "rgb(122, 31, 162)");
  assert.equal(await colour(button, "color"), "rgb(255, 255, 255)");
  assert.equal(await colour(button, "borderRadius"), "0px");
  assert.match(await colour(page.locator("body"), "fontFamily"), /Georgia/);
  for (const [name, href] of [["help@shop.example.com", "mailto:help@shop.example.com"], ["+96522223333", "tel:+96522223333"], ["WhatsApp", "https://wa.me/96550001122"], ["Terms", links.terms], ["Refund policy", links.refunds]]) {
    const link = page.getByRole("link", { name });
    assert.equal(await link.getAttribute("href"), href);
    const box = await link.boundingBox();
    assert.ok(box.height >= 44, `${name} is ${box.height} high`);
  }
  await close(page);
});

test("in the dark a dark colour becomes a lighter one", async () => {
  await brand({ accent: "#14213d" });
  const page = await open(browser, { colorScheme: "dark" });
  await page.goto(address(await order()));
  assert.notEqual(await colour(page.locator("#pay-button"), "backgroundColor"), "rgb(20, 33, 61)");
  await close(page);
});

test("branded screens have no fault for axe, in both languages, in the light and the dark", async () => {
  const session_id = await order();
  for (const accent of ["#000000", "#e8590c", "#0ca678", "#949494", "#ff1022", "#1a1a1a"]) {
    await brand({ logo, accent, corners: "round", font: "rounded", support, links });
    for (const colorScheme of ["light", "dark"]) {
      for (const language of ["en", "ar"]) {
        const page = await open(browser, { colorScheme, bypassCSP: true });
        await page.goto(address(session_id, language));
        assert.deepEqual(await accessibility(page), [], `${accent} ${colorScheme} ${language}`);
        await close(page);
      }
    }
  }
});

test("the face of a merchant fits a small phone, with long names, at twice the size of text", async () => {
  const long = { email: `${"long-name.".repeat(5)}x@${"sub.".repeat(10)}example.com`, phone: support.phone, whatsapp: support.whatsapp };
  await brand({ logo, accent: "#7a1fa2", corners: "round", support: long, links });
  const session_id = await order();
  for (const language of ["en", "ar"]) {
    for (const size of ["100%", "200%"]) {
      const page = await open(browser, { viewport: { width: 320, height: 640 }, bypassCSP: true });
      await page.goto(address(session_id, language));
      await page.addStyleTag({ content: `html{font-size:${size}}` });
      const wide = await page.evaluate(() =>
        [...document.querySelectorAll("header, header *, .foot, .foot *")].map((element) => element.getBoundingClientRect())
          .filter(({ left, right }) => left < -0.5 || right > innerWidth + 0.5).length);
      assert.equal(wide, 0, `${language} ${size}: parts of the brand are outside of the window`);
      await close(page);
    }
  }
});

test("a logo that is gone leaves the name in its place", async () => {
  const { name } = await upload(await logoOf("#00ff00"));
  const session_id = await order({ branding_options: { logo: name } });
  const deleted = await till.call(`/b/access/v1/images/${name}/`, { method: "DELETE", headers: till.privateKey(shop) });
  assert.equal(deleted.status, 204);
  const page = await open(browser, { expected: [/404/] });
  await page.goto(address(session_id));
  const image = page.getByRole("img", { name: "Demo Store" });
  await image.waitFor();
  assert.equal(await image.evaluate((element) => element.naturalWidth), 0);
  await close(page);
});

test("a stored SVG, whatever is in it, asks for nothing and opens nothing, as an image and as a document", async () => {
  const asked = [];
  const server = createServer((request, answer) => { asked.push(request.url); answer.end(); });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const evil = `http://127.0.0.1:${server.address().port}`;
  const inside = [
    `<script>fetch("${evil}/script")</script>`, "<script>alert(1)</script>", `<image href="${evil}/image" width="9" height="9"/>`, `<style>@import url(${evil}/css);</style>`,
    `<foreignObject width="9" height="9"><img xmlns="http://www.w3.org/1999/xhtml" src="${evil}/foreign"/></foreignObject>`, `<path d="M0 0h9" onload="fetch('${evil}/onload')"/>`,
    `<path fill="url(${evil}/fill#a)" d="M0 0h9v9z"/>`, `<use href="${evil}/use#a"/>`, `<path style="fill:url(${evil}/style)" d="M0 0h9"/>`,
  ];
  for (const [number, part] of inside.entries()) {
    const name = `${String(number).padStart(32, "0")}.svg`;
    const file = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="24" height="24">${part}<rect width="24" height="24" fill="#7a1fa2"/></svg>`);
    await till.rows("INSERT INTO image (name, merchant_id, width, height, size, content, created_at) VALUES (?1, ?2, 24, 24, ?3, ?4, 1)", name, shop.merchant_id, file.length, file.toString("base64"));
    const page = await open(browser, { expected: [/Content Security Policy|sandboxed|Unsafe attempt to load/i] });
    page.on("dialog", (dialog) => page.faults.push(`dialog: ${dialog.message()}`));
    await page.goto(`${till.url}/b/checkout/images/${name}`);
    assert.ok((await page.locator("rect").boundingBox()).width > 0, part);
    await close(page);
    const asLogo = await open(browser);
    asLogo.on("dialog", (dialog) => asLogo.faults.push(`dialog: ${dialog.message()}`));
    await asLogo.goto(address(await order({ branding_options: { logo: name } })));
    const image = asLogo.getByRole("img", { name: "Demo Store" });
    await image.waitFor();
    assert.equal(await image.evaluate((element) => element.naturalWidth), 24, part);
    await close(asLogo);
  }
  server.close();
  assert.deepEqual(asked, []);
});
