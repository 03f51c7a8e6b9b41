/**
 * The contents of the page's module: the code of creating transactions, of URLs and of JOSE is never sent to
 * a browser.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { MANIFEST, at, workerFiles } from "../../scripts/project.mjs";

const manifest = JSON.parse(readFileSync(MANIFEST, "utf8"));
const module = readFileSync(at("www", manifest.wasm.path)).toString("latin1");
const worker = readFileSync(workerFiles().wasm).toString("latin1");

/**
 * The text that code of each kind leaves in a module: a field of the create draft, the files of `url` and of
 * `idna`.
 */
const MARKS = [/customer_first_name/, /\burl-\d+\.\d+\.\d+\/src/, /\bidna-\d+\.\d+\.\d+\/src/];

test("the module has none of the texts of the create draft and of URL parsing, which the Worker has", () => {
  for (const mark of MARKS) {
    assert.match(worker, mark, "it does not mark anything any more");
    assert.doesNotMatch(module, mark);
  }
});

test("the module has nothing of JOSE", () => {
  for (const mark of ["EdDSA", "RS256", "application/jwt", "jwks"]) assert.ok(!module.includes(mark), mark);
});

test("the module has the page's texts: the search finds what is there", () => {
  assert.ok(module.includes("Check your internet connection"));
});
