//! By what a listing is narrowed, and how far one page looks.

use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use super::fixture::Fixture;
use super::{Checked, Problem, holds, same};
use crate::attempt::Attempt;
use crate::attempt::stage::Stage;
use crate::change::{AttemptWrite, Change, ChildWrite, EventKind};
use crate::child::Child;
use crate::child::stage::OperationStage;
use crate::gateway::charge::PgParams;
use crate::port::Store;
use crate::record::audit::{Actor, ActorKind};
use crate::state::{Event, State};
use crate::transaction::listing::{Between, Listing, ListingFilter, ListingOrder, Maker, Position};
use crate::transaction::{Settlement, Transaction};
use crate::value::id::{PgCode, SessionId};
use crate::value::money::{Currency, Money};
use crate::value::time::Timestamp;
use crate::words::{ChildOperation, Operation, Plugin};

/// Makes a transaction that many seconds after the check's moment, with what `change` makes of it.
pub(super) async fn made(
    store: &impl Store,
    fixture: &Fixture,
    seconds: u64,
    maker: Option<(ActorKind, &str)>,
    change: impl FnOnce(&mut Transaction),
) -> Result<Transaction, Problem> {
    let mut transaction = Transaction { created_at: fixture.after(seconds), ..fixture.transaction()? };
    change(&mut transaction);
    let actor = maker.map(|(kind, id)| Box::new(Actor { kind, id: id.into(), name: None, role: None }));
    let change = Change { actor, ..fixture.created(transaction) };
    store.commit(&change).await?;
    Ok(change.transaction)
}

/// Opens an attempt through a gateway.
pub(super) async fn tried(
    store: &impl Store,
    fixture: &Fixture,
    transaction: &Transaction,
    code: &PgCode,
) -> Result<(Transaction, Attempt), Problem> {
    let attempt = Attempt { pg_code: code.clone(), ..fixture.attempt(transaction, 1)? };
    let opened = fixture.opened(transaction, attempt.clone());
    store.commit(&opened).await?;
    Ok((opened.transaction, attempt))
}

/// Pays it at a moment.
async fn paid(
    store: &impl Store,
    fixture: &Fixture,
    transaction: &Transaction,
    code: &PgCode,
    at: Timestamp,
) -> Result<(Transaction, Attempt), Problem> {
    let (transaction, attempt) = tried(store, fixture, transaction, code).await?;
    let settlement =
        Settlement { pg_code: code.clone(), settled: transaction.amount, paid: Some(transaction.amount) };
    let mut next = Transaction { settlement: Some(settlement), ..transaction };
    next.move_to(State::Paid, at);
    let attempt = Attempt { stage: Stage::Success, inquire_at: None, ..attempt };
    let event = EventKind::Moved(Event::AttemptSucceeded(Operation::Purchase));
    let change = Change::of(next, event, at)
        .with_attempt(AttemptWrite::Update { from: Stage::Sending, attempt: attempt.clone() });
    store.commit(&change).await?;
    Ok((change.transaction, attempt))
}

/// Refunds it, as far as a stage.
pub(super) async fn refunded(
    store: &impl Store,
    fixture: &Fixture,
    transaction: &Transaction,
    attempt: &Attempt,
    stage: OperationStage,
) -> Result<Transaction, Problem> {
    let child = Child {
        session_id: fixture.session_id(),
        parent: transaction.session_id.clone(),
        merchant: transaction.merchant.clone(),
        number: 1,
        reference: fixture.reference(),
        attempt: attempt.reference.clone(),
        operation: ChildOperation::Refund,
        amount: transaction.amount,
        pg_code: attempt.pg_code.clone(),
        is_sandbox: true,
        tracking_key: None,
        extra: None,
        reason: None,
        note: None,
        initiator: None,
        stage,
        opened_at: fixture.now,
        updated_at: fixture.now,
        known_at: fixture.now,
        inquire_at: None,
        inquiries: 0,
        open_since: None,
        gateway_id: None,
        message: None,
        params: PgParams::new(),
        response: None,
    };
    let change = Change {
        child: Some(ChildWrite::Open(child)),
        ..Change::of(transaction.clone(), EventKind::OperationOpened, fixture.now)
    };
    store.commit(&change).await?;
    Ok(change.transaction)
}

/// Every id of a listing, page by page.
async fn all(store: &impl Store, listing: &Listing) -> Result<Vec<SessionId>, Problem> {
    let mut page = listing.clone();
    let mut found = Vec::new();
    for _ in 0..50 {
        let read = store.list(&page).await?;
        let last = read.listed.last().and_then(|last| last.position(page.order()));
        let is_full = u32::try_from(read.listed.len()).is_ok_and(|count| count == page.limit);
        holds("a full page did not stop before", !(is_full && read.stopped_at.is_some()))?;
        found.extend(read.listed.into_iter().map(|each| each.transaction.session_id));
        let Some(next) = read.stopped_at.or(last.filter(|_| is_full)) else { return Ok(found) };
        holds("pages go on", page.after.as_ref().is_none_or(|after| next < *after))?;
        page.after = Some(next);
    }
    Err("the listing never ends".into())
}

pub(super) fn code(text: &str) -> Result<PgCode, Problem> {
    PgCode::parse(text).ok_or_else(|| "no code".into())
}

