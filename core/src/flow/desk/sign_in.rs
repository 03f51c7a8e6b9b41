//! Signing in at the desk.
//!
//! Decision: a name that nobody has and a wrong password are refused alike, by the flow that signs in callers of the API, and
//! counted together with theirs.

use alloc::string::String;

use super::session::{Entrance, enter};
use crate::access::header::ClaimedLogin;
use crate::desk::session::SessionSecret;
use crate::flow::Failure;
use crate::flow::caller::sign_in as of_password;
use crate::port::{Clock, World};
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
    // 2 to 4
    let before = login.before.map(SessionSecret::id);
    let is_test = found.merchant.settings.is_test();
    let entrance = Entrance {
        found: &found,
        device: login.device,
        language: login.language,
        before: before.as_ref(),
        issuer: None,
    };
    let now = world.clock().now();
    enter(world, entrance, |has_factor| (!has_factor && is_test).then_some(now)).await
}
