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

/// Names each problem, and lists all of them.
macro_rules! problems {
    ($($name:ident: $status:literal $code:literal $title:literal $meaning:literal;)*) => {
        $(pub(super) const $name: Problem =
            Problem { code: $code, status: $status, title: $title, meaning: $meaning };)*

        /// Every problem that the API answers with.
        pub const PROBLEMS: &[Problem] = &[$($name),*];
    };
}

problems! {
    MALFORMED_BODY: 400 "malformed_body" "Malformed body"
        "The body must be one JSON object in UTF-8, or a form that can be read if the address accepts \
         forms. Nothing was stored.";
    INVALID_FIELDS: 400 "invalid_fields" "Invalid fields"
        "Every wrong field is named under `errors` with what is allowed. Nothing was stored.";
    NOT_PAYABLE: 400 "not_payable" "Not payable"
        "The payment transaction is in a state in which it cannot be paid.";
    NOT_UPDATABLE: 400 "not_updatable" "Not updatable"
        "The payment transaction is in a state in which it cannot be changed.";
    NOT_CANCELABLE: 400 "not_cancelable" "Not cancelable"
        "The payment transaction is in a state in which there is nothing to cancel.";
    OPERATION_NOT_ALLOWED: 400 "operation_not_allowed" "Operation not allowed"
        "The payment transaction is in a state in which this operation is not possible. Nothing was moved.";
    OPERATION_UNSUPPORTED: 400 "operation_unsupported" "Operation unsupported"
        "The gateway of the payment cannot do this operation. Nothing was moved.";
    OPERATION_FOREIGN_CURRENCY: 400 "operation_foreign_currency" "Operation in a foreign currency"
        "The payment was made in another currency than that of the transaction; it can only be changed at \
         the gateway itself.";
    OPERATION_AMOUNT: 400 "operation_amount" "Amount not available"
        "The amount must be above zero and at most what is left, or all of it if the gateway does not move \
         parts. Nothing was moved.";
    OPERATION_REFUSED: 400 "operation_refused" "Operation refused"
        "What was done to the payment before excludes this operation. Nothing was moved.";
    PAYMENT_DECLINED: 400 "payment_declined" "Payment declined"
        "The payment that was requested with the creation did not succeed; its reason is in `detail`. \
         Nothing was taken. The payment transaction exists: `session_id` names it.";
    OPERATION_DECLINED: 400 "operation_declined" "Operation declined"
        "The gateway declined the operation; its message is in `detail`. Nothing was moved.";
    OPERATION_IN_PROGRESS: 409 "operation_in_progress" "Operation in progress"
        "Another operation on this payment is in progress. Try again when its outcome is known.";
    REMAINING_CHANGED: 409 "remaining_changed" "Remaining amount changed"
        "Another amount is left than `remaining` says: `detail` names it. Nothing was moved.";
    TOO_MANY_ROWS: 400 "too_many_rows" "Too many rows"
        "The table would have more rows than an export has: `detail` names how many that are.";
    APPROVAL_OPEN: 409 "approval_open" "Approval open"
        "A request for approval of the same operation on this payment waits for its decision. Nothing was \
         moved.";
    REFUND_LIMIT: 403 "refund_limit" "Refund limit"
        "It is more than one person, or one key, may refund in a day of the merchant: `detail` names the limit and \
         what is left of it. Nothing was moved.";
    APPROVAL_ENDED: 409 "approval_ended" "Approval ended"
        "The request for approval was decided, taken back, or not decided in time.";
    OWN_APPROVAL: 403 "own_approval" "Own request"
        "Nobody approves what they have asked for. Another user who can approve decides about it.";
    USER_REQUIRED: 403 "user_required" "User required"
        "Keys cannot do this, whatever their scope: a person decides. Sign in as a user.";
    NOT_INQUIRABLE: 400 "not_inquirable" "Not inquirable"
        "No payment of the payment transaction was tried, so there is nothing to ask a gateway about.";
    TOO_MANY_ATTEMPTS: 429 "too_many_attempts" "Too many attempts"
        "The payment transaction was tried too often: at most 10 times in a minute and 60 times in a day. \
         `Retry-After` says when it may be tried again. Nothing was charged.";
    TOO_MANY_DECLINES: 429 "too_many_declines" "Too many declined payments"
        "Too many payments of the payment transaction, or from the address of the payer, were declined \
         recently: the merchant's settings say how many are too many. `Retry-After` says when the payer may \
         try again. Nothing was charged.";
    TOO_MANY_REQUESTS: 429 "too_many_requests" "Too many requests"
        "The key, the user, the payment transaction or the address called too often, or the user or key \
         made more than 90,000 calls on this day in UTC. `Retry-After` says when it may call again. Nothing \
         was done.";
    WALLET_NOT_CONFIGURED: 503 "wallet_not_configured" "Wallet not configured"
        "No gateway of the merchant accepts this wallet. Have one configured; trying again does not help.";
    INSTRUMENT_NOT_OFFERED: 400 "instrument_not_offered" "Instrument not offered"
        "The payment transaction, or the gateway that `pg_code` names, does not accept this payment method. \
         Nothing was charged.";
    PRECONDITION_FAILED: 412 "precondition_failed" "Precondition failed"
        "The payment transaction was changed since the version that `If-Match` names. Retrieve it and try \
         again.";
    CARD_LOCKED: 400 "card_locked" "Card locked"
        "The card is used by an agreement and cannot be deleted until another card takes its place.";
    AUTO_DEBIT_UNSUPPORTED: 400 "auto_debit_unsupported" "Auto debit unsupported"
        "No gateway of the payment transaction supports auto debit, or the one that has saved the card does \
         not. Nothing was charged.";
    AUTO_DEBIT_NOT_IMPLEMENTED: 400 "auto_debit_not_implemented" "Auto debit not implemented"
        "The gateway supports auto debit, but it is not implemented here. Nothing was charged.";
    CARD_UNKNOWN: 400 "card_unknown" "Card unknown"
        "The token names no card of the customer of the payment transaction at one of its gateways. Nothing \
         was charged.";
    CARD_EXPIRED: 400 "card_expired" "Card expired"
        "The card has expired. Nothing was charged.";
    CARD_EXPIRES_SOON: 400 "card_expires_soon" "Card expires soon"
        "The card is not valid for as long as `card_acceptance_criteria` requires. Nothing was charged.";
    CARD_NOT_OF_AGREEMENT: 400 "card_not_of_agreement" "Card not of the agreement"
        "The agreement has another card, or none. A payment by the payer with the same `agreement.id` \
         changes its card. Nothing was charged.";
    CARD_NEEDS_PAYER: 400 "card_needs_payer" "Card needs the payer"
        "The gateway wants the security code of the card, which only the payer has. Nothing was charged.";
    AGREEMENT_OVER: 400 "agreement_over" "Agreement over"
        "The `expiry_date` of the agreement has passed. Nothing was charged.";
    AGREEMENT_CYCLES_DONE: 400 "agreement_cycles_done" "Agreement fulfilled"
        "All payments of the agreement were made: `total_cycles` is reached. Nothing was charged.";
    AGREEMENT_TOO_EARLY: 400 "agreement_too_early" "Agreement paid too early"
        "The agreement was paid less than `cycle_interval_days` ago. Nothing was charged.";
    AGREEMENT_AMOUNT_TOO_LARGE: 400 "agreement_amount_too_large" "Agreement amount too large"
        "The amount is above `max_amount_per_cycle` of the agreement. Nothing was charged.";
    AGREEMENT_AMOUNT_FIXED: 400 "agreement_amount_fixed" "Agreement amount fixed"
        "The amount of the agreement is fixed, and the first payment had another amount. Nothing was \
         charged.";
    AGREEMENT_OTHER_CURRENCY: 400 "agreement_other_currency" "Agreement of another currency"
        "An agreement has one currency, that of its first payment. Nothing was charged.";
    AGREEMENT_IN_PROGRESS: 409 "agreement_in_progress" "Agreement payment in progress"
        "Another payment under this agreement is in progress, or its outcome is not known yet, and the \
         terms permit only one of both. Nothing was charged.";
    AGREEMENT_PAUSED: 400 "agreement_paused" "Agreement paused"
        "The last payment under this agreement was declined, and none of the new tries of the merchant's schedule \
         succeeded or is left. Nothing was charged.";
    NOT_RESOLVABLE: 400 "not_resolvable" "Not resolvable"
        "The entry of the attention list cannot be resolved by this action in its present state.";
    ALREADY_RESOLVED: 409 "already_resolved" "Already resolved"
        "The entry of the attention list was resolved before, or closed by itself. Nothing was changed.";
    CREDENTIALS_MISSING: 401 "credentials_missing" "Credentials missing"
        "Send `Authorization: Api-Key <key>`.";
    CREDENTIALS_INVALID: 401 "credentials_invalid" "Credentials invalid"
        "The credentials are unknown, revoked, expired or malformed.";
    PRIVATE_KEY_REQUIRED: 401 "private_key_required" "Private key required"
        "A public key cannot do this; send the private key from a server.";
    KEY_REQUIRED: 403 "key_required" "Key required"
        "Users cannot do this, whatever their permissions; send the private key from a server.";
    PERMISSION_MISSING: 403 "permission_missing" "Permission missing"
        "The user, or the scope of the key, lacks a permission that this operation needs. Nothing was \
         changed.";
    TOO_MANY_SIGN_INS: 429 "too_many_sign_ins" "Too many sign-ins"
        "Too many wrong passwords were tried: at most 10 in 15 minutes for one name from one address, 30 \
         from one address, and 100 for one name. `Retry-After` says when one may be tried again.";
    SIGNATURE_INVALID: 401 "signature_invalid" "Signature invalid"
        "The callback is not signed with the key of the gateway.";
    NOT_FOUND: 404 "not_found" "Not found"
        "There is no such resource for these credentials.";
    METHOD_NOT_ALLOWED: 405 "method_not_allowed" "Method not allowed"
        "The header `Allow` lists the methods of this address.";
    ATTEMPT_IN_PROGRESS: 409 "attempt_in_progress" "Attempt in progress"
        "A payment of this transaction is in progress. Retrieve it and try again when its outcome is \
         known.";
    CONFLICT: 409 "conflict" "Conflict"
        "The resource was changed at the same moment. Retrieve it and try again.";
    PRICE_CHANGED: 409 "price_changed" "Price changed"
        "The merchant changed the amount, the currency or a fee after the payer was shown the price. \
         Nothing was charged.";
    CLOCK_NOT_MOVABLE: 400 "clock_not_movable" "Clock not movable"
        "The merchant has a gateway that is not simulated, so the merchant's clock shows the real time.";
    MERCHANT_EXISTS: 409 "merchant_exists" "Merchant exists"
        "A merchant with this id exists.";
    BODY_TOO_LARGE: 413 "body_too_large" "Body too large"
        "The body has more bytes than this address accepts.";
    UNSUPPORTED_MEDIA_TYPE: 415 "unsupported_media_type" "Unsupported media type"
        "The body is of a type that the address does not accept. `detail` and the header `Accept` list \
         those that it accepts.";
    IDEMPOTENCY_KEY_MALFORMED: 400 "idempotency_key_malformed" "Idempotency key malformed"
        "The header `Idempotency-Key` must be 1 to 255 visible ASCII characters.";
    TRACKING_KEY_MALFORMED: 400 "tracking_key_malformed" "Tracking key malformed"
        "The header `Tracking-Key` must be 1 to 255 visible ASCII characters.";
    KEYS_DISAGREE: 400 "keys_disagree" "Keys disagree"
        "The headers `Tracking-Key` and `Idempotency-Key` have the same purpose. Send one of them, or the \
         same key in both. Nothing was moved.";
    IDEMPOTENCY_KEY_REUSED: 422 "idempotency_key_reused" "Idempotency key reused"
        "The idempotency key was used before with another body. Use a new key for a new request.";
    PAUSED: 423 "paused" "Paused"
        "The merchant is paused: no payment may begin, and nothing was stored or charged. What is under way \
         is still settled. Try again once the merchant accepts payments again.";
    UNAVAILABLE: 503 "unavailable" "Unavailable"
        "A part of the service did not answer. Try again; with the same idempotency key nothing is done \
         twice.";
}
