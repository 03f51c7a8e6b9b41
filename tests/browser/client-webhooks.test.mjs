/** What verifies webhooks in the TypeScript client, as a browser loads it: by WebCrypto alone. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { Webhook } from "standardwebhooks";
import { cases } from "../../clients/receivers/run.mjs";
import { buildClient } from "../../scripts/client.mjs";
import { at } from "../../scripts/project.mjs";
import { close, launch, open } from "./browser.mjs";

const PAGE = '<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>A shop</title></html>';

let browser, server, origin;
before(async () => {
  await buildClient();
  const file = readFileSync(at("clients", "typescript", "dist", "webhooks.js"));
  server = createServer((request, response) => {
    const isScript = request.url === "/webhooks.js";
    response.writeHead(200, { "content-type": isScript ? "text/javascript" : "text/html" }).end(isScript ? file : PAGE);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${server.address().port}`;
  browser = await launch();
});
after(async () => {
  await browser?.close();
  server?.close();
});

test("it accepts and refuses in Chromium what a receiver must, and signs as the official library does", async () => {
  const page = await open(browser);
  await page.goto(origin);
  const given = cases();
  const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
  const { verdicts, signed } = await page.evaluate(async ([list, key]) => {
    const { signWebhook, verifySignatureField, verifyWebhook } = await import("/webhooks.js");
    const judge = async ({ kind, headers, body, secrets, now, hmac_key }) => {
      const bytes = Uint8Array.from(atob(body), (letter) => letter.charCodeAt(0));
      if (kind === "field") return verifySignatureField(bytes, hmac_key);
      return verifyWebhook(bytes, headers, secrets, { now }).then(() => true, () => false);
    };
    return { verdicts: await Promise.all(list.map(judge)), signed: await signWebhook('{"a":"ب"}', key, { id: "evt_1", now: 1_767_225_600 }) };
  }, [given, secret]);
  const wrong = given.filter(({ expected }, place) => verdicts[place] !== (expected === "ok")).map(({ name }) => name);
  assert.deepEqual(wrong, []);
  assert.equal(signed["webhook-signature"], new Webhook(secret).sign("evt_1", new Date(1_767_225_600_000), '{"a":"ب"}'));
  await close(page);
});
