/**
 * Starts the page's module: fetches the WebAssembly under its hash and hands it what the page says, as a plain object.
 * Where that fails the page stays what it is without a script: a form.
 */
import init, { start } from "./pkg/checkout_web.js";

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

/** What `start` reads; its types are those of `Options` in checkout-web/src/options.rs. */
function options() {
  const { language, sessionId, status, statusUrl, expiresAt, awaitsReceiver } = page.dataset;
  const radios = [...page.querySelectorAll("input[name=pg_code]")];
  return {
    language,
    session_id: sessionId,
    status,
    status_url: statusUrl,
    pay_url: document.getElementById("pay-form")?.getAttribute("action") ?? undefined,
    awaits_receiver: awaitsReceiver !== undefined,
    remaining: expiresAt === undefined ? undefined : Math.round(Number(expiresAt) - Date.now()),
    chosen: radios.find((radio) => radio.checked)?.value,
    methods: radios.map(({ value, dataset: { total, fee, feeLabel, verb } }) => ({
      code: value, total, fee, fee_label: feeLabel, verb,
    })),
  };
}

try {
  localTimes();
  await init({ module_or_path: await fetch(wasm, { integrity: wasmIntegrity }) });
  start(options());
} catch (error) {
  document.documentElement.classList.add("bare");
  if (page.dataset.status === "pending") setTimeout(() => location.reload(), 5000);
  reportError(error);
}
