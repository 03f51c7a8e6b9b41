/**
 * The gateways on which the suite runs.
 *
 * @typedef {object} Adapter what one gateway has of its own. `world` is a `World` of it, `payment` one of its payments
 * @property {string} name the word of its connector in the settings
 * @property {string} against what its stub was written from
 * @property {typeof import("../stub.mjs").Stub} Stub
 * @property {(origin: string) => object[]} gateways settings of the gateways `shop`, which purchases, and `held`, which authorizes
 * @property {(world, payment) => string} pay the payer pays on the page; returns where the browser goes
 * @property {(world, payment) => string} [leave] the payer leaves the page by its way back; returns where the browser goes
 * @property {boolean} reports whether Till waits for a report of the gateway after a payment on its page
 * @property {(world, payment) => Sent} callback the report of a charge, signed as the gateway signs
 * @property {(world, payment, operation: string, reference: string) => Sent} [finish] the report that a queued operation is done
 * @property {(world, payment, status: "needs_answer" | "lost") => Sent} [dispute] the payer's bank disputes a charge, or decides for the payer:
 *   the report of it, signed as the gateway signs
 * @property {boolean} [asksAboutDisputes] whether Till asks the gateway before it believes the report of a dispute
 * @property {(request) => boolean} charges whether a request of Till to the gateway charges at once
 * @property {Record<string, (outcome: string) => string>} wallets the payload of each wallet that it takes, by outcome: `approve`,
 *   `decline` or `challenge`
 * @property {(world) => Promise<object>} decline a payment that is declined for lack of money
 * @property {(world) => Promise<{payment: object, complete: () => string}>} challenge a payment for which the bank wants the payer
 * @property {boolean} [savesByPaying] whether a card is saved only with a payment, because none is confirmed without an amount
 * @property {[string, string]} [reason] the name and the value in `pg_params` that say so, unless they are the usual ones
 * @property {boolean} [capturesOnce] whether the first capture is the last
 * @property {boolean} closesPage whether the page can be closed
 * @property {object} [payer] what the gateway must know of the payer, as fields of a transaction
 * @property {boolean} [asksForPage] whether Till asks the gateway for the page of a charge that only the payer makes there
 * @property {boolean} [needsPerson] whether only a person finds out that a charge without a page never reached the gateway
 * @property {(world, entry: object) => Promise<boolean | undefined>} [moved] whether money moved at the gateway for an entry of the attention list, if
 *   only a person can find that out there
 * @property {(request) => boolean} [cannotRepeat] whether a request that arrives twice is done twice
 * @property {Record<string, string>} notes what the table of README.md adds to a case that is proven
 * @property {Record<string, string>} cannot why it cannot do a case; the case then proves that it is refused or not offered
 *
 * @typedef {{ path: string, body: BodyInit, headers: Record<string, string> }} Sent a request of the gateway to Till
 */
import { adyen } from "./adapters/adyen.mjs";
import { checkoutCom } from "./adapters/checkout-com.mjs";
import { knet } from "./adapters/knet.mjs";
import { mpgs } from "./adapters/mpgs.mjs";
import { sandbox } from "./adapters/sandbox.mjs";
import { stripe } from "./adapters/stripe.mjs";
import { tabby } from "./adapters/tabby.mjs";
import { tamara } from "./adapters/tamara.mjs";
import { tap } from "./adapters/tap.mjs";

/** @type {Adapter[]} */
export const ADAPTERS = [sandbox, knet, mpgs, adyen, stripe, checkoutCom, tabby, tamara, tap];
