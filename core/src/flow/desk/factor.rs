//! The second factor: setting one up, giving it to sign in, and giving it again before what needs a fresh one.
//!
//! Decisions: a factor is stored with its first code, never before, so that nobody is locked out by a picture that no app has
//! read. What was offered travels sealed in the form. A user who has none, of a merchant in test mode, gives the password in
//! its place. Each time a factor is given the session gets another secret.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::session::{begin, renew};
use super::visit::Visitor;
use crate::access::header::ClaimedLogin;
use crate::desk::factor::{
    DeskFactor, MOST_CODES, RECOVERY_BYTES, RECOVERY_CODES, recovery_code, recovery_hash,
};
use crate::desk::session::SessionSecret;
use crate::desk::totp::{SECRET_BYTES, TotpSecret};
use crate::flow::Failure;
use crate::flow::caller::sign_in;
use crate::port::{Clock, DeskFactors, FoundUser, Limited, PortError, Rng, TrySubject, Users, Vault, World};
use crate::record::audit::Entry;
use crate::rejection::Rejection;
use crate::value::digest::digest;
use crate::value::sealed::Sealed;

/// A factor that is offered to a user.
#[derive(Debug)]
pub struct OfferedFactor {
    /// The secret.
    pub secret: TotpSecret,
    /// The same, sealed for this user, for the form that confirms it.
    pub sealed: String,
}

/// A factor that was set up.
#[derive(Debug)]
pub struct ConfirmedFactor {
    /// The recovery codes, which are shown once.
    pub recovery: Vec<String>,
    /// The secret of the session that goes on.
    pub session: SessionSecret,
}

/// Offers a new secret. Nothing is stored.
///
/// # Errors
/// If the world fails.
pub fn offer_factor(world: &impl World, visitor: &Visitor) -> Result<OfferedFactor, Failure> {
    let mut random = [0; SECRET_BYTES];
    world.rng().fill(&mut random)?;
    let secret = TotpSecret::of(random);
    let text = format!("{}:{}", visitor.session.user, secret.text());
    let sealed = world.vault().seal(visitor.caller.merchant(), &text)?;
    Ok(OfferedFactor { secret, sealed: sealed.0 })
}

/// What a form offers back: the secret, if it was offered to this user.
#[must_use]
pub fn offered_factor(world: &impl World, visitor: &Visitor, sealed: &str) -> Option<OfferedFactor> {
    let opened = world.vault().open(visitor.caller.merchant(), &Sealed::recognise(sealed)?).ok()?;
    let (user, secret) = opened.split_once(':')?;
    let secret = (user == visitor.session.user.to_string()).then(|| TotpSecret::parse(secret))??;
    Some(OfferedFactor { secret, sealed: sealed.into() })
}

/// Sets up a factor whose first code is given; `None` if the code is wrong:
///
/// 1. count the try;
/// 2. compare the code;
/// 3. store the factor with new recovery codes, which ends every session;
/// 4. begin the session again.
///
/// # Errors
/// [`Rejection::TooManySignIns`], or a failure of the world.
pub async fn confirm_factor(
    world: &impl World,
    visitor: &Visitor,
    offered: &OfferedFactor,
    code: &str,
) -> Result<Option<ConfirmedFactor>, Failure> {
    let now = world.clock().now();
    // 1
    let counted = count(world, visitor).await?;
    // 2
    let Some(step) = offered.secret.step_of(code, now) else { return Ok(None) };
    world.directory().take_back_tries(&counted).await?;
    // 3
    let user = visitor.session.user;
    let mut recovery = Vec::with_capacity(RECOVERY_CODES);
    for _ in 0..RECOVERY_CODES {
        let mut random = [0; RECOVERY_BYTES];
        world.rng().fill(&mut random)?;
        recovery.push(recovery_code(random));
    }
    let factor = DeskFactor {
        secret: world.vault().seal(visitor.caller.merchant(), &offered.secret.text())?,
        used_step: step,
        recovery: recovery.iter().map(|code| recovery_hash(user, code)).collect(),
    };
    let entry =
        Entry::of(visitor.caller.actor(), "set_factor", now).about(visitor.caller.merchant()).on(user);
    world.directory().set_desk_factor(user, &factor, &entry).await?;
    // 4
    let mut session = visitor.session.clone();
    session.factor_at = Some(now);
    let session = begin(world, session).await?;
    Ok(Some(ConfirmedFactor { recovery, session }))
}

/// Judges what a visitor gives as a factor; the secret with which the session goes on, or `None` if it is wrong:
///
/// 1. a user without a second factor gives the password, where that is enough;
/// 2. otherwise count the try, and compare a code of the app, or a recovery code: each counts once;
/// 3. the session gets another secret.
///
/// # Errors
/// [`Rejection::TooManySignIns`], or a failure of the world.
pub async fn give_factor(
    world: &impl World,
    visitor: &Visitor,
    given: &str,
) -> Result<Option<SessionSecret>, Failure> {
    let user = visitor.session.user;
    let is_right = match world.directory().desk_factor(user).await? {
        // 1
        None => visitor.caller.situation.settings.is_test() && is_password(world, visitor, given).await?,
        // 2
        Some(factor) => {
            let counted = count(world, visitor).await?;
            let is_right = is_code(world, visitor, &factor, given).await?;
            if is_right {
                world.directory().take_back_tries(&counted).await?;
            }
            is_right
        }
    };
    if !is_right {
        return Ok(None);
    }
    // 3
    renew(world, visitor).await.map(Some)
}

async fn is_password(world: &impl World, visitor: &Visitor, given: &str) -> Result<bool, Failure> {
    let Some(user) = visitor.caller.user() else { return Ok(false) };
    let Some(login) = ClaimedLogin::of(&user.username, given) else { return Ok(false) };
    match sign_in(world, &login, None).await {
        Ok(FoundUser { user: found, .. }) => Ok(found.id == visitor.session.user),
        Err(Failure::Refused(refused)) if refused.rejection == Rejection::CredentialsInvalid => Ok(false),
        Err(failure) => Err(failure),
    }
}

async fn is_code(
    world: &impl World,
    visitor: &Visitor,
    factor: &DeskFactor,
    given: &str,
) -> Result<bool, Failure> {
    let user = visitor.session.user;
    let secret = world.vault().open(visitor.caller.merchant(), &factor.secret)?;
    let unreadable = || PortError { port: "vault", detail: "a factor cannot be read".into() };
    let secret = TotpSecret::parse(&secret).ok_or_else(unreadable)?;
    let digits: String = given.chars().filter(|letter| !letter.is_whitespace()).collect();
    if let Some(step) = secret.step_of(&digits, world.clock().now()) {
        return Ok(world.directory().use_desk_step(user, step).await?);
    }
    Ok(world.directory().use_desk_recovery(user, &recovery_hash(user, given)).await?)
}

/// Counts a try of a code; for what.
async fn count(world: &impl World, visitor: &Visitor) -> Result<Vec<TrySubject>, Failure> {
    let now = world.clock().now();
    let key = digest(&["desk code", &visitor.session.user.to_string()]);
    let subjects = Vec::from([TrySubject { key, most: MOST_CODES }]);
    if let Some(until) = world.directory().count_tries(&subjects, now).await? {
        let retry_after = until.since(now).as_secs().saturating_add(1);
        world.limited(&Limited {
            limit: "desk_codes",
            merchant: Some(visitor.caller.merchant()),
            retry_after,
        });
        return Err(Rejection::TooManySignIns { retry_after }.into());
    }
    Ok(subjects)
}
