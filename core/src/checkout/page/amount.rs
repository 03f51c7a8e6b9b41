//! The amount field of the page: there where the payer may choose how much to pay.
//!
//! Decision: it is filled with what he typed last: in a form that was refused just now, else for the attempt before,
//! else with the whole amount.

use alloc::string::{String, ToString};

use super::Scene;
use crate::payment::principal::choice;
use crate::value::choice::{Choice, ChoiceError};
use crate::value::money::Money;

/// The field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AmountField {
    /// What stands in it.
    pub typed: String,
    /// What may be chosen.
    pub choice: Choice,
    /// What is wrong with what stands in it.
    pub fault: Option<ChoiceError>,
}

impl AmountField {
    /// The field of a scene, and the amount that is paid with what stands in it; the whole amount where it is wrong.
    pub(super) fn of(scene: &Scene<'_>) -> (Option<Self>, Money) {
        let whole = scene.transaction.amount;
        let Some(choice) = choice(scene.transaction) else { return (None, whole) };
        let refused = scene.refused.and_then(|refused| refused.form.amount.clone());
        let earlier = || {
            let amount = scene.latest?.principal;
            (amount.currency() == whole.currency() && amount.minor() <= whole.minor())
                .then(|| amount.to_string())
        };
        let typed = refused.or_else(earlier).unwrap_or_else(|| whole.to_string());
        let read = choice.read_typed(&typed);
        (Some(Self { typed, choice, fault: read.err() }), read.unwrap_or(whole))
    }
}
