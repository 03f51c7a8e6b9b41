/**
 * Starts the page's module: fetches the WebAssembly with its hash and gives it the data of the page, as a
 * plain object, and the browser's sheets of wallets. If that fails the page works as it does without a script: as a form.
 */
import init, { start } from "./pkg/checkout_web.js";
import { sheets } from "./wallet.js";

const page = document.getElementById("checkout");
const { wasm, wasmIntegrity } = document.querySelector("script[data-wasm]").dataset;

/** Does what only makes the page nicer: if a browser cannot, the page works without it. */
function nicely(work) {
  try {
    work();
  } catch (error) {
    console.info(error);
  }
}

/** Reports that someone sees the page, for browsers that do not say what they load. */
function countView() {
  if (page.dataset.viewUrl === undefined) return;
  if (document.prerendering) document.addEventListener("prerenderingchange", countView, { once: true });
  else fetch(page.dataset.viewUrl).catch(() => {});
}

/**
 * Asks whether the methods are offered whose gateways say that before. Where the place of an answer is, it says how it is paid; what goes
 * cannot be chosen any more.
 */
function checkOffers() {
  for (const line of page.querySelectorAll("[data-offer]")) {
    line.textContent = line.dataset.checking;
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ pg_code: line.dataset.offer }) };
    fetch(page.dataset.checkUrl, { ...init, signal: AbortSignal.timeout(5000) })
      .then((answer) => answer.json())
      .catch(() => ({}))
      .then(({ is_available, payment_labels = [] }) => {
        line.textContent = is_available ? payment_labels[0]?.[`description_${page.dataset.language}`] : line.dataset.gone;
        const row = line.closest(".method");
        const way = row.querySelector("[type=radio]");
        if (is_available || way === null) return;
        row.classList.add("over");
        isGone ||= way.checked;
        way.checked = false;
        way.disabled = true;
      });
  }
}

/**
 * The module pays with what was chosen when it read the form. A method that must know more of the payer is sent by the form, as
 * without a script, and so is a form whose method has gone.
 */
let isGone = false;
function sendAsForm() {
  document.getElementById("pay-form")?.addEventListener("submit", (event) => {
    const way = page.querySelector("input[name=pg_code]:is(:checked,[type=hidden])");
    if (way === null ? isGone : way.dataset.lacks) event.stopImmediatePropagation();
  });
}

/** The other way to pay after a decline has a form of its own, of which a second press in a row sends nothing. */
function pressOnce() {
  let last = -Infinity;
  document.getElementById("next-form")?.addEventListener("submit", (event) => {
    if (event.timeStamp - last < 5000) event.preventDefault();
    else last = event.timeStamp;
  });
}

/** Moments are printed in UTC; the payer reads them in their own time. */
function localTimes() {
  const times = document.querySelectorAll("time[data-local]");
  if (times.length === 0) return;
  const locale = page.dataset.language === "ar" ? "ar-u-ca-gregory-nu-latn" : "en-GB";
  const format = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeStyle: "short" });
  for (const time of times) {
    time.textContent = format.format(new Date(time.dateTime));
  }
}

/** Countries are printed as codes; the payer reads their names. */
function countryNames() {
  const countries = document.querySelectorAll("[data-country]");
  if (countries.length === 0) return;
  const names = new Intl.DisplayNames(page.dataset.language, { type: "region" });
  for (const country of countries) {
    country.textContent = names.of(country.dataset.country);
  }
}

/** What `start` reads: the members of `PageData` in checkout-web/src/page/data.rs. */
function data() {
  const { language, sessionId, paymentType, status, statusUrl, expiresAt, awaitsReceiver, movedAt, price } = page.dataset;
  const amount = document.getElementById("amount");
  const ways = [...page.querySelectorAll("input[name=pg_code]")];
  const isListed = ({ code }) => ways.some(({ value }) => value === code);
  const wallets = [...page.querySelectorAll("[data-wallet]")].map(({ dataset }) => dataset);
  const methods = ways.filter(({ disabled }) => !disabled).map(({ value, dataset }) => ({ ...dataset, code: value }));
  return {
    language, sessionId, paymentType, status, statusUrl, movedAt, price, wallets,
    keep: storeChoice,
    payUrl: document.getElementById("pay-form")?.getAttribute("action"),
    asks: asks(awaitsReceiver),
    // As much as fits into a number of the module.
    remaining: expiresAt === undefined ? undefined : Math.max(-1, Math.min(Math.round(Number(expiresAt) - Date.now()), 2 ** 31 - 1)),
    consent: page.querySelector("input[name=consent]")?.value,
    savesCard: page.querySelector("input[name=save_card]")?.checked,
    chosen: ways.find((way) => way.checked || way.type === "hidden")?.value,
    typed: amount?.value,
    currency: amount?.dataset.currency,
    most: amount?.dataset.most,
    prices: [...page.querySelectorAll("input[name=shown]")].map(({ value }) => value),
    methods: [...methods, ...wallets.filter((wallet) => !isListed(wallet))],
  };
}

/**
 * How often the page of an ended transaction asks whether to redirect the payer. A payer who went back to it
 * from the shop wants to see it.
 */
function asks(written = "0") {
  const isBack = performance.getEntriesByType("navigation")[0]?.type === "back_forward";
  return written === "1" && isBack ? 0 : Number(written);
}

/** The address of the page in the other language. */
const otherAddress = () => new URL(document.querySelector("button.language").dataset.address, location.href);

