/**
 * What holds for every address of the API: retrieving, 404 and 405, HEAD, request ids, problem bodies and
 * their pages.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { request } from "node:http";
import { OPERATOR_TOKEN, start } from "./harness.mjs";
import { assertProblem, open } from "./payer.mjs";

const PATH = "/b/checkout/v1/pymt-txn/";
const MISSING = `00${"0".repeat(38)}`;

/** @type {import("./harness.mjs").Till} */
let till;
let mine, theirs;

before(async () => {
  till = await start();
  theirs = await till.createMerchant();
  mine = await till.createMerchant();
});
after(() => till.stop());

test("retrieving answers what creating answered", async () => {
  const created = await till.create({ order_no: "A-1", extra: { a: [1] }, customer_email: "sara@example.com" });
  const retrieved = await till.retrieve(created.body.session_id);
  assert.equal(retrieved.status, 200);
  assert.equal(retrieved.text, created.text);
  assert.equal(retrieved.headers.get("content-type"), "application/json");
  assert.equal(retrieved.headers.get("cache-control"), "no-store");
  assert.equal(retrieved.headers.get("x-content-type-options"), "nosniff");
});

test("a transaction is retrieved without the trailing slash, and with a query", async () => {
  const { body, text } = await till.create();
  for (const path of [PATH + body.session_id, `${PATH}${body.session_id}/?x=1`]) {
    const answer = await till.call(path, { headers: till.privateKey() });
    assert.deepEqual([answer.status, answer.text], [200, text], path);
  }
});

test("a session id that does not exist or is malformed answers 404", async () => {
  for (const id of [MISSING, MISSING.slice(1), `${MISSING}0`, "nonsense", MISSING.replace("0", "F"), "..%2f..", "%00", "null"]) {
    assertProblem(await till.call(`${PATH}${id}/`, { headers: till.privateKey() }), 404, "not_found");
  }
});

test("another merchant's transaction answers exactly as one that does not exist", async () => {
  const { body } = await till.create();
  const headers = { ...till.privateKey(theirs), "x-request-id": "same" };
  const foreign = await till.call(`${PATH}${body.session_id}/`, { headers });
  const missing = await till.call(`${PATH}${MISSING}/`, { headers });
  assertProblem(foreign, 404, "not_found");
  assert.equal(foreign.text, missing.text);
  const names = ({ headers: found }) => [...found].filter(([name]) => name !== "date");
  assert.deepEqual(names(foreign), names(missing));
});

test("retrieving needs a private key", async () => {
  const { body } = await till.create();
  const path = `${PATH}${body.session_id}/`;
  assertProblem(await till.call(path), 401, "credentials_missing");
  assertProblem(await till.call(path, { headers: { authorization: "Api-Key nonsense" } }), 401, "credentials_invalid");
  assertProblem(await till.call(path, { headers: { authorization: `Api-Key ${mine.public_key}` } }), 401, "private_key_required");
  assertProblem(await till.call(path, { headers: { authorization: `Bearer ${OPERATOR_TOKEN}` } }), 401, "credentials_invalid");
});

test("HEAD answers as GET does, without a body", async () => {
  const { body } = await till.create();
  const path = `${PATH}${body.session_id}/`;
  const got = await till.call(path, { headers: till.privateKey() });
  const head = await till.call(path, { method: "HEAD", headers: till.privateKey() });
  assert.deepEqual([head.status, head.text], [200, ""]);
  assert.equal(head.headers.get("content-type"), got.headers.get("content-type"));
  const page = await till.fetch(`/b/checkout/redirect/start/?session_id=${body.session_id}`, { method: "HEAD" });
  assert.deepEqual([page.status, await page.text()], [200, ""]);
  const missing = await till.fetch(`${PATH}${MISSING}/`, { method: "HEAD", headers: till.privateKey() });
  assert.deepEqual([missing.status, await missing.text()], [404, ""]);
});

test("a wrong method answers 405 and names the right ones", async () => {
  const reference = "ABCDEFGHJKMNP";
  for (const [path, wrong, allow] of [
    [PATH, ["PUT", "PATCH", "DELETE", "OPTIONS"], "GET, POST"],
    [`${PATH}${MISSING}/`, ["POST", "DELETE", "OPTIONS"], "GET, PUT, PATCH"],
    ["/b/checkout/redirect/start/", ["POST"], "GET"],
    ["/b/checkout/redirect/pay/", ["GET"], "POST"],
    [`/b/checkout/redirect/status/${MISSING}/`, ["POST"], "GET"],
    [`/b/gw/v1/callback/${reference}/`, ["PUT"], "GET, POST"],
    ["/b/gw/v1/account/demo/knet/", ["GET"], "POST"],
    [`/b/gw/v1/return/${reference}/`, ["PUT"], "GET, POST"],
    ["/b/operator/v1/merchants/", ["PUT"], "GET, POST"],
    ["/b/operator/v1/attention/", ["POST"], "GET"],
    ["/b/problems/not_found/", ["POST"], "GET"],
    ["/healthz", ["POST"], "GET"],
  ]) {
    for (const method of wrong) {
      for (const form of [path, path.replace(/\/$/, "")]) {
        const answer = await till.call(form, { method });
        assert.equal(answer.headers.get("allow"), allow, `${method} ${form}`);
        if (method === "HEAD") assert.equal(answer.status, 405);
        else assertProblem(answer, 405, "method_not_allowed");
      }
    }
  }
});

