//! What becomes of captures, refunds and voids: asking the gateway to do them, asking about them, and storing what is
//! learned, from any source.

mod approved;
mod decide;
mod inquire;
mod load;
mod notify;
mod send;
mod settle;

pub(super) use crate::operation::apply::OperationUpdate;
pub(super) use approved::{ApprovalBooks, do_due, give_up, requested};
pub(super) use decide::decide;
pub(super) use inquire::{inquire, inquire_stored};
pub(super) use load::{Booked, load};
pub(super) use send::send;
pub(super) use settle::{ReportedOperation, settle};
