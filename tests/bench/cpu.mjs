/** The processor time of a process. */
import { existsSync, readFileSync, readdirSync } from "node:fs";

/** Whether it can be read: on Linux. */
export const isMeasurable = existsSync("/proc/self/task");

/** Nanoseconds of the processor that the threads of a process have used so far. */
export function nanosecondsOf(pid) {
  if (!isMeasurable) return NaN;
  const tasks = `/proc/${pid}/task`;
  return readdirSync(tasks).reduce((all, task) => all + used(`${tasks}/${task}/schedstat`), 0);
}

function used(path) {
  try {
    return Number(readFileSync(path, "utf8").split(" ", 1)[0]);
  } catch {
    // The thread ended meanwhile.
    return 0;
  }
}
