/**
 * Addresses that must reach nothing on this machine (`tests/vectors/hostile-addresses.json`): the Worker that is built for
 * production, over real sockets, with listeners on this machine that count who connects; and answers that redirect inward,
 * for the Worker of development, which may reach this machine and still follows nothing.
 */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { createServer as createHttpServer } from "node:http";
import { after, before, describe, test } from "node:test";
import { at, workerFiles } from "../../scripts/project.mjs";
import { OutboundResponse, demoSettings, start } from "./harness.mjs";
import { isOfRuntime, knowsOwners } from "./runtime.mjs";
import { assertProblem, choose, deliverNow, open } from "./payer.mjs";

const BUILD = "build-production";
const skip = existsSync(workerFiles(BUILD).script) ? false : "the Worker is not built for production";
const bindings = { PUBLIC_URL: "https://pay.example.com" };
const vectors = JSON.parse(readFileSync(at("tests", "vectors", "hostile-addresses.json"), "utf8"));

/** The ports that addresses without a port lead to. Other programs of this machine may connect to them. */
const USUAL = [443, 80, 8443];
/** The runtimes of this file: only what they open counts. */
const runtimes = [];
const begin = async (options) => {
  const till = await start(options);
  runtimes.push(till.pid());
  return till;
};

/**
 * Listens and counts the connections of the Workers here: on ports that only this test knows, and on the usual ones if that is
 * permitted and the machine says who connects.
 */
class Listeners {
  connections = 0;
  ports = [];
  #servers = [];

  async open() {
    const usual = knowsOwners ? [...USUAL.map((port) => [port, "127.0.0.1"]), [443, "::1"]] : [];
    for (const [port, host] of [[0, "127.0.0.1"], [0, "127.0.0.1"], [0, "::1"], ...usual]) {
      const server = createServer((socket) => {
        if (port === 0 || isOfRuntime(socket, runtimes)) this.connections += 1;
        socket.destroy();
      });
      const address = await new Promise((resolve) => server.once("error", () => resolve(undefined)).listen(port, host, () => resolve(server.address())));
      if (address === undefined) continue;
      this.#servers.push(server);
      this.ports.push(address.port);
    }
    assert.ok(this.ports.length >= 2, "nothing listens");
    return this;
  }

