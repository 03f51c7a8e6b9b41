/**
 * `make listen`: receives webhooks on this machine, verifies them, prints them, and answers what it is asked to. It needs
 * nothing but Node.
 *
 * | flag | variable | meaning |
 * |---|---|---|
 * | `--port` | `PORT` | the port on 127.0.0.1, 9000 by default, 0 for any that is free |
 * | `--secret` | `SECRET` | the signing secret `whsec_…`; two with a comma between them while one is exchanged |
 * | `--hmac-key` | `HMAC_KEY` | the key of the field `signature` |
 * | `--jwks` | `JWKS` | the address or the file of the JWK Set whose keys verify `v1a` |
 * | `--answer` | `ANSWER` | what is answered at other paths: a status from 200 to 599, or `hang` |
 *
 * The path decides first: `/200`, `/201`, `/410`, `/500`, `/hang` or any other status. Without secrets those of `make dev` are
 * taken.
 */
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { parseArgs } from "node:util";
import { verifyField, verifyHeaders } from "../clients/receivers/javascript/verify.mjs";

const DEMO = new URL("../.dev/demo.json", import.meta.url);
/** The largest body that is read, in bytes. */
const MOST = 256 * 1024;
/** How many transactions are remembered, to notice repeats and what is older than what came. */
const REMEMBERED = 10_000;
/** How long the JWK Set may take, in milliseconds. */
const KEYS_LIMIT = 5000;

/** Controls, signs that turn the direction of a line, and signs of no width: what a sender could deceive a terminal with. */
const DECEPTIVE = /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu;
const plain = (value, most = 200) => String(value ?? "").replace(DECEPTIVE, "?").slice(0, most);

class Wrong extends Error {}

/** What the program is asked to do, from its flags and the environment. */
function options() {
  const names = ["port", "secret", "hmac-key", "jwks", "answer"];
  const { values } = parseArgs({ options: Object.fromEntries(names.map((name) => [name, { type: "string" }])) });
  const [port, secret, hmacKey, jwks, answer] = names.map((name) => values[name] || process.env[name.toUpperCase().replace("-", "_")] || undefined);
  const demo = secret === undefined && hmacKey === undefined && existsSync(DEMO) ? JSON.parse(readFileSync(DEMO, "utf8")) : {};
  const secrets = (secret ?? demo.webhook_signing_secret ?? "").split(",").map((one) => one.trim()).filter((one) => one !== "");
  if (secrets.some((one) => !/^whsec_[A-Za-z0-9+/]+=*$/.test(one))) throw new Wrong("SECRET must be whsec_ and base64, or two of those with a comma between them");
  if (!/^\d{1,5}$/.test(port ?? "9000") || Number(port ?? 9000) > 65_535) throw new Wrong("PORT must be a number from 0 to 65535");
  return { port: Number(port ?? 9000), secrets, hmacKey: hmacKey ?? demo.webhook_hmac_key, jwks, answer: answerOf(answer ?? "200", "ANSWER") };
}

/** A status, or `hang`. */
function answerOf(word, name) {
  if (word === "hang" || /^[2-5]\d\d$/.test(word)) return word;
  throw new Wrong(`${name} must be a status from 200 to 599, or hang`);
}

/** The public keys of `v1a`. */
async function keysOf(jwks) {
  if (jwks === undefined) return [];
  const isAddress = /^https?:/.test(jwks);
  const text = isAddress ? await (await fetch(jwks, { signal: AbortSignal.timeout(KEYS_LIMIT), redirect: "error" })).text() : readFileSync(jwks, "utf8");
  const { keys } = JSON.parse(text);
  return keys.filter(({ kty, crv, x }) => kty === "OKP" && crv === "Ed25519" && typeof x === "string");
}

async function bodyOf(request) {
  const chunks = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > MOST) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** What came before: ids that repeat, and the newest sequence of each payment and of each operation. */
class Memory {
  #ids = new Set();
  #newest = new Map();

