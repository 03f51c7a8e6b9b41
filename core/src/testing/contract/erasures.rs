//! Erasing what identifies payers.

use alloc::string::String;
use alloc::vec::Vec;

use super::cards::{card, save};
use super::fixture::Fixture;
use super::{Checked, Problem, holds, same};
use crate::api::erasure::Subject;
use crate::attempt::Attempt;
use crate::attempt::stage::Stage;
use crate::card::{Card, CardToken, Holder};
use crate::change::{AttemptWrite, Change, EventKind};
use crate::port::{CardName, Cards, Claim, DeletedCards, Erasures, Store};
use crate::state::State;
use crate::transaction::Transaction;
use crate::value::id::SessionId;

const CUSTOMER: &str = "c/1 ' نور";

fn customer() -> Subject {
    Subject::Customer(CUSTOMER.into())
}

/// The ids of the transactions that can be erased, if nothing happened to them for that many seconds.
async fn erasable(
    store: &impl Erasures,
    fixture: &Fixture,
    subject: &Subject,
    seconds: u64,
) -> Result<Vec<SessionId>, Problem> {
    let found = store.erasable(&fixture.merchant, subject, fixture.after(seconds), 10).await?;
    Ok(found.into_iter().map(|transaction| transaction.session_id).collect())
}

/// A transaction of the customer that was stored in this state.
async fn stored(store: &impl Store, fixture: &Fixture, state: State) -> Result<Transaction, Problem> {
    let mut transaction = fixture.transaction()?;
    transaction.details.customer_id = Some(CUSTOMER.into());
    transaction.details.customer_first_name = Some("Noura".into());
    transaction.details.order_no = Some("A-1".into());
    transaction.state = state;
    let created = fixture.created(transaction);
    store.commit(&created).await?;
    Ok(created.transaction)
}

pub(super) async fn only_what_has_ended_and_is_quiet_can_be_erased(
    store: &(impl Erasures + Store),
    fixture: &Fixture,
) -> Checked {
    for state in [State::Created, State::Pending, State::Attempted, State::Authorized] {
        stored(store, fixture, state).await?;
    }
    same("none has ended", erasable(store, fixture, &customer(), 0).await?, Vec::new())?;
    let over = stored(store, fixture, State::Expired).await?.session_id;
    let own = Subject::Transaction(over.clone());
    for subject in [&customer(), &own] {
        same("ended", erasable(store, fixture, subject, 0).await?, Vec::from([over.clone()]))?;
    }
    let early = fixture.now.minus(core::time::Duration::from_millis(1));
    let early = store.erasable(&fixture.merchant, &customer(), early, 10).await?;
    same("something happened since", early.len(), 0)?;
    let other = fixture.another()?;
    for subject in [&customer(), &own] {
        same("of another merchant", erasable(store, &other, subject, 0).await?, Vec::new())?;
        same("nothing of another", store.not_erased(&other.merchant, subject).await?, 0)?;
    }
    holds("its own", store.has_transaction(&fixture.merchant, &over).await?)?;
    holds("of no other", !store.has_transaction(&other.merchant, &over).await?)?;
    let stranger = Subject::Customer("c/2".into());
    same("of another customer", erasable(store, fixture, &stranger, 0).await?, Vec::new())?;
    // An attempt whose gateway is still asked.
    let waits = stored(store, fixture, State::Pending).await?;
    let attempt = fixture.attempt(&waits, 1)?;
    store.commit(&fixture.opened(&waits, attempt.clone())).await?;
    same(
        "one is open",
        erasable(store, fixture, &Subject::Transaction(waits.session_id), 0).await?.len(),
        0,
    )?;
    same("all that are not erased", store.not_erased(&fixture.merchant, &customer()).await?, 6)
}

