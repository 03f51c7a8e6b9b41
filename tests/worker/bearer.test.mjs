/**
 * Tokens over HTTP: those that this service gives, asked for by a client library that others wrote (`simple-oauth2`), and those of
 * a merchant's own provider (`oidc-provider`, see `identity.mjs`), whose users also sign in by name and password.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { ClientCredentials, ResourceOwnerPassword } from "simple-oauth2";
import { start } from "./harness.mjs";
import { AUDIENCE, CLIENT, Identity, PEOPLE } from "./identity.mjs";
import { assertProblem } from "./payer.mjs";

const CREATE = "/b/checkout/v1/pymt-txn/";
const TOKEN = "/b/auth/v1/token/";
const PASSWORD = "correct horse battery";
const ORDER = { type: "e_commerce", amount: "1.000", currency_code: "KWD", pg_codes: ["knet"] };
const MAY_CREATE = ["Can add e-commerce payments", "Can use knet"];

/** @type {import("./harness.mjs").Till} */
let till;
let identity;
let shop;
let sara;
before(async () => {
  till = await start({ sockets: true });
  identity = await (await new Identity().start()).rotate("first");
  till.secrets.add(CLIENT.secret);
  shop = await till.createMerchant({
    single_sign_on: { issuer: identity.issuer, audience: AUDIENCE, accepts_basic: true, client_id: CLIENT.id, client_secret: CLIENT.secret },
  });
  sara = `sara@${shop.merchant_id}`;
  await user({ username: sara, password: PASSWORD, permissions: MAY_CREATE });
});
after(async () => {
  await till?.stop();
  if (identity?.server.listening) await identity.stop();
});

const basic = (name, password) => `Basic ${Buffer.from(`${name}:${password}`).toString("base64")}`;
const create = (authorization) => till.call(CREATE, { method: "POST", headers: { authorization }, json: ORDER });
const [prefix, secret] = [() => shop.private_key.split(".")[0], () => shop.private_key.split(".")[1]];

async function user(json) {
  const answer = await till.call("/b/access/v1/users/", { method: "POST", headers: { authorization: `Api-Key ${shop.private_key}` }, json });
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}

function ask(fields, headers = {}) {
  const body = new URLSearchParams(fields).toString();
  return till.call(TOKEN, { method: "POST", headers: { "content-type": "application/x-www-form-urlencoded", ...headers }, body });
}

const client = (method) => ({
  client: { id: prefix(), secret: secret() },
  auth: { tokenHost: till.url, tokenPath: TOKEN },
  options: { authorizationMethod: method },
});

for (const method of ["header", "body"]) {
  test(`a client library gets a token for a key, named in the ${method}, and the token creates a payment`, async () => {
    const { token } = await new ClientCredentials(client(method)).getToken({});
    assert.deepEqual([token.token_type, token.expires_in], ["Bearer", 3600]);
    const created = await create(`Bearer ${token.access_token}`);
    assert.equal(created.status, 201, created.text);
  });

  test(`a client library gets a token for a user, with a key named in the ${method}`, async () => {
    const { token } = await new ResourceOwnerPassword(client(method)).getToken({ username: sara, password: PASSWORD });
    till.secrets.add(token.access_token);
    const created = await create(`Bearer ${token.access_token}`);
    assert.equal(created.status, 201, created.text);
    assert.equal((await till.call("/b/access/v1/users/", { headers: { authorization: `Bearer ${token.access_token}` } })).status, 403);
  });
}

test("a client library reads why there is no token", async () => {
  const wrong = { ...client("header"), client: { id: prefix(), secret: "0".repeat(32) } };
  await assert.rejects(new ClientCredentials(wrong).getToken({}), (error) => {
    assert.deepEqual([error.output.statusCode, error.data.payload.error], [401, "invalid_client"]);
    return true;
  });
  await assert.rejects(new ResourceOwnerPassword(client("body")).getToken({ username: sara, password: "a wrong password" }), (error) => {
    assert.deepEqual([error.output.statusCode, error.data.payload.error], [400, "invalid_grant"]);
    return true;
  });
});

