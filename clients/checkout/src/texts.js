/** How the texts of the element (facts.js) and amounts are written in a language. */
import { SIGNS, ar, en } from "./facts.js";

/** @typedef {typeof en} Texts */

/**
 * The texts of a language.
 *
 * @param {"en" | "ar"} language
 * @returns {Texts}
 */
export const textsOf = (language) => (language === "ar" ? ar : en);

/** How a language writes a currency. @param {string} code @param {string} language */
export const signOf = (code, language) => (language === "ar" && /** @type {Record<string, string>} */ (SIGNS)[code]) || code;

/**
 * An amount for a reader. Till writes the code first: `KWD 1,234.500`.
 *
 * @param {import("./types.js").Sum} sum
 * @param {string} language
 */
export const priceOf = (sum, language) => (language === "ar" ? `${digitsOf(sum)}\u00a0${signOf(sum.currency_code, language)}` : sum.display);

/** An amount without its currency. @param {import("./types.js").Sum} sum */
export const digitsOf = ({ currency_code: code, display }) => display.slice(code.length + 1);

/**
 * A sentence with nodes in its places: `Pay {amount}`.
 *
 * @param {string} sentence @param {Record<string, Node>} values
 * @returns {(string | Node)[]}
 */
export const fill = (sentence, values) =>
  sentence.split(/\{(\w+)\}/).map((part, place) => (place % 2 ? (values[part] ?? "") : part));
