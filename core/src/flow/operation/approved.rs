//! Requests for approval whose time has come: one that was approved is carried out, one that nobody decided about is over.

use alloc::boxed::Box;

use super::inquire::inquire_stored;
use super::load::{Booked, booked};
use super::send::send;
use super::settle::{ReportedOperation, settle};
use crate::approval::Approval;
use crate::approval::stage::ApprovalState;
use crate::change::Change;
use crate::flow::Failure;
use crate::flow::commit::{Decided, Decision, decide_and_commit, generate};
use crate::flow::exchange::staff;
use crate::flow::situation::situation_of;
use crate::operation::approval::{CarriedOut, carry_out, expire, fail};
use crate::operation::begin::Books;
use crate::port::{Approvals, Bookkeeping, World};
use crate::record::facts::Facts;
use crate::rejection::Rejection;
use crate::settings::situation::Situation;
use crate::value::id::ReferenceNumber;
use crate::value::time::Timestamp;

/// A request with the books of its payment.
pub(in crate::flow) struct ApprovalBooks {
    pub(in crate::flow) books: Books,
    pub(in crate::flow) approval: Approval,
}

/// The request with an id, as it is stored, and the books of its payment; `None` if there is none.
pub(in crate::flow) async fn requested(
    world: &impl World,
    id: &ReferenceNumber,
) -> Result<Option<ApprovalBooks>, Failure> {
    let ledger = world.ledger(id);
    let Some(approval) = ledger.approval(id).await? else { return Ok(None) };
    // The books last: a change by their version notices whatever changed since the request was read.
    let books = ledger.books(&approval.session_id).await?;
    Ok(books.map(|books| ApprovalBooks { books, approval }))
}

/// Does what is due of a request, however often and by whomever it is called:
///
/// 1. one whose time is over is ended;
/// 2. one that was approved begins its operation, in one batch with the request, so that no other one begins; if less is left
///    than its approvers saw, it has failed;
/// 3. the gateway is asked, and its answer stored, as with every operation;
/// 4. an operation that began before and whose outcome is not known is asked about.
///
/// # Errors
/// [`Rejection::OperationInProgress`] if another operation has to end first, or a failure of the world.
pub(in crate::flow) async fn do_due(world: &impl World, id: &ReferenceNumber) -> Result<(), Failure> {
    let Some(ApprovalBooks { books, approval }) = requested(world, id).await? else { return Ok(()) };
    let situation = situation_of(world, &approval.merchant).await?;
    match (approval.state, &approval.reference) {
        // 1
        (ApprovalState::Asked, _) => {
            let over =
                move |stored: &ApprovalBooks, now| expire(&stored.books.transaction, &stored.approval, now);
            change(world, &situation, ApprovalBooks { books, approval }, over).await
        }
        // 2, 3
        (ApprovalState::Approved, None) => {
            let Some(begun) = begin(world, &situation, ApprovalBooks { books, approval }).await? else {
                return Ok(());
            };
            let learned = send(world, &situation.settings, &begun.books, &begun.child).await?;
            let situation = &situation.later(world);
            settle(world, begun, situation, ReportedOperation::of_gateway(learned)).await?;
            Ok(())
        }
        // 4
        (ApprovalState::Approved, Some(reference)) => {
            if let Some(stored) = booked(world, &approval.session_id, reference).await? {
                inquire_stored(world, stored).await?;
            }
            Ok(())
        }
        (
            ApprovalState::Done
            | ApprovalState::Failed
            | ApprovalState::Rejected
            | ApprovalState::Withdrawn
            | ApprovalState::Expired,
            _,
        ) => Ok(()),
    }
}

/// A request that could not be carried out to the end has failed, if its operation has not begun.
///
/// # Errors
/// A failure of the world.
pub(in crate::flow) async fn give_up(
    world: &impl World,
    id: &ReferenceNumber,
    why: Facts,
) -> Result<(), Failure> {
    let Some(stored) = requested(world, id).await? else { return Ok(()) };
    let situation = situation_of(world, &stored.approval.merchant).await?;
    let failed = move |stored: &ApprovalBooks, now| {
        let is_waiting =
            stored.approval.state == ApprovalState::Approved && stored.approval.reference.is_none();
        is_waiting.then(|| fail(&stored.books.transaction, &stored.approval, why.clone(), now))
    };
    change(world, &situation, stored, failed).await
}

/// Stores what a decision makes of a request, if it makes anything, with the letter to who asked for it.
async fn change(
    world: &impl World,
    situation: &Situation,
    given: ApprovalBooks,
    decide: impl Fn(&ApprovalBooks, Timestamp) -> Option<Change>,
) -> Result<(), Failure> {
    let id = given.approval.id.clone();
    let load = async || Ok(requested(world, &id).await?.ok_or(Rejection::NotFound)?);
    let decided =
        decide_and_commit(world, Some(Box::new(given)), load, async |stored: Box<ApprovalBooks>| {
            let Some(mut change) = decide(&stored, situation.now) else { return Ok(Decision::Nothing(())) };
            staff::add_ended(world, &mut change, situation).await?;
            Ok(Decision::Commit(Box::new(change), ()))
        });
    decided.await?;
    Ok(())
}

/// Begins the operation of an approved request; `None` if it is begun by someone else, or has failed.
async fn begin(
    world: &impl World,
    situation: &Situation,
    given: ApprovalBooks,
) -> Result<Option<Booked>, Failure> {
    let id = given.approval.id.clone();
    let names = generate::names(world, &situation.settings, &given.approval.session_id)?;
    let load = async || Ok(requested(world, &id).await?.ok_or(Rejection::NotFound)?);
    let decided =
        decide_and_commit(world, Some(Box::new(given)), load, async |stored: Box<ApprovalBooks>| {
            let ApprovalBooks { books, approval } = &*stored;
            if approval.state != ApprovalState::Approved || approval.reference.is_some() {
                return Ok(Decision::Nothing(stored));
            }
            let settled = books.settled.as_ref();
            let profile = settled.and_then(|attempt| situation.settings.gateway(&attempt.pg_code));
            let carried = carry_out(books, approval, profile, names.clone(), situation.now)?;
            Ok(match carried {
                CarriedOut::Begun(change) => Decision::Commit(change, stored),
                CarriedOut::Failed(mut change) => {
                    staff::add_ended(world, &mut change, situation).await?;
                    Decision::Commit(change, stored)
                }
            })
        });
    let Decided { change, basis } = decided.await?;
    let Some(change) = change else { return Ok(None) };
    let Some(child) = change.child.map(|write| write.child().clone()) else { return Ok(None) };
    let mut books = basis.books;
    books.transaction = change.transaction;
    books.children.push(child.clone());
    Ok(Some(Booked { books, child }))
}
