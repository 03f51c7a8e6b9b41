/**
 * Lines of product source: what the Worker and its pages are made of, without tests, stand-ins for tests and the description
 * of the API. `make size` prints them. Another checkout, to compare: `node scripts/lines.mjs ../other`.
 */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { execFileSync } from "node:child_process";
import { ROOT } from "./project.mjs";

/** The parts, by the folders of their files. */
const PARTS = ["core", "edge-worker", "checkout-web", "clients/checkout", "www"];
const SOURCE = /\.(rs|js|mjs|css)$/;
/** Tests, the stand-ins of `testing`, the description, and what is generated. */
const LEFT_OUT = /(^|\/)(tests?|testing|description)(\/|\.rs$)|\.test\.m?js$|^www\/(pkg|sdk)\//;
/** Where the tests of a file of Rust begin, which are at its end. */
const TESTS = /^#\[cfg\(test\)\]\n(#\[.*\]\n)*mod \w+ \{$/m;

function linesOf(path) {
  const text = readFileSync(path, "utf8");
  const tests = path.endsWith(".rs") ? text.search(TESTS) : -1;
  return (tests === -1 ? text : text.slice(0, tests)).split("\n").length - 1;
}

/** How many lines each part has: `[[part, lines], …]`, their sum last. */
export function productLines(root = ROOT) {
  const files = execFileSync("git", ["ls-files", ...PARTS], { cwd: root, encoding: "utf8" }).split("\n");
  const source = files.filter((file) => SOURCE.test(file) && !LEFT_OUT.test(file));
  const rows = PARTS.map((part) => {
    const own = source.filter((file) => file.startsWith(`${part}/`));
    return [part, own.reduce((all, file) => all + linesOf(join(root, file)), 0)];
  });
  return [...rows, ["all", rows.reduce((all, [, lines]) => all + lines, 0)]];
}

export function printLines(root) {
  console.log("lines of product source");
  for (const [part, lines] of productLines(root)) console.log(`  ${part.padEnd(22)}${lines.toLocaleString("en").padStart(9)}`);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) printLines(process.argv[2] && resolve(process.argv[2]));
