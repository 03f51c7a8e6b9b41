//! One payment: what became of it, and what can be done.

use checkout_core::attempt::Attempt;
use checkout_core::desk::result::{attempt_result, operation_result};
use checkout_core::desk::route::DeskRoute;
use checkout_core::flow::Failure;
use checkout_core::flow::desk::{Breakdown, NextStep, Occurrence, PaymentShown, payment};
use checkout_core::gateway::dispute::Dispute;
use checkout_core::strings::Strings;
use checkout_core::strings::desk::PaymentWords;
use checkout_core::value::id::{ApprovalId, SessionId};
use checkout_core::value::money::Money;
use checkout_core::words::ChildOperation;
use maud::{Markup, html};

use super::call::DeskCall;
use super::customers::path_of;
use super::deliveries;
use super::list_link::with_list;
use super::operation_form::name_of;
use super::parts::{hidden, method, moment, said};
use super::payment_forms::actions;
use super::payments::{chip, payer};
use crate::http::Reply;

/// Shows it.
pub(super) async fn show(call: &DeskCall<'_>, session_id: &SessionId) -> Result<Reply, Failure> {
    let query = call.query();
    let words = &call.words().payment;
    let news = [
        ("done", "good", words.done),
        ("saved", "good", words.saved),
        ("inquired", "good", words.inquired),
        ("notified", "good", words.notified),
        ("running", "warn", words.running),
        ("stale", "warn", words.stale),
    ];
    let news = news.into_iter().find(|(name, ..)| query.get("news") == Some(name));
    let notice = html! {
        @if let Some((_, look, text)) = news { p class={ "notice " (look) } role="status" { (text) } }
    };
    draw(call, session_id, 200, &notice).await
}

/// The page with a notice on it.
pub(super) async fn draw(
    call: &DeskCall<'_>,
    session_id: &SessionId,
    status: u16,
    notice: &Markup,
) -> Result<Reply, Failure> {
    let words = &call.words().payment;
    let shown = payment(call.edge.as_ref(), call.caller(), session_id).await?;
    let strings = Strings::of(call.visit.language);
    let body = html! {
        div .head {
            h1 { (words.title) " · " bdi .sum { (strings.price(shown.transaction.amount)) } }
            (chip(shown.state, words))
        }
        (notice)
        @if let Some(next) = shown.next {
            p .notice.warn { span { (waits_for(call, next)) } }
        }
        @for dispute in shown.attempts.iter().filter_map(|attempt| Dispute::of(&attempt.params)) {
            p .notice.warn { span { (said(call, &dispute.facts())) } }
        }
        @for request in &shown.requests {
            p .notice.warn {
                @let named = called(request.operation, request.amount, call);
                a href=(with_list(call, &DeskRoute::Approval(ApprovalId(request.id.clone())))) { (call.words().approval.waits.replace("{request}", &named)) }
            }
        }
        div .cards {
            (facts(call, &shown, words, strings))
            (actions(call, &shown, words))
        }
        (attempts(call, &shown.attempts, words, strings))
        (operations(call, &shown, words, strings))
        (events(call, &shown, words))
    };
    Ok(call.screen_with(status, words.title, &body))
}

/// What a payment waits for, as a sentence.
fn waits_for(call: &DeskCall<'_>, next: NextStep) -> Markup {
    let words = &call.words().payment;
    let (text, until) = match next {
        NextStep::Outcome => (words.awaited, None),
        NextStep::Capture(until) => (until.map_or(words.held, |_| words.held_until), until),
        NextStep::Overdue(over) => (words.held_over, Some(over)),
    };
    let (before, after) = text.split_once("{until}").unwrap_or((text, ""));
    html! { (before) @if let Some(until) = until { (moment(call, until)) } (after) }
}

fn facts(call: &DeskCall<'_>, shown: &PaymentShown, words: &PaymentWords, strings: &Strings) -> Markup {
    let PaymentShown { transaction, .. } = shown;
    let details = &transaction.details;
    html! {
        section .card {
            dl .lines {
                (line(words.created, &html! { (moment(call, transaction.created_at)) }))
                @if shown.state.is_payable() {
                    (line(words.expires, &html! { (moment(call, transaction.expires_at)) }))
                }
                @for (label, amount) in money(shown, words) { (line(label, &html! { bdi .sum { (strings.price(amount)) } })) }
                @if let Some(order_no) = &details.order_no { (line(words.order_no, &html! { bdi { (order_no) } })) }
                (line(words.payer, &html! { bdi { (payer(transaction)) } }))
                @if let Some(id) = &details.customer_id {
                    (line(call.words().customer.one, &html! { a href=(path_of(id)) { bdi { (id) } } }))
                }
                @for contact in [&details.customer_email, &details.customer_phone].into_iter().flatten() {
                    (line("", &html! { bdi dir="ltr" { (contact) } }))
                }
                (line(words.session_id, &html! { code dir="ltr" data-copy { (transaction.session_id.as_str()) } }))
            }
            (hidden(call))
        }
    }
}

