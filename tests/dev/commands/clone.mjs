/** A folder as a newcomer has it: a clone of the project, and what was installed and built before, so that it is not done twice. */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { ENV, ROOT, at } from "../../../scripts/project.mjs";

const STAND_INS = at("tests", "dev", "commands", "bin");
/** What is built, which is a copy: the clone may build it again. */
const BUILT = [".tools/stamps", "edge-worker/build", "www/pkg", "www/sdk", "www/docs/index.html", "www/docs/start.html"];
/** What was downloaded, which nobody changes. */
const INSTALLED = [".tools/bin", "node_modules"];

const git = (...args) => execFileSync("git", args, { cwd: ROOT, encoding: "utf8" });

/** Changes that are not committed yet are there too: a writer sees at once whether a block runs. */
function clone(folder) {
  git("clone", "--quiet", "--shared", ROOT, folder);
  const names = [git("diff", "-z", "--name-only", "HEAD"), git("ls-files", "-z", "--others", "--exclude-standard")].flatMap((list) => list.split("\0"));
  for (const name of names.filter(Boolean)) {
    rmSync(join(folder, name), { force: true });
    if (existsSync(at(name))) cpSync(at(name), join(folder, name));
  }
  for (const name of [...BUILT, ...INSTALLED]) {
    if (!existsSync(at(name))) continue;
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    if (BUILT.includes(name)) cpSync(at(name), join(folder, name), { recursive: true, preserveTimestamps: true });
    else symlinkSync(at(name), join(folder, name));
  }
}

export class Clone {
  constructor() {
    this.base = mkdtempSync(join(tmpdir(), "till-clone-"));
    this.folder = join(this.base, "till");
    this.home = join(this.base, "home");
    /** Where the stand-in for wrangler notes its calls. */
    this.calls = join(this.base, "calls");
    mkdirSync(this.home);
    clone(this.folder);
  }

  /** The environment of a shell in it: with a home of its own, and stand-ins for what needs an account. */
  env(more = {}) {
    return {
      ...ENV, HOME: this.home, CURL_HOME: this.home, EDITOR: "true", TILL_ROOT: ROOT, TILL_CALLS: this.calls,
      CARGO_HOME: process.env.CARGO_HOME || join(homedir(), ".cargo"),
      RUSTUP_HOME: process.env.RUSTUP_HOME || join(homedir(), ".rustup"),
      PATH: [STAND_INS, process.env.PATH].join(delimiter), NODE_TEST_CONTEXT: undefined, ...more,
    };
  }

  /** Lets curl in this clone find an https address at a port of this machine. */
  route(host, port, certificate) {
    writeFileSync(join(this.home, ".curlrc"), `connect-to = "${host}:443:127.0.0.1:${port}"\ncacert = "${certificate}"\n`);
  }

  remove() {
    rmSync(this.base, { recursive: true, force: true });
  }
}
