/**
 * Verifies webhooks of Till by the rules of Standard Webhooks, with the WebCrypto of Node, Deno, Bun, Workers and browsers. It needs
 * nothing else of this package: `till-client/webhooks` is this file alone.
 *
 * ```ts
 * const { kind, data } = await verifyWebhook(body, request.headers, process.env.TILL_WEBHOOK_SECRET);
 * ```
 */
import type { AlertWebhook, OperationResult, PaymentWebhook } from "./types.js";

/** How many seconds `webhook-timestamp` may be away from now, unless another number is given. */
const TOLERANCE = 300;
/** The largest body that `readWebhook` reads, in bytes. */
const MOST = 256 * 1024;
const PREFIX = "whsec_";

/** A webhook that is right. `id` is the same at every try: remember it. */
export type Webhook = { id: string; timestamp: Date } & (
  | { kind: "payment"; data: PaymentWebhook }
  | { kind: "operation"; data: OperationResult }
  | { kind: "alert"; data: AlertWebhook }
  /** Of a kind that this version does not know. */
  | { kind: "unknown"; data: unknown }
);

/** Why a webhook is refused. `signature`: it is of someone else, or of other bytes. */
export type WebhookFault =
  | "header_missing" | "header_malformed" | "too_old" | "too_new" | "signature" | "body_too_large" | "not_json";

/** A webhook that is refused. Answer 401, and do nothing. */
export class WebhookError extends Error {
  readonly code: WebhookFault;

  constructor(code: WebhookFault, message: string) {
    super(message);
    this.name = "WebhookError";
    this.code = code;
  }
}

/** The headers of a request: those of `fetch`, or an object as Node has it. */
export type WebhookHeaders = Headers | Record<string, string | readonly string[] | undefined>;
/** The body as it came, before anything parses it. */
export type RawBody = string | ArrayBuffer | Uint8Array;

export interface VerifyOptions {
  /** How many seconds the time of the webhook may be away: 300 without it. */
  tolerance?: number;
  /** The present moment in seconds since 1970, for tests. */
  now?: number;
  /** Public keys of `v1a`, from `/.well-known/jwks.json?merchant=`. With them no secret is needed. */
  keys?: readonly { x?: string }[];
}

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

/** Base64 as it is written, or undefined: no other text has the same bytes. */
function decode(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const plain = atob(text);
    return btoa(plain) === text ? Uint8Array.from(plain, (letter) => letter.charCodeAt(0)) : undefined;
  } catch {
    return undefined;
  }
}

const decodeUrl = (text: string): Uint8Array<ArrayBuffer> | undefined =>
  decode(text.replaceAll("-", "+").replaceAll("_", "/").padEnd(Math.ceil(text.length / 4) * 4, "="));

function subtle(): SubtleCrypto {
  const found = globalThis.crypto?.subtle;
  if (found === undefined) throw new TypeError("this runtime has no crypto.subtle: Node must be 20 or newer, and a page must come by https");
  return found;
}

type Usage = "sign" | "verify";

/** A key of HMAC. The text of a secret is in no message. */
async function hmacKey(secret: unknown, usage: Usage): Promise<CryptoKey> {
  const text = typeof secret === "string" ? secret.trim() : "";
  if (text === "") throw new TypeError("the secret of webhooks is missing; is its environment variable set?");
  const bytes = text.startsWith(PREFIX) ? decode(text.slice(PREFIX.length)) : undefined;
  if (bytes === undefined || bytes.length === 0) throw new TypeError("a secret of webhooks must be whsec_ and base64, as `webhook_signing_secret` is");
  return subtle().importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, [usage]);
}

function publicKey({ x }: { x?: string }): Promise<CryptoKey> {
  const bytes = typeof x === "string" ? decodeUrl(x) : undefined;
  if (bytes === undefined) throw new TypeError("a public key of webhooks must be a JWK with the member x");
  return subtle().importKey("raw", bytes, { name: "Ed25519" }, false, ["verify"]);
}

