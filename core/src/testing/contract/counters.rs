//! What is counted so that it can be limited.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::time::Duration;

use super::fixture::Fixture;
use super::{Checked, Problem, holds, same};
use crate::attempt::Attempt;
use crate::attempt::stage::Stage;
use crate::change::{AttemptWrite, Change, PayerClaim};
use crate::payment::card_testing::TriedOutcome::{self, Declined, Open, Paid};
use crate::payment::card_testing::TriedPayment;
use crate::port::{CommitError, Counters, Payers, Store};
use crate::settings::limits::DeclineLimits;
use crate::value::id::SessionId;
use crate::value::time::Timestamp;

/// A payer, and what comes of what they try.
struct Payer<'a> {
    name: &'a str,
    /// Seconds after the beginning of the check.
    second: u64,
    stage: Stage,
    /// Whether the gateway said something about the card.
    is_said: bool,
}

/// A payer who may try anything but what other limits refuse.
fn claim(payer: &str, at: Timestamp) -> PayerClaim {
    let limits =
        DeclineLimits { address_declines: DeclineLimits::MOST, address_sessions: 0, ..DeclineLimits::USUAL };
    PayerClaim { payer: payer.into(), limits, at }
}

/// Stores an attempt of a payer in a transaction of its own, and what came of it.
async fn tries(store: &impl Store, fixture: &Fixture, payer: Payer<'_>) -> Result<SessionId, Problem> {
    let Payer { name, second, stage, is_said } = payer;
    let created = fixture.created(fixture.transaction()?);
    store.commit(&created).await?;
    let at = fixture.after(second);
    let attempt = Attempt { opened_at: at, ..fixture.attempt(&created.transaction, 1)? };
    let opened = Change {
        payer: Some(Box::new(claim(name, at))),
        ..fixture.opened(&created.transaction, attempt.clone())
    };
    store.commit(&opened).await?;
    if stage != attempt.stage {
        let mut next = Attempt { stage, inquire_at: None, ..attempt.clone() };
        if is_said {
            next.params.insert("card_number".into(), "411111******1111".into());
        }
        let write = AttemptWrite::Update { from: attempt.stage, attempt: next };
        store.commit(&fixture.noted(&opened.transaction).with_attempt(write)).await?;
    }
    Ok(created.transaction.session_id)
}

/// The texts of what was found, to be compared.
fn seconds(found: &[TriedPayment], began: Timestamp) -> Vec<(u64, TriedOutcome)> {
    found.iter().map(|tried| (tried.opened_at.since(began).as_secs(), tried.outcome)).collect()
}

pub(super) async fn what_a_payer_tried_is_found_by_merchant_and_age(
    store: &(impl Store + Counters + Payers),
    fixture: &Fixture,
) -> Checked {
    let name: String = alloc::format!("payer of {}", fixture.merchant);
    let of = |second, stage, is_said| Payer { name: &name, second, stage, is_said };
    let declined = tries(store, fixture, of(20, Stage::Failed, true)).await?;
    let paid = tries(store, fixture, of(10, Stage::Success, true)).await?;
    // What a person ended and what was given up says nothing about the payer; what is still open may.
    tries(store, fixture, of(30, Stage::Failed, false)).await?;
    tries(store, fixture, of(40, Stage::Canceled, true)).await?;
    let open = tries(store, fixture, of(50, Stage::Sending, false)).await?;
    let other = Payer { name: "someone else", second: 15, stage: Stage::Failed, is_said: true };
    tries(store, fixture, other).await?;
    let found = store.tried_by(&fixture.merchant, &name, fixture.now, 9).await?;
    same("found", seconds(&found, fixture.now), alloc::vec![(10, Paid), (20, Declined), (50, Open)])?;
    let sessions: Vec<SessionId> = found.into_iter().map(|tried| tried.session_id).collect();
    same("transactions", sessions, alloc::vec![paid, declined, open])?;
    let newest = store.tried_by(&fixture.merchant, &name, fixture.now, 1).await?;
    same("the newest", seconds(&newest, fixture.now), alloc::vec![(50, Open)])?;
    let later = store.tried_by(&fixture.merchant, &name, fixture.after(20), 9).await?;
    same("after it", later.len(), 1)?;
    let foreign = fixture.another()?.merchant;
    same("of another merchant", store.tried_by(&foreign, &name, fixture.now, 9).await?.len(), 0)
}

