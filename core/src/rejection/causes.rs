//! Why a client usually gets each code.

/// Each code with its likely causes. A code whose meaning says all of it has none.
pub const CAUSES: &[(&str, &[&str])] = &[
    (
        "malformed_body",
        &[
            "The body is empty, cut off, or an array.",
            "A value was put into the text of the JSON without being escaped.",
            "The `Content-Type` does not fit the body.",
        ],
    ),
    (
        "invalid_fields",
        &[
            "The amount is a number with more decimals than its currency has.",
            "A `pg_codes` entry is no gateway of the merchant, or takes another currency.",
            "A member is misspelled, or is meant for another operation.",
        ],
    ),
    (
        "not_payable",
        &["It is paid, cancelled or expired.", "A page was left open until the time to pay was over."],
    ),
    ("not_updatable", &["It is paid, cancelled or expired.", "The payer is at the bank right now."]),
    ("not_cancelable", &["It was paid in the meantime.", "It was cancelled before, or has expired."]),
    (
        "operation_not_allowed",
        &[
            "A refund was asked for before a capture, or a void after it.",
            "The payment is not paid yet, or its outcome is still awaited.",
        ],
    ),
    (
        "operation_unsupported",
        &["The gateway has no such operation.", "It is switched off in the profile of the gateway."],
    ),
    (
        "operation_foreign_currency",
        &["The profile of the gateway exchanges the amount before it charges it."],
    ),
    (
        "operation_amount",
        &[
            "A part was captured or refunded before, so less is left.",
            "The fee was included in the amount.",
            "A part was asked for at a gateway that only moves the whole amount.",
        ],
    ),
    ("operation_refused", &["The same operation was made before, perhaps at the gateway itself."]),
    (
        "payment_declined",
        &["The bank declined the card or the wallet.", "The card has expired or is over its limit."],
    ),
    (
        "operation_declined",
        &[
            "The gateway's account has too little money for the refund.",
            "The time that the gateway allows is over.",
        ],
    ),
    ("too_many_rows", &["The query has no period, or a long one.", "Each refund is a row of its own."]),
    (
        "remaining_changed",
        &[
            "Another capture, refund or void was done after `remaining` was read.",
            "Two people, or a person and a program, act on the same payment.",
        ],
    ),
    (
        "approval_open",
        &["The same refund or void was asked for before, and nobody has decided about it yet."],
    ),
    (
        "refund_limit",
        &["The person, or the key, has refunded much today; what waits for approval counts too."],
    ),
    ("approval_ended", &["Another person decided a moment before.", "The time for the decision is over."]),
    ("own_approval", &["Who asked for the operation tries to decide about it."]),
    ("user_required", &["A key is used where a person has to decide."]),
    (
        "operation_in_progress",
        &[
            "Two requests were sent at once.",
            "An earlier one had no clear answer, and is still being asked about.",
        ],
    ),
    ("not_inquirable", &["The payer has only opened the page, or not even that."]),
    ("too_many_attempts", &["A client repeats a payment in a loop."]),
    (
        "too_many_declines",
        &["Someone tries one card after another.", "Many payers share one address, such as an office's."],
    ),
    ("too_many_requests", &["A client asks for the state in a loop instead of waiting for the webhook."]),
    (
        "wallet_not_configured",
        &["The certificate or the merchant id of the wallet is missing in the settings."],
    ),
    (
        "instrument_not_offered",
        &[
            "`pg_code` is none of the transaction's `pg_codes`.",
            "The gateway was turned off after the creation.",
        ],
    ),
    ("precondition_failed", &["Someone else, or the payer, changed it after it was retrieved."]),
    ("card_locked", &["An agreement with later payments still uses the card."]),
    ("auto_debit_unsupported", &["The gateway takes no payments without the payer."]),
    ("auto_debit_not_implemented", &["The connector of the gateway does not send such payments yet."]),
    (
        "card_unknown",
        &[
            "The payer removed the card.",
            "The token belongs to another customer, or to a gateway that is not in `pg_codes`.",
        ],
    ),
    ("card_expired", &["The last month printed on the card has passed."]),
    ("card_expires_soon", &["`min_expiry_time` asks for more days than the card has left."]),
    ("card_not_of_agreement", &["The payer replaced the card under this agreement."]),
    ("card_needs_payer", &["The gateway's profile asks for the security code with saved cards."]),
    ("agreement_over", &["The agreement was not renewed before its `expiry_date`."]),
    ("agreement_cycles_done", &["A debit was repeated with another idempotency key."]),
    ("agreement_too_early", &["A job ran twice, or a day early.", "The first payment was made late."]),
    (
        "agreement_amount_too_large",
        &["A price rose after the payer agreed.", "The fee is a part of the amount."],
    ),
    ("agreement_amount_fixed", &["A price changed after the payer agreed."]),
    ("agreement_other_currency", &["The price is in the currency of another shop of the merchant."]),
    (
        "agreement_in_progress",
        &["A job ran twice at once.", "The gateway did not answer the payment before."],
    ),
    ("agreement_paused", &["The bank keeps declining the card.", "The card is gone, or expired."]),
    ("not_resolvable", &["Someone else resolved the entry.", "The outcome became known by itself."]),
    ("already_resolved", &["Someone else resolved the entry.", "The request was sent twice."]),
    ("credentials_missing", &["A proxy removes the header.", "The header has another name or scheme."]),
    (
        "credentials_invalid",
        &[
            "The key belongs to another installation.",
            "A space or a line break was copied with it.",
            "It was revoked or has expired.",
        ],
    ),
    ("private_key_required", &["A browser or an app calls an operation that is for servers."]),
    ("key_required", &["A person's session is used where a server's key is needed."]),
    (
        "permission_missing",
        &["The role of the user, or the scope of the key, is narrower than the operation."],
    ),
    ("too_many_sign_ins", &["A stored password is out of date.", "Someone guesses passwords."]),
    (
        "signature_invalid",
        &["The secret was replaced on one side only.", "Something on the way changed the body."],
    ),
    (
        "not_found",
        &[
            "The id belongs to another merchant, or to another installation.",
            "The address lacks a part or has one too many.",
        ],
    ),
    ("method_not_allowed", &["A redirect turned a POST into a GET."]),
    ("attempt_in_progress", &["The payer is at the bank.", "The bank has not answered yet."]),
    ("conflict", &["Two requests changed it at once."]),
    (
        "price_changed",
        &[
            "The merchant updated the transaction while the payer was looking at it.",
            "A fee or a rate was changed in the settings.",
        ],
    ),
    ("clock_not_movable", &["A gateway of the settings has `sandbox` false."]),
    ("merchant_exists", &["A script that sets up merchants ran twice."]),
    ("body_too_large", &["A file was sent inside JSON.", "A picture was not made smaller first."]),
    ("unsupported_media_type", &["The header `Content-Type` is missing, or a library set another one."]),
    ("idempotency_key_malformed", &["The key is empty, or has a space or a letter beyond ASCII."]),
    ("tracking_key_malformed", &["The key is empty, or has a space or a letter beyond ASCII."]),
    ("keys_disagree", &["A library adds one of the headers by itself."]),
    (
        "idempotency_key_reused",
        &[
            "The key is the order number, and the order changed.",
            "The body has a time or a random value in it.",
        ],
    ),
    ("paused", &["The operator or the merchant has paused payments."]),
    ("unavailable", &["The database or the gateway did not answer in time.", "A deployment is under way."]),
];
