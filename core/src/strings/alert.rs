//! What alerts say by e-mail. They are read by those who operate shops and the installation, in English.

use crate::record::attention::{Reason, Topic};

/// What happened, in a few words: the subject of the e-mail.
#[must_use]
pub const fn title(topic: Topic) -> &'static str {
    match topic {
        Topic::Payment => "Payments need attention",
        Topic::Webhook => "Webhooks do not arrive",
        Topic::Reconciliation => "A gateway's list differs",
        Topic::Gateway => "A gateway fails",
    }
}

/// What is to be done.
#[must_use]
pub const fn advice(topic: Topic) -> &'static str {
    match topic {
        Topic::Payment => {
            "The attention list says what to do about each. Where someone must decide what became of a payment, name its reference number to the operator of your payment service."
        }
        Topic::Reconciliation => {
            "Someone must decide what became of them. Name the reference number to the operator of your payment service."
        }
        Topic::Gateway => {
            "It is skipped for a while where another gateway can take its payments. Ask the one who runs it; the entry is closed when it answers."
        }
        Topic::Webhook => {
            "Repair the receiver, enable it if it was disabled, and have what was missed sent again."
        }
    }
}

/// What an entry says.
#[must_use]
pub const fn reason(reason: Reason) -> &'static str {
    match reason {
        Reason::AmountMismatch => "The gateway charged another amount than was asked for",
        Reason::ReferenceMismatch => "The gateway answered about another payment",
        Reason::SecondSuccess => "The payer paid twice",
        Reason::LateSuccess => "A payment succeeded after its transaction had ended or changed",
        Reason::LateOperation => "The gateway did an operation that it had refused before",
        Reason::TakenBack => "The gateway took back what it had done",
        Reason::Disputed => "The payer's bank disputes a payment",
        Reason::OutcomeUnknown => "The gateway does not say what became of a payment",
        Reason::UnknownCharge => "The gateway lists a charge that nobody asked for",
        Reason::ChargeMissing => "The gateway does not list a payment that succeeded",
        Reason::OperationsMismatch => "The gateway captured or gave back another total",
        Reason::WebhookFailing => "A webhook does not arrive; it is tried again",
        Reason::DeliveryGivenUp => "A message was tried to the end and given up",
        Reason::ReceiverDisabled => "A receiver of webhooks is disabled",
        Reason::GatewayFailing => "A gateway failed several times in a row",
        Reason::CaptureDue => "Held money has to be captured soon",
        Reason::AgreementPaused => "Debits under an agreement are paused",
        Reason::NotProcessed => "Something that was due could not be handled",
    }
}
