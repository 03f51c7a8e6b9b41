/**
 * A stand-in for the API of Cloudflare, as far as wrangler calls it to deploy: it has an account in memory, and answers in the
 * envelope of the real one. `wrangler` is led to it by `CLOUDFLARE_API_BASE_URL`.
 */
import { randomBytes, randomUUID } from "node:crypto";
import { createServer } from "node:http";

const ID = "4f1c0a7be2d94d35a8c6b19e70d2f583";
const ZONE = "7c5dae5552338874e5053f2534d2767a";

const hex = () => randomBytes(16).toString("hex");
const done = (result) => ({ status: 200, result });
const list = (all, query) => done(Number(query.get("page") ?? 1) > 1 ? [] : all);
const refused = (status, code, message) => ({ status, error: { code, message } });
const NO_WORKER = refused(404, 10007, "This Worker does not exist on your account.");

/** What each call does: its method, a pattern of its path within the account, and the answer. */
const routes = (account) => [
  ["GET", /^\/user$/, () => done({ id: hex(), email: "operator@example.com" })],
  ["GET", /^\/user\/tokens\/verify$/, () => done({ id: hex(), status: "active" })],
  ["GET", /^\/accounts$/, ({ query }) => list([{ id: ID, name: "Shop" }], query)],
  ["GET", /^\/memberships$/, ({ query }) => list([{ id: hex(), account: { id: ID, name: "Shop" }, roles: [] }], query)],
  ["GET", /^\/d1\/database$/, ({ query }) => list(account.databases, query)],
  ["POST", /^\/d1\/database$/, ({ json }) => {
    const database = { uuid: randomUUID(), name: json.name, created_in_region: "EEUR" };
    account.databases.push(database);
    return done(database);
  }],
  ["GET", /^\/d1\/database\/([^/]+)$/, ({ parts: [id] }) => done(account.databases.find(({ uuid, name }) => [uuid, name].includes(id)))],
  ["POST", /^\/d1\/database\/[^/]+\/query$/, ({ json: { sql } }) => {
    const [, name] = /INSERT INTO d1_migrations \(name\)\s*values \('([^']+)'\)/i.exec(sql) ?? [];
    if (name) account.migrations.push(name);
    const isAsked = /^\s*SELECT/i.test(sql);
    return done([{ success: true, meta: {}, results: isAsked ? account.migrations.map((one, id) => ({ id, name: one, applied_at: "2026-01-01" })) : [] }]);
  }],
  ["GET", /^\/storage\/kv\/namespaces$/, ({ query }) => list(account.namespaces, query)],
  ["POST", /^\/storage\/kv\/namespaces$/, ({ json }) => {
    const namespace = { id: hex(), title: json.title, supports_url_encoding: true };
    account.namespaces.push(namespace);
    return done(namespace);
  }],
  ["GET", /^\/queues$/, ({ query }) => list(account.queues.filter(({ queue_name }) => !query.has("name") || query.getAll("name").includes(queue_name)), query)],
  ["POST", /^\/queues$/, ({ json }) => {
    const queue = {
      queue_id: hex(), queue_name: json.queue_name, created_on: "2026-01-01", modified_on: "2026-01-01",
      producers_total_count: 0, producers: [], consumers_total_count: 0, consumers: [],
    };
    account.queues.push(queue);
    return done(queue);
  }],
  ["POST", /^\/queues\/[^/]+\/consumers$/, () => done({ consumer_id: hex() })],
  ["GET", /^\/workers\/scripts\/([^/]+)\/secrets$/, ({ parts: [name] }) => {
    const worker = account.workers[name];
    return worker ? done(Object.keys(worker.secrets).map((one) => ({ name: one, type: "secret_text" }))) : NO_WORKER;
  }],
  ["GET", /^\/workers\/scripts\/([^/]+)\/settings$/, ({ parts: [name] }) => {
    const worker = account.workers[name];
    return worker ? done({ bindings: Object.keys(worker.secrets).map((one) => ({ name: one, type: "secret_text" })) }) : NO_WORKER;
  }],
  ["PATCH", /^\/workers\/scripts\/([^/]+)\/settings$/, ({ parts: [name], text }) => {
    for (const { type, name: secret, text: value } of JSON.parse(/\{.*\}/s.exec(text)[0]).bindings) {
      if (type === "secret_text" && value) account.workers[name].secrets[secret] = value;
    }
    return done({});
  }],
  ["PUT", /^\/workers\/scripts\/([^/]+)$/, ({ parts: [name] }) => {
    account.workers[name] ??= { secrets: {}, deployments: 0 };
    return done({ id: name, tag: "tag", deployment_id: randomUUID() });
  }],
  ["POST", /^\/workers\/scripts\/([^/]+)\/versions$/, ({ parts: [name], text }) => {
    account.workers[name].metadata = JSON.parse(/\{"main_module".*\}/.exec(text)[0]);
    return done({ id: randomUUID(), startup_time_ms: 5, metadata: { has_preview: false }, resources: { script: { handlers: ["fetch"] }, script_runtime: {}, bindings: [] } });
  }],
  ["GET", /^\/workers\/scripts\/[^/]+\/deployments$/, () => done({ deployments: [] })],
  ["POST", /^\/workers\/scripts\/([^/]+)\/deployments$/, ({ parts: [name] }) => {
    account.workers[name].deployments += 1;
    return done({});
  }],
  ["PATCH", /^\/workers\/scripts\/[^/]+\/script-settings$/, () => done({})],
  ["POST", /^\/workers\/scripts\/[^/]+\/assets-upload-session$/, () => done({ jwt: "eyJhbGciOiJIUzI1NiJ9.eyJleHAiOjQxMDI0NDQ4MDB9.x", buckets: [] })],
  ["GET", /^\/workers\/scripts\/[^/]+\/subdomain$/, () => done({ enabled: false, previews_enabled: false })],
  ["POST", /^\/workers\/scripts\/[^/]+\/subdomain$/, () => done({ enabled: false, previews_enabled: false })],
  ["PUT", /^\/workers\/scripts\/[^/]+\/schedules$/, () => done({ schedules: [] })],
  ["POST", /^\/workers\/scripts\/[^/]+\/domains\/changeset$/, () => done({ added: [], removed: [], updated: [], conflicting: [] })],
  ["PUT", /^\/workers\/scripts\/[^/]+\/domains\/records$/, ({ json, parts }) => {
    account.domains.push(...(json.origins ?? []).map(({ hostname }) => hostname));
    return done([]);
  }],
  ["GET", /^\/workers\/subdomain$/, () => done({ subdomain: "shop" })],
  ["GET", /^\/workers\/services\/([^/]+)$/, ({ parts: [name] }) =>
    (account.workers[name] ? done({ id: name, default_environment: { environment: "production", script: { last_deployed_from: "wrangler", tag: "tag", tags: [] } } }) : refused(404, 10090, "This service does not exist on your account."))],
  ["GET", /^\/zones$/, ({ query }) => list([{ id: ZONE, name: "example.com", account: { id: ID } }], query)],
  ["GET", /^\/zones\/[^/]+\/workers\/routes$/, () => done([])],
];

/** Starts it. `account` is what it has; `unknown` lists calls that it does not know. */
export async function startCloudflare() {
  const account = { databases: [], namespaces: [], queues: [], workers: {}, migrations: [], domains: [] };
  const unknown = [];
  const table = routes(account);
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString("latin1");
    const url = new URL(request.url, "http://cloudflare");
    const path = url.pathname.replace("/client/v4", "").replace(`/accounts/${ID}/`, "/");
    const [, pattern, answer] = table.find(([method, known]) => method === request.method && known.test(path)) ?? [];
    if (answer === undefined) unknown.push(`${request.method} ${path}`);
    // wrangler does not name the type of every body.
    const json = text.startsWith("{") ? JSON.parse(text) : undefined;
    const { status, result = null, error } = answer?.({ parts: pattern.exec(path).slice(1), query: url.searchParams, json, text }) ?? refused(404, 7003, `no route ${path}`);
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify({ success: error === undefined, errors: error ? [error] : [], messages: [], result, result_info: { page: 1, total_pages: 1, total_count: Array.isArray(result) ? result.length : 0 } }));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { account, unknown, url: `http://127.0.0.1:${server.address().port}/client/v4`, stop: () => server.close() };
}