test("an address that does not exist answers 404 to every method", async () => {
  for (const path of ["/b/", "/b/checkout/", "/b/checkout/v2/pymt-txn/", `${PATH}${MISSING}/x/`, "/b/operator/", "/wp-login.php", "/pkg/none.js", "/b/%ff/"]) {
    for (const method of ["GET", "POST", "DELETE"]) {
      assertProblem(await till.call(path, { method }), 404, "not_found");
    }
  }
});

test("the origin says to a person with curl what is next, and to clients of the API that nothing is there", async () => {
  for (const headers of [{ accept: "*/*" }, { accept: "" }]) {
    const { status, text, headers: answered } = await till.call("/", { headers });
    assert.equal(status, 200);
    assert.match(answered.get("content-type"), /^text\/plain/);
    for (const part of [`${till.url}/b/checkout/v1/pymt-txn/`, `${till.url}/docs/`, `${till.url}/openapi.json`, ".dev/demo.json"]) assert.ok(text.includes(part), part);
    for (const [, address] of text.matchAll(/(http\S+\/(?:docs\/\S*|openapi\.json))/g)) assert.equal((await fetch(address)).status, 200, address);
  }
  for (const accept of ["application/json", "application/json, text/plain, */*", "application/problem+json"]) {
    assertProblem(await till.call("/", { headers: { accept } }), 404, "not_found");
  }
  for (const method of ["POST", "PUT", "DELETE"]) assertProblem(await till.call("/", { method }), 404, "not_found");
});

test("a good request id is echoed, and a malformed one is replaced", async () => {
  const idOf = async (id, path = "/healthz") =>
    (await till.call(path, { headers: id === undefined ? {} : { "x-request-id": id } })).headers.get("x-request-id");
  for (const id of ["a", "req-1_2.3", "A".repeat(64)]) {
    assert.equal(await idOf(id), id);
    assert.equal(await idOf(id, "/none"), id);
  }
  for (const id of ["A".repeat(65), "a b", "a/b", "<x>", "é", "a,b", ""]) {
    const generated = await idOf(id);
    assert.match(generated, /^[0-9a-f]{16}$/, id);
  }
});

test("every answer carries a request id of its own, the sandbox and the page among them", async () => {
  const { session_id } = await open(till);
  const paths = [
    "/healthz", "/none", PATH, `${PATH}${MISSING}/`, `/b/checkout/redirect/start/?session_id=${session_id}`, "/b/problems/not_found/",
    "/sandbox/shop/", "/sandbox/inbox/a/", "/b/operator/v1/attention/", "/b/gw/v1/return/ABCDEFGHJKMN/", `/b/checkout/redirect/status/${session_id}/`,
  ];
  const ids = await Promise.all(paths.map(async (path) => (await till.call(path)).headers.get("x-request-id")));
  for (const [place, id] of ids.entries()) assert.match(id ?? "none", /^[0-9a-f]{16}$/, paths[place]);
  assert.equal(new Set(ids).size, ids.length);
});

test("the type of a problem is the address of a page that explains it", async () => {
  const answers = [
    await till.call("/none"),
    await till.call(PATH),
    await till.create({ amount: "x" }),
    await till.create("{"),
    await till.call(PATH, { method: "POST", body: "x", headers: till.privateKey() }),
    await till.create({}, { authorization: "" }),
    await till.create({}, { "idempotency-key": "é" }),
    await till.create({}, { authorization: `Api-Key ${mine.public_key}` }),
  ];
  for (const { body } of answers) {
    const page = await till.call(body.type);
    assert.equal(page.status, 200, body.type);
    assert.match(page.headers.get("content-type"), /^text\/html/);
    assert.ok(page.text.includes(body.code) && page.text.includes(body.title) && page.text.includes(String(body.status)), body.code);
  }
  assert.equal((await till.call("/b/problems/no_such_code/")).status, 404);
  assert.doesNotMatch((await till.call("/b/problems/%3Cscript%3Ex/")).text, /<script>x/);
});

test("the health of the Worker comes with its version", async () => {
  const { status, body } = await till.call("/healthz");
  assert.equal(status, 200);
  assert.equal(body.status, "ok");
  assert.match(body.version, /^\d+\.\d+\.\d+$/);
  assert.equal(body.sandbox, true);
});

