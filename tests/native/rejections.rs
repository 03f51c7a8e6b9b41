//! The table of problems: codes that clients match, their statuses and titles, and the shape of the body.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeSet;

use checkout_core::rejection::refusal::{Breach, CardRefusal, Refusal};
use checkout_core::rejection::{PROBLEMS, RefusedRequest, Rejection};
use checkout_core::state::State;
use checkout_core::value::money::{Currency, Money};
use checkout_core::violation::{Rule, Violation, errors};
use checkout_core::words::media_type::BodyType;
use serde_json::{Value, json};

/// Every rejection with its code, status and title. A new rejection fails to compile in [`expected`].
#[expect(clippy::too_many_lines, reason = "a table")]
fn table() -> Vec<Rejection> {
    vec![
        Rejection::MalformedBody,
        Rejection::Invalid(vec![Violation::new("amount", Rule::Required)]),
        Rejection::NotPayable { state: State::Paid },
        Rejection::NotUpdatable { state: State::Paid },
        Rejection::NotCancelable { state: State::Paid },
        Rejection::OperationNotAllowed { operation: "refund", state: State::Created },
        Rejection::OperationUnsupported,
        Rejection::OperationForeignCurrency,
        Rejection::OperationAmount { available: one_dinar() },
        Rejection::OperationIndivisible { available: one_dinar() },
        Rejection::RemainingChanged { available: one_dinar() },
        Rejection::RefundLimit { limit: one_dinar(), left: one_dinar() },
        Rejection::TooManyRows { max: 20_000 },
        Rejection::OperationRefused { refusal: Refusal::Captured },
        Rejection::PaymentDeclined { message: "declined".into() },
        Rejection::OperationDeclined { message: "declined".into() },
        Rejection::OperationInProgress,
        Rejection::TooManyAttempts { retry_after: 7 },
        Rejection::TooManyDeclines { retry_after: 7 },
        Rejection::TooManyRequests { retry_after: 7 },
        Rejection::NotInquirable { state: State::Created },
        Rejection::WalletNotConfigured,
        Rejection::InstrumentNotOffered,
        Rejection::PreconditionFailed,
        Rejection::NotResolvable,
        Rejection::AlreadyResolved,
        Rejection::CardLocked,
        Rejection::AutoDebitUnsupported,
        Rejection::AutoDebitNotImplemented,
        Rejection::CardRefused(CardRefusal::Unknown),
        Rejection::CardRefused(CardRefusal::Expired),
        Rejection::CardRefused(CardRefusal::ExpiresSoon { days: 30 }),
        Rejection::CardRefused(CardRefusal::NotOfAgreement),
        Rejection::CardRefused(CardRefusal::NeedsPayer),
        Rejection::AgreementBroken(Breach::Over),
        Rejection::AgreementBroken(Breach::CyclesDone),
        Rejection::AgreementBroken(Breach::TooEarly),
        Rejection::AgreementBroken(Breach::AboveMaximum),
        Rejection::AgreementBroken(Breach::OtherAmount),
        Rejection::AgreementBroken(Breach::OtherCurrency),
        Rejection::AgreementBroken(Breach::InProgress),
        Rejection::AgreementBroken(Breach::Paused),
        Rejection::CredentialsMissing,
        Rejection::CredentialsInvalid,
        Rejection::PrivateKeyRequired,
        Rejection::KeyRequired,
        Rejection::UserRequired,
        Rejection::OwnApproval,
        Rejection::ApprovalOpen,
        Rejection::ApprovalEnded { state: "rejected" },
        Rejection::PermissionMissing,
        Rejection::TooManySignIns { retry_after: 7 },
        Rejection::SignatureInvalid,
        Rejection::NotFound,
        Rejection::MethodNotAllowed { allow: "GET, POST".into() },
        Rejection::AttemptInProgress,
        Rejection::Conflict,
        Rejection::PriceChanged { total: one_dinar() },
        Rejection::ClockNotMovable,
        Rejection::MerchantExists,
        Rejection::BodyTooLarge { max: 262_144 },
        Rejection::UnsupportedMediaType { takes: BodyType::Json },
        Rejection::MalformedForm,
        Rejection::JsonAsForm,
        Rejection::NotUtf8(Violation::new("order_no", Rule::NotUtf8)),
        Rejection::IdempotencyKeyMalformed,
        Rejection::TrackingKeyMalformed,
        Rejection::KeysDisagree,
        Rejection::IdempotencyKeyReused,
        Rejection::Paused,
        Rejection::Unavailable,
    ]
}

