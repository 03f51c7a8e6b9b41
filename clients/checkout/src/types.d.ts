/** What Till answers to a page, as far as this package reads it. Amounts are texts; other members may follow. */

/** One sum, for machines (`value`) and for readers (`display`). */
export interface Sum {
  currency_code: string;
  display: string;
  label: string;
  value: string;
}

/** What a method costs. */
export interface Billing {
  amount: Sum;
  fee: Sum;
  sub_total: Sum;
}

/** A method on the page of a gateway. */
export interface Method {
  code: string;
  name: string;
  icon: string;
  /** A picture of the mark of its network, if that is known and the merchant set no picture. */
  mark?: string;
  amount: string;
  currency_code: string;
  billing?: Billing;
  can_save_card?: boolean;
  /** The brands of cards that it takes, as far as they are known. */
  card_brands?: { name: string; mark?: string }[];
  /** Whether it is paid in cash, later. */
  is_cash?: boolean;
  is_sandbox: boolean;
}

/** A wallet of the payer's device. */
export interface Service {
  flow: "apple_pay" | "google_pay";
  code: string;
  billing: Billing;
  country_code: string;
  currency_code: string;
  payment_url: string;
  validation_url?: string;
  amount?: string;
  total_price?: string;
  /** Google Pay: what the total consists of, in the form that its sheet takes. */
  display_items?: { label: string; price: string; type: string }[];
  shop_name?: string;
  environment?: string;
  gateway?: string;
  gateway_merchant_id?: string;
  merchant_id: string;
  merchant_name?: string;
}

/** A saved card of the payer. */
export interface SavedCard {
  token: string;
  brand?: string;
  number?: string;
  expiry_month: string;
  expiry_year: string;
  is_expired: boolean;
  will_expire_soon: boolean;
  cvv_required: boolean;
  pg_code: string;
  /** A picture of the mark of its brand, if that is known. */
  mark?: string;
}

/**
 * The outcome of an attempt. With `3DS` the payer goes on to `redirect_url`: the bank asks, or, with `result` `pending`, nobody
 * knows yet whether it was charged. Never treat it as failed.
 */
export interface Outcome {
  status: "success" | "canceled" | "error" | "3DS";
  message: string;
  result?: "pending";
  reference_number?: string;
  redirect_url?: string;
  order_no?: string;
  /** Who ended what is `canceled`: the bank, which declined it, or the payer, who left its page. */
  canceled_by?: "bank" | "payer";
  /** Why the bank declined it, if the payer may read that. */
  decline?: { reason: string; text: { ar: string; en: string } };
}

/** What is in place of an outcome while there is none: an object without members. */
export interface NoOutcome {
  status?: undefined;
  reference_number?: undefined;
  canceled_by?: undefined;
}

export type State =
  | "created" | "pending" | "attempted" | "authorized" | "paid" | "cod" | "failed" | "canceled" | "expired" | "invalided" | "refunded"
  | (string & {});

/** A payment transaction as its payer's page sees it. */
export interface Session {
  session_id: string;
  state: State;
  amount: string;
  currency_code: string;
  language: "en" | "ar";
  /** The hosted page. */
  checkout_url: string;
  payment_type: string;
  is_amount_editable: boolean;
  expiration_time: string;
  billing: Billing;
  payment_methods: Method[];
  payment_services: Service[] | null;
  cards: SavedCard[] | null;
  response: Outcome | NoOutcome;
}

/** A refusal as Till writes it (RFC 9457). */
export interface Problem {
  code: string;
  detail: string;
  title?: string;
  status?: number;
  errors?: Record<string, unknown>;
}

/** The answer to a payment by wallet: `approved` is absent while the outcome is unknown. */
export interface WalletOutcome {
  approved?: boolean;
  message: string;
  redirect_url?: string;
  callback_payload: Outcome;
}
