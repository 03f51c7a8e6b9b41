/** Load: a fixed number of requests over eight connections that stay open. */
import { Agent, request } from "node:http";

export const CONNECTIONS = 8;

/** Sends one request; returns the body. */
function send(agent, url, common, { method, path, body, status, headers: own }) {
  return new Promise((resolve, reject) => {
    const headers = { ...common, ...own };
    const all = body === undefined ? headers : { ...headers, "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    const outgoing = request(`${url}${path}`, { agent, method, headers: all }, (response) => {
      const chunks = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString();
        if (response.statusCode === status) resolve(text);
        else reject(new Error(`${method} ${path} was answered ${response.statusCode} ${text}`));
      });
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

/**
 * One round. `next` makes the request of a number; `see` gets every body.
 *
 * @returns {Promise<{perSecond: number, latencies: number[]}>} latencies in milliseconds
 */
export async function round({ url, headers }, count, next, see = () => {}) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const latencies = [];
  let number = 0;
  const connection = async () => {
    while (number < count) {
      const wanted = next(number++);
      const sent = performance.now();
      const body = await send(agent, url, headers, wanted);
      latencies.push(performance.now() - sent);
      see(body);
    }
  };
  const started = performance.now();
  try {
    await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  } finally {
    agent.destroy();
  }
  return { perSecond: (count * 1000) / (performance.now() - started), latencies };
}

/** The value below which `share` of the values are. */
export function quantile(values, share) {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

/** The middle one of the values, or the mean of the two in the middle. */
export function median(values) {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
