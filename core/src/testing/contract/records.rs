//! What is stored is read back as it was.

use alloc::boxed::Box;
use alloc::vec::Vec;

use serde_json::value::RawValue;

use super::fixture::Fixture;
use super::{Checked, Problem, holds, same};
use crate::attempt::stage::Stage;
use crate::change::AttemptWrite;
use crate::port::{Record, Store};
use crate::state::{Event, State};
use crate::transaction::{Details, Settlement, Transaction};
use crate::value::money::{Currency, ExchangeRate, MAX_MINOR, Money};
use crate::value::web_address::WebAddress;
use crate::words::Language;

/// As a merchant may write it, including spaces and trailing zeros.
const EXTRA: &str =
    r#"{ "order" : 1.50, "note" : "مرحبا \u0001 \"x\"", "big": 123456789012345678901234567890 }"#;

fn details() -> Result<Details, Problem> {
    let extra: Box<RawValue> =
        serde_json::from_str(EXTRA).map_err(|_| "the extra of the check is not JSON")?;
    Ok(Details {
        order_no: Some("A/1 ' \" ; --".into()),
        customer_first_name: Some("نور".into()),
        customer_email: Some("nour@example.com".into()),
        customer_phone: Some("+96550000000".into()),
        language: Some(Language::Ar),
        redirect_url: WebAddress::stored("https://shop.example.com/done?a=1#f"),
        webhook_url: WebAddress::stored("https://shop.example.com/hook"),
        extra: Some(extra),
        ..Details::default()
    })
}

async fn load(store: &impl Store, transaction: &Transaction) -> Result<Record, Problem> {
    store.load(&transaction.session_id).await?.ok_or_else(|| "the transaction is not there".into())
}

pub(super) async fn a_transaction_is_read_back_as_it_was_stored(
    store: &impl Store,
    fixture: &Fixture,
) -> Checked {
    let mut transaction = fixture.transaction()?;
    transaction.details = details()?;
    transaction.amount = fixture.money(MAX_MINOR)?;
    let change = fixture.created(transaction);
    store.commit(&change).await?;
    let wanted = change.transaction;
    let found = load(store, &wanted).await?;
    same("extra", found.transaction.details.extra.as_ref().map(|extra| extra.get()), Some(EXTRA))?;
    same("record", found, Record { transaction: wanted, attempt: None })
}

pub(super) async fn the_smallest_transaction_is_read_back_as_it_was_stored(
    store: &impl Store,
    fixture: &Fixture,
) -> Checked {
    let change = fixture.created(fixture.transaction()?);
    store.commit(&change).await?;
    let found = load(store, &change.transaction).await?;
    same("record", found, Record { transaction: change.transaction, attempt: None })
}

pub(super) async fn a_settled_transaction_is_read_back_as_it_was_stored(
    store: &impl Store,
    fixture: &Fixture,
) -> Checked {
    let created = fixture.created(fixture.transaction()?);
    store.commit(&created).await?;
    let attempt = fixture.attempt(&created.transaction, 1)?;
    let opened = fixture.opened(&created.transaction, attempt.clone());
    store.commit(&opened).await?;
    let mut paid = opened.transaction.clone();
    paid.moved_at = fixture.after(9);
    let dollar = Currency::parse("USD").ok_or("no currency")?;
    paid.settlement = Some(Settlement {
        pg_code: attempt.pg_code.clone(),
        settled: attempt.principal,
        paid: Some(Money::new(3_333, dollar).map_err(|_| "no amount")?),
    });
    let mut attempt = attempt;
    attempt.stage = Stage::Success;
    attempt.inquire_at = None;
    let change = fixture
        .moved(&paid, Event::AttemptSucceeded(paid.operation), State::Paid)
        .with_attempt(AttemptWrite::Update { from: Stage::Sending, attempt: attempt.clone() });
    store.commit(&change).await?;
    let found = load(store, &paid).await?;
    same("record", found, Record { transaction: change.transaction, attempt: Some(attempt) })
}

