/**
 * The element `<till-checkout session-id="…" origin="https://pay.example.com" language="en">`: a checkout on the merchant's own page,
 * without a frame. It needs no inline script or style, and no policy of trusted types.
 *
 * Without `origin` it calls the origin from which its script was loaded. `language` is `en` or `ar`; without it, that of the
 * transaction. With `module` it shows what an amount costs that the payer types: it fetches the package's WebAssembly. Events, which
 * bubble:
 *
 * - `till-state`: the state changed; `detail` is `{ state, session, isFinal }`.
 * - `till-redirect`: the browser goes on to `detail.url`, unless the event is canceled.
 * - `till-error`: something failed; `detail` is `{ code, error }`.
 */
import { sheets } from "./wallet.js";
import { Payer } from "./calls.js";
import { CheckoutError, RefusedError, UnreachableError } from "./errors.js";
import { SUCCESS } from "./facts.js";
import { Flexible } from "./flexible.js";
import { isFinal } from "./follow.js";
import { flowsOf, isNews, isRepriced, pricedAs, shownOf, walletOf, waysOf } from "./offer.js";
import { styleSheet } from "./style.js";
import { takerOf } from "./taker.js";
import { amountOf, wordsOf, wordsOfCode, wordsOfTry } from "./texts.js";
import { again, form, node, onward, receipt, redraw, terms, write } from "./view.js";

/** @typedef {import("./types.js").Session} Session */
/** @typedef {import("./texts.js").Words} Words */

const SHEET = styleSheet();

export class TillCheckoutElement extends HTMLElement {
  static observedAttributes = ["session-id", "origin", "language"];

  #root = this.attachShadow({ mode: "open" });
  #panel = node("section", { class: "panel", part: "panel", tabindex: "-1" });
  #notice = node("div", { part: "notice", id: "notice" });
  #status = node("div", { part: "status", role: "status" });
  #body = node("div", {});
  /** Aborted once it begins again, or is removed. */
  #end = new AbortController();
  /** @type {import("./calls.js").Payer | undefined} */
  #checkout;
  /** @type {Session | undefined} */
  #session;
  /** The transaction as the amount that the payer typed prices it. @type {Session | undefined} */
  #priced;
  /** The wallets that the browser has. @type {string[]} */
  #flows = [];
  /** @type {Words | undefined} */
  #words;
  /** @type {string | undefined} */
  #chosen;
  /** @type {string | undefined} */
  #amount;
  /** The way to pay that the notice offers. @type {Session["next_way"]} */
  #offered;
  #savesCard = false;
  #flexible = new Flexible();
  #isBusy = false;

  constructor() {
    super();
    this.#root.adoptedStyleSheets = [SHEET];
    this.#panel.append(this.#status, this.#notice, this.#body);
    this.#root.append(this.#panel);
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
    this.#end.abort();
  }

  /** @param {string} name @param {string | null} before @param {string | null} after */
  attributeChangedCallback(name, before, after) {
    if (!this.isConnected || before === after) return;
    const session = this.#session;
    if (name !== "language" || !session) return this.#start(); // Otherwise what the payer chose and typed stays.
    this.#session = undefined;
    this.#flexible.clear();
    this.#warn("");
    void this.#show(session, this.#end.signal).catch((error) => this.#fail(error, true));
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
    return /** @type {Words} */ (this.#words).texts;
  }

  /** The transaction with prices of what is shown in the field. */
  get #shown() {
    return this.#amount === this.#priced?.amount ? (this.#priced ?? this.#session) : this.#session;
  }

  get #wallets() {
    return (this.#shown?.payment_services ?? []).filter(({ flow }) => this.#flows.includes(flow)).map((service) => walletOf(service, this.sessionId));
  }

  /** Begins again: for another transaction, or after an error. */
  #start() {
    this.#end.abort();
    this.#end = new AbortController();
    this.#session = undefined;
    this.#chosen = undefined;
    this.#amount = undefined;
    this.#savesCard = false;
    this.#flexible = new Flexible();
    this.#isBusy = false;
    this.#say("");
    this.#warn("");
    if (this.#root.activeElement) this.#panel.focus();
    this.#body.replaceChildren();
    void this.#follow(this.#end.signal);
  }

