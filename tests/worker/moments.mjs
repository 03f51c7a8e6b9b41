/** Moments of the clock at which a test begins. */
import { setTimeout as sleep } from "node:timers/promises";

export const MINUTE = 60_000;
export const DAY = 86_400_000;
/** How far the clocks of Kuwait are ahead. */
export const KUWAIT = 10_800_000;

/** Waits, if less than twenty seconds of a minute or a day are left, for the next one: all that a test counts is in one. */
export async function wellWithin(period, ahead = 0) {
  const left = period - ((Date.now() + ahead) % period);
  if (left < 20_000) await sleep(left + 50);
}
