/** Routing over HTTP: a gateway that is not reached is exchanged for the next one of its group, which speaks another protocol. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { KEY, SECRET, StripeStub } from "./stripe-stub.mjs";
import { assertProblem, attempts, choose, eventually, open, openPage, payWith, standing, untilWebhooks } from "./payer.mjs";
import { Stub, startWith, till } from "./stub.mjs";

const stripe = new StripeStub();
/** An address at which nobody listens. */
const nobody = await new Stub().listen();
await nobody.close();

const common = { name: { en: "Card", ar: "بطاقة" }, group: "card", operation: "purchase", currencies: ["KWD"], sandbox: true };
const stripeAt = (code, endpoint, members = {}) => ({
  ...common, code, connector: "stripe", pg_name: "stripe", credentials: { secret_key: KEY, webhook_secret: SECRET }, endpoint, ...members,
});
const gateways = (origin) => [
  stripeAt("gone", nobody.origin),
  stripeAt("stripe", origin),
  { ...common, code: "simulated", connector: "sandbox", pg_name: "mpgs", credentials: { api_key: "routing-key" } },
  { ...common, code: "knet", group: undefined, connector: "sandbox", pg_name: "kpay", credentials: { api_key: "knet-key" } },
];
startWith(stripe, gateways);

/** A merchant of its own with this routing. */
const routed = (routing) => till.createMerchant({ gateways: gateways(stripe.origin), routing });

const decisions = async ({ session_id }) => {
  const { status, body } = await till.call(`/b/checkout/v1/pymt-txn/${session_id}/routing/`, { headers: till.privateKey() });
  assert.equal(status, 200);
  return body.results;
};
const findings = ({ gateways }) => Object.fromEntries(gateways.map(({ pg_code, finding }) => [pg_code, finding]));
const listed = async (payment) => [...(await openPage(till, payment)).text.matchAll(/name="pg_code" value="([\w-]+)"/g)].map(([, code]) => code);

test("a payer whose gateway nobody answers is sent to the page of the next one, and pays once", async () => {
  await routed({});
  const payment = await open(till, { pg_codes: ["gone", "stripe", "knet"] });
  assert.deepEqual(await listed(payment), ["gone", "knet"], "one group is one method");
  const sent = await choose(till, payment, "gone");
  assert.equal(sent.status, 303, sent.text);
  const tried = await attempts(till, payment);
  assert.deepEqual(tried.map(({ pg_code }) => pg_code), ["gone", "stripe"]);
  assert.equal(sent.headers.get("location"), stripe.sessionOf(tried[1].reference).url);
  await till.fetch(stripe.pay(tried[1].reference));
  assert.equal((await standing(till, payment))[0], "paid");
  assert.equal(stripe.chargesOf(tried[1].reference).length, 1);
  const [first, second] = await decisions(payment);
  assert.deepEqual([first.decided_by, second.decided_by, second.replaces], ["order", "fallback", first.reference_number]);
  assert.deepEqual(findings(second), { gone: "not_reached", stripe: "chosen", knet: "other_method" });
  const sentBodies = (await untilWebhooks(till, payment, 2)).map(({ body }) => body).sort((one, other) => one.sequence - other.sequence);
  const { reference_number, result } = sentBodies.at(-1);
  assert.deepEqual([reference_number, result], [tried[1].reference, "success"]);
});

test("a gateway that fails in a row is left out of the page for a while, and then tried again", async () => {
  await routed({ skip_after: 2, skip_seconds: 2 });
  const pg_codes = ["gone", "simulated"];
  for (let turn = 0; turn < 2; turn += 1) {
    const payment = await open(till, { pg_codes });
    assert.deepEqual(await listed(payment), ["gone"]);
    await choose(till, payment, "gone");
    assert.deepEqual((await attempts(till, payment)).map(({ pg_code }) => pg_code), ["gone", "simulated"]);
  }
  const payment = await open(till, { pg_codes });
  assert.deepEqual(await listed(payment), ["simulated"]);
  const sent = await choose(till, payment, "gone");
  await payWith(till, sent.headers.get("location"), "visa-approve");
  assert.deepEqual(await standing(till, payment), ["paid", "success"]);
  assert.deepEqual(findings((await decisions(payment))[0]), { simulated: "chosen", gone: "skipped" });
  const another = await open(till, { pg_codes });
  await eventually("the gateway is offered again", async () => (await listed(another))[0] === "gone");
});

test("two clicks at once are exchanged once", async () => {
  await routed({});
  const payment = await open(till, { pg_codes: ["gone", "simulated"] });
  const clicks = await Promise.all([1, 2, 3].map(() => choose(till, payment, "gone")));
  for (const { status } of clicks) assert.ok([303, 409].includes(status), String(status));
  const tried = await attempts(till, payment);
  assert.equal(tried.filter(({ stage }) => stage === "redirected").length, 1, JSON.stringify(tried.map(({ pg_code, stage }) => [pg_code, stage])));
  const known = new Set((await decisions(payment)).map(({ reference_number }) => reference_number));
  assert.equal(known.size, tried.length, "each attempt has its decision");
});

test("the settings of routing are stored, and a wrong one is refused by its field", async () => {
  const { merchant_id } = await routed({ rules: [{ name: "split", gateways: [{ code: "stripe", percent: 100 }] }] });
  const { body } = await till.operator(`/merchants/${merchant_id}/`);
  assert.equal(body.settings.routing.rules[0].name, "split");
  const wrong = { ...body.settings, routing: { rules: [{ name: "split", gateways: [{ code: "stripe", percent: 99 }] }] } };
  const refused = await till.operator(`/merchants/${merchant_id}/settings/`, { method: "PUT", json: wrong });
  assert.match(assertProblem(refused, 400, "invalid_fields").routing.rules[0].gateways[0], /100 together/);
  const payment = await open(till, { pg_codes: ["knet", "simulated", "stripe"] });
  assert.deepEqual(await listed(payment), ["stripe", "knet"], "the settings before still apply");
});
