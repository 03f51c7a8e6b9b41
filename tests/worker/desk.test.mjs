/** The desk's frame: its own origin, who gets in, how sessions begin and end, and that no other page can send its forms. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "./harness.mjs";
import { PASSWORD, Visitor, makeUser, staff, textOf } from "./desk.mjs";
import { deskOf } from "./options.mjs";

let till;
before(async () => {
  till = await start();
  await till.createMerchant();
});
after(() => till.stop());

const sessions = (user) => till.rows("SELECT * FROM desk_session WHERE user_id = ?", String(user.id));

test("each origin answers its own addresses and none of the other's", async () => {
  const desk = deskOf(till.url);
  for (const path of ["/sign-in/", "/language/", "/sign-out/"]) {
    assert.equal((await fetch(till.url + path)).status, 404, path);
  }
  for (const path of ["/b/checkout/v1/pymt-txn/", "/healthz", "/b/operator/v1/merchants/", "/sandbox/inbox/a/", "/b/problems/"]) {
    assert.equal((await fetch(desk + path, { headers: till.privateKey() })).status, 404, path);
  }
  assert.equal((await fetch(`${desk}/sign-in/`)).status, 200);
  const upper = await fetch(`${desk}/sign-in/`, { headers: { host: `LOCALHOST:${till.port}` } });
  assert.equal(upper.status, 200);
});

test("without DESK_URL there is no desk", async () => {
  const other = await start({ bindings: { DESK_URL: "" } });
  try {
    assert.equal((await fetch(`${deskOf(other.url)}/sign-in/`)).status, 404);
    assert.equal((await fetch(`${deskOf(other.url)}/healthz`)).status, 200);
  } finally {
    await other.end();
  }
});

test("a desk at the payers' host is refused, and the log says why", async () => {
  const other = await start({ bindings: { DESK_URL: "http://127.0.0.1:1" } });
  try {
    assert.equal((await fetch(`${other.url}/healthz`)).status, 503);
    assert.ok(other.log.some((line) => /DESK_URL/.test(line)), other.log.join("\n"));
  } finally {
    await other.end();
  }
});

test("who is not signed in is asked to, and comes back to the page", async () => {
  const visitor = new Visitor(till);
  const user = await makeUser(till, "back");
  const asked = await visitor.get("/?a=b&c=%2F");
  assert.deepEqual([asked.status, asked.location], [303, "/sign-in/"]);
  await visitor.get("/sign-in/?back=%2F%3Fa%3Db");
  const answer = await visitor.submit("/sign-in/", { username: user.username, password: PASSWORD });
  assert.deepEqual([answer.status, answer.location], [303, "/?a=b"]);
  const page = await visitor.follow(answer);
  assert.equal(page.status, 200);
  assert.match(textOf(page.text), /Sign out/);
});

test("the cookie, the policy and the headers of a screen", async () => {
  const visitor = new Visitor(till);
  const user = await makeUser(till, "headers");
  const answer = await visitor.signIn(user.username);
  assert.match(answer.headers.get("set-cookie"), /^__Host-desk=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict$/);
  for (const page of [await visitor.follow(answer), await visitor.get("/nothing/"), await new Visitor(till).get("/sign-in/")]) {
    const of = (name) => page.headers.get(name);
    assert.match(of("content-security-policy"), /^default-src 'none'; style-src 'self'; .*form-action 'self'.*frame-ancestors 'none'/);
    assert.doesNotMatch(of("content-security-policy"), /unsafe|\*|https?:/);
    assert.deepEqual(
      ["cache-control", "x-robots-tag", "x-content-type-options", "referrer-policy", "cross-origin-opener-policy"].map(of),
      ["no-store", "noindex, nofollow", "nosniff", "same-origin", "same-origin"],
    );
  }
  const [, sheet] = /href="(\/style\/[^"]+)"/.exec(visitor.page);
  const style = await visitor.get(sheet);
  assert.deepEqual([style.status, style.headers.get("content-type")], [200, "text/css; charset=utf-8"]);
  assert.match(style.headers.get("cache-control"), /immutable/);
  assert.equal((await visitor.get("/style/0.css")).status, 404);
});

test("the secret of a session is stored as its hash only, and a session that is planted is none", async () => {
  const victim = await makeUser(till, "planted");
  const visitor = new Visitor(till);
  const planted = `__Host-desk=${"A".repeat(43)}`;
  visitor.cookie = planted;
  const answer = await visitor.signIn(victim.username);
  assert.equal(answer.status, 303);
  assert.notEqual(visitor.cookie, planted);
  const [session] = await sessions(victim);
  assert.ok(!JSON.stringify(session).includes(visitor.cookie.slice(12)));
  const thief = new Visitor(till);
  thief.cookie = planted;
  assert.equal((await thief.get("/")).location, "/sign-in/");
});

test("who signs in after someone else ends the other's session in this browser", async () => {
  const first = await staff(till, "first");
  const old = first.cookie;
  const second = await makeUser(till, "second");
  await first.signIn(second.username);
  assert.notEqual(first.cookie, old);
  assert.equal((await sessions(first.user)).length, 0);
  const copy = new Visitor(till);
  copy.cookie = old;
  assert.equal((await copy.get("/")).location, "/sign-in/");
});

test("an unknown name and a wrong password are refused in the same words, and too many tries are stopped", async () => {
  const user = await makeUser(till, "wrong");
  const refused = [];
  for (const [name, password] of [[user.username, "wrong password 1"], [`nobody@${till.merchant.merchant_id}`, PASSWORD], ["a b", PASSWORD], [user.username, ""]]) {
    const visitor = new Visitor(till);
    const answer = await visitor.signIn(name, password);
    assert.equal(answer.status, 401);
    assert.equal(visitor.cookie, undefined);
    refused.push(answer.text.replaceAll(name, "NAME"));
  }
  assert.equal(new Set(refused).size, 1);
  const visitor = new Visitor(till);
  let last;
  for (let tries = 0; tries < 12; tries += 1) last = await visitor.signIn(user.username, "wrong password 2");
  assert.equal(last.status, 429);
  assert.match(textOf(last.text), /Too many tries\. Try again in \d+ min/);
});

test("a form from elsewhere, without the token, or with that of another session does nothing", async () => {
  const visitor = await staff(till, "forged");
  const other = await staff(till, "other-session");
  const [, foreign] = /name="form_token" value="([^"]+)"/.exec(other.page);
  const [, own] = /name="form_token" value="([^"]+)"/.exec(visitor.page);
  const send = (form_token, headers) => visitor.post("/sign-out/", form_token === undefined ? {} : { form_token }, headers);
  for (const [token, headers] of [
    [undefined, {}], ["", {}], [foreign, {}], [own, { "sec-fetch-site": "cross-site", origin: "https://evil.example" }],
    [own, { "sec-fetch-site": "same-site", origin: visitor.url }], [own, { "sec-fetch-site": "none", origin: undefined }],
    [own, { "sec-fetch-site": undefined, origin: undefined }], [own, { "sec-fetch-site": undefined, origin: "null" }],
    [own, { "sec-fetch-site": undefined, origin: till.url }], [own, { origin: "https://evil.example" }],
  ]) {
    const answer = await send(token, headers);
    assert.equal(answer.status, 403, JSON.stringify([token, headers]));
    assert.match(textOf(answer.text), /Nothing was done/);
    assert.equal((await sessions(visitor.user)).length, 1);
  }
  const json = await visitor.post("/sign-out/", { form_token: own }, { "content-type": "text/plain" });
  assert.equal(json.status, 415);
  assert.equal((await visitor.get("/sign-out/")).status, 405);
  const signIn = await new Visitor(till).post("/sign-in/", { username: visitor.user.username, password: PASSWORD }, { "sec-fetch-site": "cross-site", origin: "https://evil.example" });
  assert.equal(signIn.status, 403);
  assert.equal((await send(own, {})).location, "/sign-in/");
  assert.equal((await sessions(visitor.user)).length, 0);
});

test("a session ends by signing out, by idleness, by its age, and with what the user may do", async () => {
  const ends = {
    "signed out": async (visitor) => visitor.submit("/sign-out/"),
    idle: (visitor) => till.rows("UPDATE desk_session SET seen_at = seen_at - 1800001 WHERE user_id = ?", String(visitor.user.id)),
    old: (visitor) => till.rows("UPDATE desk_session SET created_at = created_at - 43200001 WHERE user_id = ?", String(visitor.user.id)),
    "other permissions": (visitor) => change(visitor, { is_superuser: false, permissions: ["payment.refund"] }),
    "another password": (visitor) => change(visitor, { password: "another horse battery" }),
    blocked: (visitor) => change(visitor, { is_active: false }),
  };
  const change = async ({ user }, json) => {
    const answer = await till.call(`/b/access/v1/users/${user.id}/`, { method: "PATCH", headers: till.privateKey(), json });
    assert.equal(answer.status, 200, answer.text);
  };
  for (const [name, end] of Object.entries(ends)) {
    const visitor = await staff(till, name.replaceAll(" ", "-"));
    const copy = new Visitor(till);
    copy.cookie = visitor.cookie;
    await end(visitor);
    assert.equal((await copy.get("/")).location, "/sign-in/", name);
    assert.equal((await sessions(visitor.user)).length, 0, name);
  }
  const visitor = await staff(till, "renamed");
  await change(visitor, { first_name: "Sara" });
  assert.equal((await visitor.get("/")).status, 200);
});

test("a session whose cookie comes from a browser of another kind ends for both", async () => {
  const visitor = await staff(till, "robbed");
  const thief = new Visitor(till);
  thief.cookie = visitor.cookie;
  thief.headers = { "user-agent": "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36" };
  assert.equal((await thief.get("/payments/")).location, "/sign-in/?back=%2Fpayments%2F");
  assert.equal((await visitor.get("/")).location, "/sign-in/");
  assert.equal((await sessions(visitor.user)).length, 0);
});

test("the language is chosen on the page and stays with the session", async () => {
  const visitor = await staff(till, "speaks");
  await visitor.get("/?a=b");
  const answer = await visitor.submit("/language/");
  assert.equal(answer.location, "/?a=b");
  await visitor.follow(answer);
  assert.match(visitor.page, /<html lang="ar" dir="rtl">/);
  await visitor.follow(await visitor.submit("/language/", { back: "//evil.example/" }));
  assert.match(visitor.page, /<html lang="en" dir="ltr">/);
  const nobody = new Visitor(till);
  await nobody.get("/sign-in/?language=ar&back=//evil.example/");
  assert.match(nobody.page, /<html lang="ar" dir="rtl">/);
  assert.doesNotMatch(nobody.page, /evil/);
});
