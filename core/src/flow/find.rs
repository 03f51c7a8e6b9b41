//! Finding the payment transaction that a merchant's request is about.

pub(crate) mod attention;
pub(crate) mod card;

use alloc::collections::BTreeMap;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::cell::RefCell;
use core::time::Duration;

use super::Failure;
use super::situation::situation_of;
use crate::access::{Caller, Particular};
use crate::api::target::Target;
use crate::attempt::Attempt;
use crate::operation::begin::{Books, counting};
use crate::payment::routing::is_declined_softly;
use crate::port::{Bookkeeping, Clock, PortError, Record, Store, World};
use crate::rejection::Rejection;
use crate::settings::situation::Situation;
use crate::transaction::Transaction;
use crate::transaction::listing::{Listing, ListingFilter};
use crate::value::id::{MerchantId, SessionId};
use crate::value::time::Timestamp;
use crate::violation::{Rule, Violation};

/// The merchant's transaction with an id as it was given; `None` if there is none, or it is another
/// merchant's.
pub(crate) async fn by_session_id(
    world: &impl World,
    merchant: &MerchantId,
    text: &str,
) -> Result<Option<Record>, PortError> {
    let Some(session_id) = SessionId::parse(text) else { return Ok(None) };
    let record = world.ledger(&session_id).load(&session_id).await?;
    Ok(record.filter(|record| record.transaction.merchant == *merchant))
}

/// The transaction of a session id, for a caller who may see it. Another merchant's is answered like one that does not exist.
///
/// # Errors
/// [`Rejection::NotFound`], the refusal of a caller who may not see its plugin, or a failure of the world.
pub(crate) async fn seen_by(
    world: &impl World,
    caller: &Caller,
    session_id: &SessionId,
) -> Result<Record, Failure> {
    let record = world.ledger(session_id).load(session_id).await?;
    let own = record.filter(|record| record.transaction.merchant == *caller.merchant());
    let record = own.ok_or(Rejection::NotFound)?;
    caller.may(Particular::Retrieve(record.transaction.plugin))?;
    Ok(record)
}

/// The merchant's newest transaction with this order number.
pub(crate) async fn newest_of_order(
    world: &impl World,
    merchant: &MerchantId,
    order_no: &str,
    now: Timestamp,
) -> Result<Option<SessionId>, PortError> {
    let filter = ListingFilter { order_no: Some(order_no.to_string()), ..ListingFilter::default() };
    let listing = Listing { filter, ..Listing::of(merchant, now, 1) };
    let newest = world.ledger(&listing).list(&listing).await?.listed.into_iter().next();
    Ok(newest.map(|listed| listed.transaction.session_id))
}

/// The merchant's transaction that a request names.
///
/// # Errors
/// A violation on the field that names none of the merchant's transactions, or a failure of the world.
pub(crate) async fn named(
    world: &impl World,
    merchant: &MerchantId,
    target: &Target,
    now: Timestamp,
) -> Result<Record, Failure> {
    let (field, found) = match target {
        Target::Session(text) | Target::Both { session_id: text, .. } => {
            ("session_id", by_session_id(world, merchant, text).await?)
        }
        Target::Order(order_no) => {
            let newest = newest_of_order(world, merchant, order_no, now).await?;
            let record = match newest {
                Some(session_id) => world.ledger(&session_id).load(&session_id).await?,
                None => None,
            };
            ("order_no", record)
        }
    };
    let unknown = || Rejection::Invalid([Violation::new(field, Rule::UnknownTransaction)].into());
    let found = found.ok_or_else(unknown)?;
    check_names(target, &found.transaction)?;
    Ok(found)
}

/// Two names must agree.
///
/// # Errors
/// A violation on `order_no` if it is that of another transaction.
pub(crate) fn check_names(target: &Target, transaction: &Transaction) -> Result<(), Rejection> {
    if target.agrees(transaction.details.order_no.as_deref()) {
        return Ok(());
    }
    Err(Rejection::Invalid([Violation::new("order_no", Rule::OtherTransaction)].into()))
}

/// The situations of merchants while many of their webhooks are sent one after the other: merchants are loaded once in
/// [`RECENT`], and not for each.
#[derive(Debug, Default)]
pub(crate) struct RecentSettings(RefCell<BTreeMap<MerchantId, Situation>>);

/// How long a merchant that was loaded is used for webhooks.
const RECENT: Duration = Duration::from_secs(2);

impl RecentSettings {
    /// The situation of a merchant about which something is stored.
    ///
    /// # Errors
    /// If the store fails.
    pub(crate) async fn of(&self, world: &impl World, merchant: &MerchantId) -> Result<Situation, PortError> {
        let now = world.clock().now();
        if let Some(loaded) = self.0.borrow().get(merchant)
            && now.since(loaded.real_now()) < RECENT
        {
            return Ok(loaded.at(now));
        }
        let situation = situation_of(world, merchant).await?;
        self.0.borrow_mut().insert(merchant.clone(), situation.clone());
        Ok(situation)
    }
}

/// All attempts of a transaction whose latest one was declined softly; none after any other. Another way to pay is offered
/// only if all of them ended without success.
pub(crate) async fn tried_softly(
    world: &impl World,
    latest: Option<&Attempt>,
) -> Result<Vec<Attempt>, PortError> {
    match latest.filter(|latest| is_declined_softly(latest)) {
        Some(latest) => world.ledger(&latest.session_id).attempts(&latest.session_id).await,
        None => Ok(Vec::new()),
    }
}

/// Whether no other attempt than that of a record settled its transaction. A first attempt that was charged just now has no other
/// next to it, and the database is not asked.
pub(crate) async fn counts(
    world: &impl World,
    record: &Record,
    is_replayed: bool,
) -> Result<bool, PortError> {
    if !is_replayed && record.attempt.as_ref().is_some_and(|attempt| attempt.number == 1) {
        return Ok(true);
    }
    let books = books_of(world, &record.transaction).await?;
    let latest = record.attempt.as_ref();
    let settled = counting(books.as_ref(), latest);
    Ok(settled.map(|attempt| &attempt.reference) == latest.map(|attempt| &attempt.reference))
}

/// The payment and everything that was done to it afterwards; `None` before it succeeded.
pub(crate) async fn books_of(
    world: &impl World,
    transaction: &Transaction,
) -> Result<Option<Books>, PortError> {
    match transaction.settlement {
        Some(_) => world.ledger(&transaction.session_id).books(&transaction.session_id).await,
        None => Ok(None),
    }
}
