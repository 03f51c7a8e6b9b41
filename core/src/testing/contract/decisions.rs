//! Why payments went to their gateways, and which gateways failed lately.

use super::fixture::Fixture;
use super::{Checked, Problem, same};
use crate::attempt::Attempt;
use crate::change::Change;
use crate::port::{Decisions, Store};
use crate::record::decision::{Basis, GatewayFinding, RoutingDecision};
use crate::record::health::{Health, HealthWrite, Seen};
use crate::value::id::PgCode;

fn code(text: &str) -> Result<PgCode, Problem> {
    PgCode::parse(text).ok_or_else(|| "no gateway code".into())
}

/// A transaction with an open attempt, and the change that opens it with what `add` adds.
async fn opened(
    store: &impl Store,
    fixture: &Fixture,
    add: impl FnOnce(&mut Change, &Attempt) -> Checked,
) -> Result<Attempt, Problem> {
    let created = fixture.created(fixture.transaction()?);
    store.commit(&created).await?;
    let attempt = fixture.attempt(&created.transaction, 1)?;
    let mut change = fixture.opened(&created.transaction, attempt.clone());
    add(&mut change, &attempt)?;
    store.commit(&change).await?;
    Ok(attempt)
}

pub(super) async fn a_decision_is_read_back_as_it_was_stored(
    store: &(impl Store + Decisions),
    fixture: &Fixture,
) -> Checked {
    let whole = RoutingDecision {
        reference: fixture.reference(),
        at: fixture.after(1),
        basis: Basis::Fallback,
        rule: Some("large ' نور".into()),
        draw: Some(99),
        replaces: Some(fixture.reference()),
        gateways: [(code("knet")?, GatewayFinding::Chosen), (code("a_-1")?, GatewayFinding::NotReached)]
            .into(),
    };
    let stored = opened(store, fixture, |change, attempt| {
        change.decision =
            Some(RoutingDecision { reference: attempt.reference.clone(), ..whole.clone() }.into());
        Ok(())
    });
    let attempt = stored.await?;
    let found = store.decisions(&attempt.session_id).await?;
    same("decisions", found, [RoutingDecision { reference: attempt.reference, ..whole.clone() }].into())?;
    let bare = RoutingDecision { rule: None, draw: None, replaces: None, ..whole };
    let stored = opened(store, fixture, |change, attempt| {
        change.decision =
            Some(RoutingDecision { reference: attempt.reference.clone(), ..bare.clone() }.into());
        Ok(())
    });
    let attempt = stored.await?;
    let found = store.decisions(&attempt.session_id).await?;
    same("without the rest", found, [RoutingDecision { reference: attempt.reference, ..bare }].into())?;
    let stored = opened(store, fixture, |_, _| Ok(()));
    same("none", store.decisions(&stored.await?.session_id).await?, [].into())
}

fn seen(fixture: &Fixture, seen: Seen) -> Result<HealthWrite, Problem> {
    Ok(HealthWrite { merchant: fixture.merchant.clone(), code: code("knet")?, seen })
}

/// A failure `after` so many seconds, of which those of the last minute count, and from the second on the gateway is
/// skipped for ten seconds.
fn failed(fixture: &Fixture, after: u64) -> Seen {
    Seen::Failed {
        at: fixture.after(after),
        counted_from: fixture.after(after.saturating_sub(60)),
        skipped_from: 2,
        skipped_until: fixture.after(after.saturating_add(10)),
    }
}

/// The failures of the gateway, and whether it is skipped, after so many seconds.
async fn health(
    store: &impl Decisions,
    fixture: &Fixture,
    after: u64,
) -> Result<Option<(u32, bool)>, Problem> {
    let found = store.health(&fixture.merchant, fixture.after(after)).await?;
    Ok(found.first().map(|Health { failures, is_skipped, .. }| (*failures, *is_skipped)))
}

async fn note(store: &impl Store, fixture: &Fixture, what: Seen) -> Checked {
    let stored = opened(store, fixture, |change, _| {
        change.health = Some(seen(fixture, what)?.into());
        Ok(())
    });
    stored.await.map(|_| ())
}

pub(super) async fn a_gateway_that_fails_in_a_row_is_skipped_for_a_while(
    store: &(impl Store + Decisions),
    fixture: &Fixture,
) -> Checked {
    same("nothing is known", health(store, fixture, 0).await?, None)?;
    note(store, fixture, failed(fixture, 0)).await?;
    same("one failure", health(store, fixture, 1).await?, Some((1, false)))?;
    note(store, fixture, failed(fixture, 50)).await?;
    same("two in a row", health(store, fixture, 51).await?, Some((2, true)))?;
    same("the time is over", health(store, fixture, 60).await?, Some((2, false)))?;
    note(store, fixture, failed(fixture, 62)).await?;
    same("once more", health(store, fixture, 63).await?, Some((3, true)))?;
    note(store, fixture, failed(fixture, 300)).await?;
    same("the others are too old", health(store, fixture, 301).await?, Some((1, false)))?;
    note(store, fixture, Seen::Answered).await?;
    same("it answered", health(store, fixture, 302).await?, None)
}

pub(super) async fn one_transaction_counts_as_one_failure(
    store: &(impl Store + Decisions),
    fixture: &Fixture,
) -> Checked {
    let attempt = opened(store, fixture, |change, _| {
        change.health = Some(seen(fixture, failed(fixture, 0))?.into());
        Ok(())
    });
    let session_id = attempt.await?.session_id;
    let stored = store.load(&session_id).await?.ok_or("no transaction")?;
    let mut again = fixture.noted(&stored.transaction);
    again.health = Some(seen(fixture, failed(fixture, 5))?.into());
    store.commit(&again).await?;
    same("the same payer again", health(store, fixture, 6).await?, Some((1, false)))?;
    note(store, fixture, failed(fixture, 7)).await?;
    same("another payer", health(store, fixture, 8).await?, Some((2, true)))
}

pub(super) async fn the_first_failure_can_be_enough(
    store: &(impl Store + Decisions),
    fixture: &Fixture,
) -> Checked {
    let (at, counted_from) = (fixture.after(0), fixture.after(0));
    let only = Seen::Failed { at, counted_from, skipped_from: 1, skipped_until: fixture.after(5) };
    note(store, fixture, only).await?;
    same("skipped", health(store, fixture, 1).await?, Some((1, true)))?;
    let other = fixture.another()?;
    same("another merchant's gateway is not", health(store, &other, 1).await?, None)
}
