/** What the element shows, made of nodes: no text is ever read as markup. */

/** @typedef {import("./types.js").Session} Session */
/** @typedef {import("./texts.js").Texts} Texts */
/** @typedef {import("./types.js").Sum} Sum */
/** @typedef {import("./types.js").Billing} Billing */

import { priceOf } from "./texts.js";

/**
 * What a payer can choose.
 *
 * @typedef {object} Way
 * @property {string} id
 * @property {string} name
 * @property {string | undefined} icon
 * @property {import("./types.js").Billing | undefined} billing
 * @property {boolean} canSaveCard
 */

/**
 * What is shown.
 *
 * @typedef {object} Scene
 * @property {Session} session
 * @property {Texts} texts
 * @property {"en" | "ar"} language
 * @property {Way[]} ways
 * @property {Way | undefined} chosen
 * @property {string | undefined} amount what the payer typed, if they may choose the amount
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
  made.append(...children.filter((child) => child !== undefined && child !== false));
  return made;
}

/** A text whose direction is its own. @param {string} text */
const isolated = (text) => node("bdi", {}, text);
/** An amount, which reads as its language writes it. @param {Scene} scene @param {Sum} sum */
const price = ({ language }, sum) => node("bdi", { dir: language === "ar" ? "rtl" : "ltr", class: "cost" }, priceOf(sum, language));
/** What an amount includes. @param {Scene} scene @param {Billing} billing */
const fee = (scene, { fee: sum }) => [`${scene.texts.includes} `, isolated(sum.label), " ", price(scene, sum)];
/** Whether something is added. @param {Billing | undefined} billing */
const hasFee = (billing) => billing !== undefined && Number(billing.fee.value) > 0;

/** Whether the amount is the one for which costs are known. @param {Scene} scene */
const isCosted = ({ amount, session }) => amount === undefined || amount === session.amount;

/** @param {Scene} scene @param {Way} way */
function row(scene, way) {
  const { billing, icon, id, name } = way;
  const paid = isCosted(scene) ? billing : undefined;
  return node(
    "label", { class: "row", part: "method" },
    node("input", { type: "radio", name: "way", value: id, part: "radio" }),
    icon !== undefined && node("img", { src: icon, alt: "", width: "40", height: "26", part: "icon" }),
    node("span", { class: "name", part: "name" }, isolated(name)),
    paid && price(scene, paid.amount),
    paid && hasFee(paid) && node("span", { class: "quiet", part: "fee" }, ...fee(scene, paid)),
  );
}

/** The words of the button. @param {Scene} scene */
function action(scene) {
  const { chosen, texts } = scene;
  if (scene.isBusy) return [`${texts.opening} `, isolated(chosen?.name ?? ""), "…"];
  if (!isCosted(scene) || chosen?.billing === undefined) return [texts.next];
  return [`${texts.pay} `, price(scene, chosen.billing.amount)];
}

/** The button of a wallet, with what is paid by it. @param {Scene} scene @param {Scene["wallets"][number]} wallet */
function express(scene, { flow, billing }) {
  const busy = scene.isBusy ? "true" : "false";
  return node(
    "div", { class: "express" },
    node("button", { type: "button", class: "wallet", part: "wallet", "data-flow": flow, "aria-disabled": busy, "aria-describedby": `cost-${flow}` }, scene.texts[flow]),
    node("p", { class: "quiet", part: "wallet-cost", id: `cost-${flow}` }, price(scene, billing.amount), ...(hasFee(billing) ? [" ", ...fee(scene, billing)] : [])),
  );
}

/**
 * What is shown of a payment whose terms the payer accepts on the hosted page, which also stores what they read.
 *
 * @param {Texts} texts
 */
export const terms = (texts) =>
  node("div", {}, node("p", { class: "terms", part: "terms" }, texts.terms), node("button", { type: "button", class: "hosted", part: "pay" }, texts.hosted));

/** The form in which the payer chooses. @param {Scene} scene */
export function form(scene) {
  const { chosen, texts, ways, wallets } = scene;
  const made = node(
    "form", { novalidate: true, "aria-busy": scene.isBusy ? "true" : "false" },
    ...(isCosted(scene) ? wallets : []).map((wallet) => express(scene, wallet)),
    scene.amount !== undefined && node(
      "label", { class: "field", part: "amount" }, texts.amount,
      node("input", { name: "amount", inputmode: "decimal", autocomplete: "off", dir: "ltr", value: scene.amount, "aria-describedby": "notice" }),
    ),
    node("fieldset", { part: "methods" }, node("legend", { part: "heading" }, texts.choose), ...ways.map((way) => row(scene, way))),
    chosen?.canSaveCard === true && node(
      "label", { class: "row", part: "save" },
      node("input", { type: "checkbox", name: "save_card" }), node("span", { class: "name" }, texts.saveCard, node("span", { class: "about" }, texts.saveTerms)),
    ),
    node("button", { type: "submit", part: "pay", "aria-disabled": scene.isBusy || chosen === undefined ? "true" : "false" }, ...action(scene)),
  );
  for (const input of made.querySelectorAll("input[name=way]")) {
    if (input instanceof HTMLInputElement) input.checked = input.value === chosen?.id;
  }
  return made;
}

/** What a button for trying again is called. @param {Texts} texts */
export const again = (texts) => node("button", { type: "button", class: "again", part: "again" }, texts.again);
