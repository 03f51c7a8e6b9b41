/**
 * A receiver of webhooks in a process of its own: answers everything with `STATUS`, 200 without it, and prints a line for each
 * request: its id and when it came.
 */
import { createServer } from "node:http";

const status = Number(process.env.STATUS ?? 200);

createServer((request, response) => {
  const at = Date.now();
  request.resume().on("end", () => {
    response.writeHead(status, { "content-type": "text/plain" }).end("ok");
    process.stdout.write(`${JSON.stringify({ id: request.headers["webhook-id"], path: request.url, at })}\n`);
  });
}).listen(0, "127.0.0.1", function ready() {
  process.stdout.write(`${JSON.stringify({ origin: `http://127.0.0.1:${this.address().port}` })}\n`);
});
