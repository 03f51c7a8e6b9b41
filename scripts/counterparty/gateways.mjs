/**
 * `make dev GATEWAY=…`: the settings of the demo merchant with that gateway first, and its counterparty, which runs as long
 * as the script does.
 */
import { randomBytes } from "node:crypto";
import { Stop } from "../project.mjs";
import { AdyenPage } from "./adyen-page.mjs";
import { missing, startLocalstripe, startPrism } from "./programs.mjs";
import { StripePage } from "./stripe-page.mjs";

const NO_COUNTERPARTY = {
  knet: "nobody else has written a server for KNET",
  mpgs: "nobody else has written a server for Mastercard Gateway",
  sandbox: "the simulated bank is a part of Till",
};

/** Refuses a name without a counterparty, before anything is built. */
export function checkGateway(name) {
  if (name === undefined || name in START) return;
  const why = NO_COUNTERPARTY[name] ?? `there is no gateway ${name}`;
  throw new Stop(
    `${why}: GATEWAY can be ${Object.keys(START).join(" or ")}. Without GATEWAY, make dev has the sandbox, a simulated bank that behaves like every gateway (docs/sandbox.md)`,
  );
}

/** A random word for secrets that live as long as the script. */
const secret = () => randomBytes(16).toString("hex");

/** How each counterparty is started. */
const START = {
  async stripe() {
    const program = await startLocalstripe();
    const front = await new StripePage(program.origin).listen();
    const credentials = { secret_key: `sk_test_${secret()}`, webhook_secret: `whsec_${secret()}` };
    return {
      program, front, what: "localstripe",
      gateway: {
        connector: "stripe", pg_name: "stripe", name: { en: "Card at localstripe", ar: "بطاقة لدى localstripe" }, tokenization: true, auto_debit: true,
        operations: ["refund"], credentials, endpoint: front.origin,
      },
      report: (url) => front.sendEvents(url, credentials.webhook_secret),
    };
  },
  async adyen() {
    const program = await startPrism();
    const front = await new AdyenPage(program.origin).listen();
    const credentials = { api_key: secret(), merchant_account: "TillDevECOM", hmac_key: randomBytes(32).toString("hex").toUpperCase() };
    return {
      program, front, what: "Prism over Adyen's description",
      gateway: {
        connector: "adyen", pg_name: "adyen", name: { en: "Card at Prism", ar: "بطاقة لدى Prism" }, tokenization: true, auto_debit: true,
        credentials, endpoint: front.origin,
      },
      report: (url) => front.sendEvents(url, credentials.hmac_key, credentials.merchant_account),
    };
  },
};

/**
 * Starts the counterparty of a gateway.
 *
 * @returns {Promise<{ what: string, settings: (document: object) => object, report: (url: string) => unknown, ended:
 *   Promise<void>, stop: () => Promise<void> }>} `settings` puts the gateway first, `report` says where events go
 */
export async function startCounterparty(name) {
  const reason = missing[name]();
  if (reason) throw new Stop(reason);
  const { program, front, what, gateway, report } = await START[name]();
  const first = { code: name, operation: "purchase", currencies: ["KWD"], default_currency: "KWD", sandbox: true, multiple_attempts: true, tags: ["e_commerce", "demo"], ...gateway };
  return {
    what, report, ended: program.ended,
    settings: (document) => ({ ...document, gateways: [first, ...document.gateways] }),
    async stop() {
      await front.close();
      await program.stop();
    },
  };
}
