//! Giving back what was paid but does not count: a second success, and a success after the transaction was
//! canceled or invalided. If the gateway can, the money is released or refunded at once; a person is notified
//! either way.

use core::mem;

use crate::change::{Change, ChildWrite};
use crate::child::Child;
use crate::flow::Failure;
use crate::flow::commit::generate;
use crate::flow::operation::{Booked, ReportedOperation, send, settle};
use crate::operation::begin::reverse;
use crate::port::{Bookkeeping, World};
use crate::record::attention::Reason;
use crate::record::facts::FactCode;
use crate::rejection::Rejection;
use crate::settings::MerchantSettings;
use crate::settings::situation::Situation;

/// Adds to a change that flags such a success the operation that gives the money back, so that it is recorded
/// in the same batch.
///
/// # Errors
/// A failure of the world.
pub(in crate::flow) async fn plan(
    world: &impl World,
    change: &mut Change,
    settings: &MerchantSettings,
) -> Result<(), Failure> {
    let is_reversed = |reason| matches!(reason, Reason::SecondSuccess | Reason::LateSuccess);
    if !change.attention.iter().any(|entry| is_reversed(entry.reason)) {
        return Ok(());
    }
    let Some(attempt) = change.attempt.as_ref().map(|write| write.attempt().clone()) else { return Ok(()) };
    let Some(books) = world.ledger(&attempt.session_id).books(&attempt.session_id).await? else {
        return Ok(());
    };
    let profile = settings.gateway(&attempt.pg_code);
    let names = generate::names(world, settings, &attempt.session_id)?;
    let Some(child) = reverse(&books.children, &attempt, profile, names, change.at) else { return Ok(()) };
    for entry in &mut change.attention {
        let values = [child.operation.as_str(), child.reference.as_str()];
        entry.detail = mem::take(&mut entry.detail).and(FactCode::GivesBack, &values);
    }
    change.child = Some(ChildWrite::Open(child));
    Ok(())
}

/// Asks the gateway to do what was recorded.
///
/// # Errors
/// A failure of the world; the sweep asks about the outcome.
pub(in crate::flow) async fn carry_out(
    world: &impl World,
    situation: &Situation,
    child: Child,
) -> Result<(), Failure> {
    let books = world.ledger(&child.parent).books(&child.parent).await?.ok_or(Rejection::NotFound)?;
    let learned = send(world, &situation.settings, &books, &child).await?;
    settle(world, Booked { books, child }, &situation.later(world), ReportedOperation::of_gateway(learned))
        .await?;
    Ok(())
}
