//! Disputes: Adyen reports each step of one in an item that it signs, and cannot be asked how it is.

use alloc::string::String;

use serde_json::value::RawValue;

use super::details::is_id;
use crate::gateway::dispute::{Dispute, DisputeStatus, code};
use crate::value::money::Money;
use crate::value::time::Timestamp;
use crate::wire::json;
use crate::wire::members::Members;

/// What an item says of a dispute outside of `additionalData`.
pub(super) struct DisputeFacts<'f> {
    pub(super) event: &'f str,
    pub(super) psp_reference: &'f str,
    pub(super) amount: Option<Money>,
    pub(super) date: Option<&'f str>,
}

/// What is added to it.
#[derive(Default)]
struct DisputeDetails {
    status: Option<String>,
    reason: Option<String>,
    answer_until: Option<Timestamp>,
    /// Nothing can be answered.
    is_indefensible: bool,
}

impl DisputeDetails {
    fn of(item: &RawValue) -> Self {
        let added = Members::of(item).and_then(|item| item.get("additionalData")).and_then(Members::of);
        let Some(members) = added else { return Self::default() };
        let text =
            |name: &str| members.get(name).and_then(json::text_of).map(|text| String::from(text.trim()));
        let reason = ["chargebackReasonCode", "rfiReasonCode"].into_iter().find_map(text);
        Self {
            status: text("disputeStatus"),
            reason: reason.as_deref().and_then(code),
            answer_until: text("defensePeriodEndsAt").and_then(|end| Timestamp::parse(&end)),
            is_indefensible: text("defendable").is_some_and(|word| word == "false"),
        }
    }
}

/// The dispute that an item is about; `None` if it is about none.
pub(super) fn read(facts: &DisputeFacts<'_>, item: &RawValue) -> Option<Dispute> {
    let details = DisputeDetails::of(item);
    let status = status(facts.event, details.status.as_deref().unwrap_or_default())?;
    let is_answerable = status != DisputeStatus::NeedsAnswer || !details.is_indefensible;
    // What has no date that can be read is older than anything that has one.
    let said_at = facts.date.and_then(Timestamp::parse).unwrap_or(Timestamp::from_millis(0));
    Some(Dispute {
        id: Some(facts.psp_reference).filter(|id| is_id(id))?.into(),
        status: if is_answerable { status } else { DisputeStatus::UnderReview },
        reason: details.reason,
        amount: facts.amount,
        answer_until: details.answer_until,
        said_at: Some(said_at),
    })
}

/// An event that ends a dispute says so itself. Any other has a word for it, except from Brazil.
fn status(event: &str, word: &str) -> Option<DisputeStatus> {
    let usual = match event {
        "REQUEST_FOR_INFORMATION" | "NOTIFICATION_OF_CHARGEBACK" | "CHARGEBACK" | "PREARBITRATION_OPEN" => {
            DisputeStatus::NeedsAnswer
        }
        "INFORMATION_SUPPLIED"
        | "CHARGEBACK_REVERSED"
        | "PREARBITRATION_ACCEPTED"
        | "PREARBITRATION_DECLINED"
        | "PREARBITRATION_ISSUER_WITHDRAWN"
        | "SCHEME_ARBITRATION" => DisputeStatus::UnderReview,
        "ISSUER_RESPONSE_TIMEFRAME_EXPIRED" | "PREARBITRATION_WON" | "SCHEME_ARBITRATION_WON" => {
            return Some(DisputeStatus::Won);
        }
        "SECOND_CHARGEBACK"
        | "PREARBITRATION_LOST"
        | "SCHEME_ARBITRATION_LOST"
        | "DISPUTE_DEFENSE_PERIOD_ENDED" => return Some(DisputeStatus::Lost),
        _ => return None,
    };
    Some(match word {
        "Undefended" | "Unresponded" => DisputeStatus::NeedsAnswer,
        "Pending" | "Responded" => DisputeStatus::UnderReview,
        "Won" => DisputeStatus::Won,
        // A bank that only asked has taken nothing.
        "Expired" if event == "REQUEST_FOR_INFORMATION" => DisputeStatus::Closed,
        "Lost" | "Accepted" | "Expired" => DisputeStatus::Lost,
        _ => usual,
    })
}
