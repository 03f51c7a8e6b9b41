/**
 * The style of the element `<till-checkout>`: the rules and colours of the hosted page for the parts that both have, so that one
 * style sheet is the source of both.
 */
import { readFileSync } from "node:fs";
import { at } from "./project.mjs";

/** The parts, by the names of their classes. */
const SHARED = new Set([
  "amount", "brands", "button", "calm", "chip", "cost", "emblem", "entry", "fault", "fees", "lacks", "method", "methods", "name", "notice", "offer", "or", "over", "plain", "sum",
  "under", "unseen", "wallet",
]);

/** What selectors of shared parts say of things that the element does not have, or that it never is. */
const OTHER = /#|notice:focus|:root|\b(html|form|svg)\b|\[data-(?!wallet)|scripting|amount (p|label)|details|fieldset/;

/** The colours of the page, and the properties by which a merchant changes them. */
const COLOURS = {
  "--accent": "--till-accent", "--on-accent": "--till-on-accent", "--ink": "--till-ink", "--quiet": "--till-quiet", "--panel": "--till-ground",
  "--edge": "--till-edge", "--bad": "--till-bad", "--good": "--till-good", "--warn": "--till-warn",
};
/** Those that follow from the others. */
const MIXED = {
  "--ground": "var(--panel),var(--ink) 4%", "--rule": "var(--panel),var(--edge) 30%", "--tint": "var(--panel),var(--accent) 9%",
  "--accent-strong": "var(--accent),var(--ink) 20%", "--warn-tint": "var(--panel),var(--warn) 14%", "--bad-tint": "var(--panel),var(--bad) 9%",
};

/** The blocks of a sheet: what is before the braces, and what is in them. */
function blocks(text) {
  const found = [];
  let [start, depth, open] = [0, 0, 0];
  for (let place = 0; place < text.length; place += 1) {
    if (text[place] === "{") {
      if (depth === 0) open = place;
      depth += 1;
    } else if (text[place] === "}") {
      depth -= 1;
      if (depth > 0) continue;
      found.push([text.slice(start, open).trim(), text.slice(open + 1, place).trim()]);
      start = place + 1;
    }
  }
  return found;
}

/** Whether a selector is about shared parts only, and about nothing of the document around them. */
function isShared(selector) {
  const classes = [...selector.matchAll(/\.([a-z][\w-]*)/g)].map(([, name]) => name);
  return classes.length > 0 && classes.every((name) => SHARED.has(name)) && !OTHER.test(selector);
}

/** The commas between selectors; those in brackets are parts of one. */
const selectors = (head) => head.split(/,(?![^(]*\))/).map((one) => one.trim());

function shared(text) {
  return blocks(text).map(([head, body]) => {
    // The element is there with a script only.
    if (/^@keyframes|scripting:\s*none/.test(head)) return "";
    if (head.startsWith("@")) {
      const inner = shared(body);
      return inner === "" ? "" : `${head}{${inner}}`;
    }
    const found = selectors(head).filter(isShared);
    // Colours of the merchant are there at once, and corners are as round as the merchant wants: element.css.
    return found.length === 0 ? "" : `${found.join(",")}{${body.replace(/transition:[^;]+;?|border-radius: 12px;?/g, "")}}`;
  }).join("");
}

/** The values of the colours in a block of custom properties. */
const values = (body) => new Map([...body.matchAll(/(--[\w-]+):\s*([^;]+)/g)].map(([, name, value]) => [name, value.trim()]));

/** The sheet. */
export function elementStyle() {
  const read = (name) => readFileSync(at("www", name), "utf8").replaceAll(/\/\*[^]*?\*\//g, "");
  const sheets = ["checkout.css", "amount.css", "outcome.css"].map(read);
  const all = sheets.flatMap(blocks);
  const merged = (found) => new Map(found.flatMap((body) => [...values(body)]));
  const light = merged(all.filter(([head]) => head === ":root").map(([, body]) => body));
  const dark = merged(all.filter(([head]) => /prefers-color-scheme:\s*dark/.test(head)).flatMap(([, body]) => blocks(body)).filter(([head]) => head === ":root").map(([, body]) => body));
  const colours = Object.entries(COLOURS).map(([name, own]) => `${name}:var(${own},light-dark(${light.get(name)},${dark.get(name)}))`);
  const mixed = Object.entries(MIXED).map(([name, parts]) => `${name}:color-mix(in srgb,${parts})`);
  const own = readFileSync(at("clients", "checkout", "src", "element.css"), "utf8");
  return `:host{${[...colours, ...mixed].join(";")}}${shared(sheets[0] + sheets[1] + readFileSync(at("edge-worker", "src", "page", "flexible.css"), "utf8"))}${own}`;
}
