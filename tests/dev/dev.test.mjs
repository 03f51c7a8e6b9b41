/**
 * `make dev` itself: each start has its own folder and port, so that a developer's own instance is not
 * disturbed.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { TOTP } from "otpauth";
import { migrate } from "../../scripts/database.mjs";
import { programs } from "../../scripts/processes.mjs";
import { ENV, at } from "../../scripts/project.mjs";
import { freePort } from "../worker/runtime.mjs";

const FRONT = at("tests", "dev", "front.mjs");
const folders = [];
const started = [];

const folder = () => {
  const path = mkdtempSync(join(tmpdir(), "till-dev-"));
  folders.push(path);
  return path;
};

/** A folder whose database has every migration, as after a first start. */
const migratedFolder = () => {
  const path = folder();
  cpSync(migrated, path, { recursive: true });
  return path;
};
let migrated;
before(async () => {
  migrated = folder();
  await migrate(join(migrated, "wrangler"));
});

afterEach(async () => {
  for (const dev of started.splice(0)) await dev.end();
});
after(() => {
  for (const path of folders) rmSync(path, { recursive: true, force: true });
});

/** One `make dev`, as the make target runs it. */
class Dev {
  text = "";

  constructor(state, port, env) {
    this.state = state;
    this.port = port;
    this.url = `http://127.0.0.1:${port}`;
    this.child = spawn(process.execPath, [at("scripts", "dev.mjs")], {
      env: { ...ENV, ...env, PORT: String(port), TILL_STATE: state },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => (this.text += text));
    }
    this.ended = once(this.child, "exit").then(([code]) => code);
    started.push(this);
  }

  /** Waits until the address of the page is printed. */
  async ready(seconds = 90) {
    for (const until = Date.now() + seconds * 1000; Date.now() < until; await sleep(100)) {
      if (this.text.includes("A payable page:")) return this;
      if (this.child.exitCode !== null) break;
    }
    throw new Error(`make dev did not start:\n${this.text}`);
  }

  /** Its exit code, if it ends by itself in time. */
  async endsWithin(seconds) {
    return Promise.race([this.ended, sleep(seconds * 1000, undefined, { ref: false }).then(() => "still running")]);
  }

  /** Its child processes: wrangler leads a process group, and its command line has the port. */
  below() {
    const leader = programs().find(({ pid, group, command }) => pid === group && command.includes(`--port ${this.port} `));
    return leader ? programs().filter(({ group }) => group === leader.pid) : [];
  }

  async end() {
    if (this.child.exitCode === null) this.child.kill("SIGINT");
    return this.ended;
  }

  demo() {
    return JSON.parse(readFileSync(join(this.state, "demo.json"), "utf8"));
  }

  operator(path) {
    return fetch(`${this.url}/b/operator/v1${path}`, { headers: { authorization: `Bearer ${this.demo().operator_token}` } });
  }

  /** The payment transaction of the printed page. */
  announced() {
    return /session_id=([0-9a-f]+)/.exec(this.text)[1];
  }

  retrieve(session_id) {
    return fetch(`${this.url}/b/checkout/v1/pymt-txn/${session_id}/`, { headers: { authorization: `Api-Key ${this.demo().private_key}` } });
  }
}

const dev = async (state, env = {}, port) => new Dev(state, port ?? (await freePort()), env);

/** Whether a port can be bound: no process is left that uses it. */
const isFree = (port) =>
  new Promise((resolve) => {
    const probe = createServer().once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });

test("a new demo merchant has a week of payments in every state, which a later start does not repeat", async () => {
  const state = folder();
  const seen = async (one) => {
    const list = await fetch(`${one.url}/b/checkout/v1/pymt-txn/?limit=100`, { headers: { authorization: `Api-Key ${one.demo().private_key}` } });
    return (await list.json()).results;
  };
  const first = await (await dev(state)).ready();
  assert.doesNotMatch(first.text, /incomplete/);
  const payments = await seen(first);
  const days = new Set(payments.map(({ created_at }) => Math.floor((Date.now() - Date.parse(created_at)) / 86_400_000)));
  assert.deepEqual([...days].sort(), [0, 1, 2, 3, 4, 5, 6]);
  const states = new Set(payments.map((payment) => payment.state));
  for (const wanted of ["created", "pending", "attempted", "authorized", "paid", "failed", "canceled", "cod"]) assert.ok(states.has(wanted), wanted);
  const asked = await fetch(`${first.url}/b/checkout/v1/approvals/`, { headers: { authorization: `Api-Key ${first.demo().private_key}` } });
  assert.ok((await asked.json()).results.some((approval) => approval.state === "asked"), "a refund waits for another person");
  await first.end();
  const second = await (await dev(state)).ready();
  assert.equal((await seen(second)).length, payments.length + 1, "with the one that each start makes");
  await second.end();
});

