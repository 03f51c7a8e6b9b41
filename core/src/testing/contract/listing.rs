//! What a listing contains, and in which order.

use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Reverse;

use super::fixture::Fixture;
use super::{Checked, Problem, holds, same};
use crate::attempt::Attempt;
use crate::attempt::stage::Stage;
use crate::change::AttemptWrite;
use crate::port::{Bookkeeping, Registry, Store};
use crate::state::{Event, Retry, State};
use crate::transaction::listing::{Between, Listed, Listing, ListingFilter, Position};
use crate::transaction::{Details, Transaction};
use crate::value::id::SessionId;

/// Everything of the check's merchant, on one page.
fn everything(fixture: &Fixture) -> Listing {
    Listing::of(&fixture.merchant, fixture.now, 100)
}

/// The page of those that fit a filter.
fn narrowed(fixture: &Fixture, filter: ListingFilter) -> Listing {
    Listing { filter, ..everything(fixture) }
}

/// A filter of an order number and of a customer.
fn named(order_no: Option<&str>, customer_id: Option<&str>) -> ListingFilter {
    let (order_no, customer_id) = (order_no.map(String::from), customer_id.map(String::from));
    ListingFilter { order_no, customer_id, ..ListingFilter::default() }
}

/// Makes a transaction that many seconds after the check's moment, payable until half a minute after it.
async fn made(
    store: &impl Store,
    fixture: &Fixture,
    seconds: u64,
    (order_no, customer_id): (&str, &str),
) -> Result<Transaction, Problem> {
    let details = Details {
        order_no: Some(order_no.into()),
        customer_id: Some(customer_id.into()),
        ..Details::default()
    };
    let created_at = fixture.after(seconds);
    let transaction =
        Transaction { created_at, expires_at: fixture.after(30), details, ..fixture.transaction()? };
    let change = fixture.created(transaction);
    store.commit(&change).await?;
    Ok(change.transaction)
}

async fn ids(store: &impl Store, listing: &Listing) -> Result<Vec<SessionId>, Problem> {
    let page = store.list(listing).await?;
    Ok(page.listed.into_iter().map(|each| each.transaction.session_id).collect())
}

/// The ids of transactions, newest first.
fn newest_first(transactions: &[Transaction]) -> Vec<SessionId> {
    let mut places: Vec<Position> = transactions.iter().map(Position::of).collect();
    places.sort_by_key(|place| Reverse(place.clone()));
    places.into_iter().map(|place| place.session_id).collect()
}

pub(super) async fn pages_hold_every_transaction_once_while_others_are_made(
    store: &impl Store,
    fixture: &Fixture,
) -> Checked {
    let mut all = Vec::new();
    for seconds in [2, 1, 2, 4, 2, 3, 4] {
        all.push(made(store, fixture, seconds, ("A-1", "c")).await?);
    }
    let plain = Listing { limit: 2, ..everything(fixture) };
    let plain_plugin = fixture.transaction()?.plugin;
    let with = |filter: ListingFilter| Listing { filter, ..plain.clone() };
    let kinds = [
        plain.clone(),
        with(ListingFilter {
            states: [State::Created, State::Paid, State::Expired].into(),
            ..ListingFilter::default()
        }),
        with(named(None, Some("c"))),
        with(named(Some("A-1"), Some("c"))),
        with(ListingFilter { plugin: Some(plain_plugin), ..ListingFilter::default() }),
    ];
    let mut newest: u64 = 10;
    for mut page in kinds {
        let wanted = newest_first(&all);
        let mut found = Vec::new();
        while found.len() <= wanted.len() {
            let listed = store.list(&page).await?.listed;
            let Some(last) = listed.last() else { break };
            page.after = Some(Position::of(&last.transaction));
            found.extend(listed.into_iter().map(|each| each.transaction.session_id));
            // One in between that is newer than all, and would be the first of the next page.
            newest = newest.saturating_add(1);
            all.push(made(store, fixture, newest, ("A-1", "c")).await?);
        }
        same("every transaction once", found, wanted)?;
    }
    Ok(())
}

