/** The programs of this machine: /proc where there is one, else ps. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";

const PROC = "/proc";

/**
 * The programs that run; what has ended and was not read by its parent yet is not one.
 *
 * @returns {{ pid: number, group: number, command: string }[] | undefined} undefined where the machine tells nothing
 */
export function programs() {
  const all = existsSync(`${PROC}/self/stat`) ? fromProc() : fromPs();
  return all?.filter(({ state }) => !state.startsWith("Z"));
}

function fromProc() {
  return readdirSync(PROC).filter((name) => /^\d+$/.test(name)).flatMap((pid) => {
    try {
      // The name of the program stands in brackets and may hold anything, brackets too.
      const stat = readFileSync(`${PROC}/${pid}/stat`, "utf8");
      const [state, , group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return [{ pid: Number(pid), group: Number(group), state, command: readFileSync(`${PROC}/${pid}/cmdline`, "utf8").replaceAll("\0", " ") }];
    } catch {
      // It ended meanwhile.
      return [];
    }
  });
}

function fromPs() {
  let text;
  try {
    text = execFileSync("ps", ["-A", "-o", "pid=,pgid=,stat=,command="], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  } catch {
    return undefined;
  }
  return [...text.matchAll(/^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/gm)].map(([, pid, group, state, command]) => ({
    pid: Number(pid), group: Number(group), state, command,
  }));
}
