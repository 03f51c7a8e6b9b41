//! Exporting a merchant's payment transactions as a table.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use form_urlencoded::Serializer;

use crate::access::Caller;
use crate::answer::export::{ExportTable, ExportedPayment};
use crate::api::list_transactions::filters;
use crate::desk::personal::seen_by;
use crate::flow::Failure;
use crate::flow::commit::terms;
use crate::flow::merchant::list::load_page;
use crate::flow::payer::local::ahead;
use crate::port::{Bookkeeping, Journal, World};
use crate::record::audit::Entry;
use crate::rejection::Rejection;
use crate::settings::MerchantSettings;
use crate::transaction::listing::{Listed, Listing, Position};
use crate::value::time::{Local, Timestamp};

/// The most rows of a table.
const MAX_EXPORTED: usize = 20_000;
/// How many payments are read at once.
const PAGE: u32 = 1_000;
/// How many pages are read at most: one may have few rows where a filter has no index.
const MAX_PAGES: usize = 100;
/// The parameters whose values identify a payer: the audit does not say them, because nothing is erased there.
const PERSONAL: [&str; 2] = ["customer_id", "search"];
const MILLIS_PER_QUARTER: i64 = 900_000;

/// Exports what the listing of a query holds, page after page:
///
/// 1. read the query, which is that of the listing without its pages, and record it in the audit;
/// 2. load each page with the operations of its payments, and write a row for each, without what
///    identifies its payer for someone who may not see that;
/// 3. a table that would be too long is refused: nothing of it is sent.
///
/// # Errors
/// The rejection, or a failure of the world.
pub async fn export(world: &impl World, caller: &Caller, query: &str) -> Result<String, Failure> {
    // 1
    let (now, settings) = (caller.situation.now, &caller.situation.settings);
    let mut filter = filters(query)?;
    if let Some(search) = &mut filter.search {
        terms::complete(world, search, settings);
    }
    let entry = Entry::of(caller.actor(), "export_transactions", caller.situation.real_now());
    let entry = entry.about(caller.merchant()).to(&audited(query));
    world.directory().record(&entry).await?;
    // 2
    let mut zone = Zone { world, settings, known: BTreeMap::new() };
    let mut table = ExportTable::head(settings.time_zone.as_deref().unwrap_or("UTC"));
    let mut page = Listing { filter, ..Listing::of(caller.merchant(), now, PAGE) };
    for _ in 0..MAX_PAGES {
        let (listed, next) = load_page(world, page.clone()).await?;
        let shown = |each: Listed| Listed { transaction: seen_by(caller, each.transaction), ..each };
        let listed: Vec<_> = listed.into_iter().map(shown).collect();
        write(world, &mut table, &mut zone, &listed, now).await?;
        // 3
        if table.rows > MAX_EXPORTED {
            break;
        }
        let Some(next) = next else { return Ok(table.text) };
        page.after = Position::from_cursor(&next, caller.merchant());
    }
    Err(Rejection::TooManyRows { max: MAX_EXPORTED }.into())
}

/// The rows of a page.
async fn write<W: World>(
    world: &W,
    table: &mut ExportTable,
    zone: &mut Zone<'_, W>,
    listed: &[Listed],
    now: Timestamp,
) -> Result<(), Failure> {
    let Some(first) = listed.first() else { return Ok(()) };
    let ids: Vec<_> = listed.iter().map(|each| &each.transaction.session_id).collect();
    let standings = world.ledger(&first.transaction.session_id).standings(&ids).await?;
    for each in listed {
        let transaction = &each.transaction;
        let standing = standings.get(&transaction.session_id);
        table.payment(&ExportedPayment {
            listed: each,
            state: transaction.state_at(now, each.has_open_attempt),
            standing,
            created: zone.local(transaction.created_at),
            paid: each.paid_at.map(|at| zone.local(at)),
        });
        for child in standing.iter().flat_map(|standing| &standing.children) {
            table.operation(transaction, child, zone.local(child.opened_at));
        }
    }
    Ok(())
}

/// A query as the audit has it.
fn audited(query: &str) -> String {
    let given = form_urlencoded::parse(query.as_bytes());
    let shown = given.map(|(name, value)| {
        let is_personal = PERSONAL.contains(&name.as_ref());
        (name, if is_personal { "…".into() } else { value })
    });
    Serializer::new(String::new()).extend_pairs(shown).finish()
}

/// The clocks at the merchant. Nowhere do they change but at a quarter of an hour.
struct Zone<'a, W> {
    world: &'a W,
    settings: &'a MerchantSettings,
    known: BTreeMap<i64, i16>,
}

impl<W: World> Zone<'_, W> {
    fn local(&mut self, at: Timestamp) -> Local {
        let quarter = at.millis().div_euclid(MILLIS_PER_QUARTER);
        let ahead = *self.known.entry(quarter).or_insert_with(|| ahead(self.world, self.settings, at));
        Local { at, ahead }
    }
}
