//! Remembering from which devices a user signs in.
//!
//! Decision: a device is what its browser and system call themselves, as it is shown in the list of sessions; networks change
//! with every walk. The first device of a user is no news to them.

use alloc::string::ToString;

use super::access_link::actor;
use crate::flow::Failure;
use crate::flow::exchange::access_letter::{UserNotice, notice};
use crate::port::{Clock, FoundUser, KnownDevice, Ring, UserDevices, World};
use crate::record::audit::Entry;
use crate::value::digest::digest;

/// Notes from which device a user gives the right password. Another than before is written to the audit, and to the user.
///
/// # Errors
/// If the world fails.
pub(super) async fn note_device(world: &impl World, found: &FoundUser, device: &str) -> Result<(), Failure> {
    let (user, now) = (&found.user, world.clock().now());
    let key = digest(&["desk device", &user.id.to_string(), device]);
    let known = world.directory().user_device(user.id, &key).await?;
    let letter = match known {
        KnownDevice::Known => return Ok(world.directory().note_user_device(user.id, &key, now).await?),
        KnownDevice::First => None,
        KnownDevice::New => {
            notice(world, &found.merchant.clone().at(now), user, UserNotice::NewDevice(device))?
        }
    };
    let entry = Entry::of(actor(user.id, &user.username), "new_device", now);
    let entry = entry.about(&found.merchant.settings.merchant).on(user.id).to(&[device]);
    world.directory().add_user_device(user.id, &key, &entry, letter.as_ref()).await?;
    world.post(letter.map(|letter| Ring::first(letter.id)).into_iter().collect());
    Ok(())
}
