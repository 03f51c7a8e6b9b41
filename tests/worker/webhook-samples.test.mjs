/**
 * The samples of webhooks in `tests/vectors/webhooks`, judged by what is not ours: the served description by ajv, the
 * headers by the official library of Standard Webhooks, the field `signature` by Node's own HMAC.
 */
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { mock, test } from "node:test";
import { Webhook } from "standardwebhooks";
import { at } from "../../scripts/project.mjs";
import { description, faultsOfWebhook } from "./description.mjs";

const FOLDER = at("tests", "vectors", "webhooks");
const samples = readdirSync(FOLDER).sort().map((file) => [file.replace(/\.json$/, ""), JSON.parse(readFileSync(`${FOLDER}/${file}`, "utf8"))]);
const SIGNED = JSON.parse(readFileSync(at("tests", "vectors", "webhook.json"), "utf8")).signed.toSorted();

const verified = ({ body, headers, signing_secret }) => new Webhook(signing_secret).verify(body, headers);

for (const [name, sample] of samples) {
  test(`the sample ${name} is as described, and its signatures are right`, () => {
    assert.deepEqual(faultsOfWebhook(sample.body, sample.webhook), []);
    mock.timers.enable({ apis: ["Date"], now: Number(sample.headers["webhook-timestamp"]) * 1000 });
    try {
      const body = verified(sample);
      assert.throws(() => verified({ ...sample, body: sample.body.replace('"success"', '"failure"').replace('"state"', '"State"').replace('"type"', '"Type"') }));
      // An alert is signed by its headers only.
      if (sample.webhook === "alert") return;
      const text = SIGNED.filter((field) => body[field]).map((field) => field + body[field]).join("");
      assert.equal(body.signature, createHmac("sha256", sample.hmac_key).update(text).digest("hex"));
    } finally {
      mock.timers.reset();
    }
  });
}

/** A body of a sample with other members; `undefined` takes one away. */
const changed = (name, members) => JSON.stringify({ ...JSON.parse(samples.find(([known]) => known === name)[1].body), ...members });

test("a body that lacks what must be there, or has what must not, is not as described", () => {
  const wrong = [
    ["payment-paid", "payment", { settled_amount: undefined }],
    ["payment-paid", "payment", { message: "declined" }],
    ["payment-paid", "payment", { sequence: undefined }],
    ["payment-paid", "payment", { sequence: "4" }],
    ["payment-paid", "payment", { is_sandbox: false }],
    ["payment-paid", "payment", { refunded_amount: "1.000" }],
    ["payment-paid", "payment", { other: 1 }],
    ["payment-paid", "card", {}],
    ["payment-failed", "payment", { settled_amount: "10.000" }],
    ["payment-failed", "payment", { gateway_account: "a".repeat(17) }],
    ["payment-cod", "payment", { amount: 10 }],
    ["operation-refund", "operation", { txn: undefined }],
    ["operation-refund", "operation", { source: "staff" }],
    ["alert-raised", "alert", { type: "alert.closed" }],
    ["alert-raised", "alert", { data: undefined }],
  ];
  for (const [name, webhook, members] of wrong) {
    assert.notDeepEqual(faultsOfWebhook(changed(name, members), webhook), [], `${name} ${JSON.stringify(members)}`);
  }
});

test("every sample is an example of its webhook in the served description", () => {
  const { webhooks } = description();
  for (const [name, { webhook, about, body }] of samples) {
    assert.deepEqual(webhooks[webhook].post.requestBody.content["application/json"].examples[name], { summary: about, value: JSON.parse(body) });
  }
  const required = webhooks.payment.post.parameters.filter((parameter) => parameter.required).map((parameter) => parameter.name);
  assert.deepEqual(required, ["webhook-id", "webhook-timestamp", "webhook-signature"]);
  assert.deepEqual(Object.keys(webhooks.payment.post.responses), ["200", "201", "410", "default"]);
});
