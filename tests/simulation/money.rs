//! Money in is money reported: every notification says that the requested amount was charged, and an
//! exchanged amount has the value that its frozen rate gives.

use checkout_core::transaction::Transaction;
use serde_json::Value;

use crate::scene::Scene;

/// Looks at every notification about a transaction.
pub(crate) fn check(scene: &Scene, transaction: &Transaction) {
    let bank = scene.bank.charges();
    for row in scene.world.inner.store.deliveries(&transaction.session_id) {
        let body: Value = serde_json::from_str(&row.message.body).unwrap();
        let text = |pointer: &str| body.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
        let reference = row.message.subject.reference.as_str();
        let notified = (text("/amount_details/total"), text("/amount_details/currency_code"));
        // A page that only confirms a card may be asked for without an amount.
        let asked_for = bank.get(reference).filter(|charge| !charge.order.is_null());
        if let Some(charge) = asked_for.filter(|charge| charge.order.get("amount").is_some()) {
            let asked = |name: &str| charge.order.get(name).and_then(Value::as_str).map(str::to_owned);
            let asked = (asked("amount"), asked("currency"));
            scene.weather.holds(notified == asked, || {
                format!("{reference}: the bank was asked for {asked:?}, notified: {notified:?}")
            });
        }
        let ordered = transaction.amount.to_string();
        let settled = transaction.settlement.as_ref().map(|settlement| settlement.settled);
        let is_ordered = text("/amount").as_ref() == Some(&ordered)
            && text("/settled_amount")
                .is_none_or(|notified| settled.is_some_and(|known| known.to_string() == notified));
        let Some(attempt) = scene.attempt(reference) else { continue };
        scene.weather.holds(is_ordered, || format!("{reference}: {ordered} was ordered, notified: {body}"));
        let currency = transaction.amount.currency().code();
        let is_foreign = notified.1.as_deref() != Some(currency);
        let worth = match text("/amount_details/exchange_rate") {
            Some(rate) => dinars(attempt.principal.minor(), &rate),
            None => attempt.principal.to_string(),
        };
        let is_worth = text("/amount_details/exchange_rate").is_some() == is_foreign
            && text("/amount_details/amount").as_ref() == Some(&worth);
        let remaining = match text("/settled_amount") {
            Some(_) => settled.and_then(|settled| transaction.amount.checked_sub(settled)),
            None => Some(transaction.amount),
        };
        let remaining = remaining.filter(|left| transaction.details.is_amount_editable && !left.is_zero());
        let is_rest = text("/remaining_amount") == remaining.map(|left| left.to_string());
        scene.weather.holds(is_rest, || format!("{reference}: {remaining:?} remains, notified: {body}"));
        scene.weather.holds(is_worth, || format!("{reference}: {worth} was to be charged, notified: {body}"));
    }
}

/// The value of US cents in dinars, half a fils rounded up.
fn dinars(cents: i64, rate: &str) -> String {
    let decimals = rate.strip_prefix("0.").unwrap();
    let ten_thousandths: i64 = format!("{decimals:0<4}").parse().unwrap();
    let fils = cents.checked_mul(ten_thousandths).unwrap().checked_add(500).unwrap().div_euclid(1_000);
    format!("{}.{:03}", fils.div_euclid(1_000), fils.rem_euclid(1_000))
}
