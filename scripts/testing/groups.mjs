/** Programs that lead a process group, so that they end together with everything that they started. */
import { setTimeout as sleep } from "node:timers/promises";

const groups = new Set();
let isEnding = false;

/** Notes a program that was started with `detached`. */
export function note(child) {
  groups.add(child);
  if (isEnding) kill(child);
  return child;
}

function kill(child) {
  try {
    process.kill(-child.pid, "SIGKILL");
    return true;
  } catch {
    // Everything in it has ended.
    return false;
  }
}

/** Ends the group of a program: until nothing of it is left, because a member may just be starting another. */
export async function endGroup(child) {
  for (let tries = 0; kill(child) && tries < 20; tries += 1) await sleep(50);
  groups.delete(child);
}

/** Ends every group, and those that are started from now on. */
export function endGroups() {
  isEnding = true;
  return Promise.all([...groups].map(endGroup));
}
