//! Who visits, by the secret that the browser holds.

use crate::access::{Caller, Rights};
use crate::desk::session::{DeskSession, DeskSessionId, SessionSecret, rights_mark};
use crate::flow::Failure;
use crate::port::{Clock, DeskSessions, FoundUser, World};
use crate::value::id::SessionId;
use crate::words::Language;

/// Someone who is signed in, as a caller of every flow.
#[derive(Debug, Clone)]
pub struct Visitor {
    /// The user, with the merchant.
    pub caller: Caller,
    /// The session.
    pub session: DeskSession,
}

/// Who visits; `None` if nobody is signed in:
///
/// 1. find the session and its user, with the transaction that is `named`;
/// 2. end it if it is over, if the user may do something else than when it began, if the provider that began it is no longer
///    the merchant's, or if its secret comes from another `device`, because someone took it.
///
/// # Errors
/// If the world fails.
pub async fn visitor(
    world: &impl World,
    (secret, device): (&SessionSecret, &str),
    named: Option<&SessionId>,
) -> Result<Option<Visitor>, Failure> {
    visitor_of(world, (&secret.id(), device), named).await
}

/// As [`visitor`], of the session with an id.
pub(super) async fn visitor_of(
    world: &impl World,
    (id, device): (&DeskSessionId, &str),
    named: Option<&SessionId>,
) -> Result<Option<Visitor>, Failure> {
    let now = world.clock().now();
    // 1
    let Some((session, found)) = world.directory().desk_session(id, named).await? else {
        return Ok(None);
    };
    // 2
    let is_same = found.is_active
        && session.device == device
        && session.rights == rights_mark(&found.user, found.epoch)
        && session.issuer.as_deref().is_none_or(|issuer| signs_in_at(&found, issuer));
    if !is_same || !session.is_open(now) {
        world.directory().end_desk_session(session.user, &session.id).await?;
        return Ok(None);
    }
    let situation = found.merchant.at(now);
    let caller = Caller { rights: Rights::User(found.user), prefix: None, is_basic: false, situation };
    Ok(Some(Visitor { caller, session }))
}

/// Whether a visit is to be noted: its session is used.
#[must_use]
pub fn is_to_be_noted(world: &impl World, visitor: &Visitor) -> bool {
    visitor.session.is_to_be_noted(world.clock().now())
}

/// Notes that a session is used.
///
/// # Errors
/// If the store fails.
pub async fn note_visit(world: &impl World, id: &DeskSessionId) -> Result<(), Failure> {
    Ok(world.directory().note_desk_session(id, world.clock().now()).await?)
}

/// Whether the merchant of a user still has this provider sign in at the desk.
fn signs_in_at(found: &FoundUser, issuer: &str) -> bool {
    let own = found.merchant.settings.single_sign_on.as_ref();
    own.is_some_and(|own| own.desk_client.is_some() && own.issuer == issuer)
}

/// Ends the session of a visitor.
///
/// # Errors
/// If the store fails.
pub async fn sign_out(world: &impl World, visitor: &Visitor) -> Result<(), Failure> {
    world.directory().end_desk_session(visitor.session.user, &visitor.session.id).await?;
    Ok(())
}

/// Shows the desk in another language from then on.
///
/// # Errors
/// If the store fails.
pub async fn choose_language(
    world: &impl World,
    visitor: &Visitor,
    language: Language,
) -> Result<(), Failure> {
    Ok(world.directory().choose_desk_language(&visitor.session.id, language).await?)
}
