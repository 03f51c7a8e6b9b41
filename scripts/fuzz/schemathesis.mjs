/** Schemathesis, an API tester that generates requests from a description: installed by pip into `.tools`. */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TOOLS, at, findProgram, run, sha256 } from "../project.mjs";
import { makeVenv } from "../counterparty/programs.mjs";

const REQUIREMENTS = at("scripts", "fuzz", "requirements.txt");
const VENV = join(TOOLS, "schemathesis");
const MARK = join(VENV, ".till-mark");
const NO_PYTHON = "Schemathesis needs Python 3 with venv (Debian: apt-get install python3 python3-venv)";

/** Its program. */
export const SCHEMATHESIS = join(VENV, "bin", "schemathesis");

const wanted = () => sha256(readFileSync(REQUIREMENTS));
const isInstalled = () => existsSync(MARK) && readFileSync(MARK, "utf8") === wanted();

/** Why it cannot run here, or false. */
export function reasonToSkip() {
  if (!findProgram("python3")) return NO_PYTHON;
  return isInstalled() ? false : "Schemathesis is not installed: make fuzz-api";
}

/** Installs it. Returns what is in the way, if anything is. */
export async function install() {
  if (!findProgram("python3")) return NO_PYTHON;
  if (isInstalled()) return undefined;
  rmSync(VENV, { recursive: true, force: true });
  console.log("set-up: installing Schemathesis by pip (usually half a minute)");
  await makeVenv(VENV, NO_PYTHON);
  await run(join(VENV, "bin", "python"), ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", REQUIREMENTS], { quiet: true });
  writeFileSync(MARK, wanted());
  return undefined;
}
