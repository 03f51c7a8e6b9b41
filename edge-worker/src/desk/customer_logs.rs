//! What a customer was sent, and what they agreed to.

use checkout_core::answer::message::MessageShown;
use checkout_core::desk::route::DeskRoute;
use checkout_core::flow::desk::{CustomerConsent, CustomerShown};
use checkout_core::value::id::SessionId;
use checkout_core::words::message::MessageState;
use maud::{Markup, html};

use super::call::DeskCall;
use super::parts::moment;

/// The messages about the payments that are shown.
pub(super) fn messages(call: &DeskCall<'_>, found: &CustomerShown) -> Markup {
    let words = &call.words().customer;
    html! {
        h2 { (words.messages) }
        @if found.messages.is_empty() { p .card { (words.no_messages) } } @else {
            div .table {
                table .stacked {
                    caption .unseen { (words.messages) }
                    thead { tr {
                        @for column in [words.at, words.channel, words.about, words.recipient, words.state, words.payment] { th scope="col" { (column) } }
                    } }
                    tbody { @for message in &found.messages { (message_line(call, message)) } }
                }
            }
        }
    }
}

fn message_line(call: &DeskCall<'_>, message: &MessageShown) -> Markup {
    let words = &call.words().customer;
    let look = match message.state {
        MessageState::Accepted | MessageState::Delivered | MessageState::Read => "chip good",
        MessageState::Failed | MessageState::Complained => "chip bad",
        MessageState::Unknown => "chip warn",
        MessageState::Queued | MessageState::Sending | MessageState::Waiting => "chip",
    };
    html! {
        tr {
            td data-label=(words.at) { (moment(call, message.created_at.0)) }
            td data-label=(words.channel) { (words.channel_of(message.channel)) }
            td data-label=(words.about) { (message.event.map_or("–", |occasion| words.occasion_of(occasion))) }
            td data-label=(words.recipient) { bdi dir="ltr" { (message.recipient.as_deref().unwrap_or("–")) } }
            td data-label=(words.state) { span class=(look) { (words.state_of(message.state)) } }
            td data-label=(words.payment) {
                @if let Some(session_id) = SessionId::parse(&message.session_id) { (payment(&session_id)) }
            }
        }
    }
}

/// The link to a payment, by the end of its id.
pub(super) fn payment(session_id: &SessionId) -> Markup {
    let id = session_id.as_str();
    let end = id.get(id.len().saturating_sub(8)..).unwrap_or(id);
    html! { a href=(DeskRoute::Payment(session_id.clone()).path()) { bdi .sum dir="ltr" { code { "…" (end) } } } }
}

/// What the customer agreed to with the payments that are shown.
pub(super) fn consents(call: &DeskCall<'_>, found: &CustomerShown) -> Markup {
    let words = &call.words().customer;
    html! {
        h2 { (words.consents) }
        @if found.consents.is_empty() { p .card { (words.no_consents) } } @else {
            div .table {
                table .stacked {
                    caption .unseen { (words.consents) }
                    thead { tr {
                        @for column in [words.at, words.agreed_to, words.card, words.version, words.text, words.payment] { th scope="col" { (column) } }
                    } }
                    tbody { @for given in &found.consents { (consent_line(call, given)) } }
                }
            }
        }
    }
}

fn consent_line(call: &DeskCall<'_>, given: &CustomerConsent) -> Markup {
    let words = &call.words().customer;
    let consent = &given.consent;
    let card = given.card.as_ref();
    let (brand, number) =
        (card.and_then(|card| card.brand.as_deref()), card.and_then(|card| card.number.as_deref()));
    html! {
        tr {
            td data-label=(words.at) { (moment(call, consent.at)) }
            td data-label=(words.agreed_to) { @if given.is_charged_again { (words.to_charge) } @else { (words.to_save) } }
            td data-label=(words.card) {
                @if card.is_some() { bdi dir="ltr" { (brand.unwrap_or_default()) " " (number.unwrap_or_default()) } } @else { "–" }
            }
            td data-label=(words.version) { bdi .digits dir="ltr" { (consent.version) } }
            td data-label=(words.text) {
                details {
                    summary { (words.text) }
                    div lang=(consent.language.as_str()) dir=(consent.language.direction()) {
                        @for sentence in consent.text.lines() { p { (sentence) } }
                    }
                }
            }
            td data-label=(words.payment) { (payment(&given.session_id)) }
        }
    }
}
