//! What one person or key refunds in a day.

use alloc::boxed::Box;
use alloc::string::ToString;

use super::approvals::{approval, asked, prepared};
use super::fixture::Fixture;
use super::{Checked, Problem, holds, same};
use crate::approval::Approval;
use crate::approval::day::{RefundClaim, RefundDay};
use crate::approval::stage::ApprovalState;
use crate::change::{Change, ChildWrite, EventKind};
use crate::child::Child;
use crate::child::stage::OperationStage;
use crate::gateway::charge::PgParams;
use crate::port::{Approvals, Bookkeeping, CommitError, Store};
use crate::record::audit::{Actor, ActorKind};
use crate::transaction::Transaction;
use crate::transaction::listing::Maker;
use crate::value::id::{PgCode, ReferenceNumber};
use crate::value::money::Currency;
use crate::value::time::Timestamp;
use crate::words::ChildOperation;

fn who(kind: ActorKind, id: &str) -> Actor {
    Actor { kind, id: id.into(), name: Some("sara ' نور".into()), role: None }
}

/// The day that begins 100 seconds after the start, of user 7.
fn day(fixture: &Fixture, transaction: &Transaction) -> RefundDay {
    RefundDay {
        merchant: transaction.merchant.clone(),
        by: Maker { kind: ActorKind::User, id: "7".into() },
        currency: transaction.amount.currency(),
        from: fixture.after(100),
        until: fixture.after(200),
    }
}

fn child(
    fixture: &Fixture,
    (transaction, attempt): (&Transaction, &ReferenceNumber),
    number: i64,
) -> Result<Child, Problem> {
    let opened_at = fixture.after(100);
    Ok(Child {
        session_id: fixture.session_id(),
        parent: transaction.session_id.clone(),
        merchant: transaction.merchant.clone(),
        number,
        reference: fixture.reference(),
        attempt: attempt.clone(),
        operation: ChildOperation::Refund,
        amount: fixture.money(1_000)?,
        pg_code: PgCode::parse("bank").ok_or("a code")?,
        is_sandbox: true,
        tracking_key: None,
        extra: None,
        reason: None,
        note: None,
        initiator: None,
        stage: OperationStage::Sending,
        opened_at,
        updated_at: opened_at,
        known_at: opened_at,
        inquire_at: None,
        inquiries: 0,
        open_since: None,
        gateway_id: None,
        message: None,
        params: PgParams::new(),
        response: None,
    })
}

fn opened(before: &Transaction, child: Child, by: Option<Actor>) -> Change {
    let at = child.opened_at;
    let change =
        Change::of(before.clone(), EventKind::OperationOpened, at).with_child(ChildWrite::Open(child));
    Change { actor: by.map(Box::new), ..change }
}

async fn sum(store: &impl Bookkeeping, day: &RefundDay) -> Result<i64, Problem> {
    Ok(store.refunded(day).await?.minor())
}

