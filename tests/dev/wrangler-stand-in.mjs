/**
 * A stand-in for wrangler: what `make deploy` calls of it, with the outputs and errors of the version in node_modules, and an account
 * that is a file. `STAND_IN` is the folder of the account:
 *
 * - `account.json`: what it has, `calls.json`: every call with its arguments,
 * - `fault.json`: `{ at, how, after }`: what happens once at the call that begins with the words `at`; with `after` the call is done first.
 *   `how` is a name of `FAULTS`, or `kill`, which ends the caller.
 */
import { randomBytes, randomUUID } from "node:crypto";
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = process.env.STAND_IN;
const file = (name) => join(FOLDER, name);
const args = process.argv.slice(2);
const words = args.filter((word) => !word.startsWith("-"));
const flag = (name) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);

const EMPTY = { isLoggedIn: true, accounts: [{ name: "Shop", id: "4f1c0a7be2d94d35a8c6b19e70d2f583" }], databases: [], namespaces: [], queues: [], workers: {} };
const account = existsSync(file("account.json")) ? { ...EMPTY, ...JSON.parse(readFileSync(file("account.json"), "utf8")) } : EMPTY;
const save = () => writeFileSync(file("account.json"), JSON.stringify(account, undefined, 2));
appendFileSync(file("calls.json"), `${JSON.stringify({ args, account: process.env.CLOUDFLARE_ACCOUNT_ID })}\n`);

/** An error as wrangler prints it. */
function fail(text) {
  fault(true);
  process.stderr.write(`\n✘ [ERROR] ${text}\n\n\n🪵  Logs were written to "/root/.config/.wrangler/logs/wrangler.log"\n`);
  process.exit(1);
}
const refuse = (path, text, code) =>
  fail(`A request to the Cloudflare API (/accounts/${account.accounts[0].id}/${path}) failed.\n\n  ${text} [code: ${code}]\n\n  If you think this is a bug, please open an issue at: https://github.com/cloudflare/workers-sdk/issues/new/choose`);

const NOT_LOGGED_IN = "In a non-interactive environment, it's necessary to set a CLOUDFLARE_API_TOKEN environment variable for wrangler to work. Please go to https://developers.cloudflare.com/fundamentals/api/get-started/create-token/ for instructions on how to create an api token, and assign its value to CLOUDFLARE_API_TOKEN.";
const FAULTS = {
  quota: () => refuse("resource", "You have reached the limit of resources on the free tier: your quota is exceeded.", 7406),
  network: () => fail("fetch failed"),
  "logged-out": () => fail(NOT_LOGGED_IN),
  server: () => refuse("resource", "Internal error", 10001),
};

function fault(isAfter) {
  if (!existsSync(file("fault.json"))) return;
  const { at, how, after = false } = JSON.parse(readFileSync(file("fault.json"), "utf8"));
  if (after !== isAfter || !words.join(" ").startsWith(at)) return;
  rmSync(file("fault.json"));
  save();
  if (how !== "kill") return FAULTS[how]();
  process.kill(process.ppid, "SIGKILL");
  process.exit(137);
}

function requireAuth() {
  if (!account.isLoggedIn) fail(NOT_LOGGED_IN);
  const named = process.env.CLOUDFLARE_ACCOUNT_ID;
  if (named === undefined && account.accounts.length > 1) {
    fail("More than one account available but unable to select one in non-interactive mode.\nPlease set the appropriate `account_id` in your Wrangler configuration file or assign it to the `CLOUDFLARE_ACCOUNT_ID` environment variable.");
  }
  if (named !== undefined && !account.accounts.some(({ id }) => id === named)) refuse("d1/database", "Authentication error", 10000);
}

const print = (value) => console.log(typeof value === "string" ? value : JSON.stringify(value, undefined, 2));
const config = () => JSON.parse(readFileSync(flag("--config"), "utf8"));

/** What `wrangler d1 create` and its like print after the resource. */
const snippet = (kind, entry) => print(`To access your new ${kind} in your Worker, add the following snippet to your configuration file:\n${JSON.stringify(entry, undefined, 2)}`);

