/** `queueMicrotask` for the bindings, which resume waiting tasks by it: a trap in a task is noticed, and nothing runs after it. */
import { trapped } from "./trap.js";

const resolved = Promise.resolve();

export function queueMicrotask(task) {
  resolved.then(() => trapped.is || task()).catch((error) => {
    trapped.note(error);
    throw error;
  });
}