pub(super) async fn a_page_holds_no_more_than_its_limit(store: &impl Store, fixture: &Fixture) -> Checked {
    let mut all = Vec::new();
    for seconds in [1, 2, 3] {
        all.push(made(store, fixture, seconds, ("A-1", "c")).await?);
    }
    let wanted = newest_first(&all);
    for states in [Vec::new(), [State::Created].into()] {
        let filter = ListingFilter { states, ..ListingFilter::default() };
        let page = Listing { filter, limit: 2, ..everything(fixture) };
        same("the newest two", Some(ids(store, &page).await?.as_slice()), wanted.get(..2))?;
        let page = Listing { limit: 3, ..page };
        same("all three", ids(store, &page).await?, wanted.clone())?;
    }
    Ok(())
}

/// Opens an attempt, and moves it on to `stage`.
async fn tried(
    store: &impl Store,
    fixture: &Fixture,
    transaction: &Transaction,
    stage: Stage,
) -> Result<Transaction, Problem> {
    let attempt = fixture.attempt(transaction, 1)?;
    let opened = fixture.opened(transaction, attempt.clone());
    store.commit(&opened).await?;
    let next = Attempt { stage, inquire_at: None, ..attempt };
    let update = AttemptWrite::Update { from: Stage::Sending, attempt: next };
    let change = if stage == Stage::Failed {
        fixture.moved(&opened.transaction, Event::AttemptFailed(Retry::Permitted), State::Attempted)
    } else {
        fixture.noted(&opened.transaction)
    };
    let change = change.with_attempt(update);
    store.commit(&change).await?;
    Ok(change.transaction)
}

pub(super) async fn a_listing_goes_by_the_state_that_is_shown(
    store: &impl Store,
    fixture: &Fixture,
) -> Checked {
    let untried = made(store, fixture, 1, ("A-1", "c")).await?;
    let failed = made(store, fixture, 2, ("A-1", "c")).await?;
    let failed = tried(store, fixture, &failed, Stage::Failed).await?;
    let waiting = made(store, fixture, 3, ("A-1", "c")).await?;
    let waiting = tried(store, fixture, &waiting, Stage::Redirected).await?;
    let ended = made(store, fixture, 4, ("A-1", "c")).await?;
    store.commit(&fixture.moved(&ended, Event::Expired, State::Expired)).await?;
    let canceled = made(store, fixture, 5, ("A-1", "c")).await?;
    store.commit(&fixture.moved(&canceled, Event::Canceled, State::Canceled)).await?;
    let seen = made(store, fixture, 6, ("A-1", "c")).await?;
    store.commit(&fixture.moved(&seen, Event::PageOpened, State::Pending)).await?;
    let of = |transactions: &[&Transaction]| -> Vec<SessionId> {
        transactions.iter().map(|transaction| transaction.session_id.clone()).collect()
    };
    let (early, late) = (fixture.after(29), fixture.after(30));
    let cases: [(_, &[State], _); 10] = [
        (early, &[State::Created], of(&[&untried])),
        (late, &[State::Created], of(&[])),
        (early, &[State::Created, State::Attempted], of(&[&failed, &untried])),
        (early, &[State::Expired], of(&[&ended])),
        (late, &[State::Expired], of(&[&seen, &ended, &failed, &untried])),
        (early, &[State::Pending], of(&[&seen, &waiting])),
        (late, &[State::Pending], of(&[&waiting])),
        (late, &[State::Pending, State::Expired], of(&[&seen, &ended, &waiting, &failed, &untried])),
        (late, &[State::Canceled, State::Paid], of(&[&canceled])),
        (late, &State::ALL, of(&[&seen, &canceled, &ended, &waiting, &failed, &untried])),
    ];
    for (now, states, wanted) in cases {
        for (order_no, customer_id) in [(None, None), (Some("A-1"), None), (None, Some("c"))] {
            let filter = ListingFilter { states: states.into(), ..named(order_no, customer_id) };
            let page = Listing { now, filter, ..everything(fixture) };
            let what = alloc::format!("{states:?} by {order_no:?} {customer_id:?}");
            same(&what, ids(store, &page).await?, wanted.clone())?;
        }
    }
    Ok(())
}

