/**
 * Signing in at the desk through a provider that answers wrongly: ID tokens that `jose` signs, each wrong in one place, and
 * descriptions that lead browsers or this service elsewhere. Nobody is signed in by any of them.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, test } from "node:test";
import { SignJWT, UnsecuredJWT, exportJWK, generateKeyPair } from "jose";
import { Visitor, formsOf, setFactor, textOf } from "./desk.mjs";
import { OutboundResponse, start } from "./harness.mjs";
import { deskOf } from "./options.mjs";

const CLIENT = "till-desk";
const ISSUER = "https://id.example.com/realms/desk";

let till, shop, keys, stranger;
/** What the token endpoint is asked, and what it and the userinfo endpoint answer. */
let asked = [];
let [answer, userinfo] = [];
const json = (body, status = 200) => new OutboundResponse(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });

/** A provider, and a merchant that has its users sign in there. */
async function provider(issuer, description = {}) {
  const jwk = { ...(await exportJWK(keys.publicKey)), kid: "one", alg: "ES256", use: "sig" };
  till.outbound.on("GET", `${issuer}/.well-known/openid-configuration`, () => json({ issuer, jwks_uri: `${issuer}/keys`, authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token`, ...description }));
  till.outbound.on("GET", `${issuer}/keys`, () => json({ keys: [jwk] }));
  till.outbound.on("POST", `${issuer}/token`, ({ body, headers }) => {
    asked.push({ ...Object.fromEntries(new URLSearchParams(body)), authorization: headers.authorization });
    return answer();
  });
  till.outbound.on("GET", `${issuer}/userinfo`, (request) => userinfo(request));
  return till.createMerchant({ single_sign_on: { issuer, audience: issuer, accepts_desk: true, client_id: CLIENT } });
}

before(async () => {
  till = await start();
  [keys, stranger] = [await generateKeyPair("ES256"), await generateKeyPair("ES256")];
  shop = await provider(ISSUER, { userinfo_endpoint: `${ISSUER}/userinfo` });
});
after(() => till?.stop());

let number = 0;
async function someone() {
  const username = `desk-person-${(number += 1)}`;
  const made = await till.call("/b/access/v1/users/", { method: "POST", headers: till.privateKey(shop), json: { username, is_superuser: true } });
  assert.equal(made.status, 201, made.text);
  return Object.assign(new Visitor(till), { user: made.body });
}
async function leave(visitor, merchant = shop) {
  await visitor.get(`/sign-in/provider/?merchant=${merchant.merchant_id}`);
  const left = await visitor.submit("/sign-in/provider/");
  return { left, address: addressOf(left) };
}
const addressOf = (left) => { const [, address] = /^0; url=(.*)$/.exec(left.headers.get("refresh") ?? "") ?? []; return address && new URL(address); };
const back = (address, more = {}) => `/sign-in/provider/return/${shop.merchant_id}/?${new URLSearchParams({ code: "a-code", state: address.searchParams.get("state"), ...more })}`;
/** An ID token that is right, except for these claims; `undefined` removes one. */
function token(visitor, address, claims = {}, { header = {}, key = keys.privateKey } = {}) {
  const now = Math.floor(Date.now() / 1000);
  const usual = { iss: ISSUER, aud: CLIENT, sub: `subject of ${visitor.user.username}`, preferred_username: visitor.user.username, nonce: address.searchParams.get("nonce"), iat: now, exp: now + 300, auth_time: now };
  return new SignJWT({ ...usual, ...claims }).setProtectedHeader({ alg: "ES256", kid: "one", ...header }).sign(key);
}
const gives = (id_token) => { answer = () => json({ access_token: "opaque", token_type: "Bearer", id_token }); };

test("a token that is right signs in, and the verifier is that of the request", async () => {
  const visitor = await someone();
  const { address } = await leave(visitor);
  gives(await token(visitor, address));
  asked = [];
  assert.equal((await visitor.comeBack(back(address))).status, 200);
  assert.equal((await visitor.get("/me/")).status, 200);
  const [{ code_verifier, authorization, ...rest }] = asked;
  assert.deepEqual(rest, { client_id: CLIENT, code: "a-code", grant_type: "authorization_code", redirect_uri: `${deskOf(till.url)}/sign-in/provider/return/${shop.merchant_id}/` });
  assert.deepEqual([asked.length, authorization], [1, undefined], "a public client has no secret");
  assert.equal(createHash("sha256").update(code_verifier).digest("base64url"), address.searchParams.get("code_challenge"));
});

const now = Math.floor(Date.now() / 1000);
const WRONG = {
  "for another client": [{ aud: "another-client" }],
  "for several clients without saying who asked": [{ aud: [CLIENT, "another-client"] }],
  "that another client asked for": [{ aud: [CLIENT, "another-client"], azp: "another-client" }],
  "of another issuer": [{ iss: "https://id.example.com/realms/other" }],
  "that answers another sign-in": [{ nonce: "another" }],
  "that answers no sign-in": [{ nonce: undefined }],
  "that is over": [{ iat: now - 1000, exp: now - 500 }],
  "of the future": [{ iat: now + 1000, exp: now + 1300 }],
  "that lives too long": [{ exp: now + 200_000 }],
  "without an end": [{ exp: undefined }],
  "without a subject": [{ sub: undefined }],
  "whose time of sign-in is a text": [{ auth_time: "now" }],
  "whose means are a text": [{ amr: "mfa" }],
  "of a key that is not the provider's": [{}, { header: { kid: "two" } }],
  "that someone else signed": [{}, { key: "stranger" }],
  "with a key in its header": [{}, { header: { jwk: "stranger" }, key: "stranger" }],
  "of another type": [{}, { header: { typ: "logout+jwt" } }],
};
for (const [name, [claims, how = {}]] of Object.entries(WRONG)) {
  test(`a token ${name} signs nobody in`, async () => {
    const visitor = await someone();
    const { address } = await leave(visitor);
    const header = how.header?.jwk ? { jwk: await exportJWK(stranger.publicKey) } : how.header;
    gives(await token(visitor, address, claims, { header, ...(how.key ? { key: stranger.privateKey } : {}) }));
    const refused = await visitor.comeBack(back(address));
    assert.deepEqual([refused.status, visitor.cookie], [401, undefined], textOf(refused.text));
    assert.deepEqual(await till.rows("SELECT id FROM desk_session WHERE user_id = ?", String(visitor.user.id)), []);
  });
}

test("nothing but an ID token signs in", async () => {
  const visitor = await someone();
  for (const body of [(made) => ({ access_token: made }), () => ({ id_token: "a.b.c" }), () => ({ id_token: "" }), () => ({}), (made, none) => ({ id_token: none })]) {
    const { address } = await leave(visitor);
    const made = await token(visitor, address);
    const none = new UnsecuredJWT(JSON.parse(Buffer.from(made.split(".")[1], "base64url"))).encode();
    answer = () => json(body(made, none));
    const refused = await visitor.comeBack(back(address));
    assert.deepEqual([refused.status, visitor.cookie], [401, undefined], textOf(refused.text));
  }
});

test("a provider that fails is no verdict, and one that refuses the code is", async () => {
  const visitor = await someone();
  for (const [made, status] of [[() => json({ error: "invalid_client" }, 401), 503], [() => new OutboundResponse("<html>", { status: 200 }), 503], [() => json({}, 500), 503], [() => json({ error: "invalid_grant" }, 400), 401]]) {
    const { address } = await leave(visitor);
    answer = made;
    assert.deepEqual([(await visitor.comeBack(back(address))).status, visitor.cookie], [status, undefined]);
  }
});

test("what the address has in excess changes nothing, and what it lacks signs nobody in", async () => {
  const visitor = await someone();
  for (const more of [{ error: "server_error" }, { iss: "https://evil.example" }, { code: "" }, { code: " " }]) {
    const { address } = await leave(visitor);
    gives(await token(visitor, address));
    asked = [];
    assert.deepEqual([(await visitor.comeBack(back(address, more))).status, visitor.cookie, asked.length], [401, undefined, 0], JSON.stringify(more));
  }
  const { address } = await leave(visitor);
  gives(await token(visitor, address));
  assert.equal((await visitor.comeBack(back(address, { session_state: "x", scope: "openid" }))).status, 200);
});

test("the user is bound to the subject of the first sign-in", async () => {
  const visitor = await someone();
  const first = await leave(visitor);
  gives(await token(visitor, first.address));
  assert.equal((await visitor.comeBack(back(first.address))).status, 200);
  const other = Object.assign(new Visitor(till), { user: visitor.user });
  const second = await leave(other);
  gives(await token(visitor, second.address, { sub: "someone who took the name" }));
  assert.deepEqual([(await other.comeBack(back(second.address))).status, other.cookie], [403, undefined]);
});

test("a description that leads elsewhere sends nobody there", async () => {
  for (const [name, authorization_endpoint] of Object.entries({ plain: "http://id.example.com/auth", inner: "https://169.254.169.254/auth", script: "javascript:alert(1)", none: undefined })) {
    const merchant = await provider(`https://${name}.example.com`, { authorization_endpoint });
    const visitor = new Visitor(till);
    const { left, address } = await leave(visitor, merchant);
    assert.deepEqual([left.status, address, visitor.trip], [503, undefined, undefined], name);
  }
  const merchant = await provider("https://query.example.com", { authorization_endpoint: "https://query.example.com/auth?realm=a" });
  const { address } = await leave(new Visitor(till), merchant);
  assert.deepEqual([address.searchParams.get("realm"), address.searchParams.get("response_type")], ["a", "code"]);
});

/** Signs in with these claims of the ID token, and answers what the first page says. */
async function signIn(visitor, claims) {
  const { address } = await leave(visitor);
  gives(await token(visitor, address, claims));
  assert.equal((await visitor.comeBack(back(address))).status, 200);
  return visitor.get("/me/");
}
const exported = async (visitor) => {
  await visitor.get("/me/");
  const [{ fields }] = formsOf(visitor.page).filter(({ action }) => action === "/sign-out/");
  return visitor.post("/payments/export/", Object.fromEntries(fields));
};

test("the session is as fresh as the sign-in at the provider", async () => {
  for (const [auth_time, status] of [[now, 200], [now - 310, 401], [now - 86_000, 401], [undefined, 401], [now + 86_000, 200]]) {
    const visitor = await someone();
    await signIn(visitor, { auth_time });
    assert.equal((await exported(visitor)).status, status, String(auth_time));
    const [{ factor_at }] = await till.rows("SELECT factor_at FROM desk_session WHERE user_id = ?", String(visitor.user.id));
    assert.ok(Number(factor_at) <= Date.now(), "never of the future");
  }
});

test("a provider that does not say when someone signed in again confirms nothing", async () => {
  const visitor = await someone();
  await signIn(visitor, { auth_time: undefined });
  assert.equal((await exported(visitor)).status, 401);
  for (const [claims, status] of [[{ auth_time: undefined }, 401], [{ auth_time: now - 400 }, 401], [{ auth_time: Math.floor(Date.now() / 1000) }, 200]]) {
    await exported(visitor);
    const address = addressOf(await visitor.submit("/sign-in/provider/again/"));
    gives(await token(visitor, address, claims));
    assert.equal((await visitor.comeBack(back(address))).status, status, JSON.stringify(claims));
  }
  assert.equal((await exported(visitor)).status, 200);
});

test("who has an app at the desk gives its code there, unless the provider asked for a second factor", async () => {
  const visitor = await someone();
  await signIn(visitor, {});
  const { next } = await setFactor(visitor);

  for (const [claims, status] of [[{}, 303], [{ amr: ["pwd"] }, 303], [{ amr: ["pwd", "otp"] }, 200]]) {
    const again = Object.assign(new Visitor(till), { user: visitor.user });
    assert.equal((await signIn(again, claims)).status, status, JSON.stringify(claims));
    if (status === 200) {
      await till.rows("UPDATE desk_session SET factor_at = factor_at - 300001");
      const asks = await exported(again);
      assert.match(asks.text, /name="factor"/, "the code of the app serves");
      assert.equal((await again.submit("/payments/export/", { factor: next })).status, 200);
    }
  }
});

/** Comes back with an ID token without a name, where the userinfo endpoint answers this. */
async function unnamed(visitor, made, body = {}) {
  const { address } = await leave(visitor);
  const id_token = await token(visitor, address, { preferred_username: undefined });
  answer = () => json({ access_token: "opaque.to-us_1~+/=", token_type: "Bearer", id_token, ...body });
  const times = [];
  userinfo = (request) => { times.push(request.headers.authorization); return made(request); };
  const came = await visitor.comeBack(back(address));
  return { came, times };
}
const about = (visitor, more = {}) => () => json({ sub: `subject of ${visitor.user.username}`, preferred_username: visitor.user.username, ...more });

test("a name that the ID token leaves out is asked for, once, with the token of access", async () => {
  const visitor = await someone();
  const { came, times } = await unnamed(visitor, about(visitor));
  assert.deepEqual([came.status, times], [200, ["Bearer opaque.to-us_1~+/="]], textOf(came.text));
  assert.equal((await visitor.get("/me/")).status, 200);
  const [{ factor_at }] = await till.rows("SELECT factor_at FROM desk_session WHERE user_id = ?", String(visitor.user.id));
  assert.ok(Date.now() - Number(factor_at) < 60_000, "the rest is what the ID token says");
});

test("a name in the ID token is enough", async () => {
  const visitor = await someone();
  const { address } = await leave(visitor);
  gives(await token(visitor, address));
  userinfo = () => assert.fail("nobody asks");
  assert.equal((await visitor.comeBack(back(address))).status, 200);
});

const HUGE = "x".repeat(4_000_000);
const NO_NAME = {
  "about another subject": [401, (visitor) => about(visitor, { sub: "someone else" })],
  "about nobody": [401, (visitor) => about(visitor, { sub: undefined })],
  "without a name": [403, (visitor) => about(visitor, { preferred_username: undefined })],
  "with a name of nobody here": [403, (visitor) => about(visitor, { preferred_username: "a-stranger" })],
  "with a name that is none": [403, (visitor) => about(visitor, { preferred_username: "a\nb" })],
  "with a list for a name": [503, (visitor) => about(visitor, { preferred_username: [visitor.user.username] })],
  "with two subjects": [503, (visitor) => () => new OutboundResponse(`{"sub":"someone else","sub":"subject of ${visitor.user.username}","preferred_username":"${visitor.user.username}"}`)],
  "that fails": [503, () => () => json({ error: "server_error" }, 500)],
  "that refuses the token": [503, () => () => json({ error: "invalid_token" }, 401)],
  "that leads elsewhere": [503, () => () => new OutboundResponse("", { status: 302, headers: { location: "https://evil.example/" } })],
  "that is no JSON": [503, () => () => new OutboundResponse("<html>")],
  "that is huge": [503, (visitor) => about(visitor, { picture: HUGE })],
  "that is late": [503, (visitor) => async () => { await new Promise((resolve) => { setTimeout(resolve, 7_000); }); return about(visitor)(); }],
};
for (const [name, [status, made]] of Object.entries(NO_NAME)) {
  test(`an answer about the user ${name} signs nobody in`, async () => {
    const visitor = await someone();
    const { came, times } = await unnamed(visitor, made(visitor));
    assert.deepEqual([came.status, visitor.cookie, times.length], [status, undefined, 1], textOf(came.text));
    const [{ provider_subject }] = await till.rows("SELECT provider_subject FROM user WHERE id = ?", String(visitor.user.id));
    assert.equal(provider_subject, null, "nobody is bound");
  });
}

test("without a token of access that can be brought, or an address that may be called, nobody is asked", async () => {
  const visitor = await someone();
  for (const access_token of [undefined, "", "two words", "a\r\nx-evil: 1", "\u00e9", "x".repeat(8_193)]) {
    const { came, times } = await unnamed(visitor, about(visitor), { access_token });
    assert.deepEqual([came.status, visitor.cookie, times.length], [403, undefined, 0], String(access_token));
  }
  for (const [name, userinfo_endpoint] of Object.entries({ "u-plain": "http://id.example.com/userinfo", "u-inner": "https://169.254.169.254/userinfo", "u-none": undefined })) {
    const issuer = `https://${name}.example.com`;
    const merchant = await provider(issuer, { userinfo_endpoint });
    const made = await till.call("/b/access/v1/users/", { method: "POST", headers: till.privateKey(merchant), json: { username: name, is_superuser: true } });
    const person = Object.assign(new Visitor(till), { user: made.body });
    const { address } = await leave(person, merchant);
    gives(await token(person, address, { iss: issuer, preferred_username: undefined }));
    userinfo = () => assert.fail("nobody asks");
    const came = await person.comeBack(back(address).replace(shop.merchant_id, merchant.merchant_id));
    assert.deepEqual([came.status, person.cookie], [403, undefined], name);
  }
});

test("who signed in elsewhere is not asked about: the ID token is judged before", async () => {
  for (const [claims, how] of [[{ nonce: "another" }], [{ aud: "another-client" }], [{}, { key: stranger.privateKey }]]) {
    const visitor = await someone();
    const { address } = await leave(visitor);
    gives(await token(visitor, address, { preferred_username: undefined, ...claims }, how));
    userinfo = () => assert.fail("nobody asks");
    assert.deepEqual([(await visitor.comeBack(back(address))).status, visitor.cookie], [401, undefined]);
  }
});
