/**
 * The Worker as the platform sees it: plain handlers around the WebAssembly module, which `scripts/build.mjs` bundles
 * with the bindings.
 */
import { __wbg_reset_state as startAgain, answer, consume, scheduled as runDue } from "till";
import { linesOf } from "./platform/platform.js";
import { inFlight, trapped } from "./platform/trap.js";

Error.stackTraceLimit = 100;

/** Calls an export of the module. One that trapped is not used again: its memory may be half changed. */
function call(exported, ...values) {
  if (trapped.is) {
    console.log("Reinitializing Wasm application");
    startAgain();
    trapped.is = false;
  }
  try {
    return exported(...values);
  } catch (error) {
    trapped.note(error);
    throw error;
  }
}

/** Method, address, and the names and values of the headers, a line each: no header contains a line break. */
const head = ({ method, url, headers }) => `${method}\n${url}${linesOf(headers)}`;

export default {
  fetch(request, env, context) {
    const answered = new Promise((resolve, reject) => {
      const caller = { resolve, reject };
      inFlight.add(caller);
      call(answer, head(request), request, env, context, caller);
    });
    // A payer who closes the page must not interrupt a payment: the runtime waits for every answer.
    context.waitUntil(answered);
    return answered;
  },

  async queue(batch, env, context) {
    const texts = batch.messages.map(({ body }) => (typeof body === "string" ? body : ""));
    const again = await new Promise((resolve, reject) => {
      const caller = { resolve, reject };
      inFlight.add(caller);
      call(consume, batch.queue, texts, env, context, caller);
    });
    batch.messages.forEach((message, at) => (again.includes(at) ? message.retry() : message.ack()));
  },

  scheduled(event, env, context) {
    return call(runDue, event, env, context);
  },
};
