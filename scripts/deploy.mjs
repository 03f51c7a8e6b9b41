/**
 * `make deploy`: asks what it must know, makes at Cloudflare what is missing, deploys, checks the answer, and prints the first
 * payment link. Called again, it goes on where it stopped: everything is looked for before it is made.
 *
 * What it stores is in `.deploy/` and the name: `answers.json`, `wrangler.json` (the configuration), `secrets.json` and
 * `merchants.json`. The last two have the only copy of what nobody can read again: back them up. `WRANGLER` is the program that
 * is called, for tests.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Deployed } from "./deploy/check.mjs";
import { called, collect } from "./deploy/answers.mjs";
import { configOf, idsByHand } from "./deploy/config.mjs";
import { SECRET_NAMES, pathOf, read, secretsOf, write } from "./deploy/folder.mjs";
import { accountOf, databaseOf, finders, namespaceOf, provide, queuesOf } from "./deploy/resources.mjs";
import { Wrangler } from "./deploy/wrangler.mjs";
import { Stop, at, die, running } from "./project.mjs";

const report = (line) => console.log(`  ${line}`);
const step = (what) => console.log(what);

/** Whether the build that is deployed has the simulated bank. */
const hasSandbox = () => (process.env.TILL_SANDBOX || "on") === "on";

/** The settings of the first merchant: those of the file, or the simulated bank's under the name that was given. */
function settingsOf({ settings, "shop-name": shop }) {
  if (settings !== "") return JSON.parse(readFileSync(settings, "utf8"));
  if (!hasSandbox()) throw new Stop("TILL_SANDBOX=off leaves the simulated bank out, so SETTINGS must name the settings of the first merchant. Nothing was done.");
  const document = JSON.parse(readFileSync(at("scripts", "demo-settings.json"), "utf8"));
  return { ...document, name: { en: shop, ar: shop } };
}

/** Refuses to replace a Worker of the same name that is something else, and secrets that are lost here and in use there. */
async function checkName(wrangler, name, isOurs) {
  const there = await finders(wrangler, name).secrets();
  if (there === undefined || isOurs) return there ?? [];
  if (!there.includes("SEAL_KEY")) throw new Stop(`There is a Worker named ${name} already, which is no Till: choose another TILL_NAME. Nothing was done.`);
  throw new Stop(
    `There is a Till named ${name} already, whose secrets are not on this machine. Put them into ${pathOf(name, "secrets")} as a JSON object with ` +
      `${SECRET_NAMES.join(", ")} (its SEAL_KEY cannot be replaced here: what it sealed would be lost), or choose another TILL_NAME. Nothing was done.`,
  );
}

/** Sends the secrets that the Worker lacks, on standard input. */
async function sendSecrets(wrangler, name, there) {
  const secrets = secretsOf(name);
  wrangler.hide(...Object.values(secrets));
  const missing = SECRET_NAMES.filter((secret) => !there.includes(secret));
  if (missing.length === 0) report(`secrets: ${SECRET_NAMES.join(", ")} exist`);
  else {
    const input = `${JSON.stringify(Object.fromEntries(missing.map((secret) => [secret, secrets[secret]])))}\n`;
    await wrangler.call(["secret", "bulk", "--name", name], { input });
    report(`secrets: ${missing.join(", ")} sent; they are in ${pathOf(name, "secrets")}`);
  }
  return secrets;
}

/** What the account has, and what would be made. */
async function look(wrangler, name, account) {
  wrangler.account = account;
  const find = finders(wrangler, name, idsByHand(name));
  const word = (found) => (found === undefined ? "would be made" : "exists");
  report(`database ${databaseOf(name)}: ${word(await find.database())}`);
  report(`namespace ${namespaceOf(name)}: ${word(await find.namespace())}`);
  for (const queue of queuesOf(name)) report(`queue ${queue}: ${word(await find.queue(queue))}`);
  const there = await checkName(wrangler, name, read(name, "secrets") !== undefined);
  for (const secret of SECRET_NAMES) report(`secret ${secret}: ${there.includes(secret) ? "exists" : "would be generated and sent"}`);
}

