/** The page that checks a signed receipt: its verdicts against a verifier that is not ours, and the code that leads to it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { compactVerify, createRemoteJWKSet, exportJWK, generateKeyPair, CompactSign } from "jose";
import jsQR from "jsqr";
import { PNG } from "pngjs";
import { atTheBank, payWith } from "../worker/payer.mjs";
import { accessibility, browser, close, open, stand, till } from "./browser.mjs";

let payment;
let receipt;

stand(async () => {
  await till.createMerchant();
  payment = await atTheBank(till, { amount: "10.000", order_no: "ORDER-\u202e1 <b>", redirect_url: undefined, webhook_url: undefined });
  await payWith(till, payment.page, "visa-approve");
  receipt = (await till.call(`/b/checkout/receipt/${payment.session_id}/`)).text;
});

const address = (text) => `${till.url}/receipt/verify.html#${text}`;
const verdict = (page) => page.getAttribute("#verdict", "data-verdict");

async function verdictOn(page, text) {
  await page.goto("about:blank");
  await page.goto(address(text));
  await page.locator("#verdict[data-verdict]").waitFor();
  return verdict(page);
}

for (const [language, title, words] of [
  ["en", "This receipt is genuine", ["Paid", "Demo Store", "KWD 10.000", "no money was taken"]],
  ["ar", "هذا الإيصال صحيح", ["مدفوع", "KWD 10.000", "لم يُخصم أي مبلغ"]],
]) {
  for (const colorScheme of ["light", "dark"]) {
    test(`in ${language} and ${colorScheme} a genuine receipt is called so, and what was signed is shown`, async () => {
      const keys = createRemoteJWKSet(new URL(`${till.url}/.well-known/jwks.json`));
      await compactVerify(receipt, keys, { algorithms: ["EdDSA"] });
      const page = await open(browser, { locale: language === "ar" ? "ar-KW" : "en-GB", colorScheme, bypassCSP: true, viewport: { width: 320, height: 640 } });
      assert.equal(await verdictOn(page, receipt), "valid");
      assert.equal(await page.innerText("h1"), title);
      assert.equal(await page.title(), title);
      const text = await page.innerText("#verdict");
      for (const word of words) assert.ok(text.includes(word), `${word} in ${text}`);
      assert.ok(text.includes("ORDER-1 <b>"), "a merchant's text is text, without controls of direction");
      assert.deepEqual(await accessibility(page), []);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
      await page.click("#language");
      assert.notEqual(await page.innerText("h1"), title);
      assert.deepEqual(await accessibility(page), []);
      await close(page);
    });
  }
}

test("a receipt of which any character was changed is refused, as by another verifier", async () => {
  const page = await open(browser);
  await page.goto(address(receipt));
  const keys = createRemoteJWKSet(new URL(`${till.url}/.well-known/jwks.json`));
  const texts = [...receipt].map((letter, at) => {
    const other = letter === "A" ? "B" : "A";
    return `${receipt.slice(0, at)}${other}${receipt.slice(at + 1)}`;
  });
  // One navigation within the page for each, which is what another code does.
  const found = await page.evaluate(async (all) => {
    const verdicts = [];
    for (const text of all) {
      const section = document.getElementById("verdict");
      delete section.dataset.verdict;
      location.hash = text;
      while (section.dataset.verdict === undefined) await new Promise((resolve) => setTimeout(resolve, 1));
      verdicts.push(section.dataset.verdict);
    }
    return verdicts;
  }, texts);
  assert.equal(found.length, receipt.length);
  const wrong = found.flatMap((verdict, at) => (["altered", "foreign"].includes(verdict) ? [] : [`${at}: ${verdict}`]));
  assert.deepEqual(wrong, []);
  for (const text of texts.filter((_, at) => at % 40 === 0)) {
    await assert.rejects(compactVerify(text, keys, { algorithms: ["EdDSA"] }));
  }
  await close(page);
});

test("a receipt that another key signed is not from here, and what is no receipt is none", async () => {
  const { privateKey, publicKey } = await generateKeyPair("EdDSA", { crv: "Ed25519", extractable: true });
  const claims = new TextEncoder().encode(JSON.stringify({ iss: till.url, state: "paid" }));
  const sign = (header) => new CompactSign(claims).setProtectedHeader({ alg: "EdDSA", typ: "receipt+jws", ...header }).sign(privateKey);
  const [, , signature] = receipt.split(".");
  const [header] = receipt.split(".");
  const page = await open(browser);
  const jwk = await exportJWK(publicKey);
  for (const [text, expected] of [
    [await sign({ kid: "elsewhere" }), "foreign"],
    [await sign({ kid: JSON.parse(atob(header)).kid }), "altered"],
    [await sign({ kid: "elsewhere", jwk }), "foreign"],
    [`${header}.${btoa("null").replaceAll("=", "")}.${signature}`, "altered"],
    [`${header}.${receipt.split(".")[1]}`, "altered"],
    [`${btoa('{"alg":"none"}').replaceAll("=", "")}.${receipt.split(".")[1]}.`, "altered"],
    ["x".repeat(9000), "altered"],
    ["", "unreadable"],
  ]) {
    assert.equal(await verdictOn(page, text), expected, text.slice(0, 40));
    assert.equal(await page.locator("#lines").isVisible(), false);
  }
  await close(page);
});

test("without the keys it says that it could not check, and not that the receipt is false", async () => {
  const page = await open(browser, { expected: [/Failed to load resource/] });
  await page.route("**/.well-known/jwks.json", (route) => route.abort());
  assert.equal(await verdictOn(page, receipt), "unknown");
  await close(page);
});

test("the printed code is read from a picture and leads to the verdict; no server is sent the receipt", async () => {
  const page = await open(browser, { viewport: { width: 1000, height: 1200 }, deviceScaleFactor: 4 });
  await page.goto(`${till.url}/b/checkout/redirect/start/?session_id=${payment.session_id}`);
  await page.emulateMedia({ media: "print" });
  const image = page.locator(".genuine img");
  await image.scrollIntoViewIfNeeded();
  await page.waitForFunction(() => document.querySelector(".genuine img").naturalWidth > 0);
  const { data, width, height } = PNG.sync.read(await image.screenshot());
  const read = jsQR(new Uint8ClampedArray(data), width, height);
  assert.equal(read?.data, address(receipt));
  const sent = [];
  page.on("request", (request) => sent.push(request.url()));
  await page.goto(read.data);
  await page.locator("#verdict[data-verdict=valid]").waitFor();
  assert.ok(sent.length >= 3 && sent.every((url) => !url.split("#")[0].includes(receipt.slice(0, 20))));
  await close(page);
});

test("the page is served with a strict policy and without its script says what it needs", async () => {
  const { headers, status } = await till.call("/receipt/verify.html");
  assert.equal(status, 200);
  assert.match(headers.get("content-security-policy"), /^default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; .*trusted-types 'none'$/);
  assert.equal(headers.get("referrer-policy"), "no-referrer");
  const page = await open(browser, { javaScriptEnabled: false });
  await page.goto(address(receipt));
  assert.match(await page.innerText("main"), /needs JavaScript[\s\S]*JavaScript/);
  await close(page);
});
