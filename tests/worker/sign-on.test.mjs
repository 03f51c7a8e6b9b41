/**
 * Single sign-on at a real provider (`identity.mjs`) over sockets: tokens that users bring, names and passwords that are exchanged,
 * keys that are rotated, and a provider that is away. The Worker is the one with the feature `contract`, which says why it
 * refuses.
 */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { CLIENT, Identity, AUDIENCE, PEOPLE, PUBLIC_CLIENT } from "./identity.mjs";
import { judge, skip, startContract, verdict } from "./realm.mjs";

describe("single sign-on at a real provider", { skip }, () => {
  /** @type {import("./harness.mjs").Till} */
  let till;
  let identity;
  /** The merchant of most tests; some make others. */
  let merchant;
  const now = () => Math.floor(Date.now() / 1000);

  before(async () => {
    till = await startContract({ sockets: true });
    identity = await (await new Identity().start()).rotate("first");
    till.secrets.add(CLIENT.secret);
    for (const { password } of Object.values(PEOPLE)) if (password.length > 6) till.secrets.add(password);
    merchant = (await till.createMerchant({ single_sign_on: settings() })).merchant_id;
  });
  after(async () => {
    await till?.stop();
    if (identity.server.listening) await identity.stop();
  });

  /** An audience that no other merchant has: the ID token says who someone is then. */
  let others = 0;
  const another = (more = {}) => settings({ audience: `${AUDIENCE}-${++others}`, ...more });

  const settings = (more = {}) => ({
    issuer: identity.issuer, audience: AUDIENCE, accepts_basic: true, client_id: CLIENT.id, client_secret: CLIENT.secret, ...more,
  });

  const bearer = (token, more = {}) => judge(till, "claims", { merchant, token, ...more });
  const basic = (username, password = PEOPLE[username]?.password, more = {}) =>
    judge(till, "exchange", { merchant, username, password, ...more });

  for (const [username, { sub, alg }] of Object.entries(PEOPLE).filter(([, { opaque, audience }]) => !opaque && !audience)) {
    it(`accepts the token of access that the provider signs by ${alg}`, async () => {
      const { access_token } = await identity.signIn(username);
      assert.deepEqual(JSON.parse(Buffer.from(access_token.split(".")[0], "base64url")), { alg, kid: `${alg}-first`, typ: "at+jwt" });
      assert.deepEqual(await bearer(access_token), { subject: sub, username });
    });

    it(`exchanges the name and the password of a user whose token is ${alg}`, async () => {
      assert.deepEqual(await basic(username), { subject: sub, username });
    });
  }

  it("has asked for the description and the keys once", () => {
    const count = (path) => identity.asked.filter((asked) => asked === `GET ${path}`).length;
    assert.deepEqual([count("/.well-known/openid-configuration"), count("/jwks")], [1, 1]);
  });

  it("takes the ID token if the token of access is one that only the provider can read", async () => {
    const { access_token, id_token } = await identity.signIn("opaque");
    assert.equal(verdict(await bearer(access_token)), "not_compact");
    assert.equal(verdict(await bearer(id_token)), "audience");
    assert.deepEqual(await basic("opaque"), { subject: PEOPLE.opaque.sub, username: "opaque" });
  });

  it("accepts no token for another service, and no ID token as a token of access", async () => {
    const { access_token, id_token } = await identity.signIn("elsewhere");
    assert.equal(verdict(await bearer(access_token)), "audience");
    // Even where the audiences are the same: it has the hash of a token of access or is refused for its audience.
    assert.equal(verdict(await bearer(id_token)), "audience");
  });

  it("refuses a wrong password, none, and an unknown name alike", async () => {
    assert.equal(verdict(await basic("noura", "wrong")), "password");
    assert.equal(verdict(await basic("nobody", "wrong")), "password");
    assert.equal(verdict(await basic("noura", "")), "password");
  });

  it("says nothing about a password if the provider refuses this service", async () => {
    for (const more of [{ client_secret: "another secret" }, { client_id: "unknown" }, { client_id: CLIENT.id, client_secret: null }]) {
      const { merchant_id } = await till.createMerchant({ single_sign_on: another(more) });
      const judged = await basic("noura", undefined, { merchant: merchant_id });
      assert.equal(verdict(judged), "away");
      assert.match(judged.away, /token endpoint answered 40[01] with invalid_client/);
    }
  });

  it("is a public client if there is no secret", async () => {
    const { merchant_id } = await till.createMerchant({ single_sign_on: another({ client_id: PUBLIC_CLIENT, client_secret: null }) });
    assert.equal(verdict(await basic("noura", undefined, { merchant: merchant_id })), "ok");
  });

  it("stores neither the secret of the client nor a password as it is", async () => {
    const [{ document }] = await till.rows("SELECT document FROM merchant WHERE id = ?1", merchant);
    const kv = await till.kv("FILES");
    const { keys } = await kv.list();
    const cached = await Promise.all(keys.map(({ name }) => kv.get(name)));
    const { body } = await till.operator(`/merchants/${merchant}/`);
    assert.equal(body.settings.single_sign_on.client_secret, "[sealed]");
    const all = [document, JSON.stringify(body), JSON.stringify(keys), ...cached].join("\n");
    assert.ok(document.includes(CLIENT.id) && cached.length >= 1);
    for (const secret of [CLIENT.secret, ...Object.values(PEOPLE).map(({ password }) => password)].filter(({ length }) => length > 6)) {
      assert.ok(!all.includes(secret) && !all.includes(JSON.stringify(secret).slice(1, -1)), secret);
    }
  });

  it("accepts an expired token for a minute and no longer", async () => {
    const { access_token } = await identity.signIn("noura");
    const { exp } = JSON.parse(Buffer.from(access_token.split(".")[1], "base64url"));
    assert.equal(verdict(await bearer(access_token, { now: exp + 59 })), "ok");
    assert.equal(verdict(await bearer(access_token, { now: exp + 60 })), "expired");
  });

  it("finds rotated keys, and accepts the old ones no longer", async () => {
    const old = await identity.signIn("noura");
    await identity.rotate("second");
    const fresh = await identity.signIn("noura");
    assert.equal(verdict(await bearer(fresh.access_token)), "unknown_key", "it asks once a minute");
    const later = { now: now() + 61 };
    assert.equal(verdict(await bearer(old.access_token, later)), "ok", "nothing has made it ask yet");
    assert.equal(verdict(await bearer(fresh.access_token, later)), "ok");
    assert.equal(verdict(await bearer(old.access_token, later)), "unknown_key");
  });

  it("goes on with the last keys while the provider is away, and says that it is away when it must ask", async () => {
    const issuer = identity.issuer;
    await identity.stop();
    const at = async (second) => {
      const token = await identity.token("RS256", { iat: second, exp: second + 300 });
      return verdict(await bearer(token, { now: second }));
    };
    const start = now() + 61;
    assert.equal(await at(start + 660), "ok");
    assert.equal(await at(start + 23 * 3600), "ok");
    assert.equal(await at(start + 24 * 3600), "away");
    assert.equal(verdict(await basic("noura")), "away");
    const { merchant_id } = await till.createMerchant({ single_sign_on: settings({ issuer: `${issuer}/other` }) });
    const token = await identity.token("RS256", { iss: `${issuer}/other`, iat: now(), exp: now() + 300 });
    assert.equal(verdict(await bearer(token, { merchant: merchant_id })), "away");
  });

  it("comes back with the provider", async () => {
    await identity.start(identity.port);
    const second = now() + 61 + 25 * 3600;
    const token = await identity.token("ES256", { iat: second, exp: second + 300 });
    assert.equal(verdict(await bearer(token, { now: second })), "ok");
  });
});