pub(super) async fn an_attempt_is_read_back_as_it_was_stored(
    store: &impl Store,
    fixture: &Fixture,
) -> Checked {
    let created = fixture.created(fixture.transaction()?);
    store.commit(&created).await?;
    let mut attempt = fixture.attempt(&created.transaction, 1)?;
    let foreign = Currency::parse("SAR").ok_or("no currency")?;
    attempt.principal = Money::new(1_000, foreign).map_err(|_| "no amount")?;
    attempt.quote.fee = fixture.money(250)?;
    attempt.quote.total = fixture.money(10_500)?;
    attempt.quote.rate = Some(ExchangeRate::parse("0.0000000000000000000001").ok_or("no rate")?);
    attempt.is_sandbox = false;
    attempt.permits_retry = false;
    let opened = fixture.opened(&created.transaction, attempt.clone());
    store.commit(&opened).await?;
    same("opened", load(store, &opened.transaction).await?.attempt, Some(attempt.clone()))?;
    attempt.stage = Stage::Unknown;
    attempt.updated_at = fixture.after(5);
    attempt.known_at = fixture.after(4);
    attempt.inquire_at = Some(fixture.after(7));
    attempt.inquiries = 3;
    attempt.unknown_since = Some(fixture.after(6));
    attempt.page_url = Some("https://bank.example.com/pay/1".into());
    attempt.gateway_id = Some("ch_1".into());
    attempt.message = Some("لم يتم التأكيد".into());
    attempt.params = [("auth_code".into(), "012345".into()), ("card".into(), "411111******1111".into())]
        .into_iter()
        .collect();
    attempt.response = Some(r#"{"amount":10.500}"#.into());
    let change = fixture
        .noted(&opened.transaction)
        .with_attempt(AttemptWrite::Update { from: Stage::Sending, attempt: attempt.clone() });
    store.commit(&change).await?;
    same("moved", load(store, &change.transaction).await?.attempt, Some(attempt))
}

/// A transaction with an attempt that failed and one that is open.
async fn twice_tried(store: &impl Store, fixture: &Fixture) -> Result<(Record, Record), Problem> {
    let created = fixture.created(fixture.transaction()?);
    store.commit(&created).await?;
    let mut first = fixture.attempt(&created.transaction, 1)?;
    let opened = fixture.opened(&created.transaction, first.clone());
    store.commit(&opened).await?;
    first.stage = Stage::Failed;
    first.inquire_at = None;
    let failed = fixture
        .moved(&opened.transaction, Event::AttemptFailed(crate::state::Retry::Permitted), State::Attempted)
        .with_attempt(AttemptWrite::Update { from: Stage::Sending, attempt: first.clone() });
    store.commit(&failed).await?;
    let second = fixture.attempt(&created.transaction, 2)?;
    let reopened = fixture.opened(&failed.transaction, second.clone());
    store.commit(&reopened).await?;
    let transaction = reopened.transaction;
    let first = Record { transaction: transaction.clone(), attempt: Some(first) };
    Ok((first, Record { transaction, attempt: Some(second) }))
}

pub(super) async fn a_transaction_comes_with_its_latest_attempt(
    store: &impl Store,
    fixture: &Fixture,
) -> Checked {
    let (_, second) = twice_tried(store, fixture).await?;
    same("record", load(store, &second.transaction).await?, second)
}

pub(super) async fn an_attempt_comes_with_its_transaction(store: &impl Store, fixture: &Fixture) -> Checked {
    let (first, second) = twice_tried(store, fixture).await?;
    for record in [first, second] {
        let reference =
            record.attempt.as_ref().map(|attempt| attempt.reference.clone()).ok_or("no attempt")?;
        same("record", store.load_attempt(&reference).await?, Some(record))?;
    }
    Ok(())
}

pub(super) async fn the_attempts_of_a_transaction_are_read_in_order(
    store: &impl Store,
    fixture: &Fixture,
) -> Checked {
    let (first, second) = twice_tried(store, fixture).await?;
    let wanted = first.attempt.into_iter().chain(second.attempt).collect();
    same("attempts", store.attempts(&second.transaction.session_id).await?, wanted)?;
    same("of nobody", store.attempts(&fixture.session_id()).await?, Vec::new())
}

pub(super) async fn nothing_is_found_under_an_unknown_name(store: &impl Store, fixture: &Fixture) -> Checked {
    holds("no transaction", store.load(&fixture.session_id()).await?.is_none())?;
    holds("no attempt", store.load_attempt(&fixture.reference()).await?.is_none())?;
    holds("no answer", store.answer(&fixture.merchant, "create", "k").await?.is_none())?;
    holds("no delivery", store.newest_delivery(&fixture.reference()).await?.is_none())
}
