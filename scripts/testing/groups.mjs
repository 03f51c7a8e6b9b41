/** Programs that lead a process group, so that they end together with everything that they started. */
import { setTimeout as sleep } from "node:timers/promises";
import { programs } from "../processes.mjs";

const groups = new Set();
let isEnding = false;

/** Notes a program that was started with `detached`. */
export function note(child) {
  groups.add(child);
  if (isEnding) kill(child.pid);
  return child;
}

/** The groups that a program and what it started lead. */
function groupsOf({ pid, exitCode, signalCode }) {
  // The number of a program that has ended may be another's.
  if (exitCode !== null || signalCode !== null) return [pid];
  const all = programs() ?? [];
  const found = new Set([pid]);
  for (const parent of found) for (const program of all) if (program.parent === parent) found.add(program.pid);
  return [...found].filter((one) => one === pid || all.some((program) => program.pid === one && program.group === one));
}

function kill(group) {
  try {
    process.kill(-group, "SIGKILL");
    return true;
  } catch {
    // Everything in it has ended.
    return false;
  }
}

/**
 * Ends the group of a program, and those that the programs below it lead: until nothing of them is left, because a member may just
 * be starting another.
 */
export async function endGroup(child) {
  const led = groupsOf(child);
  for (let tries = 0; led.filter(kill).length > 0 && tries < 20; tries += 1) await sleep(50);
  groups.delete(child);
}

/** Ends every group, and those that are started from now on. */
export function endGroups() {
  isEnding = true;
  return Promise.all([...groups].map(endGroup));
}
