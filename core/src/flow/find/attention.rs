//! What an entry of the attention list is about.

use crate::flow::Failure;
use crate::port::{Bookkeeping, Store, World};
use crate::record::attention::AttentionId;
use crate::rejection::Rejection;

/// Refuses to close an entry while the attempt or operation that it is about waits for a decision: it would stay open, and its
/// amount reserved, forever.
///
/// # Errors
/// [`Rejection::NotResolvable`], or a failure of the world.
pub(crate) async fn check_dismissal(world: &impl World, id: &AttentionId) -> Result<(), Failure> {
    if !id.reason.holds() {
        return Ok(());
    }
    let ledger = world.ledger(&id.reference);
    let is_open = match ledger.load_attempt(&id.reference).await? {
        Some(record) => record.has_open_attempt(),
        None => ledger.child(&id.reference).await?.is_some_and(|child| child.is_open()),
    };
    if is_open { Err(Rejection::NotResolvable.into()) } else { Ok(()) }
}
