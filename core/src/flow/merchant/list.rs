//! Listing a merchant's payment transactions.

use alloc::string::String;
use alloc::vec::Vec;

use crate::access::Caller;
use crate::answer::listing::ListingPage;
use crate::answer::source::ViewSource;
use crate::answer::view::{View, ViewOptions};
use crate::api::list_transactions::{self, DayZone};
use crate::flow::Failure;
use crate::flow::commit::terms;
use crate::flow::payer::receipt::listed_receipt;
use crate::flow::reader::day_begins;
use crate::operation::standing::ListedPage;
use crate::payment::receipt::is_final;
use crate::port::{Endings, Store, World};
use crate::rejection::Rejection;
use crate::transaction::listing::{Listed, Listing};
use crate::value::json;
use crate::value::time::{Date, Timestamp};

/// Lists the caller's payment transactions, one page of them:
///
/// 1. read the query; a cursor of another merchant is not valid;
/// 2. load one transaction more than the page holds, which shows whether another page follows; one also follows where
///    the store stopped before it had looked at all;
/// 3. load how they ended, and show each as it is at this moment, as retrieving does.
///
/// # Errors
/// The rejection, or a failure of the world.
pub async fn list(world: &impl World, caller: &Caller, query: &str) -> Result<String, Failure> {
    let now = caller.situation.now;
    // 1, 2
    let page = read(world, caller, query, DayZone::Utc)?;
    let ledger = world.ledger(&page);
    let (ListedPage { listed, mut standings, .. }, next) = load_page(world, page.clone()).await?;
    // 3
    let public_url = &world.installation().public_url;
    let states: Vec<_> = listed
        .iter()
        .map(|each| (&each.transaction.session_id, each.transaction.state_at(now, each.has_open_attempt)))
        .collect();
    let ended: Vec<_> = states.iter().copied().filter(|(_, state)| is_final(*state)).collect();
    let endings = ledger.endings(&ended).await?;
    let mut asked = Vec::with_capacity(listed.len());
    for (each, (session_id, state)) in listed.iter().zip(&states) {
        let standing = standings.remove(*session_id);
        let known = (endings.get(session_id), standing.as_ref());
        let receipt =
            listed_receipt(world, &each.transaction, *state, &caller.situation.settings, known).await?;
        asked.push(ViewOptions { receipt, standing, ..ViewOptions::default() });
    }
    let shown = listed.iter().zip(&asked).map(|(each, asked)| {
        let Listed { transaction, has_open_attempt, .. } = each;
        let (has_open_attempt, situation) = (*has_open_attempt, &caller.situation);
        View::of(ViewSource { transaction, has_open_attempt, situation, public_url }, asked)
    });
    let page = ListingPage { results: shown.collect(), next };
    Ok(json::write(&page)?)
}

/// When a day of filters begins.
pub(super) fn begins_in(world: &impl World, caller: &Caller, zone: DayZone, day: Date) -> Timestamp {
    match zone {
        DayZone::Utc => day.begins_at(),
        DayZone::Reader => day_begins(world, &caller.situation.settings, caller.user(), day),
    }
}

/// Reads the query of a listing, with what a search needs to know of the merchant.
///
/// # Errors
/// The rejection.
pub(crate) fn read(
    world: &impl World,
    caller: &Caller,
    query: &str,
    zone: DayZone,
) -> Result<Listing, Rejection> {
    let begins = |day| begins_in(world, caller, zone, day);
    let mut listing = list_transactions::read(query, caller.merchant(), caller.situation.now, &begins)?;
    if let Some(search) = &mut listing.filter.search {
        terms::complete(world, search, &caller.situation.settings);
    }
    Ok(listing)
}

/// The transactions of a page, and the cursor of the one that follows.
///
/// # Errors
/// If the store fails.
pub(crate) async fn load_page(
    world: &impl World,
    page: Listing,
) -> Result<(ListedPage, Option<String>), Failure> {
    let limit = usize::try_from(page.limit).unwrap_or(usize::MAX);
    let wanted = Listing { limit: page.limit.saturating_add(1), ..page };
    let mut page = world.ledger(&wanted).list(&wanted).await?;
    let has_more = page.listed.len() > limit;
    page.listed.truncate(limit);
    let last = page.listed.last().filter(|_| has_more).and_then(|last| last.position(wanted.order()));
    let next = last.or(page.stopped_at.take()).map(|place| place.to_cursor(&wanted.merchant));
    Ok((page, next))
}
