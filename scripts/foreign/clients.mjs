/**
 * Clients of gateways that no other part of this project needs: installed from the registries into `.tools`, and run in
 * tests against our stubs of the gateways.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { TOOLS, at, findProgram, run, sha256 } from "../project.mjs";
import { makeVenv } from "../counterparty/programs.mjs";

const HERE = at("scripts", "foreign");
const MARK = ".till-mark";
const NO_PYTHON = "the clients of PyPI need Python 3 with venv (Debian: apt-get install python3 python3-venv)";

const isMarked = (folder, wanted) => existsSync(join(folder, MARK)) && readFileSync(join(folder, MARK), "utf8") === wanted;
const sumOf = (file) => sha256(readFileSync(file));

/** The packages of npm for one gateway. */
function ofNpm(gateway) {
  const [from, folder] = [join(HERE, gateway), join(TOOLS, `foreign-${gateway}-npm`)];
  const wanted = () => sumOf(join(from, "package-lock.json"));
  return {
    what: `the clients of npm for ${gateway}`,
    missing: () => undefined,
    isInstalled: () => isMarked(folder, wanted()),
    async install() {
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { recursive: true });
      for (const file of ["package.json", "package-lock.json"]) copyFileSync(join(from, file), join(folder, file));
      await run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: folder, quiet: true });
      writeFileSync(join(folder, MARK), wanted());
    },
    /** One of its packages. */
    load: (name) => import(pathToFileURL(createRequire(join(folder, "package.json")).resolve(name)).href),
  };
}

/** The packages of PyPI for one gateway. */
function ofPyPi(gateway) {
  const [requirements, folder] = [join(HERE, gateway, "requirements.txt"), join(TOOLS, `foreign-${gateway}-pypi`)];
  const python = join(folder, "bin", "python");
  return {
    what: `the clients of PyPI for ${gateway}`,
    missing: () => (findProgram("python3") ? undefined : NO_PYTHON),
    isInstalled: () => isMarked(folder, sumOf(requirements)),
    async install() {
      rmSync(folder, { recursive: true, force: true });
      await makeVenv(folder, NO_PYTHON);
      await run(python, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", requirements], { quiet: true });
      writeFileSync(join(folder, MARK), sumOf(requirements));
    },
    python,
  };
}

/** The clients, by gateway and registry. */
export const CLIENTS = {
  "checkout-com": { npm: ofNpm("checkout-com"), pypi: ofPyPi("checkout-com") },
  tamara: { pypi: ofPyPi("tamara") },
  tap: { pypi: ofPyPi("tap") },
};

/** Why a test with a client cannot run here, or false. */
export const reasonToSkip = ({ what, missing, isInstalled }) => missing() ?? (isInstalled() ? false : `${what} are not installed: make setup`);

/** Installs them all. Returns what is in the way of the last one that cannot be installed, if anything is. */
export async function install() {
  let reason;
  for (const client of Object.values(CLIENTS).flatMap((clients) => Object.values(clients))) {
    if (client.missing()) reason = client.missing();
    if (client.missing() || client.isInstalled()) continue;
    console.log(`set-up: installing ${client.what} (usually seconds)`);
    // Without a registry the tests with a client are skipped.
    await client.install().catch((error) => (reason = `${client.what}: ${error.message}`));
  }
  return reason;
}
