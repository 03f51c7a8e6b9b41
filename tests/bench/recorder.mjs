/**
 * Till with a recorder: the built Worker, and a list of all statements and requests that it sends. A request
 * to `/recorded` answers the list since the last time. The baseline replays it, so it can never differ from
 * the source.
 */
import Till from "../../edge-worker/build-bench/index.js";

let steps = [];
/** The SQL and the values of every statement that was made. */
const known = new WeakMap();

function listen(database) {
  const bare = database.prepare("SELECT 1");
  const [ofDatabase, ofStatement] = [bare, database].map(Object.getPrototypeOf).reverse();
  wrap(ofDatabase, "prepare", (made, _, [sql]) => known.set(made, { sql, values: [] }));
  wrap(ofDatabase, "batch", (_, __, [statements]) => note("batch", statements));
  wrap(ofDatabase, "exec", () => note("exec", []));
  wrap(ofStatement, "bind", (made, unbound, values) => known.set(made, { sql: known.get(unbound).sql, values }));
  for (const call of ["raw", "run", "all", "first"]) wrap(ofStatement, call, (_, statement) => note(call, [statement]));
}

/** Requests of the Worker: the bytes are recorded and sent on. */
const send = globalThis.fetch;
globalThis.fetch = async (input, init) => {
  const request = new Request(input, init);
  const body = await request.clone().text();
  steps.push({ call: "fetch", request: { url: request.url, method: request.method, headers: [...request.headers], body } });
  return send(request);
};

function note(call, statements) {
  steps.push({ call, statements: statements.map((statement) => known.get(statement)) });
}

function wrap(prototype, name, hear) {
  const original = prototype[name];
  prototype[name] = function (...args) {
    const result = original.apply(this, args);
    hear(result, this, args);
    return result;
  };
}

let isListening = false;

export default {
  async fetch(request, env, context) {
    if (!isListening) listen(env.DB);
    isListening = true;
    if (!request.url.endsWith("/recorded")) return Till.fetch(request, env, context);
    const recorded = steps;
    steps = [];
    return Response.json(recorded);
  },
};
