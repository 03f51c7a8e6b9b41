//! The rows that a search finds, in the order of the listing.

use checkout_core::transaction::listing::search::{PaymentSearch, TermKind};
use checkout_core::value::id::{ReferenceNumber, SessionId};

use super::writing::{Bounds, Writing};

/// A table expression of what a search finds: the payment that a name leads to, and what comes from indexes in the order of the
/// listing, so that the database merges them. At most `walked` rows are read. There are never more parts than the five that
/// the platform merges: no text is an amount and identifies a payer, too.
pub(super) fn found(writing: &mut Writing, search: &PaymentSearch, bounds: &Bounds, walked: &str) -> String {
    let merchant = &bounds.merchant;
    let text = writing.value(&search.text);
    let of_txn = bounds.of("t");
    let indexed = |index: &str, is: &str| {
        format!(
            "SELECT t.created_at, t.session_id FROM txn t INDEXED BY {index} \
             WHERE t.merchant_id = {merchant} AND t.hidden_at IS NULL AND {is} AND {of_txn}"
        )
    };
    let named = named(writing, search, merchant, &text);
    let mut parts = vec![
        format!("SELECT t.created_at, t.session_id FROM txn t WHERE t.session_id IN ({named}) AND {of_txn}"),
        indexed("txn_by_order", &format!("t.order_no = {text}")),
    ];
    if let Some(amount) = search.amount {
        let (currency, minor) = (writing.value(amount.currency().code()), writing.number(amount.minor()));
        parts.push(indexed("txn_by_amount", &format!("t.currency = {currency} AND t.amount = {minor}")));
    }
    for kind in [TermKind::Email, TermKind::Phone, TermKind::Digits] {
        let of_kind = search.terms.iter().filter(|term| term.kind == kind);
        let digests: Vec<String> = of_kind.map(|term| writing.value(&term.digest)).collect();
        if !digests.is_empty() {
            parts.push(format!(
                "SELECT p.created_at, p.session_id FROM payment_term p WHERE p.merchant_id = {merchant} \
                 AND p.kind = '{kind}' AND p.digest IN ({digests}) AND {bounds}",
                kind = kind.as_str(),
                digests = digests.join(", "),
                bounds = bounds.of("p"),
            ));
        }
    }
    let parts = parts.join(" UNION ");
    format!("({parts} ORDER BY created_at DESC, session_id DESC LIMIT {walked})")
}

/// The ids to which a tracking key, an id and a reference lead.
fn named(writing: &mut Writing, search: &PaymentSearch, merchant: &str, text: &str) -> String {
    let mut ids = vec![format!(
        "(SELECT c.parent_id FROM child c INDEXED BY child_by_tracking_key WHERE c.merchant_id = {merchant} AND c.tracking_key = {text})"
    )];
    if let Some(id) = search.session_id.as_ref().map(SessionId::as_str) {
        let id = writing.value(id);
        ids.push(format!("(SELECT c.parent_id FROM child c WHERE c.session_id = {id})"));
        ids.push(id);
    }
    if let Some(reference) = search.reference.as_ref().map(ReferenceNumber::as_str) {
        let reference = writing.value(reference);
        ids.push(format!("(SELECT a.session_id FROM attempt a WHERE a.reference = {reference})"));
        ids.push(format!("(SELECT c.parent_id FROM child c WHERE c.reference = {reference})"));
    }
    ids.join(", ")
}
