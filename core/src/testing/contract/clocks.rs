//! The clock of one merchant moves, and what is due for it is found in its own time.

use core::time::Duration;

use super::fixture::Fixture;
use super::{Checked, Problem, holds, same};
use crate::payment::chase::Urgency;
use crate::port::{Due, Registry, Store};
use crate::settings::MerchantSettings;
use crate::transaction::Transaction;
use crate::value::id::DeliveryId;
use crate::value::time::Timestamp;

const HOUR: Duration = Duration::from_hours(1);

/// Moves the clock of the check's merchant forward by an hour.
pub(super) async fn moved(store: &impl Registry, fixture: &Fixture) -> Result<MerchantSettings, Problem> {
    let before = store.merchant(&fixture.merchant).await?.ok_or("no merchant")?;
    let offset = before.clock_offset.saturating_add(HOUR);
    holds("moved", store.move_clock(&before.settings, offset, &fixture.entry("move_clock")).await?)?;
    let after = store.merchant(&fixture.merchant).await?.ok_or("no merchant")?;
    same("offset", after.clock_offset, offset)?;
    same("version", after.settings.version, before.settings.version.saturating_add(1))?;
    Ok((*after.settings).clone())
}

pub(super) async fn a_clock_is_moved_from_the_version_that_was_read_only(
    store: &impl Registry,
    fixture: &Fixture,
) -> Checked {
    let before = store.merchant(&fixture.merchant).await?.ok_or("no settings")?.settings;
    let listed = |found: &[crate::value::id::MerchantId]| found.contains(&fixture.merchant);
    holds("not listed", !listed(&store.moved_clocks(10_000).await?))?;
    moved(store, fixture).await?;
    holds("not again", !store.move_clock(&before, HOUR, &fixture.entry("move_clock")).await?)?;
    moved(store, fixture).await?;
    holds("listed", listed(&store.moved_clocks(10_000).await?))?;
    same("limit", store.moved_clocks(1).await?.len(), 1)
}

pub(super) async fn a_moved_clock_survives_new_settings(store: &impl Registry, fixture: &Fixture) -> Checked {
    let version = moved(store, fixture).await?.version;
    let document = super::fixture::document("Second Store");
    holds("replaced", fixture.replace(store, version, &document).await?)?;
    let found = store.merchant(&fixture.merchant).await?.ok_or("no merchant")?;
    same("merchant", (found.settings.name.en.as_str(), found.clock_offset), ("Second Store", HOUR))
}

/// Whether transaction, attempt and notification are found, in this order.
async fn found(
    store: &impl Store,
    due: Due<'_>,
    (transaction, open, delivery): (&Transaction, &Transaction, &DeliveryId),
) -> Result<[bool; 3], Problem> {
    let attempt =
        store.load(&open.session_id).await?.and_then(|record| record.attempt).ok_or("no attempt")?;
    Ok([
        store.due_expiries(due).await?.iter().any(|turn| turn.item == transaction.session_id),
        store.due_inquiries(due, Urgency::Unknown).await?.iter().any(|turn| turn.item == attempt.reference),
        store.due_deliveries(due).await?.iter().any(|candidate| candidate.item == *delivery),
    ])
}

pub(super) async fn what_is_due_of_a_merchant_whose_clock_was_moved_is_found_by_its_own_time(
    store: &(impl Store + Registry),
    fixture: &Fixture,
) -> Checked {
    let idle = fixture.created(Transaction { expires_at: fixture.after(3_600), ..fixture.transaction()? });
    store.commit(&idle).await?;
    let created = fixture.created(fixture.transaction()?);
    store.commit(&created).await?;
    let attempt = fixture.attempt(&created.transaction, 1)?;
    let mut opened = fixture.opened(&created.transaction, attempt.clone());
    let mut message = fixture.message(&opened, &attempt.reference);
    message.due_at = fixture.after(3_600);
    let id = message.id.clone();
    opened.messages.push(message);
    store.commit(&opened).await?;
    let rows = (&idle.transaction, &opened.transaction, &id);
    let everyone =
        |now: Timestamp| Due { merchant: None, now, share: 10_000, limit: 10_000, unrung_since: None };
    let own = |now: Timestamp| Due { merchant: Some(&fixture.merchant), ..everyone(now) };
    same("by the real time", found(store, everyone(fixture.after(3_600)), rows).await?, [true; 3])?;
    let until = fixture.now.plus(Duration::from_mins(1));
    same("not claimed before", store.claim(&id, fixture.now, until).await?, None)?;

    moved(store, fixture).await?;
    same("not with the others", found(store, everyone(fixture.after(3_600)), rows).await?, [false; 3])?;
    same("not before", found(store, own(fixture.after(59)), rows).await?, [false; 3])?;
    same("by its own time", found(store, own(fixture.after(3_600)), rows).await?, [true; 3])?;
    let other = fixture.another()?.merchant;
    let others = Due { merchant: Some(&other), ..everyone(fixture.after(3_600)) };
    same("not of another", found(store, others, rows).await?, [false; 3])?;
    let claim = store.claim(&id, fixture.now, until).await?;
    holds("claimed by its own time", claim.is_some())?;
    same("not twice", store.claim(&id, fixture.after(59), until).await?, None)
}
