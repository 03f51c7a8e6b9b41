/**
 * The test tokens of device wallets that the sandbox bank takes (docs/sandbox.md), and payments with them.
 */
import { createHash } from "node:crypto";

const SEAL = "SEAL";

/** The text with the seal over all its other bytes. */
const sealed = (text) => text.replace(SEAL, createHash("sha256").update(text.replace(SEAL, "")).digest("hex"));

/** As it is. */
const same = (text) => text;

/** The text of an Apple Pay token for a listed card; `change` writes it differently before it is sealed. */
export const appleToken = (card, data = {}, change = same) =>
  sealed(
    change(JSON.stringify({
      paymentData: { version: "EC_v1", data: card, signature: "MIAGCSqGSIb3", header: { publicKeyHash: "q/w=", transactionId: "9a1b" }, ...data },
      paymentMethod: { displayName: "Visa 1111", network: "Visa", type: "debit" },
      transactionIdentifier: SEAL,
    })),
  );

/** The text of what Google Pay returns for a listed card. */
export const googleToken = (card, change = same) =>
  sealed(
    change(JSON.stringify({
      apiVersion: 2,
      apiVersionMinor: 0,
      paymentMethodData: {
        type: "CARD",
        description: "Visa •••• 1111",
        info: { cardNetwork: "VISA", cardDetails: "1111" },
        tokenizationData: { type: "PAYMENT_GATEWAY", token: JSON.stringify({ signature: SEAL, protocolVersion: "ECv2", signedMessage: card }) },
      },
    })),
  );

export const TOKENS = { "apple-pay": appleToken, "google-pay": googleToken };

/** Sends a body, text or bytes, to the native path of a wallet. */
export const sendWallet = (till, wallet, body, headers = {}) =>
  till.call(`/b/pbl/v2/payment/${wallet}/`, {
    method: "POST",
    headers: { ...till.privateKey(), "content-type": "application/json", ...headers },
    body,
  });

/** Pays by wallet, with the token of a card or any text of a payload. */
export const payByWallet = (till, { session_id }, { wallet = "apple-pay", card = "visa-approve", payload = TOKENS[wallet](card), more = "", headers } = {}) =>
  sendWallet(till, wallet, `{"session_id":"${session_id}"${more},"payload":${payload}}`, headers);
