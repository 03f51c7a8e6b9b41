//! Which subject of a provider a user is.
//!
//! Decision: a provider may let people choose the name that is in their tokens, but never gives a subject to another person.
//! So the first sign-in binds the user to the subject of its token, and no other subject of that provider is the user from
//! then on. Who manages the users unbinds one whose account at the provider was made again. A user who has a password here is
//! that of a token only if the settings say so: else the provider would decide about users whom it did not make.

use alloc::format;

use crate::port::{FoundUser, PortError, UserKey, Users, World};

/// Whether a subject of the merchant's provider is this user, who is bound to it if they are bound to none.
///
/// # Errors
/// If the store fails.
pub(in crate::flow::caller) async fn is_subject(
    world: &impl World,
    found: &FoundUser,
    subject: &str,
) -> Result<bool, PortError> {
    let Some(own) = &found.merchant.settings.single_sign_on else { return Ok(false) };
    if found.password.is_some() && !own.accepts_users_with_password {
        return Ok(false);
    }
    let named = format!("{} {subject}", own.issuer);
    let bound = found.provider_subject.as_deref();
    if let Some(bound) = bound.filter(|bound| issuer_of(bound) == own.issuer) {
        return Ok(bound == named);
    }
    // Another provider of the merchant named the user before, or none did.
    if world.directory().bind_user(found.user.id, bound, &named).await? {
        return Ok(true);
    }
    let again = world.directory().user(UserKey::Id(found.user.id), None).await?;
    Ok(again.is_some_and(|again| again.provider_subject.as_deref() == Some(&*named)))
}

/// An issuer is an address and has no space; a subject may have some.
fn issuer_of(bound: &str) -> &str {
    bound.split_once(' ').map_or(bound, |(issuer, _)| issuer)
}
