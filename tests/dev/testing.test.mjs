/** How files of tests are run: one that fails, hangs or dies does not hold up the others, and leaves nothing behind. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { programs } from "../../scripts/processes.mjs";
import { at } from "../../scripts/project.mjs";
import { runFiles } from "../../scripts/testing/files.mjs";
import { Job } from "../../scripts/testing/job.mjs";

const folder = mkdtempSync(join(tmpdir(), "till-testing-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const PRELUDE = `
  import assert from "node:assert/strict";
  import { spawn } from "node:child_process";
  import { writeFileSync } from "node:fs";
  import { after, before, describe, test } from "node:test";
  import { start } from ${JSON.stringify(at("tests", "worker", "harness.mjs"))};
  const note = (...pids) => writeFileSync(new URL(import.meta.url).pathname + ".pid", pids.join(" "));
`;
const file = (name, text) => {
  const path = join(folder, `${name}.test.mjs`);
  writeFileSync(path, PRELUDE + text);
  return path;
};

const FILES = {
  passes: 'test("passes", () => {}); test("is left out", { skip: "today" }, () => {});',
  "left-out": 'describe("is left out as a whole", { skip: "today" }, () => { test("is not seen", () => {}); });',
  empty: 'const nothing = []; for (const name of nothing) test(name, () => {});',
  fails: `test("fails before it stops its Worker", async () => {
    const till = await start({ alone: true });
    note(till.pid());
    setInterval(() => {}, 1000);
    assert.ok(false);
  });`,
  hangs: `test("passes first", () => {});
  test("never ends", async () => {
    note(spawn("sleep", ["600"]).pid, spawn("sleep", ["600"], { detached: true }).pid);
    await new Promise(() => setInterval(() => {}, 1000));
  });`,
  dies: 'test("ends its process", () => process.exit(3));',
  broken: 'test("is no JavaScript", () => {',
  before: 'before(() => { throw new Error("no start today"); }); test("is not run", () => {});',
  late: 'test("leaves an error for later", () => { setImmediate(() => { throw new Error("later"); }); });',
  shares: `let till;
  before(async () => { till = await start(); await till.createMerchant(); });
  after(() => till.stop());
  test("has one merchant", async () => assert.equal((await till.rows("SELECT COUNT(*) AS count FROM merchant"))[0].count, 1));`,
  alters: `test("changes the schema", async () => {
    const till = await start();
    await till.createMerchant();
    await till.rows("DROP TRIGGER audit_is_never_erased");
    await till.stop();
  });`,
  restless: `test("fails, and what it has begun goes on", async () => {
    const till = await start();
    setInterval(() => till.createMerchant().catch(() => {}), 20);
    await till.stop();
    assert.ok(false);
  });`,
  patient: `test("has a Worker to itself", async () => {
    const till = await start();
    await till.createMerchant();
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.equal((await till.rows("SELECT COUNT(*) AS count FROM merchant"))[0].count, 1);
    await till.stop();
  });`,
};

test("every file has its verdict, in time, and nothing that it started is left", async () => {
  const { restless, patient, ...others } = FILES;
  const inOrder = { ...others, "shares-again": FILES.shares, restless, patient };
  const files = Object.entries(inOrder).map(([name, text]) => file(name, text));
  const results = {};
  const began = Date.now();
  await runFiles(files, {
    atOnce: 1,
    limit: 8_000,
    onFile: ({ name, ...result }) => (results[/([\w-]+)\.test\.mjs$/.exec(name)[1]] = result),
  });
  assert.ok(Date.now() - began < 60_000);
  const counts = Object.fromEntries(Object.entries(results).map(([name, { count }]) => [name, Object.values(count)]));
  assert.deepEqual(counts, {
    passes: [1, 0, 1], "left-out": [0, 0, 1], empty: [0, 1, 0],
    fails: [0, 1, 0], hangs: [1, 1, 0], dies: [0, 1, 0], broken: [0, 1, 0], before: [0, 2, 0], late: [1, 1, 0],
    shares: [1, 0, 0], alters: [1, 0, 0], "shares-again": [1, 0, 0],
    restless: [0, 1, 0], patient: [1, 0, 0],
  });
  assert.match(results.hangs.fault, /still running after 8 s/);
  assert.match(results.dies.fault, /ended with 3/);
  assert.equal(results.empty.fault, "it has no tests");
  assert.match(results.fails.text, /fails before it stops its Worker/);
  for (const name of ["fails", "hangs"]) {
    const pids = readFileSync(join(folder, `${name}.test.mjs.pid`), "utf8").split(" ").map(Number);
    assert.ok(!programs().some(({ pid }) => pids.includes(pid)), `${name} has left a program`);
  }
});

test("files that failed are run once more, and only that counts", async () => {
  const files = [
    file("good", 'test("passes", () => {});'),
    file("busy", `import { existsSync } from "node:fs";
      test("passes first", () => {});
      test("passes on a quiet machine", () => {
        const marker = new URL(import.meta.url).pathname + ".seen";
        const isSeen = existsSync(marker);
        writeFileSync(marker, "");
        assert.ok(isSeen);
      });`),
    file("bad", FILES.dies),
  ];
  const chosen = file("chosen", `import { existsSync } from "node:fs";
    test("fails at first, and needs its environment", () => {
      const marker = new URL(import.meta.url).pathname + ".seen";
      const isSeen = existsSync(marker);
      writeFileSync(marker, "");
      assert.deepEqual([isSeen, process.env.TILL_CHOSEN], [true, "by this step"]);
    });`);
  const job = new Job({ print: () => {}, isShared: true });
  await job.files(files, { atOnce: 1 });
  assert.deepEqual([job.count, job.faults.length], [{ passed: 2, failed: 2, skipped: 0 }, 2]);
  await job.files([chosen], { atOnce: 1, env: { TILL_CHOSEN: "by this step" } });
  assert.match(job.faults.join("\n"), /busy\.test\.mjs: 1 failed\n {2}passes on a quiet machine: \S/);
  await job.again({ atOnce: 1 });
  assert.deepEqual([job.count, job.faults], [{ passed: 4, failed: 1, skipped: 0 }, [`${job.failed[0].name}: its process ended with 3`]]);
});
