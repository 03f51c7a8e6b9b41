/** The processes and ports of the runtime. */
import { execFileSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { existsSync, readFileSync, readdirSync, readlinkSync } from "node:fs";
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
 * Every request has a connection of its own. The runtime closes one that was idle for five seconds, and on a busy machine a request
 * is sent on it at that moment and fails.
 */
setGlobalDispatcher(new Agent({ pipelining: 0 }));

/**
 * A loopback port that is free: below those that systems give to outgoing connections, of which one could take it before its
 * server does, and above the last to which `fetch` and browsers refuse to go, 10080.
 */
export async function freePort() {
  for (;;) {
    const port = 10_081 + randomInt(19_919);
    const isFree = await new Promise((resolve) => {
      const server = createServer().once("error", () => resolve(false));
      server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
}

/** The child of this process whose command line has `mark` in it: /proc if there is one, otherwise ps. */
export function findRuntime(mark) {
  const lines = existsSync("/proc/self/cmdline")
    ? readdirSync("/proc").filter((name) => /^\d+$/.test(name)).map((name) => `${name} ${commandLine(name)}`)
    : execFileSync("ps", ["-A", "-o", "pid=,command="], { encoding: "utf8" }).split("\n");
  const line = lines.find((text) => text.includes(mark) && text.includes("workerd"));
  return line === undefined ? undefined : Number.parseInt(line, 10);
}

/** The inode of the loopback connection whose client has this port, by the table of the kernel; undefined if it has ended. */
function inodeOf(clientPort, serverPort) {
  const hex = (port) => port.toString(16).toUpperCase().padStart(4, "0");
  for (const table of ["/proc/self/net/tcp", "/proc/self/net/tcp6"]) {
    for (const line of readFileSync(table, "utf8").split("\n").slice(1)) {
      const [, local, remote, , , , , , , inode] = line.trim().split(/\s+/);
      if (local?.endsWith(`:${hex(clientPort)}`) && remote.endsWith(`:${hex(serverPort)}`)) return inode;
    }
  }
  return undefined;
}

/** Whether it can be said which program has opened a connection: on Linux. */
export const knowsOwners = existsSync("/proc/self/net/tcp");

/** Whether a runtime has opened a connection that was just accepted. It waits for an answer: one that has ended is another program's. */
export function isOfRuntime(socket, pids) {
  const inode = inodeOf(socket.remotePort, socket.localPort);
  if (inode === undefined || inode === "0") return false;
  const link = `socket:[${inode}]`;
  const links = (pid) => readdirSync(`/proc/${pid}/fd`).map((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`);
    } catch {
      return "";
    }
  });
  return pids.filter(isAlive).some((pid) => links(pid).includes(link));
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
