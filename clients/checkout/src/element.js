/**
 * The element `<till-checkout session-id="…" origin="https://pay.example.com" language="en">`: a checkout on the merchant's own page,
 * without a frame. It needs no inline script or style, and no policy of trusted types.
 *
 * Without `origin` it calls the origin from which its script was loaded. `language` is `en` or `ar`; without it, that of the
 * transaction. Events, which bubble:
 *
 * - `till-state`: the state changed; `detail` is `{ state, session, isFinal }`.
 * - `till-redirect`: the browser goes on to `detail.url`, unless the event is canceled.
 * - `till-error`: something failed; `detail` is `{ code, error }`.
 */
import { sheets } from "./wallet.js";
import { Payer } from "./calls.js";
import { CheckoutError, RefusedError, UnreachableError } from "./errors.js";
import { BRANDS, NETWORKS, ALIKE, SUCCESS } from "./facts.js";
import { isFinal } from "./follow.js";
import { styleSheet } from "./style.js";
import { takerOf } from "./taker.js";
import { textsOf } from "./texts.js";
import { again, form, hasFee, headed, isCosted, node, receipt, terms } from "./view.js";

/** @typedef {import("./types.js").Session} Session */
/** @typedef {import("./types.js").Outcome} Outcome */
/** @typedef {import("./view.js").Way} Way */
/** @typedef {{ flow: import("./wallet.js").Flow, billing: import("./types.js").Billing, service: import("./types.js").Service, facts: import("./wallet.js").Facts, offer: import("./wallet.js").Offer }} Wallet */

const SHEET = styleSheet();
/** @param {string} name */
const plain = (name) => name.toLowerCase().replaceAll(/[^a-z]/g, "");

/** What a payer can choose: saved cards, then methods. @param {Session} session @returns {Way[]} */
function waysOf({ cards, language, payment_methods }) {
  const saved = cards.filter(({ is_expired }) => !is_expired).map((card) => ({
    id: card.token, name: BRANDS.find((name) => plain(name) === plain(card.brand ?? "")) ?? (card.brand || textsOf(language).cardWords),
    ending: card.number?.split(" ").at(-1) ?? "", expiry: `${card.expiry_month}/${card.expiry_year}`, icon: card.mark,
    billing: payment_methods.find(({ code }) => code === card.pg_code)?.billing,
  }));
  return [...saved, ...payment_methods.map((method) => ({ ...method, id: method.code, icon: method.mark ?? method.icon }))];
}

/** @param {import("./types.js").Service} service @param {string} session @returns {Wallet} */
function walletOf(service, session) {
  const { billing, flow } = service;
  const { amount, fee, sub_total } = billing;
  return {
    flow, billing, service,
    facts: { ...service, shop_name: service.shop_name ?? service.merchant_name, net_label: sub_total.label, fee_label: fee.label },
    offer: {
      session, total: service.amount ?? service.total_price ?? amount.value, currency: service.currency_code, networks: NETWORKS[flow],
      // Google's sheet takes amounts in a form of its own, and may be unable to show the parts.
      parts: service.display_items?.map(({ price }) => price) ?? (hasFee(billing) ? [sub_total.value, fee.value] : []),
    },
  };
}

/**
 * What is shown that a payment costs: of an amount that the payer typed only the currency.
 *
 * @param {Session} session @param {import("./types.js").Billing | undefined} billing @param {string | undefined} amount
 */
function shownOf(session, billing, amount) {
  if (!billing) return {};
  const { value: total, currency_code: currency } = billing.amount;
  return { shown: isCosted({ amount, session }) ? { total, currency } : { currency } };
}

/**
 * Whether something costs something else than before: all of it, or a method that is still there.
 *
 * @param {Session | undefined} before @param {Session} session
 */
function isRepriced(before, session) {
  /** @param {Session} of @returns {{ code?: string, amount: string, currency_code: string }[]} */
  const prices = (of) => [of, ...of.payment_methods];
  return !!before && prices(session).some((now) => prices(before).some((old) => old.code === now.code && old.amount + old.currency_code !== now.amount + now.currency_code));
}

