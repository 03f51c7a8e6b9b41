/** The database of a Worker under test: migrated once and copied for each start, and emptied between files that share a Worker. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { Log, LogLevel, Miniflare } from "miniflare";
import { at, filesUnder, fingerprint } from "../../scripts/project.mjs";

/** What every database under test is called: the runtime derives the name of its file from this. */
export const DATABASE = "till";
const MIGRATIONS = at("edge-worker", "migrations");
const TEMPLATES = at("target", "test-databases");

/** The folder of a database with every migration applied and no rows of anyone. Made by the first start that needs it. */
async function template() {
  const folder = join(TEMPLATES, fingerprint([...filesUnder(MIGRATIONS), at("package-lock.json")]).slice(0, 16));
  if (existsSync(folder)) return folder;
  mkdirSync(TEMPLATES, { recursive: true });
  const made = mkdtempSync(join(TEMPLATES, "new-"));
  const miniflare = new Miniflare({
    modules: true, script: "export default {}", compatibilityDate: "2026-04-26", d1Databases: { DB: DATABASE }, d1Persist: made,
    log: new Log(LogLevel.ERROR), telemetry: { enabled: false }, cf: false,
  });
  try {
    await migrate(await miniflare.getD1Database("DB"));
  } finally {
    await miniflare.dispose();
  }
  try {
    renameSync(made, folder);
  } catch (error) {
    // Another process was faster.
    if (!existsSync(folder)) throw error;
    rmSync(made, { recursive: true, force: true });
  }
  return folder;
}

async function migrate(db) {
  for (const name of readdirSync(MIGRATIONS).filter((file) => file.endsWith(".sql")).sort()) {
    await db.prepare(readFileSync(join(MIGRATIONS, name), "utf8")).run();
  }
}

/** Puts a migrated database into a folder, unless one is there. */
export async function provide(folder) {
  if (existsSync(folder)) return;
  mkdirSync(dirname(folder), { recursive: true });
  cpSync(await template(), folder, { recursive: true });
}

/** Every table, index and trigger. `run` answers the rows of each statement. */
export async function schemaOf(run) {
  const [schema] = await run(["SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf*' ORDER BY type, name"]);
  return schema;
}

/** Deletes every row. The triggers, which refuse that, are away meanwhile: it is one transaction. */
export async function empty(run) {
  const schema = await schemaOf(run);
  const tables = schema.filter(({ type }) => type === "table").map(({ name }) => name);
  const firsts = await run(...tables.map((name) => [`SELECT 1 FROM "${name}" LIMIT 1`]));
  const full = tables.filter((_, place) => firsts[place].length > 0);
  const triggers = schema.filter(({ type, tbl_name, sql }) => type === "trigger" && full.includes(tbl_name) && /\bDELETE ON\b/.test(sql));
  await run(
    ["PRAGMA defer_foreign_keys = ON"],
    ...triggers.map(({ name }) => [`DROP TRIGGER "${name}"`]),
    ...full.map((name) => [`DELETE FROM "${name}"`]),
    ...triggers.map(({ sql }) => [sql]),
  );
}
