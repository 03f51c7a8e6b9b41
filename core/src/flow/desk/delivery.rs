//! A delivery with every try, for a person.

use crate::access::Caller;
use crate::answer::delivery::{DeliveryRead, TryShown};
use crate::flow::Failure;
use crate::flow::account::delivery::read_delivery;
use crate::port::World;
use crate::value::id::DeliveryId;

/// A delivery of the caller's merchant. What is sent identifies the payer, and what a receiver answered may repeat it: only those see
/// it who may.
///
/// # Errors
/// [`Rejection::NotFound`](crate::rejection::Rejection::NotFound), or a failure of the world.
pub async fn delivery(world: &impl World, caller: &Caller, id: &DeliveryId) -> Result<DeliveryRead, Failure> {
    let DeliveryRead { body, delivery, tries } = read_delivery(world, caller.merchant(), id).await?;
    let is_whole = caller.sees_personal_data();
    let shown = |one: TryShown| TryShown { excerpt: one.excerpt.filter(|_| is_whole), ..one };
    Ok(DeliveryRead {
        body: body.filter(|_| is_whole),
        delivery,
        tries: tries.into_iter().map(shown).collect(),
    })
}
