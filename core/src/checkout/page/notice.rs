//! What went wrong, as it is said above the methods.

use super::scene::{PageScene, SentForm};
use crate::attempt::Attempt;
use crate::attempt::stage::Stage;
use crate::gateway::decline::{self, DeclineReason};
use crate::rejection::Rejection;
use crate::strings::screen::{PageStatus, PauseText, ScreenNotice};

/// The notice of a scene: of the form that was refused just now, or else of the last attempt.
pub(super) fn notice(scene: &PageScene<'_>, status: PageStatus) -> Option<ScreenNotice> {
    match scene.sent {
        Some(SentForm { form, refusal: Some(refusal) }) => match of_refusal(refusal) {
            Some(ScreenNotice::MethodUnknown) if form.pg_code.is_empty() => Some(ScreenNotice::NotChosen),
            notice => notice,
        },
        Some(SentForm { refusal: None, .. }) | None if scene.is_repriced && status.can_pay() => {
            Some(ScreenNotice::PriceChanged)
        }
        Some(SentForm { refusal: None, .. }) | None => of_last(scene, status),
    }
}

/// What is wrong with an amount is said at its field.
fn of_refusal(refusal: &Rejection) -> Option<ScreenNotice> {
    if let Rejection::Invalid(found) = refusal {
        if found.iter().any(|violation| violation.path == "consent") {
            return Some(ScreenNotice::OtherTerms);
        }
        let is_method = found.iter().any(|violation| violation.path == "pg_code");
        return is_method.then_some(ScreenNotice::MethodUnknown);
    }
    match refusal.code() {
        "card_locked" => Some(ScreenNotice::CardLocked),
        "too_many_declines" => {
            Some(ScreenNotice::TooManyDeclines(PauseText::of(refusal.retry_after().unwrap_or_default())))
        }
        code => ScreenNotice::of_code(code),
    }
}

/// What became of the last attempt, if the payer can try again.
fn of_last(scene: &PageScene<'_>, status: PageStatus) -> Option<ScreenNotice> {
    let latest = scene.latest.filter(|_| status.can_pay())?;
    match latest.stage {
        Stage::Redirected => scene.is_replaced.then_some(ScreenNotice::Replaced),
        _ if status != PageStatus::Declined => None,
        // What may have been charged is not called declined.
        _ if scene.attempts.iter().chain([latest]).any(Attempt::is_questioned) => Some(ScreenNotice::Checked),
        // Some gateways call it a decline that the payer left.
        Stage::Failed if decline::reason(&latest.params) == Some(DeclineReason::CanceledByPayer) => {
            Some(ScreenNotice::Withdrawn)
        }
        Stage::Failed => Some(ScreenNotice::Declined),
        Stage::Canceled => Some(ScreenNotice::Withdrawn),
        Stage::Error => Some(ScreenNotice::GatewayTrouble),
        Stage::Unknown => Some(ScreenNotice::PageNotOpened),
        Stage::Sending | Stage::Success | Stage::Cod => None,
    }
}
