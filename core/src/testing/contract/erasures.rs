//! Erasing what identifies payers.

use alloc::string::String;
use alloc::vec::Vec;

use super::cards::{card, save};
use super::fixture::{Fixture, document};
use super::{Checked, Problem, holds, same};
use crate::api::erasure::ErasureSubject;
use crate::attempt::Attempt;
use crate::attempt::stage::Stage;
use crate::card::{Card, CardToken, Holder};
use crate::change::{AttemptWrite, Change, EventKind};
use crate::port::{
    CardName, Cards, DeletedCards, Deliveries, Erasures, MessageClaim, Registry, Resend, Resent, Store,
};
use crate::record::outbox::Which;
use crate::record::receiver::ReceiverEffect;
use crate::state::State;
use crate::transaction::Transaction;
use crate::value::id::SessionId;

const CUSTOMER: &str = "c/1 ' نور";

fn customer() -> ErasureSubject {
    ErasureSubject::Customer(CUSTOMER.into())
}

/// The ids of the transactions that can be erased, if nothing happened to them for that many seconds.
async fn erasable(
    store: &impl Erasures,
    fixture: &Fixture,
    subject: &ErasureSubject,
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
    let own = ErasureSubject::Transaction(over.clone());
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
    let stranger = ErasureSubject::Customer("c/2".into());
    same("of another customer", erasable(store, fixture, &stranger, 0).await?, Vec::new())?;
    // An attempt whose gateway is still asked.
    let waits = stored(store, fixture, State::Pending).await?;
    let attempt = fixture.attempt(&waits, 1)?;
    store.commit(&fixture.opened(&waits, attempt.clone())).await?;
    same(
        "one is open",
        erasable(store, fixture, &ErasureSubject::Transaction(waits.session_id), 0).await?.len(),
        0,
    )?;
    same("all that are not erased", store.not_erased(&fixture.merchant, &customer()).await?, 6)
}

/// A day, in seconds.
const DAY: u64 = 86_400;

/// The transactions of the check's merchant that are old enough after so many days, and this many milliseconds before.
async fn old(
    store: &impl Erasures,
    fixture: &Fixture,
    days: u64,
    before: u64,
    share: u32,
) -> Result<Vec<SessionId>, Problem> {
    let now = fixture.after(days.saturating_mul(DAY)).minus(core::time::Duration::from_millis(before));
    let found = store.erasable_by_age(now, share, 1_000).await?;
    let own = found.into_iter().filter(|each| each.merchant == fixture.merchant);
    Ok(own.map(|transaction| transaction.session_id).collect())
}