/** What judges one entry of `webhook-signature`. WebCrypto compares in constant time. */
async function judges(secrets: string | readonly string[], keys: readonly { x?: string }[]): Promise<Map<string, [string, CryptoKey][]>> {
  const known: readonly unknown[] = Array.isArray(secrets) ? secrets : [secrets];
  const isByKeys = keys.length > 0 && known.length === 0;
  if (known.length === 0 && !isByKeys) throw new TypeError("a secret of webhooks must be given");
  const [shared, published] = await Promise.all([
    Promise.all(known.map((secret) => hmacKey(secret, "verify"))),
    Promise.all(keys.map(publicKey)),
  ]);
  return new Map([
    ["v1", shared.map((key): [string, CryptoKey] => ["HMAC", key])],
    ["v1a", published.map((key): [string, CryptoKey] => ["Ed25519", key])],
  ]);
}

function rawBody(body: unknown): Uint8Array<ArrayBuffer> {
  if (typeof body === "string") return bytesOf(body);
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength).slice() as Uint8Array<ArrayBuffer>;
  throw new TypeError(
    "the body must be the text or the bytes as they came, not what a parser made of them: " +
      'await request.text(), or in Express app.use("/webhooks", express.raw({ type: "*/*" }))',
  );
}

/** The value of a header, which must be there once. */
function headerOf(headers: WebhookHeaders, name: string): string {
  const get = (headers as Headers).get;
  const found = typeof get === "function"
    ? [(headers as Headers).get(name)]
    : Object.entries(headers).filter(([key]) => key.toLowerCase() === name).flatMap(([, value]) => value as string | string[] | undefined);
  const [value, ...more] = found.filter((one) => one !== undefined && one !== null);
  if (value === undefined || value === null || value === "") throw new WebhookError("header_missing", `the header ${name} is missing`);
  if (typeof value !== "string" || more.length > 0) throw new WebhookError("header_malformed", `the header ${name} must be there once`);
  return value;
}

function checkTime(timestamp: string, tolerance: number, now: number): void {
  if (!Number.isFinite(tolerance) || tolerance < 0) throw new RangeError("tolerance must be a number of seconds from 0");
  if (!/^[0-9]{1,15}$/.test(timestamp)) throw new WebhookError("header_malformed", "the header webhook-timestamp must be seconds since 1970");
  const age = Math.floor(now) - Number(timestamp);
  if (age > tolerance) throw new WebhookError("too_old", `it was signed ${age} seconds ago, and ${tolerance} are allowed: is this clock right?`);
  if (-age > tolerance) throw new WebhookError("too_new", `it was signed ${-age} seconds ahead of this clock, and ${tolerance} are allowed`);
}

const signedText = (id: string, timestamp: string, body: Uint8Array): Uint8Array<ArrayBuffer> => {
  const head = bytesOf(`${id}.${timestamp}.`);
  const all = new Uint8Array(head.length + body.length);
  all.set(head);
  all.set(body, head.length);
  return all;
};

/** What a body says, by its members. */
function kindOf(data: unknown): Webhook["kind"] {
  if (typeof data !== "object" || data === null) return "unknown";
  if ("txn" in data && "operation" in data) return "operation";
  if ("state" in data && "session_id" in data) return "payment";
  return "type" in data && typeof data.type === "string" && data.type.startsWith("alert.") ? "alert" : "unknown";
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body));
  } catch {
    throw new WebhookError("not_json", "the body is signed, and is not JSON");
  }
}

/**
 * What a webhook says, if it is right: signed by one of the secrets over exactly these bytes, within the tolerance of this clock.
 * Throws `WebhookError` if not, and `TypeError` for what the caller did wrong. While a secret is replaced, give both.
 */
