/** What the element shows, made of nodes: no text is ever read as markup. */

/** @typedef {import("./types.js").Session} Session */
/** @typedef {import("./texts.js").Texts} Texts */
/** @typedef {import("./types.js").Sum} Sum */
/** @typedef {import("./types.js").Billing} Billing */

import { digitsOf, fill, priceOf } from "./texts.js";

/**
 * What a payer can choose.
 *
 * @typedef {object} Way
 * @property {string} id
 * @property {string} name
 * @property {string | undefined} ending the last digits of a saved card
 * @property {string | undefined} expiry until when a saved card is valid
 * @property {string | undefined} icon
 * @property {{ name: string, mark?: string }[]} brands
 * @property {import("./types.js").Billing | undefined} billing
 * @property {boolean} canSaveCard
 * @property {boolean} isCash
 */

/**
 * What is shown.
 *
 * @typedef {object} Scene
 * @property {Session} session
 * @property {Texts} texts
 * @property {"en" | "ar"} language
 * @property {string} origin
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
const price = ({ language }, sum) => node("bdi", { dir: language === "ar" ? "rtl" : "ltr", class: "sum" }, priceOf(sum, language));
/** What an amount includes. @param {Scene} scene @param {Billing} billing */
const fee = (scene, { fee: sum }) => [`${scene.texts.includes} `, isolated(sum.label), " ", price(scene, sum)];
/** Whether something is added. @param {Billing | undefined} billing */
const hasFee = (billing) => billing !== undefined && Number(billing.fee.value) > 0;

/** Whether the amount is the one for which costs are known. @param {Scene} scene */
const isCosted = ({ amount, session }) => amount === undefined || amount === session.amount;

/** What a method is called; of a saved card the brand and the last digits. @param {Scene} scene @param {Way} way */
function named({ texts }, { name, ending }) {
  if (ending === undefined) return isolated(name);
  return node("bdi", { dir: "ltr" }, isolated(name), " ", node("span", { class: "unseen" }, `${texts.ending} `), node("span", { "aria-hidden": "true" }, "••••\u00a0"), ending);
}

/** @param {Way["brands"][number]} brand */
const brand = ({ name, mark }) =>
  mark === undefined ? node("small", {}, name) : node("img", { class: "emblem", src: mark, alt: name, width: "32", height: "21" });

/** @param {Scene} scene @param {Way} way */
function row(scene, way) {
  const { billing, brands, expiry, icon, id } = way;
  const { texts, ways } = scene;
  const paid = isCosted(scene) ? billing : undefined;
  const isOnly = ways.length === 1;
  return node(
    isOnly ? "div" : "label", { class: "method", part: "method" },
    !isOnly && node("input", { type: "radio", name: "way", value: id, part: "radio" }),
    icon !== undefined && node("img", { class: "emblem", src: icon, alt: "", width: "40", height: "26", part: "icon" }),
    node(
      "span", { class: "name", part: "name" }, named(scene, way),
      expiry !== undefined && node("small", {}, `${texts.expires} `, node("bdi", { dir: "ltr" }, expiry)),
      brands.length > 0 && node("span", { class: "brands" }, ...brands.map(brand)),
    ),
    paid && node(
      "span", { class: "under" },
      hasFee(paid) && node("span", { class: "fees" }, node("small", { part: "fee" }, ...fill(texts.feeAdded, { fee: node("bdi", { class: "sum", dir: "ltr" }, `+${digitsOf(paid.fee)}`) }))),
      node("span", { class: "cost" }, price(scene, paid.amount)),
    ),
  );
}

/** The words of the button: where it leads, or what it does. @param {Scene} scene */
function action(scene) {
  const { chosen, isBusy, texts } = scene;
  if (isBusy) return [texts.opening];
  if (chosen === undefined) return [texts.pay];
  if (!isCosted(scene) || chosen.billing === undefined) return [texts.next];
  const text = chosen.isCash ? texts.payOnDelivery : chosen.ending === undefined ? texts.continueTo : texts.payWithCard;
  return [node("span", {}, ...fill(text, { amount: price(scene, chosen.billing.amount), method: named(scene, chosen), card: named(scene, chosen) }))];
}