fn one_dinar() -> Money {
    Money::parse("1.000", Currency::parse("KWD").unwrap()).unwrap()
}

#[expect(clippy::too_many_lines, reason = "a table")]
fn expected(rejection: &Rejection) -> (&'static str, u16, &'static str) {
    match rejection {
        Rejection::MalformedBody
        | Rejection::MalformedForm
        | Rejection::JsonAsForm
        | Rejection::NotUtf8(_) => ("malformed_body", 400, "Malformed body"),
        Rejection::Invalid(_) => ("invalid_fields", 400, "Invalid fields"),
        Rejection::NotPayable { .. } => ("not_payable", 400, "Not payable"),
        Rejection::NotUpdatable { .. } => ("not_updatable", 400, "Not updatable"),
        Rejection::NotCancelable { .. } => ("not_cancelable", 400, "Not cancelable"),
        Rejection::OperationNotAllowed { .. } => ("operation_not_allowed", 400, "Operation not allowed"),
        Rejection::OperationUnsupported => ("operation_unsupported", 400, "Operation unsupported"),
        Rejection::OperationForeignCurrency => {
            ("operation_foreign_currency", 400, "Operation in a foreign currency")
        }
        Rejection::OperationAmount { .. } | Rejection::OperationIndivisible { .. } => {
            ("operation_amount", 400, "Amount not available")
        }
        Rejection::OperationRefused { .. } => ("operation_refused", 400, "Operation refused"),
        Rejection::PaymentDeclined { .. } => ("payment_declined", 400, "Payment declined"),
        Rejection::OperationDeclined { .. } => ("operation_declined", 400, "Operation declined"),
        Rejection::OperationInProgress => ("operation_in_progress", 409, "Operation in progress"),
        Rejection::TooManyAttempts { .. } => ("too_many_attempts", 429, "Too many attempts"),
        Rejection::TooManyDeclines { .. } => ("too_many_declines", 429, "Too many declined payments"),
        Rejection::TooManyRequests { .. } => ("too_many_requests", 429, "Too many requests"),
        Rejection::NotInquirable { .. } => ("not_inquirable", 400, "Not inquirable"),
        Rejection::WalletNotConfigured => ("wallet_not_configured", 503, "Wallet not configured"),
        Rejection::InstrumentNotOffered => ("instrument_not_offered", 400, "Instrument not offered"),
        Rejection::PreconditionFailed => ("precondition_failed", 412, "Precondition failed"),
        Rejection::NotResolvable => ("not_resolvable", 400, "Not resolvable"),
        Rejection::AlreadyResolved => ("already_resolved", 409, "Already resolved"),
        Rejection::CardLocked => ("card_locked", 400, "Card locked"),
        Rejection::AutoDebitUnsupported => ("auto_debit_unsupported", 400, "Auto debit unsupported"),
        Rejection::AutoDebitNotImplemented => {
            ("auto_debit_not_implemented", 400, "Auto debit not implemented")
        }
        Rejection::CardRefused(CardRefusal::Unknown) => ("card_unknown", 400, "Card unknown"),
        Rejection::CardRefused(CardRefusal::Expired) => ("card_expired", 400, "Card expired"),
        Rejection::CardRefused(CardRefusal::ExpiresSoon { .. }) => {
            ("card_expires_soon", 400, "Card expires soon")
        }
        Rejection::CardRefused(CardRefusal::NotOfAgreement) => {
            ("card_not_of_agreement", 400, "Card not of the agreement")
        }
        Rejection::CardRefused(CardRefusal::NeedsPayer) => ("card_needs_payer", 400, "Card needs the payer"),
        Rejection::AgreementBroken(Breach::Over) => ("agreement_over", 400, "Agreement over"),
        Rejection::AgreementBroken(Breach::CyclesDone) => {
            ("agreement_cycles_done", 400, "Agreement fulfilled")
        }
        Rejection::AgreementBroken(Breach::TooEarly) => {
            ("agreement_too_early", 400, "Agreement paid too early")
        }
        Rejection::AgreementBroken(Breach::AboveMaximum) => {
            ("agreement_amount_too_large", 400, "Agreement amount too large")
        }
        Rejection::AgreementBroken(Breach::OtherAmount) => {
            ("agreement_amount_fixed", 400, "Agreement amount fixed")
        }
        Rejection::AgreementBroken(Breach::OtherCurrency) => {
            ("agreement_other_currency", 400, "Agreement of another currency")
        }
        Rejection::AgreementBroken(Breach::InProgress) => {
            ("agreement_in_progress", 409, "Agreement payment in progress")
        }
        Rejection::AgreementBroken(Breach::Paused) => ("agreement_paused", 400, "Agreement paused"),
        Rejection::CredentialsMissing => ("credentials_missing", 401, "Credentials missing"),
        Rejection::CredentialsInvalid => ("credentials_invalid", 401, "Credentials invalid"),
        Rejection::RemainingChanged { .. } => ("remaining_changed", 409, "Remaining amount changed"),
        Rejection::TooManyRows { .. } => ("too_many_rows", 400, "Too many rows"),
        Rejection::ApprovalOpen => ("approval_open", 409, "Approval open"),
        Rejection::RefundLimit { .. } => ("refund_limit", 403, "Refund limit"),
        Rejection::ApprovalEnded { .. } => ("approval_ended", 409, "Approval ended"),
        Rejection::OwnApproval => ("own_approval", 403, "Own request"),
        Rejection::UserRequired => ("user_required", 403, "User required"),
        Rejection::PrivateKeyRequired => ("private_key_required", 401, "Private key required"),
        Rejection::KeyRequired => ("key_required", 403, "Key required"),
        Rejection::PermissionMissing => ("permission_missing", 403, "Permission missing"),
        Rejection::TooManySignIns { .. } => ("too_many_sign_ins", 429, "Too many sign-ins"),
        Rejection::SignatureInvalid => ("signature_invalid", 401, "Signature invalid"),
        Rejection::NotFound => ("not_found", 404, "Not found"),
        Rejection::MethodNotAllowed { .. } => ("method_not_allowed", 405, "Method not allowed"),
        Rejection::AttemptInProgress => ("attempt_in_progress", 409, "Attempt in progress"),
        Rejection::Conflict => ("conflict", 409, "Conflict"),
        Rejection::PriceChanged { .. } => ("price_changed", 409, "Price changed"),
        Rejection::ClockNotMovable => ("clock_not_movable", 400, "Clock not movable"),
        Rejection::MerchantExists => ("merchant_exists", 409, "Merchant exists"),
        Rejection::KeysDisagree => ("keys_disagree", 400, "Keys disagree"),
        Rejection::BodyTooLarge { .. } => ("body_too_large", 413, "Body too large"),
        Rejection::UnsupportedMediaType { .. } => ("unsupported_media_type", 415, "Unsupported media type"),
        Rejection::IdempotencyKeyMalformed => ("idempotency_key_malformed", 400, "Idempotency key malformed"),
        Rejection::TrackingKeyMalformed => ("tracking_key_malformed", 400, "Tracking key malformed"),
        Rejection::IdempotencyKeyReused => ("idempotency_key_reused", 422, "Idempotency key reused"),
        Rejection::Paused => ("paused", 423, "Paused"),
        Rejection::Unavailable => ("unavailable", 503, "Unavailable"),
    }
}

