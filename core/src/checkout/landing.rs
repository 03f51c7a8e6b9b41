//! Where the payer goes after coming back from the gateway.
//!
//! The rule: a receiver that answers 200 sends the payer to `redirect_url`, one that answers 201 or anything
//! else keeps the payer on the summary page. Decision: while the transaction can still be paid the payer
//! stays, so that they can try again; and if there is no address to notify, they are redirected without a
//! receiver being asked.

use crate::answer::merchant_link::{MerchantLink, merchant_link};
use crate::attempt::Attempt;
use crate::checkout::page::status;
use crate::transaction::Transaction;
use crate::value::time::Timestamp;
use crate::value::web_address::Reach;
use crate::webhook::delivery::DeliveryStatus;

/// The merchant's address, if the payer is to go there now.
///
/// `delivery` is the state of the notification of the outcome; `None` if the merchant has no address for it.
#[must_use]
pub fn landing(
    transaction: &Transaction,
    attempt: Option<&Attempt>,
    delivery: Option<DeliveryStatus>,
    now: Timestamp,
    reach: Reach,
) -> Option<MerchantLink> {
    let is_final = status(transaction, attempt, now).is_final();
    let is_sent_on = delivery.is_none_or(|delivery| delivery.is_delivered && delivery.status == Some(200));
    if is_final && is_sent_on { merchant_link(transaction, attempt, reach) } else { None }
}
