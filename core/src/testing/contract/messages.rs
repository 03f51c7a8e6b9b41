//! What becomes of messages to payers, and the list of them.

use alloc::string::String;
use alloc::vec::Vec;

use super::fixture::Fixture;
use super::{Checked, Problem, holds, same};
use crate::change::Change;
use crate::messenger::MessageReport;
use crate::messenger::provider::Provider;
use crate::port::{MessageNote, MessageSearch, Messages, Store};
use crate::record::outbox::{Message, MessageKind, Recipient};
use crate::value::id::{DeliveryId, MerchantId};
use crate::words::message::{Channel, Fate, MessageState};

const BODY: &str = r#"{"amount":"1.000","currency":"KWD","event":"created","language":"en","link":"https://pay.example.com/","to":"sara@example.com"}"#;

/// A transaction with a message to its payer, caused some seconds after the beginning.
async fn notified(
    store: &impl Store,
    fixture: &Fixture,
    channel: Channel,
    seconds: u64,
) -> Result<(Change, Message), Problem> {
    let created = fixture.created(fixture.transaction()?);
    store.commit(&created).await?;
    let attempt = fixture.attempt(&created.transaction, 1)?;
    let mut change = fixture.opened(&created.transaction, attempt.clone());
    let message = Message {
        recipient: Recipient::Provider(channel),
        kind: MessageKind::of_channel(channel),
        body: BODY.into(),
        due_at: fixture.after(seconds),
        ..fixture.message(&change, &attempt.reference)
    };
    change.messages.push(message.clone());
    store.commit(&change).await?;
    Ok((change, message))
}

fn everything(fixture: &Fixture) -> MessageSearch {
    MessageSearch { page: fixture.log_page(), channel: None, state: None }
}

/// Everything, except what is changed.
fn search(fixture: &Fixture, change: impl FnOnce(&mut MessageSearch)) -> MessageSearch {
    let mut search = everything(fixture);
    change(&mut search);
    search
}

async fn found(store: &impl Messages, search: &MessageSearch) -> Result<Vec<DeliveryId>, Problem> {
    Ok(store.find_messages(search).await?.into_iter().map(|listed| listed.sent.id).collect())
}

/// What is known of a message.
async fn noted(store: &impl Messages, message: &Message) -> Result<Option<MessageNote>, Problem> {
    let Some(session_id) = &message.subject.session_id else { return Ok(None) };
    let sent = store.messages(session_id).await?;
    Ok(sent.into_iter().find(|sent| sent.id == message.id).and_then(|sent| sent.note))
}

/// A provider's id that no other check uses.
fn provider_id(message: &Message) -> String {
    ["p-", message.id.as_str()].concat()
}

fn note(fixture: &Fixture, message: &Message, fate: Fate) -> MessageNote {
    MessageNote {
        id: message.id.clone(),
        provider: Provider::Twilio,
        provider_id: Some(provider_id(message)),
        fate,
        detail: None,
        at: fixture.after(5),
    }
}

/// What the provider reports, by our id or by its own.
fn report(message: &Message, is_by_our_id: bool, fate: Fate) -> MessageReport {
    MessageReport {
        id: is_by_our_id.then(|| message.id.clone()),
        provider_id: provider_id(message),
        fate,
        detail: Some("why".into()),
    }
}

async fn reported(
    store: &impl Messages,
    merchant: &MerchantId,
    fixture: &Fixture,
    report: &MessageReport,
) -> Result<bool, Problem> {
    Ok(store.report_message(merchant, Provider::Twilio, report, fixture.after(6)).await?)
}