pub(super) async fn an_attempt_is_stored_only_while_its_payer_is_below_the_limits(
    store: &(impl Store + Counters),
    fixture: &Fixture,
) -> Checked {
    let name: String = alloc::format!("payer of {}", fixture.merchant);
    let of = |second, stage, is_said| Payer { name: &name, second, stage, is_said };
    tries(store, fixture, of(10, Stage::Failed, true)).await?;
    tries(store, fixture, of(20, Stage::Sending, false)).await?;
    tries(store, fixture, of(30, Stage::Canceled, true)).await?;
    tries(store, fixture, Payer { name: "someone else", ..of(30, Stage::Failed, true) }).await?;
    // A payment that is opened when two attempts count, of two transactions, and then of one, and then more.
    let opens = async |limits: DeclineLimits, second| -> Result<bool, Problem> {
        let created = fixture.created(fixture.transaction()?);
        store.commit(&created).await?;
        let attempt =
            Attempt { opened_at: fixture.after(second), ..fixture.attempt(&created.transaction, 1)? };
        let claim = PayerClaim { limits, ..claim(&name, fixture.after(second)) };
        let opened =
            Change { payer: Some(Box::new(claim)), ..fixture.opened(&created.transaction, attempt.clone()) };
        match store.commit(&opened).await {
            Err(CommitError::Conflict) => Ok(false),
            Err(error) => Err(error.into()),
            Ok(()) => {
                let next = Attempt { stage: Stage::Canceled, inquire_at: None, ..attempt.clone() };
                let write = AttemptWrite::Update { from: attempt.stage, attempt: next };
                store.commit(&fixture.noted(&opened.transaction).with_attempt(write)).await?;
                Ok(true)
            }
        }
    };
    let limits = |address_declines, address_sessions| {
        let window = Duration::from_mins(1);
        DeclineLimits { address_declines, address_sessions, window, ..DeclineLimits::USUAL }
    };
    same("as many declines", opens(limits(2, 0), 40).await?, false)?;
    same("one less", opens(limits(3, 0), 40).await?, true)?;
    same("as many transactions", opens(limits(0, 2), 40).await?, false)?;
    same("one less of them", opens(limits(9, 3), 40).await?, true)?;
    same("without limits", opens(limits(0, 0), 40).await?, true)?;
    same("one no longer counts", opens(limits(2, 2), 71).await?, true)?;
    tries(store, fixture, of(50, Stage::Success, true)).await?;
    same("one was paid", opens(limits(2, 2), 55).await?, true)?;
    tries(store, fixture, of(51, Stage::Unknown, false)).await?;
    same("and one more is open", opens(limits(2, 0), 55).await?, false)
}

pub(super) async fn who_tried_is_deleted_when_it_no_longer_counts(
    store: &(impl Store + Counters + Payers),
    fixture: &Fixture,
) -> Checked {
    let name: String = alloc::format!("payer of {}", fixture.merchant);
    for second in [10, 20] {
        let payer = Payer { name: &name, second, stage: Stage::Failed, is_said: true };
        tries(store, fixture, payer).await?;
    }
    let left = async || -> Result<Vec<(u64, TriedOutcome)>, Problem> {
        Ok(seconds(&store.tried_by(&fixture.merchant, &name, fixture.now, 9).await?, fixture.now))
    };
    store.delete_payers(fixture.after(10), u32::MAX).await?;
    same("not over", left().await?.len(), 2)?;
    store.delete_payers(fixture.after(11), u32::MAX).await?;
    same("one is over", left().await?, alloc::vec![(20, Declined)])?;
    store.delete_payers(fixture.after(60), 0).await?;
    same("bounded", left().await?.len(), 1)
}

pub(super) async fn calls_are_counted_by_caller_and_day(store: &impl Counters, fixture: &Fixture) -> Checked {
    let caller: String = alloc::format!("key of {}", fixture.merchant);
    same("first", store.count_calls(&caller, 20_000, 3).await?, 3)?;
    same("with it", store.count_calls(&caller, 20_000, 100).await?, 103)?;
    same("another day", store.count_calls(&caller, 20_001, 1).await?, 1)?;
    same("another caller", store.count_calls(&alloc::format!("{caller}!"), 20_000, 1).await?, 1)?;
    store.delete_calls(20_001, u32::MAX).await?;
    same("deleted", store.count_calls(&caller, 20_000, 1).await?, 1)?;
    same("the later day stays", store.count_calls(&caller, 20_001, 1).await?, 2)?;
    holds("deleted", store.delete_calls(20_002, u32::MAX).await? >= 1)
}
