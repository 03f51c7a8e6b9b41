//! An operation with the books of its payment.

use crate::child::Child;
use crate::operation::begin::Books;
use crate::port::{Bookkeeping, PortError, World};
use crate::value::id::{ReferenceNumber, SessionId};

/// An operation, and the books of its payment.
pub(in crate::flow) struct Booked {
    /// The books.
    pub(in crate::flow) books: Books,
    /// The operation, as it is in them.
    pub(in crate::flow) child: Child,
}

/// The operation of a reference; `None` if there is none.
pub(in crate::flow) async fn load(
    world: &impl World,
    reference: &ReferenceNumber,
) -> Result<Option<Booked>, PortError> {
    let Some(child) = world.ledger(reference).child(reference).await? else { return Ok(None) };
    booked(world, &child.parent, reference).await
}

/// The operation of a reference among those of a payment.
pub(super) async fn booked(
    world: &impl World,
    parent: &SessionId,
    reference: &ReferenceNumber,
) -> Result<Option<Booked>, PortError> {
    let Some(books) = world.ledger(parent).books(parent).await? else { return Ok(None) };
    let child = books.children.iter().find(|stored| stored.reference == *reference).cloned();
    Ok(child.map(|child| Booked { books, child }))
}
