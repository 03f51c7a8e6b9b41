//! What identifies a payer, as it is shown to those who may not see it.

use crate::access::Caller;
use crate::message::masked::{masked, masked_name};
use crate::transaction::{Details, Transaction};

/// A payment as a caller sees it: whole, or without what identifies its payer, of whom a few letters and digits are left so that
/// a clerk can ask for the rest.
#[must_use]
pub(crate) fn seen_by(caller: &Caller, transaction: Transaction) -> Transaction {
    if caller.sees_personal_data() {
        return transaction;
    }
    let details = &transaction.details;
    let details = Details {
        customer_first_name: details.customer_first_name.as_deref().map(masked_name),
        customer_last_name: details.customer_last_name.as_deref().map(masked_name),
        customer_email: details.customer_email.as_deref().map(masked),
        customer_phone: details.customer_phone.as_deref().map(masked),
        ..details.without_payer()
    };
    Transaction { details, ..transaction }
}
