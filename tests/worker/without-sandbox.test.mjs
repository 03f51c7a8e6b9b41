/**
 * A Worker that is built without the sandbox (`node scripts/build.mjs without-sandbox`): it says so, takes no
 * settings that name the simulated bank, and sends that bank nothing.
 */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import { workerFiles } from "../../scripts/project.mjs";
import { OutsideBank } from "./bank.mjs";
import { demoSettings, start } from "./harness.mjs";
import { assertProblem, attempts, choose, openPage } from "./payer.mjs";

const BUILD = "build-without-sandbox";
const skip = existsSync(workerFiles(BUILD).script) ? false : "the Worker is not built without the sandbox";

describe("a Worker without the sandbox", { skip }, () => {
  /** @type {import("./harness.mjs").Till} */
  let till;
  /** @type {OutsideBank} */
  let bank;

  before(async () => {
    till = await start({ build: BUILD });
    bank = new OutsideBank(till);
    await till.createMerchant(bank.settings());
  });
  after(() => till.stop());

  /** A payer who chose the gateway `bank`. */
  async function pay() {
    const { body, status, text } = await till.create({ pg_codes: ["bank"] });
    assert.equal(status, 201, text);
    await openPage(till, body);
    await choose(till, body, "bank", { accept: "application/json" });
    return body;
  }

  it("says that it has none", async () => {
    assert.equal((await till.call("/healthz")).body.sandbox, false);
  });

  it("has no page of the simulated world", async () => {
    for (const path of ["/sandbox/shop/", "/sandbox/inbox/one/", "/sandbox/bank/pay/ch_0/"]) {
      assertProblem(await till.call(path), 404, "not_found");
    }
  });

  it("refuses settings that name the simulated bank, and says what is allowed", async () => {
    const settings = demoSettings();
    const answer = await till.operator("/merchants/", { method: "POST", json: { merchant_id: "simulated", settings } });
    const { gateways } = assertProblem(answer, 400, "invalid_fields").settings;
    const simulated = settings.gateways.flatMap(({ connector }, place) => (connector === "sandbox" ? [String(place)] : []));
    assert.deepEqual(Object.keys(gateways), simulated);
    for (const { endpoint, ...others } of Object.values(gateways)) {
      assert.match(endpoint[0], /^must be the address of a bank/);
      assert.deepEqual(others, {});
    }
  });

  it("refuses settings that name a connector that is left out", async () => {
    const settings = demoSettings();
    const credentials = { tranportal_id: "900100200", password: "Exm9pl", resource_key: "Q7w2Er9TyU4iOp1Z" };
    settings.gateways = [{ ...settings.gateways[0], connector: "knet", currencies: ["KWD"], fees: [], wallets: [], credentials }];
    const answer = await till.operator("/merchants/", { method: "POST", json: { merchant_id: "left-out", settings } });
    const { gateways } = assertProblem(answer, 400, "invalid_fields").settings;
    assert.deepEqual(Object.keys(gateways[0]), ["connector"]);
    assert.match(gateways[0].connector[0], /without this connector/);
  });

  it("lets no webhook go to an inbox", async () => {
    const answer = await till.create({ pg_codes: ["bank"], webhook_url: `${till.url}/sandbox/inbox/one/` });
    const errors = assertProblem(answer, 400, "invalid_fields");
    assert.deepEqual(Object.values(errors).flat(), ["must not be an address of this service"]);
  });

  it("pays through a bank elsewhere", async () => {
    const [{ reference }] = await attempts(till, await pay());
    assert.equal(bank.opened(reference), 1);
    await till.scheduled();
  });

  it("sends nothing to the simulated bank of a merchant that was made before", async () => {
    const gateway = "json_remove(document, '$.gateways[0].endpoint')";
    await till.rows(`UPDATE merchant SET document = ${gateway}, version = version + 1 WHERE id = ?1`, till.merchant.merchant_id);
    const sent = till.outbound.sent.length;
    const [{ stage }] = await attempts(till, await pay());
    assert.deepEqual([stage, till.outbound.sent.length], ["error", sent]);
  });
});
