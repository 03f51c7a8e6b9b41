//! The log of webhooks and messages: what was sent where, what was answered, and sending it again.

use core::time::Duration;

use checkout_core::access::grantor::Grantor;
use checkout_core::answer::delivery::{
    DeliveriesResent, DeliveryPage, DeliveryRead, DeliveryShown, TryShown,
};
use checkout_core::desk::form::DeskForm;
use checkout_core::desk::frame::missing;
use checkout_core::desk::route::DeskRoute;
use checkout_core::flow::Failure;
use checkout_core::flow::account::delivery;
use checkout_core::flow::desk::{self, SentShown};
use checkout_core::record::outbox::{DeliveryState, MessageKind};
use checkout_core::strings::desk::{DeliveryWords, PaymentWords};
use checkout_core::value::id::DeliveryId;
use form_urlencoded::Serializer;
use maud::{Markup, html};
use serde_json::{Map, Value, json};

use super::call::{DeskCall, go_to};
use super::parts::{active, fault_list, faults, hidden, moment, option};
use crate::http::Reply;

/// What an address says of what was done before it: no filter.
const DONE: [&str; 3] = ["resent", "held", "more"];
/// The filters of the form; the address may have every other one of the log.
const FILTERS: [&str; 3] = ["state", "kind", "receiver"];
/// The words of the periods, and their hours.
const PERIODS: [(&str, u64); 3] = [("1", 24), ("7", 7 * 24), ("30", 30 * 24)];

/// A query of these fields, without those that are empty.
fn query_of<'a>(fields: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let filled = fields.filter(|(_, value)| !value.trim().is_empty());
    Serializer::new(String::new()).extend_pairs(filled).finish()
}

/// An address of the list.
fn list_at(query: &str) -> String {
    let path = DeskRoute::Deliveries.path();
    if query.is_empty() { path } else { format!("{path}?{query}") }
}

/// The list, as its address filters it.
pub(super) async fn list(call: &DeskCall<'_>) -> Result<Reply, Failure> {
    let words = &call.words().deliveries;
    let query = call.query();
    let asked = query_of(query.fields().filter(|(name, _)| !DONE.contains(name)));
    let found = delivery::read_deliveries(call.edge.as_ref(), call.caller().merchant(), &asked).await;
    let (status, page, wrong) = match found {
        Ok(page) => (200, page, Vec::new()),
        Err(failure) => match faults(&failure) {
            Some(wrong) => (400, DeliveryPage { next: None, results: Vec::new() }, wrong),
            None => return Err(failure),
        },
    };
    let next = page.next.as_deref().map(|next| {
        let filters = query.fields().filter(|(name, _)| *name != "cursor" && !DONE.contains(name));
        list_at(&query_of(filters.chain([("cursor", next)])))
    });
    let body = html! {
        h1 { (words.title) }
        (done(words, &query))
        (fault_list(call, call.words().webhooks.faults, &wrong))
        (filters(call, words, &query))
        (table(call, &page.results))
        @if let Some(next) = next { p { a .link href=(next) rel="next" { (words.older) } } }
        // What sends many again takes no payment: it would send those of others too.
        @if !is_of_payment(&query) && missing(call.caller(), &DeskRoute::ResendDeliveries).is_none() { (many(call, &query)) }
    };
    Ok(call.screen_with(status, words.title, &body))
}

/// What was done before this page.
fn done(words: &DeliveryWords, query: &DeskForm) -> Markup {
    let number = |name| query.get(name).and_then(|text| text.parse::<u32>().ok());
    html! {
        @if let Some((sent, held)) = number("resent").zip(number("held")) {
            div .notice.good role="status" {
                p { (words.resent.replace("{sent}", &sent.to_string()).replace("{held}", &held.to_string())) }
                @if number("more") == Some(1) { p { (words.more_left) } }
            }
        }
    }
}

fn state_options(words: &DeliveryWords, states: &[DeliveryState], chosen: Option<&str>) -> Markup {
    html! { @for state in states { (option(state.as_str(), words.state_of(*state), chosen)) } }
}

/// Whether the list is that of a payment or of an order.
fn is_of_payment(query: &DeskForm) -> bool {
    ["session_id", "order_no"].into_iter().any(|name| query.filled(name).is_some())
}

fn filters(call: &DeskCall<'_>, words: &DeliveryWords, query: &DeskForm) -> Markup {
    let is_on = |(name, value): &(&str, &str)| {
        !value.trim().is_empty() && !["cursor", "limit"].contains(name) && !DONE.contains(name)
    };
    html! {
        form .card method="get" action=(DeskRoute::Deliveries.path()) {
            // A filter of the address that the form does not have goes on with it.
            @for (name, given) in query.fields().filter(is_on).filter(|(name, _)| !FILTERS.contains(name)) {
                input type="hidden" name=(name) value=(given);
            }
            div .row {
                div .field {
                    label for="state" { (words.state) }
                    select id="state" name="state" {
                        option value="" { (words.all) }
                        (state_options(words, &DeliveryState::ALL, query.get("state")))
                    }
                }
                div .field {
                    label for="kind" { (words.kind) }
                    select id="kind" name="kind" {
                        option value="" { (words.all) }
                        @for kind in MessageKind::ALL { (option(kind.as_str(), words.kind_of(kind), query.get("kind"))) }
                    }
                }
                div .field {
                    label for="receiver" { (words.receiver) }
                    input id="receiver" name="receiver" dir="ltr" maxlength="2000" value=[query.filled("receiver")];
                }
                button .button.second { (words.filter) }
            }
            (active(call, query.fields().filter(is_on), &DeskRoute::Deliveries))
        }
    }
}