/** What would be done, and a bundle of it; nothing at Cloudflare is changed. */
async function rehearse(wrangler, answers, ask) {
  const { name, "public-url": public_url } = answers;
  step(`Dry run: nothing is made, sent or stored.\nAnswers: ${JSON.stringify(answers)}`);
  step("At Cloudflare:");
  let account = answers.account;
  let isLookedAt = true;
  try {
    account = await accountOf(wrangler, answers.account, ask);
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    report(`not looked at: ${error.message}`);
    isLookedAt = false;
  }
  if (isLookedAt) await look(wrangler, name, account);
  else for (const what of [`database ${databaseOf(name)}`, `namespace ${namespaceOf(name)}`, ...queuesOf(name).map((queue) => `queue ${queue}`), `secrets ${SECRET_NAMES.join(", ")}`]) report(`${what}: made unless it exists`);
  report("then: migrations, deployment, the checks, the first merchant and its payment link");
  const folder = mkdtempSync(join(tmpdir(), "till-deploy-"));
  try {
    const config = join(folder, "wrangler.json");
    writeFileSync(config, JSON.stringify(configOf({ name, public_url, account }), undefined, 2));
    step("Building and bundling it (some minutes the first time):");
    const printed = await wrangler.call(["deploy", "--dry-run", "--outdir", join(folder, "out"), "--config", config], { builds: true });
    report(/Total Upload:.*/.exec(printed)?.[0] ?? "bundled");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function deploy(wrangler, answers, settings, ask) {
  const { name, "public-url": public_url, merchant } = answers;
  step("1. The account");
  const account = await accountOf(wrangler, answers.account, ask);
  wrangler.account = account;
  const there = await checkName(wrangler, name, read(name, "secrets") !== undefined);
  report(`account ${account}`);
  write(name, "answers", { ...answers, account });
  step("2. Database, namespace, queues");
  const ids = await provide(wrangler, name, idsByHand(name), report);
  const config = ["--config", pathOf(name, "wrangler")];
  write(name, "wrangler", configOf({ name, public_url, account, ids }));
  step("3. Secrets");
  const { OPERATOR_TOKEN } = await sendSecrets(wrangler, name, there);
  step("4. Migrations");
  const migrated = await wrangler.call(["d1", "migrations", "apply", "DB", "--remote", ...config]);
  report(migrated.includes("No migrations to apply") ? "the database is up to date" : "the database was brought up to date");
  step("5. Building and deploying (some minutes the first time)");
  const deployed = await wrangler.call(["deploy", ...config], { builds: true });
  report(/Current Version ID: \S+/.exec(deployed)?.[0] ?? "deployed");
  step("6. Checking the answer");
  const worker = new Deployed(public_url, OPERATOR_TOKEN);
  await worker.checkHealth(hasSandbox(), report);
  await worker.checkDatabase(report);
  const key = await worker.merchantKey(name, merchant, settings, report);
  const link = await worker.firstPayment(key, settings, report);
  console.log(`
Till is deployed at ${public_url}
The first payment:  ${link}

Back up ${pathOf(name, "secrets")} (the installation's secrets) and ${pathOf(name, "merchants")} (the merchant's keys): nobody can show them again.
${settings.gateways.every(({ sandbox }) => sandbox === true) ? "The merchant is in test mode: no card is charged. " : ""}Next: docs/operating/deploy.md, "Before you open it to the public".`);
}

async function main() {
  const { given, isDry, ask } = called(process.argv.slice(2), process.env);
  const answers = await collect({ given, ask }, (name) => read(name, "answers") ?? {});
  const settings = settingsOf(answers);
  if (process.env.TILL_PROFILE === "development" && !process.env.WRANGLER) throw new Stop("TILL_PROFILE=development would deploy a build for development: unset it. Nothing was done.");
  const wrangler = new Wrangler(answers.account);
  if (isDry) await rehearse(wrangler, answers, ask);
  else await deploy(wrangler, answers, settings, ask);
}

for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, () => {
    for (const child of running) child.kill(signal);
    console.error("\nStopped. Run make deploy again: it goes on where it stopped.");
    process.exit(130);
  });
}

main().catch(die);
