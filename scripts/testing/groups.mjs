/** Programs that lead a process group, so that they end together with everything that they started. */

const groups = new Set();

/** Notes a program that was started with `detached`. */
export function note(child) {
  groups.add(child);
  return child;
}

/** Ends the group of a program at once. */
export function endGroup(child) {
  groups.delete(child);
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // It has ended already.
  }
}

/** Ends every group at once. */
export function endGroups() {
  for (const child of groups) endGroup(child);
}
