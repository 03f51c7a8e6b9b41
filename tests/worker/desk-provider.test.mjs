/**
 * Signing in at the desk through a real OpenID provider, `oidc-provider`, over sockets: the way there and back, who is let in, what
 * needs a fresh factor, and attacks on the way.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { CLIENT, COMPANY_PASSWORD, CodeProvider, Guest, PUBLIC_CLIENT } from "./code-provider.mjs";
import { Visitor, formsOf, makeUser, staff, textOf } from "./desk.mjs";
import { demoSettings, start } from "./harness.mjs";
import { deskOf } from "./options.mjs";

/**
 * Merchants: of the provider with a secret, of the same one without, of another one, where money moves, and without a provider; and of
 * one whose ID tokens say as little as may be, by names and by e-mail addresses.
 */
const SHOPS = { own: "company-own", open: "company-open", other: "company-other", live: "company-live", none: "company-none", terse: "company-terse", mail: "company-mail" };
const RETURN = (merchant) => `/sign-in/provider/return/${merchant}/`;

let till, provider, other, terse, merchants;
before(async () => {
  till = await start({ sockets: true });
  const returns = Object.values(SHOPS).map((id) => deskOf(till.url) + RETURN(id));
  provider = await new CodeProvider().start(returns);
  other = await new CodeProvider().start(returns);
  terse = await new CodeProvider().start(returns, { conformIdTokenClaims: true });
  for (const secret of [CLIENT.secret, COMPANY_PASSWORD]) till.secrets.add(secret);
  const at = (its, audience, more = {}) => ({ single_sign_on: { issuer: its.issuer, audience, accepts_desk: true, client_id: CLIENT.id, client_secret: CLIENT.secret, ...more } });
  const live = demoSettings();
  live.gateways[0].sandbox = false;
  merchants = {
    own: await till.createMerchant(at(provider, "own"), SHOPS.own),
    open: await till.createMerchant(at(provider, "open", { client_id: PUBLIC_CLIENT, client_secret: null }), SHOPS.open),
    other: await till.createMerchant(at(other, "other"), SHOPS.other),
    live: await till.createMerchant({ ...live, ...at(provider, "live") }, SHOPS.live),
    terse: await till.createMerchant(at(terse, "terse"), SHOPS.terse),
    mail: await till.createMerchant(at(terse, "mail", { username_claim: "email" }), SHOPS.mail),
    none: await till.createMerchant({ single_sign_on: { issuer: provider.issuer, audience: "none", client_id: CLIENT.id } }, SHOPS.none),
  };
});
after(async () => {
  await till?.stop();
  await provider?.stop();
  await other?.stop();
  await terse?.stop();
});

let number = 0;
/** A user of a merchant without a password here, whom a provider knows under the same name. */
async function someone(shop = "own", its = {}, rights = { is_superuser: true }) {
  const username = `person-${(number += 1)}`;
  const here = shop === "mail" ? `${username}@company.example` : username;
  const made = await till.call("/b/access/v1/users/", { method: "POST", headers: till.privateKey(merchants[shop]), json: { username: here, ...rights } });
  assert.equal(made.status, 201, made.text);
  ({ other, terse, mail: terse }[shop] ?? provider).add(username, its);
  return Object.assign(new Visitor(till), { user: made.body, guest: new Guest(), name: username, shop });
}

/** Begins to sign in, and answers the address at the provider. */
async function leave(visitor, shop = visitor.shop, back = "/payments/") {
  await visitor.get(`/sign-in/provider/?merchant=${SHOPS[shop]}&back=${encodeURIComponent(back)}`);
  return departure(await visitor.submit("/sign-in/provider/"));
}
function departure(answer) {
  assert.equal(answer.status, 200, textOf(answer.text));
  const [, address] = /^0; url=(.*)$/.exec(answer.headers.get("refresh"));
  assert.ok(answer.text.includes(`href="${address.replaceAll("&", "&amp;")}"`), "the same as a link");
  return address;
}
/** Signs in at the provider, and answers the address to come back to. */
async function enter(visitor, address, name = visitor.name) {
  const back = await visitor.guest.go(address, { name });
  for (const part of ["code", "state"]) till.secrets.add(new URL(back).searchParams.get(part));
  return back;
}
/** The whole way. */
async function signIn(visitor, shop, back) {
  const answer = await visitor.comeBack(await enter(visitor, await leave(visitor, shop, back)));
  return answer;
}
const sessions = (visitor) => till.rows("SELECT * FROM desk_session WHERE user_id = ?", String(visitor.user.id));
const trips = () => till.rows("SELECT * FROM desk_trip");
const heading = (answer) => textOf(/<h1>(.*?)<\/h1>/.exec(answer.text)?.[1] ?? "").trim();
const ago = (visitor, milliseconds) => till.rows("UPDATE desk_session SET factor_at = factor_at - ?2 WHERE user_id = ?1", String(visitor.user.id), String(milliseconds));

