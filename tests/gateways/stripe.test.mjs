// The connector of Stripe against what Stripe itself publishes: every request that the connector writes (a golden vector of
// the Rust test) is valid by the official OpenAPI description, every sample answer that the Rust test reads is valid too, and
// the signed events are those that the official package signs.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import Ajv from "ajv";
import addFormats from "ajv-formats";
import Stripe from "stripe";

const root = new URL("../../", import.meta.url);
const read = (path) => JSON.parse(readFileSync(new URL(path, root)));
const requests = read("tests/vectors/gateways/stripe.json");
const answers = read("tests/vectors/gateways/stripe-answers.json");
const webhooks = read("tests/vectors/gateways/stripe-webhooks.json");

const folder = process.env.TILL_SPECS ? new URL(`file://${process.env.TILL_SPECS}/stripe/`) : new URL("../shared/specs/stripe/", root);
const isThere = existsSync(folder);
const skip = isThere ? false : `the specification of Stripe is not here (${folder.pathname})`;
const readSpec = (name) => read(new URL(name, folder));
const spec = isThere ? readSpec("stripe-2023-08-16-trimmed.json") : { paths: {}, components: {} };
const fixtures = isThere ? readSpec("fixtures-2026-07-29-trimmed.json").resources : {};

// What Stripe added after 2023-08-16 without a new version (CHANGELOG of its package, "Add support for …").
const NEWER = { "GET /v1/checkout/sessions": ["created"] };

// The same for the bodies of requests, with what the package says about the member.
const NEWER_MEMBERS = {
  "/v1/checkout/sessions": {
    adaptive_pricing: { type: "object", properties: { enabled: { type: "boolean" } }, required: ["enabled"], additionalProperties: false },
  },
};
const FORM = "application/x-www-form-urlencoded";
for (const [path, members] of Object.entries(NEWER_MEMBERS)) {
  if (isThere) Object.assign(spec.paths[path].post.requestBody.content[FORM].schema.properties, members);
}

test("what is newer than the description is in the official package", () => {
  const declared = readFileSync(new URL("node_modules/stripe/esm/resources/Checkout/Sessions.d.ts", root), "utf8");
  const parameters = declared.slice(declared.indexOf("interface SessionCreateParams {"));
  for (const name of Object.keys(NEWER_MEMBERS["/v1/checkout/sessions"])) assert.match(parameters, new RegExp(`^ *${name}\\?: `, "m"));
  assert.match(parameters, /interface AdaptivePricing \{[^}]*enabled\?: boolean/);
});

/** `nullable` of OpenAPI 3.0 as JSON Schema: also next to `anyOf` and `enum`. */
function schema(node) {
  if (Array.isArray(node)) return node.map(schema);
  if (node === null || typeof node !== "object") return node;
  const made = {};
  for (const [name, value] of Object.entries(node)) {
    if (name.startsWith("x-") || name === "nullable" || name === "expandableFields") continue;
    made[name] = name === "enum" || name === "required" ? value : schema(value);
  }
  return node.nullable === true ? { anyOf: [made, { type: "null" }] } : made;
}

const ajv = new Ajv({ strict: false, allErrors: true, coerceTypes: false });
addFormats(ajv);
ajv.addFormat("unix-time", true);
ajv.addFormat("decimal", true);
if (isThere) ajv.addSchema({ $id: "stripe", components: schema(spec.components) });

const local = (node) => JSON.parse(JSON.stringify(schema(node)).replaceAll('"#/components/', '"stripe#/components/'));

function assertValid(validate, value, what) {
  assert.ok(validate(value), `${what}: ${ajv.errorsText(validate.errors?.slice(0, 3))}`);
}

/** The fields of a form as JSON: `a[b][]=c`, `a[0][b]=c`. */
function tree(text) {
  const made = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const [, first, rest] = /^([^[]+)((?:\[[^\]]*\])*)$/.exec(name);
    const path = [first, ...[...rest.matchAll(/\[([^\]]*)\]/g)].map((part) => part[1])];
    let place = made;
    path.forEach((key, index) => {
      const isLast = index === path.length - 1;
      const next = path[index + 1];
      const slot = key === "" ? place.length : key;
      if (isLast) {
        assert.ok(place[slot] === undefined, `${name} is given twice`);
        place[slot] = value;
      } else {
        place[slot] ??= next === "" || /^\d+$/.test(next) ? [] : {};
        place = place[slot];
      }
    });
  }
  return made;
}

/** A text as the type that the description wants, if it is exactly such a value. */
function typed(value, node, components) {
  const target = node?.$ref ? components.schemas[node.$ref.split("/").at(-1)] : node;
  if (target === undefined) return value;
  if (Array.isArray(value)) return value.map((item) => typed(item, target.items, components));
  if (typeof value === "object") {
    const objects = target.anyOf?.filter((option) => option.properties) ?? [];
    const fits = (option) => Object.keys(value).every((key) => key in option.properties);
    const chosen = target.properties ? target : objects.find(fits);
    const entries = Object.entries(value).map(([key, inner]) => [key, typed(inner, chosen?.properties?.[key], components)]);
    return Object.fromEntries(entries);
  }
  const types = [target, ...(target.anyOf ?? [])].map((option) => option.type);
  if (types.includes("integer") && /^(0|[1-9]\d*)$/.test(value)) return Number(value);
  if (types.includes("boolean") && (value === "true" || value === "false")) return value === "true";
  return value;
}

