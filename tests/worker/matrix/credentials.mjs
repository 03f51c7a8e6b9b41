/** Everything that a request can offer as proof of who sends it, good and bad: what it is called, its header, what it holds. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { withAnotherSecret } from "../check-part.mjs";
import { OPERATOR_TOKEN } from "../harness.mjs";
import { Realm } from "../realm.mjs";
import { OF_KEYS, OF_USERS, TOGETHER, publicOf } from "./expected.mjs";

const PASSWORD = "correct horse battery";
const apiKey = (key) => `Api-Key ${key}`;
const basic = (username, password = PASSWORD) => `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
const INVALID = { kind: "invalid" };
/** A user whom the provider names has no password here. */
const AT_PROVIDER = { password: undefined };

/** Makes keys and users of a merchant. */
class Merchant {
  constructor(till, answer) {
    this.till = till;
    this.id = answer.merchant_id;
    this.answer = answer;
  }

  async #post(path, json) {
    const made = await this.till.operator(`/merchants/${this.id}/${path}/`, { method: "POST", json });
    assert.equal(made.status, 201, made.text);
    return made.body;
  }

  async key(json) {
    const made = await this.#post("keys", json);
    this.till.secrets.add(made.key);
    return made;
  }

  async user(name, more = {}) {
    const made = await this.#post("users", { username: `${name}@${this.id}`, password: PASSWORD, ...more });
    return { ...made, authorization: basic(made.username) };
  }

  change(user, json) {
    return this.till.operator(`/merchants/${this.id}/users/${user.id}/`, { method: "PATCH", json });
  }
}

/** No credential, and what has the form of none. */
function malformed(shop) {
  const key = shop.answer.private_key;
  const headers = {
    "an empty header": "", "a scheme alone": "Api-Key", "an unknown scheme": `Token ${key}`, "a key without a scheme": key,
    "a key cut short": apiKey(key.slice(0, -1)), "a key and more": apiKey(`${key} x`), "two keys in one header": `${apiKey(key)}, ${apiKey(key)}`,
    "Basic that is no base64": "Basic !!!", "Basic without a colon": `Basic ${Buffer.from("sara").toString("base64")}`, "Bearer alone": "Bearer",
  };
  const found = Object.entries(headers).map(([name, authorization]) => ({ name, authorization, holds: INVALID }));
  // The platform does not hand on a header without a value.
  found[0].holds = { kind: "none" };
  return [{ name: "no credential", authorization: undefined, holds: { kind: "none" } }, ...found];
}

/** Keys that are not good, or no longer. */
async function badKeys(till, shop) {
  const letters = randomBytes(60).toString("base64").replaceAll(/[^A-Za-z0-9]/g, "x");
  const revoked = await shop.key({ kind: "private" });
  await till.operator(`/merchants/${shop.id}/keys/${revoked.prefix}/`, { method: "DELETE" });
  const expired = await shop.key({ kind: "private", expires_at: "2035-01-01T00:00:00Z" });
  await till.rows("UPDATE api_key SET expires_at = ?1 WHERE prefix = ?2", Date.now() - 1000, expired.prefix);
  const keys = {
    "an unknown private key": `${letters.slice(0, 8)}.${letters.slice(8, 40)}`,
    "an unknown public key": randomBytes(20).toString("hex"),
    "a known prefix and another secret": withAnotherSecret(shop.answer.private_key),
    "a key with a wrong check part": `${shop.answer.private_key.slice(0, -1)}${shop.answer.private_key.endsWith("x") ? "y" : "x"}`,
    "a revoked key": revoked.key, "an expired key": expired.key,
  };
  return Object.entries(keys).map(([name, key]) => ({ name, authorization: apiKey(key), holds: INVALID }));
}

async function keys(shop) {
  const found = [
    { name: "the private key", authorization: apiKey(shop.answer.private_key), holds: { kind: "private", may: "all" } },
    { name: "the public key", authorization: apiKey(shop.answer.public_key), holds: { kind: "public", may: "all" } },
  ];
  for (const pg_code of ["knet", "credit-card"]) {
    const { key } = await shop.key({ kind: "public", permissions: [`Can use ${pg_code}`] });
    found.push({ name: `a public key for ${pg_code}`, authorization: apiKey(key), holds: { kind: "public", may: publicOf(pg_code) } });
  }
  for (const permissions of [[], ...OF_KEYS.map((one) => [one]), ...TOGETHER]) {
    const { key } = await shop.key({ kind: "private", permissions });
    const name = permissions.length === 0 ? "a private key scoped to nothing" : `a private key scoped to ${permissions.join(" and ")}`;
    found.push({ name, authorization: apiKey(key), holds: { kind: "private", may: new Set(permissions) } });
  }
  return found;
}

