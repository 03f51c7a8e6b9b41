/** What Till answers to a page, from the description of the API (schema.d.ts). Amounts are texts; other members and words may follow. */
import type { components } from "./schema.js";

type Schemas = components["schemas"];
type Sdk = Schemas["CheckoutSdk"];
/** A word that this version knows, or a later one. */
type Word<Known> = Known | (string & {});

export type Billing = Schemas["Billing"];
/** One sum, for machines (`value`) and for readers (`display`). */
export type Sum = Billing["amount"];
/** A method on the page of a gateway. */
export type Method = Schemas["PaymentMethod"];
/** A wallet of the payer's device. */
export type Service = Sdk["payment_services"][number];
/** A saved card of the payer. */
export type SavedCard = Omit<Sdk["cards"][number], "customer_id">;
export type State = Word<Sdk["state"]>;

/**
 * The outcome of an attempt. With `3DS` the payer goes on to `redirect_url`: the bank asks, or, with `result` `pending`, nobody
 * knows yet whether it was charged. Never treat it as failed. `canceled_by` says whether the bank declined it, or the payer left.
 */
export type Outcome = Schemas["CallbackPayload"];

/** What is in place of an outcome while there is none: an object without members. */
export interface NoOutcome {
  status?: undefined;
  reference_number?: undefined;
  canceled_by?: undefined;
  result?: undefined;
  decline?: undefined;
}

/** A payment transaction as its payer's page sees it. */
export type Session = Omit<Sdk, "cards" | "state" | "response"> & { cards: SavedCard[]; state: State; response: Outcome | NoOutcome };

/** A refusal as Till writes it (RFC 9457). */
export type Problem = Partial<Omit<Schemas["Problem"], "code">> & { code: Word<Schemas["Problem"]["code"]>; detail: string };

/** The answer to a payment by wallet: `approved` is absent while the outcome is unknown. */
export type WalletOutcome = Schemas["WalletAnswer"];

/** Whether a flexible method takes a payment, and what it must know of the payer. */
export interface OptionAnswer {
  is_available: boolean;
  payment_labels?: { description_en: string; description_ar: string }[];
  required?: ("phone" | "email" | "name")[];
}

/** What a method or a wallet costs, as the module computes it. */
export interface Quote {
  code: string;
  /** The wallet, for one: its total is in the form of its sheet. */
  flow?: "apple_pay" | "google_pay";
  currency_code: string;
  total: string;
  fee: string;
  /** The total as the hosted page shows it, in the language of the transaction. */
  display: string;
  /** Of a wallet, for an amount that the payer typed: the amount and the fee in the form of its sheet, if it shows them. */
  parts?: [string, string];
}
