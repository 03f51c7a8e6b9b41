/**
 * The demo shop's own checkout with the module of the package, `till-checkout/wasm`: it lists what can be chosen with the module's
 * prices, pays what it showed, and follows the state. The page has the words, so that the script has none.
 */
import { createCheckout } from "till-checkout/wasm";

const form = document.querySelector("#own");
const methods = form.querySelector("#methods");
const button = form.querySelector("button");
const news = document.querySelector("#news");
const words = form.dataset;
let checkout;
/** What each method costs, by its code. */
let prices = new Map();

/** An element with a text or children; nothing is read as markup. */
function element(name, attributes, ...children) {
  const made = Object.assign(document.createElement(name), attributes);
  made.append(...children);
  return made;
}

/** A name of someone else, whose direction is its own. */
const isolated = (text) => element("bdi", {}, text);

function row({ code, name, billing }) {
  const total = element("bdi", { dir: "ltr", className: "whole" }, prices.get(code).display);
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

async function show(session) {
  const isOver = session.payment_methods.length === 0;
  const quotes = isOver ? [] : await checkout.quote();
  prices = new Map(quotes.filter(({ flow }) => flow === undefined).map((quote) => [quote.code, quote]));
  form.hidden = isOver;
  news.textContent = isOver ? `${words.over} ${session.state}` : outcome(session, document.documentElement.lang);
  methods.replaceChildren(...session.payment_methods.filter(({ code }) => prices.has(code)).map(row));
  button.disabled = false;
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  button.disabled = true;
  try {
    const { code, total, currency_code: currency } = prices.get(new FormData(form).get("method"));
    const { redirect_url } = await checkout.submit(code, { shown: { total, currency } });
    location.assign(redirect_url);
  } catch (error) {
    const isLost = error.code === "unreachable" || error.code === "unexpected_answer";
    news.textContent = isLost ? words.unreachable : `${words.refused} ${error.code}`;
    button.disabled = false;
  }
});

const fail = () => void (news.textContent = words.unreachable);
try {
  checkout = await createCheckout({ origin: words.origin, sessionId: words.sessionId });
  await checkout.follow((session) => void show(session).catch(fail));
} catch {
  fail();
}
