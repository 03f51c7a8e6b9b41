/** Every screen of the hosted page: accessible, inside its window, under its policy, in both languages. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createHash } from "node:crypto";
import { accessibility, alive, browser, close, open, stand, till } from "./browser.mjs";

/** The session id of a transaction on each screen. */
const screens = {};

const METHODS = ["knet", "credit-card", "cash"];

async function create(fields = {}) {
  const created = await till.create({
    pg_codes: METHODS, order_no: "ORDER-1", redirect_url: "https://shop.example/thanks", ...fields,
  });
  assert.equal(created.status, 201, created.text);
  return created.body.session_id;
}

/** Takes a transaction through one gateway with one card, as a browser would. */
async function paid(pg_code, card, fields = {}) {
  const session_id = await create({ pg_codes: [pg_code], ...fields });
  const form = (body) => ({ method: "POST", body: new URLSearchParams(body) });
  const sent = await till.call("/b/checkout/redirect/pay/", form({ session_id, pg_code, language: "en" }));
  assert.equal(sent.status, 303, sent.text);
  if (card === undefined) return session_id;
  const posted = await till.call(sent.headers.get("location"), form({ action: "pay", card }));
  assert.equal(posted.status, 303, posted.text);
  await till.call(posted.headers.get("location"));
  return session_id;
}

/** A state that only the merchant's operations lead to. */
async function moved(state) {
  const session_id = await create();
  await till.rows("UPDATE txn SET state = ?2, version = version + 1 WHERE session_id = ?1", session_id, state);
  return session_id;
}

stand(async () => {
  await till.createMerchant();
  screens.payable = await create();
  screens.declined = await paid("knet", "mastercard-decline", { pg_codes: METHODS });
  screens.pending = await paid("knet", "visa-timeout");
  screens.paid = await paid("knet", "visa-approve");
  screens.authorized = await paid("mpgs", "visa-approve");
  screens.cash_on_delivery = await paid("cash");
  screens.failed = await paid("single", "mastercard-decline");
  screens.canceled = await moved("canceled");
  screens.invalid = await moved("invalided");
  screens.expired = await create({ expiration_time: "00:00:01" });
  screens.not_found = "0".repeat(40);
  // Just after the outcome a payer may still be redirected; here the pages are opened later.
  await till.rows("UPDATE attempt SET known_at = known_at - 600000");
  await new Promise((resolve) => setTimeout(resolve, 1200));
});

const address = (name, language) =>
  `${till.url}/b/checkout/redirect/start/?session_id=${screens[name]}&language=${language}`;
const NAMES = [
  "payable", "declined", "pending", "paid", "authorized", "cash_on_delivery", "failed", "canceled", "invalid", "expired",
  "not_found",
];
const missing = [/404 \(Not Found\)/];

for (const name of NAMES) {
  test(`${name}: its own screen, without a fault for axe, in both languages, light and dark`, async () => {
    for (const colorScheme of ["light", "dark"]) {
      const expected = name === "not_found" ? missing : [];
      // High enough for the button to lie over no part of the list, which axe would not scroll.
      const page = await open(browser, { colorScheme, bypassCSP: true, expected, viewport: { width: 390, height: 2_000 } });
      for (const language of ["en", "ar"]) {
        await page.goto(address(name, language));
        if (name !== "not_found") assert.equal(await page.getAttribute("main", "data-status"), name);
        assert.equal(await page.getAttribute("html", "dir"), language === "ar" ? "rtl" : "ltr");
        assert.deepEqual(await accessibility(page), [], `${language} ${colorScheme}`);
      }
      await close(page);
    }
  });
}

test("no screen is wider than a phone of 320 pixels, and every control can be touched", async () => {
  const page = await open(browser, { viewport: { width: 320, height: 640 }, expected: missing });
  for (const name of NAMES) {
    for (const language of ["en", "ar"]) {
      await page.goto(address(name, language));
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.equal(width, 320, `${name} in ${language}`);
      const small = await page.evaluate(() =>
        [...document.querySelectorAll("a, button, label")]
          .filter((element) => element.checkVisibility() && element.getBoundingClientRect().height < 44)
          .map((element) => element.outerHTML));
      assert.deepEqual(small, [], `${name} in ${language}`);
    }
  }
  await close(page);
});

test("the language link shows the same screen in the other language", async () => {
  const page = await open(browser);
  for (const name of ["payable", "paid"]) {
    await page.goto(address(name, "en"));
    await page.click(".language");
    assert.equal(await page.getAttribute("html", "lang"), "ar");
    assert.equal(await page.getAttribute("main", "data-status"), name);
  }
  await close(page);
});

for (const javaScriptEnabled of [true, false]) {
  test(`the language link keeps the method that the address names${javaScriptEnabled ? ", or the payer chose since" : ", without script"}`, async () => {
    const page = await open(browser, { javaScriptEnabled });
    const chosen = () => page.inputValue("input[name=pg_code]:checked");
    const code = "credit-card";
    await page.goto(`${address("payable", "en")}&pg_code=${code}`);
    assert.equal(await chosen(), code);
    await page.click(".language");
    assert.equal(await page.getAttribute("html", "lang"), "ar");
    assert.equal(await chosen(), code);
    if (javaScriptEnabled) {
      await page.check("input[value=knet]");
      await page.click(".language");
      assert.equal(await page.getAttribute("html", "lang"), "en");
      assert.equal(await chosen(), "knet");
    }
    await close(page);
  });
}

