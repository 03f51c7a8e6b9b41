/** What the element knows, printed from core/src/checkout/element.rs by `make describe`. */

/** Payer and page have nothing more to do in these states. */
export const FINAL = [
  "authorized",
  "paid",
  "failed",
  "canceled",
  "expired",
  "invalided",
  "refunded",
  "cod"
];
/** The payment succeeded. */
export const SUCCESS = [
  "authorized",
  "paid",
  "cod"
];
/** The networks of cards, as each wallet names them. */
export const NETWORKS = {
  "apple_pay": "amex mada masterCard visa",
  "google_pay": "AMEX MASTERCARD VISA"
};
/** Brands of cards as they write themselves. */
export const BRANDS = [
  "American Express",
  "mada",
  "Mastercard",
  "Visa"
];
/** Codes of problems that mean the same as another, whose text says it. */
export const ALIKE = {
  "conflict": "attempt_in_progress",
  "too_many_declines": "too_many_attempts",
  "too_many_requests": "too_many_attempts",
  "instrument_not_offered": "invalid_fields",
  "card_unknown": "invalid_fields",
  "card_expired": "invalid_fields",
  "card_expires_soon": "invalid_fields"
};
/** The least that a payer may choose to pay, by the number of decimals of the currency. */
export const LEAST = [
  "1",
  "",
  "0.01",
  "0.010",
  "0.0100"
];
/** The fields in which a payer says what a method must know. */
export const ASKED = {
  "phone": [
    "customer_phone"
  ],
  "email": [
    "customer_email"
  ],
  "name": [
    "customer_first_name",
    "customer_last_name"
  ]
};