/** Writing the same text again would announce it again. @param {HTMLElement} part @param {string} text @param {string} look */
function write(part, text, look) {
  part.className = look;
  if (part.textContent !== text.replace("\n", "")) part.replaceChildren(...headed(text));
}

export class TillCheckoutElement extends HTMLElement {
  static observedAttributes = ["session-id", "origin", "language"];

  #root = this.attachShadow({ mode: "open" });
  #panel = node("section", { class: "panel", part: "panel" });
  #notice = node("div", { part: "notice", id: "notice" });
  #status = node("div", { part: "status", role: "status" });
  #body = node("div", {});
  /** @type {AbortController | undefined} */
  #end;
  /** @type {import("./calls.js").Payer | undefined} */
  #checkout;
  /** @type {Session | undefined} */
  #session;
  /** @type {Wallet[]} */
  #wallets = [];
  /** @type {string | undefined} */
  #chosen;
  /** @type {string | undefined} */
  #amount;
  #savesCard = false;
  #isBusy = false;

  constructor() {
    super();
    this.#root.adoptedStyleSheets = [SHEET];
    this.#panel.append(this.#status, this.#notice, this.#body);
    this.#root.append(this.#panel);
    this.#root.addEventListener("change", (event) => this.#changed(event.target));
    this.#root.addEventListener("input", (event) => this.#typed(event.target));
    this.#root.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#pay();
    });
    this.#root.addEventListener("click", (event) => this.#pressed(event.target));
  }

  connectedCallback() {
    this.#start();
  }

  disconnectedCallback() {
    this.#end?.abort();
  }

  /** @param {string} _name @param {string | null} before @param {string | null} after */
  attributeChangedCallback(_name, before, after) {
    if (this.isConnected && before !== after) this.#start();
  }

  /** The payment transaction. */
  get sessionId() {
    return this.getAttribute("session-id") ?? "";
  }

  set sessionId(value) {
    this.setAttribute("session-id", value);
  }

  /** @returns {"en" | "ar"} */
  get #language() {
    const word = this.getAttribute("language") ?? this.#session?.language ?? this.closest("[lang]")?.getAttribute("lang") ?? "en";
    return word.startsWith("ar") ? "ar" : "en";
  }

  get #texts() {
    return textsOf(this.#language);
  }

  /** Begins again: for another transaction, or after an error. */
  #start() {
    this.#end?.abort();
    const end = (this.#end = new AbortController());
    this.#session = undefined;
    this.#chosen = undefined;
    this.#amount = undefined;
    this.#isBusy = false;
    this.#say(this.#texts.loadingWords);
    this.#warn("");
    this.#body.replaceChildren();
    this.#direct();
    void this.#follow(end.signal);
  }

  #direct() {
    this.#panel.lang = this.#language;
    this.#panel.dir = this.#language === "ar" ? "rtl" : "ltr";
    this.#panel.setAttribute("aria-label", this.#texts.chooseWords);
  }

  /** @param {AbortSignal} signal */
  async #follow(signal) {
    try {
      const origin = this.getAttribute("origin") ?? new URL(import.meta.url).origin;
      this.#checkout = new Payer({ origin, sessionId: this.sessionId });
      for await (const session of this.#checkout.follow({ signal, longest: 15_000 })) {
        if (signal.aborted) return;
        await this.#show(session, signal);
      }
    } catch (error) {
      if (!signal.aborted) this.#fail(error, true);
    }
  }

  /** @param {Session} session @param {AbortSignal} signal @param {boolean} [isRefused] whether the price was refused that it showed before */
  async #show(session, signal, isRefused) {
    const before = this.#session;
    const isOther = isRefused || isRepriced(before, session);
    const offered = session.payment_services.filter(({ flow }) => sheets[flow]).map((service) => walletOf(service, this.sessionId));
    const has = await Promise.all(offered.map(({ flow, facts }) => new Promise((then) => sheets[flow].has(facts, this.sessionId, then)).catch(() => false)));
    if (signal.aborted) return;
    this.#wallets = offered.filter((_, place) => has[place]);
    this.#session = session;
    // What the payer typed stays, in its currency.
    if (isOther && (this.#amount === before?.amount || session.currency_code !== before?.currency_code)) this.#amount = undefined;
    this.#amount ??= session.is_amount_editable ? session.amount : undefined;
    const { response } = session;
    const isNew = response.status === "canceled" && !isFinal(session.state) && (!before || response.reference_number !== before.response.reference_number);
    if (isNew && response.canceled_by === "payer") this.#warn(this.#texts.withdrawnWords, true);
    else if (isNew) this.#warn(this.#declined(response));
    if (isOther) this.#warn(this.#texts.price_changed, true);
    this.#direct();
    this.#draw();
    this.#emit("till-state", { state: session.state, session, isFinal: isFinal(session.state) });
  }

  #draw() {
    const session = this.#session;
    if (!session) return;
    const texts = this.#texts;
    const ways = waysOf(session);
    const isOver = isFinal(session.state) || ways.length + this.#wallets.length === 0;
    /** @type {Record<string, string>} */
    const states = texts;
    const isGood = SUCCESS.includes(session.state);
    this.#say(isOver ? (states[session.state] ?? texts.waitingWords) : "", isGood ? "good" : "");
    if (isOver) {
      this.#warn("");
      return this.#body.replaceChildren(...(isGood ? [receipt(texts)] : []));
    }
    if (ways.length === 1) this.#chosen = ways[0]?.id;
    // Drawing again keeps the focus.
    const focused = this.#root.activeElement?.id;
    this.#body.replaceChildren(
      ...(session.payment_methods.some(({ is_sandbox }) => is_sandbox) ? [node("p", { class: "test", part: "test" }, node("span", { class: "chip" }, texts.testWords))] : []),
      // Terms are shown and stored by the hosted page.
      session.payment_type === "one_off"
        ? form({
          session, texts, language: this.#language, origin: this.#checkout?.origin ?? "", ways, chosen: ways.find(({ id }) => id === this.#chosen),
          amount: this.#amount, savesCard: this.#savesCard, isBusy: this.#isBusy, wallets: this.#wallets,
        })
        : terms(texts),
    );
    if (focused) this.#root.getElementById(focused)?.focus();
  }

  /** @param {EventTarget | null} target */
  #changed(target) {
    if (!(target instanceof HTMLInputElement)) return;
    if (target.name === "save_card") this.#savesCard = target.checked;
    if (target.name !== "way") return;
    this.#chosen = target.value;
    this.#draw();
  }

  /** @param {EventTarget | null} target */
  #typed(target) {
    if (!(target instanceof HTMLInputElement) || target.name !== "amount") return;
    this.#amount = target.value;
    const { selectionStart, selectionEnd } = target;
    this.#draw();
    const field = this.#root.activeElement;
    if (field instanceof HTMLInputElement) field.setSelectionRange(selectionStart, selectionEnd);
  }

  /** @param {EventTarget | null} target */
  #pressed(target) {
    const button = target instanceof Element ? target.closest("button") : null;
    if (button?.matches(".again")) this.#start();
    if (button?.matches(".hosted") && this.#session) this.#go(this.#session.checkout_url);
    const wallet = this.#wallets.find(({ flow }) => flow === button?.id);
    if (!wallet || !this.#checkout || this.#isBusy) return;
    this.#busy(true);
    // The sheet of a wallet opens only while the press is being handled.
    try {
      sheets[wallet.flow].open(wallet.facts, wallet.offer, takerOf(this.#checkout, wallet.service, (news) => this.#heard(news)));
    } catch (error) {
      this.#fail(error, false);
    }
  }

  /** What became of a sheet. @param {import("./taker.js").News} news */
  #heard({ error, outcome, isMissing }) {
    this.#busy(false);
    if (isMissing) {
      this.#wallets = this.#wallets.filter(({ flow }) => flow !== "google_pay");
      this.#draw();
      return this.#warn(this.#texts.wallet_unavailable, true);
    }
    // A refusal that is about the amount means that the price is another one.
    if (error !== undefined) return this.#fail(error, false, undefined, error instanceof RefusedError && error.problem.errors?.["amount"] ? "price_changed" : "");
    if (outcome?.redirect_url) return this.#go(outcome.redirect_url);
    return outcome && this.#refused(outcome.callback_payload);
  }

  async #pay() {
    const [checkout, session, chosen] = [this.#checkout, this.#session, this.#chosen];
    if (!checkout || !session || !chosen || this.#isBusy) return;
    const amount = this.#amount?.trim();
    const given = amount === undefined ? {} : { amount };
    this.#busy(true);
    try {
      const way = waysOf(session).find(({ id }) => id === chosen);
      const choice = { ...given, ...shownOf(session, way?.billing, amount) };
      if (!way?.ending) {
        return this.#go((await checkout.submit(chosen, { ...choice, ...(this.#savesCard && way?.can_save_card && { saveCard: true }) })).redirect_url);
      }
      const outcome = await checkout.payWithCard(chosen, choice);
      if (!outcome.redirect_url) this.#refused(outcome);
      else this.#go(outcome.redirect_url);
    } catch (error) {
      this.#fail(error, false);
    } finally {
      this.#busy(false);
    }
  }

  /** What an outcome says that leads nowhere: what may have been charged is not called declined. @param {Outcome} outcome */
  #refused(outcome) {
    const code = outcome.status === "canceled" ? "payment_declined" : outcome.status === "error" ? "other" : "attempt_in_progress";
    const error = new RefusedError({ code, detail: outcome.message }, 400, undefined);
    this.#fail(error, false, code === "payment_declined" ? this.#declined(outcome) : undefined);
  }

  /** Why a payment was declined, if the bank said it. @param {Outcome} outcome */
  #declined({ decline }) {
    const texts = this.#texts;
    return decline === undefined ? texts.payment_declined : texts.payment_declined.replace(/\n.*/, `\n${decline.text[this.#language]} ${texts.unchargedWords}`);
  }

  /** The browser goes on, if the page lets it. @param {string} address */
  #go(address) {
    const { protocol, href } = new URL(address);
    if (!/^https?:$/.test(protocol)) return this.#fail(new CheckoutError(`cannot go on to ${protocol}`), false);
    if (this.#emit("till-redirect", { url: href })) location.assign(href);
  }

  /** @param {boolean} isBusy */
  #busy(isBusy) {
    this.#isBusy = isBusy;
    if (isBusy) this.#warn("");
    this.#draw();
  }

  /** @param {unknown} error @param {boolean} isEnd whether there is nothing to choose from @param {string} [text] @param {string} [given] */
  #fail(error, isEnd, text, given) {
    const isRefused = error instanceof RefusedError;
    const code = given || (isRefused ? error.code : error instanceof UnreachableError ? "unreachable" : "other");
    const texts = this.#texts;
    this.#isBusy = false;
    this.#draw();
    if (isEnd) {
      this.#say("");
      this.#body.replaceChildren(again(texts));
    }
    /** @type {Record<string, string>[]} */
    const [known = {}, alike = {}] = [texts, ALIKE];
    if (isRefused && !given && error.problem.errors?.["amount"]) text = texts.invalidWords.replace("{example}", this.#session?.amount ?? "");
    this.#warn(text ?? known[alike[code] ?? code] ?? texts.otherWords, code === "price_changed");
    this.#emit("till-error", { code, error });
    if (code === "price_changed") void this.#reprice();
  }

  /** Shows the prices as they are now, under what was said of the old ones. */
  async #reprice() {
    const [checkout, signal] = [this.#checkout, this.#end?.signal];
    if (!checkout || !signal) return;
    try {
      await this.#show(await checkout.load({ signal }), signal, true);
    } catch (error) {
      if (!signal.aborted) this.#fail(error, true);
    }
  }

  /** @param {string} text @param {string} [tone] */
  #say(text, tone = "") {
    write(this.#status, text, `outcome ${tone}`);
  }

  /** @param {string} text @param {boolean} [isCalm] whether nothing failed */
  #warn(text, isCalm) {
    this.#notice.setAttribute("role", isCalm ? "status" : "alert");
    write(this.#notice, text, isCalm ? "notice calm" : "notice");
  }

  /** Whether no listener canceled the event. @param {string} name @param {object} detail */
  #emit(name, detail) {
    return this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true, cancelable: true }));
  }
}

if (!customElements.get("till-checkout")) customElements.define("till-checkout", TillCheckoutElement);
