/** The package `till-checkout`: what it publishes, its types, and its client against a running Worker. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { buildCheckout } from "../../scripts/checkout.mjs";
import { ELEMENT, NODE_BIN, at, run } from "../../scripts/project.mjs";
import { start } from "./harness.mjs";
import { eventually, payWith } from "./payer.mjs";
import { googleToken } from "./wallets.mjs";
import { MOST_OF_ELEMENT, MOST_OF_MODULE } from "./weight.mjs";

const PACKAGE = at("clients", "checkout");
/** @type {import("./harness.mjs").Till} */
let till;
let built;

before(async () => {
  await buildCheckout();
  built = await import(join(PACKAGE, "dist", "client.js"));
  till = await start();
  await till.createMerchant();
});
after(() => till.stop());

async function checkout(fields = {}, options = {}) {
  const { body, status, text } = await till.create({ pg_codes: ["knet", "cash"], ...fields });
  assert.equal(status, 201, text);
  return built.createCheckout({ origin: till.url, sessionId: body.session_id, ...options });
}

const thrown = (work) => work.then(() => assert.fail("nothing was thrown"), (error) => error);

test("the package has its modules and types, no dependency, and an element that is not too large", () => {
  const folder = mkdtempSync(join(tmpdir(), "till-pack-"));
  const [{ files }] = JSON.parse(execFileSync("npm", ["pack", "--json", "--pack-destination", folder], { cwd: PACKAGE, encoding: "utf8" }));
  rmSync(folder, { recursive: true });
  const names = files.map(({ path }) => path);
  const manifest = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8"));
  const exported = Object.values(manifest.exports).flatMap(Object.values).map((path) => path.slice(2));
  for (const name of [...exported, "dist/types.d.ts", "dist/schema.d.ts", "README.md", "package.json"]) assert.ok(names.includes(name), name);
  assert.deepEqual(names.filter((name) => name.startsWith("src") || name.startsWith("test")), []);
  assert.equal(manifest.dependencies, undefined);
  const [element, ...words] = ["element.js", "en.js", "ar.js"].map((file) => readFileSync(join(PACKAGE, "dist", file)));
  const gzip = (bytes) => gzipSync(bytes, { level: 9 }).length;
  assert.ok(gzip(element) + Math.max(...words.map(gzip)) <= MOST_OF_ELEMENT);
  assert.doesNotMatch(element.toString(), /innerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/);
});

test("the module that a page of a shop fetches is not too large, and the one that Till serves is that of the package", async () => {
  const folder = join(PACKAGE, "dist", "wasm");
  const files = readdirSync(folder).filter((file) => !file.endsWith(".d.ts"));
  assert.deepEqual(files.map((file) => file.replace(/-\w+\./, ".")).sort(), ["index.js", "till.js", "till.js", "till.wasm"]);
  const sizes = files.map((file) => gzipSync(readFileSync(join(folder, file)), { level: 9 }).length);
  assert.ok(sizes.reduce((all, size) => all + size, 0) <= MOST_OF_MODULE, `${sizes}`);
  for (const file of files) {
    const response = await till.fetch(`/sdk/v1/wasm/${file}`);
    assert.equal(response.status, 200, file);
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), readFileSync(join(folder, file)));
    assert.equal(response.headers.get("content-type").split(";")[0], file.endsWith(".js") ? "text/javascript" : "application/wasm");
    assert.equal(response.headers.get("access-control-allow-origin"), "*");
  }
  assert.equal((await till.fetch("/sdk/v1/wasm/module.d.ts")).status, 404);
});

test("the element that Till serves is the one of the package", async () => {
  for (const [name, { source }] of Object.entries(ELEMENT)) {
    const response = await till.fetch(`/sdk/v1/${name}`);
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), readFileSync(join(PACKAGE, "dist", source)));
    assert.equal(response.headers.get("access-control-allow-origin"), "*");
    assert.equal(response.headers.get("cross-origin-resource-policy"), "cross-origin");
  }
});

test("the compiler accepts calls of the guide and refuses others", async () => {
  const options = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess", "--target", "ES2022", "--lib", "ES2022,DOM,DOM.Iterable", "--typeRoots", "none"];
  await run(join(NODE_BIN, "tsc"), [...options, "--module", "ESNext", "--moduleResolution", "Bundler", join(PACKAGE, "test", "types.ts"), join(PACKAGE, "test", "wasm.ts")], { quiet: true });
});

