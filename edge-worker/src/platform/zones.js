/** Time zones, as the platform knows them. */

/** The clocks of time zones, by name. One is dear to make. */
const clocks = new Map();
const MOST_CLOCKS = 100;

function clockOf(zone) {
  if (clocks.has(zone)) return clocks.get(zone);
  if (clocks.size >= MOST_CLOCKS) clocks.clear();
  let clock;
  try {
    clock = new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" });
  } catch {
    // There is no such zone.
  }
  clocks.set(zone, clock);
  return clock;
}

/** By how many minutes clocks in a time zone are ahead of UTC, so many minutes after 1970. */
export function minutesAhead(zone, minutes) {
  const parts = clockOf(zone)?.formatToParts(minutes * 60_000);
  const offset = parts?.find(({ type }) => type === "timeZoneName").value;
  if (offset === undefined) return undefined;
  const [, sign, hours, rest] = /^GMT(?:([+-])(\d\d):(\d\d))?/.exec(offset);
  const ahead = Number(hours ?? 0) * 60 + Number(rest ?? 0);
  return sign === "-" ? -ahead : ahead;
}
