// What the connector of Tabby sends, and what its stub answers, judged by Tabby's own description of the API.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { after, before, describe, it } from "node:test";

import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";

import { CODE, KEY, TabbyStub } from "../worker/tabby-stub.mjs";

const ROOT = new URL("../../", import.meta.url);
const SPECS = process.env.TILL_SPECS ? new URL(`file://${process.env.TILL_SPECS}/tabby/`) : new URL("../shared/specs/tabby/", ROOT);
const FILE = new URL("tabby-api-openapi.json", SPECS);
const skip = existsSync(FILE) ? false : "the description of Tabby is absent";

const read = (url) => JSON.parse(readFileSync(url, "utf8"));
const REQUESTS = read(new URL("tests/vectors/gateways/tabby.json", ROOT));
const HOSTS = ["https://api.tabby.ai", "https://api.tabby.sa"];

const document = skip ? undefined : read(FILE);
const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
if (document) ajv.addSchema(document, "tabby");

const pointer = (parts) => parts.map((part) => `/${encodeURIComponent(String(part).replaceAll("~", "~0").replaceAll("/", "~1"))}`).join("");

/** The description writes the absence of a reason as a text, and its examples as `null`. */
const isForgiven = ({ instancePath, params }) => instancePath.endsWith("/rejection_reason") && params.allowedValues?.includes("null");

/** What is wrong with a value by a part of the description. */
function faults(value, ...parts) {
  const validate = ajv.compile({ $ref: `tabby#${pointer(parts)}` });
  return validate(value) ? [] : validate.errors.filter((fault) => !isForgiven(fault)).map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`);
}

/** The operation of the description at a path. */
function operationAt(method, path) {
  for (const [template, operations] of Object.entries(document.paths)) {
    const pattern = new RegExp(`^${template.replace(/\{[^}]+\}/g, "[^/]+")}$`);
    if (pattern.test(path) && operations[method.toLowerCase()]) return { template, method: method.toLowerCase(), operation: operations[method.toLowerCase()] };
  }
  return undefined;
}

describe("the requests of the connector of Tabby", { skip }, () => {
  for (const { name, method, url, headers, body } of REQUESTS) {
    it(name, () => {
      const { origin, pathname, searchParams } = new URL(url);
      assert.ok(HOSTS.includes(origin), origin);
      const found = operationAt(method, pathname);
      assert.ok(found, `${method} ${pathname} is described`);
      assert.match(Object.fromEntries(headers).authorization, /^Bearer sk_test_/);
      const named = (found.operation.parameters ?? []).map((parameter) => (parameter.$ref ? document.components.parameters[parameter.$ref.split("/").at(-1)] : parameter));
      for (const [key, value] of searchParams) {
        const place = named.findIndex((parameter) => parameter.in === "query" && parameter.name === key);
        assert.notEqual(place, -1, `${key} is described`);
        const { type, maximum, format } = named[place].schema;
        if (type === "integer") assert.ok(/^\d+$/.test(value) && Number(value) <= (maximum ?? Infinity), `${key}=${value}`);
        // The texts of both dates say that they have no time, though one has the format of a moment.
        if (format) assert.match(value, /^\d{4}-\d{2}-\d{2}$/);
      }
      if (!found.operation.requestBody) return assert.equal(body, "");
      const wrong = faults(JSON.parse(body), "paths", found.template, found.method, "requestBody", "content", "application/json", "schema");
      // Of a payer who is not known there is no e-mail address: Tabby requires one, and the page asks for it.
      const expected = name.endsWith("for nobody known") ? ['/payment/buyer/email must match format "email" {"format":"email"}'] : [];
      assert.deepEqual(wrong, expected);
    });
  }

  it("needs what the description needs", () => {
    const { body } = REQUESTS.find(({ name }) => name === "open a page");
    const schema = ["paths", "/api/v2/checkout", "post", "requestBody", "content", "application/json", "schema"];
    for (const path of [["lang"], ["merchant_code"], ["payment", "buyer", "phone"], ["payment", "order", "reference_id"], ["payment", "order", "items", 0, "category"]]) {
      const request = JSON.parse(body);
      const within = path.slice(0, -1).reduce((value, key) => value[key], request);
      delete within[path.at(-1)];
      assert.notDeepEqual(faults(request, ...schema), [], path.join("."));
    }
  });
});

describe("the stub of Tabby answers as the description says", { skip }, () => {
  const stub = new TabbyStub();
  before(() => stub.listen());
  after(() => stub.close());

  const call = async (method, path, body) => {
    const headers = { authorization: `Bearer ${KEY}`, "x-merchant-code": CODE, "content-type": "application/json" };
    const answer = await fetch(stub.origin + path, { method, headers, body: body && JSON.stringify(body) });
    const value = await answer.json();
    const { template, method: known } = operationAt(method, path.split("?")[0]);
    let parts = ["paths", template, known, "responses", String(answer.status)];
    const { $ref } = document.paths[template][known].responses[answer.status];
    if ($ref) parts = $ref.slice(2).split("/");
    assert.deepEqual(faults(value, ...parts, "content", "application/json", "schema"), [], `${method} ${path} ${answer.status}`);
    return value;
  };

  it("from the session to the refund", async () => {
    const { body } = REQUESTS.find(({ name }) => name === "open a page");
    const { id, payment } = await call("POST", "/api/v2/checkout", JSON.parse(body));
    await call("GET", `/api/v2/checkout/${id}`);
    await call("GET", `/api/v2/payments/${payment.id}`);
    stub.pay(payment.order.reference_id);
    await call("GET", "/api/v2/payments?limit=20&offset=0");
    await call("POST", `/api/v2/payments/${payment.id}/captures`, { amount: "4.000", reference_id: "C-1" });
    await call("POST", `/api/v2/payments/${payment.id}/close`);
    await call("POST", `/api/v2/payments/${payment.id}/refunds`, { amount: "1.000", reference_id: "R-1" });
    await call("POST", `/api/v2/payments/${payment.id}/refunds`, { amount: "9.000", reference_id: "R-2" });
    await call("GET", `/api/v2/payments/${payment.id}`);
  });
});
