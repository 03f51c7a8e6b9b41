/** The members that SDKs decode: that the check of every preload finds what would leave a payer without a checkout. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "../worker/harness.mjs";
import { goToTheBank, open, payWith } from "../worker/payer.mjs";
import { appleToken, payByWallet } from "../worker/wallets.mjs";
import { assertDecodable, faultsOfCallback, faultsOfPreload } from "./sdk-members.mjs";

const INIT = "/b/checkout/api/sdk/v1/pymt-txn/submit";

/** @type {import("../worker/harness.mjs").Till} */
let till;
before(async () => {
  till = await start();
  await till.createMerchant();
});
after(() => till.stop());

/** A card whose brand, number and name no one knows, as some gateways answer. */
async function deleteWhatIsKnown() {
  for (const column of ["brand", "number", "name_on_card"]) await till.rows(`UPDATE card SET ${column} = NULL`);
}

/** A payment under an agreement saves the card of a customer. */
async function saveCard(customer_id) {
  const agreement = { id: "wild", type: "other", amount_variability: "variable", start_date: "2026-01-01", expiry_date: "2036-01-01", frequency: "monthly", cycle_interval_days: 30, total_cycles: 10 };
  const payment = await open(till, { payment_type: "auto_debit", amount: "1.000", customer_id, agreement, pg_codes: ["credit-card"] });
  await payWith(till, await goToTheBank(till, payment, "credit-card"), "visa-approve");
}

test("a payer with a saved card of which nothing is known has every member that SDKs decode, in both lists", async () => {
  await saveCard("wild-1");
  await deleteWhatIsKnown();
  const created = await till.create({ pg_codes: ["credit-card"], customer_id: "wild-1", include_sdk_setup_preload: true });
  const [ofMerchant] = created.body.sdk_setup_preload_payload.cards;
  assert.deepEqual([ofMerchant.customer_id, ofMerchant.brand, ofMerchant.number, ofMerchant.name_on_card], ["wild-1", "", "", ""], created.text);
  const init = await till.call(`${INIT}/${created.body.session_id}/`);
  const [ofPayer] = init.body.cards;
  assert.deepEqual([ofPayer.customer_id, ofPayer.brand, ofPayer.number, ofPayer.name_on_card, ofPayer.agreements], ["", "", "", "", ["wild"]], init.text);
  assert.deepEqual([ofPayer.pg, ofPayer.pg_code, typeof ofPayer.pg_name], [ofMerchant.pg, "credit-card", "string"]);
  assert.ok(ofPayer.pg.length > 0);
  assert.deepEqual([faultsOfPreload(init.body), init.body.response], [[], {}]);
});

test("whatever is missing, null or of another type is found, in any part of a preload", async () => {
  const created = await till.create({ amount: "10.000", pg_codes: ["credit-card", "knet"], customer_id: "wild-1", include_sdk_setup_preload: true });
  const preload = created.body.sdk_setup_preload_payload;
  assert.ok(preload.cards.length > 0 && preload.payment_methods.length > 0 && preload.payment_services.length === 2, created.text);
  assert.deepEqual(faultsOfPreload(preload), []);
  const parts = { root: (copy) => copy, card: (copy) => copy.cards[0], method: (copy) => copy.payment_methods[0], service: (copy) => copy.payment_services[0] };
  const needless = ["auto_debit_enabled", "card_brands", "customer_phone", "domain_association", "is_sandbox", "language", "mark", "operation", "payment_type", "pg_code", "redirect_url", "session_id", "checkout_url", "customer_id"];
  let checked = 0;
  for (const [part, of] of Object.entries(parts)) {
    for (const name of Object.keys(of(preload)).filter((known) => !needless.includes(known))) {
      for (const value of [undefined, null, 7]) {
        const copy = structuredClone(preload);
        of(copy)[name] = value;
        assert.notDeepEqual(faultsOfPreload(copy), [], `${part}.${name} = ${value}`);
        checked += 1;
      }
    }
  }
  assert.ok(checked > 100, `${checked}`);
  assert.throws(() => assertDecodable(`${INIT}/x/`, { status: 200, text: "{}" }), /do not decode/);
});

test("an outcome that nobody knows is said in a word that SDKs know, with the truth next to it", async () => {
  const payment = await open(till, { pg_codes: ["credit-card"], amount: "10.000" });
  const path = "/b/checkout/api/sdk/v1/apay/pay/";
  const amount = (await till.call(`${INIT}/${payment.session_id}/`)).body.payment_services.find(({ flow }) => flow === "apple_pay").amount;
  const body = `{"session_id":"${payment.session_id}","code":"credit-card","amount":"${amount}","apple_pay_payload":${appleToken("visa-timeout")}}`;
  const answer = await till.call(path, { method: "POST", headers: { "content-type": "application/json" }, body });
  const { callback_payload } = answer.body;
  assert.deepEqual([callback_payload.status, callback_payload.result, callback_payload.method], ["3DS", "pending", "redirect"], answer.text);
  assert.deepEqual(faultsOfCallback(callback_payload), []);
  assert.deepEqual(faultsOfCallback({ ...callback_payload, status: "pending" }).length, 1);
  const repeated = await payByWallet(till, payment);
  assert.equal(repeated.body.code, "attempt_in_progress");
});
