//! What KNET says about a purchase or a refund.
//!
//! An outcome counts only together with the track id and the amount, which the core compares. Errors come before results.
//! A word that is not known, and an error that does not certainly say that nothing was done, is unknown.

use alloc::string::{String, ToString};

use super::decline;
use super::fields::KnetFields;
use super::names::CURRENCY;
use crate::gateway::charge::{ChargeRef, Outcome, PgParams, Report};
use crate::gateway::check::Checked;
use crate::gateway::decline::note;
use crate::gateway::exchange::Incoming;
use crate::gateway::operation::{OperationOrder, OperationOutcome, OperationReport};
use crate::gateway::text::{is_in_the_clear, line, params};
use crate::value::money::{Currency, Money};

/// Names of the fields that are stored of an answer. Others could say who paid, or with which card.
const STORED: [&str; 16] = [
    "result",
    "auth",
    "avr",
    "ref",
    "tranid",
    "postdate",
    "trackid",
    "payid",
    "paymentid",
    "udf1",
    "udf5",
    "amt",
    "authRespCode",
    "authResponseCode",
    "error_code_tag",
    "error_service_tag",
];

/// What an answer says about the money.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MoneyVerdict {
    Taken,
    Declined,
    Canceled,
    Reversed,
}

/// The verdict of a result, and its word without the wrapping of an inquiry.
fn verdict(result: &str) -> Option<(MoneyVerdict, &'static str)> {
    let wrapped = result.strip_prefix("FAILURE(").and_then(|rest| rest.strip_suffix(')'));
    let taken = match result {
        "CAPTURED" | "SUCCESS" => Some((MoneyVerdict::Taken, "CAPTURED")),
        _ => None,
    };
    taken.or_else(|| {
        Some(match wrapped.unwrap_or(result).trim() {
            "NOT CAPTURED" => (MoneyVerdict::Declined, "NOT CAPTURED"),
            "DENIED BY RISK" => (MoneyVerdict::Declined, "DENIED BY RISK"),
            "AUTH ERROR" => (MoneyVerdict::Declined, "AUTH ERROR"),
            "NOT SUPPORTED" => (MoneyVerdict::Declined, "NOT SUPPORTED"),
            "CANCELED" | "CANCELLED" => (MoneyVerdict::Canceled, "CANCELED"),
            "VOIDED" => (MoneyVerdict::Reversed, "VOIDED"),
            _ => return None,
        })
    })
}

/// An error in place of a result.
struct KnetFault<'a> {
    /// KNET's code, if the places that give one agree.
    code: Option<&'a str>,
}

/// Whether the answer is an error.
fn fault(fields: &KnetFields) -> Option<KnetFault<'_>> {
    let text = fields.get("result").and_then(|result| result.strip_prefix("!ERROR!"));
    let in_text = text.and_then(|text| text.split('-').map(str::trim).find(|part| is_code(part)));
    let tag = fields.first(&["error_code_tag", "Error"]);
    let is_fault = text.is_some() || tag.is_some() || fields.get("ErrorText").is_some();
    let code = match (in_text, tag) {
        (Some(code), Some(tag)) => (code == tag).then_some(code),
        (code, None) => code,
        // A code next to a result that is no error says two things.
        (None, Some(tag)) => (fields.get("result").is_none() && is_code(tag)).then_some(tag),
    };
    is_fault.then_some(KnetFault { code })
}

/// `IPAY` and seven digits.
fn is_code(text: &str) -> bool {
    text.strip_prefix("IPAY")
        .is_some_and(|digits| digits.len() == 7 && digits.bytes().all(|byte| byte.is_ascii_digit()))
}

fn fields_of(answer: &Incoming) -> Option<KnetFields> {
    (answer.status == 200).then(|| KnetFields::of_answer(&answer.body)).flatten()
}

/// What an inquiry says about a charge.
pub(super) fn read_charge(charge: &ChargeRef, answer: &Incoming) -> Report {
    let reference = charge.reference.as_str();
    let Some(fields) = fields_of(answer) else { return Report::bare(reference, Outcome::Unknown) };
    match fault(&fields) {
        Some(KnetFault { code: Some(decline::NOT_FOUND) }) => Report {
            message: message(&fields),
            raw: raw(&fields),
            ..Report::bare(reference, Outcome::Absent)
        },
        Some(KnetFault { .. }) => Report::bare(reference, Outcome::Unknown),
        None => report_of(&fields, reference),
    }
}

