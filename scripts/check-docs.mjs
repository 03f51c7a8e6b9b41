/**
 * What the prose promises must exist: every `make` target that a page names, every file and heading to which a
 * page links, every page that a comment names, and every native test
 * (`file::test`) that the table of the specification's rows names (tests/vectors/coverage.json).
 * All pages together, README.md alone and each line have a largest size (`scripts/docs/sizes.mjs`). Decisions are short, few, and cited by their headings (`scripts/docs/decisions.mjs`). Pages, comments and texts
 * are written in plain English: none of them has a word of `PLAIN_WORDS`, and no identifier one of `PLAIN_NAMES`.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { faultsOfDecisions } from "./docs/decisions.mjs";
import { anchors, faultsOfLinks } from "./docs/links.mjs";
import { faultsOfSizes } from "./docs/sizes.mjs";
import { ROOT, at, filesUnder } from "./project.mjs";

const targets = new Set([...readFileSync(at("Makefile"), "utf8").matchAll(/^([a-z][a-z-]*):/gm)].map(([, name]) => name));
const COVERAGE = "tests/vectors/coverage.json";

/** Words that are hard to read or to search for, each with what to write instead. */
const PLAIN_WORDS = [
  ["he|him|his|himself", '"they" and "their" for a payer, "it" and "its" for a merchant, or the noun'],
  ["kept cards?", '"saved card"'],
  ["anew", '"again"'],
  ["for ever", '"forever"'],
  ["somebody", '"someone"'],
  ["whoever", '"anyone who", "the one who" or the noun'],
  ["but for", '"except" or "without"'],
  ["parted by", '"separated by"'],
  ["put away", '"stored"'],
  ["told|tells", '"notified", "reported", "shown" or "answered"'],
  ["deeds?", '"operation", "effect" or the noun that says what it is'],
  ["wish|wishes", '"plan", "request" or "choice"'],
  ["drawn", '"generated" or "rendered"'],
  ["forgets?|forgotten", '"deletes", "deleted"'],
  ["stands? (?:in|on|for|as|beside|next)", '"is in", "is on", "means"'],
  ["no longer good|good for", '"expired", "valid for"'],
  ["parted", '"separated"'],
  ["beside", '"next to" or "with"'],
  ["blanks", '"spaces"'],
  ["keeps? (?:no )?cards?", '"saves cards"'],
  ["untold", '"not reported"'],
  ["tell", '"say", "report" or "show"'],
  ["grounds?", '"colour", "background" or "reason"'],
  ["forget", '"delete"'],
].map(([words, instead]) => [new RegExp(`(?<![\\w.-])(?:${words.replaceAll(" ", "\\s+")})\\b`, "gi"), instead]);

/** Words that no identifier has, with what to name it instead: an identifier is a word that a reader searches for. */
const PLAIN_NAMES = new Map([
  ["told", '"notified", "shown" or "answered"'],
  ["deed", '"operation" or "effect"'],
  ["kept", '"saved" or "stored"'],
  ["unkept", '"deleted"'],
  ["anew", '"again"'],
  ["drawn", '"generated" or "rendered"'],
  ["somebody", '"someone"'],
  ["whoever", "the noun"],
  ["parted", '"separated"'],
  ["he", "the noun"],
  ["him", "the noun"],
  ["his", '"its" or the noun'],
  ["untold", '"unreported"'],
  ["tell", '"say", "report" or "show"'],
  ["tells", '"says", "reports" or "shows"'],
  ["wish", '"plan", "request" or "choice"'],
  ["wishes", '"plans", "requests" or "choices"'],
  ["ground", '"background" or "reason"'],
  ["grounds", '"backgrounds" or "reasons"'],
  ["forget", '"delete"'],
  ["forgets", '"deletes"'],
  ["forgotten", '"deleted"'],
  ["blanks", '"spaces"'],
  ["beside", '"other" or "with"'],
  ["obey", '"operate", "follow" or the verb of the field'],
  ["conclude", '"end"'],
  ["land", '"destination", or the noun that says what it is'],
]);

