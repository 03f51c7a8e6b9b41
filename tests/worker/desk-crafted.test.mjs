/**
 * Twelve people of another merchant, each made to look like one of the shop's or to be allowed as much as can be, go to every address
 * of the desk with everything that is known of the shop. None of them sees a word of it, and nothing of it changes.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { at } from "../../scripts/project.mjs";
import { formsOf, makeUser, staff, textOf } from "./desk.mjs";
import { OutboundResponse, start } from "./harness.mjs";
import { deskIds } from "./matrix/desk-ids.mjs";
import { DESK_ROWS } from "./matrix/desk-rows.mjs";
import { atTheBank, attempts, eventually, payWith } from "./payer.mjs";

const PERMISSIONS = [...readFileSync(at("core", "src", "access", "permission.rs"), "utf8").matchAll(/\("([^"]+)", Permission::(?!ManageCards|AcknowledgeCash)/g)].map(([, name]) => name);

/** The people, by the names that they have before the `@`. */
const PEOPLE = {
  viewer: { role: "viewer" },
  cashier: { role: "cashier" },
  support: { role: "support" },
  finance: { role: "finance" },
  developer: { role: "developer" },
  owner: { role: "owner" },
  superuser: { is_superuser: true },
  everything: { permissions: PERMISSIONS },
  approver: { permissions: ["Can approve", "Can view e-commerce payments", "Can view payment requests"] },
  exporter: { permissions: ["Can export payments", "Can see personal data", "Can view e-commerce payments", "Can view payment requests"] },
  Boss: { is_superuser: true },
  nothing: { permissions: [] },
};
/** What only the shop has. */
const SECRETS = { order_no: "WALL/7001", customer_email: "wall.flower@shop.example", customer_phone: "5099 8877", customer_id: "wall-customer", customer_first_name: "Wallflower", amount: "73.731" };

let till, shop, other, ids, payment, reference, marks;

before(async () => {
  till = await start();
  till.outbound.on("POST", "https://desk.example.com/hook", () => new OutboundResponse("ok"));
  shop = await till.createMerchant();
  await makeUser(till, "boss", { is_superuser: true }, shop);
  payment = await atTheBank(till, { pg_code: "credit-card", ...SECRETS });
  await payWith(till, payment.page, "visa-approve");
  [{ reference }] = await attempts(till, payment);
  ids = await deskIds(till, shop);
  await eventually("what its payments cause has arrived", async () => (await till.rows("SELECT id FROM delivery WHERE state = 'due'")).length === 0);
  marks = [SECRETS.order_no, SECRETS.customer_email, "50998877", SECRETS.customer_first_name, SECRETS.amount, reference];
  other = await till.createMerchant();
  await till.create({ order_no: "OWN/1", customer_id: SECRETS.customer_id });
});
after(() => till?.stop());

/** Every row of a table that belongs to the shop, but when its people were seen. */
async function stored() {
  const all = {};
  for (const { name } of await till.rows("SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%merchant_id TEXT%'")) {
    all[name] = await till.rows(`SELECT * FROM ${name} WHERE merchant_id = ?1`, shop.merchant_id);
  }
  return all;
}

/** What is asked of the lists: everything that is known of the payment. */
const searches = () =>
  [payment.session_id, reference, SECRETS.order_no, SECRETS.customer_email, SECRETS.customer_phone, `${SECRETS.amount} KWD`].map((search) => ["/payments/", { search }])
    .concat([
      ["/payments/", { order_no: SECRETS.order_no }], ["/payments/", { merchant_id: shop.merchant_id }], ["/customers/", { customer_id: SECRETS.customer_id }],
      ["/approvals/", { session_id: payment.session_id }],
    ]);

/** Whether the page says something of the shop; what was asked for is repeated. */
function silent(html, where, asked = "") {
  const shown = textOf(html).replaceAll(asked, "");
  for (const mark of marks) assert.ok(!shown.includes(mark), `${where} shows ${mark}: ${shown.slice(0, 300)}`);
}

for (const [name, rights] of Object.entries(PEOPLE)) {
  test(`${name} of another merchant sees and changes nothing`, async () => {
    const before = await stored();
    assert.ok(before.txn.length >= 2 && before.approval.length === 1, "there is something to see");
    const visitor = await staff(till, name, rights, other);
    for (const [path, query] of searches()) silent((await visitor.get(`${path}?${new URLSearchParams(query)}`)).text, `${name} ${path} ${JSON.stringify(query)}`, Object.values(query)[0]);
    for (const reached of [ids, { ...ids, session_id: payment.session_id }]) {
      for (const row of DESK_ROWS.filter(({ name: of }) => !["desk_sign_out", "desk_sign_in"].includes(of))) {
        await visitor.get("/");
        const [{ fields: token = [] } = {}] = formsOf(visitor.page).filter(({ action }) => action === "/sign-out/");
        const answer = row.fields ? await visitor.post(row.path(reached), { ...Object.fromEntries(token), ...row.fields(reached) }) : await visitor.get(row.path(reached));
        silent(answer.text, `${name} ${row.name}`);
        if (row.path(reached) !== row.path({}) && row.name !== "desk_style") assert.ok([403, 404].includes(answer.status), `${name} ${row.name} ${answer.status}`);
      }
    }
    assert.deepEqual(await stored(), before);
  });
}