test("a session is loaded, a method chosen, and the state followed to its end", async () => {
  const one = await checkout();
  const { state, payment_methods, billing } = await one.load();
  assert.deepEqual([state, payment_methods.map(({ code }) => code), billing.amount.value], ["pending", ["knet", "cash"], "10.500"]);
  const states = [];
  const { redirect_url } = await one.submit("knet");
  for await (const session of one.follow({ first: 20, longest: 50 })) {
    states.push(session.state);
    if (states.length === 1) await payWith(till, redirect_url, "visa-approve");
  }
  assert.deepEqual(states, ["pending", "paid"]);
});

test("following ends when its signal aborts, and goes on when the connection breaks in between", async () => {
  const end = new AbortController();
  let calls = 0;
  const fetch = (...given) => (++calls === 2 ? Promise.reject(new TypeError("the connection broke")) : globalThis.fetch(...given));
  const one = await checkout({}, { fetch });
  const seen = [];
  const over = sleep(300).then(() => eventually("a third question", () => calls >= 3)).finally(() => end.abort());
  for await (const { state } of one.follow({ signal: end.signal, first: 10, longest: 10 })) seen.push(state);
  await over;
  assert.deepEqual(seen, ["pending"]);
  assert.ok(calls < 40, `${calls} questions`);
});

test("it asks less and less often", async () => {
  const [asked, answered] = [[], []];
  const fetch = async (...given) => {
    asked.push(performance.now());
    return globalThis.fetch(...given).finally(() => answered.push(performance.now()));
  };
  const end = new AbortController();
  const one = await checkout({}, { fetch });
  const over = sleep(1500).then(() => eventually("four pauses", () => asked.length > 4)).finally(() => end.abort());
  for await (const _ of one.follow({ signal: end.signal, first: 100, longest: 400 }));
  await over;
  const pauses = asked.slice(1).map((time, place) => time - answered[place]);
  assert.ok(pauses.length <= 8, `${pauses}`);
  assert.ok(pauses.at(-1) > pauses[0] * 1.4, `${pauses}`);
});

test("a refusal, an address without an answer and a foreign answer are three kinds of errors", async () => {
  const unknown = built.createCheckout({ origin: till.url, sessionId: "0".repeat(40) });
  const refused = await thrown(unknown.load());
  assert.ok(refused instanceof built.RefusedError && refused instanceof built.CheckoutError);
  assert.deepEqual([refused.code, refused.status], ["not_found", 404]);
  const one = await checkout();
  const wrong = await thrown(one.submit("nope"));
  assert.deepEqual([wrong.code, Object.keys(wrong.problem.errors)], ["invalid_fields", ["pg_code"]]);
  const gone = await thrown(built.createCheckout({ origin: "http://127.0.0.1:1", sessionId: one.sessionId }).load());
  assert.ok(gone instanceof built.UnreachableError);
  const foreign = await thrown(built.createCheckout({ origin: till.url, sessionId: one.sessionId, fetch: async () => new Response("<html>", { status: 502 }) }).load());
  assert.ok(foreign instanceof built.UnexpectedAnswerError);
  const aborted = await thrown(one.load({ signal: AbortSignal.abort() }));
  assert.equal(aborted.name, "AbortError");
  assert.throws(() => built.createCheckout({ origin: till.url, sessionId: "../x" }), TypeError);
  await assert.rejects(async () => { for await (const _ of unknown.follow()); }, built.RefusedError);
});

test("what a wallet returned pays, and a declined one is an outcome", async () => {
  const [one, other] = [await checkout({ pg_codes: ["credit-card"], amount: "10.000" }), await checkout({ pg_codes: ["credit-card"], amount: "10.000" })];
  const service = async (of) => (await of.load()).payment_services.find(({ flow }) => flow === "google_pay");
  const paid = await one.payByWallet(await service(one), JSON.parse(googleToken("visa-approve")));
  assert.equal(paid.approved, true);
  const declined = await other.payByWallet(await service(other), JSON.parse(googleToken("mastercard-decline")));
  assert.equal(declined.approved, false);
});

test("a transaction is canceled, and then refuses payments", async () => {
  const one = await checkout();
  assert.equal((await one.cancel()).status, "canceled");
  assert.equal((await thrown(one.submit("knet"))).code, "not_payable");
});
