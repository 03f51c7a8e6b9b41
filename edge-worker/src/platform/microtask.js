/**
 * `queueMicrotask` for the bindings, which resume waiting tasks by it. The platform's own leaves the engine and costs more
 * than what follows; a promise that is resolved does not.
 */
import { trapped } from "./trap.js";

const resolved = Promise.resolve();

export function queueMicrotask(task) {
  resolved.then(task).catch((error) => {
    trapped.note(error);
    throw error;
  });
}
