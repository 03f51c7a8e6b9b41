//! The receipt for people: what was paid, to whom, how, when, the numbers by which it is found, and what happened
//! to the money since. Its buttons need a script and are hidden without one; its code leads to the page that checks
//! the signature.

use checkout_core::checkout::page::{LastAttempt, PaidWith, TransactionPage};
use checkout_core::route::Route;
use checkout_core::strings::screen::PageStatus;
use checkout_core::strings::{Strings, WayWords};
use checkout_core::words::ChildOperation;
use maud::{Markup, html};

use super::layout::{attachment, data, exchange_rate, line, moment, total};
use super::price::{amount, receipt_total};
use super::{details, mark};

/// The lines of the payment, and of a success the buttons and the code.
pub(super) fn draw(page: &TransactionPage, strings: &Strings) -> Markup {
    let is_success = page.status.is_success();
    html! {
        (lines(page, strings))
        (details::bought(&page.details, strings))
        @if is_success { (actions(page, strings)) }
    }
}

fn lines(page: &TransactionPage, strings: &Strings) -> Markup {
    let last = page.last.as_ref();
    let shown = last.filter(|_| page.status.shows_attempt());
    let is_success = page.status.is_success();
    let to = if was_taken(page) { strings.receipt().paid_to } else { strings.label.merchant };
    html! {
        dl .lines {
            @if let Some(order_no) = &page.order_no {
                (line(strings.label.order_number, &html! { bdi { (order_no) } }))
            }
            (attachment(page, strings))
            @if !is_success && page.is_paid() { (line(strings.label.amount, &amount(strings, total(page)))) }
            (line(to, &html! { bdi { (page.merchant) } }))
            @if let Some(payer) = &page.details.payer { (line(strings.label.payer, &html! { bdi { (payer) } })) }
            @if let Some(last) = shown {
                (line(strings.label.method, &method(last, strings)))
                (line(strings.label.date, &moment(page, last.at)))
            }
            @if let Some(last) = last {
                (line(strings.label.reference_number, &html! { bdi dir="ltr" { (last.reference) } }))
            }
            @if let Some(last) = shown.filter(|_| page.is_paid() && is_success) { (cost(page, last, strings)) }
            (movements(page, strings))
        }
        @if let Some(last) = shown.filter(|last| !last.data.is_empty()) {
            details .more {
                summary { (strings.guide().bank_details) }
                dl .lines { (data(last)) }
            }
        }
    }
}

/// Every movement of the money since, and what they come to.
fn movements(page: &TransactionPage, strings: &Strings) -> Markup {
    let words = strings.aftermath();
    html! {
        @for movement in &page.movements {
            (line(words.label(movement.operation, movement.is_queued), &html! {
                (amount(strings, movement.amount))
                small .quiet.when { (moment(page, movement.at)) }
            }))
        }
        @if let Some((_, moved)) = page.aftermath.filter(|(_, moved)| moved.times > 1) {
            @let label = if moved.is_queued { words.label(moved.operation, true) } else { words.sum_label(moved.operation) };
            div .line.total { dt { (label) } dd { (amount(strings, moved.amount)) } }
        }
    }
}

/// Whether money went to the merchant, at first.
fn was_taken(page: &TransactionPage) -> bool {
    let is_captured = page.movements.iter().any(|movement| movement.operation == ChildOperation::Capture);
    page.is_paid() && (page.status == PageStatus::Paid || is_captured)
}

/// The method with its card or wallet.
fn method(last: &LastAttempt, strings: &Strings) -> Markup {
    html! {
        @if let Some(mark) = last.mark { (mark::alone(mark)) }
        bdi { (last.method) }
        @match &last.paid_with {
            Some(PaidWith::Wallet(wallet)) => small { bdi lang="en" dir="ltr" { (WayWords::name(*wallet)) } },
            Some(PaidWith::Card { brand, ending }) => small {
                bdi dir="ltr" {
                    (brand.as_deref().unwrap_or(strings.ways.card))
                    " " span .unseen { (strings.ways.ending_in) " " }
                    span .ending { span aria-hidden="true" { "•••• " } (ending) }
                }
            },
            None => {},
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
            (line(if is_part { strings.receipt().amount_paid } else { strings.label.amount }, &amount(strings, last.principal)))
            @if let Some(rate) = rate {
                (line(strings.label.exchange_rate, &html! { bdi .sum dir="ltr" { (rate) } }))
                @if has_fee { (line(strings.label.converted, &amount(strings, last.quote.amount))) }
            }
            @if has_fee { (line(last.fee_label.as_deref().unwrap_or(strings.label.fee), &amount(strings, last.quote.fee))) }
            div .line.total { dt { (strings.label.total) } dd { (receipt_total(strings, last.quote.total)) } }
        }
    }
}

/// What can be done with the receipt.
fn actions(page: &TransactionPage, strings: &Strings) -> Markup {
    let words = strings.receipt();
    html! {
        div #receipt-actions .actions hidden {
            button .button.plain type="button" data-does="print" { (words.print) }
            button .button.plain type="button" data-does="share" hidden { (words.share) }
            button .button.plain type="button" data-does="copy" hidden data-done=(words.copied) { (words.copy) }
        }
        p #receipt-done .unseen role="status" {}
        @if page.has_signed_receipt {
            div .genuine {
                img src=(Route::ReceiptCode(page.session_id.clone()).path()) alt="" width="200" height="200" loading="lazy";
                p { (words.verify) }
            }
        }
    }
}
