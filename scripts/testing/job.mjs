/** One step of the tests as it runs: starts its programs, prints what they print, counts. */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { ENV, ROOT, Stop, duration, howItEnded } from "../project.mjs";
import { runFiles } from "./files.mjs";
import { endGroup, note } from "./groups.mjs";

/** How long a program may take; one that hangs is ended. */
const LIMIT = 1000 * Number(process.env.TILL_STEP_SECONDS || 1800);

/** How far programs of cargo give way to tests in which time passes. */
const NICE = ["nice", "-n", "15"];

/** The tests that the report of a file calls failed, each with the first line of its error. */
function failedTests(text) {
  const found = text.matchAll(/^ *✖ (.+?)(?: \([\d.]+ms\))?\n +([^✖▶\s].*)$/gm);
  return [...found].map(([, test, error]) => `${test}: ${error.slice(0, 200)}`);
}

export class Job {
  count = { passed: 0, failed: 0, skipped: 0 };
  /** What failed, a line each; below a file of node's tests, those in it. */
  faults = [];
  /** The files of node's tests that failed, what they counted, and the environment that they had. */
  failed = [];
  /** `{ name, seconds }` of each file of node's tests. */
  times = [];
  #print;
  #isShared;

  /** @param {{ print: (line: string) => void, isShared: boolean }} how `isShared`: other steps run at the same time */
  constructor({ print, isShared }) {
    this.#print = print;
    this.#isShared = isShared;
  }

  cargo(args, options) {
    const words = this.#isShared && process.platform !== "win32" ? [...NICE, "cargo", ...args] : ["cargo", ...args];
    return this.run(words[0], words.slice(1), options);
  }

  node(args, options) {
    return this.run(process.execPath, args, options);
  }

  /** Runs a program to its end. Throws `Stop` if it fails or takes too long. */
  run(program, args, { cwd = ROOT, env = {} } = {}) {
    return new Promise((resolve, reject) => {
      const child = note(spawn(program, args, { cwd, env: { ...ENV, ...env }, stdio: ["ignore", "pipe", "pipe"], detached: true }));
      for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on("line", (line) => this.#read(line));
      let isOver = false;
      const timer = setTimeout(() => {
        isOver = true;
        void endGroup(child);
      }, LIMIT);
      child.on("error", (error) => reject(new Stop(`${program} did not start: ${error.message}`)));
      child.on("close", (code, signal) => {
        clearTimeout(timer);
        void endGroup(child);
        if (code === 0) resolve();
        else reject(new Stop(isOver ? `${program} ${args[0] ?? ""} was still running after ${duration(LIMIT)} and was ended` : howItEnded(program, args, signal ?? code)));
      });
    });
  }

  /** Runs files of node's tests, `atOnce` of them at the same time. */
  files(files, { atOnce = 3, env } = {}) {
    return runFiles(files, { atOnce, env, onFile: (result) => this.#finish({ ...result, env }) });
  }

  /** Runs the files that failed once more, each in the environment that it had: what came of them before does not count. */
  async again(options) {
    const failed = this.failed.splice(0);
    for (const { count } of failed) for (const outcome of Object.keys(count)) this.count[outcome] -= count[outcome];
    this.faults.length = 0;
    for (const env of new Set(failed.map((one) => one.env))) {
      await this.files(failed.filter((one) => one.env === env).map(({ file }) => file), { ...options, env });
    }
  }

  #finish({ file, name, env, count, fault, seconds, text }) {
    for (const outcome of Object.keys(this.count)) this.count[outcome] += count[outcome];
    this.times.push({ name, seconds });
    for (const line of text.split("\n")) if (line !== "") this.#print(line);
    const verdict = `${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped, ${seconds.toFixed(1)} s`;
    this.#print(`${name}: ${fault ? `${fault}; ` : ""}${verdict}`);
    if (count.failed === 0) return;
    this.failed.push({ file, name, env, count });
    this.faults.push([`${name}: ${fault ?? `${count.failed} failed`}`, ...failedTests(text)].join("\n  "));
  }

  /** Prints a line, and adds up the closing lines of libtest and of wasm-bindgen's runner. */
  #read(line) {
    this.#print(line);
    const failed = /^test (.+) \.\.\. FAILED$/.exec(line);
    if (failed) this.faults.push(failed[1]);
    const counts = /^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored/.exec(line)?.slice(1).map(Number);
    if (counts) for (const [place, outcome] of Object.keys(this.count).entries()) this.count[outcome] += counts[place];
  }
}
