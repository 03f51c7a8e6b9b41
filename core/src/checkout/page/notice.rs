//! What went wrong, as it is said above the methods.

use super::scene::{Scene, SentForm};
use crate::attempt::stage::Stage;
use crate::gateway::decline::{self, Reason};
use crate::rejection::Rejection;
use crate::strings::screen::{Notice, PageStatus, Pause};

/// The notice of a scene: of the form that was refused just now, or else of the last attempt.
pub(super) fn notice(scene: &Scene<'_>, status: PageStatus) -> Option<Notice> {
    match scene.sent {
        Some(SentForm { form, refusal: Some(refusal) }) => match of_refusal(refusal) {
            Some(Notice::MethodUnknown) if form.pg_code.is_empty() => Some(Notice::NotChosen),
            notice => notice,
        },
        Some(SentForm { refusal: None, .. }) | None if scene.is_repriced && status.can_pay() => {
            Some(Notice::PriceChanged)
        }
        Some(SentForm { refusal: None, .. }) | None => of_last(scene, status),
    }
}

/// What is wrong with an amount is said at its field.
fn of_refusal(refusal: &Rejection) -> Option<Notice> {
    if let Rejection::Invalid(found) = refusal {
        if found.iter().any(|violation| violation.path == "consent") {
            return Some(Notice::OtherTerms);
        }
        let is_method = found.iter().any(|violation| violation.path == "pg_code");
        return is_method.then_some(Notice::MethodUnknown);
    }
    match refusal.code() {
        "attempt_in_progress" | "conflict" => Some(Notice::InProgress),
        "price_changed" => Some(Notice::PriceChanged),
        "too_many_attempts" => Some(Notice::TooManyAttempts),
        "card_locked" => Some(Notice::CardLocked),
        "too_many_declines" => {
            Some(Notice::TooManyDeclines(Pause::of(refusal.retry_after().unwrap_or_default())))
        }
        _ => None,
    }
}

/// What became of the last attempt, if the payer can try again.
fn of_last(scene: &Scene<'_>, status: PageStatus) -> Option<Notice> {
    let latest = scene.latest.filter(|_| status.can_pay())?;
    match latest.stage {
        Stage::Redirected => scene.is_replaced.then_some(Notice::Replaced),
        _ if status != PageStatus::Declined => None,
        // Some gateways call it a decline that the payer left.
        Stage::Failed if decline::reason(&latest.params) == Some(Reason::CanceledByPayer) => {
            Some(Notice::Withdrawn)
        }
        Stage::Failed => Some(Notice::Declined),
        Stage::Canceled => Some(Notice::Withdrawn),
        Stage::Error => Some(Notice::GatewayTrouble),
        Stage::Unknown => Some(Notice::PageNotOpened),
        Stage::Sending | Stage::Success | Stage::Cod => None,
    }
}