pub(super) async fn what_is_older_than_the_settings_say_can_be_erased(
    store: &(impl Erasures + Store + Registry),
    fixture: &Fixture,
) -> Checked {
    let none = Vec::<SessionId>::new();
    for state in [State::Created, State::Pending, State::Authorized] {
        stored(store, fixture, state).await?;
    }
    let over = stored(store, fixture, State::Expired).await?;
    same("the settings say nothing", old(store, fixture, 4_000, 0, 9).await?, none.clone())?;
    let with_retention = document("Demo Store").replacen('{', r#"{"retention_days":30,"#, 1);
    holds("replaced", fixture.replace(store, 1, &with_retention).await?)?;
    same("a moment too early", old(store, fixture, 30, 1, 9).await?, none.clone())?;
    same("of that age", old(store, fixture, 30, 0, 9).await?, Vec::from([over.session_id.clone()]))?;
    // Something happened to it ten days later.
    let noted = Change::of(over.clone(), EventKind::OperationNoted, fixture.after(10 * DAY));
    store.commit(&noted).await?;
    same("the last event counts", old(store, fixture, 40, 1, 9).await?, none.clone())?;
    same("then", old(store, fixture, 40, 0, 9).await?, Vec::from([over.session_id.clone()]))?;
    let second = stored(store, fixture, State::Failed).await?.session_id;
    let both = old(store, fixture, 40, 0, 9).await?;
    holds("both are old", both.contains(&over.session_id) && both.contains(&second) && both.len() == 2)?;
    same("a share of one", old(store, fixture, 40, 0, 1).await?.len(), 1)?;
    // The merchant's time is ahead of the real one.
    let settings = store.merchant(&fixture.merchant).await?.ok_or("no settings")?.settings;
    let day = core::time::Duration::from_secs(DAY);
    holds("moved", store.move_clock(&settings, day, &fixture.entry("move_clock")).await?)?;
    same("by the merchant's time", old(store, fixture, 39, 0, 9).await?.len(), 2)?;
    same("and not before", old(store, fixture, 29, 1, 9).await?, none)?;
    let record = store.load(&over.session_id).await?.ok_or("the transaction is lost")?;
    let bare = Transaction { details: record.transaction.details.without_payer(), ..record.transaction };
    store.commit(&Change::of(bare, EventKind::Erased, fixture.after(50 * DAY))).await?;
    same("not twice", old(store, fixture, 400, 0, 9).await?, Vec::from([second]))
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
    store: &(impl Erasures + Store + Deliveries),
    fixture: &Fixture,
) -> Checked {
    let (change, attempt) = ended(store, fixture).await?;
    let id = &change.transaction.session_id;
    same("a message waits", erasable(store, fixture, &customer(), 0).await?.len(), 0)?;
    let [message] = &change.messages[..] else { return Err("no message".into()) };
    let claimed = store.claim(&message.id, fixture.after(1), fixture.after(61)).await?;
    same(
        "the message",
        claimed.map(|MessageClaim { message, .. }| message.body),
        Some(message.body.clone()),
    )?;
    let done = crate::port::Try {
        at: fixture.after(1),
        status: Some(200),
        error: None,
        excerpt: Some("thanks, Noura".into()),
        took_ms: 5,
        next: crate::port::Next::Delivered,
        receiver: ReceiverEffect::Nothing,
    };
    store.finish_try(&message.id, &done, None).await?;
    let found = store.erasable(&fixture.merchant, &customer(), fixture.after(0), 10).await?;
    let [before] = &found[..] else { return Err("it cannot be erased".into()) };
    same("as it is stored", before, &change.transaction)?;
    let erased = Transaction { details: before.details.without_payer(), ..before.clone() };
    store.commit(&Change::of(erased.clone(), EventKind::Erased, fixture.after(5))).await?;
    let logged = store.logged_delivery(&fixture.merchant, &message.id).await?;
    let Some(logged) = logged else { return Err("the delivery is not logged".into()) };
    same("what was sent", logged.body, None)?;
    let excerpts: Vec<_> = logged.tries.into_iter().map(|one| one.excerpt).collect();
    same("the answers of receivers", excerpts, Vec::from([None]))?;
    let request = Resend {
        merchant: fixture.merchant.clone(),
        which: Which::One(message.id.clone()),
        now: fixture.after(6),
        limit: 1,
    };
    let done = store.resend(&request, &fixture.entry("resend_own_deliveries")).await?;
    same("a message without a body is not sent again", done, Resent { due: Vec::new(), held: 0 })?;
    let record = store.load(id).await?.ok_or("the transaction is lost")?;
    same("the order number stays", record.transaction.details.order_no.as_deref(), Some("A-1"))?;
    same("the customer", &record.transaction.details.customer_id, &None)?;
    same("the name", &record.transaction.details.customer_first_name, &None)?;
    same("the amount", record.transaction.amount, change.transaction.amount)?;
    let mut bare = Attempt { message: None, response: None, page_url: None, ..attempt };
    bare.params.remove("card_holder");
    same("the attempt", record.attempt, Some(bare))?;
    for subject in [customer(), ErasureSubject::Transaction(id.clone())] {
        same("not twice", erasable(store, fixture, &subject, 99).await?.len(), 0)?;
        same("nothing is left", store.not_erased(&fixture.merchant, &subject).await?, 0)?;
    }
    // Something happens to it later.
    let noted = Change::of(record.transaction, EventKind::OperationNoted, fixture.after(9));
    store.commit(&noted).await?;
    let again = erasable(store, fixture, &ErasureSubject::Transaction(id.clone()), 9).await?;
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
    let none = store.delete_cards_of(&other.merchant, CUSTOMER, fixture.now).await?;
    same("another merchant's", none, DeletedCards::default())?;
    let deleted = store.delete_cards_of(&fixture.merchant, CUSTOMER, fixture.now).await?;
    same("the customer's", deleted, DeletedCards { cards: 2, agreements: 0 })?;
    let is_there = async |token: &CardToken| -> Result<bool, Problem> {
        Ok(store.card(&fixture.merchant, CardName::Token(token)).await?.is_some())
    };
    let left = (is_there(&first.token).await?, is_there(&second.token).await?, is_there(&third.token).await?);
    same("what is left", left, (false, false, true))
}