test("a token is of the type at+jwt, says who it is for, and is not cached", async () => {
  const answer = await ask({ grant_type: "password", username: sara, password: PASSWORD });
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual([answer.headers.get("cache-control"), answer.headers.get("pragma")], ["no-store", "no-cache"]);
  const { access_token } = answer.body;
  const { alg, typ, kid } = decodeProtectedHeader(access_token);
  assert.deepEqual([alg, typ, kid.length], ["HS256", "at+jwt", 8]);
  const { iss, aud, exp, iat, mid } = decodeJwt(access_token);
  assert.deepEqual([aud, exp - iat, mid], [`${iss}/b/`, 3600, shop.merchant_id]);
});

test("each error of the standard has its code, and Basic is asked for where a client is unknown", async () => {
  const rows = [
    [{}, 400, "invalid_request"],
    [{ grant_type: "password", username: sara }, 400, "invalid_request"],
    [{ grant_type: "refresh_token" }, 400, "unsupported_grant_type"],
    [{ grant_type: "password", username: sara, password: PASSWORD, scope: "all" }, 400, "invalid_scope"],
    [{ grant_type: "password", username: sara, password: "a wrong password" }, 400, "invalid_grant"],
    [{ grant_type: "client_credentials" }, 401, "invalid_client"],
  ];
  for (const [fields, status, error] of rows) {
    const answer = await ask(fields);
    assert.deepEqual([answer.status, answer.body.error], [status, error], answer.text);
    assert.equal(answer.headers.get("www-authenticate")?.startsWith("Basic ") ?? false, status === 401);
  }
  assertProblem(await till.call(TOKEN, { method: "POST", json: { grant_type: "password" } }), 415, "unsupported_media_type");
  assert.equal((await till.call(TOKEN)).status, 405);
});

test("too many wrong passwords are answered 429 with the time to wait", async () => {
  const { username } = await user({ username: `omar@${shop.merchant_id}`, password: PASSWORD, permissions: [] });
  const wrong = () => ask({ grant_type: "password", username, password: "a wrong password" }, { "cf-connecting-ip": "203.0.113.77" });
  const answers = await Promise.all(Array.from({ length: 14 }, wrong));
  assert.deepEqual([...new Set(answers.map(({ status }) => status))].sort(), [400, 429]);
  assert.equal(answers.filter(({ status }) => status === 400).length, 10);
  const { headers, body } = answers.find(({ status }) => status === 429);
  assert.equal(body.error, "temporarily_unavailable");
  assert.ok(Number(headers.get("retry-after")) > 600);
});

test("a revoked key and a changed password end their tokens at once", async () => {
  const key = (await till.operator(`/merchants/${shop.merchant_id}/keys/`, { method: "POST", json: { kind: "private" } })).body;
  const [id, own] = key.key.split(".");
  till.secrets.add(key.key);
  const of = async (fields) => (await ask(fields)).body.access_token;
  const ofKey = await of({ grant_type: "client_credentials", client_id: id, client_secret: own });
  const noor = await user({ username: `noor@${shop.merchant_id}`, password: PASSWORD, permissions: MAY_CREATE });
  const ofUser = await of({ grant_type: "password", username: noor.username, password: PASSWORD });
  for (const token of [ofKey, ofUser]) assert.equal((await create(`Bearer ${token}`)).status, 201);
  await till.operator(`/merchants/${shop.merchant_id}/keys/${id}/`, { method: "DELETE" });
  await till.operator(`/merchants/${shop.merchant_id}/users/${noor.id}/`, { method: "PATCH", json: { password: "another long password" } });
  for (const token of [ofKey, ofUser]) assertProblem(await create(`Bearer ${token}`), 401, "credentials_invalid");
});

test("what is made with a token names the user", async () => {
  const { access_token } = (await ask({ grant_type: "password", username: sara, password: PASSWORD })).body;
  const { body } = await create(`Bearer ${access_token}`);
  const shown = await till.call(`${CREATE}${body.session_id}/`, { headers: { authorization: `Api-Key ${shop.private_key}` } });
  assert.equal(typeof shown.body.initiator_id, "number", shown.text);
});