test("the policy names the script and the style that the page carries, and nothing inline or foreign", async () => {
  screens.with_wallets = await create({ amount: "10.000" });
  const { headers, text } = await till.call(address("with_wallets", "en"));
  const policy = Object.fromEntries(
    headers.get("content-security-policy").split("; ").map((line) => [line.split(" ")[0], line.split(" ").slice(1)]),
  );
  const sha256 = (bytes) => `sha256-${createHash("sha256").update(bytes).digest("base64")}`;
  const [, path, integrity] = /<script type="module" src="([^"]+)" integrity="([^"]+)"/.exec(text);
  const [, wasm, wasmIntegrity] = /data-wasm="([^"]+)" data-wasm-integrity="([^"]+)"/.exec(text);
  const styles = [...text.matchAll(/<style>([\s\S]*?)<\/style>/g)].map(([, style]) => sha256(style));
  const bytes = async (address) => Buffer.from(await (await till.fetch(address)).arrayBuffer());
  assert.equal(sha256(await bytes(path)), integrity);
  assert.equal(sha256(await bytes(wasm)), wasmIntegrity);
  const [first] = [...text.matchAll(/<script>([^<]+)<\/script>/g)].map(([, code]) => sha256(code));
  assert.deepEqual(policy["script-src"], [`${till.url}/pkg/`, "'wasm-unsafe-eval'", `'${integrity}'`, `'${first}'`]);
  assert.deepEqual(policy["style-src"], styles.map((style) => `'${style}'`));
  assert.deepEqual(policy["default-src"], ["'none'"]);
  assert.deepEqual(policy["form-action"], ["'self'", "https://shop.example"]);
  assert.deepEqual(policy["frame-ancestors"], ["'none'"]);
  assert.deepEqual(policy["require-trusted-types-for"], ["'script'"]);
  assert.deepEqual(policy["trusted-types"], ["'none'"]);
  assert.deepEqual(policy["img-src"], ["'self'"]);
  assert.equal((text.match(/<script\b/g) ?? []).length, 2);
  assert.doesNotMatch(text, /\son\w+=|\sstyle=|javascript:/);
  for (const [name, value] of [
    ["cache-control", "no-store"],
    ["referrer-policy", "no-referrer"],
    ["x-content-type-options", "nosniff"],
    ["cross-origin-opener-policy", "same-origin-allow-popups"],
  ]) {
    assert.equal(headers.get(name), value);
  }
  assert.match(headers.get("strict-transport-security"), /max-age=\d{8}/);
  assert.match(headers.get("permissions-policy"), /payment=\(self "https:\/\/pay\.google\.com"\)/);
});

test("text that a merchant supplies is text", async () => {
  const session_id = await create({ order_no: "<img src=x onerror=alert(1)>" });
  const page = await open(browser);
  await page.goto(`${till.url}/b/checkout/redirect/start/?session_id=${session_id}`);
  await alive(page);
  await page.click(".fold > summary");
  assert.ok((await page.innerText(".summary")).includes("<img src=x onerror=alert(1)>"));
  assert.equal(await page.locator("img[src=x]").count(), 0);
  await close(page);
});

/** Everything at once: an amount to choose, an exchange, addresses and custom fields, a wrong amount. */
async function crowded() {
  const address = { city: "Salmiya", country: "KW", line1: "Block 4, Salem Al Mubarak Street", state: "Hawalli", postal_code: "22001" };
  return create({
    type: "payment_request", amount: "9000000.00", currency_code: "USD", pg_codes: ["knet", "credit-card"],
    due_datetime: "2030-01-31T12:00:00Z", customer_first_name: "Noura", customer_last_name: "Al-Sabah",
    billing_address: address,
    shipping_address: { ...address, city: "مدينة الكويت", line1: "ش".repeat(128), first_name: "سارة", last_name: "العلي", phone: "+96522221111", email: "sara@ship.example" },
  });
}

test("everything at once: without a fault for axe, inside a small phone, every control large enough", async () => {
  screens.crowded = await crowded();
  for (const colorScheme of ["light", "dark"]) {
    const page = await open(browser, { colorScheme, bypassCSP: true, viewport: { width: 320, height: 640 } });
    for (const language of ["en", "ar"]) {
      await page.goto(address("crowded", language));
      await alive(page);
      await page.click(".fold > summary");
      await page.click(".fold .more summary");
      assert.match(await page.innerText(".fold .more"), language === "ar" ? /الكويت/ : /Kuwait/);
      assert.doesNotMatch(await page.innerText(".fold .more"), /22221111|@/);
      await page.fill("#amount", "9000001");
      await page.press("#amount", "Tab");
      assert.deepEqual(await accessibility(page), [], `${language} ${colorScheme}`);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320, language);
      const small = await page.evaluate(() =>
        [...document.querySelectorAll("a, button, summary, .method, .entry")]
          .filter((element) => element.checkVisibility() && element.getBoundingClientRect().height < 44)
          .map((element) => element.outerHTML));
      assert.deepEqual(small, [], language);
      await page.fill("#amount", "9000000");
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320, `${language}, the whole`);
    }
    await close(page);
  }
});

test("text of a merchant about a payer is text", async () => {
  const evil = "<img src=x onerror=alert(1)>";
  const place = { city: evil, country: "KW", line1: evil };
  const session_id = await create({ customer_first_name: evil, billing_address: place });
  const page = await open(browser);
  await page.goto(`${till.url}/b/checkout/redirect/start/?session_id=${session_id}`);
  await alive(page);
  await page.click(".fold > summary");
  await page.click(".fold .more summary");
  assert.equal((await page.innerText(".fold .more")).split(evil).length, 4);
  assert.equal(await page.locator("img[src=x]").count(), 0);
  await close(page);
});
