/** What the Worker's module asks of the platform. Bytes that it passes are a view of its memory, which moves: they are copied. */
import { inFlight } from "./trap.js";

export { minutesAhead } from "./zones.js";

/** The whole body of a request. */
export const body = async (request) => new Uint8Array(await request.arrayBuffer());

/** Waits. */
export const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Answers a caller; `head` has the names and values of the headers, each ended by a line break. */
export function respond(caller, status, head, body) {
  inFlight.delete(caller);
  try {
    // The platform may read the body after the module's memory has moved.
    caller.resolve(new Response(body.length === 0 ? null : body.slice(), { status, headers: headersOf(head) }));
  } catch (error) {
    caller.reject(error);
  }
}

/** Answers a caller with a body that is sent part by part. It is in flight until it has ended: a trap breaks it off. */
export function respondInParts(caller, status, head) {
  inFlight.delete(caller);
  const { readable, writable } = new TransformStream();
  const writer = writable.getWriter();
  const parts = { writer, reject: (error) => writer.abort(error).catch(() => {}) };
  inFlight.add(parts);
  // Who left before the end is no fault.
  writer.closed.catch(() => {}).finally(() => inFlight.delete(parts));
  caller.resolve(new Response(readable, { status, headers: headersOf(head) }));
  return parts;
}

/** Sends one more part; the platform may read it after the module's memory has moved. */
export const writePart = async ({ writer }, bytes) => {
  const part = bytes.slice();
  await writer.ready;
  await writer.write(part);
};
export const endParts = ({ writer }) => void writer.close().catch(() => {});

/** Writes a data point about a request. A dataset that fails must not fail the request. */
export function writeDataPoint(dataset, route, statusClass, milliseconds) {
  try {
    dataset.writeDataPoint({ indexes: [route], blobs: [route, `${statusClass}xx`], doubles: [milliseconds] });
  } catch {
    // What is measured is worth less than the answer.
  }
}

/** Headers from names and values, each ended by a line break. The platform reads an object faster than a list. */
function headersOf(text) {
  const lines = text.split("\n");
  const headers = {};
  for (let at = 0; at + 1 < lines.length; at += 2) {
    const [name, value] = [lines[at], lines[at + 1]];
    headers[name] = Object.hasOwn(headers, name) ? `${headers[name]}, ${value}` : value;
  }
  return headers;
}

/** The names and values of headers, a line each. */
export function linesOf(headers) {
  let lines = "";
  headers.forEach((value, name) => {
    lines += `\n${name}\n${value}`;
  });
  return lines;
}

/**
 * How many unused bytes are read and discarded, so that a caller that still sends gets the answer: a connection that is
 * closed while the caller sends loses the answer, and one that is closed behind the answer loses the caller's next request.
 */
const MAX_DRAINED = 33_554_432;
/** How long the next of those bytes may take, in milliseconds: a caller that waits for the answer before it sends gets it. */
const DRAIN_PAUSE = 200;

/** Reads the rest of a body, which has no effect any more. */
async function discard(reader) {
  for (let drained = 0; drained < MAX_DRAINED; ) {
    const next = await Promise.race([reader.read(), pause(DRAIN_PAUSE)]);
    if (next === undefined || next.done) return;
    drained += next.value.length;
  }
}

function concatenated(chunks, length) {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** The body of a request of unknown length; undefined if it has more bytes than `max`. */
export async function stream({ body }, max) {
  if (body === null) return new Uint8Array();
  const reader = body.getReader();
  const chunks = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return concatenated(chunks, length);
    length += value.length;
    if (length > max) {
      await discard(reader);
      return undefined;
    }
    chunks.push(value);
  }
}

/** Reads what no one has read of a request. */
export const drain = async ({ body }) => body && discard(body.getReader());

/** Bytes as text in a charset; nothing if they are none in it, or if it is unknown. */
export const decode = (charset, bytes) => {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

/** The bytes of a body as far as they come, up to `max`. */
async function asFarAsItComes(body, max) {
  const chunks = [];
  let length = 0;
  try {
    const reader = body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      const part = value.subarray(0, max - length);
      chunks.push(part);
      length += part.length;
      if (part.length < value.length) {
        reader.cancel().catch(() => {});
        break;
      }
    }
  } catch {
    // The connection broke or took too long. The reader of the body finds out that its end is missing.
  }
  return concatenated(chunks, length);
}

