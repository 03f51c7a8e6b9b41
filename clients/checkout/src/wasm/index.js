/**
 * A checkout of one payment transaction that computes by the rules of the server, in WebAssembly. The module is fetched when it is first
 * asked for: importing this file has no effect, on a server too.
 */
export { CheckoutError } from "./error.js";

let loading;

async function load(source) {
  const { default: init, Checkout, quoteOf } = await import("./module.js");
  await init(source && { module_or_path: source });
  return { Checkout, quoteOf };
}

const module = (source) =>
  (loading ??= load(source).catch((error) => {
    // The next call tries again.
    loading = undefined;
    throw error;
  }));

export async function createCheckout(options, source) {
  const { Checkout } = await module(source);
  return new Checkout(options);
}

export const quoteOf = async (session, amount, source) => (await module(source)).quoteOf(session, amount);
