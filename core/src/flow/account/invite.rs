//! Inviting a user to the desk, and removing the second factor of one who lost it.

use super::end::{end_of, refuse_endless};
use super::user::find;
use crate::access::Caller;
use crate::access::grantor::Grantor;
use crate::answer::operator::UserInvited;
use crate::flow::Failure;
use crate::flow::exchange::access_letter::{LinkCause, UserNotice, link, notice};
use crate::port::{Clock, DeskFactors, Ring, UserEntry, UserLinks, World};
use crate::record::audit::Entry;
use crate::rejection::Rejection;
use crate::value::id::UserId;
use crate::violation::{AccessRule, Rule, Violation};

/// Sends a user the link by which they choose a password. It takes the place of one before.
///
/// # Errors
/// [`Rejection::NotFound`], [`Rejection::PermissionMissing`] for someone who may do more than the caller,
/// [`Rejection::Invalid`] if the user cannot be written to, or a failure of the world.
pub async fn invite_user(world: &impl World, caller: &Caller, id: UserId) -> Result<UserInvited, Failure> {
    let user = changeable(world, caller, id).await?.user;
    let unreachable = || Violation::new("email", Rule::Access(AccessRule::NotReachable));
    let made = link(world, &caller.situation, &user, LinkCause::Invited)?;
    let (link, letter) = made.ok_or_else(|| Rejection::Invalid([unreachable()].into()))?;
    let entry = Entry::of(caller.actor(), "invite_own_user", world.clock().now());
    let entry = entry.about(caller.merchant()).on(id);
    world.directory().add_user_link(&link, &letter, Some(&entry)).await?;
    world.post([Ring::first(letter.id)].into());
    Ok(UserInvited { email: user.email, expires_at: link.expires_at.into(), id: user.id.0 })
}

/// Removes the second factor of a user with its recovery codes, which ends every session of the user. The next sign-in sets up
/// another. Nobody removes their own: who knows a password only would be rid of the factor.
///
/// # Errors
/// [`Rejection::NotFound`], [`Rejection::PermissionMissing`] for the caller's own and for that of someone who may do more, or a
/// failure of the world.
pub async fn reset_factor(world: &impl World, caller: &Caller, id: UserId) -> Result<(), Failure> {
    let user = changeable(world, caller, id).await?.user;
    if caller.user().is_some_and(|own| own.id == id) {
        return Err(Rejection::PermissionMissing.into());
    }
    let actor = caller.actor();
    let by = actor.name.clone().unwrap_or_else(|| actor.id.clone());
    let letter = notice(world, &caller.situation, &user, UserNotice::FactorRemoved(&by))?;
    let entry = Entry::of(actor, "reset_own_factor", world.clock().now());
    let entry = entry.about(caller.merchant()).on(id);
    if world.directory().remove_desk_factor(id, &entry, letter.as_ref()).await? {
        world.post(letter.map(|letter| Ring::first(letter.id)).into_iter().collect());
    }
    Ok(())
}

/// A user of the merchant whom the caller may change.
async fn changeable(world: &impl World, caller: &Caller, id: UserId) -> Result<UserEntry, Failure> {
    let found = find(world, caller.merchant(), id).await?;
    let grantor = Grantor::Merchant(caller);
    grantor.may_change((!found.user.is_superuser).then_some(&found.user.permissions))?;
    refuse_endless(end_of(world, caller.merchant(), grantor).await?)?;
    Ok(found)
}
