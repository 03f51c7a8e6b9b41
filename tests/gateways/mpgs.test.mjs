// The messages of the connector of Mastercard Gateway against a description of them that was written from the public
// reference, independently of the connector: requests are strict there, answers open.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import Ajv from "ajv/dist/2020.js";

const root = new URL("../../", import.meta.url);
const path = fileURLToPath(new URL("../shared/specs/mpgs/mpgs-own.schema.json", root));
const skip = existsSync(path) ? false : `${path} is absent`;

const read = (name) => JSON.parse(readFileSync(new URL(`tests/vectors/gateways/${name}`, root), "utf8"));

const DEFINITIONS = {
  INITIATE_CHECKOUT: "initiateCheckoutRequest",
  PAY: "payRequest",
  AUTHORIZE: "payRequest",
  VERIFY: "payRequest",
  CAPTURE: "captureOrRefundRequest",
  REFUND: "captureOrRefundRequest",
  VOID: "voidRequest",
};

/** What is wrong with a message of a definition; nothing if it fits. */
function checker() {
  const schema = JSON.parse(readFileSync(path, "utf8"));
  const ajv = new Ajv({ strict: false, allErrors: true });
  ajv.addSchema(schema);
  return (definition, message) => {
    const validate = ajv.getSchema(`${schema.$id}#/$defs/${definition}`);
    assert.ok(validate, `the schema has no ${definition}`);
    return validate(message) ? [] : validate.errors.map((error) => `${error.instancePath} ${error.message}`);
  };
}

const definitionOf = (body) => DEFINITIONS[body.apiOperation] ?? "tokenRequest";

test("every request fits its description", { skip }, () => {
  const check = checker();
  const bodies = read("mpgs.json").filter(({ body }) => body !== "");
  const seen = new Set();
  for (const { name, method, url, headers, body } of bodies) {
    const message = JSON.parse(body);
    assert.deepEqual(check(definitionOf(message), message), [], name);
    assert.equal(headers["content-type"], "application/json", name);
    assert.match(url, /^https:\/\/[^/]+\/api\/rest\/version\/\d+\/merchant\/[A-Za-z0-9_-]{1,40}\//, name);
    assert.equal(method, /\/(session|token)$/.test(url) ? "POST" : "PUT", name);
    seen.add(message.apiOperation ?? "TOKEN");
  }
  assert.deepEqual([...seen].sort(), ["AUTHORIZE", "CAPTURE", "INITIATE_CHECKOUT", "PAY", "REFUND", "TOKEN", "VERIFY", "VOID"]);
});

test("a request that is changed does not fit any more", { skip }, () => {
  const check = checker();
  const bodies = read("mpgs.json").filter(({ body }) => body !== "");
  for (const { name, body } of bodies) {
    const more = JSON.parse(body);
    more.unknownField = 1;
    assert.notDeepEqual(check(definitionOf(more), more), [], name);
    const amount = JSON.parse(body);
    const holder = amount.order?.amount ? amount.order : amount.transaction;
    if (holder?.amount) {
      holder.amount = Number(holder.amount);
      assert.notDeepEqual(check(definitionOf(amount), amount), [], name);
    }
  }
});

test("every sample answer fits its description", { skip }, () => {
  const check = checker();
  for (const [name, { def, body }] of Object.entries(read("mpgs-answers.json"))) {
    if (def !== "") assert.deepEqual(check(def, body), [], name);
  }
});
