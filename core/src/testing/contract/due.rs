//! What a sweep finds. The store may contain rows of others, so a check looks for its own among them.

use alloc::vec::Vec;

use super::fixture::Fixture;
use super::{Checked, Problem, holds, same};
use crate::attempt::Attempt;
use crate::attempt::stage::Stage;
use crate::change::{AttemptWrite, Change, EventKind};
use crate::payment::chase::Urgency;
use crate::port::{Due, Registry, Store};
use crate::state::{Event, State};
use crate::transaction::Transaction;
use crate::value::id::{PgCode, ReferenceNumber};
use crate::value::time::Timestamp;

/// The rows of every merchant whose clock was not moved.
fn everyone(now: Timestamp, limit: u32) -> Due<'static> {
    Due { merchant: None, now, share: 10_000, limit, unrung_since: None }
}

async fn expires(store: &impl Store, transaction: &Transaction, now: Timestamp) -> Result<bool, Problem> {
    let found = store.due_expiries(everyone(now, 10_000)).await?;
    Ok(found.iter().any(|turn| turn.item == transaction.session_id))
}

async fn is_inquired(store: &impl Store, attempt: &Attempt, now: Timestamp) -> Result<bool, Problem> {
    let mut searched = 0_usize;
    for urgency in [Urgency::Unknown, Urgency::Waiting, Urgency::Closed] {
        let found = store.due_inquiries(everyone(now, 10_000), urgency).await?;
        let times = found.iter().filter(|turn| turn.item == attempt.reference).count();
        holds("in its own search only", times == 0 || Urgency::of(attempt.stage) == Some(urgency))?;
        searched = searched.saturating_add(times);
    }
    holds("once", searched <= 1)?;
    Ok(searched == 1)
}

async fn created(
    store: &impl Store,
    fixture: &Fixture,
    expires_at: Timestamp,
) -> Result<Transaction, Problem> {
    let change = fixture.created(Transaction { expires_at, ..fixture.transaction()? });
    store.commit(&change).await?;
    Ok(change.transaction)
}

/// A transaction with an attempt that is being sent.
async fn opened(store: &impl Store, fixture: &Fixture) -> Result<(Transaction, Attempt), Problem> {
    let transaction = created(store, fixture, fixture.after(30)).await?;
    let attempt = fixture.attempt(&transaction, 1)?;
    let change = fixture.opened(&transaction, attempt.clone());
    store.commit(&change).await?;
    Ok((change.transaction, attempt))
}

async fn moved(
    store: &impl Store,
    fixture: &Fixture,
    (transaction, attempt): (&Transaction, &Attempt),
    stage: Stage,
) -> Result<(Transaction, Attempt), Problem> {
    let next = Attempt { stage, ..attempt.clone() };
    let update = AttemptWrite::Update { from: attempt.stage, attempt: next.clone() };
    let change = fixture.noted(transaction).with_attempt(update);
    store.commit(&change).await?;
    Ok((change.transaction, next))
}

pub(super) async fn a_payable_transaction_expires_when_its_time_is_over(
    store: &impl Store,
    fixture: &Fixture,
) -> Checked {
    let transaction = created(store, fixture, fixture.after(30)).await?;
    holds("not before", !expires(store, &transaction, fixture.after(29)).await?)?;
    holds("at the moment", expires(store, &transaction, fixture.after(30)).await?)?;
    let expired = fixture.moved(&transaction, Event::Expired, State::Expired);
    store.commit(&expired).await?;
    holds("not twice", !expires(store, &transaction, fixture.after(31)).await?)
}

pub(super) async fn a_transaction_with_an_unknown_outcome_does_not_expire(
    store: &impl Store,
    fixture: &Fixture,
) -> Checked {
    let (transaction, attempt) = opened(store, fixture).await?;
    holds("not while sending", !expires(store, &transaction, fixture.after(60)).await?)?;
    let (transaction, attempt) = moved(store, fixture, (&transaction, &attempt), Stage::Unknown).await?;
    holds("not while unknown", !expires(store, &transaction, fixture.after(60)).await?)?;
    moved(store, fixture, (&transaction, &attempt), Stage::Failed).await?;
    holds("once it failed", expires(store, &transaction, fixture.after(60)).await?)
}

pub(super) async fn a_transaction_whose_payer_is_at_the_gateway_does_not_expire(
    store: &impl Store,
    fixture: &Fixture,
) -> Checked {
    let (transaction, attempt) = opened(store, fixture).await?;
    moved(store, fixture, (&transaction, &attempt), Stage::Redirected).await?;
    holds("not while the page waits", !expires(store, &transaction, fixture.after(60)).await?)
}

pub(super) async fn expiries_are_limited(store: &impl Store, fixture: &Fixture) -> Checked {
    let later = created(store, fixture, fixture.after(20)).await?.session_id;
    let earlier = created(store, fixture, fixture.after(10)).await?.session_id;
    let found = store.due_expiries(everyone(fixture.after(30), 10_000)).await?;
    let found: Vec<_> = found.into_iter().map(|turn| turn.item).collect();
    holds("both", found.contains(&earlier) && found.contains(&later))?;
    same("limit", store.due_expiries(everyone(fixture.after(30), 1)).await?.len(), 1)
}