  /** What a receiver should do with a webhook, in words. */
  note(id, { session_id, reference_number, sequence, txn }) {
    if (this.#ids.has(id)) return "a repeat: this id came before, so do nothing again";
    this.#ids.add(id);
    const subject = txn === undefined ? `payment ${session_id}` : `operation ${reference_number}`;
    const newest = this.#newest.get(subject) ?? 0;
    if (Number.isInteger(sequence) && sequence > newest) this.#newest.set(subject, sequence);
    for (const all of [this.#ids, this.#newest]) if (all.size > REMEMBERED) all.delete(all.keys().next().value);
    return Number.isInteger(sequence) && sequence < newest ? `older than what came before (${newest}): ignore it` : "new";
  }
}

/** What is printed about one webhook. */
function printed({ path, headers, body, verdicts, answer, memory }) {
  let fields = {};
  try {
    fields = JSON.parse(body.toString("utf8")) ?? {};
  } catch {
    // Shown as it came.
  }
  const { amount, currency_code, gateway_account, message, operation, order_no, pg_code, reference_number, result, sequence, session_id, source, state, txn, token } = fields;
  const rows = [
    ["what", txn === undefined ? `payment ${state ?? "?"}, result ${result ?? "?"}` : `${operation} ${result}, ${txn?.state}, source ${source}`],
    ["amount", `${amount ?? "?"} ${currency_code ?? txn?.currency_code ?? ""}`], ["order", order_no], ["reference", reference_number],
    ["session", session_id], ["gateway", gateway_account ?? pg_code], ["message", message], ["card", token?.number],
    ["sequence", sequence], ["id", headers["webhook-id"]], ["order of arrival", headers["webhook-id"] ? memory : undefined], ...verdicts, ["answered", answer],
  ];
  const lines = rows.filter(([, value]) => value !== undefined && value !== null && value !== "");
  const known = Object.keys(fields).length > 0 ? "" : `\n  body             ${plain(body.toString("utf8"), 500)}`;
  return `${new Date().toISOString()} POST ${plain(path)}, ${body.length} bytes${known}\n${lines.map(([name, value]) => `  ${name.padEnd(16)} ${plain(value)}`).join("\n")}\n`;
}

/** Whether each signature is right, in words. */
function judge(headers, body, { secrets, hmacKey, keys }) {
  const words = { true: "right", false: "WRONG" };
  const entries = (headers["webhook-signature"] ?? "").split(" ").filter((entry) => entry !== "");
  const only = (version) => ({ ...headers, "webhook-signature": entries.filter((entry) => entry.startsWith(`${version},`)).join(" ") });
  const has = (version) => entries.some((entry) => entry.startsWith(`${version},`));
  const v1 = secrets.length === 0 ? "not checked: no SECRET" : words[verifyHeaders(only("v1"), body, secrets)];
  const v1a = keys.length === 0 ? "not checked: no JWKS" : words[verifyHeaders(only("v1a"), body, [], { keys })];
  return [
    ["header v1", v1], ...(has("v1a") ? [["header v1a", v1a]] : []),
    ["field signature", hmacKey ? words[verifyField(body, hmacKey)] : "not checked: no HMAC_KEY"],
  ];
}

async function main() {
  const asked = options();
  const keys = await keysOf(asked.jwks);
  const memory = new Memory();
  const server = createServer(async (request, response) => {
    const path = (request.url ?? "/").split("?")[0];
    const word = /^\/([2-5]\d\d|hang)\/?$/.exec(path)?.[1] ?? asked.answer;
    if (request.method !== "POST") return response.writeHead(405, { allow: "POST" }).end("This receives webhooks: send a POST.\n");
    const body = await bodyOf(request).catch(() => undefined);
    if (body === undefined) return response.writeHead(413, { connection: "close" }).end();
    const headers = request.headers;
    const verdicts = judge(headers, body, { ...asked, keys });
    let fields;
    try {
      fields = JSON.parse(body.toString("utf8"));
    } catch {
      fields = undefined;
    }
    const isObject = fields !== null && typeof fields === "object";
    // What is not signed must not make what comes later look like a repeat.
    const isTrusted = verdicts.some(([, verdict]) => verdict === "right") && verdicts.every(([, verdict]) => verdict !== "WRONG");
    const noted = isObject && isTrusted ? memory.note(headers["webhook-id"], fields) : undefined;
    process.stdout.write(`${printed({ path, headers, body, verdicts, answer: word, memory: noted })}\n`);
    if (word === "hang") return undefined;
    return response.writeHead(Number(word), { "content-type": "text/plain" }).end(Number(word) === 204 ? undefined : "noted\n");
  });
  server.once("error", (error) => fail(error.code === "EADDRINUSE" ? `port ${asked.port} is in use: choose another, such as PORT=9001` : error.message));
  server.listen(asked.port, "127.0.0.1", () => process.stdout.write(welcome(server.address().port, asked)));
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(0));
}

const welcome = (port, { secrets, hmacKey }) => `Listening on http://127.0.0.1:${port}, and answering what the path says: /200 /201 /410 /500 /hang.
  ${secrets.length > 0 ? `${secrets.length} signing secret${secrets.length > 1 ? "s" : ""}` : "no SECRET: headers are not checked"}, ${hmacKey ? "an HMAC key" : "no HMAC_KEY: the field signature is not checked"}
Let a payment of a merchant of \`make dev\` notify it:  "webhook_url": "http://127.0.0.1:${port}/200"
or all of the merchant's payments that name no address:
  curl -sS -X PATCH http://127.0.0.1:8787/b/access/v1/webhook-addresses/ -H "Authorization: Api-Key $PRIVATE_KEY" \\
    -H "Content-Type: application/json" -d '{"e_commerce": "http://127.0.0.1:${port}/200"}'
An installation that is not on this machine sends to public https addresses only: put a tunnel before this port.

`;

function fail(message) {
  process.stderr.write(`listen: ${message}\n`);
  process.exit(1);
}

main().catch((error) => fail(error.message));
