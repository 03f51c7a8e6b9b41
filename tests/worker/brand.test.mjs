/**
 * The face of a merchant over HTTP: images that are uploaded, served and deleted, the brand of the settings and of a
 * transaction, the preview of every screen, and the file by which Apple recognises the domain.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import sharp from "sharp";
import { start } from "./harness.mjs";
import { assertProblem } from "./payer.mjs";
import { pngOf } from "./images.mjs";

/** @type {import("./harness.mjs").Till} */
let till;
let shop;
let other;

before(async () => {
  till = await start();
  other = await till.createMerchant();
  shop = await till.createMerchant();
});
after(() => till.stop());

const IMAGES = "/b/access/v1/images/";
const BRAND = "/b/access/v1/brand/";
const upload = (body, merchant = shop) => till.call(IMAGES, { method: "POST", headers: till.privateKey(merchant), body });
const setBrand = (json, merchant = shop) => till.call(BRAND, { method: "PUT", headers: till.privateKey(merchant), json });
const deleted = (name, merchant = shop) => till.call(`${IMAGES}${name}/`, { method: "DELETE", headers: till.privateKey(merchant) });
const served = (name) => till.fetch(`${till.url}/b/checkout/images/${name}`);
/** What is wrong, as pairs of a path and its texts. */
const flat = (errors, base = "") => Object.entries(errors).flatMap(([name, of]) => (Array.isArray(of) ? [[`${base}${name}`, of]] : flat(of, `${base}${name}.`)));
const named = (answer) => flat(assertProblem(answer, 400, "invalid_fields"));
const DRAWING = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8"/></svg>';
const IMAGE = pngOf(8, 8);
const picture = (width, height) => sharp({ create: { width, height, channels: 4, background: { r: 122, g: 31, b: 162, alpha: 0.5 } } });

test("what another library writes as PNG and WebP is taken with its size and served as it is", async () => {
  for (const [width, height] of [[1, 1], [240, 80], [2_048, 3]]) {
    const rendered = picture(width, height);
    const files = {
      "image/png": [await rendered.clone().png().toBuffer(), await rendered.clone().png({ palette: true }).toBuffer(), await rendered.clone().flatten().greyscale().png().toBuffer()],
      "image/webp": [await rendered.clone().webp().toBuffer(), await rendered.clone().webp({ lossless: true }).toBuffer(), await rendered.clone().flatten().webp().toBuffer()],
    };
    for (const [type, list] of Object.entries(files)) {
      for (const file of list) {
        const answer = await upload(file);
        assert.equal(answer.status, 201, answer.text);
        const { body } = answer;
        assert.deepEqual([body.media_type, body.width, body.height, body.size], [type, width, height, file.length]);
        const image = await served(body.name);
        assert.equal(image.status, 200);
        assert.deepEqual(Buffer.from(await image.arrayBuffer()), file);
        assert.equal(image.headers.get("content-type"), type);
        const { format } = await sharp(file).metadata();
        assert.equal(`image/${format}`, type);
      }
    }
  }
});

test("an image is served from this origin, never changes, and runs nothing", async () => {
  const { body } = await upload(IMAGE);
  assert.equal(body.url.endsWith(`/b/checkout/images/${body.name}`), true);
  const image = await served(body.name);
  const headers = Object.fromEntries(image.headers);
  assert.equal(headers["content-type"], "image/png");
  assert.equal(headers["content-security-policy"], "sandbox; default-src 'none'");
  assert.equal(headers["x-content-type-options"], "nosniff");
  assert.equal(headers["cross-origin-resource-policy"], "cross-origin");
  assert.equal(headers["cache-control"], "public, max-age=31536000, immutable");
  assert.equal((await upload(IMAGE)).body.name, body.name, "the same again");
  assert.notEqual((await upload(IMAGE, other)).body.name, body.name, "at another merchant");
});

test("a name that names nothing is not found, whatever it looks like", async () => {
  for (const name of ["0".repeat(32) + ".png", "x.png", "..%2f..%2fwrangler.toml", `${"0".repeat(32)}.gif`, ""]) {
    assertProblem(await till.call(`/b/checkout/images/${name}`), 404, "not_found");
  }
});