const tracked = execFileSync("git", ["ls-files", "-z"], { cwd: ROOT, encoding: "utf8" })
  .split("\0")
  .filter((name) => name !== "" && existsSync(at(name)));
const required = ["README.md", "SECURITY.md", "CHANGELOG.md", "CONTRIBUTING.md"];
const written = filesUnder(at("docs")).map((path) => relative(ROOT, path));
/** The text of every page by its name. A template has the links of the page that is made of it. */
const pages = new Map(
  [...required, ...tracked, ...written]
    .filter((name) => name.endsWith(".md") && !isOfTemplate(name))
    .map((name) => [name, existsSync(at(name)) ? readFileSync(at(name), "utf8") : undefined]),
);
const decisions = [...pages].filter(([name]) => name.startsWith("docs/decisions/")).map(([name, text]) => ({ name, text }));

/** What a stranger reads: pages about tests are for those who change them. */
const read = [...pages].filter(([name, text]) => text !== undefined && !name.startsWith("tests/")).map(([name, text]) => ({ name, text }));

const faults = [...pages]
  .flatMap(([name, text]) => (text === undefined ? [`${name} is missing`] : faultsOf(name, text)))
  .concat(faultsOfMaps(), faultsOfDecisions(decisions), lostTests(), faultsOfSizes(read))
  .concat(tracked.flatMap(lostPagesOf), tracked.flatMap(hardWordsOf), tracked.flatMap(hardNamesOf));

/** The tests that the table of the specification's rows names, and that do not exist. */
function lostTests() {
  const named = [...readFileSync(at(COVERAGE), "utf8").matchAll(/`([a-z_]+)::([a-z_0-9]+)`/g)];
  return named.filter(([, file, test]) => !hasTest(file, test)).map(([, file, test]) => `${COVERAGE} names the test ${file}::${test}, which does not exist`);
}

/** The maps in docs/architecture.md have a line for every module of a crate, as its `lib.rs` declares them, and for no other. */
function faultsOfMaps() {
  return [
    ...faultsOfMap("core", "In `core/src`", "In `edge-worker/src`"),
    ...faultsOfMap("edge-worker", "In `edge-worker/src`", "## One create, step by step"),
  ];
}

function faultsOfMap(crate, from, to) {
  const declared = [...readFileSync(at(crate, "src", "lib.rs"), "utf8").matchAll(/^(?:pub )?mod (\w+);/gm)].map(([, name]) => name);
  const map = readFileSync(at("docs", "architecture.md"), "utf8");
  const table = map.slice(map.indexOf(from), map.indexOf(to));
  const rows = [...table.matchAll(/^- ((?:`\w+`(?:, )?)+):/gm)].flatMap(([, cell]) => cell.split(", ").map((name) => name.replaceAll("`", "")));
  const all = declared.filter((name) => name !== "testing");
  return [
    ...all.filter((name) => !rows.includes(name)).map((name) => `the map in docs/architecture.md lacks the module ${name} of ${crate}`),
    ...rows.filter((name) => !all.includes(name)).map((name) => `the map in docs/architecture.md names ${name}, which is no module of ${crate}`),
  ];
}

