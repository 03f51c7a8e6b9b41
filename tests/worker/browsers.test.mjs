/**
 * Whatever a browser brings to an address to which a gateway may send it, it gets a page or goes on, whether it says that it is
 * a browser or not; a gateway's server gets what its protocol wants.
 */
import assert from "node:assert/strict";
import { request } from "node:http";
import { test } from "node:test";
import { KnetStub, TERMINAL, encrypt } from "./knet-stub.mjs";
import { returnPath, standing } from "./payer.mjs";
import { comeBack, sentTo, startWith, till } from "./stub.mjs";

const knet = new KnetStub();
startWith(knet, (endpoint) => [{
  code: "kuwait", name: { en: "KNET", ar: "كي نت" }, connector: "knet", pg_name: "kpay", operation: "purchase", currencies: ["KWD"], sandbox: true,
  operations: ["refund"], credentials: TERMINAL, endpoint,
}]);

const PAGES = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
const BROWSERS = {
  "a browser of today": { "sec-fetch-mode": "navigate", "sec-fetch-dest": "document", accept: PAGES, "user-agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/141.0.0.0 Safari/537.36" },
  "an old browser": { accept: PAGES, "accept-language": "ar-KW,ar;q=0.9", "user-agent": "Mozilla/5.0 (Windows NT 6.1) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/66.0.3359.139 Safari/537.36" },
  "a browser inside of an app": { accept: PAGES, "x-requested-with": "com.facebook.katana", "user-agent": "Mozilla/5.0 (Linux; Android 8.1.0; SM-J710F; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/68.0.3440.91 Mobile Safari/537.36" },
  "a browser that accepts everything": { accept: "*/*", "accept-language": "en-us", "user-agent": "Mozilla/4.0 (compatible; MSIE 8.0; Windows NT 6.1; Trident/4.0)" },
};
const SERVERS = {
  "a server in Java": { accept: "text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2", "user-agent": "Java/1.8.0_292" },
  "a server that names a browser": { accept: "*/*", "user-agent": "Mozilla/5.0" },
  "a server without a name": {},
};
const FORM = "application/x-www-form-urlencoded";

/** Sends exactly these headers: `fetch` adds its own. */
const send = (address, method, headers, body) =>
  new Promise((resolve, reject) => {
    const all = body === undefined ? headers : { ...headers, "content-type": FORM, "content-length": Buffer.byteLength(body) };
    const sent = request(new URL(address, till.url), { method, headers: all }, (response) => {
      const chunks = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("end", () => resolve({ status: response.statusCode, headers: response.headers, text: Buffer.concat(chunks).toString() }));
    });
    sent.on("error", reject).end(body);
  });

/** That a person who gets this sees a page of ours or goes on. */
function assertShown({ status, headers, text }, what) {
  if (status === 303) return assert.match(headers.location, /^https?:\/\//, what);
  assert.match(headers["content-type"] ?? "", /^text\/html/, `${what}: ${status} ${text.slice(0, 200)}`);
  assert.match(text, /<h1/, what);
  assert.ok(!text.includes("REDIRECT="), what);
}

for (const [name, headers] of Object.entries(BROWSERS)) {
  test(`${name} that carries KNET's report goes on, by GET and by POST`, async () => {
    for (const method of ["GET", "POST"]) {
      const payment = await sentTo("kuwait");
      const trandata = encrypt(knet.finish(payment.page));
      const { responseURL } = knet.order(payment.page);
      const answer = method === "POST"
        ? await send(responseURL, "POST", headers, new URLSearchParams({ trandata }).toString())
        : await send(`${responseURL}?trandata=${trandata}`, "GET", headers);
      assert.deepEqual([answer.status, answer.headers.location], [303, payment.returns], method);
      await comeBack(answer.headers.location);
      assert.deepEqual(await standing(till, payment), ["paid", "success"]);
    }
  });

  test(`${name} gets a page or goes on at every address of gateways, whatever it brings`, async () => {
    const payment = await sentTo("kuwait");
    const back = await returnPath(till, payment.reference);
    const merchant = till.merchant.merchant_id;
    const unknown = "ABCDEFGHJKMN";
    const addresses = [
      back, back.replace(/[^/]+\/$/, `${"0".repeat(32)}/`), `/b/gw/v1/return/${payment.reference}/`, `/b/gw/v1/return/${unknown}/`,
      `/b/gw/v1/return/${unknown}/${"0".repeat(32)}/`, "/b/gw/v1/return/x/", "/b/gw/v1/return/", "/b/gw/v1/return/%ff/",
      `/b/gw/v1/forward/${payment.reference}/${"0".repeat(32)}/`, `/b/gw/v1/forward/${unknown}/x/`, "/b/gw/v1/forward/",
      `/b/gw/v1/callback/${payment.reference}/`, `/b/gw/v1/callback/${unknown}/`, "/b/gw/v1/callback/x/", "/b/gw/v1/callback/",
      `/b/gw/v1/account/${merchant}/kuwait/`, `/b/gw/v1/account/${merchant}/none/`, "/b/gw/v1/account/none/none/",
      `/b/gw/v1/messages/${merchant}/sms/`, "/b/gw/v1/messages/none/email/",
    ];
    const brought = [
      "", "trandata=00", "trandata=xyz", `trandata=${"0".repeat(64)}`, `paymentid=1&Error=IPAY0100048&ErrorText=Cancelled&trackid=${payment.reference}`,
      "resultIndicator=1", "a=1&a=2", "%ff=%ff", "<script>alert(1)</script>",
    ];
    for (const address of addresses) {
      for (const fields of brought) {
        assertShown(await send(fields ? `${address}?${fields}` : address, "GET", headers), `GET ${address}?${fields}`);
        assertShown(await send(address, "POST", headers, fields), `POST ${address} ${fields}`);
      }
    }
  });
}

for (const [name, headers] of Object.entries(SERVERS)) {
  test(`${name} gets one line from KNET's address, and refusals that it can read`, async () => {
    const payment = await sentTo("kuwait");
    const { responseURL } = knet.order(payment.page);
    const report = new URLSearchParams({ trandata: encrypt(knet.finish(payment.page)) }).toString();
    const answer = await send(responseURL, "POST", headers, report);
    assert.deepEqual([answer.status, answer.headers["content-type"], answer.text], [200, "text/plain; charset=utf-8", `REDIRECT=${payment.returns}`]);
    // A browser that is taken for a server goes on by it.
    assert.equal(answer.headers.refresh, `0;url=${payment.returns}`);
    assert.deepEqual([(await send(responseURL, "POST", headers, "")).status, (await send(responseURL, "POST", headers, "trandata=00")).status], [200, 401]);
    for (const path of ["/b/gw/v1/callback/ABCDEFGHJKMN/", `/b/gw/v1/account/${till.merchant.merchant_id}/kuwait/`]) {
      const refused = await send(path, "POST", headers, "a=1");
      assert.match(refused.headers["content-type"], /^application\/problem\+json/, path);
    }
  });
}
