//! Finding merchants, and a payment of which no merchant is known.

use crate::access::operator::Operator;
use crate::answer::operator::{FoundTransaction, MerchantListed, MerchantPage, NameShown};
use crate::flow::Failure;
use crate::flow::situation::known;
use crate::port::{Bookkeeping, Clock, Journal, MerchantEntry, PortError, Record, Registry, Store, World};
use crate::record::audit::Entry;
use crate::rejection::Rejection;
use crate::route::query::{FOUND, MERCHANTS};
use crate::value::id::{MerchantId, ReferenceNumber, SessionId};
use crate::violation::{Rule, Violation};
use crate::wire::query::{MAX_LIMIT, Parameters};

/// Lists the merchants of the installation, a page at a time.
///
/// # Errors
/// [`Rejection::Invalid`], or a failure of the world.
pub async fn list_merchants(world: &impl World, query: &str) -> Result<MerchantPage, Failure> {
    let mut given = Parameters::of(query, MERCHANTS);
    let after = given.read("cursor", Rule::NotCursor, MerchantId::parse);
    let limit = given.limit(MAX_LIMIT);
    given.finish()?;
    let mut found = world.directory().merchants(after.as_ref(), limit.saturating_add(1)).await?;
    let most = usize::try_from(limit).unwrap_or(usize::MAX);
    let has_more = found.len() > most;
    found.truncate(most);
    let next = found.last().filter(|_| has_more).map(|last| last.id.clone());
    Ok(MerchantPage { next, results: found.into_iter().map(MerchantListed::from).collect() })
}

impl From<MerchantEntry> for MerchantListed {
    fn from(entry: MerchantEntry) -> Self {
        Self {
            created_at: entry.created_at.into(),
            is_paused: entry.is_paused,
            is_test: entry.is_test,
            merchant_id: entry.id,
            name: NameShown { ar: entry.name.ar, en: entry.name.en },
            version: entry.version,
        }
    }
}

/// The most characters of a reference number that is looked for.
pub const MAX_REFERENCE: usize = 64;

/// By what a payment is found.
enum LookedFor {
    Session(SessionId),
    /// Of an attempt, or of a capture, refund or void.
    Reference(ReferenceNumber),
}

/// Finds a payment by its session id, or by a reference number, and says whose it is:
///
/// 1. read what is looked for;
/// 2. load it; one that was deleted is not found;
/// 3. record who looked for it.
///
/// # Errors
/// [`Rejection::Invalid`], [`Rejection::NotFound`], or a failure of the world.
pub async fn find_transaction(
    world: &impl World,
    by: &Operator,
    query: &str,
) -> Result<FoundTransaction, Failure> {
    // 1
    let wanted = read(query)?;
    // 2
    let record = load(world, &wanted).await?.ok_or(Rejection::NotFound)?;
    let transaction = &record.transaction;
    let situation = known(world, &transaction.merchant).await?;
    // 3
    let entry = Entry::of(by.actor(), "find_transaction", world.clock().now())
        .about(&transaction.merchant)
        .on(&transaction.session_id);
    world.directory().record(&entry).await?;
    Ok(FoundTransaction {
        amount: transaction.amount.text(),
        created_at: transaction.created_at.into(),
        currency_code: transaction.amount.currency(),
        merchant_id: transaction.merchant.clone(),
        order_no: transaction.details.order_no.clone(),
        session_id: transaction.session_id.clone(),
        state: transaction.state_at(situation.now, record.has_open_attempt()),
    })
}

fn read(query: &str) -> Result<LookedFor, Rejection> {
    let mut given = Parameters::of(query, FOUND);
    let session_id = given.read("session_id", Rule::NotSessionId, SessionId::parse);
    let reference = given.line("reference", MAX_REFERENCE);
    if session_id.is_some() && reference.is_some() {
        given.found.add("reference", Rule::NotWith("session_id"));
    }
    given.finish()?;
    let missing = || Violation::new("session_id", Rule::OneOfTwo { other: "reference" });
    match (session_id, reference) {
        (Some(session_id), _) => Ok(LookedFor::Session(session_id)),
        (None, Some(text)) => {
            ReferenceNumber::parse(&text).map(LookedFor::Reference).ok_or(Rejection::NotFound)
        }
        (None, None) => Err(Rejection::Invalid([missing()].into())),
    }
}

async fn load(world: &impl World, wanted: &LookedFor) -> Result<Option<Record>, PortError> {
    let session_id = match wanted {
        LookedFor::Session(session_id) => session_id.clone(),
        LookedFor::Reference(reference) => {
            let ledger = world.ledger(reference);
            match ledger.load_attempt(reference).await? {
                Some(record) => record.transaction.session_id,
                None => match ledger.child(reference).await? {
                    Some(child) => child.parent,
                    None => return Ok(None),
                },
            }
        }
    };
    world.ledger(&session_id).load(&session_id).await
}
