/**
 * Valid requests that are changed at random, `rounds` of them: their JSON in its structure, and their bytes.
 * Whatever is sent, the answer is one of the API's own and never 5xx, what was refused was not stored, what
 * was accepted can be read back, and the Worker stays alive. A request that breaks this is made as small as
 * possible, and named with its seed.
 */
import fc from "fast-check";
import { start } from "../worker/harness.mjs";
import { addresses, send } from "./addresses.mjs";
import { must } from "./shop.mjs";

const CREATE = "/b/checkout/v1/pymt-txn/";
/** A body above this size may be refused because of its size. */
const SMALLEST_CAP = 4096;

/** Texts that have broken others. */
const hostileText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.constantFrom("", " ", "\u0000", "\ud800", "\u202e", "null", "__proto__", "constructor", "-0", "1e999", "0x10", "٣", "10,250", "9".repeat(400), "%00", "'\"<script>", "\ufeff"),
  fc.nat({ max: 3000 }).map((length) => "a".repeat(length)),
);
const hostileNumber = fc.constantFrom("0", "-0", "1e999", "-1e-999", "1E400", "0.1e1", "9007199254740993", "1".repeat(400), "1.0000000000000001");
/** A JSON value as text: what JavaScript cannot represent is written as it is. */
const hostileValue = fc.oneof(
  fc.jsonValue({ maxDepth: 3, stringUnit: "binary" }).map((value) => JSON.stringify(value)),
  hostileText.map((text) => JSON.stringify(text)),
  hostileNumber,
  fc.nat({ max: 200 }).map((depth) => "[".repeat(depth) + "]".repeat(depth)),
  fc.constantFrom("null", "true", "[]", "{}", '{"":{}}', '"\\ud800"', '[null]', '{"a":1,"a":2}'),
);

/** One change of a body, as a function of its text. */
const structural = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(fc.nat(), hostileValue).map(([place, value]) => (members) => at(members, place, ([name]) => [[name, value]])) },
  { weight: 1, arbitrary: fc.nat().map((place) => (members) => at(members, place, () => [])) },
  { weight: 2, arbitrary: fc.tuple(fc.nat(), hostileValue).map(([place, value]) => (members) => at(members, place, (member) => [member, [member[0], value]])) },
  { weight: 2, arbitrary: fc.tuple(hostileText, hostileValue).map(([name, value]) => (members) => [...members, [JSON.stringify(name), value]]) },
  { weight: 1, arbitrary: fc.tuple(fc.nat(), hostileText).map(([place, name]) => (members) => at(members, place, ([, value]) => [[JSON.stringify(name), value]])) },
);

function at(members, place, change) {
  if (members.length === 0) return members;
  const index = place % members.length;
  return members.flatMap((member, number) => (number === index ? change(member) : [member]));
}

/** The members of an object with their values as they are written, one level deep. */
const membersOf = (body) => Object.entries(JSON.parse(body)).map(([name, value]) => [JSON.stringify(name), JSON.stringify(value)]);
const written = (members) => Buffer.from(`{${members.map(([name, value]) => `${name}:${value}`).join(",")}}`);

/** One change of bytes. */
const bytewise = fc.oneof(
  fc.tuple(fc.nat(), fc.nat({ max: 255 })).map(([place, byte]) => (body) => {
    const changed = Buffer.from(body);
    if (changed.length > 0) changed[place % changed.length] = byte;
    return changed;
  }),
  fc.tuple(fc.nat(), fc.uint8Array({ maxLength: 8 })).map(([place, bytes]) => (body) => {
    const cut = place % (body.length + 1);
    return Buffer.concat([body.subarray(0, cut), bytes, body.subarray(cut)]);
  }),
  fc.tuple(fc.nat(), fc.nat({ max: 12 })).map(([place, length]) => (body) => {
    const cut = place % (body.length + 1);
    return Buffer.concat([body.subarray(0, cut), body.subarray(cut + length)]);
  }),
  fc.nat().map((place) => (body) => body.subarray(0, place % (body.length + 1))),
);

const mutation = fc.record({
  // Create and update accept the most members, and store them.
  address: fc.oneof(fc.nat({ max: 2 }), fc.nat()),
  members: fc.array(structural, { maxLength: 2 }),
  bytes: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 2, arbitrary: fc.array(bytewise, { minLength: 1, maxLength: 3 }) }),
});

/** What is wrong with an answer, or undefined. */
async function faultOf(till, address, body, answer) {
  const { status, headers, text } = answer;
  if (status >= 500) return `answered ${status} ${text.slice(0, 200)}`;
  if (status === 413 && body.length <= SMALLEST_CAP) return "is too large, and is small";
  const isProblem = headers.get("content-type") === "application/problem+json";
  if (status >= 400 && (!isProblem || answer.body.status !== status || !answer.body.code)) return `answered ${status} without a problem: ${text.slice(0, 200)}`;
  if (status === 400 && answer.body.code === "invalid_fields" && Object.keys(answer.body.errors ?? {}).length === 0) return "names no wrong field";
  if (status === 201 && address.path === CREATE) {
    const read = await till.retrieve(answer.body.session_id);
    if (read.status !== 200) return `was taken, and retrieving it is answered ${read.status}`;
    const listed = await till.call(`${CREATE}?limit=1`, { headers: till.privateKey() });
    if (listed.status !== 200) return `was taken, and the listing is answered ${listed.status}`;
  }
  return undefined;
}

const countTransactions = async (till) => (await till.rows("SELECT COUNT(*) AS count FROM txn"))[0].count;

export async function run({ rounds = 4000, seed = 1, onNote = () => {} }) {
  const till = await start();
  try {
    await till.createMerchant();
    const all = await addresses(till);
    const answers = {};
    let requests = 0;
    const property = fc.asyncProperty(mutation, async ({ address: place, members, bytes }) => {
      const address = all[place % all.length];
      let body = written(members.reduce((list, change) => change(list), membersOf(address.body)));
      for (const change of bytes) body = Buffer.from(change(body));
      const before = await countTransactions(till);
      const answer = await send(till, address, body);
      requests += 1;
      answers[answer.status] = (answers[answer.status] ?? 0) + 1;
      const fault = await faultOf(till, address, body, answer);
      const added = (await countTransactions(till)) - before;
      const isMade = answer.status === 201 && address.path === CREATE;
      const stored = added === (isMade ? 1 : 0) ? undefined : `answered ${answer.status}, and ${added} transactions were stored`;
      if (requests % 500 === 0) onNote(`${requests} requests`);
      if (fault ?? stored) throw new Error(`${address.method} ${address.path} ${JSON.stringify(body.toString("latin1").slice(0, 600))}: ${fault ?? stored}`);
    });
    const result = await fc.check(property, { numRuns: rounds, seed, endOnFailure: false });
    const violations = result.failed ? [`SEED=${seed} path ${result.counterexamplePath}: ${result.errorInstance?.stack ?? result.errorInstance}`] : [];
    must(await till.create(), 201);
    await till.stop();
    const counts = { requests, addresses: all.length, ...Object.fromEntries(Object.entries(answers).map(([status, count]) => [`answered ${status}`, count])) };
    return { name: "mutations", counts, violations };
  } catch (error) {
    await till.stop().catch(() => {});
    throw error;
  }
}
