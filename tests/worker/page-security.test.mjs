/**
 * The inventory of scripts equals what is served: hashes and sizes of the bytes, and the security headers of each kind of page. The
 * installation compares that itself once an hour, and reports what another hand changed.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { after, afterEach, before, test } from "node:test";
import { OPERATOR_TOKEN, OutboundResponse, start } from "./harness.mjs";
import { atTheBank, open } from "./payer.mjs";
import { freePort } from "./runtime.mjs";
import { MANIFEST } from "../../scripts/project.mjs";

/** @type {import("./harness.mjs").Till} */
let till;
let inventory;

before(async () => {
  till = await start({ alone: true });
  await till.createMerchant({}, "demo");
  inventory = (await till.call("/script-inventory.json")).body;
});
after(() => till.stop());

/** The Workers of one test. */
const running = [];
afterEach(async () => {
  for (const other of running.splice(0)) await other.stop();
});

const digest = (bytes, name) => `${name}-${createHash(name).update(bytes).digest("base64")}`;
/** The path of the script of the checkout page. */
const SCRIPT = JSON.parse(readFileSync(MANIFEST, "utf8")).script.path;
const START = "/b/checkout/redirect/start/";

/** A path of each kind of page that the inventory names. */
async function examples() {
  const { session_id } = await open(till);
  const { page } = await atTheBank(till);
  return {
    checkout: [`${START}?session_id=${session_id}`, `${START}?sample`],
    "without a script": [START, "/b/problems/not_found/", "/b/problems/no-such-code/"],
    sandbox: [new URL(page, till.url).pathname, "/sandbox/inbox/one/", "/sandbox/shop/", "/sandbox/gallery/"],
    "demo shop": [`/sandbox/shop/pay/?session_id=${session_id}`],
    "demo shop with the package": [`/sandbox/shop/own/?session_id=${session_id}`],
    receipt: ["/receipt/verify.html"],
    reference: ["/docs/"],
  };
}

test("every file of the inventory is served with its size and both hashes, and never read as another type", async () => {
  assert.ok(inventory.scripts.length >= 3);
  for (const { path, size, sha256, sha384, purpose, authorised_by } of inventory.scripts) {
    const response = await till.fetch(path);
    const bytes = Buffer.from(await response.arrayBuffer());
    assert.deepEqual([response.status, bytes.length, digest(bytes, "sha256"), digest(bytes, "sha384")], [200, size, sha256, sha384], path);
    assert.equal(response.headers.get("x-content-type-options"), "nosniff", path);
    assert.ok(purpose.length > 20 && authorised_by.length > 20, path);
  }
});

/** The paths of modules and of what they import by their text, now or later. */
async function modules(paths, known = new Set()) {
  for (const path of paths.filter((one) => !known.has(one))) {
    known.add(path);
    const { text } = await till.call(path);
    const imports = [...text.matchAll(/\b(?:from|import)\s*\(?\s*["'](\.[^"']+\.js)["']/g)];
    await modules(imports.map(([, from]) => new URL(from, new URL(path, till.url)).pathname), known);
  }
  return [...known].sort();
}

test("each kind of page is served with the headers of the inventory, and loads scripts of the inventory only", async () => {
  const paths = await examples();
  assert.deepEqual(inventory.pages.map(({ name }) => name), Object.keys(paths));
  for (const { name, headers: expected, policy } of inventory.pages) {
    for (const path of paths[name]) {
      const { headers, text } = await till.call(path);
      for (const [header, value] of Object.entries(expected)) assert.equal(headers.get(header), value, `${path} ${header}`);
      const given = Object.fromEntries(headers.get("content-security-policy").split("; ").map((line) => [line.split(" ")[0], line.split(" ").slice(1)]));
      for (const [directive, sources] of Object.entries(policy)) {
        assert.deepEqual(given[directive], sources.map((source) => source.replace("{origin}", till.url)), `${path} ${directive}`);
      }
      assert.equal("script-src" in given, "script-src" in policy, path);
      assert.doesNotMatch(headers.get("content-security-policy"), /data:|unsafe-inline|unsafe-eval'(?<!wasm-unsafe-eval')/);
      const listed = inventory.scripts.filter(({ pages }) => pages.includes(name));
      const loaded = [...text.matchAll(/<script\b[^>]* src="([^"]+)"/g)].map(([, src]) => new URL(src, new URL(path, till.url)).pathname);
      // The element imports the module only for an attribute that the demo shop does not have.
      const reached = (await modules(loaded)).filter((of) => name !== "demo shop" || !of.startsWith("/sdk/v1/wasm/"));
      assert.deepEqual(reached, listed.filter(({ kind }) => kind === "module").map(({ path: of }) => of).sort(), path);
      const inline = [...text.matchAll(/<script>([^<]*)<\/script>/g)].map(([, code]) => digest(code, "sha256"));
      const carried = listed.filter(({ kind }) => kind === "inline").map(({ sha256 }) => sha256);
      assert.deepEqual(inline, path.endsWith("?sample") ? carried : [], `${path}: only a page with wallets has one, and the sample is such a page`);
      assert.equal((text.match(/<script\b/g) ?? []).length, loaded.length + inline.length, path);
    }
  }
});

