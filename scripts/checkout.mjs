/**
 * `make client`, second half: the package `till-checkout` in `clients/checkout`, bundled and with types in `dist`; with the argument
 * `pack` it is packed as npm would publish it.
 */
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { bundleCheckout } from "./bundle.mjs";
import { ELEMENT, NODE_BIN, SDK_MODULE, at, die, run } from "./project.mjs";

const PACKAGE = at("clients", "checkout");

/** The answers that a page reads. */
const ANSWERS = ["CheckoutSdk", "CallbackPayload", "WalletAnswer", "Problem"];

/** The names of these schemas, and of all that they refer to. */
function reached(schemas, names) {
  const found = new Set(names);
  for (const name of found) {
    for (const [, other] of JSON.stringify(schemas[name]).matchAll(/"#\/components\/schemas\/(\w+)"/g)) found.add(other);
  }
  return [...found].sort();
}

/** Their types, as the description of the API has them. */
async function schema() {
  const { astToString, default: openapiTS } = await import("openapi-typescript");
  const { openapi, info, components } = JSON.parse(readFileSync(at("www", "openapi.json"), "utf8"));
  const schemas = Object.fromEntries(reached(components.schemas, ANSWERS).map((name) => [name, components.schemas[name]]));
  const types = await openapiTS({ openapi, info, paths: {}, components: { schemas } }, { alphabetize: true });
  return `/** Generated from the description of the API. */\n${astToString(types)}`;
}

/** Checks the types, and writes what the package publishes. */
export async function buildCheckout() {
  writeFileSync(join(PACKAGE, "src", "schema.d.ts"), await schema());
  const dist = join(PACKAGE, "dist");
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  await run(process.execPath, [at("scripts", "build.mjs"), "page"], { quiet: true });
  await run(join(NODE_BIN, "tsc"), ["-p", PACKAGE], { quiet: true });
  for (const file of ["schema.d.ts", "types.d.ts", "wallet.d.ts"]) copyFileSync(join(PACKAGE, "src", file), join(dist, file));
  cpSync(SDK_MODULE, join(dist, "wasm"), { recursive: true });
  for (const file of ["client.js", ...Object.values(ELEMENT).map(({ source }) => source)]) writeFileSync(join(dist, file), await bundleCheckout(join(PACKAGE, "src", file)));
}

async function main(what) {
  await buildCheckout();
  if (what === "pack") await run("npm", ["pack", "--silent"], { cwd: PACKAGE });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) main(process.argv[2]).catch(die);
