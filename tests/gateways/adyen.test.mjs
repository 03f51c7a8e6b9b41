// What the connector of Adyen sends and reads, judged from outside: by Adyen's own description of its requests, answers and
// webhooks, and by Adyen's own library for signatures.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";

import adyen from "@adyen/api-library";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";

const ROOT = new URL("../../", import.meta.url);
const SPECS = process.env.TILL_SPECS
  ? new URL(`file://${process.env.TILL_SPECS}/adyen/`)
  : new URL("../shared/specs/adyen/", ROOT);
const skip = existsSync(SPECS) ? false : "the official descriptions of Adyen are absent";
const VECTORS = new URL("tests/vectors/gateways/", ROOT);

const read = (url) => JSON.parse(readFileSync(url, "utf8"));
const REQUESTS = read(new URL("adyen.json", VECTORS));
const ANSWERS = read(new URL("adyen-answers.json", VECTORS));
const WEBHOOKS = read(new URL("adyen-webhooks.json", VECTORS));
const TOKENS = read(new URL("adyen-tokens.json", VECTORS));
const BASE = "https://checkout-test.adyen.com/v72";

/** The description of an API, with a function that checks a value by one of its parts. */
function description(file, isForgiven = () => false) {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  for (const name of ["int32", "int64", "float", "double"]) ajv.addFormat(name, true);
  const document = read(new URL(file, SPECS));
  ajv.addSchema(document, file);
  const faults = (path, value) => {
    const validate = ajv.getSchema(`${file}#${path}`) ?? ajv.compile({ $ref: `${file}#${path}` });
    const found = validate(value) ? [] : validate.errors.filter((fault) => !isForgiven(fault));
    return found.map((fault) => `${fault.instancePath} ${fault.message} ${JSON.stringify(fault.params)}`);
  };
  return { document, faults };
}

const pointer = (...parts) =>
  parts.map((part) => `/${encodeURIComponent(String(part).replaceAll("~", "~0").replaceAll("/", "~1"))}`).join("");

/** The operation of the description that a request is for. */
function operationOf(document, request) {
  const path = request.url.slice(BASE.length);
  for (const [template, operations] of Object.entries(document.paths)) {
    const pattern = new RegExp(`^${template.replace(/\{[^}]+\}/g, "[A-Za-z0-9]+")}$`);
    const operation = pattern.test(path) ? operations[request.method.toLowerCase()] : undefined;
    if (operation) return { template, operation };
  }
  return undefined;
}

describe("the requests of the connector of Adyen", { skip }, () => {
  const checkout = skip ? undefined : description("CheckoutService-v72.json");
  const faultsOf = (request, body) => {
    const { template, operation } = operationOf(checkout.document, request);
    assert.ok(operation.requestBody, "the operation takes a body");
    const method = request.method.toLowerCase();
    return checkout.faults(pointer("paths", template, method, "requestBody", "content", "application/json", "schema"), body);
  };

  for (const request of REQUESTS) {
    it(request.name, () => {
      assert.ok(request.url.startsWith(BASE));
      const found = operationOf(checkout.document, request);
      assert.ok(found, `${request.method} ${request.url} is described`);
      const headers = Object.fromEntries(request.headers);
      assert.equal(headers["x-api-key"], "AQE-api-key-of-the-shop");
      if (request.method === "GET") {
        assert.equal(request.body, "");
        return;
      }
      assert.equal(headers["content-type"], "application/json");
      const takesKey = (found.operation.parameters ?? []).some(({ $ref }) => $ref?.endsWith("/Idempotency-Key"));
      if (headers["idempotency-key"] !== undefined) {
        assert.ok(takesKey);
        assert.ok(headers["idempotency-key"].length <= 64);
      }
      assert.deepEqual(faultsOf(request, JSON.parse(request.body)), []);
    });
  }

  it("the description refuses what is wrong in them", () => {
    for (const request of REQUESTS.filter(({ body }) => body !== "")) {
      const body = JSON.parse(request.body);
      assert.notDeepEqual(faultsOf(request, { ...body, notAMember: 1 }), [], `${request.name}: another member`);
      if (body.amount) {
        const amount = { ...body.amount, value: String(body.amount.value) };
        assert.notDeepEqual(faultsOf(request, { ...body, amount }), [], `${request.name}: an amount that is a text`);
      }
      if (body.merchantAccount) {
        const { merchantAccount, ...rest } = body;
        assert.notDeepEqual(faultsOf(request, rest), [], `${request.name}: without ${merchantAccount}`);
      }
      if (body.paymentMethod?.applePayToken) {
        assert.notDeepEqual(faultsOf(request, { ...body, paymentMethod: { type: "applepay" } }), [], "without a token");
      }
    }
  });
});

