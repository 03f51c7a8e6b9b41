/**
 * Writes the numbering plans of the world, `core/src/value/phone/plans.txt`, and numbers of every country to try them with,
 * `tests/vectors/phones.json`, from the package `libphonenumber-js`, which follows Google's libphonenumber. The package is looked
 * for in the folder TILL_CLIENTS and in this project; it is needed for this only.
 *
 *     npm install --prefix .tools/numbering libphonenumber-js && TILL_CLIENTS=.tools/numbering node scripts/numbering.mjs
 *
 * With `--check` nothing is written, and what differs is an error.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const ROOT = new URL("../", import.meta.url);
const PLANS = new URL("core/src/value/phone/plans.txt", ROOT);
const VECTORS = new URL("tests/vectors/phones.json", ROOT);
const from = process.env.TILL_CLIENTS ? pathToFileURL(resolve(process.env.TILL_CLIENTS, "package.json")) : new URL("package.json", ROOT);

/** Places in the metadata of a country. */
const [CODE, LENGTHS, TRUNK, TYPES] = [0, 3, 5, 11];
/** Places of the kinds of numbers that a person has: fixed, mobile, personal, by internet. */
const KINDS = [0, 1, 4, 8];

/** The lengths of national numbers as bits: bit n for n digits. */
const bits = (lengths) => [...new Set(lengths)].reduce((sum, length) => sum + 2 ** length, 0).toString(16);

/** The plans, a line each: country, calling code, trunk prefix or `-`, lengths. Codes of no country come last. */
export function plansOf(metadata) {
  const lines = Object.entries(metadata.countries).map(([country, plan]) => {
    const kinds = KINDS.map((kind) => plan[TYPES]?.[kind]).filter(Boolean);
    const lengths = kinds.flatMap(([, own]) => own ?? plan[LENGTHS]);
    return [country, plan[CODE], plan[TRUNK] || "-", bits(lengths.length > 0 ? lengths : plan[LENGTHS])].join(" ");
  });
  const others = Object.entries(metadata.nonGeographic).map(([code, plan]) => ["--", code, "-", bits(plan[LENGTHS])].join(" "));
  return `${[...lines.toSorted(), ...others].join("\n")}\n`;
}

/** A mobile number of every country as people write it there and abroad, and what it is. */
export function vectorsOf({ parsePhoneNumber }, examples) {
  return Object.entries(examples).toSorted().map(([country, national]) => {
    const number = parsePhoneNumber(national, country);
    const written = [...new Set([number.formatNational(), number.formatInternational(), number.number.replace("+", "00"), national])];
    return { country, written, e164: number.number };
  });
}

const isRun = process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href;
if (isRun) {
  const load = createRequire(from);
  const plans = plansOf(load("libphonenumber-js/metadata.max.json"));
  const vectors = `${JSON.stringify(vectorsOf(load("libphonenumber-js/max"), load("libphonenumber-js/examples.mobile.json")), null, 1)}\n`;
  for (const [file, text] of [[PLANS, plans], [VECTORS, vectors]]) {
    if (!process.argv.includes("--check")) writeFileSync(file, text);
    else if (readFileSync(file, "utf8") !== text) throw new Error(`${file.pathname} is not what the package gives`);
  }
}
