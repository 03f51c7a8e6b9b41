/**
 * Writes `www/script-inventory.json`: every script and WebAssembly module that a page of Till can load, with its hashes,
 * its size, why it is there and who authorises it, and the security headers of every kind of page (PCI DSS 6.4.3 and 11.6.1;
 * docs/operating/page-security.md). The Worker is built with it, and compares once an hour what it serves.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { ELEMENT, MANIFEST, SDK_MODULE, at, filesUnder } from "./project.mjs";

export const INVENTORY = at("www", "script-inventory.json");

const AUTHORISED =
  "The maintainers of Till: the file is built from the sources of this version, which are reviewed before a release, and is allowed only under its hash.";

/** What is served, why, and on which kinds of pages. */
function entries({ script, wasm, first, desk }) {
  return [
    {
      path: script.path, kind: "module", pages: ["checkout"],
      purpose: "Starts the page's module, offers the wallets that the payer's browser has, and shows moments in local time.",
    },
    {
      path: wasm.path, kind: "wasm", pages: ["checkout"],
      purpose: "Keeps total, fee and button right while the payer chooses, sends the choice once, and asks for the outcome.",
    },
    {
      path: first.path, kind: "inline", pages: ["checkout"],
      purpose: "Names the wallets that the payer's browser has, before anything is painted. A page that offers wallets carries it in its head.",
    },
    {
      path: desk.path, kind: "script", pages: ["desk"],
      purpose: "Changes lists of the merchant's desk in place, copies, and says how long ago something was. No page of a payer loads it.",
    },
    ...Object.entries(ELEMENT).map(([name, { purpose }]) => ({
      path: `/sdk/v1/${name}`, kind: "module", pages: ["of merchants", "demo shop"],
      purpose: `${purpose} on pages of merchants. Of Till's own pages, only the demo shop of the sandbox loads it.`,
    })),
    {
      path: "/sdk/v1/demo-shop.js", kind: "module", pages: ["demo shop with the package"],
      purpose: "The checkout of the demo shop of the sandbox, made with the package till-checkout. No other page loads it.",
    },
    ...filesUnder(SDK_MODULE).filter((file) => !file.endsWith(".d.ts")).sort().map((file) => ({
      path: `/sdk/v1/wasm/${basename(file)}`, kind: file.endsWith(".wasm") ? "wasm" : "module", pages: ["of merchants", "demo shop with the package"],
      purpose: "A part of the module of the package till-checkout, which computes as the server does. Of Till's own pages, only the demo shop of the sandbox loads it.",
    })),
    {
      path: "/receipt/verify.js", kind: "module", pages: ["receipt"],
      purpose: "Checks the signature of a receipt, with the browser's own Ed25519. No payment page loads it.",
    },
    {
      path: "/receipt/words.js", kind: "module", pages: ["receipt"],
      purpose: "The words of the page that checks receipts, in both languages. No payment page loads it.",
    },
    {
      path: "/docs/reference.js", kind: "module", pages: ["reference"],
      purpose: "Searches the reference of the API and copies its examples. No payment page loads it.",
    },
  ];
}

const digest = (bytes, name) => `${name}-${createHash(name).update(bytes).digest("base64")}`;

function described({ path, ...entry }) {
  const bytes = readFileSync(at("www", ...path.split("/")));
  return { path, ...entry, size: bytes.length, sha256: digest(bytes, "sha256"), sha384: digest(bytes, "sha384"), authorised_by: AUTHORISED };
}

const COMMON = {
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};
const PAGE = { ...COMMON, "strict-transport-security": "max-age=63072000; includeSubDomains", "cross-origin-resource-policy": "same-origin", "cache-control": "no-store" };
const CLOSED = {
  "default-src": ["'none'"],
  "img-src": ["'self'"],
  "base-uri": ["'none'"],
  "frame-ancestors": ["'none'"],
  "require-trusted-types-for": ["'script'"],
  "trusted-types": ["'none'"],
};

/** The kinds of pages. In a policy `{origin}` is the origin of the installation; a directive that is not named is `default-src`. */
function pages({ script, first }) {
  const fromPkg = ["{origin}/pkg/", "'wasm-unsafe-eval'", `'${script.integrity}'`, `'${first.integrity}'`];
  return [
    { name: "checkout", addresses: ["/b/checkout/redirect/start/?session_id=…"], headers: PAGE, policy: { ...CLOSED, "object-src": ["'none'"], "script-src": fromPkg } },
    {
      name: "without a script", addresses: ["/b/checkout/redirect/start/ of no transaction", "/b/gw/v1/forward/…", "/b/problems/…"],
      headers: PAGE, policy: { ...CLOSED, "object-src": ["'none'"], "script-src": ["'none'"] },
    },
    { name: "sandbox", addresses: ["/sandbox/…"], headers: PAGE, policy: CLOSED },
    { name: "demo shop", addresses: ["/sandbox/shop/pay/… of a development build"], headers: PAGE, policy: { ...CLOSED, "script-src": ["{origin}/sdk/"] } },
    {
      name: "demo shop with the package", addresses: ["/sandbox/shop/own/… of a development build"], headers: PAGE,
      policy: { ...CLOSED, "script-src": ["{origin}/sdk/", "'wasm-unsafe-eval'"] },
    },
    {
      name: "receipt", addresses: ["/receipt/verify.html"], headers: { ...COMMON, "cross-origin-resource-policy": "same-origin" },
      policy: { ...CLOSED, "script-src": ["'self'"], "connect-src": ["'self'"], "form-action": ["'none'"] },
    },
    { name: "reference", addresses: ["/docs/"], headers: COMMON, policy: { ...CLOSED, "script-src": ["'self'"] } },
  ];
}

/** Writes the inventory of the built module, if it is another than the one that is there. */
export function writeInventory() {
  const manifest = JSON.parse(readFileSync(MANIFEST, "utf8"));
  const [, version] = /^version = "([^"]+)"/m.exec(readFileSync(at("Cargo.toml"), "utf8"));
  const document = { product: "till", version, scripts: entries(manifest).map(described), pages: pages(manifest) };
  const text = `${JSON.stringify(document, undefined, 2)}\n`;
  if (!existsSync(INVENTORY) || readFileSync(INVENTORY, "utf8") !== text) writeFileSync(INVENTORY, text);
}