/** What a Worker logs, and what its metrics say. */
function observed(other) {
  const events = (event) => other.log.filter((line) => line.includes(`"event":"${event}"`)).map((line) => JSON.parse(line));
  const metric = async (name) => {
    const { text } = await other.call("/metrics", { headers: { authorization: `Bearer ${OPERATOR_TOKEN}` } });
    return Number(new RegExp(`^${name} (\\d+)$`, "m").exec(text)?.[1]);
  };
  return { events, metric };
}

/** A Worker that checks its pages, whose own addresses are reached through `tamper`. */
async function checking(tamper = (_path, answer) => answer) {
  const other = await start({ bindings: { PAGE_CHECK: "on", PUBLIC_URL: "http://pay.test" } });
  running.push(other);
  other.outbound.on("GET", /^http:\/\/pay\.test\//, async ({ url, headers }) => {
    const { pathname, search } = new URL(url);
    const response = await fetch(`${other.url}${pathname}${search}`, { headers: { accept: headers.accept }, redirect: "manual" });
    const answer = { status: response.status, headers: Object.fromEntries(response.headers), body: Buffer.from(await response.arrayBuffer()) };
    delete answer.headers["content-length"];
    delete answer.headers["content-encoding"];
    const { status, body, headers: sent } = tamper(`${pathname}${search}`, answer);
    // A copy: a small buffer is a part of a larger one, which is shared.
    return new OutboundResponse(new Uint8Array(body), { status, headers: sent });
  });
  return { other, ...observed(other) };
}

test("the installation requests its scripts and pages once an hour, and finds them as they were published", async () => {
  const { other, events, metric } = await checking();
  for (let run = 0; run < 3; run += 1) await other.scheduled();
  const requested = inventory.scripts.length + 4;
  assert.deepEqual(events("page_checked").map(({ differences, requested, unanswered }) => [differences, requested, unanswered]), [[0, requested, 0]]);
  assert.deepEqual(events("page_changed"), []);
  assert.equal(other.outbound.to(/^http:\/\/pay\.test\//).length, requested);
  assert.ok(Math.abs((await metric("till_page_check_timestamp_seconds")) - Date.now() / 1000) < 60);
  assert.equal(await metric("till_page_check_differences"), 0);
});

test("no second check is made within an hour where the note of the first is not visible yet", async () => {
  const { other, events } = await checking();
  const now = new Date();
  // As another place has counted its check of this hour.
  await other.rows("INSERT INTO call_count (caller, day, calls) VALUES (?1, ?2, 1)", `page-check ${now.getUTCHours()}`, String(Math.floor(now.getTime() / 86_400_000)));
  await other.scheduled();
  assert.deepEqual(events("page_checked"), []);
  await other.call("/healthz");
});

for (const [what, path, part, change] of [
  ["a script with one more byte", new RegExp(SCRIPT), "body", (answer) => ({ ...answer, body: Buffer.concat([answer.body, Buffer.from("\n")]) })],
  ["a module with one other bit", /^\/pkg\/.*\.wasm$/, "body", (answer) => { answer.body[1000] ^= 1; return answer; }],
  ["a script that is gone", new RegExp(SCRIPT), "status", (answer) => ({ ...answer, status: 404 })],
  ["a page with a foreign script", /^\/b\/checkout\/[a-z/]*$/, "body", (answer) => ({ ...answer, body: Buffer.from(answer.body.toString().replace("</head>", '<script src="https://evil.example/x.js"></script></head>')) })],
  ["a page of a payer with a foreign script", /^\/b\/checkout\/.*sample/, "body", (answer) => ({ ...answer, body: Buffer.from(answer.body.toString().replace("</head>", '<script src="https://evil.example/x.js"></script></head>')) })],
  ["a page of a payer with a policy that lets another script in", /^\/b\/checkout\/.*sample/, "content-security-policy", (answer) => ({ ...answer, headers: { ...answer.headers, "content-security-policy": answer.headers["content-security-policy"].replace("/pkg/", "/") } })],
  ["a page of a receipt with another byte", /^\/receipt\/verify\.html$/, "body", (answer) => ({ ...answer, body: Buffer.concat([answer.body, Buffer.from("\n")]) })],
  ["a page of a receipt with a weaker policy", /^\/receipt\//, "content-security-policy", (answer) => ({ ...answer, headers: { ...answer.headers, "content-security-policy": "default-src *" } })],
  ["a page with a weaker policy", /^\/b\/problems\//, "content-security-policy", (answer) => ({ ...answer, headers: { ...answer.headers, "content-security-policy": "default-src *" } })],
]) {
  test(`${what} is reported by the log and the metrics`, async () => {
    const { other, events, metric } = await checking((at, answer) => (path.test(at) ? change(answer) : answer));
    await other.scheduled();
    const [changed, ...more] = events("page_changed");
    assert.deepEqual([changed?.part, more], [part, []]);
    assert.match(changed.path, path);
    assert.equal(await metric("till_page_check_differences"), 1);
    });
}

test("addresses that do not answer are counted as such, and not as changed", async () => {
  const other = await start({ sockets: true, bindings: { PAGE_CHECK: "on", PUBLIC_URL: `http://127.0.0.1:${await freePort()}` } });
  running.push(other);
  const { events, metric } = observed(other);
  await other.scheduled();
  assert.deepEqual(events("page_changed"), []);
  const [{ unanswered, requested, differences }] = events("page_checked");
  assert.deepEqual([unanswered, differences, await metric("till_page_check_unanswered")], [requested, 0, requested]);
});
