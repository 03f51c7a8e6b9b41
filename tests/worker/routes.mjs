/** The table of endpoints, as the source has it. */
import { readFileSync } from "node:fs";
import { at } from "../../scripts/project.mjs";

/**
 * A line of the table: name of the variant, methods, paths, name in the log, audience, action, body with its cap and the
 * type that reads it, origins, who waits.
 */
const LINE = /^ +\w+(?:\([^)]*\))? = ([A-Z |]+) ("[^,]+"), "(\w+)", (\w+), (\w+), (\w+)\((\w*)\)(?: as ([\w:]+))?, (\w+)(?:, waits \w+)?;$/gm;
/** A cap by its name. */
const CAP = /^const (\w+): usize = ([\d_]+);$/gm;

/**
 * Every endpoint: what it is called, who calls it, what the caller must be permitted to do, what it reads (`nothing`,
 * `bytes`, `json`, `form`, `multipart`, `record`) and at most how much, and its addresses, written `METHOD /path/{}/`.
 */
export function endpoints() {
  const source = readFileSync(at("core", "src", "route", "table.rs"), "utf8");
  const caps = new Map([...source.matchAll(CAP)].map(([, name, bytes]) => [name, Number(bytes.replaceAll("_", ""))]));
  const found = [...source.matchAll(LINE)].map(([, methods, paths, name, audience, action, body, cap, request, origins]) => {
    const patterns = paths.split(" | ").map((path) => JSON.parse(path));
    const routes = methods.split(" | ").flatMap((method) => patterns.map((pattern) => `${method} ${pattern}`));
    return { name, audience, action, body, cap: caps.get(cap), request, origins, routes };
  });
  const lines = source.match(/^ +\w+(\([^)]*\))? = [A-Z]/gm).length;
  if (found.length !== lines) throw new Error(`${lines - found.length} lines of the table cannot be read`);
  return found;
}

/** Every method and pattern, written `METHOD /path/{}/`. */
export const routes = () => endpoints().flatMap((endpoint) => endpoint.routes);
