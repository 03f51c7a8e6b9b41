//! One payment: what became of it, and what can be done.

use checkout_core::attempt::Attempt;
use checkout_core::desk::new_payment::again;
use checkout_core::desk::result::{attempt_result, operation_result};
use checkout_core::desk::route::{DeskRoute, way_back};
use checkout_core::flow::Failure;
use checkout_core::flow::desk::{
    Breakdown, NextStep, Occurrence, Operated, PaymentShown, operate_once, own, payment,
};
use checkout_core::flow::merchant::inquiry;
use checkout_core::gateway::dispute::Dispute;
use checkout_core::operation::command::Command;
use checkout_core::port::World;
use checkout_core::rejection::Rejection;
use checkout_core::strings::Strings;
use checkout_core::strings::desk::PaymentWords;
use checkout_core::value::id::{ApprovalId, SessionId};
use checkout_core::value::money::Money;
use checkout_core::words::ChildOperation;
use maud::{Markup, html};
use serde_json::json;

use super::call::{DeskCall, go_to};
use super::customers::path_of;
use super::deliveries;
use super::operation_form::{VERSION, form, name_of};
use super::parts::{fault, hidden, method, moment, said};
use super::payments::{LIST, chip, payer};
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

async fn draw(
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
                a href=(DeskRoute::Approval(ApprovalId(request.id.clone())).path()) { (call.words().approval.waits.replace("{request}", &named)) }
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

/// The list that led here, with its filters.
fn list_of(call: &DeskCall<'_>) -> String {
    let list = call.query().get(LIST).unwrap_or_default().to_owned();
    way_back(Some(&[&DeskRoute::Payments.path(), "?", &list].concat()))
}

fn line(label: &str, value: &Markup) -> Markup {
    html! { div { dt { (label) } dd { (value) } } }
}

/// Where the person may go from here.
fn links(call: &DeskCall<'_>, shown: &PaymentShown, words: &PaymentWords) -> Markup {
    let id = || shown.transaction.session_id.clone();
    html! {
        p .actions {
            a .link href=(DeskRoute::PaymentLink(id()).path()) { (words.link) }
            @if shown.is_editable { a .link href=(DeskRoute::EditPayment(id()).path()) { (words.edit) } }
            @if shown.is_repeatable {
                a .link href={ (DeskRoute::NewPayment.path()) "?" (again(&shown.transaction)) } { (words.again) }
            }
            a .link href={ (DeskRoute::Deliveries.path()) "?session_id=" (shown.transaction.session_id) } {
                (call.words().navigation.deliveries)
            }
            a .link href=(list_of(call)) { (words.payments) }
        }
    }
}

/// What the person may do. A form carries the version that it showed, which is the key of what it does: sent twice, or by two
/// tabs, it does it once, and a payment that has changed since is shown again.
fn actions(call: &DeskCall<'_>, shown: &PaymentShown, words: &PaymentWords) -> Markup {
    let id = || shown.transaction.session_id.clone();
    let version = html! { input type="hidden" name=(VERSION) value=(shown.transaction.version); };
    html! {
        section .card {
            (links(call, shown, words))
            @for command in &shown.endings {
                (call.form(&DeskRoute::Operate(id()), &html! {
                    (version)
                    input type="hidden" name="operation" value=(command.as_str());
                    button .button.risky { (if *command == Command::Expire { words.expire } else { words.cancel }) }
                }))
            }
            @if !shown.attempts.is_empty() {
                (call.form(&DeskRoute::InquirePayment(id()), &html! { button .button.second { (words.inquire) } }))
            }
            details {
                summary { (words.notify) }
                (call.form(&DeskRoute::NotifyPayment(id()), &html! {
                    div .field {
                        label for="address" { (words.address) }
                        input id="address" name="address" type="url" dir="ltr" maxlength="2048" autocomplete="off";
                    }
                    div .actions { button .button.second { (words.notify) } }
                }))
            }
            details {
                summary { (words.curl) }
                pre dir="ltr" data-copy { (curl(call, &shown.transaction.session_id)) }
            }
            @for (operation, left) in &shown.offered { (form(call, shown, *operation, *left)) }
        }
    }
}

/// The command that reads the payment over the API.
fn curl(call: &DeskCall<'_>, session_id: &SessionId) -> String {
    let public_url = &call.edge.installation().public_url;
    format!("curl -sS '{public_url}/b/checkout/v1/pymt-txn/{session_id}/' -H \"Authorization: Api-Key $KEY\"")
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

/// Does what a form asks, once for the version that it showed.
pub(super) async fn operate(call: &DeskCall<'_>, session_id: &SessionId) -> Result<Reply, Failure> {
    let news = |word: &str| go_to(format!("{}?news={word}", DeskRoute::Payment(session_id.clone()).path()));
    match operate_once(call.edge.as_ref(), call.caller(), session_id, &call.form).await {
        Ok(Operated::Done) => Ok(news("done")),
        Ok(Operated::Asked(id)) => Ok(go_to(DeskRoute::Approval(ApprovalId(id)).path() + "?news=asked")),
        Ok(Operated::Running) => Ok(news("running")),
        Ok(Operated::Stale) => Ok(news("stale")),
        Err(Failure::Refused(refused)) if refused.rejection == Rejection::PermissionMissing => {
            Err(Failure::Refused(refused))
        }
        Err(Failure::Refused(refused)) => {
            let words = &call.words().payment;
            let notice = html! {
                div .notice.bad role="alert" {
                    p { (words.not_done) }
                    p { (call.words().refusal(&refused.rejection)) }
                    @if let Rejection::Invalid(found) = &refused.rejection {
                        ul { @for violation in found { li { (fault(call.words(), violation)) } } }
                    }
                }
            };
            draw(call, session_id, refused.rejection.status(), &notice).await
        }
        Err(failure) => Err(failure),
    }
}

/// Notifies the merchant of the payment as it is, at its own address or at another one.
pub(super) async fn notify(call: &DeskCall<'_>, session_id: &SessionId) -> Result<Reply, Failure> {
    let address = call.form.filled("address");
    let body = address.map_or_else(|| json!({}), |address| json!({ "webhook_url": address })).to_string();
    inquiry::notify_now(call.edge.as_ref(), call.caller(), session_id, body.as_bytes()).await?;
    Ok(go_to(format!("{}?news=notified", DeskRoute::Payment(session_id.clone()).path())))
}

/// Asks the gateways.
pub(super) async fn inquire(call: &DeskCall<'_>, session_id: &SessionId) -> Result<Reply, Failure> {
    // Another merchant's payment is not found.
    own(call.edge.as_ref(), call.caller(), session_id).await?;
    let body = json!({ "session_id": session_id.as_str() }).to_string();
    inquiry::inquire(call.edge.as_ref(), call.caller(), body.as_bytes()).await?;
    Ok(go_to(format!("{}?news=inquired", DeskRoute::Payment(session_id.clone()).path())))
}
