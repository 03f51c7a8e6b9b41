/**
 * The access matrix of the desk: every address with nobody, with a user who may do nothing, with one who has exactly the
 * permissions that are enough, with one who has every other one, and with the owner of another merchant. The addresses come from
 * the table in the core, so that a new one without a row fails by name.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { at } from "../../scripts/project.mjs";
import { OutboundResponse, start } from "./harness.mjs";
import { Visitor, formsOf, staff, textOf } from "./desk.mjs";
import { deskIds } from "./matrix/desk-ids.mjs";
import { DESK_ROWS } from "./matrix/desk-rows.mjs";

/** Method and pattern of every address, by its name. */
const ADDRESSES = new Map(
  [...readFileSync(at("core", "src", "desk", "route.rs"), "utf8").matchAll(/= (GET|POST)\s+"([^"]+)",\s+"(desk_\w+)"/g)].map(([, method, path, name]) => [name, { method, path }]),
);
/** The permissions that users can have. */
const PERMISSIONS = [...readFileSync(at("core", "src", "access", "permission.rs"), "utf8").matchAll(/\("([^"]+)", Permission::(?!ManageCards|AcknowledgeCash)/g)].map(([, name]) => name);

let till;
let own;
let foreign;
const visitors = {};
before(async () => {
  till = await start();
  till.outbound.on("POST", "https://desk.example.com/hook", () => new OutboundResponse("ok"));
  const other = await till.createMerchant();
  foreign = await deskIds(till, other);
  visitors.stranger = await staff(till, "stranger", undefined, other);
  const shop = await till.createMerchant();
  own = await deskIds(till, shop);
});
after(() => till?.stop());

let number = 0;
const user = (rights) => staff(till, `matrix-${(number += 1)}`, rights);

/** Sends the request of a row. */
async function send(row, visitor, has) {
  const { method } = ADDRESSES.get(row.name);
  if (method === "GET") return visitor.get(row.path(has));
  const [{ fields = [] } = {}] = formsOf(visitor.page).filter(({ action }) => action === "/sign-out/");
  return visitor.post(row.path(has), { ...Object.fromEntries(fields), ...row.fields(has) });
}

test("every address has a row, and no row is of another", () => {
  assert.ok(ADDRESSES.size >= 6 && PERMISSIONS.length >= 14);
  assert.deepEqual([...ADDRESSES.keys()].sort(), DESK_ROWS.map(({ name }) => name).sort());
  const shape = (path) => new RegExp(`^${path.replaceAll("{}", "[^/]+")}$`);
  for (const row of DESK_ROWS) assert.match(row.path(own).split("?")[0], shape(ADDRESSES.get(row.name).path), row.name);
});

for (const row of DESK_ROWS) {
  test(`${row.name}: ${Array.isArray(row.access) ? row.access.join(", ") : row.access}`, async () => {
    const nobody = await send(row, new Visitor(till), own);
    if (row.access === "anyone") return assert.equal(nobody.status, row.status, nobody.text);
    assert.deepEqual([nobody.status, nobody.location?.split("?")[0]], [303, "/sign-in/"]);

    if (row.access === "everything") {
      const refused = await send(row, await user({ permissions: PERMISSIONS }), own);
      assert.equal(refused.status, 403, textOf(refused.text).slice(0, 400));
      const enough = await send(row, await user({ is_superuser: true }), own);
      return assert.equal(enough.status, row.status, textOf(enough.text).slice(0, 400));
    }
    const needed = Array.isArray(row.access) ? row.access : [];
    const enough = await send(row, await user({ permissions: needed }), row.fresh ? await deskIds(till, till.merchant) : own);
    assert.equal(enough.status, row.status, textOf(enough.text).slice(0, 400));
    const others = PERMISSIONS.filter((name) => !needed.includes(name) && !row.instead?.includes(name));
    for (const permissions of needed.length > 0 ? [[], others] : []) {
      const refused = await send(row, await user({ permissions }), own);
      assert.equal(refused.status, 403, textOf(refused.text).slice(0, 400));
      assert.ok(needed.every((name) => textOf(refused.text).includes(name)), textOf(refused.text));
    }
    if (row.path(own) !== row.path(foreign)) {
      const unknown = await send(row, await user(), { ...foreign, ...row.unknown });
      assert.equal(unknown.status, 404, "what belongs to another merchant does not exist");
    }
  });
}
