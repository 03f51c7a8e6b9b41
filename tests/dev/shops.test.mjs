/** The shops of README.md: each is saved as the page says, run by its language, and a payer buys there and pays. */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { bundleCheckout } from "../../scripts/bundle.mjs";
import { blocksOf } from "../../scripts/docs/blocks.mjs";
import { at } from "../../scripts/project.mjs";
import { start } from "../worker/harness.mjs";
import { payWith } from "../worker/payer.mjs";
import { freePort } from "../worker/runtime.mjs";

const readme = readFileSync(at("README.md"), "utf8");
const shops = blocksOf("README.md", readme).filter(({ mode }) => mode === "file");
/** What the page says to call, as a program and its arguments. */
const callOf = (file) => new RegExp(`\`((?:node|python3|php) [^\`]*${file.replace(".", "\\.")})\``).exec(readme)[1].split(" ");
const isThere = (program) => spawnSync(program, ["--version"], { stdio: "ignore" }).error === undefined;

let till;
before(async () => {
  till = await start({ alone: true, sockets: true });
});
after(() => till.end());

/** Opens the shop's address until it listens. */
async function open(address) {
  for (const until = Date.now() + 20_000; ; await sleep(50)) {
    const answer = await fetch(address, { redirect: "manual" }).catch(() => undefined);
    if (answer || Date.now() > until) return answer;
  }
}

test("there is a shop in each of the languages", () => assert.deepEqual(shops.map(({ language }) => language), ["js", "python", "php"]));

test("the program of clients/checkout/README.md takes a payment", { timeout: 60_000 }, async () => {
  const name = "clients/checkout/README.md";
  const [{ text }] = blocksOf(name, readFileSync(at(name), "utf8")).filter(({ language }) => language === "js");
  const folder = mkdtempSync(join(tmpdir(), "till-page-"));
  try {
    writeFileSync(join(folder, "page.mjs"), text.replace("https://pay.example.com", till.url));
    writeFileSync(join(folder, "bundle.mjs"), await bundleCheckout(join(folder, "page.mjs")));
    await till.createMerchant();
    const { body } = await till.create();
    const shown = [];
    const assign = (url) => payWith(till, url, "visa-approve");
    Object.assign(globalThis, { sessionId: body.session_id, signal: undefined, show: (state) => shown.push(state), location: { assign } });
    await import(join(folder, "bundle.mjs"));
    assert.equal(shown.at(-1), "paid");
  } finally {
    for (const global of ["sessionId", "signal", "show", "location"]) delete globalThis[global];
    rmSync(folder, { recursive: true, force: true });
  }
});

for (const { file, text, language } of shops) {
  const skip = isThere(callOf(file)[0]) ? false : `${callOf(file)[0]} is not on this machine`;
  test(`${file} sells, and knows what is paid by a webhook that is genuine`, { skip, timeout: 60_000 }, async () => {
    const lines = text.split("\n").filter((line) => line.trim() !== "").length;
    assert.ok(lines <= 23, `${file} has ${lines} lines`);
    const folder = mkdtempSync(join(tmpdir(), "till-shop-"));
    const port = await freePort();
    const here = (words) => words.replaceAll("3000", String(port));
    const merchant = await till.createMerchant();
    mkdirSync(join(folder, ".dev"));
    cpSync(at("clients", "receivers"), join(folder, "clients", "receivers"), { recursive: true });
    writeFileSync(join(folder, file), here(text));
    writeFileSync(join(folder, ".dev", "demo.json"), JSON.stringify({ base_url: till.url, ...merchant }));
    const [program, ...args] = callOf(file).map(here);
    const shop = spawn(program, args, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
    let printed = "";
    for (const stream of [shop.stdout, shop.stderr]) stream.setEncoding("utf8").on("data", (words) => (printed += words));
    try {
      const bought = await open(`http://127.0.0.1:${port}/buy`);
      assert.equal(bought?.status, 303, printed);
      const page = new URL(bought.headers.get("location"));
      const session_id = page.searchParams.get("session_id");
      const form = new URLSearchParams({ session_id, pg_code: "knet" });
      const bank = await till.call("/b/checkout/redirect/pay/", { method: "POST", body: form });
      await payWith(till, bank.headers.get("location"), "visa-approve");
      for (const until = Date.now() + 15_000; !printed.includes("order 1001: paid") && Date.now() < until; ) await sleep(50);
      assert.match(printed, /order 1001: paid/, `${language}: ${printed}`);
      const forged = await fetch(`http://127.0.0.1:${port}/webhook`, {
        method: "POST", body: '{"order_no":"1001","state":"paid"}',
        headers: { "webhook-id": "a", "webhook-timestamp": String(Math.floor(Date.now() / 1000)), "webhook-signature": "v1,AAAA" },
      });
      assert.equal(forged.status, 401);
      assert.equal(printed.match(/order 1001: paid/g).length, 1);
      const thanks = await fetch(`http://127.0.0.1:${port}/thanks`);
      assert.equal(thanks.status, 200);
    } finally {
      shop.kill();
      rmSync(folder, { recursive: true, force: true });
    }
  });
}