fn body(refused: impl Into<RefusedRequest>) -> Value {
    let refused = refused.into();
    serde_json::from_str(&refused.body("https://pay.example.com", "req-1").unwrap()).unwrap()
}

#[test]
fn every_rejection_has_its_code_status_and_title() {
    for rejection in table() {
        let (code, status, title) = expected(&rejection);
        assert_eq!((rejection.code(), rejection.status()), (code, status));
        let body = body(rejection.clone());
        let members = ["type", "title", "status", "detail", "code", "request_id"];
        assert_eq!(body["type"], format!("https://pay.example.com/b/problems/{code}/"));
        assert_eq!(
            (&body["title"], &body["status"], &body["code"], &body["request_id"]),
            (&json!(title), &json!(status), &json!(code), &json!("req-1"))
        );
        assert!(body["detail"].as_str().is_some_and(|detail| !detail.is_empty()), "{code}");
        let names: BTreeSet<_> = body.as_object().unwrap().keys().map(String::as_str).collect();
        let is_invalid = matches!(rejection, Rejection::Invalid(_) | Rejection::NotUtf8(_));
        let members = members.into_iter().chain(is_invalid.then_some("errors"));
        assert_eq!(names, members.collect(), "{code}");
    }
}

#[test]
fn a_refused_operation_or_payment_is_named_with_its_failed_result() {
    for rejection in table() {
        let (plain, named) =
            (body(rejection.clone()), body(rejection.clone().during("refund").during("void")));
        let mut expected = plain.clone();
        expected["operation"] = json!("refund");
        expected["result"] = json!("failed");
        assert_eq!(named, expected);
    }
}

