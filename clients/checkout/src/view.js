/** What the element shows, made of nodes: no text is ever read as markup. */

/** @typedef {import("./types.js").Session} Session */
/** @typedef {import("./texts.js").Texts} Texts */

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
 * @property {Way[]} ways
 * @property {Way | undefined} chosen
 * @property {string | undefined} amount what the payer typed, if they may choose the amount
 * @property {boolean} isBusy
 * @property {{ offer: { total: string, currency: string }, flow: "apple_pay" | "google_pay" }[]} wallets
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
/** An amount, which reads from left to right. @param {string} text */
const sum = (text) => node("bdi", { dir: "ltr", class: "cost" }, text);

/** Whether the amount is the one for which costs are known. @param {Scene} scene */
const isCosted = ({ amount, session }) => amount === undefined || amount === session.amount;

/** @param {Scene} scene @param {Way} way */
function row(scene, way) {
  const { billing, icon, id, name } = way;
  const paid = isCosted(scene) && scene.session.payment_type !== "save_card" ? billing : undefined;
  const hasFee = paid !== undefined && Number(paid.fee.value) > 0;
  return node(
    "label", { class: "row", part: "method" },
    node("input", { type: "radio", name: "way", value: id, part: "radio" }),
    icon !== undefined && node("img", { src: icon, alt: "", width: "32", height: "20", part: "icon" }),
    node("span", { class: "name", part: "name" }, isolated(name)),
    paid && sum(paid.amount.display),
    hasFee && node("span", { class: "quiet", part: "fee" }, `${scene.texts.includes} `, isolated(paid.fee.label), " ", sum(paid.fee.display)),
  );
}

/** The words of the button. @param {Scene} scene */
function action(scene) {
  const { chosen, session, texts } = scene;
  if (scene.isBusy) return [`${texts.opening} `, isolated(chosen?.name ?? ""), "…"];
  if (session.payment_type === "save_card") return [texts.saves];
  if (!isCosted(scene) || chosen?.billing === undefined) return [texts.next];
  return [`${texts.pay} `, sum(chosen.billing.amount.display)];
}

/** The form in which the payer chooses. @param {Scene} scene */
export function form(scene) {
  const { chosen, session, texts, ways, wallets } = scene;
  const made = node(
    "form", { novalidate: true, "aria-busy": scene.isBusy ? "true" : "false" },
    ...(isCosted(scene) ? wallets : []).map(({ flow, offer }) =>
      node("button", { type: "button", class: "wallet", part: "wallet", "data-flow": flow, "aria-disabled": scene.isBusy ? "true" : "false" }, `${texts[flow]} `, sum(`${offer.currency} ${offer.total}`))),
    scene.amount !== undefined && node(
      "label", { class: "field", part: "amount" }, texts.amount,
      node("input", { name: "amount", inputmode: "decimal", autocomplete: "off", dir: "ltr", value: scene.amount, "aria-describedby": "notice" }),
    ),
    node("fieldset", { part: "methods" }, node("legend", { part: "heading" }, texts.choose), ...ways.map((way) => row(scene, way))),
    chosen?.canSaveCard === true && session.payment_type !== "save_card" && node(
      "label", { class: "row", part: "save" },
      node("input", { type: "checkbox", name: "save_card" }), node("span", { class: "name" }, texts.saveCard),
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
