//! The payer opens the hosted page, or the page asks about the state of the payment.

use alloc::boxed::Box;
use alloc::string::ToString;
use alloc::vec::Vec;

use crate::change::{Change, EventKind};
use crate::checkout::landing::landing;
use crate::checkout::page::{self, PageScene, PageView, SentForm, ShownMovement};
use crate::flow::Failure;
use crate::flow::card::cards_on_page;
use crate::flow::charge::routing::with_health;
use crate::flow::commit::commit;
use crate::flow::commit::notify::announce;
use crate::flow::find::books_of;
use crate::flow::payer::local;
use crate::flow::situation::situation_of;
use crate::operation::begin::counting;
use crate::payment::apply::expire;
use crate::payment::begin::invalidate;
use crate::port::{Record, Store, World};
use crate::rejection::Rejection;
use crate::sdk::payment::StatusAnswer;
use crate::settings::situation::Situation;
use crate::state::{Event, State, step};
use crate::value::id::SessionId;
use crate::value::time::{Moment, Timestamp};
use crate::words::Language;

/// Who asks for a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Viewer {
    /// A person: their browser navigates to it, or its script runs.
    Person,
    /// Perhaps nobody: a preview of the link, a scanner, a browser that does not say what it loads.
    Unknown,
}

/// How a page is asked for.
#[derive(Debug, Clone, Copy)]
pub struct Visit<'a> {
    /// The language that the payer chose, if they did.
    pub language: Option<Language>,
    /// The language that their browser prefers, of ours.
    pub accepted: Option<Language>,
    /// The code of the gateway that the address names, if it names one.
    pub asked: Option<&'a str>,
    /// The pay form that was sent just now, if one was.
    pub sent: Option<SentForm<'a>>,
    /// Whether the payer comes back from an attempt that another one has replaced.
    pub is_replaced: bool,
    /// Whether the page was loaded again because it showed another price.
    pub is_repriced: bool,
    /// Who asks.
    pub viewer: Viewer,
}

impl Visit<'_> {
    /// A person opens the page.
    pub const PERSON: Self = Self {
        language: None,
        accepted: None,
        asked: None,
        sent: None,
        is_replaced: false,
        is_repriced: false,
        viewer: Viewer::Person,
    };
}

/// Opens the page, or renders it again if a pay form was sent by which nothing is paid:
///
/// 1. read which transaction it belongs to;
/// 2. load it, and note that the payer is there, if it is a person who asks;
/// 3. render the page from what is stored.
///
/// # Errors
/// A failure of the world. For a session id without a transaction there is a separate page.
pub async fn open_page(
    world: &impl World,
    session_id: Option<&SessionId>,
    visit: Visit<'_>,
) -> Result<PageView, Failure> {
    // 1
    let Visit { language, accepted, asked, sent, is_replaced, is_repriced, viewer } = visit;
    let missing = PageView::NotFound { language: Language::of_page(language, None, accepted) };
    let Some(session_id) = session_id else { return Ok(missing) };
    // 2
    let Some(arrival) = arrive(world, session_id, viewer).await? else { return Ok(missing) };
    let PayerVisit { record, situation } = arrival;
    // 3
    let books = books_of(world, &record.transaction).await?;
    let delivery = match counting(books.as_ref(), record.attempt.as_ref()) {
        Some(attempt) if !attempt.is_open() => {
            world.ledger(&attempt.reference).newest_delivery(&attempt.reference).await?
        }
        Some(_) | None => None,
    };
    let attempts = match &record.attempt {
        Some(latest) if books.is_none() && !latest.is_open() => {
            world.ledger(&record.transaction.session_id).attempts(&record.transaction.session_id).await?
        }
        Some(_) | None => Vec::new(),
    };
    let cards = cards_on_page(world, &record.transaction, &situation.settings).await?;
    let scene = PageScene {
        transaction: &record.transaction,
        latest: record.attempt.as_ref(),
        delivery: delivery.map(|newest| newest.status),
        books: books.as_ref(),
        situation: &situation,
        sent,
        language: Some(Language::of_page(language, record.transaction.details.language, accepted)),
        asked,
        is_replaced,
        is_repriced,
        attempts: &attempts,
        cards: &cards,
        public_url: &world.installation().public_url,
        reach: world.installation().reach,
    };
    let mut page = Box::new(page::page(scene));
    page.clock = local::clock(world, &situation.settings, &page);
    Ok(PageView::Transaction(page))
}

