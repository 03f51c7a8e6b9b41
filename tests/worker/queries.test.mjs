/**
 * What a query does not know it refuses by name: a filter that is ignored answers with everyone's payments. Every address
 * that merchants and operators read is tried, as the table of endpoints and the description have them.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { description } from "./description.mjs";
import { OPERATOR_TOKEN, start } from "./harness.mjs";
import { assertProblem } from "./payer.mjs";
import { endpoints } from "./routes.mjs";

/** @type {import("./harness.mjs").Till} */
let till;
/** What addresses name. */
let ids;

const LIST = "/b/checkout/v1/pymt-txn/";
/** The parameters that choose a page. */
const OF_PAGES = ["cursor", "before", "limit"];
/** What answers with one object to clients that existed before, whatever they add. */
const TAKES_ANYTHING = ["retrieve_transaction"];

before(async () => {
  till = await start();
  const { merchant_id } = await till.createMerchant();
  const { body } = await till.create({ order_no: "ORDER-1" });
  ids = { merchant_id, session_id: body.session_id, version: 1, user_id: 1, reference_number: "7H3K9M2P4Q5R", approval_id: "7H3K9M2P4Q5R", delivery_id: `evt_${body.session_id}_1` };
});
after(() => till.stop());

/** Every address that a merchant or an operator reads, with its parameters. */
const read = Object.entries(description().paths).flatMap(([path, { get }]) =>
  get && ["Merchant", "Operator"].includes(get.tags[0]) ? [{ path, ...get }] : []);
const declared = ({ parameters = [] }) => parameters.filter(({ in: place }) => place === "query");
const ask = (operation, query) => {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name) => ids[name]);
  const headers = operation.tags[0] === "Operator" ? { authorization: `Bearer ${OPERATOR_TOKEN}` } : till.privateKey();
  return till.call(`${path}?${query}`, { headers: { accept: "application/json", ...headers } });
};

test("every address of the table that a merchant or an operator reads is tried here", () => {
  const routes = endpoints().filter(({ audience }) => ["Merchant", "Operator"].includes(audience)).flatMap(({ routes: own }) => own);
  const wanted = routes.filter((route) => route.startsWith("GET ")).map((route) => route.slice(4)).sort();
  assert.deepEqual(read.map(({ path }) => path.replaceAll(/\{\w+\}/g, "{}")).sort(), wanted);
});

test("an unknown parameter is refused by name, with those that the address takes", async () => {
  for (const operation of read) {
    const answer = await ask(operation, "reference_number=PM7&customer_email=payer%40example.com&agreement.id=1");
    if (TAKES_ANYTHING.includes(operation.operationId)) {
      assert.equal(answer.status, 200, operation.path);
      continue;
    }
    assertProblem(answer, 400, "invalid_fields");
    assert.deepEqual(Object.keys(answer.body.errors), ["reference_number", "customer_email", "agreement"], operation.path);
    const names = declared(operation).map(({ name }) => name);
    const takes = names.length > 0 ? `is unknown: this address takes the parameters ${names.join(", ")}` : "is unknown: this address takes no parameters";
    assert.deepEqual(answer.body.errors.reference_number, [takes], operation.path);
  }
});

test("what is wrong with the known parameters is named with the unknown ones", async () => {
  const answer = await till.call(`${LIST}?limit=0&email=a&state=lost`, { headers: till.privateKey() });
  assert.deepEqual(Object.keys(answer.body.errors), ["limit", "state", "email"]);
});

test("a filter has one value, and an empty page is the first", async () => {
  for (const operation of read) {
    for (const { name, schema } of declared(operation)) {
      const empty = await ask(operation, `${name}=`);
      const twice = await ask(operation, `${name}=1&${name}=1`);
      const isPage = OF_PAGES.includes(name);
      assert.deepEqual(empty.body.errors, isPage ? undefined : { [name]: ["must have a value, or be left out"] }, `${operation.path} ${name}`);
      if (schema.type !== "array") assert.deepEqual(twice.body.errors, { [name]: ["must not be given twice"] }, `${operation.path} ${name}`);
    }
  }
});

test("what clients add to every address, and what only keeps caches from answering, changes nothing", async () => {
  for (const operation of read) {
    const plain = await ask(operation, "");
    const added = await ask(operation, "format=json&_=1700000000000&_dc=1&nocache=&cb=2&cb=3");
    assert.equal(added.status, plain.status, operation.path);
    if (!TAKES_ANYTHING.includes(operation.operationId)) assertProblem(await ask(operation, "format=csv"), 400, "invalid_fields");
  }
});

test("a call that does something by its query refuses what it does not know", async () => {
  const path = `/b/pbl/v2/card/${"2".repeat(26)}/`;
  const card = await till.call(`${path}?customer_id=c&type=sandbox&pg_code=knet`, { method: "DELETE", headers: till.privateKey() });
  assertProblem(card, 400, "invalid_fields");
  assert.deepEqual(Object.keys(card.body.errors), ["pg_code"]);
  const { body } = await till.operator(`/merchants/${ids.merchant_id}/`);
  const settings = await till.operator(`/merchants/${ids.merchant_id}/settings/?versoin=1`, { method: "PUT", json: body.settings });
  assert.deepEqual(Object.keys(settings.body.errors), ["versoin"]);
  assertProblem(await till.call("/.well-known/jwks.json?merchant_id=demo"), 400, "invalid_fields");
});

test("what payers' browsers and SDKs bring is taken", async () => {
  for (const path of [`/b/checkout/redirect/start/?session_id=${ids.session_id}&utm_source=mail&fbclid=1`, `/b/checkout/api/sdk/v1/pymt-txn/submit/${ids.session_id}/?language=ar&v=2`, "/healthz?probe=1"]) {
    assert.equal((await till.call(path)).status, 200, path);
  }
});

test("a stranger learns no parameters", async () => {
  assertProblem(await till.call(`${LIST}?reference_number=1`), 401, "credentials_missing");
  assertProblem(await till.call("/b/access/v1/keys/?name=1", { headers: { authorization: "Api-Key nonsense" } }), 401, "credentials_invalid");
});
