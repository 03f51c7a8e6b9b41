/** A merchant with a simulated flexible method. */
import { demoSettings } from "./harness.mjs";

/** The settings of the demo merchant with the method `later`. */
export function flexibleSettings() {
  const settings = demoSettings();
  const knet = settings.gateways.find(({ code }) => code === "knet");
  const later = { ...knet, code: "later", name: { en: "Pay later", ar: "ادفع لاحقًا" }, pg_name: "later", fees: [], flexible: true, credentials: { api_key: "sandbox-later-api-key" } };
  return { ...settings, gateways: [...settings.gateways, later] };
}
