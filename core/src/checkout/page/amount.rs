//! The amount field of the page: it exists if the payer may choose how much to pay.
//!
//! Decision: it is filled with what they typed last: in a form that was sent just now, otherwise for the
//! attempt before, otherwise with the whole amount.

use alloc::string::{String, ToString};

use super::scene::PageScene;
use crate::payment::principal::choice;
use crate::rejection::Rejection;
use crate::value::choice::{AmountChoice, ChoiceError, PrincipalError};
use crate::value::money::Money;
use crate::violation::Rule;

/// The field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageAmountField {
    /// Its content.
    pub typed: String,
    /// What may be chosen.
    pub choice: AmountChoice,
    /// What is wrong with its content.
    pub fault: Option<ChoiceError>,
}

impl PageAmountField {
    /// The field of a scene, and the amount that is paid with its content; the whole amount if the content is
    /// wrong.
    pub(super) fn of(scene: &PageScene<'_>) -> (Option<Self>, Money) {
        let whole = scene.transaction.amount;
        let Some(choice) = choice(scene.transaction) else { return (None, whole) };
        let sent = scene.sent.and_then(|sent| sent.form.amount.clone());
        let earlier = || {
            let amount = scene.latest?.principal;
            (amount.currency() == whole.currency() && amount.minor() <= whole.minor())
                .then(|| amount.to_string())
        };
        let typed = sent.or_else(earlier).unwrap_or_else(|| whole.to_string());
        let read = choice.read_typed(&typed);
        // A payer who changes the language may still be typing.
        let is_done = scene.sent.is_none_or(|sent| sent.refusal.is_some());
        let refusal = scene.sent.and_then(|sent| sent.refusal);
        let not_charged =
            || refusal.filter(|refusal| is_not_charged(refusal)).map(|_| ChoiceError::NotCharged);
        let fault = read.err().filter(|_| is_done).or_else(not_charged);
        (Some(Self { typed, choice, fault }), read.unwrap_or(whole))
    }
}

/// Whether a form was refused because its method cannot charge the amount.
fn is_not_charged(refusal: &Rejection) -> bool {
    let Rejection::Invalid(found) = refusal else { return false };
    found.iter().any(|violation| violation.rule == Rule::Principal(PrincipalError::NotCharged))
}