async function users(shop) {
  const found = [];
  for (const [place, permissions] of [[], ...OF_USERS.map((one) => [one]), ...TOGETHER].entries()) {
    const { authorization } = await shop.user(`user-${place}`, { permissions });
    const name = permissions.length === 0 ? "a user without permissions" : `a user with ${permissions.join(" and ")}`;
    found.push({ name, authorization, holds: { kind: "user", may: new Set(permissions) } });
  }
  const root = await shop.user("root", { is_superuser: true });
  found.push({ name: "a superuser", authorization: root.authorization, holds: { kind: "user", may: "all" } });
  // Every request with a wrong password counts, and a hundred of one name are refused: several names take turns.
  const wrong = { "a user who is switched off": [], "a wrong password": [], "a user who does not exist": [] };
  for (const turn of [1, 2, 3]) {
    const left = await shop.user(`left-${turn}`, { is_superuser: true });
    await shop.change(left, { is_active: false });
    const victim = await shop.user(`victim-${turn}`, { is_superuser: true });
    wrong["a user who is switched off"].push(left.authorization);
    wrong["a wrong password"].push(basic(victim.username, "a wrong password"));
    wrong["a user who does not exist"].push(basic(`nobody-${turn}@${shop.id}`));
  }
  found.push(...Object.entries(wrong).map(([name, turns]) => ({ name, authorization: turns[0], turns, holds: INVALID })));
  return found;
}

/** The root operator, operators of each role, and what is no operator's. */
async function operators(till) {
  const made = async (json) => {
    const { status, body, text } = await till.operator("/operators/", { method: "POST", json });
    assert.equal(status, 201, text);
    till.secrets.add(body.key);
    return body;
  };
  const found = [];
  for (const role of ["read", "support", "admin"]) {
    const { key } = await made({ name: `matrix ${role}`, role });
    found.push({ name: `an operator of the role ${role}`, authorization: `Bearer ${key}`, holds: { kind: "operator", role } });
  }
  const revoked = await made({ name: "matrix revoked", role: "admin" });
  await till.operator(`/operators/${revoked.id}/`, { method: "DELETE" });
  const expired = await made({ name: "matrix expired", role: "admin", expires_at: "2035-01-01T00:00:00Z" });
  await till.rows("UPDATE operator SET expires_at = ?1 WHERE id = ?2", Date.now() - 1000, expired.id);
  return [
    ...found,
    { name: "a revoked operator", authorization: `Bearer ${revoked.key}`, holds: INVALID },
    { name: "an operator whose key expired", authorization: `Bearer ${expired.key}`, holds: INVALID },
    { name: "an operator's key as a merchant's", authorization: apiKey(revoked.key), holds: INVALID },
    { name: "the operator's token", authorization: `Bearer ${OPERATOR_TOKEN}`, holds: { kind: "operator", role: "admin" } },
    { name: "another operator's token", authorization: `Bearer ${OPERATOR_TOKEN.replace(/.$/, (last) => (last === "x" ? "y" : "x"))}`, holds: INVALID },
    { name: "the operator's token as a key", authorization: apiKey(OPERATOR_TOKEN), holds: INVALID },
  ];
}

/** A token of our endpoint. */
async function given(till, fields) {
  const answer = await till.call("/b/auth/v1/token/", { method: "POST", body: new URLSearchParams(fields) });
  assert.equal(answer.status, 200, answer.text);
  till.secrets.add(answer.body.access_token);
  return `Bearer ${answer.body.access_token}`;
}
const ofUser = (till, { username }) => given(till, { grant_type: "password", username, password: PASSWORD });
const ofKey = (till, key) => given(till, { grant_type: "client_credentials", client_id: key.split(".")[0], client_secret: key.split(".")[1] });

/** Tokens of our endpoint: one holds what its user or key holds, and ends with it. */
async function ourTokens(till, shop) {
  const may = TOGETHER[0];
  const [root, some, changed] = [
    await shop.user("token-root", { is_superuser: true }), await shop.user("token-some", { permissions: may }), await shop.user("token-changed", { is_superuser: true }),
  ];
  const [key, revoked] = [await shop.key({ kind: "private", permissions: may }), await shop.key({ kind: "private" })];
  const [early, late] = [await ofUser(till, changed), await ofKey(till, revoked.key)];
  await shop.change(changed, { password: `${PASSWORD} again` });
  await till.operator(`/merchants/${shop.id}/keys/${revoked.prefix}/`, { method: "DELETE" });
  const good = await ofUser(till, root);
  const [head, body, signature] = good.split(".");
  return [
    { name: "a token of a superuser", authorization: good, holds: { kind: "user", may: "all" } },
    { name: "a token of a user with some permissions", authorization: await ofUser(till, some), holds: { kind: "user", may: new Set(may) } },
    { name: "a token of the private key", authorization: await ofKey(till, shop.answer.private_key), holds: { kind: "private", may: "all" } },
    { name: "a token of a scoped key", authorization: await ofKey(till, key.key), holds: { kind: "private", may: new Set(may) } },
    { name: "a token of a user whose password changed", authorization: early, holds: INVALID },
    { name: "a token of a revoked key", authorization: late, holds: INVALID },
    { name: "a token with another signature", authorization: `${head}.${body}.${signature.replace(/^./, (first) => (first === "A" ? "B" : "A"))}`, holds: INVALID },
  ];
}

