/** What happens if the WebAssembly module traps: by a panic, out of bounds or out of memory. */

/** The callers that wait for an answer of the module. */
export const inFlight = new Set();

/** Whether the module trapped. */
export const trapped = {
  is: false,

  /** Notes a trap; its module answers no one any more. */
  note(error) {
    if (!(error instanceof WebAssembly.RuntimeError)) return;
    console.error("Critical", error);
    trapped.is = true;
    for (const caller of inFlight) caller.reject(error);
    inFlight.clear();
  },
};
