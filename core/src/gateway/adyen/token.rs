//! Webhooks about tokens: Adyen saved the card of a payment.

use alloc::string::String;

use super::details::is_id;
use super::shopper;
use crate::card::BankToken;
use crate::gateway::callback::SavedReport;
use crate::wire::object::Object;

/// A webhook about a token in the wire format.
struct TokenNotice {
    kind: String,
    /// The id of what led to it: the payment with which the card was saved.
    event_id: String,
    account: String,
    shopper: String,
    token: String,
}

/// The card that was saved with a payment; `None` for what saves no card, and for another account.
pub(super) fn read(body: &[u8], account: &str) -> Option<SavedReport> {
    let notice = Object::read(body, |notice| {
        let (kind, event_id) = (notice.text("type"), notice.text("eventId"));
        notice.object("data", |data| TokenNotice {
            kind,
            event_id,
            account: data.text("merchantAccount"),
            shopper: data.text("shopperReference"),
            token: data.text("storedPaymentMethodId"),
        })
    })??;
    // A card that was saved before is reported as one that exists.
    let is_saved =
        matches!(notice.kind.as_str(), "recurring.token.created" | "recurring.token.alreadyExisting");
    let is_whole = is_id(&notice.event_id) && is_id(&notice.token) && !notice.shopper.is_empty();
    (is_saved && is_whole && notice.account == account).then_some(SavedReport {
        charge_id: notice.event_id,
        customer_id: shopper::customer(&notice.shopper),
        token: BankToken(notice.token),
    })
}
