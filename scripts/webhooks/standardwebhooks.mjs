/** The package `standardwebhooks` of PyPI, which verifies webhooks in tests: installed by pip into `.tools`. */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TOOLS, at, findProgram, run, sha256 } from "../project.mjs";
import { makeVenv } from "../counterparty/programs.mjs";

const REQUIREMENTS = at("scripts", "webhooks", "requirements.txt");
const VENV = join(TOOLS, "standardwebhooks");
const MARK = join(VENV, ".till-mark");
const NO_PYTHON = "standardwebhooks of PyPI needs Python 3 with venv (Debian: apt-get install python3 python3-venv)";

/** The Python that has it. */
export const PYTHON = join(VENV, "bin", "python");

const wanted = () => sha256(readFileSync(REQUIREMENTS));
const isInstalled = () => existsSync(MARK) && readFileSync(MARK, "utf8") === wanted();

/** Why it cannot run here, or false. */
export function reasonToSkip() {
  if (!findProgram("python3")) return NO_PYTHON;
  return isInstalled() ? false : "standardwebhooks of PyPI is not installed: make setup";
}

/** Installs it. Returns what is in the way, if anything is. */
export async function install() {
  if (!findProgram("python3")) return NO_PYTHON;
  if (isInstalled()) return undefined;
  rmSync(VENV, { recursive: true, force: true });
  console.log("set-up: installing standardwebhooks of PyPI by pip (usually ten seconds)");
  await makeVenv(VENV, NO_PYTHON);
  await run(PYTHON, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", REQUIREMENTS], { quiet: true });
  writeFileSync(MARK, wanted());
  return undefined;
}
