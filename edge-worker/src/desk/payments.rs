//! The list of payments, narrowed by the filters of its address.

use checkout_core::api::list_transactions::DayZone;
use checkout_core::child::Child;
use checkout_core::desk::columns::{COLUMN, PaymentColumn};
use checkout_core::desk::form::{DeskForm, TOKEN};
use checkout_core::desk::frame::missing;
use checkout_core::desk::result::operation_result;
use checkout_core::desk::route::DeskRoute;
use checkout_core::flow::Failure;
use checkout_core::flow::desk::{PaymentList, PaymentRow, payments};
use checkout_core::flow::merchant::export;
use checkout_core::port::World;
use checkout_core::rejection::{RefusedRequest, Rejection};
use checkout_core::state::State;
use checkout_core::strings::Strings;
use checkout_core::strings::desk::PaymentWords;
use checkout_core::transaction::Transaction;
use checkout_core::value::time::Date;
use checkout_core::violation::Violation;
use form_urlencoded::Serializer;
use maud::{Markup, html};

use super::call::DeskCall;
use super::factor::FIELD;
use super::list_link::LIST;
use super::parts::{active, hidden, method, moment};
use crate::http::Reply;

/// The filters of the form; the address may have every other one of the listing.
const FILTERS: [&str; 6] = ["search", "state", "created_from", "created_to", "order_no", "pg_code"];

/// Shows the list.
pub(super) async fn list(call: &DeskCall<'_>) -> Result<Reply, Failure> {
    let words = &call.words().payment;
    let query = call.query();
    let asked = filters(&query, None);
    let (status, list, found) = match payments(call.edge.as_ref(), call.caller(), &asked).await {
        Ok(list) => (200, list, Vec::new()),
        Err(Failure::Refused(RefusedRequest { rejection: Rejection::Invalid(found), .. })) => {
            (400, PaymentList { rows: Vec::new(), next: None }, found)
        }
        Err(failure) => return Err(failure),
    };
    let body = html! {
        div .head {
            h1 { (words.payments) }
            @if missing(call.caller(), &DeskRoute::NewPayment).is_none() {
                a .link href=(DeskRoute::NewPayment.path()) { (call.words().navigation.new_payment) }
            }
        }
        (form(call, words, &found))
        @if list.rows.is_empty() && found.is_empty() {
            p .card { (if list.next.is_some() { words.none_yet } else { words.none }) }
        }
        @if !list.rows.is_empty() {
            (table(call, &list, words))
            (hidden(call))
            (export_form(call, words))
        }
        @if let Some(next) = &list.next {
            p { a .link rel="next" href={ (DeskRoute::Payments.path()) "?" (address(&query, Some(next))) } { (words.older) } }
        }
    };
    Ok(call.screen_with(status, words.payments, &body))
}

/// The form that exports exactly what the list shows, for those who may.
fn export_form(call: &DeskCall<'_>, words: &PaymentWords) -> Markup {
    let route = DeskRoute::ExportPayments;
    if missing(call.caller(), &route).is_some() {
        return html! {};
    }
    let query = call.query();
    call.form(
        &route,
        &html! {
            @for (name, value) in on(&query) { input type="hidden" name=(name) value=(value); }
            div .actions { button .button.second { (words.export) } }
        },
    )
}

/// Exports what the list of the same filters shows.
pub(super) async fn export(call: &DeskCall<'_>) -> Result<Reply, Failure> {
    let filters = on(&call.form).filter(|(name, _)| ![TOKEN, FIELD].contains(name));
    let query = Serializer::new(String::new()).extend_pairs(filters).finish();
    match export::export(call.edge.as_ref(), call.caller(), &query, DayZone::Reader).await {
        Ok(table) => Reply::table(call.edge, table).await,
        Err(Failure::Refused(RefusedRequest { rejection: Rejection::Invalid(found), .. })) => {
            let words = &call.words().payment;
            Ok(call.screen_with(
                400,
                words.payments,
                &html! { h1 { (words.payments) } (faults(call, &found)) },
            ))
        }
        Err(failure) => Err(failure),
    }
}

/// What is wrong with the filters, each by its name.
fn faults(call: &DeskCall<'_>, found: &[Violation]) -> Markup {
    html! {
        @for violation in found {
            p .fault role="alert" { bdi dir="ltr" { (violation.path) ":" } " " (call.words().fault(&violation.rule)) }
        }
    }
}

/// The filters that are on: what a form left empty is none.
fn on(form: &DeskForm) -> impl Iterator<Item = (&str, &str)> {
    let others = ["cursor", "limit", COLUMN];
    form.fields().filter(move |(name, value)| !value.trim().is_empty() && !others.contains(name))
}

