/**
 * `make gateway` and its guide, docs/new-gateway.md: in a copy of the core, what is written compiles and passes its tests, so
 * does it with the whole difference that the guide made, and the guide shows the extent of it.
 */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { before, test } from "node:test";
import { ENV, ROOT, TOOLS, at, filesUnder, run } from "../../scripts/project.mjs";

/** Always the same folder, so that a second run compiles only what changed. */
const COPY = join(TOOLS, "gateway-trial");
const TARGET = process.env.CARGO_TARGET_DIR || at("target");
const COPIED = ["core", "scripts", "docs", "tests/vectors", "Cargo.toml", "Cargo.lock", "rustfmt.toml"];
const NAME = "acme_pay";
const FLEXIBLE = "acme_later";
const GUIDE = readFileSync(at("docs", "new-gateway.md"), "utf8");

const quiet = { cwd: COPY, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] };
const git = (...args) => execFileSync("git", ["-c", "user.name=test", "-c", "user.email=test@example.com", "-c", "core.autocrlf=false", ...args], { ...quiet, env: { ...ENV, GIT_DIR: join(COPY, ".git") } });
const commit = (subject) => {
  git("add", "--all");
  git("commit", "--quiet", "--message", subject);
};
/** Runs the script of the copy, as the make target does. */
const gateway = (name = "") => spawnSync(process.execPath, [join(COPY, "scripts", "gateway.mjs"), name], quiet);
const cargo = (...args) => run("cargo", args, { cwd: COPY, quiet: true, env: { CARGO_TARGET_DIR: TARGET } });

/** The tests of the connector; returns how many passed. */
async function testsOf(name) {
  const output = await cargo("test", "--package", "checkout-core", "--lib", `gateway::${name}::`);
  return Number(/test result: ok\. (\d+) passed; 0 failed/.exec(output)?.[1]);
}

/** A text without spaces at the ends of its lines, which editors remove. */
const plain = (text) => text.split("\n").map((line) => line.trimEnd()).join("\n").trimEnd();

before(() => {
  rmSync(COPY, { recursive: true, force: true });
  mkdirSync(COPY, { recursive: true });
  const files = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard", ...COPIED], { cwd: ROOT, encoding: "utf8" });
  for (const file of files.split("\0").filter(Boolean)) {
    mkdirSync(dirname(join(COPY, file)), { recursive: true });
    cpSync(at(file), join(COPY, file), { preserveTimestamps: true });
  }
  const manifest = readFileSync(at("Cargo.toml"), "utf8");
  writeFileSync(join(COPY, "Cargo.toml"), manifest.replace(/^members = .*$/m, 'members = ["core"]'));
  git("init", "--quiet");
  // The copy has fewer packages than the workspace.
  writeFileSync(join(COPY, ".git", "info", "exclude"), "Cargo.lock\n");
  commit("before");
});

test("a name that cannot be one is refused, and nothing is written", () => {
  for (const [name, words] of [[undefined, /NAME=acme/], ["Acme", /lower-case/], ["../acme", /lower-case/], ["stripe", /already/], ["charge", /already/], ["match", /word of Rust/]]) {
    const { status, stderr } = gateway(name);
    assert.equal(status, 1, name);
    assert.match(stderr, words);
  }
  assert.equal(git("status", "--short"), "");
});

test("what make gateway writes is one folder, its vectors, its page and one line, and it passes its tests", async () => {
  const { status, stderr } = gateway(NAME);
  assert.equal(status, 0, stderr);
  const files = git("status", "--short", "--untracked-files=all").trimEnd().split("\n").map((line) => line.slice(3));
  assert.deepEqual(files.filter((file) => !file.startsWith(`core/src/gateway/${NAME}`)), [
    "core/src/gateway.rs", `docs/gateway-${NAME}.md`, `tests/vectors/gateways/${NAME}.json`,
  ]);
  const changed = git("diff", "--unified=0", "core/src/gateway.rs").split("\n").filter((line) => /^[+-][^+-]/.test(line));
  assert.deepEqual(changed, [`+    AcmePay = "${NAME}" in ${NAME};`]);
  commit("what make gateway writes");
  assert.ok((await testsOf(NAME)) > 5);
});

test("the difference that the guide made passes the tests too, and is as large as the guide says", async () => {
  git("apply", at("tests", "dev", "acme-pay.patch"));
  const sources = filesUnder(join(COPY, "core", "src", "gateway")).filter((file) => file.endsWith(".rs"));
  await run("rustfmt", ["--check", "--edition", "2024", ...sources], { cwd: COPY, quiet: true });
  commit("the protocol of Acme Pay");
  assert.ok((await testsOf(NAME)) > 5);
  const stat = git("diff", "--stat=100", "HEAD~2", "HEAD").trimEnd().split("\n").map((line) => line.trimEnd());
  assert.ok(GUIDE.includes(`\`\`\`\n${stat.join("\n")}\n\`\`\``), `the guide shows another extent than\n${stat.join("\n")}`);
});

test("a flexible method by the guide is one folder and one line too", async () => {
  const { status, stderr } = gateway(FLEXIBLE);
  assert.equal(status, 0, stderr);
  commit("what make gateway writes");
  git("apply", at("tests", "dev", "acme-later.patch"));
  commit("the protocol of Acme Later");
  const files = git("diff", "--name-only", "HEAD~2", "HEAD").trimEnd().split("\n").filter((file) => !file.startsWith(`core/src/gateway/${FLEXIBLE}`));
  assert.deepEqual(files, ["core/src/gateway.rs", `docs/gateway-${FLEXIBLE}.md`, `tests/vectors/gateways/${FLEXIBLE}.json`]);
  assert.ok((await testsOf(FLEXIBLE)) > 7);
});
