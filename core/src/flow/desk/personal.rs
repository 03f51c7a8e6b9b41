//! Showing who payers are is recorded.

use core::time::Duration;

use crate::access::Caller;
use crate::desk::route::DeskRoute;
use crate::flow::Failure;
use crate::port::{Journal, World};
use crate::record::audit::Entry;

/// The action of the audit.
const SHOWN: &str = "show_personal_data";
/// For how long a user is shown the same again without another entry.
const ONCE_IN: Duration = Duration::from_hours(1);

/// Records that a page shows someone who payers are: once an hour for each user and page, whatever its query says.
/// What cannot be recorded is not shown.
///
/// # Errors
/// If the store fails.
pub async fn note_personal(world: &impl World, caller: &Caller, route: &DeskRoute) -> Result<(), Failure> {
    if !route.shows_payers() || !caller.sees_personal_data() {
        return Ok(());
    }
    let now = caller.situation.real_now();
    let entry = Entry::of(caller.actor(), SHOWN, now).about(caller.merchant()).on(route.path());
    Ok(world.directory().record_unless_since(&entry, now.minus(ONCE_IN)).await?)
}
