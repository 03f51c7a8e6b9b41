/**
 * The receiver of `make listen` as a separate process: webhooks of a Worker reach it over a socket, are verified, printed and
 * answered as its path says; and it refuses what is not right.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { generateKeyPairSync, sign } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Webhook } from "standardwebhooks";
import { at } from "../../scripts/project.mjs";
import { start } from "./harness.mjs";
import { choose, deliverNow, eventually, open } from "./payer.mjs";

/** The program, and what it has printed. */
class Listener {
  printed = "";

  async open(args, env = {}) {
    this.process = spawn(process.execPath, [at("scripts", "listen.mjs"), "--port", "0", ...args], { env: { PATH: process.env.PATH, ...env }, stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [this.process.stdout, this.process.stderr]) stream.setEncoding("utf8").on("data", (text) => (this.printed += text));
    this.origin = await eventually("the program listens", () => /Listening on (http:\S+),/.exec(this.printed)?.[1], 20_000);
    return this;
  }

  /** What was printed of webhooks with a text, newest last, once it is that many: it is read after the answer, or before. */
  about(text, count = 1) {
    return eventually(`${count} webhooks were printed`, () => {
      const blocks = this.printed.split("\n\n").slice(0, -1).filter((block) => block.includes(text));
      return blocks.length >= count && blocks;
    });
  }

  async post(path, body, headers = {}) {
    const response = await fetch(this.origin + path, { method: "POST", body, headers });
    await response.text();
    return response.status;
  }

  close() {
    this.process.kill("SIGTERM");
    return new Promise((resolve) => this.process.once("exit", resolve));
  }
}

let till, listener;
before(async () => {
  till = await start({ sockets: true });
  const { webhook_signing_secret, webhook_hmac_key } = await till.createMerchant();
  listener = await new Listener().open([], { SECRET: webhook_signing_secret, HMAC_KEY: webhook_hmac_key });
});
after(async () => {
  await listener?.close();
  await till?.stop();
});

async function pay(path) {
  const payment = await open(till, { pg_codes: ["cash"], webhook_url: listener.origin + path });
  const sent = await choose(till, payment, "cash");
  const landed = await till.fetch(sent.headers.get("location"));
  return { ...payment, landed: new URL(landed.headers.get("location")).pathname };
}

const deliveryOf = async ({ session_id }) => (await till.rows("SELECT state, last_status FROM delivery WHERE session_id = ?1", session_id))[0];

for (const [path, state, landed] of [
  ["/200", "delivered", "/sandbox/shop/"], ["/201", "delivered", "/b/checkout/redirect/start/"],
  ["/410", "held", "/b/checkout/redirect/start/"], ["/500", "due", "/b/checkout/redirect/start/"], ["/anything?a=b", "delivered", "/sandbox/shop/"],
]) {
  test(`a webhook to ${path} is verified, printed and answered`, async () => {
    const payment = await pay(path);
    assert.equal(payment.landed, landed);
    const delivery = await deliveryOf(payment);
    assert.deepEqual([delivery.state, delivery.last_status], [state, Number(/\d+/.exec(path)?.[0] ?? 200)]);
    const [block, ...more] = await listener.about(payment.session_id);
    assert.equal(more.length, 0);
    for (const line of [/what +payment cod, result cod/, /header v1 +right/, /field signature +right/, /order of arrival new/, /sequence +2/]) assert.match(block, line);
  });
}

test("a repeat is recognised by its id", async () => {
  const payment = await pay("/500");
  await deliverNow(till, payment);
  const blocks = await listener.about(payment.session_id, 2);
  assert.equal(blocks.length, 2);
  assert.match(blocks[1], /a repeat: this id came before/);
});

test("a webhook to /hang gets no answer, and the payer does not wait for it longer than five seconds", async () => {
  const before = Date.now();
  const payment = await pay("/hang");
  assert.ok(Date.now() - before < 9000);
  assert.equal(payment.landed, "/b/checkout/redirect/start/");
  assert.match((await listener.about(payment.session_id))[0], /answered +hang/);
});

const sample = JSON.parse(readFileSync(at("tests", "vectors", "webhooks", "payment-paid.json"), "utf8"));

test("what is wrong is said, whichever signature it is, and a wrong one makes nothing later a repeat", async () => {
  const { webhook_signing_secret: secret } = till.merchant;
  const now = new Date();
  const body = JSON.stringify({ session_id: "forged", sequence: 9, state: "paid", result: "success", message: "a\u202eb\u001b[31mc" });
  const signed = (time) => ({ "webhook-id": "evt_forged", "webhook-timestamp": String(Math.floor(time / 1000)), "webhook-signature": new Webhook(secret).sign("evt_forged", new Date(time), body) });
  await listener.post("/200", body, signed(now - 301_000));
  await listener.post("/200", body, { ...signed(now), "webhook-id": "evt_other" });
  await listener.post("/200", body, signed(now));
  const blocks = await listener.about("forged", 3);
  assert.deepEqual(blocks.map((block) => /header v1 +(\w+)/.exec(block)[1]), ["WRONG", "WRONG", "right"]);
  assert.ok(blocks.every((block) => /field signature +WRONG/.test(block) && !block.includes("order of arrival") && block.includes("a?b?[31mc")));
});

test("v1a is verified with the key of a JWK Set, and older news are named", async () => {
  const folder = mkdtempSync(join(tmpdir(), "listen-"));
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  writeFileSync(join(folder, "jwks.json"), JSON.stringify({ keys: [{ ...publicKey.export({ format: "jwk" }), kid: "1", use: "sig", alg: "EdDSA" }] }));
  const other = await new Listener().open(["--jwks", join(folder, "jwks.json"), "--hmac-key", sample.hmac_key, "--secret", sample.signing_secret, "--answer", "201"]);
  try {
    const time = Math.floor(Date.now() / 1000);
    const send = (id, body, key = privateKey) => {
      const v1 = new Webhook(sample.signing_secret).sign(id, new Date(time * 1000), body);
      const v1a = `v1a,${sign(null, Buffer.from(`${id}.${time}.${body}`), key).toString("base64")}`;
      return other.post("/", body, { "webhook-id": id, "webhook-timestamp": String(time), "webhook-signature": `${v1} ${v1a}` });
    };
    const older = JSON.stringify({ ...JSON.parse(sample.body), sequence: 3 });
    assert.equal(await send("evt_1", sample.body), 201);
    await send("evt_2", older);
    await send("evt_3", sample.body, generateKeyPairSync("ed25519").privateKey);
    const blocks = await other.about("sequence", 3);
    assert.deepEqual(blocks.map((block) => /header v1a +(\w+)/.exec(block)[1]), ["right", "right", "WRONG"]);
    assert.match(blocks[0], /order of arrival new/);
    assert.match(blocks[1], /older than what came before \(4\): ignore it/);
    assert.equal(await other.post("/", "x".repeat(300_000)).catch(() => 413), 413);
    assert.equal((await fetch(other.origin)).status, 405);
  } finally {
    await other.close();
    rmSync(folder, { recursive: true });
  }
});

test("a wrong option is named with what is allowed", async () => {
  for (const [args, named] of [[["--answer", "99"], /ANSWER must be a status from 200 to 599, or hang/], [["--secret", "abc"], /SECRET must be whsec_/], [["--port", "70000"], /PORT must be a number/]]) {
    const child = spawn(process.execPath, [at("scripts", "listen.mjs"), ...args], { env: { PATH: process.env.PATH }, stdio: ["ignore", "ignore", "pipe"] });
    let text = "";
    child.stderr.setEncoding("utf8").on("data", (more) => (text += more));
    assert.equal(await new Promise((resolve) => child.once("close", resolve)), 1);
    assert.match(text, named);
  }
});
