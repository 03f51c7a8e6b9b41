/**
 * A checkout of one payment transaction that computes by the rules of the server, in WebAssembly. The module is fetched when it is first
 * asked for: importing this file has no effect, on a server too.
 */
export { CheckoutError } from "./error.js";

let loading;

async function load(source) {
  const { default: init, Checkout } = await import("./module.js");
  await init(source && { module_or_path: source });
  return Checkout;
}

export async function createCheckout(options, source) {
  loading ??= load(source).catch((error) => {
    // The next call tries again.
    loading = undefined;
    throw error;
  });
  const Checkout = await loading;
  return new Checkout(options);
}
