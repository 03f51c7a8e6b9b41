/**
 * What an answer says about each payment method, seen from outside: the page that its address opens, and its
 * picture.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import sharp from "sharp";
import { demoSettings, start } from "./harness.mjs";
import { assertProblem, choose, open } from "./payer.mjs";

/** @type {import("./harness.mjs").Till} */
let till;

before(async () => {
  till = await start();
  await till.createMerchant();
});
after(() => till.stop());

const CODES = ["knet", "credit-card", "cash"];
/** The code whose radio button is chosen on a page; `undefined` if none is. */
const chosenOn = ({ text }) => {
  const chosen = [...text.matchAll(/<input[^>]*name="pg_code"[^>]*>/g)].map(([input]) => input).filter((input) => / checked/.test(input));
  assert.ok(chosen.length <= 1, chosen.join());
  return chosen[0]?.match(/value="([^"]+)"/)[1];
};

test("the address of each method opens the page with that method chosen", async () => {
  const created = await till.create({ pg_codes: CODES });
  const { session_id, checkout_url } = created.body;
  const read = (await till.retrieve(session_id)).body;
  const [listed] = (await till.call("/b/checkout/v1/pymt-txn/?limit=1", { headers: till.privateKey() })).body.results;
  for (const answer of [created.body, read, listed]) {
    assert.deepEqual(answer.payment_methods.map(({ redirect_url }) => redirect_url), CODES.map((code) => `${checkout_url}&pg_code=${code}`));
  }
  for (const { code, redirect_url } of created.body.payment_methods) {
    const page = await till.call(redirect_url);
    assert.equal(page.status, 200);
    assert.equal(chosenOn(page), code);
  }
  for (const code of ["mpgs", "", "%22%3E%3Cscript%3E", "knet%00"]) {
    const page = await till.call(`${checkout_url}&pg_code=${code}`);
    assert.equal(chosenOn(page), undefined, `nothing is chosen, because the first costs more: ${code}`);
    assert.ok(!page.text.includes('"><script>'));
  }
});

test("what the payer chose goes before the address", async () => {
  const payment = await open(till, { pg_codes: CODES });
  const refused = await choose(till, payment, "credit-card", { amount: "x" });
  assert.equal(refused.status, 303);
  const page = await till.call(`/b/checkout/redirect/start/?session_id=${payment.session_id}`);
  assert.equal(chosenOn(page), "credit-card", "the method that waits");
});

test("a picture comes by the family of the gateway, and every picture of ours is there", async () => {
  const { body } = await till.create({ pg_codes: CODES });
  assert.deepEqual(body.payment_methods.map(({ icon }) => icon), ["bank", "card", "cash"].map((name) => `${till.url}/icons/${name}.svg`));
  for (const name of ["bank", "card", "cash", "wallet"]) {
    const image = await till.call(`/icons/${name}.svg`);
    assert.deepEqual([image.status, image.headers.get("content-type")], [200, "image/svg+xml"]);
    assert.match(image.text, /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" viewBox="0 0 40 26">/);
    assert.doesNotMatch(image.text, /<script|<image|href|url\(/);
    const pixels = await fetch(`${till.url}/icons/${name}.webp`);
    const { format, width, height } = await sharp(Buffer.from(await pixels.arrayBuffer())).metadata();
    assert.deepEqual([pixels.status, pixels.headers.get("content-type"), format], [200, "image/webp", "webp"]);
    assert.equal(Math.round((height / width) * 40), 26, "the shape of the SVG");
  }
});

test("a picture that is set is shown everywhere by the API, and an address of it never reaches the page", async () => {
  const settings = demoSettings();
  settings.gateways[0].icon = "https://cdn.example.com/knet.svg";
  settings.gateways.find(({ code }) => code === "cash").icon = "wallet";
  await till.createMerchant(settings);
  const { body } = await till.create({ pg_codes: CODES, include_sdk_setup_preload: true });
  const icons = ["https://cdn.example.com/knet.svg", `${till.url}/icons/card.svg`, `${till.url}/icons/wallet.svg`];
  for (const methods of [body.payment_methods, body.sdk_setup_preload_payload.payment_methods]) {
    assert.deepEqual(methods.map(({ icon }) => icon), icons);
    assert.deepEqual(methods.map(({ icons: { svg } }) => svg), icons);
  }
  const listed = await till.call("/b/pbl/v2/payment-methods/", { method: "POST", headers: till.privateKey(), json: { plugin: "e_commerce" } });
  assert.equal(listed.body.payment_methods.find(({ code }) => code === "knet").logo, icons[0]);
  const page = await till.call(body.checkout_url);
  assert.ok(!page.text.includes("cdn.example.com"));
  const marks = [...page.text.matchAll(/class="emblem( neutral)?"(?: src="\/icons\/marks\/(\w+)\.svg")?/g)];
  assert.deepEqual(marks.map(([, neutral, name]) => name ?? neutral.trim()), ["knet", "neutral", "visa", "mastercard", "amex", "neutral"]);
  assert.match(page.headers.get("content-security-policy"), /img-src 'self';/);
  assert.ok(/pay <bdi[^>]*>KWD [0-9.]+<\/bdi> on delivery/.test(page.text), "cash stays cash, whatever its picture");
  settings.gateways[0].icon = "http://cdn.example.com/knet.svg";
  const path = `/merchants/${till.merchant.merchant_id}/settings/`;
  const refused = await till.operator(path, { method: "PUT", json: settings });
  assert.deepEqual(Object.keys(assertProblem(refused, 400, "invalid_fields").gateways[0]), ["icon"]);
});
