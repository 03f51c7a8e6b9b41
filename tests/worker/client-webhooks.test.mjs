/**
 * What verifies webhooks in the TypeScript client: over the conformance vectors, against the official libraries of Standard Webhooks
 * of npm and PyPI in both directions, and by deliveries of a running Till to receivers that use it, on Node and on workerd.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import { after, before, describe, test } from "node:test";
import fc from "fast-check";
import { Miniflare } from "miniflare";
import { Webhook } from "standardwebhooks";
import { cases } from "../../clients/receivers/run.mjs";
import { buildClient } from "../../scripts/client.mjs";
import { at } from "../../scripts/project.mjs";
import { PYTHON, reasonToSkip } from "../../scripts/webhooks/standardwebhooks.mjs";
import { start } from "./harness.mjs";
import { pngOf } from "./images.mjs";
import { atTheBank, choose, eventually, open, payWith } from "./payer.mjs";

const DIST = at("clients", "typescript", "dist");
const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const OTHER = `whsec_${Buffer.alloc(32, 9).toString("base64")}`;
const NOW = 1_767_225_600;

let createTill, readWebhook, signWebhook, verifySignatureField, verifyWebhook, WebhookError;
before(async () => {
  await buildClient();
  ({ createTill } = await import(`${DIST}/index.js`));
  ({ readWebhook, signWebhook, verifySignatureField, verifyWebhook, WebhookError } = await import(`${DIST}/webhooks.js`));
});

/** The code of the refusal, `ok`, or the name of another error. */
const verdict = (...args) => verifyWebhook(...args).then(() => "ok", (error) => (error instanceof WebhookError ? error.code : error.name));

test("it accepts and refuses what a receiver must", async () => {
  const wrong = [];
  for (const { name, kind, headers, body, secrets, now, hmac_key, expected } of cases()) {
    const bytes = Buffer.from(body, "base64");
    const isRight = kind === "headers" ? (await verdict(bytes, headers, secrets, { now })) === "ok" : await verifySignatureField(bytes, hmac_key);
    if (isRight !== (expected === "ok")) wrong.push(name);
  }
  assert.deepEqual(wrong, []);
});

test("each recorded sample is verified, and is of its kind", async () => {
  const files = readdirSync(at("tests", "vectors", "webhooks"));
  const kinds = new Set();
  for (const file of files) {
    const { body, headers, signing_secret, hmac_key } = JSON.parse(readFileSync(at("tests", "vectors", "webhooks", file), "utf8"));
    const now = Number(headers["webhook-timestamp"]);
    const { id, kind, data, timestamp } = await verifyWebhook(body, headers, signing_secret, { now });
    assert.equal(kind, /^(operation|alert)/.exec(file)?.[0] ?? "payment", file);
    assert.deepEqual([id, timestamp.getTime(), data], [headers["webhook-id"], now * 1000, JSON.parse(body)]);
    if (kind !== "alert") assert.equal(await verifySignatureField(body, hmac_key), true, file);
    kinds.add(kind);
  }
  assert.deepEqual([...kinds].sort(), ["alert", "operation", "payment"]);
});

describe("against the official library of npm", () => {
  const isAccepted = (context, { body, headers }, now) => {
    context.mock.timers.enable({ apis: ["Date"], now: now * 1000 });
    try {
      new Webhook(SECRET).verify(body, headers);
      return true;
    } catch {
      return false;
    } finally {
      context.mock.timers.reset();
    }
  };

  test("what it signs is accepted, and what is signed here it accepts", async (context) => {
    const texts = fc.record({ id: fc.stringMatching(/^[\w-]{1,64}$/), value: fc.jsonValue(), key: fc.uint8Array({ minLength: 1, maxLength: 64 }) });
    await fc.assert(fc.asyncProperty(texts, async ({ id, value, key }) => {
      const body = JSON.stringify(value);
      const secret = `whsec_${Buffer.from(key).toString("base64")}`;
      const theirs = { "webhook-id": id, "webhook-timestamp": String(NOW), "webhook-signature": new Webhook(secret).sign(id, new Date(NOW * 1000), body) };
      assert.deepEqual((await verifyWebhook(body, theirs, secret, { now: NOW })).data, JSON.parse(body));
      assert.deepEqual(await signWebhook(body, secret, { id, now: NOW }), theirs);
    }), { numRuns: 200 });
    const body = '{"amount":"١٠"}';
    assert.equal(isAccepted(context, { body, headers: await signWebhook(body, SECRET, { now: NOW }) }, NOW), true);
  });

  test("every change of one bit, and every time, is judged as by it", async (context) => {
    const body = '{"session_id":"00","state":"paid","amount":"10.250"}';
    const right = { body, headers: await signWebhook(body, SECRET, { id: "evt_1", now: NOW }) };
    const changed = [];
    for (const name of ["body", ...Object.keys(right.headers)]) {
      const bytes = Buffer.from(name === "body" ? body : right.headers[name]);
      for (let bit = 0; bit < bytes.length * 8; bit += 1) {
        if (bit % 8 === 7) continue;
        const other = Buffer.from(bytes);
        other[bit >> 3] ^= 1 << (bit & 7);
        const text = other.toString("latin1");
        changed.push(name === "body" ? { ...right, body: text } : { body, headers: { ...right.headers, [name]: text } });
      }
    }
    assert.ok(changed.length > 700, `${changed.length} changes`);
    for (const one of changed) {
      assert.equal((await verdict(one.body, one.headers, SECRET, { now: NOW })) === "ok", isAccepted(context, one, NOW), JSON.stringify(one));
    }
    for (const seconds of [-3600, -301, -300, -299, 0, 299, 300, 301, 3600]) {
      assert.equal((await verdict(body, right.headers, SECRET, { now: NOW + seconds })) === "ok", isAccepted(context, right, NOW + seconds), `${seconds} s`);
    }
  });
});