pub(super) async fn a_listed_transaction_is_read_back_as_it_was_stored(
    store: &(impl Store + Bookkeeping),
    fixture: &Fixture,
) -> Checked {
    let mut wanted = Vec::new();
    for (seconds, stage) in
        [(5, Stage::Failed), (4, Stage::Unknown), (3, Stage::Redirected), (2, Stage::Sending)]
    {
        let transaction = made(store, fixture, seconds, ("A-1", "c")).await?;
        let transaction = tried(store, fixture, &transaction, stage).await?;
        wanted.push(Listed { transaction, has_open_attempt: stage.is_open(), made_by: None, paid_at: None });
    }
    let transaction = made(store, fixture, 1, ("A-1", "c")).await?;
    wanted.push(Listed { transaction, has_open_attempt: false, made_by: None, paid_at: None });
    let plain = everything(fixture);
    let of_states = ListingFilter { states: State::ALL.into(), ..ListingFilter::default() };
    let of_plugin = ListingFilter { plugin: Some(fixture.transaction()?.plugin), ..ListingFilter::default() };
    for page in [plain, narrowed(fixture, of_states), narrowed(fixture, of_plugin)] {
        let read = store.list(&page).await?;
        let ids: Vec<_> = wanted.iter().map(|each| &each.transaction.session_id).collect();
        same("with what each is", read.standings, store.standings(&ids).await?)?;
        same("listed", read.listed, wanted.clone())?;
        same("counted", store.table_rows(&page).await?, 5)?;
        same("two of them", store.table_rows(&Listing { limit: 2, ..page }).await?, 2)?;
    }
    Ok(())
}

pub(super) async fn a_listing_is_narrowed_by_period_order_number_and_customer(
    store: &impl Store,
    fixture: &Fixture,
) -> Checked {
    const ODD: &str = "A/1 ' \" ; -- نور %";
    let first = made(store, fixture, 1, ("A-1", "c")).await?.session_id;
    let second = made(store, fixture, 2, ("A-1", "d")).await?.session_id;
    let third = made(store, fixture, 3, (ODD, "c")).await?.session_id;
    let (one, two) = (Some(fixture.after(1)), Some(fixture.after(2)));
    let made_in = |from, to| ListingFilter { created: Between { from, to }, ..ListingFilter::default() };
    let cases: [(ListingFilter, &[&SessionId]); 10] = [
        (made_in(two, None), &[&third, &second]),
        (made_in(None, two), &[&second, &first]),
        (made_in(two, two), &[&second]),
        (ListingFilter { states: [State::Created].into(), ..made_in(None, one) }, &[&first]),
        (named(Some("A-1"), None), &[&second, &first]),
        (named(Some(ODD), None), &[&third]),
        (named(Some("a-1"), None), &[]),
        (named(None, Some("c")), &[&third, &first]),
        (named(Some("A-1"), Some("c")), &[&first]),
        (ListingFilter { created: Between { from: two, to: None }, ..named(None, Some("c")) }, &[&third]),
    ];
    for (place, (filter, wanted)) in cases.into_iter().enumerate() {
        let page = narrowed(fixture, filter);
        let wanted: Vec<SessionId> = wanted.iter().map(|id| (*id).clone()).collect();
        same(&alloc::format!("case {place}"), ids(store, &page).await?, wanted)?;
    }
    Ok(())
}

pub(super) async fn a_listing_holds_nothing_of_another_merchant(
    store: &(impl Store + Registry),
    fixture: &Fixture,
) -> Checked {
    let other = fixture.another()?;
    store.add_merchant(&other.new_merchant(&[])?, &fixture.entry("add_merchant").making(1)).await?;
    let mine = made(store, fixture, 1, ("A-1", "c")).await?;
    let theirs = made(store, &other, 2, ("A-1", "c")).await?;
    for page in [
        everything(fixture),
        narrowed(fixture, ListingFilter { states: State::ALL.into(), ..ListingFilter::default() }),
        narrowed(fixture, named(Some("A-1"), None)),
        narrowed(fixture, named(None, Some("c"))),
        narrowed(fixture, ListingFilter { plugin: Some(mine.plugin), ..ListingFilter::default() }),
    ] {
        same("mine", ids(store, &page).await?, [mine.session_id.clone()].into())?;
        // Even from their position on, only mine follow.
        let page = Listing { after: Some(Position::of(&theirs)), ..page };
        same("mine after theirs", ids(store, &page).await?, [mine.session_id.clone()].into())?;
        let page = Listing { after: Some(Position::of(&mine)), ..page };
        holds("nothing after mine", ids(store, &page).await?.is_empty())?;
    }
    Ok(())
}
