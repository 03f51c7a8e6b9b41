/** The processes and ports of the runtime. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { Agent, setGlobalDispatcher } from "undici";

/**
 * Miniflare sleeps in `Atomics.wait` until its thread has written an answer. A thread that is slow may wake it for the answer
 * before, and every later answer would then be read as that of another question. So a wait ends only when the value has changed.
 */
const wait = Atomics.wait;
Atomics.wait = (array, index, value, timeout) => {
  let outcome;
  do outcome = wait(array, index, value, timeout);
  while (outcome === "ok" && Atomics.load(array, index) === value);
  return outcome;
};

/**
 * The runtime closes a connection that was idle for five seconds, and `fetch` keeps it for four: on a busy machine both happen
 * at once, and the request on it fails. A second leaves room.
 */
setGlobalDispatcher(new Agent({ keepAliveTimeout: 1_000, keepAliveMaxTimeout: 1_000 }));

/** A loopback port that was free a moment ago. */
export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** The child of this process whose command line has `mark` in it: /proc if there is one, otherwise ps. */
export function findRuntime(mark) {
  const lines = existsSync("/proc/self/cmdline")
    ? readdirSync("/proc").filter((name) => /^\d+$/.test(name)).map((name) => `${name} ${commandLine(name)}`)
    : execFileSync("ps", ["-A", "-o", "pid=,command="], { encoding: "utf8" }).split("\n");
  const line = lines.find((text) => text.includes(mark) && text.includes("workerd"));
  return line === undefined ? undefined : Number.parseInt(line, 10);
}

function commandLine(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
}

export function isAlive(pid) {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // A killed process stays in the table until its parent has read its end; it uses nothing any more.
  return !(existsSync(`/proc/${pid}/status`) && /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8")));
}
