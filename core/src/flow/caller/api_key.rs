//! To whom an API key belongs.

use core::time::Duration;

use crate::access::Caller;
use crate::access::key::ApiKey;
use crate::port::{Clock, KeyHolder, Keyring, PortError, World};
use crate::value::id::SessionId;
use crate::value::time::Timestamp;

/// How exact it is noted when a key was used last.
const NOTED_EVERY: Duration = Duration::from_hours(1);

/// To whom a key belongs. For what is `stored_at_once` it is enough that this is remembered: the batch proves it.
pub(super) async fn holder(
    world: &impl World,
    key: &ApiKey,
    named: Option<&SessionId>,
    stored_at_once: bool,
) -> Result<Option<Caller>, PortError> {
    let now = world.clock().now();
    let recalled = if stored_at_once { world.directory().recall(key, now) } else { None };
    if let Some(KeyHolder { caller, .. }) = recalled.filter(|known| !is_to_be_noted(known.used_at, now)) {
        return Ok(Some(caller));
    }
    let Some(KeyHolder { caller, used_at }) = world.directory().caller(key, now, named).await? else {
        return Ok(None);
    };
    if is_to_be_noted(used_at, now) {
        // A key that works is not refused because this cannot be noted.
        let _ = world.directory().note_use(caller.merchant(), key.prefix(), now).await;
    }
    Ok(Some(caller))
}

/// Whether the use of a key is noted: at most once an hour.
pub(super) fn is_to_be_noted(used_at: Option<Timestamp>, now: Timestamp) -> bool {
    used_at.is_none_or(|at| at.plus(NOTED_EVERY) <= now)
}
