/** A Worker whose merchant is paid at a bank outside, for the tests of what that bank may do. */
import { after, before, beforeEach } from "node:test";
import { OutsideBank } from "./bank.mjs";
import { start } from "./harness.mjs";
import { attempts, choose, open } from "./payer.mjs";

/** @type {import("./harness.mjs").Till} */
export let till;
/** @type {OutsideBank} */
export let bank;

/** Starts both for the tests of a file; before each the bank does again what is usual. */
export function startForTests() {
  before(async () => {
    till = await start();
    bank = new OutsideBank(till);
    await till.createMerchant(bank.settings());
  });
  beforeEach(() => {
    bank.instead = {};
  });
  after(() => till.stop());
}

export const JSON_ONLY = { accept: "application/json" };

/** A payer who chose the bank; `sent` is what Till answered. */
export async function chosen({ pg_code = "bank", ...fields } = {}) {
  const payment = await open(till, { pg_codes: [pg_code, "cash"], ...fields });
  const sent = await choose(till, payment, pg_code, JSON_ONLY);
  const [{ reference }] = await attempts(till, payment);
  return { ...payment, reference, sent };
}

/** Makes the attempt so old that no request of it can still be in progress. */
export const age = ({ reference }) => till.rows("UPDATE attempt SET opened_at = opened_at - 120000 WHERE reference = ?1", reference);

export const attention = async ({ session_id }) =>
  (await till.operator("/attention/")).body.filter((entry) => entry.session_id === session_id).map(({ reason }) => reason);
