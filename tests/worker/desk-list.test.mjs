/** At the desk: the list of payments has refunds under their payments and the columns that its address names, and who payers are is shown with an entry in the audit. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { staff, textOf } from "./desk.mjs";
import { start } from "./harness.mjs";
import { atTheBank, payWith } from "./payer.mjs";

let till, owner, payment;
before(async () => {
  till = await start();
  await till.createMerchant();
  owner = await staff(till, "owner");
  payment = await atTheBank(till, { pg_code: "credit-card", amount: "12.500", order_no: "R-1", customer_first_name: "Zubaida" });
  await payWith(till, payment.page, "visa-approve");
  for (const [amount, reason] of [["2.500", "goods_returned"], ["1.250", "duplicate"]]) {
    const answer = await till.call("/b/pbl/v2/operation/", { method: "POST", headers: till.privateKey(), json: { session_id: payment.session_id, operation: "refund", amount, reason } });
    assert.equal(answer.status, 200, answer.text);
  }
  await till.create({ order_no: "R-2" });
});
after(() => till?.stop());

/** The rows of the list, each the texts of its cells. */
const rowsOf = (html) => [...html.matchAll(/<tr[^>]*>(<td.*?)<\/tr>/gs)].map(([, cells]) => [...cells.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell]) => textOf(cell).trim()));
const headings = (html) => [...html.matchAll(/<th scope="col">([^<]+)<\/th>/g)].map(([, name]) => name);

test("each refund is a row under its payment, with a negative amount and its state", async () => {
  const { text } = await owner.get("/payments/");
  const rows = rowsOf(text);
  assert.deepEqual(rows.map(([first, state, amount]) => [first.startsWith("↳ Refund · "), state, amount.replaceAll(/\s/g, " ").replace("\u200e", "")]), [
    [false, "Created", rows[0][2].replaceAll(/\s/g, " ")],
    [false, "Paid", "KWD 12.500"],
    [true, "Done", "−KWD 2.500"],
    [true, "Done", "−KWD 1.250"],
  ]);
});

test("the address names the columns, which the pages of the list and the way back go on with", async () => {
  const { text } = await owner.get("/payments/?order_no=R-1&column=method&column=reference&column=amount");
  assert.deepEqual(headings(text), ["Created", "Amount", "Method", "Reference"]);
  const [{ reference }] = await till.rows("SELECT reference FROM attempt WHERE session_id = ?1", payment.session_id);
  const [first] = rowsOf(text);
  assert.match(first[2], /Credit card \*{4} \d{4}/);
  assert.equal(first[3], reference);
  const checked = [...text.matchAll(/name="column" value="(\w+)" checked/g)].map(([, name]) => name);
  assert.deepEqual(checked, ["amount", "method", "reference"]);
  const link = /id="list-link"[^>]*value="([^"]+)"/.exec(text)[1].replaceAll("&amp;", "&");
  assert.deepEqual(headings((await owner.get(new URL(link).pathname + new URL(link).search)).text), headings(text));
  const back = /<a href="\/payments\/[0-9a-f]+\/\?([^"]+)"/.exec(text)[1];
  assert.equal(new URLSearchParams(back).get("list"), "order_no=R-1&column=method&column=reference&column=amount");
  // No filter, and no column that is not there.
  assert.deepEqual(headings((await owner.get("/payments/?column=colour")).text), ["Created", "State", "Amount", "Order number", "Payer"]);
  assert.ok(!textOf(text).includes("column:"));
});

test("the table of a list has all columns", async () => {
  await owner.get("/payments/?order_no=R-1&column=state");
  const answer = await owner.submit("/payments/export/");
  assert.equal(answer.status, 200, textOf(answer.text));
  assert.equal(answer.text.split("\r\n").length, 5, "head, payment, two refunds, end");
  assert.match(answer.text, /refund,.*,-2\.500,.*goods_returned/);
});

test("that who payers are is shown is recorded once an hour for each user and page, and for nobody who does not see it", async () => {
  const merchant = await till.createMerchant();
  const { session_id } = (await till.create({ customer_first_name: "Zubaida" })).body;
  const [seeing, clerk] = [await staff(till, "seeing", { permissions: ["Can view e-commerce payments", "Can view payment requests", "Can see personal data"] }, merchant), await staff(till, "clerk", { permissions: ["Can view e-commerce payments", "Can view payment requests"] }, merchant)];
  const pages = [`/payments/${session_id}/`, "/payments/", "/payments/?state=created", `/payments/${session_id}/`, "/totals/"];
  for (const visitor of [seeing, clerk]) for (const page of pages) assert.equal((await visitor.get(page)).status, 200, page);
  const shown = async () => (await till.call("/b/access/v1/audit/?limit=50", { headers: till.privateKey(merchant) })).body.results.filter(({ action }) => action === "show_personal_data").map(({ actor, subject }) => `${actor.name} ${subject}`).sort();
  const name = seeing.user.username;
  assert.deepEqual(await shown(), [`${name} /`, `${name} /payments/`, `${name} /payments/${session_id}/`]);
  const editor = await staff(till, "editor", { permissions: ["Can view e-commerce payments", "Can change e-commerce payments", "Can see personal data"] }, merchant);
  const { text } = await editor.get(`/payments/${session_id}/edit/`);
  assert.match(text, /Zubaida/);
  assert.ok((await shown()).includes(`${editor.user.username} /payments/${session_id}/edit/`));
});
