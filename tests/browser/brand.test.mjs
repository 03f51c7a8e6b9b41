/** The face of a merchant in Chromium: what is seen of it, that it can be read, and that an uploaded SVG only draws. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import sharp from "sharp";
import { start } from "../worker/harness.mjs";
import { accessibility, close, launch, open } from "./browser.mjs";

/** @type {import("../worker/harness.mjs").Till} */
let till;
let browser;
let shop;

/** What a drawing program writes: editor's names, styles, gradients that refer to each other, a clip. */
const LOGO = `<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!-- Created with a drawing program -->
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" width="240mm" height="80mm" viewBox="0 0 240 80">
<title>Sample</title><metadata>about</metadata>
<defs><linearGradient id="a"><stop offset="0" style="stop-color:#ff0000;stop-opacity:1"/><stop offset="1" stop-color="#0000ff"/></linearGradient>
<linearGradient id="b" xlink:href="#a" x1="0" x2="240" gradientUnits="userSpaceOnUse"/><clipPath id="c"><rect width="240" height="80" rx="20"/></clipPath></defs>
<g inkscape:label="Layer 1" clip-path="url(#c)"><rect width="240" height="80" style="fill:url(#b);stroke:none"/><circle cx="120" cy="40" r="20" fill="#ffffff"/></g></svg>`;

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

before(async () => {
  till = await start();
  shop = await till.createMerchant();
  browser = await launch();
  logo = (await upload(LOGO)).name;
});
after(async () => {
  await browser?.close();
  await till.stop();
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
  const { name } = await upload(LOGO.replace("#ffffff", "#00ff00"));
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

/** The pixels of a picture, small. */
const pixels = (bytes) => sharp(bytes).resize(48, 16, { fit: "fill" }).removeAlpha().raw().toBuffer();

test("an SVG looks the same after it was written again, and opened by itself it only draws", async () => {
  const stored = await (await fetch(`${till.url}/b/checkout/images/${logo}`)).text();
  const [before_, after_] = await Promise.all([pixels(Buffer.from(LOGO)), pixels(Buffer.from(stored))]);
  const furthest = Math.max(...before_.map((value, place) => Math.abs(value - after_[place])));
  assert.ok(furthest <= 8, `a pixel differs by ${furthest}`);
  const requests = [];
  const page = await open(browser);
  page.on("request", (request) => requests.push(new URL(request.url()).pathname));
  page.on("dialog", (dialog) => page.faults.push(`dialog: ${dialog.message()}`));
  await page.goto(`${till.url}/b/checkout/images/${logo}`);
  assert.equal(await page.evaluate(() => document.documentElement.localName), "svg");
  assert.ok((await page.locator("rect").last().boundingBox()).width > 0, "it draws");
  assert.deepEqual(requests, [`/b/checkout/images/${logo}`]);
  await close(page);
});

test("what is stored of hostile files asks for nothing and opens nothing, as an image and as a document", async () => {
  const asked = [];
  const server = createServer((request, answer) => { asked.push(request.url); answer.end(); });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const evil = `http://127.0.0.1:${server.address().port}`;
  const inside = [
    `<script>fetch("${evil}/script")</script>`, `<image href="${evil}/image" width="9" height="9"/>`, `<style>@import url(${evil}/css);</style>`,
    `<path fill="url(${evil}/fill#a)" d="M0 0h9v9z"/>`, `<foreignObject width="9" height="9"><img xmlns="http://www.w3.org/1999/xhtml" src="${evil}/foreign"/></foreignObject>`,
    `<metadata><x:script xmlns:x="http://www.w3.org/2000/svg">fetch("${evil}/metadata")</x:script></metadata>`, `<x:path xmlns:x="urn:x" onload="fetch('${evil}/ns')"/>`,
    `<?xml-stylesheet href="${evil}/xsl" type="text/xsl"?>`, `<!--><script>fetch("${evil}/comment")</script>-->`, `<path d="M0 0h9" onload="fetch('${evil}/onload')"/>`,
    `<linearGradient id="g" href="${evil}/gradient#a"/>`, `<use href="${evil}/use#a"/>`, `<path style="fill:url(${evil}/style)" d="M0 0h9"/>`, `<title><![CDATA[<script>alert(1)</script>]]></title>`,
  ];
  let stored = 0;
  for (const part of inside) {
    const file = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">${part}<rect width="24" height="24" fill="#7a1fa2"/></svg>`;
    const answer = await till.call("/b/access/v1/images/", { method: "POST", headers: till.privateKey(shop), body: file });
    if (answer.status === 400) continue;
    stored += 1;
    const url = `${till.url}/b/checkout/images/${answer.body.name}`;
    const page = await open(browser);
    page.on("dialog", (dialog) => page.faults.push(`dialog: ${dialog.message()}`));
    await page.goto(url);
    assert.ok((await page.locator("rect").boundingBox()).width > 0, part);
    await close(page);
    // Without the policy of our answer, in a page of another origin.
    const text = await (await fetch(url)).text();
    const elsewhere = await open(browser);
    elsewhere.on("dialog", (dialog) => elsewhere.faults.push(`dialog: ${dialog.message()}`));
    await elsewhere.setContent(`<img src="data:image/svg+xml;base64,${Buffer.from(text).toString("base64")}">${text}`);
    await elsewhere.waitForFunction(() => document.images[0].complete && document.images[0].naturalWidth > 0);
    await close(elsewhere);
  }
  server.close();
  assert.ok(stored >= 4, `${stored} were stored`);
  assert.deepEqual(asked, []);
});
