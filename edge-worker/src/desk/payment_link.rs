//! The link of a payment: its address, a picture of it, and what sends it.

use checkout_core::desk::route::DeskRoute;
use checkout_core::flow::Failure;
use checkout_core::flow::desk::{PaymentLink, payment_link};
use checkout_core::flow::merchant::remind;
use checkout_core::strings::Strings;
use checkout_core::strings::desk::PaymentLinkWords;
use checkout_core::value::id::SessionId;
use checkout_core::words::message::Channel;
use form_urlencoded::byte_serialize;
use maud::{Markup, PreEscaped, html};

use super::call::{DeskCall, go_to};
use super::list_link::{list_field, list_of, with_list, with_list_and};
use crate::handler::qr_code::QrCode;
use crate::http::Reply;

/// Shows it.
pub(super) async fn show(call: &DeskCall<'_>, session_id: &SessionId) -> Result<Reply, Failure> {
    let link = payment_link(call.edge.as_ref(), call.caller(), session_id).await?;
    let words = &call.words().payment_link;
    let amount = Strings::of(call.visit.language).price(link.transaction.amount);
    let body = html! {
        h1 { (words.title) " · " bdi .sum { (amount) } }
        @if call.query().get("sent").is_some() { p .notice.good role="status" { (words.sent) } }
        @if !link.is_payable { p .notice.warn { (words.over) } }
        div .cards {
            (address(&link, words))
            (sending(call, &link, words))
        }
        p .actions {
            a .link href=(with_list(call, &DeskRoute::Payment(session_id.clone()))) { (call.words().payment.title) }
            a .link href=(list_of(call)) { (call.words().payment.payments) }
            a .link href=(DeskRoute::NewPayment.path()) { (words.another) }
        }
    };
    Ok(call.screen(words.title, &body))
}

fn address(link: &PaymentLink, words: &PaymentLinkWords) -> Markup {
    html! {
        section .card {
            div .field {
                label for="address" { (words.address) }
                input id="address" readonly dir="ltr" value=(link.address) data-copy;
            }
            @if let Some(code) = QrCode::of(&link.address) {
                // Made of numbers alone.
                div .code role="img" aria-label=(words.scan) { (PreEscaped(code.svg())) }
            }
            p { a .link href=(link.address) rel="noreferrer" target="_blank" { (words.open) } }
        }
    }
}

fn sending(call: &DeskCall<'_>, link: &PaymentLink, words: &PaymentLinkWords) -> Markup {
    let to = DeskRoute::SendPayment(link.transaction.session_id.clone());
    html! {
        section .card {
            h2 { (words.send) }
            @if link.channels.is_empty() { p .quiet { (words.cannot_send) } }
            @for (channel, recipients) in &link.channels {
                @let fields = html! {
                    (list_field(call))
                    input type="hidden" name="channel" value=(channel.as_str());
                    button .button.second {
                        span {
                            (words.send_by.replace("{channel}", name_of(*channel, words))) " " (words.to) " "
                            @for (place, one) in recipients.iter().enumerate() {
                                @if place > 0 { ", " }
                                bdi dir="ltr" { (one) }
                            }
                        }
                    }
                };
                (call.form(&to, &fields))
            }
            h2 { (words.share) }
            (shared(link, words))
        }
    }
}

/// Links that open the staff's own programs with the message written.
fn shared(link: &PaymentLink, words: &PaymentLinkWords) -> Markup {
    let text = words.pay_at.replace("{address}", &link.address);
    // Programs read a plus as a plus.
    let text = byte_serialize(text.as_bytes()).collect::<String>().replace('+', "%20");
    let email = link.email.as_deref().unwrap_or_default();
    let phone = link.phone.as_deref().unwrap_or_default();
    html! {
        p .actions {
            a .link href={ "mailto:" (byte_serialize(email.as_bytes()).collect::<String>()) "?body=" (text) } { (words.email) }
            a .link href={ "sms:" (phone) "?body=" (text) } { (words.sms) }
            a .link href={ "https://wa.me/" (phone.trim_start_matches('+')) "?text=" (text) } rel="noreferrer" target="_blank" { (words.whatsapp) }
        }
    }
}

const fn name_of(channel: Channel, words: &PaymentLinkWords) -> &'static str {
    match channel {
        Channel::Email => words.email,
        Channel::Sms => words.sms,
        Channel::Whatsapp => words.whatsapp,
    }
}

/// Sends the message, and shows the link again.
pub(super) async fn send(call: &DeskCall<'_>, session_id: &SessionId) -> Result<Reply, Failure> {
    // Another merchant's payment is not found.
    payment_link(call.edge.as_ref(), call.caller(), session_id).await?;
    let channel = call.form.get("channel").unwrap_or_default();
    let body = serde_json::json!({ "session_id": session_id.as_str(), "channels": [channel] }).to_string();
    remind::remind(call.edge.as_ref(), call.caller(), body.as_bytes()).await?;
    Ok(go_to(with_list_and(call, &DeskRoute::PaymentLink(session_id.clone()), "sent=1")))
}
