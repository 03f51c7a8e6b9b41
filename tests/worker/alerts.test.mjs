/** Alerts: what is new on the attention list is reported by a webhook that the official library verifies, and by e-mail. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Webhook } from "standardwebhooks";
import { OutboundResponse, start } from "./harness.mjs";
import { faultsOfWebhook } from "./description.mjs";
import { atTheBank, eventually, payWith } from "./payer.mjs";

const URL_OF_ALERTS = "https://alerts.example.com/hook";
const URL_OF_OPERATORS = "https://operators.example.com/hook";
const CARRIER = "till-operators";

/** @type {import("./harness.mjs").Till} */
let till;
let shop;
let carrier;

before(async () => {
  till = await start({ bindings: { ALERT_EMAILS: "root@example.com", ALERT_WEBHOOK_URL: URL_OF_OPERATORS, ALERT_MERCHANT: CARRIER } });
  carrier = await till.createMerchant({}, CARRIER);
  shop = await till.createMerchant({ alerts: { webhook_url: URL_OF_ALERTS, emails: ["ops@example.com"], on: ["payment"] } });
});
after(() => till.stop());

const inbox = async (merchant) =>
  (await till.call(`/sandbox/messages/${merchant}/`, { headers: { accept: "application/json" } })).body;

/** The next alert at an address, once it came. */
const alertAt = (url) => eventually(`an alert at ${url}`, async () => till.outbound.to(url).at(-1));

test("a held payment is reported to the merchant and to the operators, signed and by e-mail, once", async () => {
  for (const url of [URL_OF_ALERTS, URL_OF_OPERATORS]) till.outbound.on("POST", url, () => new OutboundResponse("", { status: 200 }));
  const payment = await atTheBank(till);
  await payWith(till, payment.page, "visa-wrong-amount");
  await till.scheduled();
  for (const [url, secret] of [[URL_OF_ALERTS, shop.webhook_signing_secret], [URL_OF_OPERATORS, carrier.webhook_signing_secret]]) {
    const sent = await alertAt(url);
    const body = new Webhook(secret).verify(sent.body, sent.headers);
    assert.deepEqual(faultsOfWebhook(String(sent.body), "alert"), []);
    assert.match(sent.headers["webhook-id"], /^alert_00[0-9a-f]{40}$/);
    assert.deepEqual([body.type, body.data.topic, body.data.count, body.data.merchant_id], ["alert.raised", "payment", 1, shop.merchant_id]);
    const [entry] = body.data.entries;
    assert.deepEqual([entry.reason, entry.session_id, entry.detail], ["amount_mismatch", payment.session_id, null]);
  }
  for (const [merchant, to] of [[shop.merchant_id, "ops@example.com"], [CARRIER, "root@example.com"]]) {
    const [mail, ...others] = await eventually(`an e-mail of ${merchant}`, async () => {
      const found = (await inbox(merchant)).filter((message) => message.id.startsWith("alert_"));
      return found.length > 0 ? found : undefined;
    });
    assert.deepEqual([others.length, mail.to, mail.subject], [0, to, `Payments need attention · ${shop.merchant_id}`]);
    assert.ok(mail.text.includes(payment.session_id) && mail.html.includes(payment.session_id), mail.text);
  }
  await till.scheduled();
  assert.equal(till.outbound.to(URL_OF_ALERTS).length, 1, "it is notified once");
  const log = await till.call("/b/access/v1/deliveries/?kind=alert_webhook", { headers: till.privateKey(shop) });
  assert.deepEqual(log.body.results.map(({ kind, session_id, state, url }) => [kind, session_id, state, url]), [["alert_webhook", null, "delivered", URL_OF_ALERTS]]);
});

test("an e-mail of an alert is shown by the inbox as it was sent", async () => {
  const [mail] = (await inbox(shop.merchant_id)).filter((message) => message.id.startsWith("alert_"));
  const alone = await till.call(`/sandbox/messages/${shop.merchant_id}/${mail.id}/email/`);
  assert.equal(alone.text, mail.html);
});
