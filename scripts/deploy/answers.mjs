/** What a deployment must know: from flags, the environment, a file, an earlier run, or a question. */
import { existsSync, readFileSync } from "node:fs";
import { isIP } from "node:net";
import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import { Stop } from "../project.mjs";

/** What a wrong answer is refused with. */
class Wrong extends Error {}

const matching = (pattern, allowed) => (text) => {
  if (!pattern.test(text)) throw new Wrong(`must be ${allowed}`);
  return text;
};

/** Names that only this machine or its network knows. */
const PRIVATE_NAMES = /(^|\.)(localhost|local|localdomain|internal|intranet|lan|home|home\.arpa|invalid|test)$/;

/** The origin that payers and merchants see, as the Worker takes it. */
export function publicUrl(text) {
  let url;
  try {
    url = new URL(text);
  } catch {
    throw new Wrong("must be an address such as https://pay.example.com");
  }
  const host = url.hostname.replace(/\.$/, "");
  if (url.protocol !== "https:") throw new Wrong("must begin with https://");
  if (url.username !== "" || url.password !== "" || url.pathname !== "/" || url.search !== "" || url.hash !== "" || /[?#]/.test(text)) {
    throw new Wrong("must be scheme and host alone, such as https://pay.example.com");
  }
  if (url.port !== "") throw new Wrong("must have no port: Cloudflare serves https at 443");
  if (isIP(host.replace(/^\[|\]$/g, "")) !== 0) throw new Wrong("must have a name and no IP address: payers cannot reach this machine or its network");
  if (PRIVATE_NAMES.test(host) || !host.includes(".")) throw new Wrong("must have a public name: payers cannot reach this machine or its network");
  return `https://${host}`;
}

/** The settings of the first merchant, read from their file. */
function settingsFile(path) {
  if (!existsSync(path)) throw new Wrong(`must be a file, and there is no ${path}`);
  let settings;
  try {
    settings = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new Wrong(`must be a file of JSON: ${error.message}`);
  }
  const gateways = Array.isArray(settings?.gateways) ? settings.gateways : [];
  if (gateways.length === 0 || gateways.some((gateway) => typeof gateway?.code !== "string")) {
    throw new Wrong("must have gateways, each with its code (scripts/demo-settings.json is an example)");
  }
  return path;
}

/** Every answer: the flag and the variable that give it, the question, what is taken without one, and what is allowed. */
export const ANSWERS = {
  name: {
    variable: "TILL_NAME", question: "Name of the Worker, its database and its queues", usual: () => "till",
    check: matching(/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/, "1 to 40 small letters, digits and hyphens, such as till"),
  },
  "public-url": { variable: "PUBLIC_URL", question: "Address that payers see, such as https://pay.example.com", check: publicUrl },
  merchant: {
    variable: "MERCHANT", question: "Id of the first merchant", usual: () => "shop",
    check: matching(/^[a-z0-9][a-z0-9-]{0,39}$/, "1 to 40 small letters, digits and hyphens, such as shop"),
  },
  settings: {
    variable: "SETTINGS", question: "File with the merchant's settings, its gateways among them (empty: the simulated bank, no real money)",
    usual: () => "", check: (text) => (text === "" ? "" : settingsFile(text)),
  },
  "shop-name": {
    variable: "SHOP_NAME", question: "Name of the shop that payers see", usual: () => "Test shop", isNeeded: ({ settings }) => settings === "",
    check: (text) => matching(/^[^\p{Cc}\p{Cf}]{1,64}$/u, "1 to 64 letters")(text.trim()),
  },
  account: {
    variable: "CLOUDFLARE_ACCOUNT_ID", isNeeded: () => false,
    check: matching(/^(?!0+\d?$)[0-9a-f]{32}$/, "the id of an account: 32 hexadecimal digits"),
  },
};

const FLAGS = {
  ...Object.fromEntries(Object.keys(ANSWERS).map((name) => [name, { type: "string" }])),
  answers: { type: "string" }, "dry-run": { type: "boolean" }, yes: { type: "boolean" },
};

const isOn = (text) => text !== undefined && !["", "0", "no", "false"].includes(text);

/** Lines of NAME=value, or one JSON object, by the names of variables. */
function answersFile(path) {
  if (path === undefined || path === "") return {};
  if (!existsSync(path)) throw new Stop(`ANSWERS names ${path}, which does not exist`);
  const text = readFileSync(path, "utf8");
  if (text.trimStart().startsWith("{")) return JSON.parse(text);
  const lines = text.split(/\r?\n/).filter((line) => /^\s*[^#\s]/.test(line));
  return Object.fromEntries(lines.map((line) => {
    const [, name, value] = /^\s*(?:export\s+)?([A-Z_]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (name === undefined) throw new Stop(`${path}: each line must be NAME=value`);
    return [name, value.replace(/^(["'])(.*)\1$/, "$2")];
  }));
}

/** How the program was called. `ask` is undefined where nobody can answer. */
export function called(args, env, stdin = process.stdin) {
  let values;
  try {
    ({ values } = parseArgs({ args, options: FLAGS }));
  } catch (error) {
    throw new Stop(`${error.message}\nFlags: ${Object.keys(FLAGS).map((name) => `--${name}`).join(" ")}`);
  }
  const file = answersFile(values.answers ?? env.ANSWERS);
  const unknown = Object.keys(file).find((name) => !Object.values(ANSWERS).some(({ variable }) => variable === name));
  if (unknown !== undefined) throw new Stop(`ANSWERS has ${unknown}; it may have ${Object.values(ANSWERS).map(({ variable }) => variable).join(", ")}`);
  const given = Object.fromEntries(Object.entries(ANSWERS).map(([name, { variable }]) => [name, values[name] ?? (env[variable] || undefined) ?? file[variable]]));
  const isQuiet = values.yes || isOn(env.YES) || isOn(env.CI) || !stdin.isTTY;
  return { given, isDry: values["dry-run"] === true || isOn(env.DRY_RUN), ask: isQuiet ? undefined : asker() };
}

/** Asks one question at the terminal. Its end, such as by Ctrl-D, is no answer. */
const asker = () => (question) => new Promise((resolve, reject) => {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  terminal.once("close", () => reject(new Stop("\nNo answer was given. Call make deploy again.")));
  terminal.once("SIGINT", () => terminal.close());
  terminal.question(`${question}: `).then((text) => {
    resolve(text.trim());
    terminal.close();
  });
});

/** An answer, or why it is wrong. */
function judged(name, text) {
  try {
    return { value: ANSWERS[name].check(String(text).trim()) };
  } catch (error) {
    if (error instanceof Wrong) return { fault: `${ANSWERS[name].variable} ${error.message}` };
    throw error;
  }
}

async function asked(name, usual, ask) {
  for (;;) {
    const text = await ask(`${ANSWERS[name].question}${usual ? ` [${usual}]` : ""}`);
    const { value, fault } = text === "" && usual === undefined ? { fault: `${ANSWERS[name].variable} must be given` } : judged(name, text === "" ? usual : text);
    if (fault === undefined) return value;
    console.log(`  ${fault}`);
  }
}

/**
 * All answers. `remembered` gives those of an earlier run, once the name is known. Without `ask`, everything that is missing or wrong
 * is said at once, and nothing is done.
 */
export async function collect({ given, ask }, remembered = () => ({})) {
  const answers = {};
  const faults = [];
  for (const [name, { usual, isNeeded = () => true }] of Object.entries(ANSWERS)) {
    const known = given[name] ?? (answers.name === undefined ? undefined : remembered(answers.name)[name]);
    if (known === undefined && !isNeeded(answers)) continue;
    if (known === undefined && ask) answers[name] = await asked(name, usual?.(), ask);
    else if (known === undefined && usual === undefined) faults.push(`${ANSWERS[name].variable} is missing: ${ANSWERS[name].question}`);
    else {
      const { value, fault } = judged(name, known ?? usual());
      if (fault) faults.push(fault);
      else answers[name] = value;
    }
  }
  const [label, ...rest] = (answers["public-url"] ?? "").replace("https://", "").split(".");
  if (rest.slice(-2).join(".") === "workers.dev" && (rest.length !== 3 || label !== answers.name)) {
    faults.push(`PUBLIC_URL at workers.dev must be https://${answers.name ?? "TILL_NAME"}.<your subdomain>.workers.dev, because the Worker is called so`);
  }
  if (faults.length > 0) {
    throw new Stop(`Nothing was done.\n${faults.map((fault) => `  ${fault}`).join("\n")}\nGive answers as make deploy VARIABLE=value, in the environment, or in a file: ANSWERS=file`);
  }
  return answers;
}
