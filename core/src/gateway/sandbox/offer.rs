//! Whether the bank lends: it is asked with the total and who pays.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::gateway::exchange::Incoming;
use crate::gateway::flexible::{HiddenReason, Offer, OfferOrder, PaymentLabel};
use crate::gateway::text::line;

/// The most ways of paying that are shown.
const MAX_LABELS: usize = 8;

/// The request, in the wire format.
#[derive(Serialize)]
pub(super) struct OfferRequest<'a> {
    amount: String,
    currency: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    phone: Option<&'a str>,
}

impl<'a> OfferRequest<'a> {
    pub(super) fn of(order: &'a OfferOrder) -> Self {
        Self {
            amount: order.total.to_string(),
            currency: order.total.currency().code(),
            phone: order.payer.phone.as_deref(),
        }
    }
}

/// The answer, in the wire format.
#[derive(Deserialize)]
struct OfferAnswer {
    is_available: bool,
    reason: Option<String>,
    #[serde(default)]
    labels: Vec<PaymentLabel>,
}

/// What the bank says.
pub(super) fn read_offer(answer: &Incoming) -> Offer {
    let read = Some(answer).filter(|answer| answer.status == 200);
    let Some(said) = read.and_then(|answer| serde_json::from_slice::<OfferAnswer>(&answer.body).ok()) else {
        return Offer::Hidden(HiddenReason::NoAnswer);
    };
    if said.is_available {
        return Offer::Shown(said.labels.iter().take(MAX_LABELS).map(bounded).collect());
    }
    let reason = said.reason.and_then(|word| HiddenReason::parse(&word));
    Offer::Hidden(reason.unwrap_or(HiddenReason::NotEligible))
}

/// A label whose texts are one line each.
fn bounded(label: &PaymentLabel) -> PaymentLabel {
    let text = |text: &str| line(text).unwrap_or_default();
    PaymentLabel {
        payment_type: text(&label.payment_type),
        description_en: text(&label.description_en),
        description_ar: text(&label.description_ar),
        instalment: label.instalment,
    }
}