  /** Fetches the words of its language. @param {AbortSignal} signal */
  async #speak(signal) {
    const language = this.#language;
    if (this.#words?.language === language) return;
    const words = await wordsOf(language);
    if (signal.aborted) return;
    this.#words = words;
    Object.assign(this.#panel, { lang: language, dir: language === "ar" ? "rtl" : "ltr" });
    this.#panel.setAttribute("aria-label", words.texts.choose);
  }

  /** @param {AbortSignal} signal */
  async #follow(signal) {
    try {
      const origin = this.getAttribute("origin") ?? new URL(import.meta.url).origin;
      this.#checkout = new Payer({ origin, sessionId: this.sessionId });
      await this.#speak(signal);
      if (!signal.aborted) this.#say(this.#texts.loading);
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
    const flows = await flowsOf(session, this.sessionId);
    if (signal.aborted) return;
    this.#flows = flows;
    this.#session = session;
    this.#priced = undefined;
    await this.#speak(signal);
    if (signal.aborted) return;
    // What the payer typed stays, in its currency.
    if (isOther && (this.#amount === before?.amount || session.currency_code !== before?.currency_code)) this.#amount = undefined;
    this.#amount ??= session.is_amount_editable ? session.amount : undefined;
    const said = isNews(before, session) && wordsOfTry(session.response, /** @type {Words} */ (this.#words));
    if (said) this.#warn(said.text, said.isCalm, said.isDecline ? session.next_way : undefined);
    if (!session.next_way) this.#root.getElementById("offer")?.remove();
    if (isOther) {
      this.#flexible.clear();
      this.#warn(this.#texts.price_changed, true);
    }
    this.#flexible.ask(session.flex_methods, this.#checkout, /** @type {Words} */ (this.#words), signal, (code, { isGone }) => {
      if (isGone && this.#chosen === code) this.#chosen = undefined;
      this.#draw();
    });
    this.#draw();
    void this.#price();
    this.#emit("till-state", { state: session.state, session, isFinal: isFinal(session.state) });
  }

  #draw() {
    const session = this.#shown;
    const whole = this.#session;
    const words = this.#words;
    if (!session || !whole || !words) return;
    const { texts } = words;
    const ways = waysOf(session, texts).map((way) => ({ ...way, offer: this.#flexible.of(way.id) }));
    // Nothing is offered of what cannot be paid.
    const isOver = waysOf(whole, texts).length + this.#flows.length === 0;
    const isGood = SUCCESS.includes(session.state);
    this.#say(isOver ? (/** @type {Record<string, string>} */ (texts)[session.is_paused ? "paused" : session.state] ?? texts.waiting) : "", isGood ? "good" : "");
    if (isOver) {
      this.#warn("");
      return this.#body.replaceChildren(...(isGood ? [receipt(texts)] : []));
    }
    if (ways.length === 1) this.#chosen = ways[0]?.offer?.isGone ? undefined : ways[0]?.id;
    redraw(
      this.#root, this.#body,
      ...(session.is_sandbox ? [node("p", { class: "test", part: "test" }, node("span", { class: "chip" }, texts.test))] : []),
      // Terms are shown and stored by the hosted page.
      session.payment_type === "one_off"
        ? form({
          session, whole, words, origin: this.#checkout?.origin ?? "", ways, chosen: ways.find(({ id }) => id === this.#chosen),
          amount: this.#amount, savesCard: this.#savesCard, isBusy: this.#isBusy, wallets: this.#wallets, flexible: this.#flexible,
        })
        : terms(texts),
    );
  }

  /** @param {EventTarget | null} target */
  #typed(target) {
    if (!(target instanceof HTMLInputElement)) return;
    const { checked, name, value } = target;
    if (name.startsWith("customer_")) this.#flexible.given[name] = value;
    if (name === "save_card") this.#savesCard = checked;
    if (name === "way") this.#chosen = value;
    if (name === "amount") this.#amount = value;
    if (name !== "way" && name !== "amount") return;
    this.#draw();
    void this.#price();
  }

  /** Shows what the amount costs that the payer typed, as the module computes it. What is wrong with it is said when it is paid. */
  async #price() {
    const session = this.#session;
    const amount = this.#amount;
    if (!session || amount === undefined || amount === session.amount || !this.hasAttribute("module")) return;
    try {
      const as = await pricedAs(session, amount);
      if (this.#session !== session) return;
      this.#priced = as;
      if (this.#amount === amount) this.#draw();
    } catch {
      // It may be no amount yet.
    }
  }

  /** @param {EventTarget | null} target */
  #pressed(target) {
    const button = target instanceof Element ? target.closest("button") : null;
    if (button?.matches(".again")) this.#start();
    if (button?.matches(".next") && this.#offered) void this.#pay(this.#offered);
    if (button?.matches(".hosted") && this.#session) this.#go(this.#session.checkout_url);
    const wallet = this.#wallets.find(({ flow }) => flow === button?.id);
    if (!wallet || !this.#checkout || this.#isBusy) return;
    this.#busy(true);
    const isOver = this.#leaving();
    // The sheet of a wallet opens only while the press is being handled.
    try {
      const { currency, total } = wallet.offer;
      const choice = this.#amount === undefined ? {} : { amount: amountOf(this.#amount), shown: { currency, total } };
      sheets[wallet.flow].open(wallet.facts, wallet.offer, takerOf(this.#checkout, wallet.service, choice, (news) => isOver() || this.#heard(news)));
    } catch (error) {
      this.#fail(error, false);
    }
  }

  /** What became of a sheet. @param {import("./taker.js").News} news */
  #heard({ error, outcome, isMissing }) {
    this.#busy(false);
    if (isMissing) {
      this.#flows = this.#flows.filter((flow) => flow !== "google_pay");
      this.#draw();
      return this.#warn(this.#texts.wallet_unavailable, true);
    }
    // A refusal that is about the amount means that the price is another one.
    if (error !== undefined) return this.#fail(error, false, undefined, error instanceof RefusedError && error.problem.errors?.["amount"] ? "price_changed" : "");
    if (outcome?.redirect_url) return this.#go(outcome.redirect_url);
    return outcome && this.#refused(outcome.callback_payload, this.#end.signal);
  }

  /** Whether the page has no more to do with the payment that is begun now: another one is shown, or the element is gone. */
  #leaving(id = this.sessionId) {
    return () => !this.isConnected || this.sessionId !== id;
  }

  /** Pays as the payer chose, or the way that is offered after a decline. @param {Session["next_way"]} [next] */
  async #pay(next) {
    const checkout = this.#checkout;
    const session = this.#shown;
    const chosen = next?.code ?? this.#chosen;
    if (!checkout || !session || this.#isBusy) return;
    if (!chosen) return this.#warn(this.#texts.not_chosen, true);
    const typed = next ? next.chosen_amount : this.#amount;
    this.#busy(true);
    const isOver = this.#leaving();
    // The offer is gone now.
    if (next) this.#root.getElementById("pay")?.focus();
    try {
      const way = waysOf(session, this.#texts).find(({ id }) => id === chosen);
      const choice = { amount: typed === undefined ? typed : amountOf(typed), ...shownOf(session, (next ?? way)?.billing, next ? undefined : typed) };
      const outcome = /** @type {import("./types.js").Outcome} */ (await (next || !way?.expiry
        ? checkout.submit(chosen, { ...choice, payer: this.#flexible.payer(chosen), ...(next ? { isNext: true } : this.#savesCard && way?.can_save_card && { saveCard: true }) })
        : checkout.payWithCard(chosen, choice)));
      if (isOver()) return;
      if (outcome.redirect_url) this.#go(outcome.redirect_url);
      else await this.#refused(outcome, this.#end.signal);
    } catch (error) {
      if (isOver()) return;
      if (error instanceof RefusedError && error.code === "payment_declined") await this.#refused(/** @type {any} */ (error.problem), this.#end.signal);
      else this.#fail(error, false);
    } finally {
      if (!isOver()) this.#busy(false);
    }
  }

  /** What an outcome says that leads nowhere. @param {import("./types.js").Outcome} outcome @param {AbortSignal} signal */
  async #refused(outcome, signal) {
    const { code, isDecline, text } = wordsOfTry(outcome, /** @type {Words} */ (this.#words));
    const error = new RefusedError({ code, detail: outcome.message }, 400, undefined);
    if (outcome.status === "3DS") return this.#fail(error, false);
    // What is offered instead is said together with the decline.
    const session = await this.#checkout?.load({ signal }).catch(() => undefined);
    if (signal.aborted) return;
    this.#fail(error, false, text, "", isDecline ? session?.next_way : undefined);
    if (session) await this.#show(session, signal);
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
    if (isBusy) {
      this.#flexible.faults = [];
      this.#warn("");
    }
    this.#draw();
  }

  /** @param {unknown} error @param {boolean} isEnd whether there is nothing to choose from @param {string} [text] @param {string} [given] @param {Session["next_way"]} [next] */
  #fail(error, isEnd, text, given, next) {
    const isRefused = error instanceof RefusedError;
    const code = given || (isRefused ? error.code : error instanceof UnreachableError ? "unreachable" : "other");
    this.#isBusy = false;
    // Without words there is nothing to show, but the page can be notified.
    if (!this.#words) return void this.#emit("till-error", { code, error });
    const fault = isRefused && this.#flexible.refuse(error.problem.errors);
    this.#draw();
    // It is said at its field.
    if (fault) text = "";
    if (isEnd) {
      this.#say("");
      this.#body.replaceChildren(again(this.#texts));
    }
    if (isRefused && !given && error.problem.errors?.["amount"]) text = this.#texts.invalid.replace("{example}", this.#session?.amount ?? "");
    if (fault) this.#root.getElementById(fault)?.focus();
    this.#warn(text ?? wordsOfCode(code, this.#texts), code === "price_changed", next);
    this.#emit("till-error", { code, error });
    if (code === "price_changed") void this.#reprice();
  }

  /** Shows the prices as they are now, under what was said of the old ones. */
  async #reprice() {
    const { signal } = this.#end;
    try {
      const session = await this.#checkout?.load({ signal });
      if (session) await this.#show(session, signal, true);
    } catch (error) {
      if (!signal.aborted) this.#fail(error, true);
    }
  }

  /** @param {string} text @param {string} [tone] */
  #say(text, tone = "") {
    write(this.#status, text, `outcome ${tone}`);
  }

  /** @param {string} text @param {boolean} [isCalm] whether nothing failed @param {Session["next_way"]} [next] what is offered instead */
  #warn(text, isCalm, next) {
    this.#offered = next;
    this.#notice.setAttribute("role", isCalm ? "status" : "alert");
    write(this.#notice, text, isCalm ? "notice calm" : "notice", next && onward(/** @type {Words} */ (this.#words), next));
  }

  /** Whether no listener canceled the event. @param {string} name @param {object} detail */
  #emit(name, detail) {
    return this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true, cancelable: true }));
  }
}

if (!customElements.get("till-checkout")) customElements.define("till-checkout", TillCheckoutElement);