test("users of the merchant's provider call by its tokens, and by name and password", async () => {
  for (const [username, { password, audience, opaque }] of Object.entries(PEOPLE)) {
    await user({ username, permissions: MAY_CREATE });
    const { access_token } = await identity.signIn(username);
    const byToken = await create(`Bearer ${access_token}`);
    if (audience || opaque) assertProblem(byToken, 401, "credentials_invalid");
    else assert.equal(byToken.status, 201, `${username}: ${byToken.text}`);
    const byPassword = await create(basic(username, password));
    assert.equal(byPassword.status, 201, `${username}: ${byPassword.text}`);
    assertProblem(await create(basic(username, "a wrong password")), 401, "credentials_invalid");
  }
  const given = await ask({ grant_type: "password", username: "noura", password: PEOPLE.noura.password });
  assert.equal((await create(`Bearer ${given.body.access_token}`)).status, 201, "and such a user gets a token of ours");
});

test("a user of the provider who is unknown here, or switched off here, may nothing", async () => {
  const { access_token } = await identity.signIn("ps");
  const { body: users } = await till.call("/b/access/v1/users/", { headers: { authorization: `Api-Key ${shop.private_key}` } });
  const { id } = users.find(({ username }) => username === "ps");
  await till.operator(`/merchants/${shop.merchant_id}/users/${id}/`, { method: "PATCH", json: { is_active: false } });
  assertProblem(await create(`Bearer ${access_token}`), 401, "credentials_invalid");
  const stranger = await identity.token("RS256", { iat: Math.floor(Date.now() / 1000), exp: Math.floor(Date.now() / 1000) + 60, preferred_username: "stranger" });
  assertProblem(await create(`Bearer ${stranger}`), 401, "credentials_invalid");
});

test("a transaction is retrieved in one round trip to the database, together with who calls, by a token as by a key", async () => {
  const { body: { session_id } } = await create(`Api-Key ${shop.private_key}`);
  const given = async (fields) => (await ask(fields)).body.access_token;
  const viewer = await user({ username: `viewer@${shop.merchant_id}`, password: PASSWORD, permissions: ["Can view e-commerce payments"] });
  const { permissions } = await user({ username: "reader", permissions: ["Can view e-commerce payments"] });
  assert.equal(permissions.length, 1);
  const now = Math.floor(Date.now() / 1000);
  const callers = {
    key: `Api-Key ${shop.private_key}`,
    "a token of a key": `Bearer ${await given({ grant_type: "client_credentials", client_id: prefix(), client_secret: secret() })}`,
    "a token of a user": `Bearer ${await given({ grant_type: "password", username: viewer.username, password: PASSWORD })}`,
    "a token of the provider": `Bearer ${await identity.token("ES256", { iat: now, exp: now + 300, preferred_username: "reader" })}`,
    "a name and a password": basic(viewer.username, PASSWORD),
  };
  const trips = {};
  for (const [name, authorization] of Object.entries(callers)) {
    // The second request of each finds what the isolate has cached.
    for (const turn of ["first", "second"]) {
      const id = `trips-${Object.keys(callers).indexOf(name)}-${turn}`;
      const answer = await till.call(`${CREATE}${session_id}/`, { headers: { authorization, "x-request-id": id } });
      assert.equal(answer.status, 200, `${name}: ${answer.text}`);
      trips[name] = await till.roundTrips(id);
    }
  }
  assert.deepEqual(trips, Object.fromEntries(Object.keys(callers).map((name) => [name, 1])));
});

test("neither tokens nor passwords are in the database, in KV or in the log", async () => {
  const { access_token } = await identity.signIn("es");
  await create(`Bearer ${access_token}`);
  const { body } = await ask({ grant_type: "password", username: sara, password: PASSWORD });
  await create(`Bearer ${body.access_token}`);
  for (const secret of [access_token, body.access_token, PASSWORD, PEOPLE.noura.password]) till.secrets.add(secret);
  const tables = await till.rows("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE 'CREATE TABLE%STRICT%'");
  const stored = await Promise.all(tables.map(({ name }) => till.rows(`SELECT * FROM "${name}"`)));
  const kv = await till.kv("FILES");
  const cached = await Promise.all((await kv.list()).keys.map(({ name }) => kv.get(name)));
  const all = [JSON.stringify(stored), ...cached].join("\n");
  assert.ok(tables.length > 10 && cached.length > 0 && all.includes(shop.merchant_id));
  // What was logged is read when the Worker stops.
  for (const secret of till.secrets) assert.ok(!all.includes(secret), secret.slice(0, 12));
});