/** The path of the description that an address has. */
function operationOf({ method, url }) {
  const { pathname } = new URL(url);
  const fits = (path) => new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, "[A-Za-z0-9_]+")}$`).test(pathname);
  const paths = Object.keys(spec.paths).filter(fits);
  const path = paths.find((known) => !known.includes("{")) ?? paths[0];
  const operation = spec.paths[path]?.[method.toLowerCase()];
  assert.ok(operation, `${method} ${pathname} is not described`);
  return { path, operation };
}

for (const request of requests) {
  test(`the request is valid: ${request.name}`, { skip }, () => {
    const { path, operation } = operationOf(request);
    const query = tree(new URL(request.url).search.slice(1));
    for (const [name, value] of Object.entries(query)) {
      const parameter = operation.parameters.find((known) => known.in === "query" && known.name === name);
      if (parameter === undefined) {
        assert.ok(NEWER[`${request.method} ${path}`]?.includes(name), `${name} is not described`);
        continue;
      }
      const given = typed(value, parameter.schema, spec.components);
      assertValid(ajv.compile(local(parameter.schema)), given, name);
    }
    if (request.method === "GET") {
      assert.equal(request.body, "");
      assert.equal(request.headers["idempotency-key"], undefined);
      return;
    }
    assert.equal(request.headers["content-type"], FORM);
    const described = operation.requestBody.content[FORM].schema;
    const body = typed(tree(request.body), described, spec.components);
    assertValid(ajv.compile(local(described)), body, request.name);
  });
}

test("every request names the version of the description, and the key", { skip }, () => {
  assert.equal(spec.info?.version ?? "2023-08-16", "2023-08-16");
  for (const { name, headers } of requests) {
    assert.equal(headers["stripe-version"], "2023-08-16", name);
    assert.equal(headers.authorization, "Bearer sk_test_made_up", name);
  }
});

test("a request that is wrong is found", { skip }, () => {
  const open = requests.find(({ name }) => name === "open a page");
  const described = operationOf(open).operation.requestBody.content[FORM].schema;
  const validate = ajv.compile(local(described));
  for (const [from, to] of [
    ["mode=payment", "mode=pay"],
    ["success_url=", "succes_url="],
    ["unit_amount%5D=10250", "unit_amount%5D=10.250"],
    ["expires_at=1795222800", "expires_at=soon"],
    ["capture_method%5D=automatic", "capture_method%5D=later"],
    ["enabled%5D=false", "enabled%5D=no"],
  ]) {
    const wrong = open.body.replace(from, to);
    assert.notEqual(wrong, open.body, from);
    assert.equal(validate(typed(tree(wrong), described, spec.components)), false, to);
  }
});

for (const [name, { schema: kind, status, body }] of Object.entries(answers)) {
  test(`the sample answer is valid: ${name}`, { skip }, () => {
    if (kind !== null) {
      assertValid(ajv.compile({ $ref: `stripe#/components/schemas/${kind}` }), body, name);
      assert.equal(status === 200, kind !== "error", name);
      return;
    }
    // A list, or an object with members that are newer than the description.
    const known = { refund: "refund", payment_intent: "payment_intent", "checkout.session": "checkout.session", dispute: "dispute" };
    for (const item of body.object === "list" ? body.data : [body]) {
      assertValid(ajv.compile({ $ref: `stripe#/components/schemas/${known[item.object]}` }), item, name);
    }
  });
}

test("an answer that is wrong is found", { skip }, () => {
  const validate = ajv.compile({ $ref: "stripe#/components/schemas/payment_intent" });
  const { body } = answers["intent paid"];
  for (const wrong of [{ amount: "10250" }, { amount: undefined }, { status: "new" }, { latest_charge: { id: 1 } }]) {
    assert.equal(validate(JSON.parse(JSON.stringify({ ...body, ...wrong }))), false, JSON.stringify(wrong));
  }
});

test("the members that are read are in the newest objects of Stripe too", { skip }, () => {
  const members = {
    payment_intent: ["id", "object", "amount", "amount_received", "currency", "status", "capture_method", "metadata",
      "cancellation_reason", "last_payment_error", "next_action", "latest_charge", "customer", "payment_method",
      "setup_future_usage"],
    charge: ["id", "status", "amount_captured", "amount_refunded", "outcome", "billing_details", "payment_method_details",
      "metadata"],
    "checkout.session": ["id", "object", "client_reference_id", "status", "mode", "amount_total", "currency", "url",
      "payment_intent", "setup_intent", "customer"],
    setup_intent: ["id", "status", "metadata", "payment_method", "customer"],
    refund: ["id", "object", "amount", "currency", "status", "metadata", "charge", "destination_details"],
    event: ["type", "data"],
  };
  for (const [kind, names] of Object.entries(members)) {
    for (const name of names) assert.ok(name in fixtures[kind], `${kind}.${name}`);
  }
  for (const name of ["brand", "last4", "exp_month", "exp_year", "authorization_code"]) {
    assert.ok(name in fixtures.charge.payment_method_details.card, name);
  }
});

test("the signed events are those of the official package", () => {
  const stripe = new Stripe("sk_test_made_up");
  for (const { name, secret, timestamp, body, header } of webhooks) {
    assert.equal(stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp }), header, name);
    if (body === "") continue;
    const event = stripe.webhooks.constructEvent(body, header, secret, 300, undefined, timestamp * 1_000);
    assert.equal(event.id, JSON.parse(body).id, name);
    assert.throws(() => stripe.webhooks.constructEvent(`${body} `, header, secret, 300, undefined, timestamp * 1_000));
  }
});