test("the request is a code flow with PKCE, state and nonce, and nothing of them is stored", async () => {
  const visitor = await someone();
  const address = new URL(await leave(visitor, "own", "/payments/?q=sara%40example.com"));
  assert.equal(address.origin + address.pathname, `${provider.issuer}/auth`);
  const { state, nonce, code_challenge, ...rest } = Object.fromEntries(address.searchParams);
  assert.deepEqual(rest, {
    client_id: CLIENT.id, code_challenge_method: "S256", redirect_uri: deskOf(till.url) + RETURN(SHOPS.own), response_type: "code", scope: "openid profile",
  });
  for (const text of [state, nonce, code_challenge]) assert.match(text, /^[\w-]{43}$/);
  assert.equal(new Set([state, nonce, code_challenge]).size, 3);
  const stored = JSON.stringify(await trips());
  for (const text of [state, nonce, code_challenge, visitor.trip.split("=")[1], "sara"]) assert.ok(!stored.includes(text));
});

for (const shop of ["own", "open", "live"]) {
  test(`someone signs in through the provider of ${shop}, and works at the desk`, async () => {
    const visitor = await someone(shop, shop === "live" ? { amr: ["pwd", "otp"] } : {});
    const answer = await signIn(visitor);
    assert.equal(answer.status, 200, textOf(answer.text));
    assert.deepEqual([heading(answer), answer.headers.get("refresh"), answer.headers.get("referrer-policy")], ["You are signed in", "0; url=/payments/", "same-origin"]);
    assert.match(answer.headers.getSetCookie().join("\n"), /^__Host-desk=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict$/);
    assert.equal((await visitor.comeBack(`${RETURN(SHOPS[shop])}?code=a&state=b`)).status, 400, "the cookie of the way is of no use any more");
    assert.equal((await visitor.get("/payments/")).status, 200);
    const [session] = await sessions(visitor);
    assert.equal(session.issuer, provider.issuer);
    assert.ok(Math.abs(Date.now() - Number(session.factor_at)) < 60_000, "when they signed in at the provider");
  });
}

for (const shop of ["terse", "mail"]) {
  test(`a provider whose ID tokens have no names is asked who signed in: ${shop}`, async () => {
    const visitor = await someone(shop);
    const before = terse.asked.length;
    const answer = await signIn(visitor);
    assert.deepEqual([answer.status, heading(answer)], [200, "You are signed in"], textOf(answer.text));
    assert.deepEqual(terse.asked.slice(before).filter((one) => /token|\/me$/.test(one)), ["POST /token", "GET /me"]);
    assert.equal((await visitor.get("/payments/")).status, 200);
    const stranger = Object.assign(new Visitor(till), { guest: new Guest(), name: `stranger-${shop}`, shop });
    terse.add(stranger.name);
    assert.equal((await signIn(stranger)).status, 403);
  });
}

test("the provider gets its code back once, and names itself", async () => {
  const visitor = await someone();
  const address = new URL(await leave(visitor));
  const back = new URL(await enter(visitor, address.href));
  assert.equal(back.searchParams.get("iss"), provider.issuer);
  assert.equal(back.searchParams.get("state"), address.searchParams.get("state"));
  const before = provider.asked.filter((asked) => asked === "POST /token").length;
  assert.equal((await visitor.comeBack(back.href)).status, 200);
  assert.equal(provider.asked.filter((asked) => asked === "POST /token").length, before + 1);
});

