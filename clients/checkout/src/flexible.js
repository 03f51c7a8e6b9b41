/** Flexible methods: whether each is offered, and what the payer is asked for it, as on the hosted page. */
import { ASKED } from "./facts.js";
import { node } from "./view.js";

/** @typedef {import("./types.js").OptionAnswer} OptionAnswer */
/** @typedef {import("./texts.js").Words} Words */

/**
 * What is known of a method.
 *
 * @typedef {object} Offer
 * @property {HTMLElement | undefined} line says whether it is offered: it has its place before the answer, and stays the same node
 * @property {boolean} [isGone]
 * @property {string[]} asked the fields that the payer fills in
 */

/** What is known of all of them, and what the payer says of themselves. */
export class Flexible {
  /** @type {Map<string, Offer>} */
  #offers = new Map();
  /** What the payer typed. @type {Record<string, string>} */
  given = {};
  /** Which of that was refused. @type {string[]} */
  faults = [];

  /** @param {string} code */
  of(code) {
    return this.#offers.get(code);
  }

  /** From here on everything is asked again. */
  clear() {
    this.#offers.clear();
  }

  /**
   * Asks about the methods that were not asked about; no answer is a refusal.
   *
   * @param {import("./types.js").Session["flex_methods"]} methods
   * @param {import("./calls.js").Payer | undefined} checkout
   * @param {Words} words
   * @param {AbortSignal} signal
   * @param {(code: string, offer: Offer) => void} changed
   */
  ask(methods, checkout, { language, texts }, signal, changed) {
    for (const { code, pre_payment_options_available: asksFirst } of methods) {
      if (this.of(code)) continue;
      const line = asksFirst ? node("small", { class: "offer", part: "offer", "aria-live": "polite" }, texts.checking) : undefined;
      /** @type {Offer} */
      const offer = { line, asked: [] };
      this.#offers.set(code, offer);
      void checkout?.check(code, { signal }).catch(() => /** @type {OptionAnswer} */ ({ is_available: false })).then((answer) => {
        if (signal.aborted || offer !== this.of(code)) return;
        offer.isGone = !answer.is_available;
        offer.asked = (answer.required ?? []).flatMap((word) => ASKED[word] ?? []);
        changed(code, offer);
        if (line) line.textContent = offer.isGone ? texts.gone : (answer.payment_labels?.[0]?.[`description_${language}`] ?? "");
      });
    }
  }

  /** What is sent with a method. @param {string} code */
  payer(code) {
    return Object.fromEntries((this.of(code)?.asked ?? []).map((name) => [name, this.given[name] ?? ""]));
  }

  /** Notes what of it a refusal names, and answers the first. @param {Record<string, unknown> | undefined} errors */
  refuse(errors = {}) {
    this.faults = Object.values(ASKED).flat().filter((name) => errors[name]);
    return this.faults[0];
  }
}

/** A field that the payer fills in. @param {import("./view.js").Scene} scene @param {string} name */
export function asked({ flexible: { faults, given }, words: { texts } }, name) {
  /** @type {Record<string, string>} */
  const known = texts;
  const kind = name.slice(9);
  const type = kind === "phone" ? "tel" : kind === "email" ? kind : undefined;
  const fault = faults.includes(name) ? known[given[name]?.trim() ? `wrong_${name}` : "missing"] : undefined;
  return node(
    "div", { class: "lacks", part: "field" }, node("label", { for: name }, known[name]),
    node(
      "span", { class: "entry", dir: type && "ltr" },
      node("input", {
        id: name, name, type: type ?? "text", value: given[name], maxlength: "128", dir: type && "ltr", autocomplete: type ?? (kind === "first_name" ? "given-name" : "family-name"),
        "aria-describedby": `${name}-fault`, "aria-invalid": fault && "true",
      }),
    ),
    node("p", { class: "fault", id: `${name}-fault`, role: "alert" }, fault),
  );
}
