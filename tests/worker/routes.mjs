/** The tables of routes, as the source has them. */
import { readFileSync } from "node:fs";
import { at } from "../../scripts/project.mjs";

/** Every method and pattern, written `METHOD /path/{}/`. */
export function routes() {
  return [["route.rs"], ["route", "operator.rs"]].flatMap((path) => read(at("core", "src", ...path)));
}

function read(path) {
  const source = readFileSync(path, "utf8");
  const table = source.slice(source.indexOf("const TABLE"), source.indexOf("\n];"));
  return [...table.matchAll(/path:\s*"([^"]+)"([^]*?)(?=path:\s*"|$)/g)].flatMap(([, path, entry]) =>
    [...entry.matchAll(/\(\s*"([A-Z]+)",/g)].map(([, method]) => `${method} ${path}`),
  );
}
