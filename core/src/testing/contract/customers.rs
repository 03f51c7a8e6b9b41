//! With which gateways a customer has paid.

use alloc::vec::Vec;

use super::fixture::Fixture;
use super::{Checked, Problem, same};
use crate::attempt::stage::Stage;
use crate::change::AttemptWrite;
use crate::port::{Registry, Store};
use crate::state::{Event, State};
use crate::transaction::{Settlement, Transaction};
use crate::value::id::PgCode;

const CUSTOMER: &str = "c/1 ' نور";

/// How a payment of a customer ended.
#[derive(Clone, Copy)]
enum End {
    Open,
    Paid,
    Cash,
}

/// Stores a payment of `customer` through a gateway.
async fn payment(
    store: &impl Store,
    fixture: &Fixture,
    (customer, code): (&str, &str),
    end: End,
) -> Result<(), Problem> {
    let mut transaction = fixture.transaction()?;
    transaction.details.customer_id = Some(customer.into());
    let created = fixture.created(transaction);
    store.commit(&created).await?;
    let mut attempt = fixture.attempt(&created.transaction, 1)?;
    attempt.pg_code = PgCode::parse(code).ok_or("no gateway code")?;
    let opened = fixture.opened(&created.transaction, attempt.clone());
    store.commit(&opened).await?;
    let (ended, event, state) = match end {
        End::Open => return Ok(()),
        End::Paid => (Stage::Success, Event::AttemptSucceeded(opened.transaction.operation), State::Paid),
        End::Cash => (Stage::Cod, Event::CashAcknowledged, State::Cod),
    };
    attempt.stage = ended;
    attempt.inquire_at = None;
    let settled = Transaction {
        settlement: Some(Settlement {
            pg_code: attempt.pg_code.clone(),
            settled: attempt.principal,
            paid: None,
        }),
        ..opened.transaction
    };
    let change = fixture
        .moved(&settled, event, state)
        .with_attempt(AttemptWrite::Update { from: Stage::Sending, attempt });
    Ok(store.commit(&change).await?)
}

async fn paid(store: &impl Store, fixture: &Fixture, customer: &str) -> Result<Vec<PgCode>, Problem> {
    Ok(store.paid_codes(&fixture.merchant, customer).await?)
}

fn codes(words: &[&str]) -> Vec<PgCode> {
    words.iter().filter_map(|word| PgCode::parse(word)).collect()
}

pub(super) async fn the_codes_through_which_a_customer_paid_are_named_once(
    store: &impl Store,
    fixture: &Fixture,
) -> Checked {
    same("nobody yet", paid(store, fixture, CUSTOMER).await?, Vec::new())?;
    for (code, end) in [
        ("tabby", End::Paid),
        ("knet", End::Paid),
        ("mpgs", End::Open),
        ("knet", End::Paid),
        ("cash", End::Cash),
        ("Knet", End::Paid),
    ] {
        payment(store, fixture, (CUSTOMER, code), end).await?;
    }
    payment(store, fixture, ("c-2", "single"), End::Paid).await?;
    same("its own", paid(store, fixture, CUSTOMER).await?, codes(&["Knet", "knet", "tabby"]))?;
    same("another's", paid(store, fixture, "c-2").await?, codes(&["single"]))?;
    same("nobody's", paid(store, fixture, "c").await?, Vec::new())
}

pub(super) async fn what_a_customer_paid_to_another_merchant_is_not_named(
    store: &(impl Store + Registry),
    fixture: &Fixture,
) -> Checked {
    payment(store, fixture, (CUSTOMER, "knet"), End::Paid).await?;
    let other = fixture.another()?;
    store.add_merchant(&other.new_merchant(&[])?, &fixture.entry("add_merchant").making(1)).await?;
    same("at the other", paid(store, &other, CUSTOMER).await?, Vec::new())?;
    payment(store, &other, (CUSTOMER, "single"), End::Paid).await?;
    same("at the other", paid(store, &other, CUSTOMER).await?, codes(&["single"]))?;
    same("at the first", paid(store, fixture, CUSTOMER).await?, codes(&["knet"]))
}
