/** What the element shows, made of nodes: no text is ever read as markup. */

/** @typedef {import("./types.js").Session} Session */
/** @typedef {import("./texts.js").Words} Words */
/** @typedef {Words["texts"]} Texts */
/** @typedef {import("./types.js").Sum} Sum */
/** @typedef {import("./types.js").Billing} Billing */

import { LEAST } from "./facts.js";
import { asked } from "./flexible.js";
import { decimalsOf, digitsOf, fill, priceOf, signOf, sumOf } from "./texts.js";

/**
 * What a payer can choose: a method, or a saved card as one.
 *
 * @typedef {object} Way
 * @property {string} id
 * @property {string} name
 * @property {string} [ending] the last digits of a saved card
 * @property {string} [expiry] until when a saved card is valid, which nothing else has
 * @property {string | undefined} icon
 * @property {{ name: string, mark?: string }[]} [card_brands]
 * @property {import("./types.js").Billing | undefined} [billing]
 * @property {boolean} [can_save_card]
 * @property {boolean} [is_cash]
 * @property {import("./flexible.js").Offer | undefined} [offer] of a flexible method
 */

/**
 * What is shown.
 *
 * @typedef {object} Scene
 * @property {Session} session as it is priced
 * @property {Session} whole as the server priced it
 * @property {Words} words
 * @property {string} origin
 * @property {Way[]} ways
 * @property {Way | undefined} chosen
 * @property {string | undefined} amount what the payer typed, if they may choose the amount
 * @property {import("./flexible.js").Flexible} flexible what is known of flexible methods
 * @property {boolean} savesCard
 * @property {boolean} isBusy
 * @property {{ billing: Billing, flow: "apple_pay" | "google_pay" }[]} wallets
 */

/**
 * An element with attributes and children. A text is a text node.
 *
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, string | boolean | undefined>} attributes
 * @param {...(Node | string | undefined | false)} children
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function node(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.flatMap((child) => child || []));
  return made;
}

/** A text whose direction is its own. @param {string} text */
const isolated = (text) => node("bdi", {}, text);
/** An amount or a rate, whose direction is that of its letters. @param {string} text */
const sum = (text) => node("bdi", { class: "sum" }, text);
/** An amount, which reads as its language writes it. @param {Pick<Scene, "words">} scene @param {Pick<Sum, "currency_code" | "display">} amount */
const price = ({ words }, amount) => sum(priceOf(amount, words));
/** What an amount includes. @param {Scene} scene @param {Billing} billing */
const fee = (scene, { fee: amount }) => [` ${scene.words.texts.includes} `, isolated(amount.label), " ", price(scene, amount)];
/** Whether something is added. @param {Billing | undefined} billing */
export const hasFee = (billing) => /[1-9]/.test(billing?.fee.value ?? "");

/** Whether the amount is the one for which costs are known. @param {Pick<Scene, "amount" | "session">} scene */
export const isCosted = ({ amount, session }) => amount === undefined || amount === session.amount;

/** What a method is called; of a saved card the brand and the last digits. @param {Scene} scene @param {Way} way */
function named({ words: { texts } }, { name, ending }) {
  if (!ending) return isolated(name);
  return node("bdi", { dir: "ltr" }, isolated(name), " ", node("span", { class: "unseen" }, `${texts.ending} `), node("span", { "aria-hidden": "true" }, "••••\u00a0"), ending);
}

/** @param {{ name: string, mark?: string }} brand */
const brand = ({ name, mark }) =>
  mark ? node("img", { class: "emblem", src: mark, alt: name, width: "32", height: "21" }) : node("small", {}, name);

