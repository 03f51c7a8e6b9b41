/** The table of README.md that says which connector passes which case. */
import { readFileSync } from "node:fs";
import { at } from "../../../scripts/project.mjs";
import { ADAPTERS } from "./adapters.mjs";

const START = "<!-- conformance -->";

/** The table in the documentation, as lines. */
export function documented() {
  const lines = readFileSync(at("tests", "worker", "conformance", "README.md"), "utf8").split("\n");
  const first = lines.indexOf(START) + 1;
  const rest = lines.slice(first + lines.slice(first).findIndex((line) => line.startsWith("|")));
  return rest.slice(0, rest.findIndex((line) => !line.startsWith("|")));
}

/**
 * The table of what was run.
 *
 * @param {Record<string, Record<string, "proven" | "refused">>} ran by connector and case; a case that failed is not in it
 */
export function tableOf(ran, cases) {
  const row = (cells) => `| ${cells.join(" | ")} |`;
  const cell = ({ name, cannot, notes = {} }, item) => {
    if (ran[name]?.[item] === "refused") return `cannot: ${cannot[item]}`;
    return ran[name]?.[item] === "proven" ? ["proven", notes[item]].filter(Boolean).join("; ") : "failed";
  };
  return [
    row(["", ...ADAPTERS.map(({ name }) => `\`${name}\``)]),
    `|${"---|".repeat(ADAPTERS.length + 1)}`,
    ...cases.map((item) => row([item, ...ADAPTERS.map((adapter) => cell(adapter, item))])),
    row(["Against", ...ADAPTERS.map(({ against }) => against)]),
  ];
}
