/** Runs files of node's tests in processes that each take one file after the other. No file can hold up the run. */
import { fork } from "node:child_process";
import { relative } from "node:path";
import { ENV, ROOT, at, duration } from "../project.mjs";
import { endGroup, note } from "./groups.mjs";

/** How long a file may take: `TILL_FILE_SECONDS` instead. The longest takes about half of it. */
const LIMIT = 1000 * Number(process.env.TILL_FILE_SECONDS || 300);

/** One process, and what it has printed of the file that it runs. */
class Runner {
  constructor(env) {
    this.child = note(fork(at("scripts", "testing", "runner.mjs"), {
      cwd: ROOT,
      detached: true,
      // As of a program that was started by hand, although a test may be its parent.
      env: { ...ENV, ...env, TILL_SHARED: "1", NODE_TEST_CONTEXT: undefined },
      execArgv: [
        "--test-reporter=spec", "--test-reporter-destination=stdout",
        `--test-reporter=${at("scripts", "testing", "reporter.mjs")}`, "--test-reporter-destination=stderr",
      ],
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    }));
    this.text = "";
    for (const stream of [this.child.stdout, this.child.stderr]) stream.setEncoding("utf8").on("data", (text) => (this.text += text));
  }

  /** Runs one file: what it counted, what went wrong outside of its tests, and whether the process can be used again. */
  run(file, limit) {
    const count = { passed: 0, failed: 0, skipped: 0 };
    const { child } = this;
    this.text = "";
    return new Promise((resolve) => {
      const finish = (isUsable, fault) => {
        clearTimeout(timer);
        child.removeAllListeners("message").removeAllListeners("exit");
        if (fault) count.failed += 1;
        // What a failed test has begun goes on, at the Worker that the next file would have.
        resolve({ count, fault, isUsable: isUsable && count.failed === 0, text: this.text });
      };
      const timer = setTimeout(() => finish(false, `it was still running after ${duration(limit)} and was ended`), limit);
      child.once("exit", (code, signal) => finish(false, `its process ended with ${signal ?? code}`));
      child.on("message", ({ outcome, ended, isUnclean }) => {
        if (outcome) count[outcome] += 1;
        if (!ended) return;
        const isEmpty = Object.values(count).every((number) => number === 0);
        finish(true, isUnclean && count.failed === 0 ? "an error that belongs to no test" : isEmpty ? "it has no tests" : undefined);
      });
      child.send({ file });
    });
  }

  /** Ends the process and everything that it started. */
  async end() {
    const { child } = this;
    if (child.exitCode === null && child.connected) {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.send({});
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 5000).unref())]);
    }
    await endGroup(child);
  }
}

/**
 * Runs files, up to `atOnce` of them at the same time.
 *
 * @param {string[]} files
 * @param {{ atOnce: number, env?: Record<string, string>, limit?: number, onFile: (result) => void }} options `limit` is how long a
 *   file may take, in milliseconds; `onFile` gets what became of each: `{ file, name, count, fault, seconds, text }`
 */
export async function runFiles(files, { atOnce, env = {}, limit = LIMIT, onFile }) {
  const waiting = [...files];
  const work = async () => {
    let runner;
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      runner ??= new Runner(env);
      const started = Date.now();
      const { isUsable, ...result } = await runner.run(file, limit);
      onFile({ ...result, file, name: relative(ROOT, file), seconds: (Date.now() - started) / 1000 });
      if (isUsable) continue;
      await endGroup(runner.child);
      runner = undefined;
    }
    await runner?.end();
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}
