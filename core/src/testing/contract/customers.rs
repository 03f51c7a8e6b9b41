//! With which gateways a customer has paid, what they were sent, and what they agreed to.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::fixture::Fixture;
use super::{Checked, Problem, same};
use crate::attempt::Attempt;
use crate::attempt::stage::Stage;
use crate::card::CardToken;
use crate::card::usage::{CardUse, ChargeInitiator};
use crate::change::AttemptWrite;
use crate::port::{CustomerSearch, Customers, GivenConsent, Registry, Store};
use crate::record::consent::Consent;
use crate::record::outbox::{Message, MessageKind};
use crate::state::{Event, State};
use crate::transaction::{Settlement, Transaction};
use crate::value::id::{DeliveryId, PgCode};
use crate::words::Language;

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

pub(super) async fn what_a_customer_was_sent_and_agreed_to_is_listed(
    store: &(impl Store + Customers),
    fixture: &Fixture,
) -> Checked {
    let mut transaction = fixture.transaction()?;
    transaction.details.customer_id = Some(CUSTOMER.into());
    let created = fixture.created(transaction);
    store.commit(&created).await?;
    let token = CardToken::parse("card_0012121212121212121212121212121212").ok_or("no token")?;
    let attempt = Attempt {
        card: CardUse::Charge(token.clone(), ChargeInitiator::Payer),
        ..fixture.attempt(&created.transaction, 1)?
    };
    let mut opened = fixture.opened(&created.transaction, attempt.clone());
    let consent = Consent {
        reference: attempt.reference.clone(),
        at: fixture.now,
        version: 3,
        language: Language::Ar,
        text: "box ' 7".into(),
    };
    opened.consent = Some(Box::new(consent.clone()));
    let webhook = fixture.message(&opened, &attempt.reference);
    let email = Message {
        kind: MessageKind::Email,
        id: DeliveryId::new(&opened.transaction.session_id, 99),
        ..webhook.clone()
    };
    opened.messages.extend([webhook, email.clone()]);
    store.commit(&opened).await?;
    let session_id = opened.transaction.session_id.clone();
    let of = |customer_id, transactions| CustomerSearch {
        merchant: &fixture.merchant,
        customer_id,
        transactions,
        limit: 9,
    };
    let sent = store.messages_to(of(CUSTOMER, 9)).await?;
    let named: Vec<_> = sent.iter().map(|one| (one.sent.id.clone(), one.session_id.clone())).collect();
    same("sent", named, [(email.id, session_id.clone())].to_vec())?;
    let given = GivenConsent { consent, session_id, card: Some(token) };
    same("agreed to", store.consents_of(of(CUSTOMER, 9)).await?, [given].to_vec())?;
    for (customer, transactions) in [(CUSTOMER, 0), ("c", 9)] {
        same("no message", store.messages_to(of(customer, transactions)).await?.len(), 0)?;
        same("no consent", store.consents_of(of(customer, transactions)).await?, Vec::new())?;
    }
    let other = fixture.another()?;
    let foreign = CustomerSearch { merchant: &other.merchant, ..of(CUSTOMER, 9) };
    same("another merchant's", store.messages_to(foreign).await?.len(), 0)?;
    same("another merchant's", store.consents_of(foreign).await?, Vec::new())
}