/** The bytes of an answer up to `max`. One that says how long it is needs no reader of its parts, which is slow. */
async function bytesOf(response, max) {
  const { headers, body } = response;
  if (body === null) return undefined;
  const length = headers.get("content-length") ?? NaN;
  // What is unpacked may be longer than it says.
  if (!(Number(length) <= max) || headers.has("content-encoding")) return asFarAsItComes(body, max);
  try {
    return new Uint8Array(await response.arrayBuffer());
  } catch {
    // The connection broke or took too long, and a part of what was announced is no answer.
    return new Uint8Array();
  }
}

async function exchange(request, controller, { milliseconds, bodyMilliseconds, max }) {
  const abortAfter = (limit) => setTimeout(() => controller.abort(), limit);
  const timers = [abortAfter(milliseconds)];
  try {
    const response = await fetch(request);
    if (bodyMilliseconds < milliseconds) timers.push(abortAfter(bodyMilliseconds));
    return { head: `${response.status}${linesOf(response.headers)}`, body: await bytesOf(response, max) };
  } finally {
    timers.forEach(clearTimeout);
  }
}

/**
 * Sends a request and reads the answer, for at most this long, its body for at most that long once its head is there: its status
 * and the names and values of its headers, a line each; and its body. Answers nothing if nothing can be sent.
 */
export async function send(method, url, head, body, milliseconds, bodyMilliseconds, max) {
  const controller = new AbortController();
  const content = method === "GET" ? {} : { body: body.slice() };
  let request;
  try {
    request = new Request(url, { method, headers: headersOf(head), redirect: "manual", signal: controller.signal, ...content });
  } catch {
    return undefined;
  }
  return exchange(request, controller, { milliseconds, bodyMilliseconds, max });
}

/** Counts a request by limiters of the environment, by their names: the place of the first that let it not through, or -1. */
export const limit = async (environment, names, keys) => {
  const outcomes = await Promise.all(names.map((name, at) => environment[name].limit({ key: keys[at] })));
  return String(outcomes.findIndex(({ success }) => !success));
};

/** Sends texts through a queue, each after so many seconds. */
export const ring = (queue, texts, delays) => queue.sendBatch(texts.map((body, at) => ({ body, contentType: "text", delaySeconds: delays[at] })));

/** Answers a batch of a queue: the places of the messages that are to come again. */
export function settleBatch(caller, again) {
  inFlight.delete(caller);
  caller.resolve([...again]);
}

/** Stores a file. */
export const put = (files, name, bytes) => files.put(name, bytes.slice());

/** Deletes a file. */
export const remove = (files, name) => files.delete(name);

/** The bytes of a file, if there is one. */
export const get = async (files, name) => {
  const buffer = await files.get(name, "arrayBuffer");
  return buffer ? new Uint8Array(buffer) : undefined;
};

/** Stores a text for so many seconds. */
export const cache = (files, name, text, seconds) => files.put(name, text, { expirationTtl: seconds });

/** How the algorithms of tokens are called here. */
const ALGORITHMS = {
  RS256: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" },
  PS256: { name: "RSA-PSS", hash: "SHA-256", saltLength: 32 },
  ES256: { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" },
  ES384: { name: "ECDSA", namedCurve: "P-384", hash: "SHA-384" },
  EdDSA: { name: "Ed25519" },
};

/** Whether a signature is that of a key, which is the text of a JWK. */
export async function verify(name, key, message, signature) {
  const [algorithm, ownMessage, ownSignature] = [ALGORITHMS[name], message.slice(), signature.slice()];
  try {
    const imported = await crypto.subtle.importKey("jwk", JSON.parse(key), algorithm, false, ["verify"]);
    return await crypto.subtle.verify(algorithm, imported, ownSignature, ownMessage);
  } catch (error) {
    // Any other error is about the key, such as a point that is not on its curve.
    if (error?.name === "NotSupportedError") throw error;
    return false;
  }
}