test("what is no image, or is damaged or too large, is refused and says what is allowed", async () => {
  const png = await picture(64, 64).png().toBuffer();
  const webp = await picture(64, 64).webp({ lossless: true }).toBuffer();
  const with_ = (file, at, bytes) => Buffer.concat([file.subarray(0, at), Buffer.from(bytes), file.subarray(at + bytes.length)]);
  const cases = {
    "nothing": Buffer.alloc(0), "text": Buffer.from("hello"), "HTML": Buffer.from("<html><body>x</body></html>"),
    "JPEG": await picture(4, 4).flatten().jpeg().toBuffer(), "GIF": await picture(4, 4).gif().toBuffer(), "AVIF": Buffer.from("....ftypavif"),
    "PDF": Buffer.from("%PDF-1.7"), "only a signature": png.subarray(0, 8), "half a PNG": png.subarray(0, png.length / 2), "a PNG without its end": png.subarray(0, -12),
    "a PNG with more after it": Buffer.concat([png, Buffer.from("<script>")]), "a PNG with another size in its header": with_(png, 16, [0, 0, 8, 0]),
    "a PNG of a chunk without end": with_(png, 8, [255, 255, 255, 255]), "half a WebP": webp.subarray(0, webp.length / 2), "a WebP with another length": with_(webp, 4, [255, 0, 0, 0]),
    "a WebP with more after it": Buffer.concat([webp, Buffer.from("<svg")]), "a RIFF that is sound": Buffer.from("RIFF\x04\x00\x00\x00WAVE", "latin1"),
    "an SVG": Buffer.from(DRAWING), "an SVG with a declaration": Buffer.from(`<?xml version="1.0"?>\n${DRAWING}`), "an SVG in UTF-16": Buffer.from(`\ufeff${DRAWING}`, "utf16le"),
    "a wide PNG": await picture(2_049, 1).png().toBuffer(), "a high WebP": await picture(1, 2_049).webp().toBuffer(),
    "an animation": await sharp(Buffer.concat([Buffer.alloc(4, 1), Buffer.alloc(4, 200)]), { raw: { width: 1, height: 8, channels: 1 } }).webp().toBuffer().then((file) => {
      const body = Buffer.concat([Buffer.from("VP8X\x0a\x00\x00\x00\x02\x00\x00\x00\x00\x00\x00\x00\x00\x00", "latin1"), file.subarray(12)]);
      const length = Buffer.alloc(4);
      length.writeUInt32LE(body.length + 4);
      return Buffer.concat([Buffer.from("RIFF"), length, Buffer.from("WEBP"), body]);
    }),
  };
  for (const [what, file] of Object.entries(cases)) {
    const answer = await upload(file);
    assert.equal(answer.status, 400, `${what}: ${answer.text}`);
    const [[path, [text]]] = named(answer);
    assert.equal(path, "image", what);
    assert.match(text, /^must (be|have|not)/, what);
  }
  assertProblem(await upload(Buffer.alloc(65_537, 60)), 413, "body_too_large");
});

test("a merchant lists and deletes its own images, and none that its settings name", async () => {
  const mine = await till.createMerchant();
  const { body } = await upload(IMAGE, mine);
  const list = (merchant) => till.call(IMAGES, { headers: till.privateKey(merchant) });
  assert.deepEqual((await list(mine)).body, [body]);
  assert.deepEqual((await list(await till.createMerchant())).body, []);
  assertProblem(await deleted(body.name, other), 404, "not_found");
  assert.equal((await setBrand({ favicon: body.name }, mine)).status, 200);
  assert.match(named(await deleted(body.name, mine))[0][1][0], /settings/);
  assert.equal((await setBrand({}, mine)).status, 200);
  assert.equal((await deleted(body.name, mine)).status, 204);
  assertProblem(await deleted(body.name, mine), 404, "not_found");
  assert.equal((await served(body.name)).status, 404);
  const audit = (await till.call("/b/access/v1/audit/", { headers: till.privateKey(mine) })).body.results.map(({ action }) => action);
  assert.deepEqual(audit.slice(0, 4), ["delete_own_image", "replace_own_brand", "replace_own_brand", "upload_own_image"]);
});

test("a merchant has as many images as it may have", async () => {
  const mine = await till.createMerchant();
  for (let place = 0; place < 50; place += 1) assert.equal((await upload(pngOf(1 + place, 1), mine)).status, 201);
  assert.match(named(await upload(pngOf(99, 1), mine))[0][1][0], /at most 50/);
  assert.equal((await upload(pngOf(7, 1), mine)).status, 201, "one that is there already");
});

test("a brand is read back as it was given, and its images must be the merchant's own", async () => {
  const { body: logo } = await upload(IMAGE);
  const { body: theirs } = await upload(IMAGE, other);
  const brand = { logo: logo.name, accent: "#7a1fa2", corners: "round", font: "serif", support: { whatsapp: "+96550001122" } };
  const answer = await setBrand(brand);
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(answer.body.brand, brand);
  assert.deepEqual((await till.call(BRAND, { headers: till.privateKey(shop) })).body, answer.body);
  const refusals = [await setBrand({ ...brand, logo: theirs.name }), await setBrand({ ...brand, logo: `${"0".repeat(32)}.png` })].map(named);
  assert.deepEqual(refusals[0], refusals[1], "another merchant's is like none");
  assert.equal(refusals[0][0][0], "logo");
  assert.deepEqual(named(await setBrand({ ...brand, css: "*{}", accent: "#ffff00" })).map(([path]) => path).sort(), ["accent", "css"]);
  const { settings } = (await till.operator(`/merchants/${shop.merchant_id}/`)).body;
  assert.deepEqual(settings.brand, brand);
  const put = (change) => till.operator(`/merchants/${shop.merchant_id}/settings/`, { method: "PUT", json: { ...settings, brand: change } });
  assert.deepEqual(named(await put({ logo: theirs.name })).map(([path]) => path), ["brand.logo"]);
  assert.equal((await put(brand)).status, 200);
});