export async function verifyWebhook(
  body: RawBody,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { tolerance = TOLERANCE, now = Date.now() / 1000, keys = [] }: VerifyOptions = {},
): Promise<Webhook> {
  const bytes = rawBody(body);
  const known = await judges(secrets, keys);
  const [id, timestamp, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => headerOf(headers, name)) as [string, string, string];
  checkTime(timestamp, tolerance, now);
  const signed = signedText(id, timestamp, bytes);
  let isRight = false;
  for (const entry of signatures.split(" ")) {
    const comma = entry.indexOf(",");
    const signature = decode(entry.slice(comma + 1));
    if (comma < 0 || signature === undefined) continue;
    for (const [algorithm, key] of known.get(entry.slice(0, comma)) ?? []) {
      isRight = (await subtle().verify(algorithm, key, signature, signed)) || isRight;
    }
  }
  if (!isRight) throw new WebhookError("signature", "no signature is right for these bytes: another secret, or a body that was changed on its way?");
  const data = parse(bytes);
  return { id, timestamp: new Date(Number(timestamp) * 1000), kind: kindOf(data), data } as Webhook;
}

async function bodyOf(request: Request): Promise<Uint8Array> {
  if (request.bodyUsed) throw new TypeError("the body of the request was read before: verify it first");
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = request.body?.getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    length += part.value.length;
    chunks.push(part.value);
    if (length <= MOST) continue;
    await reader?.cancel();
    throw new WebhookError("body_too_large", `the body has more than ${MOST} bytes`);
  }
  const all = new Uint8Array(length);
  let place = 0;
  for (const chunk of chunks) {
    all.set(chunk, place);
    place += chunk.length;
  }
  return all;
}

/** As `verifyWebhook`, of a request of `fetch`, whose body it reads: for Workers, Deno, Bun and frameworks that have it. */
export async function readWebhook(request: Request, secrets: string | readonly string[], options: VerifyOptions = {}): Promise<Webhook> {
  return verifyWebhook(await bodyOf(request), request.headers, secrets, options);
}

/** The headers of a webhook, signed: for the tests of a receiver. */
export async function signWebhook(
  body: RawBody,
  secret: string,
  { id = `evt_${crypto.randomUUID()}`, now = Date.now() / 1000 }: { id?: string; now?: number } = {},
): Promise<{ "webhook-id": string; "webhook-timestamp": string; "webhook-signature": string }> {
  const timestamp = String(Math.floor(now));
  const key = await hmacKey(secret, "sign");
  const signature = await subtle().sign("HMAC", key, signedText(id, timestamp, rawBody(body)));
  const text = btoa(String.fromCharCode(...new Uint8Array(signature)));
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": `v1,${text}` };
}

/** The fields that `signature` covers. */
const SIGNED = [
  "amount", "currency_code", "customer_address_city", "customer_address_country", "customer_address_line1", "customer_address_line2",
  "customer_address_postal_code", "customer_address_state", "customer_email", "customer_first_name", "customer_last_name",
  "customer_phone", "gateway_account", "gateway_name", "order_no", "reference_number", "result", "state",
];

/**
 * Whether the field `signature` of a webhook, or of the answer to an inquiry, is right. It covers 18 fields, neither the others nor
 * the time: prefer `verifyWebhook`.
 */
export async function verifySignatureField(body: RawBody, hmac_key: string): Promise<boolean> {
  const bytes = rawBody(body);
  if (typeof hmac_key !== "string" || hmac_key === "") throw new TypeError("the key of signatures is missing; is its environment variable set?");
  let fields: Record<string, unknown> | null;
  try {
    fields = parse(bytes) as Record<string, unknown> | null;
  } catch {
    return false;
  }
  const { signature } = fields ?? {};
  if (fields === null || typeof signature !== "string" || !/^[0-9a-f]{64}$/.test(signature)) return false;
  const values = SIGNED.map((name) => [name, fields[name]] as const).filter(([, value]) => value !== undefined && value !== null && value !== "");
  if (values.some(([, value]) => typeof value !== "string")) return false;
  const key = await subtle().importKey("raw", bytesOf(hmac_key), { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
  const given = Uint8Array.from(signature.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  return subtle().verify("HMAC", key, given, bytesOf(values.map(([name, value]) => `${name}${value as string}`).join("")));
}
