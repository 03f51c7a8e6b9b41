/**
 * The signatures of webhooks, judged by parts that are not ours: the packages `standardwebhooks` of npm and PyPI for `v1`, and
 * node's own cryptography with the published key for `v1a`.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createPublicKey, verify } from "node:crypto";
import { after, before, test } from "node:test";
import { Webhook } from "standardwebhooks";
import { OutboundResponse, start } from "./harness.mjs";
import { choose, deliverNow, eventually, open } from "./payer.mjs";
import { PYTHON, reasonToSkip } from "../../scripts/webhooks/standardwebhooks.mjs";

const URL_OF_SHOP = "https://signed.example.com/hook";
const OVER = 301;

/** @type {import("./harness.mjs").Till} */
let till;
let shop;
let secrets;
let webhook;

before(async () => {
  till = await start();
  shop = await till.createMerchant();
  till.outbound.on("POST", URL_OF_SHOP, () => new OutboundResponse("no", { status: 500 }));
  const added = await till.call("/b/access/v1/webhook-secrets/", { method: "POST", headers: till.privateKey(shop) });
  till.secrets.add(added.body.webhook_signing_secret);
  secrets = [shop.webhook_signing_secret, added.body.webhook_signing_secret];
  webhook = await notified();
});
after(() => till.stop());

/** A webhook as its receiver gets it. */
async function notified() {
  const before = till.outbound.to(URL_OF_SHOP).length;
  const payment = await open(till, { pg_codes: ["cash"], webhook_url: URL_OF_SHOP });
  await choose(till, payment, "cash");
  await deliverNow(till, payment);
  const sent = await eventually("a webhook", async () => till.outbound.to(URL_OF_SHOP).at(-1) && till.outbound.to(URL_OF_SHOP).length > before && till.outbound.to(URL_OF_SHOP).at(-1));
  const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature } = sent.headers;
  return { payment, body: sent.body, headers: { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature } };
}

const accepts = (secret, { body, headers }) => {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
};

const keysOf = async (merchant) => (await till.call(`/.well-known/jwks.json?merchant=${merchant}`)).body.keys;

/** Whether an Ed25519 signature of a webhook is right by a key. */
function isSigned(jwk, { body, headers }) {
  const text = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  const signatures = headers["webhook-signature"].split(" ").filter((part) => part.startsWith("v1a,"));
  const key = createPublicKey({ key: jwk, format: "jwk" });
  return signatures.some((part) => verify(null, Buffer.from(text), key, Buffer.from(part.slice(4), "base64")));
}

/** The same webhook with each bit of one place changed, as far as it is still text of a header or a body. */
function* changed({ body, headers }, names) {
  for (const name of names) {
    const text = name === "body" ? body : headers[name];
    const bytes = Buffer.from(text);
    for (let place = 0; place < bytes.length; place += 1) {
      for (let bit = 0; bit < 7; bit += 1) {
        const other = Buffer.from(bytes);
        other[place] ^= 1 << bit;
        const said = other.toString("latin1");
        yield name === "body" ? { body: said, headers } : { body, headers: { ...headers, [name]: said } };
      }
    }
  }
}

test("the npm package accepts a webhook by either secret while they are rotated", () => {
  for (const secret of secrets) assert.equal(accepts(secret, webhook), true);
  assert.equal(accepts(`whsec_${Buffer.alloc(32, 5).toString("base64")}`, webhook), false);
});

test("the npm package refuses every change of one bit of the id, the time or the body", () => {
  let tried = 0;
  for (const one of changed(webhook, ["webhook-id", "webhook-timestamp", "body"])) {
    tried += 1;
    assert.equal(accepts(secrets[0], one), false, JSON.stringify(one));
  }
  assert.ok(tried > 4000, `${tried} changes`);
});

test("the npm package refuses every change of one bit of the only signature", () => {
  const [, second, asymmetric] = webhook.headers["webhook-signature"].split(" ");
  const [, digest] = second.split(",");
  const bytes = Buffer.from(digest, "base64");
  assert.match(asymmetric, /^v1a,/);
  const only = (signature) => ({ ...webhook, headers: { ...webhook.headers, "webhook-signature": `v1,${signature} ${asymmetric}` } });
  assert.equal(accepts(secrets[0], only(digest)), true);
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const other = Buffer.from(bytes);
    other[bit >> 3] ^= 1 << (bit & 7);
    assert.equal(accepts(secrets[0], only(other.toString("base64"))), false, `bit ${bit}`);
  }
});

