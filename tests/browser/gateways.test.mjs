/**
 * Whole payments in Chromium through the connectors of KNET and Stripe: the browser posts the page's form, whose policy must
 * permit the gateway's page, pays there, and comes back. The gateways are stubs.
 */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { KnetStub, TERMINAL, encrypt } from "../worker/knet-stub.mjs";
import { KEY, SECRET, StripeStub } from "../worker/stripe-stub.mjs";
import { Stub } from "../worker/stub.mjs";
import { alive, browser, close, open, stand, till } from "./browser.mjs";

/** KNET with its page: the payer presses a button, KNET's server reports, and the browser is sent on. */
class KnetWithPage extends KnetStub {
  result = ["CAPTURED", "00"];

  async answer(request) {
    const page = `${this.origin}${request.path}?${request.query}`;
    if (request.method === "GET" && request.path === "/kpg/PaymentHTTP.htm") {
      const form = `<form method="post" action="${request.path}?${request.query}"><button>Pay</button></form>`;
      return html(`<h1>KNET ${this.order(page).amt}</h1>${form}`);
    }
    if (request.path !== "/kpg/PaymentHTTP.htm") return super.answer(request);
    const body = new URLSearchParams({ trandata: encrypt(this.finish(page, ...this.result)) });
    const reported = await fetch(this.order(page).responseURL, { method: "POST", body });
    const [, address] = /^REDIRECT=(\S+)$/.exec(await reported.text());
    return { status: 302, body: "", headers: { location: address } };
  }
}
const html = (body) => ({ status: 200, body: `<!doctype html><title>Gateway</title><link rel="icon" href="data:,">${body}`, headers: { "content-type": "text/html" } });

const knet = new KnetWithPage();
const stripe = new StripeStub();
const nobody = await new Stub().listen();
await nobody.close();

stand(async () => {
  await Promise.all([knet.listen(), stripe.listen()]);
  const card = {
    connector: "stripe", pg_name: "stripe", operation: "purchase", currencies: ["KWD"], sandbox: true, group: "card",
    credentials: { secret_key: KEY, webhook_secret: SECRET },
  };
  await till.createMerchant({
    routing: {},
    gateways: [
      { code: "kuwait", name: { en: "KNET", ar: "كي نت" }, connector: "knet", pg_name: "kpay", operation: "purchase", currencies: ["KWD"],
        sandbox: true, credentials: TERMINAL, endpoint: knet.origin },
      { ...card, code: "first", name: { en: "Card", ar: "بطاقة" }, endpoint: nobody.origin },
      { ...card, code: "second", name: { en: "Card", ar: "بطاقة" }, endpoint: stripe.origin },
    ],
  });
}, { sockets: true });
after(() => Promise.all([knet.close(), stripe.close()]));

async function transaction(language) {
  const created = await till.create({
    pg_codes: ["kuwait", "first", "second"], language, webhook_url: `${till.url}/sandbox/inbox/gateways/`, redirect_url: `${till.url}/sandbox/shop/`,
  });
  assert.equal(created.status, 201, created.text);
  return created.body;
}
const state = async ({ session_id }) => (await till.retrieve(session_id)).body.state;
/** The page of Stripe, of which the browser sees a button. */
const stripePage = (page) =>
  page.route("https://checkout.stripe.com/**", async (route) => {
    const session = [...stripe.sessions.values()].find(({ url }) => url === route.request().url());
    const paid = stripe.pay(session.client_reference_id);
    const { body, headers } = html(`<a href="${paid}">Pay</a>`);
    await route.fulfill({ status: 200, body, headers });
  });

for (const language of ["en", "ar"]) {
  for (const javaScriptEnabled of [true, false]) {
    const how = `in ${language} ${javaScriptEnabled ? "with" : "without"} JavaScript`;

    test(`a payer pays at KNET ${how}, and sees what KNET wants seen`, async () => {
      knet.result = ["CAPTURED", "00"];
      const payment = await transaction(language);
      const page = await open(browser, { javaScriptEnabled });
      await page.goto(payment.checkout_url);
      if (javaScriptEnabled) await alive(page);
      await page.click("#pay-button");
      await page.waitForURL("**/kpg/PaymentHTTP.htm?**");
      await page.click("button");
      await page.waitForURL("**/sandbox/shop/**");
      assert.equal(await state(payment), "paid");
      await page.goto(payment.checkout_url);
      await page.locator("main details.more > summary").click();
      const shown = await page.innerText("main");
      const [{ reference }] = await till.rows("SELECT reference FROM attempt WHERE session_id = ?1", payment.session_id);
      for (const text of [reference, knet.purchases.get(reference).paymentid, language === "en" ? "CAPTURED" : "النتيجة"]) assert.ok(shown.includes(text), `${text}: ${shown}`);
      await close(page);
    });

    test(`a payer whose first card gateway is not reached pays at the second ${how}`, async () => {
      const payment = await transaction(language);
      const page = await open(browser, { javaScriptEnabled });
      await stripePage(page);
      await page.goto(payment.checkout_url);
      if (javaScriptEnabled) await alive(page);
      assert.equal(await page.locator("input[name=pg_code]").count(), 2, "KNET and one card");
      await page.locator("input[name=pg_code]").nth(1).check();
      await page.click("#pay-button");
      await page.waitForURL("https://checkout.stripe.com/**");
      await page.click("a");
      await page.waitForURL("**/sandbox/shop/**");
      assert.equal(await state(payment), "paid");
      await close(page);
    });
  }
}

test("a payer whose card KNET declines reads why, and pays by another method", async () => {
  knet.result = ["NOT CAPTURED", "51"];
  const payment = await transaction("ar");
  const page = await open(browser);
  await stripePage(page);
  await page.goto(payment.checkout_url);
  await alive(page);
  await page.click("#pay-button");
  await page.waitForURL("**/kpg/PaymentHTTP.htm?**");
  await page.click("button");
  await page.locator("#notice").waitFor();
  assert.match(await page.innerText("#notice"), /الرصيد في البطاقة غير كافٍ/);
  await alive(page);
  await page.locator("input[name=pg_code]").nth(1).check();
  await page.click("#pay-button");
  await page.waitForURL("https://checkout.stripe.com/**");
  await page.click("a");
  await page.waitForURL("**/sandbox/shop/**");
  assert.equal(await state(payment), "paid");
  await close(page);
});
