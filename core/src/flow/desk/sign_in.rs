//! Signing in at the desk.
//!
//! Decision: a name that nobody has and a wrong password are refused alike, by the flow that signs in callers of the API, and
//! counted together with theirs.

use alloc::string::String;

use super::device::note_device;
use super::session::begin;
use crate::access::header::ClaimedLogin;
use crate::desk::session::{DeskSession, DeskSessionId, SessionSecret, rights_mark};
use crate::flow::Failure;
use crate::flow::caller::sign_in as of_password;
use crate::port::{Clock, DeskFactors, DeskSessions, World};
use crate::rejection::Rejection;
use crate::words::Language;

/// What someone types to sign in, and what is known of their browser.
#[derive(Debug)]
pub struct DeskLogin<'a> {
    /// The name.
    pub username: &'a str,
    /// The password.
    pub password: &'a str,
    /// From what device.
    pub device: String,
    /// In which language the desk is shown to a user who prefers none.
    pub language: Language,
    /// The session that the browser had.
    pub before: Option<&'a SessionSecret>,
}

/// Begins a session:
///
/// 1. find the user, whose password it is;
/// 2. note the device: another than before is news to the user;
/// 3. end the session that the browser had: who comes after someone else has a session of their own;
/// 4. store a new one, whose secret nobody knew before. The password is enough only for a user without a second factor, of a
///    merchant in test mode; otherwise the session has to be completed by a factor.
///
/// # Errors
/// [`Rejection::CredentialsInvalid`], [`Rejection::TooManySignIns`], or a failure of the world.
pub async fn sign_in(world: &impl World, login: DeskLogin<'_>) -> Result<SessionSecret, Failure> {
    // 1
    let claimed = ClaimedLogin::of(login.username, login.password).ok_or(Rejection::CredentialsInvalid)?;
    let found = of_password(world, &claimed, None).await?;
    // 2
    note_device(world, &found, &login.device).await?;
    // 3
    if let Some((session, _)) = match login.before {
        Some(secret) => world.directory().desk_session(&secret.id(), None).await?,
        None => None,
    } {
        world.directory().end_desk_session(session.user, &session.id).await?;
    }
    // 4
    let now = world.clock().now();
    let has_factor = world.directory().desk_factor(found.user.id).await?.is_some();
    let is_enough = !has_factor && found.merchant.settings.is_test();
    let session = DeskSession {
        id: DeskSessionId::default(),
        user: found.user.id,
        rights: rights_mark(&found.user, found.epoch),
        device: login.device,
        language: Some(found.user.preferences.language.unwrap_or(login.language)),
        created_at: now,
        seen_at: now,
        factor_at: is_enough.then_some(now),
        has_factor,
    };
    begin(world, session).await
}
