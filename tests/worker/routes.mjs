/** The table of endpoints, as the source has it. */
import { readFileSync } from "node:fs";
import { at } from "../../scripts/project.mjs";

/** A line of the table: name of the variant, methods, paths, name in the log, audience, body, origins. */
const LINE = /^ +\w+(?:\([^)]*\))? = ([A-Z |]+) ("[^,]+"), "(\w+)", (\w+), (\w+), (\w+);$/gm;

/**
 * Every endpoint: what it is called, who calls it, what it reads (`NOTHING`, `BYTES`, `JSON`, `FORM`, `MULTIPART`,
 * `RECORD`), and its addresses, written `METHOD /path/{}/`.
 */
export function endpoints() {
  const source = readFileSync(at("core", "src", "route", "table.rs"), "utf8");
  const found = [...source.matchAll(LINE)].map(([, methods, paths, name, audience, body, origins]) => {
    const patterns = paths.split(" | ").map((path) => JSON.parse(path));
    const routes = methods.split(" | ").flatMap((method) => patterns.map((pattern) => `${method} ${pattern}`));
    return { name, audience, body, origins, routes };
  });
  const lines = source.match(/^ +\w+(\([^)]*\))? = [A-Z]/gm).length;
  if (found.length !== lines) throw new Error(`${lines - found.length} lines of the table cannot be read`);
  return found;
}

/** Every method and pattern, written `METHOD /path/{}/`. */
export const routes = () => endpoints().flatMap((endpoint) => endpoint.routes);
