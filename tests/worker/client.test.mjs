/** The TypeScript client: what its compiler accepts and refuses, and calls of a running Worker. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { buildClient } from "../../scripts/client.mjs";
import { NODE_BIN, at, run } from "../../scripts/project.mjs";
import { start } from "./harness.mjs";
import { atTheBank, eventually, payWith } from "./payer.mjs";
import { freePort } from "./runtime.mjs";

/** @type {import("./harness.mjs").Till} */
let till;
let client, createTill, ProblemError;

before(async () => {
  await buildClient();
  const built = await import(at("clients", "typescript", "dist", "index.js"));
  ProblemError = built.ProblemError;
  till = await start();
  const { private_key } = await till.createMerchant();
  createTill = built.createTill;
  client = createTill({ baseUrl: till.url, key: private_key });
});
after(() => till.stop());

const order = { type: "e_commerce", amount: "10.250", currency_code: "KWD", pg_codes: ["knet"] };

test("the compiler accepts calls of the contract and refuses others", async () => {
  const options = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess", "--target", "ES2022", "--lib", "ES2022,DOM"];
  await run(join(NODE_BIN, "tsc"), [...options, "--module", "NodeNext", at("clients", "typescript", "test", "types.ts")], { quiet: true });
});

test("a transaction is created once for a key, retrieved, changed and listed", async () => {
  const created = await client.create({ ...order, order_no: "client-1" }, { idempotencyKey: "client-1" });
  till.secrets.add(created.session_id);
  const again = await client.create({ ...order, order_no: "client-1" }, { idempotencyKey: "client-1" });
  assert.equal(again.session_id, created.session_id);
  assert.equal((await client.change(created.session_id, { amount: "5.000" })).amount, "5.000");
  assert.equal((await client.retrieve(created.session_id)).amount, "5.000");
  const { results, next } = await client.list({ order_no: "client-1", state: ["created", "pending"], limit: 1 });
  assert.deepEqual([results.map(({ session_id }) => session_id), next], [[created.session_id], null]);
});

test("a payment is inquired about and refunded once for a key", async () => {
  const payment = await atTheBank(till);
  await payWith(till, payment.page, "visa-approve");
  const { session_id } = payment;
  assert.equal((await client.inquire({ session_id })).result, "success");
  const refund = () => client.operate({ operation: "refund", session_id, amount: "1.000" }, { trackingKey: "client-2" });
  const [one, two] = [await refund(), await refund()];
  assert.equal(one.result, "success");
  assert.equal(two.reference_number, one.reference_number);
});

test("a refusal is an error with its code, its status and every wrong field", async () => {
  const refusal = async (call) => {
    const error = await call.then(() => undefined, (thrown) => thrown);
    assert.ok(error instanceof ProblemError, String(error));
    return error;
  };
  const wrong = await refusal(client.create({ ...order, amount: "ten" }));
  assert.deepEqual([wrong.code, wrong.status, Object.keys(wrong.problem.errors)], ["invalid_fields", 400, ["amount"]]);
  assert.equal((await refusal(client.retrieve("0".repeat(40)))).code, "not_found");
});

test("a user's name and password, and a token that is renewed, are credentials too", async () => {
  const user = { username: `عميل@${till.merchant.merchant_id}`, password: "كلمة سر طويلة بما يكفي" };
  const made = await till.operator(`/merchants/${till.merchant.merchant_id}/users/`, { method: "POST", json: { ...user, is_superuser: true } });
  assert.equal(made.status, 201, made.text);
  const byName = createTill({ baseUrl: till.url, ...user });
  const { session_id, initiator_id } = await byName.create(order);
  assert.equal(initiator_id, made.body.id);
  let asked = 0;
  const token = async () => {
    asked += 1;
    const { data } = await client.api.POST("/b/auth/v1/token/", {
      body: { grant_type: "password", ...user },
      bodySerializer: (body) => new URLSearchParams(body),
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
    });
    till.secrets.add(data.access_token);
    return data.access_token;
  };
  const byToken = createTill({ baseUrl: till.url, token });
  assert.equal((await byToken.retrieve(session_id)).session_id, session_id);
  assert.equal((await byToken.change(session_id, { amount: "7.000" })).amount, "7.000");
  assert.equal(asked, 2);
  const fixed = createTill({ baseUrl: till.url, token: await token() });
  assert.equal((await fixed.retrieve(session_id)).amount, "7.000");
});

test("every operation is typed by its path", async () => {
  const { data, response } = await client.api.POST("/b/pbl/v2/payment-methods/", { body: { plugin: "e_commerce" } });
  assert.equal(response.status, 200);
  assert.ok(data.pg_codes.includes("knet"));
});

/** A program of the README in a folder that has the package, with what it printed. */
function example(number, env) {
  const folder = mkdtempSync(join(tmpdir(), "till-client-"));
  const [, text] = [...readFileSync(at("clients", "typescript", "README.md"), "utf8").matchAll(/```js\n([\s\S]*?)```/g)][number];
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(at("clients", "typescript"), join(folder, "node_modules", "till-client"), "dir");
  writeFileSync(join(folder, "example.mjs"), text);
  const child = spawn(process.execPath, ["example.mjs"], { cwd: folder, env: { PATH: process.env.PATH, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  const program = { child, printed: "", ended: once(child, "exit").then(([code]) => code) };
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (part) => (program.printed += part));
  program.end = async () => {
    if (child.exitCode === null) child.kill("SIGTERM");
    await program.ended;
    rmSync(folder, { recursive: true, force: true });
  };
  return program;
}

test("the program of the README creates a payment, and is refused a refund of what is not paid", async () => {
  const program = example(0, { TILL_URL: till.url, TILL_KEY: till.merchant.private_key });
  assert.equal(await program.ended, 0, program.printed);
  assert.match(program.printed, new RegExp(`^Send the payer to ${till.url}/b/checkout/redirect/start/\\?session_id=[0-9a-f]{40}\n(operation_not_allowed|operation_amount) `));
  till.secrets.add(/session_id=(\w+)/.exec(program.printed)[1]);
  await program.end();
});

test("the receiver of the README accepts what is signed and nothing else", async () => {
  const port = await freePort();
  const { webhook_signing_secret } = till.merchant;
  const program = example(1, { PORT: String(port), TILL_WEBHOOK_SECRET: webhook_signing_secret });
  const { signWebhook } = await import(at("clients", "typescript", "dist", "webhooks.js"));
  const body = JSON.stringify({ session_id: "1", state: "paid", order_no: "A-7", amount: "10.250" });
  const send = async (headers, sent = body) => (await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: sent, headers })).status;
  try {
    const headers = await signWebhook(body, webhook_signing_secret, { id: "evt_1" });
    await eventually("the receiver listens", () => send({}).catch(() => undefined));
    assert.deepEqual([await send(headers), await send(headers, `${body} `), await send({})], [200, 401, 401]);
    assert.match(program.printed, /evt_1 A-7 10\.250\n/);
    assert.match(program.printed, /no signature is right/);
  } finally {
    await program.end();
  }
});