pub(super) async fn what_one_person_refunded_in_a_day_is_added_up(
    store: &(impl Store + Approvals + Bookkeeping),
    fixture: &Fixture,
) -> Checked {
    let (mut transaction, attempt) = prepared(store, fixture).await?;
    let day = day(fixture, &transaction);
    same("nothing", sum(store, &day).await?, 0)?;
    let user = || Some(who(ActorKind::User, "7"));
    let at = |seconds| -> Timestamp { fixture.after(seconds) };
    let new = |number| child(fixture, (&transaction, &attempt), number);
    let refunds = [
        // What counts: the first moment of the day, the last, and whatever is being done.
        (new(1)?, user(), 1_000),
        (Child { opened_at: at(199), stage: OperationStage::Done, ..new(2)? }, user(), 2_000),
        (
            Child { stage: OperationStage::Unknown, tracking_key: Some("own".into()), ..new(3)? },
            user(),
            3_000,
        ),
        // What does not: what failed, was approved, is no refund, of another day, or of someone else.
        (Child { stage: OperationStage::Refused, ..new(4)? }, user(), 3_000),
        (Child { stage: OperationStage::Rejected, ..new(5)? }, user(), 3_000),
        (Child { operation: ChildOperation::Void, ..new(6)? }, user(), 3_000),
        (Child { opened_at: at(99), ..new(7)? }, user(), 3_000),
        (Child { opened_at: at(200), ..new(8)? }, user(), 3_000),
        (new(9)?, Some(who(ActorKind::User, "8")), 3_000),
        (new(10)?, Some(who(ActorKind::Key, "7")), 3_000),
        (new(11)?, None, 3_000),
    ];
    for (child, by, expected) in refunds {
        let number = child.number;
        let change = opened(&transaction, child, by);
        store.commit(&change).await?;
        transaction = change.transaction;
        same(&number.to_string(), sum(store, &day).await?, expected)?;
    }
    let of_key = RefundDay { by: Maker { kind: ActorKind::Key, id: "7".into() }, ..day.clone() };
    same("of the key", sum(store, &of_key).await?, 1_000)?;
    let currency = Currency::parse("USD").ok_or("a currency")?;
    same("in another currency", sum(store, &RefundDay { currency, ..day.clone() }).await?, 0)?;
    let merchant = fixture.another()?.merchant;
    same("of another merchant", sum(store, &RefundDay { merchant, ..day.clone() }).await?, 0)?;
    requests_count_too(store, fixture, (transaction, &attempt), &day).await
}

/// Requests for approval count on the day on which they were asked for, unless they were refused or have failed.
async fn requests_count_too(
    store: &(impl Store + Approvals + Bookkeeping),
    fixture: &Fixture,
    (mut transaction, attempt): (Transaction, &ReferenceNumber),
    day: &RefundDay,
) -> Checked {
    let before = sum(store, day).await?;
    for (asked_at, counted) in [(99, 0), (100, 1_000), (199, 1_000), (200, 0)] {
        let new = Approval {
            asked_at: fixture.after(asked_at),
            asked_by: who(ActorKind::User, "7"),
            ..approval(fixture, &transaction, attempt)?
        };
        let open = asked(fixture, &transaction, new.clone());
        store.commit(&open).await?;
        same("asked", sum(store, day).await?, before.saturating_add(counted))?;
        let others = RefundDay { by: Maker { kind: ActorKind::User, id: "9".into() }, ..day.clone() };
        same("by someone else", sum(store, &others).await?, 0)?;
        let rejected = Approval { state: ApprovalState::Rejected, ..new };
        let write = crate::change::ApprovalWrite::Update { from: ApprovalState::Asked, approval: rejected };
        let change =
            Change::of(open.transaction, EventKind::ApprovalRejected, fixture.now).with_approval(write);
        store.commit(&change).await?;
        same("rejected", sum(store, day).await?, before)?;
        transaction = change.transaction;
    }
    Ok(())
}

pub(super) async fn a_refund_is_stored_only_while_it_fits_its_day(
    store: &(impl Store + Approvals + Bookkeeping),
    fixture: &Fixture,
) -> Checked {
    let (transaction, attempt) = prepared(store, fixture).await?;
    let (other, others) = prepared(store, fixture).await?;
    let day = day(fixture, &transaction);
    let by = || Some(who(ActorKind::User, "7"));
    let claim = |most_before| Some(Box::new(RefundClaim { day: day.clone(), most_before }));
    let first = child(fixture, (&transaction, &attempt), 1)?;
    let second = child(fixture, (&other, &others), 1)?;
    // Both were decided when nothing was refunded, about different payments.
    let change = Change { refund: claim(500), ..opened(&transaction, first, by()) };
    store.commit(&change).await?;
    let late = Change { refund: claim(500), ..opened(&other, second.clone(), by()) };
    same("a second one", store.commit(&late).await, Err(CommitError::Conflict))?;
    holds("of it nothing is stored", store.child(&second.reference).await?.is_none())?;
    same("the sum", sum(store, &day).await?, 1_000)?;
    let fits = Change { refund: claim(1_000), ..opened(&other, second, by()) };
    store.commit(&fits).await?;
    same("both", sum(store, &day).await?, 2_000)
}
