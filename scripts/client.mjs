/**
 * `make client`: the TypeScript client in `clients/typescript`. Its types are generated from `www/openapi.json`, it is
 * compiled into `dist`, and with the argument `pack` it is packed as npm would publish it.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { NODE_BIN, TOOLS, at, die, filesUnder, fingerprint, run } from "./project.mjs";

const CLIENT = at("clients", "typescript");
const DIST = join(CLIENT, "dist");
const STAMP = join(TOOLS, "stamps", "client");
const SCHEMA = join(CLIENT, "src", "schema.d.ts");

/** Whether what is compiled is of these sources. */
const isBuilt = (inputs) => existsSync(join(DIST, "index.js")) && existsSync(STAMP) && readFileSync(STAMP, "utf8") === inputs;

/** Written to another file and renamed: who reads it meanwhile finds it complete. */
function write(path, text) {
  writeFileSync(`${path}.${process.pid}`, text);
  renameSync(`${path}.${process.pid}`, path);
}

/** Puts what was compiled in its place, unless another process just did. */
function place(made) {
  try {
    renameSync(made, DIST);
  } catch (error) {
    if (!["ENOTEMPTY", "EEXIST"].includes(error.code)) throw error;
  }
}

/**
 * Generates the types and compiles the client, unless nothing has changed. Several processes may call it at the same time: each
 * compiles into a folder of its own, and the first one that is done puts it in its place.
 */
export async function buildClient() {
  const sources = filesUnder(join(CLIENT, "src")).filter((file) => !file.includes("schema.d.ts"));
  const inputs = fingerprint([at("www", "openapi.json"), at("package-lock.json"), join(CLIENT, "tsconfig.json"), ...sources]);
  if (isBuilt(inputs)) return;
  const { astToString, default: openapiTS } = await import("openapi-typescript");
  const document = JSON.parse(readFileSync(at("www", "openapi.json"), "utf8"));
  const types = `/** Generated from the description of the API. */\n${astToString(await openapiTS(document, { alphabetize: true }))}`;
  write(SCHEMA, types);
  const made = `${DIST}-${process.pid}`;
  try {
    await run(join(NODE_BIN, "tsc"), ["-p", CLIENT, "--outDir", made], { quiet: true });
    writeFileSync(join(made, "schema.d.ts"), types);
    if (isBuilt(inputs)) return;
    rmSync(DIST, { recursive: true, force: true });
    place(made);
    mkdirSync(dirname(STAMP), { recursive: true });
    write(STAMP, inputs);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

async function main(what) {
  await buildClient();
  if (what === "pack") await run("npm", ["pack", "--silent"], { cwd: CLIENT });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) main(process.argv[2]).catch(die);
