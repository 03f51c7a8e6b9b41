/**
 * `make client`: the TypeScript client in `clients/typescript`. Its types are generated from `www/openapi.json`, it is
 * compiled into `dist`, and with the argument `pack` it is packed as npm would publish it.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { NODE_BIN, at, die, run } from "./project.mjs";

const CLIENT = at("clients", "typescript");
const SCHEMA = join(CLIENT, "src", "schema.d.ts");

/** Generates the types and compiles the client. */
export async function buildClient() {
  const { astToString, default: openapiTS } = await import("openapi-typescript");
  const document = JSON.parse(readFileSync(at("www", "openapi.json"), "utf8"));
  const types = await openapiTS(document, { alphabetize: true });
  writeFileSync(SCHEMA, `/** Generated from the description of the API. */\n${astToString(types)}`);
  rmSync(join(CLIENT, "dist"), { recursive: true, force: true });
  await run(join(NODE_BIN, "tsc"), ["-p", CLIENT], { quiet: true });
  mkdirSync(join(CLIENT, "dist"), { recursive: true });
  writeFileSync(join(CLIENT, "dist", "schema.d.ts"), readFileSync(SCHEMA));
}

async function main(what) {
  await buildClient();
  if (what === "pack") await run("npm", ["pack", "--silent"], { cwd: CLIENT });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) main(process.argv[2]).catch(die);
