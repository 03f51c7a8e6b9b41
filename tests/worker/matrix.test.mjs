/**
 * The access matrix: every operation of the description with every kind of credential, over HTTP. The operations come from
 * the table of endpoints, so that a new one without a row fails by name; who may do what comes from a table of its own,
 * `matrix/expected.mjs`, which knows nothing of the code.
 *
 * What belongs to another merchant is answered exactly like what does not exist.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "./harness.mjs";
import { credentials } from "./matrix/credentials.mjs";
import { refusal } from "./matrix/expected.mjs";
import { ids } from "./matrix/ids.mjs";
import { ROWS } from "./matrix/rows.mjs";
import { AUDIENCE, ISSUER } from "./realm.mjs";
import { endpoints } from "./routes.mjs";

/** The fewest cells. */
const FEWEST = 800;
/** How many requests are under way at once. */
const AT_ONCE = 16;

/**
 * Which credentials are tried: all, but where nothing is asked about the caller one of each kind, and for the operator's
 * operations no further ones that are limited to some permissions.
 */
const TRIED = {
  session: ({ isSample }) => isSample,
  anything: ({ isSample }) => isSample,
  "read the installation": showsOperators,
  "support merchants": showsOperators,
  "administer the installation": showsOperators,
};
function showsOperators({ isSample, holds }) {
  return isSample || !(holds.may instanceof Set);
}

/** Method and path of every operation, by its name. */
const OPERATIONS = new Map(endpoints().flatMap(({ operations }) => operations.map((one) => [one.id, one])));

/** @type {import("./harness.mjs").Till} */
let till;
let found;
let holders;

before(async () => {
  till = await start();
  const spare = await till.createMerchant();
  const other = await till.createMerchant();
  const shop = await till.createMerchant({ single_sign_on: { issuer: ISSUER, audience: AUDIENCE } });
  found = await ids(till, spare.merchant_id);
  holders = await credentials(till, shop, other);
});
after(() => till?.stop());

test("every operation of the description has a row, and no row is of another", () => {
  const rows = new Set(ROWS.map(({ operation }) => operation));
  assert.deepEqual([...OPERATIONS.keys()].filter((name) => !rows.has(name)).sort(), [], "operations without a row in matrix/rows.mjs");
  assert.deepEqual([...rows].filter((name) => !OPERATIONS.has(name)).sort(), [], "rows of operations that are not described");
});

let addresses = 0;
/** An address for each request: wrong passwords of one address are limited. */
function anAddress() {
  addresses += 1;
  return `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}`;
}

/** Sends the request of a row with these ids. */
function send(row, has, authorization) {
  const { method, path } = OPERATIONS.get(row.operation);
  const values = { ...has, ...row.with?.(has) };
  const search = typeof row.search === "function" ? row.search(has) : (row.search ?? "");
  const init = { method, headers: { accept: "application/json", "cf-connecting-ip": anAddress() } };
  if (authorization !== undefined) init.headers.authorization = authorization;
  if (row.json) init.json = row.json(has);
  if (row.form) init.body = new URLSearchParams(row.form(has));
  if (row.text) init.body = row.text();
  if (row.file) {
    init.body = new FormData();
    init.body.append("file", new File(["a note"], "note.txt"));
    for (const [name, value] of Object.entries(row.fields?.(has) ?? {})) init.body.append(name, value);
  }
  return till.call(path.replaceAll(/{(\w+)}/g, (_, name) => values[name]) + search, init);
}

/** What one answer says that another must say too. */
const said = ({ status, headers, text, body }) => {
  const shown = text.replaceAll(body?.request_id ?? "-", "");
  return { status, type: headers.get("content-type"), shown };
};

let turn = 0;
/** The credential of a holder, or the next of its credentials. */
function authorizationOf({ authorization, turns }) {
  turn += 1;
  return turns ? turns[turn % turns.length] : authorization;
}

/** Tries one cell; what is wrong with it, or nothing. */
async function wrong(row, holder) {
  const refused = refusal(row.action, holder.holds);
  const isForeign = holder.isForeign && row.names !== undefined && refused === undefined;
  const isUsedUp = refused === undefined && !isForeign && row.fresh !== undefined;
  const has = isUsedUp ? { ...found.real, ...(await row.fresh(till, found.real)) } : found.real;
  const answer = await send(row, has, authorizationOf(holder));
  if (row.secret && answer.body?.[row.secret]) till.secrets.add(answer.body[row.secret]);
  const is = `${answer.status} ${answer.body?.code ?? ""}`.trim();
  if (isForeign) {
    const of_none = await send(row, found.nowhere, holder.authorization);
    // A refusal may repeat the id that was asked for.
    const unnamed = (one, { session_id }) => JSON.stringify(said(one)).replaceAll(session_id, "");
    const same = unnamed(answer, found.real) === unnamed(of_none, found.nowhere);
    const status = row.unknown ?? 404;
    return same && answer.status === status ? undefined : `${is} instead of ${status} as for what does not exist: ${answer.text.slice(0, 300)}; ${of_none.text.slice(0, 300)}`;
  }
  const [status, code] = refused ?? [row.ok, row.code];
  const isBeaten = refused === undefined && (row.atOnce ?? []).includes(answer.status);
  const isRight = isBeaten || (answer.status === status && (code === undefined || answer.body.code === code));
  return isRight ? undefined : `${is} instead of ${status} ${code ?? ""}: ${answer.text.slice(0, 300)}`;
}

test("each operation answers each credential as the table says", async (context) => {
  // Each user signs in once before, because many who do so at once would hash the same password many times.
  for (const { authorization, holds } of holders) {
    if (holds.kind === "user") await till.call("/b/checkout/v1/pymt-txn/", { headers: { authorization, "cf-connecting-ip": anAddress() } });
  }
  const cells = ROWS.flatMap((row) => holders.filter(TRIED[row.action] ?? (() => true)).map((holder) => ({ row, holder })));
  assert.ok(cells.length >= FEWEST, `${cells.length} cells`);
  const failed = [];
  const left = cells.values();
  const work = async () => {
    for (const { row, holder } of left) {
      const problem = await wrong(row, holder);
      if (problem) failed.push(`${row.operation} (${row.action}) with ${holder.name}: ${problem}`);
    }
  };
  const began = Date.now();
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  context.diagnostic(`${cells.length} cells: ${ROWS.length} rows of ${OPERATIONS.size} operations, ${holders.length} credentials, ${Date.now() - began} ms`);
  assert.ok(failed.length === 0, `${failed.length} cells are wrong:\n${failed.join("\n")}`);
});
