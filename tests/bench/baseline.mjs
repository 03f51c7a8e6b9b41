/**
 * What Till is measured against: a plain JavaScript Worker without any rules. It executes the statements that
 * Till was recorded to execute (`PLAN`, made by run.mjs): same SQL, same number of values, same calls in the
 * same order. It parses the body, generates an id, and answers JSON of the same size; it authenticates no one
 * and checks nothing. If Till sends a request, it sends the same bytes to the same address, and reads the
 * answer.
 */
const HEADERS = { "content-type": "application/json" };

/** Till logs one success in a hundred here, and so does this Worker. */
let answered = 0;

export default {
  async fetch(request, env) {
    const began = Date.now();
    const response = await answer(request, env);
    answered += 1;
    if (answered % 100 === 0) {
      console.log(JSON.stringify({ event: "answered", route: request.headers.get("x-kind"), status: response.status, ms: Date.now() - began }));
    }
    return response;
  },
};

async function answer(request, env) {
  const kind = request.headers.get("x-kind");
  const plan = env.PLAN[kind];
  if (kind.startsWith("create")) return create(request, env, plan);
  if (kind === "wallet") return pay(request, env, plan);
  const { steps, session_id, answer: shown } = plan;
  const text = request.body === null ? "" : await request.text();
  const body = text === "" ? {} : JSON.parse(text);
  const id = new URL(request.url).pathname.split("/").at(-2);
  const results = await execute(env.DB, steps, session_id, id);
  if (kind === "methods") return Response.json(shown, { headers: HEADERS });
  const stored = kind === "retrieve" ? results.at(-1)[0].find((cell) => cell === id) : id;
  return Response.json({ ...withId(shown, session_id, stored), ...body }, { headers: HEADERS });
}

async function create(request, env, { steps, session_id, answer }) {
  const body = await request.json();
  const id = drawId();
  await execute(env.DB, steps, session_id, id);
  const created = { ...withId(answer, session_id, id), order_no: body.order_no, amount: body.amount };
  return Response.json(created, { status: 201, headers: HEADERS });
}

/** Creates and pays: every value with an id of the transaction or of its attempt gets a new id. */
async function pay(request, env, { steps, session_id, reference, answer }) {
  await request.json();
  const id = drawId();
  const own = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => (byte % 32).toString(32)).join("").toUpperCase();
  const name = `${own}${id.slice(2, 6).toUpperCase()}`;
  const renamed = (value) => (typeof value === "string" ? value.replaceAll(session_id, id).replaceAll(reference, name) : value);
  for (const { call, statements, request: sent } of steps) {
    if (sent) {
      const response = await fetch(sent.url, { method: sent.method, headers: sent.headers, body: renamed(sent.body) });
      JSON.parse(await response.text());
      continue;
    }
    const bound = statements.map(({ sql, values }) => env.DB.prepare(sql).bind(...values.map(renamed)));
    await (call === "batch" ? env.DB.batch(bound) : bound[0][call]());
  }
  return Response.json({ ...answer, session_id: id, reference_number: name }, { status: 201, headers: HEADERS });
}

function drawId() {
  const bytes = crypto.getRandomValues(new Uint8Array(19));
  return `00${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

const withId = (answer, recorded, id) => {
  const checkout_url = answer.checkout_url.replace(recorded, id);
  return { ...answer, session_id: id, checkout_url, checkout_page_url: checkout_url };
};

/** Runs the recorded steps with another session id. Returns the results of each. */
async function execute(database, steps, recorded, id) {
  const results = [];
  for (const { call, statements } of steps) {
    const bound = statements.map(({ sql, values }) =>
      database.prepare(sql).bind(...values.map((value) => (value === recorded ? id : value))),
    );
    results.push(await (call === "batch" ? database.batch(bound) : bound[0][call]()));
  }
  return results;
}
