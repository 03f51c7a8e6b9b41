//! Beginning and ending sessions.

use alloc::string::String;
use alloc::vec::Vec;

use super::device::note_device;
use super::visit::Visitor;
use crate::desk::session::{DeskSession, DeskSessionId, SECRET_BYTES, SessionSecret, rights_mark};
use crate::flow::Failure;
use crate::port::{Clock, DeskFactors, DeskSessions, FoundUser, Rng, World};
use crate::value::time::Timestamp;
use crate::words::Language;

/// Someone who proved who they are.
pub(super) struct Entrance<'a> {
    /// The user.
    pub(super) found: &'a FoundUser,
    /// From what device.
    pub(super) device: String,
    /// In which language the desk is shown to someone who has chosen none.
    pub(super) language: Language,
    /// The session that the browser had.
    pub(super) before: Option<&'a DeskSessionId>,
    /// The provider at which they signed in; `None` for a password.
    pub(super) issuer: Option<String>,
}

/// Lets someone in:
///
/// 1. note the device: another than before is news to the user;
/// 2. end the session that the browser had: who comes after someone else has a session of their own;
/// 3. store a new one, whose secret nobody knew before. `factor_at` says when a factor was given, for a user who has one here or
///    has none.
pub(super) async fn enter(
    world: &impl World,
    entrance: Entrance<'_>,
    factor_at: impl FnOnce(bool) -> Option<Timestamp>,
) -> Result<SessionSecret, Failure> {
    // 1
    note_device(world, entrance.found, &entrance.device).await?;
    // 2
    if let Some((session, _)) = match entrance.before {
        Some(id) => world.directory().desk_session(id, None).await?,
        None => None,
    } {
        world.directory().end_desk_session(session.user, &session.id).await?;
    }
    // 3
    let now = world.clock().now();
    let user = &entrance.found.user;
    let has_factor = world.directory().desk_factor(user.id).await?.is_some();
    let session = DeskSession {
        id: DeskSessionId::default(),
        user: user.id,
        rights: rights_mark(user, entrance.found.epoch),
        device: entrance.device,
        language: Some(user.preferences.language.unwrap_or(entrance.language)),
        created_at: now,
        seen_at: now,
        factor_at: factor_at(has_factor),
        has_factor,
        issuer: entrance.issuer,
    };
    begin(world, session).await
}

/// Stores the session of a visitor who gave a factor just now, under another secret.
pub(super) async fn renew(world: &impl World, visitor: &Visitor) -> Result<SessionSecret, Failure> {
    world.directory().end_desk_session(visitor.session.user, &visitor.session.id).await?;
    let mut session = visitor.session.clone();
    session.factor_at = Some(world.clock().now());
    begin(world, session).await
}

/// Stores a session under a secret that nobody knew before.
pub(super) async fn begin(world: &impl World, mut session: DeskSession) -> Result<SessionSecret, Failure> {
    let mut random = [0; SECRET_BYTES];
    world.rng().fill(&mut random)?;
    let secret = SessionSecret::of(random);
    session.id = secret.id();
    world.directory().add_desk_session(&session).await?;
    Ok(secret)
}

/// The sessions of a visitor that have not ended, the latest first.
///
/// # Errors
/// If the store fails.
pub async fn own_sessions(world: &impl World, visitor: &Visitor) -> Result<Vec<DeskSession>, Failure> {
    let now = world.clock().now();
    let stored = world.directory().desk_sessions(visitor.session.user).await?;
    Ok(stored.into_iter().filter(|session| session.is_open(now)).collect())
}

/// Ends a session of a visitor, on whatever device it is; whether there was one.
///
/// # Errors
/// If the store fails.
pub async fn end_own_session(
    world: &impl World,
    visitor: &Visitor,
    id: &DeskSessionId,
) -> Result<bool, Failure> {
    Ok(world.directory().end_desk_session(visitor.session.user, id).await?)
}
