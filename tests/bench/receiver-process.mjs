/**
 * Receivers of webhooks in a process of their own: one server on every address of 127.0.0.0/8, so that each address is a
 * receiver. What it does is in the path: `/ok` answers 200, `/slow/<ms>` after a while, `/fail` 500, `/cut` closes the
 * connection, `/hang` never answers; `/mixed/<percent>` misbehaves in one of these ways by chance, for so many of a hundred.
 * The parent asks by messages: `received` for what came, `reset` to begin again, `down` and `up` to let `/ok` fail or not.
 */
import { createServer } from "node:http";

const received = [];
let isDown = false;

const server = createServer((request, response) => {
  request.on("error", () => {});
  const at = Date.now();
  let body = "";
  request.on("data", (chunk) => (body += chunk));
  request.on("end", () => {
    const note = { id: request.headers["webhook-id"], at, to: request.headers.host, path: request.url, status: 0, body };
    received.push(note);
    answer(note, request, response);
  });
});

function answer(note, request, response) {
  const say = (status) => {
    note.status = status;
    response.writeHead(status).end();
  };
  const [, what, how] = note.path.split("/");
  if (what === "ok") say(isDown ? 503 : 200);
  else if (what === "slow") setTimeout(() => say(200), Number(how));
  else if (what === "fail") say(500);
  else if (what === "cut") request.socket.destroy();
  else if (what === "mixed" && Math.random() * 100 < Number(how)) {
    const [fault] = ["fail", "cut", "hang", "slow/400"].sort(() => Math.random() - 0.5);
    answer(Object.assign(note, { path: `/${fault}` }), request, response);
  } else if (what === "mixed") say(200);
  else if (what !== "hang") say(404);
}

server.listen(0, "0.0.0.0", () => process.send({ port: server.address().port }));

process.on("message", ({ ask, number }) => {
  if (ask === "reset") received.length = 0;
  if (ask === "down" || ask === "up") isDown = ask === "down";
  process.send({ number, received: ask === "received" ? received : undefined });
});
process.on("disconnect", () => process.exit());
