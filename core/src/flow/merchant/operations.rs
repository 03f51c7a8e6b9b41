//! Reading the captures, refunds and voids of a payment transaction.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use futures_util::future::join;

use crate::access::Caller;
use crate::answer::administration::ActorShown;
use crate::answer::operation::{OperationList, OperationShown};
use crate::child::Child;
use crate::flow::Failure;
use crate::flow::find::seen_by;
use crate::port::{Bookkeeping, Timelines, World};
use crate::record::event::{EventWord, LoggedEvent};
use crate::rejection::Rejection;
use crate::value::id::{ReferenceNumber, SessionId};
use crate::value::json;

/// The most events of a transaction that are read.
pub(super) const LATEST: u32 = 1_000;

/// Lists the operations of a transaction, in order:
///
/// 1. load it; another merchant's id is answered like one that does not exist; the caller may see its plugin;
/// 2. read its operations, and who asked for them.
///
/// # Errors
/// The rejection, or a failure of the world.
pub async fn read_operations(
    world: &impl World,
    caller: &Caller,
    session_id: &SessionId,
) -> Result<String, Failure> {
    let (children, events) = load(world, caller, session_id).await?;
    Ok(json::write(&OperationList { results: shown(&children, &events) })?)
}

/// Reads one operation of a transaction; the steps are those of [`read_operations`].
///
/// # Errors
/// [`Rejection::NotFound`], also for an operation of another transaction, or as [`read_operations`].
pub async fn read_operation(
    world: &impl World,
    caller: &Caller,
    session_id: &SessionId,
    reference: &ReferenceNumber,
) -> Result<String, Failure> {
    let (mut children, events) = load(world, caller, session_id).await?;
    children.retain(|child| child.reference == *reference);
    let one = shown(&children, &events).pop().ok_or(Rejection::NotFound)?;
    Ok(json::write(&one)?)
}

async fn load(
    world: &impl World,
    caller: &Caller,
    session_id: &SessionId,
) -> Result<(Vec<Child>, Vec<LoggedEvent>), Failure> {
    // 1
    seen_by(world, caller, session_id).await?;
    // 2
    let ledger = world.ledger(session_id);
    let (books, events) = join(ledger.books(session_id), ledger.logged_events(session_id, LATEST)).await;
    Ok((books?.map(|books| books.children).unwrap_or_default(), events?))
}

/// Operations, with who asked for them according to the events of their transaction.
pub(super) fn shown<'a>(children: &'a [Child], events: &[LoggedEvent]) -> Vec<OperationShown<'a>> {
    let opened = events.iter().filter(|event| event.event == EventWord::OperationOpened);
    let asked: BTreeMap<&ReferenceNumber, ActorShown> = opened
        .filter_map(|event| {
            let (reference, _) = event.subject.as_ref()?;
            Some((reference, ActorShown::from(event.actor.clone()?).for_merchant()))
        })
        .collect();
    children.iter().map(|child| OperationShown::of(child, asked.get(&child.reference).cloned())).collect()
}
