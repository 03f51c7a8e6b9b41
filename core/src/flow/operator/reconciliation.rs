//! How far the payments of a merchant were compared with the lists of its gateways, and comparing them again
//! (`docs/operating/attention.md`).

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::time::Duration;

use serde::Serialize;

use crate::access::operator::Operator;
use crate::answer::operator::ReconciliationShown;
use crate::api::reconciliation::ReconciliationRequest;
use crate::flow::Failure;
use crate::flow::inquire::reconcile::reconcile;
use crate::flow::situation::known;
use crate::port::{Journal, Reconciliations, StepFindings, World};
use crate::reconciliation::Reconciliation;
use crate::record::audit::Entry;
use crate::rejection::Rejection;
use crate::value::id::{MerchantId, PgCode};

/// How long the operator waits for pages of a list; the cron ticks do the rest.
const PATIENCE: Duration = Duration::from_secs(20);

/// The reconciliations of a merchant, one per gateway.
///
/// # Errors
/// [`Rejection::NotFound`], or a failure of the world.
pub async fn list_reconciliations(
    world: &impl World,
    merchant: &MerchantId,
) -> Result<Vec<ReconciliationShown>, Failure> {
    known(world, merchant).await?;
    let found = world.ledger(merchant).reconciliations(merchant).await?;
    Ok(found.iter().map(ReconciliationShown::from).collect())
}

/// Reconciles a gateway of a merchant once more:
///
/// 1. read which one, and since when, reporting every wrong field;
/// 2. record who asks, and set it back, dropping the run in progress;
/// 3. begin at once; what does not fit into this call is left to the cron.
///
/// # Errors
/// [`Rejection::NotFound`], [`Rejection::Invalid`], [`Rejection::Conflict`] if it continued in the meantime,
/// or a failure of the world.
pub async fn reconcile_again(
    world: &impl World,
    by: &Operator,
    merchant: &MerchantId,
    body: &[u8],
) -> Result<ReconciliationShown, Failure> {
    // 1
    let situation = known(world, merchant).await?;
    let ReconciliationRequest { pg_code, from } =
        ReconciliationRequest::read(body, &situation.settings, situation.real_now())?;
    // 2
    let now = situation.now;
    let stored = find(world, merchant, &pg_code).await?;
    let before = stored.unwrap_or_else(|| Reconciliation::new(merchant.clone(), pg_code.clone(), from, from));
    let set_back = before.rewound(from, now);
    let from_when = Since { since: from.to_string() };
    let entry = Entry::of(by.actor(), "reconcile_again", situation.real_now()).about(merchant).on(&pg_code);
    world.directory().record(&entry.to(&from_when)).await?;
    let set_back = Reconciliation { version: set_back.version.saturating_add(1), ..set_back };
    if !world.ledger(&set_back).save_reconciliation(&set_back, &StepFindings::default(), now).await? {
        return Err(Rejection::Conflict.into());
    }
    // 3
    let until = situation.real_now().plus(PATIENCE);
    reconcile(world, &situation, set_back, until).await?;
    let done = find(world, merchant, &pg_code).await?.ok_or(Rejection::NotFound)?;
    Ok(ReconciliationShown::from(&done))
}

async fn find(
    world: &impl World,
    merchant: &MerchantId,
    pg_code: &PgCode,
) -> Result<Option<Reconciliation>, Failure> {
    let found = world.ledger(merchant).reconciliations(merchant).await?;
    Ok(found.into_iter().find(|reconciliation| reconciliation.pg_code == *pg_code))
}

/// What is recorded of a request to compare again.
#[derive(Serialize)]
struct Since {
    since: String,
}