/// A filter finds what is wanted, however long its pages are and however many rows each looks at.
pub(super) async fn same_in_every_page(
    store: &impl Store,
    fixture: &Fixture,
    what: &str,
    filter: ListingFilter,
    wanted: &[&Transaction],
) -> Checked {
    let wanted: Vec<SessionId> = wanted.iter().map(|each| each.session_id.clone()).collect();
    for (limit, walked) in [(100, 10_000), (1, 10_000), (2, 1), (1, 2)] {
        let page =
            Listing { filter: filter.clone(), walked, ..Listing::of(&fixture.merchant, fixture.now, limit) };
        let what = alloc::format!("{what}, pages of {limit}, {walked} rows looked at");
        same(&what, all(store, &page).await?, wanted.clone())?;
    }
    Ok(())
}

pub(super) async fn a_listing_is_narrowed_by_every_filter(store: &impl Store, fixture: &Fixture) -> Checked {
    let (knet, card) = (code("knet")?, code("credit-card")?);
    let dollars = Currency::parse("USD").ok_or("no currency")?;
    let five = Money::new(500, dollars).map_err(|_| "no amount")?;
    let by_user = made(store, fixture, 1, Some((ActorKind::User, "7")), |_| ()).await?;
    let by_key = made(store, fixture, 2, Some((ActorKind::Key, "abcd1234")), |it| it.amount = five).await?;
    let link = made(store, fixture, 3, None, |it| it.plugin = Plugin::PaymentRequest).await?;
    let late = made(store, fixture, 4, None, |_| ()).await?;
    let (link, _) = tried(store, fixture, &link, &card).await?;
    let (late, at) = paid(store, fixture, &late, &knet, fixture.after(20)).await?;
    let (by_user, of_user) = paid(store, fixture, &by_user, &knet, fixture.after(30)).await?;
    let late = refunded(store, fixture, &late, &at, OperationStage::Done).await?;
    let by_user = refunded(store, fixture, &by_user, &of_user, OperationStage::Refused).await?;

    let money = fixture.money(1)?.currency();
    let none = ListingFilter::default();
    let user = Maker { kind: ActorKind::User, id: "7".into() };
    let key = Maker { kind: ActorKind::Key, id: "abcd1234".into() };
    let paid_in =
        |from: u64, to: u64| Between { from: Some(fixture.after(from)), to: Some(fixture.after(to)) };
    let cases: [(ListingFilter, &[&Transaction]); 19] = [
        (ListingFilter { made_by: Some(user.clone()), ..none.clone() }, &[&by_user]),
        (ListingFilter { made_by: Some(key.clone()), ..none.clone() }, &[&by_key]),
        (ListingFilter { made_by: Some(Maker { id: "7".into(), ..key }), ..none.clone() }, &[]),
        (ListingFilter { plugin: Some(Plugin::PaymentRequest), ..none.clone() }, &[&link]),
        (ListingFilter { pg_code: Some(knet.clone()), ..none.clone() }, &[&late, &by_user]),
        (ListingFilter { pg_code: Some(card.clone()), ..none.clone() }, &[&link]),
        (ListingFilter { currency: Some(dollars), ..none.clone() }, &[&by_key]),
        (ListingFilter { currency: Some(money), ..none.clone() }, &[&late, &link, &by_user]),
        (ListingFilter { amount: Some(five), currency: Some(dollars), ..none.clone() }, &[&by_key]),
        (ListingFilter { amount: Some(late.amount), ..none.clone() }, &[&late, &link, &by_user]),
        (ListingFilter { has_refund: Some(true), ..none.clone() }, &[&late]),
        (ListingFilter { has_refund: Some(false), ..none.clone() }, &[&link, &by_key, &by_user]),
        // In the order of payment, and of one maker in the order in which they were made.
        (ListingFilter { paid: paid_in(20, 30), ..none.clone() }, &[&by_user, &late]),
        (ListingFilter { paid: paid_in(21, 40), ..none.clone() }, &[&by_user]),
        (
            ListingFilter { paid: Between { from: None, to: Some(fixture.after(29)) }, ..none.clone() },
            &[&late],
        ),
        (ListingFilter { paid: paid_in(0, 30), made_by: Some(user.clone()), ..none.clone() }, &[&by_user]),
        (ListingFilter { paid: paid_in(0, 29), made_by: Some(user), ..none.clone() }, &[]),
        (ListingFilter { paid: paid_in(0, 40), created: paid_in(4, 4), ..none.clone() }, &[&late]),
        (
            ListingFilter {
                pg_code: Some(knet),
                has_refund: Some(false),
                states: [State::Paid].into(),
                ..none
            },
            &[&by_user],
        ),
    ];
    for (place, (filter, wanted)) in cases.into_iter().enumerate() {
        same_in_every_page(store, fixture, &alloc::format!("case {place}"), filter, wanted).await?;
    }
    Ok(())
}

pub(super) async fn a_page_stops_where_enough_rows_were_looked_at(
    store: &impl Store,
    fixture: &Fixture,
) -> Checked {
    let mut made_all = Vec::new();
    for seconds in 1..=5 {
        made_all.push(made(store, fixture, seconds, None, |_| ()).await?);
    }
    let filter = ListingFilter { plugin: Some(Plugin::PaymentRequest), ..ListingFilter::default() };
    let page = Listing { filter, walked: 3, ..Listing::of(&fixture.merchant, fixture.now, 2) };
    let read = store.list(&page).await?;
    same("nothing fits", read.listed.len(), 0)?;
    let third = made_all.get(2).map(Position::of);
    same("it stopped at the third newest", read.stopped_at.clone(), third)?;
    let rest = store.list(&Listing { after: read.stopped_at, ..page }).await?;
    same("nothing is left", (rest.listed.len(), rest.stopped_at), (0, None))?;
    let ids: BTreeSet<_> = made_all.iter().map(|each| &each.session_id).collect();
    same("five", ids.len(), 5)?;
    same("the order", ListingFilter::default().order(), ListingOrder::Created)
}
