/** The language in which the element speaks, and how amounts are written in it. */
import { UnreachableError } from "./errors.js";
import { ALIKE } from "./facts.js";

/**
 * @typedef {object} Words
 * @property {"en" | "ar"} language
 * @property {Record<string, string>} signs how currencies are written after an amount, if not by their code
 * @property {typeof import("./en.js").texts} texts
 */

/** The words of a language, which are a file of their own. @param {"en" | "ar"} language @returns {Promise<Words>} */
export const wordsOf = async (language) => {
  const file = await (language === "ar" ? import("./ar.js") : import("./en.js")).catch((error) => {
    throw new UnreachableError(error);
  });
  return { language, ...file };
};

/** How a language writes a currency. @param {string} code @param {Words} words */
export const signOf = (code, { signs }) => signs[code] ?? code;

/**
 * An amount for a reader. Till writes the code first: `KWD 1,234.500`.
 *
 * @param {Pick<import("./types.js").Sum, "currency_code" | "display">} sum
 * @param {Words} words
 */
export const priceOf = (sum, words) => (words.language === "ar" ? `${digitsOf(sum)}\u00a0${signOf(sum.currency_code, words)}` : sum.display);

/** An amount without its currency. @param {Pick<import("./types.js").Sum, "currency_code" | "display">} sum */
export const digitsOf = ({ currency_code: code, display }) => display.slice(code.length + 1);

/** How many decimals an amount has. @param {string} amount */
export const decimalsOf = (amount) => amount.split(".")[1]?.length ?? 0;

/** A sum as Till writes it. @param {string} currency_code @param {string} value @param {number} decimals those of the currency */
export const sumOf = (currency_code, value, decimals) => {
  const format = new Intl.NumberFormat("en", { minimumFractionDigits: decimals });
  return { currency_code, value, display: `${currency_code} ${format.format(/** @type {any} */ (value))}` };
};

/**
 * What is said of a try that paid nothing, as far as is known: what may have been charged is not called declined.
 *
 * @param {import("./types.js").Outcome | import("./types.js").NoOutcome} outcome @param {Words} words
 * @returns {{ code: string, text: string, isCalm?: boolean, isDecline?: boolean }}
 */
export function wordsOfTry(outcome, words) {
  const { texts } = words;
  if (outcome.result || outcome.status === "3DS") return { code: "attempt_in_progress", text: texts.checked };
  if (outcome.status === "error") return { code: "other", text: texts.wallet_not_configured };
  const code = "payment_declined";
  return outcome.canceled_by === "payer" ? { code, text: texts.withdrawn, isCalm: true } : { code, text: declineOf(outcome, words), isDecline: true };
}

/** What the code of a problem means. @param {string} code @param {Record<string, string>} texts */
export function wordsOfCode(code, texts) {
  /** @type {Record<string, string>} */
  const alike = ALIKE;
  return texts[alike[code] ?? code] ?? texts["other"] ?? "";
}

/** Why a payment was declined, if the bank said it. @param {import("./types.js").Outcome | import("./types.js").NoOutcome} outcome @param {Words} words */
const declineOf = ({ decline }, { language, texts: { payment_declined: text, uncharged } }) =>
  decline === undefined ? text : text.replace(/\n.*/, `\n${decline.text[language]} ${uncharged}`);

/**
 * A sentence with nodes in its places: `Pay {amount}`.
 *
 * @param {string} sentence @param {Record<string, Node>} values
 * @returns {(string | Node)[]}
 */
export const fill = (sentence, values) =>
  sentence.split(/\{(\w+)\}/).map((part, place) => (place % 2 ? (values[part] ?? "") : part));

/** An amount as a payer types it, with the digits of their language or a comma before the decimals, as Till reads it. @param {string} typed */
export const amountOf = (typed) =>
  typed
    .replaceAll(/[\u200e\u200f\u061c]/g, "")
    .replaceAll(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) % 16))
    .replace("\u066b", ".")
    // A comma before three digits may be that of thousands.
    .replace(/^(\d+),(\d{1,2}|\d{4})$/, "$1.$2")
    .trim();