  close() {
    return Promise.all(this.#servers.map((server) => new Promise((resolve) => server.close(resolve))));
  }
}

let listeners;
before(async () => {
  listeners = await new Listeners().open();
});
after(() => listeners.close());

/** Every hostile address, with the ports on which this test listens. */
const hostile = () => vectors.hostile.flatMap(({ addresses }) => addresses).map((address, place) =>
  address.replace("{port}", listeners.ports[place % 2]));
/** Those that a field may have: an empty text is left out. */
const given = () => [...hostile(), ...vectors.own].filter((address) => address.trim() !== "");

/** A user of a merchant with a provider creates a payment by name and password, for which the provider is asked. */
async function signIn(till, issuer, username) {
  await till.createMerchant({ single_sign_on: { issuer, audience: "till", accepts_basic: true, client_id: "till" } });
  const user = { username, permissions: ["Can add e-commerce payments", "Can use knet"] };
  assert.equal((await till.call("/b/access/v1/users/", { method: "POST", headers: till.privateKey(), json: user })).status, 201);
  return till.create({}, { authorization: `Basic ${Buffer.from(`${username}:secret words`).toString("base64")}` });
}

describe("a Worker for production", { skip }, () => {
  let till;
  before(async () => {
    till = await begin({ build: BUILD, bindings, sockets: true });
    await till.createMerchant();
  });
  after(async () => {
    await till.scheduled();
    await till.stop();
    assert.equal(listeners.connections, 0);
  });

  test("takes no time from a request", async () => {
    const { body } = await till.create({ webhook_url: "https://shop.example.com/", redirect_url: "https://shop.example.com/" }, { "till-seconds-ago": "86400" });
    assert.ok(Math.abs(Date.now() - Date.parse(body.created_at)) < 60_000, body.created_at);
  });

  test("refuses every hostile address of a transaction, when it is created, replaced and changed", async () => {
    const { body } = await till.create({ pg_codes: ["cash"] });
    const path = `/b/checkout/v1/pymt-txn/${body.session_id}/`;
    const { type, amount, currency_code, pg_codes } = body;
    for (const address of given()) {
      const wrong = { webhook_url: address, redirect_url: vectors.own.includes(address) ? "http://x/" : address };
      const created = assertProblem(await till.create(wrong), 400, "invalid_fields");
      assert.deepEqual(Object.keys(created).sort(), ["redirect_url", "webhook_url"], address);
      for (const [method, more] of [["PUT", { type, amount, currency_code, pg_codes }], ["PATCH", {}]]) {
        const answer = await till.call(path, { method, headers: till.privateKey(), json: { ...more, webhook_url: address } });
        assert.ok("webhook_url" in assertProblem(answer, 400, "invalid_fields"), `${method} ${address}`);
      }
    }
    assert.equal(listeners.connections, 0);
  });

  test("refuses every hostile address of an inquiry and of the settings", async () => {
    const { body } = await till.create({ pg_codes: ["cash"] });
    const settings = demoSettings();
    for (const address of given()) {
      const json = { session_id: body.session_id, webhook_url: address };
      const asked = await till.call("/b/pbl/v2/inquiry/", { method: "POST", headers: till.privateKey(), json });
      assert.deepEqual(Object.keys(asked.body.errors ?? {}), ["webhook_url"], `${JSON.stringify(address)} ${asked.text}`);
      const own = await till.call("/b/access/v1/webhook-addresses/", { method: "PATCH", headers: till.privateKey(), json: { e_commerce: address, operations: address } });
      assert.deepEqual(Object.keys(assertProblem(own, 400, "invalid_fields")).sort(), ["e_commerce", "operations"], address);
    }
    for (const address of hostile().filter((text) => text.trim() !== "")) {
      const plugins = { e_commerce: { ...settings.plugins.e_commerce, webhook_url: address } };
      const single_sign_on = { issuer: address, audience: "till", accepts_basic: true, client_id: "till" };
      const document = { ...settings, plugins, operations_webhook_url: address, single_sign_on };
      const answer = await till.operator("/merchants/", { method: "POST", json: { merchant_id: "hostile", settings: document } });
      const errors = assertProblem(answer, 400, "invalid_fields").settings;
      assert.ok("plugins" in errors && "operations_webhook_url" in errors && "single_sign_on" in errors, `${address}: ${JSON.stringify(errors)}`);
    }
    assert.equal(listeners.connections, 0);
  });
});

describe("a Worker for production whose merchants have a provider of single sign-on", { skip }, () => {
  test("calls no hostile address that a provider names in its description", async () => {
    const till = await begin({ build: BUILD, bindings });
    const asked = [];
    // One of each kind, and every spelling of a number.
    const named = vectors.hostile.flatMap(({ verdict, addresses }) => (verdict === "IpAddress" ? addresses.filter((_, place) => place % 4 === 0) : addresses.slice(0, 2)));
    for (const [place, address] of [...named, ...vectors.own.slice(0, 1)].entries()) {
      const issuer = `https://id-${place}.example.com`;
      const inward = address.replace("{port}", listeners.ports[0]);
      const metadata = { issuer, jwks_uri: inward, token_endpoint: inward, response_types_supported: ["code"] };
      till.outbound.on("GET", `${issuer}/.well-known/openid-configuration`, ({ url }) => {
        asked.push(url);
        return OutboundResponse.json(metadata);
      });
      assert.equal((await signIn(till, issuer, `noura-${place}`)).status, 503, address);
    }
    assert.equal(asked.length, named.length + 1);
    assert.deepEqual(till.outbound.sent.map(({ url }) => url), asked);
    assert.equal(listeners.connections, 0);
    await till.stop();
  });

  test("sends no webhook to a hostile address that is stored", async () => {
    const till = await begin({ build: BUILD, bindings });
    await till.createMerchant();
    const shop = "https://shop.example.com/hook";
    till.outbound.on("POST", shop, () => new OutboundResponse("", { status: 500 }));
    const inward = hostile().filter((address, place) => address !== "" && place % 5 === 0).concat(vectors.own);
    const payments = [];
    for (const address of inward) {
      const payment = await open(till, { pg_codes: ["cash"], webhook_url: shop, redirect_url: "https://shop.example.com/thanks" });
      await choose(till, payment, "cash");
      await deliverNow(till, payment);
      await till.rows("UPDATE delivery SET url = ?1, due_at = 0 WHERE session_id = ?2", address, payment.session_id);
      payments.push({ ...payment, address });
    }
    const before = till.outbound.sent.length;
    for (let run = 0; run < 5; run += 1) await till.scheduled();
    for (const { session_id, address } of payments) {
      const [row] = await till.rows("SELECT url, state, last_status, failed_tries FROM delivery WHERE session_id = ?1", session_id);
      assert.deepEqual([row.url, row.state, row.last_status], [address, "due", null], "it was tried and not sent");
    }
    assert.equal(till.outbound.sent.length, before);
    await till.stop();
  });
});

describe("answers that redirect inward", () => {
  const STATUSES = [301, 302, 303, 307, 308];
  let till, server, asked;
  const origin = () => `http://127.0.0.1:${server.address().port}`;

  before(async () => {
    asked = [];
    server = createHttpServer((request, response) => {
      asked.push(request.url);
      const { searchParams } = new URL(request.url, origin());
      const [status, location] = [searchParams.get("status") ?? "302", searchParams.get("to") ?? `http://127.0.0.1:${listeners.ports[0]}/`];
      response.writeHead(Number(status), { location }).end();
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    till = await begin({ sockets: true });
    await till.createMerchant();
  });
  after(async () => {
    await till.stop();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  test("are not followed by a webhook, whatever the status and the address", async () => {
    const port = listeners.ports[0];
    const inward = ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]"].map((host) => `http://${host}:${port}/`);
    const all = [...inward, `//127.0.0.1:${port}/`, "https://127.0.0.1/", "https://localhost/", "/followed", "file:///etc/passwd"];
    const plans = STATUSES.flatMap((status, place) => (place === 1 || place === 3 ? all : all.slice(0, 1)).map((to) => ({ status, to })));
    for (const { status, to } of plans) {
      const webhook_url = `${origin()}/hook?${new URLSearchParams({ status, to })}`;
      const payment = await open(till, { pg_codes: ["cash"], webhook_url });
      const sent = await choose(till, payment, "cash");
      await till.fetch(sent.headers.get("location"));
      const [row] = await till.rows("SELECT state, last_status FROM delivery WHERE session_id = ?1", payment.session_id);
      assert.deepEqual([row.state, row.last_status], ["due", status], to);
    }
    assert.equal(asked.filter((url) => url.startsWith("/hook")).length, plans.length);
    assert.ok(!asked.includes("/followed"));
    assert.equal(listeners.connections, 0);
  });

  test("are not followed when a provider's description is asked for", async () => {
    const issuer = origin();
    assert.equal((await signIn(till, issuer, "noura")).status, 503);
    assert.equal(asked.filter((url) => url === "/.well-known/openid-configuration").length, 1);
    assert.equal(listeners.connections, 0);
  });
});

test("the runtime itself sends nothing to a name that resolves to this machine, if it reaches the public network alone", async () => {
  const till = await begin({ sockets: "public" });
  await till.createMerchant();
  for (const host of ["localhost", "127.0.0.1"]) {
    const payment = await open(till, { pg_codes: ["cash"], webhook_url: `http://${host}:${listeners.ports[0]}/` });
    await choose(till, payment, "cash");
    // The runtime calls a run in which it has refused a connection a failure, although the handler has finished.
    await deliverNow(till, payment).catch(() => {});
    const tries = await till.rows("SELECT status FROM delivery_try WHERE delivery_id = (SELECT id FROM delivery WHERE session_id = ?1)", payment.session_id);
    assert.ok(tries.length >= 1 && tries.every(({ status }) => status === null), host);
  }
  assert.ok(till.log.some((line) => line.includes("blocked by restrictPeers")), "it was the runtime that refused");
  assert.equal(listeners.connections, 0);
  await till.stop();
});
