/** The language in which the element speaks, and how amounts are written in it. */

/**
 * @typedef {object} Words
 * @property {"en" | "ar"} language
 * @property {Record<string, string>} signs how currencies are written after an amount, if not by their code
 * @property {typeof import("./en.js").texts} texts
 */

/** The words of a language, which are a file of their own. @param {"en" | "ar"} language @returns {Promise<Words>} */
export const wordsOf = async (language) => ({ language, ...(await (language === "ar" ? import("./ar.js") : import("./en.js"))) });

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

/** Why a payment was declined, if the bank said it. @param {import("./types.js").Outcome} outcome @param {Words} words */
export const declineOf = ({ decline }, { language, texts: { payment_declined: text, uncharged } }) =>
  decline === undefined ? text : text.replace(/\n.*/, `\n${decline.text[language]} ${uncharged}`);

/**
 * A sentence with nodes in its places: `Pay {amount}`.
 *
 * @param {string} sentence @param {Record<string, Node>} values
 * @returns {(string | Node)[]}
 */
export const fill = (sentence, values) =>
  sentence.split(/\{(\w+)\}/).map((part, place) => (place % 2 ? (values[part] ?? "") : part));