fn chip(words: &DeliveryWords, state: DeliveryState) -> Markup {
    let class = match state {
        DeliveryState::Delivered => "chip good",
        DeliveryState::Due => "chip quiet",
        DeliveryState::Held => "chip warn",
        DeliveryState::GivenUp => "chip bad",
    };
    html! { span class=(class) { (words.state_of(state)) } }
}

/// Where one goes: an address, or nothing more than its kind says.
fn receiver(row: &DeliveryShown) -> Option<&str> {
    row.url.contains("://").then_some(row.url.as_str())
}

fn table(call: &DeskCall<'_>, rows: &[DeliveryShown]) -> Markup {
    let words = &call.words().deliveries;
    html! {
        @if rows.is_empty() { p .card { (words.none) } } @else {
            div .table {
                table .stacked {
                    caption .unseen { (words.title) }
                    thead { tr {
                        @for name in [words.kind, words.caused, words.receiver, words.state, words.answer, words.failed_tries] {
                            th scope="col" { (name) }
                        }
                    } }
                    tbody { @for row in rows { (line(call, row)) } }
                }
            }
        }
    }
}

fn line(call: &DeskCall<'_>, row: &DeliveryShown) -> Markup {
    let words = &call.words().deliveries;
    html! {
        tr {
            th scope="row" data-label=(words.kind) {
                @if let Some(id) = DeliveryId::parse(&row.id) {
                    a href=(DeskRoute::Delivery(id).path()) { (words.kind_of(row.kind)) }
                }
            }
            td data-label=(words.caused) { (moment(call, row.created_at.0)) }
            td data-label=(words.receiver) { bdi dir="ltr" { (receiver(row).unwrap_or("–")) } }
            td data-label=(words.state) { (chip(words, row.state)) }
            td data-label=(words.answer) { bdi .digits { @match row.last_status { Some(status) => { (status) } None => { "–" } } } }
            td data-label=(words.failed_tries) { bdi .digits { (row.failed_tries) } }
        }
    }
}

/// The form that sends many again, with the receiver that the list is filtered by.
fn many(call: &DeskCall<'_>, query: &DeskForm) -> Markup {
    let words = &call.words().deliveries;
    let periods = PERIODS.into_iter().zip(words.days);
    let fields = html! {
        div .row {
            div .field {
                label for="again-state" { (words.state) }
                select id="again-state" name="state" {
                    (state_options(words, &[DeliveryState::GivenUp, DeliveryState::Delivered], query.get("state")))
                }
            }
            div .field {
                label for="again-days" { (words.within) }
                select id="again-days" name="days" {
                    @for ((word, _), label) in periods { (option(word, label, None)) }
                }
            }
            div .field {
                label for="again-receiver" { (words.receiver) }
                input id="again-receiver" name="receiver" dir="ltr" maxlength="2000" value=[query.filled("receiver")];
            }
            button .button.second { (words.send_again) }
        }
    };
    html! {
        section .card {
            h2 { (words.send_many) }
            p .quiet { (words.send_many_means) }
            (call.form(&DeskRoute::ResendDeliveries, &fields))
        }
    }
}

/// One delivery with every try.
pub(super) async fn one(call: &DeskCall<'_>, id: &DeliveryId) -> Result<Reply, Failure> {
    let words = &call.words().deliveries;
    let DeliveryRead { body: sent, delivery, tries } =
        desk::delivery(call.edge.as_ref(), call.caller(), id).await?;
    let may_resend = missing(call.caller(), &DeskRoute::ResendDelivery(id.clone())).is_none();
    let again = html! { button .button.second { (words.send_again) } };
    let body = html! {
        p { a .link href=(DeskRoute::Deliveries.path()) { (words.title) } }
        div .head {
            h1 { (words.kind_of(delivery.kind)) " " (chip(words, delivery.state)) }
            @if may_resend { (call.form(&DeskRoute::ResendDelivery(id.clone()), &again)) }
        }
        (done(words, &call.query()))
        section .card {
            dl .lines {
                div { dt { "webhook-id" } dd { bdi dir="ltr" { code { (delivery.id) } } } }
                @if let Some(address) = receiver(&delivery) {
                    div { dt { (words.receiver) } dd { bdi dir="ltr" { (address) } } }
                }
                div { dt { (words.caused) } dd { (moment(call, delivery.created_at.0)) } }
                @if let Some(at) = delivery.due_at { div { dt { (words.next_try) } dd { (moment(call, at.0)) } } }
                @if let Some(at) = delivery.resent_at { div { dt { (words.sent_again) } dd { (moment(call, at.0)) } } }
                @if let Some(payment) = &delivery.session_id {
                    div { dt { (words.payment) } dd { bdi dir="ltr" { code { (payment) } } } }
                }
                div { dt { (words.reference) } dd { bdi dir="ltr" { code { (delivery.reference_number) } } } }
                div { dt { (words.failed_tries) } dd { bdi .digits { (delivery.failed_tries) } } }
            }
        }
        @if let Some(text) = &sent {
            details .card { summary { (words.body) } pre dir="ltr" { (text) } }
        }
        section .card {
            h2 { (words.tries) }
            (hidden(call))
            @if tries.is_empty() { p { (words.no_tries) } } @else { (tries_of(call, &tries)) }
        }
    };
    Ok(call.screen(words.one, &body))
}