/// A transaction whose payer arrives.
pub(crate) struct PayerVisit {
    /// The transaction with its latest attempt.
    pub(crate) record: Record,
    /// Its merchant.
    pub(crate) situation: Situation,
}

/// A transaction whose payer arrives: ended if its time is over or
/// nothing is left to pay it with, otherwise noted as seen, if a person sees it. A race lost here does not
/// matter, because someone else moved the transaction. `None` if there is none.
pub(crate) async fn arrive(
    world: &impl World,
    session_id: &SessionId,
    viewer: Viewer,
) -> Result<Option<PayerVisit>, Failure> {
    let Some(mut record) = world.ledger(session_id).load(session_id).await? else { return Ok(None) };
    let situation = with_health(world, situation_of(world, &record.transaction.merchant).await?).await?;
    let now = situation.now;
    let (transaction, latest) = (&record.transaction, record.attempt.as_ref());
    let change = expire(transaction, latest, now)
        .or_else(|| invalidate(transaction, latest, &situation.settings, now))
        .or_else(|| see(&record, now).filter(|_| viewer == Viewer::Person));
    if let Some(mut change) = change {
        announce(world, &mut change, latest, &situation)?;
        if commit(world, &mut change).await? {
            record.transaction = change.transaction;
        } else {
            record = world.ledger(session_id).load(session_id).await?.unwrap_or(record);
        }
    }
    Ok(Some(PayerVisit { record, situation }))
}

fn see(record: &Record, now: Timestamp) -> Option<Change> {
    let mut transaction = record.transaction.clone();
    if transaction.state != State::Created {
        return None;
    }
    transaction.move_to(step(transaction.state, Event::PageOpened).ok()?, now);
    Some(Change::of(transaction, EventKind::Moved(Event::PageOpened), now))
}

/// The state of the payment, for the page that polls. If the merchant's receiver has answered 200 in the
/// meantime, even to a later try, the payer is sent on.
///
/// # Errors
/// [`Rejection::NotFound`], or a failure of the world.
pub async fn status(world: &impl World, session_id: &SessionId) -> Result<StatusAnswer, Failure> {
    let record = world.ledger(session_id).load(session_id).await?.ok_or(Rejection::NotFound)?;
    let situation = situation_of(world, &record.transaction.merchant).await?;
    let now = situation.now;
    let latest = record.attempt.as_ref();
    let status = page::status(&record.transaction, latest, now).at(&situation.settings);
    let books = books_of(world, &record.transaction).await?;
    let counts = counting(books.as_ref(), latest);
    let mut redirect_url = None;
    if let Some(attempt) = counts.filter(|_| status.is_final()) {
        let newest = world.ledger(&attempt.reference).newest_delivery(&attempt.reference).await?;
        let delivery = newest.map(|newest| newest.status);
        let reach = world.installation().reach;
        redirect_url = landing(&record.transaction, counts, delivery, now, reach).map(|link| link.url);
    }
    let has_open = record.has_open_attempt();
    let payable = Some(&record.transaction).filter(|_| status.can_pay());
    Ok(StatusAnswer {
        state: record.transaction.state_at(now, has_open),
        status,
        amount: payable.map(|transaction| transaction.amount.to_string()),
        currency_code: payable.map(|transaction| transaction.amount.currency()),
        prices: payable.map(|transaction| page::prices(transaction, latest, &situation)).unwrap_or_default(),
        moved_at: books
            .and_then(|books| ShownMovement::last_of(&ShownMovement::of(&books)))
            .map(Moment::from),
        redirect_url,
    })
}