/// The query of the listing: what the form left empty is no filter.
fn filters(query: &DeskForm, cursor: Option<&str>) -> String {
    let cursor = cursor.or_else(|| query.filled("cursor"));
    Serializer::new(String::new())
        .extend_pairs(on(query))
        .extend_pairs(cursor.map(|cursor| ("cursor", cursor)))
        .finish()
}

/// The query of a page of the list: its filters and its columns.
fn address(query: &DeskForm, cursor: Option<&str>) -> String {
    let filters = filters(query, cursor);
    Serializer::new(filters).extend_pairs(query.all(COLUMN).map(|name| (COLUMN, name))).finish()
}

fn form(call: &DeskCall<'_>, words: &PaymentWords, found: &[Violation]) -> Markup {
    let query = call.query();
    let value = |name: &str| query.get(name).unwrap_or_default().to_owned();
    let states = query.all("state").filter(|given| !given.is_empty()).collect::<Vec<_>>().join(",");
    let settings = &call.caller().situation.settings;
    html! {
        form .card method="get" action=(DeskRoute::Payments.path()) {
            // A filter of the address that the form does not have goes on with it.
            @for (name, given) in query.fields() {
                @if !FILTERS.contains(&name) && !["cursor", COLUMN].contains(&name) { input type="hidden" name=(name) value=(given); }
            }
            div .field {
                label for="search" { (words.search) }
                input id="search" name="search" type="search" value=(value("search")) aria-describedby="search-hint" dir="auto";
                p #search-hint .quiet { (words.search_hint) }
            }
            div .row {
                div .field {
                    label for="state" { (words.state) }
                    select id="state" name="state" {
                        option value="" { (words.any) }
                        @for state in State::ALL {
                            option value=(state.as_str()) selected[states == state.as_str()] { (words.state_name(state)) }
                        }
                        (other(&states, |given| State::parse(given).is_some()))
                    }
                }
                div .field {
                    label for="pg_code" { (words.method) }
                    select id="pg_code" name="pg_code" {
                        option value="" { (words.any_method) }
                        @for profile in &settings.gateways {
                            option value=(profile.code.as_str()) selected[value("pg_code") == profile.code.as_str()] {
                                (profile.name.text(call.visit.language))
                            }
                        }
                        (other(&value("pg_code"), |given| settings.gateways.iter().any(|profile| profile.code.as_str() == given)))
                    }
                }
                @for (name, label, kind) in [("created_from", words.from, "date"), ("created_to", words.to, "date"), ("order_no", words.order_no, "text")] {
                    div .field {
                        label for=(name) { (label) }
                        // A browser shows nothing but a day in a field of one.
                        @let is_other = kind == "date" && Date::parse(&value(name)).is_none() && !value(name).is_empty();
                        input id=(name) name=(name) type=(if is_other { "text" } else { kind }) dir=[is_other.then_some("ltr")] value=(value(name));
                    }
                }
            }
            (faults(call, found))
            (columns(call, words))
            div .actions { button .button.second { (words.filter) } }
            (active(call, on(&query), &DeskRoute::Payments))
        }
    }
}

/// What the address names and a choice does not offer, as one more of its options: it goes on with the form.
fn other(given: &str, is_offered: impl Fn(&str) -> bool) -> Markup {
    html! { @if !given.is_empty() && !is_offered(given) { option value=(given) selected { (given) } } }
}

/// The choice of columns, and the address of the list with its filters and columns.
fn columns(call: &DeskCall<'_>, words: &PaymentWords) -> Markup {
    let query = call.query();
    let chosen = PaymentColumn::chosen(&query);
    let desk = call.edge.installation().desk_url.as_deref().unwrap_or_default();
    let path = DeskRoute::Payments.path();
    html! {
        details {
            summary { (words.columns) }
            div .actions role="group" aria-label=(words.columns) {
                @for column in PaymentColumn::ALL {
                    label .choice {
                        input type="checkbox" name=(COLUMN) value=(column.as_str()) checked[chosen.contains(&column)];
                        (column.heading(call.words()))
                    }
                }
            }
            div .field {
                label for="list-link" { (words.list_link) }
                input id="list-link" readonly dir="ltr" data-copy value={ (desk) (path) "?" (address(&query, None)) };
            }
        }
    }
}

