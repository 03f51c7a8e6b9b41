/**
 * What the prose promises must exist: every `make` target and every file that README.md and docs/ name, and every native
 * test (`file::test`) that docs/coverage.md names.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { ROOT, at, filesUnder } from "./project.mjs";

const targets = new Set([...readFileSync(at("Makefile"), "utf8").matchAll(/^([a-z][a-z-]*):/gm)].map(([, name]) => name));
const COVERAGE = at("docs", "coverage.md");
const pages = ["README.md", "SECURITY.md", "CHANGELOG.md"].map((name) => at(name)).concat(filesUnder(at("docs")));

const faults = pages
  .filter((page) => page.endsWith(".md"))
  .flatMap((page) => (existsSync(page) ? faultsOf(page) : [`${relative(ROOT, page)} is missing`]));

function faultsOf(page) {
  const text = readFileSync(page, "utf8");
  const name = relative(ROOT, page);
  // Only where it is code: "make sure" is prose.
  const code = [...text.matchAll(/```[^\n]*\n([\s\S]*?)```|`([^`\n]+)`/g)].map(([, block, inline]) => block ?? inline).join("\n");
  const unknown = [...code.matchAll(/^\s*(?:\$ )?make ((?:[a-z-]+ ?)+)/gm)]
    .flatMap(([, list]) => list.trim().split(" "))
    .filter((target) => !targets.has(target));
  const broken = [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)\s]*)?\)/g)]
    .map(([, link]) => link)
    .filter((link) => !/^[a-z]+:/.test(link) && !existsSync(join(dirname(page), link)));
  const named = page === COVERAGE ? [...text.matchAll(/`([a-z_]+)::([a-z_0-9]+)`/g)] : [];
  const lost = named.filter(([, file, test]) => !hasTest(file, test));
  return [
    ...unknown.map((target) => `${name} names make ${target}, which the Makefile lacks`),
    ...broken.map((link) => `${name} links to ${link}, which does not exist`),
    ...lost.map(([, file, test]) => `${name} names the test ${file}::${test}, which does not exist`),
  ];
}

/** `file::test` itself is how the page says what such a name means. */
function hasTest(file, test) {
  const path = at("tests", "native", `${file}.rs`);
  return test === "test" || (existsSync(path) && readFileSync(path, "utf8").includes(`fn ${test}(`));
}

for (const fault of faults) console.error(fault);
console.log(`${pages.length} pages checked, ${faults.length} faults`);
process.exitCode = faults.length === 0 ? 0 : 1;
