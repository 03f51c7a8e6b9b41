/** How long building a charge and reading its approved answer takes with each connector, in wasm. */
import { exportsOf, timeOf } from "./wasm.mjs";

/** In the order of their numbers. */
const CONNECTORS = ["sandbox", "knet", "mpgs", "adyen", "stripe", "tabby", "tamara", "checkout_com", "tap"];
const TIMES = 5_000;

/** Nanoseconds by connector: `[[name, nanoseconds], …]`. */
export async function timeConnectors() {
  const { run } = await exportsOf("connectors-bench");
  return CONNECTORS.map((name, number) => [name, timeOf((times) => run(number, times), TIMES)]);
}
