/**
 * `make dev GATEWAY=…`: a person pays in Chromium at a counterparty that we did not write, and everything ends with the
 * script.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { reasonToSkip } from "../../scripts/counterparty/programs.mjs";
import { programs } from "../../scripts/processes.mjs";
import { ENV, at } from "../../scripts/project.mjs";
import { freePort } from "../worker/runtime.mjs";
import { alive, close, launch, open } from "./browser.mjs";

let browser;
const folders = [];
/** How each start of the test ends. */
const ends = [];
before(async () => {
  browser = await launch();
});
// Also those of a test that failed: wrangler has a group of its own.
afterEach(() => Promise.all(ends.splice(0).map((end) => end())));
after(async () => {
  await browser.close();
  for (const path of folders) rmSync(path, { recursive: true, force: true });
});

/** Starts `make dev` with a gateway, and waits for its page. */
async function dev(GATEWAY, state = mkdtempSync(join(tmpdir(), "till-dev-"))) {
  folders.push(state);
  const env = { ...ENV, GATEWAY, PORT: String(await freePort()), TILL_STATE: state };
  const child = spawn(process.execPath, [at("scripts", "dev.mjs")], { env, stdio: ["ignore", "pipe", "pipe"] });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (part) => (text += part));
  const ended = once(child, "close").then(([code]) => code);
  const end = () => (child.kill("SIGINT"), ended);
  ends.push(end);
  for (const until = Date.now() + 90_000; Date.now() < until && child.exitCode === null && !text.includes("A payable page:"); ) await sleep(100);
  const page = /A payable page: +(\S+)/.exec(text)?.[1];
  assert.ok(page, text);
  const demo = JSON.parse(readFileSync(join(state, `demo-${GATEWAY}.json`), "utf8"));
  const stateNow = async () => {
    const address = `${demo.base_url}/b/checkout/v1/pymt-txn/${/session_id=(\w+)/.exec(page)[1]}/`;
    return (await (await fetch(address, { headers: { authorization: `Api-Key ${demo.private_key}` } })).json()).state;
  };
  return { child, page, state, demo, text: () => text, stateNow, end, ended };
}

/** The counterparty of a start: its child whose command line has the mark. */
const counterpartyOf = ({ child }, mark) => programs().find(({ parent, command }) => parent === child.pid && command.includes(mark))?.pid;

for (const [name, choice, mark] of [["stripe", /4242/, "loopback.py localstripe"], ["adyen", /approved/, "prism-cli"]]) {
  const skip = reasonToSkip(name);
  test(`a person pays at the counterparty of ${name}, again after a second start; it ends with the script, and the script with it`, { skip }, async () => {
    const first = await dev(name);
    await pay(first, choice);
    const ended = counterpartyOf(first, mark);
    assert.ok(ended, "it is a program of its own");
    assert.equal(await first.end(), 0);
    assert.ok(!programs().some(({ pid }) => pid === ended));

    const second = await dev(name, first.state);
    assert.equal(second.demo.merchant_id, first.demo.merchant_id);
    await pay(second, choice);
    process.kill(counterpartyOf(second, mark), "SIGKILL");
    assert.equal(await second.ended, 1, second.text());
    assert.match(second.text(), new RegExp(`the counterparty of ${name} has ended`));
  });
}

async function pay(started, choice) {
  const page = await open(browser);
  await page.goto(started.page);
  await alive(page);
  await page.locator("#methods").getByText(/^Card at /).click();
  await page.getByRole("button", { name: /^Continue to Card at / }).click();
  await page.getByRole("button", { name: choice }).click();
  await page.waitForURL(/\/sandbox\/shop\//);
  for (const until = Date.now() + 15_000; Date.now() < until && (await started.stateNow()) !== "paid"; ) await sleep(200);
  assert.equal(await started.stateNow(), "paid", started.text());
  await close(page);
}

for (const [name, words] of [["knet", /nobody else has written a server for KNET.*stripe or adyen.*sandbox/], ["mpgs", /Mastercard Gateway.*sandbox/], ["nope", /there is no gateway nope/]]) {
  test(`make dev GATEWAY=${name} says at once that there is no counterparty`, async () => {
    const child = spawn(process.execPath, [at("scripts", "dev.mjs")], { env: { ...ENV, GATEWAY: name }, stdio: ["ignore", "ignore", "pipe"] });
    let text = "";
    child.stderr.setEncoding("utf8").on("data", (part) => (text += part));
    assert.deepEqual(await once(child, "close"), [1, null]);
    assert.match(text, words);
  });
}
