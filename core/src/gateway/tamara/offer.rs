//! Whether Tamara takes a payer and an order, and in how many parts.

use alloc::vec::Vec;

use serde::Serialize;

use super::account::{Tamara, TamaraAmount};
use crate::gateway::exchange::Incoming;
use crate::gateway::flexible::{HiddenReason, Offer, OfferOrder, PaymentLabel};
use crate::gateway::step::Step;
use crate::gateway::text::line;
use crate::wire::object::Object;

/// The most ways of paying that are shown.
const MAX_LABELS: usize = 12;

/// The question, in the wire format.
#[derive(Serialize)]
struct TamaraQuestion<'a> {
    country: &'a str,
    order_value: TamaraAmount,
    phone_number: &'a str,
    is_vip: bool,
}

/// Asks whether an order is taken. Without a phone there is nothing to ask: the payer is asked for it first.
pub(super) fn ask<'c>(tamara: &'c Tamara, order: &'c OfferOrder) -> Step<'c, Offer> {
    let Some(phone) = order.payer.telephone() else { return Step::Done(Offer::Shown(Vec::new())) };
    let question = TamaraQuestion {
        country: tamara.country(),
        order_value: TamaraAmount::of(order.total),
        phone_number: &phone.e164(),
        is_vip: false,
    };
    Step::ask(tamara.api().post("/checkout/payment-options-pre-check", &question), offer)
}

fn offer(answer: &Incoming) -> Offer {
    let read = |options: &mut Object<'_>| {
        let is_offered = options.flag("has_available_payment_options")?;
        let labels = match options.raw("available_payment_labels") {
            Some(_) => options.objects("available_payment_labels", label),
            None => Vec::new(),
        };
        Some((is_offered, labels))
    };
    let answered = if answer.status == 200 { Object::read(&answer.body, read).flatten() } else { None };
    match answered {
        Some((true, mut labels)) => {
            labels.truncate(MAX_LABELS);
            Offer::Shown(labels)
        }
        Some((false, _)) => Offer::Hidden(HiddenReason::NotEligible),
        None => Offer::Hidden(HiddenReason::NoAnswer),
    }
}

fn label(text: &str) -> Option<PaymentLabel> {
    Object::read(text, |label| {
        let mut line_of =
            |name: &str| label.optional_text(name).as_deref().and_then(line).unwrap_or_default();
        let (payment_type, description_en, description_ar) =
            (line_of("payment_type"), line_of("description_en"), line_of("description_ar"));
        let instalment = label.number("instalment").unwrap_or_default();
        PaymentLabel { payment_type, instalment, description_en, description_ar }
    })
}
