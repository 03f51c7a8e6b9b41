//! The other way to pay that the page offers after a soft decline.

use alloc::string::{String, ToString};

use super::method::gateway_method;
use super::scene::PageScene;
use crate::payment::next_way::{TriedSoFar, next_way};
use crate::strings::screen::ScreenNotice;
use crate::value::money::Money;
use crate::words::Language;

/// A way to pay that one press takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NextOffer {
    /// What the form sends.
    pub code: String,
    /// The name of the method.
    pub name: String,
    /// What the payer pays.
    pub total: Money,
    /// What the form sends back about that price.
    pub shown: String,
    /// How much of the order, if the payer may choose that.
    pub amount: Option<String>,
    /// Whether it is the method that was declined, through another gateway.
    pub is_same: bool,
}

impl NextOffer {
    /// The offer of a page that says that a payment was declined; `None` if there is none.
    pub(super) fn of(
        scene: &PageScene<'_>,
        notice: Option<ScreenNotice>,
        (principal, is_editable): (Money, bool),
        language: Language,
    ) -> Option<Self> {
        let latest = scene.latest.filter(|_| notice == Some(ScreenNotice::Declined))?;
        let tried = TriedSoFar { latest, attempts: scene.attempts, principal };
        let way = next_way(scene.transaction, scene.situation, tried)?;
        let method = gateway_method(scene, way.profile, principal, language)?;
        Some(Self {
            total: method.quote.total,
            shown: method.shown(is_editable),
            code: method.code,
            name: method.name,
            amount: is_editable.then(|| principal.to_string()),
            is_same: way.is_same,
        })
    }
}
