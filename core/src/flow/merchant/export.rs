//! Exporting a merchant's payment transactions as a table.

use alloc::collections::BTreeMap;
use alloc::string::String;

use form_urlencoded::Serializer;

use crate::access::Caller;
use crate::access::user::User;
use crate::answer::export::{ExportTable, ExportedPayment};
use crate::api::list_transactions::{DayZone, filters};
use crate::desk::personal::seen_by;
use crate::flow::Failure;
use crate::flow::commit::terms;
use crate::flow::merchant::list::{begins_in, load_page};
use crate::flow::reader::{self, local};
use crate::operation::standing::{ListedPage, Standing};
use crate::port::{Bookkeeping, Journal, World};
use crate::record::audit::Entry;
use crate::rejection::Rejection;
use crate::settings::situation::Situation;
use crate::transaction::listing::{Listed, Listing, Position};
use crate::value::time::{Local, Timestamp};

/// The most rows of a table.
const MAX_EXPORTED: u32 = 100_000;
/// How many payments are read at once.
const PAGE: u32 = 1_000;
/// How many rows are looked at to say how long the table is.
const MAX_WALKED: u32 = 1_000_000;
/// How many pages are read at most: one may have few rows where a filter has no index.
const MAX_PAGES: usize = 300;
/// The parameters whose values identify a payer: the audit does not say them, because nothing is erased there.
const PERSONAL: [&str; 2] = ["customer_id", "search"];
const MILLIS_PER_QUARTER: i64 = 900_000;

/// A table that is written page after page, so that no more than a page is held at once.
///
/// Decision: the local times of a table from the desk are those of the screen that it was asked for on, as the days of its
/// filters are; programs read no screen, and get those at the merchant.
#[derive(Debug)]
pub struct Export {
    caller: Caller,
    zone: DayZone,
    /// What the next page holds; `None` after the last.
    page: Option<Listing>,
    /// How many pages were read.
    pages: usize,
    /// By how many minutes the clocks of the local times are ahead, by the quarter of an hour.
    ahead: BTreeMap<i64, i16>,
}

/// Begins to export what the listing of a query holds:
///
/// 1. read the query, which is that of the listing without its pages;
/// 2. a table that would be too long is refused: nothing of it is sent;
/// 3. record it in the audit.
///
/// # Errors
/// The rejection, or a failure of the world.
pub async fn export(
    world: &impl World,
    caller: &Caller,
    query: &str,
    zone: DayZone,
) -> Result<Export, Failure> {
    // 1
    let mut filter = filters(query, &|day| begins_in(world, caller, zone, day))?;
    if let Some(search) = &mut filter.search {
        terms::complete(world, search, &caller.situation.settings);
    }
    let page = Listing { filter, ..Listing::of(caller.merchant(), caller.situation.now, PAGE) };
    // 2
    let whole = Listing { limit: MAX_EXPORTED.saturating_add(1), walked: MAX_WALKED, ..page.clone() };
    if world.ledger(&whole).table_rows(&whole).await? > u64::from(MAX_EXPORTED) {
        return Err(Rejection::TooManyRows { max: MAX_EXPORTED }.into());
    }
    // 3
    let entry = Entry::of(caller.actor(), "export_transactions", caller.situation.real_now());
    let entry = entry.about(caller.merchant()).to(&audited(world, caller, query, zone));
    world.directory().record(&entry).await?;
    Ok(Export { caller: caller.clone(), zone, page: Some(page), pages: 0, ahead: BTreeMap::new() })
}

impl Export {
    /// Whether all of it was written.
    #[must_use]
    pub const fn is_over(&self) -> bool {
        self.page.is_none()
    }

    /// The last part of a table that cannot be finished: a row that says so.
    #[must_use]
    pub fn incomplete() -> String {
        let mut table = ExportTable::default();
        table.incomplete();
        table.text
    }

    /// The next part: a row for each payment of a page and for each of its operations, without what identifies the payer
    /// for someone who may not see that. The first has the names of the columns.
    ///
    /// # Errors
    /// A failure of the world, or a table of more pages than were to be expected.
    pub async fn part(&mut self, world: &impl World) -> Result<String, Failure> {
        let Some(page) = self.page.take() else { return Ok(String::new()) };
        let mut table = if self.pages == 0 {
            ExportTable::head(zone_of(world, &self.caller, self.zone))
        } else {
            ExportTable::default()
        };
        self.pages = self.pages.saturating_add(1);
        if self.pages > MAX_PAGES {
            return Err(Rejection::TooManyRows { max: MAX_EXPORTED }.into());
        }
        let (rows, next) = load_page(world, page.clone()).await?;
        self.write(world, &mut table, rows);
        let after = next.and_then(|next| Position::from_cursor(&next, self.caller.merchant()));
        self.page = after.map(|after| Listing { after: Some(after), ..page });
        Ok(table.text)
    }

    fn write(&mut self, world: &impl World, table: &mut ExportTable, page: ListedPage) {
        for each in page.listed {
            let each = Listed { transaction: seen_by(&self.caller, each.transaction), ..each };
            let transaction = &each.transaction;
            let standing = page.standings.get(&transaction.session_id);
            table.payment(&ExportedPayment {
                listed: &each,
                state: transaction.state_at(self.caller.situation.now, each.has_open_attempt),
                standing,
                created: self.local(world, transaction.created_at),
                paid: each.paid_at.map(|at| self.local(world, at)),
            });
            for child in standing.into_iter().flat_map(Standing::operations) {
                table.operation(transaction, child, self.local(world, child.opened_at));
            }
        }
    }

    /// A moment on the clocks of the local times. Nowhere do they change but at a quarter of an hour.
    fn local(&mut self, world: &impl World, at: Timestamp) -> Local {
        let quarter = at.millis().div_euclid(MILLIS_PER_QUARTER);
        let (settings, user) = (&self.caller.situation.settings, reader_of(&self.caller, self.zone));
        let ahead = *self.ahead.entry(quarter).or_insert_with(|| local(world, settings, user, at).ahead);
        Local { at, ahead }
    }
}

/// The person on whose clocks the local times are; `None` for those at the merchant.
fn reader_of(caller: &Caller, zone: DayZone) -> Option<&User> {
    match zone {
        DayZone::Utc => None,
        DayZone::Reader => caller.user(),
    }
}

/// The name of the time zone of the local times.
fn zone_of<'a>(world: &impl World, caller: &'a Caller, zone: DayZone) -> &'a str {
    let Situation { settings, now, .. } = &caller.situation;
    reader::zone(world, settings, reader_of(caller, zone), *now)
}

/// A query as the audit has it, with the time zone of its days if that is not UTC.
fn audited(world: &impl World, caller: &Caller, query: &str, zone: DayZone) -> String {
    let given = form_urlencoded::parse(query.as_bytes());
    let shown = given.map(|(name, value)| {
        let is_personal = PERSONAL.contains(&name.as_ref());
        (name, if is_personal { "…".into() } else { value })
    });
    let mut text = Serializer::new(String::new());
    text.extend_pairs(shown);
    if zone == DayZone::Reader {
        text.append_pair("time_zone", zone_of(world, caller, zone));
    }
    text.finish()
}
