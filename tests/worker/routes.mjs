/** The table of routes, as the source has it. */
import { readFileSync } from "node:fs";
import { at } from "../../scripts/project.mjs";

/** Every method and pattern, written `METHOD /path/{}/`. */
export function routes() {
  const source = readFileSync(at("core", "src", "api", "route.rs"), "utf8");
  const table = source.slice(source.indexOf("const TABLE"), source.indexOf("\n];"));
  return [...table.matchAll(/path:\s*"([^"]+)"([^]*?)(?=path:\s*"|$)/g)].flatMap(([, path, entry]) =>
    [...entry.matchAll(/\(\s*"([A-Z]+)",/g)].map(([, method]) => `${method} ${path}`),
  );
}