/** The button of a wallet, with what is paid by it. @param {Scene} scene @param {Scene["wallets"][number]} wallet */
function express(scene, { flow, billing }) {
  const { isBusy, origin, texts } = scene;
  const mark = `${origin}/icons/marks/${flow}`;
  const [name, width, height] = flow === "apple_pay" ? ["Apple Pay", "48", "26"] : ["Google Pay", "60", "24"];
  return node(
    "div", { class: "express" },
    node(
      "button", { type: "button", class: "wallet", part: "wallet", "data-flow": flow, "data-wallet": flow, "aria-label": `${texts.payWith} ${name}`, "aria-disabled": isBusy ? "true" : "false", "aria-describedby": `cost-${flow}` },
      node(
        "picture", {}, node("source", { media: "(prefers-color-scheme:dark)", srcset: `${mark}-on-light.svg` }),
        node("img", { src: `${mark}.svg`, alt: name, width, height }),
      ),
    ),
    node("small", { class: "quiet", part: "wallet-cost", id: `cost-${flow}` }, price(scene, billing.amount), ...(hasFee(billing) ? [" ", ...fee(scene, billing)] : [])),
  );
}

/**
 * What is shown of a payment whose terms the payer accepts on the hosted page, which also stores what they read.
 *
 * @param {Texts} texts
 */
export const terms = (texts) =>
  node("div", {}, node("p", { class: "terms", part: "terms" }, texts.terms), node("button", { type: "button", class: "button hosted", part: "pay" }, texts.hosted));

/** The heading over the methods: what there is to choose, or the only one. @param {Scene} scene */
function heading({ texts, ways }) {
  const [only] = ways;
  if (only === undefined || ways.length > 1) return [texts.choose];
  return only.isCash ? [isolated(only.name)] : [`${texts.payWith} `, isolated(only.name)];
}

/** The form in which the payer chooses, in the order of the hosted page. @param {Scene} scene */
export function form(scene) {
  const { chosen, texts, ways } = scene;
  const wallets = isCosted(scene) ? scene.wallets : [];
  const made = node(
    "form", { novalidate: true, "aria-busy": scene.isBusy ? "true" : "false" },
    node("h2", { part: "heading", id: "choose" }, ...heading(scene)),
    scene.amount !== undefined && node(
      "label", { class: "amount", part: "amount" }, texts.amount,
      node("span", { class: "entry" }, node("input", { name: "amount", inputmode: "decimal", autocomplete: "off", dir: "ltr", value: scene.amount, "aria-describedby": "notice" })),
    ),
    ...wallets.map((wallet) => express(scene, wallet)),
    wallets.length > 0 && node("p", { class: "or" }, texts.or),
    node(
      "fieldset", { class: "methods", part: "methods", "aria-labelledby": "choose" },
      ...ways.map((way) => row(scene, way)),
    ),
    chosen?.canSaveCard === true && node(
      "label", { class: "keep", part: "save" },
      node("input", { type: "checkbox", name: "save_card" }), node("span", {}, texts.saveCard, node("small", {}, texts.saveTerms)),
    ),
    node("button", { type: "submit", class: "button", part: "pay", "aria-disabled": scene.isBusy || chosen === undefined ? "true" : "false" }, ...action(scene)),
  );
  for (const input of made.querySelectorAll("input[name=way]")) {
    if (input instanceof HTMLInputElement) input.checked = input.value === chosen?.id;
  }
  return made;
}

/** What a button for trying again is called. @param {Texts} texts */
export const again = (texts) => node("button", { type: "button", class: "button again", part: "again" }, texts.again);
