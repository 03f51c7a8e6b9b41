/** `make deploy` with wrangler itself, against a stand-in for the API of Cloudflare: its outputs are read as they are. */
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { WRANGLER } from "../../scripts/database.mjs";
import { configOf } from "../../scripts/deploy/config.mjs";
import { at, filesUnder, run } from "../../scripts/project.mjs";
import { OPERATOR_TOKEN, SEAL_KEY, start } from "../worker/harness.mjs";
import { Account, PUBLIC_URL, folder, linkOf } from "./account.mjs";
import { startCloudflare } from "./cloudflare.mjs";

test("wrangler itself bundles the configuration that is written", { timeout: 240_000 }, async () => {
  const path = folder();
  for (const ids of [undefined, { database_id: "7a1f6c0e-4b7d-4f0b-9a51-0f6f3f1f2a10", namespace_id: "0f2ac74b498b48028cb68387c421e279" }]) {
    const config = join(path, "wrangler.json");
    writeFileSync(config, JSON.stringify(configOf({ name: "pay", public_url: PUBLIC_URL, account: "4f1c0a7be2d94d35a8c6b19e70d2f583", ids })));
    const printed = await run(process.execPath, [WRANGLER, "deploy", "--dry-run", "--outdir", join(path, "out"), "--config", config], { quiet: true, env: { TILL_PROFILE: "development" } });
    assert.match(printed, /--dry-run: exiting now/);
    for (const binding of ["pay-doorbells", "pay-due", PUBLIC_URL.slice(0, 20), "FILES", "DB"]) assert.ok(printed.includes(binding), `${binding}\n${printed}`);
    assert.ok(existsSync(join(path, "out", "index.js")));
  }
});

test("it makes, deploys and checks everything, twice, and its log has no secret", { timeout: 280_000 }, async () => {
  const cloudflare = await startCloudflare();
  const till = await start({ bindings: { PUBLIC_URL } });
  const [account, home] = [new Account(), folder()];
  account.know();
  const env = {
    WRANGLER, CLOUDFLARE_API_BASE_URL: cloudflare.url, CLOUDFLARE_API_TOKEN: "token-of-the-tests", XDG_CONFIG_HOME: home, WRANGLER_LOG_PATH: join(home, "logs"),
    CHECK_AT: till.url, TILL_PROFILE: "development",
  };
  try {
    const links = [];
    for (let round = 1; round <= 2; round += 1) {
      const done = await account.deploy(env);
      assert.equal(done.code, 0, done.printed);
      links.push(linkOf(done));
    }
    assert.deepEqual(cloudflare.unknown, []);
    const { databases, namespaces, queues, workers, migrations, domains } = cloudflare.account;
    assert.deepEqual([databases.length, namespaces.length, queues.length, Object.keys(workers)], [1, 1, 3, ["till"]]);
    assert.deepEqual(migrations, readdirSync(at("edge-worker", "migrations")).sort());
    assert.deepEqual([workers.till.secrets, workers.till.deployments], [account.of("secrets"), 2]);
    assert.ok(domains.includes("pay.example.com"));
    const bindings = workers.till.metadata.bindings.map(({ name, id, namespace_id, text, queue_name }) => [name, id ?? namespace_id ?? text ?? queue_name]);
    const bound = Object.fromEntries(bindings);
    assert.deepEqual([bound.DB, bound.FILES, bound.PUBLIC_URL, bound.DOORBELLS], [databases[0].uuid, namespaces[0].id, PUBLIC_URL, "till-doorbells"]);
    assert.ok(links[0] && links[0] === links[1]);
    assert.ok(filesUnder(join(home, "logs")).length > 0, "wrangler has a log");
    for (const file of filesUnder(home)) assert.ok(![SEAL_KEY, OPERATOR_TOKEN].some((secret) => readFileSync(file, "utf8").includes(secret)), file);
  } finally {
    cloudflare.stop();
    await till.end();
  }
});