/** @param {Scene} scene @param {Way} way */
function row(scene, way) {
  const { billing, card_brands: brands = [], expiry, icon, id, offer } = way;
  const { chosen, words: { texts }, ways } = scene;
  const isOnly = !ways[1];
  const paid = isCosted(scene) && billing;
  const costs = new Set(ways.map(({ billing: of, is_cash }) => is_cash + JSON.stringify(of)));
  return node(
    isOnly ? "div" : "label", { class: offer?.isGone ? "method over" : "method", part: "method" },
    !isOnly && node("input", { type: "radio", name: "way", value: id, id: `way-${id}`, part: "radio", checked: way === chosen, disabled: offer?.isGone }),
    icon && node("img", { class: "emblem", src: icon, alt: "", width: "40", height: "26", part: "icon" }),
    node(
      "span", { class: "name", part: "name" }, named(scene, way), offer?.line,
      expiry && node("small", {}, `${texts.expires} `, node("bdi", { dir: "ltr" }, expiry)),
      brands.length > 0 && node("span", { class: "brands" }, ...brands.map(brand)),
    ),
    paid && node(
      "span", { class: "under" },
      hasFee(paid) && node("span", { class: "fees" }, node("small", { part: "fee" }, ...fill(texts.feeAdded, { fee: sum(`+${digitsOf(paid.fee)}`) }))),
      node("span", { class: "cost" }, costs.size > 1 && price(scene, paid.amount), paid.exchange && node("small", {}, sum(paid.exchange))),
    ),
  );
}

/** The words of the button: where it leads, or what it does. @param {Scene} scene */
function action(scene) {
  const { chosen, isBusy, words: { texts } } = scene;
  if (isBusy) return [texts.opening];
  const paid = isCosted(scene) && chosen?.billing?.amount;
  if (!chosen || !paid) return [texts.pay];
  const text = chosen.is_cash ? texts.payOnDelivery : chosen.expiry ? texts.payWithCard : texts.continueTo;
  return [node("span", {}, ...fill(text, { amount: price(scene, paid), method: named(scene, chosen), card: named(scene, chosen) }))];
}

/** The button of a wallet, with what is paid by it. @param {Scene} scene @param {Scene["wallets"][number]} wallet */
function express(scene, { flow, billing }) {
  const { isBusy, origin, words: { texts } } = scene;
  const mark = `${origin}/icons/marks/${flow}`;
  const [name, width, height] = flow === "apple_pay" ? ["Apple Pay", "48", "26"] : ["Google Pay", "60", "24"];
  return node(
    "div", { class: "express" },
    node(
      "button", { type: "button", class: "wallet", part: "wallet", id: flow, "data-wallet": flow, "aria-label": `${texts.payWith} ${name}`, "aria-disabled": String(isBusy), "aria-describedby": `cost-${flow}` },
      node(
        "picture", {}, node("source", { media: "(prefers-color-scheme:dark)", srcset: `${mark}-on-light.svg` }),
        node("img", { src: `${mark}.svg`, alt: name, width, height }),
      ),
    ),
    node("small", { class: "quiet", part: "wallet-cost", id: `cost-${flow}` }, price(scene, billing.amount), ...(hasFee(billing) ? fee(scene, billing) : [])),
  );
}

/**
 * What is shown of a payment whose terms the payer accepts on the hosted page, which also stores what they read.
 *
 * @param {Texts} texts
 */
export const terms = (texts) =>
  node("div", {}, node("p", { class: "terms", part: "terms" }, texts.terms), leading(texts.hosted));

/** The heading over the methods: what there is to choose, or the only one. @param {Scene} scene */
function heading({ words: { texts }, ways }) {
  const [only] = ways;
  if (!only || ways[1]) return [texts.choose];
  return [!only.is_cash && `${texts.payWith} `, isolated(only.name)];
}

/** Where the payer types how much they pay, and between which limits. @param {Scene} scene @param {string} typed */
function field(scene, typed) {
  const { words, whole: { amount, currency_code } } = scene;
  const decimals = decimalsOf(amount);
  const [least, most] = [LEAST[decimals] ?? "", amount].map((value) => price(scene, sumOf(currency_code, value, decimals)));
  return node(
    "div", { class: "amount", part: "amount" },
    node("label", { for: "amount" }, words.texts.amount),
    node("span", { class: "entry" }, node("span", { "aria-hidden": "true" }, signOf(currency_code, words)), node("input", { name: "amount", id: "amount", inputmode: "decimal", autocomplete: "off", dir: "ltr", value: typed, "aria-describedby": "notice limits" })),
    node("small", { class: "quiet", part: "limits", id: "limits" }, ...fill(words.texts.limits, /** @type {Record<string, Node>} */ ({ least, most }))),
  );
}

