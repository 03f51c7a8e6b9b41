/**
 * A provider of single sign-on whose keys and tokens are made by `jose`, and the Worker that judges them. The Worker is the one
 * with the feature `contract` (`node scripts/build.mjs contract`), which says why it refuses a token.
 */
import { existsSync } from "node:fs";
import { SignJWT, base64url, exportJWK, generateKeyPair } from "jose";
import { workerFiles } from "../../scripts/project.mjs";
import { start } from "./harness.mjs";

const BUILD = "build-contract";

/** Why tests that need the Worker with the feature `contract` cannot run; `false` if they can. */
export const skip = existsSync(workerFiles(BUILD).script) ? false : "the Worker is not built with the feature contract";

/** Starts the Worker with the feature `contract`. */
export const startContract = (options = {}) => start({ build: BUILD, ...options });

/** Asks the Worker to judge: `/contract/${what}`. */
export async function judge(till, what, asked) {
  const answer = await fetch(`${till.url}/contract/${what}`, { method: "POST", body: JSON.stringify(asked) });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${answer.status} ${text}`);
  return JSON.parse(text);
}

/** One word for what was judged: the reason of a refusal, `away`, or `ok`. */
export const verdict = ({ refused, away }) => refused ?? (away === undefined ? "ok" : "away");

export const ISSUER = "https://id.example.com/realms/shop";
export const AUDIENCE = "till";
export const CLIENT = "till-client";

/** JSON or bytes in base64url. */
export const part = (value) => base64url.encode(typeof value === "string" || value instanceof Uint8Array ? value : JSON.stringify(value));

/** The keys of a realm: their ids, algorithms, and how they differ from a usual key. */
const KEYS = [
  ["rs", "RS256", {}],
  ["rsa", "RS256", {}, { withoutAlgorithm: true }],
  ["ps", "PS256", {}],
  ["es", "ES256", {}],
  ["es-2", "ES256", {}],
  ["es384", "ES384", {}],
  ["ed", "EdDSA", { crv: "Ed25519" }],
  ["twice", "ES256", {}],
  ["twice", "ES256", {}],
  ["published", "ES256", {}, { withPrivate: true }],
  ["encryption", "ES256", {}, { use: "enc" }],
  ["off-curve", "ES256", {}, { offCurve: true }],
];

export class Realm {
  /** By key id: `{ alg, privateKey, publicKey, jwk }`; of two with one id, the last. */
  keys = new Map();
  /** What the provider publishes. */
  published = [];
  now = Math.floor(Date.now() / 1000);

  async generate() {
    for (const [kid, alg, options, how = {}] of KEYS) {
      const pair = await generateKeyPair(alg, { extractable: true, ...options });
      const jwk = { ...(await exportJWK(how.withPrivate ? pair.privateKey : pair.publicKey)), kid, use: how.use ?? "sig" };
      if (!how.withoutAlgorithm) jwk.alg = alg;
      if (how.offCurve) jwk.y = jwk.x;
      this.keys.set(kid, { alg, ...pair, jwk });
      this.published.push(jwk);
    }
    this.keys.set("stranger", { alg: "ES256", ...(await generateKeyPair("ES256", { extractable: true })) });
    return this;
  }

  /** Answers the Worker's requests to the provider. */
  serve(till) {
    const json = (body) => () => new Response(JSON.stringify(body()), { headers: { "content-type": "application/json" } });
    till.outbound.on("GET", `${ISSUER}/.well-known/openid-configuration`, json(() => ({ issuer: ISSUER, jwks_uri: `${ISSUER}/keys` })));
    till.outbound.on("GET", `${ISSUER}/keys`, json(() => ({ keys: this.published })));
  }

  /** Claims that are right, except for these; `undefined` removes one. */
  claims(changes = {}) {
    const { now } = this;
    return { iss: ISSUER, aud: AUDIENCE, sub: "7", preferred_username: "noura", iat: now, exp: now + 300, ...changes };
  }

  /** A token of a key, made by `jose`. */
  token(kid, { claims = {}, header = {}, by = kid } = {}) {
    const key = this.keys.get(by);
    const all = { alg: key.alg, typ: "at+jwt", kid, ...header };
    return new SignJWT(this.claims(claims)).setProtectedHeader(all).sign(key.privateKey);
  }

  /** A token with any header and content, signed by `sign`, which gets the bytes. */
  async raw(header, payload, sign) {
    const input = `${part(header)}.${part(payload)}`;
    return `${input}.${part(new Uint8Array(await sign(new TextEncoder().encode(input))))}`;
  }

  /** As `raw`, signed by a key as its algorithm says. */
  signed(kid, header, payload) {
    const { alg, privateKey } = this.keys.get(kid);
    return this.raw({ alg, kid, ...header }, payload, (bytes) => crypto.subtle.sign(HOW[alg], privateKey, bytes));
  }
}

/** How the platform calls the algorithms of tokens. */
export const HOW = {
  RS256: { name: "RSASSA-PKCS1-v1_5" },
  PS256: { name: "RSA-PSS", saltLength: 32 },
  ES256: { name: "ECDSA", hash: "SHA-256" },
  ES384: { name: "ECDSA", hash: "SHA-384" },
  EdDSA: { name: "Ed25519" },
};
