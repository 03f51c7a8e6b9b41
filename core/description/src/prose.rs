//! What a reader needs to know of each endpoint that no table says: a sentence or two, and why it refuses.

use crate::codes::{CHARGE, CREATE, DEBIT, NONE, PAGE, SHOWN_CARD, SHOWN_CHARGE, UPDATE};

/// The prose of one endpoint.
pub(crate) struct Prose {
    /// The endpoint, by its name in the table.
    pub(crate) name: &'static str,
    /// What it does, in addition to the comment of its line.
    pub(crate) about: &'static str,
    /// The codes of its own refusals. Those that follow from its line of the table are not listed.
    pub(crate) codes: &'static [&'static str],
    /// The headers of a request that it reads, each a key of `HEADERS`.
    pub(crate) headers: &'static [&'static str],
}

const CHANGED_USER: &str = "What is left out stays; `null` removes a name, an address or a number. Users are never deleted, because payments name \
     them: `is_active` switches one off.";
const ERASED: &str = "Of a customer by `customer_id`, or in one transaction by `session_id`. Amounts, times, references and states stay. It may be \
     repeated: call again until none is `left`.";
const TOTALS: &str = "Of days of the calendar at the merchant, at most 92. Payments count on the day on which money was first taken, refunds and failed attempts on their own.";
pub(crate) const fn prose(
    name: &'static str,
    about: &'static str,
    codes: &'static [&'static str],
    headers: &'static [&'static str],
) -> Prose {
    Prose { name, about, codes, headers }
}

