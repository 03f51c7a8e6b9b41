//! The screens on which the payer has nothing to choose: waiting, and the end.

use checkout_core::checkout::page::{LastAttempt, Onward, TransactionPage};
use checkout_core::gateway::page_form::PageForm;
use checkout_core::route::Route;
use checkout_core::strings::screen::PageStatus;
use checkout_core::strings::{Message, Strings};
use checkout_core::words::Language;
use maud::{Markup, html};

use super::layout::{address, attachment, data, exchange_rate, line, message, moment};
use super::price::{amount, receipt_total};
use super::symbol;

/// The screen of a status in which nothing can be chosen.
pub(super) fn draw(page: &TransactionPage) -> Markup {
    let strings = Strings::of(page.language);
    let (mark, tone) = symbol::of(page.status, page.aftermath);
    html! {
        main #checkout .outcome data-language=(page.language.as_str()) data-session-id=(page.session_id)
            data-payment-type=(page.payment_type.as_str()) data-status=(page.status.as_str()) data-status-url=(Route::PayStatus(page.session_id.clone()).path())
            data-awaits-receiver=[page.onward.map(Onward::asks)] {
            section .card {
                div .mark.(tone) { (mark) }
                div role="status" { (heading(message(page, strings))) }
                @if page.is_paid() { p .price { (amount(strings, total(page))) } }
                (receipt(page, strings))
                (way_on(page, strings))
            }
        }
    }
}

/// The screen of a session id without a transaction.
pub(super) fn not_found(strings: &Strings) -> Markup {
    html! {
        main .outcome {
            section .card {
                div .mark.calm { (symbol::QUESTION) }
                (heading(strings.not_found))
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
    let (message, action) = strings.forward;
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

fn heading(message: Message) -> Markup {
    html! {
        h1 { (message.title) }
        p .lead { (message.text) }
    }
}

fn total(page: &TransactionPage) -> checkout_core::value::money::Money {
    let attempt = page.last.as_ref().filter(|_| page.status.shows_attempt());
    attempt.map_or(page.amount, |last| last.quote.total)
}

fn receipt(page: &TransactionPage, strings: &Strings) -> Markup {
    let last = page.last.as_ref();
    let shown = last.filter(|_| page.status.shows_attempt());
    html! {
        dl .lines {
            (line(strings.label.merchant, &html! { bdi { (page.merchant) } }))
            @if let Some(order_no) = &page.order_no {
                (line(strings.label.order_number, &html! { bdi { (order_no) } }))
            }
            (attachment(page, strings))
            @if let Some(last) = last {
                (line(strings.label.reference_number, &html! { bdi dir="ltr" { (last.reference) } }))
            }
            @if let Some(last) = shown {
                (line(strings.label.method, &html! { bdi { (last.method) } }))
                (line(strings.label.date, &moment(strings, last.at)))
                (data(last))
                @if let (PageStatus::Failed, Some(message)) = (page.status, &last.message) {
                    (line(strings.label.gateway_message, &html! { bdi { (message) } }))
                }
                @if page.is_paid() { (cost(page, last, strings)) }
            }
            @for movement in &page.movements {
                (line(strings.aftermath.label(movement.operation, movement.is_queued), &html! {
                    (amount(strings, movement.amount))
                    small .quiet.when { (moment(strings, movement.at)) }
                }))
            }
        }
    }
}

/// The amount that was to be paid, if it was more or less than the transaction's amount or in another
/// currency.
fn cost(page: &TransactionPage, last: &LastAttempt, strings: &Strings) -> Markup {
    let rate = exchange_rate(last.principal.currency(), last.quote);
    let has_fee = !last.quote.fee.is_zero();
    let is_part = last.principal != page.amount;
    html! {
        @if is_part { (line(strings.label.order_amount, &amount(strings, page.amount))) }
        @if has_fee || rate.is_some() || is_part {
            (line(if is_part { strings.label.chosen_amount } else { strings.label.amount }, &amount(strings, last.principal)))
            @if let Some(rate) = rate {
                (line(strings.label.exchange_rate, &html! { bdi .sum dir="ltr" { (rate) } }))
                @if has_fee { (line(strings.label.converted, &amount(strings, last.quote.amount))) }
            }
            @if has_fee { (line(strings.label.fee, &amount(strings, last.quote.fee))) }
            div .line.total { dt { (strings.label.total) } dd { (receipt_total(strings, last.quote.total)) } }
        }
    }
}

fn way_on(page: &TransactionPage, strings: &Strings) -> Markup {
    html! {
        @if let Some(link) = &page.merchant_link {
            a .button href=(link.url) rel="noreferrer" {
                span { (strings.action.return_to) " " bdi dir="ltr" { (link.host) } }
            }
        } @else if matches!(page.status, PageStatus::Pending | PageStatus::Paused) {
            p #live .quiet role="status" {}
            a .button.plain href=(address(page, page.language)) { (strings.action.check_again) }
        }
    }
}
