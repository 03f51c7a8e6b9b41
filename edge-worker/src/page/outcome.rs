//! The screens on which the payer has nothing to choose: waiting, and the end.

use checkout_core::checkout::page::{ContactChannel, Onward, ShownMovement, TransactionPage};
use checkout_core::gateway::page_form::PageForm;
use checkout_core::route::Route;
use checkout_core::strings::screen::PageStatus;
use checkout_core::strings::{GuideWords, HeadedText, Strings};
use checkout_core::words::Language;
use maud::{Markup, html};

use super::layout::{address, message, sentence, total, value_of};
use super::price::receipt_total;
use super::{receipt, symbol};

/// The screen of a status in which nothing can be chosen.
pub(super) fn draw(page: &TransactionPage) -> Markup {
    let strings = Strings::of(page.language);
    let guide = strings.guide();
    let (mark, tone) = symbol::of(page.status, page.aftermath.map(|(aftermath, _)| aftermath));
    let HeadedText { title, text } = message(page, strings);
    html! {
        main #checkout .outcome data-language=(page.language.as_str()) data-session-id=(page.session_id)
            data-payment-type=(page.payment_type.as_str()) data-status=(page.status.as_str()) data-status-url=(Route::PayStatus(page.session_id.clone()).path())
            data-moved-at=[ShownMovement::last_of(&page.movements)]
            data-awaits-receiver=[page.onward.map(Onward::asks)] {
            section .card {
                @if page.status.is_success() { p .paper { (strings.receipt().title) } }
                div .mark.(tone) { (mark) }
                div role="status" {
                    h1 { (title) }
                    @if page.guidance.is_uncharged { p .uncharged { (guide.not_charged) } }
                    @if let Some(reason) = reason(page, strings) { p .lead { (reason) } }
                    p .lead { (sentence(text, |name| value_of(page, name))) }
                }
                @if page.is_paid() && page.status.is_success() { p .price { (headline(page, strings)) } }
                (way_on(page, strings))
                (receipt::draw(page, strings))
            }
        }
    }
}

/// The number that a payer looks for: what was paid or is held, or else what moved since.
fn headline(page: &TransactionPage, strings: &Strings) -> Markup {
    html! {
        @if let Some((_, moved)) = page.aftermath {
            small .quiet.when { (strings.aftermath().label(moved.operation, moved.is_queued)) }
            (receipt_total(strings, moved.amount))
        } @else {
            (receipt_total(strings, total(page)))
        }
    }
}

/// Why the only attempt failed, in the words of payers. Nothing can be done about it here.
fn reason(page: &TransactionPage, strings: &Strings) -> Option<&'static str> {
    let last = page.last.as_ref().filter(|_| page.status == PageStatus::Failed)?;
    strings.decline_cause(last.decline?, page.payment_type)
}

/// The screen of a request for which there is nothing to show.
pub(super) fn nothing(message: HeadedText) -> Markup {
    html! {
        main .outcome {
            section .card {
                div .mark.calm { (symbol::QUESTION) }
                (heading(message))
            }
        }
    }
}

/// What an installation is for, in a sentence of each language, the preferred one first.
pub(super) fn front(language: Language) -> Markup {
    const SENTENCES: [(Language, &str); 2] = [
        (Language::En, "This address takes payments. Open the link that your seller sent you."),
        (Language::Ar, "هذا العنوان مخصص للدفع. يُرجى فتح الرابط الذي أرسله إليك البائع."),
    ];
    let (first, rest): (Vec<_>, Vec<_>) = SENTENCES.into_iter().partition(|(known, _)| *known == language);
    html! {
        main .outcome {
            section .card {
                div .mark.calm { (symbol::LOCK) }
                h1 { "Till" }
                @for (language, sentence) in first.into_iter().chain(rest) {
                    p .lead lang=(language.as_str()) dir=(language.direction()) { (sentence) }
                }
            }
        }
    }
}

/// The screen before a page of a gateway that takes a form.
pub(super) fn forward(form: &PageForm, strings: &Strings) -> Markup {
    let (message, action) = strings.guide().forward;
    html! {
        main .outcome {
            form .card method="post" action=(form.url) {
                div .mark.calm { (symbol::LOCK) }
                (heading(message))
                @for (name, value) in &form.fields {
                    input type="hidden" name=(name) value=(value);
                }
                button .button type="submit" { (action) }
            }
        }
    }
}

fn heading(message: HeadedText) -> Markup {
    html! {
        h1 { (message.title) }
        p .lead { (message.text) }
    }
}

/// What the payer does next, before everything that they may read.
fn way_on(page: &TransactionPage, strings: &Strings) -> Markup {
    let guide = strings.guide();
    html! {
        @if page.status.waits() {
            p #live .quiet role="status" {}
            a .button.plain href=(address(page, page.language)) { (strings.action.check_again) }
        }
        @if let Some(link) = &page.merchant_link {
            a .button.plain[page.status.waits()] href=(link.url) rel="noreferrer" {
                span {
                    (strings.action.return_to) " " bdi { (page.merchant) }
                    small { bdi dir="ltr" { (link.host) } }
                }
            }
        } @else if page.guidance.contacts.is_empty() && page.status.is_final() && !page.status.is_success() {
            p .next { (sentence(guide.ask_merchant, |name| value_of(page, name))) }
        } @else if page.status.is_final() {
            p .next { (guide.close_page) }
        }
        (contacts(page, guide))
    }
}

/// How the payer reaches the merchant, each with a message that asks for what they need.
fn contacts(page: &TransactionPage, guide: &'static GuideWords) -> Markup {
    let heading = if page.status.is_final() { guide.ask_new_link } else { guide.contact };
    html! {
        @if !page.guidance.contacts.is_empty() {
            nav .contacts aria-labelledby="contact-title" {
                p #contact-title { (sentence(heading, |name| value_of(page, name))) }
                @for contact in &page.guidance.contacts {
                    a .button.plain href=(contact.url) rel="noreferrer" {
                        span {
                            (channel(contact.channel, guide))
                            small { bdi dir="ltr" { (contact.shown) } }
                        }
                    }
                }
            }
        }
    }
}

const fn channel(channel: ContactChannel, guide: &GuideWords) -> &'static str {
    match channel {
        ContactChannel::WhatsApp => "WhatsApp",
        ContactChannel::Phone => guide.phone,
        ContactChannel::Email => guide.email,
    }
}
