/** Asking for the state of a transaction until it is final. */
import { FINAL } from "./facts.js";
import { RefusedError, UnexpectedAnswerError, UnreachableError } from "./errors.js";

/** @typedef {import("./types.js").Session} Session */

/**
 * @typedef {object} FollowOptions
 * @property {AbortSignal} [signal]
 * @property {number} [first] milliseconds until it asks for the second time; 2,000 without it
 * @property {number} [longest] the most milliseconds between two questions; 30,000 without it
 */

/**
 * Whether a state needs nothing more of the payer. A state that this version does not know is not final.
 *
 * @param {string} state
 */
export const isFinal = (state) => FINAL.includes(state);

/** What changes without any effect on the payer is no change. @param {Session} session */
const mark = ({ state, amount, currency_code, flex_methods, is_paused, payment_methods, response }) =>
  JSON.stringify([
    state, amount, currency_code, is_paused, flex_methods.length, payment_methods.map((method) => [method.code, method.amount, method.currency_code]),
    response.status, response.canceled_by, response.reference_number,
  ]);

/**
 * Resolves after a while in a page that is visible, or as soon as it becomes visible again, unless that is too early.
 *
 * @param {number} milliseconds
 * @param {boolean} isEarly whether it may be before that
 * @param {AbortSignal} signal
 * @returns {Promise<void>}
 */
const pause = (milliseconds, isEarly, signal) =>
  new Promise((resolve) => {
    const page = globalThis.document;
    const end = new AbortController();
    const look = () => {
      if (!signal.aborted && (page?.visibilityState === "hidden" || !isEarly)) return;
      clearTimeout(timer);
      end.abort();
      resolve();
    };
    const timer = setTimeout(() => {
      isEarly = true;
      look();
    }, milliseconds);
    page?.addEventListener("visibilitychange", look, { signal: end.signal });
    signal.addEventListener("abort", look, { signal: end.signal });
    if (signal.aborted) look();
  });

/** How long a refusal that says so must be waited for; undefined if asking again is of no use. @param {unknown} error */
function retryAfter(error) {
  if (error instanceof UnreachableError || error instanceof UnexpectedAnswerError) return 0;
  if (error instanceof RefusedError && (error.status === 429 || error.status >= 500)) return (error.retryAfter ?? 0) * 1000;
  return undefined;
}

/**
 * @param {(signal: AbortSignal) => Promise<Session>} load
 * @param {FollowOptions} options
 * @returns {AsyncGenerator<Session, void, void>}
 */
export async function* follow(load, { signal = new AbortController().signal, first = 2000, longest = 30_000 }) {
  let known;
  let answered = false;
  await pause(0, false, signal);
  for (let wait = first; !signal.aborted; wait = Math.min(wait * 1.5, longest)) {
    let least = 0;
    try {
      const session = await load(signal);
      answered = true;
      if (mark(session) !== known) {
        known = mark(session);
        wait = first;
        yield session;
      }
      if (isFinal(session.state)) return;
    } catch (error) {
      if (signal.aborted) return;
      const again = retryAfter(error);
      // A page that was never answered may be of an origin that is not listed: asking again does not help it.
      if (again === undefined || !answered) throw error;
      least = again;
    }
    await pause(Math.max(wait, least), least === 0, signal);
  }
}
