//! A payment that a merchant's server asks for is charged once for each idempotency key.

use alloc::string::String;
use alloc::vec::Vec;

use super::plan::Charged;
use crate::access::{Caller, Particular};
use crate::attempt::stage::Stage;
use crate::flow::Failure;
use crate::flow::charge::routing::replacement;
use crate::flow::commit::idempotency::{Done, IdempotencyKey, act_once, do_once};
use crate::port::{Record, Store, World};
use crate::rejection::Rejection;
use crate::value::id::{DeliveryId, ReferenceNumber};

/// How refusals name the operation.
pub(crate) const OPERATION: &str = "payment";

/// The kind under which an idempotency key of a payment in cash is stored.
pub(crate) const CASH: &str = "cash";

/// A request as it came in.
#[derive(Debug)]
pub struct PaymentInput<'a> {
    /// The caller, who may do this at all.
    pub caller: Caller,
    /// The header `Idempotency-Key`.
    pub idempotency_key: Option<&'a str>,
    /// The bytes of the body, limited in size.
    pub body: &'a [u8],
}

/// The answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NativeAnswer {
    /// The JSON body; the status is 200.
    pub body: String,
    /// Whether the same request made the payment before, for the header `Idempotent-Replayed`.
    pub is_replayed: bool,
    /// The notifications that the request caused, to be delivered after the answer.
    pub deliveries: Vec<DeliveryId>,
}

/// A payment that was charged once.
pub(crate) struct ChargedPayment {
    /// The transaction with the attempt.
    pub(crate) record: Record,
    /// Whether the same request charged it before.
    pub(crate) is_replayed: bool,
    /// The notifications to be delivered after the answer.
    pub(crate) deliveries: Vec<DeliveryId>,
}

impl From<Done<Record, Charged>> for ChargedPayment {
    fn from(done: Done<Record, Charged>) -> Self {
        match done {
            Done::Before(record) => Self { record, is_replayed: true, deliveries: Vec::new() },
            Done::Now(charged) => {
                let (record, deliveries) = charged.into_parts();
                Self { record, is_replayed: false, deliveries }
            }
        }
    }
}

/// Charges once for one key; the attempt names the key as its claim. Refusals name the operation. What is `untried` has no
/// attempt, so the same request cannot have made one before, unless it is doing so now.
///
/// # Errors
/// [`Rejection::IdempotencyKeyReused`]; [`Rejection::AttemptInProgress`] while the same request is in progress;
/// what `charge` refuses; a failure of the world.
pub(crate) async fn charge_once(
    world: &impl World,
    caller: &Caller,
    key: Option<&IdempotencyKey<'_>>,
    is_untried: bool,
    charge: impl AsyncFnOnce() -> Result<Charged, Failure>,
) -> Result<ChargedPayment, Failure> {
    let find = async || match key {
        Some(key) => charged_before(world, caller, key).await,
        None => Ok(None),
    };
    let charge = async || charge().await.map_err(|failure| failure.during(OPERATION));
    let done = if is_untried { act_once(find, charge).await } else { do_once(find, charge).await };
    done.map(ChargedPayment::from)
}

/// The attempt that the same request made before.
async fn charged_before(
    world: &impl World,
    caller: &Caller,
    key: &IdempotencyKey<'_>,
) -> Result<Option<Record>, Failure> {
    let Some(reference) = key.claimed(world, caller).await? else { return Ok(None) };
    let Some(record) = own_attempt(world, caller, &reference).await? else { return Ok(None) };
    may_repeat(caller, key, &record).map_err(|rejection| rejection.during(OPERATION))?;
    let record =
        replacement(world, &caller.situation, record).await.map_err(|failure| failure.during(OPERATION))?;
    // The gateway is being asked; when that takes too long, the attempt becomes unknown and is no longer
    // sending.
    if record.attempt.as_ref().is_none_or(|attempt| attempt.stage == Stage::Sending) {
        return Err(Rejection::AttemptInProgress.during(OPERATION).into());
    }
    Ok(Some(record))
}

/// Who may not pay is not answered about a payment of someone else either.
fn may_repeat(caller: &Caller, key: &IdempotencyKey<'_>, record: &Record) -> Result<(), Rejection> {
    match &record.attempt {
        Some(attempt) if key.operation() != CASH => {
            caller.may(Particular::Pay(record.transaction.plugin, &attempt.pg_code))
        }
        Some(_) | None => Ok(()),
    }
}

async fn own_attempt(
    world: &impl World,
    caller: &Caller,
    reference: &str,
) -> Result<Option<Record>, Failure> {
    let Some(reference) = ReferenceNumber::parse(reference) else { return Ok(None) };
    let record = world.ledger(&reference).load_attempt(&reference).await?;
    Ok(record.filter(|record| record.transaction.merchant == *caller.merchant()))
}
