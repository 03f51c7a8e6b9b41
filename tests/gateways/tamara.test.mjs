// What the connector of Tamara sends, and what its stub answers, judged by descriptions that others wrote from its public
// reference. They do not have the inquiry by our reference and the check of payment options, which are in its PHP library.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { KEY, TamaraStub } from "../worker/tamara-stub.mjs";
import { Description, reasonToSkip, requestsOf } from "./described.mjs";

const FILES = ["checkout", "orders", "payments"].map((name) => `tamara/${name}.json`);
const skip = reasonToSkip(...FILES);
const REQUESTS = requestsOf("tamara");
const DESCRIPTIONS = skip ? [] : FILES.map((file) => new Description(file));
const NOT_DESCRIBED = ["eligibility", "inquiry", "check"];

/** The description that has a path, and the operation in it. */
function described(method, path) {
  for (const description of DESCRIPTIONS) {
    const found = description.at(method, path);
    if (found) return { description, found };
  }
  return undefined;
}

describe("the requests of the connector of Tamara", { skip }, () => {
  for (const { name, method, url, body } of REQUESTS) {
    it(name, () => {
      const { origin, pathname } = new URL(url);
      assert.equal(origin, "https://api-sandbox.tamara.co");
      const judge = described(method, pathname);
      assert.equal(judge === undefined, NOT_DESCRIBED.includes(name), `${method} ${pathname}`);
      if (!judge?.found.operation.requestBody) return;
      // Of a payer who is not known there is no e-mail address: the page asks for it.
      const expected = name.endsWith("for nobody known") ? ['/consumer/email must match format "email" {"format":"email"}'] : [];
      assert.deepEqual(judge.description.faultsOfRequest(judge.found, JSON.parse(body)), expected);
    });
  }
});

describe("the stub of Tamara answers as the descriptions say", { skip }, () => {
  const stub = new TamaraStub();
  before(() => stub.listen());
  after(() => stub.close());

  const call = async (path, body) => {
    const headers = { authorization: `Bearer ${KEY}`, "content-type": "application/json" };
    const answer = await fetch(stub.origin + path, { method: "POST", headers, body: body && JSON.stringify(body) });
    const value = await answer.json();
    const { description, found } = described("POST", path);
    assert.deepEqual(description.faultsOfAnswer(found, answer.status, value), [], `${path} ${answer.status}`);
    return value;
  };
  const bodyOf = (name, order_id) => ({ ...JSON.parse(REQUESTS.find((request) => request.name === name).body), ...(order_id ? { order_id } : {}) });

  it("from the session to the refund, and to the release", async () => {
    const first = await call("/checkout", bodyOf("open a page"));
    stub.pay("7H3K9M2P4Q5R");
    await call(`/orders/${first.order_id}/authorise`);
    await call("/payments/capture", bodyOf("capture", first.order_id));
    await call(`/payments/simplified-refund/${first.order_id}`, bodyOf("refund"));
    const second = await call("/checkout", bodyOf("open a page"));
    stub.pay("7H3K9M2P4Q5R");
    await call(`/orders/${second.order_id}/authorise`);
    await call(`/orders/${second.order_id}/cancel`, bodyOf("void"));
  });
});
