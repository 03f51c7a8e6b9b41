/** The programs of this machine: /proc if there is one, otherwise ps. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";

const PROC = "/proc";

/**
 * The running programs; one that has ended but was not waited for by its parent yet is not listed.
 *
 * @returns {{ pid: number, parent: number, group: number, command: string }[] | undefined} undefined if the machine lists
 *   nothing
 */
export function programs() {
  const all = existsSync(`${PROC}/self/stat`) ? fromProc() : fromPs();
  return all?.filter(({ state }) => !state.startsWith("Z"));
}

function fromProc() {
  return readdirSync(PROC).filter((name) => /^\d+$/.test(name)).flatMap((pid) => {
    try {
      // The name of the program is in parentheses and may contain anything, parentheses too.
      const stat = readFileSync(`${PROC}/${pid}/stat`, "utf8");
      const [state, parent, group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return [{ pid: Number(pid), parent: Number(parent), group: Number(group), state, command: readFileSync(`${PROC}/${pid}/cmdline`, "utf8").replaceAll("\0", " ") }];
    } catch {
      // It ended meanwhile.
      return [];
    }
  });
}

function fromPs() {
  let text;
  try {
    text = execFileSync("ps", ["-A", "-o", "pid=,ppid=,pgid=,stat=,command="], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  } catch {
    return undefined;
  }
  return [...text.matchAll(/^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/gm)].map(([, pid, parent, group, state, command]) => ({
    pid: Number(pid), parent: Number(parent), group: Number(group), state, command,
  }));
}
