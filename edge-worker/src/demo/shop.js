/**
 * The demo shop's own checkout with the package `till-checkout`: it loads the transaction, lists what can be chosen, pays, and follows
 * the state. The page has the words, so that the script has none.
 */
import { RefusedError, createCheckout, isFinal } from "till-checkout";

const form = document.querySelector("#own");
const methods = form.querySelector("#methods");
const button = form.querySelector("button");
const news = document.querySelector("#news");
const words = form.dataset;
const checkout = createCheckout({ origin: words.origin, sessionId: words.sessionId });

/** An element with a text or children; nothing is read as markup. */
function element(name, attributes, ...children) {
  const made = Object.assign(document.createElement(name), attributes);
  made.append(...children);
  return made;
}

/** A name of someone else, whose direction is its own. */
const isolated = (text) => element("bdi", {}, text);

function row({ code, name, billing }) {
  const total = element("bdi", { dir: "ltr", className: "whole" }, billing.amount.display);
  const lines = [element("span", {}, isolated(name), " · ", total)];
  if (Number(billing.fee.value) > 0) {
    const fee = element("bdi", { dir: "ltr", className: "whole" }, billing.fee.display);
    lines.push(element("span", { className: "soft" }, isolated(billing.fee.label), " ", fee));
  }
  return element("label", { className: "card" }, element("input", { type: "radio", name: "method", value: code, required: true }), element("span", {}, ...lines));
}

/** What the last attempt came to, if it can be tried again. */
function outcome({ response }, language) {
  if (response?.status !== "canceled") return "";
  if (response.canceled_by === "payer") return words.left;
  return response.decline?.text[language] ?? words.declined;
}

function show(session) {
  const isOver = isFinal(session.state) || session.payment_methods.length === 0;
  form.hidden = isOver;
  news.textContent = isOver ? `${words.over} ${session.state}` : outcome(session, document.documentElement.lang);
  methods.replaceChildren(...session.payment_methods.map(row));
  button.disabled = false;
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  button.disabled = true;
  try {
    const { redirect_url } = await checkout.submit(new FormData(form).get("method"));
    location.assign(redirect_url);
  } catch (error) {
    news.textContent = error instanceof RefusedError ? `${words.refused} ${error.code}` : words.unreachable;
    button.disabled = false;
  }
});

try {
  for await (const session of checkout.follow()) show(session);
} catch {
  news.textContent = words.unreachable;
}