test("what is signed here, the PyPI package accepts, and the other way round", { skip: reasonToSkip() }, async () => {
  const body = '{"amount":"10.250","name":"نورة"}';
  const now = Math.floor(Date.now() / 1000);
  const headers = await signWebhook(body, SECRET, { id: "evt_py", now });
  const program = `
import json, sys
from datetime import datetime, timezone
from standardwebhooks import Webhook
one = json.load(sys.stdin)
Webhook(one["secret"]).verify(one["body"], one["headers"])
print(Webhook(one["secret"]).sign("evt_2", datetime.fromtimestamp(one["now"], timezone.utc), one["body"]))
`;
  const ran = spawnSync(PYTHON, ["-c", program], { input: JSON.stringify({ secret: SECRET, body, headers, now }), encoding: "utf8" });
  assert.equal(ran.status, 0, ran.stderr);
  const theirs = { "webhook-id": "evt_2", "webhook-timestamp": String(now), "webhook-signature": ran.stdout.trim() };
  assert.equal((await verifyWebhook(body, theirs, SECRET)).id, "evt_2");
  assert.equal(await verdict(body, theirs, OTHER), "signature");
});

describe("what is wrong is said", () => {
  const body = '{"state":"paid","session_id":"1"}';
  let headers;
  before(async () => { headers = await signWebhook(body, SECRET, { id: "evt_1", now: NOW }); });
  const at = { now: NOW };

  test("of the webhook, by its code", async () => {
    const cases = [
      [[body, {}, SECRET, at], "header_missing"], [[body, { ...headers, "webhook-id": "" }, SECRET, at], "header_missing"],
      [[body, { ...headers, "Webhook-Id": "evt_2" }, SECRET, at], "header_malformed"],
      [[body, { ...headers, "webhook-id": ["evt_1", "evt_1"] }, SECRET, at], "header_malformed"],
      [[body, { ...headers, "webhook-timestamp": "soon" }, SECRET, at], "header_malformed"],
      [[body, headers, SECRET, { now: NOW + 301 }], "too_old"], [[body, headers, SECRET, { now: NOW - 301 }], "too_new"],
      [[body, headers, SECRET, { now: NOW + 11, tolerance: 10 }], "too_old"], [[body, headers, OTHER, at], "signature"],
      [[`${body}\n`, headers, SECRET, at], "signature"],
      [["no json", await signWebhook("no json", SECRET, { now: NOW }), SECRET, at], "not_json"],
      [[Uint8Array.of(0xff), await signWebhook(Uint8Array.of(0xff), SECRET, { now: NOW }), SECRET, at], "not_json"],
    ];
    for (const [args, code] of cases) assert.equal(await verdict(...args), code, JSON.stringify(args));
  });

  test("of the caller, in words, without the secret", async () => {
    const cases = [
      [[JSON.parse(body), headers, SECRET, at], /^the body must be the text or the bytes as they came.*express\.raw/],
      [[undefined, headers, SECRET, at], /^the body must be/], [[body, headers, undefined, at], /^the secret of webhooks is missing; is its environment variable set\?$/],
      [[body, headers, "", at], /is missing/], [[body, headers, [], at], /^a secret of webhooks must be given$/],
      [[body, headers, [SECRET, ""], at], /is missing/], [[body, headers, "hunter2", at], /^a secret of webhooks must be whsec_ and base64/],
      [[body, headers, "whsec_%%%", at], /must be whsec_/], [[body, headers, "whsec_", at], /must be whsec_/],
      [[body, headers, SECRET, { ...at, tolerance: Number.NaN }], /^tolerance must be/], [[body, headers, SECRET, { ...at, tolerance: -1 }], /^tolerance must be/],
      [[body, headers, [], { ...at, keys: [{}] }], /^a public key of webhooks must be a JWK/],
    ];
    for (const [args, message] of cases) {
      const error = await verifyWebhook(...args).then(() => assert.fail(String(message)), (thrown) => thrown);
      assert.ok((error instanceof TypeError || error instanceof RangeError) && message.test(error.message), error.message);
      assert.doesNotMatch(error.message, /hunter2|%%%/);
    }
    const read = new Request("https://shop.example/", { method: "POST", body, headers });
    await read.text();
    await assert.rejects(readWebhook(read, SECRET, at), { name: "TypeError", message: /was read before/ });
  });

  test("headers come as fetch, Node or a program has them", async () => {
    const all = [new Headers(headers), Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value])), Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]))];
    for (const one of all) assert.equal(await verdict(body, one, SECRET, at), "ok");
    for (const one of [Buffer.from(body), new TextEncoder().encode(body).buffer, new Uint8Array(Buffer.from(`..${body}`)).subarray(2)]) assert.equal(await verdict(one, headers, SECRET, at), "ok");
  });

  test("a body without end is not read to its end", async () => {
    let given = 0;
    const endless = new ReadableStream({ pull(controller) { given += 65_536; controller.enqueue(new Uint8Array(65_536)); } });
    const request = new Request("https://shop.example/", { method: "POST", body: endless, headers, duplex: "half" });
    await assert.rejects(readWebhook(request, SECRET, at), { code: "body_too_large" });
    assert.ok(given < 600_000, `${given} bytes`);
  });
});