/// The rows of a page, with the columns that the address chooses; the refunds of a payment are under it.
pub(super) fn table(call: &DeskCall<'_>, list: &PaymentList, words: &PaymentWords) -> Markup {
    let query = call.query();
    let columns = PaymentColumn::chosen(&query);
    let back = Serializer::new(String::new()).append_pair(LIST, &address(&query, None)).finish();
    html! {
        div .table {
            table .stacked {
                caption .unseen { (words.payments) }
                thead {
                    tr {
                        th scope="col" { (words.created) }
                        @for column in &columns { th scope="col" { (column.heading(call.words())) } }
                    }
                }
                tbody {
                    @for row in &list.rows {
                        tr {
                            td data-label=(words.created) {
                                a href={ (DeskRoute::Payment(row.transaction.session_id.clone()).path()) "?" (back) } {
                                    (moment(call, row.transaction.created_at))
                                }
                            }
                            @for column in &columns {
                                td .number[*column == PaymentColumn::Amount] data-label=(column.heading(call.words())) {
                                    (cell(call, row, *column))
                                }
                            }
                        }
                        @for refund in row.refunds() { (refund_line(call, refund, &columns)) }
                    }
                }
            }
        }
    }
}

fn cell(call: &DeskCall<'_>, row: &PaymentRow, column: PaymentColumn) -> Markup {
    let words = &call.words().payment;
    let transaction = &row.transaction;
    let attempt = row.standing.as_ref().map(|standing| &standing.attempt);
    match column {
        PaymentColumn::State => chip(row.state, words),
        PaymentColumn::Amount => {
            html! { bdi .sum { (Strings::of(call.visit.language).price(transaction.amount)) } }
        }
        PaymentColumn::Method => html! {
            span {
                @if let Some(attempt) = attempt { bdi { (method(call, &attempt.pg_code)) } } @else { "–" }
                @if let Some(digits) = row.digits() { " " bdi dir="ltr" { (digits) } }
            }
        },
        PaymentColumn::OrderNo => html! { bdi { (transaction.details.order_no.as_deref().unwrap_or("–")) } },
        PaymentColumn::Payer => html! { bdi { (payer(transaction)) } },
        PaymentColumn::Reference => {
            html! { bdi dir="ltr" { (attempt.map_or("–", |attempt| attempt.reference.as_str())) } }
        }
        PaymentColumn::MadeBy => {
            html! { bdi dir="ltr" { (row.made_by.as_ref().map_or_else(|| "–".into(), ToString::to_string)) } }
        }
    }
}

/// A refund, under its payment.
fn refund_line(call: &DeskCall<'_>, refund: &Child, columns: &[PaymentColumn]) -> Markup {
    let words = call.words();
    let by = refund.initiator.as_deref().map(|initiator| initiator.username.as_str());
    html! {
        tr .quiet {
            td data-label=(words.payment.refund) {
                span {
                    "↳ " (words.payment.refund) " · " (moment(call, refund.opened_at))
                    @if let Some(by) = by { " · " bdi { (by) } }
                }
            }
            @for column in columns {
                td .number[*column == PaymentColumn::Amount] data-label=(column.heading(words)) {
                    @match column {
                        PaymentColumn::State => (operation_result(words, refund.stage)),
                        PaymentColumn::Amount => {
                            bdi .sum dir=(call.visit.language.direction()) { "\u{200e}−" (Strings::of(call.visit.language).price(refund.amount)) }
                        }
                        PaymentColumn::Method => bdi { (method(call, &refund.pg_code)) },
                        PaymentColumn::Reference => bdi dir="ltr" { (refund.reference.as_str()) },
                        PaymentColumn::MadeBy => bdi { (by.unwrap_or("–")) },
                        PaymentColumn::OrderNo | PaymentColumn::Payer => "–",
                    }
                }
            }
        }
    }
}

/// A state, in the colour of what it means.
pub(super) fn chip(state: State, words: &PaymentWords) -> Markup {
    let look = match state {
        State::Paid | State::Authorized | State::Cod => "chip good",
        State::Failed => "chip bad",
        State::Created | State::Pending | State::Attempted => "chip",
        State::Canceled | State::Expired | State::Invalided | State::Refunded => "chip quiet",
    };
    html! { span class=(look) { (words.state_name(state)) } }
}

/// Who pays.
pub(super) fn payer(transaction: &Transaction) -> String {
    let details = &transaction.details;
    let names = [details.customer_first_name.as_deref(), details.customer_last_name.as_deref()];
    let name = names.into_iter().flatten().collect::<Vec<_>>().join(" ");
    if name.is_empty() { details.customer_email.clone().unwrap_or_else(|| "–".into()) } else { name }
}