/** A page that answers a form is loaded again by its own address: otherwise the form would be sent again. */
function ownAddress() {
  const here = new URL(location.href);
  if (here.searchParams.has("repriced")) {
    here.searchParams.delete("repriced");
    history.replaceState(null, "", here);
  }
  if (location.pathname !== document.getElementById("pay-form")?.getAttribute("action")) return;
  const address = otherAddress();
  address.searchParams.set("language", page.dataset.language);
  history.replaceState(null, "", address);
}

/**
 * What the payer typed is kept after a reload and a change of the language, in this tab. A value from the
 * server is used first.
 */
function keepAmount() {
  const amount = document.getElementById("amount");
  if (amount === null) return;
  // The same digits are something else in another currency.
  const key = `amount ${page.dataset.sessionId} ${amount.dataset.currency}`;
  const stored = sessionStorage.getItem(key);
  if (stored !== null && !amount.hasAttribute("aria-invalid")) amount.value = stored;
  amount.addEventListener("input", () => nicely(() => sessionStorage.setItem(key, amount.value)));
}

const choiceKey = `choice ${page.dataset.sessionId}`;

/** Keeps what the payer chose for the page that is loaded next. */
function storeChoice() {
  const way = page.querySelector("input[name=pg_code]:checked")?.value;
  const tick = page.querySelector("input[name=save_card]")?.checked === true;
  sessionStorage.setItem(choiceKey, JSON.stringify({ way, tick }));
  return way;
}

/**
 * The page in the other language, or with another price, has the same method and the same tick. Its address names the method, but no address
 * contains a saved card. A browser that keeps nothing sends the form, as it does without this script, and the server keeps
 * them.
 */
function keepChoice() {
  const button = document.querySelector("button.language");
  const tick = page.querySelector("input[name=save_card]");
  button?.addEventListener("click", (event) => {
    let way;
    try {
      way = storeChoice();
    } catch {
      return;
    }
    event.preventDefault();
    const address = otherAddress();
    address.searchParams.delete("pg_code");
    if (way !== undefined && !/^card_(?:[0-9a-f]{2})?[0-9a-f]{32}$/.test(way)) address.searchParams.set("pg_code", way);
    location.assign(address);
  });
  // The module pays when the form is sent.
  button?.form.addEventListener("submit", (event) => {
    if (event.submitter === button) event.stopImmediatePropagation();
  });
  const stored = JSON.parse(sessionStorage.getItem(choiceKey));
  sessionStorage.removeItem(choiceKey);
  if (stored === null) return;
  const way = [...page.querySelectorAll("input[name=pg_code]:enabled")].find(({ value }) => value === stored.way);
  if (way !== undefined) way.checked = true;
  if (tick !== null) tick.checked = stored.tick;
}

/**
 * A page that waits is loaded again by its own markup in case this script never arrives. The module asks without taking
 * a reader back to the start. Browsers call a refresh off only with everything else that they load, and plan it once all
 * of that is there.
 */
function callOffRefresh() {
  if (document.readyState === "complete") setTimeout(() => stop());
  else addEventListener("load", callOffRefresh, { once: true });
}

/** The buttons of a receipt: each is shown where the browser can do what it says. */
function offerReceipt() {
  const actions = document.getElementById("receipt-actions");
  if (actions === null) return;
  const done = document.getElementById("receipt-done");
  const link = { title: document.title, url: location.href.split("&")[0] };
  const does = {
    print: () => print(),
    share: navigator.share && (() => navigator.share(link)),
    copy: navigator.clipboard && (async (button) => {
      await navigator.clipboard.writeText(link.url);
      done.textContent = button.textContent = button.dataset.done;
    }),
  };
  for (const button of actions.children) {
    const work = does[button.dataset.does];
    button.hidden = !work;
    // A payer who closes the sheet has changed their mind.
    if (work) button.addEventListener("click", () => Promise.resolve(work(button)).catch(() => {}));
  }
  actions.hidden = false;
}

// What the markup plans for a script that does not arrive stays planned, though nothing needs to read it any more.
document.querySelector("meta[http-equiv=refresh]")?.remove();

// A module that never arrives must not leave the payer waiting for the outcome.
const waits = ["pending", "late", "held", "paused"].includes(page.dataset.status);
const stalled = waits ? setTimeout(() => location.reload(), 20_000) : undefined;
try {
  countView();
  const ready = init({ module_or_path: fetch(wasm, { integrity: wasmIntegrity }) });
  for (const work of [ownAddress, keepAmount, keepChoice, sendAsForm, pressOnce, offerReceipt]) nicely(work);
  await ready;
  start(data(), sheets);
  clearTimeout(stalled);
  document.documentElement.classList.add("live");
  if (waits) nicely(callOffRefresh);
  nicely(() => performance.mark("live"));
  // The module says in the language of the page what is missing.
  document.getElementById("pay-form")?.setAttribute("novalidate", "");
} catch (error) {
  document.documentElement.classList.add("bare");
  if (waits) setTimeout(() => location.reload(), 5000);
  reportError(error);
}
// Nothing that the payer sees or presses waits for it.
requestAnimationFrame(() => setTimeout(() => nicely(checkOffers)));
// The browser's tables of dates and names take a slow phone a tenth of a second to open: the payer can pay before.
for (const work of [localTimes, countryNames]) (window.requestIdleCallback ?? setTimeout)(() => nicely(work));
