/**
 * `make deploy` against a stand-in for wrangler, whose account is a file, and a real Till behind it that answers as the deployed
 * Worker.
 */
import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { at } from "../../scripts/project.mjs";
import { start } from "../worker/harness.mjs";
import { Account, PUBLIC_URL, assertComplete, folder, linkOf } from "./account.mjs";

const without = (members, ...names) => Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)));

describe("a whole deployment", () => {
  let till;
  before(async () => {
    till = await start({ bindings: { PUBLIC_URL } });
  });
  after(() => till?.stop());
  let merchants = 0;
  const here = () => ({ CHECK_AT: till.url, MERCHANT: `shop-${++merchants}` });

  test("a new account gets everything once, with secrets that nothing shows, and a link that can be paid", async () => {
    const account = new Account();
    // The Worker answers once it is deployed, with the secrets that it was sent.
    let deployed;
    const front = createServer(async (request, response) => {
      const worker = account.state.workers?.till;
      if (!worker?.deployments) return response.writeHead(404).end();
      deployed ??= start({ bindings: { ...worker.secrets, PUBLIC_URL: worker.vars.PUBLIC_URL } });
      const chunks = [];
      for await (const chunk of request) chunks.push(chunk);
      const headers = without(request.headers, "host", "connection", "content-length", "transfer-encoding");
      const answer = await fetch((await deployed).url + request.url, { method: request.method, headers, redirect: "manual", body: chunks.length > 0 ? Buffer.concat(chunks) : undefined });
      return response.writeHead(answer.status, without(Object.fromEntries(answer.headers), "content-encoding", "content-length")).end(Buffer.from(await answer.arrayBuffer()));
    });
    await new Promise((resolve) => front.listen(0, "127.0.0.1", resolve));
    try {
      const env = { CHECK_AT: `http://127.0.0.1:${front.address().port}`, SHOP_NAME: "Noura's tea", WAIT_SECONDS: "20" };
      const first = await account.deploy(env);
      assert.equal(first.code, 0, first.printed);
      assertComplete(account);
      const link = linkOf(first);
      assert.match(link, /^https:\/\/pay\.example\.com\/b\/checkout\/redirect\/start\/\?session_id=[0-9a-f]{40}$/);
      const worker = await deployed;
      const page = await worker.call(link.slice(PUBLIC_URL.length));
      assert.match(page.text, /Noura(?:'|&#39;|&#x27;)s tea/);
      const secrets = Object.values(account.of("secrets"));
      assert.equal(secrets.length, 3);
      const { private_key, webhook_signing_secret } = account.of("merchants").shop;
      assert.ok(private_key && webhook_signing_secret);
      for (const secret of [...secrets, private_key, webhook_signing_secret]) {
        assert.ok(!first.printed.includes(secret), "printed");
        assert.ok(!JSON.stringify(account.calls).includes(secret), "in the arguments of a program");
        for (const file of ["answers", "wrangler"]) assert.ok(!JSON.stringify(account.of(file)).includes(secret), `in ${file}.json`);
      }
      for (const file of ["secrets", "merchants", "answers", "wrangler"]) assert.equal(statSync(join(account.stored, "till", `${file}.json`)).mode & 0o777, 0o600, file);
      assert.equal(statSync(join(account.stored, "till")).mode & 0o777, 0o700);

      const before = account.of("secrets");
      // What was answered once is not asked again.
      const second = await account.deploy({ ...env, PUBLIC_URL: "" });
      assert.equal(second.code, 0, second.printed);
      assertComplete(account);
      assert.deepEqual(account.of("secrets"), before);
      assert.equal(linkOf(second), link);
      assert.doesNotMatch(second.printed, /: made\b|sent/);
      assert.equal(account.calls.filter(({ args }) => args[1] === "create" || args[2] === "create" || args[1] === "bulk").length, 6);
    } finally {
      front.close();
      await (await deployed)?.stop();
    }
  });

  test("secrets that were generated before a kill are those that are sent", async () => {
    const account = new Account();
    account.write("fault.json", { at: "secret bulk", how: "kill" });
    assert.equal((await account.deploy(here())).code, "SIGKILL");
    const generated = account.of("secrets");
    const next = await account.deploy(here());
    // The Till behind this one has other secrets.
    assert.match(next.printed, /another OPERATOR_TOKEN/);
    assert.deepEqual(account.state.workers.till.secrets, generated);
  });

  test("a Worker of the same name that is no Till is not replaced, nor one whose secrets are not here", async () => {
    for (const [secrets, said] of [[{}, /which is no Till: choose another TILL_NAME/], [{ API_KEY: "x" }, /which is no Till/], [{ OPERATOR_TOKEN: "x", SEAL_KEY: "y", RECEIPT_KEY: "z" }, /SEAL_KEY cannot be replaced here/]]) {
      const account = new Account({ workers: { till: { secrets, deployments: 3 } } });
      const refused = await account.deploy(here());
      assert.equal(refused.code, 1);
      assert.match(refused.printed, said);
      assert.deepEqual(account.state.workers, { till: { secrets, deployments: 3 } });
      assert.deepEqual(account.calls.map(({ args }) => args[0]), ["whoami", "secret"]);
    }
  });

  test("of several accounts one must be named, and it is used in every call", async () => {
    const accounts = [{ id: "4f1c0a7be2d94d35a8c6b19e70d2f583", name: "One" }, { id: "9b2e7c41f0a84d6cb35a1d0e8f7c6b52", name: "Two" }];
    const account = new Account({ accounts });
    account.know();
    const refused = await account.deploy(here());
    assert.match(refused.printed, /CLOUDFLARE_ACCOUNT_ID is missing: there are several accounts\. Nothing was done\.\n {2}4f1c\w+ {2}One\n {2}9b2e\w+ {2}Two/);
    assert.match((await account.deploy({ ...here(), CLOUDFLARE_ACCOUNT_ID: "1b2e7c41f0a84d6cb35a1d0e8f7c6b52" })).printed, /none of the accounts/);
    const done = await account.deploy({ ...here(), CLOUDFLARE_ACCOUNT_ID: accounts[1].id });
    assert.equal(done.code, 0, done.printed);
    const own = account.calls.filter(({ args }) => args[0] !== "whoami").map((call) => call.account);
    assert.deepEqual([...new Set(own)], [accounts[1].id]);
    assert.equal(account.of("wrangler").account_id, accounts[1].id);
  });

  test("an id that nobody was given is not deployed with", async () => {
    for (const state of [{ nextDatabaseId: "00000000-0000-0000-0000-000000000000" }, { nextNamespaceId: "00000000000000000000000000000002" }]) {
      const account = new Account(state);
      account.know();
      const refused = await account.deploy(here());
      assert.match(refused.printed, /wrangler answered no usable id of the (database till|namespace till-files)/);
      assert.deepEqual(account.state.workers ?? {}, {});
    }
  });

  test("two installations are in one account, and a merchant that exists gets a new key", async () => {
    const account = new Account();
    account.know("pay");
    const env = { ...here(), TILL_NAME: "pay" };
    const done = await account.deploy(env);
    assert.equal(done.code, 0, done.printed);
    assertComplete(account, "pay");
    rmSync(join(account.stored, "pay", "merchants.json"));
    const again = await account.deploy(env);
    assert.match(again.printed, /exists; it has a new key, named "make deploy"/);
    assert.ok(linkOf(again));
  });

  test("settings from a file are used, and their faults are said by field", async () => {
    const account = new Account();
    account.know();
    const path = join(folder(), "settings.json");
    const document = JSON.parse(readFileSync(at("scripts", "demo-settings.json"), "utf8"));
    writeFileSync(path, JSON.stringify({ ...document, country: "Kuwait" }));
    const env = { ...here(), SETTINGS: path };
    const refused = await account.deploy(env);
    assert.match(refused.printed, /settings of the merchant shop-\d+ were refused \(400\):[\s\S]*country/);
    writeFileSync(path, JSON.stringify({ ...document, name: { en: "Cups", ar: "أكواب" } }));
    const done = await account.deploy(env);
    assert.equal(done.code, 0, done.printed);
    assert.match((await till.call(linkOf(done).slice(PUBLIC_URL.length))).text, /Cups/);
  });

  test("a build for development is not deployed, and a dry run finds a Worker that is no Till", async () => {
    const account = new Account({ workers: { till: { secrets: {}, deployments: 3 } } });
    const refused = await account.deploy({ ...here(), TILL_PROFILE: "development", WRANGLER: "" });
    assert.match(refused.printed, /TILL_PROFILE=development would deploy a build for development/);
    const found = await account.deploy(here(), ["--dry-run"]);
    assert.deepEqual([found.code, /which is no Till/.test(found.printed)], [1, true]);
  });

  test("a dry run changes nothing, signed in or not", async () => {
    for (const state of [{}, { isLoggedIn: false }]) {
      const account = new Account(state);
      const done = await account.deploy({ ...here() }, ["--dry-run"]);
      assert.equal(done.code, 0, done.printed);
      assert.match(done.printed, state.isLoggedIn === false ? /not looked at: Nobody is logged in/ : /database till: would be made/);
      assert.match(done.printed, /Total Upload/);
      const { databases, namespaces, queues, workers } = account.state;
      assert.deepEqual([databases, namespaces, queues, workers], [[], [], [], {}]);
      assert.ok(!existsSync(account.stored));
      const written = account.calls.map(({ args }) => args.slice(0, 2).join(" ")).filter((call) => /create|bulk|put|migrations/.test(call));
      assert.deepEqual(written, []);
    }
  });
});

describe("what answers in place of the Worker", () => {
  /** A server that answers as a broken installation. */
  async function broken(answer, check) {
    const server = createServer((request, response) => {
      const { status = 200, body = {}, headers = {} } = answer(request.url);
      response.writeHead(status, { "content-type": "application/json", ...headers }).end(typeof body === "string" ? body : JSON.stringify(body));
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    const account = new Account();
    account.know();
    const failed = await account.deploy({ CHECK_AT: `http://127.0.0.1:${server.address().port}`, WAIT_SECONDS: "1" });
    server.close();
    assert.equal(failed.code, 1, failed.printed);
    assert.match(failed.printed, check);
  }
  const health = { status: "ok", version: "0.1.0", sandbox: true };

  for (const [name, answer, check] of [
    ["the version before it", () => ({ body: { ...health, version: "0.0.9" } }), /did not answer as version 0\.1\.0 within 1 s, last: 200 .*0\.0\.9/],
    ["a Worker that lacks something", () => ({ status: 503 }), /last: 503\. A 503 has its reason in the log/],
    ["another page", () => ({ body: "<h1>parked</h1>" }), /did not answer as version/],
    ["a Worker without the simulated bank", () => ({ body: { ...health, sandbox: false } }), /says "sandbox": false, and true was built/],
    ["a Worker with another token", (path) => (path === "/healthz" ? { body: health } : { status: 401 }), /another OPERATOR_TOKEN/],
    ["a Worker without its database", (path) => (path === "/healthz" ? { body: health } : { status: 503 }), /operator API answered 503: is the database up to date/],
    ["something that removes headers", (path) => {
      if (path === "/healthz") return { body: health };
      if (path.endsWith("/operators/")) return { body: [] };
      if (path.endsWith("/merchants/")) return { status: 201, body: { private_key: "k" } };
      return path.startsWith("/b/checkout/v1/") ? { status: 201, body: { checkout_url: `${PUBLIC_URL}/b/checkout/redirect/start/?session_id=1` } } : { body: "page", headers: { "x-content-type-options": "nosniff" } };
    }, /lacks the headers content-security-policy, referrer-policy, strict-transport-security, cache-control/],
  ]) {
    test(`${name} is found`, () => broken(answer, check));
  }

  test("the operator's token is sent nowhere in the clear", async () => {
    const account = new Account();
    account.know();
    assert.match((await account.deploy({ CHECK_AT: "http://pay.example.com" })).printed, /CHECK_AT must begin with https/);
  });
});
