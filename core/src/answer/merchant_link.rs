//! Where a payer goes when the payment is over: the merchant's redirect address.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::attempt::Attempt;
use crate::transaction::Transaction;
use crate::value::web_address::{Reach, WebAddress};

/// The link back to the merchant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MerchantLink {
    /// The address, with the three keys appended once the payment is over.
    pub url: String,
    /// Its host, for the payer to read.
    pub host: String,
}

/// The link back to the merchant: its redirect address with `order_no`, `reference_number` and `session_id`
/// appended.
#[must_use]
pub fn merchant_link(
    transaction: &Transaction,
    latest: Option<&Attempt>,
    reach: Reach,
) -> Option<MerchantLink> {
    let address = redirect_address(transaction, reach)?;
    let mut query: Vec<(&str, &str)> = Vec::with_capacity(3);
    if let Some(order_no) = &transaction.details.order_no {
        query.push(("order_no", order_no));
    }
    if let Some(attempt) = latest {
        query.push(("reference_number", attempt.reference.as_str()));
    }
    query.push(("session_id", transaction.session_id.as_str()));
    Some(MerchantLink { url: address.with_query(&query), host: address.host().to_string() })
}

/// The link to the merchant while the payment is not over: the address as the merchant gave it, which names no payment and so
/// cannot be taken for an outcome.
pub(crate) fn plain_link(transaction: &Transaction, reach: Reach) -> Option<MerchantLink> {
    let address = redirect_address(transaction, reach)?;
    Some(MerchantLink { url: address.with_query(&[]), host: address.host().to_string() })
}

pub(crate) fn redirect_address(transaction: &Transaction, reach: Reach) -> Option<&WebAddress> {
    transaction.details.redirect_url.as_ref().filter(|address| address.is_within(reach))
}