/** Sends bytes of a head that fetch would not send. */
function raw(path, headers, method = "GET") {
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port: till.port, path, method, headers }, (answer) => {
      answer.resume();
      answer.on("end", () => resolve(answer.statusCode));
    });
    sent.on("error", reject).end();
  });
}

test("odd heads never cause a failure", async () => {
  const latin = Buffer.from("é\u00ff").toString("latin1");
  for (const [path, headers] of [
    ["/healthz", { "x-request-id": latin }],
    [`${PATH}${MISSING}/`, { authorization: `Api-Key ${latin}` }],
    [`${PATH}${MISSING}/`, { authorization: ["Api-Key a", "Api-Key b"] }],
    ["/b/checkout/redirect/start/?session_id=%ff%fe", {}],
    ["/b/checkout/redirect/start/?session_id=%", {}],
    [`/b/checkout/redirect/start/?${"a=1&".repeat(2000)}`, {}],
    ["/b/checkout/redirect/start/?session_id[]=1&session_id=2", {}],
    [`/${"a/".repeat(1000)}`, {}],
    ["//b//checkout//", {}],
    ["/b/checkout/v1/pymt-txn/%2e%2e/", {}],
  ]) {
    const status = await raw(path, headers);
    assert.ok(status < 500, `${status} ${path.slice(0, 80)} ${JSON.stringify(headers)}`);
  }
});

/** Begins a request of `length` bytes and breaks off in the middle of its body. */
function breakOff(path, headers, length) {
  return new Promise((resolve) => {
    const sent = request({ host: "127.0.0.1", port: till.port, path, method: "POST", headers: { ...headers, "content-length": length } });
    sent.on("error", resolve).on("close", resolve);
    sent.write('{"amount":"1",');
    setTimeout(() => sent.destroy(), 30);
  });
}

test("callers who break off in the middle of a body harm nobody", async () => {
  const headers = { ...till.privateKey(), "content-type": "application/json" };
  const [{ number: before }] = await till.rows("SELECT COUNT(*) AS number FROM txn");
  await Promise.all(Array.from({ length: 10 }, () => breakOff(PATH, headers, 1000)));
  const answers = await Promise.all(Array.from({ length: 10 }, () => till.create()));
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201]);
  const [{ number: after }] = await till.rows("SELECT COUNT(*) AS number FROM txn");
  assert.equal(after, before + 10);
});

test("what a merchant sends is shown as text on the page", async () => {
  const attack = '"><script>alert(1)</script>&lt;';
  const { session_id } = await open(till, { order_no: attack, customer_first_name: attack, redirect_url: "https://shop.example.com/?a='\"><b>" });
  const { text, headers } = await till.call(`/b/checkout/redirect/start/?session_id=${session_id}&language=%22%3E%3Cscript%3Ealert(1)`);
  assert.ok(!text.includes("<script>alert"));
  assert.ok(text.includes("&lt;script&gt;alert(1)"));
  assert.match(headers.get("content-security-policy"), /default-src 'none'/);
});

const report = (body, type) => till.call("/b/checkout/reports/", { method: "POST", headers: { "content-type": type }, body: JSON.stringify(body) });

test("reports about the page's policy are logged without the ids in their addresses", async () => {
  const { session_id } = await open(till);
  const page = `${till.url}/b/checkout/redirect/start/?session_id=${session_id}`;
  const blocked = `${till.url}/b/checkout/redirect/status/${session_id}/`;
  const modern = [{ type: "csp-violation", url: page, body: { documentURL: page, blockedURL: blocked, effectiveDirective: "connect-src" } }];
  assert.equal((await report(modern, "application/reports+json")).status, 204);
  const old = { "csp-report": { "document-uri": page, "blocked-uri": "inline", "effective-directive": "script-src-elem" } };
  assert.equal((await report(old, "application/csp-report")).status, 204);
  for (const odd of [null, 1, "x", [], [1, null, {}], [{ body: 1 }], { "csp-report": [] }]) {
    assert.equal((await report(odd, "application/reports+json")).status, 204);
  }
  const lines = till.log.filter((line) => line.includes("policy_report"));
  assert.ok(lines.some((line) => line.includes("connect-src")) && lines.some((line) => line.includes("script-src-elem")), lines.join("\n"));
  assert.deepEqual(lines.filter((line) => line.includes(session_id)), []);
});

test("no address is answered with a redirect to its other spelling", async () => {
  for (const path of ["/healthz/", "/b/problems/not_found", `${PATH}${MISSING}`, "/b/checkout/redirect/start"]) {
    const { status } = await till.call(path, { headers: till.privateKey() });
    assert.ok(status === 200 || status === 404, `${status} ${path}`);
  }
});