pub(super) async fn a_message_is_begun_once_until_it_surely_did_not_leave(
    store: &(impl Store + Messages),
    fixture: &Fixture,
) -> Checked {
    let (_, message) = notified(store, fixture, Channel::Sms, 1).await?;
    same("nothing is known", noted(store, &message).await?, None)?;
    let begin = async || store.begin_message(&message.id, Provider::Twilio, fixture.after(2)).await;
    holds("the first", begin().await?)?;
    holds("not twice", !begin().await?)?;
    same("it is being sent", noted(store, &message).await?.map(|note| note.fate), Some(Fate::Sending))?;
    let waits = MessageNote { provider_id: None, ..note(fixture, &message, Fate::Waiting) };
    store.note_message(&waits).await?;
    same("as it was noted", noted(store, &message).await?, Some(waits))?;
    holds("again", begin().await?)?;
    let taken = note(fixture, &message, Fate::Accepted);
    store.note_message(&taken).await?;
    same("taken", noted(store, &message).await?, Some(taken))?;
    holds("never after", !begin().await?)
}

pub(super) async fn a_report_says_what_became_of_a_message_of_its_merchant(
    store: &(impl Store + Messages),
    fixture: &Fixture,
) -> Checked {
    let (_, message) = notified(store, fixture, Channel::Sms, 1).await?;
    let own = &fixture.merchant;
    let by_theirs = |fate| report(&message, false, fate);
    holds("of nothing", !reported(store, own, fixture, &by_theirs(Fate::Delivered)).await?)?;
    store.note_message(&note(fixture, &message, Fate::Accepted)).await?;
    let other = fixture.another()?;
    holds("of another", !reported(store, &other.merchant, fixture, &by_theirs(Fate::Failed)).await?)?;
    let elsewhere =
        store.report_message(own, Provider::Unifonic, &by_theirs(Fate::Failed), fixture.now).await?;
    holds("of another provider", !elsewhere)?;
    holds("news", reported(store, own, fixture, &by_theirs(Fate::Delivered)).await?)?;
    holds("no news", !reported(store, own, fixture, &by_theirs(Fate::Delivered)).await?)?;
    let wanted = MessageNote {
        detail: Some("why".into()),
        at: fixture.after(6),
        ..note(fixture, &message, Fate::Delivered)
    };
    same("as reported", noted(store, &message).await?, Some(wanted.clone()))?;
    store.note_message(&note(fixture, &message, Fate::Accepted)).await?;
    same("what says more stays", noted(store, &message).await?, Some(wanted))?;
    holds("more", reported(store, own, fixture, &report(&message, true, Fate::Read)).await?)?;
    holds("less", !reported(store, own, fixture, &report(&message, true, Fate::Delivered)).await?)?;
    let strange = MessageReport { provider_id: "p-other".into(), ..report(&message, true, Fate::Complained) };
    holds("of another message", !reported(store, own, fixture, &strange).await?)
}

pub(super) async fn a_report_with_our_id_may_come_before_the_answer(
    store: &(impl Store + Messages),
    fixture: &Fixture,
) -> Checked {
    let (_, message) = notified(store, fixture, Channel::Sms, 1).await?;
    let (_, begun) = notified(store, fixture, Channel::Sms, 2).await?;
    holds("begun", store.begin_message(&begun.id, Provider::Twilio, fixture.after(3)).await?)?;
    let other = fixture.another()?;
    for message in [&message, &begun] {
        let early = report(message, true, Fate::Delivered);
        holds("of another", !reported(store, &other.merchant, fixture, &early).await?)?;
        holds("early", reported(store, &fixture.merchant, fixture, &early).await?)?;
        store.note_message(&note(fixture, message, Fate::Accepted)).await?;
        let known = noted(store, message).await?;
        let known = known.map(|note| (note.fate, note.provider_id));
        same("the report stays", known, Some((Fate::Delivered, Some(provider_id(message)))))?;
    }
    let (_, webhook) = notified(store, fixture, Channel::Email, 3).await?;
    let mixed = store
        .report_message(
            &fixture.merchant,
            Provider::Resend,
            &report(&webhook, true, Fate::Failed),
            fixture.now,
        )
        .await?;
    holds("by another provider that nobody asked yet", mixed)
}

