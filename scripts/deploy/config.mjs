/** The configuration of an installation: wrangler.toml with its name, its address and its ids. It has no secret. */
import { createRequire } from "node:module";
import { Stop, at, sha256 } from "../project.mjs";
import { isPlaceholder, queuesOf } from "./resources.mjs";

const require = createRequire(import.meta.url);

const isWorkersDev = (url) => new URL(url).hostname.endsWith(".workers.dev");

/** Numbers of rate limits that no other installation of the account is likely to use. Those of the usual name are in wrangler.toml. */
function limitsOf(name, ratelimits) {
  if (name === "till") return ratelimits;
  const first = 100_000 + (Number.parseInt(sha256(name).slice(0, 7), 16) % 1_000_000) * ratelimits.length;
  return ratelimits.map((limit, place) => ({ ...limit, namespace_id: String(first + place) }));
}

const written = () => require("wrangler").experimental_readRawConfig({ config: at("wrangler.toml") }).rawConfig;

/** The ids that someone wrote into wrangler.toml, of an installation that was made by hand. */
export function idsByHand(name) {
  const { name: usual, d1_databases, kv_namespaces } = written();
  const ids = { database_id: d1_databases[0].database_id, namespace_id: kv_namespaces[0].id };
  return name === usual ? Object.fromEntries(Object.entries(ids).filter(([, id]) => id !== undefined && !isPlaceholder(id))) : {};
}

/**
 * The configuration, with absolute paths, because it is in a folder of its own. Without `ids` it has none, as a dry run needs it.
 *
 * @param {{ name: string, public_url: string, account?: string, ids?: { database_id: string, namespace_id: string } }} installation
 */
export function configOf({ name, public_url, account, ids }) {
  const rawConfig = written();
  const [doorbells, due, dead] = queuesOf(name);
  const queue = { "till-doorbells": doorbells, "till-due": due, "till-dead": dead };
  const { database_id: _, ...database } = rawConfig.d1_databases[0];
  const { id: __, ...files } = rawConfig.kv_namespaces[0];
  const config = {
    ...rawConfig,
    name,
    main: at(rawConfig.main),
    ...(account ? { account_id: account } : {}),
    workers_dev: isWorkersDev(public_url),
    ...(isWorkersDev(public_url) ? {} : { routes: [{ pattern: new URL(public_url).hostname, custom_domain: true }] }),
    build: { command: rawConfig.build.command, cwd: at() },
    assets: { ...rawConfig.assets, directory: at(rawConfig.assets.directory) },
    vars: { ...rawConfig.vars, PUBLIC_URL: public_url },
    d1_databases: [{ ...database, database_name: name, ...(ids ? { database_id: ids.database_id } : {}), migrations_dir: at(database.migrations_dir) }],
    kv_namespaces: [{ ...files, ...(ids ? { id: ids.namespace_id } : {}) }],
    ratelimits: limitsOf(name, rawConfig.ratelimits),
    queues: {
      producers: rawConfig.queues.producers.map((one) => ({ ...one, queue: queue[one.queue] })),
      consumers: rawConfig.queues.consumers.map((one) => ({ ...one, queue: queue[one.queue], ...(one.dead_letter_queue ? { dead_letter_queue: dead } : {}) })),
    },
  };
  if (ids) refusePlaceholders(config);
  return config;
}

/** Nothing is deployed with an id that nobody was given. */
function refusePlaceholders({ d1_databases, kv_namespaces, account_id }) {
  const ids = [["database_id", d1_databases[0].database_id], ["id of FILES", kv_namespaces[0].id], ...(account_id ? [["account_id", account_id]] : [])];
  for (const [what, id] of ids) {
    if (id === undefined || isPlaceholder(id)) throw new Stop(`${what} is a placeholder, ${id}: nothing is deployed with it`);
  }
}