#[test]
fn the_pages_of_problems_are_those_of_the_rejections() {
    let documented: BTreeSet<_> =
        PROBLEMS.iter().map(|problem| (problem.code, problem.status, problem.title)).collect();
    assert_eq!(documented, table().iter().map(expected).collect::<BTreeSet<_>>());
    assert_eq!(PROBLEMS.len(), documented.len(), "each once");
    assert!(PROBLEMS.iter().all(|problem| !problem.meaning.is_empty()));
}

#[test]
fn a_media_type_that_is_not_taken_is_answered_with_those_that_are() {
    for (takes, named) in [
        (BodyType::Json, "application/json"),
        (BodyType::Form, "application/x-www-form-urlencoded"),
        (BodyType::Multipart, "multipart/form-data"),
        (BodyType::Record, "application/json, application/x-www-form-urlencoded, multipart/form-data"),
    ] {
        let detail = body(Rejection::UnsupportedMediaType { takes })["detail"].clone();
        assert!(detail.as_str().unwrap().ends_with(named), "{detail}");
    }
    assert!(body(Rejection::MalformedForm)["detail"].as_str().unwrap().contains("boundary"));
}

#[test]
fn details_name_their_limits() {
    let detail = |rejection: &Rejection| body(rejection.clone())["detail"].as_str().unwrap().to_owned();
    assert_eq!(
        detail(&Rejection::NotPayable { state: State::Expired }),
        "the payment transaction is expired and cannot be paid"
    );
    assert_eq!(
        detail(&Rejection::NotUpdatable { state: State::Paid }),
        "the payment transaction is paid and cannot be changed"
    );
    assert_eq!(
        detail(&Rejection::OperationAmount { available: one_dinar() }),
        "the amount must be above zero and at most 1.000 KWD"
    );
    assert_eq!(
        detail(&Rejection::OperationIndivisible { available: one_dinar() }),
        "the amount must be 1.000 KWD: the gateway moves only all that is left"
    );
    assert_eq!(
        detail(&Rejection::OperationRefused { refusal: Refusal::Captured }),
        "the operation is not possible: money was captured"
    );
    assert_eq!(detail(&Rejection::BodyTooLarge { max: 4_096 }), "the body must have at most 4096 bytes");
    assert_eq!(detail(&Rejection::MethodNotAllowed { allow: "GET".into() }), "this address answers GET");
}

#[test]
fn errors_are_nested_as_the_fields_are() {
    let found = [
        Violation::new("pg_codes.0", Rule::UnknownGateway),
        Violation::new("pg_codes.2", Rule::Repeated),
        Violation::new("extra", Rule::NotObject),
        Violation::new("agreement.seller.name", Rule::Required),
        Violation::new("agreement.id", Rule::Required),
        Violation::new("agreement.id", Rule::NotText),
        Violation::new("agreement", Rule::NotObject),
    ];
    assert_eq!(
        serde_json::to_value(errors(&found)).unwrap(),
        json!({
            "pg_codes": {"0": ["must be the code of a gateway of the merchant"], "2": ["must not be given twice"]},
            "extra": ["must be an object"],
            "agreement": {
                "seller": {"name": ["is required"]},
                "id": ["is required", "must be a string"],
                "non_field_errors": ["must be an object"],
            },
        })
    );
}

#[test]
fn no_violation_is_lost_whatever_the_order_of_a_field_and_its_members() {
    let (own, inner) =
        (Violation::new("pg_codes", Rule::EmptyList), Violation::new("pg_codes.1", Rule::NotText));
    for found in [[own.clone(), inner.clone()], [inner, own]] {
        let errors = serde_json::to_string(&errors(&found)).unwrap();
        assert!(
            errors.contains("must have at least one item") && errors.contains("must be a string"),
            "{errors}"
        );
    }
}

#[test]
fn what_passes_by_itself_says_when_to_ask_again() {
    let again = |rejection: Rejection| rejection.retry_after();
    assert_eq!(again(Rejection::AttemptInProgress), Some(1));
    assert_eq!(again(Rejection::OperationInProgress), Some(1));
    assert_eq!(again(Rejection::Unavailable), Some(1));
    assert_eq!(again(Rejection::TooManyDeclines { retry_after: 900 }), Some(900));
    assert_eq!(again(Rejection::TooManyRequests { retry_after: 10 }), Some(10));
    assert_eq!(again(Rejection::Conflict), None);
}
