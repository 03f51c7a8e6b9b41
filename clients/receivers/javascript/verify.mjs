// Verifies a webhook of Till. Needs Node 18 or later and no package.
import { createHash, createHmac, createPublicKey, timingSafeEqual, verify as verifySignature } from "node:crypto";

/** How many seconds `webhook-timestamp` may be away from now. */
const TOLERANCE = 300;
const SIGNED = `amount currency_code customer_address_city customer_address_country customer_address_line1
  customer_address_line2 customer_address_postal_code customer_address_state customer_email customer_first_name
  customer_last_name customer_phone gateway_account gateway_name order_no reference_number result state`.split(/\s+/);

const isSame = (one, other) => timingSafeEqual(createHash("sha256").update(one).digest(), createHash("sha256").update(other).digest());

/**
 * Whether the headers prove that `body` comes from Till, and was signed within five minutes of `now`.
 *
 * @param {Record<string, string | undefined>} headers names in lower case
 * @param {Uint8Array} body the bytes as they came, before anything parses them
 * @param {string[]} secrets each `whsec_…`; two while a secret is exchanged
 * @param {{ keys?: { x: string }[], now?: number }} [more] public keys of `v1a` (a JWK Set), and the time in seconds
 */
export function verifyHeaders(headers, body, secrets, { keys = [], now = Date.now() / 1000 } = {}) {
  const { "webhook-id": id, "webhook-timestamp": time, "webhook-signature": signatures } = headers;
  if (!id || !signatures || !/^[0-9]{1,15}$/.test(time ?? "") || Math.abs(now - Number(time)) > TOLERANCE) return false;
  const signed = Buffer.concat([Buffer.from(`${id}.${time}.`), body]);
  const expected = secrets.map((secret) => `v1,${createHmac("sha256", Buffer.from(secret.slice("whsec_".length), "base64")).update(signed).digest("base64")}`);
  const isOf = ({ x }, signature) => verifySignature(null, signed, createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" }), signature);
  return signatures.split(" ").some((given) =>
    expected.some((one) => isSame(given, one)) ||
    (given.startsWith("v1a,") && keys.some((key) => isOf(key, Buffer.from(given.slice(4), "base64")))));
}

/** Whether the field `signature` of a body is right. It covers 18 fields, neither the other fields nor the time. */
export function verifyField(body, hmacKey) {
  let fields;
  try {
    fields = JSON.parse(Buffer.from(body).toString("utf8"));
  } catch {
    return false;
  }
  const isThere = (name) => fields[name] !== undefined && fields[name] !== null && fields[name] !== "";
  if (fields === null || typeof fields !== "object" || typeof fields.signature !== "string") return false;
  const names = SIGNED.filter(isThere);
  if (names.some((name) => typeof fields[name] !== "string")) return false;
  const text = names.map((name) => name + fields[name]).join("");
  return isSame(fields.signature, createHmac("sha256", hmacKey).update(text).digest("hex"));
}
