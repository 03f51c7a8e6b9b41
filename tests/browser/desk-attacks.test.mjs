/** The desk attacked from another site, in Chromium: whatever a page of someone else sends to it does nothing, and shows nothing. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import { at } from "../../scripts/project.mjs";
import { makeUser } from "../worker/desk.mjs";
import { OutboundResponse } from "../worker/harness.mjs";
import { deskIds } from "../worker/matrix/desk-ids.mjs";
import { DESK_ROWS } from "../worker/matrix/desk-rows.mjs";
import { deskOf } from "../worker/options.mjs";
import { eventually } from "../worker/payer.mjs";
import { browser, stand, till } from "./browser.mjs";
import { signedIn } from "./desk.mjs";
import { site } from "./shop.mjs";

let owner, ids, evil, page;
stand(async () => {
  till.outbound.on("POST", "https://desk.example.com/hook", () => new OutboundResponse("ok"));
  await till.createMerchant();
  owner = await makeUser(till, "owner");
  ids = await deskIds(till, till.merchant);
  await eventually("what its payments cause has arrived", async () => (await till.rows("SELECT id FROM delivery WHERE state = 'due'")).length === 0);
  // A page of another site, that sends the form of its address at once.
  evil = await site((query) => {
    const fields = JSON.parse(query.get("fields") ?? "{}");
    const inputs = Object.entries(fields).flatMap(([name, value]) => [value].flat().map((one) => `<input name="${name}" value="${one}">`));
    return `<!doctype html><form method="post" action="${query.get("action")}" target="${query.get("target") ?? "_self"}">${inputs.join("")}</form>${query.has("frame") ? `<iframe name="in" src="${query.get("frame")}"></iframe>` : ""}<script>if (${query.has("action")}) document.forms[0].submit();</script>`;
  });
  page = await signedIn(browser, till, owner, { locale: "en" });
});
after(() => evil?.server.close());

const rows = (table) => till.rows(`SELECT * FROM ${table}`);
/** Everything that a form of the desk could change. */
async function state() {
  const all = {};
  for (const { name } of await till.rows("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '_cf_%' AND name NOT LIKE 'd1_%'")) all[name] = await rows(name);
  for (const session of all.desk_session) delete session.seen_at;
  return all;
}

// The host of the desk and that of the payers are one site with other ports in the eyes of a cookie: 127.0.0.1 is another site than localhost.
for (const row of DESK_ROWS.filter(({ fields }) => fields)) {
  test(`${row.name}: a form from another site changes nothing, in a window and in a frame`, async () => {
    const before = await state();
    const action = deskOf(till.url) + row.path(ids);
    const [, token] = /name="form_token" value="([^"]+)"/.exec(await page.content());
    for (const fields of [row.fields(ids), { ...row.fields(ids), form_token: token }]) {
      for (const target of ["_self", "in"]) {
        const attack = await page.context().newPage();
        const answered = attack.waitForResponse((response) => response.url() === action && response.request().method() === "POST");
        const query = new URLSearchParams({ action, fields: JSON.stringify(fields), target, ...(target === "in" ? { frame: "about:blank" } : {}) });
        await attack.goto(`${evil.origin}/?${query}`);
        const answer = await answered;
        assert.equal(answer.status(), 403, `${row.name} ${target}`);
        assert.equal((await answer.request().allHeaders()).cookie, undefined, "the cookie does not go along");
        await attack.close();
      }
    }
    assert.deepEqual(await state(), before);
  });
}

test("a page of another site frames no screen and reads none", async () => {
  const attack = await page.context().newPage();
  await attack.goto(`${evil.origin}/?frame=${encodeURIComponent(`${deskOf(till.url)}/`)}`);
  const frame = attack.frames().find((one) => one !== attack.mainFrame());
  await attack.waitForTimeout(500);
  assert.doesNotMatch(await frame.content().catch(() => ""), /form_token|Sign in/);
  const read = await attack.evaluate((url) => fetch(url, { credentials: "include" }).then((answer) => answer.text(), (error) => `refused: ${error.name}`), `${deskOf(till.url)}/payments/`);
  assert.equal(read, "refused: TypeError");
  const opened = await attack.evaluate(async (url) => {
    const other = globalThis.open(url);
    await new Promise((resolve) => setTimeout(resolve, 500));
    try { return other?.document?.body?.innerHTML ?? "nothing"; } catch (error) { return error.name; }
  }, `${deskOf(till.url)}/payments/`);
  assert.ok(["nothing", "SecurityError"].includes(opened), opened);
  await attack.close();
});

test("a link from another site asks to sign in, and who reloads is in", async () => {
  const visit = await page.context().newPage();
  await visit.goto(evil.origin);
  await visit.evaluate((url) => { globalThis.location.href = url; }, `${deskOf(till.url)}/payments/`);
  await visit.waitForURL(/\/sign-in\//);
  await visit.goto(`${deskOf(till.url)}/payments/`);
  assert.equal(await visit.innerText("h1"), "Payments");
  await visit.close();
});

test("no word of a script that a shop or payer writes runs, and a screen may run that of the desk alone", async () => {
  const policies = readFileSync(at("edge-worker", "src", "desk", "policy.rs"), "utf8");
  assert.match(policies, /default-src 'none'/);
  await till.create({ customer_first_name: "<img src=x onerror=document.title='run'>", order_no: "A<script>" });
  const response = await page.goto(`${deskOf(till.url)}/payments/`);
  const policy = response.headers()["content-security-policy"];
  assert.match(policy, /default-src 'none'/);
  const { desk } = JSON.parse(readFileSync(at("www", "pkg", "manifest.json"), "utf8"));
  assert.equal(/script-src ([^;]*)/.exec(policy)[1], `'${desk.integrity}'`);
  assert.doesNotMatch(policy, /unsafe/);
  assert.deepEqual(await page.evaluate(() => [...document.scripts].map((script) => new URL(script.src).pathname)), [desk.path]);
  assert.match(await page.innerText("main"), /<img src=x/);
  assert.notEqual(await page.title(), "run");
});
