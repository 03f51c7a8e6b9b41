/**
 * `make fuzz-api`: Schemathesis calls a Worker on loopback with generated requests, valid and invalid, and holds every
 * answer against the served description, read strictly. No answer may have a status of 500 or above, be of another media
 * type, status or schema than described, or lose the Worker.
 *
 * `CASES` is how many requests at least (10,000), `MINUTES` how long at most (30), `SEED` the seed.
 */
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ENV, TOOLS, die, duration } from "../project.mjs";
import { OPERATOR_TOKEN, start } from "../../tests/worker/harness.mjs";
import { description, strictly } from "../../tests/worker/description.mjs";
import { SCHEMATHESIS, install } from "./schemathesis.mjs";
import { deepen, makeSubjects } from "./subjects.mjs";

const CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance,response_headers_conformance";

/**
 * Who calls what. Left out, each with its reason: callbacks of gateways and the returns of browsers, which are signed or
 * lead to other hosts; and the move of a clock, after which nothing of the merchant can be paid any more.
 */
const ROUNDS = [
  { name: "merchant", tags: ["Merchant"], share: 0.5, authorization: ({ private_key }) => `Api-Key ${private_key}` },
  { name: "page and public", tags: ["Page", "Payer", "Public"], share: 0.25, authorization: () => undefined },
  { name: "operator", tags: ["Operator"], share: 0.25, authorization: () => `Bearer ${OPERATOR_TOKEN}` },
];
const LEFT_OUT = [
  "gateway_return_get", "gateway_return_post", "gateway_return_get_bare", "gateway_return_post_bare", "gateway_forward", "move_clock",
];

/** Where it writes what it needs, and what Schemathesis remembers. */
const FOLDER = join(TOOLS, "fuzz");

/** Runs a program and returns its code and its output. */
function runs(program, args, milliseconds) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: FOLDER, env: { ...ENV, NO_COLOR: "1", COLUMNS: "140" }, stdio: ["ignore", "pipe", "pipe"] });
    const timer = setTimeout(() => child.kill("SIGKILL"), milliseconds);
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => { output += text; });
    child.on("error", reject);
    child.on("close", (code) => {
      clearTimeout(timer);
      resolve({ code, output });
    });
  });
}

/** A small run leaves out the phases that make thousands of requests whatever their number is to be. */
function phases(turn, cases) {
  if (turn > 0) return "fuzzing";
  return cases < 1_000 ? "examples,fuzzing" : "examples,coverage,fuzzing,stateful";
}

/** How many requests a run made, as its last lines say. */
export function casesOf(output) {
  const found = /([\d,]+)\s+(?:test cases? )?generated/i.exec(output);
  return found ? Number(found[1].replaceAll(",", "")) : 0;
}

/** The description for one round: strict, and with the operations of its tags. */
function partFor(tags) {
  const document = strictly(description());
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      if (!tags.includes(operation.tags[0]) || LEFT_OUT.includes(operation.operationId)) delete item[method];
      else operation.security = [];
    }
    if (Object.keys(item).length === 0) delete document.paths[path];
  }
  // A link leads only to what is left.
  const left = new Set(Object.values(document.paths).flatMap((item) => Object.values(item)).map(({ operationId }) => operationId));
  for (const operation of Object.values(document.paths).flatMap((item) => Object.values(item))) {
    for (const response of Object.values(operation.responses)) {
      for (const [name, { operationId }] of Object.entries(response.links ?? {})) if (!left.has(operationId)) delete response.links[name];
    }
  }
  delete document.webhooks;
  return document;
}

/**
 * Calls a running Worker until at least `cases` requests were made. Each turn has a merchant of its own: the requests of one revoke
 * its keys, pause it and change its settings.
 *
 * @returns {Promise<{cases: number, failed: string[]}>}
 */
export async function fuzz(till, { cases, minutes, seed, url = till.url, say = () => {} }) {
  mkdirSync(FOLDER, { recursive: true });
  const end = Date.now() + minutes * 60_000;
  let all = 0;
  const failed = [];
  for (const [place, { name, tags, share, authorization }] of ROUNDS.entries()) {
    const file = join(FOLDER, `round-${place}.json`);
    let made = 0;
    for (let turn = 0; made < cases * share && failed.length === 0; turn += 1) {
      const header = authorization(await till.createMerchant());
      const document = deepen(partFor(tags), await makeSubjects(till));
      writeFileSync(file, JSON.stringify(document));
      const operations = Object.values(document.paths).flatMap((item) => Object.values(item)).length;
      const left = end - Date.now();
      if (left < 5_000) return { cases: all, failed: [`the time was over after ${all} requests`] };
      const each = Math.min(40, Math.max(3, Math.ceil(((cases * share - made) / operations) * 0.6)));
      const { code, output } = await runs(SCHEMATHESIS, [
        "run", file, "--url", url, "--checks", CHECKS, "--max-examples", String(each), "--seed", String(seed + turn),
        "--workers", "1", "--phases", phases(turn, cases), "--mode", turn % 2 === 0 ? "all" : "positive",
        "--request-timeout", "60", "--max-redirects", "0", "--no-color", "--continue-on-failure", ...(header ? ["-H", `Authorization: ${header}`] : []),
      ], left);
      const count = casesOf(output);
      made += count;
      all += count;
      say(`${name}: ${count} requests (${each} examples an operation, ${operations} operations), exit code ${code}`);
      if (code !== 0 || count === 0) failed.push(output);
    }
    till.outbound.unmatched = [];
  }
  return { cases: all, failed };
}

async function main() {
  const reason = await install();
  if (reason) return console.log(`skipped: ${reason}`);
  const { CASES = "10000", MINUTES = "30", SEED = "1" } = process.env;
  const started = Date.now();
  const till = await start();
  try {
    till.outbound.on("*", /.*/, () => new Response("{}", { status: 200 }));
    const { cases, failed } = await fuzz(till, { cases: Number(CASES), minutes: Number(MINUTES), seed: Number(SEED), say: console.log });
    for (const output of failed) console.log(output);
    const verdict = failed.length === 0 ? "nothing outside the description" : "FAILED";
    console.log(`${cases} requests in ${duration(Date.now() - started)}: ${verdict}`);
    if (failed.length > 0) process.exitCode = 1;
  } finally {
    till.outbound.unmatched = [];
    await till.stop();
  }
}

if (process.argv[1]?.endsWith("run.mjs")) main().catch(die);

