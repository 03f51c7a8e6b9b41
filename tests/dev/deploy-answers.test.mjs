/** What `make deploy` must know, and the configuration that it writes. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { called, collect, publicUrl } from "../../scripts/deploy/answers.mjs";
import { configOf } from "../../scripts/deploy/config.mjs";
import { isPlaceholder } from "../../scripts/deploy/resources.mjs";
import { at } from "../../scripts/project.mjs";
import { PUBLIC_URL, folder } from "./account.mjs";

describe("answers", () => {
  const given = (env, args = []) => called(args, env, { isTTY: false });
  const refusal = (env, args) => collect(given(env, args)).then((answers) => assert.fail(JSON.stringify(answers)), (error) => error.message);

  test("an address that payers can reach is taken, and nothing else", () => {
    for (const right of ["https://pay.example.com", "https://PAY.example.com/", "https://till.shop.workers.dev", "https://pay.shop.com.kw", "https://xn--mgbh0fb.xn--mgberp4a5d4ar"]) {
      assert.match(publicUrl(right), /^https:\/\/[a-z0-9.-]+$/);
    }
    for (const [wrong, why] of [
      ["http://pay.example.com", /https/], ["https://localhost", /public name/], ["https://127.0.0.1", /IP/], ["https://127.1", /IP/], ["https://2130706433", /IP/], ["https://[::1]", /IP/],
      ["https://10.0.0.7", /IP/], ["https://0.0.0.0", /IP/], ["https://203.0.113.7", /IP/], ["https://a.localhost", /public name/], ["https://till", /public name/], ["https://till.local", /public name/],
      ["https://shop.internal", /public name/], ["https://shop.test", /public name/], ["https://localhost.", /public name/], ["https://pay.example.com/till", /alone/], ["https://pay.example.com?a=b", /alone/],
      ["https://pay.example.com/?", /alone/], ["https://pay.example.com/#", /alone/], ["https://a:b@pay.example.com", /alone/], ["https://pay.example.com:8443", /no port/], ["pay.example.com", /such as/], ["", /such as/],
      ["http://127.0.0.1:8787", /https/], ["javascript:alert(1)", /https/],
    ]) assert.throws(() => publicUrl(wrong), why, wrong);
  });

  test("without a terminal everything that is missing or wrong is said at once", async () => {
    assert.match(await refusal({}), /^Nothing was done\.\n {2}PUBLIC_URL is missing.*\nGive answers as make deploy VARIABLE=value, in the environment, or in a file: ANSWERS=file$/);
    const said = await refusal({ TILL_NAME: "Till!", PUBLIC_URL: "http://localhost:8787", MERCHANT: "My shop", SETTINGS: "/no/such/file" });
    for (const name of ["TILL_NAME must be", "PUBLIC_URL must begin with https", "MERCHANT must be", "SETTINGS must be a file, and there is no /no/such/file"]) assert.ok(said.includes(name), said);
    assert.match(await refusal({ PUBLIC_URL, CLOUDFLARE_ACCOUNT_ID: "0".repeat(32) }), /CLOUDFLARE_ACCOUNT_ID must be the id of an account/);
    assert.match(await refusal({ TILL_NAME: "pay", PUBLIC_URL: "https://till.shop.workers.dev" }), /must be https:\/\/pay\.<your subdomain>\.workers\.dev/);
    assert.match(await refusal({ PUBLIC_URL, SHOP_NAME: "\u202eshop" }), /SHOP_NAME must be/);
    assert.throws(() => called(["--publik-url", "x"], {}, {}), /Flags: --name --public-url/);
  });

  test("flags come before the environment, the environment before the file, the file before an earlier run", async () => {
    const path = join(folder(), "answers");
    writeFileSync(path, "# the shop\nTILL_NAME=from-file\nexport MERCHANT='file-shop'\nSHOP_NAME=\"From file\"\nPUBLIC_URL=https://file.example.com\n");
    const answers = await collect(given({ ANSWERS: path, PUBLIC_URL, MERCHANT: "env-shop" }, ["--merchant", "flag-shop"]), () => ({ "shop-name": "Earlier", settings: "" }));
    assert.deepEqual(answers, { name: "from-file", "public-url": PUBLIC_URL, merchant: "flag-shop", settings: "", "shop-name": "From file" });
    writeFileSync(path, JSON.stringify({ PUBLIC_URL }));
    const usual = await collect(given({ ANSWERS: path }), (name) => (name === "till" ? { "shop-name": "Earlier" } : {}));
    assert.deepEqual([usual["public-url"], usual["shop-name"], usual.name], [PUBLIC_URL, "Earlier", "till"]);
    writeFileSync(path, "PUBLICURL=x\n");
    assert.throws(() => given({ ANSWERS: path }), /ANSWERS has PUBLICURL/);
  });

  test("at a terminal only what is missing is asked, again until it is right", async () => {
    const questions = [];
    const replies = ["till", "http://localhost", PUBLIC_URL, "", "", "My shop"];
    const ask = async (question) => {
      questions.push(question);
      return replies.shift();
    };
    assert.deepEqual(await collect({ given: {}, ask }), { name: "till", "public-url": PUBLIC_URL, merchant: "shop", settings: "", "shop-name": "My shop" });
    assert.equal(questions.length, 6);
    assert.match(questions[0], /\[till\]$/);
    const settings = at("scripts", "demo-settings.json");
    assert.deepEqual(await collect({ given: { name: "till", "public-url": PUBLIC_URL, merchant: "shop", settings }, ask: () => assert.fail("asked") }), { name: "till", "public-url": PUBLIC_URL, merchant: "shop", settings });
  });
});

describe("the configuration", () => {
  const ids = { database_id: "7a1f6c0e-4b7d-4f0b-9a51-0f6f3f1f2a10", namespace_id: "0f2ac74b498b48028cb68387c421e279" };
  const of = (more) => configOf({ name: "till", public_url: PUBLIC_URL, ids, ...more });

  test("placeholder ids are refused", () => {
    for (const id of ["00000000-0000-0000-0000-000000000000", "00000000000000000000000000000002", "11111111-1111-1111-1111-111111111111", "f".repeat(32)]) assert.ok(isPlaceholder(id), id);
    for (const id of Object.values(ids)) assert.ok(!isPlaceholder(id), id);
    assert.throws(() => of({ ids: { ...ids, database_id: "00000000-0000-0000-0000-000000000000" } }), /database_id is a placeholder/);
    assert.throws(() => of({ ids: { ...ids, namespace_id: "00000000000000000000000000000002" } }), /id of FILES is a placeholder/);
    assert.throws(() => of({ ids: { namespace_id: ids.namespace_id } }), /database_id is a placeholder/);
  });

  test("it has the address, the ids and the names of its own, and all that wrangler.toml has", () => {
    const config = of({ name: "pay", account: "4f1c0a7be2d94d35a8c6b19e70d2f583" });
    assert.deepEqual([config.name, config.account_id, config.vars.PUBLIC_URL, config.workers_dev, config.routes], ["pay", "4f1c0a7be2d94d35a8c6b19e70d2f583", PUBLIC_URL, false, [{ pattern: "pay.example.com", custom_domain: true }]]);
    assert.deepEqual([config.d1_databases[0].database_name, config.d1_databases[0].database_id, config.kv_namespaces[0].id], ["pay", ids.database_id, ids.namespace_id]);
    assert.deepEqual([...config.queues.producers, ...config.queues.consumers].map(({ queue }) => queue), ["pay-doorbells", "pay-due", "pay-doorbells", "pay-due", "pay-dead"]);
    assert.deepEqual(config.queues.consumers.map(({ dead_letter_queue }) => dead_letter_queue), ["pay-dead", "pay-dead", undefined]);
    const usual = of();
    assert.deepEqual(usual.ratelimits.map(({ namespace_id }) => namespace_id), ["7001", "7002", "7003"]);
    assert.equal(config.ratelimits.filter(({ namespace_id }) => usual.ratelimits.some((one) => one.namespace_id === namespace_id)).length, 0);
    assert.deepEqual([usual.triggers.crons, usual.observability.enabled, usual.compatibility_flags.length], [["* * * * *"], true, 2]);
    const atWorkersDev = of({ public_url: "https://till.shop.workers.dev" });
    assert.deepEqual([atWorkersDev.workers_dev, atWorkersDev.routes], [true, undefined]);
  });
});
