/**
 * A server on loopback in front of a counterparty that we did not write: it forwards requests and records who answered
 * them. A subclass adds what the counterparty lacks, and nothing else.
 */
import { createServer } from "node:http";

/**
 * One request to a front.
 *
 * @typedef {object} Exchange
 * @property {string} method
 * @property {string} path
 * @property {"counterparty" | "front"} by who decided what happens
 * @property {string[]} without the fields that were removed because the counterparty does not know them
 * @property {number} status
 */

const HOP = ["connection", "content-length", "host", "keep-alive", "transfer-encoding", "accept-encoding"];

export class Front {
  /** @type {Exchange[]} every request, in the order of arrival */
  exchanges = [];
  #server = createServer((incoming, response) => this.#serve(incoming, response));

  /** `target` is the origin of the counterparty. */
  constructor(target) {
    this.target = target;
  }

  async listen() {
    await new Promise((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    this.origin = `http://127.0.0.1:${this.#server.address().port}`;
    return this;
  }

  close() {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(resolve));
  }

  /** Answers a request; the usual answer is that of the counterparty. */
  answer(request) {
    return this.forward(request);
  }

  /** Asks the counterparty. `without` are the fields that were removed. */
  async forward({ method, path, search, headers, body }, without = []) {
    const sent = Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP.includes(name)));
    const response = await fetch(this.target + path + search, { method, headers: sent, body: body === "" ? undefined : body, redirect: "manual" });
    const answered = Object.fromEntries([...response.headers].filter(([name]) => !HOP.includes(name) && name !== "content-encoding"));
    return { status: response.status, headers: answered, body: await response.text(), by: "counterparty", without };
  }

  async #serve(incoming, response) {
    const chunks = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const { pathname: path, search, searchParams: query } = new URL(incoming.url, this.origin);
    const { method, headers } = incoming;
    try {
      const answer = await this.answer({ method, path, search, query, headers, body: Buffer.concat(chunks).toString("utf8") });
      const { status, by = "front", without = [] } = answer;
      this.exchanges.push({ method, path, by, without, status });
      response.writeHead(status, answer.headers).end(answer.body);
    } catch (error) {
      this.exchanges.push({ method, path, by: "front", without: [], status: 502 });
      response.writeHead(502, { "content-type": "text/plain" }).end(`${error.cause?.message ?? error.message}`);
    }
  }
}

/** An answer in JSON. */
export const json = (status, value, more = {}) => ({ status, headers: { "content-type": "application/json" }, body: JSON.stringify(value), ...more });

/** An answer that sends the browser on. */
export const redirect = (location) => ({ status: 303, headers: { location }, body: "" });

const escape = (text) => String(text).replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** A page with a form of buttons, for a person who tries a payment. `choices` are `[value, text]`. */
export function page(title, lines, choices) {
  const buttons = choices.map(([value, text]) => `<p><button name="choice" value="${escape(value)}">${escape(text)}</button></p>`).join("");
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escape(title)}</title><link rel="icon" href="data:,"><style>body{font:1rem/1.5 sans-serif;max-width:30rem;margin:3rem auto;padding:0 1rem}button{font:inherit;padding:.5rem 1rem;width:100%}</style>
<h1>${escape(title)}</h1>${lines.map((line) => `<p>${escape(line)}</p>`).join("")}<form method="post">${buttons}</form></html>`;
  return { status: 200, headers: { "content-type": "text/html; charset=utf-8" }, body: html };
}