/** Tokens of the merchant's provider: one holds what the user of its name holds. */
async function signedOn(till, shop) {
  const realm = await new Realm().generate();
  realm.serve(till);
  const may = TOGETHER[0];
  const [root, some, left] = [await shop.user("sso-root", { is_superuser: true, ...AT_PROVIDER }), await shop.user("sso-some", { permissions: may, ...AT_PROVIDER }), await shop.user("sso-left", { is_superuser: true, ...AT_PROVIDER })];
  await shop.change(left, { is_active: false });
  const token = async (user, claims = {}, kid = "es") => `Bearer ${await realm.token(kid, { claims: { preferred_username: user.username, ...claims } })}`;
  const first = await token(root);
  await till.call("/b/checkout/v1/pymt-txn/", { headers: { authorization: first } });
  const past = { iat: realm.now - 600, exp: realm.now - 300 };
  return [
    { name: "a provider's token of a superuser", authorization: await token(root), holds: { kind: "user", may: "all" } },
    { name: "a provider's token of a user with some permissions", authorization: await token(some, {}, "rs"), holds: { kind: "user", may: new Set(may) } },
    { name: "a provider's token of a user who is switched off", authorization: await token(left), holds: INVALID },
    { name: "a provider's token of a user who has a password here", authorization: await token(await shop.user("sso-own", { is_superuser: true })), holds: INVALID },
    { name: "a provider's token of another subject who took the name", authorization: await token(root, { sub: "8" }), holds: INVALID },
    { name: "a provider's token of nobody", authorization: await token({ username: "nobody-at-all" }), holds: INVALID },
    { name: "a provider's token that is over", authorization: await token(root, past), holds: INVALID },
    { name: "a provider's token for someone else", authorization: await token(root, { aud: "another" }), holds: INVALID },
    { name: "a token of a key that the provider does not have", authorization: await token(root, {}, "stranger"), holds: INVALID },
  ];
}

/** Bearer tokens: of our endpoint, of single sign-on, and of nobody. */
async function tokens(till, shop) {
  const part = (json) => Buffer.from(JSON.stringify(json)).toString("base64url");
  const unsigned = `${part({ alg: "none", typ: "JWT" })}.${part({ sub: "1", exp: 4_000_000_000 })}.`;
  return [
    { name: "a token without a signature", authorization: `Bearer ${unsigned}`, holds: INVALID },
    { name: "a token of nobody", authorization: `Bearer ${unsigned}${"A".repeat(43)}`, holds: INVALID },
    { name: "a token that is none", authorization: "Bearer abc.def", holds: INVALID },
    ...(await ourTokens(till, shop)), ...(await signedOn(till, shop)),
  ];
}

/** Those of another merchant, for whom nothing of the shop exists. */
async function foreign(other) {
  const root = await other.user("root", { is_superuser: true });
  return [
    { name: "another merchant's private key", authorization: apiKey(other.answer.private_key), holds: { kind: "private", may: "all" }, isForeign: true },
    { name: "another merchant's public key", authorization: apiKey(other.answer.public_key), holds: { kind: "public", may: "all" }, isForeign: true },
    { name: "another merchant's superuser", authorization: root.authorization, holds: { kind: "user", may: "all" }, isForeign: true },
  ];
}

/** One of each kind, for operations that ask nothing about who calls. */
const SAMPLES = [
  "no credential", "a key cut short", "a revoked key", "the private key", "the public key", "a user without permissions", "a superuser",
  "a wrong password", "the operator's token", "a token of nobody", "another merchant's private key",
];

/** All of them, for the resources of `shop`; `other` is another merchant. */
export async function credentials(till, shop, other) {
  const [own, stranger] = [new Merchant(till, shop), new Merchant(till, other)];
  const all = [
    ...malformed(own), ...(await badKeys(till, own)), ...(await keys(own)), ...(await users(own)), ...(await operators(till)), ...(await tokens(till, own)),
    ...(await foreign(stranger)),
  ];
  const samples = SAMPLES.map((name) => all.find((one) => one.name === name) ?? assert.fail(`there is no ${name}`));
  return all.map((one) => ({ ...one, isSample: samples.includes(one) }));
}
