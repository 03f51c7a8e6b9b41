/** The local database of `make dev`. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { at, filesUnder, fingerprint, run } from "./project.mjs";

export const WRANGLER = at("node_modules", "wrangler", "bin", "wrangler.js");

/**
 * Applies the migrations that are new to the database in a folder of wrangler's, by default the project's own. Asking wrangler takes
 * seconds, so what was applied is noted next to the database.
 */
export async function migrate(folder) {
  const mark = join(folder ?? at(".wrangler", "state"), "till-migrations");
  const wanted = fingerprint(filesUnder(at("edge-worker", "migrations")));
  if (existsSync(mark) && readFileSync(mark, "utf8") === wanted) return;
  console.log("database: applying the migrations that are new");
  const persisted = folder ? ["--persist-to", folder] : [];
  await run(process.execPath, [WRANGLER, "d1", "migrations", "apply", "DB", "--local", ...persisted], { quiet: true });
  writeFileSync(mark, wanted);
}
