/** HTML as text: what is not marked as such is escaped. */

class Html {
  constructor(text) {
    this.text = text;
  }
}

const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escape = (text) => String(text).replaceAll(/[&<>"']/g, (character) => ESCAPES[character]);

function shown(value) {
  if (value === undefined || value === null || value === false) return "";
  if (Array.isArray(value)) return value.map(shown).join("");
  return value instanceof Html ? value.text : escape(value);
}

/** A template whose values are escaped, except HTML. */
export const html = (parts, ...values) => new Html(parts.reduce((text, part, place) => text + shown(values[place - 1]) + part));

/** The text of HTML. */
export const textOf = (value) => shown(value);

/** A sentence in which the text between backticks is code. */
export const prose = (text = "") =>
  text.split("`").map((part, place) => (place % 2 === 0 ? part : html`<code>${part}</code>`));
