//! Reading what was changed in the administration, and by whom.

use alloc::string::String;

use crate::access::Caller;
use crate::answer::administration::{ActorShown, AuditPage, AuditShown};
use crate::flow::Failure;
use crate::port::{Journal, World};
use crate::record::audit::{ActorKind, Search};
use crate::rejection::Rejection;
use crate::route::query::{AUDIT, OWN_AUDIT};
use crate::value::id::{EntryId, MerchantId};
use crate::violation::{AccessRule, Rule};
use crate::wire::query::{MAX_LIMIT, Parameters};

use super::broken;
use super::merchant::NOT_NUMBER;

/// A page of the audit, the newest first: of a `merchant`, by an `actor`, `before` an entry, at most `limit`.
///
/// # Errors
/// [`Rejection::Invalid`], or a failure of the world.
pub async fn read_audit(world: &impl World, query: &str) -> Result<AuditPage, Failure> {
    let mut parameters = Parameters::of(query, AUDIT);
    let merchant = parameters.read("merchant", Rule::NotMerchantId, MerchantId::parse);
    let search = read(parameters)?;
    page(world, Search { merchant, ..search }).await
}

/// A page of the audit of the caller's merchant. Who of the operators changed something is not shown to a merchant.
///
/// # Errors
/// As [`read_audit`].
pub async fn read_own_audit(world: &impl World, caller: &Caller, query: &str) -> Result<AuditPage, Failure> {
    let search = read(Parameters::of(query, OWN_AUDIT))?;
    let merchant = Some(caller.merchant().clone());
    // Searching by the number of an operator would say who it was.
    if matches!(&search.actor, Some((ActorKind::Operator, _))) {
        return Ok(AuditPage::default());
    }
    let mut page = page(world, Search { merchant, ..search }).await?;
    for entry in &mut page.results {
        entry.actor = entry.actor.take().map(ActorShown::for_merchant);
    }
    Ok(page)
}

/// The parameters that both have.
fn read(mut parameters: Parameters<'_>) -> Result<Search, Rejection> {
    let actor = parameters.read("actor", Rule::Access(AccessRule::NotActor), parse_actor);
    let before = parameters.read("before", NOT_NUMBER, EntryId::parse);
    let limit = parameters.limit(MAX_LIMIT);
    parameters.finish()?;
    Ok(Search { merchant: None, actor, before, limit })
}

fn parse_actor(text: &str) -> Option<(ActorKind, String)> {
    ActorKind::with_id(text).map(|(kind, id)| (kind, id.into()))
}

async fn page(world: &impl World, search: Search) -> Result<AuditPage, Failure> {
    let limit = usize::try_from(search.limit).unwrap_or(usize::MAX);
    let wanted = Search { limit: search.limit.saturating_add(1), ..search };
    let mut found = world.directory().recorded(&wanted).await?;
    let has_more = found.len() > limit;
    found.truncate(limit);
    let next = found.last().filter(|_| has_more).map(|last| last.id.0);
    let results = found.into_iter().map(AuditShown::try_from).collect::<Result<_, _>>();
    let results = results.map_err(|_| broken("an entry of the audit is not JSON"))?;
    Ok(AuditPage { next, results })
}