/** A receiver on Node, as a shop has it: it answers 401 to what is not right. */
async function nodeReceiver(secrets, options = {}) {
  const events = [];
  const faults = [];
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    try {
      events.push(await verifyWebhook(Buffer.concat(chunks), request.headers, secrets(), options));
      response.writeHead(200).end();
    } catch (error) {
      faults.push(error);
      response.writeHead(401).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { events, faults, origin: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

/** A receiver that is a Worker: it keeps what it verified, and shows it. */
function workerReceiver(secret) {
  const main = `import { readWebhook } from "./webhooks.js";
const events = [];
export default { async fetch(request, { SECRET }) {
  if (request.method !== "POST") return Response.json(events);
  try {
    const { id, kind, data } = await readWebhook(request, SECRET);
    events.push({ id, kind, state: data.state });
    return new Response("ok");
  } catch (error) { return new Response(error.message, { status: 401 }); }
} };`;
  return new Miniflare({
    host: "127.0.0.1", port: 0, cf: false, telemetry: { enabled: false }, compatibilityDate: "2026-04-26", bindings: { SECRET: secret },
    modules: [{ type: "ESModule", path: "main.mjs", contents: main }, { type: "ESModule", path: "webhooks.js", contents: readFileSync(`${DIST}/webhooks.js`, "utf8") }],
    modulesRoot: "/",
  });
}

describe("deliveries of a running Till", () => {
  let till, shop, client, receiver;
  const secrets = [];
  before(async () => {
    till = await start({ sockets: true });
    shop = await till.createMerchant();
    client = createTill({ baseUrl: till.url, key: shop.private_key });
    secrets.push(shop.webhook_signing_secret);
    receiver = await nodeReceiver(() => secrets);
  });
  after(async () => {
    receiver?.close();
    await till?.stop();
  });
  const about = (session_id) => receiver.events.filter(({ data }) => data.session_id === session_id);

  test("a payment and its refund are received, each of its kind", async () => {
    const payment = await atTheBank(till, { webhook_url: receiver.origin });
    await payWith(till, payment.page, "visa-approve");
    const [paid] = await eventually("the payment", () => about(payment.session_id).length === 1 && about(payment.session_id));
    assert.deepEqual([paid.kind, paid.data.state, paid.data.result], ["payment", "paid", "success"]);
    await client.operate({ operation: "refund", session_id: payment.session_id, amount: "1.000" });
    const [, refund] = await eventually("the refund", () => about(payment.session_id).length === 2 && about(payment.session_id));
    assert.deepEqual([refund.kind, refund.data.operation, refund.data.amount], ["operation", "refund", "1.000"]);
    assert.deepEqual(receiver.faults, []);
  });

  test("they are found in the log, and sent again under the same id", async () => {
    const payment = await open(till, { pg_codes: ["cash"], webhook_url: receiver.origin });
    await choose(till, payment, "cash");
    const [first] = await eventually("the payment", () => about(payment.session_id).length > 0 && about(payment.session_id));
    const { results } = await eventually("the delivery", async () => {
      const page = await client.deliveries.list({ session_id: payment.session_id });
      return page.results[0]?.state === "delivered" && page;
    });
    assert.equal(results[0].id, first.id);
    assert.equal((await client.deliveries.retrieve(first.id)).delivery.id, first.id);
    assert.equal((await client.deliveries.resend({ delivery_id: first.id })).resent, 1);
    await till.scheduled();
    const [, again] = await eventually("the repeat", () => about(payment.session_id).length === 2 && about(payment.session_id));
    assert.deepEqual([again.id, again.data], [first.id, first.data]);
  });

  test("samples of every kind are verified", async () => {
    for (const kind of ["payment_webhook", "operation_webhook", "alert_webhook"]) {
      const count = receiver.events.length;
      const sent = await client.webhooks.sendTest({ kind, address: receiver.origin }).catch((error) => error);
      assert.equal(sent.is_accepted, true, `${kind} ${sent.message ?? JSON.stringify(sent)}`);
      assert.equal(receiver.events[count].kind, kind.split("_")[0]);
    }
  });

  test("while the secret is replaced a receiver with either is content, and the public key will do", async () => {
    const old = secrets[0];
    const { webhook_signing_secret } = await client.webhooks.addSecret();
    till.secrets.add(webhook_signing_secret);
    const send = async () => (await client.webhooks.sendTest({ kind: "payment_webhook", address: receiver.origin })).is_accepted;
    for (const known of [[old], [webhook_signing_secret], [old, webhook_signing_secret]]) {
      secrets.splice(0, secrets.length, ...known);
      assert.equal(await send(), true);
    }
    await client.webhooks.dropPreviousSecret();
    secrets.splice(0, secrets.length, old);
    assert.equal(await send(), false);
    assert.equal(receiver.faults.at(-1).code, "signature");
    secrets.splice(0, secrets.length, webhook_signing_secret);
    const { keys } = (await till.call(`/.well-known/jwks.json?merchant=${shop.merchant_id}`)).body;
    const byKey = await nodeReceiver(() => [], { keys });
    assert.equal((await client.webhooks.sendTest({ kind: "payment_webhook", address: byKey.origin })).is_accepted, true);
    byKey.close();
    const stranger = await nodeReceiver(() => [], { keys: (await till.call("/.well-known/jwks.json?merchant=another-shop")).body.keys });
    assert.equal((await client.webhooks.sendTest({ kind: "payment_webhook", address: stranger.origin })).is_accepted, false);
    assert.equal(stranger.faults[0].code, "signature");
    stranger.close();
  });

  test("a receiver that is a Worker verifies with the same file", async () => {
    const worker = workerReceiver(secrets[0]);
    try {
      const { origin } = await worker.ready;
      const payment = await open(till, { pg_codes: ["cash"], webhook_url: origin });
      await choose(till, payment, "cash");
      const events = await eventually("the webhook", async () => {
        const seen = await (await fetch(origin)).json();
        return seen.length > 0 && seen;
      });
      assert.deepEqual([events[0].kind, events[0].state], ["payment", "cod"]);
      const forged = await fetch(origin, { method: "POST", body: "{}", headers: await signWebhook("{}", `whsec_${randomBytes(32).toString("base64")}`) });
      assert.deepEqual([forged.status, /no signature is right/.test(await forged.text())], [401, true]);
    } finally {
      await worker.dispose();
    }
  });

  test("the brand is read, replaced and seen", async () => {
    const { brand } = await client.brand.retrieve();
    const replaced = await client.brand.replace({ ...brand, accent: "#7a1fa2" });
    assert.equal(replaced.brand.accent, "#7a1fa2");
    assert.match(await client.brand.preview({ state: "paid", language: "ar" }), /<html[^>]+lang="?ar/);
    const { name } = await client.images.upload(pngOf(120, 40), "image/png");
    assert.ok((await client.images.list()).some((image) => image.name === name));
    assert.equal(await client.images.delete(name), undefined);
    const file = await client.attach(new TextEncoder().encode("Two chairs"), "bill.txt");
    assert.equal(file.original_filename, "bill.txt");
  });
});
