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
import { isFinal } from "./follow.js";
import { styleSheet } from "./style.js";
import { takerOf } from "./taker.js";
import { textsOf } from "./texts.js";
import { again, form, node, terms } from "./view.js";

/** @typedef {import("./types.js").Session} Session */
/** @typedef {import("./types.js").Outcome} Outcome */
/** @typedef {import("./view.js").Way} Way */
/** @typedef {{ flow: import("./wallet.js").Flow, billing: import("./types.js").Billing, service: import("./types.js").Service, facts: import("./wallet.js").Facts, offer: import("./wallet.js").Offer }} Wallet */

const SHEET = styleSheet();
/** States whose outcome is shown as a success. */
const GOOD = ["paid", "authorized", "cod"];

/** Brands as they write themselves. */
const BRANDS = ["Visa", "Mastercard", "American Express", "mada"];
/** @param {string} name */
const plain = (name) => name.toLowerCase().replaceAll(/[^a-z]/g, "");

/** What a payer can choose: saved cards, then methods. @param {Session} session @returns {Way[]} */
function waysOf({ cards, language, payment_methods }) {
  const saved = (cards ?? []).filter(({ is_expired }) => !is_expired).map((card) => ({
    id: card.token, name: BRANDS.find((name) => plain(name) === plain(card.brand ?? "")) ?? (card.brand || textsOf(language).card),
    ending: card.number?.split(" ").at(-1) ?? "", expiry: `${card.expiry_month}/${card.expiry_year}`, icon: card.mark, brands: [],
    billing: payment_methods.find(({ code }) => code === card.pg_code)?.billing, canSaveCard: false, isCash: false,
  }));
  const methods = payment_methods.map(({ code, name, icon, mark, billing, can_save_card, card_brands, is_cash }) => ({
    id: code, name, ending: undefined, expiry: undefined, icon: mark ?? icon, brands: card_brands ?? [], billing,
    canSaveCard: can_save_card === true, isCash: is_cash === true,
  }));
  return [...saved, ...methods];
}

/** The networks of cards, as each wallet names them. */
const NETWORKS = { apple_pay: "amex mada masterCard visa", google_pay: "AMEX MASTERCARD VISA" };

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
      parts: service.display_items?.map(({ price }) => price) ?? (/[1-9]/.test(fee.value) ? [sub_total.value, fee.value] : []),
    },
  };
}

/**
 * What is shown that a payment costs: of an amount that the payer typed only the currency.
 *
 * @param {Session} session @param {import("./types.js").Billing | undefined} billing @param {string | undefined} amount
 */
function shownOf(session, billing, amount) {
  if (billing === undefined) return {};
  const { value: total, currency_code: currency } = billing.amount;
  return { shown: amount === undefined || amount === session.amount ? { total, currency } : { currency } };
}

/** Whether the payer has to accept terms, which the hosted page shows and stores. @param {Session} session */
const isAgreedTo = ({ payment_type }) => payment_type !== "one_off";

/**
 * Whether something costs something else than before: all of it, or a method that is still there.
 *
 * @param {Session | undefined} before @param {Session} session
 */
function isRepriced(before, session) {
  /** @param {Session} of @returns {{ code?: string, amount: string, currency_code: string }[]} */
  const prices = (of) => [of, ...of.payment_methods];
  return before !== undefined && prices(session).some((now) => prices(before).some((old) => old.code === now.code && (old.amount !== now.amount || old.currency_code !== now.currency_code)));
}

/** What is said of a test. @param {Session} session @param {ReturnType<typeof textsOf>} texts */
const test = ({ payment_methods }, texts) => (payment_methods.some(({ is_sandbox }) => is_sandbox) ? [node("p", { class: "test", part: "test" }, node("span", { class: "chip" }, texts.test))] : []);

export class TillCheckoutElement extends HTMLElement {
  static observedAttributes = ["session-id", "origin", "language"];

