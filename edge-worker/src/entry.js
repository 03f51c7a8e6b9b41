/**
 * The Worker as the platform sees it: plain handlers around the WebAssembly module, which `scripts/build.mjs` bundles
 * with the bindings.
 *
 * A module that trapped is not used again: its memory may be half changed. The next call starts it again.
 */
import { __wbg_reset_state as startAnew, fetch as answer, scheduled as runDue } from "till";
import { trapped } from "./microtask.js";

Error.stackTraceLimit = 100;

/** Calls an export of the module. */
function call(exported, event, env, context) {
  if (trapped.is) {
    console.log("Reinitializing Wasm application");
    startAnew();
    trapped.is = false;
  }
  try {
    return exported(event, env, context);
  } catch (error) {
    trapped.note(error);
    throw error;
  }
}

export default {
  /** A payer who closes the page must not interrupt a payment: the runtime waits for every answer. */
  fetch(request, env, context) {
    const answered = call(answer, request, env, context);
    context.waitUntil(answered);
    return answered;
  },

  scheduled(event, env, context) {
    return call(runDue, event, env, context);
  },
};