/// A transaction with an attempt that has ended, and a message that is not delivered yet.
async fn ended(store: &impl Store, fixture: &Fixture) -> Result<(Change, Attempt), Problem> {
    let transaction = stored(store, fixture, State::Created).await?;
    let mut attempt = fixture.attempt(&transaction, 1)?;
    attempt.page_url = Some("https://bank.example.com/noura".into());
    let opened = fixture.opened(&transaction, attempt.clone());
    store.commit(&opened).await?;
    let text = |text: &str| Some(String::from(text));
    let mut done = Attempt {
        stage: Stage::Failed,
        inquire_at: None,
        message: text("Noura has no money"),
        response: text(r#"{"name":"Noura"}"#),
        ..attempt
    };
    for (key, value) in [("card_holder", "NOURA"), ("rrn", "123456789012"), ("payment_id", "p'1")] {
        done.params.insert(key.into(), value.into());
    }
    let write = AttemptWrite::Update { from: Stage::Sending, attempt: done.clone() };
    let over = Transaction { state: State::Failed, ..opened.transaction };
    let mut change = Change::of(over, EventKind::AttemptNoted, fixture.now).with_attempt(write);
    let message = fixture.message(&change, &done.reference);
    change.messages.push(message);
    store.commit(&change).await?;
    Ok((change, done))
}

pub(super) async fn nothing_of_the_payer_stays_with_a_transaction_that_is_erased(
    store: &(impl Erasures + Store),
    fixture: &Fixture,
) -> Checked {
    let (change, attempt) = ended(store, fixture).await?;
    let id = &change.transaction.session_id;
    same("a message waits", erasable(store, fixture, &customer(), 0).await?.len(), 0)?;
    let [message] = &change.messages[..] else { return Err("no message".into()) };
    let claimed = store.claim(&message.id, fixture.after(1), fixture.after(61)).await?;
    same("the message", claimed.map(|Claim { message, .. }| message.body), Some(message.body.clone()))?;
    let done = crate::port::Try {
        at: fixture.after(1),
        status: Some(200),
        took_ms: 5,
        next: crate::port::Next::Delivered,
    };
    store.finish_try(&message.id, &done, None).await?;
    let found = store.erasable(&fixture.merchant, &customer(), fixture.after(0), 10).await?;
    let [before] = &found[..] else { return Err("it cannot be erased".into()) };
    same("as it is stored", before, &change.transaction)?;
    let erased = Transaction { details: before.details.without_payer(), ..before.clone() };
    store.commit(&Change::of(erased.clone(), EventKind::Erased, fixture.after(5))).await?;
    let record = store.load(id).await?.ok_or("the transaction is lost")?;
    same("the order number stays", record.transaction.details.order_no.as_deref(), Some("A-1"))?;
    same("the customer", &record.transaction.details.customer_id, &None)?;
    same("the name", &record.transaction.details.customer_first_name, &None)?;
    same("the amount", record.transaction.amount, change.transaction.amount)?;
    let mut bare = Attempt { message: None, response: None, page_url: None, ..attempt };
    bare.params.remove("card_holder");
    same("the attempt", record.attempt, Some(bare))?;
    for subject in [customer(), Subject::Transaction(id.clone())] {
        same("not twice", erasable(store, fixture, &subject, 99).await?.len(), 0)?;
        same("nothing is left", store.not_erased(&fixture.merchant, &subject).await?, 0)?;
    }
    // Something happens to it later.
    let noted = Change::of(record.transaction, EventKind::OperationNoted, fixture.after(9));
    store.commit(&noted).await?;
    let again = erasable(store, fixture, &Subject::Transaction(id.clone()), 9).await?;
    same("then once more", again, Vec::from([id.clone()]))
}

pub(super) async fn the_cards_of_one_customer_are_deleted(
    store: &(impl Erasures + Store + Cards),
    fixture: &Fixture,
) -> Checked {
    let first = card(fixture, 1, 1)?;
    let holder = Holder { is_sandbox: false, ..first.holder.clone() };
    let second = Card { holder, ..card(fixture, 2, 2)? };
    let third =
        Card { holder: Holder { customer_id: "c/2".into(), ..first.holder.clone() }, ..card(fixture, 3, 3)? };
    for card in [&first, &second, &third] {
        save(store, fixture, card, None).await?;
    }
    let other = fixture.another()?;
    let none = store.delete_cards_of(&other.merchant, CUSTOMER).await?;
    same("another merchant's", none, DeletedCards::default())?;
    let deleted = store.delete_cards_of(&fixture.merchant, CUSTOMER).await?;
    same("the customer's", deleted, DeletedCards { cards: 2, agreements: 0 })?;
    let is_there = async |token: &CardToken| -> Result<bool, Problem> {
        Ok(store.card(&fixture.merchant, CardName::Token(token)).await?.is_some())
    };
    let left = (is_there(&first.token).await?, is_there(&second.token).await?, is_there(&third.token).await?);
    same("what is left", left, (false, false, true))
}
