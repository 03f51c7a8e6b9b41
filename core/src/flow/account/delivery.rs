//! The log of a merchant's deliveries, and sending them again: for the merchant itself, and for operators.

use alloc::string::{String, ToString};

use serde::Serialize;

use super::page;
use crate::access::grantor::Grantor;
use crate::answer::delivery::{DeliveriesResent, DeliveryPage, DeliveryRead, DeliveryShown, TryShown};
use crate::api::resend::ResendRequest;
use crate::flow::Failure;
use crate::flow::situation::known;
use crate::port::{
    Clock, Deliveries, DeliverySearch, FullDelivery, LoggedDelivery, LoggedTry, Resend, Resent, Ring, World,
};
use crate::record::audit::Entry;
use crate::record::outbox::{DeliveryState, MessageKind, Which};
use crate::record::receiver::origin;
use crate::rejection::Rejection;
use crate::route::query::DELIVERIES;
use crate::value::id::{DeliveryId, MerchantId};
use crate::value::time::Moment;
use crate::value::web_address::MAX_ADDRESS_CHARS;
use crate::violation::Rule;
use crate::wire::query::Parameters;

/// How cursors of this list begin.
const PAGE: &str = "d1";
/// The most deliveries that one request sends again.
const MAX_RESENT: u32 = 500;
/// A page of the log of a merchant.
///
/// # Errors
/// [`Rejection::Invalid`] with every wrong parameter, or a failure of the world.
pub async fn read_deliveries(
    world: &impl World,
    merchant: &MerchantId,
    query: &str,
) -> Result<DeliveryPage, Failure> {
    let search = read_search(merchant, query)?;
    let wanted = DeliverySearch { page: page::with_one_more(&search.page), ..search.clone() };
    let mut found = world.ledger(&wanted).find_deliveries(&wanted).await?;
    let next = page::next(PAGE, &search.page, &mut found, |row| (row.created_at, &row.id));
    Ok(DeliveryPage { next, results: found.into_iter().map(shown).collect() })
}

fn read_search(merchant: &MerchantId, query: &str) -> Result<DeliverySearch, Rejection> {
    let mut given = Parameters::of(query, DELIVERIES);
    let search = DeliverySearch {
        page: page::read(&mut given, PAGE, merchant),
        state: given.read("state", Rule::OneOf(DeliveryState::WORDS), DeliveryState::parse),
        kind: given.read("kind", Rule::OneOf(MessageKind::WORDS), MessageKind::parse),
        receiver: given.line("receiver", MAX_ADDRESS_CHARS).map(|address| origin(&address).to_string()),
    };
    given.finish()?;
    Ok(search)
}

/// One delivery of a merchant with every try.
///
/// # Errors
/// [`Rejection::NotFound`], also for that of another merchant, or a failure of the world.
pub async fn read_delivery(
    world: &impl World,
    merchant: &MerchantId,
    id: &DeliveryId,
) -> Result<DeliveryRead, Failure> {
    let found = world.ledger(merchant).logged_delivery(merchant, id).await?;
    let FullDelivery { row, body, tries } = found.ok_or(Rejection::NotFound)?;
    // What goes to a payer, and what is carried out here, is nothing that a receiver reads.
    let body = body.filter(|_| row.kind.is_webhook());
    Ok(DeliveryRead { body, delivery: shown(row), tries: tries.into_iter().map(shown_try).collect() })
}

fn shown(row: LoggedDelivery) -> DeliveryShown {
    let is_due = row.state == DeliveryState::Due;
    DeliveryShown {
        created_at: row.created_at.into(),
        due_at: is_due.then(|| row.due_at.into()),
        failed_tries: row.failed_tries,
        id: row.id.to_string(),
        kind: row.kind,
        last_status: row.last_status,
        reference_number: row.reference.to_string(),
        resent_at: row.resent_at.map(Moment::from),
        session_id: row.session_id.map(|id| id.to_string()),
        state: row.state,
        url: row.url,
    }
}

pub(in crate::flow) fn shown_try(row: LoggedTry) -> TryShown {
    TryShown {
        at: row.at.into(),
        duration_ms: row.took_ms,
        error: row.error,
        excerpt: row.excerpt,
        number: row.number,
        status: row.status,
    }
}

/// Sends deliveries again, with the ids and the bytes that they have:
///
/// 1. load the merchant, and read whether one is named, or those in a state that were caused in a period;
/// 2. record who sends them again, and make them due. The same request again continues with those that were not sent again
///    since the end of the period, which is not in the future.
///
/// # Errors
/// [`Rejection::Invalid`], [`Rejection::NotFound`] for a named delivery that is not the merchant's or was erased, or a
/// failure of the world.
pub async fn resend(
    world: &impl World,
    merchant: &MerchantId,
    grantor: Grantor<'_>,
    body: &[u8],
) -> Result<DeliveriesResent, Failure> {
    // 1
    let situation = known(world, merchant).await?;
    let now = situation.now;
    let ResendRequest { which } = ResendRequest::read(body, now)?;
    let is_named = matches!(which, Which::One(_));
    // 2
    let action = grantor.endpoint("resend_deliveries", "resend_own_deliveries");
    let entry = Entry::of(grantor.actor(), action, world.clock().now()).about(merchant);
    let entry = recorded(entry, &which);
    let resend = Resend { merchant: merchant.clone(), which, now, limit: MAX_RESENT };
    let Resent { due, held } = world.ledger(&resend).resend(&resend, &entry).await?;
    let count = u32::try_from(due.len()).unwrap_or(u32::MAX);
    world.post(due.into_iter().map(Ring::again).collect());
    let all = count.saturating_add(held);
    if is_named && all == 0 {
        return Err(Rejection::NotFound.into());
    }
    Ok(DeliveriesResent { held, may_continue: all >= MAX_RESENT, resent: count })
}

/// What is recorded of a request for those of a period.
#[derive(Serialize)]
struct RecordedResend<'a> {
    receiver: Option<&'a str>,
    since: String,
    state: &'static str,
    until: String,
}

fn recorded(entry: Entry, which: &Which) -> Entry {
    match which {
        Which::One(id) => entry.on(id),
        Which::Of { state, receiver, since, until } => entry.on("deliveries").to(&RecordedResend {
            receiver: receiver.as_deref(),
            since: since.to_string(),
            state: state.as_str(),
            until: until.to_string(),
        }),
    }
}
