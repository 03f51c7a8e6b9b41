/**
 * `make gateway NAME=acme`: writes a connector that works, for a made-up protocol, and its line in the table of connectors.
 * What it writes is the folder `gateway/template` with the name in the place of `acme`.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { ROOT, Stop, at, die, filesUnder, run } from "./project.mjs";

const TEMPLATE = at("scripts", "gateway", "template");
const TABLE = at("core", "src", "gateway.rs");
const MODULES = at("core", "src", "gateway");

/** Words that are no names of modules in Rust. */
const KEYWORDS = "as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return self static struct super trait true type union unsafe use where while".split(" ");

/** `acme_pay` as the name of a type. */
const typeName = (name) => name.split("_").map((word) => word[0].toUpperCase() + word.slice(1)).join("");

function check(name) {
  if (!/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name ?? "") || name.length > 24) {
    throw new Stop("make gateway needs a name of lower-case letters, digits and underscores: make gateway NAME=acme");
  }
  if (KEYWORDS.includes(name)) throw new Stop(`${name} is a word of Rust: choose another name`);
  const taken = [join(MODULES, `${name}.rs`), join(MODULES, name)].find(existsSync);
  if (taken) throw new Stop(`there is ${relative(ROOT, taken)} already: choose another name`);
}

/** The table with one line more. */
function withLine(table, name) {
  const end = table.indexOf("\n}\n", table.indexOf("\nconnectors! {\n"));
  if (end < 0) throw new Stop(`${relative(ROOT, TABLE)} has no table of connectors`);
  const line = `    ${typeName(name)} = "${name}" in ${name};`;
  return `${table.slice(0, end)}\n${line}${table.slice(end)}`;
}

async function main(name) {
  check(name);
  const named = (text) => text.replaceAll("acme", name).replaceAll("Acme", typeName(name));
  const files = filesUnder(TEMPLATE).map((file) => [at(named(relative(TEMPLATE, file))), named(readFileSync(file, "utf8"))]);
  const taken = files.find(([path]) => existsSync(path));
  if (taken) throw new Stop(`there is ${relative(ROOT, taken[0])} already: choose another name`);
  const table = withLine(readFileSync(TABLE, "utf8"), name);
  for (const [path, text] of files) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  writeFileSync(TABLE, table);
  // A name of another length breaks lines elsewhere.
  await run("rustfmt", ["--edition", "2024", ...files.map(([path]) => path).filter((path) => path.endsWith(".rs"))]);
  console.log(`one line more in ${relative(ROOT, TABLE)}, and`);
  for (const [path] of files) console.log(`  ${relative(ROOT, path)}`);
  console.log(`
It compiles and speaks a made-up protocol. Next, by docs/new-gateway.md: write the protocol of your gateway into it, tests first.
  cargo test -p checkout-core ${name}                   # the tests of the folder
  cargo test -p checkout-tests --test gateways connectors::    # what holds for every connector
`);
}

main(process.argv[2]).catch(die);