pub(super) async fn the_inquiries_of_a_merchant_are_counted(
    store: &impl Store,
    fixture: &Fixture,
) -> Checked {
    let (mut transaction, _) = opened(store, fixture).await?;
    let session_id = transaction.session_id.clone();
    for seconds in [10, 20] {
        let change = Change::of(transaction, EventKind::Inquired, fixture.after(seconds));
        store.commit(&change).await?;
        transaction = change.transaction;
    }
    store.commit(&fixture.noted(&transaction)).await?;
    let both = [fixture.after(10), fixture.after(20)];
    same("both", store.inquired_at(&session_id, fixture.after(9)).await?, both.into())?;
    same("the later", store.inquired_at(&session_id, fixture.after(10)).await?, [fixture.after(20)].into())?;
    same("opened", store.opened_at(&session_id, 1).await?, Some(fixture.now))?;
    same("not opened", store.opened_at(&session_id, 2).await?, None)?;
    same("of the merchant", store.inquiries_of(&fixture.merchant, fixture.after(9)).await?, 2)?;
    same("of the merchant later", store.inquiries_of(&fixture.merchant, fixture.after(10)).await?, 1)?;
    same("of another", store.inquiries_of(&fixture.another()?.merchant, fixture.after(9)).await?, 0)
}

pub(super) async fn an_attempt_is_inquired_when_it_is_time(store: &impl Store, fixture: &Fixture) -> Checked {
    let (transaction, attempt) = opened(store, fixture).await?;
    holds("not before", !is_inquired(store, &attempt, fixture.after(59)).await?)?;
    holds("at the moment", is_inquired(store, &attempt, fixture.after(60)).await?)?;
    same("limit", store.due_inquiries(everyone(fixture.after(60), 1), Urgency::Unknown).await?.len(), 1)?;
    let held = Attempt { inquire_at: None, ..attempt };
    let (transaction, held) = moved(store, fixture, (&transaction, &held), Stage::Sending).await?;
    holds("not while nobody is to ask", !is_inquired(store, &held, fixture.after(99)).await?)?;
    let asked = Attempt { inquire_at: Some(fixture.after(70)), ..held };
    let (transaction, asked) = moved(store, fixture, (&transaction, &asked), Stage::Redirected).await?;
    holds("later again", is_inquired(store, &asked, fixture.after(70)).await?)?;
    let (transaction, ended) = moved(store, fixture, (&transaction, &asked), Stage::Failed).await?;
    holds("once it ended", is_inquired(store, &ended, fixture.after(99)).await?)?;
    store.postpone_inquiry(&ended.reference, fixture.after(200)).await?;
    holds("not before it was put off to", !is_inquired(store, &ended, fixture.after(199)).await?)?;
    holds("then again", is_inquired(store, &ended, fixture.after(200)).await?)?;
    let over = Attempt { inquire_at: None, ..ended };
    let (_, over) = moved(store, fixture, (&transaction, &over), Stage::Failed).await?;
    holds("not when it was asked often enough", !is_inquired(store, &over, fixture.after(999)).await?)
}

/// An attempt of unknown outcome at a gateway, due that many seconds after the check's moment.
async fn unknown_at(
    store: &impl Store,
    fixture: &Fixture,
    (code, seconds): (&str, u64),
) -> Result<ReferenceNumber, Problem> {
    let transaction = created(store, fixture, fixture.after(3_600)).await?;
    let attempt = Attempt {
        pg_code: PgCode::parse(code).ok_or("no gateway code")?,
        inquire_at: Some(fixture.after(seconds)),
        ..fixture.attempt(&transaction, 1)?
    };
    store.commit(&fixture.opened(&transaction, attempt.clone())).await?;
    Ok(attempt.reference)
}

pub(super) async fn what_is_due_comes_by_turns_of_merchants_and_their_gateways(
    store: &(impl Store + Registry),
    fixture: &Fixture,
) -> Checked {
    let other = fixture.another()?;
    store.add_merchant(&other.new_merchant(&[])?, &fixture.entry("add_merchant").making(1)).await?;
    let mut knet = Vec::new();
    for seconds in 1..=4 {
        knet.push(unknown_at(store, fixture, ("knet", seconds)).await?);
    }
    let card = unknown_at(store, fixture, ("credit-card", 5)).await?;
    let of_other = unknown_at(store, &other, ("knet", 6)).await?;
    let all = [knet.as_slice(), &[card.clone(), of_other.clone()]].concat();

    let due = Due { share: 3, ..everyone(fixture.after(60), 10_000) };
    let found = store.due_inquiries(due, Urgency::Unknown).await?;
    let order: Vec<&ReferenceNumber> =
        found.iter().map(|turn| &turn.item).filter(|item| all.contains(item)).collect();
    // The second row of a merchant never comes before the first of another one, nor a gateway's before
    // another's.
    let wanted: Vec<&ReferenceNumber> =
        knet.iter().take(1).chain([&of_other, &card]).chain(knet.iter().skip(1).take(2)).collect();
    same("order", order, wanted)?;

    let of_one = Due { merchant: Some(&other.merchant), ..due };
    let found = store.due_inquiries(of_one, Urgency::Unknown).await?;
    let turn = found.first().ok_or("nothing")?;
    same("of one merchant", (found.len(), &turn.item), (1, &of_other))?;
    same("lane", (&turn.merchant, turn.lane.as_str()), (&other.merchant, "knet"))?;
    same("family", turn.family.as_deref(), Some("kpay (sandbox)"))
}
