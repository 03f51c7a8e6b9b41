/** How the runtime of a Worker under test is set up: as wrangler.toml says, with the options of `start`. */
import { dirname } from "node:path";
import { at, workerFiles } from "../../scripts/project.mjs";
import { DATABASE } from "./database.mjs";

/** What the Worker is called. */
export const NAME = "till";
/** The operator's token of every Worker started here. */
export const OPERATOR_TOKEN = "operator-token-of-the-tests-0123456789";
/** The key under which every Worker started here seals credentials: 32 bytes, base64. */
export const SEAL_KEY = Buffer.alloc(32, 7).toString("base64");
/** The private key with which every Worker started here signs receipts: 32 bytes, base64. */
export const RECEIPT_KEY = Buffer.alloc(32, 9).toString("base64");

/** The origin of the desk of the Worker at `url`: the same port, another host. */
export const deskOf = (url) => url.replace("//127.0.0.1", "//localhost");

/** The folder of the build under test, unless a test names one: that for development, or another for measurements. */
export const usualBuild = () => process.env.TILL_BUILD || "build";

/**
 * The options of Miniflare that describe the Worker. `url` is its origin; `answer` answers its requests unless they go over
 * sockets.
 */
export function workerOptions(options, url, answer) {
  const { build = usualBuild(), bindings = {}, assets = true, sockets = false, ratelimits = {}, dataset, queues = false, queueProducers = {} } = options;
  const { script, wasm } = workerFiles(build);
  const worker = {
    name: NAME,
    modulesRoot: dirname(script),
    scriptPath: script,
    modules: [
      { type: "ESModule", path: script },
      { type: "CompiledWasm", path: wasm },
    ],
    compatibilityDate: "2026-04-26",
    compatibilityFlags: ["global_fetch_strictly_public", "queue_consumer_no_wait_for_wait_until"],
    bindings: { PUBLIC_URL: url, ...(bindings.PUBLIC_URL ? {} : { DESK_URL: deskOf(url) }), OPERATOR_TOKEN, SEAL_KEY, RECEIPT_KEY, PAGE_CHECK: "off", ...bindings },
    d1Databases: { DB: DATABASE },
    kvNamespaces: { FILES: "files" },
    ratelimits,
    ...(queues ? queueOptions(queues) : { queueProducers }),
    ...(assets ? { assets: assetOptions() } : {}),
    outboundService: sockets ? { network: { allow: [sockets === true ? "private" : sockets] } } : answer,
  };
  if (dataset === undefined) return { workers: [worker, STATEMENTS] };
  return { workers: [{ ...worker, wrappedBindings: { ANALYTICS: "dataset" } }, STATEMENTS, datasetOf(dataset)] };
}

/**
 * A Worker on the same database, for what tests read and change: it answers `[[sql, ...values], ...]` with the rows of each
 * statement. Miniflare's own way takes three requests that block the test's process for each statement.
 */
export const STATEMENTS = {
  name: "statements",
  modules: true,
  script: `export default {
    async fetch(request, { DB }) {
      try {
        const statements = (await request.json()).map(([sql, ...values]) => DB.prepare(sql).bind(...values));
        return Response.json((await DB.batch(statements)).map(({ results }) => results));
      } catch ({ message }) {
        return new Response(message, { status: 500 });
      }
    },
  }`,
  compatibilityDate: "2026-04-26",
  d1Databases: { DB: DATABASE },
};

/** As `wrangler.toml` says, but that a message which failed comes again at once. */
function queueOptions(changes) {
  const consumer = (maxBatchSize) => ({ maxBatchSize, maxBatchTimeout: 0, maxRetries: 5, retryDelay: 0, deadLetterQueue: "till-dead", ...changes });
  return {
    queueProducers: { DOORBELLS: "till-doorbells", DUE_DOORBELLS: "till-due" },
    queueConsumers: {
      "till-doorbells": consumer(50),
      "till-due": consumer(15),
      "till-dead": { maxBatchSize: 50, maxBatchTimeout: 0, maxRetries: 5, retryDelay: 1 },
    },
  };
}

/** A Worker that is bound in the place of a dataset. */
const datasetOf = (statement) => ({
  name: "dataset", modules: true, script: `export default () => ({ writeDataPoint(point) { ${statement} } })`,
});

/** As `wrangler.toml` says: www/.assetsignore and www/_headers are read by the runtime itself. */
function assetOptions() {
  return {
    directory: at("www"),
    routerConfig: { has_user_worker: true },
    assetConfig: { html_handling: "none", not_found_handling: "none" },
  };
}
