/** Takes what the sheet of a wallet returns (wallet.js), and submits it. */
import { RefusedError } from "./errors.js";

/** @typedef {import("./types.js").WalletOutcome} WalletOutcome */
/** @typedef {{ error?: unknown, outcome?: WalletOutcome, isMissing?: boolean }} News what became of a sheet: nothing if it was closed */

/**
 * @param {import("./calls.js").Payer} payer
 * @param {import("./types.js").Service} service
 * @param {{ amount?: string, shown?: import("./calls.js").Shown }} choice what the payer chose to pay, if they may, and was shown
 * @param {(news: News) => void} report
 * @returns {import("./wallet.js").Taker}
 */
export function takerOf(payer, service, choice, report) {
  /** @type {News} */
  let news = {};
  /** @param {unknown} error */
  const fail = (error) => void (news = { error });
  return {
    validate: (address, done) => void payer.appleSession(service, address, choice).then(JSON.stringify, fail).then(done),
    pay: (token, done) =>
      void payer.payByToken(service, token, choice).then((outcome) => {
        news = { outcome };
        return outcome.approved;
      }, (error) => {
        fail(error);
        return error instanceof RefusedError ? false : undefined;
      }).then(done),
    close: () => report(news),
    refuse: () => report({ isMissing: true }),
  };
}
