//! The list of a merchant's messages to payers.

use alloc::string::ToString;

use super::page;
use crate::answer::message::{MessagePage, MessageShown};
use crate::flow::Failure;
use crate::message::facts::MessageFacts;
use crate::message::masked::masked;
use crate::port::{ListedMessage, MessageSearch, Messages, World};
use crate::rejection::Rejection;
use crate::route::query::MESSAGES;
use crate::value::id::MerchantId;
use crate::violation::Rule;
use crate::wire::query::Parameters;
use crate::words::message::{Channel, MessageState};

/// How cursors of this list begin.
const PAGE: &str = "m1";

/// A page of the messages of a merchant.
///
/// # Errors
/// [`Rejection::Invalid`] with every wrong parameter, or a failure of the world.
pub async fn read_messages(
    world: &impl World,
    merchant: &MerchantId,
    query: &str,
) -> Result<MessagePage, Failure> {
    let search = read_search(merchant, query)?;
    let wanted = MessageSearch { page: page::with_one_more(&search.page), ..search.clone() };
    let mut found = world.ledger(&wanted).find_messages(&wanted).await?;
    let next = page::next(PAGE, &search.page, &mut found, |row| (row.created_at, &row.sent.id));
    Ok(MessagePage { next, results: found.into_iter().map(shown).collect() })
}

fn read_search(merchant: &MerchantId, query: &str) -> Result<MessageSearch, Rejection> {
    let mut given = Parameters::of(query, MESSAGES);
    let search = MessageSearch {
        page: page::read(&mut given, PAGE, merchant),
        channel: given.read("channel", Rule::OneOf(Channel::WORDS), Channel::parse),
        state: given.read("state", Rule::OneOf(MessageState::WORDS), MessageState::parse),
    };
    given.finish()?;
    Ok(search)
}

pub(in crate::flow) fn shown(row: ListedMessage) -> MessageShown {
    let ListedMessage { sent, session_id, reference, created_at } = row;
    let facts = MessageFacts::read(&sent.body);
    let recipient = facts.as_ref().map(|facts| masked(&facts.to));
    let note = sent.note;
    // A provider may quote the address that it could not reach.
    let detail =
        note.as_ref().and_then(|note| note.detail.as_deref()).map(|detail| match (&facts, &recipient) {
            (Some(facts), Some(hidden)) if !facts.to.is_empty() => {
                let bare = detail.replace(facts.to.as_str(), hidden);
                bare.replace(facts.to.trim_start_matches('+'), hidden)
            }
            _ => detail.into(),
        });
    MessageShown {
        changed_at: note.as_ref().map(|note| note.at.into()),
        channel: sent.channel,
        created_at: created_at.into(),
        detail,
        event: facts.as_ref().map(|facts| facts.occasion),
        id: sent.id.to_string(),
        order_no: facts.and_then(|facts| facts.order_no),
        provider: note.as_ref().map(|note| note.provider),
        recipient,
        reference_number: reference.to_string(),
        session_id: session_id.to_string(),
        state: MessageState::of(note.map(|note| note.fate)),
    }
}