/** The form in which the payer chooses, in the order of the hosted page. @param {Scene} scene */
export function form(scene) {
  const { chosen, words: { texts }, ways } = scene;
  const wallets = isCosted(scene) ? scene.wallets : [];
  return node(
    "form", { "aria-busy": String(scene.isBusy) },
    node("h2", { part: "heading", id: "choose" }, ...heading(scene)),
    scene.amount !== undefined && field(scene, scene.amount),
    ...wallets.map((wallet) => express(scene, wallet)),
    wallets.length > 0 && node("p", { class: "or" }, texts.or),
    node(
      "fieldset", { class: "methods", part: "methods", "aria-labelledby": "choose" },
      ...ways.map((way) => row(scene, way)),
    ),
    ...(chosen?.offer?.asked ?? []).map((name) => asked(scene, name)),
    chosen?.can_save_card && node(
      "label", { class: "keep", part: "save" },
      node("input", { type: "checkbox", name: "save_card", id: "save", checked: scene.savesCard }), node("span", {}, texts.saveCard, node("small", {}, texts.saveTerms)),
    ),
    node("button", { type: "submit", class: "button", part: "pay", id: "pay", "aria-disabled": String(scene.isBusy || !chosen) }, ...action(scene)),
  );
}

/** Shows something else in a part, and keeps the focus, and where the payer types. @param {ShadowRoot} root @param {HTMLElement} part @param {...Node} more */
export function redraw(root, part, ...more) {
  const focused = /** @type {HTMLInputElement | null} */ (root.activeElement);
  part.replaceChildren(...more);
  const next = focused && /** @type {HTMLInputElement | null} */ (root.getElementById(focused.id));
  if (!next?.matches("input:not([type=radio], [type=checkbox])") || next.value !== focused?.value) return next?.focus();
  // The field in which the payer types goes on, with its caret, which scripts cannot set in every kind of field.
  for (const { name, value } of next.attributes) focused.setAttribute(name, value);
  if (!next.hasAttribute("aria-invalid")) focused.removeAttribute("aria-invalid");
  next.replaceWith(focused);
  focused.focus();
}

/**
 * Says a text, whose first line is a heading. The same text again would be announced again.
 *
 * @param {HTMLElement} part @param {string} text @param {string} look @param {...(Node | undefined)} more
 */
export function write(part, text, look, ...more) {
  const [title = "", rest] = text.split("\n");
  const made = text ? [node("div", {}, node("strong", {}, title), rest && node("p", {}, rest), ...more)] : [];
  part.className = look;
  if (part.textContent !== (made[0]?.textContent ?? "")) part.replaceChildren(...made);
}

/** A button outside of the form: by default it leads to the hosted page. @param {string | Node} text @param {string} [part] @param {string} [look] */
const leading = (text, part = "pay", look = "hosted") => node("button", { type: "button", class: `button ${look}`, part }, text);

/** The other way to pay that is offered after a decline, by one press. @param {Words} words @param {NonNullable<Session["next_way"]>} next */
export function onward(words, { billing, is_same, name }) {
  const { continueTo, nextOther, nextSame } = words.texts;
  /** @param {string} text */
  const filled = (text) => fill(text, { amount: price({ words }, /** @type {Billing} */ (billing).amount), method: isolated(name) });
  return node(
    "div", { id: "offer" }, node("p", {}, ...filled(is_same ? nextSame : nextOther)),
    leading(node("span", {}, ...filled(continueTo)), "next", "next"),
  );
}

/** What leads to the receipt, which the hosted page has. @param {Texts} texts */
export const receipt = (texts) => leading(texts.receipt, "receipt", "plain hosted");

/** What a button for trying again is called. @param {Texts} texts */
export const again = (texts) => leading(texts.again, "again", "plain again");