function faultsOf(name, text) {
  // Only in code: "make sure" is prose.
  const code = [...text.matchAll(/```[^\n]*\n([\s\S]*?)```|`([^`\n]+)`/g)].map(([, block, inline]) => block ?? inline).join("\n");
  const unknown = [...code.matchAll(/^\s*(?:\$ )?make ((?:[a-z-]+ ?)+)/gm)]
    .flatMap(([, list]) => list.trim().split(" "))
    .filter((target) => !targets.has(target));
  return [
    ...unknown.map((target) => `${name} names make ${target}, which the Makefile lacks`),
    ...faultsOfLinks(name, text, find),
    ...[...text.matchAll(/\bdecisions? \d+/g)].map(([cited]) => `${name} cites ${cited}: link the heading of the decision`),
  ];
}

/** The text of a page, nothing of another file or folder, `undefined` if there is none. */
function find(name) {
  return pages.get(name) ?? (existsSync(at(name)) ? "" : undefined);
}

/** The pages of docs, and their headings, that a source file names and that do not exist. */
function lostPagesOf(name) {
  if (!/\.(?:rs|m?js|ts|sql|toml)$/.test(name) || isOfTemplate(name)) return [];
  const named = readFileSync(at(name), "utf8").matchAll(/\b(docs\/[\w/-]+\.md)(?:#([\w-]+))?/g);
  return [...named]
    .filter(([, page, heading]) => !pages.has(page) || (heading !== undefined && !anchors(pages.get(page)).has(heading)))
    .map(([page]) => `${name} names ${page}, which does not exist`);
}

/** What writes, tests or imitates the page of a connector that does not exist. */
function isOfTemplate(name) {
  return name.startsWith("scripts/gateway") || name.startsWith("tests/dev/");
}

/**
 * Whether a file of native tests, or one in the directory of its name, has the test; `file::test` itself is how the page
 * says what such a name means.
 */
function hasTest(file, test) {
  const parts = [at("tests", "native", `${file}.rs`), ...filesUnder(at("tests", "native", file))];
  return test === "test" || parts.some((path) => existsSync(path) && readFileSync(path, "utf8").includes(`fn ${test}(`));
}

/** The hard words of one tracked file: of a page, and of the comments, texts and names of a source file. */
function hardWordsOf(name) {
  if (!/\.(?:md|rs|m?js|ts|sql|toml)$/.test(name) || isExempt(name)) return [];
  // A phrase may go on in the next line, behind the mark of a comment.
  const text = readFileSync(at(name), "utf8").replace(/^\s*(?:\/\/[/!]?|\/?\*+|#|--\s)/gm, (mark) => mark.replace(/[^\n]/g, " "));
  const found = PLAIN_WORDS.flatMap(([pattern, instead]) =>
    [...text.matchAll(pattern)].map(({ 0: word, index }) => {
      const line = text.slice(0, index).split("\n").length;
      return { line, word, instead };
    }),
  );
  return found
    .sort((one, other) => one.line - other.line)
    .map(({ line, word, instead }) => `${name}:${line} says "${word.replace(/\s+/, " ")}": write ${instead}`);
}

/** The identifiers of a source file that have a hard word in them, each once; those of SQL in its texts are not such. */
function hardNamesOf(name) {
  if (!/\.(?:rs|m?js|ts)$/.test(name) || isExempt(name)) return [];
  const code = readFileSync(at(name), "utf8").replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\/|\/\^(?:\\.|[^/\\\n])*\/|r(#*)"[\s\S]*?"\1|"(?:\\[\s\S]|[^"\\\n])*"|"(?:\\[\s\S]|[^"\\])*"|'(?:\\.|[^'\\])'/g, " ");
  return [...new Set(code.match(/(?<![\w.-])[A-Za-z_]\w*\b/g))].flatMap((identifier) => {
    const words = identifier.replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase().split("_");
    const hard = words.find((word) => PLAIN_NAMES.has(word));
    return hard === undefined ? [] : [`${name} names something ${identifier}: for "${hard}" use ${PLAIN_NAMES.get(hard)}`];
  });
}

/** This file, which lists the words, and migrations that databases have run: those never change. */
function isExempt(name) {
  return name === "scripts/check-docs.mjs" || /^edge-worker\/migrations\/00(?:[0-2]\d|3[0-4])_/.test(name);
}

for (const fault of faults) console.error(fault);
console.log(`${pages.size} pages checked, ${faults.length} faults`);
process.exitCode = faults.length === 0 ? 0 : 1;
