//! The bank's records in the tables of the sandbox. Nothing is decided here.

mod charge;
mod operation;

use checkout_core::port::PortError;
use checkout_core::value::time::Timestamp;
use sandbox_bank::bank::{Records, Write};
use sandbox_bank::charge::Charge;
use sandbox_bank::listing::{Listed, Query};
use sandbox_bank::operation::Operation;
use sandbox_bank::request::{Needed, Request};
use worker::D1Database;

use super::database::{batch, rows};
pub(super) use charge::find_by_id;

/// Charges and operations for which the same is to be done.
#[derive(Default)]
pub(super) struct BothRecords {
    /// The charges.
    pub(super) charges: Vec<Charge>,
    /// The operations.
    pub(super) operations: Vec<Operation>,
}

/// A charge before and after the bank did something to it.
pub(super) struct Change {
    /// As it was.
    pub(super) before: Charge,
    /// As it is to be.
    pub(super) after: Charge,
}

/// What is recorded of what a request wants to know.
pub(super) async fn look_up(
    db: &D1Database,
    request: &Request,
    page_size: usize,
) -> Result<Records, PortError> {
    let account = request.account.id.as_str();
    match request.wanted() {
        Needed::Nothing => Ok(Records::default()),
        Needed::Charge(reference) => {
            let results = batch(db, vec![charge::find(account, reference)]).await?;
            Ok(Records { charge: charge::first_of(&results, 0)?, ..Records::default() })
        }
        Needed::Operation(reference) => {
            let results = batch(db, vec![operation::find(account, reference)]).await?;
            Ok(Records { operation: operation::all_of(&results, 0)?.pop(), ..Records::default() })
        }
        Needed::Both { charge: reference, operation: named } => {
            let statements = vec![
                charge::find(account, reference),
                operation::of_charge(account, reference),
                operation::find(account, named),
            ];
            let results = batch(db, statements).await?;
            Ok(Records {
                charge: charge::first_of(&results, 0)?,
                operations: operation::all_of(&results, 1)?,
                operation: operation::all_of(&results, 2)?.pop(),
                listed: Vec::new(),
            })
        }
        Needed::Page(query) => {
            let listed = page(db, account, query, page_size.saturating_add(1)).await?;
            Ok(Records { listed, ..Records::default() })
        }
    }
}

async fn page(db: &D1Database, account: &str, query: &Query, limit: usize) -> Result<Vec<Listed>, PortError> {
    let after = query.after.to_string();
    let values = [account, &query.to.to_string(), &after, &query.after_id, &limit.to_string()];
    let results = batch(db, vec![charge::list(&values), operation::of_list(&values)]).await?;
    let mut operations = operation::all_of(&results, 1)?;
    let listed = charge::all_of(&results, 0)?.into_iter().map(|charge| {
        let is_of_it = |operation: &mut Operation| operation.charge == charge.terms.reference;
        Listed { operations: operations.extract_if(.., is_of_it).collect(), charge }
    });
    Ok(listed.collect())
}

/// Records something; `false` if the records do not permit it any more.
pub(super) async fn write(db: &D1Database, write: &Write) -> Result<bool, PortError> {
    let statement = match write {
        Write::Open(charge) => charge::add(charge),
        Write::Change { before, after } => charge::change(before, after),
        Write::Operate { operation, known } => operation::add(operation, *known),
    };
    let results = batch(db, vec![statement]).await?;
    Ok(!rows(&results, 0)?.is_empty())
}

/// A few of those whose time has come.
pub(super) async fn due(db: &D1Database, now: Timestamp) -> Result<BothRecords, PortError> {
    let results = batch(db, vec![charge::due(now), operation::due(now)]).await?;
    Ok(BothRecords { charges: charge::all_of(&results, 0)?, operations: operation::all_of(&results, 1)? })
}

/// Records changes of charges, and operations that were queued: those that no one else changed meanwhile.
pub(super) async fn change_all(
    db: &D1Database,
    charges: &[Change],
    operations: &[Operation],
) -> Result<BothRecords, PortError> {
    let of_charges = charges.iter().map(|Change { before, after }| charge::change(before, after));
    let of_operations = operations.iter().map(operation::end);
    let results = batch(db, of_charges.chain(of_operations).collect()).await?;
    let mut changed = BothRecords::default();
    let mut places = 0_usize..;
    for (Change { after, .. }, place) in charges.iter().zip(&mut places) {
        if !rows(&results, place)?.is_empty() {
            changed.charges.push(after.clone());
        }
    }
    for (operation, place) in operations.iter().zip(places) {
        if !rows(&results, place)?.is_empty() {
            changed.operations.push(operation.clone());
        }
    }
    Ok(changed)
}
