/** What a transaction offers the payer: methods, saved cards and wallets, at the price of an amount. */
import { BRANDS, NETWORKS } from "./facts.js";
import { isFinal } from "./follow.js";
import { amountOf, decimalsOf, sumOf } from "./texts.js";
import { hasFee, isCosted } from "./view.js";
import { sheets } from "./wallet.js";

/** @typedef {import("./types.js").Session} Session */
/** @typedef {import("./types.js").Quote} Quote */
/** @typedef {import("./view.js").Way} Way */
/** @typedef {{ flow: import("./wallet.js").Flow, billing: import("./types.js").Billing, service: import("./types.js").Service, facts: import("./wallet.js").Facts, offer: import("./wallet.js").Offer }} Wallet */

/** @param {string} name */
const plain = (name) => name.toLowerCase().replaceAll(/[^a-z]/g, "");

/** What a payer can choose: saved cards, methods, and those whose gateway decides when the payer comes. @param {Session} session @param {import("./view.js").Texts} texts @returns {Way[]} */
export function waysOf({ cards, flex_methods, payment_methods }, texts) {
  const saved = cards.filter(({ is_expired }) => !is_expired).map((card) => ({
    id: card.token, name: BRANDS.find((name) => plain(name) === plain(card.brand ?? "")) ?? (card.brand || texts.card),
    ending: card.number?.split(" ").at(-1) ?? "", expiry: `${card.expiry_month}/${card.expiry_year}`, icon: card.mark,
    billing: payment_methods.find(({ code }) => code === card.pg_code)?.billing,
  }));
  const flexible = flex_methods.map(({ amount, code, currency_code, description, fee, fee_description: label, icons }) => {
    /** @param {string} value */
    const sum = (value) => sumOf(currency_code, value, decimalsOf(fee));
    // Of an amount that the payer typed no price is known.
    return { id: code, name: description, icon: icons.svg, billing: amount ? /** @type {import("./types.js").Billing} */ ({ amount: sum(amount), fee: { ...sum(fee), label } }) : undefined };
  });
  return [...saved, ...payment_methods.map((method) => ({ ...method, id: method.code, icon: method.mark ?? method.icon })), ...flexible];
}

/**
 * Methods or wallets as an amount prices them: without sums if it cannot be charged.
 *
 * @template {import("./types.js").Method | import("./types.js").Service} Item
 * @param {Item[]} items @param {Quote[]} quotes
 */
const priced = (items, quotes) =>
  items.map((item) => {
    const quote = quotes.find(({ code, flow = "redirect" }) => code === item.code && flow === item.flow);
    const { billing } = item;
    if (!quote || !billing) return { ...item, billing: undefined };
    const { currency_code, fee, parts, total } = quote;
    const decimals = decimalsOf(fee);
    const sums = { amount: { ...billing.amount, ...sumOf(currency_code, total, decimals) }, fee: { ...billing.fee, ...sumOf(currency_code, fee, decimals) } };
    return { ...item, parts: parts ?? [], total, billing: { ...billing, ...sums } };
  });

/** The transaction as an amount prices it that the payer typed, computed by the package's module. @param {Session} session @param {string} amount */
export async function pricedAs(session, amount) {
  const { quoteOf } = await import("./wasm/index.js");
  const quotes = await quoteOf(session, amountOf(amount));
  return /** @type {Session} */ ({
    ...session, amount,
    flex_methods: session.flex_methods.map((method) => ({ ...method, amount: "" })),
    payment_methods: priced(session.payment_methods, quotes),
    payment_services: priced(session.payment_services, quotes).filter(({ billing }) => billing),
  });
}

/** @param {import("./types.js").Service & { total?: string, parts?: string[] }} service @param {string} session @returns {Wallet} */
export function walletOf(service, session) {
  const { billing, flow } = service;
  const { amount, fee, sub_total } = billing;
  return {
    flow, billing, service,
    facts: { ...service, shop_name: service.shop_name ?? service.merchant_name, net_label: sub_total.label, fee_label: fee.label },
    offer: {
      session, total: service.total ?? service.amount ?? service.total_price ?? amount.value, currency: service.currency_code, networks: NETWORKS[flow],
      // Google's sheet takes amounts in a form of its own, and may be unable to show the parts.
      parts: service.parts ?? service.display_items?.map(({ price }) => price) ?? (hasFee(billing) ? [sub_total.value, fee.value] : []),
    },
  };
}

/** The wallets that the browser has. @param {Session} session @param {string} id */
export async function flowsOf({ payment_services }, id) {
  const offered = payment_services.filter(({ flow }) => sheets[flow]).map((service) => walletOf(service, id));
  const has = await Promise.all(offered.map(({ flow, facts }) => new Promise((then) => sheets[flow].has(facts, id, then)).catch(() => false)));
  return offered.filter((_, place) => has[place]).map(({ flow }) => flow);
}

/**
 * What is shown that a payment costs: of an amount that the payer typed only the currency.
 *
 * @param {Session} session @param {import("./types.js").Billing | undefined} billing @param {string | undefined} amount
 */
export function shownOf(session, billing, amount) {
  if (!billing) return {};
  const { value: total, currency_code: currency } = billing.amount;
  return { shown: isCosted({ amount, session }) ? { total, currency } : { currency } };
}

/**
 * Whether something costs something else than before: all of it, or a method that is still there.
 *
 * @param {Session | undefined} before @param {Session} session
 */
export function isRepriced(before, session) {
  /** @param {Session} of @returns {{ code?: string, amount: string, currency_code: string }[]} */
  const prices = (of) => [of, ...of.payment_methods];
  return !!before && prices(session).some((now) => prices(before).some((old) => old.code === now.code && old.amount + old.currency_code !== now.amount + now.currency_code));
}

/** Whether a session says something of a try that paid nothing, which the one before did not. @param {Session | undefined} before @param {Session} session */
export function isNews(before, { state, response }) {
  const known = before?.response;
  const isSame = known && known.reference_number === response.reference_number && known.result === response.result;
  return !isFinal(state) && !isSame && (!!response.result || response.status === "canceled" || response.status === "error");
}
