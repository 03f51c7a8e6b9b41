//! Signing in by name and password.
//!
//! Decisions: a name that nobody has is answered exactly like a wrong password, after the same work, and counted in the
//! same way. Tries are counted before the password is looked at, so that many at once are not more than one after the
//! other. A sign-in that was right is remembered for a minute in the isolate, because hashing takes longer than all else;
//! the stored hash belongs to what is remembered, so that another password ends it at once.
//!
//! A user who has no password here is one of the merchant's provider, if the merchant says that it takes passwords. The
//! provider decides, and learns the password; that it changed there is noticed within the minute.

mod proof;
mod tried;

use alloc::vec::Vec;

use self::tried::SignInTry;
use super::sign_on::{self, Refused};
use crate::access::header::ClaimedLogin;
use crate::access::password::NOBODYS;
use crate::access::user::folded;
use crate::flow::Failure;
use crate::port::{Clock, FoundUser, Limited, UserKey, Users, World};
use crate::rejection::Rejection;
use crate::value::id::SessionId;
use crate::value::time::Timestamp;
use proof::Proof;

/// The user who has this name and this password:
///
/// 1. find the user; a sign-in that was right a short while ago is right;
/// 2. count the try; too many are refused whether or not there is such a user, unless the name signed in rightly from the
///    same network of late, or the same sign-in was found right meanwhile: a server sends many requests at once;
/// 3. compare the password, or ask the provider; with nobody's if there is no user, or the user was switched off;
/// 4. take the count back if it is right, or if nobody could say so, and note the network of one that is right.
///
/// # Errors
/// [`Rejection::CredentialsInvalid`], [`Rejection::TooManySignIns`], or a failure of the world.
pub(in crate::flow) async fn sign_in(
    world: &impl World,
    login: &ClaimedLogin,
    named: Option<&SessionId>,
) -> Result<FoundUser, Failure> {
    // 1
    let name = folded(&login.username);
    let found = world.directory().user(UserKey::Name(&name), named).await?;
    let found = found.filter(|found| found.is_active).and_then(|found| Some((Proof::of(&found)?, found)));
    let proof = found.as_ref().map_or(Proof::Hash(NOBODYS.into()), |(proof, _)| proof.clone());
    let mark = mark(&name, login, proof.text());
    let is_recalled = || found.is_some() && world.recalls_sign_in(&mark);
    let mut is_right = is_recalled();
    if !is_right {
        // 2
        let now = world.clock().now();
        let tried = SignInTry::of(world, &name, &proof);
        let counted = tried.count(world, now).await?;
        is_right = is_recalled();
        if let Some(until) = counted.blocked_until.filter(|_| !is_right) {
            let retry_after = until.since(now).as_secs().saturating_add(1);
            world.limited(&Limited { limit: "sign_ins", merchant: None, retry_after });
            return Err(Rejection::TooManySignIns { retry_after }.into());
        }
        // 3
        let judged = match (&proof, &found) {
            _ if is_right => Ok(true),
            (Proof::Provider { .. }, Some((_, found))) => is_users(world, found, login, now).await,
            (proof, found) => Ok(login.password.matches(proof.text()) && found.is_some()),
        };
        // 4
        if judged == Ok(true) {
            // Before anything is waited for: the same sign-in may come many times at once.
            world.remember_sign_in(&mark);
        }
        if judged != Ok(false) {
            // Who has the right password is not refused because a count stays.
            let _ = world.directory().take_back_tries(&counted.subjects).await;
        }
        if let (Ok(true), Some(place)) = (&judged, &tried.place) {
            // Nor because a place is not noted.
            let _ = world.directory().note_place(place, now).await;
        }
        is_right = judged?;
    }
    Ok(found.map(|(_, found)| found).filter(|_| is_right).ok_or(Rejection::CredentialsInvalid)?)
}

/// Whether the provider of the merchant says that a name and a password are this user's.
async fn is_users(
    world: &impl World,
    found: &FoundUser,
    login: &ClaimedLogin,
    now: Timestamp,
) -> Result<bool, Failure> {
    let exchanged = sign_on::Login { username: &login.username, password: login.password.text() };
    match sign_on::exchange(world, &found.merchant.settings, exchanged, now).await {
        Ok(claims) if folded(&claims.username) != folded(&found.user.username) => Ok(false),
        Ok(claims) => Ok(sign_on::is_subject(world, found, &claims.subject).await?),
        Err(Refused::Fault(_)) => Ok(false),
        Err(Refused::World(error)) => Err(error.into()),
    }
}

/// What is remembered of a sign-in: name, password and by what it was judged, each with its length.
fn mark(name: &str, login: &ClaimedLogin, stored: &str) -> Vec<u8> {
    let mut mark = Vec::new();
    for part in [name, login.password.text(), stored] {
        mark.extend_from_slice(&u64::try_from(part.len()).unwrap_or(u64::MAX).to_be_bytes());
        mark.extend_from_slice(part.as_bytes());
    }
    mark
}