/// What became of the money, each part with its name.
fn money<'a>(shown: &PaymentShown, words: &'a PaymentWords) -> Vec<(&'a str, Money)> {
    let Some(Breakdown { fee, taken, refunded, voided, left }) = shown.breakdown else { return Vec::new() };
    let parts = [
        (words.amount, Some(shown.transaction.amount)),
        (words.fee, Some(fee).filter(|fee| !fee.is_zero())),
        (words.paid, taken),
        (words.given_back, refunded),
        (words.released, voided),
        (words.remaining, left),
    ];
    parts.into_iter().filter_map(|(name, amount)| Some((name, amount?))).collect()
}

fn line(label: &str, value: &Markup) -> Markup {
    html! { div { dt { (label) } dd { (value) } } }
}

/// An operation with its amount, in words.
pub(super) fn called(operation: ChildOperation, amount: Money, call: &DeskCall<'_>) -> String {
    let (name, strings) = (name_of(operation, &call.words().payment), Strings::of(call.visit.language));
    format!("{name} {}", strings.price(amount))
}

fn attempts(call: &DeskCall<'_>, attempts: &[Attempt], words: &PaymentWords, strings: &Strings) -> Markup {
    html! {
        @if !attempts.is_empty() {
            div .table {
                table .stacked {
                    caption { (words.attempts) }
                    thead { tr {
                        @for column in [words.created, words.method, words.amount, words.fee, words.result, words.reference] { th scope="col" { (column) } }
                    } }
                    tbody {
                        @for attempt in attempts {
                            tr {
                                td data-label=(words.created) { (moment(call, attempt.opened_at)) }
                                td data-label=(words.method) { bdi { (method(call, &attempt.pg_code)) } }
                                td .number data-label=(words.amount) { bdi .sum { (strings.price(attempt.quote.total)) } }
                                td .number data-label=(words.fee) { bdi .sum { (strings.price(attempt.quote.fee)) } }
                                td data-label=(words.result) {
                                    span {
                                        (attempt_result(call.words(), attempt.stage))
                                        @if let Some(message) = &attempt.message { br; small .quiet dir="auto" { (message) } }
                                    }
                                }
                                td data-label=(words.reference) { code dir="ltr" { (attempt.reference.as_str()) } }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn operations(call: &DeskCall<'_>, shown: &PaymentShown, words: &PaymentWords, strings: &Strings) -> Markup {
    html! {
        @if !shown.children.is_empty() {
            div .table {
                table .stacked {
                    caption { (words.operations) }
                    thead { tr {
                        @for column in [words.created, words.title, words.amount, words.result, words.by, words.reason, words.reference] { th scope="col" { (column) } }
                    } }
                    tbody {
                        @for child in &shown.children {
                            @let asked = shown.events.iter().find(|event| event.subject.as_ref().is_some_and(|(reference, _)| *reference == child.reference) && event.actor.is_some());
                            tr {
                                td data-label=(words.created) { (moment(call, child.opened_at)) }
                                td data-label=(words.title) { (name_of(child.operation, words)) }
                                td .number data-label=(words.amount) { bdi .sum { (strings.price(child.amount)) } }
                                td data-label=(words.result) { (operation_result(call.words(), child.stage)) }
                                td data-label=(words.by) { bdi { (asked.and_then(|event| event.actor.as_ref()).map_or("–", |by| by.name.as_deref().unwrap_or(&by.id))) } }
                                td data-label=(words.reason) { span {
                                    @if let Some(reason) = child.reason { (call.words().operation_reason(reason)) }
                                    @if let Some(note) = &child.note { " " bdi { (note) } }
                                } }
                                td data-label=(words.reference) { code dir="ltr" { (child.reference.as_str()) } }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn events(call: &DeskCall<'_>, shown: &PaymentShown, words: &PaymentWords) -> Markup {
    html! {
        div .table {
            table .stacked {
                caption { (words.events) }
                thead { tr { @for column in [words.created, words.events, words.state, words.by] { th scope="col" { (column) } } } }
                tbody {
                    @for happened in &shown.history {
                        tr {
                            td data-label=(words.created) { (moment(call, happened.at)) }
                            @match &happened.what {
                                Occurrence::Changed(event) => {
                                    td data-label=(words.events) { (call.words().event(event.event)) }
                                    td data-label=(words.state) { (chip(event.state, words)) }
                                    td data-label=(words.by) { bdi { (event.actor.as_ref().map_or("–", |by| by.name.as_deref().unwrap_or(&by.id))) } }
                                }
                                Occurrence::Sent(sent) => (deliveries::happened(call, sent, words)),
                            }
                        }
                    }
                }
            }
        }
    }
}
