/** The browser's sheets of wallets (`www/wallet.js`), which the build puts into the element. */
/** What a sheet shows about the merchant: members of a service, and the labels of both parts. */
export interface Facts {
  country_code: string;
  shop_name: string | undefined;
  net_label: string;
  fee_label: string;
  merchant_id: string;
  gateway?: string;
  gateway_merchant_id?: string;
  environment?: string;
}
/** What a sheet shows about the payment. */
export interface Offer {
  session: string;
  total: string;
  /** The amount and the fee, if both are shown. */
  parts: string[];
  currency: string;
  /** As the wallet names them, with spaces between. */
  networks: string;
}
/** What takes what a sheet returns. */
export interface Taker {
  /** Hands over the text of the merchant session of a sheet of Apple Pay, or nothing. */
  validate(address: string, done: (session: string | undefined) => void): void;
  /** Submits what the wallet returned, a text, and hands over whether it is paid, or nothing while nobody knows. */
  pay(token: string, done: (approved: boolean | undefined) => void): void;
  /** The sheet is closed. */
  close(): void;
  /** The browser has no such wallet. */
  refuse(): void;
}
export type Flow = "apple_pay" | "google_pay";
export interface Sheet {
  /** Says, now or later, whether this browser has the wallet, and has not refused it for this payment. */
  has(facts: Facts, session: string, then: (isThere: boolean) => void): void;
  /** Opens it, while a press is handled. */
  open(facts: Facts, offer: Offer, taker: Taker): void;
}
export const sheets: Record<Flow, Sheet>;
