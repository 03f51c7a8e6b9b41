/**
 * Every block of commands of every page, run in order in a clone. `scripts/docs/blocks.mjs` says how a page names what cannot be
 * run.
 */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { PROGRAMS, SHELLS, blocksOf } from "../../scripts/docs/blocks.mjs";
import { ROOT, at } from "../../scripts/project.mjs";
import { freePort } from "../worker/runtime.mjs";
import { Clone } from "./commands/clone.mjs";
import { Installation } from "./commands/installation.mjs";
import { Session } from "./commands/session.mjs";

/** What is run against `make dev`, and what is run against an installation, in the order in which a reader does it. */
const AT_HOME = ["README.md", "docs/api.md", "docs/sandbox.md"];
const DEPLOYED = [
  "docs/operating/deploy.md", "docs/operating.md",
  ...["settings", "brand", "operators", "attention", "running", "keys", "backup", "monitoring", "page-security", "privacy", "troubleshooting"]
    .map((name) => `docs/operating/${name}.md`),
  "docs/gateways.md",
];

const pages = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "*.md"], { cwd: ROOT, encoding: "utf8" })
  .split("\n").filter((name) => name !== "" && existsSync(at(name)) && !/^(?:scripts|target)\//.test(name));
const blocks = new Map(pages.map((name) => [name, blocksOf(name, readFileSync(at(name), "utf8"))]));
const commandsOf = (name) => (blocks.get(name) ?? []).filter(({ language, mode }) => (SHELLS.includes(language) && mode !== "parsed") || mode === "file");
const others = pages.filter((name) => ![...AT_HOME, ...DEPLOYED].includes(name) && commandsOf(name).length > 0);

/** How a language is parsed: the program and its arguments before the file. Types are left to the compiler of the packages. */
const PARSERS = {
  ...Object.fromEntries(SHELLS.map((name) => [name, ["bash", "-n"]])),
  js: [process.execPath, "--check"], ts: [at("node_modules", ".bin", "esbuild"), "--log-level=error"], php: ["php", "-l"],
  python: ["python3", "-c", "import ast, sys; ast.parse(open(sys.argv[1], encoding='utf-8').read())"],
};

const isThere = (tool) => spawnSync(tool, ["--version"], { stdio: "ignore" }).error === undefined;

test("a program is run, or says who runs it", () => {
  const silent = [...blocks.values()].flat().filter(({ language, mode }) => language in PROGRAMS && mode === "run");
  assert.deepEqual(silent.map(({ page, line }) => `${page}:${line}`), []);
});

test("every exception has a reason", () => {
  const bare = [...blocks.values()].flat().filter(({ mode, reason }) => mode !== "run" && !/\w+ \w+/.test(reason ?? ""));
  assert.deepEqual(bare, []);
});

describe("every block", () => {
  let clone;
  before(() => (clone = new Clone()));
  after(() => clone.remove());

  for (const block of [...blocks.values()].flat().filter(({ language }) => language in PARSERS || language === "json")) {
    const { page, line, language, text } = block;
    const [program, ...args] = PARSERS[language] ?? [];
    const skip = program !== undefined && !isThere(program) ? `${program} is not on this machine` : false;
    test(`${page}:${line} parses as ${language}`, { skip }, () => {
      // A member alone is shown as it is in its document.
      if (language === "json") return void JSON.parse(/^\s*"/.test(text) ? `{${text}}` : text);
      const file = join(clone.base, `parsed.${PROGRAMS[language] ?? "sh"}`);
      writeFileSync(file, text);
      return void execFileSync(program, [...args, file], { encoding: "utf8", stdio: ["ignore", "ignore", "pipe"] });
    });
  }
});

/** Runs the blocks of pages in one shell. What `install` makes starts when they have deployed it. */
async function runAll(names, env, install = () => undefined) {
  const clone = new Clone();
  const session = new Session(clone, env);
  const context = install(clone);
  try {
    for (const block of names.flatMap(commandsOf)) {
      if (block.mode === "file") writeFileSync(join(clone.folder, block.file), block.text);
      else await session.run(block);
      await context?.startIfDeployed();
    }
    return readFileSync(clone.calls, { encoding: "utf8", flag: "a+" });
  } finally {
    await session.end();
    await context?.end();
    clone.remove();
  }
}

describe("the commands of", { concurrency: true }, () => {
  test(`${AT_HOME.join(" and ")}, against make dev`, { timeout: 240_000 }, async () => {
    await runAll(AT_HOME, { PORT: String(await freePort()) });
  });

  test("the operator's pages, against an installation that they deploy", { timeout: 240_000 }, async () => {
    const calls = await runAll(DEPLOYED, {}, (clone) => new Installation(clone));
    assert.match(calls, /^\["d1","migrations","apply"[^\n]*\n(?:[^\n]*\n)*?\["deploy"/m, "the database is brought up to date before the deployment");
  });

  test(others.join(", "), { timeout: 120_000 }, async () => {
    await runAll(others, { PORT: String(await freePort()) });
  });
});
