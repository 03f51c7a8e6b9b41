/** Payers in Chromium: `tests/browser/return.test.mjs` with `rounds` payments, and its figures. */
import { readFileSync, rmSync } from "node:fs";
import { at, findChromedriver, findChromium, run as runProgram } from "../../scripts/project.mjs";

const FIGURES = at("target", "reliability", "payers.json");

export async function run({ rounds = 200, seed = 1 }) {
  rmSync(FIGURES, { force: true });
  const env = { PAYMENTS: String(rounds), SEED: String(seed), CHROMIUM: findChromium(), CHROMEDRIVER: findChromedriver() };
  const violations = [];
  await runProgram(process.execPath, ["--test", "--test-reporter=spec", at("tests", "browser", "return.test.mjs")], { env, quiet: true })
    .catch((error) => violations.push(error.message));
  const { payments, right, wrong, webhooks, sent_on } = JSON.parse(readFileSync(FIGURES, "utf8"));
  violations.push(...wrong.map((payer) => `SEED=${seed}: ${JSON.stringify(payer)}`));
  const counts = { payments, right, webhooks, "sent on": sent_on.payers, "median ms": sent_on.median_ms, "longest ms": sent_on.longest_ms };
  return { name: "payers", counts, violations };
}
