/** The table of endpoints, as the source has it. */
import { readFileSync } from "node:fs";
import { at } from "../../scripts/project.mjs";

/**
 * A line of the table: name of the variant, methods, paths, name in the log, audience, action, body with its cap and the
 * type that reads it, origins, who waits, how it refuses, its query; what it answers, and what writes that.
 */
const LINE = /^ +\w+(?:\([^)]*\))? = ([A-Z |]+) ("[^,]+"), "(\w+)", (\w+), (\w+), (\w+)\((\w*)\)(?: as ([\w:]+))?, (\w+)(?:, waits \w+)?(?:, refusals \w+)?(?:, query \w+)? => ([\w |]+?)(?: by ([\w:]+))?;$/gm;
/** A cap by its name. */
const CAP = /^const (\w+): usize = ([\d_]+);$/gm;

/**
 * Every endpoint: what it is called, who calls it, what the caller must be permitted to do, what it reads (`nothing`,
 * `bytes`, `json`, `form`, `multipart`, `record`) and at most how much, what it answers, and its addresses, written
 * `METHOD /path/{}/`.
 */
export function endpoints() {
  const source = readFileSync(at("core", "src", "route", "table.rs"), "utf8");
  const caps = new Map([...source.matchAll(CAP)].map(([, name, bytes]) => [name, Number(bytes.replaceAll("_", ""))]));
  const found = [...source.matchAll(LINE)].map(([, methods, paths, name, audience, action, body, cap, request, origins, answered]) => {
    const patterns = paths.split(" | ").map((path) => JSON.parse(path));
    const routes = methods.split(" | ").flatMap((method) => patterns.map((pattern) => `${method} ${pattern}`));
    const answers = answered.split(" | ").map((one) => one.split(" ")).map(([status, media]) => ({ status: Number(status), media }));
    return { name, audience, action, body, cap: caps.get(cap), request, origins, answers, routes };
  });
  const lines = source.match(/^ +\w+(\([^)]*\))? = [A-Z]/gm).length;
  if (found.length !== lines) throw new Error(`${lines - found.length} lines of the table cannot be read`);
  return found;
}

/** Every method and pattern, written `METHOD /path/{}/`. */
export const routes = () => endpoints().flatMap((endpoint) => endpoint.routes);

/** The content type of each kind of answer. */
const MEDIA = {
  Json: /^application\/json$/,
  Html: /^text\/html; charset=utf-8$/,
  Redirect: /^$/,
  Empty: /^$/,
  Image: /^image\/(png|svg\+xml|webp)$/,
  Text: /^text\/plain; charset=utf-8$/,
  File: /^(?!text\/html)[a-z]+\/[\w.+-]+(; charset=utf-8)?$/,
  Jose: /^application\/jose$/,
  Metrics: /^text\/plain; version=0\.0\.4; charset=utf-8$/,
  OfGateway: /^(application\/json|text\/plain; charset=utf-8)$/,
  KeySet: /^application\/jwk-set\+json$/,
};

/** The patterns of the table; the one with the most fixed segments comes first. */
const PATTERNS = endpoints()
  .flatMap(({ routes, answers }) => routes.map((route) => ({ route, answers })))
  .map(({ route, answers }) => {
    const [method, path] = route.split(" ");
    const parts = path.split("{}").map((part) => part.replaceAll(/[.]/g, "\\."));
    return { method, path: new RegExp(`^${parts.join("[^/]+").replace(/\/$/, "/?")}$`), answers, fixed: path.replaceAll("{}", "").length };
  })
  .sort((one, other) => other.fixed - one.fixed);

/** Throws if a request that succeeded was answered in another way than the table says. */
export function assertDeclared(method, pathname, { status, headers }) {
  const found = PATTERNS.find((pattern) => pattern.method === method && pattern.path.test(pathname));
  if (found === undefined || status >= 400) return;
  const type = headers.get("content-type") ?? "";
  const isDeclared = found.answers.some((answer) => answer.status === status && MEDIA[answer.media].test(type));
  if (!isDeclared) throw new Error(`the table does not declare that ${method} ${pathname} answers ${status} ${type}`);
}