/// Every endpoint, except those of [`ADMINISTRATION`](crate::administration::ADMINISTRATION) and
/// [`LISTINGS`](crate::filters::LISTINGS).
pub(crate) const PROSE: &[Prose] = &[
    prose(
        "create_transaction",
        "The payer pays at `checkout_url`. With `payment_instrument` the transaction is charged at once, and the answer is that of the payment.",
        CREATE,
        &["Idempotency-Key"],
    ),
    prose(
        "list_transactions",
        "The newest first, a page at a time. Every filter must fit. Filters that no index serves are looked at row by row, at most 10,000 rows a page: a page may have fewer results than `limit`, even none, and go on at `next`.",
        NONE,
        NONE,
    ),
    prose("read_totals", TOTALS, NONE, NONE),
    prose(
        "retrieve_transaction",
        "Shows the state of the payment in addition to what was sent. With `If-None-Match` the answer is 304 as long as nothing changed.",
        NONE,
        &["If-None-Match"],
    ),
    prose(
        "read_routing",
        "One entry for each attempt, in order; none for a merchant without routing.",
        NONE,
        NONE,
    ),
    prose("list_operations", "In order, with who asked for them, why, and what was noted.", NONE, NONE),
    prose("read_operation", "By its reference number.", NONE, NONE),
    prose(
        "read_timeline",
        "Its attempts, its operations, and everything that happened: what changed it and who did that, each try of each webhook, and messages to the payer.",
        NONE,
        NONE,
    ),
    prose("replace_transaction", "A field that is left out is removed.", UPDATE, &["If-Match"]),
    prose(
        "patch_transaction",
        "A field that is left out stays as it is; an empty text clears it.",
        UPDATE,
        &["If-Match"],
    ),
    prose(
        "upload_attachment",
        "Alone for later transactions, or with `session_id` or `order_no` for one that exists: that is an update of it.",
        &["conflict", "not_found", "not_updatable"],
        NONE,
    ),
    prose(
        "download_attachment",
        "Anyone who has the name may download it. The browser saves it and never shows it.",
        NONE,
        NONE,
    ),
    prose("image", "It never changes: another content has another name.", &["not_found"], NONE),
    prose("apple_domain_file", "As the operator stored it.", &["not_found"], NONE),
    prose("short_link", "Redirects to the checkout page or the attachment.", NONE, NONE),
    prose("qr_code", "In SVG or PNG, by the ending.", NONE, NONE),
    prose(
        "list_methods",
        "Only gateways that fit every filter. A filter that is left out filters nothing.",
        NONE,
        NONE,
    ),
    prose(
        "operate",
        "A refund without `amount` gives back all that is left. `Tracking-Key` makes a request safe to repeat. What the settings say has to be approved is answered with 202 and the request: nothing is moved yet.",
        &[
            "operation_not_allowed",
            "not_cancelable",
            "operation_unsupported",
            "operation_foreign_currency",
            "operation_amount",
            "operation_refused",
            "operation_declined",
            "operation_in_progress",
            "remaining_changed",
            "approval_open",
            "refund_limit",
            "attempt_in_progress",
            "conflict",
            "not_found",
            "tracking_key_malformed",
            "idempotency_key_malformed",
            "keys_disagree",
            "idempotency_key_reused",
        ],
        &["Tracking-Key", "Idempotency-Key"],
    ),
    prose(
        "notify",
        "What is known is sent to the receiver of the transaction, or to `webhook_url`, and answered; no gateway is asked.",
        &["not_inquirable", "conflict"],
        NONE,
    ),
    prose("list_cards", "The most recently used first. Only for keys.", NONE, NONE),
    prose(
        "delete_card",
        "A card that an agreement uses is locked until another card replaces it. Only for keys.",
        &["card_locked", "conflict", "invalid_fields"],
        NONE,
    ),
    prose(
        "inquire",
        "Asks the gateways of every attempt that could have charged, and answers the content of a webhook, signed like one.",
        &["not_inquirable", "not_found", "conflict"],
        NONE,
    ),
    prose(
        "message_notification",
        "Sends the message about the present state: the request while it can be paid, the receipt afterwards. Each channel must be one that \
         `notifications` of the transaction has for that state. It may be repeated.",
        &["conflict"],
        NONE,
    ),
    prose(
        "pay_by_apple_pay",
        "With the token that an Apple Pay sheet provided. The members may also be inside an outer `payload`. The public key of the merchant is accepted too.",
        CHARGE,
        &["Idempotency-Key"],
    ),
    prose(
        "pay_by_google_pay",
        "With the token that a Google Pay sheet provided. The members may also be inside an outer `payload`. The public key of the merchant is accepted too.",
        CHARGE,
        &["Idempotency-Key"],
    ),
    prose("pay_in_cash", "The transaction becomes `cod`.", CHARGE, &["Idempotency-Key"]),
    prose(
        "auto_debit",
        "Without the payer. The card must be one of the customer of the transaction.",
        DEBIT,
        &["Idempotency-Key"],
    ),
    prose(
        "older_auto_debit",
        "As `auto_debit`; the answer has the form of the payment webhook.",
        DEBIT,
        &["Idempotency-Key"],
    ),
    prose("erase", ERASED, &["not_found"], NONE),
    prose(
        "sdk_submit_token",
        "A card that needs its security code is answered with the page of the gateway. `shown_total` and `shown_currency` say what the payer was shown: nothing else is charged.",
        SHOWN_CARD,
        NONE,
    ),
    prose(
        "sdk_pay_by_apple_pay",
        "The session id is the only authorisation. A refusal by the gateway is answered with 400 and `approved` false.",
        SHOWN_CHARGE,
        NONE,
    ),
    prose(
        "sdk_pay_by_google_pay",
        "The session id is the only authorisation. A refusal by the gateway is answered with 400 and `approved` false.",
        SHOWN_CHARGE,
        NONE,
    ),
    prose(
        "sdk_apple_session",
        "The gateway requests the session from Apple for the domain of the page that asks.",
        SHOWN_CHARGE,
        NONE,
    ),
    prose(
        "sdk_delete_card",
        "The session id is the only authorisation.",
        &["card_locked", "conflict", "not_payable"],
        NONE,
    ),
    prose("checkout_page", "In English or Arabic. It works without JavaScript too.", PAGE, NONE),
    prose(
        "pay",
        "The form of the hosted page. Its script asks for JSON, a browser is redirected.",
        &[
            "not_payable",
            "attempt_in_progress",
            "conflict",
            "price_changed",
            "paused",
            "too_many_attempts",
            "not_found",
            "invalid_fields",
            "instrument_not_offered",
            "card_unknown",
            "card_expired",
            "card_expires_soon",
            "card_needs_payer",
            "card_not_of_agreement",
        ],
        NONE,
    ),
    prose(
        "pay_status",
        "The hosted page polls it: while it can be paid, also whether the price is still the one that it shows.",
        NONE,
        NONE,
    ),
    prose(
        "sdk_init",
        "Payment methods, device wallets, saved cards, and the outcome of the latest attempt.",
        NONE,
        NONE,
    ),
    prose("sdk_concur", "A transaction that was `created` is `pending` afterwards.", &["conflict"], NONE),
    prose(
        "sdk_submit",
        "The payer continues at `redirect_url`, the page of the gateway. `shown_total` and `shown_currency` say what the payer was shown: nothing else is charged. A call without them means what `sdk_init` answered last.",
        &[
            "not_payable",
            "attempt_in_progress",
            "conflict",
            "price_changed",
            "paused",
            "too_many_attempts",
            "instrument_not_offered",
        ],
        NONE,
    ),
    prose(
        "sdk_check_option",
        "Asked before a flexible method is offered, for one of them at a time; an answer that does not come within 800 ms hides it. `required` names what the method needs to know of the payer and the payment lacks.",
        &["not_payable"],
        NONE,
    ),
    prose(
        "sdk_cancel",
        "The merchant is notified.",
        &["not_cancelable", "attempt_in_progress", "conflict"],
        NONE,
    ),
    prose(
        "gateway_return",
        "For browsers that come from a gateway; it redirects to the page or to the merchant.",
        NONE,
        NONE,
    ),
    prose("gateway_forward", "For browsers on their way to a gateway.", NONE, NONE),
    prose(
        "gateway_callback",
        "Signed by the gateway, in the gateway's own form.",
        &["signature_invalid", "conflict", "attempt_in_progress", "malformed_body"],
        NONE,
    ),
    prose(
        "message_report",
        "Each provider reports in a format of its own, and shows in its own way that it is the provider.",
        &["signature_invalid"],
        NONE,
    ),
    prose(
        "account_callback",
        "Signed by the gateway, in the gateway's own form.",
        &["signature_invalid", "conflict", "attempt_in_progress", "malformed_body"],
        NONE,
    ),
    prose("policy_report", "Browsers send it by themselves.", NONE, NONE),
    prose(
        "receipt",
        "A compact JWS with EdDSA for a transaction that has ended. Anyone who knows the session id may download it.",
        NONE,
        NONE,
    ),
    prose(
        "receipt_code",
        "A QR code in SVG. It leads to the page `/receipt/verify.html` with the receipt in its fragment, which browsers do not send.",
        NONE,
        NONE,
    ),
    prose(
        "public_keys",
        "A JWK Set. It may be cached for an hour. Without `merchant`, the keys of receipts; with it, the key of the `v1a` signatures of \
         the webhooks of that merchant.",
        &["invalid_fields"],
        NONE,
    ),
    prose("problem", "For people: what the code means, and what to do.", NONE, NONE),
    prose(
        "give_token",
        "For the name and the password of a user (`password`), or for a private key (`client_credentials`), whose prefix is the id and \
         whose part after the dot is the secret of the client. A token is valid for an hour and may what its user or key may; \
         it ends when the key is revoked, and when the user gets another password or is switched off.",
        &["credentials_invalid", "too_many_sign_ins"],
        NONE,
    ),
    prose("health", "For monitoring.", NONE, NONE),
    prose("add_merchant", "Its keys and secrets are shown only this once.", &["merchant_exists"], NONE),
    prose("read_merchant", "Credentials are hidden.", NONE, NONE),
    prose(
        "replace_settings",
        "A credential that is written as `[sealed]` stays as it is.",
        &["conflict"],
        NONE,
    ),
    prose(
        "add_key",
        "It is shown only this once. A member that is not known is refused by name.",
        NONE,
        NONE,
    ),
    prose("list_keys", "The newest first; never the keys themselves.", NONE, NONE),
    prose("revoke_key", "It cannot be taken back.", NONE, NONE),
    prose("add_user", "One without a password signs in at the merchant's provider only.", NONE, NONE),
    prose("list_users", "In the order of their numbers; never their passwords.", NONE, NONE),
    prose("read_user", "Never the password.", NONE, NONE),
    prose("change_user", CHANGED_USER, &["conflict"], NONE),
    prose("add_own_key", "It is shown only this once, and may do no more than the caller.", NONE, NONE),
    prose("list_own_keys", "The newest first; never the keys themselves.", NONE, NONE),
    prose(
        "revoke_own_key",
        "It cannot be taken back. A key that may do more than the caller stays.",
        NONE,
        NONE,
    ),
    prose("add_own_user", "The user may do no more than the caller.", NONE, NONE),
    prose("list_own_users", "In the order of their numbers; never their passwords.", NONE, NONE),
    prose("read_own_user", "Never the password.", NONE, NONE),
    prose("change_own_user", CHANGED_USER, &["conflict"], NONE),
    prose("read_clock", "Of a merchant whose gateways are all simulated.", NONE, NONE),
    prose(
        "move_clock",
        "By `advance` or `to`, never back. What is due then has happened when the answer arrives.",
        &["clock_not_movable", "conflict"],
        NONE,
    ),
    prose("list_reconciliations", "One for each gateway that has a list.", NONE, NONE),
    prose(
        "reconcile_again",
        "It begins at once; what takes longer follows in the background.",
        &["conflict"],
        NONE,
    ),
    prose("check_gateway", "Nothing is charged.", NONE, NONE),
    prose("list_attention", "At most 100 open entries, the oldest first.", NONE, NONE),
    prose(
        "resolve_attention",
        "Asks the gateway again, or records what it confirmed to the operator.",
        &["not_resolvable", "conflict", "operation_declined"],
        NONE,
    ),
    prose("erase_of", ERASED, NONE, NONE),
    prose(
        "read_metrics",
        "For Prometheus, which sends the operator's token. They are up to 15 seconds old.",
        NONE,
        NONE,
    ),
    prose("read_sealing", "Never a key itself, only its id.", NONE, NONE),
    prose(
        "reseal",
        "As many as fit into one call: call again until none is `left`. It may be called at any time and stopped at any time.",
        NONE,
        NONE,
    ),
    prose("restore_transaction", "One that the merchant deleted.", NONE, NONE),
];
