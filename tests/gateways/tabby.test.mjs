// What the connector of Tabby sends, and what its stub answers, judged by Tabby's own description of the API.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { CODE, KEY, TabbyStub } from "../worker/tabby-stub.mjs";
import { Description, reasonToSkip, requestsOf } from "./described.mjs";

const FILE = "tabby/tabby-api-openapi.json";
const skip = reasonToSkip(FILE);
const REQUESTS = requestsOf("tabby");
const HOSTS = ["https://api.tabby.ai", "https://api.tabby.sa"];
/** The description writes the absence of a reason as a text, and its examples as `null`. */
const isForgiven = ({ instancePath, params }) => instancePath.endsWith("/rejection_reason") && params.allowedValues?.includes("null");
const tabby = skip ? undefined : new Description(FILE, isForgiven);

/** The parameters of an operation, in full. */
const parametersOf = ({ parameters = [] }) => parameters.map((one) => (one.$ref ? tabby.document.components.parameters[one.$ref.split("/").at(-1)] : one));

describe("the requests of the connector of Tabby", { skip }, () => {
  for (const { name, method, url, headers, body } of REQUESTS) {
    it(name, () => {
      const { origin, pathname, searchParams } = new URL(url);
      assert.ok(HOSTS.includes(origin), origin);
      const found = tabby.at(method, pathname);
      assert.ok(found, `${method} ${pathname} is described`);
      assert.match(Object.fromEntries(headers).authorization, /^Bearer sk_test_/);
      for (const [key, value] of searchParams) {
        const [parameter] = parametersOf(found.operation).filter((one) => one.in === "query" && one.name === key);
        assert.ok(parameter, `${key} is described`);
        const { type, maximum, format } = parameter.schema;
        if (type === "integer") assert.ok(/^\d+$/.test(value) && Number(value) <= (maximum ?? Infinity), `${key}=${value}`);
        // The texts of both dates say that they have no time, though one has the format of a moment.
        if (format) assert.match(value, /^\d{4}-\d{2}-\d{2}$/);
      }
      if (!found.operation.requestBody) return assert.equal(body, "");
      // Of a payer who is not known there is no e-mail address: Tabby requires one, and the page asks for it.
      const expected = name.endsWith("for nobody known") ? ['/payment/buyer/email must match format "email" {"format":"email"}'] : [];
      assert.deepEqual(tabby.faultsOfRequest(found, JSON.parse(body)), expected);
    });
  }

  it("needs what the description needs", () => {
    const { body } = REQUESTS.find(({ name }) => name === "open a page");
    const found = tabby.at("POST", "/api/v2/checkout");
    for (const path of [["lang"], ["merchant_code"], ["payment", "buyer", "phone"], ["payment", "order", "reference_id"], ["payment", "order", "items", 0, "category"]]) {
      const request = JSON.parse(body);
      const within = path.slice(0, -1).reduce((value, key) => value[key], request);
      delete within[path.at(-1)];
      assert.notDeepEqual(tabby.faultsOfRequest(found, request), [], path.join("."));
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
    const found = tabby.at(method, path.split("?")[0]);
    assert.deepEqual(tabby.faultsOfAnswer(found, answer.status, value), [], `${method} ${path} ${answer.status}`);
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
