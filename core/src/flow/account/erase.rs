//! Erasing what identifies a payer, while amounts, times, references and states stay (`docs/operating/privacy.md`).

use core::time::Duration;

use crate::access::Caller;
use crate::access::operator::Operator;
use crate::answer::erasure::Erased;
use crate::api::erasure::{ErasureRequest, ErasureSubject};
use crate::change::{Change, EventKind};
use crate::flow::Failure;
use crate::flow::commit::commit;
use crate::flow::situation::{known, situation_of};
use crate::port::{Attachments, Clock, DeletedCards, Erasures, Files, Journal, World};
use crate::record::audit::Entry;
use crate::record::idempotency::ANSWER_LIFE;
use crate::rejection::Rejection;
use crate::settings::situation::Situation;
use crate::transaction::Transaction;
use crate::value::id::MerchantId;
use crate::value::slot::Slot;
use crate::value::time::Timestamp;

/// For how long nothing has happened to a transaction that is erased: as long as answers to repeated requests are stored.
const QUIET: Duration = ANSWER_LIFE;
/// The most transactions that one call, or one run of the sweep, erases.
const MAX_ERASED: u32 = 50;
/// The most of them of one merchant that one run of the sweep erases.
const SHARE_BY_AGE: u32 = 20;

/// Erases what identifies a payer from what a merchant has stored. It may be repeated at any time.
///
/// # Errors
/// The rejection, or a failure of the world; what was erased until then stays erased.
pub async fn erase_of(
    world: &impl World,
    by: &Operator,
    merchant: &MerchantId,
    body: &[u8],
) -> Result<Erased, Failure> {
    let situation = known(world, merchant).await?;
    let entry = Entry::of(by.actor(), "erase_of", situation.real_now());
    erase_all(world, &situation, entry, body).await
}

/// As [`erase_of`], for the merchant who calls.
///
/// # Errors
/// As [`erase_of`].
pub async fn erase(world: &impl World, caller: &Caller, body: &[u8]) -> Result<Erased, Failure> {
    let entry = Entry::of(caller.actor(), "erase", caller.situation.real_now());
    erase_all(world, &caller.situation, entry, body).await
}

/// 1. read whose data it is; another merchant's transaction is answered like one that does not exist; record that it is
///    erased, without the id of the customer, which is erased too;
/// 2. delete the saved cards and the agreements of a customer, so that nothing is charged any more;
/// 3. store each transaction that can be erased without the data: in one batch with the event, its attempts, its operations,
///    its notifications and the row of its file, unless another transaction has the same file; then delete the file. One that
///    changed meanwhile is left to the next call;
/// 4. count what is left.
async fn erase_all(
    world: &impl World,
    situation: &Situation,
    entry: Entry,
    body: &[u8],
) -> Result<Erased, Failure> {
    let now = situation.now;
    let merchant = &situation.settings.merchant;
    // 1
    let ErasureRequest { subject } = ErasureRequest::parse(body)?;
    let entry = entry.about(merchant);
    let entry = match &subject {
        ErasureSubject::Customer(_) => entry.on("a customer"),
        ErasureSubject::Transaction(session_id)
            if world.ledger(merchant).has_transaction(merchant, session_id).await? =>
        {
            entry.on(session_id)
        }
        ErasureSubject::Transaction(_) => return Err(Rejection::NotFound.into()),
    };
    world.directory().record(&entry).await?;
    // 2
    let DeletedCards { cards, agreements } = match &subject {
        ErasureSubject::Customer(customer_id) => {
            world.ledger(merchant).delete_cards_of(merchant, customer_id, situation.real_now()).await?
        }
        ErasureSubject::Transaction(_) => DeletedCards::default(),
    };
    // 3
    let found = world.ledger(merchant).erasable(merchant, &subject, now.minus(QUIET), MAX_ERASED).await?;
    let mut erased = 0_usize;
    for transaction in found {
        if erase_one(world, transaction, now).await? {
            erased = erased.saturating_add(1);
        }
    }
    // 4
    let left = world.ledger(merchant).not_erased(merchant, &subject).await?;
    Ok(Erased { agreements, cards, erased, left })
}

/// Erases what identifies payers where the settings of a merchant say that it is old enough, while something may begin; how
/// many transactions were erased, and whether another run may find more.
///
/// # Errors
/// A failure of the world; what was erased until then stays erased.
pub(in crate::flow) async fn erase_by_age(
    world: &impl World,
    may_begin: impl Fn() -> bool,
) -> Result<(usize, bool), Failure> {
    let mut erased = 0_usize;
    loop {
        let found =
            world.ledger(&Slot::FIRST).erasable_by_age(world.clock().now(), SHARE_BY_AGE, MAX_ERASED).await?;
        let before = erased;
        for transaction in found {
            if !may_begin() {
                return Ok((erased, true));
            }
            let situation = situation_of(world, &transaction.merchant).await?;
            if erase_one(world, transaction, situation.now).await? {
                erased = erased.saturating_add(1);
            }
        }
        if erased == before {
            return Ok((erased, false));
        }
    }
}

/// Erases one transaction; whether nobody else changed it first.
async fn erase_one(
    world: &impl World,
    mut transaction: Transaction,
    now: Timestamp,
) -> Result<bool, Failure> {
    let file = transaction.details.attachment.as_ref().map(|file| file.name.clone());
    transaction.details = transaction.details.without_payer();
    if !commit(world, &mut Change::of(transaction, EventKind::Erased, now)).await? {
        return Ok(false);
    }
    // Another transaction may have the same file; then its row stayed.
    if let Some(name) = file
        && world.ledger(&name).attachment(&name).await?.is_none()
    {
        world.files().delete(&name).await?;
    }
    Ok(true)
}
