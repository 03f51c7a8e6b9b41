/**
 * `queueMicrotask` for the bindings, which resume every waiting task by it. The platform's own goes through its host and
 * costs more than all that follows; a promise that is resolved does not leave the engine.
 */

/** Whether the WebAssembly module trapped: out of bounds, out of memory or a panic. */
export const trapped = {
  is: false,
  note(error) {
    if (!(error instanceof WebAssembly.RuntimeError)) return;
    console.error("Critical", error);
    trapped.is = true;
  },
};

const resolved = Promise.resolve();

export function queueMicrotask(task) {
  resolved.then(task).catch((error) => {
    trapped.note(error);
    throw error;
  });
}
