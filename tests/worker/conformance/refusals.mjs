/** The proofs that a gateway does not offer what it cannot do: the settings refuse it, and so does the API. */
import assert from "node:assert/strict";
import { assertProblem, attempts, eventually, inquireNow, standing } from "../payer.mjs";
import { apple, google } from "./adapters/gateway.mjs";

/** The settings refuse a gateway with these members; `field` is what they name. */
async function isNoSetting(world, members, field) {
  const [shop] = world.adapter.gateways(world.proxy.origin);
  const errors = assertProblem(await world.configure([{ ...shop, ...members }]), 400, "invalid_fields");
  assert.deepEqual(Object.keys(errors.gateways?.[0] ?? errors), [field], JSON.stringify(errors));
}

/** Money is not held, and what was taken can be neither captured nor voided. */
async function holdsNothing(world) {
  await isNoSetting(world, { operation: "authorize" }, "operation");
  const payment = await world.paid();
  for (const operation of ["capture", "void"]) assertProblem(await world.operate(payment, operation), 400, "operation_not_allowed");
}

/** The settings allow it, the connector cannot do it; the listing says so in another case. */
async function savesNoCards(world) {
  const saving = await world.create({ pg_codes: ["shop"], payment_type: "save_card", amount: "0", customer_id: "customer-1", webhook_url: `${world.url}/sandbox/inbox/none/` });
  assert.deepEqual(Object.keys(assertProblem(saving, 400, "invalid_fields")), ["pg_codes"]);
}

async function chargesNoCards(world) {
  const token = `card_${"0".repeat(32)}`;
  const byMerchant = await world.open({ customer_id: "customer-1" });
  assertProblem(await world.post("/b/pbl/v2/payment/auto-debit/", { session_id: byMerchant.session_id, token }), 400, "auto_debit_not_implemented");
  const byPayer = await world.open({ customer_id: "customer-1" });
  assertProblem(await world.post("/b/checkout/api/sdk/v1/submit-token/", { session_id: byPayer.session_id, token }), 400, "card_unknown");
  for (const payment of [byMerchant, byPayer]) assert.deepEqual(await attempts(world, payment), []);
}

const takesNot = (wallet, payload) => async (world) => {
  const [{ wallets }] = world.adapter.gateways(world.proxy.origin);
  await isNoSetting(world, { wallets: [...wallets, wallet.replace("-", "_")] }, "wallets");
  const payment = await world.open();
  const answer = await world.payByWallet(payment, wallet, payload);
  assertProblem(answer, 503, "wallet_not_configured");
  assert.deepEqual(await attempts(world, payment), []);
};

/** The payer is sent to the page without a request that charges, and an inquiry that is lost leaves the payment open until the next. */
const hasNoCharge = (fault) => async (world) => {
  const known = world.stub.requests.length;
  const payment = await world.sentTo("shop");
  if (!world.adapter.asksForPage) assert.equal(world.stub.requests.length, known, "a request went to the gateway");
  assert.deepEqual(world.stub.ledger(payment.reference).charges, [], "something was charged before the payer paid");
  world.proxy.once(fault);
  await world.comeBack(world.adapter.pay(world, payment));
  // The gateway is asked again at once, and may have said by now that it is paid.
  assert.ok(["unknown", "success"].includes((await standing(world, payment))[1]), "the answer was lost, and nothing failed");
  world.proxy.heal();
  // A question that is on its way is not asked twice at once.
  await eventually("paid", async () => {
    await inquireNow(world, payment);
    return (await standing(world, payment))[0] === "paid";
  });
  assert.deepEqual(await standing(world, payment), ["paid", "success"]);
};

/** A comparison lists nothing. */
async function hasNoList(world) {
  await world.paid();
  const from = new Date(Date.now() - 3_600_000).toISOString();
  const { status, body, text } = await world.operator("/reconciliations/", { method: "POST", json: { pg_code: "shop", from } });
  assert.deepEqual([status, body.running, body.failures, body.last?.charges], [200, false, 0, 0], text);
  assert.deepEqual(world.stub.refused(), []);
}

/** What the gateway reports opens no dispute, and it is asked for none. */
async function hasNoDisputes(world) {
  const payment = await world.paid();
  assert.equal((await world.callBack(payment)).status, 200);
  const disputed = (await world.attention()).filter(({ session_id, reason }) => session_id === payment.session_id && reason === "disputed");
  assert.deepEqual(disputed, []);
  assert.deepEqual(world.stub.requests.filter(({ path }) => path.includes("dispute")), []);
}

const PROOFS = {
  "timeout before the charge": hasNoCharge("silence before"),
  "timeout after the charge": hasNoCharge("silence after"),
  "capture in parts": holdsNothing,
  void: holdsNothing,
  "save a card": savesNoCards,
  "saved card, with the payer": chargesNoCards,
  "saved card, without the payer": chargesNoCards,
  "Apple Pay": takesNot("apple-pay", apple("made-up")),
  "Google Pay": takesNot("google-pay", google({ id: "made-up" })),
  reconciliation: hasNoList,
  dispute: hasNoDisputes,
};

export const notOffered = (world, name) => PROOFS[name](world);