test("companies that are unknown, have no provider, or have none for the desk are answered alike", async () => {
  const pages = [];
  const plain = (await till.createMerchant()).merchant_id;
  for (const merchant of ["nobody-here", SHOPS.none, plain, "not an id", "<b>"]) {
    const visitor = new Visitor(till);
    await visitor.get("/sign-in/provider/");
    const answer = await visitor.submit("/sign-in/provider/", { merchant });
    assert.equal(answer.status, 400, merchant);
    assert.deepEqual([visitor.trip, answer.headers.get("refresh")], [undefined, null]);
    assert.ok(!answer.text.includes("<b>"));
    pages.push(answer.text.replace(/ value="[^"]*"/g, "").replace(/merchant=[^&]*/g, ""));
  }
  assert.equal(new Set(pages).size, 1);
});

test("an answer counts once, in the browser that began, and soon", async () => {
  const visitor = await someone();
  const back = await enter(visitor, await leave(visitor));
  const elsewhere = new Visitor(till);
  assert.deepEqual([(await elsewhere.comeBack(back)).status, elsewhere.cookie], [400, undefined], "without the cookie");
  const begun = Object.assign(await someone(), {});
  await leave(begun);
  assert.equal((await begun.comeBack(back)).status, 400, "with the cookie of another way");
  const { trip } = visitor;
  assert.equal((await visitor.comeBack(back)).status, 200);
  const first = visitor.cookie;
  visitor.trip = trip;
  const again = await visitor.comeBack(back);
  assert.deepEqual([again.status, heading(again), visitor.cookie], [400, "This sign-in is over", first]);

  const late = await someone();
  const address = await enter(late, await leave(late));
  await till.rows("UPDATE desk_trip SET created_at = created_at - 600001");
  assert.deepEqual([(await late.comeBack(address)).status, late.cookie], [400, undefined]);
});

test("a code that was used, invented, or made for another way opens nothing", async () => {
  const visitor = await someone();
  const stolen = new URL(await enter(visitor, await leave(visitor))).searchParams.get("code");
  const thief = await someone();
  const own = new URL(await enter(thief, await leave(thief)));
  // The thief has the code of someone else and a way that is right: PKCE and nonce are of the other way.
  own.searchParams.set("code", stolen);
  const answer = await thief.comeBack(own.href);
  assert.deepEqual([answer.status, thief.cookie], [401, undefined]);
  const guess = await someone();
  const guessed = new URL(await enter(guess, await leave(guess)));
  guessed.searchParams.set("code", "invented");
  assert.deepEqual([(await guess.comeBack(guessed.href)).status, guess.cookie], [401, undefined]);
  assert.deepEqual(await sessions(visitor), []);
});

test("an answer of one provider is not taken for that of another", async () => {
  const visitor = await someone("own");
  const victim = await someone("other");
  // The way goes to one provider; the browser is led on to the other one, where someone signs in.
  const way = new URL(await leave(visitor));
  const there = new URL(await leave(victim));
  there.searchParams.set("state", way.searchParams.get("state"));
  there.searchParams.set("nonce", way.searchParams.get("nonce"));
  there.searchParams.set("code_challenge", way.searchParams.get("code_challenge"));
  const back = new URL(await enter(victim, there.href));
  const asked = provider.asked.filter((one) => one === "POST /token").length;
  const answer = await visitor.comeBack(back.href);
  assert.deepEqual([answer.status, heading(answer)], [400, "This sign-in is over"], "its address is that of another merchant");
  const again = await someone("own");
  const state = new URL(await leave(again)).searchParams.get("state");
  back.pathname = RETURN(SHOPS.own);
  back.searchParams.set("state", state);
  assert.equal((await again.comeBack(back.href)).status, 401, "and the issuer another");
  const unnamed = await someone("own");
  back.searchParams.set("state", new URL(await leave(unnamed)).searchParams.get("state"));
  back.searchParams.delete("iss");
  assert.equal((await unnamed.comeBack(back.href)).status, 401, "a provider that names itself always does");
  assert.equal(provider.asked.filter((one) => one === "POST /token").length, asked, "no code was sent to the wrong one");
});

test("who is refused by the provider reads so, in words of the desk", async () => {
  const visitor = await someone();
  const back = await visitor.guest.go(await leave(visitor), { name: visitor.name, does: "cancel" });
  assert.match(back, /error=access_denied/);
  const answer = await visitor.comeBack(back);
  assert.deepEqual([answer.status, heading(answer), visitor.cookie], [401, "You are not signed in", undefined]);
  assert.ok(!answer.text.includes("the person went back"), "nothing of the address is repeated");
  const arabic = await someone();
  arabic.headers["accept-language"] = "ar";
  const refused = await arabic.comeBack(await arabic.guest.go(await leave(arabic), { name: arabic.name, does: "cancel" }));
  assert.match(refused.text, /<html lang="ar" dir="rtl">/);
  assert.equal(heading(refused), "لم يتم تسجيل الدخول");
});

test("only a user of this merchant who may work and is bound to nobody else is let in", async () => {
  const disabled = await someone();
  await till.rows("UPDATE user SET is_active = 0 WHERE id = ?", String(disabled.user.id));
  const foreign = Object.assign(await someone("live"), { shop: "own" });
  const unknown = Object.assign(new Visitor(till), { guest: new Guest(), name: "a-stranger", shop: "own" });
  provider.add("a-stranger");
  const withPassword = await makeUser(till, "has-one", undefined, merchants.own);
  provider.add(withPassword.username);
  const judged = Object.assign(new Visitor(till), { guest: new Guest(), name: withPassword.username, shop: "own" });
  const bound = await someone();
  await till.rows("UPDATE user SET provider_subject = ?2 WHERE id = ?1", String(bound.user.id), `${provider.issuer} another`);
  for (const visitor of [disabled, foreign, unknown, judged, bound]) {
    const answer = await signIn(visitor);
    assert.deepEqual([answer.status, heading(answer), visitor.cookie], [403, "This account has no access here", undefined], visitor.name);
  }
});

test("a session is a new one: what the browser had before ends, and what others planted is not used", async () => {
  const visitor = await someone();
  const planted = `__Host-desk=${"A".repeat(43)}`;
  visitor.cookie = planted;
  await signIn(visitor);
  assert.notEqual(visitor.cookie, planted);
  const first = visitor.cookie;
  await signIn(visitor);
  const old = new Visitor(till);
  old.cookie = first;
  assert.equal((await old.get("/")).location, "/sign-in/");
  assert.equal((await sessions(visitor)).length, 1);
});

test("a session ends when its merchant has another provider, or the user may not work", async () => {
  const visitor = await someone("live", { amr: ["mfa"] });
  await signIn(visitor);
  assert.equal((await visitor.get("/")).status, 200);
  const [{ document }] = await till.rows("SELECT document FROM merchant WHERE id = ?", SHOPS.live);
  const { body } = await till.operator(`/merchants/${SHOPS.live}/`);
  const { single_sign_on, ...rest } = body.settings;
  const put = (settings) => till.operator(`/merchants/${SHOPS.live}/settings/`, { method: "PUT", json: settings });
  const removed = await put({ ...rest, single_sign_on: { ...single_sign_on, accepts_desk: false } });
  assert.equal(removed.status, 200, removed.text);
  assert.equal((await visitor.get("/")).location, "/sign-in/");
  assert.equal((await put({ ...rest, single_sign_on })).status, 200);
  assert.ok(document.includes(CLIENT.id) && !document.includes(CLIENT.secret));
  await signIn(visitor);
  await till.rows("UPDATE user SET is_active = 0 WHERE id = ?", String(visitor.user.id));
  assert.equal((await visitor.get("/")).location, "/sign-in/");
});

test("where money moves a password at the provider is not enough, and a factor of the desk counts", async () => {
  const visitor = await someone("live", { amr: ["pwd"] });
  await signIn(visitor);
  assert.match((await visitor.get("/payments/")).location, /^\/me\/factor\//);
  const silent = await someone("live");
  await signIn(silent);
  assert.equal((await silent.get("/payments/")).status, 200, "a provider that does not say how is believed");
});

/** A form that needs a fresh factor: an export of a list that a person chose. */
const FORM = { state: "paid", order_no: `"><b>ا & ü`, format: "csv" };
/** Sends it when the factor is no longer fresh, and answers the address at the provider. */
async function confirm(visitor) {
  await visitor.get("/payments/");
  const [{ fields }] = formsOf(visitor.page).filter(({ action }) => action === "/sign-out/");
  const asked = await visitor.post("/payments/export/", { ...Object.fromEntries(fields), ...FORM });
  assert.deepEqual([asked.status, heading(asked)], [401, "Is it you?"]);
  return departure(await visitor.submit("/sign-in/provider/again/"));
}

test("what needs a fresh factor asks the provider again, and goes on with the form as it was filled in", async () => {
  const visitor = await someone();
  await signIn(visitor);
  await ago(visitor, 300_001);
  const address = new URL(await confirm(visitor));
  assert.deepEqual([address.searchParams.get("prompt"), address.searchParams.get("max_age")], ["login", "0"]);
  const stored = JSON.stringify(await trips());
  assert.doesNotMatch(stored, /\bpaid\b/, "the form is sealed");
  const before = visitor.cookie;
  const answer = await visitor.comeBack(await enter(visitor, address.href));
  assert.deepEqual([answer.status, heading(answer)], [200, "It is you"], textOf(answer.text));
  assert.notEqual(visitor.cookie, before, "the session has another secret");
  const [form] = formsOf(visitor.page).filter(({ action }) => action === "/payments/export/");
  const { form_token, ...filled } = Object.fromEntries(form.fields);
  assert.deepEqual(filled, FORM);
  assert.ok(form_token);
  const done = await visitor.submit("/payments/export/", { order_no: "" });
  assert.notEqual(done.status, 401);
  const old = new Visitor(till);
  old.cookie = before;
  assert.equal((await old.get("/")).location, "/sign-in/");
});

test("a form does not go on by another user, a session that ended, an old sign-in, or a password only", async () => {
  const visitor = await someone();
  await signIn(visitor);
  const colleague = await someone();
  const refused = async (name, expected, change) => {
    await ago(visitor, 300_001);
    const address = new URL(await confirm(visitor));
    const before = visitor.cookie;
    const back = await change(address);
    const answer = await visitor.comeBack(back);
    assert.deepEqual([answer.status, heading(answer), visitor.cookie], [...expected, before], name);
  };
  await refused("someone else", [401, "Nothing was done"], (address) => new Guest().go(address.href, { name: colleague.name }));
  await refused("without signing in again", [401, "Nothing was done"], async (address) => {
    const guest = visitor.guest;
    address.searchParams.delete("prompt");
    address.searchParams.delete("max_age");
    // Who signed in long before the form waited.
    await till.rows("UPDATE desk_trip SET created_at = created_at + 120000");
    return guest.go(address.href, { name: visitor.name });
  });
  await till.rows("UPDATE desk_trip SET created_at = created_at - 120000");
  await refused("from another device", [400, "This sign-in is over"], async (address) => {
    const back = await enter(visitor, address.href);
    visitor.headers["user-agent"] = "Mozilla/5.0 (Windows NT 10.0) Chrome/140.0";
    return back;
  });
  visitor.headers["user-agent"] = new Visitor(till).headers["user-agent"];
  await refused("after the session ended", [400, "This sign-in is over"], async (address) => {
    const back = await enter(visitor, address.href);
    await till.rows("DELETE FROM desk_session WHERE user_id = ?", String(visitor.user.id));
    return back;
  });
  const live = await someone("live");
  await signIn(live);
  await ago(live, 300_001);
  provider.people[live.name].amr = ["pwd"];
  const answer = await live.comeBack(await enter(live, await confirm(live)));
  assert.deepEqual([answer.status, heading(answer)], [401, "Nothing was done"]);
});

test("nobody is sent to a provider for a form that needs none, or by a session of a password", async () => {
  const visitor = await someone();
  await signIn(visitor);
  await visitor.get("/payments/");
  const [{ fields }] = formsOf(visitor.page).filter(({ action }) => action === "/sign-out/");
  const token = Object.fromEntries(fields);
  for (const form_to of ["/sign-out/", "/sign-in/", "https://evil.example/", "//evil.example/", ""]) {
    assert.equal((await visitor.post("/sign-in/provider/again/", { ...token, form_to })).status, 404, form_to);
  }
  assert.equal((await visitor.post("/sign-in/provider/again/", { form_to: "/payments/export/" })).status, 403, "without the token");
  const byPassword = await staff(till, "by-password", undefined, merchants.own);
  await byPassword.get("/payments/");
  const [form] = formsOf(byPassword.page).filter(({ action }) => action === "/sign-out/");
  assert.equal((await byPassword.post("/sign-in/provider/again/", { ...Object.fromEntries(form.fields), form_to: "/payments/export/" })).status, 404);
});

test("forms of another site begin no way, and too many ways are refused", async () => {
  const visitor = new Visitor(till);
  for (const headers of [{ "sec-fetch-site": "cross-site", origin: "https://evil.example" }, { "sec-fetch-site": undefined, origin: undefined }]) {
    assert.equal((await visitor.post("/sign-in/provider/", { merchant: SHOPS.own }, headers)).status, 403);
  }
  const statuses = new Set();
  visitor.headers["cf-connecting-ip"] = "203.0.113.60";
  for (let count = 0; count < 40; count += 1) statuses.add((await visitor.post("/sign-in/provider/", { merchant: SHOPS.own })).status);
  assert.deepEqual([...statuses].sort(), [200, 429]);
  assert.match(textOf(visitor.page), /Too many tries/);
  visitor.headers["cf-connecting-ip"] = "203.0.113.61";
  assert.equal((await visitor.post("/sign-in/provider/", { merchant: SHOPS.own })).status, 200, "another network is not held up");
});
