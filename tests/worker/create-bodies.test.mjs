/** Creating a payment transaction over the API: bodies as a whole, many at once, and who may. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { PATH, REQUIRED, countRows, isTakenOrRefused, post, startForTests, till } from "./creates.mjs";
import { assertProblem } from "./payer.mjs";

startForTests();

test("deeply nested values neither fail nor are stored halfway", async () => {
  const nest = (depth) => "[".repeat(depth) + "]".repeat(depth);
  const body = (name, value) => JSON.stringify({ ...REQUIRED, [name]: 0 }).replace(`"${name}":0`, `"${name}":${value}`);
  for (const depth of [100, 130, 999, 1001, 2000, 8000]) await isTakenOrRefused(body("extra", `{"a":${nest(depth)}}`), "extra");
  for (const name of ["amount", "order_no", "pg_codes", "webhook_url", "language"]) {
    const answer = await post(body(name, nest(100_000)));
    assert.ok(Object.keys(assertProblem(answer, 400, "invalid_fields")).includes(name), name);
  }
  assert.equal((await post(body("unknown", nest(100_000)))).status, 201);
});

test("halves of surrogate pairs inside extra neither fail nor are stored halfway", async () => {
  for (const extra of ['{"a":"\\ud800"}', '{"\\udc00":1}', '{"a":["x",{"b":"\\ud83d"}]}']) {
    await isTakenOrRefused(`{"type":"e_commerce","amount":"1","currency_code":"KWD","pg_codes":["knet"],"extra":${extra}}`, "extra");
  }
});

test("several wrong fields are all named", async () => {
  const answer = await till.create({
    type: "x", amount: "1.2345", currency_code: "KWD", pg_codes: [1], customer_email: "x", redirect_url: "x", webhook_url: 5,
    order_no: "x".repeat(129), extra: [1], language: 1, due_datetime: "x",
  });
  assert.deepEqual(Object.keys(assertProblem(answer, 400, "invalid_fields")).sort(), [
    "amount", "currency_code", "customer_email", "due_datetime", "extra", "language", "order_no", "pg_codes", "redirect_url", "type", "webhook_url",
  ].filter((name) => name !== "currency_code"));
});

test("what is no JSON object is refused as malformed", async () => {
  const before = await countRows();
  for (const body of [
    "", " ", "{", "}", '{"amount":}', "[]", "[{}]", '"text"', "null", "true", "17", "{} {}", "{}x", "amount=1", "\ufeff\ufeff{}", "\ufeff", "{'a':1}", '{"a":1,}',
    "NaN", "[".repeat(200_000), '{"a":'.repeat(50_000), new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    new Uint8Array([...Buffer.from('{"order_no":"'), 0xc3, 0x28, ...Buffer.from('"}')]),
  ]) {
    const answer = await post(body);
    assertProblem(answer, 400, "malformed_body");
  }
  assert.deepEqual(await countRows(), before);
});

test("a body of another media type is refused with 415", async () => {
  const before = await countRows();
  for (const type of ["text/plain", "application/xml", "application/jsonx", "json", "application/problem+json", "image/png"]) {
    assertProblem(await post(JSON.stringify(REQUIRED), { "content-type": type }), 415, "unsupported_media_type");
  }
  const bytes = await till.call(PATH, { method: "POST", headers: till.privateKey(), body: Buffer.from(JSON.stringify(REQUIRED)) });
  assertProblem(bytes, 415, "unsupported_media_type");
  assert.deepEqual(await countRows(), before);
});

test("parameters and letter case of the media type do not matter", async () => {
  for (const type of ["application/json; charset=utf-8", "Application/JSON", "application/json;charset=UTF-8"]) {
    assert.equal((await post(JSON.stringify(REQUIRED), { "content-type": type })).status, 201, type);
  }
});

/** A body of unknown length, sent in chunks. */
function streamed(size) {
  let left = size;
  return new ReadableStream({
    pull(controller) {
      if (left <= 0) return controller.close();
      const length = Math.min(left, 65536);
      left -= length;
      controller.enqueue(new Uint8Array(length).fill(0x20));
    },
  });
}

test("a body of a mebibyte is refused with 413, whether its length was announced or not", async () => {
  const before = await countRows();
  assertProblem(await post(" ".repeat(1_048_576)), 413, "body_too_large");
  const headers = { ...till.privateKey(), "content-type": "application/json" };
  assertProblem(await till.call(PATH, { method: "POST", headers, body: streamed(1_048_576), duplex: "half" }), 413, "body_too_large");
  assert.deepEqual(await countRows(), before);
});

test("the largest body is taken, and one byte more is refused", async () => {
  const padded = (size) => JSON.stringify(REQUIRED).padEnd(size, " ");
  assert.equal((await post(padded(262_144))).status, 201);
  assertProblem(await post(padded(262_145)), 413, "body_too_large");
});

test("two hundred requests at once are all answered, each with its own transaction", async () => {
  const answers = await Promise.all(Array.from({ length: 200 }, () => till.create()));
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201]);
  assert.equal(new Set(answers.map(({ body }) => body.session_id)).size, 200);
});

test("a caller without a valid private key is refused with 401 before the body is judged", async () => {
  const { private_key, public_key } = till.merchant;
  const wrong = `${private_key.slice(0, -1)}${private_key.endsWith("A") ? "B" : "A"}`;
  const before = await countRows();
  for (const [authorization, code] of [
    [undefined, "credentials_missing"],
    [`Api-Key ${wrong}`, "credentials_invalid"],
    [`Api-Key ${"A".repeat(8)}.${"B".repeat(32)}`, "credentials_invalid"],
    ["Api-Key", "credentials_invalid"],
    ["Api-Key nonsense", "credentials_invalid"],
    [private_key, "credentials_invalid"],
    [`Bearer ${private_key}`, "credentials_invalid"],
    [`Basic ${Buffer.from("a:b").toString("base64")}`, "credentials_invalid"],
    [`Api-Key ${private_key} ${private_key}`, "credentials_invalid"],
    [`Api-Key ${private_key}, Api-Key ${private_key}`, "credentials_invalid"],
    [`Api-Key ${wrong}, Api-Key ${private_key}`, "credentials_invalid"],
    [`Api-Key ${private_key.toLowerCase()}`, "credentials_invalid"],
    [`Api-Key ${"x".repeat(5000)}`, "credentials_invalid"],
    [`Api-Key ${public_key}`, "private_key_required"],
  ]) {
    // A body over the cap is refused before the caller is known (tests/worker/body-cap.test.mjs).
    for (const body of [JSON.stringify(REQUIRED), "{", " ".repeat(200_000)]) {
      const headers = { "content-type": "application/json", ...(authorization ? { authorization } : {}) };
      const answer = await till.call(PATH, { method: "POST", headers, body });
      assertProblem(answer, 401, code);
      assert.equal(answer.headers.get("www-authenticate"), "Api-Key, Bearer");
    }
  }
  assert.deepEqual(await countRows(), before);
});

test("the scheme of the key may be written in any letter case", async () => {
  for (const scheme of ["api-key", "API-KEY"]) {
    const headers = { "content-type": "application/json", authorization: `${scheme} ${till.merchant.private_key}` };
    assert.equal((await till.call(PATH, { method: "POST", headers, body: JSON.stringify(REQUIRED) })).status, 201);
  }
});
