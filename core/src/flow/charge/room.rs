//! Makes room for a payment: an attempt that waits for the payer on a page of its gateway is withdrawn there.

use crate::attempt::stage::Stage;
use crate::flow::Failure;
use crate::flow::charge::limit::may_try;
use crate::flow::inquire::withdraw;
use crate::flow::settle::SettledAttempt;
use crate::payment::begin::{Opening, WantedPayment, may_open};
use crate::port::{Record, World};
use crate::rejection::Rejection;
use crate::settings::situation::Situation;
use crate::value::id::DeliveryId;

/// What was found when room was made.
pub(crate) struct Room {
    /// The transaction and its latest attempt, which is not open.
    pub(crate) record: Record,
    /// The notification about the attempt that was withdrawn, if one was.
    pub(crate) delivery: Option<DeliveryId>,
    /// The situation then: a gateway that is asked to withdraw an attempt may answer after seconds.
    pub(crate) situation: Situation,
    /// Whether the payer had paid what was to be withdrawn. Otherwise the payment may begin.
    pub(crate) is_paid: bool,
}

impl Room {
    /// Whether the payment may begin at the moment at which room was made.
    ///
    /// # Errors
    /// What [`may_open`] and [`may_try`] refuse, or a failure of the world.
    pub(super) async fn check(&self, world: &impl World, wanted: WantedPayment<'_>) -> Result<(), Failure> {
        let Self { record, situation, .. } = self;
        may_open(&record.transaction, record.attempt.as_ref(), wanted, situation.now)?;
        // Withdrawing may have learned of a decline.
        may_try(world, record, situation).await
    }
}

/// Makes room for a payment that may begin as `opening` says, unless the transaction was tried too often:
///
/// 1. an attempt that waits on its gateway's page is withdrawn there, and its outcome decides;
/// 2. if it took no money, whether the payment may begin is asked again, at the moment at which the gateway has answered.
///
/// # Errors
/// [`Rejection::AttemptInProgress`] if the outcome of the attempt stays open, what [`may_open`] and [`may_try`] refuse, or a
/// failure of the world.
pub(crate) async fn make_room(
    world: &impl World,
    record: Record,
    situation: &Situation,
    (wanted, opening): (WantedPayment<'_>, Opening),
) -> Result<Room, Failure> {
    may_try(world, &record, situation).await?;
    // 1
    match opening {
        Opening::Free => {
            return Ok(Room { record, delivery: None, situation: situation.clone(), is_paid: false });
        }
        Opening::Resume | Opening::Replace => {}
    }
    let SettledAttempt { record, delivery } = withdraw(world, record, situation).await?;
    let is_paid = match record.attempt.as_ref().map(|attempt| attempt.stage) {
        Some(Stage::Sending | Stage::Redirected | Stage::Unknown) | None => {
            return Err(Rejection::AttemptInProgress.into());
        }
        Some(Stage::Canceled | Stage::Failed | Stage::Error) => false,
        Some(Stage::Success | Stage::Cod) => true,
    };
    let room = Room { record, delivery, situation: situation.later(world), is_paid };
    // 2
    if !is_paid {
        room.check(world, wanted).await?;
    }
    Ok(room)
}
