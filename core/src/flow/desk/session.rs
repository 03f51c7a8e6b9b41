//! Beginning and ending sessions.

use alloc::vec::Vec;

use super::visit::Visitor;
use crate::desk::session::{DeskSession, DeskSessionId, SECRET_BYTES, SessionSecret};
use crate::flow::Failure;
use crate::port::{Clock, DeskSessions, Rng, World};

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
