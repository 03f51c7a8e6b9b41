/** The description is valid OpenAPI 3.1, is served, and its own check of exchanges finds what is wrong. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import { assertDescribed, description, operationOf } from "./description.mjs";
import { start } from "./harness.mjs";
import { endpoints, routes } from "./routes.mjs";

/** @type {import("./harness.mjs").Till} */
let till;

before(async () => {
  till = await start();
});
after(() => till.stop());

const document = description();
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
);

test("another validator finds that it is valid OpenAPI 3.1", async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(description());
  assert.equal(valid, true, JSON.stringify(errors));
  assert.equal(validator.version, "3.1");
});

test("it has every route of the table and no other", () => {
  const described = operations.map(({ path, method }) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, "{}")}`);
  assert.deepEqual([...new Set(described)].sort(), [...new Set(routes())].sort());
});

test("every answer of the table is described, and every operation has an id of its own", () => {
  for (const { name, answers, routes: own } of endpoints()) {
    const found = operations.filter(({ path, method }) => own.includes(`${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, "{}")}`));
    assert.ok(found.length >= own.length, name);
    for (const { operation } of found) {
      for (const { status } of answers) assert.ok(operation.responses[status], `${name} ${status}`);
    }
  }
  const ids = operations.map(({ operation }) => operation.operationId);
  assert.equal(new Set(ids).size, ids.length);
});

test("every link leads to an operation and gives parameters that it has", () => {
  const links = operations.flatMap(({ operation }) => Object.values(operation.responses).flatMap(({ links = {} }) => Object.values(links)));
  assert.ok(links.length > 20);
  for (const { operationId, parameters = {} } of links) {
    const target = operations.find(({ operation }) => operation.operationId === operationId);
    assert.ok(target, operationId);
    for (const name of Object.keys(parameters)) assert.ok(target.path.includes(`{${name}}`), `${operationId} ${name}`);
  }
});

test("every operation of a merchant that reads JSON has an example of what it is sent and answers", () => {
  const silent = operations.filter(({ operation }) => {
    if (operation.deprecated || !["Merchant", "Operator"].includes(operation.tags[0])) return false;
    const body = operation.requestBody?.content["application/json"];
    const answer = Object.entries(operation.responses).find(([status]) => status.startsWith("2"))?.[1].content?.["application/json"];
    return (body && body.example === undefined) || (answer && answer.example === undefined);
  });
  // No recorded call has a receiver that is disabled, which would have to fail for days, nor an entry that a merchant can resolve,
  // which is about a payment that came twice or too late. None has a user who can be invited: its merchant's mail goes to the
  // inbox of the sandbox, which gets no links.
  assert.deepEqual(silent.map(({ operation }) => operation.operationId).sort(), ["enable_own_receiver", "enable_receiver", "invite_own_user", "resolve_own_attention"]);
});

test("every example satisfies its schema", () => {
  for (const { path, method, operation } of operations) {
    const body = operation.requestBody?.content["application/json"]?.example;
    for (const [status, response] of Object.entries(operation.responses)) {
      const answer = response.content?.["application/json"];
      if (answer?.example === undefined) continue;
      const concrete = path.replaceAll(/\{(\w+)\}/g, (_, name) => exampleOf(operation, name));
      const request = body === undefined ? {} : { type: "application/json", text: JSON.stringify(body) };
      const exchanged = { status: Number(status), type: "application/json", text: JSON.stringify(answer.example) };
      assert.equal(operationOf(method.toUpperCase(), concrete)?.id, operation.operationId, concrete);
      assertDescribed(method.toUpperCase(), concrete, request, exchanged);
    }
  }
});

/** A value that the pattern of a parameter admits. */
function exampleOf(operation, name) {
  const known = {
    session_id: "0".repeat(40), user_id: "34", operator_id: "34", version: "34", merchant_id: "demo", pg_code: "knet", entry_id: "7H3K9M2P4Q5R.late_success", prefix: "aB3dE6gH", reference_number: "7H3K9M2P4Q5R", approval_id: "7H3K9M2P4Q5R", delivery_id: `evt_${"0".repeat(40)}_1`,
  };
  return known[name] ?? operation.parameters.find((parameter) => parameter.name === name).schema.enum?.[0] ?? "x";
}

test("it is served with an ETag to anyone, and answers 304 to the one who has it", async () => {
  await till.call("/healthz");
  const { status, body, headers } = await till.call("/openapi.json");
  assert.equal(status, 200);
  assert.match(headers.get("content-type"), /^application\/json/);
  assert.deepEqual(body, document);
  const again = await till.fetch("/openapi.json", { headers: { "if-none-match": headers.get("etag") } });
  assert.equal(again.status, 304);
  assert.match(headers.get("cache-control"), /must-revalidate/);
});

test("an exchange that is not as described is found", () => {
  const good = { status: 200, type: "application/json", text: JSON.stringify({ status: "ok", version: "1", sandbox: true }) };
  assertDescribed("GET", "/healthz", {}, good);
  const wrong = [
    [{ ...good, text: JSON.stringify({ status: "ok", version: "1", sandbox: true, more: 1 }) }, /additional/],
    [{ ...good, text: JSON.stringify({ status: "ok", version: 1, sandbox: true }) }, /must be string/],
    [{ ...good, text: JSON.stringify({ status: "ok", version: "1" }) }, /required/],
    [{ ...good, status: 202 }, /status 202 is not described/],
    [{ ...good, type: "text/html" , text: "x" }, /text\/html with status 200 is not described/],
    [{ status: 503, type: "application/problem+json", text: JSON.stringify({ type: "https://a/", title: "", status: 503, detail: "", request_id: "", code: "paused" }) }, /enum|allowed values/],
  ];
  for (const [answer, pattern] of wrong) assert.throws(() => assertDescribed("GET", "/healthz", {}, answer), pattern);
  const create = (body) => assertDescribed("POST", "/b/pbl/v2/payment/cash/", { type: "application/json", text: JSON.stringify(body) }, { status: 200, type: "application/json", text: JSON.stringify(document.paths["/b/pbl/v2/payment/cash/"].post.responses[200].content["application/json"].example) });
  create({ session_id: "x" });
  assert.throws(() => create({}), /the request: .*session_id/);
});
