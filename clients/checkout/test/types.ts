/** What the compiler accepts of the client, and what it refuses. */
import { type Session, type State, RefusedError, createCheckout, isFinal } from "../dist/client.js";
import { TillCheckoutElement } from "../dist/element.js";

const checkout = createCheckout({ origin: "https://pay.example.com", sessionId: "0".repeat(40) });

export async function pay(): Promise<string> {
  const session: Session = await checkout.load({ signal: AbortSignal.timeout(1000) });
  const [method] = session.payment_methods;
  if (method === undefined) throw new Error("nothing is offered");
  const { redirect_url } = await checkout.submit(method.code, { amount: "5.000", saveCard: true });
  return redirect_url;
}

export async function watch(show: (state: State) => void): Promise<void> {
  try {
    for await (const { state } of checkout.follow({ longest: 10_000 })) show(state);
  } catch (error) {
    if (error instanceof RefusedError) console.log(error.code, error.problem.errors, error.retryAfter);
  }
}

export const over: boolean = isFinal("paid");
export const element: HTMLElement = new TillCheckoutElement();

// @ts-expect-error a session id is needed
createCheckout({ origin: "https://pay.example.com" });
// @ts-expect-error an amount is a text
void checkout.submit("knet", { amount: 5 });
// @ts-expect-error a private key is not an option of a page
createCheckout({ origin: "https://pay.example.com", sessionId: "0", key: "secret" });
