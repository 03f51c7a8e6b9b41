/**
 * The status of a receiver decides, whatever becomes of the body behind it; and a try that ends its sender is counted, over real
 * sockets and with a runtime that is killed.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { start } from "./harness.mjs";
import { eventually, open } from "./payer.mjs";
import { payByWallet } from "./wallets.mjs";

const persist = mkdtempSync(join(tmpdir(), "till-lost-"));
/** @type {import("./harness.mjs").Till} */
let till;
const servers = [];

before(async () => {
  till = await start({ sockets: true, persist });
  await till.createMerchant();
});
after(async () => {
  for (const server of servers) server.close();
  await till.stop();
  rmSync(persist, { recursive: true, force: true });
});

/** A receiver that writes these bytes to each request, and nothing more; `asked` counts. */
async function receiver(bytes) {
  const found = { asked: 0, sockets: [] };
  const server = createServer((socket) => {
    found.sockets.push(socket);
    socket.on("error", () => {}).once("data", () => {
      found.asked += 1;
      socket.write(bytes);
    });
  }).listen(0, "127.0.0.1");
  servers.push({ close: () => (found.sockets.forEach((socket) => socket.destroy()), server.close()) });
  await once(server, "listening");
  found.url = `http://127.0.0.1:${server.address().port}/hook`;
  return found;
}

async function paid(webhook_url) {
  const payment = await open(till, { pg_codes: ["credit-card"], webhook_url });
  assert.equal((await payByWallet(till, payment)).status, 200);
  return payment;
}

const log = async ({ session_id }) => {
  const own = (path) => till.call(`/b/access/v1/deliveries/${path}`, { headers: till.privateKey() });
  const [{ id }] = (await own(`?session_id=${session_id}`)).body.results;
  return (await own(`${id}/`)).body;
};

const HEAD = "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n";
for (const [name, bytes] of [
  ["is announced and does not come", `${HEAD}content-length: 100\r\n\r\n`],
  ["stops in the middle", `${HEAD}content-length: 100\r\n\r\nhello`],
  ["is in parts that never end", `${HEAD}transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n`],
  ["has no end", `${HEAD}connection: close\r\n\r\nhello`],
]) {
  test(`a 200 whose body ${name} is delivered, and nobody waits for the rest`, async () => {
    const shop = await receiver(bytes);
    const payment = await paid(shop.url);
    const { delivery, tries } = await eventually("it is delivered", async () => {
      const found = await log(payment);
      return found.delivery.state === "delivered" && found;
    });
    assert.deepEqual([tries.length, tries[0].status, tries[0].error, delivery.failed_tries], [1, 200, null, 0]);
    assert.ok(tries[0].duration_ms < 3_000, `${tries[0].duration_ms} ms`);
    assert.equal(shop.asked, 1);
  });
}

test("a try whose sender is killed is in the log as lost, counts, and the next one follows by the schedule", async () => {
  const shop = await receiver("");
  const payment = await paid(shop.url);
  for (let tries = 1; tries <= 2; tries += 1) {
    await eventually(`try ${tries} is under way`, () => shop.asked === tries);
    await till.killHard();
    await till.restart();
    // A minute later.
    await till.rows("UPDATE delivery SET lease_until = lease_until - 61000, due_at = due_at - 61000 WHERE session_id = ?1", payment.session_id);
    // The run waits for the receiver of the next try, and ends with the runtime.
    const run = till.scheduled().catch(() => {});
    const found = await eventually("it is counted", async () => {
      const read = await log(payment);
      return read.delivery.failed_tries === tries && read;
    });
    assert.deepEqual(found.tries.map(({ status, error }) => [status, error]), Array(tries).fill([null, "lost"]));
    if (tries === 2) await run;
  }
  // The third waits five minutes after the second.
  assert.equal(shop.asked, 2);
  const [{ due_at, state }] = await till.rows("SELECT due_at, state FROM delivery WHERE session_id = ?1", payment.session_id);
  assert.equal(state, "due");
  assert.ok(due_at > Date.now() + 120_000, `${due_at - Date.now()} ms`);
});

test("a status whose encoding is a lie counts, and what it ends ends only its try", async () => {
  const shop = await receiver(`${HEAD}content-encoding: gzip\r\ncontent-length: 11\r\n\r\nhello world`);
  const payment = await paid(shop.url);
  const { delivery } = await eventually("it is delivered", async () => {
    const found = await log(payment);
    return found.delivery.state === "delivered" && found;
  });
  assert.equal(delivery.last_status, 200);
  assert.equal((await till.fetch("/healthz")).status, 200);
});