  #root = this.attachShadow({ mode: "open" });
  #panel = node("section", { class: "panel", part: "panel" });
  #notice = node("p", { class: "notice", part: "notice", id: "notice", role: "alert" });
  #status = node("p", { class: "outcome", part: "status", role: "status" });
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
  /** What is said calmly of the last attempt. */
  #calm = "";
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
    this.#calm = "";
    this.#say(this.#texts.loading);
    this.#warn("");
    this.#body.replaceChildren();
    this.#direct();
    void this.#follow(end.signal);
  }

  #direct() {
    this.#panel.lang = this.#language;
    this.#panel.dir = this.#language === "ar" ? "rtl" : "ltr";
    this.#panel.setAttribute("aria-label", this.#texts.choose);
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
    const offered = (session.payment_services ?? []).filter(({ flow }) => sheets[flow]).map((service) => walletOf(service, this.sessionId));
    const has = await Promise.all(offered.map(({ flow, facts }) => new Promise((then) => sheets[flow].has(facts, this.sessionId, then)).catch(() => false)));
    if (signal.aborted) return;
    this.#wallets = offered.filter((_, place) => has[place]);
    this.#session = session;
    // What the payer typed stays, in its currency.
    if (isOther && (this.#amount === before?.amount || session.currency_code !== before?.currency_code)) this.#amount = undefined;
    this.#amount ??= session.is_amount_editable ? session.amount : undefined;
    const { response } = session;
    const isNew = response?.status === "canceled" && !isFinal(session.state) && (!before || response.reference_number !== before.response.reference_number);
    const hasLeft = response?.canceled_by === "payer";
    this.#calm = isNew && hasLeft ? this.#texts.left : "";
    if (isNew) this.#warn(hasLeft ? "" : this.#declined(response));
    if (isOther) this.#warn(this.#texts.error.price_changed);
    this.#direct();
    this.#draw();
    this.#emit("till-state", { state: session.state, session, isFinal: isFinal(session.state) });
  }

  #draw() {
    const session = this.#session;
    if (session === undefined) return;
    const texts = this.#texts;
    const language = this.#language;
    const ways = waysOf(session);
    const isOver = isFinal(session.state) || ways.length + this.#wallets.length === 0;
    /** @type {Record<string, string>} */
    const states = texts.state;
    this.#say(isOver ? (states[session.state] ?? texts.state.waiting) : this.#calm);
    this.#status.classList.toggle("good", GOOD.includes(session.state));
    if (isOver) {
      this.#warn("");
      return this.#body.replaceChildren();
    }
    if (isAgreedTo(session)) return this.#body.replaceChildren(...test(session, texts), terms(texts));
    if (ways.length === 1) this.#chosen = ways[0]?.id;
    const chosen = ways.find(({ id }) => id === this.#chosen);
    const scene = { session, texts, language, origin: this.#checkout?.origin ?? "", ways, chosen, amount: this.#amount, isBusy: this.#isBusy, wallets: this.#wallets };
    const focused = this.#focused();
    const rendered = form(scene);
    const tick = rendered.querySelector("input[name=save_card]");
    if (tick instanceof HTMLInputElement) tick.checked = this.#savesCard;
    this.#body.replaceChildren(...test(session, texts), rendered);
    if (focused !== undefined) {
      const again = this.#root.querySelector(focused);
      if (again instanceof HTMLElement) again.focus();
    }
  }

  /** Which part has the focus, as a selector: drawing again keeps it. */
  #focused() {
    const active = this.#root.activeElement;
    if (active instanceof HTMLInputElement) return `input[name=${active.name}]${active.type === "radio" ? `[value="${CSS.escape(active.value)}"]` : ""}`;
    if (active instanceof HTMLButtonElement) return active.dataset["flow"] ? `[data-flow=${active.dataset["flow"]}]` : "[part=pay]";
    return undefined;
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
    const field = this.#root.querySelector("input[name=amount]");
    if (field instanceof HTMLInputElement) field.setSelectionRange(selectionStart, selectionEnd);
  }

  /** @param {EventTarget | null} target */
  #pressed(target) {
    const button = target instanceof Element ? target.closest("button") : null;
    if (button?.matches(".again")) this.#start();
    if (button?.matches(".hosted") && this.#session) this.#go(this.#session.checkout_url);
    const wallet = this.#wallets.find(({ flow }) => flow === button?.dataset["flow"]);
    if (wallet === undefined || this.#checkout === undefined || this.#isBusy) return;
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
      this.#calm = this.#texts.noWallet;
      return this.#draw();
    }
    // A refusal that is about the amount means that the price is another one.
    if (error !== undefined) return this.#fail(error, false, undefined, error instanceof RefusedError && error.problem.errors?.["amount"] ? "price_changed" : undefined);
    if (outcome?.redirect_url !== undefined) return this.#go(outcome.redirect_url);
    return outcome && this.#refused(outcome.callback_payload);
  }

  async #pay() {
    const [checkout, session, chosen] = [this.#checkout, this.#session, this.#chosen];
    if (checkout === undefined || session === undefined || chosen === undefined || this.#isBusy) return;
    const amount = this.#amount?.trim();
    const given = amount === undefined ? {} : { amount };
    this.#busy(true);
    try {
      const shown = shownOf(session, waysOf(session).find(({ id }) => id === chosen)?.billing, amount);
      const isCard = (session.cards ?? []).some(({ token }) => token === chosen);
      const saves = this.#savesCard && waysOf(session).some(({ id, canSaveCard }) => id === chosen && canSaveCard);
      if (!isCard) return this.#go((await checkout.submit(chosen, { ...given, ...shown, ...(saves ? { saveCard: true } : {}) })).redirect_url);
      const outcome = await checkout.payWithCard(chosen, { ...given, ...shown });
      if (outcome.redirect_url === undefined) this.#refused(outcome);
      else this.#go(outcome.redirect_url);
    } catch (error) {
      this.#fail(error, false);
    } finally {
      this.#busy(false);
    }
  }

  /** What an outcome says that leads nowhere: what may have been charged is not called declined. @param {Outcome} outcome */
  #refused(outcome) {
    const code = { "3DS": "attempt_in_progress", error: "other", canceled: "payment_declined", success: "attempt_in_progress" }[outcome.status];
    const error = new RefusedError({ code, detail: outcome.message }, 400, undefined);
    this.#fail(error, false, code === "payment_declined" ? this.#declined(outcome) : undefined);
  }

  /** Why a payment was declined, if the bank said it. @param {Outcome} outcome */
  #declined({ decline }) {
    const { error, uncharged } = this.#texts;
    return decline === undefined ? error.payment_declined : `${decline.text[this.#language]} ${uncharged}`;
  }

  /** The browser goes on, if the page lets it. @param {string} address */
  #go(address) {
    const { protocol, href } = new URL(address);
    if (protocol !== "https:" && protocol !== "http:") return this.#fail(new CheckoutError(`cannot go on to ${protocol}`), false);
    if (this.#emit("till-redirect", { url: href })) location.assign(href);
  }

  /** @param {boolean} isBusy */
  #busy(isBusy) {
    this.#isBusy = isBusy;
    if (isBusy) {
      this.#calm = "";
      this.#warn("");
    }
    this.#draw();
  }

  /** @param {unknown} error @param {boolean} isEnd whether there is nothing to choose from @param {string} [text] @param {string} [code] */
  #fail(error, isEnd, text, code = error instanceof RefusedError ? error.code : error instanceof UnreachableError ? "unreachable" : "other") {
    this.#isBusy = false;
    this.#draw();
    /** @type {Record<string, string>} */
    const texts = this.#texts.error;
    if (isEnd) {
      this.#say("");
      this.#body.replaceChildren(again(this.#texts));
    }
    const kind = /^(invalid|too_many)_/.exec(code)?.[1] ?? code;
    this.#warn(text ?? texts[kind] ?? this.#texts.error.other);
    this.#emit("till-error", { code, error });
    if (code === "price_changed") void this.#reprice();
  }

  /** Shows the prices as they are now, under what was said of the old ones. */
  async #reprice() {
    const [checkout, signal] = [this.#checkout, this.#end?.signal];
    if (checkout === undefined || signal === undefined) return;
    try {
      await this.#show(await checkout.load({ signal }), signal, true);
    } catch (error) {
      if (!signal.aborted) this.#fail(error, true);
    }
  }

  /** @param {string} text */
  #say(text) {
    if (this.#status.textContent !== text) this.#status.textContent = text;
  }

  /** @param {string} text */
  #warn(text) {
    if (this.#notice.textContent !== text) this.#notice.textContent = text;
  }

  /** Whether no listener canceled the event. @param {string} name @param {object} detail */
  #emit(name, detail) {
    return this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true, cancelable: true }));
  }
}

if (!customElements.get("till-checkout")) customElements.define("till-checkout", TillCheckoutElement);
