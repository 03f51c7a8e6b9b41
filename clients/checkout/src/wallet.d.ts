/** The wallets of the hosted page (`www/wallet.js`), which the build puts into the element. */
/** What a wallet needs to know; the names are those of the attributes of the hosted page. */
export interface Offer {
  payUrl: string;
  sessionUrl: string | undefined;
  code: string;
  total: string;
  amount: string;
  currency: string;
  countryCode: string;
  shop: string | undefined;
  net: string;
  netLabel: string;
  fee: string;
  feeLabel: string;
  merchant: string;
  gateway: string | undefined;
  gatewayMerchant: string | undefined;
  environment: string | undefined;
}
export interface Wallet {
  /** Whether this browser has the wallet, and has not refused it for this payment. */
  has(offer: Offer, sessionId: string): boolean | Promise<boolean>;
  /** Opens its sheet, while a press is handled; `report` gets `closed`, `lost`, `refused <code>` or `go <address>`. */
  open(offer: Offer, sessionId: string, report: (news: string) => void): void;
}
/** What is reported of a wallet that is not available after all. */
export const REFUSED: string;
export const wallets: Record<"apple_pay" | "google_pay", Wallet>;