/// The cells of a webhook or another message in the history of a payment.
pub(super) fn happened(call: &DeskCall<'_>, sent: &SentShown, of_payment: &PaymentWords) -> Markup {
    let words = &call.words().deliveries;
    let route = DeskRoute::Delivery(sent.id.clone());
    let kind = words.kind_of(sent.kind);
    html! {
        td data-label=(of_payment.events) { span {
            @if missing(call.caller(), &route).is_none() { a href=(route.path()) { (kind) } } @else { (kind) }
            @if let Some(tried) = &sent.tried {
                " · "
                @if let Some(status) = tried.status { bdi .digits { (status) } }
                @if let Some(error) = tried.error { (words.error_of(error)) }
                " · " bdi dir="ltr" .digits { (tried.took_ms) " ms" }
            }
        } }
        td data-label=(of_payment.state) { @if let Some(state) = sent.state { (chip(words, state)) } @else { "–" } }
        td data-label=(of_payment.by) { "–" }
    }
}

fn tries_of(call: &DeskCall<'_>, tries: &[TryShown]) -> Markup {
    let words = &call.words().deliveries;
    html! {
        div .table {
            table .stacked {
                caption .unseen { (words.tries) }
                thead { tr { @for name in [words.number, words.began, words.milliseconds, words.said] { th scope="col" { (name) } } } }
                tbody {
                    @for one in tries {
                        tr {
                            th scope="row" data-label=(words.number) { bdi .digits { (one.number) } }
                            td data-label=(words.began) { (moment(call, one.at.0)) }
                            td data-label=(words.milliseconds) { bdi .digits { (one.duration_ms) } }
                            td data-label=(words.said) { (said(words, one)) }
                        }
                    }
                }
            }
        }
    }
}

fn said(words: &DeliveryWords, one: &TryShown) -> Markup {
    html! {
        div {
            @if let Some(status) = one.status { bdi .digits { (status) } }
            @if let Some(error) = one.error { span { (words.error_of(error)) } }
            @if let Some(text) = &one.excerpt { details { summary { (words.said) } pre dir="auto" { (text) } } }
        }
    }
}

/// Sends one again, and leads back to it.
pub(super) async fn resend_one(call: &DeskCall<'_>, id: &DeliveryId) -> Result<Reply, Failure> {
    let resent = resend(call, &json!({ "delivery_id": id.to_string() })).await?;
    let back = DeskRoute::Delivery(id.clone()).path();
    Ok(go_to(format!("{back}?{}", said_of(&resent))))
}

/// Sends many again, and leads back to the list of them.
pub(super) async fn resend_many(call: &DeskCall<'_>) -> Result<Reply, Failure> {
    let form = &call.form;
    let hours =
        PERIODS.into_iter().find(|(word, _)| form.get("days") == Some(word)).map_or(24, |(_, hours)| hours);
    let now = call.caller().situation.now;
    let mut asked = Map::new();
    let mut give = |name: &str, value: String| drop(asked.insert(name.into(), Value::String(value)));
    give("state", form.filled("state").unwrap_or_default().into());
    give("since", now.minus(Duration::from_hours(hours)).to_string());
    give("until", now.to_string());
    if let Some(receiver) = form.filled("receiver") {
        give("receiver", receiver.into());
    }
    let resent = resend(call, &Value::Object(asked)).await?;
    let filters = form.fields().filter(|(name, _)| matches!(*name, "state" | "receiver"));
    let query = query_of(filters);
    Ok(go_to(list_at(&format!("{query}&{}", said_of(&resent)))))
}

async fn resend(call: &DeskCall<'_>, asked: &Value) -> Result<DeliveriesResent, Failure> {
    let caller = call.caller();
    let by = Grantor::Merchant(caller);
    delivery::resend(call.edge.as_ref(), caller.merchant(), by, asked.to_string().as_bytes()).await
}

fn said_of(resent: &DeliveriesResent) -> String {
    let more = u8::from(resent.may_continue);
    format!("resent={}&held={}&more={more}", resent.resent, resent.held)
}
