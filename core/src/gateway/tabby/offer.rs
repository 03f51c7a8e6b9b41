//! Whether Tabby takes a payer and an order: a session that nobody goes to.

use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

use super::account::Tabby;
use super::session::{self, SessionSubject, TOO_HIGH, TOO_LOW, TabbySessionAnswer};
use crate::gateway::exchange::Incoming;
use crate::gateway::flexible::{HiddenReason, Offer, OfferOrder, PayerField, PaymentLabel};
use crate::gateway::step::Step;

/// The reference of a session of an order that has no number.
const WITHOUT_NUMBER: &str = "offer";
/// Since when a payer is known of whom the merchant says nothing.
const SINCE: &str = "2026-01-01T00:00:00Z";

/// Asks whether an order is taken. Without phone and e-mail there is nothing to ask: the payer is asked for them first.
pub(super) fn ask<'c>(tabby: &'c Tabby, order: &'c OfferOrder) -> Step<'c, Offer> {
    let is_known = [PayerField::Phone, PayerField::Email].iter().all(|field| field.is_known(&order.payer));
    if !is_known {
        return Step::Done(Offer::Shown(labels()));
    }
    let subject = SessionSubject {
        reference: order.order_no.as_deref().unwrap_or(WITHOUT_NUMBER),
        total: order.total,
        payer: &order.payer,
        items: &order.items,
        language: order.language,
        order_no: order.order_no.as_deref(),
        since: SINCE.to_string(),
        return_url: None,
    };
    Step::ask(session::request(tabby, subject), offer)
}

fn offer(answer: &Incoming) -> Offer {
    let session = if answer.status == 200 { TabbySessionAnswer::read(&answer.body) } else { None };
    match session {
        Some(session) if session.is_created() => Offer::Shown(labels()),
        Some(session) if session.is_rejected() => Offer::Hidden(match session.rejection.as_deref() {
            Some(TOO_HIGH) => HiddenReason::TooLarge,
            Some(TOO_LOW) => HiddenReason::TooSmall,
            _ => HiddenReason::NotEligible,
        }),
        _ => Offer::Hidden(HiddenReason::NoAnswer),
    }
}

/// The one product of Tabby's sessions.
fn labels() -> Vec<PaymentLabel> {
    vec![PaymentLabel {
        payment_type: "installments".to_string(),
        instalment: 4,
        description_en: "Pay later in 4 payments".to_string(),
        description_ar: "ادفع لاحقًا على 4 دفعات".to_string(),
    }]
}
