//! Saved cards and agreements.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use super::fixture::Fixture;
use super::{Checked, Problem, holds, same};
use crate::attempt::Attempt;
use crate::attempt::stage::Stage;
use crate::card::agreement::{AgreementKey, AgreementWrite, CycleClaim, OpenDebits, SavedAgreement};
use crate::card::expiry::Expiry;
use crate::card::usage::{CardUse, ChargeInitiator};
use crate::card::{Card, CardEffect, CardToken, CardWrite, Holder, SavedCard};
use crate::change::{AttemptWrite, Change, EventKind};
use crate::port::{Awaited, CardDeletion, CardName, Cards, CommitError, Store};
use crate::record::consent::Consent;
use crate::transaction::agreement::Agreement;
use crate::value::id::{PgCode, ReferenceNumber};
use crate::value::sealed::Sealed;
use crate::value::slot::Slot;
use crate::words::Language;

const CUSTOMER: &str = "c/1 ' نور";

pub(super) fn holder(fixture: &Fixture) -> Holder {
    Holder { merchant: fixture.merchant.clone(), customer_id: CUSTOMER.into(), is_sandbox: true }
}

/// A card that is not stored, used that many seconds after the check's beginning.
pub(super) fn card(fixture: &Fixture, seed: u8, seconds: u64) -> Result<Card, Problem> {
    let holder = holder(fixture);
    Ok(Card {
        token: CardToken::generate(
            Slot::FIRST,
            *fixture.session_id().as_str().as_bytes().last_chunk().ok_or("no chunk")?,
        ),
        fingerprint: alloc::format!("{}-{seed}", holder.merchant),
        holder,
        pg_code: PgCode::parse("knet").ok_or("no code")?,
        pg_name: "kpay".into(),
        bank_token: Sealed("sealed".into()),
        brand: Some("VISA".into()),
        name_on_card: None,
        number: Some("**** 1019".into()),
        expiry: Expiry::parse("01", "39").ok_or("no expiry")?,
        cvv_required: seed == 1,
        created_at: fixture.now,
        used_at: fixture.after(seconds),
    })
}

