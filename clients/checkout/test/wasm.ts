/** What the compiler accepts of the module, and what it refuses. */
import { type Checkout, type Quote, type Service, CheckoutError, createCheckout } from "../dist/wasm/index.js";

export async function pay(amount: string, signal: AbortSignal): Promise<string> {
  const checkout: Checkout = await createCheckout({ origin: "https://pay.example.com", sessionId: "0".repeat(40) });
  const quotes: Quote[] = await checkout.quote(amount, { signal });
  const [quote] = quotes;
  if (quote === undefined) throw new Error("nothing is offered");
  const shown = { total: quote.total, currency: quote.currency_code };
  const { redirect_url } = await checkout.submit(quote.code, { amount, saveCard: true, shown, signal });
  return redirect_url;
}

export async function payByWallet(checkout: Checkout, service: Service, token: object): Promise<boolean | undefined> {
  try {
    const { approved, redirect_url } = await checkout.payByGooglePay(service, token);
    if (redirect_url !== undefined) location.assign(redirect_url);
    return approved;
  } catch (error) {
    if (error instanceof CheckoutError) console.log(error.code, error.errors?.["amount"], error.retryAfter);
    return undefined;
  }
}

export const watch = async (checkout: Checkout, show: (state: string) => void): Promise<void> => {
  const end = await checkout.follow(({ state }) => show(state), { signal: AbortSignal.timeout(1000) });
  const outcome = await checkout.payWithCard("card_0");
  console.log(end.response.status, outcome.redirect_url, (await checkout.cancel()).status, await checkout.merchantSession(({}) as Service, "https://apple"));
  console.log((await checkout.methods()).map(({ code }) => code), (await checkout.load()).state, await checkout.payByApplePay({} as Service, "{}"));
};

// @ts-expect-error a session id is needed
void createCheckout({ origin: "https://pay.example.com" });
// @ts-expect-error an amount is a text
void (await createCheckout({ origin: "https://pay.example.com", sessionId: "0" })).quote(5);
// @ts-expect-error a private key is not an option of a page
void createCheckout({ origin: "https://pay.example.com", sessionId: "0", key: "secret" });
// @ts-expect-error an error of the module is made by the module
new CheckoutError();
