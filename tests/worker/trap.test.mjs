/** What happens if the WebAssembly module traps, which ours never should: here a module in its place does so on purpose. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Log, LogLevel, Miniflare } from "miniflare";
import { bundleWorker } from "../../scripts/bundle.mjs";
import { eventually } from "./payer.mjs";

/** A module that answers with how often it was started and how many wait for it, never answers, or traps: at once, or in a task later. */
const MODULE = `
  import { pause, respond } from "till-platform";
  let [started, waiting] = [1, 0];
  const trap = () => { throw new WebAssembly.RuntimeError("unreachable"); };
  export function __wbg_reset_state() { [started, waiting] = [started + 1, 0]; }
  export function answer(head, request, env, context, caller) {
    const [method, url, ...headers] = head.split("\\n");
    const { pathname } = new URL(url);
    if (pathname === "/wait") waiting += 1;
    if (pathname === "/trap") trap();
    if (pathname === "/trap-later") pause(20).then(() => queueMicrotask(trap));
    if (pathname === "/trap-in-a-task") queueMicrotask(trap);
    if (pathname === "/wrong-header") respond(caller, 200, "x-a\\nb\\0\\n", new Uint8Array());
    if (pathname === "/started") {
      const body = new TextEncoder().encode(JSON.stringify({ started, waiting, method, echo: headers[headers.indexOf("x-echo") + 1] }));
      respond(caller, 200, "content-type\\napplication/json\\nx-a\\n1\\n", body);
    }
  }
  export const scheduled = async () => {};
  export const consume = async () => {};
`;

let folder;
let worker;
let url;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "till-trap-"));
  writeFileSync(join(folder, "module.js"), MODULE);
  await bundleWorker(join(folder, "module.js"), join(folder, "index.js"));
  worker = new Miniflare({
    modules: true,
    modulesRoot: folder,
    scriptPath: join(folder, "index.js"),
    compatibilityDate: "2026-04-26",
    host: "127.0.0.1",
    log: new Log(LogLevel.NONE),
    handleRuntimeStdio: (...streams) => streams.forEach((stream) => stream.resume()),
    telemetry: { enabled: false },
    cf: false,
  });
  url = String(await worker.ready).replace(/\/$/, "");
});

after(async () => {
  await worker?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const get = (path, headers = {}) => fetch(`${url}${path}`, { headers, signal: AbortSignal.timeout(5000) });
const started = async () => (await (await get("/started", { "x-echo": "yes" })).json());

test("the module gets the head of a request, and its answer the headers and bytes that it wrote", async () => {
  const response = await get("/started", { "x-echo": "yes" });
  assert.deepEqual([response.status, response.headers.get("x-a")], [200, "1"]);
  const { method, echo } = await response.json();
  assert.deepEqual({ method, echo }, { method: "GET", echo: "yes" });
});

test("a header that the platform refuses fails only its own request", async () => {
  const before = await started();
  assert.equal((await get("/wrong-header")).status, 500);
  assert.deepEqual(await started(), before);
});

for (const path of ["/trap", "/trap-later", "/trap-in-a-task"]) {
  test(`${path}: everyone who waits is answered at once, and the next request starts the module again`, async () => {
    const before = (await started()).started;
    const waiting = ["/wait", "/wait", "/wait"].map((waits) => get(waits));
    // Those who wait have arrived before the one that traps.
    await eventually("three wait", async () => (await started()).waiting === 3);
    const answers = await Promise.all([...waiting, get(path)]);
    assert.deepEqual(answers.map(({ status }) => status), [500, 500, 500, 500]);
    assert.equal((await started()).started, before + 1);
    assert.equal((await started()).started, before + 1);
  });
}
