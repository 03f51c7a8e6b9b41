/** One shell in which the blocks of some pages are run, one after the other, as a reader does. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { at } from "../../../scripts/project.mjs";

/** How long one block may take, and how long a program in the background until it is ready. */
const BLOCK_WITHIN = 60_000;
const READY_WITHIN = 120_000;
const DRY = at("tests", "dev", "commands", "dry");

/** Every call of curl prints its request and the status of the answer to the error output. */
const SPY = "curl() { command curl \"$@\" -w '%{stderr}\\n@@ %{http_code} %{method} %{url}\\n'; }\nset -euo pipefail\n";

export class Session {
  /** What each stream of each program has printed in this block: side by side, a line of one could break a line of another. */
  #printed = new Map();
  #number = 0;
  #background = [];

  constructor(clone, env = {}) {
    this.clone = clone;
    this.env = clone.env(env);
    this.shell = this.#start(["bash"]);
    this.shell.stdin.write(SPY);
  }

  #start([program, ...args]) {
    const child = spawn(program, args, { cwd: this.clone.folder, env: this.env, detached: true, stdio: "pipe" });
    for (const stream of [child.stdout, child.stderr]) {
      this.#printed.set(stream, "");
      stream.setEncoding("utf8").on("data", (text) => this.#printed.set(stream, this.#printed.get(stream) + text));
    }
    return child;
  }

  get #text() {
    return [...this.#printed.values()].map((text) => text.slice(-4000)).join("\n");
  }

  /** Waits until each of these streams of a program has printed the mark. */
  async #until(mark, child, streams, within, where) {
    for (const end = Date.now() + within; !streams.every((stream) => this.#printed.get(stream).includes(mark)); await sleep(20)) {
      const isOver = child.exitCode !== null || child.signalCode !== null || Date.now() > end;
      assert.ok(!isOver, `${where} failed:\n${this.#text}`);
    }
  }

  async run(block) {
    const where = `${block.page}:${block.line}`;
    const file = join(this.clone.base, `block-${(this.#number += 1)}.sh`);
    writeFileSync(file, block.text);
    for (const stream of this.#printed.keys()) this.#printed.set(stream, "");
    if (block.mode === "background") {
      const child = this.#start(["bash", file]);
      this.#background.push(child);
      return this.#until(block.until, child, [child.stdout], READY_WITHIN, where);
    }
    const done = `@@ done ${this.#number}`;
    const [before, after] = block.mode === "dry" ? [`PATH_BEFORE=$PATH; PATH=${DRY}:$PATH`, "PATH=$PATH_BEFORE"] : [":", ":"];
    this.shell.stdin.write(`${before}; source ${file} </dev/null; ${after}; echo '${done}'; echo '${done}' >&2\n`);
    await this.#until(done, this.shell, [this.shell.stdout, this.shell.stderr], BLOCK_WITHIN, where);
    this.#judge(block, where);
  }

  /** Each line of curl got the status that the page gives, or a success where it gives none. */
  #judge({ statuses, text }, where) {
    const answers = [...this.#printed.get(this.shell.stderr).matchAll(/^@@ (\d{3}) ([A-Z]+) (\S+)$/gm)].map(([, status]) => status);
    if (statuses.length > 0) assert.deepEqual(answers, statuses, `${where}\n${text}\n${this.#text}`);
    else assert.ok(answers.every((status) => status < "400"), `${where}\n${text}\n${this.#text}`);
  }

  async end() {
    for (const child of [...this.#background, this.shell]) {
      for (const signal of ["SIGINT", "SIGKILL"]) {
        try {
          process.kill(-child.pid, signal);
        } catch {
          break;
        }
        for (const until = Date.now() + 8000; child.exitCode === null && child.signalCode === null && Date.now() < until; ) await sleep(20);
      }
    }
  }
}
