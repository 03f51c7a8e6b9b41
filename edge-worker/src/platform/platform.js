/**
 * What the Worker's module asks of the platform in one call where the bindings would make dozens: each call
 * from WebAssembly costs more than what it carries.
 *
 * What takes time answers a ticket; `settled` and `failed` of the module report later what
 * became of it.
 */
import { failed, settled } from "till";
import { inFlight, trapped } from "./trap.js";

export { minutesAhead } from "./zones.js";

let last = 0;

const encoder = new TextEncoder();
/** Where texts become bytes. The module copies them at once. */
const scratch = new Uint8Array(32_768);
const numbers = new DataView(scratch.buffer);

/** A text in UTF-8, which stays until the next one. The bindings would pass a text on letter by letter. */
function utf8(text) {
  // No code unit becomes more than three bytes.
  if (text.length * 3 > scratch.length) return encoder.encode(text);
  return scratch.subarray(0, encoder.encodeInto(text, scratch).written);
}

/** A promise also of what fails before it has begun. */
function begun(start) {
  try {
    return start();
  } catch (error) {
    return Promise.reject(error);
  }
}

/** Calls an export of the module with what came of a ticket. */
function report(exported, ticket, text, bytes) {
  // The tickets of a module that trapped are unknown to the next one, and no one waits for them.
  if (trapped.is) return;
  try {
    exported(ticket, text === undefined ? undefined : utf8(text), bytes);
  } catch (error) {
    trapped.note(error);
  }
}

/** Starts what takes time; `result` makes a text and bytes of its value. */
function later(start, result = () => []) {
  const ticket = (last = (last + 1) >>> 0);
  const fail = (error) => report(failed, ticket, String(error?.message ?? error));
  begun(start).then((value) => {
    let parts;
    try {
      parts = result(value);
    } catch (error) {
      fail(error);
      return;
    }
    report(settled, ticket, ...parts);
  }, fail);
  return ticket;
}

/** SQL that the module sends often, by its number. */
const known = [];

/** Notes SQL. A module that starts again notes all of it again. */
export const noteSql = (number, sql) => {
  known[number] = sql;
};

/**
 * The statements of a batch. `text` has for each statement its values and then its SQL, one after the other;
 * `lengths` the number of its values, the length of each in UTF-16 code units (-1 for NULL), and the length of
 * its SQL, or `-1 - n` for the SQL that was noted as `n`.
 */
function prepare(database, text, lengths) {
  const statements = [];
  let from = 0;
  const take = (length) => {
    if (length < 0) return null;
    from += length;
    return text.slice(from - length, from);
  };
  for (let at = 0; at < lengths.length; ) {
    const end = at + 1 + lengths[at];
    const values = [];
    for (at += 1; at < end; at += 1) values.push(take(lengths[at]));
    const sql = lengths[at] < 0 ? known[-1 - lengths[at]] : take(lengths[at]);
    statements.push(database.prepare(sql).bind(...values));
    at += 1;
  }
  return statements;
}

/**
 * Rows in one piece: the text of all cells in UTF-8, one after the other, and whole numbers of four bytes. They are how many
 * columns there are, of each cell its length in UTF-16 code units, and how many numbers there were before this last one. -1 is
 * NULL, and a number of `n` characters is `-2 - n`.
 */
function cellsOf(rows) {
  const shape = [rows.length === 0 ? 0 : rows[0].length];
  let text = "";
  for (const row of rows) {
    for (const cell of row) {
      if (cell === null) {
        shape.push(-1);
        continue;
      }
      const written = String(cell);
      text += written;
      shape.push(typeof cell === "string" ? written.length : -2 - written.length);
    }
  }
  shape.push(shape.length);
  // No code unit becomes more than three bytes.
  const most = text.length * 3 + shape.length * 4;
  const isLarge = most > scratch.length;
  const bytes = isLarge ? new Uint8Array(most) : scratch;
  const view = isLarge ? new DataView(bytes.buffer) : numbers;
  let end = encoder.encodeInto(text, bytes).written;
  for (const number of shape) {
    view.setInt32(end, number, true);
    end += 4;
  }
  return [undefined, bytes.subarray(0, end)];
}

/** The rows that one statement answers. */
export const rows = (database, text, lengths) => later(() => prepare(database, text, lengths)[0].raw(), cellsOf);

/** Runs statements as one transaction. */
export const batch = (database, text, lengths) => later(() => database.batch(prepare(database, text, lengths)));

/** The whole body of a request. */
export const body = (request) => later(() => request.arrayBuffer(), (buffer) => [undefined, new Uint8Array(buffer)]);

/** Waits. */
export const pause = (milliseconds) => later(() => wait(milliseconds));

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