/// The report in the fields of an answer without an error about the charge with this reference.
pub(super) fn report_of(fields: &KnetFields, reference: &str) -> Report {
    let gateway_id = fields.first(&["payid", "paymentid"]).and_then(line);
    let result = result(fields);
    let known = result.as_deref().and_then(verdict);
    // The first field of our own is returned unchanged; another value belongs to another purchase.
    let is_own = fields.get("udf1").is_none_or(|udf| udf == reference);
    let (Some(track_id), Some(total), Some((verdict, word)), true) =
        (fields.get("trackid"), amount(fields), known, is_own)
    else {
        let named = fields.get("trackid").unwrap_or_default();
        return Report { gateway_id, ..Report::bare(named, Outcome::Unknown) };
    };
    Report {
        reference: track_id.to_string(),
        total: Some(total),
        outcome: match verdict {
            MoneyVerdict::Taken => Outcome::Approved,
            MoneyVerdict::Declined => Outcome::Declined,
            MoneyVerdict::Canceled | MoneyVerdict::Reversed => Outcome::Canceled,
        },
        message: message(fields),
        gateway_id,
        params: params_of(fields, verdict, word),
        raw: raw(fields),
        card: None,
    }
}

/// What KNET says about a refund. It names the purchase, not the refund.
pub(super) fn read_refund(order: &OperationOrder, answer: &Incoming) -> OperationReport {
    let reference = order.reference.as_str();
    let bare = |outcome| OperationReport::bare(reference, outcome);
    let Some(fields) = fields_of(answer) else { return bare(OperationOutcome::Unknown) };
    if let Some(fault) = fault(&fields) {
        let Some(code) = fault.code.filter(|code| decline::is_rejection(code)) else {
            return bare(OperationOutcome::Unknown);
        };
        return OperationReport {
            message: message(&fields).or_else(|| Some(code.to_string())),
            raw: raw(&fields),
            ..bare(OperationOutcome::Refused)
        };
    }
    let result = result(&fields);
    let (outcome, verdict, word) = match result.as_deref().and_then(|result| Some((result, verdict(result)?)))
    {
        Some(("CAPTURED", (verdict, word))) => (OperationOutcome::Done, verdict, word),
        Some((_, (verdict @ MoneyVerdict::Declined, word))) => (OperationOutcome::Refused, verdict, word),
        // `SUCCESS` answers an inquiry.
        Some(_) | None => return bare(OperationOutcome::Unknown),
    };
    let (Some(track_id), Some(amount)) = (fields.get("trackid"), amount(&fields)) else {
        return bare(OperationOutcome::Unknown);
    };
    OperationReport {
        // An answer about another purchase names that one, so that the core holds it.
        reference: if track_id == order.charge.reference.as_str() { reference } else { track_id }.to_string(),
        amount: Some(amount),
        outcome,
        message: message(&fields),
        gateway_id: fields.first(&["tranid", "payid", "paymentid"]).and_then(line),
        params: params_of(&fields, verdict, word),
        raw: raw(&fields),
    }
}

/// What an inquiry about no purchase says about the credentials.
pub(super) fn read_check(answer: &Incoming) -> Checked {
    let Some(fields) = fields_of(answer) else { return Checked::Unclear };
    match fault(&fields).and_then(|fault| fault.code) {
        Some(decline::NOT_FOUND) => Checked::Accepted,
        Some(code) if decline::is_about_access(code) => Checked::Refused(message(&fields)),
        Some(_) | None => Checked::Unclear,
    }
}

/// The result, its spaces written as spaces.
fn result(fields: &KnetFields) -> Option<String> {
    fields.get("result").map(|result| result.replace('+', " "))
}

fn amount(fields: &KnetFields) -> Option<Money> {
    Money::parse(fields.get("amt")?, Currency::parse(CURRENCY)?).ok()
}

/// KNET's words; none if they could contain a card number.
fn message(fields: &KnetFields) -> Option<String> {
    let result =
        result(fields).or_else(|| fields.first(&["error_code_tag", "Error"]).map(ToString::to_string));
    line(result?.trim_start_matches("!ERROR!-")).filter(|text| !is_in_the_clear(text))
}

fn params_of(fields: &KnetFields, verdict: MoneyVerdict, word: &str) -> PgParams {
    let message = message(fields);
    let mut params = params(&[
        ("auth_code", fields.get("auth")),
        ("payment_id", fields.first(&["payid", "paymentid"])),
        ("pg_message", message.as_deref()),
        ("post_date", fields.get("postdate")),
        ("ref", fields.get("ref")),
        ("result", Some(word)),
        ("rrn", fields.get("ref")),
        ("track_id", fields.get("trackid")),
        ("transaction_id", fields.get("tranid")),
    ]);
    if verdict != MoneyVerdict::Taken {
        let code = fields.first(&["authRespCode", "authResponseCode"]);
        let (reason, code) = decline::of(word, code);
        note(&mut params, reason, code);
    }
    params
}

/// The answer as JSON, without fields that are not known.
fn raw(fields: &KnetFields) -> Option<String> {
    let mut stored = PgParams::new();
    for name in STORED {
        let Some(text) = fields.get(name).and_then(line) else { continue };
        let is_text = matches!(name, "result" | "error_code_tag" | "error_service_tag" | "udf1" | "udf5");
        if !(is_text && is_in_the_clear(&text)) {
            stored.insert(name.to_string(), text);
        }
    }
    serde_json::to_string(&stored).ok()
}
