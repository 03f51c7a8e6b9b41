/** What is stored of an installation on this machine: a folder that Git ignores and nobody else may read. */
import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Stop, at } from "../project.mjs";

/** `TILL_DEPLOY` is another place for the folders. */
const PLACE = process.env.TILL_DEPLOY || at(".deploy");

export const pathOf = (name, file) => join(PLACE, name, `${file}.json`);

/** What a file has; undefined if there is none. */
export function read(name, file) {
  const path = pathOf(name, file);
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    throw new Stop(`${path} cannot be read: put it right from your backup. It may have the only copy of the keys`);
  }
}

/** Written to another file and renamed: what is interrupted leaves the file complete. */
export function write(name, file, value) {
  const path = pathOf(name, file);
  mkdirSync(join(PLACE, name), { recursive: true, mode: 0o700 });
  writeFileSync(`${path}.new`, `${JSON.stringify(value, undefined, 2)}\n`, { mode: 0o600 });
  chmodSync(`${path}.new`, 0o600);
  renameSync(`${path}.new`, path);
  return value;
}

/** The names of the secrets, and how each is generated. */
const SECRETS = {
  OPERATOR_TOKEN: () => randomBytes(32).toString("hex"),
  SEAL_KEY: () => randomBytes(32).toString("base64"),
  RECEIPT_KEY: () => randomBytes(32).toString("base64"),
};
export const SECRET_NAMES = Object.keys(SECRETS);

/** The secrets of an earlier run, or new ones, which are stored before anything else has them. */
export function secretsOf(name) {
  const known = read(name, "secrets") ?? {};
  const missing = SECRET_NAMES.filter((secret) => typeof known[secret] !== "string");
  if (missing.length === 0) return known;
  return write(name, "secrets", { ...known, ...Object.fromEntries(missing.map((secret) => [secret, SECRETS[secret]()])) });
}
