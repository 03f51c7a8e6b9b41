/**
 * A body over the cap gets 413 on every route that reads one, for every caller, however its length is
 * declared, and however much of it is sent.
 */
import assert from "node:assert/strict";
import { request } from "node:http";
import { after, before, test } from "node:test";
import { OPERATOR_TOKEN, start } from "./harness.mjs";
import { endpoints } from "./routes.mjs";

/** Larger than every cap. */
const HUGE = 9 * 1_048_576;
const MULTIPART = "multipart/form-data; boundary=b";
const FORM = "application/x-www-form-urlencoded";

/** @type {import("./harness.mjs").Till} */
let till;
let session_id;

before(async () => {
  till = await start();
  await till.createMerchant();
  session_id = (await till.create()).body.session_id;
});
after(() => till.stop());

/** What the segments of an address may be, by a word in it. */
const segments = (path) => {
  if (path.includes("/merchants/")) return [till.merchant.merchant_id];
  if (path.includes("/attention/")) return ["ABCDEFGHJKMN.amount_mismatch"];
  if (path.includes("/account/")) return [till.merchant.merchant_id, "knet"];
  return /\/(callback|return)\//.test(path) ? ["ABCDEFGHJKMN", "0".repeat(32)] : [session_id];
};
const filled = (path) => {
  const given = segments(path);
  return path.replace("messages/{}/{}", "messages/shop/sms").replace("users/{}", "users/1").replace("approvals/{}", "approvals/ABCDEFGHJKMN").replace("versions/{}", "versions/1").replace(/{}/g, () => given.shift());
};

/** Sends `bytes` spaces by hand, with or without a `Content-Length`, and returns what came back. */
const send = (method, path, { type = "application/json", bytes, announced, authorization }) =>
  new Promise((resolve, reject) => {
    const headers = { "content-type": type, accept: "application/json", ...(authorization ? { authorization } : {}) };
    if (announced !== undefined) headers["content-length"] = announced;
    const sent = request(new URL(path, till.url), { method, headers, agent: false }, async (response) => {
      try {
        const text = Buffer.concat(await response.toArray()).toString();
        resolve({ status: response.statusCode, body: JSON.parse(text) });
      } catch (error) {
        reject(error);
      } finally {
        sent.on("error", () => {}).destroy();
      }
    });
    sent.on("error", reject);
    const chunk = Buffer.alloc(65_536, 0x20);
    let left = bytes;
    const more = () => {
      while (left > 0) {
        const part = chunk.subarray(0, Math.min(left, chunk.length));
        left -= part.length;
        if (!sent.write(part)) return void sent.once("drain", more);
      }
      if (announced === undefined || announced === bytes) sent.end();
    };
    more();
  });

/** The media types of each kind of body in the table. */
const TYPES = { multipart: [MULTIPART], form: [FORM], record: ["application/json", FORM, MULTIPART] };

const READING = endpoints().filter(({ body }) => body !== "nothing").flatMap(({ routes, cap, body }) => routes.map((route) => ({ route, cap, types: TYPES[body] ?? ["application/json"] })));
for (const { route, cap, types } of READING.filter(({ route }) => !route.startsWith("GET "))) {
  test(`${route} refuses what is past its cap`, async () => {
    const [method, pattern] = route.split(" ");
    const path = filled(pattern);
    const right = path.startsWith("/b/operator/") ? `Bearer ${OPERATOR_TOKEN}` : `Api-Key ${till.merchant.private_key}`;
    const credentials = [right, `Api-Key aB3dE6gH.${"0".repeat(32)}`, undefined];
    const refusals = credentials.flatMap((authorization) => types.flatMap((type) => {
      // One byte too many, or with a file more than any file may have; the one who may call sends much more, too.
      const over = type === MULTIPART ? HUGE : cap + 1;
      const lengths = [{ bytes: over, announced: over }, { bytes: authorization === right ? HUGE : over }, { bytes: 10, announced: over }];
      return lengths.map(async (length) => {
        const { status, body } = await send(method, path, { type, authorization, ...length });
        assert.deepEqual([status, body.code], [413, "body_too_large"], `${type} ${JSON.stringify(length)} ${authorization?.slice(0, 7)}`);
        // With a file the cap is larger by the largest file.
        assert.match(body.detail, type === MULTIPART ? /at most \d+ bytes/ : new RegExp(`at most ${cap} bytes`));
      });
    }));
    await Promise.all(refusals);
  });
}
