/**
 * A proxy on loopback between the Worker and a gateway, which can do to each request what networks and servers do: `choose` is
 * asked for every request and names one of `FAULTS`.
 */
import { createServer, request as send } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

const HTML = "<!doctype html><html><head><title>502 Bad Gateway</title></head><body><h1>Bad Gateway</h1></body></html>";
/** How many bytes a slow answer sends at a time, and after how many milliseconds the next ones follow. */
const DRIP = { bytes: 256, wait: 5 };

/**
 * What can happen to a request. `Before` means that the gateway never got it, and `after` that it did what was asked.
 * The two silences last until the Worker gives up.
 */
export const FAULTS = {
  none: async (proxy, exchange) => exchange.respond(await exchange.forward()),
  "reset before": async (proxy, exchange) => exchange.reset(),
  "reset after": async (proxy, exchange) => {
    await exchange.forward();
    exchange.reset();
  },
  "silence before": async (proxy, exchange) => proxy.silent.add(exchange),
  "silence after": async (proxy, exchange) => {
    await exchange.forward();
    proxy.silent.add(exchange);
  },
  "truncated body": async (proxy, exchange) => {
    const answer = await exchange.forward();
    exchange.respond({ ...answer, body: answer.body.subarray(0, Math.floor(answer.body.length / 2)) });
  },
  drip: async (proxy, exchange) => {
    const answer = await exchange.forward();
    exchange.begin(answer, answer.body.length);
    for (let from = 0; from < answer.body.length; from += DRIP.bytes) {
      exchange.response.write(answer.body.subarray(from, from + DRIP.bytes));
      await sleep(DRIP.wait);
    }
    exchange.response.end();
  },
  "delivered twice": async (proxy, exchange) => {
    await exchange.forward();
    exchange.respond(await exchange.forward());
  },
  "Content-Length too long": async (proxy, exchange) => {
    const answer = await exchange.forward();
    exchange.begin(answer, answer.body.length + 64);
    exchange.response.write(answer.body, () => exchange.reset());
  },
  "Content-Length too short": async (proxy, exchange) => {
    const answer = await exchange.forward();
    const short = Math.floor(answer.body.length / 3);
    const lines = [`HTTP/1.1 ${answer.status} OK`, `content-type: ${answer.headers["content-type"] ?? "text/plain"}`, `content-length: ${short}`, "connection: close"];
    exchange.socket.write(`${lines.join("\r\n")}\r\n\r\n`);
    exchange.socket.end(answer.body);
  },
  "500 after": async (proxy, exchange) => {
    await exchange.forward();
    exchange.respond({ status: 500, headers: { "content-type": "application/json" }, body: Buffer.from("{}") });
  },
  "503 before": async (proxy, exchange) => exchange.respond({ status: 503, headers: { "content-type": "text/plain" }, body: Buffer.from("busy") }),
  "HTML before": async (proxy, exchange) => exchange.respond({ status: 502, headers: { "content-type": "text/html" }, body: Buffer.from(HTML) }),
  "HTML after": async (proxy, exchange) => {
    await exchange.forward();
    exchange.respond({ status: 200, headers: { "content-type": "text/html" }, body: Buffer.from(HTML) });
  },
};

/** One request of the Worker. */
class Exchange {
  constructor(target, incoming, response, body) {
    Object.assign(this, { target, incoming, response, body, socket: incoming.socket });
  }

  /** Passes the request on, byte for byte; returns the whole answer. */
  forward() {
    const { method, url, headers } = this.incoming;
    return new Promise((resolve, reject) => {
      const passed = send(`${this.target}${url}`, { method, headers: { ...headers, host: new URL(this.target).host }, agent: false }, async (answer) => {
        const chunks = [];
        for await (const chunk of answer) chunks.push(chunk);
        const { "transfer-encoding": _, connection: __, ...others } = answer.headers;
        resolve({ status: answer.statusCode, headers: others, body: Buffer.concat(chunks) });
      });
      passed.on("error", reject).end(this.body);
    });
  }

  begin({ status, headers }, length) {
    this.response.writeHead(status, { ...headers, "content-length": length });
  }

  respond(answer) {
    this.begin(answer, answer.body.length);
    this.response.end(answer.body);
  }

  reset() {
    this.socket.destroy();
  }
}

export class FaultProxy {
  /** Names the fault of a request, which is `{ method, path, body }`. */
  choose = () => "none";
  /** How often each fault was done. */
  counts = {};
  /** What waits for an answer that never comes. */
  silent = new Set();
  /** What went wrong in the proxy itself. */
  errors = [];
  #server = createServer((incoming, response) => this.#serve(incoming, response));

  /** Listens in front of a server. */
  async listen(target) {
    this.target = target;
    await new Promise((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    this.origin = `http://127.0.0.1:${this.#server.address().port}`;
    return this;
  }

  close() {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(resolve));
  }

  /** Does one fault to the first request that `of` accepts, and nothing to the others. */
  once(fault, of = () => true) {
    let isDone = false;
    this.choose = (request) => {
      if (isDone || !of(request)) return "none";
      isDone = true;
      return fault;
    };
  }

  heal() {
    this.choose = () => "none";
  }

  async #serve(incoming, response) {
    const chunks = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const fault = this.choose({ method: incoming.method, path: incoming.url, body: body.toString("utf8") });
    this.counts[fault] = (this.counts[fault] ?? 0) + 1;
    try {
      await FAULTS[fault](this, new Exchange(this.target, incoming, response, body));
    } catch (error) {
      this.errors.push(`${fault}: ${error.stack}`);
      response.destroy();
    }
  }
}
