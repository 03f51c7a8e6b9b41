/**
 * Replaces wrangler in the tests of `make dev`: serves on the port that it gets, and forwards to the real
 * wrangler. `FRONT_REFUSES` is how many calls of the operator API are refused first, `FRONT_STATUS` with what
 * (`drop` cuts the connection, `lose` does so when the call is done), `FRONT_ALONE` leaves wrangler out: then
 * only the health check is answered.
 */
import { spawn } from "node:child_process";
import http from "node:http";
import { at } from "../../scripts/project.mjs";
import { freePort } from "../worker/runtime.mjs";

const args = process.argv.slice(2);
const place = args.indexOf("--port") + 1;
const port = Number(args[place]);
const behind = await freePort();
const status = process.env.FRONT_STATUS ?? "503";
let refusals = Number(process.env.FRONT_REFUSES ?? 0);

function refuse(request, response) {
  if (status === "drop") return request.socket.destroy();
  response.writeHead(Number(status), { "content-type": "text/plain" });
  return response.end("not now");
}

function pass(request, response, isLost = false) {
  const { method, url, headers } = request;
  const inner = http.request({ host: "127.0.0.1", port: behind, method, path: url, headers }, (answer) => {
    if (isLost) return answer.resume().on("end", () => request.socket.destroy());
    response.writeHead(answer.statusCode, answer.headers);
    return answer.pipe(response);
  });
  inner.on("error", () => request.socket.destroy());
  request.pipe(inner);
}

http.createServer((request, response) => {
  if (request.url.startsWith("/b/operator/") && refusals > 0) {
    refusals -= 1;
    return status === "lose" ? pass(request, response, true) : refuse(request, response);
  }
  if (!process.env.FRONT_ALONE) return pass(request, response);
  response.writeHead(200);
  return response.end();
}).listen(port, "127.0.0.1");

if (!process.env.FRONT_ALONE) {
  const wrangler = at("node_modules", "wrangler", "bin", "wrangler.js");
  const child = spawn(process.execPath, [wrangler, ...args.with(place, String(behind))], { stdio: "inherit" });
  child.on("exit", (code) => process.exit(code ?? 1));
}
