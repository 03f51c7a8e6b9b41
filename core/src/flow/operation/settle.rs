//! Stores what was learned about an operation.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::load::{Booked, booked};
use super::notify::notify;
use crate::answer::operation::ReportSource;
use crate::approval::carried_out_by;
use crate::approval::stage::fact_of;
use crate::attempt::hold::HoldWrite;
use crate::change::Change;
use crate::child::Child;
use crate::child::stage::OperationStage;
use crate::flow::Failure;
use crate::flow::commit::{Decided, Decision, commit_outcome};
use crate::flow::exchange::staff;
use crate::operation::apply::{OperationUpdate, apply};
use crate::operation::approval::settled;
use crate::operation::begin::{Books, is_hold_over};
use crate::port::{Approvals, World};
use crate::rejection::Rejection;
use crate::settings::MerchantSettings;
use crate::settings::situation::Situation;
use crate::value::id::{DeliveryId, ReferenceNumber};

/// What is known after a report about an operation was stored.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::flow) struct SettledOperation {
    pub(in crate::flow) books: Books,
    pub(in crate::flow) child: Child,
    pub(in crate::flow) deliveries: Vec<DeliveryId>,
}

/// What was learned about an operation, and who reported it.
#[derive(Debug, Clone)]
pub(in crate::flow) struct ReportedOperation {
    update: OperationUpdate,
    source: ReportSource,
}

impl ReportedOperation {
    /// It is the answer to the request that did the operation.
    pub(in crate::flow) const fn of_request(update: OperationUpdate) -> Self {
        Self { update, source: ReportSource::Input }
    }

    /// The gateway reported it later, by itself or because it was asked.
    pub(in crate::flow) const fn of_gateway(update: OperationUpdate) -> Self {
        Self { update, source: ReportSource::Gateway }
    }
}

/// Stores what was learned about an operation. A conflict is decided again on what is stored then: an outcome
/// is a fact, and is never lost to a race.
pub(in crate::flow) async fn settle(
    world: &impl World,
    stored: Booked,
    situation: &Situation,
    report: ReportedOperation,
) -> Result<SettledOperation, Failure> {
    let (parent, reference) = (stored.child.parent.clone(), stored.child.reference.clone());
    let load = async || Ok(booked(world, &parent, &reference).await?.ok_or(Rejection::NotFound)?);
    let decided = commit_outcome(world, Some(Box::new(stored)), load, async |stored: Box<Booked>| {
        let Booked { books, child } = &*stored;
        let Some(applied) = apply(books, child, report.update.clone(), situation.now) else {
            return Ok(Decision::Nothing(stored));
        };
        let is_notified = applied.is_notified || is_retracted(child, &applied.change, report.source);
        let mut change = applied.change;
        change.hold = end_of_hold(books, &change, &situation.settings).map(Box::new);
        let id = carried_out_by(child.tracking_key.as_deref());
        if let Some(id) =
            id.filter(|_| change.child.as_ref().is_some_and(|write| fact_of(write.child().stage).is_some()))
        {
            record_approved(world, &mut change, situation, &id).await?;
        }
        if is_notified {
            notify(world, &mut change, situation, report.source)?;
        }
        Ok(Decision::Commit(Box::new(change), stored))
    });
    let Decided { change, basis } = decided.await?;
    let Booked { mut books, child } = *basis;
    let Some(change) = change else { return Ok(SettledOperation { books, child, deliveries: Vec::new() }) };
    let deliveries = change.message_ids().collect();
    let child = change.child.map_or(child, |write| write.child().clone());
    books.transaction = change.transaction;
    Ok(SettledOperation { books, child, deliveries })
}

/// The time in which held money can be captured ends with the last capture, or with a void.
fn end_of_hold(books: &Books, change: &Change, settings: &MerchantSettings) -> Option<HoldWrite> {
    let done = change.child.as_ref()?.child();
    let settled = books.settled.as_ref().filter(|settled| settled.reference == done.attempt)?;
    let others = books.children.iter().filter(|child| child.reference != done.reference).cloned();
    let after = Books { children: others.chain([done.clone()]).collect(), ..books.clone() };
    is_hold_over(&after, settings.gateway(&settled.pg_code))
        .then(|| HoldWrite::End(settled.reference.clone()))
}

/// The request that an operation carries out ends with it.
async fn record_approved(
    world: &impl World,
    change: &mut Change,
    situation: &Situation,
    id: &ReferenceNumber,
) -> Result<(), Failure> {
    let Some(approval) = world.ledger(id).approval(id).await? else { return Ok(()) };
    let write = change.child.as_ref().and_then(|write| settled(&approval, write.child(), change.at));
    change.approval = write.map(Box::new);
    staff::add_ended(world, change, situation).await?;
    Ok(())
}

/// Whether the gateway refused an operation later whose request, repeated with its tracking key, may have been
/// answered as queued meanwhile.
fn is_retracted(child: &Child, change: &Change, source: ReportSource) -> bool {
    let is_refused =
        change.child.as_ref().is_some_and(|write| write.child().stage == OperationStage::Refused);
    is_refused && source == ReportSource::Gateway && child.tracking_key.is_some()
}
