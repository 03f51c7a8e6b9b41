/** A published client of Tamara, which is not Tamara's own, against our stub of it: what it sends is taken, and what it reads is what happened. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { CLIENTS, reasonToSkip } from "../../../scripts/foreign/clients.mjs";
import { KEY, TamaraStub } from "../../worker/tamara-stub.mjs";
import { python } from "./python.mjs";

const stub = new TamaraStub();
before(() => stub.listen());
after(() => stub.close());

test("the client of PyPI opens sessions, authorises, captures, refunds and cancels, and its books are those of the stub", { skip: reasonToSkip(CLIENTS.tamara.pypi) }, async () => {
  const { ids, ...opened } = await python("tamara", "tamara_client.py", stub.origin, KEY, "open");
  assert.deepEqual(opened, { statuses: ["new", "new"], types: ["PAY_BY_INSTALMENTS"], odd: "refused" });
  for (const reference of ["PYTHON-TAMARA", "PYTHON-TAMARA-VOID"]) stub.pay(reference);
  const read = await python("tamara", "tamara_client.py", stub.origin, KEY, "after", ...ids);
  assert.deepEqual(read, {
    paid: ["approved", true, { amount: 250, currency: "SAR" }], steps: ["authorised", "partially_captured", "partially_refunded", "canceled"], left: { amount: 40, currency: "SAR" },
  });
  assert.deepEqual(stub.ledger("PYTHON-TAMARA"), { charges: [25_000], captured: 10_000, refunded: 4_000, voided: 0 });
  assert.deepEqual(stub.ledger("PYTHON-TAMARA-VOID"), { charges: [25_000], captured: 0, refunded: 0, voided: 25_000 });
});
