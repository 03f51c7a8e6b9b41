//! How a request for approval is shown.

use crate::approval::stage::ApprovalState;
use crate::strings::desk::ApprovalWords;

/// A state in words.
#[must_use]
pub const fn state_name(state: ApprovalState, words: &ApprovalWords) -> &'static str {
    let [asked, approved, done, failed, rejected, withdrawn, expired] = words.states;
    match state {
        ApprovalState::Asked => asked,
        ApprovalState::Approved => approved,
        ApprovalState::Done => done,
        ApprovalState::Failed => failed,
        ApprovalState::Rejected => rejected,
        ApprovalState::Withdrawn => withdrawn,
        ApprovalState::Expired => expired,
    }
}
