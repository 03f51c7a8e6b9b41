/**
 * Starts the page's module: fetches the WebAssembly under its hash and hands it what the page says, as a plain object.
 * Where that fails the page stays what it is without a script: a form.
 */
import init, { start } from "./pkg/checkout_web.js";
import { offerWallets } from "./wallet.js";

const page = document.getElementById("checkout");
const { wasm, wasmIntegrity } = document.querySelector("script[data-wasm]").dataset;

/** Moments are printed in UTC; the payer reads them in his own time. */
function localTimes() {
  const locale = page.dataset.language === "ar" ? "ar-u-ca-gregory-nu-latn" : "en-GB";
  const format = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeStyle: "short" });
  for (const time of document.querySelectorAll("time[data-local]")) {
    time.textContent = format.format(new Date(time.dateTime));
  }
}

/** Countries are printed as codes; the payer reads their names. */
function countryNames() {
  const names = new Intl.DisplayNames(page.dataset.language, { type: "region" });
  for (const country of document.querySelectorAll("[data-country]")) {
    country.textContent = names.of(country.dataset.country);
  }
}

/** What `start` reads; its types are those of `Options` in checkout-web/src/options.rs. */
function options() {
  const { language, sessionId, paymentType, status, statusUrl, expiresAt, awaitsReceiver } = page.dataset;
  const amount = document.getElementById("amount");
  const radios = [...page.querySelectorAll("input[name=pg_code]")];
  return {
    language,
    session_id: sessionId,
    payment_type: paymentType,
    status,
    status_url: statusUrl,
    pay_url: document.getElementById("pay-form")?.getAttribute("action") ?? undefined,
    awaits_receiver: awaitsReceiver !== undefined,
    remaining: expiresAt === undefined ? undefined : Math.round(Number(expiresAt) - Date.now()),
    saves_card: page.querySelector("input[name=save_card]")?.checked === true,
    chosen: radios.find((radio) => radio.checked)?.value,
    amount: amount === null ? undefined
      : { typed: amount.value, currency: amount.dataset.currency, most: amount.dataset.most },
    methods: radios.map(({ value, dataset: { total, fee, feeLabel, rate, converted, terms, verb } }) => ({
      code: value, total, fee, fee_label: feeLabel, rate, converted, terms, verb,
    })),
  };
}

/** What the payer typed outlives a reload and a change of the language, in this tab. The server's own word goes first. */
function keepAmount() {
  const amount = document.getElementById("amount");
  if (amount === null) return;
  const key = `amount ${page.dataset.sessionId}`;
  const kept = sessionStorage.getItem(key);
  if (kept !== null && !amount.hasAttribute("aria-invalid")) amount.value = kept;
  amount.addEventListener("input", () => sessionStorage.setItem(key, amount.value));
}

try {
  localTimes();
  countryNames();
  keepAmount();
  await init({ module_or_path: await fetch(wasm, { integrity: wasmIntegrity }) });
  start(options());
  await offerWallets(page);
} catch (error) {
  document.documentElement.classList.add("bare");
  if (page.dataset.status === "pending") setTimeout(() => location.reload(), 5000);
  reportError(error);
}