/** Writes a data point about a request. A dataset that fails must not fail the request. */
export function writeDataPoint(dataset, route, statusClass, milliseconds) {
  try {
    dataset.writeDataPoint({ indexes: [route], blobs: [route, `${statusClass}xx`], doubles: [milliseconds] });
  } catch {
    // What is measured is worth less than the answer.
  }
}

/** Milliseconds since 1970: the lower and the upper half of them. */
export const now = () => Date.now() >>> 0;
export const era = () => Math.floor(Date.now() / 4_294_967_296);

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

const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Reads the rest of a body, which has no effect any more. */
async function discard(reader) {
  for (let drained = 0; drained < MAX_DRAINED; ) {
    const next = await Promise.race([reader.read(), wait(DRAIN_PAUSE)]);
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
async function bounded(body, max) {
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

export const stream = (request, max) => later(() => bounded(request.body, max), (bytes) => [undefined, bytes]);

/** Reads what no one has read of a request. */
export const drain = (request) => later(async () => request.body && discard(request.body.getReader()));

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
    return [`${response.status}${linesOf(response.headers)}`, await bytesOf(response, max)];
  } finally {
    timers.forEach(clearTimeout);
  }
}

/**
 * Sends a request and reads the answer, for at most this long, its body for at most that long once its head is there: its status, the names and values of its headers, a line
 * each; and its body. Throws if nothing can be sent.
 */
export function send(method, url, head, body, milliseconds, bodyMilliseconds, max) {
  const controller = new AbortController();
  const content = method === "GET" ? {} : { body: body.slice() };
  const request = new Request(url, { method, headers: headersOf(head), redirect: "manual", signal: controller.signal, ...content });
  return later(() => exchange(request, controller, { milliseconds, bodyMilliseconds, max }), (answer) => answer);
}

/**
 * Counts a request by limiters of the environment, given as names and keys, a line each; the place of the first that let
 * it not through, or -1.
 */
export const limit = (environment, lines) => {
  const parts = lines.split("\n");
  const count = (name, at) => environment[name].limit({ key: parts[2 * at + 1] });
  const all = () => Promise.all(parts.filter((_, at) => at % 2 === 0).map(count));
  return later(all, (outcomes) => [String(outcomes.findIndex(({ success }) => !success))]);
};

/** What is between the messages of a batch: no message contains it. */
export const RECORD = "\u001e";

/** Sends texts through a queue, each after so many seconds. */
export const ring = (queue, texts, delays) => {
  const messages = texts.split(RECORD).map((body, at) => ({ body, contentType: "text", delaySeconds: delays[at] }));
  return later(() => queue.sendBatch(messages));
};

/** Answers a batch of a queue: the places of the messages that are to come again. */
export function settleBatch(caller, again) {
  inFlight.delete(caller);
  caller.resolve(again === "" ? [] : again.split(",").map(Number));
}

/** Stores a file. */
export const put = (files, name, bytes) => {
  const own = bytes.slice();
  return later(() => files.put(name, own));
};

/** Deletes a file. */
export const remove = (files, name) => later(() => files.delete(name));

/** The bytes of a file, if there is one. */
export const get = (files, name) =>
  later(() => files.get(name, "arrayBuffer"), (buffer) => [undefined, buffer ? new Uint8Array(buffer) : undefined]);

/** Stores a text for so many seconds. */
export const cache = (files, name, text, seconds) => later(() => files.put(name, text, { expirationTtl: seconds }));

/** How the algorithms of tokens are called here. */
const ALGORITHMS = {
  RS256: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" },
  PS256: { name: "RSA-PSS", hash: "SHA-256", saltLength: 32 },
  ES256: { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" },
  ES384: { name: "ECDSA", namedCurve: "P-384", hash: "SHA-384" },
  EdDSA: { name: "Ed25519" },
};

async function isSignature(algorithm, key, message, signature) {
  try {
    const imported = await crypto.subtle.importKey("jwk", JSON.parse(key), algorithm, false, ["verify"]);
    return await crypto.subtle.verify(algorithm, imported, signature, message);
  } catch (error) {
    // Any other error is about the key, such as a point that is not on its curve.
    if (error?.name === "NotSupportedError") throw error;
    return false;
  }
}

/** Whether a signature is that of a key, which is the text of a JWK. */
export const verify = (algorithm, key, message, signature) => {
  const [ownMessage, ownSignature] = [message.slice(), signature.slice()];
  return later(() => isSignature(ALGORITHMS[algorithm], key, ownMessage, ownSignature), (answer) => [String(answer)]);
};

/** Runs statements as one transaction; the rows of each: JSON lists of rows, each a list of the names and values of its cells. */
export const batchRows = (database, text, lengths) =>
  later(() => database.batch(prepare(database, text, lengths)), (answers) => [
    JSON.stringify(answers.map(({ results = [] }) => results.map(Object.entries))),
  ]);
