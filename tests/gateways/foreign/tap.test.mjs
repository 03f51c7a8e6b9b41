/** A published client of Tap, which is not Tap's own, against our stub of it: what it sends is taken, and what it reads is what happened. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { CLIENTS, reasonToSkip } from "../../../scripts/foreign/clients.mjs";
import { KEY, TapStub } from "../../worker/tap-stub.mjs";
import { python } from "./python.mjs";

const stub = new TapStub();
before(() => stub.listen());
after(() => stub.close());

test("the client of PyPI opens pages, captures a part, releases and refunds, and its books are those of the stub", { skip: reasonToSkip(CLIENTS.tap.pypi) }, async () => {
  const { ids, ...opened } = await python("tap", "tap.py", stub.origin, KEY, "open");
  assert.deepEqual(opened, { statuses: ["INITIATED", "INITIATED", "INITIATED"], has_pages: true, odd: "ServerError" });
  for (const reference of ["PYTHON-TAP", "PYTHON-TAP-HELD", "PYTHON-TAP-VOID"]) stub.pay(reference);
  const read = await python("tap", "tap.py", stub.origin, KEY, "after", ...ids);
  assert.deepEqual(read, { charge: ["CAPTURED", 10.25, "PYTHON-TAP"], held: "AUTHORIZED", capture: ["CAPTURED", 2.5], released: "VOID", refund: "REFUNDED" });
  assert.deepEqual(stub.ledger("PYTHON-TAP"), { charges: [10_250], captured: 10_250, refunded: 4_000, voided: 0 });
  assert.deepEqual(stub.ledger("PYTHON-TAP-VOID"), { charges: [4_000], captured: 0, refunded: 0, voided: 4_000 });
});
