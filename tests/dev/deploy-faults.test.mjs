/** `make deploy` with a fault at each of its steps, and ended at each: what it says, and that the next run goes on. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { OPERATOR_TOKEN, SEAL_KEY, start } from "../worker/harness.mjs";
import { Account, PUBLIC_URL, assertComplete, linkOf } from "./account.mjs";

let till;
before(async () => {
  till = await start({ bindings: { PUBLIC_URL } });
});
after(() => till?.stop());
let merchants = 0;
const here = () => ({ CHECK_AT: till.url, MERCHANT: `shop-${++merchants}` });

const STEPS = [
  "whoami", "secret list", "d1 list", "d1 create", "kv namespace list", "kv namespace create", "queues info till-doorbells", "queues create till-due",
  "queues create till-dead", "secret bulk", "d1 migrations apply", "deploy",
];

const FAULTS = [["quota", /plan does not allow more/], ["network", /could not be reached/], ["logged-out", /npx wrangler login/], ["server", /Internal error \[code: 10001\]/]];

for (const [place, step] of STEPS.entries()) {
  test(`a fault at ${step} is said, what is killed there goes on, and the run after it ends well`, async () => {
    const [how, said] = FAULTS[place % FAULTS.length];
    const account = new Account();
    account.know();
    const env = here();
    account.write("fault.json", { at: step, how });
    const failed = await account.deploy(env);
    assert.equal(failed.code, 1, failed.printed);
    assert.match(failed.printed, said);
    assert.match(failed.printed, /Run make deploy again: it goes on where it stopped\./);
    assert.ok(!failed.printed.includes(SEAL_KEY) && !failed.printed.includes(OPERATOR_TOKEN));
    assert.equal(linkOf(failed), undefined);
    account.write("fault.json", { at: step, how: "kill", after: true });
    assert.equal((await account.deploy(env)).code, "SIGKILL");
    const next = await account.deploy(env);
    assert.equal(next.code, 0, next.printed);
    assertComplete(account);
    assert.ok(linkOf(next));
  });
}

test("what was made although it seemed to fail is not made again", async () => {
  for (const step of ["d1 create", "kv namespace create", "queues create till-doorbells"]) {
    const account = new Account();
    account.know();
    account.write("fault.json", { at: step, how: "network", after: true });
    const done = await account.deploy(here());
    assert.equal(done.code, 0, done.printed);
    assertComplete(account);
  }
});
