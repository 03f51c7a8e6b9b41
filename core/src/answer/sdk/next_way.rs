//! The other way to pay that an SDK offers after a soft decline: the one that the hosted page offers.

use alloc::string::ToString;

use super::SdkScene;
use crate::answer::billing::billing;
use crate::payment::next_way::{TriedSoFar, next_way};
use crate::payment::principal::{choice, chosen_before};
use crate::sdk::session::NextWayShown;

/// The offer; `None` if there is none.
pub(super) fn shown(scene: &SdkScene<'_>) -> Option<NextWayShown> {
    let SdkScene { transaction, latest, attempts, situation, .. } = *scene;
    let latest = latest?;
    let principal = chosen_before(transaction, latest);
    let way = next_way(transaction, situation, TriedSoFar { latest, attempts, principal })?;
    let quote = way.profile.quote(principal)?;
    Some(NextWayShown {
        amount: choice(transaction).map(|_| principal.to_string()),
        billing: billing(transaction, Some((way.profile, quote))),
        code: way.profile.code.clone(),
        is_same: way.is_same,
        name: way.profile.name.text(transaction.details.language()).to_string(),
    })
}
