//! The refusals that several endpoints have in common.

pub(super) const CHARGE: &[&str] = &[
    "not_payable",
    "attempt_in_progress",
    "conflict",
    "paused",
    "too_many_attempts",
    "instrument_not_offered",
    "wallet_not_configured",
    "idempotency_key_malformed",
    "idempotency_key_reused",
    "not_found",
];
pub(super) const DEBIT: &[&str] = &[
    "not_payable",
    "attempt_in_progress",
    "conflict",
    "paused",
    "too_many_attempts",
    "instrument_not_offered",
    "idempotency_key_malformed",
    "idempotency_key_reused",
    "not_found",
    "auto_debit_unsupported",
    "auto_debit_not_implemented",
    "card_unknown",
    "card_expired",
    "card_expires_soon",
    "card_not_of_agreement",
    "card_needs_payer",
    "agreement_over",
    "agreement_cycles_done",
    "agreement_too_early",
    "agreement_amount_too_large",
    "agreement_amount_fixed",
];
pub(super) const CREATE: &[&str] = &[
    "paused",
    "conflict",
    "idempotency_key_malformed",
    "idempotency_key_reused",
    "payment_declined",
    "not_payable",
    "attempt_in_progress",
    "too_many_attempts",
    "instrument_not_offered",
    "wallet_not_configured",
    "auto_debit_unsupported",
    "auto_debit_not_implemented",
    "card_unknown",
    "card_expired",
    "card_expires_soon",
    "card_not_of_agreement",
    "card_needs_payer",
    "agreement_over",
    "agreement_cycles_done",
    "agreement_too_early",
    "agreement_amount_too_large",
    "agreement_amount_fixed",
];
pub(super) const UPDATE: &[&str] =
    &["not_updatable", "attempt_in_progress", "conflict", "precondition_failed"];
pub(super) const PAGE: &[&str] =
    &["not_payable", "attempt_in_progress", "conflict", "paused", "too_many_attempts", "not_found"];
pub(super) const NONE: &[&str] = &[];