describe("the sample answers that the connector reads", { skip }, () => {
  const checkout = skip ? undefined : description("CheckoutService-v72.json");
  for (const { name, schema, body } of ANSWERS) {
    it(name, () => assert.deepEqual(checkout.faults(pointer("components", "schemas", schema), body), []));
  }

  it("every result and every status of the description has a sample", () => {
    const { PaymentResponse, PaymentLinkResponse } = checkout.document.components.schemas;
    const given = (schema, member) =>
      [...new Set(ANSWERS.filter((one) => one.schema === schema).map(({ body }) => body[member]))].toSorted();
    assert.deepEqual(given("PaymentResponse", "resultCode"), PaymentResponse.properties.resultCode.enum.toSorted());
    assert.deepEqual(given("PaymentLinkResponse", "status"), PaymentLinkResponse.properties.status.enum.toSorted());
  });
});

describe("the sample webhooks that the connector reads", () => {
  const validator = new adyen.hmacValidator();
  // The description lists a part of what Adyen adds: not the signature for every event, and not the empty reference of the
  // documented sample.
  const isAddition = ({ keyword, instancePath, params }) =>
    keyword === "additionalProperties" &&
    (instancePath.endsWith("/additionalData") || params.additionalProperty === "originalReference");
  const webhooks = skip ? undefined : description("Webhooks-v1.json", isAddition);

  for (const { name, key, body } of WEBHOOKS) {
    it(`${name}: signed by Adyen's library`, () => {
      for (const { NotificationRequestItem: item } of body.notificationItems) {
        assert.equal(validator.calculateHmac(item, key), item.additionalData.hmacSignature);
        assert.ok(validator.validateHMAC(item, key));
        assert.ok(!validator.validateHMAC({ ...item, success: item.success === "true" ? "false" : "true" }, key));
      }
    });

    it(`${name}: as described`, { skip }, () => {
      for (const wrapped of body.notificationItems) {
        const event = wrapped.NotificationRequestItem.eventCode;
        const path = pointer("webhooks", `/${event}`, "post", "requestBody", "content", "application/json", "schema");
        if (!webhooks.document.webhooks[`/${event}`]) {
          assert.ok(["SOMETHING_NEW"].includes(event), `${event} is described`);
          continue;
        }
        assert.deepEqual(webhooks.faults(path, { live: body.live, notificationItems: [wrapped] }), []);
      }
    });
  }
});

describe("the sample webhooks about disputes", { skip }, () => {
  const { document } = skip ? {} : description("Webhooks-v1.json");
  const items = WEBHOOKS.filter(({ name }) => name.startsWith("disputed")).map(({ body }) => body.notificationItems[0].NotificationRequestItem);
  const { DisputesNotificationAdditionalData: added, DisputesNotificationRequestItem: item } = document?.components.schemas ?? {};

  it("every status of the description has one", () => {
    const given = new Set(items.map(({ additionalData }) => additionalData.disputeStatus).filter(Boolean));
    assert.deepEqual([...given].toSorted(), added.properties.disputeStatus.enum.toSorted());
  });

  it("every event of a dispute in the description has one", () => {
    const isOfDispute = (event) => /CHARGEBACK|DISPUTE|ISSUER_RESPONSE|INFORMATION|PREARBITRATION/.test(event);
    const given = new Set(items.map(({ eventCode }) => eventCode));
    assert.deepEqual([...given].toSorted(), item.properties.eventCode.enum.filter(isOfDispute).toSorted());
  });
});

describe("the sample webhooks about tokens", () => {
  const validator = new adyen.hmacValidator();
  const webhooks = skip ? undefined : description("TokenizationNotification-v1.json");
  for (const { name, key, signature, body } of TOKENS) {
    it(`${name}: signed by Adyen's library, all bytes at once`, () => {
      assert.equal(validator.calculateHmac(body, key), signature);
      assert.notEqual(validator.calculateHmac(`${body} `, key), signature);
    });

    it(`${name}: as described`, { skip }, () => {
      const notice = JSON.parse(body);
      const path = pointer("webhooks", notice.type, "post", "requestBody", "content", "application/json", "schema");
      assert.deepEqual(webhooks.faults(path, notice), []);
      assert.notDeepEqual(webhooks.faults(path, { ...notice, eventId: undefined }), []);
    });
  }
});