test("every screen can be previewed in both languages without a transaction, and none runs a script", async () => {
  await setBrand({ accent: "#7a1fa2" });
  const before_ = await till.rows("SELECT COUNT(*) AS n FROM txn");
  const preview = (query) => till.call(`${BRAND}preview/?${query}`, { headers: till.privateKey(shop) });
  const refused = named(await preview("state=nothing&language=fr"));
  assert.deepEqual(refused.map(([path]) => path), ["state", "language"]);
  const states = refused[0][1][0].replace("must be one of ", "").split(", ");
  assert.ok(states.length >= 30, states.join());
  const titles = new Set();
  for (const language of ["en", "ar"]) {
    for (const state of states) {
      const answer = await preview(`state=${state}&language=${language}`);
      assert.equal(answer.status, 200, `${state}: ${answer.text}`);
      assert.match(answer.text, new RegExp(`<html lang="${language}"`));
      assert.ok(answer.text.includes("--fill:#7a1fa2") && !answer.text.includes("<script"), state);
      titles.add(answer.text.slice(answer.text.indexOf("<body>")));
    }
  }
  assert.equal(titles.size, states.length * 2, "no two screens are the same");
  assert.deepEqual(await till.rows("SELECT COUNT(*) AS n FROM txn"), before_);
  const ofOperator = await till.operator(`/merchants/${shop.merchant_id}/brand/preview/?state=paid`);
  assert.equal(ofOperator.status, 200);
  assert.equal(ofOperator.text, (await preview("state=paid")).text);
});

test("branding_options change the page of one transaction, are shown, and follow PUT and PATCH", async () => {
  await setBrand({ accent: "#7a1fa2", support: { email: "help@shop.example.com" } });
  const { body: logo } = await upload(IMAGE);
  const headers = till.privateKey(shop);
  const branding_options = { accent: "#0d7a4a", logo: logo.name, links: { terms: "https://shop.example.com/terms" } };
  const create = (options) => till.call("/b/checkout/v1/pymt-txn/", { method: "POST", headers, json: { type: "e_commerce", amount: "1.000", currency_code: "KWD", pg_codes: ["knet"], branding_options: options } });
  const made = await create(branding_options);
  assert.equal(made.status, 201, made.text);
  assert.deepEqual(made.body.branding_options, branding_options);
  const address = `/b/checkout/v1/pymt-txn/${made.body.session_id}/`;
  const page = async () => (await till.call(`/b/checkout/redirect/start/?session_id=${made.body.session_id}`)).text;
  const first = await page();
  for (const part of ["--fill:#0d7a4a", logo.name, "help@shop.example.com", "https://shop.example.com/terms"]) assert.ok(first.includes(part), part);
  assert.deepEqual((await till.call(address, { headers })).body.branding_options, branding_options);
  const patched = await till.call(address, { method: "PATCH", headers, json: { amount: "2.000" } });
  assert.deepEqual(patched.body.branding_options, branding_options, "a patch leaves it");
  const wrong = await till.call(address, { method: "PATCH", headers, json: { branding_options: { logo: `${"0".repeat(32)}.png` } } });
  assert.deepEqual(named(wrong).map(([path]) => path), ["branding_options.logo"]);
  assert.deepEqual(named(await create({ logo: `${"0".repeat(32)}.png` })).map(([path]) => path), ["branding_options.logo"]);
  const put = await till.call(address, { method: "PUT", headers, json: { type: "e_commerce", amount: "1.000", currency_code: "KWD", pg_codes: ["knet"] } });
  assert.equal(put.body.branding_options, undefined, "a replacement without it removes it");
  assert.ok((await page()).includes("--fill:#7a1fa2"));
});

test("Apple finds its file while the operator has stored one", async () => {
  const path = "/.well-known/apple-developer-merchantid-domain-association";
  const put = (body) => till.operator("/apple-domain-file/", { method: "PUT", body });
  assertProblem(await till.call(path), 404, "not_found");
  assert.equal((await put("7B227073704964223A22\n")).status, 204);
  const file = await till.fetch(`${till.url}${path}`, { redirect: "manual" });
  assert.equal(file.status, 200);
  assert.match(file.headers.get("content-type"), /^text\/plain\b/);
  assert.equal(await file.text(), "7B227073704964223A22\n");
  assert.deepEqual(named(await put("<é>")).map(([name]) => name), ["file"]);
  assert.equal((await put("")).status, 204);
  assertProblem(await till.call(path), 404, "not_found");
});
