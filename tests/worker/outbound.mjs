/** The requests of a Worker under test: recorded, and answered by the routes of the test. */
import { setTimeout as sleep } from "node:timers/promises";
import { Response as OutboundResponse } from "miniflare";
import { faultsOfWebhook } from "./description.mjs";

/**
 * The answer of a route of `outbound`: the `Response` of the runtime, which cannot be replaced by Node's own.
 */
export { OutboundResponse };

const isAddress = (wanted, url) => (wanted instanceof RegExp ? wanted.test(url) : wanted === url);

/**
 * What the Worker sent, and what it was answered.
 *
 * @typedef {object} Sent
 * @property {string} method
 * @property {string} url
 * @property {Record<string, string>} headers names in lower case
 * @property {string} body the exact text
 */

/** Answers the Worker's own requests by registered routes and records all of them. */
export class Outbound {
  /** @type {Sent[]} every request, in the order of arrival */
  sent = [];
  /** @type {Sent[]} those that no route answered */
  unmatched = [];
  /** @type {string[]} what webhooks have that the description does not say */
  undescribed = [];
  #routes = [];

  /**
   * Answers requests by `handler`. The route that was registered last is used.
   *
   * @param {string} method such as "POST", or "*"
   * @param {string | RegExp} url the whole address, or a pattern of it
   * @param {(sent: Sent) => Response | OutboundResponse | Promise<Response | OutboundResponse>} handler to
   *   hang, it never resolves
   * @returns {() => void} removes the route
   */
  on(method, url, handler) {
    const route = { method, url, handler };
    this.#routes.unshift(route);
    return () => {
      this.#routes = this.#routes.filter((other) => other !== route);
    };
  }

  /** The recorded requests to one address or pattern. */
  to(url) {
    return this.sent.filter((sent) => isAddress(url, sent.url));
  }

  /** Waits until `count` requests to `url` were seen; throws after `milliseconds`. */
  async waitFor(url, count = 1, milliseconds = 20_000) {
    const end = Date.now() + milliseconds;
    while (this.to(url).length < count) {
      if (Date.now() > end) throw new Error(`${this.to(url).length} of ${count} requests to ${url} within ${milliseconds} ms`);
      await sleep(10);
    }
    return this.to(url);
  }

  /** Deletes routes and records. */
  reset() {
    this.sent = [];
    this.unmatched = [];
    this.#routes = [];
  }

  /** Throws when a request found no route, or a webhook is not as described. */
  assertMatched() {
    const faults = this.undescribed.splice(0);
    if (faults.length > 0) throw new Error(`webhooks are not as described:\n${faults.join("\n")}`);
    if (this.unmatched.length === 0) return;
    const list = this.unmatched.map(({ method, url }) => `${method} ${url}`).join(", ");
    this.unmatched = [];
    throw new Error(`the Worker sent requests that no route of the test answers: ${list}`);
  }

  /** @internal the runtime hands every request of the Worker to this. */
  async answer(request) {
    const sent = {
      method: request.method,
      url: request.url,
      headers: Object.fromEntries(request.headers),
      body: await request.text(),
    };
    this.sent.push(sent);
    if (sent.headers["webhook-id"] !== undefined) this.undescribed.push(...faultsOfWebhook(sent.body).map((fault) => `${fault} in ${sent.body}`));
    const route = this.#routes.find(({ method, url }) => (method === "*" || method === sent.method) && isAddress(url, sent.url));
    if (route === undefined) {
      this.unmatched.push(sent);
      return new OutboundResponse("no route of the test answers this", { status: 599 });
    }
    const answer = await route.handler(sent);
    if (answer instanceof OutboundResponse) return answer;
    const body = answer.body === null ? null : await answer.arrayBuffer();
    return new OutboundResponse(body, { status: answer.status, headers: [...answer.headers] });
  }
}
