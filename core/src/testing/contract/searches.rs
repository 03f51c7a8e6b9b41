//! What a search finds, and that nothing is left of it when its payer is erased.

use alloc::boxed::Box;

use super::filters::{made, refunded, same_in_every_page, tried};
use super::fixture::Fixture;
use super::{Checked, Problem};
use crate::attempt::Attempt;
use crate::attempt::stage::Stage;
use crate::change::{AttemptWrite, Change, EventKind};
use crate::child::stage::OperationStage;
use crate::port::Store;
use crate::transaction::listing::ListingFilter;
use crate::transaction::listing::search::{PaymentSearch, Term};
use crate::transaction::{Details, Transaction};
use crate::value::id::{MerchantId, PgCode};
use crate::value::money::Money;

const KEY: &[u8] = &[7; 32];

fn search(fixture: &Fixture, text: &str) -> ListingFilter {
    let mut search = PaymentSearch::read(text);
    search.add_terms(KEY, &fixture.merchant, "KW");
    ListingFilter { search: Some(search), ..ListingFilter::default() }
}

fn email(merchant: &MerchantId, text: &str) -> Option<Term> {
    Term::of_email(KEY, merchant, text)
}

async fn found(store: &impl Store, fixture: &Fixture, text: &str, wanted: &[&Transaction]) -> Checked {
    same_in_every_page(store, fixture, text, search(fixture, text), wanted).await
}

/// Stores a change of a transaction; the transaction after it.
async fn stored(store: &impl Store, change: Change) -> Result<Transaction, Problem> {
    store.commit(&change).await?;
    Ok(change.transaction)
}

pub(super) async fn a_search_finds_by_everything_that_is_known(
    store: &impl Store,
    fixture: &Fixture,
) -> Checked {
    let merchant = &fixture.merchant;
    let knet = PgCode::parse("knet").ok_or("no code")?;
    let order = |text: &str| Details { order_no: Some(text.into()), ..Details::default() };
    let first = made(store, fixture, 1, None, |it| it.details = order("1019")).await?;
    let second = made(store, fixture, 2, None, |_| ()).await?;
    let sum = Money::new(12_345, second.amount.currency()).map_err(|_| "no amount")?;
    let third = made(store, fixture, 3, None, |it| it.amount = sum).await?;
    // The payer, and another one afterwards.
    let contact = [email(merchant, "a@example.com"), Term::of_phone(KEY, merchant, "50001234", "KW")];
    let contact = contact.into_iter().flatten().collect();
    let change = Change { contact: Some(contact), ..Change::of(second, EventKind::Updated, fixture.now) };
    let second = stored(store, change).await?;
    found(store, fixture, "A@example.com", &[&second]).await?;
    let contact = email(merchant, "b@example.com").into_iter().collect();
    let change = Change { contact: Some(contact), ..Change::of(second, EventKind::Updated, fixture.now) };
    let second = stored(store, change).await?;
    for text in ["a@example.com", "+965 5000 1234"] {
        found(store, fixture, text, &[]).await?;
    }
    // A card, known when the attempt ends, and an operation.
    let (second, attempt) = tried(store, fixture, &second, &knet).await?;
    let attempt = Attempt { stage: Stage::Success, inquire_at: None, ..attempt };
    let write = AttemptWrite::Update { from: Stage::Sending, attempt: attempt.clone() };
    let change = Change {
        digits: Term::of_card(KEY, merchant, "4111********1019"),
        ..Change::of(second, EventKind::AttemptNoted, fixture.now).with_attempt(write)
    };
    let second = stored(store, change).await?;
    let second = refunded(store, fixture, &second, &attempt, OperationStage::Done).await?;
    found(store, fixture, "b@example.com", &[&second]).await?;
    found(store, fixture, "1019", &[&second, &first]).await?;
    found(store, fixture, "**** 1019", &[&second]).await?;
    found(store, fixture, attempt.reference.as_str(), &[&second]).await?;
    found(store, fixture, &attempt.reference.as_str().to_ascii_lowercase(), &[&second]).await?;
    found(store, fixture, second.session_id.as_str(), &[&second]).await?;
    found(store, fixture, "1019 ", &[&second, &first]).await?;
    let amount = alloc::format!("{} {}", sum.text(), sum.currency().code());
    found(store, fixture, &amount, &[&third]).await?;
    // Narrowed further, and nothing of another merchant.
    let narrowed = ListingFilter { order_no: Some("1019".into()), ..search(fixture, "1019") };
    same_in_every_page(store, fixture, "an order", narrowed, &[&first]).await?;
    let narrowed = ListingFilter { has_refund: Some(true), ..search(fixture, "1019") };
    same_in_every_page(store, fixture, "a refund", narrowed, &[&second]).await?;
    Ok(())
}

pub(super) async fn an_erased_payer_is_not_found(store: &impl Store, fixture: &Fixture) -> Checked {
    let transaction = made(store, fixture, 1, None, |_| ()).await?;
    let contact = email(&fixture.merchant, "gone@example.com").into_iter().collect();
    let change = Change {
        contact: Some(contact),
        digits: Term::of_card(KEY, &fixture.merchant, "1234"),
        ..Change::of(transaction, EventKind::Updated, fixture.now)
    };
    let transaction = stored(store, change).await?;
    for text in ["gone@example.com", "1234"] {
        found(store, fixture, text, &[&transaction]).await?;
    }
    let change = Box::new(Change::of(transaction, EventKind::Erased, fixture.now));
    let transaction = stored(store, *change).await?;
    for text in ["gone@example.com", "1234"] {
        found(store, fixture, text, &[]).await?;
    }
    found(store, fixture, transaction.session_id.as_str(), &[&transaction]).await
}
