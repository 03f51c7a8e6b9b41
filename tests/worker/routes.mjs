/** The table of endpoints, as `make describe` prints it. */
import { readFileSync } from "node:fs";
import { at } from "../../scripts/project.mjs";

/**
 * Every endpoint: what it is called, who calls it, what the caller must be permitted to do and what that needs, what it
 * reads (`nothing`, `bytes`, `json`, `form`, `multipart`, `record`), at most how much and by which type, what it answers,
 * its addresses, written `METHOD /path/{}/`, and its operations in the description.
 */
const ENDPOINTS = JSON.parse(readFileSync(at("tests", "vectors", "endpoints.json"), "utf8"));
export const endpoints = () => ENDPOINTS;

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
  Csv: /^text\/csv; charset=utf-8; header=present$/,
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