pub(super) async fn the_list_of_messages_is_narrowed_and_read_by_pages(
    store: &(impl Store + Messages),
    fixture: &Fixture,
) -> Checked {
    let (change, oldest) = notified(store, fixture, Channel::Email, 1).await?;
    let (_, middle) = notified(store, fixture, Channel::Sms, 2).await?;
    let (_, newest) = notified(store, fixture, Channel::Email, 3).await?;
    store.note_message(&note(fixture, &middle, Fate::Failed)).await?;
    store.note_message(&note(fixture, &newest, Fate::Accepted)).await?;
    let all = everything(fixture);
    let one = |message: &Message| Vec::from([message.id.clone()]);
    let three = Vec::from([newest.id.clone(), middle.id.clone(), oldest.id.clone()]);
    same("newest first", found(store, &all).await?, three)?;
    let page = search(fixture, |wanted| {
        (wanted.page.limit, wanted.page.after) = (1, Some((fixture.after(3), newest.id.clone())));
    });
    same("the second page", found(store, &page).await?, one(&middle))?;
    let channel = search(fixture, |wanted| wanted.channel = Some(Channel::Sms));
    same("by channel", found(store, &channel).await?, one(&middle))?;
    for (state, wanted) in [
        (MessageState::Queued, one(&oldest)),
        (MessageState::Failed, one(&middle)),
        (MessageState::Accepted, one(&newest)),
        (MessageState::Read, Vec::new()),
    ] {
        let state = search(fixture, |wanted| wanted.state = Some(state));
        same("by state", found(store, &state).await?, wanted.clone())?;
        let mut also = state.clone();
        (also.page.since, also.page.until) = (Some(fixture.after(1)), Some(fixture.after(3)));
        same("by state and period", found(store, &also).await?, wanted)?;
        let mut late = state;
        late.page.since = Some(fixture.after(4));
        same("by state, later", found(store, &late).await?, Vec::new())?;
    }
    let session = search(fixture, |wanted| {
        wanted.page.session_id = Some(change.transaction.session_id.clone());
    });
    same("by session", found(store, &session).await?, one(&oldest))?;
    let failed = MessageSearch { state: Some(MessageState::Failed), ..session };
    same("by session and state", found(store, &failed).await?, Vec::new())?;
    let period = search(fixture, |wanted| {
        (wanted.page.since, wanted.page.until) = (Some(fixture.after(2)), Some(fixture.after(2)));
    });
    same("by period", found(store, &period).await?, one(&middle))?;
    let order_no = change.transaction.details.order_no.clone().unwrap_or_else(|| "none".into());
    let order = search(fixture, |wanted| wanted.page.order_no = Some(order_no));
    let expected = if change.transaction.details.order_no.is_some() { 3 } else { 0 };
    same("by order", found(store, &order).await?.len(), expected)?;
    let other = fixture.another()?;
    same("not of others", found(store, &everything(&other)).await?, Vec::new())
}

pub(super) async fn a_listed_message_is_read_back_as_it_was_stored(
    store: &(impl Store + Messages),
    fixture: &Fixture,
) -> Checked {
    let (change, message) = notified(store, fixture, Channel::Whatsapp, 7).await?;
    let noted = MessageNote { detail: Some("why".into()), ..note(fixture, &message, Fate::Failed) };
    store.note_message(&noted).await?;
    let listed = store.find_messages(&everything(fixture)).await?;
    let [listed] = listed.as_slice() else { return Err("not one message".into()) };
    same("body", listed.sent.body.as_str(), BODY)?;
    same("channel", listed.sent.channel, Channel::Whatsapp)?;
    same("note", listed.sent.note.clone(), Some(noted))?;
    same("session", &listed.session_id, &change.transaction.session_id)?;
    same("reference", &listed.reference, &message.subject.reference)?;
    same("moment", listed.created_at, fixture.after(7))
}