test("v1a is right by the key of the merchant in the key set, and every change of one bit is refused", async () => {
  const [key, ...more] = await keysOf(shop.merchant_id);
  assert.deepEqual([key.kty, key.crv, more.length], ["OKP", "Ed25519", 0]);
  assert.equal(isSigned(key, webhook), true);
  const { body, headers } = webhook;
  // Some of the body: node's check takes a tenth of a millisecond.
  for (const one of changed({ body, headers }, ["webhook-id", "webhook-timestamp"])) assert.equal(isSigned(key, one), false);
  for (let bit = 0; bit < 8 * Buffer.byteLength(body); bit += 1) {
    const other = Buffer.from(body);
    other[bit >> 3] ^= 1 << (bit & 7);
    const text = Buffer.concat([Buffer.from(`${headers["webhook-id"]}.${headers["webhook-timestamp"]}.`), other]);
    const signature = Buffer.from(headers["webhook-signature"].split(" ").at(-1).slice(4), "base64");
    assert.equal(verify(null, text, createPublicKey({ key, format: "jwk" }), signature), false, `bit ${bit}`);
  }
});

test("a merchant's webhook is not right by the key of another merchant, nor by the key of receipts", async () => {
  const other = await till.createMerchant();
  till.merchant = shop;
  for (const [key] of [await keysOf(other.merchant_id), (await till.call("/.well-known/jwks.json")).body.keys]) {
    assert.equal(isSigned(key, webhook), false);
  }
});

test("the key set answers for an id that no merchant has as for one that exists, and refuses what is no id", async () => {
  const known = await till.call(`/.well-known/jwks.json?merchant=${shop.merchant_id}`);
  const unknown = await till.call("/.well-known/jwks.json?merchant=no-such-shop");
  const shape = ({ status, body }) => [status, body.keys.map((key) => Object.keys(key))];
  assert.deepEqual(shape(unknown), shape(known));
  assert.notEqual(unknown.body.keys[0].x, known.body.keys[0].x);
  const refused = await till.call("/.well-known/jwks.json?merchant=No%20Shop");
  assert.deepEqual([refused.status, Object.keys(refused.body.errors)], [400, ["merchant"]]);
});

test("each try is signed again for its own time under the same id", async () => {
  await new Promise((resolve) => setTimeout(resolve, 1050));
  await deliverNow(till, webhook.payment);
  const tries = till.outbound.to(URL_OF_SHOP).filter(({ headers }) => headers["webhook-id"] === webhook.headers["webhook-id"]);
  assert.ok(tries.length >= 2);
  const [first, last] = [tries.at(0), tries.at(-1)];
  assert.ok(Number(last.headers["webhook-timestamp"]) > Number(first.headers["webhook-timestamp"]));
  assert.equal(last.body, first.body);
  const [key] = await keysOf(shop.merchant_id);
  for (const sent of [first, last]) {
    assert.equal(isSigned(key, sent), true);
    assert.equal(accepts(secrets[1], sent), true);
  }
});

/** What the PyPI package says of webhooks, one line of JSON each. */
function python(lines) {
  const program = `
import json, sys
from datetime import datetime, timezone
from unittest import mock
import standardwebhooks.webhooks as module
from standardwebhooks import Webhook
for line in sys.stdin:
    one = json.loads(line)
    class Clock(datetime):
        @classmethod
        def now(cls, tz=None):
            return datetime.fromtimestamp(one["now"], tz)
    with mock.patch.object(module, "datetime", Clock):
        try:
            Webhook(one["secret"]).verify(one["body"], one["headers"])
            print("accepted")
        except Exception as error:
            print(type(error).__name__)
`;
  const ran = spawnSync(PYTHON, ["-c", program], { input: lines.map((line) => JSON.stringify(line)).join("\n"), encoding: "utf8" });
  assert.equal(ran.status, 0, ran.stderr);
  return ran.stdout.trim().split("\n");
}

test("the PyPI package accepts by either secret, and refuses every change of one bit and every time outside five minutes", { skip: reasonToSkip() }, () => {
  const now = Number(webhook.headers["webhook-timestamp"]);
  const of = (secret, more = {}) => ({ secret, now, ...webhook, payment: undefined, ...more });
  const none = `whsec_${Buffer.alloc(32, 5).toString("base64")}`;
  assert.deepEqual(python([of(secrets[0]), of(secrets[1]), of(none)]), ["accepted", "accepted", "WebhookVerificationError"]);
  const bits = [...changed(webhook, ["webhook-id", "webhook-timestamp", "body"])].map((one) => of(secrets[0], one));
  const answers = new Set(python(bits));
  assert.equal(answers.has("accepted"), false, `${bits.length} changes: ${[...answers]}`);
  const times = [-OVER, -299, 299, OVER].map((seconds) => of(secrets[0], { now: now + seconds }));
  assert.deepEqual(python(times), ["WebhookVerificationError", "accepted", "accepted", "WebhookVerificationError"]);
});

test("the npm package refuses every time outside five minutes", (context) => {
  const now = Number(webhook.headers["webhook-timestamp"]) * 1000;
  context.mock.timers.enable({ apis: ["Date"], now });
  for (const [seconds, expected] of [[-OVER, false], [-299, true], [0, true], [299, true], [OVER, false]]) {
    context.mock.timers.setTime(now + seconds * 1000);
    assert.equal(accepts(secrets[0], webhook), expected, `${seconds} s`);
  }
});
