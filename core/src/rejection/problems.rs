//! The table of problems, which the API answers with and the pages under `/b/problems/` show.

/// One entry of the table of problems, as the pages under `/b/problems/` show it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Problem {
    /// The stable code.
    pub code: &'static str,
    /// The HTTP status.
    pub status: u16,
    /// A short name.
    pub title: &'static str,
    /// What it means and what to do.
    pub meaning: &'static str,
}

/// Every problem that the API answers with.
pub const PROBLEMS: &[Problem] = &[
    Problem {
        code: "malformed_body",
        status: 400,
        title: "Malformed body",
        meaning: "The body must be one JSON object in UTF-8, or a form that can be read if the address accepts \
                  forms. Nothing was stored.",
    },
    Problem {
        code: "invalid_fields",
        status: 400,
        title: "Invalid fields",
        meaning: "Every wrong field is named under `errors` with what is allowed. Nothing was stored.",
    },
    Problem {
        code: "not_payable",
        status: 400,
        title: "Not payable",
        meaning: "The payment transaction is in a state in which it cannot be paid.",
    },
    Problem {
        code: "not_updatable",
        status: 400,
        title: "Not updatable",
        meaning: "The payment transaction is in a state in which it cannot be changed.",
    },
    Problem {
        code: "not_cancelable",
        status: 400,
        title: "Not cancelable",
        meaning: "The payment transaction is in a state in which there is nothing to cancel.",
    },
    Problem {
        code: "operation_not_allowed",
        status: 400,
        title: "Operation not allowed",
        meaning: "The payment transaction is in a state in which this operation is not possible. Nothing was moved.",
    },
    Problem {
        code: "operation_unsupported",
        status: 400,
        title: "Operation unsupported",
        meaning: "The gateway of the payment cannot do this operation. Nothing was moved.",
    },
    Problem {
        code: "operation_foreign_currency",
        status: 400,
        title: "Operation in a foreign currency",
        meaning: "The payment was made in another currency than that of the transaction; it can only be changed at the gateway itself.",
    },
    Problem {
        code: "operation_amount",
        status: 400,
        title: "Amount not available",
        meaning: "The amount must be above zero and at most what is left, or all of it if the gateway does not move parts. Nothing was moved.",
    },
    Problem {
        code: "operation_refused",
        status: 400,
        title: "Operation refused",
        meaning: "What was done to the payment before excludes this operation. Nothing was moved.",
    },
    Problem {
        code: "payment_declined",
        status: 400,
        title: "Payment declined",
        meaning: "The payment that was requested with the creation did not succeed; its reason is in `detail`. Nothing was taken. The payment transaction exists: `session_id` names it.",
    },
    Problem {
        code: "operation_declined",
        status: 400,
        title: "Operation declined",
        meaning: "The gateway declined the operation; its message is in `detail`. Nothing was moved.",
    },
    Problem {
        code: "operation_in_progress",
        status: 409,
        title: "Operation in progress",
        meaning: "Another operation on this payment is in progress. Try again when its outcome is known.",
    },
    Problem {
        code: "not_inquirable",
        status: 400,
        title: "Not inquirable",
        meaning: "No payment of the payment transaction was tried, so there is nothing to ask a gateway about.",
    },
    Problem {
        code: "too_many_attempts",
        status: 429,
        title: "Too many attempts",
        meaning: "The payment transaction was tried too often: at most 10 times in a minute and 60 times in a day. `Retry-After` says when it may be tried again. Nothing was charged.",
    },
    Problem {
        code: "too_many_declines",
        status: 429,
        title: "Too many declined payments",
        meaning: "Too many payments of the payment transaction, or from the address of the payer, were declined recently: the merchant's settings say how many are too many. `Retry-After` says when the payer may try again. Nothing was charged.",
    },
    Problem {
        code: "too_many_requests",
        status: 429,
        title: "Too many requests",
        meaning: "The key, the user, the payment transaction or the address called too often, or the user or key made more than 90,000 calls on this day in UTC. `Retry-After` says when it may call again. Nothing was done.",
    },
    Problem {
        code: "wallet_not_configured",
        status: 503,
        title: "Wallet not configured",
        meaning: "No gateway of the merchant accepts this wallet. Have one configured; trying again does not help.",
    },
    Problem {
        code: "instrument_not_offered",
        status: 400,
        title: "Instrument not offered",
        meaning: "The payment transaction, or the gateway that `pg_code` names, does not accept this payment method. Nothing was charged.",
    },
    Problem {
        code: "precondition_failed",
        status: 412,
        title: "Precondition failed",
        meaning: "The payment transaction was changed since the version that `If-Match` names. Retrieve it and try again.",
    },
    Problem {
        code: "card_locked",
        status: 400,
        title: "Card locked",
        meaning: "The card is used by an agreement and cannot be deleted until another card takes its place.",
    },
    Problem {
        code: "auto_debit_unsupported",
        status: 400,
        title: "Auto debit unsupported",
        meaning: "No gateway of the payment transaction supports auto debit, or the one that has saved the card does not. Nothing was charged.",
    },
    Problem {
        code: "auto_debit_not_implemented",
        status: 400,
        title: "Auto debit not implemented",
        meaning: "The gateway supports auto debit, but it is not implemented here. Nothing was charged.",
    },
    Problem {
        code: "card_unknown",
        status: 400,
        title: "Card unknown",
        meaning: "The token names no card of the customer of the payment transaction at one of its gateways. Nothing was charged.",
    },
    Problem {
        code: "card_expired",
        status: 400,
        title: "Card expired",
        meaning: "The card has expired. Nothing was charged.",
    },
    Problem {
        code: "card_expires_soon",
        status: 400,
        title: "Card expires soon",
        meaning: "The card is not valid for as long as `card_acceptance_criteria` requires. Nothing was charged.",
    },
    Problem {
        code: "card_not_of_agreement",
        status: 400,
        title: "Card not of the agreement",
        meaning: "The agreement has another card, or none. A payment by the payer with the same `agreement.id` changes its card. Nothing was charged.",
    },
    Problem {
        code: "card_needs_payer",
        status: 400,
        title: "Card needs the payer",
        meaning: "The gateway wants the security code of the card, which only the payer has. Nothing was charged.",
    },
    Problem {
        code: "agreement_over",
        status: 400,
        title: "Agreement over",
        meaning: "The `expiry_date` of the agreement has passed. Nothing was charged.",
    },
    Problem {
        code: "agreement_cycles_done",
        status: 400,
        title: "Agreement fulfilled",
        meaning: "All payments of the agreement were made: `total_cycles` is reached. Nothing was charged.",
    },
    Problem {
        code: "agreement_too_early",
        status: 400,
        title: "Agreement paid too early",
        meaning: "The agreement was paid less than `cycle_interval_days` ago. Nothing was charged.",
    },
    Problem {
        code: "agreement_amount_too_large",
        status: 400,
        title: "Agreement amount too large",
        meaning: "The amount is above `max_amount_per_cycle` of the agreement. Nothing was charged.",
    },
    Problem {
        code: "agreement_amount_fixed",
        status: 400,
        title: "Agreement amount fixed",
        meaning: "The amount of the agreement is fixed, and the first payment had another amount. Nothing was charged.",
    },
    Problem {
        code: "agreement_other_currency",
        status: 400,
        title: "Agreement of another currency",
        meaning: "An agreement has one currency, that of its first payment. Nothing was charged.",
    },
    Problem {
        code: "agreement_in_progress",
        status: 409,
        title: "Agreement payment in progress",
        meaning: "Another payment under this agreement is in progress, or its outcome is not known yet, and the terms permit only one of both. Nothing was charged.",
    },
    Problem {
        code: "not_resolvable",
        status: 400,
        title: "Not resolvable",
        meaning: "The entry of the attention list cannot be resolved by this action in its present state.",
    },
    Problem {
        code: "credentials_missing",
        status: 401,
        title: "Credentials missing",
        meaning: "Send `Authorization: Api-Key <key>`.",
    },
    Problem {
        code: "credentials_invalid",
        status: 401,
        title: "Credentials invalid",
        meaning: "The credentials are unknown, revoked, expired or malformed.",
    },
    Problem {
        code: "private_key_required",
        status: 401,
        title: "Private key required",
        meaning: "A public key cannot do this; send the private key from a server.",
    },
    Problem {
        code: "key_required",
        status: 403,
        title: "Key required",
        meaning: "Users cannot do this, whatever their permissions; send the private key from a server.",
    },
    Problem {
        code: "permission_missing",
        status: 403,
        title: "Permission missing",
        meaning: "The user, or the scope of the key, lacks a permission that this operation needs. Nothing was changed.",
    },
    Problem {
        code: "too_many_sign_ins",
        status: 429,
        title: "Too many sign-ins",
        meaning: "Too many wrong passwords were tried: at most 10 in 15 minutes for one name from one address, 30 from one address, and 100 for one name. `Retry-After` says when one may be tried again.",
    },
    Problem {
        code: "signature_invalid",
        status: 401,
        title: "Signature invalid",
        meaning: "The callback is not signed with the key of the gateway.",
    },
    Problem {
        code: "not_found",
        status: 404,
        title: "Not found",
        meaning: "There is no such resource for these credentials.",
    },
    Problem {
        code: "method_not_allowed",
        status: 405,
        title: "Method not allowed",
        meaning: "The header `Allow` lists the methods of this address.",
    },
    Problem {
        code: "attempt_in_progress",
        status: 409,
        title: "Attempt in progress",
        meaning: "A payment of this transaction is in progress. Retrieve it and try again when its outcome is known.",
    },
    Problem {
        code: "conflict",
        status: 409,
        title: "Conflict",
        meaning: "The resource was changed at the same moment. Retrieve it and try again.",
    },
    Problem {
        code: "price_changed",
        status: 409,
        title: "Price changed",
        meaning: "The merchant changed the amount, the currency or a fee after the payer was shown the price. Nothing was charged.",
    },
    Problem {
        code: "clock_not_movable",
        status: 400,
        title: "Clock not movable",
        meaning: "The merchant has a gateway that is not simulated, so the merchant's clock shows the real time.",
    },
    Problem {
        code: "merchant_exists",
        status: 409,
        title: "Merchant exists",
        meaning: "A merchant with this id exists.",
    },
    Problem {
        code: "body_too_large",
        status: 413,
        title: "Body too large",
        meaning: "The body has more bytes than this address accepts.",
    },
    Problem {
        code: "unsupported_media_type",
        status: 415,
        title: "Unsupported media type",
        meaning: "The body is of a type that the address does not accept. `detail` and the header `Accept` list those \
                  that it accepts.",
    },
    Problem {
        code: "idempotency_key_malformed",
        status: 400,
        title: "Idempotency key malformed",
        meaning: "The header `Idempotency-Key` must be 1 to 255 visible ASCII characters.",
    },
    Problem {
        code: "tracking_key_malformed",
        status: 400,
        title: "Tracking key malformed",
        meaning: "The header `Tracking-Key` must be 1 to 255 visible ASCII characters.",
    },
    Problem {
        code: "keys_disagree",
        status: 400,
        title: "Keys disagree",
        meaning: "The headers `Tracking-Key` and `Idempotency-Key` have the same purpose. Send one of them, or the same key in both. Nothing was moved.",
    },
    Problem {
        code: "idempotency_key_reused",
        status: 422,
        title: "Idempotency key reused",
        meaning: "The idempotency key was used before with another body. Use a new key for a new request.",
    },
    Problem {
        code: "paused",
        status: 423,
        title: "Paused",
        meaning: "The merchant is paused: no payment may begin, and nothing was stored or charged. What is under way is \
                  still settled. Try again once the merchant accepts payments again.",
    },
    Problem {
        code: "unavailable",
        status: 503,
        title: "Unavailable",
        meaning: "A part of the service did not answer. Try again; with the same idempotency key nothing is done twice.",
    },
];