const COMMANDS = {
  whoami: () => {
    if (!account.isLoggedIn) { print({ loggedIn: false }); process.exit(1); }
    print({ loggedIn: true, authType: "OAuth Token", email: "operator@example.com", accounts: account.accounts, tokenPermissions: ["account:read", "workers:write"] });
  },
  "d1 list": () => {
    requireAuth();
    print(account.databases);
  },
  "d1 create": ([name]) => {
    requireAuth();
    if (account.databases.some((one) => one.name === name)) fail("A database with that name already exists");
    const uuid = account.nextDatabaseId ?? randomUUID();
    account.databases.push({ uuid, name, created_at: "2026-01-01T00:00:00.000Z", version: "production", num_tables: 0, file_size: 0 });
    print(`✅ Successfully created DB '${name}' in region EEUR\nCreated your new D1 database.\n`);
    snippet("D1 Database", { d1_databases: [{ binding: "DB", database_name: name, database_id: uuid }] });
  },
  "d1 migrations apply": () => {
    requireAuth();
    const { d1_databases: [database] } = config();
    const found = account.databases.find(({ uuid }) => uuid === database.database_id);
    if (!found) refuse(`d1/database/${database.database_id}/query`, "The database could not be found", 7404);
    if (found.isMigrated) return print("✅ No migrations to apply!");
    found.isMigrated = true;
    return print(`Resource location: remote\n\nMigrations to be applied:\n┌─┐\n🌀 Executing on remote database DB (${found.uuid}):\n┌─┐ ✅`);
  },
  "kv namespace list": () => {
    requireAuth();
    print(account.namespaces);
  },
  "kv namespace create": ([title]) => {
    requireAuth();
    print(`🌀 Creating namespace with title "${title}"`);
    if (account.namespaces.some((one) => one.title === title)) fail(`A KV namespace with the title "${title}" already exists.`);
    const id = account.nextNamespaceId ?? randomBytes(16).toString("hex");
    account.namespaces.push({ id, title, supports_url_encoding: true });
    print("✨ Success!");
    snippet("KV Namespace", { kv_namespaces: [{ binding: "FILES", id }] });
  },
  "queues info": ([name]) => {
    requireAuth();
    if (!account.queues.includes(name)) fail(`Queue "${name}" does not exist. To create it, run: wrangler queues create ${name}`);
    print(`Queue Name: ${name}\nQueue ID: 3f4e\nCreated On: 2026-01-01\nLast Modified: 2026-01-01\nNumber of Producers: 0\nNumber of Consumers: 0`);
  },
  "queues create": ([name]) => {
    requireAuth();
    print(`🌀 Creating queue '${name}'`);
    if (account.queues.includes(name)) refuse("queues", `Queue name '${name}' is already taken. Please use a different name and try again.`, 11009);
    account.queues.push(name);
    print(`✅ Created queue '${name}'`);
  },
  "secret list": () => {
    requireAuth();
    const name = flag("--name");
    if (!account.workers[name]) fail(`Worker "${name}" not found.\n\nIf this is a new Worker, run \`wrangler deploy\` first to create it.\nOtherwise, check that the Worker name is correct and you're logged into the right account.`);
    print(Object.keys(account.workers[name].secrets).map((secret) => ({ name: secret, type: "secret_text" })));
  },
  "secret bulk": () => {
    requireAuth();
    const name = flag("--name");
    const given = JSON.parse(readFileSync(0, "utf8").replaceAll("\n", ""));
    print(`🌀 Creating the secrets for the Worker "${name}" `);
    if (!account.workers[name]) {
      print(`🌀 Creating new Worker "${name}"...`);
      account.workers[name] = { secrets: {}, deployments: 0 };
    }
    Object.assign(account.workers[name].secrets, given);
    for (const key of Object.keys(given)) print(`✨ Successfully created secret for key: ${key}`);
    print(`\nFinished processing secrets file:\n✨ ${Object.keys(given).length} secrets successfully uploaded`);
  },
  deploy: () => {
    const wanted = config();
    if (args.includes("--dry-run")) return print("Total Upload: 3200.00 KiB / gzip: 1085.00 KiB\n--dry-run: exiting now.");
    requireAuth();
    const { name, d1_databases: [database], kv_namespaces: [files], queues, vars } = wanted;
    if (!account.databases.some(({ uuid }) => uuid === database.database_id)) refuse(`workers/scripts/${name}/versions`, "binding DB of type d1 must have a valid `id` specified", 10021);
    if (!account.namespaces.some(({ id }) => id === files.id)) refuse(`workers/scripts/${name}/versions`, `KV namespace '${files.id}' is not valid.`, 10042);
    const lost = [...queues.producers, ...queues.consumers].map(({ queue }) => queue).find((queue) => !account.queues.includes(queue));
    if (lost) fail(`Queue "${lost}" does not exist. To create it, run: wrangler queues create ${lost}`);
    account.workers[name] ??= { secrets: {}, deployments: 0 };
    Object.assign(account.workers[name], { deployments: account.workers[name].deployments + 1, vars });
    return print(`Total Upload: 3200.00 KiB / gzip: 1085.00 KiB\nUploaded ${name} (3.21 sec)\nDeployed ${name} triggers (1.05 sec)\n  ${vars.PUBLIC_URL}\n  schedule: * * * * *\nCurrent Version ID: ${randomUUID()}`);
  },
};

const command = Object.keys(COMMANDS).find((name) => words.join(" ").startsWith(name));
if (command === undefined) fail(`Unknown arguments: ${words.join(", ")}`);
fault(false);
COMMANDS[command](words.slice(command.split(" ").length));
fault(true);
save();