test("a second start keeps the merchant, its keys and its payments, and an end leaves nothing behind", async () => {
  const state = folder();
  const first = await (await dev(state)).ready();
  const [demo, session_id, below] = [first.demo(), first.announced(), first.below()];
  assert.equal((await first.retrieve(session_id)).status, 200);
  const as = async ({ username, password }, path) => {
    const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
    return (await fetch(`${first.url}${path}`, { headers: { authorization } })).status;
  };
  const [admin, clerk] = demo.users;
  assert.deepEqual([admin.is_superuser, clerk.is_superuser, clerk.permissions.length > 0], [true, false, true]);
  for (const [user, path, status] of [
    [admin, "/b/checkout/v1/pymt-txn/", 200], [admin, "/b/access/v1/users/", 200],
    [clerk, `/b/checkout/v1/pymt-txn/${session_id}/`, 200], [clerk, "/b/access/v1/users/", 403],
  ]) {
    assert.equal(await as(user, path), status, `${user.username} ${path}`);
  }
  assert.ok(below.some(({ command }) => command.includes("workerd")), "workerd runs below it");
  assert.equal(await first.end(), 0);
  const alive = new Set(programs().map(({ pid }) => pid));
  assert.deepEqual(below.filter(({ pid }) => alive.has(pid)), []);
  assert.ok(await isFree(first.port));

  const second = await (await dev(state)).ready();
  assert.deepEqual({ ...second.demo(), base_url: demo.base_url }, demo);
  assert.equal((await second.retrieve(session_id)).status, 200);
  assert.equal((await second.operator("/merchants/demo-2/")).status, 404);
});

for (const FRONT_STATUS of ["503", "drop"]) {
  test(`while the operator API is not there yet (${FRONT_STATUS}), no second merchant is made`, async () => {
    const state = migratedFolder();
    const first = await (await dev(state, { WRANGLER: FRONT, FRONT_REFUSES: "2", FRONT_STATUS })).ready();
    const demo = first.demo();
    assert.equal(demo.merchant_id, "demo");
    await first.end();
    const second = await (await dev(state, { WRANGLER: FRONT, FRONT_REFUSES: "3", FRONT_STATUS }, first.port)).ready();
    assert.deepEqual(second.demo(), demo);
    assert.equal((await second.operator("/merchants/demo/")).status, 200);
    assert.equal((await second.operator("/merchants/demo-2/")).status, 404);
  });
}

test("a merchant whose keys were lost with the answer is left, said, and is in nobody's way", async () => {
  const state = migratedFolder();
  const first = await (await dev(state, { WRANGLER: FRONT, FRONT_REFUSES: "1", FRONT_STATUS: "lose" })).ready();
  const demo = first.demo();
  assert.equal(demo.merchant_id, "demo-2");
  assert.match(first.text, /there is a merchant demo already, and keys are shown only once/);
  assert.equal((await first.retrieve(first.announced())).status, 200);
  await first.end();
  const second = await (await dev(state, {}, first.port)).ready();
  assert.deepEqual(second.demo(), demo);
});

for (const FRONT_STATUS of ["401", "503"]) {
  test(`an operator API that only answers ${FRONT_STATUS} ends the start with an error and leaves demo.json as it was`, async () => {
    const state = migratedFolder();
    const demo = '{"merchant_id": "demo", "private_key": "kept"}';
    writeFileSync(join(state, "demo.json"), demo);
    const env = { WRANGLER: FRONT, FRONT_ALONE: "1", FRONT_REFUSES: "1000", FRONT_STATUS, START_SECONDS: "4" };
    const started = await dev(state, env);
    assert.equal(await started.endsWithin(90), 1, started.text);
    assert.match(started.text, new RegExp(`GET /merchants/demo/ .*${FRONT_STATUS}`));
    assert.equal(readFileSync(join(state, "demo.json"), "utf8"), demo);
  });
}

test("a demo.json that cannot be read is not written over", async () => {
  const state = migratedFolder();
  writeFileSync(join(state, "demo.json"), '{"merchant_id": "de');
  const started = await dev(state, { WRANGLER: FRONT, FRONT_ALONE: "1" });
  assert.equal(await started.endsWithin(90), 1, started.text);
  assert.match(started.text, /demo\.json cannot be read/);
  assert.equal(readFileSync(join(state, "demo.json"), "utf8"), '{"merchant_id": "de');
});

