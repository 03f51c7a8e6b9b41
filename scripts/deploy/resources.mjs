/** What an installation has at Cloudflare: looked for first, and made only if it is missing. */
import { Stop } from "../project.mjs";
import { Failed } from "./wrangler.mjs";

const DATABASE_ID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
const NAMESPACE_ID = /^[0-9a-f]{32}$/;

/** Whether an id is one that nobody was given: of a single digit repeated, or with a long row of zeros. */
export const isPlaceholder = (id) => /^(.)\1*.?$/.test(String(id).replaceAll("-", "")) || /0{16}/.test(String(id).replaceAll("-", ""));

function idOf(found, member, pattern, what) {
  const id = found[member];
  if (typeof id !== "string" || !pattern.test(id) || isPlaceholder(id)) throw new Stop(`wrangler answered no usable id of ${what}: ${JSON.stringify(id)}`);
  return id;
}

export const queuesOf = (name) => ["doorbells", "due", "dead"].map((part) => `${name}-${part}`);
export const databaseOf = (name) => name;
export const namespaceOf = (name) => `${name}-files`;

/** Looks for something; makes it if it is missing, and looks again. Making it may have succeeded although it seemed to fail. */
async function ensured(what, find, make, report) {
  const found = await find();
  if (found !== undefined) {
    report(`${what}: exists`);
    return found;
  }
  let fault;
  try {
    await make();
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    fault = error;
  }
  const made = await find();
  if (made === undefined) throw fault ?? new Stop(`${what} was made, and wrangler does not list it yet: run make deploy again in a minute`);
  report(`${what}: made`);
  return made;
}

/** Finders by what the account has. A dry run only looks. `known` are ids that someone wrote into wrangler.toml. */
export const finders = (wrangler, name, known = {}) => ({
  database: async () => {
    const all = await wrangler.json(["d1", "list", "--json"]);
    return all.find(({ uuid }) => uuid === known.database_id) ?? all.find((one) => one.name === databaseOf(name));
  },
  namespace: async () => {
    const all = await wrangler.json(["kv", "namespace", "list"]);
    return all.find(({ id }) => id === known.namespace_id) ?? all.find((one) => one.title === namespaceOf(name));
  },
  queue: async (queue) => {
    try {
      const printed = await wrangler.call(["queues", "info", queue]);
      return printed.split("\n").some((line) => line.trim() === `Queue Name: ${queue}`) ? queue : undefined;
    } catch (error) {
      if (error instanceof Failed && error.output.includes(`Queue "${queue}" does not exist`)) return undefined;
      throw error;
    }
  },
  /** The names of the Worker's secrets; undefined if there is no such Worker. */
  secrets: async () => {
    try {
      return (await wrangler.json(["secret", "list", "--name", name])).map((secret) => secret.name);
    } catch (error) {
      if (error instanceof Failed && new RegExp(`Worker "${name}".* not found`).test(error.output)) return undefined;
      throw error;
    }
  },
});

/** Makes what is missing; answers the ids. */
export async function provide(wrangler, name, known, report) {
  const find = finders(wrangler, name, known);
  const database = await ensured(`database ${databaseOf(name)}`, find.database, () => wrangler.call(["d1", "create", databaseOf(name)]), report);
  const database_id = idOf(database, "uuid", DATABASE_ID, `the database ${databaseOf(name)}`);
  const namespace = await ensured(`namespace ${namespaceOf(name)}`, find.namespace, () => wrangler.call(["kv", "namespace", "create", namespaceOf(name)]), report);
  const namespace_id = idOf(namespace, "id", NAMESPACE_ID, `the namespace ${namespaceOf(name)}`);
  for (const queue of queuesOf(name)) {
    await ensured(`queue ${queue}`, () => find.queue(queue), () => wrangler.call(["queues", "create", queue]), report);
  }
  return { database_id, namespace_id };
}

/** The account: the one that was named, the only one, or the one that is chosen. */
export async function accountOf(wrangler, named, ask) {
  let user;
  try {
    user = await wrangler.json(["whoami", "--json"]);
  } catch (error) {
    if (error instanceof Failed && /"loggedIn":\s*false/.test(error.output)) throw new Stop("Nobody is logged in at Cloudflare. Log in by `npx wrangler login`, or set CLOUDFLARE_API_TOKEN. Nothing was done.");
    throw error;
  }
  const accounts = user.accounts ?? [];
  const list = accounts.map(({ id, name }) => `  ${id}  ${name}`).join("\n");
  if (named !== undefined) {
    // A token of one account may not be allowed to list it.
    if (accounts.length > 0 && !accounts.some(({ id }) => id === named)) throw new Stop(`CLOUDFLARE_ACCOUNT_ID is none of the accounts of who is logged in:\n${list}`);
    return named;
  }
  if (accounts.length === 1) return accounts[0].id;
  if (accounts.length === 0) throw new Stop("No account can be seen: set CLOUDFLARE_ACCOUNT_ID, or use a token that may read it.");
  if (!ask) throw new Stop(`CLOUDFLARE_ACCOUNT_ID is missing: there are several accounts. Nothing was done.\n${list}`);
  for (;;) {
    const text = await ask(`Which account?\n${list}\nIts id`);
    if (accounts.some(({ id }) => id === text)) return text;
  }
}
