/**
 * The module for pages of shops (`till-checkout/wasm`) on a page of another origin, in Chromium: as a plain module script, and as Vite
 * and webpack build it from the packed package.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { after, test } from "node:test";
import { build as buildByVite } from "vite";
import webpack from "webpack";
import { buildCheckout } from "../../scripts/checkout.mjs";
import { at } from "../../scripts/project.mjs";
import { demoSettings } from "../worker/harness.mjs";
import { finish, payWith } from "../worker/payer.mjs";
import { appleToken, googleToken } from "../worker/wallets.mjs";
import { browser, close, open, stand, till } from "./browser.mjs";

const PACKAGE = at("clients", "checkout");
const KINDS = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };
/** The page of a shop: what it needs of the package, for the tests. */
const APP = 'import { CheckoutError, createCheckout } from "till-checkout/wasm";\nObject.assign(globalThis, { CheckoutError, createCheckout });\n';
const html = (script) => `<!doctype html><html lang="en"><meta charset="utf-8"><title>A shop</title><link rel="icon" href="data:,">${script}</html>`;

let folder, server, shop;

stand(async () => {
  folder = mkdtempSync(join(tmpdir(), "till-bundles-"));
  server = createServer(({ url }, response) => {
    const file = join(folder, new URL(url, "http://shop").pathname);
    const isThere = existsSync(file);
    response.writeHead(isThere ? 200 : 404, { "content-type": KINDS[extname(file)] ?? "text/plain" });
    response.end(isThere ? readFileSync(file) : "");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  shop = `http://127.0.0.1:${server.address().port}`;
  await till.createMerchant({ ...demoSettings(), allowed_origins: [shop] });
  const address = JSON.stringify(`${till.url}/sdk/v1/wasm/index.js`);
  writeFileSync(join(folder, "plain.html"), html(`<script type="module">${APP.replace('"till-checkout/wasm"', address)}</script>`));
  await bundle();
});
after(async () => {
  server?.close();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

/** Builds the same page by both bundlers, with the package as npm would publish it. */
async function bundle() {
  await buildCheckout();
  const app = join(folder, "app");
  const installed = join(app, "node_modules", "till-checkout");
  mkdirSync(installed, { recursive: true });
  const [{ filename }] = JSON.parse(execFileSync("npm", ["pack", "--json", "--pack-destination", folder], { cwd: PACKAGE, encoding: "utf8" }));
  execFileSync("tar", ["-xzf", join(folder, filename), "-C", installed, "--strip-components=1"]);
  writeFileSync(join(app, "package.json"), '{ "type": "module" }');
  writeFileSync(join(app, "main.js"), APP);
  writeFileSync(join(app, "index.html"), html('<script type="module" src="./main.js"></script>'));
  await buildByVite({ root: app, base: "./", configFile: false, logLevel: "error", build: { outDir: join(folder, "vite"), target: "es2022" } });
  const output = { path: join(folder, "webpack"), filename: "main.js", publicPath: "auto" };
  const stats = await new Promise((resolve, reject) => {
    webpack({ mode: "production", context: app, entry: "./main.js", output }, (error, done) => (error ? reject(error) : resolve(done)));
  });
  assert.equal(stats.hasErrors() || stats.hasWarnings(), false, stats.toString("errors-warnings"));
  writeFileSync(join(folder, "webpack", "index.html"), html('<script type="module" src="./main.js"></script>'));
}

const PAGES = { "a module script": "plain.html", Vite: "vite/index.html", "webpack 5": "webpack/index.html" };

async function visit(options = {}, path = PAGES["a module script"]) {
  const page = await open(browser, options);
  await page.goto(`${shop}/${path}`);
  await page.waitForFunction(() => globalThis.createCheckout !== undefined);
  return page;
}

async function transaction(fields = {}) {
  const created = await till.create({ pg_codes: ["knet", "credit-card"], amount: "10.000", redirect_url: `${till.url}/sandbox/shop/`, ...fields });
  assert.equal(created.status, 201, created.text);
  return created.body;
}

/** What a function in the page answers, or the error that it throws. */
const inPage = (page, { session_id }, work, more) =>
  page.evaluate(async ([origin, sessionId, text, more]) => {
    const work = (0, eval)(`(${text})`);
    try {
      return { value: await work(await globalThis.createCheckout({ origin, sessionId }), more) };
    } catch (error) {
      const { name, code, errors, retryAfter } = error;
      return { name, code, errors, retryAfter, isOurs: error instanceof globalThis.CheckoutError, text: String(error) };
    }
  }, [till.url, session_id, String(work), more]);

for (const [name, path] of Object.entries(PAGES)) {
  test(`${name}: the module is fetched when it is asked for, loads, quotes, submits, pays by wallet, and follows to the end`, async () => {
    const page = await open(browser);
    const fetched = [];
    page.on("request", (request) => request.url().endsWith(".wasm") && fetched.push(request.url()));
    await page.goto(`${shop}/${path}`);
    await page.waitForFunction(() => globalThis.createCheckout !== undefined);
    assert.equal(fetched.length, 0, "lazy");
    const payment = await transaction();
    const { value, ...error } = await inPage(page, payment, async (checkout, token) => {
      const session = await checkout.load();
      const quotes = await checkout.quote();
      const methods = await checkout.methods();
      const { redirect_url } = await checkout.submit("knet");
      const service = session.payment_services.find(({ flow }) => flow === "google_pay");
      const paid = await checkout.payByGooglePay(service, token);
      const states = [];
      const end = await checkout.follow(({ state }) => states.push(state));
      return { codes: methods.map(({ code }) => code), quotes, redirect_url, approved: paid.approved, states, end: end.state };
    }, googleToken("visa-approve"));
    assert.deepEqual(error, {});
    assert.equal(fetched.length, 1);
    assert.deepEqual([value.codes, value.approved, value.states, value.end], [["knet", "credit-card"], true, ["paid"], "paid"]);
    assert.match(value.redirect_url, /\/sandbox\/bank\/pay\//);
    const shown = value.quotes.map(({ code, flow = "", currency_code, total, fee, display }) => [code, flow, currency_code, total, fee, display].join(" "));
    assert.deepEqual(shown, [
      "knet  KWD 10.250 0.250 KWD 10.250", "credit-card  KWD 10.200 0.200 KWD 10.200",
      "credit-card apple_pay KWD 10.200 0.200 KWD 10.200", "credit-card google_pay KWD 10.20 0.200 KWD 10.200",
    ]);
    await close(page);
  });
}

test("a chosen amount is quoted by the terms of each method, as the server charges it", async () => {
  const page = await visit({ expected: [/status of 400/] });
  const payment = await transaction({ type: "payment_request", amount: "100.00", currency_code: "USD", is_amount_editable: true });
  const { value, ...error } = await inPage(page, payment, async (checkout, token) => {
    const [half, whole] = [await checkout.quote("٥٠"), await checkout.quote()];
    const wrong = [];
    for (const amount of ["0", "100.01", "1,5", "five", 5]) wrong.push(await checkout.quote(amount).catch(({ code, errors }) => [code, Object.keys(errors)].join(" ")));
    const { payment_services } = await checkout.load();
    const service = payment_services.find(({ flow }) => flow === "google_pay");
    const { total, currency_code: currency } = half.find(({ flow }) => flow === "google_pay");
    const shown = { total, currency };
    const other = await checkout.payByGooglePay(service, token, { amount: "51", shown }).catch(({ code }) => code);
    const { approved } = await checkout.payByGooglePay(service, token, { amount: "50", shown });
    return { half, whole, wrong, other, approved, total };
  }, googleToken("visa-approve"));
  assert.deepEqual(error, {});
  assert.deepEqual(value.wrong, Array.from({ length: 5 }, () => "invalid_fields amount"));
  assert.deepEqual([value.other, value.approved], ["price_changed", true]);
  assert.equal(value.half.length, value.whole.length);
  const [{ total }] = await till.rows("SELECT total FROM attempt WHERE session_id = ?1 ORDER BY rowid DESC LIMIT 1", payment.session_id);
  assert.equal(String(total), value.total.replace(".", ""), "the gateway charges what was quoted");
  await close(page);
});

test("a saved card pays, a chosen method goes to the bank and comes back, and a payer cancels", async () => {
  const page = await visit();
  const payment = await transaction({ customer_id: "c-module" });
  const { value, ...error } = await inPage(page, payment, (checkout) => checkout.submit("credit-card", { saveCard: true, phone: "+96512345678" }));
  assert.deepEqual(error, {});
  const following = inPage(page, payment, async (checkout) => {
    const states = (globalThis.followed = []);
    await checkout.follow(({ state }) => states.push(state));
    return states;
  });
  await page.waitForFunction(() => globalThis.followed?.length > 0);
  await payWith(till, value.redirect_url, "visa-approve");
  assert.deepEqual((await following).value, ["pending", "paid"]);
  const again = await transaction({ customer_id: "c-module" });
  const byCard = await inPage(page, again, async (checkout) => {
    const { cards: [{ token }] } = await checkout.load();
    const { status, redirect_url } = await checkout.payWithCard(token, { shown: { currency: "KWD" } });
    return { status, redirect_url, state: (await checkout.load()).state };
  });
  assert.deepEqual([byCard.value?.status, byCard.value?.state], ["success", "paid"], JSON.stringify(byCard));
  const other = await transaction();
  const canceled = await inPage(page, other, async (checkout) => [(await checkout.cancel()).status, (await checkout.load()).state]);
  assert.deepEqual(canceled.value, ["canceled", "canceled"]);
  await close(page);
});

test("errors are of one class, with Till's code, the wrong fields, and when to try again", async () => {
  const page = await visit({ expected: [/status of [45]\d\d/, /ERR_/, /blocked by CORS/] });
  const payment = await transaction();
  const wrong = await inPage(page, payment, (checkout) => checkout.submit("nope"));
  assert.deepEqual([wrong.code, Object.keys(wrong.errors), wrong.isOurs, wrong.name], ["invalid_fields", ["pg_code"], true, "CheckoutError"]);
  // A page is of a merchant's only where a transaction is.
  const unknown = await inPage(page, { session_id: "0".repeat(40) }, (checkout) => checkout.load());
  assert.deepEqual([unknown.code, unknown.isOurs], ["unreachable", true]);
  const bad = await inPage(page, { session_id: "../x" }, (checkout) => checkout.load());
  assert.deepEqual([bad.code, Object.keys(bad.errors), bad.isOurs], ["invalid_fields", ["sessionId"], true]);
  const mistakes = {
    amount: (checkout) => checkout.submit("knet", { amount: 5 }), code: (checkout) => checkout.submit(), signal: (checkout) => checkout.load({ signal: {} }),
    saveCard: (checkout) => checkout.submit("knet", { saveCard: "yes" }), service: (checkout) => checkout.payByApplePay({}, "{}"),
    shown: (checkout) => checkout.submit("knet", { shown: { currency: "XXX" } }), token: (checkout) => checkout.payWithCard(5),
  };
  for (const [field, call] of Object.entries(mistakes)) {
    const { code, errors, text } = await inPage(page, payment, call);
    assert.deepEqual([code, Object.keys(errors ?? {})], ["invalid_fields", [field]], text);
  }
  const headers = { "access-control-allow-origin": "*", "access-control-expose-headers": "retry-after" };
  const answers = [
    [{ status: 429, headers: { ...headers, "retry-after": "7" }, json: { code: "too_many_requests", detail: "slowly" } }, ["too_many_requests", 7]],
    [{ status: 502, headers, body: "<html>" }, ["unexpected_answer", undefined]],
    [{ status: 200, headers, json: [] }, ["unexpected_answer", undefined]],
    [{ status: 200, headers, json: { session_id: "1".repeat(40) } }, ["unexpected_answer", undefined]],
    [{ status: 302, headers: { ...headers, location: "https://elsewhere.example/" } }, ["unreachable", undefined]],
  ];
  for (const [answer, expected] of answers) {
    await page.route("**/pymt-txn/**", (route) => route.fulfill(answer));
    const { code, retryAfter } = await inPage(page, payment, (checkout) => checkout.load());
    assert.deepEqual([code, retryAfter], expected);
    await page.unroute("**/pymt-txn/**");
  }
  await close(page);
});

test("every promise ends when its signal aborts, whatever the reason", async () => {
  const page = await visit({ expected: [/ERR_/] });
  const payment = await transaction();
  const service = (await inPage(page, payment, async (checkout) => (await checkout.load()).payment_services[0])).value;
  await page.route("**/api/sdk/**", () => {});
  const calls = [
    (checkout, signal) => checkout.load({ signal }), (checkout, signal) => checkout.methods({ signal }),
    (checkout, signal) => checkout.quote(undefined, { signal }), (checkout, signal) => checkout.submit("knet", { signal }),
    (checkout, signal) => checkout.payWithCard("card_0", { signal }), (checkout, signal) => checkout.follow(() => {}, { signal }),
    (checkout, signal) => checkout.cancel({ signal }), (checkout, signal, service) => checkout.payByApplePay(service, "{}", { signal }),
    (checkout, signal, service) => checkout.merchantSession(service, "https://apple-pay-gateway.apple.com/x", { signal }),
  ];
  for (const call of calls) {
    for (const [isEarly, reason] of [[true, ""], [false, ""], [false, "'the payer left'"], [true, "{ why: 5 }"]]) {
      const work = `async (checkout, service) => {
        const end = new AbortController();
        const reason = [${reason}];
        const abort = () => end.abort(...reason);
        if (${isEarly}) abort(); else setTimeout(abort, 50);
        const error = await (${call})(checkout, end.signal, service).then(() => "resolved", (error) => error);
        return error === end.signal.reason;
      }`;
      assert.deepEqual(await inPage(page, payment, work, service), { value: true }, `${call} ${reason}`);
    }
  }
  await close(page);
});

/** Members and spaces that a reader and a writer of JSON would change: order, numbers, escapes, letters. */
const wild = (text) => text.replace("{", '{ "z" : 1e2,"a":1.0 ,\t"u":"\\u00e9 é 😀 \\/","b": [ ], ');

test("a token is submitted byte for byte, and is not sent for another payment, wallet or amount", async () => {
  const page = await visit();
  const payment = await transaction();
  const token = appleToken("visa-approve", {}, wild);
  const bodies = [];
  page.on("request", (request) => request.url().endsWith("/pay/") && bodies.push(request.postData()));
  const paid = await inPage(page, payment, async (checkout, token) => {
    const { payment_services } = await checkout.load();
    const service = payment_services.find(({ flow }) => flow === "apple_pay");
    const refusals = [];
    const others = [
      [{ ...service, session_id: "0".repeat(40) }, token, {}], [{ ...service, flow: "google_pay" }, token, {}],
      [service, token, { shown: { total: "1.000", currency: "KWD" } }], [service, token, { shown: { currency: "USD" } }],
      [service, token, { amount: "5.000" }], [service, '{},"amount":"0.001"', {}], [service, "[]", {}], [service, "", {}],
    ];
    for (const [other, text, options] of others) refusals.push(await checkout.payByApplePay(other, text, options).catch(({ code }) => code));
    return { refusals, approved: (await checkout.payByApplePay(service, token)).approved };
  }, token);
  assert.deepEqual(paid.value?.refusals, ["invalid_fields", "invalid_fields", "price_changed", "price_changed", "invalid_fields", "invalid_fields", "invalid_fields", "invalid_fields"]);
  assert.equal(paid.value.approved, true);
  assert.equal(bodies.length, 1, "only what pays was sent");
  assert.ok(bodies[0].endsWith(`,"apple_pay_payload":${token}}`));
  await close(page);
});

test("a declined wallet is an outcome, 3-D Secure is an address, and what Apple's sheet needs is passed on", async () => {
  const page = await visit({ expected: [/status of 4\d\d/] });
  const [declined, secure] = [await transaction(), await transaction()];
  const pay = async (checkout, token) => {
    const { payment_services } = await checkout.load();
    const google = payment_services.find(({ flow }) => flow === "google_pay");
    const { approved, status, callback_payload, redirect_url } = await checkout.payByGooglePay(google, token);
    return { approved, status: status ?? callback_payload.status, redirect_url };
  };
  const refused = await inPage(page, declined, pay, googleToken("mastercard-decline"));
  assert.deepEqual(refused.value, { approved: false, status: "canceled", redirect_url: undefined });
  const asked = await inPage(page, secure, pay, googleToken("visa-3ds"));
  assert.deepEqual([asked.value?.approved, asked.value?.status], [undefined, "3DS"], JSON.stringify(asked));
  await finish(till, asked.value.redirect_url, { action: "confirm" });
  const end = await inPage(page, secure, async (checkout) => (await checkout.follow(() => {})).state);
  assert.equal(end.value, "paid");
  const session = await inPage(page, await transaction(), async (checkout) => {
    const { payment_services } = await checkout.load();
    const apple = payment_services.find(({ flow }) => flow === "apple_pay");
    const refusal = await checkout.merchantSession(apple, "https://evil.example/").catch(({ errors }) => Object.keys(errors));
    return { refusal, session: await checkout.merchantSession(apple, "https://apple-pay-gateway.apple.com/paymentservices/startSession") };
  });
  assert.deepEqual(session.value?.refusal, ["validationURL"], JSON.stringify(session));
  assert.equal(typeof session.value.session, "object");
  await close(page);
});

test("a lost or foreign answer to a payment is asked about, and never called failed", async () => {
  const page = await visit({ expected: [/ERR_FAILED/, /status of 502/] });
  const headers = { "access-control-allow-origin": "*" };
  const losses = [(route) => route.abort(), (route) => route.fulfill({ status: 502, headers, body: "<html>" }), (route) => route.fulfill({ headers, json: { approved: true, message: "", redirect_url: "https://evil.example/", callback_payload: { session_id: "0".repeat(40), status: "success", message: "", form_of_payment: "google_pay" } } })];
  for (const lose of losses) {
    const payment = await transaction();
    await page.route("**/gpay/pay/", async (route) => {
      await route.fetch();
      await lose(route);
    });
    const known = await inPage(page, payment, async (checkout, token) => {
      const { payment_services } = await checkout.load();
      const { approved, redirect_url, callback_payload } = await checkout.payByGooglePay(payment_services.find(({ flow }) => flow === "google_pay"), token);
      return { approved, redirect_url, session_id: callback_payload.session_id };
    }, googleToken("visa-approve"));
    assert.deepEqual([known.value?.approved, known.value?.session_id], [true, payment.session_id], JSON.stringify(known));
    assert.ok(known.value.redirect_url.startsWith(till.url));
    await page.unroute("**/gpay/pay/");
  }
  await close(page);
});

test("a server can import it, which has no effect", () => {
  const address = JSON.stringify(`file://${join(PACKAGE, "dist", "wasm", "index.js")}`);
  const script = `const before = Object.keys(globalThis).length; const { createCheckout } = await import(${address}); console.log(typeof createCheckout, Object.keys(globalThis).length - before);`;
  assert.equal(execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" }).trim(), "function 0");
});