/** A receiver that claims an encoding and sends something else; `answered` counts. */
async function liar() {
  const found = { answered: 0 };
  found.server = createServer((socket) => {
    socket.on("error", () => {}).once("data", () => {
      const encoding = ["gzip", "br"][found.answered++ % 2];
      socket.end(`HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-encoding: ${encoding}\r\ncontent-length: 11\r\n\r\nhello world`);
    });
  }).listen(0, "127.0.0.1");
  await once(found.server, "listening");
  found.url = `http://127.0.0.1:${found.server.address().port}/hook`;
  return found;
}

const until = async (what, look, seconds) => {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await sleep(200)) if (await look()) return;
  throw new Error(`never came true: ${what}`);
};

test("a runtime that dies, of a signal or of an answer that lies about its encoding, is started again with its data", async () => {
  const first = await (await dev(migratedFolder())).ready();
  const session_id = first.announced();
  const alive = () => first.below().filter(({ command }) => command.includes("workerd serve"));
  const isServed = () => first.retrieve(session_id).then(({ status }) => status === 200, () => false);
  const before = alive();
  assert.ok(before.length > 0);
  for (const { pid } of before.slice(0, 1)) process.kill(pid, "SIGKILL");
  await until("it is said", () => first.text.includes("the runtime (workerd) has ended: it is started again"), 30);
  await until("it serves what was stored", isServed, 60);
  assert.ok(alive().every(({ pid }) => before.every((gone) => gone.pid !== pid)), "everything that was started before has ended");

  const receiver = await liar();
  const demo = first.demo();
  const call = (path, body) =>
    fetch(first.url + path, { method: "POST", headers: { authorization: `Api-Key ${demo.private_key}`, "content-type": "application/json" }, body: JSON.stringify(body) });
  const created = await call("/b/checkout/v1/pymt-txn/", { type: "e_commerce", amount: "1.000", currency_code: "KWD", pg_codes: ["cash"], webhook_url: receiver.url });
  const payment = await created.json();
  assert.equal((await call("/b/pbl/v2/payment/cash/", { session_id: payment.session_id })).status, 200);
  await until("the receiver has lied", () => receiver.answered > 0, 30);
  await sleep(4_000);
  await until("it serves again", isServed, 60);
  receiver.server.close();
  assert.equal(await first.end(), 0);
  assert.deepEqual(first.below(), []);
  assert.ok(await isFree(first.port));
});

test("a port that is in use is refused before anything is built", async () => {
  const holder = createServer().listen(0, "127.0.0.1");
  await once(holder, "listening");
  const { port } = holder.address();
  const started = await dev(folder(), {}, port);
  assert.equal(await started.endsWithin(60), 1);
  assert.match(started.text, new RegExp(`port ${port} is in use`));
  assert.ok(!existsSync(join(started.state, "demo.json")));
  holder.close();
});

test("the desk takes the demo user's name, password and code that are printed", async () => {
  const one = await (await dev(folder())).ready();
  const [, desk] = /desk of the staff: (\S+)/.exec(one.text);
  const [, username, password] = /^ {2}(admin@\S+) +password (\S+) +code \d{6}$/m.exec(one.text);
  const { factor } = one.demo().users.find((user) => user.username === username);
  let cookie = "";
  const post = async (path, fields) => {
    const page = await fetch(new URL(path, desk), { headers: { cookie, "user-agent": "test" } });
    const hidden = [...(await page.text()).matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]);
    const body = new URLSearchParams({ ...Object.fromEntries(hidden), ...fields });
    const answer = await fetch(new URL(path, desk), { method: "POST", redirect: "manual", body, headers: { cookie, origin: new URL(desk).origin, "user-agent": "test" } });
    cookie = /__Host-desk=[^;]+/.exec(answer.headers.get("set-cookie") ?? "")?.[0] ?? cookie;
    return answer;
  };
  assert.equal((await post("/sign-in/", { username, password })).status, 303);
  const code = new TOTP({ secret: factor }).generate();
  assert.equal((await post("/sign-in/code/", { factor: code })).headers.get("location"), "/");
  const start = await fetch(desk, { headers: { cookie, "user-agent": "test" } });
  assert.equal(start.status, 200);
  assert.match(await start.text(), /Newest payments/);
  await one.end();
});