pub(super) fn agreement(
    fixture: &Fixture,
    card: &Card,
    id: &str,
    frequency: &str,
) -> Result<SavedAgreement, Problem> {
    let terms: Agreement =
        Agreement::from_json(&alloc::format!(r#"{{"id":"{id}","type":"other","frequency":"{frequency}"}}"#))
            .ok_or("no terms")?;
    Ok(SavedAgreement {
        key: AgreementKey { holder: card.holder.clone(), id: id.into() },
        terms,
        amount: fixture.money(10_250)?,
        card: card.token.clone(),
        cycles: 0,
        charged_at: fixture.now,
        open: OpenDebits::default(),
        paused: None,
    })
}

/// Stores a card with a change of a new transaction.
pub(super) async fn save(
    store: &impl Store,
    fixture: &Fixture,
    card: &Card,
    agreement: Option<(SavedAgreement, ChargeInitiator)>,
) -> Result<(), CommitError> {
    let no_reason = |_| CommitError::Conflict;
    let created = fixture.created(fixture.transaction().map_err(no_reason)?);
    store.commit(&created).await?;
    let saved = SavedCard { card: card.clone(), agreements: Vec::new(), is_preferred: true };
    let write = agreement.map(|(agreement, initiator)| Box::new(AgreementWrite { agreement, initiator }));
    let change = Change::of(created.transaction, EventKind::AttemptNoted, fixture.now)
        .with_card(CardWrite { saved, effect: CardEffect::Saved(write) });
    store.commit(&change).await
}

pub(super) async fn a_saved_card_is_read_back_as_it_was_stored(
    store: &(impl Store + Cards),
    fixture: &Fixture,
) -> Checked {
    let (first, second) = (card(fixture, 1, 1)?, card(fixture, 2, 2)?);
    for card in [&second, &first] {
        save(store, fixture, card, None).await?;
    }
    let found = store.cards(&holder(fixture), 10).await?;
    let wanted: Vec<SavedCard> = [(&second, true), (&first, false)]
        .map(|(card, is_preferred)| SavedCard { card: card.clone(), agreements: Vec::new(), is_preferred })
        .into();
    same("the cards, last used first", &found, &wanted)?;
    same("a page of one", store.cards(&holder(fixture), 1).await?.len(), 1)?;
    let name = CardName::Token(&first.token);
    same("by its token", store.card(&fixture.merchant, name).await?.map(|saved| saved.card), Some(first))
}

pub(super) async fn attempts_that_wait_for_their_card_are_found_by_customer_and_gateway(
    store: &(impl Store + Cards),
    fixture: &Fixture,
) -> Checked {
    let made = async |use_of_card: CardUse, stage: Stage, id: &str| -> Result<ReferenceNumber, Problem> {
        let mut transaction = fixture.transaction()?;
        transaction.details.customer_id = Some(CUSTOMER.into());
        let created = fixture.created(transaction);
        store.commit(&created).await?;
        let opened = Attempt { card: use_of_card, ..fixture.attempt(&created.transaction, 1)? };
        let change = fixture.opened(&created.transaction, opened.clone());
        store.commit(&change).await?;
        let (reference, gateway_id) = (opened.reference.clone(), Some(id.into()));
        let write =
            AttemptWrite::Update { from: opened.stage, attempt: Attempt { stage, gateway_id, ..opened } };
        store.commit(&fixture.noted(&change.transaction).with_attempt(write)).await?;
        Ok(reference)
    };
    let waits = async |use_of_card, stage| made(use_of_card, stage, "pay-0").await;
    let mut wanted = Vec::from([
        waits(CardUse::Save, Stage::Success).await?,
        waits(CardUse::Save, Stage::Redirected).await?,
        waits(CardUse::Save, Stage::Unknown).await?,
    ]);
    waits(CardUse::Save, Stage::Failed).await?;
    waits(CardUse::Nothing, Stage::Success).await?;
    let pg_code = PgCode::parse("knet").ok_or("no code")?;
    let since = fixture.now.minus(core::time::Duration::from_secs(1));
    let charge_id = "pay-1";
    let all =
        Awaited { merchant: &fixture.merchant, pg_code: &pg_code, customer_id: CUSTOMER, charge_id, since };
    let found = store.awaiting_card(all).await?;
    let mut references: Vec<ReferenceNumber> =
        found.into_iter().filter_map(|record| record.attempt).map(|attempt| attempt.reference).collect();
    references.sort();
    wanted.sort();
    same("those that wait", references, wanted)?;
    let named = made(CardUse::Nothing, Stage::Failed, charge_id).await?;
    let found = store.awaiting_card(all).await?;
    let first = found.into_iter().next().and_then(|record| record.attempt).map(|attempt| attempt.reference);
    same("the one with the id of the payment", first, Some(named))?;
    let (other, stranger) = (PgCode::parse("other").ok_or("no code")?, fixture.another()?);
    for nobody in [
        Awaited { pg_code: &other, ..all },
        Awaited { customer_id: "c/2", ..all },
        Awaited { merchant: &stranger.merchant, ..all },
        Awaited { since: fixture.after(1), ..all },
    ] {
        same("those of others", store.awaiting_card(nobody).await?.len(), 0)?;
    }
    Ok(())
}

pub(super) async fn the_same_card_is_saved_once(store: &(impl Store + Cards), fixture: &Fixture) -> Checked {
    let first = card(fixture, 1, 1)?;
    save(store, fixture, &first, None).await?;
    let again = Card { used_at: fixture.after(9), brand: None, ..first.clone() };
    save(store, fixture, &again, None).await?;
    let name = CardName::Fingerprint(&first.fingerprint);
    same(
        "by its fingerprint",
        store.card(&fixture.merchant, name).await?.map(|saved| saved.card),
        Some(again),
    )?;
    let twin = card(fixture, 1, 20)?;
    let refused = save(store, fixture, &twin, None).await.err();
    same("the same card under another token", refused, Some(CommitError::Conflict))?;
    same("the cards", store.cards(&holder(fixture), 10).await?.len(), 1)
}

pub(super) async fn a_card_of_someone_else_is_not_seen(
    store: &(impl Store + Cards),
    fixture: &Fixture,
) -> Checked {
    let first = card(fixture, 1, 1)?;
    save(store, fixture, &first, None).await?;
    let own = holder(fixture);
    let other = fixture.another()?;
    for stranger in [
        Holder { merchant: other.merchant.clone(), ..own.clone() },
        Holder { customer_id: "c/2".into(), ..own.clone() },
        Holder { is_sandbox: false, ..own.clone() },
    ] {
        same("cards of a stranger", store.cards(&stranger, 10).await?, Vec::new())?;
        same(
            "deleted by a stranger",
            store.delete_card(&stranger, &first.token).await?,
            CardDeletion::Unknown,
        )?;
    }
    let name = CardName::Token(&first.token);
    same("found by another merchant", store.card(&other.merchant, name).await?, None)?;
    same("deleted by its holder", store.delete_card(&own, &first.token).await?, CardDeletion::Deleted)?;
    same("deleted twice", store.delete_card(&own, &first.token).await?, CardDeletion::Unknown)?;
    same("the cards", store.cards(&own, 10).await?, Vec::new())
}

pub(super) async fn an_agreement_locks_its_card_until_another_takes_its_place(
    store: &(impl Store + Cards),
    fixture: &Fixture,
) -> Checked {
    let (first, second) = (card(fixture, 1, 1)?, card(fixture, 2, 2)?);
    for id in ["b", "a"] {
        let terms = agreement(fixture, &first, id, "monthly")?;
        save(store, fixture, &first, Some((terms, ChargeInitiator::Payer))).await?;
    }
    let name = CardName::Token(&first.token);
    let locks = store.card(&fixture.merchant, name).await?.map(|saved| saved.agreements);
    let wanted: Vec<String> = ["a", "b"].map(String::from).into();
    same("the agreements", locks, Some(wanted))?;
    same("locked", store.delete_card(&holder(fixture), &first.token).await?, CardDeletion::Locked)?;
    for id in ["a", "b"] {
        let terms = agreement(fixture, &second, id, "monthly")?;
        save(store, fixture, &second, Some((terms, ChargeInitiator::Payer))).await?;
    }
    same("freed", store.delete_card(&holder(fixture), &first.token).await?, CardDeletion::Deleted)?;
    same(
        "the other is locked",
        store.delete_card(&holder(fixture), &second.token).await?,
        CardDeletion::Locked,
    )
}

pub(super) async fn the_first_terms_of_an_agreement_hold_and_payments_count(
    store: &(impl Store + Cards),
    fixture: &Fixture,
) -> Checked {
    let first = card(fixture, 1, 1)?;
    let terms = agreement(fixture, &first, "a", "monthly")?;
    same("before its first payment", store.agreement(&terms.key).await?, None)?;
    let charged =
        SavedAgreement { charged_at: fixture.after(5), ..agreement(fixture, &first, "a", "daily")? };
    save(store, fixture, &first, Some((charged.clone(), ChargeInitiator::Merchant))).await?;
    same("a payment of the merchant begins none", store.agreement(&terms.key).await?, None)?;
    save(store, fixture, &first, Some((terms.clone(), ChargeInitiator::Payer))).await?;
    same("as it began", store.agreement(&terms.key).await?, Some(terms.clone()))?;
    save(store, fixture, &first, Some((charged, ChargeInitiator::Merchant))).await?;
    let after = store.agreement(&terms.key).await?;
    same(
        "after a payment",
        after,
        Some(SavedAgreement { cycles: 1, charged_at: fixture.after(5), ..terms.clone() }),
    )?;
    let stranger = AgreementKey { holder: Holder { is_sandbox: false, ..holder(fixture) }, id: "a".into() };
    holds("another environment has none", store.agreement(&stranger).await?.is_none())
}

/// Opens an attempt of a new transaction that takes a cycle.
async fn take(
    store: &impl Store,
    fixture: &Fixture,
    claim: &CycleClaim,
    seconds: u64,
) -> Result<Result<Change, CommitError>, Problem> {
    let created = fixture.created(fixture.transaction()?);
    store.commit(&created).await?;
    let opened_at = fixture.after(seconds);
    let attempt = Attempt { opened_at, ..fixture.attempt(&created.transaction, 1)? };
    let mut change = fixture.opened(&created.transaction, attempt);
    change.cycle = Some(Box::new(claim.clone()));
    Ok(store.commit(&change).await.map(|()| change))
}

pub(super) async fn a_cycle_is_taken_once_and_free_again_when_its_attempt_ends(
    store: &(impl Store + Cards),
    fixture: &Fixture,
) -> Checked {
    let (first, second) = (card(fixture, 1, 1)?, card(fixture, 2, 2)?);
    let mut terms = agreement(fixture, &first, "a", "monthly")?;
    terms.terms.total_cycles = Some(9);
    let key = terms.key.clone();
    let lost = CycleClaim { key: key.clone(), checked: Some(terms.taken()) };
    same("of no agreement", take(store, fixture, &lost, 0).await?.err(), Some(CommitError::Conflict))?;
    save(store, fixture, &first, Some((terms.clone(), ChargeInitiator::Payer))).await?;
    let current = async || -> Result<SavedAgreement, Problem> {
        Ok(store.agreement(&key).await?.ok_or("no agreement")?)
    };
    let claim = current().await?.claim();
    let taken = take(store, fixture, &claim, 3).await??;
    let open = OpenDebits { count: 1, latest: Some(fixture.after(3)) };
    same("taken", current().await?.open, open)?;
    same("taken twice", take(store, fixture, &claim, 3).await?.err(), Some(CommitError::Conflict))?;
    let again = current().await?.claim();
    let next = take(store, fixture, &again, 4).await??;
    let both = OpenDebits { count: 2, latest: Some(fixture.after(4)) };
    same("the next one", current().await?.open, both)?;
    same("as it was before", take(store, fixture, &again, 5).await?.err(), Some(CommitError::Conflict))?;
    let end = async |change: &Change, stage: Stage| -> Result<(), Problem> {
        let attempt = change.attempt.as_ref().ok_or("no attempt")?.attempt().clone();
        let write = AttemptWrite::Update { from: attempt.stage, attempt: Attempt { stage, ..attempt } };
        Ok(store.commit(&fixture.noted(&change.transaction).with_attempt(write)).await?)
    };
    end(&taken, Stage::Unknown).await?;
    same("unknown", current().await?.open, both)?;
    end(&next, Stage::Failed).await?;
    same("free again", current().await?.open, open)?;
    let free = CycleClaim { checked: None, ..claim };
    let unchecked = take(store, fixture, &free, 6).await??;
    same("without terms", current().await?.open.count, 2)?;
    end(&unchecked, Stage::Error).await?;
    let before = current().await?.claim();
    save(
        store,
        fixture,
        &second,
        Some((agreement(fixture, &second, "a", "monthly")?, ChargeInitiator::Payer)),
    )
    .await?;
    same("of another card", take(store, fixture, &before, 7).await?.err(), Some(CommitError::Conflict))
}

pub(super) async fn the_consent_of_an_attempt_is_read_back_as_it_was_stored(
    store: &(impl Store + Cards),
    fixture: &Fixture,
) -> Checked {
    let created = fixture.created(fixture.transaction()?);
    store.commit(&created).await?;
    let attempt = fixture.attempt(&created.transaction, 1)?;
    let reference = attempt.reference.clone();
    same("none", store.consent(&reference).await?, None)?;
    let consent = Consent {
        reference: attempt.reference.clone(),
        at: fixture.after(1),
        version: 7,
        language: Language::Ar,
        text: "توافق ' \" \n{merchant}".into(),
    };
    let mut change = fixture.opened(&created.transaction, attempt);
    change.consent = Some(Box::new(consent.clone()));
    store.commit(&change).await?;
    same("stored", store.consent(&reference).await?, Some(consent))?;
    same("of another", store.consent(&fixture.attempt(&created.transaction, 2)?.reference).await?, None)
}
